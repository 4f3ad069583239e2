//! Tables against facts that others have published, and against the rules.

use monteverde_chess::{Board, Chess, Color, fen};
use monteverde_game::{Game, Notation, Oracle, Proof, Rng};
use monteverde_tablebase::create::{build_tables, plan};
use monteverde_tablebase::verify::{Check, Counts, Findings, Reference, verify};
use monteverde_tablebase::{Material, Syzygy, Tables};
use std::path::Path;
use std::sync::LazyLock;

/// Tables of three pieces and four of four, one with captures en passant and one with equal men,
/// built once for all tests.
static TABLES: LazyLock<Tables> = LazyLock::new(|| {
    let dir = tempfile::tempdir().expect("a folder");
    let wanted = ["KRKN", "KPKP", "KNNK", "KBNK"].map(material);
    let order = plan(dir.path(), &wanted).expect("a new folder");
    build_tables(dir.path(), &order, 2, |_| (), |_| ()).expect("they are built");
    assert_eq!(plan(dir.path(), &wanted).expect("the folder"), []);
    // Mapped files stay readable after their names are gone.
    Tables::open(dir.path()).expect("they are whole")
});

static THREE_PIECES: LazyLock<Tables> = LazyLock::new(|| Tables::three_pieces(None));

/// Where the script `data/fetch` puts Syzygy's files.
const SYZYGY: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/../../target/python-chess/data/syzygy/regular");

/// Counts and longest mates of every ending of three to five pieces, as others found them.
const ENDINGS: &str = include_str!("../../../data/chess/endings.tsv");

fn material(name: &str) -> Material {
    name.parse().expect("a name")
}

fn board(text: &str) -> Board {
    fen::parse(text).expect("a FEN")
}

fn checked(tables: &Tables, name: &str, check: &Check<'_>) -> Findings {
    let findings = verify(tables, material(name), check).expect("the table is there");
    assert!(findings.checked > 0);
    assert!(findings.are_good(), "{name}: {findings:?}");
    findings
}

fn counts(found: &Counts) -> [u64; 3] {
    [found.wins, found.draws, found.losses]
}

#[test]
fn three_pieces_have_the_published_counts_and_longest_mates() {
    for (name, moves, white, black) in [
        ("KQK", 10, [18_081, 0, 0], [0, 2_896, 25_160]),
        ("KRK", 16, [21_959, 0, 0], [0, 2_796, 25_260]),
        ("KBK", 0, [0, 24_178, 0], [0, 28_056, 0]),
        ("KNK", 0, [0, 25_750, 0], [0, 28_056, 0]),
        ("KPK", 28, [62_480, 19_184, 0], [0, 35_210, 48_802]),
    ] {
        let findings = checked(&THREE_PIECES, name, &Check::default());
        assert_eq!(findings.counts.each_ref().map(counts), [white, black], "{name}");
        assert_eq!(findings.counts[0].longest_win_moves(), moves, "{name}");
    }
}

#[test]
fn four_pieces_have_the_published_counts_and_longest_mates() {
    // Only some positions are checked move by move: `tablebase verify` checks all.
    let check = Check { one_in: 499, ..Check::default() };
    let findings = checked(&TABLES, "KRKN", &check);
    assert_eq!(counts(&findings.counts[0]), [651_492, 696_413, 1]);
    assert_eq!(counts(&findings.counts[1]), [4, 1_396_546, 170_672]);
    assert_eq!(findings.counts.map(|side| side.longest_win_moves()), [40, 1]);
    let findings = checked(&TABLES, "KPKP", &check);
    assert_eq!(counts(&findings.counts[0]), [1_606_514, 1_242_545, 868_985]);
    assert_eq!(counts(&findings.counts[1]), [1_606_514, 1_242_545, 868_985]);
    assert_eq!(findings.counts.map(|side| side.longest_win_moves()), [33, 33]);
    let findings = checked(&TABLES, "KNNK", &check);
    assert_eq!(counts(&findings.counts[0]), [154, 1_437_574, 0]);
    let findings = checked(&TABLES, "KBNK", &check);
    assert_eq!(counts(&findings.counts[0]), [1_352_913, 6_665, 0]);
    assert_eq!(counts(&findings.counts[1]), [0, 309_147, 1_398_741]);
    assert_eq!(findings.counts.map(|side| side.longest_win_moves()), [33, 0]);
}

#[test]
fn longest_mates_are_found_where_they_are_known_to_be() {
    for (state, proof) in [
        ("7K/6Q1/8/8/2k5/8/8/8 w - - 0 1", Proof::Win(19)),
        ("8/8/2R5/3k4/8/8/8/1K6 w - - 0 1", Proof::Win(31)),
        ("8/8/8/1k6/8/8/K5P1/8 w - - 0 1", Proof::Win(55)),
        ("8/8/6R1/2K5/n7/8/8/3k4 w - - 0 1", Proof::Win(79)),
        ("7K/4B3/4k3/8/8/8/8/2N5 w - - 0 1", Proof::Win(65)),
        ("8/8/8/8/1n6/k7/8/KR6 b - - 0 1", Proof::Win(1)),
        ("2K5/k7/7p/8/8/8/6P1/8 w - - 0 1", Proof::Win(65)),
        ("8/2p1K3/8/8/8/4P3/8/3k4 b - - 0 1", Proof::Win(65)),
        ("7k/5KQ1/8/8/8/8/8/8 b - - 0 1", Proof::Loss(0)),
        ("k7/2Q5/2K5/8/8/8/8/8 b - - 0 1", Proof::Draw),
    ] {
        assert_eq!(TABLES.probe(&board(state)), proof, "{state}");
        // The same with the colours exchanged and the board turned.
        assert_eq!(TABLES.probe(&turned(&board(state))), proof, "{state} turned");
    }
}

/// The same position for the other colour.
fn turned(board: &Board) -> Board {
    let text = fen::write(board);
    let mut fields: Vec<String> = text.split(' ').map(str::to_owned).collect();
    let swap =
        |c: char| if c.is_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() };
    let ranks: Vec<&str> = fields[0].split('/').rev().collect();
    fields[0] = ranks.join("/").chars().map(swap).collect();
    fields[1] = if board.turn() == Color::White { "b" } else { "w" }.to_owned();
    fen::parse(&fields.join(" ")).expect("the position is as legal as the other one")
}

#[test]
fn a_capture_en_passant_counts() {
    // Black's king is mated but for the capture, or has no other move.
    for (state, proof) in [
        ("8/8/8/8/1Pp5/8/8/k1K5 b - - 0 1", None),
        ("8/8/8/8/1Pp5/8/8/k1K5 b - b3 0 1", None),
        ("8/8/8/8/k1pP4/8/2K5/8 b - d3 0 1", None),
    ] {
        let state = board(state);
        assert_eq!(proof.unwrap_or(by_moves(&state)), TABLES.probe(&state), "{state:?}");
    }
    // Random games of pawns, for captures that nobody thought of.
    let mut rng = Rng::new(11);
    let mut met = 0;
    while met < 300 {
        let files = [rng.below(8), rng.below(8)];
        let kings = [rng.below(64), rng.below(64)];
        let Some(state) = pawns(files, kings, &mut rng) else { continue };
        met += u32::from(state.en_passant().is_some());
        assert_eq!(TABLES.probe(&state), by_moves(&state), "{state:?}");
    }
}

/// A white pawn that has just made its double step, a black one somewhere beside it.
fn pawns(files: [u32; 2], kings: [u32; 2], rng: &mut Rng) -> Option<Board> {
    let mut setup = monteverde_chess::Setup::empty();
    let mut put = |square: u32, color, piece| {
        let place = &mut setup.pieces[square as usize];
        place.is_none().then(|| *place = Some((color, piece)))
    };
    use monteverde_chess::Piece::{King, Pawn};
    put(8 + files[0], Color::White, Pawn)?;
    put(24 + files[1], Color::Black, Pawn)?;
    put(kings[0], Color::White, King)?;
    put(kings[1], Color::Black, King)?;
    let mut board = Board::from_setup(&setup).ok()?;
    let mut moves = Vec::new();
    board.legal_moves(&mut moves);
    moves.retain(|mv| mv.to().index().abs_diff(mv.from().index()) == 16);
    let count = moves.len() as u32;
    let mv = *moves.get((count > 0).then(|| rng.below(count))? as usize)?;
    board.play(mv);
    Some(board)
}

/// What the tables say one move on.
fn by_moves(board: &Board) -> Proof {
    let mut moves = Vec::new();
    board.legal_moves(&mut moves);
    let after = |&mv: &monteverde_chess::Move| {
        let mut next = *board;
        next.play(mv);
        TABLES.probe(&next).before()
    };
    let rank = |proof: &Proof| match *proof {
        Proof::Win(plies) => 1_000 - i32::from(plies),
        Proof::Loss(plies) => i32::from(plies) - 1_000,
        _ => 0,
    };
    let none = if board.in_check() { Proof::Loss(0) } else { Proof::Draw };
    moves.iter().map(after).max_by_key(rank).unwrap_or(none)
}

#[test]
fn what_is_not_in_a_table_is_unknown() {
    for state in [
        "4k3/8/8/8/8/8/8/4K2R w K - 0 1",
        "4k3/8/8/8/8/8/8/4KQR1 w - - 0 1",
        "8/8/8/1kqr4/8/8/8/1KQ5 w - - 0 1",
        fen::START,
    ] {
        assert_eq!(THREE_PIECES.probe(&board(state)), Proof::Open, "{state}");
    }
    assert!(matches!(THREE_PIECES.probe(&board("4k3/8/8/8/8/8/8/4K2R w - - 0 1")), Proof::Win(_)));
}

#[test]
fn dead_positions_are_draws_with_and_without_a_table() {
    for state in ["8/8/3k4/8/8/4K3/8/8 w - - 0 1", "8/8/3k4/8/5n2/4K3/8/8 b - - 0 1"] {
        assert_eq!(THREE_PIECES.probe(&board(state)), Proof::Draw);
    }
    let same_bishops = board("8/8/3k4/8/4b3/4K3/8/5B2 w - - 0 1");
    assert!(same_bishops.is_insufficient_material());
    assert_eq!(THREE_PIECES.probe(&same_bishops), Proof::Open, "more pieces than any table has");
    assert_eq!(TABLES.probe(&same_bishops), Proof::Draw, "there is no table, but no mate either");
}

#[test]
fn an_oracle_leads_to_mate_in_as_many_plies_as_it_says() {
    let mut state = Chess::new(board("8/8/6R1/2K5/n7/8/8/3k4 w - - 0 1"));
    for plies in (0..=79).rev() {
        let expected = if plies % 2 == 1 { Proof::Win(plies) } else { Proof::Loss(plies) };
        assert_eq!(Oracle::probe(&*TABLES, &state), expected);
        let mut moves = Vec::new();
        state.moves(&mut moves);
        let leads_on = |mv: &&monteverde_chess::Move| {
            let mut next = state.clone();
            next.play(**mv);
            Oracle::probe(&*TABLES, &next).before() == expected
        };
        let best = moves.iter().find(leads_on).copied();
        assert_eq!(best.is_none(), plies == 0);
        best.into_iter().for_each(|mv| state.play(mv));
    }
    assert_eq!(state.ending(), Some("checkmate"));
}

#[test]
fn tables_of_three_pieces_are_kept_and_mended() {
    let home = tempfile::tempdir().expect("a folder");
    let dir = home.path().join("deep").join("down");
    let krk = board("8/8/2R5/3k4/8/8/8/1K6 w - - 0 1");
    assert_eq!(Tables::three_pieces(Some(&dir)).probe(&krk), Proof::Win(31));
    let file = dir.join("KRK.dtm");
    let stored = std::fs::read(&file).expect("the table was stored");
    std::fs::write(&file, &stored[..stored.len() - 1]).expect("the folder is ours");
    assert_eq!(Tables::three_pieces(Some(&dir)).probe(&krk), Proof::Win(31));
    assert_eq!(std::fs::read(&file).expect("the table was stored again"), stored);
    // Where nothing can be stored it works all the same.
    assert_eq!(Tables::three_pieces(Some(&file.join("no folder"))).probe(&krk), Proof::Win(31));
}

#[test]
fn little_memory_changes_no_answer() {
    let dir = tempfile::tempdir().expect("a folder");
    let order = plan(dir.path(), &[material("KPK")]).expect("a new folder");
    build_tables(dir.path(), &order, 1, |_| (), |_| ()).expect("they are built");
    let poor = Tables::open_within(dir.path(), 0).expect("they are whole");
    let mut rng = Rng::new(5);
    let mut asked = 0;
    while asked < 2_000 {
        let mut setup = monteverde_chess::Setup::empty();
        for man in [(Color::White, 'K'), (Color::Black, 'k'), (Color::White, 'P')] {
            let (_, piece) = monteverde_chess::Piece::from_letter(man.1).expect("a letter");
            setup.pieces[rng.below(64) as usize] = Some((man.0, piece));
        }
        if let Ok(board) = Board::from_setup(&setup) {
            asked += 1;
            assert_eq!(poor.probe(&board), THREE_PIECES.probe(&board), "{board:?}");
        }
    }
}

#[test]
fn syzygy_and_the_published_table_agree() {
    let syzygy = Syzygy::open(Path::new(SYZYGY))
        .unwrap_or_else(|error| panic!("{error}; the script data/fetch gets the files"));
    let reference = Reference::parse(ENDINGS).expect("its columns");
    let names = [
        ("KQK", 1),
        ("KRK", 1),
        ("KBK", 1),
        ("KNK", 1),
        ("KPK", 1),
        ("KRKN", 499),
        ("KPKP", 499),
        ("KNNK", 97),
    ];
    for (name, one_in) in names {
        let check = Check { syzygy: Some(&syzygy), one_in, ..Check::default() };
        let findings = checked(&TABLES, name, &check);
        assert_eq!(findings.with_syzygy, findings.checked);
        assert_eq!(reference.compare(material(name), &findings), Some(Vec::new()), "{name}");
    }
    let start = board("8/8/8/1k6/8/8/K5P1/8 w - - 0 1");
    let moves = syzygy.root(&start).expect("the position is in its files");
    for found in moves {
        let mut next = start;
        next.play(found.mv);
        let ours = monteverde_tablebase::Wdl::of(TABLES.probe(&next).before());
        assert_eq!(ours, Some(found.wdl), "{found:?}");
    }
    assert!(
        Syzygy::open(Path::new("/")).is_err_and(|error| error.to_string().contains("no Syzygy"))
    );
    check_repetitions(&syzygy);
}

/// The queen has gone to and fro. White must not let the king go back to e7 for the third time, and
/// Black, where it may, does just that.
fn check_repetitions(syzygy: &Syzygy) {
    let mut state = Chess::new(board("2K5/4k3/8/8/5Q2/8/8/8 w - - 0 1"));
    let play = |state: &mut Chess, moves: &str| {
        for text in moves.split(' ') {
            state.play(state.parse_move(text).expect("a move"));
        }
    };
    play(&mut state, "f4d2 e7e6 d2f4 e6e7 f4d2 e7e6");
    let texts = |state: &Chess| -> Vec<String> {
        let moves = syzygy.best_moves(state).expect("the position is in its files");
        moves.into_iter().map(|mv| state.move_text(mv)).collect()
    };
    assert!(!texts(&state).contains(&"d2f4".to_owned()), "{:?}", texts(&state));
    play(&mut state, "d2f4");
    assert_eq!(texts(&state), ["e6e7"]);
}
