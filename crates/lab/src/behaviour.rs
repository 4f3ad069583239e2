//! What a program plays, as a few digits: programs that play alike have the same, whenever they
//! were built.
//!
//! Keys of tasks and measurements hold it, so that a rebuilt program goes on with its store. It is
//! made of the game's lines of the signature ([`monteverde_players::signature`]) and of the endgame
//! tables that are asked. What the lab itself does with the players is no part of the signature:
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

/// The behaviour of a program in a game in which endgame tables of up to so many pieces are asked,
/// 0 for none. Of another program than this one nothing is known but its build, which then stands
/// for it.
pub fn behaviour(program: &str, game: AnyGame, pieces: u32) -> String {
    if program != build() {
        return program.to_owned();
    }
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

/// The most pieces that any of these players asks endgame tables about, 0 for none. Unreadable
/// specs are reported by [`Spec::read`].
pub fn pieces_asked<'s>(game: AnyGame, specs: impl IntoIterator<Item = &'s str>) -> u32 {
    let asked = |text| Spec::read(game, text).map_or(0, |spec| spec.pieces_asked());
    specs.into_iter().map(asked).max().unwrap_or(0)
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

    #[test]
    fn a_program_is_known_by_what_it_plays_and_another_by_its_build() {
        let chess = behaviour(build(), game("chess"), 0);
        let three = behaviour(build(), game("chess"), 3);
        assert_eq!(chess, three, "those of three pieces are always there");
        assert!(!chess.contains(build()));
        assert_ne!(chess, behaviour(build(), game("loa"), 0));
        assert_eq!(behaviour("another", game("chess"), 0), "another");
        // The lines that are recorded are those that are computed.
        let lines = signature::lines(game("tic-tac-toe"));
        let text: Vec<_> = lines.iter().map(ToString::to_string).collect();
        assert_eq!(searches(game("tic-tac-toe")), signature::hash(&text.join("\n")));
    }

    #[test]
    fn tables_are_asked_by_those_that_do() {
        let asked = |specs: &[&str]| pieces_asked(game("chess"), specs.iter().copied());
        assert_eq!(asked(&["mcc", "ab", "nobody"]), 0);
        assert_eq!(asked(&["mcc", "best"]), 4);
        assert_eq!(asked(&["mcc-gtb:pieces=5", "best"]), 5);
        assert_eq!(pieces_asked(game("loa"), ["best"]), 0);
    }
}
