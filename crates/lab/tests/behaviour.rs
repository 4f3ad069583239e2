//! Which changes of a program let its stores go on: two editions of a game that differ by the
//! network that it brings.

use monteverde_knowledge::loa::LoaFeatures;
use monteverde_lab::adjudication::Adjudication;
use monteverde_lab::build::build;
use monteverde_lab::contest::{Contest, ContestPlan, Format, Openings};
use monteverde_lab::contestant::Contestant;
use monteverde_lab::crew::{AllowedEngines, Lack, Piece};
use monteverde_lab::hands::Hands;
use monteverde_lab::pace::Pace;
use monteverde_lab::shard::Shard;
use monteverde_lab::store::{ImportFile, Store};
use monteverde_loa::Loa;
use monteverde_mcts::{Config, Uct};
use monteverde_network::{Description, Features, Network};
use monteverde_players::{Entry, Games, NetworkFile, OwnNetwork, Preset, Settings, presets};
use std::sync::OnceLock;

/// Lines of Action with one network or another for `best`; `uct` has none.
#[derive(Clone, Copy, Debug)]
struct Edition<const NUMBER: usize>;

impl<const NUMBER: usize> Edition<NUMBER> {
    const PLAYERS: &[Preset] =
        &[presets::UCT, Preset { name: "best", about: "", settings: with_network::<NUMBER> }];
}

impl<const NUMBER: usize> Entry for Edition<NUMBER> {
    type Game = Loa;

    fn players(&self) -> &'static [Preset] {
        Self::PLAYERS
    }
    fn features(&self) -> Option<&'static dyn Features<Loa>> {
        Some(&LoaFeatures)
    }
    fn network(&self) -> Option<&'static OwnNetwork> {
        Some(network(NUMBER))
    }
    fn recorded_signature(&self) -> &'static str {
        ["loa uct 01\nloa best 02\n", "loa uct 01\nloa best 03\n"][NUMBER]
    }
}

fn with_network<const NUMBER: usize>() -> Settings {
    let config = Config { uct: Uct::Puct { c: 1.0, temperature: 1.0 }, ..Config::default() };
    let network = Some(NetworkFile::from(network(NUMBER)));
    Settings { config, network, ..Settings::default() }
}

fn network(number: usize) -> &'static OwnNetwork {
    static NETWORKS: [OnceLock<OwnNetwork>; 2] = [const { OnceLock::new() }; 2];
    NETWORKS[number].get_or_init(|| {
        let features = Description::of::<Loa>(&LoaFeatures);
        let network = Network::random("loa", features, [64, 64], number as u64).unwrap();
        OwnNetwork::new(network.write().leak())
    })
}

/// The game before its network changed, and after that.
fn editions() -> [Games; 2] {
    [Games::new().with(Edition::<0>), Games::new().with(Edition::<1>)]
}

/// Two games of `uct` against that player.
fn plan(games: &Games, opponent: &str) -> ContestPlan {
    let player = |spec: &str| Contestant::spec(spec, Pace::Iterations(5));
    ContestPlan {
        game: games.game("loa").unwrap(),
        contestants: vec![player("uct"), player(opponent)],
        format: Format::RoundRobin,
        games: 2,
        openings: Openings::Random { plies: 2, balance: None },
        seed: 7,
        adjudication: Adjudication { length: Some(4), ..Adjudication::default() },
        test: None,
        equal_time: None,
        build: build().to_owned(),
    }
}

/// Plays what the store does not hold, and says how many games that were.
fn played(plan: ContestPlan, store: &mut Store, shard: Option<Shard>) -> u64 {
    let hands = Hands { shard, ..Hands::from(1) };
    plan.hold(store, hands, &mut |_, _| {}).unwrap().played
}

const WITHOUT_NETWORK: &str = "uct:c=0.5";

#[test]
fn another_network_leaves_the_stores_of_players_without_one() {
    let [before, after] = editions();
    let mut store = Store::memory().unwrap();
    for (opponent, again) in [(WITHOUT_NETWORK, 0), ("best", 2)] {
        assert_eq!(played(plan(&before, opponent), &mut store, None), 2);
        assert_eq!(played(plan(&before, opponent), &mut store, None), 0);
        assert_eq!(played(plan(&after, opponent), &mut store, None), again, "{opponent}");
    }
}

#[test]
fn shards_from_before_another_network_fit_where_nobody_has_one() {
    let [before, after] = editions();
    let folder = tempfile::tempdir().unwrap();
    for (opponent, missing) in [(WITHOUT_NETWORK, 0), ("best", 2)] {
        let mut store = Store::memory().unwrap();
        for number in [1, 2] {
            let path = folder.path().join(format!("{opponent}-{number}.mvs"));
            let shard = Shard::new(number, 2).unwrap();
            let mut part = Store::open_shard(&path, shard).unwrap();
            played(plan(&before, opponent), &mut part, Some(shard));
            drop(part);
            store.import(&ImportFile::open(&path).unwrap(), &mut |_| {}).unwrap();
        }
        assert_eq!(played(plan(&after, opponent), &mut store, None), missing, "{opponent}");
    }
}

#[test]
fn a_worker_with_another_network_plays_for_those_without_one() {
    const MEMORY: usize = 2 << 30;
    let [before, after] = editions();
    let check = |opponent| {
        let plan = plan(&before, opponent);
        let task = Contest::new(plan.clone()).unwrap().tasks().next().unwrap();
        let needs = Piece::game(plan.game, task).needs();
        assert_eq!(needs.check(&before, &AllowedEngines::default(), MEMORY), Ok(()));
        needs.check(&after, &AllowedEngines::default(), MEMORY)
    };
    assert_eq!(check(WITHOUT_NETWORK), Ok(()));
    assert!(matches!(check("best"), Err(Lack::Network { .. })));
}
