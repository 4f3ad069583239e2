//! The command lines that measure parts of an experiment again.

use super::file::Kind;
use super::result::{Data, ResultFile};
use super::{Experiment, ExperimentError};
use monteverde_lab::command::{line, match_words};
use monteverde_lab::contest::{Openings, Plan};
use monteverde_lab::contestant::Kind as ContestantKind;
use monteverde_lab::sweep::Sweep;
use monteverde_report::Commands;
use std::path::Path;

/// Of a grid with more cells than this, one is named in place of all.
const MOST_CELLS: usize = 60;

impl Experiment {
    /// A command line for each part, with its name behind it; none where the file no longer states the work that was
    /// done, and where there are no parts.
    pub(super) fn commands(&self, results: &ResultFile) -> Result<Commands, ExperimentError> {
        if !self.is_current(results) {
            return Ok(Commands::default());
        }
        let cells = self.cells(results.scale)?;
        let mut words: Vec<Vec<String>> =
            cells.iter().map(|cell| self.run_words(results, cell)).collect();
        let mut caption = "Measure a part again, by itself".to_owned();
        let table = self.work(results.scale)?;
        match (self.kind, &results.data) {
            (Kind::Tournament, _) => {
                caption = "Play a meeting again, game by game the same".to_owned();
                let plan = self.shown(self.tournament(table, "")?.plan);
                for (words, two) in words.iter_mut().zip(plan.pairings()) {
                    if let Some(found) = match_words(&plan, two, results.calibration.as_ref()) {
                        *words = found;
                    }
                }
            }
            (Kind::Sweep, Data::Sweep(_)) => {
                for (number, plan) in Sweep::from_table(table, &self.folder, "")?.plans() {
                    if let Some(found) = match_words(&self.shown(plan.clone()), (0, 1), None) {
                        words[number] = found;
                    }
                }
            }
            _ => {}
        }
        if words.len() > MOST_CELLS && self.kind != Kind::Tournament {
            caption = format!("Measure one of the {} parts again, by itself", words.len());
            words.truncate(1);
        }
        let lines = words.iter().zip(&cells).map(|(words, cell)| match words[0].as_str() {
            "match" => format!("{}  # {cell}", line(words)),
            _ => line(words),
        });
        Ok(Commands { caption, lines: lines.collect() })
    }

    /// A plan whose paths start where the folder of the experiments lies, wherever that is.
    fn shown(&self, mut plan: Plan) -> Plan {
        let name = Path::new(self.folder.file_name().unwrap_or_default());
        let shown = |path: &Path| path.strip_prefix(&self.folder).map(|rest| name.join(rest));
        if let Openings::File { path, .. } = &mut plan.openings
            && let Ok(shown) = shown(path)
        {
            *path = shown;
        }
        for contestant in &mut plan.contestants {
            if let ContestantKind::Engine(engine) = &mut contestant.kind
                && let Ok(shown) = shown(Path::new(&engine.command))
            {
                engine.command = shown.display().to_string();
            }
        }
        plan
    }

    fn run_words(&self, results: &ResultFile, cell: &str) -> Vec<String> {
        let words =
            ["experiment", "run", &self.id, "--scale", results.scale.name(), "--only", cell];
        words.map(str::to_owned).to_vec()
    }
}
