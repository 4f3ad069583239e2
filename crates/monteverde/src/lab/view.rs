//! How a contest goes, while it goes: a bar on a terminal, a line now and then elsewhere. On
//! standard error.

use super::figures::{elo_text, score_text};
use crate::progress::note;
use indicatif::{ProgressBar, ProgressStyle};
use monteverde_lab::contest::{ContestPlan, ContestProgress};
use monteverde_lab::shard::Shard;
use monteverde_players::arguments::grouped;
use monteverde_statistics::{SequentialTest, elo};
use std::io::{IsTerminal, stderr};
use std::time::{Duration, Instant};

/// How often a line is written where there is no terminal.
const LINES_EVERY: Duration = Duration::from_secs(10);

pub(super) struct MatchView {
    total: u64,
    test: Option<SequentialTest>,
    bar: Option<ProgressBar>,
    started: Instant,
    /// When a line was last written.
    last: Instant,
}

impl MatchView {
    /// A view of a contest, or of about as many games as a shard of it has.
    pub(super) fn new(plan: &ContestPlan, shard: Option<Shard>) -> MatchView {
        let total = plan.total().div_ceil(shard.map_or(1, |shard| shard.count().into()));
        let test = plan.test.filter(|_| shard.is_none());
        let bar = stderr().is_terminal().then(|| bar(total));
        let now = Instant::now();
        MatchView { total, test, bar, started: now, last: now }
    }

    pub(super) fn show(&mut self, progress: &ContestProgress) {
        match &self.bar {
            Some(bar) => {
                bar.set_position(progress.found + progress.played);
                bar.set_message(self.line(progress));
            }
            None if self.last.elapsed() >= LINES_EVERY => {
                self.last = Instant::now();
                let done = progress.found + progress.played;
                note(&format!("{done} of {} games: {}", self.total, self.line(progress)));
            }
            None => {}
        }
    }

    pub(super) fn finish(&mut self, progress: &ContestProgress) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
        let ContestProgress { found, played, .. } = progress;
        let seconds = self.started.elapsed().as_secs_f64();
        note(&format!("played {played} games in {seconds:.1} s; {found} were in the store"));
    }

    /// Score and Elo of the first contestant, the test, the speed.
    fn line(&self, progress: &ContestProgress) -> String {
        let standings = &progress.standings;
        let name = &standings.names()[0];
        let mut parts = Vec::new();
        let two = standings.names().len() == 2;
        let sample = if two { standings.sample(0, 1) } else { standings.total(0).into() };
        if let Some(score) = standings.total_score(0) {
            parts.push(format!("{name} {}", score_text(score)));
            parts.push(format!("Elo {}", elo_text(elo(sample))));
        }
        if let Some(test) = &self.test {
            let (low, high) = test.bounds();
            let llr = test.llr(standings.pairs(0, 1));
            parts.push(format!("LLR {llr:.2} in {low:.2} to {high:.2}"));
        }
        let failed = (0..standings.names().len()).flat_map(|player| standings.failures(player));
        let failed: u64 = failed.map(|(_, count)| count).sum();
        if failed > 0 {
            parts.push(format!("{failed} failed, {} of them count for nobody", standings.void()));
        }
        let hours = self.started.elapsed().as_secs_f64() / 3600.0;
        let per_hour = progress.played as f64 / hours.max(1e-9);
        parts.push(format!("{} games/h", grouped(per_hour.round() as u64)));
        parts.join(", ")
    }
}

fn bar(total: u64) -> ProgressBar {
    const FORM: &str = "{pos}/{len} {bar:20} {elapsed} (about {eta} to go) {wide_msg}";
    let style = ProgressStyle::with_template(FORM).expect("the form is well-formed");
    ProgressBar::new(total).with_style(style)
}
