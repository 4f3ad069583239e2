//! FEN: every dialect reads, every board reads back, every error is exact.

use crate::random;
use monteverde_chess::fen::{self, FenError};
use monteverde_chess::{Board, Chess, Color, Square, Variant, Wing};
use monteverde_game::{Notation, Rng};
use proptest::prelude::*;

#[test]
fn the_start_reads_and_writes() {
    let board = fen::parse(fen::START).unwrap();
    assert_eq!(board, Board::start());
    assert_eq!(fen::write(&board), fen::START);
}

#[test]
fn missing_counters_are_0_and_1() {
    let board = fen::parse("4k3/8/8/8/8/8/8/4K2R w K -").unwrap();
    assert_eq!(fen::write(&board), "4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    let board = fen::parse("4k3/8/8/8/8/8/8/4K2R w K - 7").unwrap();
    assert_eq!(fen::write(&board), "4k3/8/8/8/8/8/8/4K2R w K - 7 1");
}

/// State, its variant, and how it is written.
const DIALECTS: [(&str, Variant, &str); 8] = [
    ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", Variant::Standard, "KQkq"),
    ("r3k2r/8/8/8/8/8/8/R3K2R w qK - 0 1", Variant::Standard, "Kq"),
    ("r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1", Variant::Chess960, "HAha"),
    ("1r2k1r1/8/8/8/8/8/8/1R2K1R1 w KQkq - 0 1", Variant::Chess960, "GBgb"),
    // The outermost rook on each side is meant; the inner one needs its file.
    ("rr2k1rr/8/8/8/8/8/8/RR2K1RR w KQkq - 0 1", Variant::Standard, "KQkq"),
    ("rr2k1rr/8/8/8/8/8/8/RR2K1RR w GBgb - 0 1", Variant::Chess960, "GBgb"),
    ("rr1k2rr/8/8/8/8/8/8/RR1K2RR w KBgq - 0 1", Variant::Chess960, "HBga"),
    ("5rkr/8/8/8/8/8/8/5RKR w Kf - 0 1", Variant::Chess960, "Hf"),
];

#[test]
fn both_dialects_of_castling_read() {
    for (state, variant, castling) in DIALECTS {
        let board = fen::parse(state).unwrap();
        assert_eq!(board.variant(), variant, "{state}");
        let written = fen::write(&board);
        assert_eq!(written.split(' ').nth(2), Some(castling), "{state}");
        assert_eq!(fen::parse(&written), Ok(board));
    }
}

#[test]
fn castling_letters_name_the_rooks() {
    let board = fen::parse("rr2k1rr/8/8/8/8/8/8/RR2K1RR w GBgq - 0 1").unwrap();
    let rook = |color, wing| board.castling_rook(color, wing).map(|rook| rook.to_string());
    assert_eq!(rook(Color::White, Wing::King).as_deref(), Some("g1"));
    assert_eq!(rook(Color::White, Wing::Queen).as_deref(), Some("b1"));
    assert_eq!(rook(Color::Black, Wing::King).as_deref(), Some("g8"));
    assert_eq!(rook(Color::Black, Wing::Queen).as_deref(), Some("a8"));
}

#[test]
fn the_variant_may_be_given() {
    let board = fen::parse_as(fen::START, Variant::Chess960).unwrap();
    assert_eq!(board.variant(), Variant::Chess960);
    assert_eq!(fen::write(&board), fen::START.replace("KQkq", "HAha"));
    let state = "4k3/8/8/8/8/8/8/4K3 w - - 0 1";
    assert_eq!(fen::parse_as(state, Variant::Chess960).unwrap().variant(), Variant::Chess960);
}

#[test]
fn en_passant_is_kept_only_where_a_capture_is_legal() {
    let written = |state: &str| fen::write(&fen::parse(state).unwrap());
    let legal = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1";
    assert_eq!(written(legal), legal);
    assert_eq!(fen::parse(legal).unwrap().en_passant(), Some(Square::at(3, 5)));
    // Nobody can capture; the capturer is pinned; the rank opens.
    for state in [
        "4k3/8/8/3p4/8/8/8/4K3 w - d6 0 1",
        "k3r3/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
        "4k3/8/8/K2pP2r/8/8/8/8 w - d6 0 1",
    ] {
        assert_eq!(written(state), state.replace("d6", "-"));
    }
}

#[test]
fn malformed_states_are_exact_errors() {
    check("", FenError::Fields { text: "".into(), found: 0 });
    check("8/8 w -", FenError::Fields { text: "8/8 w -".into(), found: 3 });
    let long = format!("{} 5", fen::START);
    check(&long, FenError::Fields { text: long.clone(), found: 7 });
    check("8/8 w - -", FenError::Ranks { field: "8/8".into(), found: 2 });
    let nine = "8/8/8/8/8/8/8/8/8";
    check(&format!("{nine} w - -"), FenError::Ranks { field: nine.into(), found: 9 });
    check("8/8/8/x7/8/8/8/8 w - -", FenError::Character { rank: 5, character: 'x' });
    check("8/8/8/8/8/8/8/7é w - -", FenError::Character { rank: 1, character: 'é' });
    check("9/8/8/8/8/8/8/8 w - -", FenError::Character { rank: 8, character: '9' });
    check("8/7/8/8/8/8/8/8 w - -", FenError::Squares { rank: 7, text: "7".into(), found: 7 });
    check("8/8/8/8/8/8/7PP/8 w - -", FenError::Squares { rank: 2, text: "7PP".into(), found: 9 });
    check("8/8/8/8/8/8/8/8 W - -", FenError::Turn("W".into()));
    let rest = |fields: &str| format!("4k3/8/8/8/8/8/8/R3K2R {fields}");
    check(&rest("w X -"), FenError::Castling("X".into()));
    check(&rest("w K- -"), FenError::Castling("K-".into()));
    check(&rest("w KK -"), FenError::Castling("KK".into()));
    check(&rest("w KH -"), FenError::Castling("KH".into()));
    let no_rook = FenError::NoCastling { right: 'B', color: Color::White, needs: "a rook" };
    check(&rest("w B -"), no_rook);
    let no_rook = FenError::NoCastling { right: 'q', color: Color::Black, needs: "a rook" };
    check(&rest("w q -"), no_rook);
    let no_king = FenError::NoCastling { right: 'K', color: Color::White, needs: "the king" };
    check("4k3/8/8/8/8/8/4K3/R6R w K -", no_king);
    check(&rest("w - e9"), FenError::EnPassant("e9".into()));
    check(&rest("w - e"), FenError::EnPassant("e".into()));
    let counter = |field, text: &str| FenError::Counter { field, text: text.into() };
    check(&rest("w - - x 1"), counter("number of plies", "x"));
    check(&rest("w - - -1 1"), counter("number of plies", "-1"));
    check(&rest("w - - +1 1"), counter("number of plies", "+1"));
    check(&rest("w - - 0 65536"), counter("number of the move", "65536"));
}

#[test]
fn states_against_the_rules_are_errors() {
    for state in [
        "8/8/8/8/8/8/8/8 w - - 0 1",
        "4k3/8/8/8/8/8/8/4K2K w - - 0 1",
        "4k3/8/8/8/8/8/8/P3K3 w - - 0 1",
        "4k3/4R3/8/8/8/8/8/4K3 w - - 0 1",
    ] {
        let error = fen::parse(state).unwrap_err();
        assert!(matches!(&error, FenError::Setup { text, .. } if text == state), "{error:?}");
        assert!(error.to_string().starts_with(&format!("'{state}' breaks the rules: ")));
    }
}

#[test]
fn messages_say_what_is_accepted() {
    let message = |text: &str| fen::parse(text).unwrap_err().to_string();
    assert_eq!(message("8/8/8/8/8/8/8/8 x - -"), "the side to move is w or b, not 'x'");
    assert_eq!(
        message("8/8/8/8/8/8/7z/8 w - -"),
        "'z' on rank 2 is not one of PNBRQK, pnbrqk or 1 to 8"
    );
    assert_eq!(
        message("4k3/8/8/8/8/8/8/4K3 w - - 0 many"),
        "the number of the move must be a number from 0 to 65535, not 'many'"
    );
    assert_eq!(
        message("4k3/8/8/8/8/8/8/4K3 w Q -"),
        "castling 'Q' needs a rook on the back rank of White"
    );
}

#[test]
fn epd_lines_split_into_state_and_operations() {
    let (board, rest) = fen::parse_epd("4k3/8/8/8/8/8/8/4K2R w K - bm O-O; id \"1\";").unwrap();
    assert_eq!(fen::write(&board), "4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    assert_eq!(rest, "bm O-O; id \"1\";");
    let (board, rest) = fen::parse_epd("4k3/8/8/8/8/8/8/4K2R w K - 3 7 ;D1 15").unwrap();
    assert_eq!(fen::write(&board), "4k3/8/8/8/8/8/8/4K2R w K - 3 7");
    assert_eq!(rest, ";D1 15");
    assert_eq!(fen::parse_epd("4k3/8/8/8/8/8/8/4K2R w K -").unwrap().1, "");
    assert!(matches!(fen::parse_epd("  "), Err(FenError::Fields { found: 0, .. })));
}

#[test]
fn boards_of_random_games_read_back() {
    random::random_games(300, |board, _| assert_eq!(&random::reread(board), board));
}

#[test]
fn suites_read_and_write_back() {
    let mut lines = random::STARTS.to_vec();
    for text in [
        include_str!("../../../data/chess/perft.tsv"),
        include_str!("../../../data/chess/perft-960.tsv"),
        include_str!("../../../data/chess/tactics.epd"),
        include_str!("../../../data/chess/mates.epd"),
        include_str!("../../../data/chess/plans.epd"),
    ] {
        lines.extend(text.lines());
    }
    assert_eq!(lines.len(), random::STARTS.len() + 126 + 960 + 300 + 2_000 + 1_500);
    for line in lines {
        let (board, _) = fen::parse_epd(line).unwrap_or_else(|error| panic!("{error} in {line}"));
        let written = fen::write(&board);
        assert_eq!(fen::parse(&written).as_ref(), Ok(&board), "{line}");
        let pieces = |text: &str| text.split(' ').take(2).map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(pieces(&written), pieces(line));
    }
}

#[test]
fn chess_speaks_fen_and_uci() {
    let chess = Chess::start();
    assert_eq!(chess.state_text(), fen::START);
    for text in ["g1f3", "Nf3"] {
        assert_eq!(chess.move_text(chess.parse_move(text).unwrap()), "g1f3");
    }
    assert!(chess.parse_move("e2e5").unwrap_err().0.starts_with("'e2e5' is not legal in '"));
    assert!(chess.parse_move("Nf4").unwrap_err().0.starts_with("no legal move is 'Nf4' in '"));
    assert!(chess.parse_move("0000").unwrap_err().0.contains("null move"));
    assert_eq!(
        chess.parse_move("hello").unwrap_err().0,
        "'hello' is not a move; accepted are UCI such as g1f3 or e7e8q and SAN such as Nf3 or e8=Q"
    );
    assert_eq!(Chess::parse_state(fen::START).unwrap().state_text(), fen::START);
    assert!(Chess::parse_state("8/8").unwrap_err().0.starts_with("a FEN has 4 to 6 fields"));
}

#[test]
fn the_picture_shows_ranks_files_and_turn() {
    let state = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3";
    let picture = Chess::parse_state(state).unwrap().picture();
    let expected = concat!(
        "8 r n b . k b n r\n",
        "7 p p p p . p p p\n",
        "6 . . . . . . . .\n",
        "5 . . . . p . . .\n",
        "4 . . . . . . P q\n",
        "3 . . . . . P . .\n",
        "2 P P P P P . . P\n",
        "1 R N B Q K B N R\n",
        "  a b c d e f g h\n",
        "White to move, in check\n",
    );
    assert_eq!(picture, expected);
}

#[test]
fn mutated_states_never_panic() {
    let mut rng = Rng::new(3);
    let alphabet = "pnbrqkPNBRQK123456789/ wb-KQkqAHahde36x0é";
    let mut read = 0;
    for round in 0..6000 {
        let start = random::STARTS[round % random::STARTS.len()];
        if let Ok(board) = fen::parse(&random::mutated(start, alphabet, &mut rng)) {
            assert_eq!(random::reread(&board), board);
            read += 1;
        }
    }
    assert!(read > 100, "only {read} mutated states could be read");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]
    #[test]
    fn arbitrary_text_never_panics(text in "\\PC{0,60}") {
        let _ = fen::parse(&text);
        let _ = fen::parse_epd(&text);
    }

    #[test]
    fn arbitrary_fields_never_panic(
        text in "[pnbrqkPNBRQK1-8/]{0,40} [wb] [KQkqA-Ha-h-]{1,5} (-|[a-h][1-8]) [0-9]{1,6} [0-9]{1,6}"
    ) {
        let _ = fen::parse(&text);
        let _ = fen::parse_epd(&text);
    }
}

fn check(text: &str, error: FenError) {
    assert_eq!(fen::parse(text), Err(error), "{text}");
}
