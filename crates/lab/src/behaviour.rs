//! What a program plays, as a few digits: programs that play alike have the same, whenever they
//! were built.
//!
//! Keys of tasks and measurements hold it, so that a rebuilt program goes on with its store. It is
//! made of the game's lines of the signature ([`monteverde_players::signature`]), of the endgame
//! tables that are asked, and of the networks. Lines of players with a network count only where one
//! of them takes part: another network for `best` is nothing to those who play without. What the
//! lab itself does with the players is no part of the signature: `LAB` stands for it.

use crate::build::build;
use monteverde_players::{AnyGame, Spec, signature};
use std::collections::HashMap;
use std::sync::{Mutex, OnceLock, PoisonError};

/// To be raised when games or measurements of the same players come out otherwise.
const LAB: u32 = 1;

/// Whether the program was built from the sources that its signature was recorded with.
static TREE: OnceLock<Tree> = OnceLock::new();

/// The sources that a program was built from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tree {
    /// Those of a commit, whose signature is the recorded one.
    Committed,
    /// Others: nobody knows how its players search until they have.
    Changed,
}

/// Says what the program was built from; without that it is a commit. Only the first word counts,
/// and only if it comes before the first key is made.
pub fn built_from(tree: Tree) {
    let _ = TREE.set(tree);
}

/// What players ask beside their own knowledge.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Asked {
    /// Endgame tables of up to so many pieces; 0 for none.
    pub pieces: u32,
    /// Networks, as specs write them, in order and each once.
    pub networks: Vec<String>,
}

impl Asked {
    /// What these players ask. Unreadable specs are reported by [`Spec::read`].
    pub fn by<'s>(game: AnyGame, specs: impl IntoIterator<Item = &'s str>) -> Asked {
        let mut asked = Asked::default();
        for spec in specs.into_iter().filter_map(|text| Spec::read(game, text).ok()) {
            asked.pieces = asked.pieces.max(spec.pieces_asked());
            asked.networks.extend(spec.network().map(ToString::to_string));
        }
        asked.networks.sort();
        asked.networks.dedup();
        asked
    }

    /// The same, with endgame tables of at least so many pieces.
    pub fn or_tables(mut self, pieces: u32) -> Asked {
        self.pieces = self.pieces.max(pieces);
        self
    }
}

/// The behaviour of a program in a game whose players ask that. Of another program than this one
/// nothing is known but its build, which then stands for it.
pub fn behaviour(program: &str, game: AnyGame, asked: &Asked) -> String {
    if program != build() {
        return program.to_owned();
    }
    let Behaviours { plain, with_networks } = behaviours(game, asked.pieces);
    if asked.networks.is_empty() {
        return plain;
    }
    // Where a file lies makes no difference.
    let digest = |text: &String| text.rsplit('@').next().unwrap_or_default().to_owned();
    let digests: Vec<String> = asked.networks.iter().map(digest).collect();
    format!("{with_networks} networks {}", digests.join(" "))
}

/// What a program plays in a game, with endgame tables of up to some number of pieces.
#[derive(Clone, Debug)]
struct Behaviours {
    /// Where nobody has a network.
    plain: String,
    /// Where somebody has, without saying which.
    with_networks: String,
}

fn behaviours(game: AnyGame, pieces: u32) -> Behaviours {
    static KNOWN: Mutex<Option<HashMap<(Edition, u32), Behaviours>>> = Mutex::new(None);
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let known = known.get_or_insert_default();
    let edition = Edition::of(game);
    let source = edition.source.clone();
    let own = || {
        let tables = game.tables_digest(pieces);
        let text = |searches: u64| {
            let mut text = format!("{LAB} {searches:016x}");
            for (name, digest) in [("tables", &tables), ("source", &source)] {
                if !digest.is_empty() {
                    text.push_str(&format!(" {name} {digest}"));
                }
            }
            text
        };
        let Searches { plain, all } = searches(game, &signature_lines(game));
        Behaviours { plain: text(in_keys(plain)), with_networks: text(all) }
    };
    known.entry((edition, pieces)).or_insert_with(own).clone()
}

/// The lines of a game's signature by which this program plays: those that are recorded, as long as
/// they are known to be its own, else computed, which is done once.
pub fn signature_lines(game: AnyGame) -> Vec<String> {
    static KNOWN: Mutex<Option<HashMap<Edition, Vec<String>>>> = Mutex::new(None);
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let own = || lines(game, TREE.get().copied().unwrap_or(Tree::Committed));
    known.get_or_insert_default().entry(Edition::of(game)).or_insert_with(own).clone()
}

fn lines(game: AnyGame, tree: Tree) -> Vec<String> {
    let recorded = game.recorded_signature();
    match tree {
        Tree::Committed if !recorded.is_empty() => {
            recorded.into_iter().map(str::to_owned).collect()
        }
        _ => signature::lines(game).iter().map(ToString::to_string).collect(),
    }
}

/// A game with what it brings: one that is made at run time may change under its name.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Edition {
    name: &'static str,
    source: String,
    /// The digest of its network.
    network: Option<String>,
}

impl Edition {
    fn of(game: AnyGame) -> Edition {
        let network = game.network().map(|own| own.network().digest().to_owned());
        Edition { name: game.name(), source: game.source_digest(), network }
    }
}

/// Hashes of lines of a game's signature.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Searches {
    /// Of the lines of players without a network.
    plain: u64,
    /// Of all.
    all: u64,
}

/// Hashes of the lines of players without a network, and of all lines that there were with them
/// when keys still held all; lines of new players may have been added to the former. A store of
/// that time goes on as long as its players play as they did; once a line of a game has changed,
/// its row is of no more use.
const ONCE_ALL: [(u64, u64); 3] = [
    // Chess, Lines of Action, Chinese dark chess.
    (0x341f_2eaf_19e3_3f82, 0x1b0b_b0f3_02e4_7102),
    (0x9f45_6009_9d76_d895, 0xa0db_51bb_b67d_b39e),
    (0xc04b_b88c_ff01_cea7, 0x51b2_96c2_c8d6_b1d5),
];

/// What stands in keys for lines of players without a network.
fn in_keys(plain: u64) -> u64 {
    ONCE_ALL.iter().find(|(lines, _)| *lines == plain).map_or(plain, |(_, all)| *all)
}

fn searches(game: AnyGame, lines: &[String]) -> Searches {
    let has_network = |line: &str| {
        let spec = signature::spec_of(line).and_then(|text| Spec::read(game, text).ok());
        spec.is_some_and(|spec| spec.network().is_some())
    };
    let plain: Vec<&str> =
        lines.iter().map(String::as_str).filter(|line| !has_network(line)).collect();
    Searches { plain: signature::hash(&plain.join("\n")), all: signature::hash(&lines.join("\n")) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::game;
    use monteverde_game::fixtures::TicTacToe;
    use monteverde_network::Network;
    use monteverde_players::{Entry, Games};

    #[test]
    fn a_program_is_known_by_what_it_plays_and_another_by_its_build() {
        let nothing = Asked::default();
        let chess = behaviour(build(), game("chess"), &nothing);
        let three = behaviour(build(), game("chess"), &Asked::default().or_tables(3));
        assert_eq!(chess, three, "those of three pieces are always there");
        assert!(!chess.contains(build()));
        assert_ne!(chess, behaviour(build(), game("loa"), &nothing));
        assert_eq!(behaviour("another", game("chess"), &nothing), "another");
        // The lines that are recorded are those that are computed.
        let lines = signature::lines(game("tic-tac-toe"));
        let text: Vec<_> = lines.iter().map(ToString::to_string).collect();
        let all = signature::hash(&text.join("\n"));
        let searches = |name| searches(game(name), &signature_lines(game(name)));
        assert_eq!(searches("tic-tac-toe"), Searches { plain: all, all });
        // Where players have networks, the others' lines are fewer.
        for name in ["chess", "loa", "banqi"] {
            let Searches { plain, all } = searches(name);
            assert_ne!(plain, all, "{name}");
        }
    }

    /// A game whose recorded line is that of an earlier program.
    #[derive(Clone, Copy, Debug)]
    struct Outdated;

    impl Entry for Outdated {
        type Game = TicTacToe;

        fn recorded_signature(&self) -> &'static str {
            "tic-tac-toe uct 01\n"
        }
    }

    #[test]
    fn lines_that_are_recorded_are_computed_in_a_changed_tree() {
        let games = Games::new().with(Outdated);
        let game = games.game("tic-tac-toe").expect("it has just been added");
        assert_eq!(lines(game, Tree::Committed), ["tic-tac-toe uct 01"]);
        let computed = lines(game, Tree::Changed);
        assert_eq!(computed.len(), 1);
        assert_ne!(computed, ["tic-tac-toe uct 01"]);
    }

    #[test]
    fn lines_that_once_stood_with_all_others_are_found_under_those() {
        for (plain, all) in ONCE_ALL {
            assert_eq!((in_keys(plain), in_keys(all)), (all, all));
        }
        assert_eq!(in_keys(7), 7);
    }

    #[test]
    fn tables_are_asked_by_those_that_do() {
        let asked = |specs: &[&str]| Asked::by(game("chess"), specs.iter().copied()).pieces;
        assert_eq!(asked(&["mcc", "ab", "nobody"]), 0);
        assert_eq!(asked(&["mcc", "best"]), 4);
        assert_eq!(asked(&["mcc-gtb:pieces=5", "best"]), 5);
        assert_eq!(Asked::by(game("loa"), ["best"]).pieces, 0);
    }

    #[test]
    fn a_network_counts_by_its_digest_and_not_by_where_it_lies() {
        let folder = tempfile::tempdir().expect("a folder");
        let loa = game("loa");
        let features = loa.features().expect("it has networks").description();
        let put = |name: &str, seed: u64| {
            let network = Network::random("loa", features, [64, 64], seed).expect("a network");
            let path = folder.path().join(name);
            std::fs::write(&path, network.write()).expect("it can be written");
            format!("best:network={}", path.display())
        };
        let of = |specs: &[&str]| behaviour(build(), loa, &Asked::by(loa, specs.iter().copied()));
        let (one, same, other) = (put("a.net", 1), put("b.net", 1), put("c.net", 2));
        assert_eq!(of(&[&one]), of(&[&same]));
        assert_ne!(of(&[&one]), of(&[&other]));
        assert_ne!(of(&[&one]), of(&["best"]));
        assert_eq!(of(&[&one, &other]), of(&[&other, &one]));
        assert_eq!(of(&["best:network=own"]), of(&["best"]));
        assert_ne!(of(&["best:network=none"]), of(&["best"]));
        assert_eq!(of(&["best:network=none"]), of(&["mia"]));
    }
}
