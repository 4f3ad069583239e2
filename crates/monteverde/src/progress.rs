//! Progress of long work, on standard error, and only where that is a terminal.

use indicatif::{ProgressBar, ProgressStyle};
use std::io::{self, Write};

/// A bar that fills up to `length`.
pub(crate) fn bar(length: u64, what: &'static str) -> ProgressBar {
    const FORM: &str = "{msg} {wide_bar} {percent}% {elapsed} (about {eta} to go)";
    let style = ProgressStyle::with_template(FORM).expect("the form is well-formed");
    ProgressBar::new(length).with_style(style).with_message(what)
}

/// A line for people, such as times and speeds; scripts find nothing in it that they need.
pub(crate) fn note(line: &str) {
    // Standard error may be closed, which is no reason to fail.
    let _ = writeln!(io::stderr(), "{line}");
}
