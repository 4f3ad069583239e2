//! Where commands that games bring write to.

use crate::{progress, table};
use indicatif::ProgressBar;
use monteverde_players::command::{Bar, Console, Figures};
use std::io::Write;

/// Standard output, and standard error with bars.
pub(crate) struct Terminal<'a> {
    pub(crate) out: &'a mut dyn Write,
}

impl Console for Terminal<'_> {
    fn out(&mut self) -> &mut dyn Write {
        self.out
    }

    fn note(&mut self, line: &str) {
        progress::note(line);
    }

    fn bar(&mut self, length: u64, what: &'static str) -> Box<dyn Bar> {
        Box::new(TerminalBar(progress::bar(length, what)))
    }

    fn command_line(&self) -> String {
        crate::lab::command_line()
    }

    fn table(&self, figures: &Figures) -> String {
        let mut table = table::figures(&figures.header, figures.right.iter().copied());
        for row in &figures.rows {
            table.add_row(row);
        }
        table.to_string()
    }
}

struct TerminalBar(ProgressBar);

impl Bar for TerminalBar {
    fn advance(&self, by: u64) {
        self.0.inc(by);
    }

    fn set(&self, done: u64, of: u64) {
        self.0.set_length(of);
        self.0.set_position(done);
    }

    fn name(&self, what: String) {
        self.0.set_message(what);
    }

    fn note(&self, line: &str) {
        self.0.suspend(|| progress::note(line));
    }
}

impl Drop for TerminalBar {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
