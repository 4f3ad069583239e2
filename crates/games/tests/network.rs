//! Players with a network: what their specs say and refuse, and that nothing but speed depends on
//! the instruction set.

use monteverde_banqi::Banqi;
use monteverde_chess::Chess;
use monteverde_game::{Game, Knowledge, NoOracle, Notation, PlayoutKnowledge, Rng, Side, Step};
use monteverde_games::games;
use monteverde_knowledge::banqi::{BanqiFeatures, BanqiKnowledge};
use monteverde_knowledge::chess::{ChessFeatures, ChessKnowledge};
use monteverde_knowledge::loa::{LoaFeatures, LoaKnowledge};
use monteverde_loa::Loa;
use monteverde_mcts::playout::Truncate;
use monteverde_mcts::{Control, Limit, NoClock, Playouter, Playouts, Search, Signal};
use monteverde_network::{Description, Features, Isa, Learned, Network, Scratch};
use monteverde_players::{AnyGame, NetworkFile, Settings, Spec, SpecError};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tempfile::TempDir;

fn game(name: &str) -> AnyGame {
    games().game(name).expect("a game")
}

/// A random network of a game.
fn random(name: &str, widths: [usize; 2], seed: u64) -> Network {
    let features = game(name).features().expect("the game has networks");
    Network::random(name, features.description(), widths, seed).expect("a network")
}

/// A folder with a random network of a game in `a.net`, and the path of that.
fn with_file(name: &str) -> (TempDir, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.net");
    put(&path, &random(name, [64, 64], 1));
    let path = path.display().to_string();
    (folder, path)
}

fn put(path: &Path, network: &Network) {
    std::fs::write(path, network.write()).expect("it can be written");
}

#[test]
fn a_spec_names_the_file_and_its_digest() {
    let (_folder, path) = with_file("chess");
    let spec = Spec::read(game("chess"), &format!("best:network={path}")).expect("a spec");
    let digest = random("chess", [64, 64], 1).digest()[..16].to_owned();
    assert_eq!(spec.to_string(), format!("best:network={path}@{digest}"));
    assert_eq!(Spec::read(game("chess"), &spec.to_string()), Ok(spec.clone()));
    assert_ne!(Spec::read(game("chess"), "best"), Ok(spec));
    let none = Spec::read(game("chess"), "best:network=none,network-prior=0");
    assert_eq!(none, Spec::read(game("chess"), "best:network=none"));
    assert!(none.expect("a spec").network().is_none());
}

#[test]
fn best_has_the_network_that_its_game_brings() {
    for (name, plain) in [("chess", "mcc"), ("loa", "uct"), ("banqi", "uct")] {
        let own = game(name).network().expect("it brings one").network();
        let features = game(name).features().expect("it has networks").description();
        own.check(name, features).expect("it fits the game");
        let best = Spec::read(game(name), "best").expect("a spec");
        assert_eq!(best.to_string(), "best");
        assert_eq!(best.network().expect("it has one").network().digest(), own.digest());
        let digest = &own.digest()[..16];
        for text in ["best:network=own".to_owned(), format!("best:network=own@{digest}")] {
            assert_eq!(Spec::read(game(name), &text).as_ref(), Ok(&best), "{text}");
        }
        let other = Spec::read(game(name), "best:network=own@0123456789abcdef");
        let said = other.expect_err("another digest").to_string();
        assert!(said.contains(digest), "{said}");
        let plain = format!("{plain}:uct=puct,network=own");
        let spec = Spec::read(game(name), &plain).expect("a spec");
        assert_eq!(spec.to_string(), format!("{plain}@{digest}"));
    }
    let features = game("loa").features().expect("it has networks").description();
    let said = NetworkFile::open("own", "loa", features, None).expect_err("none");
    assert!(said.contains("brings no network"), "{said}");
}

/// `cargo publish` takes ten megabytes, and everybody carries them in the program.
#[test]
fn the_networks_that_games_bring_stay_small() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("networks");
    let files = std::fs::read_dir(folder).expect("the folder of the networks");
    let files = files.map(|file| file.expect("a file of it").path());
    let networks = files.filter(|path| path.extension().is_some_and(|ending| ending == "net"));
    let bytes: u64 = networks.map(|path| path.metadata().expect("a file").len()).sum();
    assert!((1..9_000_000).contains(&bytes), "{bytes}");
}

#[test]
fn another_file_of_that_name_is_another_player() {
    let (_folder, path) = with_file("loa");
    let text = format!("best:network={path}");
    let before = Spec::read(game("loa"), &text).expect("a spec");
    put(Path::new(&path), &random("loa", [64, 64], 2));
    let after = Spec::read(game("loa"), &text).expect("a spec");
    assert_ne!(before.to_string(), after.to_string());
    let said = Spec::read(game("loa"), &before.to_string()).expect_err("another file").to_string();
    assert!(said.contains("and a network of digest"), "{said}");
}

#[test]
fn files_that_are_no_network_of_the_game_are_refused() {
    let (folder, path) = with_file("chess");
    let said = |name: &str, path: &str| {
        let error = Spec::read(game(name), &format!("best:network={path}")).expect_err("no spec");
        assert!(matches!(error, SpecError::BadNetwork { .. }), "{error}");
        error.to_string()
    };
    let other = said("loa", &path);
    let part =
        "it is a network of the game 'chess', and one of 'loa' is wanted; it takes the path of";
    assert!(other.contains(part), "{other}");
    let missing = said("chess", "nowhere/at-all.net");
    assert!(missing.contains("it cannot be read"), "{missing}");
    let short = folder.path().join("short.net");
    let bytes = random("chess", [64, 64], 1).write();
    std::fs::write(&short, &bytes[..bytes.len() / 2]).expect("it can be written");
    let short = said("chess", &short.display().to_string());
    assert!(short.contains("cut short"), "{short}");
    let empty = said("chess", "");
    assert!(empty.contains("it cannot be read"), "{empty}");
}

#[test]
fn a_player_that_would_never_ask_it_is_refused() {
    let (_folder, path) = with_file("chess");
    let error = Spec::read(game("chess"), &format!("mcc:network={path}")).expect_err("no use");
    assert_eq!(error, SpecError::Needs { key: "network", needs: "uct=puct" });
    let truncated = format!("mcc:network={path},truncate=2");
    assert!(Spec::read(game("chess"), &truncated).is_ok());
}

#[test]
fn who_may_not_choose_files_is_refused_before_one_is_read() {
    let refused = Spec::read_without_files(game("chess"), "best:c=2,network=/dev/zero");
    assert_eq!(refused, Err(SpecError::NoFiles { key: "network" }));
    for plain in ["best:c=2, network=none", "best:network=own,c=2"] {
        assert_eq!(
            Spec::read_without_files(game("chess"), plain),
            Spec::read(game("chess"), plain)
        );
    }
}

/// The configuration of a spec.
fn settings(name: &str, spec: &str) -> Settings {
    Spec::read(game(name), spec).expect("a spec").settings().expect("a search").clone()
}

/// What a search of some iterations finds: moves with visits, means and shares.
fn found<G, K, F>(settings: &Settings, known: K, features: F, network: Network) -> String
where
    G: Notation,
    K: PlayoutKnowledge<G>,
    F: Features<G>,
{
    let network = Arc::new(network);
    let learned = Learned { known, features, network, known_priors: 0.5, captures: 0 };
    let mut search = Search::with_oracle(settings.config.clone(), G::start(), learned, NoOracle);
    let report = search.run(&Limit::iterations(3_000));
    format!("{:?}", report.moves)
}

fn are_equal<G, K, F>(spec: &str, known: K, features: F)
where
    G: Notation,
    K: PlayoutKnowledge<G> + Copy,
    F: Features<G> + Copy,
{
    let settings = settings(G::NAME, spec);
    let description = Description::of::<G>(&features);
    for widths in [[256, 256], [64, 320]] {
        let network = Network::random(G::NAME, description, widths, 5).expect("a network");
        let sets = Isa::available();
        let all: Vec<String> = sets
            .iter()
            .map(|&isa| found(&settings, known, features, network.clone().on(isa)))
            .collect();
        let different = all.iter().position(|one| *one != all[0]);
        assert_eq!(different.map(|index| sets[index].name()), None, "{spec}");
        let other = Network::random(G::NAME, description, widths, 6).expect("a network");
        assert_ne!(found(&settings, known, features, other), all[0], "{spec}");
    }
}

#[test]
fn trees_are_equal_on_every_instruction_set() {
    are_equal::<Chess, _, _>("best", ChessKnowledge::default(), ChessFeatures);
    are_equal::<Loa, _, _>("best", LoaKnowledge::default(), LoaFeatures);
    let spec = "uct:uct=puct,truncate=0";
    are_equal::<Banqi, _, _>(spec, BanqiKnowledge::default(), BanqiFeatures);
}

#[test]
fn what_a_network_lacks_is_known_without_it() {
    let state = Chess::start();
    let mut moves = Vec::new();
    state.moves(&mut moves);
    let known = ChessKnowledge::default();
    let priors = |knowledge: &dyn Knowledge<Chess>| {
        let mut priors = Vec::new();
        knowledge.log_priors(&state, &moves, &mut priors);
        priors
    };
    let learned = |widths: [usize; 2], known_priors: f32| Learned {
        known,
        features: ChessFeatures,
        network: Arc::new(random("chess", widths, 3)),
        known_priors,
        captures: 0,
    };
    let value_alone = learned([64, 0], 0.0);
    assert_eq!(priors(&value_alone), priors(&known));
    assert_ne!(value_alone.expectation(&state), known.expectation(&state));
    let policy_alone = learned([0, 64], 0.0);
    assert_eq!(policy_alone.expectation(&state), known.expectation(&state));
    assert_ne!(priors(&policy_alone), priors(&known));
    let both = priors(&learned([0, 64], 0.5));
    let parts = priors(&policy_alone).into_iter().zip(priors(&known));
    let sums: Vec<f32> = parts.map(|(network, known)| network + 0.5 * known).collect();
    assert_eq!(both, sums);
}

/// A rook that can be taken is as good as gone, and a defended pawn is not.
#[test]
fn captures_are_played_before_the_network_is_asked() {
    let own = game("chess").network().expect("chess brings one").network();
    let expectation = |text: &str, captures: u32| {
        let known = ChessKnowledge::default();
        let network = own.clone();
        let learned =
            Learned { known, features: ChessFeatures, network, known_priors: 0.0, captures };
        let state = Chess::parse_state(text).expect("a state");
        learned.expectation(&state).expect("it has a value")
    };
    let taken = "4k3/8/8/3P4/8/8/4K3/8 b - - 0 1";
    for (before, hanging) in [
        ("4k3/8/8/3r4/4P3/8/4K3/8 w - - 0 1", true),
        ("4k3/8/2p5/3p4/8/8/3R4/4K3 w - - 0 1", false),
    ] {
        let [plain, after] = [0, 1].map(|captures| expectation(before, captures));
        assert!(after >= plain, "{before}");
        let better = plain.max(-expectation(taken, 0));
        assert_eq!(after, if hanging { better } else { plain }, "{before}");
    }
    // Both sides capture, and a mate on the way is a mate.
    let mate = "4r1k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1";
    assert_eq!(expectation(mate, 4), 1.0);
}

/// Before anything is searched, and whatever settings make of it: they change what the search
/// explores by, not what the network says.
#[test]
fn a_report_says_what_the_network_does() {
    let state = Chess::parse_state("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1").expect("a state");
    let own = game("chess").network().expect("chess brings one").network();
    let (mut inputs, mut outputs, mut moves) = (Vec::new(), Vec::new(), Vec::new());
    state.moves(&mut moves);
    ChessFeatures.write(&state, &mut inputs);
    ChessFeatures.write_moves(&state, &moves, &mut outputs);
    let (mut scratch, mut shares) = (Scratch::default(), Vec::new());
    own.policy(&inputs, &outputs, &mut scratch, &mut shares);
    assert!((shares.iter().sum::<f32>() - 1.0).abs() < 1e-5);
    let any = game("chess").parse_state("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1").expect("a state");
    for spec in ["best", "best:temperature=2,network-prior=1"] {
        let spec = Spec::read(game("chess"), spec).expect("a spec");
        let control = Control {
            clock: &NoClock,
            signal: &Signal::default(),
            every: Duration::MAX,
            observe: &mut |_| {},
        };
        let report = spec.make(&any).think(&Limit::iterations(50), control);
        assert_eq!(report.outlook, own.outlook(&inputs, &mut scratch));
        for entry in &report.moves {
            let place = moves.iter().position(|mv| mv.to_bits() == entry.mv.to_bits());
            assert_eq!(entry.policy, place.map(|place| shares[place]));
        }
    }
}

/// What may appear at a flip is averaged, with nothing drawn.
#[test]
fn a_flip_is_worth_the_average_of_what_may_appear() {
    let learned = Learned {
        known: BanqiKnowledge::default(),
        features: BanqiFeatures,
        network: Arc::new(random("banqi", [64, 64], 3)),
        known_priors: 0.0,
        captures: 0,
    };
    let playouts = Playouts { truncate: Some(Truncate { plies: 0 }), ..Playouts::default() };
    // Two red kings and a black pawn may appear; the last makes the game go on.
    for text in ["X?/XK r KKp 0 first=r", "XXXX/XX?X - KGMRkgmr 0"] {
        let state = Banqi::parse_state(text).expect("a pending state");
        let mut events = Vec::new();
        state.events(&mut events);
        assert!(events.len() > 1, "{text}");
        let side = state.turn();
        let value = |&(event, weight): &(_, u32)| {
            let mut after = state.clone();
            after.settle(event);
            let value = match after.outcome() {
                Some(outcome) => f64::from(outcome.value_for(side)),
                None => -f64::from(learned.expectation(&after).expect("it has a value")),
            };
            value * f64::from(weight)
        };
        let average = events.iter().map(value).sum::<f64>() / f64::from(state.event_weight());
        let mut playouter = Playouter::new(playouts, &learned, &NoOracle, &state);
        let mut rng = Rng::new(1);
        let result = playouter.play(&mut state.clone(), &mut rng);
        let reward = result.reward as f64 / monteverde_mcts::reward::ONE as f64;
        let reward = if side == Side::First { reward } else { -reward };
        assert!((reward - average).abs() < 1e-6, "{text}: {reward} and {average}");
        assert_eq!(rng, Rng::new(1), "nothing is drawn");
    }
}

/// What alpha-beta thinks of the start with a network.
fn minimax_value(name: &str, spec: &str) -> String {
    let game = game(name);
    let start = game.start();
    let mut player = Spec::read(game, spec).expect("a spec").make(&start);
    let control = Control {
        clock: &NoClock,
        signal: &Signal::default(),
        every: Duration::MAX,
        observe: &mut |_| {},
    };
    let report = player.think(&Limit::none(), control);
    assert!(report.best.is_some());
    format!("{:?}", report.moves)
}

#[test]
fn alphabeta_evaluates_by_the_value() {
    for (name, player) in [("chess", "ab"), ("loa", "mia")] {
        let (folder, path) = with_file(name);
        let spec = format!("{player}:depth=3,network={path}");
        let with = minimax_value(name, &spec);
        assert_eq!(with, minimax_value(name, &spec));
        assert_ne!(with, minimax_value(name, &format!("{player}:depth=3")));
        let policy = folder.path().join("policy.net");
        put(&policy, &random(name, [0, 64], 1));
        let spec = format!("{player}:network={}", policy.display());
        let said = Spec::read(game(name), &spec).expect_err("no value").to_string();
        assert!(said.contains("it has no value"), "{said}");
    }
}
