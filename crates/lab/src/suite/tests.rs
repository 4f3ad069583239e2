use super::*;
use crate::crew::PieceWork;
use crate::progress::WorkProgress;
use crate::testing::game;
use std::sync::Arc;

fn chess(text: &str) -> Result<Suite, SuiteError> {
    read::suite(game("chess"), Path::new("suite.epd"), text)
}

fn solver(player: &str, iterations: u64) -> Solver {
    let most = Spend::Iterations(iterations);
    Solver { player: player.to_owned(), most, build: "test".to_owned() }
}

fn answer(proof: &str, plies: Option<u16>) -> Answer {
    let best = "a1a2".to_owned();
    let proof = proof.to_owned();
    Answer { proof, plies, best, iterations: 1, nodes: None, micros: 1, check: None }
}

#[test]
fn epd_asks_for_mates_and_moves() {
    let suite = chess(
        "# a comment\n\
         6k1/5ppp/8/8/8/8/8/R3K3 w Q - bm #1;\n\
         7k/8/5K2/8/8/8/8/6Q1 b - - bm #-2; id \"two; words\";\n\
         6k1/5ppp/8/8/8/8/8/R3K3 w Q - bm Ra8+ O-O-O; id \"WAC.001\"; c0 \"x\";\n\
         6k1/5ppp/8/8/8/8/8/R3K3 w Q - am Ke2;\n\
         6k1/5ppp/8/8/8/8/8/R3K3 w Q - dm 3;\n",
    );
    let suite = suite.unwrap_or_else(|error| panic!("{error}"));
    let aims: Vec<&Aim> = suite.questions.iter().map(|question| &question.aim).collect();
    let texts = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
    assert_eq!(*aims[0], Aim::Mate(1));
    assert_eq!(*aims[1], Aim::Mate(-2));
    assert_eq!(*aims[2], Aim::Best(texts(&["a1a8", "e1c1"])));
    assert_eq!(*aims[3], Aim::Avoid(texts(&["e1e2"])));
    assert_eq!(*aims[4], Aim::Mate(3));
    let ids: Vec<&str> = suite.questions.iter().map(|question| question.id.as_str()).collect();
    assert_eq!(ids, ["line 2", "two; words", "WAC.001", "line 5", "line 6"]);
}

#[test]
fn lines_that_ask_nothing_are_named() {
    for (text, problem) in [
        ("6k1/5ppp/8/8/8/8/8/R3K3 w Q - bm Ra9;", "line 1: "),
        ("6k1/5ppp/8/8/8/8/8/R3K3 w Q - bm #0;", "'0' is no number of moves to mate"),
        ("\n7k/5QQ1/6K1/8/8/8/8/8 b - -", "line 2: the game is over there"),
        ("nonsense", "line 1: "),
        ("", "holds no state"),
    ] {
        let error = chess(text).unwrap_err().to_string();
        assert!(error.contains(problem), "{error}");
    }
}

#[test]
fn proofs_are_compared_with_what_is_stated() {
    let question = |aim| Puzzle { id: String::new(), state: String::new(), aim };
    for (moves, proof, plies, mark) in [
        (3, "win", Some(5), Mark::Right),
        (3, "win", Some(7), Mark::Longer),
        (3, "win", Some(3), Mark::Wrong),
        (3, "loss", Some(6), Mark::Wrong),
        (3, "draw", None, Mark::Wrong),
        (3, "open", None, Mark::Open),
        (-1, "loss", Some(2), Mark::Right),
        (-1, "loss", Some(4), Mark::Longer),
        (-1, "win", Some(1), Mark::Wrong),
    ] {
        assert_eq!(
            Mark::of(&question(Aim::Mate(moves)), &answer(proof, plies)),
            mark,
            "{moves} {proof}"
        );
    }
    let moves = vec!["a1a2".to_owned()];
    assert_eq!(Mark::of(&question(Aim::Best(moves.clone())), &answer("open", None)), Mark::Right);
    assert_eq!(Mark::of(&question(Aim::Avoid(moves)), &answer("open", None)), Mark::Open);
    assert_eq!(Mark::of(&question(Aim::Proof), &answer("draw", None)), Mark::Right);
}

/// A mate in one is proven by any search that tries the move; a quiet state is not.
#[test]
fn mates_in_one_are_proven_and_remembered() {
    let suite = chess(
        "6k1/5ppp/8/8/8/8/8/R3K3 w Q - bm #1; id \"back rank\";\n\
         rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e4; id \"start\";\n\
         6k1/5ppp/8/8/8/8/8/R3K3 w Q - bm #-1; id \"a lie\";\n",
    )
    .unwrap();
    let mut store = Store::memory().unwrap();
    let solver = solver("mcc", 2_000);
    let answers = solver.solve(&suite, &mut store, 2, &mut |_| ()).unwrap();
    assert_eq!((answers[0].proof.as_str(), answers[0].plies), ("win", Some(1)));
    assert_eq!(answers[0].best, "a1a8");
    assert_eq!((answers[1].proof.as_str(), answers[1].iterations), ("open", 2_000));
    let again = solver.solve(&suite, &mut store, 1, &mut |progress| {
        assert_eq!(progress.found, progress.done, "everything was in the store");
    });
    assert_eq!(again.unwrap(), answers);
    let result = SuiteResult::new(&suite, &answers);
    assert_eq!((result.positions(), result.wrong.as_slice()), (3, &["a lie".to_owned()][..]));
    let names: Vec<&str> = result.rows.iter().map(|row| row.name.as_str()).collect();
    assert_eq!(names, ["best move", "mate in 1", "mated in 1"]);
    assert_eq!((result.rows[1].solved, result.rows[2].solved), (1, 0));
    let table = result.table("t");
    assert_eq!(table.rows.len(), 4);
    assert!(table.rows.iter().all(|row| row.len() == table.columns.len()));
}

/// The same question under three names, with another one between.
fn repeated() -> Suite {
    let states = ["xx. oo. ...", "... ... ...", "xx. oo. ...", "xx. oo. ..."];
    let puzzle = |(number, state): (usize, &str)| Puzzle {
        id: number.to_string(),
        state: state.to_owned(),
        aim: Aim::Proof,
    };
    let questions = states.into_iter().enumerate().map(puzzle).collect();
    Suite { game: game("tic-tac-toe"), questions }
}

/// Workers who do one piece after the other, and count them.
#[derive(Debug, Default)]
struct Counting {
    sent: AtomicUsize,
    done: Mutex<Option<crew::Delivery>>,
}

impl Crew for Counting {
    fn room(&self) -> usize {
        1
    }

    fn send(&self, piece: &Arc<Piece>) -> Result<(), CrewError> {
        let PieceWork::Question(question) = &piece.work else { panic!("{piece:?}") };
        let product = Ok(Product::Answer(question.answer().unwrap()));
        let delivery =
            crew::Delivery { key: piece.key, product, worker: String::new(), receipt: 0 };
        assert!(self.done.lock().unwrap().replace(delivery).is_none());
        self.sent.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }

    fn receive(&self, _: Duration) -> Result<Option<crew::Delivery>, CrewError> {
        Ok(self.done.lock().unwrap().take())
    }

    fn settle(&self, _: &crew::Delivery, settled: crew::Settled<'_>) {
        assert_eq!(settled, crew::Settled::Kept);
    }

    fn recall(&self) {}
}

#[test]
fn equal_questions_are_searched_once() {
    let crew = Arc::new(Counting::default());
    let of_crew = Hands { crew: Some(crew.clone()), ..Hands::from(1) };
    for hands in [Hands::from(1), Hands::from(4), of_crew] {
        let mut store = Store::memory().unwrap();
        let (suite, solver) = (repeated(), solver("uct", 500));
        // Each search that ends is told of once.
        let mut told = Vec::new();
        let mut observe = |now: &WorkProgress| told.push((now.done, now.found, now.total));
        let answers = solver.solve(&suite, &mut store, &hands, &mut observe).unwrap();
        assert_eq!(told.len(), 2, "{told:?}");
        assert_eq!(told.last(), Some(&(4, 0, 4)), "no answer is from an earlier run");
        // Their times are those of one search.
        assert_eq!([&answers[2], &answers[3]], [&answers[0]; 2]);
        assert_eq!(answers[0].proof, "win");
        assert_ne!(answers[1].proof, "win");
        let again = solver.solve(&suite, &mut store, 1, &mut |now| assert_eq!(now.found, now.done));
        assert_eq!(again.unwrap(), answers);
    }
    assert_eq!(crew.sent.load(Ordering::Relaxed), 2);
}

/// Two searches of a question may differ in their iterations, and stores that do are not merged.
#[test]
fn equal_questions_fall_to_one_shard() {
    let suite = repeated();
    let mut pieces = 0;
    for number in 1..=4 {
        let mut store = Store::memory().unwrap();
        let hands = Hands { shard: Shard::new(number, 4), ..Hands::from(2) };
        let mut last = None;
        let solved =
            solver("uct", 500).solve(&suite, &mut store, &hands, &mut |now| last = Some(*now));
        assert!(matches!(solved, Err(SuiteError::Shard(_))), "{solved:?}");
        assert!(last.is_none_or(|last| last.done == last.total), "{last:?}");
        let due = store.due().unwrap();
        assert!(due.is_none_or(|due| due.missing == 0), "{due:?}");
        pieces += due.map_or(0, |due| due.pieces);
    }
    assert_eq!(pieces, 2);
}

#[test]
fn a_sample_is_drawn_by_its_seed_and_keeps_the_order() {
    let suite = Suite {
        game: game("tic-tac-toe"),
        questions: (0..40)
            .map(|n| Puzzle { id: format!("{n:02}"), state: String::new(), aim: Aim::Proof })
            .collect(),
    };
    let ids = |suite: Suite| suite.questions.into_iter().map(|one| one.id).collect::<Vec<_>>();
    let drawn = ids(suite.clone().sample(10, Some(3)));
    assert_eq!(drawn, ids(suite.clone().sample(10, Some(3))));
    assert_ne!(drawn, ids(suite.clone().sample(10, Some(4))));
    assert!(drawn.len() == 10 && drawn.is_sorted(), "{drawn:?}");
    assert_eq!(ids(suite.clone().sample(3, None)), ["00", "01", "02"]);
    assert_eq!(ids(suite.clone().sample(99, Some(1))), ids(suite));
}

#[test]
fn wins_count_only_when_they_are_checked() {
    let question = Puzzle { id: String::new(), state: String::new(), aim: Aim::Win(7) };
    for (proof, plies, check, mark) in [
        ("win", Some(7), Some(Check::Holds), Mark::Right),
        ("win", Some(11), Some(Check::Holds), Mark::Longer),
        ("win", Some(5), Some(Check::Holds), Mark::Wrong),
        ("win", Some(7), Some(Check::Fails), Mark::Wrong),
        ("win", Some(7), None, Mark::Wrong),
        ("win", Some(31), Some(Check::GivenUp), Mark::Unchecked),
        ("win", Some(5), Some(Check::GivenUp), Mark::Wrong),
        ("draw", None, None, Mark::Wrong),
        ("loss", Some(6), None, Mark::Wrong),
        ("open", None, None, Mark::Open),
    ] {
        let answer = Answer { check, ..answer(proof, plies) };
        assert_eq!(Mark::of(&question, &answer), mark, "{proof} {plies:?} {check:?}");
        assert_eq!(mark.is_solved(), matches!(mark, Mark::Right | Mark::Longer));
    }
}

const WINS: &str = r#"{"id": 0, "state": "8/8/8/2oo4/2o5/4o3/x6x/8 w", "win_in_plies": 1, "winning_move": null}
{"id": "three", "state": "8/2x5/3oo3/1xooxoxo/4oxx1/2o5/8/8 w", "win_in_plies": 3, "winning_move": "c3-d3"}
{"state": "1xxxxxx1/o6o/o6o/o6o/o6o/o6o/o6o/1xxxxxx1 b", "win_in_plies": 5}
"#;

#[test]
fn wins_of_a_file_of_objects_are_solved_and_counted() {
    let suite = read::suite(game("loa"), Path::new("wins.JSONL"), WINS).unwrap();
    let ids: Vec<_> = suite.questions.iter().map(|one| (one.id.as_str(), &one.aim)).collect();
    assert_eq!(ids, [("0", &Aim::Win(1)), ("three", &Aim::Win(3)), ("line 3", &Aim::Win(5))]);
    let solver = Solver { most: Spend::Nodes(20_000), ..solver("uct:solver=wins", 0) };
    let answers = solver.solve(&suite, &mut Store::memory().unwrap(), 1, &mut |_| ()).unwrap();
    let marks: Vec<_> =
        suite.questions.iter().zip(&answers).map(|(one, answer)| Mark::of(one, answer)).collect();
    assert_eq!(marks[0], Mark::Right, "{:?}", answers[0]);
    assert!(marks[1].is_solved(), "{:?}", answers[1]);
    assert_eq!(marks[2], Mark::Open, "{:?}", answers[2]);
    let result = SuiteResult::new(&suite, &answers);
    let names: Vec<&str> = result.rows.iter().map(|row| row.name.as_str()).collect();
    assert_eq!(names, ["win in 1 plies", "win in 3 plies", "win in 5 plies"]);
    let nodes: Vec<u64> = answers.iter().map(|answer| answer.nodes.unwrap()).collect();
    assert!(nodes[2] >= 20_000 && nodes[0] < 20_000, "{nodes:?}");
    let spent = result.rows[2].spent.unwrap();
    assert_eq!((spent.nodes, spent.total_nodes), (None, nodes[2]));
    let table = result.table("t");
    assert!(table.rows.iter().all(|row| row.len() == table.columns.len()));
    for (text, problem) in [
        (r#"{"id": 1}"#, "missing field `state`"),
        (r#"{"state": "8/8 b"}"#, "line 1: "),
        (r#"{"state": "8/2x5/8/8/8/8/o6o/8 w", "win_in_plies": 0}"#, "is 0; whole"),
        ("x", "accepted is an object"),
    ] {
        let error = read::suite(game("loa"), Path::new("w.jsonl"), text).unwrap_err().to_string();
        assert!(error.contains(problem), "{error}");
    }
}

#[test]
fn other_games_have_a_state_a_line() {
    let suite = read::suite(game("tic-tac-toe"), Path::new("s.txt"), "xx. oo. ...\n").unwrap();
    let answers = solver("uct", 500).solve(&suite, &mut Store::memory().unwrap(), 1, &mut |_| ());
    assert_eq!(
        (answers.unwrap()[0].proof.as_str(), suite.questions[0].id.as_str()),
        ("win", "line 1")
    );
}
