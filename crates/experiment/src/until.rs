//! Experiments that ask how long each of some players takes to choose a move for good.

use super::result::NamedWaits;
use monteverde_lab::keys::{FileError, only, optional, required};
use monteverde_lab::measure::{Findings, Probe, ProbeKind};
use toml::Table;

/// A state, a move, and the players that are to find it.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Until {
    game: String,
    state: String,
    moves: Vec<String>,
    answer: String,
    seed: u64,
    limit: u64,
    count: u64,
    players: Vec<Named>,
}

/// A player with its name in tables.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Named {
    pub(super) name: String,
    pub(super) spec: String,
    /// The part of the common limit that it gets, in 0..=1.
    part: f64,
}

impl Named {
    /// Reads the players of an experiment; one without a name is named by its spec.
    pub(super) fn read(
        place: &str,
        table: &Table,
        known: &[&'static str],
    ) -> Result<Vec<Named>, FileError> {
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
            Ok(Named { name, spec, part })
        };
        players.iter().map(player).collect()
    }
}

impl Until {
    pub(super) fn read(table: &Table) -> Result<Until, FileError> {
        const PLACE: &str = "the table 'until'";
        const KEYS: [&str; 8] =
            ["game", "state", "moves", "move", "seed", "limit", "count", "player"];
        only(PLACE, table, &KEYS)?;
        Ok(Until {
            game: required(PLACE, table, "game")?,
            state: optional(PLACE, table, "state")?.unwrap_or_else(|| "startpos".to_owned()),
            moves: optional(PLACE, table, "moves")?.unwrap_or_default(),
            answer: required(PLACE, table, "move")?,
            seed: optional(PLACE, table, "seed")?.unwrap_or(1),
            limit: required(PLACE, table, "limit")?,
            count: required(PLACE, table, "count")?,
            players: Named::read(PLACE, table, &["name", "spec", "part"])?,
        })
    }

    /// The names of the players.
    pub(super) fn names(&self) -> Vec<String> {
        self.players.iter().map(|player| player.name.clone()).collect()
    }

    /// Keeps one player.
    pub(super) fn only(&mut self, number: usize) {
        self.players = vec![self.players.swap_remove(number)];
    }

    /// The measurement of each player.
    pub(super) fn probes(&self, build: &str) -> Vec<Probe> {
        let probe = |player: &Named| Probe {
            game: self.game.clone(),
            state: self.state.clone(),
            moves: self.moves.clone(),
            kind: ProbeKind::Until {
                player: player.spec.clone(),
                answer: self.answer.clone(),
                limit: (self.limit as f64 * player.part).round() as u64,
                count: self.count,
            },
            seed: self.seed,
            build: build.to_owned(),
        };
        self.players.iter().map(probe).collect()
    }

    /// What was found, with the names of the players.
    pub(super) fn named(&self, findings: Vec<Findings>) -> Vec<NamedWaits> {
        let waits = |(player, findings): (&Named, Findings)| match findings {
            Findings::Until(waits) => {
                NamedWaits { name: player.name.clone(), spec: player.spec.clone(), waits }
            }
            _ => unreachable!("it asked for waits"),
        };
        self.players.iter().zip(findings).map(waits).collect()
    }
}
