//! The first reading of experiments: question, finding, one figure, and the paper's numbers beside
//! ours, at the largest scale there is. Everything else is on the detailed pages (`page.rs`).

use super::Experiment;
use super::chapter::{Chapter, ChapterKind, KnownExperiment};
use super::result::{ResultData, ResultFile, TestResult};
use monteverde_report::{
    Column, Compared, Comparison, DotPlot, Part, Rank, ReportData, ReportTable, Section, Standing,
    Verdict, count_text, interval_text, paper_text,
};

/// How many of the paper's numbers an experiment shows in tables; further comparisons are told in
/// words.
const MOST_ROWS: usize = 12;

/// The section of all sequential tests.
pub(super) const TESTS: &str = "sequential-tests";

/// How everything else is got.
const DETAILS: &str = "'monteverde experiment report --out DIR' writes all details.";

/// Where verdicts are explained; the first page of all says it in words.
const VERDICT_RULE: &str =
    "docs/verdicts.md says how verdicts are made, and what 'as printed' means.";

/// The page of a paper, or of our own questions.
pub(super) fn of_chapter(chapter: &Chapter<'_>) -> ReportData {
    let mut sections = Vec::new();
    match chapter.kind {
        ChapterKind::Paper => sections.extend(chapter.known.iter().map(of_known)),
        ChapterKind::Own => {
            for group in chapter.known.chunk_by(|one, two| one.topic() == two.topic()) {
                sections.push(Section {
                    title: group[0].experiment.topic.clone(),
                    rank: Rank::Chapter,
                    ..Section::default()
                });
                let (tests, others): (Vec<_>, Vec<_>) =
                    group.iter().partition(|known| known.test_in_a_row().is_some());
                sections.extend(others.into_iter().map(of_known));
                sections.extend((!tests.is_empty()).then(|| of_tests(&tests)));
            }
        }
    }
    let about = match chapter.kind {
        ChapterKind::Paper => {
            let [all, agree, differ, undecided, uncounted, open] = chapter.tally().counts();
            format!(
                "Of {all} numbers {agree} agree, {differ} differ, {undecided} are undecided, {uncounted} are not \
                 counted and {open} not measured yet. {VERDICT_RULE}"
            )
        }
        ChapterKind::Own => {
            "What the papers leave open, and the steps on the way to our own players.".to_owned()
        }
    };
    let title = chapter.title.clone();
    ReportData { title, summary: vec![about, DETAILS.to_owned()], sections }
}

fn of_known(known: &KnownExperiment<'_>) -> Section {
    let experiment = known.experiment;
    let mut text = vec![experiment.question.clone()];
    let (parts, more) = match &known.results {
        Some(results) => parts(known, results),
        None => (Vec::new(), Vec::new()),
    };
    text.extend(more);
    Section {
        title: format!("{}: {}", experiment.id, experiment.short_title()),
        id: experiment.id.clone(),
        text,
        findings: experiment.findings.clone(),
        notes: [known.measured_text()]
            .into_iter()
            .chain(known.cause_text())
            .chain(reasons(known))
            .collect(),
        parts,
        ..Section::default()
    }
}

/// Sequential tests, which have one answer each, in one table.
fn of_tests(tests: &[&KnownExperiment<'_>]) -> Section {
    let row = |known: &&KnownExperiment<'_>| {
        let test = known.test_in_a_row()?;
        let Experiment { id, question, .. } = known.experiment;
        let [verdict, games] = [known.state_text(), count_text(test.games)];
        Some(vec![id.clone(), question.clone(), verdict, games, interval_text(test.elo, 1)])
    };
    Section {
        title: "Sequential tests".to_owned(),
        id: TESTS.to_owned(),
        parts: vec![Part::Table(ReportTable {
            caption: "Games are played until they decide".to_owned(),
            columns: vec![
                Column::text("Experiment"),
                Column::text("Question"),
                Column::text("Verdict"),
                Column::number("Games"),
                Column::number("Elo (95%)"),
            ],
            rows: tests.iter().filter_map(row).collect(),
        })],
        ..Section::default()
    }
}

/// The table and the figure, and sentences on what is left out of them.
fn parts(known: &KnownExperiment<'_>, results: &ResultFile) -> (Vec<Part>, Vec<String>) {
    let (mut shown, mut left_out, mut room) = (Vec::new(), Vec::new(), MOST_ROWS);
    for comparison in known.experiment.comparisons(results) {
        let is_measured = comparison.rows.iter().any(Compared::is_measured);
        if is_measured && comparison.rows.len() <= room {
            room -= comparison.rows.len();
            shown.push(comparison);
        } else {
            left_out.push(in_words(&comparison));
        }
    }
    let mut parts = Vec::new();
    if !shown.is_empty() {
        parts.push(Part::Table(numbers(&shown)));
    }
    if known.experiment.compares.is_empty() {
        parts.extend(results.test.iter().map(|test| Part::Table(test.table())));
        if results.test.is_none() {
            parts.extend(own_table(results).map(Part::Table));
        }
    }
    // One figure: that of the measurement, else that of the first comparison.
    let drawn = || {
        let one = shown.iter().find(|comparison| comparison.figure == DotPlot::Drawn)?;
        Some(Comparison { caption: String::new(), ..one.clone() })
    };
    let figure = results.data.measurement().figures().into_iter().next().map(Part::Drawing);
    parts.extend(figure.or_else(|| drawn().map(Part::Dots)));
    (parts, left_out)
}

/// All numbers in one table.
fn numbers(comparisons: &[Comparison]) -> ReportTable {
    let unit = comparisons.first().map_or("", |comparison| &comparison.sample);
    let rows = comparisons.iter().flat_map(|comparison| {
        comparison.rows.iter().enumerate().map(|(index, row)| {
            let quantity = if index == 0 { comparison.quantity.as_str() } else { "" };
            let decimals = comparison.decimals;
            vec![
                quantity.to_owned(),
                row.name.clone(),
                paper_text(row.paper, row.error, decimals),
                interval_text(row.ours, decimals),
                match row.sample {
                    0 => "\u{2013}".to_owned(),
                    sample => count_text(sample),
                },
                match row.is_measured() {
                    true => row.verdict.name().to_owned(),
                    false => Standing::Open.name().to_owned(),
                },
            ]
        })
    });
    ReportTable {
        // Its columns say what it is.
        caption: String::new(),
        columns: vec![
            Column::text("What"),
            Column::text("Of"),
            Column::number("Paper"),
            Column::number("Ours (95%)"),
            Column::number(&format!("Sample, {unit}")),
            Column::text("Verdict"),
        ],
        rows: rows.collect(),
    }
}

/// Why some numbers are not counted, each reason once.
fn reasons(known: &KnownExperiment<'_>) -> Vec<String> {
    let comparisons =
        known.results.as_ref().map_or(Vec::new(), |it| known.experiment.comparisons(it));
    let rows = comparisons.iter().flat_map(|comparison| &comparison.rows);
    let uncounted: Vec<&Compared> = rows.filter(|row| !row.reason.is_empty()).collect();
    let mut reasons: Vec<&str> = Vec::new();
    for row in &uncounted {
        if !reasons.contains(&row.reason.as_str()) {
            reasons.push(&row.reason);
        }
    }
    let names = |reason: &str| {
        let own = uncounted.iter().filter(|row| row.reason == reason);
        own.map(|row| row.name.as_str()).collect::<Vec<_>>().join(", ")
    };
    let sentence = |reason| format!("Not counted: {}; {reason}.", names(reason));
    reasons.into_iter().map(sentence).collect()
}

/// The ratings of a tournament, unless they are very many; other measurements have a figure. Draws
/// are counted on the detailed pages.
fn own_table(results: &ResultFile) -> Option<ReportTable> {
    let mut table = results.data.measurement().tables().into_iter().next()?;
    if let Some(draws) = table.columns.iter().position(|it| *it == Column::number("draws")) {
        table.columns.remove(draws);
        table.rows.iter_mut().for_each(|row| drop(row.remove(draws)));
    }
    let is_shown = matches!(results.data, ResultData::Tournament(_) | ResultData::Until(_));
    (is_shown && table.rows.len() <= MOST_ROWS).then_some(table)
}

/// A comparison in a sentence, with the names of the numbers that differ.
fn in_words(comparison: &Comparison) -> String {
    let (all, quantity) = (comparison.rows.len(), &comparison.quantity);
    let measured = || comparison.rows.iter().filter(|row| row.is_measured());
    if measured().next().is_none() {
        return format!("Not measured yet: {quantity} ({all} of the paper's numbers).");
    }
    let count = |wanted: Verdict| measured().filter(|row| row.verdict == wanted).count();
    let differing = measured().filter(|row| row.verdict == Verdict::Differs);
    let differing: Vec<&str> = differing.map(|row| row.name.as_str()).collect();
    let names = match differing.as_slice() {
        [] => String::new(),
        names => format!(" ({})", names.join(", ")),
    };
    format!(
        "{quantity}: of {all} numbers {} agree, {} differ{names}, {} are undecided.",
        count(Verdict::Agrees),
        differing.len(),
        count(Verdict::Undecided)
    )
}

impl KnownExperiment<'_> {
    /// The sequential test of an experiment of which there is nothing else to tell.
    pub(super) fn test_in_a_row(&self) -> Option<&TestResult> {
        let is_all = self.experiment.findings.is_empty() && self.experiment.compares.is_empty();
        self.results.as_ref()?.test.as_ref().filter(|_| is_all)
    }

    /// Why numbers differ; `None` where none does.
    pub(super) fn cause_text(&self) -> Option<String> {
        let results = self.results.as_ref().filter(|it| self.experiment.is_current(it))?;
        let differs = self.experiment.verdict(results) == Some(Verdict::Differs);
        let cause = match self.experiment.cause.as_str() {
            "" => "unknown, nothing was tried yet",
            cause => cause,
        };
        differs.then(|| format!("Cause: {}.", cause.trim_end_matches('.')))
    }

    /// At which scale it was measured, how much and when. Where is on the detailed pages.
    fn measured_text(&self) -> String {
        let Some(results) = &self.results else { return "Not measured yet.".to_owned() };
        let mut text = format!(
            "Scale {}: {} {}",
            results.scale.name(),
            count_text(results.data.sample()),
            results.data.unit()
        );
        if let Some(made) = &results.made {
            text += &format!(", {}", made.day);
        }
        text.push('.');
        if !self.experiment.is_current(results) {
            text += " The work, or how a player searches, has been changed since.";
        }
        text
    }
}
