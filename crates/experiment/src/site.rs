//! Everything that is written about experiments: a page of HTML with all of them, a page of
//! Markdown for each paper and for our own questions, their index, and the table of a read-me.

use super::chapter::{Chapter, ChapterKind, KnownExperiment, VerdictTally, chapters};
use super::page::{self, VERDICTS};
use super::{Experiment, ExperimentError};
use monteverde_report::{self as report, count_text, markdown_text};
use std::fmt::Write;

/// All pages.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Site {
    /// The one page with everything.
    pub html: String,
    /// The pages of Markdown and their figures: the name of each in the folder of pages, with `/`
    /// between its parts, and its text.
    pub pages: Vec<(String, String)>,
    /// The table for a read-me, as Markdown.
    pub summary: String,
}

/// Where files lie, as links between them need it: with `/` between the parts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Places {
    /// The folder of pages, as seen from the read-me.
    pub pages: String,
    /// The one page with everything, as seen from the folder of pages.
    pub html: String,
}

/// Makes all pages of some experiments from their files.
pub fn site(experiments: &[Experiment], places: &Places) -> Result<Site, ExperimentError> {
    let chapters = chapters(experiments)?;
    let mut pages = vec![("README.md".to_owned(), index(&chapters, places))];
    for chapter in &chapters {
        let page = report::page(&page::of_chapter(chapter)?, &chapter.page);
        pages.push((format!("{}.md", chapter.page), page.text));
        let named = |(name, text): (String, String)| (format!("{}/{name}", chapter.page), text);
        pages.extend(page.figures.into_iter().map(named));
    }
    let html = report::html(&page::of_chapters(&chapters)?);
    Ok(Site { html, pages, summary: summary(&chapters, &format!("{}/", places.pages)) })
}

/// The lines of a read-me between which the table stands.
const MARKS: [&str; 2] = ["<!-- experiments: begin -->", "<!-- experiments: end -->"];

/// A read-me without a place for the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("it has no place for the table of experiments; write the lines '{}' and '{}' where it belongs", MARKS[0], MARKS[1])]
pub struct SummaryError;

/// The text of a read-me with the table in its place, in the place of the one that was there.
pub fn with_summary(readme: &str, summary: &str) -> Result<String, SummaryError> {
    let (before, rest) = readme.split_once(MARKS[0]).ok_or(SummaryError)?;
    let (_, after) = rest.split_once(MARKS[1]).ok_or(SummaryError)?;
    Ok(format!("{before}{}\n\n{summary}\n{}{after}", MARKS[0], MARKS[1]))
}

/// How many numbers of each paper agree and so on; links lead to pages in `folder`, which is empty
/// or ends with `/`.
fn summary(chapters: &[Chapter<'_>], folder: &str) -> String {
    let mut text =
        "| paper | numbers | agree | differ | undecided | not counted | not measured yet |\n\
                    |---|---:|---:|---:|---:|---:|---:|\n"
            .to_owned();
    let mut total = VerdictTally::default();
    for chapter in chapters.iter().filter(|chapter| chapter.kind == ChapterKind::Paper) {
        let name = format!("[{}]({folder}{}.md)", markdown_text(&chapter.title), chapter.page);
        let tally = chapter.tally();
        add_tally(&name, tally, &mut text);
        total = total + tally;
    }
    add_tally("in all", total, &mut text);
    text
}

fn add_tally(name: &str, tally: VerdictTally, text: &mut String) {
    let _ = writeln!(text, "| {name} | {} |", tally.counts().map(count_text).join(" | "));
}

/// The page that leads to the others.
fn index(chapters: &[Chapter<'_>], places: &Places) -> String {
    let mut text = format!(
        "# The papers' numbers and ours\n\nEvery number that the papers print and that is measured here, a page a paper. \
         {VERDICTS}\n\nThese pages are made by `monteverde experiment report` from `experiments/*.toml` and the results \
         beside them; nothing in them is written by hand. [One page]({}) holds all of it.\n\n{}",
        places.html,
        summary(chapters, "")
    );
    for chapter in chapters {
        let _ = write!(text, "\n## [{}]({}.md)\n\n", markdown_text(&chapter.title), chapter.page);
        let columns = "| experiment | what | scale | state |\n|---|---|---|---|\n";
        text.push_str(columns);
        for known in &chapter.known {
            add_known(known, &chapter.page, &mut text);
        }
        let found = chapter.known.iter().flat_map(|known| {
            let id = &known.experiment.id;
            known.experiment.findings.iter().map(move |found| {
                format!("- [{id}]({}.md#{id}): {}\n", chapter.page, markdown_text(found))
            })
        });
        let found: String = found.collect();
        if !found.is_empty() {
            let _ = write!(text, "\nFound:\n\n{found}");
        }
    }
    text
}

fn add_known(known: &KnownExperiment<'_>, page: &str, text: &mut String) {
    let Experiment { id, title, .. } = known.experiment;
    let scale = known.results.as_ref().map_or("\u{2013}", |results| results.scale.name());
    let _ = writeln!(
        text,
        "| [{id}]({page}.md#{id}) | {} | {scale} | {} |",
        markdown_text(title),
        markdown_text(&known.state_text())
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_takes_the_place_of_the_one_before() {
        let [begin, end] = MARKS;
        let readme = format!("a\n{begin}\n| old |\n{end}\nb\n");
        let written = with_summary(&readme, "| new |\n").unwrap();
        assert_eq!(written, format!("a\n{begin}\n\n| new |\n\n{end}\nb\n"));
        assert_eq!(with_summary(&written, "| new |\n").unwrap(), written);
        for wrong in ["", begin, end, &format!("{end}{begin}")] {
            assert_eq!(with_summary(wrong, ""), Err(SummaryError), "{wrong}");
        }
        assert!(SummaryError.to_string().contains(begin));
    }
}
