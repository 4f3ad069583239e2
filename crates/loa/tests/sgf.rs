//! Games in the Smart Game Format: lenient reading, strict writing.

use monteverde_game::{Game, Notation, Outcome, Rng, Side};
use monteverde_loa::sgf::{self, SgfGame, SgfProblem};
use monteverde_loa::{Board, Loa, Rules};
use proptest::prelude::*;

const BLACK_WINS: Option<Outcome> = Some(Outcome::Win(Side::First));
const WHITE_WINS: Option<Outcome> = Some(Outcome::Win(Side::Second));

fn one(text: &str) -> SgfGame {
    let mut games = sgf::parse(text);
    let game = games.next().expect("a game").unwrap_or_else(|error| panic!("{text}: {error}"));
    assert!(games.next().is_none(), "{text}");
    game
}

fn moves(game: &SgfGame) -> Vec<String> {
    let mut state = Loa::new(game.start);
    let text = |played: &sgf::SgfMove| {
        let text = state.move_text(played.mv);
        state.play(played.mv);
        text
    };
    game.moves.iter().map(text).collect()
}

fn error(text: &str) -> String {
    let found = sgf::parse(text).find_map(Result::err);
    found.unwrap_or_else(|| panic!("{text} is accepted")).to_string()
}

/// The shortest game known, as it is written.
const SHORTEST: &str = "\
(;FF[4]GM[9]SZ[8]CA[UTF-8]PB[one]PW[an\\]other]RE[W+]C[Short.];B[c1:a3];W[a2-c4]
;B[c8:a6];W[a4-d4];B[e1-c3];W[d4-g4];B[c3:a5];W[c4-f4];B[a3:a7]C[Alas (it)\\]])
";

#[test]
fn a_game_is_written_strictly() {
    let mut game = SgfGame::new(Board::start());
    game.set_property("PB", "one");
    game.set_property("PW", "an]other");
    game.comment = "Short.".to_owned();
    game.outcome = WHITE_WINS;
    let mut state = Loa::start();
    let line = "c1xa3 a2-c4 c8xa6 a4-d4 e1-c3 d4-g4 c3xa5 c4-f4 a3xa7";
    for text in line.split(' ') {
        let mv = state.parse_move(text).expect("a move of the game");
        state.play(mv);
        game.push(mv, if text == "a3xa7" { "Alas\n(it)]" } else { "" });
    }
    assert_eq!(sgf::write(&game), SHORTEST);
    let read = one(SHORTEST);
    assert_eq!(moves(&read), line.split(' ').collect::<Vec<_>>());
    assert_eq!((read.outcome, read.comment.as_str()), (WHITE_WINS, "Short."));
    assert_eq!(read.moves[8].comment, "Alas (it)]");
    assert_eq!(read.properties().collect::<Vec<_>>(), [("PB", "one"), ("PW", "an]other")]);
    assert_eq!(sgf::write(&read), SHORTEST);
}

#[test]
fn files_in_the_wild_are_loose() {
    let expected = ["c1-c3", "a6-c6", "f8xh6"];
    for text in [
        "(;GM[9];B[c1-c3];W[a6-c6];B[f8-h6])",
        "(;GM[9];B[C1-C3];W[A6:C6];B[F8:H6++])",
        "Game of today:\n( ; GM [9]\n VW[] ; B [c1 c3] ;\n W [ a6 c6! ] ; B[f8xh6])\n",
        "(;GaMe[9]BlackPlayer[x] Black[c1c3] White[a6c6] Black[f8h6])",
        "(;gm[9];b[c1-c3];w[a6-c6];b[f8-h6])",
        "(;FF[4]GM[9]SZ[8]SU[Standard]PL[B];B[c1-c3]BL[30](;W[a6-c6];B[f8-h6])(;W[a3-c3]))",
        "(;B[c1-c3]N[(];W[a6-c6]C[a \\] b)];B[f8-h6];W[resign])",
    ] {
        assert_eq!(moves(&one(text)), expected, "{text}");
    }
    assert_eq!(one("(;GM[9];B[c1-c3];W[resign])").outcome, BLACK_WINS);
    assert_eq!(one("(;GM[9]RE[Draw];B[c1-c3])").outcome, Some(Outcome::Draw));
    assert_eq!(one("(;GM[9]RE[White won];B[c1-c3])").outcome, WHITE_WINS);
    assert_eq!(one("(;GM[9];B[c1-c3])").outcome, None);
    assert_eq!(one("(;GM[9]C[a]C[ b\nc ];B[c1-c3]C[d\\\ne])").moves[0].comment, "de");
    assert_eq!(one("(;GM[9]C[a]C[ b\nc ];B[c1-c3])").comment, "a b c");
    // Without a recorded result the last state tells.
    assert_eq!(one(&SHORTEST.replace("RE[W+]", "")).outcome, WHITE_WINS);
    assert_eq!(one(&SHORTEST.replace("RE[W+]", "RE[?]")).outcome, None);
}

#[test]
fn a_start_of_its_own_is_kept() {
    let states = [
        "xo4ox/oo4oo/8/8/8/8/oo4oo/xo4ox b",
        "8/8/o2o4/o7/ox1oo3/1oo5/2ooxx2/2xx1xx1 w simultaneous=mover,plies=77",
        "1xxxxxx1/o6o/o6o/o6o/o6o/o6o/o6o/1xxxxxx1 w",
    ];
    for text in states {
        let state = Loa::parse_state(text).expect("a state");
        let game = SgfGame::new(*state.board());
        assert_eq!(one(&sgf::write(&game)), game, "{text}");
    }
    // Black must pass; a record may leave that out, and whoever moves first may say so by moving.
    let passed = "(;AB[a1][h1][a8][h8]AW[b1][g1][a2][b2][g2][h2][a7][b7][g7][h7][b8][g8]PL[B]";
    assert_eq!(moves(&one(&format!("{passed};W[b2-f2])"))).len(), 2);
    assert_eq!(moves(&one(&format!("{passed};B[pass];W[b2-f2])")))[0], "pass");
    assert_eq!(one("(;GM[9];W[a6-c6])").start.turn(), Side::Second);
    assert_eq!(one("(;RU[Japanese];B[c1-c3])").start.rules(), Rules::default());
}

#[test]
fn errors_name_the_place() {
    for (text, expected) in [
        ("(;GM[1])", "line 1, column 6: the game GM[1] is not Lines of Action, which is GM[9]"),
        ("(;GM[9]SZ[9])", "line 1, column 11: the board size SZ[9] is not 8"),
        (
            "(;SU[Scrambled-eggs])",
            "line 1, column 6: the setup SU[Scrambled-eggs] is unknown; accepted is Standard, or the \
             pieces by AB and AW",
        ),
        (
            "\n(;B[c1-c3]\n;B[c3-c1])",
            "line 3, column 4: 'c3-c1' is a move of Black, but White is to move",
        ),
        (
            "(;B[c1-c4])",
            "line 1, column 5: 'c1-c4' is not legal in '1xxxxxx1/o6o/o6o/o6o/o6o/o6o/o6o/1xxxxxx1 b'",
        ),
        (
            "(;B[swap])",
            "line 1, column 5: 'swap' is not a move; accepted are two squares such as c1-c3, c1:a3 or c1 a3, \
             pass, resign and draw",
        ),
        ("(;B[c1-c3)", "line 1, column 4: the value that begins here has no closing bracket"),
        ("é(;B[c1-c3]", "line 1, column 2: the game that begins here has no closing parenthesis"),
        (
            "(;B;W[a3-c3])",
            "line 1, column 3: the property 'B' has no value; a value stands in brackets, as in B[c1-c3]",
        ),
        ("(;B[c1-c3]=)", "line 1, column 11: '=' begins no node, property or variation"),
        ("(;PL[x];B[c1-c3])", "line 1, column 6: the side to move is B or W, not 'x'"),
        (
            "(;AB[c1]AW[i1])",
            "line 1, column 12: 'i1' is not a square; a square is a file a to h and a rank 1 to 8, such as c3",
        ),
        (
            "(;AB[c1][c2])",
            "line 1, column 6: the setup breaks the rules: White must have 1 to 12 pieces, not 0",
        ),
    ] {
        assert_eq!(error(text), expected, "{text}");
    }
}

#[test]
fn the_next_game_is_read_after_an_error() {
    let text = "(;GM[9];B[c1-c9](;W[a3-c3]))\n(;GM[9];B[c1-c3])\n(;B[b1-b3])";
    let games: Vec<_> = sgf::parse(text).collect();
    assert_eq!(games.len(), 3);
    let found = games[0].as_ref().expect_err("a wrong move");
    assert!(matches!(found.problem, SgfProblem::Move(_)));
    assert_eq!(games[1].as_ref().map(moves), Ok(vec!["c1-c3".to_owned()]));
    assert_eq!(games[2].as_ref().map(moves), Ok(vec!["b1-b3".to_owned()]));
}

#[test]
#[should_panic(expected = "'RE' is no property to be set")]
fn a_property_that_is_held_elsewhere_is_refused() {
    SgfGame::new(Board::start()).set_property("RE", "B+");
}

/// Random games come back as they were.
#[test]
fn random_games_are_written_and_read() {
    for seed in 0..30 {
        let mut rng = Rng::new(seed);
        let mut state = Loa::start();
        let mut game = SgfGame::new(*state.board());
        while state.outcome().is_none() {
            let mv = state.sample(&mut rng).expect("the game goes on");
            game.push(mv, "");
            state.play(mv);
        }
        game.outcome = state.outcome();
        assert_eq!(one(&sgf::write(&game)), game);
    }
}

proptest! {
    /// No text makes it panic, and what is accepted is written so that it reads the same.
    #[test]
    fn no_text_makes_it_panic(parts in prop::collection::vec(part(), 0..30)) {
        let text = parts.concat();
        for game in sgf::parse(&text).flatten() {
            let written = sgf::write(&game);
            let again = one(&written);
            prop_assert_eq!(&again.moves, &game.moves);
            prop_assert_eq!((again.start, again.outcome), (game.start, game.outcome));
            prop_assert_eq!(sgf::write(&again), written);
        }
    }
}

/// A piece of a game, or something else.
fn part() -> impl Strategy<Value = String> {
    prop_oneof![
        prop::sample::select(vec![
            "(;",
            "(",
            ")",
            ";",
            "[",
            "]",
            "\\",
            "GM[9]",
            "B[c1-c3]",
            "W[a6-c6]",
            "B[f8-h6]",
            "C[x (]",
            "PB[a\\]b]",
            "AB[c1]",
            "AW[d4][d5]",
            "PL[W]",
            "RE[B+]",
            "RU[plies=3]",
            "W[resign]",
            "B[pass]",
            "\n",
            " ",
            "é",
        ])
        .prop_map(str::to_owned),
        ".{0,5}",
    ]
}
