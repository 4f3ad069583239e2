//! Experiments that play out named positions at random.

use super::result::NamedTally;
use monteverde_lab::keys::{FileError, only, optional, required};
use monteverde_lab::measure::{Findings, Probe, ProbeKind};
use toml::Table;

/// Random games from some positions, equally many from each.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Playouts {
    game: String,
    seed: u64,
    count: u64,
    /// The spec of the player whose playouts they are.
    player: Option<String>,
    positions: Vec<Position>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct Position {
    name: String,
    state: String,
    moves: Vec<String>,
    /// Whose playouts, where they are not those of the common player.
    player: Option<String>,
}

impl Playouts {
    pub(super) fn read(table: &Table) -> Result<Playouts, FileError> {
        const PLACE: &str = "the table 'playouts'";
        only(PLACE, table, &["game", "seed", "count", "player", "position"])?;
        let positions: Vec<Table> = required(PLACE, table, "position")?;
        let position = |table: &Table| {
            const PLACE: &str = "a position";
            only(PLACE, table, &["name", "state", "moves", "player"])?;
            Ok(Position {
                name: required(PLACE, table, "name")?,
                state: optional(PLACE, table, "state")?.unwrap_or_else(|| "startpos".to_owned()),
                moves: optional(PLACE, table, "moves")?.unwrap_or_default(),
                player: optional(PLACE, table, "player")?,
            })
        };
        Ok(Playouts {
            game: required(PLACE, table, "game")?,
            seed: optional(PLACE, table, "seed")?.unwrap_or(1),
            count: required(PLACE, table, "count")?,
            player: optional(PLACE, table, "player")?,
            positions: positions.iter().map(position).collect::<Result<_, FileError>>()?,
        })
    }

    /// The names of the positions.
    pub(super) fn names(&self) -> Vec<String> {
        self.positions.iter().map(|position| position.name.clone()).collect()
    }

    /// Keeps one position.
    pub(super) fn only(&mut self, number: usize) {
        self.positions = vec![self.positions.swap_remove(number)];
    }

    /// The measurement of each position.
    pub(super) fn probes(&self, build: &str) -> Vec<Probe> {
        let probe = |position: &Position| Probe {
            game: self.game.clone(),
            state: position.state.clone(),
            moves: position.moves.clone(),
            kind: ProbeKind::Playouts {
                count: self.count,
                player: position.player.clone().or_else(|| self.player.clone()),
            },
            seed: self.seed,
            build: build.to_owned(),
        };
        self.positions.iter().map(probe).collect()
    }

    /// What was found, with the names of the positions.
    pub(super) fn named(&self, findings: Vec<Findings>) -> Vec<NamedTally> {
        let tally = |(position, findings): (&Position, Findings)| match findings {
            Findings::Playouts(tally) => NamedTally { name: position.name.clone(), tally },
            _ => unreachable!("playouts find tallies"),
        };
        self.positions.iter().zip(findings).map(tally).collect()
    }
}
