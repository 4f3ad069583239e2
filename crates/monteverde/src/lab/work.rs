//! How a sweep or an experiment goes, while it goes: a bar on a terminal, a line now and then
//! elsewhere. On standard error.

use crate::progress::note;
use indicatif::{ProgressBar, ProgressStyle};
use monteverde_lab::progress::WorkProgress;
use monteverde_players::arguments::grouped;
use std::io::{IsTerminal, stderr};
use std::time::{Duration, Instant};

/// How often a line is written where there is no terminal.
const LINES_EVERY: Duration = Duration::from_secs(10);

/// Shows progress.
pub(super) struct WorkView {
    unit: &'static str,
    part: &'static str,
    bar: Option<ProgressBar>,
    last_line: Instant,
    last: Option<WorkProgress>,
}

/// What was done.
#[derive(Clone, Copy, Default)]
pub(super) struct Worked {
    pub(super) time: Duration,
    /// Pieces that were done in that time.
    pub(super) new: u64,
    /// Pieces that were in the store.
    pub(super) found: u64,
}

impl WorkView {
    /// A view of work that is counted in these units and parts, in the plural.
    pub(super) fn new(unit: &'static str, part: &'static str) -> WorkView {
        let style = ProgressStyle::with_template("{wide_bar} {percent}% {msg}");
        let bar = || ProgressBar::new(0).with_style(style.expect("the form is well-formed"));
        let bar = stderr().is_terminal().then(bar);
        WorkView { unit, part, bar, last_line: Instant::now(), last: None }
    }

    /// Shows how far it is.
    pub(super) fn show(&mut self, progress: &WorkProgress) {
        self.last = Some(*progress);
        match &self.bar {
            Some(bar) => {
                bar.set_length(progress.total);
                bar.set_position(progress.done);
                bar.set_message(self.line(progress));
            }
            None if self.last_line.elapsed() >= LINES_EVERY => {
                self.last_line = Instant::now();
                note(&self.line(progress));
            }
            None => {}
        }
    }

    /// How many pieces have been done so far, without those in the store.
    pub(super) fn new_pieces(&self) -> u64 {
        self.last.map_or(0, |last| last.done - last.found)
    }

    /// Says at the end what was done, and gives it.
    pub(super) fn finish(self) -> Worked {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
        let Some(WorkProgress { done, found, elapsed, .. }) = self.last else {
            return Worked::default();
        };
        note(&format!(
            "{} {} in {}; {} were in the store",
            grouped(done - found),
            self.unit,
            time(elapsed),
            grouped(found)
        ));
        Worked { time: elapsed, new: done - found, found }
    }

    fn line(&self, progress: &WorkProgress) -> String {
        let WorkProgress { parts_done, parts, done, total, .. } = progress;
        let left = progress.remaining().map(|left| format!(", about {} to go", time(left)));
        format!(
            "{} of {} {}, {parts_done} of {parts} {}{}",
            grouped(*done),
            grouped(*total),
            self.unit,
            self.part,
            left.unwrap_or_default()
        )
    }
}

/// A length of time as people say it.
fn time(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    match seconds {
        ..10.0 => format!("{seconds:.1} s"),
        ..120.0 => format!("{seconds:.0} s"),
        ..7200.0 => format!("{:.0} min", seconds / 60.0),
        _ => format!("{:.1} h", seconds / 3600.0),
    }
}
