use super::*;
use crate::pace::Pace;
use crate::record::GameResult;
use crate::task::Key;
use monteverde_chess::pgn;
use monteverde_game::{Game, Notation, Outcome, Side};
use monteverde_loa::Loa;

fn step(text: &str) -> MoveRecord {
    MoveRecord { text: text.to_owned(), ..MoveRecord::default() }
}

fn record() -> GameRecord {
    let contestant = |name| Contestant::spec(name, Pace::Iterations(200)).text();
    let said = MoveRecord {
        mean: Some(-0.25),
        iterations: Some(200),
        depth: Some(5),
        elapsed_ms: Some(12.5),
        ..step("e7e5")
    };
    let engine = MoveRecord {
        centipawns: Some(31),
        iterations: Some(900),
        depth: Some(9),
        clock_ms: Some(3_661_001.0),
        ..step("g1f3")
    };
    GameRecord {
        key: Key([1; 32]).to_string(),
        game: "chess".to_owned(),
        first: "mcc".to_owned(),
        second: "a \"quoted\" name".to_owned(),
        contestants: [contestant("mcc"), contestant("other")],
        opening: "start".to_owned(),
        pair: 1,
        seed: 1,
        build: "test".to_owned(),
        start_state: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1".to_owned(),
        moves: vec![MoveRecord { by: By::Opening, ..step("e2e4") }, said, engine],
        result: GameResult::Second,
        reason: Reason::Failed(Failure::TimeLoss),
        detail: "600ms for a move".to_owned(),
        started: 0,
        seconds: 1.0,
    }
}

fn exported(records: &[GameRecord], form: &str) -> Result<String, ExportError> {
    export_all(records, form).map(|(text, _)| text)
}

fn export_all(records: &[GameRecord], form: &str) -> Result<(String, Exported), ExportError> {
    let mut store = Store::memory().unwrap();
    for (number, record) in (0..).zip(records) {
        store.insert(&Key([number; 32]), record).unwrap();
    }
    let mut out = Vec::new();
    let done = export(&monteverde_games::games(), &store, None, &Form::of_name(form), &mut out)?;
    Ok((String::from_utf8(out).unwrap(), done))
}

#[test]
fn evals_of_any_size_are_written() {
    let mut strange = record();
    strange.moves[1].mate = Some(i32::MIN);
    strange.moves[2].centipawns = Some(i32::MIN);
    let text = exported(&[strange], "pgn").unwrap();
    assert!(text.contains("[%eval #2147483648"), "{text}");
    assert!(text.contains("[%eval -21474836.48"), "{text}");
}

#[test]
fn pgn_is_read_back() {
    let text = exported(&[record(), record()], "pgn").unwrap();
    let games: Vec<_> = pgn::parse(&text).collect::<Result<_, _>>().unwrap();
    assert_eq!(games.len(), 2);
    let game = &games[0];
    assert_eq!(game.outcome, Some(Outcome::Win(Side::Second)));
    assert_eq!(game.tag("Black"), Some("a \"quoted\" name"));
    assert_eq!(game.tag("WhitePace"), Some("iterations=200"));
    assert_eq!(game.tag("Termination"), Some("time forfeit"));
    let comments: Vec<_> = game.moves.iter().map(|entry| entry.comment.as_str()).collect();
    assert_eq!(comments[0], "opening");
    assert_eq!(comments[1], "[%emt 0:00:00.013] mean -0.250, depth 5, 200 iterations");
    assert_eq!(comments[2], "[%eval 0.31,9] [%clk 1:01:01.001] 900 nodes");
}

#[test]
fn evals_are_for_white() {
    let mut black = record();
    black.moves[1] = MoveRecord { mate: Some(3), ..step("e7e5") };
    black.moves.truncate(2);
    let text = exported(&[black], "pgn").unwrap();
    assert!(text.contains("[%eval #-3]"), "{text}");
}

#[test]
fn json_lines_are_the_records() {
    let text = exported(&[record(), record()], "jsonl").unwrap();
    let read: Vec<GameRecord> =
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(read, [record(), record()]);
}

#[test]
fn other_games_are_text() {
    let mut dice = record();
    dice.game = "dice-race".to_owned();
    dice.start_state = "0 0 first".to_owned();
    dice.moves = vec![step("throw"), MoveRecord { by: By::Chance, ..step("6") }, step("step")];
    let text = exported(&[dice.clone()], "text").unwrap();
    assert!(text.starts_with("[Game \"dice-race\"]\n"), "{text}");
    assert!(text.ends_with("\n\n1. throw (6) 2. step 0-1\n\n"), "{text}");
    let error = exported(std::slice::from_ref(&dice), "pgn").unwrap_err().to_string();
    assert!(error.contains("pgn") && error.ends_with("accepted: jsonl, text"), "{error}");
    let both = exported(&[dice, record()], "pgn").unwrap();
    assert_eq!(pgn::parse(&both).count(), 1, "what PGN is not for is left out");
}

#[test]
fn lines_of_action_is_sgf() {
    let mut loa = record();
    loa.game = "loa".to_owned();
    loa.start_state = Loa::start().state_text();
    let moves = "c1xa3 a2-c4 c8xa6 a4-d4 e1-c3 d4-g4 c3xa5 c4-f4 a3xa7";
    loa.moves = moves.split(' ').map(step).collect();
    loa.moves[1] = MoveRecord { text: "a2-c4".to_owned(), ..record().moves[1].clone() };
    loa.reason = Reason::Rule("connection".to_owned());
    let text = exported(&[loa.clone(), loa.clone()], "sgf").unwrap();
    let games: Vec<_> = monteverde_loa::sgf::parse(&text).collect::<Result<_, _>>().unwrap();
    assert_eq!(games.len(), 2);
    assert_eq!(games[0].outcome, Some(Outcome::Win(Side::Second)));
    assert_eq!(games[0].property("PW"), Some("a \"quoted\" name"));
    assert_eq!(games[0].moves[1].comment, "mean -0.250, depth 5, 200 iterations");
    let mut state = Loa::start();
    for (found, played) in games[0].moves.iter().zip(moves.split(' ')) {
        assert_eq!(state.move_text(found.mv), played);
        state.play(found.mv);
    }
    assert_eq!(state.outcome(), Some(Outcome::Win(Side::Second)));
    let error = exported(&[loa], "pgn").unwrap_err().to_string();
    assert!(error.contains("it holds loa; accepted: sgf, jsonl, text"), "{error}");
    assert!(exported(&[record()], "sgf").unwrap_err().to_string().contains("accepted: pgn"));
    assert_eq!(exported(&[], "sgf").unwrap(), "");
}

#[test]
fn damaged_records_are_left_out_and_named() {
    let mut wrong = GameRecord { key: "wrong".to_owned(), ..record() };
    wrong.moves.push(step("e2e4"));
    let (text, done) = export_all(&[record(), wrong, record()], "pgn").unwrap();
    assert_eq!(text.matches("[Event ").count(), 2, "{text}");
    assert_eq!((done.games, done.damaged.len()), (2, 1));
    assert_eq!(done.damaged[0].key, "wrong");
}
