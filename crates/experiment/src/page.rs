//! The pages of experiments.

use super::result::{Data, ResultFile};
use super::shelf::{Known, Shelf, ShelfKind, Tally, shelves};
use super::{Experiment, ExperimentError};
use monteverde_report::{
    Column, Comparison, Contest, DotPlot, Interval, Part, Rank, ReportData, Reproduce, Section,
    Table, count_text, interval_text,
};

/// What verdicts mean.
pub(super) const VERDICTS: &str = "A verdict is computed: 'differs' where the 95% interval measured here and the paper's number with its own \
     error have no point in common, 'agrees' where they have one and ours is narrow enough to tell, 'undecided' \
     otherwise.";

/// The report of some experiments, each with the results of its largest scale that has any: a chapter for each paper
/// and for each topic of our own questions.
pub fn report(experiments: &[Experiment]) -> Result<ReportData, ExperimentError> {
    of_shelves(&shelves(experiments)?)
}

/// The section of one experiment.
pub fn section(experiment: &Experiment) -> Result<Section, ExperimentError> {
    of_known(&Known::look_up(experiment)?)
}

/// Everything.
pub(super) fn of_shelves(shelves: &[Shelf<'_>]) -> Result<ReportData, ExperimentError> {
    let mut sections = vec![overview(shelves)];
    for shelf in shelves {
        match shelf.kind {
            ShelfKind::Paper => {
                sections.push(Section { rank: Rank::Chapter, ..claims(shelf, &shelf.title) });
                sections.extend(all_known(&shelf.known)?);
            }
            ShelfKind::Own => sections.extend(topics(shelf)?),
        }
    }
    Ok(ReportData {
        title: "Experiments".to_owned(),
        summary: vec![format!("What papers report and what was measured here. {VERDICTS}")],
        sections,
    })
}

/// The page of a paper, or of our own questions.
pub(super) fn of_shelf(shelf: &Shelf<'_>) -> Result<ReportData, ExperimentError> {
    let (summary, sections) = match shelf.kind {
        ShelfKind::Paper => {
            let mut sections = vec![claims(shelf, "All numbers")];
            sections.extend(all_known(&shelf.known)?);
            let summary = format!("What the paper says, and what was measured here. {VERDICTS}");
            (summary, sections)
        }
        ShelfKind::Own => {
            let summary =
                "What the papers leave open, and the steps on the way to our own players.";
            (summary.to_owned(), topics(shelf)?)
        }
    };
    Ok(ReportData { title: shelf.title.clone(), summary: vec![summary], sections })
}

/// How many numbers of each paper came out how.
fn overview(shelves: &[Shelf<'_>]) -> Section {
    let papers = shelves.iter().filter(|shelf| shelf.kind == ShelfKind::Paper);
    let row = |title: &str, tally: Tally| {
        [title.to_owned()].into_iter().chain(tally.counts().map(count_text)).collect()
    };
    let total = papers.clone().fold(Tally::default(), |sum, shelf| sum + shelf.tally());
    let rows = papers.map(|shelf| row(&shelf.title, shelf.tally()));
    let counts = ["Numbers", "Agree", "Differ", "Undecided", "Not measured yet"];
    let counts = counts.map(|title| Column::Number(title.to_owned()));
    Section {
        title: "Overview".to_owned(),
        rank: Rank::Chapter,
        parts: vec![Part::Table(Table {
            caption: "The papers' numbers".to_owned(),
            columns: [Column::Text("Paper".to_owned())].into_iter().chain(counts).collect(),
            rows: rows.chain([row("In all", total)]).collect(),
        })],
        ..Section::default()
    }
}

/// Every number of a paper.
fn claims(shelf: &Shelf<'_>, title: &str) -> Section {
    Section {
        title: title.to_owned(),
        parts: vec![Part::Claims(shelf.claims())],
        ..Section::default()
    }
}

/// Our own questions, a chapter a topic.
fn topics(shelf: &Shelf<'_>) -> Result<Vec<Section>, ExperimentError> {
    let mut sections = Vec::new();
    for group in shelf.known.chunk_by(|one, two| one.topic() == two.topic()) {
        let row = |known: &Known<'_>| {
            let Experiment { id, title, .. } = known.experiment;
            let scale = known.results.as_ref().map_or("\u{2013}", |found| found.scale.name());
            vec![id.clone(), title.clone(), scale.to_owned(), known.state_text()]
        };
        let link = Column::Link("Experiment".to_owned());
        let texts = ["What", "Scale", "Found"].map(|title| Column::Text(title.to_owned()));
        sections.push(Section {
            title: group[0].experiment.topic.clone(),
            rank: Rank::Chapter,
            parts: vec![Part::Table(Table {
                caption: "All experiments".to_owned(),
                columns: [link].into_iter().chain(texts).collect(),
                rows: group.iter().map(row).collect(),
            })],
            ..Section::default()
        });
        sections.extend(all_known(group)?);
    }
    Ok(sections)
}

fn all_known(all: &[Known<'_>]) -> Result<Vec<Section>, ExperimentError> {
    all.iter().map(of_known).collect()
}

impl Known<'_> {
    /// What is known, in a few words.
    pub(super) fn state_text(&self) -> String {
        let Some(results) = &self.results else { return "not measured yet".to_owned() };
        if !self.experiment.is_current(results) {
            return "out of date".to_owned();
        }
        match (self.experiment.verdict(results), &results.test) {
            (Some(verdict), _) => verdict.name().to_owned(),
            (None, Some(test)) => test.sentence(),
            (None, None) => "measured".to_owned(),
        }
    }
}

fn of_known(known: &Known<'_>) -> Result<Section, ExperimentError> {
    let experiment = known.experiment;
    let mut text = vec![experiment.question.clone()];
    if let Some(paper) = &experiment.paper {
        text.push(format!("The paper ({}): {}.", paper.place, paper.setup));
    }
    let mut notes = experiment.notes.clone();
    let errors = experiment.paper.as_ref().map_or("", |paper| &paper.errors);
    if !errors.is_empty() {
        notes.push(format!("The paper's errors: {errors}."));
    }
    let section = Section {
        title: format!("{}: {}", experiment.id, experiment.title),
        id: experiment.id.clone(),
        findings: experiment.findings.clone(),
        ..Section::default()
    };
    let Some(results) = &known.results else {
        text.push("It has not been measured yet.".to_owned());
        let parts = vec![Part::Claims(known.claims())];
        let parts = if experiment.compares.is_empty() { Vec::new() } else { parts };
        return Ok(Section { text, notes, parts, ..section });
    };
    if !experiment.is_current(results) {
        text.push("The work has been changed since these numbers were measured.".to_owned());
    }
    if let Some(verdict) = experiment.verdict(results) {
        text.push(format!("Verdict at scale {}: {}.", results.scale.name(), verdict.name()));
        notes.push(resolution_text(experiment));
    }
    let parts = parts(experiment, results, &known.smaller)?;
    let reproduce = Some(reproduce(experiment, results));
    Ok(Section { text, notes, parts, reproduce, ..section })
}

fn parts(
    experiment: &Experiment,
    results: &ResultFile,
    smaller: &[ResultFile],
) -> Result<Vec<Part>, ExperimentError> {
    let mut parts: Vec<Part> =
        experiment.comparisons(results).into_iter().map(Part::Comparison).collect();
    for results in smaller {
        let caption = format!("The same at scale {}", results.scale.name());
        let of_scale = experiment.comparisons(results).into_iter().map(|comparison| {
            let caption = caption.clone();
            Part::Comparison(Comparison { caption, figure: DotPlot::Left, ..comparison })
        });
        parts.extend(of_scale);
    }
    let commands = experiment.commands(results)?;
    match &results.data {
        Data::Tournament(counts) => {
            parts.extend(results.calibration.iter().map(|found| Part::Table(found.table())));
            parts.extend(results.test.iter().map(|test| Part::Table(test.table())));
            parts.push(Part::Contest(Contest { commands: commands.lines, ..counts.contest() }));
            return Ok(parts);
        }
        Data::Sweep(sweep) => {
            parts.extend([Part::Plot(sweep.plot()), Part::Table(sweep.table())]);
        }
        Data::Mating(cells) => {
            parts.extend(super::mating::figures(cells).into_iter().map(Part::Plot));
            parts.push(Part::Table(super::mating::table(cells)));
        }
        Data::Shape(shape) => {
            let plot = Part::Plot(super::shape::plot(shape));
            parts.extend([plot, Part::Table(super::shape::table(shape))]);
        }
        Data::Prediction(ranks) => {
            let plot = Part::Plot(super::prediction::plot(ranks));
            parts.extend([plot, Part::Table(super::prediction::table(ranks))]);
        }
        Data::Playouts(_) | Data::Until(_) | Data::Suite(_) | Data::Endings(_) => {
            parts.extend(results.tables().into_iter().map(Part::Table));
        }
    }
    if !commands.lines.is_empty() {
        parts.push(Part::Commands(commands));
    }
    Ok(parts)
}

fn resolution_text(experiment: &Experiment) -> String {
    let wide = experiment.compares.iter().map(|compare| {
        let resolution = interval_text(Interval::exact(compare.resolution), compare.decimals);
        format!("{resolution} ({})", compare.quantity)
    });
    let wide: Vec<String> = wide.collect();
    format!(
        "Where both intervals have a point in common, ours decides if on each side it is at most so wide: {}.",
        wide.join(", ")
    )
}

fn reproduce(experiment: &Experiment, results: &ResultFile) -> Reproduce {
    let fact = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    let folder = experiment.folder.file_name().unwrap_or_default().to_string_lossy();
    let mut facts = vec![
        fact("Scale", results.scale.name()),
        fact("Build", &results.build),
        fact("Work", &results.work),
        fact("Data", &format!("{folder}/{}/{}.json", experiment.id, results.scale.name())),
    ];
    if let Some(made) = &results.made {
        let mut time = format!("{} s on {} threads, {}", made.seconds, made.threads, made.day);
        if made.found > 0 {
            let unit = experiment.unit();
            time += &format!("; {} {unit} were there from earlier runs", count_text(made.found));
        }
        facts.extend([fact("Machine", &made.machine), fact("Time", &time)]);
    }
    // The file speaks for the results only as long as it states the work that was done.
    if experiment.is_current(results)
        && let Ok(work) = experiment.work(results.scale)
        && let Some(seed) = work.get("seed")
    {
        facts.insert(1, fact("Seed", &seed.to_string()));
    }
    Reproduce {
        facts,
        commands: vec![
            format!("monteverde experiment run {} --scale {}", experiment.id, results.scale.name()),
            "monteverde experiment report".to_owned(),
        ],
    }
}
