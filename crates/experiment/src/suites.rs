//! Experiments that let players answer the questions of a suite.

use super::result::NamedSuite;
use super::until::Named;
use monteverde_lab::keys::{FileError, only, optional, required};
use monteverde_lab::progress::Observer;
use monteverde_lab::store::Store;
use monteverde_lab::suite::{Solver, Spend, Suite, SuiteError, SuiteResult};
use std::path::{Path, PathBuf};
use toml::Table;

/// A suite and its solvers.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Suites {
    game: String,
    path: PathBuf,
    limit: usize,
    sample: Option<u64>,
    most: Spend,
    players: Vec<Named>,
}

impl Suites {
    /// Reads the table; the path of the suite starts in `folder`.
    pub(super) fn read(table: &Table, folder: &Path) -> Result<Suites, FileError> {
        const PLACE: &str = "the table 'suite'";
        only(PLACE, table, &["game", "file", "limit", "sample", "iterations", "nodes", "player"])?;
        let file: PathBuf = required(PLACE, table, "file")?;
        Ok(Suites {
            game: required(PLACE, table, "game")?,
            path: folder.join(file),
            limit: optional(PLACE, table, "limit")?.unwrap_or(usize::MAX),
            sample: optional(PLACE, table, "sample")?,
            most: match optional(PLACE, table, "nodes")? {
                Some(nodes) => Spend::Nodes(nodes),
                None => Spend::Iterations(required(PLACE, table, "iterations")?),
            },
            players: Named::read(PLACE, table, &["name", "spec"])?,
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

    /// Checks the players, and the suite's file if it is there: it may be kept elsewhere.
    pub(super) fn check(&self) -> Result<(), SuiteError> {
        for player in &self.players {
            self.solver(player, "").check(&self.game)?;
        }
        if self.path.exists() {
            Suite::read(&self.game, &self.path)?;
        }
        Ok(())
    }

    /// Lets each player answer every question.
    pub(super) fn solve(
        &self,
        store: &mut Store,
        machine: super::Machine<'_>,
        observe: &mut Observer<'_>,
    ) -> Result<Vec<NamedSuite>, SuiteError> {
        let suite = Suite::read(&self.game, &self.path)?.sample(self.limit, self.sample);
        let mut all = Vec::new();
        for player in &self.players {
            let solver = self.solver(player, machine.build);
            let answers = solver.solve(&suite, store, machine.concurrency, observe)?;
            let result = SuiteResult::new(&suite, &answers);
            all.push(NamedSuite { name: player.name.clone(), spec: player.spec.clone(), result });
        }
        Ok(all)
    }

    fn solver(&self, player: &Named, build: &str) -> Solver {
        Solver { player: player.spec.clone(), most: self.most, build: build.to_owned() }
    }
}
