//! Everything that is written about experiments: a short page of Markdown for each paper and for
//! our own questions, the list of all tables and figures, an index, and the table of a read-me;
//! and, on demand, detailed pages and one page of HTML with everything.

use super::brief::TESTS;
use super::chapter::{Chapter, ChapterKind, KnownExperiment, VerdictTally, chapters};
use super::file::Headline;
use super::page::{self, VERDICTS};
use super::{Experiment, ExperimentError, brief, printed};
use monteverde_report::{self as report, ReportData, count_text, markdown_text};
use std::fmt::Write;

/// The pages that are kept.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Site {
    /// The pages of Markdown and their figures: the name of each in the folder of pages, with `/`
    /// between its parts, and its text.
    pub pages: Vec<(String, String)>,
    /// The table for a read-me, as Markdown.
    pub summary: String,
}

/// The pages that are made on demand: too long to be read from the beginning to the end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Details {
    /// One page with everything.
    pub html: String,
    /// Pages of Markdown and their figures, as those of [`Site`].
    pub pages: Vec<(String, String)>,
}

/// Makes the pages of some experiments from their files; `folder` is where they will lie, as seen
/// from the read-me, with `/` between its parts.
pub fn site(experiments: &[Experiment], folder: &str) -> Result<Site, ExperimentError> {
    let chapters = chapters(experiments)?;
    let list = printed::page(experiments, &chapters)?;
    let mut pages = vec![("README.md".to_owned(), index(&chapters, list.is_some()))];
    pages.extend(list.map(|list| (PRINTED.to_owned(), list)));
    for chapter in &chapters {
        add_page(&brief::of_chapter(chapter), &chapter.page, &mut pages);
    }
    let links = if folder.is_empty() { String::new() } else { format!("{folder}/") };
    Ok(Site { pages, summary: front(&chapters, &links) })
}

/// The name of the list of all tables and figures.
const PRINTED: &str = "printed.md";

/// Makes the detailed pages of some experiments from their files.
pub fn details(experiments: &[Experiment]) -> Result<Details, ExperimentError> {
    let chapters = chapters(experiments)?;
    let mut pages = Vec::new();
    for chapter in &chapters {
        add_page(&page::of_chapter(chapter)?, &chapter.page, &mut pages);
    }
    Ok(Details { html: report::html(&page::of_chapters(&chapters)?), pages })
}

fn add_page(data: &ReportData, name: &str, pages: &mut Vec<(String, String)>) {
    let page = report::page(data, name);
    pages.push((format!("{name}.md"), page.text));
    let figures = page.figures.into_iter();
    pages.extend(figures.map(|(figure, text)| (format!("{name}/{figure}"), text)));
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

/// What a read-me shows: the questions that experiments have for it, and how all numbers came out
/// in a sentence. Without such questions, how many numbers of each paper came out how.
fn front(chapters: &[Chapter<'_>], folder: &str) -> String {
    let questions = questions(chapters, folder, |headline| headline.front.as_deref());
    if questions.is_empty() {
        return summary(chapters, folder);
    }
    let papers = chapters.iter().filter(|chapter| chapter.kind == ChapterKind::Paper);
    let tallies = papers.clone().map(Chapter::tally);
    let total = tallies.fold(VerdictTally::default(), |sum, tally| sum + tally);
    let [all, agree, differ, undecided, uncounted, open] = total.counts().map(count_text);
    format!(
        "{questions}\nOf the {all} numbers in {} papers that we set out to measure again, {agree} agree with ours, \
         {differ} differ, {undecided} are undecided, {uncounted} are not counted, and {open} are \
         out of date or not measured yet.\n",
        papers.count()
    )
}

/// A table of questions, each with the paper's number and ours at the largest scale; `asked` is the
/// question of a headline, if it is to be in the table.
fn questions(
    chapters: &[Chapter<'_>],
    folder: &str,
    asked: impl Fn(&Headline) -> Option<&str>,
) -> String {
    let mut text = String::new();
    for chapter in chapters {
        for known in &chapter.known {
            let claims = known.claims_by_compare();
            for headline in &known.experiment.headlines {
                let Some(question) = asked(headline) else { continue };
                let claim = &claims[headline.compare][headline.value];
                let cells = [&claim.paper, &claim.ours, &claim.sample];
                let cells = cells.map(|cell| markdown_text(cell)).join(" | ");
                let _ = writeln!(
                    text,
                    "| [{}]({folder}{}.md#{}) | {cells} | {} |",
                    markdown_text(question),
                    chapter.page,
                    known.experiment.id,
                    claim.standing.name()
                );
            }
        }
    }
    match text.is_empty() {
        true => text,
        false => {
            let head =
                "| question | paper | ours (95%) | sample | verdict |\n|---|---|---|---|---|\n";
            format!("{head}{text}")
        }
    }
}

/// The page that leads to the others.
fn index(chapters: &[Chapter<'_>], has_list: bool) -> String {
    let list = match has_list {
        true => format!(
            "[Every table and figure]({PRINTED}) of the papers is listed with where ours stands.\n\n"
        ),
        false => String::new(),
    };
    let mut text = format!(
        "# The papers' numbers and ours\n\nThere is a page for each paper: the question, what was found, and the paper's numbers beside \
         ours at the largest scale there is. {VERDICTS}\n\n{list}These pages are made by `monteverde experiment report` \
         from `experiments/*.toml`, where questions and findings are written, and the results beside them. \
         `monteverde experiment report --out DIR` writes detailed pages and one page of HTML with everything.\n\n{}",
        summary(chapters, "")
    );
    let questions = questions(chapters, "", |headline| Some(&headline.question));
    if !questions.is_empty() {
        let _ = write!(text, "\n## The main questions\n\n{questions}");
    }
    for chapter in chapters {
        let _ = write!(text, "\n## [{}]({}.md)\n\n", markdown_text(&chapter.title), chapter.page);
        let columns = "| experiment | what | scale | state |\n|---|---|---|---|\n";
        text.push_str(columns);
        let (tests, others): (Vec<_>, Vec<_>) =
            chapter.known.iter().partition(|known| known.test_in_a_row().is_some());
        others.into_iter().for_each(|known| add_known(known, &chapter.page, &mut text));
        if !tests.is_empty() {
            let (page, number) = (&chapter.page, tests.len());
            let _ = writeln!(
                text,
                "| [{TESTS}]({page}.md#{TESTS}) | {number} tests, in one table | | |"
            );
        }
    }
    text
}

fn add_known(known: &KnownExperiment<'_>, page: &str, text: &mut String) {
    let id = &known.experiment.id;
    let scale = known.results.as_ref().map_or("\u{2013}", |results| results.scale.name());
    let _ = writeln!(
        text,
        "| [{id}]({page}.md#{id}) | {} | {scale} | {} |",
        markdown_text(known.experiment.short_title()),
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
