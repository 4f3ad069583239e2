//! What a program plays, as a few digits: programs that play alike have the same, whenever they
//! were built.
//!
//! Keys of tasks and measurements hold it, so that a rebuilt program goes on with its store. It is
//! made of the game's lines of the signature ([`monteverde_players::signature`]), of the endgame
//! tables that are asked, and of the networks. What the lab itself does with the players is no part of the signature:
//! `LAB` stands for it.

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
    let without = without_networks(game, asked.pieces);
    if asked.networks.is_empty() {
        return without;
    }
    // Where a file lies makes no difference.
    let digest = |text: &String| text.rsplit('@').next().unwrap_or_default().to_owned();
    let digests: Vec<String> = asked.networks.iter().map(digest).collect();
    format!("{without} networks {}", digests.join(" "))
}

fn without_networks(game: AnyGame, pieces: u32) -> String {
    /// By the game's name and source, and the pieces.
    type Known = HashMap<(String, String, u32), String>;
    static KNOWN: Mutex<Option<Known>> = Mutex::new(None);
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let known = known.get_or_insert_default();
    // A game that is made at run time may change under its name.
    let source = game.source_digest();
    let key = (game.name().to_owned(), source.clone(), pieces);
    let own = || match source.as_str() {
        "" => own(game, pieces),
        source => format!("{} source {source}", own(game, pieces)),
    };
    known.entry(key).or_insert_with(own).clone()
}

fn own(game: AnyGame, pieces: u32) -> String {
    let searches = searches(game);
    match game.tables_digest(pieces).as_str() {
        "" => format!("{LAB} {searches:016x}"),
        tables => format!("{LAB} {searches:016x} tables {tables}"),
    }
}

/// The hash of all lines of the game's signature: those that are recorded, as long as the program
/// is known to play by them.
fn searches(game: AnyGame) -> u64 {
    let recorded = match TREE.get() {
        Some(Tree::Changed) => Vec::new(),
        Some(Tree::Committed) | None => game.recorded_signature(),
    };
    let lines: Vec<String> = match recorded.is_empty() {
        true => signature::lines(game).iter().map(ToString::to_string).collect(),
        false => recorded.into_iter().map(str::to_owned).collect(),
    };
    signature::hash(&lines.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::game;
    use monteverde_network::Network;

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
        assert_eq!(searches(game("tic-tac-toe")), signature::hash(&text.join("\n")));
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
