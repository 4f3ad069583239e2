use super::*;
use crate::setting::{Described, Kind};
use crate::{Settings, alphabeta::AlphaBeta};
use std::collections::{HashMap, HashSet};

#[test]
fn the_hash_is_fnv_1a() {
    // The published value.
    assert_eq!(hash("foobar"), 0x8594_4171_f739_67e8);
}

/// Each game has a test of its own, so that they run side by side.
fn is_as_recorded(game: &str) {
    let is_of_game = |line: &&str| line.split(' ').next() == Some(game);
    let recorded: Vec<_> = RECORDED.lines().filter(is_of_game).map(str::to_owned).collect();
    let found: Vec<_> = lines(game).expect("the game").iter().map(ToString::to_string).collect();
    let lost = recorded.iter().filter(|line| !found.contains(line)).map(|line| format!("-{line}"));
    let new = found.iter().filter(|line| !recorded.contains(line)).map(|line| format!("+{line}"));
    let differing: Vec<_> = lost.chain(new).collect();
    assert!(
        recorded == found,
        "these players do not search as crates/players/signature.txt says:\n{}\nif that is meant, write it anew: \
         monteverde bench --signature > crates/players/signature.txt",
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
    for line in RECORDED.lines() {
        let (player, _) = line.rsplit_once(' ').expect("a hash comes last");
        let (game, _) = player.split_once(' ').expect("a game comes first");
        assert!(GAMES.iter().any(|entry| entry.name == game), "{line}");
        assert!(players.insert(player), "{player} is there twice");
    }
}

struct Blind;

impl Visitor for Blind {
    type Output = Vec<String>;

    fn visit<G: Playable>(self) -> Vec<String> {
        let mut blind = Vec::new();
        for group in groups(G::NAME) {
            let mut seen = HashMap::new();
            let base = Some("").filter(|_| !group.lines.contains(&""));
            for line in base.iter().chain(group.lines) {
                let spec = group.spec(line);
                if let Some(other) = seen.insert(group.hash::<G>(&spec), spec.clone()) {
                    blind.push(format!("{}: {spec} is like {other}", G::NAME));
                }
            }
        }
        blind
    }
}

/// A technique that changed nothing would be missed by nobody: each differs from its base, and from all its siblings.
#[test]
fn no_line_is_blind() {
    let of_game = |entry: &crate::registry::Entry| visit(entry.name, Blind).expect("the game");
    let blind: Vec<_> = GAMES.iter().flat_map(of_game).collect();
    assert!(blind.is_empty(), "{}", blind.join("\n"));
}

#[test]
fn every_named_player_has_a_line() {
    for entry in GAMES {
        for name in entry.names() {
            let is_named = |group: &Group| {
                group.base.split(':').next() == Some(name) && group.lines.contains(&"")
            };
            assert!(groups(entry.name).iter().any(is_named), "{}: {name}", entry.name);
        }
    }
}

/// What no line has to differ in: the clock is none of a search's with so many iterations, and results of several
/// threads do not repeat.
const WITHOUT: [&str; 2] = ["threads", "fraction"];

struct Specs;

impl Visitor for Specs {
    type Output = Vec<Spec>;

    fn visit<G: Playable>(self) -> Vec<Spec> {
        let parse = |text: String| Spec::parse::<G>(&text).expect("a spec of the signature");
        let of_group =
            |group: &'static Group| group.lines.iter().map(|line| parse(group.spec(line)));
        groups(G::NAME).iter().flat_map(of_group).collect()
    }
}

/// Which settings or words of settings no line has.
fn unused<S: Described>(of: impl Fn(&Spec) -> Option<&S>) -> Vec<String> {
    let specs: Vec<Spec> =
        GAMES.iter().flat_map(|entry| visit(entry.name, Specs).expect("the game")).collect();
    let all: Vec<&S> = specs.iter().filter_map(of).collect();
    let mut unused = Vec::new();
    for setting in S::TABLE.iter().filter(|setting| !WITHOUT.contains(&setting.name)) {
        let values: HashSet<_> =
            all.iter().filter_map(|settings| setting.value(settings)).collect();
        let mut words: Vec<&str> = match &setting.kind {
            Kind::Word { words, .. } | Kind::Choice { words, .. } => words.to_vec(),
            Kind::RealOrWord { words, .. } => words.to_vec(),
            Kind::Flag { .. } => vec!["on", "off"],
            _ => Vec::new(),
        };
        words.retain(|&word| !values.contains(word));
        unused.extend(words.iter().map(|word| format!("{}={word}", setting.name)));
        if values.len() < 2 {
            unused.push(setting.name.to_owned());
        }
    }
    unused
}

#[test]
fn every_setting_has_a_line() {
    assert_eq!(unused::<Settings>(|spec| spec.settings()), [""; 0]);
    assert_eq!(unused::<AlphaBeta>(|spec| spec.alphabeta()), [""; 0]);
}
