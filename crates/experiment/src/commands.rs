//! The command lines that measure parts of an experiment again.

use crate::result::ResultFile;
use crate::work::PartKind;
use crate::{Experiment, ExperimentError};
use monteverde_lab::command::{line, match_words};
use monteverde_lab::contest::{ContestPlan, Openings};
use monteverde_lab::contestant::ContestantKind;
use monteverde_report::Commands;
use std::path::Path;

/// Of more parts than this that are no matches, one is named in place of all.
const MOST_PIECES: usize = 60;

impl Experiment {
    /// A command line for each part, with its name behind it; none where the file no longer states
    /// the work that was done, and where there are no parts.
    pub(super) fn commands(&self, results: &ResultFile) -> Result<Commands, ExperimentError> {
        if !self.is_current(results) {
            return Ok(Commands::default());
        }
        let work = self.read(self.work(results.scale)?, "")?;
        let parts = work.parts();
        let mut words: Vec<Vec<String>> =
            parts.iter().map(|part| self.run_words(results, part)).collect();
        for (number, plan, two) in work.matches() {
            let shown = self.shown(plan.clone());
            if let Some(found) = match_words(&shown, two, results.calibration.as_ref()) {
                words[number] = found;
            }
        }
        let caption = match self.kind.parts {
            PartKind::Meeting => "Play a meeting again, game by game the same".to_owned(),
            PartKind::Piece if words.len() > MOST_PIECES => {
                let caption = format!("Measure one of the {} parts again, by itself", words.len());
                words.truncate(1);
                caption
            }
            PartKind::Piece => "Measure a part again, by itself".to_owned(),
        };
        let lines = words.iter().zip(&parts).map(|(words, part)| match words[0].as_str() {
            "match" => format!("{}  # {part}", line(words)),
            _ => line(words),
        });
        Ok(Commands { caption, lines: lines.collect() })
    }

    /// A plan whose paths start where the folder of the experiments lies, wherever that is.
    fn shown(&self, mut plan: ContestPlan) -> ContestPlan {
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

    fn run_words(&self, results: &ResultFile, part: &str) -> Vec<String> {
        let words =
            ["experiment", "run", &self.id, "--scale", results.scale.name(), "--only", part];
        words.map(str::to_owned).to_vec()
    }
}
