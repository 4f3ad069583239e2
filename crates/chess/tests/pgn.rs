//! PGN: what is written reads back, what is read may be loose, and errors say where.

use crate::random;
use monteverde_chess::pgn::{self, PgnGame, PgnProblem};
use monteverde_chess::{Board, Variant, fen, san, uci};
use monteverde_game::{Outcome, Rng, Side};
use proptest::prelude::*;
use std::time::{Duration, Instant};

#[test]
fn reads_a_game_with_everything_in_it() {
    let game = only(concat!(
        "% an escaped line, with [brackets\n",
        "[Event \"A \\\"quoted\\\" \\\\ cup\"]\r\n",
        "[White \"Ann\"] [Black \"Bob\"]\n",
        "\t[ Result  \"1-0\" ]\n",
        "\n",
        "{Before the\n  game.} 1.e4! $7 e5 {solid} ; and common (it is\n",
        "2.Nf3 (2. Bc4 {a ) in a comment} Nc6 (2... Nf6 3. d3 ; another )\n ) 3. Qh5) 2... Nc6!?\n",
        "% 3. a3\n",
        "3 . Bb5 a6 4. 0-0?? {} 1-0\n",
    ));
    assert_eq!(game.tag("Event"), Some("A \"quoted\" \\ cup"));
    assert_eq!(game.tag("White"), Some("Ann"));
    assert_eq!(game.tag("Black"), Some("Bob"));
    assert_eq!(game.tag("Result"), None);
    assert_eq!(game.tags().count(), 3);
    assert_eq!(game.start, Board::start());
    assert_eq!(game.comment, "Before the game.");
    assert_eq!(game.outcome, Some(Outcome::Win(Side::First)));
    assert_eq!(moves(&game), "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 e1g1");
    let glyphs: Vec<&[u8]> = game.moves.iter().map(|mv| &mv.glyphs[..]).collect();
    assert_eq!(glyphs, [&[1, 7][..], &[], &[], &[5], &[], &[], &[4]]);
    assert_eq!(game.moves[1].comment, "solid and common (it is");
    assert_eq!(game.moves[6].comment, "");
}

#[test]
fn reads_many_games_and_goes_on_after_an_error() {
    let text = concat!(
        "[Round \"1\"]\n\n1. e4 e5 1/2-1/2\n\n",
        "[Round \"2\"]\n[White \"Ann]\n[Black \"Bob\"]\n\n1. e4 *\n\n",
        "[Round \"3\"]\n\n1. e4 e4 {[%eval 0.3]\n[%clk 1]} *\n\n",
        "[Round \"4\"]\n\n1. d4\n",
        "[Round \"5\"]\n\n0-1\n\n",
        "; a last word\n",
    );
    let rounds: Vec<_> = pgn::parse(text)
        .map(|game| {
            game.map(|game| game.tag("Round").unwrap().to_owned()).map_err(|error| error.line)
        })
        .collect();
    assert_eq!(
        rounds,
        [Ok("1".to_owned()), Err(6), Err(13), Ok("4".to_owned()), Ok("5".to_owned())]
    );
}

/// The first line is broken at its end; what follows it on that line is empty, the line is not.
#[test]
fn after_an_error_at_the_end_of_a_line_the_game_is_skipped() {
    let text = "[Event \"x\"\n[Site \"y\"]\n\n1. e4 *\n\n[Event \"2\"]\n\n1. d4 *\n";
    for text in [text.to_owned(), text.replace('\n', "\r\n")] {
        let games: Vec<_> = pgn::parse(&text).collect();
        assert_eq!(games.len(), 2, "{games:?}");
        assert!(games[0].is_err());
        assert_eq!(games[1].as_ref().unwrap().tag("Event"), Some("2"));
    }
}

#[test]
fn a_game_after_an_unclosed_variation_is_read() {
    for blank in ["\n\n", "\r\n\r\n", "\n \n\n"] {
        let text = format!("[Event \"1\"]{blank}1. e4 (1. d4{blank}[Event \"2\"]{blank}1. d4 *\n");
        let games: Vec<_> = pgn::parse(&text).collect();
        assert_eq!(games.len(), 2, "{games:?}");
        assert!(matches!(&games[0], Err(error) if error.problem == PgnProblem::UnclosedVariation));
        assert_eq!(games[1].as_ref().unwrap().tag("Event"), Some("2"));
    }
}

/// Texts of a megabyte that once took minutes, or would have: each error counted its lines from the
/// first, each open comment looked for its end in the rest of the text, and each tag for its name
/// among all others.
#[test]
fn ugly_texts_take_linear_time() {
    const SIZE: usize = 1 << 20;
    let fill = |part: &str| part.repeat(SIZE / part.len());
    let errors = |text: &str| pgn::parse(text).filter(Result::is_err).count();

    let start = Instant::now();
    let part = "[A \"\"]\n\nx\n\n";
    assert_eq!(errors(&fill(part)), SIZE / part.len());
    let part = "[A \"\"]\n\n{\n\n";
    assert_eq!(errors(&fill(part)), SIZE / part.len());
    assert_eq!(errors(&(fill("[A \"\"]\n\n( {\n\n") + "}")), 1);
    assert_eq!(errors(&fill("( ")), 1);
    let tags: String = (0..SIZE / 16).map(|number| format!("[T{number} \"\"]\n")).collect();
    assert_eq!(only(&tags).tags().count(), SIZE / 16);
    assert_eq!(errors(&fill("{[%a ")), 1);

    let mut game = PgnGame::new(Board::start());
    game.comment = fill("[%a b ");
    assert_eq!(only(&pgn::write(&game)).comment, game.comment.trim_end());
    // Some tenths of a second unoptimised; the square of a megabyte takes minutes even optimised.
    assert!(start.elapsed() < Duration::from_secs(30), "{:?}", start.elapsed());
}

#[test]
fn a_text_without_games_has_none() {
    for text in
        ["", " \n\n", "% only an escape", "; only a comment", "{only a comment}\n", "\u{feff}"]
    {
        assert_eq!(pgn::parse(text).count(), 0, "{text:?}");
    }
    assert_eq!(pgn::parse("{about the file} [Round \"1\"] *").count(), 1);
    assert_eq!(only("\u{feff}1. e4").moves.len(), 1);
}

#[test]
fn the_result_may_be_missing() {
    assert_eq!(only("1. e4").outcome, None);
    assert_eq!(only("[Result \"0-1\"]\n\n1. e4").outcome, Some(Outcome::Win(Side::Second)));
    // The moves have the last word.
    assert_eq!(only("[Result \"0-1\"]\n\n1. e4 1/2-1/2").outcome, Some(Outcome::Draw));
    assert_eq!(only("[Result \"0-1\"]\n\n1. e4 *").outcome, None);
}

#[test]
fn the_start_may_be_set_up() {
    let state = "4k3/8/8/8/8/8/8/5K1R b H - 3 40";
    let game = only(&format!("[Variant \"Chess960\"]\n[FEN \"{state}\"]\n\n40... Kd8 41. O-O *"));
    assert_eq!(game.start.variant(), Variant::Chess960);
    assert_eq!(moves(&game), "e8d8 f1h1");

    let game = only("[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n\n1. O-O *");
    assert_eq!(game.start.variant(), Variant::Standard);
    assert_eq!(moves(&game), "e1g1");

    let game = only("[Variant \"Chess 960\"]\n\n1. e4 *");
    assert_eq!(game.start.variant(), Variant::Chess960);
}

#[test]
fn errors_say_where_and_what() {
    check_error("1. e4 e5\n  2. @", 2, 6, PgnProblem::UnexpectedCharacter('@'));
    check_error("[\"Ann\"]", 1, 2, PgnProblem::Tag("a name of letters, digits and _ belongs here"));
    check_error("[White Ann]", 1, 8, PgnProblem::Tag("a value in double quotes belongs here"));
    let unclosed = PgnProblem::Tag("the value that begins here has no closing quote");
    check_error("[White \"Ann]\n[Black \"Bob\"]", 1, 8, unclosed.clone());
    check_error("[White \"Ann", 1, 8, unclosed.clone());
    check_error("[White \"Ann\\", 1, 8, unclosed);
    check_error("[White \"Ann\")", 1, 13, PgnProblem::Tag("a closing bracket belongs here"));
    check_error("1. e4 {good\n\n1-0", 1, 7, PgnProblem::UnclosedComment);
    check_error("1. e4 (1. d4 (1. c4) 1-0", 1, 7, PgnProblem::UnclosedVariation);
    check_error("1. e4 e5)", 1, 9, PgnProblem::UnopenedVariation);
    check_error("1. e4 $256", 1, 7, PgnProblem::Glyph("$256".into()));
    check_error("1. e4 $", 1, 7, PgnProblem::Glyph("$".into()));
    check_error("1. e4!!!", 1, 6, PgnProblem::Glyph("!!!".into()));
    check_error("[Variant \"Atomic\"]", 1, 10, PgnProblem::Variant("Atomic".into()));
    let state = fen::parse("8/8").unwrap_err();
    check_error("\n[FEN \"8/8\"]", 2, 6, PgnProblem::Fen(state));
    let board = Board::start();
    let illegal = san::parse(&board, "e5").unwrap_err();
    check_error("1. e5", 1, 4, PgnProblem::Move(illegal));
    let malformed = san::parse(&board, "--").unwrap_err();
    check_error("{é\né} 1. -- *", 2, 7, PgnProblem::Move(malformed));
    let message = pgn::parse("1. e5").next().unwrap().unwrap_err().to_string();
    assert!(message.starts_with("line 1, column 4: no legal move is 'e5' in"), "{message}");
}

#[test]
fn writes_the_export_form() {
    let mut game = PgnGame::new(Board::start());
    game.set_tag("Opening", "none");
    game.set_tag("White", "A \"\\\" B\n");
    for (text, comment) in [("e2e4", "0.31/12 0.5s"), ("e7e5", ""), ("g1f3", "a } brace")] {
        let mv = play_out(&game, text);
        game.push(mv, comment);
    }
    game.moves[1].glyphs.push(6);
    game.comment = "two\n\nlines".into();
    game.outcome = Some(Outcome::Draw);
    let text = concat!(
        "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n",
        "[White \"A \\\"\\\\\\\" B \"]\n[Black \"?\"]\n[Result \"1/2-1/2\"]\n[Opening \"none\"]\n\n",
        "{two lines} 1. e4 {0.31/12 0.5s} 1... e5 $6 2. Nf3 {a ) brace} 1/2-1/2\n\n",
    );
    assert_eq!(pgn::write(&game), text);
}

#[test]
fn lines_are_at_most_80_columns_and_never_begin_with_a_percent_sign() {
    let mut game = PgnGame::new(Board::start());
    let mut board = Board::start();
    for index in 0..40 {
        let mv = uci::parse(&board, ["g1f3", "g8f6", "f3g1", "f6g8"][index % 4]).unwrap();
        game.push(mv, "word %word [word] ".repeat(index));
        board.play(mv);
    }
    let text = pgn::write(&game);
    assert!(text.lines().all(|line| line.chars().count() <= 80));
    assert!(text.lines().all(|line| !line.starts_with('%')));
    assert!(text.lines().any(|line| line.starts_with(" %")));
    assert!(text.lines().filter(|line| line.chars().count() > 70).count() > 50);
    assert_eq!(moves(&only(&text)), moves(&game));
}

#[test]
fn a_command_in_a_comment_stays_on_one_line() {
    let mut game = PgnGame::new(Board::start());
    let mv = play_out(&game, "e2e4");
    game.push(mv, "x ".repeat(36) + "[%eval 0.31] [%clk 0:00:01] and more");
    let text = pgn::write(&game);
    assert!(text.contains("\n[%eval 0.31] [%clk 0:00:01] and more} *\n"), "{text}");
    // One that never ends is a word of its own.
    game.moves[0].comment = "[%eval 0.31 and".into();
    assert_eq!(only(&pgn::write(&game)).moves, game.moves);
}

#[test]
fn random_games_read_back() {
    let mut file = String::new();
    let mut games = Vec::new();
    for index in 0..90 {
        let game = random_game(index);
        file.push_str(&pgn::write(&game));
        games.push(game);
    }
    let read: Vec<PgnGame> = pgn::parse(&file).map(Result::unwrap).collect();
    assert_eq!(read.len(), games.len());
    for (read, game) in read.into_iter().zip(games) {
        assert_eq!(pgn::write(&read), pgn::write(&game));
        assert_eq!(read, game);
    }
}

#[test]
#[should_panic = "is no tag to be set"]
fn a_derived_tag_cannot_be_set() {
    PgnGame::new(Board::start()).set_tag("FEN", fen::START);
}

#[test]
#[should_panic = "is not legal"]
fn an_illegal_move_cannot_be_written() {
    let mut game = PgnGame::new(Board::start());
    let mv = play_out(&game, "e2e4");
    game.push(mv, "");
    game.push(mv, "");
    pgn::write(&game);
}

#[test]
fn mutated_games_never_panic() {
    let mut rng = Rng::new(5);
    let texts: Vec<String> = (0..9).map(|index| pgn::write(&random_game(index))).collect();
    for round in 0..4000 {
        let mut text = random::mutated(&texts[round % 9], "[](){};\"\\%$!?.\n*é1O-NKe", &mut rng);
        if round % 3 == 0 {
            let mut end = rng.below(text.len() as u32) as usize;
            while !text.is_char_boundary(end) {
                end -= 1;
            }
            text.truncate(end);
        }
        let lines = text.lines().count();
        for game in pgn::parse(&text) {
            match game {
                Ok(game) => drop(pgn::write(&game)),
                Err(error) => assert!(error.line <= lines + 1 && error.column >= 1),
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]
    #[test]
    fn arbitrary_text_never_panics(text in "\\PC{0,60}") {
        pgn::parse(&text).for_each(drop);
    }

    #[test]
    fn arbitrary_tokens_never_panic(
        tokens in prop::collection::vec(
            prop::sample::select(vec![
                "[", "]", "\"", "\\", "(", ")", "{", "}", ";", "%", "\n", " ", "1.", "e4", "e5", "Nf3", "*",
                "1-0", "$3", "!", "FEN", "Variant", "\n\n[", "é", "\r", "\u{feff}", "e.p.",
            ]),
            0..30,
        )
    ) {
        pgn::parse(&tokens.concat()).for_each(drop);
    }
}

fn only(text: &str) -> PgnGame {
    let games: Vec<_> = pgn::parse(text).collect();
    assert_eq!(games.len(), 1, "{games:?}");
    games.into_iter().next().unwrap().unwrap()
}

fn check_error(text: &str, line: usize, column: usize, problem: PgnProblem) {
    let error =
        pgn::parse(text).find_map(Result::err).unwrap_or_else(|| panic!("no error in {text}"));
    assert_eq!((error.line, error.column, error.problem), (line, column, problem), "in {text}");
}

fn moves(game: &PgnGame) -> String {
    let mut board = game.start;
    let mut texts = Vec::new();
    for played in &game.moves {
        texts.push(uci::write(&board, played.mv));
        board.play(played.mv);
    }
    texts.join(" ")
}

fn play_out(game: &PgnGame, text: &str) -> monteverde_chess::Move {
    let mut board = game.start;
    game.moves.iter().for_each(|played| board.play(played.mv));
    uci::parse(&board, text).unwrap()
}

fn random_game(index: u64) -> PgnGame {
    let mut rng = Rng::stream(11, index);
    let start = fen::parse(random::STARTS[index as usize % random::STARTS.len()]).unwrap();
    let mut game = PgnGame::new(start);
    for name in ["Event", "Site", "Date", "Round", "White", "Black", "TimeControl"] {
        game.set_tag(name, &format!("{name} {} \"\\\"", rng.below(100)));
    }
    if rng.below(2) == 0 {
        game.comment = "an opening comment".into();
    }
    let outcomes = [None, Some(Outcome::Draw), Some(Outcome::Win(Side::First))];
    game.outcome = outcomes[rng.below(3) as usize];
    let mut seasoning = rng.clone();
    random::random_game(start, &mut rng, |_, mv| {
        let comment = match seasoning.below(3) {
            0 => format!(
                "[%eval {}.{}] depth {} (time; ms)",
                seasoning.below(9),
                seasoning.below(99),
                12
            ),
            _ => String::new(),
        };
        game.push(mv, comment);
        if seasoning.below(5) == 0 {
            game.moves.last_mut().unwrap().glyphs.push(seasoning.below(256) as u8);
        }
    });
    game
}
