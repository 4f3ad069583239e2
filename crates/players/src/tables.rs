//! The endgame tables that players of chess ask.
//!
//! All players of a process share them. They lie in the folder that the environment variable
//! `MONTEVERDE_TABLEBASE` names, or in the user's cache folder; those of three pieces are built there at
//! first use.

use monteverde_chess::Chess;
use monteverde_game::{Oracle, Proof};
use monteverde_tablebase::{TableError, Tables};
use std::path::PathBuf;
use std::sync::OnceLock;

/// Names the folder with the tables.
pub const VARIABLE: &str = "MONTEVERDE_TABLEBASE";

/// Tables of three pieces are always there.
const BUILT_IN: u32 = 3;

/// The tables as a player asks them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ChessTables {
    /// Boards with more pieces than this are left open; 0 asks nothing and opens no table.
    pub pieces: u32,
    /// Playouts of a search whose root has fewer pieces than this do without.
    pub least_root: u32,
}

impl Oracle<Chess> for ChessTables {
    #[inline(always)]
    fn probe(&self, state: &Chess) -> Proof {
        if state.board().occupied().count() > self.pieces {
            return Proof::Open;
        }
        shared().tables.probe(state.board())
    }

    fn is_useful_at(&self, root: &Chess) -> bool {
        root.board().occupied().count() >= self.least_root
    }
}

/// The folder with the tables; `None` where neither the variable nor a home folder is known.
pub fn folder() -> Option<PathBuf> {
    let named = std::env::var_os(VARIABLE).filter(|name| !name.is_empty());
    named.map(PathBuf::from).or_else(Tables::cache_dir)
}

/// What a player that asks tables of up to so many pieces has to do without, as a sentence; `None` where
/// nothing is missing.
pub fn missing(pieces: u32) -> Option<String> {
    if pieces <= BUILT_IN {
        return None;
    }
    let shared = shared();
    if let Some(error) = &shared.error {
        return Some(format!("it plays with tables of {BUILT_IN} pieces only: {error}"));
    }
    let wanted = monteverde_tablebase::Material::all(pieces as usize);
    let found: Vec<_> = shared.tables.materials().collect();
    let lacking = wanted.iter().filter(|material| !found.contains(material)).count();
    let place = folder()
        .map_or("a folder named by ".to_owned() + VARIABLE, |dir| dir.display().to_string());
    (lacking > 0).then(|| {
        format!(
            "it plays without {lacking} of the {} endgame tables of up to {pieces} pieces; \
             'monteverde tablebase build --pieces {pieces} --dir {place}' builds them",
            wanted.len()
        )
    })
}

/// What all players of the process share.
struct Shared {
    tables: Tables,
    /// Why the folder cannot be used, if so.
    error: Option<TableError>,
}

fn shared() -> &'static Shared {
    static SHARED: OnceLock<Shared> = OnceLock::new();
    SHARED.get_or_init(|| {
        let folder = folder();
        let built_in = Tables::three_pieces(folder.as_deref());
        // The tables of three pieces have just been stored there, unless nothing can be.
        match folder.filter(|dir| dir.is_dir()).map(|dir| Tables::open(&dir)) {
            Some(Ok(tables)) if tables.materials().count() > built_in.materials().count() => {
                Shared { tables, error: None }
            }
            Some(Err(error)) => Shared { tables: built_in, error: Some(error) },
            _ => Shared { tables: built_in, error: None },
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use monteverde_game::Notation;

    #[test]
    fn a_player_asks_no_further_than_it_is_told() {
        let state = Chess::parse_state("8/8/8/8/8/2k5/8/K1Q5 b - - 0 1").expect("a state");
        let tables = |pieces| ChessTables { pieces, least_root: 8 };
        assert!(tables(3).probe(&state).is_proven());
        assert_eq!(tables(0).probe(&state), Proof::Open);
        assert!(!tables(3).is_useful_at(&state));
        assert!(tables(3).is_useful_at(&Chess::start()));
        assert_eq!(missing(3), None);
    }
}
