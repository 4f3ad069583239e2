//! Where the commands that games bring write to.

use crate::progress;
use indicatif::ProgressBar;
use monteverde_players::{Bar, Console};
use std::io::Write;

/// Standard output, and progress and remarks on standard error.
pub(crate) struct Terminal<'a> {
    /// Standard output.
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
}

/// A bar that disappears when it is dropped.
struct TerminalBar(ProgressBar);

impl Bar for TerminalBar {
    fn advance(&self, by: u64) {
        self.0.inc(by);
    }
    fn set(&self, done: u64, of: u64) {
        self.0.set_length(of);
        self.0.set_position(done);
    }
}

impl Drop for TerminalBar {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
