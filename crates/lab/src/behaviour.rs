//! What a program plays, as a few digits: programs that play alike have the same, whenever they
//! were built.
//!
//! Keys of tasks and measurements hold it, so that a rebuilt program goes on with its store. It is
//! made of the game's lines of the signature ([`monteverde_players::signature`]) and of the endgame
//! tables that are asked. What the lab itself does with the players is no part of the signature:
//! [`LAB`] stands for it.

use crate::build::build;
use monteverde_players::{Playable, Spec, Visitor, signature, visit};
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
pub fn behaviour(program: &str, game: &str, pieces: u32) -> String {
    if program != build() {
        return program.to_owned();
    }
    static KNOWN: Mutex<Option<HashMap<(String, u32), String>>> = Mutex::new(None);
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let known = known.get_or_insert_default();
    known.entry((game.to_owned(), pieces)).or_insert_with(|| own(game, pieces)).clone()
}

/// The most pieces that any of these players asks endgame tables about, 0 for none. Unreadable
/// specs are reported by [`Spec::parse`].
pub fn pieces_asked<'s>(game: &str, specs: impl IntoIterator<Item = &'s str>) -> u32 {
    struct Asked<'s>(&'s str);
    impl Visitor for Asked<'_> {
        type Output = u32;
        fn visit<G: Playable>(self) -> u32 {
            Spec::parse::<G>(self.0).map_or(0, |spec| spec.pieces_asked())
        }
    }
    specs.into_iter().map(|spec| visit(game, Asked(spec)).unwrap_or(0)).max().unwrap_or(0)
}

fn own(game: &str, pieces: u32) -> String {
    struct Tables(u32);
    impl Visitor for Tables {
        type Output = Option<String>;
        fn visit<G: Playable>(self) -> Option<String> {
            G::tables_digest(self.0)
        }
    }
    let searches = match searches(game) {
        Some(hash) => format!("{hash:016x}"),
        // A game without a signature: another executable may play it otherwise.
        None => build().to_owned(),
    };
    match visit(game, Tables(pieces)).ok().flatten() {
        Some(tables) => format!("{LAB} {searches} tables {tables}"),
        None => format!("{LAB} {searches}"),
    }
}

/// The hash of all lines of the game's signature.
fn searches(game: &str) -> Option<u64> {
    let recorded = || {
        let is_of_game = |line: &&str| line.split(' ').next() == Some(game);
        signature::RECORDED.lines().filter(is_of_game).map(str::to_owned).collect()
    };
    let lines: Vec<String> = match TREE.get() {
        Some(Tree::Changed) => {
            let lines = signature::lines(game).unwrap_or_default();
            lines.iter().map(ToString::to_string).collect()
        }
        Some(Tree::Committed) | None => recorded(),
    };
    (!lines.is_empty()).then(|| signature::hash(&lines.join("\n")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_is_known_by_what_it_plays_and_another_by_its_build() {
        let chess = behaviour(build(), "chess", 0);
        assert_eq!(chess, behaviour(build(), "chess", 3), "those of three pieces are always there");
        assert!(!chess.contains(build()));
        assert_ne!(chess, behaviour(build(), "loa", 0));
        assert_eq!(behaviour("another", "chess", 0), "another");
        // The lines that are recorded are those that are computed.
        let lines = signature::lines("tic-tac-toe").expect("the game");
        let text: Vec<_> = lines.iter().map(ToString::to_string).collect();
        assert_eq!(searches("tic-tac-toe"), Some(signature::hash(&text.join("\n"))));
        assert_eq!(searches("nim"), None);
        assert!(behaviour(build(), "nim", 0).contains(build()));
    }

    #[test]
    fn tables_are_asked_by_those_that_do() {
        let asked = |specs: &[&str]| pieces_asked("chess", specs.iter().copied());
        assert_eq!(asked(&["mcc", "ab", "nobody"]), 0);
        assert_eq!(asked(&["mcc", "best"]), 4);
        assert_eq!(asked(&["mcc-gtb:pieces=5", "best"]), 5);
        assert_eq!(pieces_asked("loa", ["best"]), 0);
    }
}
