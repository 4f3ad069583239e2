//! Reports: plain data in, one self-contained HTML page or Markdown out.
//!
//! [`ReportData`] says what is to be told; [`html`] and [`markdown`] tell it. Both first turn the
//! data into the same blocks (`blocks.rs` and the files named after the parts of a report), so that
//! the two never disagree. Rendering is a pure function: the same data gives the same bytes, on
//! every machine and on every day. Every text is taken for foreign and escaped.

mod blocks;
mod claims;
mod comparison;
mod contest;
mod counts;
pub mod data;
mod escape;
mod html;
mod markdown;
mod number;
pub mod plot;
mod svg;

pub use counts::{
    Counts, CountsError, DigestCell, GamesCell, PairCell, ReachedCell, ReachedEndings,
};
pub use data::{
    Claim, Column, Commands, Compared, Comparison, Contender, ContestReport, DotPlot, FailureCount,
    Meeting, PaperError, Part, Rank, ReportData, ReportTable, Reproduce, Section, Standing,
    Verdict,
};
pub use monteverde_statistics::Interval;
pub use plot::{Axis, AxisScale, Plot, Point, Reference, Series};

/// A count as a report prints it, with a comma before each group of three digits.
pub fn count_text(count: u64) -> String {
    number::count(count)
}

/// A number with its interval as a report prints it.
pub fn interval_text(interval: Interval, decimals: usize) -> String {
    number::interval(interval, decimals)
}

/// A paper's number as a report prints it.
pub fn paper_text(paper: Interval, error: PaperError, decimals: usize) -> String {
    number::of_paper(paper, error, decimals)
}

/// The report as one HTML page with its style and its figures inside: no script, nothing fetched.
pub fn html(report: &ReportData) -> String {
    html::page(&report.title, &blocks::of(report))
}

/// The report as Markdown (the dialect with tables). A figure becomes the table of its numbers.
pub fn markdown(report: &ReportData) -> String {
    markdown::text(&report.title, &blocks::of(report))
}

/// A page of Markdown and the files that it shows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Page {
    /// The text.
    pub text: String,
    /// The names and contents of its figures, which lie in one folder.
    pub figures: Vec<(String, String)>,
}

/// The report as a page of Markdown whose figures lie beside it in `folder`, each drawn for light
/// and dark.
pub fn page(report: &ReportData, folder: &str) -> Page {
    let (text, figures) = markdown::pages(&report.title, &blocks::of(report), folder);
    Page { text, figures }
}

/// Foreign text inside a line of Markdown.
pub fn markdown_text(text: &str) -> String {
    escape::markdown(text)
}

#[cfg(test)]
mod tests;
