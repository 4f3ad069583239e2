//! Work that workers do elsewhere: what comes out is what comes out here, and what does not fit is
//! not kept.

use monteverde_lab::adjudication::{Adjudication, ResignRule, ResignSides, value_of_centipawns};
use monteverde_lab::build::build;
use monteverde_lab::contest::{Contest, ContestPlan, ContestProgress, Format, Openings};
use monteverde_lab::contestant::Contestant;
use monteverde_lab::crew::{
    AllowedEngines, Crew, CrewError, Delivery, Lack, Needs, Piece, PieceRunner, PieceWork, Product,
    Settled,
};
use monteverde_lab::hands::Hands;
use monteverde_lab::measure::{self, Findings, Probe, ProbeKind};
use monteverde_lab::opening::Balance;
use monteverde_lab::pace::Pace;
use monteverde_lab::progress::Watch;
use monteverde_lab::record::{By, Failure, GameRecord, GameResult, Reason, Ruling};
use monteverde_lab::shard::Shard;
use monteverde_lab::store::Store;
use monteverde_lab::suite::{Answer, Solver, Spend, Suite};
use monteverde_players::{Aim, AnyGame, Puzzle};
use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// What a worker of the tests says of a piece.
type Forge = dyn Fn(&Piece, Product) -> Vec<Result<Product, String>> + Send + Sync;

/// A crew of one, who gets and gives texts. A product that is refused is asked for again.
struct Alone {
    room: usize,
    state: Mutex<State>,
    forge: Box<Forge>,
}

#[derive(Default)]
struct State {
    out: HashMap<monteverde_lab::task::Key, Arc<Piece>>,
    told: VecDeque<Delivery>,
    refused: Vec<String>,
    recalled: bool,
    most: usize,
}

impl std::fmt::Debug for Alone {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Alone")
    }
}

impl Alone {
    fn new(
        room: usize,
        forge: impl Fn(&Piece, Product) -> Vec<Result<Product, String>> + Send + Sync + 'static,
    ) -> Arc<Alone> {
        Arc::new(Alone { room, state: Mutex::default(), forge: Box::new(forge) })
    }

    fn honest() -> Arc<Alone> {
        Alone::new(3, |_, product| vec![Ok(product)])
    }

    fn work(&self, state: &mut State, piece: &Arc<Piece>) {
        let games = monteverde_games::games();
        let piece = Piece::parse(&games, &[], piece.text().as_bytes()).unwrap();
        let mut runner = PieceRunner::new(Arc::default());
        let product = runner.run(&piece, 2, &Arc::default()).unwrap();
        for product in (self.forge)(&piece, product) {
            let product = product.map(|product| serde_json::from_str(&product.text()).unwrap());
            let worker = "alone".to_owned();
            state.told.push_back(Delivery { key: piece.key, product, worker, receipt: 0 });
        }
    }
}

impl Crew for Alone {
    fn room(&self) -> usize {
        self.room
    }

    fn send(&self, piece: &Arc<Piece>) -> Result<(), CrewError> {
        let mut state = self.state.lock().unwrap();
        assert!(state.out.insert(piece.key, piece.clone()).is_none(), "no piece is out twice");
        state.most = state.most.max(state.out.len());
        self.work(&mut state, piece);
        Ok(())
    }

    fn receive(&self, _: Duration) -> Result<Option<Delivery>, CrewError> {
        Ok(self.state.lock().unwrap().told.pop_front())
    }

    fn settle(&self, delivery: &Delivery, settled: Settled<'_>) {
        let mut state = self.state.lock().unwrap();
        match settled {
            Settled::Kept => drop(state.out.remove(&delivery.key)),
            Settled::Refused(problem) => {
                state.refused.push(problem.to_owned());
                assert!(state.refused.len() < 100, "{:?}", state.refused);
                // The honest product comes in the end.
                if let Some(piece) = state.out.get(&delivery.key).cloned()
                    && state.told.iter().all(|other| other.key != delivery.key)
                {
                    let mut runner = PieceRunner::new(Arc::default());
                    let product = runner.run(&piece, 1, &Arc::default());
                    state.told.push_back(Delivery { product, ..delivery.clone() });
                }
            }
        }
    }

    fn recall(&self) {
        let mut state = self.state.lock().unwrap();
        state.recalled = true;
        state.out.clear();
        state.told.clear();
    }
}

fn game(name: &str) -> AnyGame {
    monteverde_games::games().game(name).unwrap()
}

fn plan(name: &str, games: u64) -> ContestPlan {
    let contestant = |spec, count| Contestant::spec(spec, Pace::Iterations(count));
    ContestPlan {
        game: game(name),
        contestants: match name {
            "chess" => vec![contestant("mcc", 20), contestant("mcc:c=0.5", 20)],
            _ => vec![contestant("uct", 20), contestant("uct:c=0.5", 20)],
        },
        format: Format::RoundRobin,
        games,
        openings: Openings::Random { plies: 2, balance: None },
        seed: 7,
        adjudication: Adjudication::default(),
        test: None,
        equal_time: None,
        build: build().to_owned(),
    }
}

fn hold(plan: &ContestPlan, hands: &Hands) -> (Result<ContestProgress, String>, Store) {
    let mut store = Store::memory().unwrap();
    let held = plan.clone().hold(&mut store, hands, &mut |_, _| {});
    (held.map_err(|error| error.to_string()), store)
}

fn with(crew: &Arc<Alone>) -> Hands {
    Hands { crew: Some(crew.clone()), ..Hands::from(1) }
}

fn digest(progress: &ContestProgress) -> String {
    progress.standings.digest(0, 1).expect("games").to_string()
}

#[test]
fn workers_play_the_games_of_one_machine() {
    let balance = Some(Balance { within: 0.5, iterations: 20 });
    let adjudication = Adjudication { length: Some(30), ..Adjudication::default() };
    for plan in [
        ContestPlan { openings: Openings::Every { plies: 2 }, ..plan("tic-tac-toe", 40) },
        plan("dice-race", 40),
        ContestPlan { adjudication, ..plan("chess", 4) },
        ContestPlan {
            adjudication,
            openings: Openings::Random { plies: 3, balance },
            ..plan("loa", 4)
        },
        ContestPlan { adjudication, ..plan("banqi", 4) },
    ] {
        let crew = Alone::honest();
        let (here, _) = hold(&plan, &Hands::from(1));
        let (there, store) = hold(&plan, &with(&crew));
        let (here, there) = (here.unwrap(), there.unwrap());
        assert_eq!(digest(&there), digest(&here), "{}", plan.game.name());
        assert_eq!((there.played, store.count(None).unwrap()), (plan.games, plan.games));
        let state = crew.state.lock().unwrap();
        assert_eq!((state.refused.len(), state.out.len(), state.most), (0, 0, 3));
    }
}

#[test]
fn a_run_goes_on_with_what_the_store_holds() {
    let crew = Alone::honest();
    let mut store = Store::memory().unwrap();
    plan("tic-tac-toe", 6).hold(&mut store, 1, &mut |_, _| {}).unwrap();
    let held = plan("tic-tac-toe", 10).hold(&mut store, with(&crew), &mut |_, _| {}).unwrap();
    assert_eq!((held.found, held.played), (6, 4));
}

/// A game that does not follow from its task, one way or another.
fn tampered(record: &GameRecord) -> Vec<(&'static str, GameRecord)> {
    let change = |what, edit: fn(&mut GameRecord)| {
        let mut record = record.clone();
        edit(&mut record);
        (what, record)
    };
    vec![
        change("key", |one| one.key = "0".repeat(64)),
        change("game", |one| one.game = "chess".to_owned()),
        change("players", |one| one.first = "somebody".to_owned()),
        change("contestants", |one| one.contestants.reverse()),
        change("pair", |one| one.pair += 1),
        change("seed", |one| one.seed += 1),
        change("opening", |one| one.opening = "another".to_owned()),
        change("start", |one| one.start_state = "xo. ... ...".to_owned()),
        change("opening moves", |one| one.moves.swap(0, 1)),
        change("by", |one| one.moves[0].by = By::Player),
        change("a move left out", |one| drop(one.moves.pop())),
        change("an illegal move", |one| one.moves.last_mut().unwrap().text = "z9".to_owned()),
        change("a move too many", |one| one.moves.push(one.moves[2].clone())),
        change("no moves", |one| one.moves.clear()),
        change("result", |one| {
            one.result = match one.result {
                GameResult::First => GameResult::Draw,
                _ => GameResult::First,
            }
        }),
        change("rule", |one| one.reason = Reason::Rule("checkmate".to_owned())),
        change("ruling", |one| one.reason = Reason::Adjudicated(Ruling::Length)),
        change("late", |one| one.reason = Reason::Failed(Failure::TimeLoss)),
        change("late and short", |one| {
            one.moves.pop();
            one.reason = Reason::Failed(Failure::TimeLoss);
        }),
        change("time", |one| one.seconds = -1.0),
        change("detail", |one| one.detail = "x".repeat(10_000)),
    ]
}

#[test]
fn a_game_that_does_not_follow_from_its_task_is_refused() {
    let plan = plan("tic-tac-toe", 1);
    let contest = Contest::new(plan.clone()).unwrap();
    let task = contest.tasks().next().unwrap();
    let piece = Piece::game(plan.game, task);
    let mut runner = PieceRunner::new(Arc::default());
    let product = runner.run(&piece, 1, &Arc::default()).unwrap();
    assert_eq!(piece.check(&product), Ok(()));
    let Product::Game(record) = &product else { panic!("a game") };
    for (what, record) in tampered(record) {
        let problem = piece.check(&Product::Game(Box::new(record))).expect_err(what);
        assert!(!problem.is_empty());
    }
    let answer = Product::Findings(Findings::Endings(Vec::new()));
    assert!(piece.check(&answer).unwrap_err().contains("another kind"));
}

#[test]
fn forged_and_doubled_games_change_nothing() {
    let plan = plan("tic-tac-toe", 8);
    let (here, _) = hold(&plan, &Hands::from(1));
    let crew = Alone::new(5, |_, product| {
        let Product::Game(record) = &product else { panic!("a game") };
        let forged = tampered(record).into_iter().take(3);
        let forged = forged.map(|(_, record)| Ok(Product::Game(Box::new(record))));
        forged.chain([Ok(product.clone()), Ok(product.clone())]).collect()
    });
    let (there, store) = hold(&plan, &with(&crew));
    assert_eq!(digest(&there.unwrap()), digest(&here.unwrap()));
    assert_eq!(store.count(None).unwrap(), 8);
    let state = crew.state.lock().unwrap();
    let doubled = state.refused.iter().filter(|problem| problem.contains("nobody waits")).count();
    assert!(state.refused.len() >= 24 && doubled > 0, "{:?}", state.refused);
}

/// The word of a worker ends no run: the game is played here.
#[test]
fn a_worker_that_says_a_player_failed_is_not_believed() {
    let plan = plan("tic-tac-toe", 4);
    let (here, _) = hold(&plan, &Hands::from(1));
    let void = |piece: &Piece, product: Product| {
        let (Product::Game(record), PieceWork::Game(..)) = (&product, &piece.work) else {
            panic!("a game")
        };
        let opening = record.moves.iter().filter(|step| step.by == By::Opening).count();
        let mut record = record.clone();
        record.moves.truncate(opening);
        record.reason = Reason::Failed(Failure::Crash);
        record.result = GameResult::First;
        vec![Ok(Product::Game(record))]
    };
    let first = Arc::new(Mutex::new(true));
    let crew =
        Alone::new(1, move |piece, product| match std::mem::take(&mut *first.lock().unwrap()) {
            true => void(piece, product),
            false => vec![Err("it cannot be done".to_owned())],
        });
    let (there, _) = hold(&plan, &with(&crew));
    assert_eq!(digest(&there.unwrap()), digest(&here.unwrap()));
}

#[test]
fn a_test_that_decides_takes_the_rest_back() {
    let test = monteverde_statistics::SequentialTest::new(
        monteverde_statistics::EloScale::Logistic,
        [0.0, 100.0],
        0.05,
        0.05,
    );
    let contestants = ["uct", "uct:c=0.5"].map(|spec| Contestant::spec(spec, Pace::Iterations(50)));
    let weak = Contestant { pace: Pace::Iterations(1), ..contestants[1].clone() };
    let contestants = vec![contestants[0].clone(), weak];
    let plan = ContestPlan { test: Some(test.unwrap()), contestants, ..plan("tic-tac-toe", 4000) };
    let crew = Alone::new(7, |_, product| vec![Ok(product)]);
    let (here, _) = hold(&plan, &Hands::from(1));
    let (there, _) = hold(&plan, &with(&crew));
    let (here, there) = (here.unwrap(), there.unwrap());
    assert_eq!((digest(&there), there.decision), (digest(&here), here.decision));
    assert!(there.played < 4000 && crew.state.lock().unwrap().recalled);
}

#[test]
fn questions_and_measurements_travel() {
    let suite = Suite {
        game: game("tic-tac-toe"),
        questions: ["xx. oo. ...", "... ... ...", "xx. oo. ..."]
            .map(|state| Puzzle { id: String::new(), state: state.to_owned(), aim: Aim::Proof })
            .to_vec(),
    };
    let build = build().to_owned();
    let most = Spend::Iterations(200);
    let solver = Solver { player: "uct".to_owned(), most, build: build.clone() };
    let crew = Alone::new(9, |_, product| {
        let mut forged = product.clone();
        match &mut forged {
            Product::Answer(answer) => answer.best = "a9".to_owned(),
            Product::Findings(Findings::Playouts(tally)) => tally.first += 1,
            Product::Findings(Findings::Searches(choices)) => choices.count += 1,
            Product::Findings(Findings::Shape(shape)) => shape.games += 1,
            Product::Findings(Findings::Until(waits)) => drop(waits.hits.pop()),
            other => panic!("{other:?}"),
        }
        vec![Ok(forged), Ok(product)]
    });
    let solve = |hands: &Hands| {
        let mut store = Store::memory().unwrap();
        let mut done = 0;
        let answers = solver.solve(&suite, &mut store, hands, &mut |now| done = now.done).unwrap();
        let again = solver.solve(&suite, &mut store, 1, &mut |now| assert_eq!(now.found, now.done));
        assert_eq!((again.unwrap(), done), (answers.clone(), 3));
        // A search is stopped when somebody looks and sees a proof, which is a matter of time.
        let timeless = |answer| Answer { micros: 0, iterations: 0, ..answer };
        answers.into_iter().map(timeless).collect::<Vec<_>>()
    };
    assert_eq!(solve(&with(&crew)), solve(&Hands::from(2)));

    let player = "uct".to_owned();
    let probes: Vec<Probe> = [
        ProbeKind::Playouts { count: 300, player: None },
        ProbeKind::Searches { player: player.clone(), pace: Pace::Iterations(9), count: 20 },
        ProbeKind::Shape { player: player.clone(), iterations: 9, count: 5 },
        ProbeKind::Playouts { count: 100, player: Some(player) },
    ]
    .into_iter()
    .map(|kind| Probe {
        game: game("tic-tac-toe"),
        state: "startpos".to_owned(),
        moves: vec!["a1".to_owned()],
        kind,
        seed: 1,
        build: build.clone(),
    })
    .collect();
    let find = |hands: &Hands| {
        let mut last = None;
        let mut observe = |now: &monteverde_lab::progress::WorkProgress| last = Some(*now);
        let mut watch = Watch::new(probes.len(), 425, &mut observe);
        let found =
            measure::run_all(&probes, &mut Store::memory().unwrap(), hands, &mut watch).unwrap();
        let last = last.unwrap();
        assert_eq!((last.done, last.parts_done), (425, 4));
        found
    };
    assert_eq!(find(&with(&crew)), find(&Hands::from(2)));
    // Each but the question asked twice; of the measurements every part.
    assert_eq!(crew.state.lock().unwrap().refused.len(), 2 + 1 + 20 + 5 + 1);
}

#[test]
fn texts_that_are_no_pieces_are_refused() {
    let games = monteverde_games::games();
    let plan = plan("tic-tac-toe", 2);
    let contest = Contest::new(plan.clone()).unwrap();
    let [one, two] =
        [0, 1].map(|number| Piece::game(plan.game, contest.tasks().nth(number).unwrap()));
    assert_eq!(Piece::parse(&games, &[], one.text().as_bytes()).unwrap(), one);
    let other_key = one.text().replace(&one.key.to_string(), &two.key.to_string());
    let other_game = one.text().replace("tic-tac-toe", "go");
    let other_seed = one.text().replace("\"seed\":", "\"seed\":1");
    let probe = Probe {
        game: plan.game,
        state: "startpos".to_owned(),
        moves: Vec::new(),
        kind: ProbeKind::Shape { player: "uct".to_owned(), iterations: 9, count: 5 },
        seed: 1,
        build: monteverde_lab::build::build().to_owned(),
    };
    let parts: Vec<Piece> = probe.parts().iter().map(Piece::probe).collect();
    let part = Piece::parse(&games, &[], parts[3].text().as_bytes()).unwrap();
    assert_eq!((part.key, part.text()), (parts[3].key, parts[3].text()));
    let beyond = parts[3].text().replace("[3,4]", "[3,6]");
    let none = parts[3].text().replace("[3,4]", "[4,4]");
    let other_part = parts[3].text().replace("[3,4]", "[2,3]");
    for text in [&beyond, &none, &other_part] {
        assert_ne!(*text, parts[3].text());
        Piece::parse(&games, &[], text.as_bytes()).unwrap_err();
    }
    for text in ["", "{}", "[1]", "\u{0}", &other_key, &other_game, &other_seed] {
        let problem = Piece::parse(&games, &[], text.as_bytes()).unwrap_err();
        assert!(!problem.to_string().is_empty());
    }
    let deep = "[".repeat(100_000);
    assert!(Piece::parse(&games, &[], deep.as_bytes()).is_err());
}

#[test]
fn rounds_are_played_elsewhere_as_here() {
    for format in [Format::Knockout, Format::Swiss { rounds: 3 }] {
        let contestant = |c: &str| Contestant::spec(&format!("uct:c={c}"), Pace::Iterations(20));
        let contestants = ["0.1", "0.4", "0.7", "1", "2"].map(contestant).to_vec();
        let plan = ContestPlan { contestants, format: format.clone(), ..plan("tic-tac-toe", 4) };
        let crew = Alone::honest();
        let (here, _) = hold(&plan, &Hands::from(1));
        let (there, store) = hold(&plan, &with(&crew));
        let (here, there) = (here.unwrap(), there.unwrap());
        let digests = |one: &ContestProgress| -> Vec<Option<String>> {
            let both = (0..5).flat_map(|a| (0..a).map(move |b| (a, b)));
            both.map(|(a, b)| Some(one.standings.digest(a, b)?.to_string())).collect()
        };
        assert_eq!(digests(&here), digests(&there));
        assert_eq!(here.rounds, there.rounds);
        assert!(there.rounds.len() >= 3 && there.played > 0, "{format:?}");
        assert_eq!(crew.state.lock().unwrap().refused, [""; 0]);
        // A run that goes on finds all of it.
        let mut store = store;
        let again = plan.clone().hold(&mut store, with(&crew), &mut |_, _| {}).unwrap();
        assert_eq!((again.played, digests(&again)), (0, digests(&there)));
        // A shard would not know how the others have played.
        let shard = Hands { shard: Shard::new(1, 2), ..Hands::from(1) };
        let problem = hold(&plan, &shard).0.unwrap_err();
        assert!(problem.contains("several machines play it with --nats"), "{problem}");
    }
}

#[test]
fn a_task_travels_whatever_numbers_its_rules_have() {
    let games = monteverde_games::games();
    for centipawns in 1..500 {
        let beyond = value_of_centipawns(f64::from(centipawns));
        let resign = ResignRule { moves: 3, beyond, sides: ResignSides::Both };
        let adjudication = Adjudication { resign: Some(resign), ..Adjudication::default() };
        let plan = ContestPlan { adjudication, ..plan("tic-tac-toe", 2) };
        let task = Contest::new(plan.clone()).unwrap().tasks().next().unwrap();
        let piece = Piece::game(plan.game, task);
        let read = Piece::parse(&games, &[], piece.text().as_bytes());
        assert_eq!(read.map_err(|error| error.to_string()), Ok(piece), "{centipawns}");
    }
}

#[test]
fn a_worker_that_plays_otherwise_says_so() {
    let plan = plan("tic-tac-toe", 2);
    let piece = Piece::game(plan.game, Contest::new(plan.clone()).unwrap().tasks().next().unwrap());
    let games = monteverde_games::games();
    let engines = AllowedEngines::default();
    const MEMORY: usize = 2 << 30;
    let needs = piece.needs();
    assert_eq!(needs.check(&games, &engines, MEMORY), Ok(()));
    assert!(!needs.by_clock);
    let other = Needs { behaviour: "1 0000000000000000".to_owned(), ..needs.clone() };
    assert!(matches!(other.check(&games, &engines, MEMORY), Err(Lack::Behaviour { .. })));
    let tables = format!("{} tables 0123", needs.behaviour);
    let tables = Needs { behaviour: tables, ..needs.clone() };
    assert!(matches!(tables.check(&games, &engines, MEMORY), Err(Lack::Tables { .. })));
    let large = Needs { memory: MEMORY + 1, ..needs.clone() };
    assert!(matches!(large.check(&games, &engines, MEMORY), Err(Lack::Memory { .. })));
    let networks = vec!["nowhere/at-all.net@0123456789abcdef".to_owned()];
    let network = Needs { networks: networks.clone(), ..needs.clone() };
    assert!(matches!(network.check(&games, &engines, MEMORY), Err(Lack::Network { .. })));
    let network = Needs { game: "chess".to_owned(), networks, ..needs.clone() };
    let lack = network.check(&games, &engines, MEMORY).unwrap_err().to_string();
    assert!(lack.contains("it cannot be read"), "{lack}");
    let game = Needs { game: "go".to_owned(), ..needs };
    assert!(matches!(game.check(&games, &engines, MEMORY), Err(Lack::Game(_))));
}
