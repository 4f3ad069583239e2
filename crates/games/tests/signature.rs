//! The signature: every player searches as it did, and every technique is looked at.

use monteverde_games::{SIGNATURE, games};
use monteverde_players::setting::{Setting, SettingKind};
use monteverde_players::{AnyGame, SignatureCase, Spec, signature};
use std::collections::{HashMap, HashSet};

/// Each game has a test of its own, so that they run side by side.
fn is_as_recorded(game: &str) {
    let is_of_game = |line: &&str| line.split(' ').next() == Some(game);
    let recorded: Vec<_> = SIGNATURE.lines().filter(is_of_game).map(str::to_owned).collect();
    let game = games().game(game).expect("the game");
    let found: Vec<_> = signature::lines(game).iter().map(ToString::to_string).collect();
    let lost = recorded.iter().filter(|line| !found.contains(line)).map(|line| format!("-{line}"));
    let new = found.iter().filter(|line| !recorded.contains(line)).map(|line| format!("+{line}"));
    let differing: Vec<_> = lost.chain(new).collect();
    assert!(
        recorded == found,
        "these players do not search as crates/games/signature.txt says:\n{}\nif that is meant, write it anew: \
         monteverde bench --signature > crates/games/signature.txt",
        differing.join("\n")
    );
}

#[test]
fn chess_is_searched_as_recorded() {
    is_as_recorded("chess");
}

#[test]
fn loa_is_searched_as_recorded() {
    is_as_recorded("loa");
}

#[test]
fn banqi_is_searched_as_recorded() {
    is_as_recorded("banqi");
}

#[test]
fn small_games_are_searched_as_recorded() {
    is_as_recorded("tic-tac-toe");
    is_as_recorded("dice-race");
}

#[test]
fn every_line_of_the_file_belongs_to_a_game_and_no_player_has_two() {
    let mut players = HashSet::new();
    for line in SIGNATURE.lines() {
        let (player, _) = line.rsplit_once(' ').expect("a hash comes last");
        let (game, _) = player.split_once(' ').expect("a game comes first");
        assert!(games().game(game).is_ok(), "{line}");
        assert!(players.insert(player), "{player} is there twice");
    }
}

/// A technique that changed nothing would be missed by nobody: each differs from its base, and from
/// all its siblings.
#[test]
fn no_line_is_blind() {
    let blind: Vec<_> = games().iter().flat_map(blind).collect();
    assert!(blind.is_empty(), "{}", blind.join("\n"));
}

fn blind(game: AnyGame) -> Vec<String> {
    let mut blind = Vec::new();
    for case in game.signature() {
        let mut seen = HashMap::new();
        let base = Some("").filter(|_| !case.lines.contains(&""));
        for line in base.iter().chain(case.lines) {
            let spec = case.spec(line);
            if let Some(other) = seen.insert(case.hash(game, &spec), spec.clone()) {
                blind.push(format!("{game:?}: {spec} is like {other}"));
            }
        }
    }
    blind
}

#[test]
fn every_named_player_has_a_line() {
    for game in games().iter() {
        for name in game.player_names() {
            let is_named = |case: &SignatureCase| {
                case.base.split(':').next() == Some(name) && case.lines.contains(&"")
            };
            assert!(game.signature().iter().any(is_named), "{game:?}: {name}");
        }
    }
}

/// What no line has to differ in: the clock is none of a search's with so many iterations, and
/// results of several threads do not repeat. Networks are files, and `network.rs` tests them.
/// When moves are listed changes the time that a search takes, and not what it finds.
const WITHOUT: [&str; 8] = [
    "threads",
    "fraction",
    "soft-stop",
    "clock-share",
    "expand",
    "network",
    "network-captures",
    "network-prior",
];

/// Which settings or words of settings no line has.
fn unused<S: 'static>(
    table: fn(AnyGame) -> &'static [Setting<S>],
    of: impl Fn(&Spec) -> Option<&S>,
) -> Vec<String> {
    let mut words: HashMap<&str, Vec<&str>> = HashMap::new();
    let mut values: HashMap<&str, HashSet<String>> = HashMap::new();
    for game in games().iter() {
        let read = |text: String| Spec::read(game, &text).expect("a spec of the signature");
        let specs = game.signature().iter().flat_map(|case| case.specs());
        let specs: Vec<_> = specs.map(read).collect();
        for setting in table(game).iter().filter(|setting| !WITHOUT.contains(&setting.name)) {
            let found = specs.iter().filter_map(&of).filter_map(|known| setting.value(known));
            values.entry(setting.name).or_default().extend(found);
            words.insert(
                setting.name,
                match &setting.kind {
                    SettingKind::Word { words, .. } => words.to_vec(),
                    SettingKind::RealOrWord { words, .. } => words.to_vec(),
                    SettingKind::Flag { .. } => vec!["on", "off"],
                    _ => Vec::new(),
                },
            );
        }
    }
    let mut unused = Vec::new();
    for (name, words) in words {
        let values = &values[name];
        let lacking = words.iter().filter(|&&word| !values.contains(word));
        unused.extend(lacking.map(|word| format!("{name}={word}")));
        if values.len() < 2 {
            unused.push(name.to_owned());
        }
    }
    unused
}

#[test]
fn every_setting_has_a_line() {
    assert_eq!(unused(AnyGame::settings, |spec| spec.settings()), [""; 0]);
    assert_eq!(unused(AnyGame::alphabeta_settings, |spec| spec.alphabeta()), [""; 0]);
}
