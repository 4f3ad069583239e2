//! The players of an experiment that has several.

use monteverde_lab::keys::{FileError, only, optional, required};
use toml::Table;

/// A player with its name in tables.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct NamedPlayer {
    pub(super) name: String,
    pub(super) spec: String,
    /// The part of the common limit that it gets, in 0..=1.
    pub(super) part: f64,
}

/// Reads the players; one without a name is named by its spec.
pub(super) fn read(
    place: &str,
    table: &Table,
    known: &[&'static str],
) -> Result<Vec<NamedPlayer>, FileError> {
    let players: Vec<Table> = required(place, table, "player")?;
    let player = |table: &Table| {
        const PLACE: &str = "a player";
        only(PLACE, table, known)?;
        let spec: String = required(PLACE, table, "spec")?;
        let name = optional(PLACE, table, "name")?.unwrap_or_else(|| spec.clone());
        let part = optional(PLACE, table, "part")?.unwrap_or(1.0);
        if !(part > 0.0 && part <= 1.0) {
            return Err(FileError::Value {
                place: format!("the key 'part' of {PLACE}"),
                problem: format!("{part} is not accepted; numbers above 0 up to 1 are"),
            });
        }
        Ok(NamedPlayer { name, spec, part })
    };
    players.iter().map(player).collect()
}

/// Their names.
pub(super) fn names(players: &[NamedPlayer]) -> Vec<String> {
    players.iter().map(|player| player.name.clone()).collect()
}
