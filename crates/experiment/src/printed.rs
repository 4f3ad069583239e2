//! Every table and figure of the papers, and where ours stands.
//!
//! `experiments/papers/printed.toml` names them in our own words, with the experiments that answer
//! each or the reason why none does:
//!
//! ```toml
//! [[paper]]
//! page = "monte-carlo-chess"              # the name of the paper's page
//! item = [
//!   { place = "Table 1", what = "Elo by epsilon", experiments = ["mcc-heavy-eval"] },
//!   { place = "Table 2", what = "likelihoods", experiments = ["mcc-heavy-eval:los"] }, # of that measure; elo+score for two
//!   { place = "section 3", what = "combinations", test = "crates/knowledge/tests/banqi.rs" },
//!   { place = "Figure 1", what = "minimax", illustration = true },
//!   { place = "section 5", what = "a long search", missing = "its board is a picture" },
//! ]
//! ```

use super::chapter::{Chapter, KnownExperiment, VerdictTally};
use super::{Experiment, ExperimentError};
use crate::experiment::nearest_of;
use monteverde_lab::keys::{FileError, only, optional, parse, required};
use monteverde_players::text_file;
use monteverde_report::markdown_text;
use std::fmt::Write;
use std::io;
use std::path::{Path, PathBuf};
use toml::Table;

/// A paper with everything that it prints.
#[derive(Clone, PartialEq, Eq, Debug)]
struct PrintedPaper {
    page: String,
    items: Vec<PrintedItem>,
}

/// A table, a figure, or a number of the text.
#[derive(Clone, PartialEq, Eq, Debug)]
struct PrintedItem {
    place: String,
    what: String,
    answer: PrintedAnswer,
}

/// What there is to set beside it.
#[derive(Clone, PartialEq, Eq, Debug)]
enum PrintedAnswer {
    /// Experiments of ours.
    Experiments(Vec<String>),
    /// An experiment of ours that draws the same; the paper has no number to compare with.
    Drawn(String),
    /// A test of ours, by its file, which compares numbers that are exact.
    Test(String),
    /// It is a drawing or a definition, with nothing to measure.
    Illustration,
    /// Nothing, for this reason.
    Missing(String),
}

/// Where the list lies, in the folder of the experiments.
fn path(folder: &Path) -> PathBuf {
    folder.join("papers/printed.toml")
}

/// The page, where the folder of the experiments has the list.
pub(super) fn page(
    experiments: &[Experiment],
    chapters: &[Chapter<'_>],
) -> Result<Option<String>, ExperimentError> {
    let Some(folder) = experiments.first().map(|experiment| &experiment.folder) else {
        return Ok(None);
    };
    let path = path(folder);
    let text = match text_file::read(&path, text_file::SETTINGS) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(ExperimentError::System { path, error }),
    };
    let failed = |error| ExperimentError::File { path: path.clone(), error };
    let papers = read(&text).map_err(failed)?;
    written(&papers, chapters).map(Some).map_err(failed)
}

fn read(text: &str) -> Result<Vec<PrintedPaper>, FileError> {
    const PLACE: &str = "the list of what papers print";
    const PAPER: &str = "a paper of the list";
    let table = parse(text)?;
    only(PLACE, &table, &["paper"])?;
    let papers: Vec<Table> = required(PLACE, &table, "paper")?;
    let paper = |table: &Table| {
        only(PAPER, table, &["page", "item"])?;
        let items: Vec<Table> = required(PAPER, table, "item")?;
        Ok(PrintedPaper {
            page: required(PAPER, table, "page")?,
            items: items.iter().map(read_item).collect::<Result<_, FileError>>()?,
        })
    };
    papers.iter().map(paper).collect()
}

fn read_item(table: &Table) -> Result<PrintedItem, FileError> {
    const ITEM: &str = "an item of the list";
    only(
        ITEM,
        table,
        &["place", "what", "experiments", "drawn", "test", "illustration", "missing"],
    )?;
    let place: String = required(ITEM, table, "place")?;
    let experiments: Option<Vec<String>> = optional(ITEM, table, "experiments")?;
    let illustration: Option<bool> = optional(ITEM, table, "illustration")?;
    let missing: Option<String> = optional(ITEM, table, "missing")?;
    let test: Option<String> = optional(ITEM, table, "test")?;
    let drawn: Option<String> = optional(ITEM, table, "drawn")?;
    let answers = [
        experiments.filter(|ids| !ids.is_empty()).map(PrintedAnswer::Experiments),
        drawn.map(PrintedAnswer::Drawn),
        test.map(PrintedAnswer::Test),
        illustration.filter(|&is_one| is_one).map(|_| PrintedAnswer::Illustration),
        missing.filter(|reason| !reason.is_empty()).map(PrintedAnswer::Missing),
    ];
    let mut answers = answers.into_iter().flatten();
    let answer = match (answers.next(), answers.next()) {
        (Some(answer), None) => answer,
        _ => {
            return Err(FileError::Value {
                place: format!("the item '{}'", place.escape_debug()),
                problem: "exactly one of 'experiments', 'drawn', 'test', 'illustration = true' and 'missing' is needed"
                    .to_owned(),
            });
        }
    };
    Ok(PrintedItem { place, what: required(ITEM, table, "what")?, answer })
}

fn written(papers: &[PrintedPaper], chapters: &[Chapter<'_>]) -> Result<String, FileError> {
    let items = || papers.iter().flat_map(|paper| &paper.items);
    let count = |of: fn(&PrintedAnswer) -> bool| items().filter(|item| of(&item.answer)).count();
    let mut text = format!(
        "# Every table and figure of the papers\n\n\
         Of {} tables, figures and numbers of the text {} have an experiment or a test here, {} are drawings \
         or definitions with nothing to measure, and {} are not measured. The list is \
         `experiments/papers/printed.toml`; what stands beside it is read from the results.\n",
        items().count(),
        count(|answer| !matches!(answer, PrintedAnswer::Illustration | PrintedAnswer::Missing(_))),
        count(|answer| *answer == PrintedAnswer::Illustration),
        count(|answer| matches!(answer, PrintedAnswer::Missing(_)))
    );
    for paper in papers {
        let Some(chapter) = chapters.iter().find(|chapter| chapter.page == paper.page) else {
            let known: Vec<String> = chapters.iter().map(|chapter| chapter.page.clone()).collect();
            return Err(unknown("paper", &paper.page, &known));
        };
        let _ = write!(
            text,
            "\n## [{}]({}.md)\n\n| where | what | ours |\n|---|---|---|\n",
            markdown_text(&chapter.title),
            chapter.page
        );
        for item in &paper.items {
            let ours = match &item.answer {
                PrintedAnswer::Drawn(id) => {
                    let page = page_of(id, chapters)?.0.page.as_str();
                    format!("[{id}]({page}.md#{id}): drawn on its detailed page, no printed number")
                }
                PrintedAnswer::Test(file) => format!("exact, compared by `{file}`"),
                PrintedAnswer::Illustration => "nothing to measure".to_owned(),
                PrintedAnswer::Missing(reason) => {
                    format!("not measured: {}", markdown_text(reason))
                }
                PrintedAnswer::Experiments(ids) => {
                    let all = ids.iter().map(|id| standing(id, chapters));
                    all.collect::<Result<Vec<_>, _>>()?.join("; ")
                }
            };
            let (place, what) = (markdown_text(&item.place), markdown_text(&item.what));
            let _ = writeln!(text, "| {place} | {what} | {ours} |");
        }
    }
    Ok(text)
}

/// Where an experiment stands: how many of its numbers came out how, of all comparisons or, as in
/// `mcc-main:elo+score`, of those of some measures.
fn standing(entry: &str, chapters: &[Chapter<'_>]) -> Result<String, FileError> {
    let (id, measures) = entry.split_once(':').map_or((entry, None), |(id, it)| (id, Some(it)));
    let (chapter, known) = page_of(id, chapters)?;
    let compares = known.experiment.compares.iter().map(|compare| compare.measure.as_str());
    let claims = compares.clone().zip(known.claims_by_compare());
    let wanted: Vec<&str> = measures.map_or(Vec::new(), |names| names.split('+').collect());
    if let Some(missing) = wanted.iter().find(|name| compares.clone().all(|it| it != **name)) {
        let known: Vec<String> = compares.map(str::to_owned).collect();
        return Err(unknown(&format!("comparison of '{id}' with the measure"), missing, &known));
    }
    let meant = claims.filter(|(name, _)| wanted.is_empty() || wanted.contains(name));
    let mut tally = VerdictTally::default();
    meant.flat_map(|(_, claims)| claims).for_each(|claim| tally.count(claim.standing));
    let state = match tally.counts() {
        [0, ..] => markdown_text(&known.state_text()),
        counts => counts_text(counts),
    };
    let scale = known.results.as_ref().map(|results| format!(" (scale {})", results.scale.name()));
    Ok(format!("[{id}]({}.md#{id}): {state}{}", chapter.page, scale.unwrap_or_default()))
}

/// An experiment and the chapter that it stands in.
fn page_of<'c, 'a>(
    id: &str,
    chapters: &'c [Chapter<'a>],
) -> Result<(&'c Chapter<'a>, &'c KnownExperiment<'a>), FileError> {
    let mut all = chapters.iter().flat_map(|chapter| {
        chapter.known.iter().map(move |known: &KnownExperiment<'_>| (chapter, known))
    });
    all.find(|(_, known)| known.experiment.id == id).ok_or_else(|| {
        let known = chapters.iter().flat_map(|chapter| &chapter.known);
        let known: Vec<String> = known.map(|known| known.experiment.id.clone()).collect();
        unknown("experiment", id, &known)
    })
}

/// How many numbers came out how; what there is none of is left out.
fn counts_text([_, agree, differ, undecided, uncounted, open]: [u64; 6]) -> String {
    let named = [
        (agree, if agree == 1 { "agrees" } else { "agree" }),
        (differ, if differ == 1 { "differs" } else { "differ" }),
        (undecided, "undecided"),
        (uncounted, "not counted"),
        (open, "not measured yet"),
    ];
    let named = named.iter().filter(|(count, _)| *count > 0);
    named.map(|(count, name)| format!("{count} {name}")).collect::<Vec<_>>().join(", ")
}

fn unknown(what: &str, name: &str, known: &[String]) -> FileError {
    let perhaps = nearest_of(name, known);
    FileError::Value {
        place: "the list of what papers print".to_owned(),
        problem: format!(
            "there is no {what} '{}'{}; known: {}",
            name.escape_debug(),
            perhaps.map_or(String::new(), |name| format!(" (perhaps '{name}'?)")),
            known.join(", ")
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_item_has_one_answer() {
        let item = |rest: &str| {
            read(&format!(
                "paper = [{{ page = 'a', item = [{{ place = 'Table 1', what = 'x' {rest} }}] }}]"
            ))
        };
        assert!(item(", experiments = ['b']").is_ok() && item(", illustration = true").is_ok());
        assert!(item(", missing = 'lost'").is_ok());
        for wrong in ["", ", experiments = []", ", missing = ''", ", illustration = false"] {
            let error = item(wrong).unwrap_err().to_string();
            assert!(error.contains("'Table 1'"), "{wrong}: {error}");
        }
        let error = item(", experiments = ['b'], missing = 'lost'").unwrap_err().to_string();
        assert!(error.contains("exactly one"), "{error}");
    }

    #[test]
    fn an_experiment_that_is_not_there_is_named() {
        let papers = read("paper = [{ page = 'a', item = [] }]").unwrap();
        let error = written(&papers, &[]).unwrap_err().to_string();
        assert!(error.contains("there is no paper 'a'"), "{error}");
        let error = standing("b", &[]).unwrap_err().to_string();
        assert!(error.contains("there is no experiment 'b'"), "{error}");
    }
}
