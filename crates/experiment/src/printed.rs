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
//!   { place = "section 3", what = "combinations", test = "crates/knowledge/tests/banqi.rs" },
//!   { place = "Figure 1", what = "minimax", illustration = true },
//!   { place = "section 5.3", what = "endings of four pieces", missing = "games are not looked at for it" },
//! ]
//! ```

use super::chapter::{Chapter, KnownExperiment};
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
    answer: Answer,
}

/// What there is to set beside it.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Answer {
    /// Experiments of ours.
    Experiments(Vec<String>),
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
    only(ITEM, table, &["place", "what", "experiments", "test", "illustration", "missing"])?;
    let place: String = required(ITEM, table, "place")?;
    let experiments: Option<Vec<String>> = optional(ITEM, table, "experiments")?;
    let illustration: Option<bool> = optional(ITEM, table, "illustration")?;
    let missing: Option<String> = optional(ITEM, table, "missing")?;
    let test: Option<String> = optional(ITEM, table, "test")?;
    let answer = match (experiments, test, illustration, missing) {
        (Some(ids), None, None, None) if !ids.is_empty() => Answer::Experiments(ids),
        (None, Some(file), None, None) if !file.is_empty() => Answer::Test(file),
        (None, None, Some(true), None) => Answer::Illustration,
        (None, None, None, Some(reason)) if !reason.is_empty() => Answer::Missing(reason),
        _ => {
            return Err(FileError::Value {
                place: format!("the item '{}'", place.escape_debug()),
                problem: "exactly one of 'experiments', 'test', 'illustration = true' and 'missing' is needed"
                    .to_owned(),
            });
        }
    };
    Ok(PrintedItem { place, what: required(ITEM, table, "what")?, answer })
}

fn written(papers: &[PrintedPaper], chapters: &[Chapter<'_>]) -> Result<String, FileError> {
    let items = || papers.iter().flat_map(|paper| &paper.items);
    let count = |of: fn(&Answer) -> bool| items().filter(|item| of(&item.answer)).count();
    let mut text = format!(
        "# Every table and figure of the papers\n\n\
         Of {} tables, figures and numbers of the text {} have an experiment or a test here, {} are drawings \
         or definitions with nothing to measure, and {} are not measured. The list is \
         `experiments/papers/printed.toml`; what stands beside it is read from the results.\n",
        items().count(),
        count(|answer| matches!(answer, Answer::Experiments(_) | Answer::Test(_))),
        count(|answer| *answer == Answer::Illustration),
        count(|answer| matches!(answer, Answer::Missing(_)))
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
                Answer::Test(file) => format!("exact, compared by `{file}`"),
                Answer::Illustration => "nothing to measure".to_owned(),
                Answer::Missing(reason) => format!("not measured: {}", markdown_text(reason)),
                Answer::Experiments(ids) => {
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

/// Where an experiment stands.
fn standing(id: &str, chapters: &[Chapter<'_>]) -> Result<String, FileError> {
    let mut all = chapters.iter().flat_map(|chapter| {
        chapter.known.iter().map(move |known: &KnownExperiment<'_>| (chapter, known))
    });
    let Some((chapter, known)) = all.find(|(_, known)| known.experiment.id == id) else {
        let known = chapters.iter().flat_map(|chapter| &chapter.known);
        let known: Vec<String> = known.map(|known| known.experiment.id.clone()).collect();
        return Err(unknown("experiment", id, &known));
    };
    let scale = known.results.as_ref().map(|results| format!(", scale {}", results.scale.name()));
    let state = markdown_text(&known.state_text());
    Ok(format!("[{id}]({}.md#{id}): {state}{}", chapter.page, scale.unwrap_or_default()))
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
