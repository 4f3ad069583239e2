//! Games that others make: the file is that of one machine, and what does not fit is not kept.

use monteverde_game::limit::Limit;
use monteverde_lab::adjudication::{Adjudication, ResignRule, ResignSides};
use monteverde_lab::crew::{Crew, CrewError, Delivery, Piece, PieceRunner, Product, Settled};
use monteverde_lab::task::Key;
use monteverde_players::{AnyGame, Spec};
use monteverde_training::label::{Labels, Unlabelled};
use monteverde_training::opening::Openings;
use monteverde_training::produce::Make;
use monteverde_training::remote::{KINDS, LabelPieces, OwnPieces, Pieces, RemoteGames};
use monteverde_training::selfplay::{OwnGames, SelfPlay, players_of};
use monteverde_training::{Amount, DataFile, Header, Makers, Production, Writer};
use serde_json::Map;
use std::collections::{HashMap, VecDeque};
use std::fs;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// What a worker of the tests says in place of a product.
type Forge = fn(&str) -> Vec<Result<String, String>>;

/// A crew of one, who gets and gives texts; the last that it is given is the first that it does.
#[derive(Debug)]
struct Alone {
    forge: Forge,
    room: usize,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    out: HashMap<Key, Arc<Piece>>,
    told: VecDeque<Delivery>,
    refused: Vec<String>,
    is_recalled: bool,
}

impl Alone {
    fn new(room: usize, forge: Forge) -> Alone {
        Alone { forge, room, state: Mutex::default() }
    }

    fn refused(&self) -> Vec<String> {
        self.state.lock().unwrap().refused.clone()
    }
}

/// What a worker makes of the text of a piece.
fn made(piece: &Piece) -> Result<String, String> {
    let games = monteverde_games::games();
    let text = piece.text();
    let read = Piece::parse(&games, &KINDS, text.as_bytes()).unwrap();
    assert_eq!((read.text(), &read), (text, piece));
    let product = PieceRunner::new(Arc::default()).run(&read, 1, &Arc::default())?;
    let Product::Custom(text) = serde_json::from_str(&product.text()).unwrap() else {
        panic!("another product")
    };
    Ok(text)
}

impl Crew for Alone {
    fn room(&self) -> usize {
        self.room
    }

    fn send(&self, piece: &Arc<Piece>) -> Result<(), CrewError> {
        let mut state = self.state.lock().unwrap();
        assert!(state.out.insert(piece.key, piece.clone()).is_none(), "no piece is out twice");
        for product in (self.forge)(&made(piece).unwrap()).into_iter().rev() {
            let (worker, product) = ("alone".to_owned(), product.map(Product::Custom));
            state.told.push_front(Delivery { key: piece.key, product, worker, receipt: 0 });
        }
        Ok(())
    }

    fn receive(&self, _: Duration) -> Result<Option<Delivery>, CrewError> {
        Ok(self.state.lock().unwrap().told.pop_front())
    }

    fn settle(&self, delivery: &Delivery, settled: Settled<'_>) {
        let mut state = self.state.lock().unwrap();
        match settled {
            Settled::Kept => drop(state.out.remove(&delivery.key)),
            Settled::Refused(problem) => state.refused.push(problem.to_owned()),
        }
    }

    fn recall(&self) {
        let mut state = self.state.lock().unwrap();
        state.is_recalled = true;
        state.out.clear();
        state.told.clear();
    }
}

fn game(name: &str) -> AnyGame {
    monteverde_games::games().game(name).unwrap()
}

fn how(name: &str, drawn_plies: u32) -> SelfPlay {
    let resign = ResignRule { moves: 2, beyond: 0.1 + 0.2, sides: ResignSides::Both };
    let starts = if name == "chess" { vec![("odd".to_owned(), 1.0 / 3.0)] } else { Vec::new() };
    SelfPlay {
        game: game(name),
        limit: Limit::iterations(40),
        seed: 5,
        openings: Openings { plies: 1..=3, starts },
        adjudication: Adjudication {
            length: Some(30),
            resign: Some(resign),
            ..Adjudication::default()
        },
        drawn_plies,
        keeps_shares: true,
    }
}

struct Run<'a> {
    make: &'a dyn Make,
    amount: Amount,
    name: &'a str,
}

impl Run<'_> {
    fn fill(&self, path: &Path, makers: Makers<'_>) {
        let header = Header {
            game: self.name.to_owned(),
            made_by: "a test".to_owned(),
            build: "a test".to_owned(),
            player: String::new(),
            seed: 0,
            arguments: Map::new(),
        };
        let (writer, held) = Writer::open(path, header).unwrap();
        let Run { make, amount, .. } = *self;
        let production = Production { make, amount, shard: None, makers, is_over: &|| false };
        production.run(writer, held, &mut |_| {}).unwrap();
    }
}

const HONEST: Forge = |text| vec![Ok(text.to_owned())];

const CASES: [(&str, &str, u32); 4] = [
    ("tic-tac-toe", "uct:memory=1MiB", 2),
    ("dice-race", "uct:memory=1MiB", 0),
    ("dice-race", "uct:memory=1MiB", 3),
    ("chess", "best:memory=1MiB", 1),
];

#[test]
fn games_made_elsewhere_give_the_file_of_one_machine() {
    let folder = tempfile::tempdir().unwrap();
    let [here, there] = ["here", "there"].map(|name| folder.path().join(name));
    for (name, spec, drawn_plies) in CASES {
        let how = Arc::new(how(name, drawn_plies));
        let spec = Spec::read(how.game, spec).unwrap();
        let make = &OwnGames { how: &how, player: &players_of(&spec) };
        let pieces = &OwnPieces { how: how.clone(), player: spec.to_string().into() };
        for amount in [Amount::Games(10), Amount::States(60)] {
            let run = Run { make, amount, name };
            run.fill(&here, Makers::Threads(1));
            let crew = Alone::new(3, HONEST);
            run.fill(&there, Makers::Workers(RemoteGames { crew: &crew, pieces }));
            assert!(fs::read(&here).unwrap() == fs::read(&there).unwrap(), "{name} {amount:?}");
            assert_eq!(crew.refused(), [""; 0]);
            // A file that lost a game in its middle goes on to the same.
            let whole = fs::read(&there).unwrap();
            let mut damaged = whole.clone();
            let middle = damaged.len() / 2;
            damaged[middle] ^= 1;
            fs::write(&there, damaged).unwrap();
            run.fill(&there, Makers::Workers(RemoteGames { crew: &crew, pieces }));
            assert!(fs::read(&there).unwrap() == whole, "{name} {amount:?}");
            // Less takes nothing away.
            let less = Run { amount: Amount::Games(2), ..run };
            less.fill(&there, Makers::Workers(RemoteGames { crew: &crew, pieces }));
            assert!(fs::read(&there).unwrap() == whole, "{name} {amount:?}");
            fs::remove_file(&here).unwrap();
            fs::remove_file(&there).unwrap();
        }
    }
}

#[test]
fn labels_made_elsewhere_give_the_file_of_one_machine() {
    let folder = tempfile::tempdir().unwrap();
    let [games, here, there] = ["games", "here", "there"].map(|name| folder.path().join(name));
    let how = how("dice-race", 0);
    let spec = Spec::read(how.game, "uct:memory=1MiB").unwrap();
    let make = &OwnGames { how: &how, player: &players_of(&spec) };
    Run { make, amount: Amount::Games(9), name: "dice-race" }.fill(&games, Makers::Threads(1));
    let chess = game("chess");
    let states = ["8/8/8/8/8/4k3/8/4K2R w K - 0 1", "8/8/8/8/8/4k3/8/4K3 w - - 0 1"];
    let states = states.map(str::to_owned).to_vec();
    for (of, spec) in [
        (Unlabelled::of_data(how.game, &DataFile::read(&games).unwrap()), spec.clone()),
        (
            Unlabelled::of_states(chess, "states".into(), states),
            Spec::read(chess, "best:memory=1MiB").unwrap(),
        ),
    ] {
        let player = spec.to_string();
        let limit = Limit::iterations(30);
        let labels = &Labels {
            of: &of,
            player: &players_of(&spec),
            limit: limit.clone(),
            seed: 3,
            keeps_shares: true,
        };
        let pieces = &LabelPieces { of: &of, player: &player, limit, seed: 3, keeps_shares: true };
        let amount = Amount::Games(of.games.len() as u32);
        let run = Run { make: labels, amount, name: of.game.name() };
        run.fill(&here, Makers::Threads(1));
        let crew = Alone::new(3, HONEST);
        run.fill(&there, Makers::Workers(RemoteGames { crew: &crew, pieces }));
        assert!(fs::read(&here).unwrap() == fs::read(&there).unwrap(), "{}", of.game.name());
        assert_eq!(crew.refused(), [""; 0]);
        fs::remove_file(&here).unwrap();
        fs::remove_file(&there).unwrap();
    }
}

/// Forged products, each before the honest one.
const FORGERIES: [Forge; 4] = [
    // The word of a worker alone: the games are made here.
    |_| vec![Err("it cannot be done".to_owned())],
    |text| vec![Ok(String::new()), Ok(format!("{text}{text}")), Ok(text.to_owned())],
    |text| vec![Ok("0 zz\n".to_owned()), Ok("x".to_owned()), Ok(text.to_owned())],
    // The games of other numbers.
    |text| {
        let line = |(number, line): (usize, &str)| {
            let digits = line.split_once(' ').unwrap().1;
            format!("{} {digits}\n", if number == 0 { 77 } else { number })
        };
        vec![Ok(text.lines().enumerate().map(line).collect()), Ok(text.to_owned())]
    },
];

#[test]
fn what_cannot_be_a_game_that_was_asked_for_is_not_kept() {
    let folder = tempfile::tempdir().unwrap();
    let [here, there] = ["here", "there"].map(|name| folder.path().join(name));
    let how = Arc::new(how("dice-race", 0));
    let spec = Spec::read(how.game, "uct:memory=1MiB").unwrap();
    let make = &OwnGames { how: &how, player: &players_of(&spec) };
    let pieces = &OwnPieces { how: how.clone(), player: spec.to_string().into() };
    let run = Run { make, amount: Amount::Games(5), name: "dice-race" };
    run.fill(&here, Makers::Threads(1));
    for (number, forge) in FORGERIES.into_iter().enumerate() {
        let crew = Alone::new(1, forge);
        run.fill(&there, Makers::Workers(RemoteGames { crew: &crew, pieces }));
        assert!(fs::read(&here).unwrap() == fs::read(&there).unwrap(), "forgery {number}");
        // A worker that cannot do a piece has not sent anything wrong.
        assert_eq!(crew.refused().is_empty(), number == 0, "forgery {number}");
        fs::remove_file(&there).unwrap();
    }
}

#[test]
fn texts_that_are_no_games_to_be_made_are_refused() {
    let games = monteverde_games::games();
    let how = Arc::new(how("dice-race", 0));
    let pieces = OwnPieces { how, player: "uct".into() };
    let text = |numbers| Piece::custom(pieces.work(numbers), "b".to_owned()).text();
    let whole = text(4..8);
    let parse =
        |text: &str| Piece::parse(&games, &KINDS, text.as_bytes()).map(|piece| piece.text());
    assert_eq!(parse(&whole).unwrap(), whole);
    for (from, to) in [
        ("[4,8]", "[4,9]"),
        ("[4,8]", "[8,4]"),
        ("[4,8]", "[4,7]"),
        ("[1,3]", "[1,4000000000]"),
        ("[1,3]", "[3,1]"),
        ("\"iterations\":40,", ""),
        ("\"starts\":\"\"", "\"starts\":\"odd=1\""),
        ("dice-race", "go"),
        ("\"seed\":5", "\"seed\":-5"),
        ("\"selfplay\"", "\"label\""),
        ("\"selfplay\"", "\"something\""),
        ("\"seed\":5", "\"seed\":5,\"more\":1"),
    ] {
        let other = whole.replacen(from, to, 1);
        assert_ne!(other, whole, "{from}");
        let problem = parse(&other).unwrap_err().to_string();
        assert!(!problem.is_empty() && !problem.contains('\n'), "{from} {to}: {problem}");
    }
    assert!(Piece::parse(&games, &[], whole.as_bytes()).is_err(), "a worker of another kind");
}
