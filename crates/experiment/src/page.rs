//! The pages of experiments.

use super::chapter::{Chapter, ChapterKind, KnownExperiment, VerdictTally, chapters};
use super::result::ResultFile;
use super::{Experiment, ExperimentError};
use monteverde_report::{
    Column, Comparison, ContestReport, DotPlot, Interval, Part, Rank, ReportData, ReportTable,
    Reproduce, Section, count_text, interval_text,
};

/// What verdicts mean.
pub(super) const VERDICTS: &str = "A verdict is computed: 'differs' where the 95% interval measured here and the paper's number with its own \
     error have no point in common, 'agrees' where they have one and ours is narrow enough to tell, 'undecided' \
     otherwise; what could not have come out otherwise, or is another reading of a number that is counted, is not counted.";

/// The report of some experiments, each with the results of its largest scale that has any: a
/// chapter for each paper and for each topic of our own questions.
pub fn report(experiments: &[Experiment]) -> Result<ReportData, ExperimentError> {
    of_chapters(&chapters(experiments)?)
}

/// The section of one experiment.
pub fn section(experiment: &Experiment) -> Result<Section, ExperimentError> {
    of_known(&KnownExperiment::look_up(experiment)?)
}

/// Everything.
pub(super) fn of_chapters(chapters: &[Chapter<'_>]) -> Result<ReportData, ExperimentError> {
    let mut sections = vec![overview(chapters)];
    for chapter in chapters {
        match chapter.kind {
            ChapterKind::Paper => {
                sections.push(Section { rank: Rank::Chapter, ..claims(chapter, &chapter.title) });
                sections.extend(all_known(&chapter.known)?);
            }
            ChapterKind::Own => sections.extend(topics(chapter)?),
        }
    }
    Ok(ReportData {
        title: "Experiments".to_owned(),
        summary: vec![format!("What papers report and what was measured here. {VERDICTS}")],
        sections,
    })
}

/// The page of a paper, or of our own questions.
pub(super) fn of_chapter(chapter: &Chapter<'_>) -> Result<ReportData, ExperimentError> {
    let (summary, sections) = match chapter.kind {
        ChapterKind::Paper => {
            let mut sections = vec![claims(chapter, "All numbers")];
            sections.extend(all_known(&chapter.known)?);
            let summary = format!("What the paper says, and what was measured here. {VERDICTS}");
            (summary, sections)
        }
        ChapterKind::Own => {
            let summary =
                "What the papers leave open, and the steps on the way to our own players.";
            (summary.to_owned(), topics(chapter)?)
        }
    };
    Ok(ReportData { title: chapter.title.clone(), summary: vec![summary], sections })
}

/// How many numbers of each paper came out how.
fn overview(chapters: &[Chapter<'_>]) -> Section {
    let papers = chapters.iter().filter(|chapter| chapter.kind == ChapterKind::Paper);
    let row = |title: &str, tally: VerdictTally| {
        [title.to_owned()].into_iter().chain(tally.counts().map(count_text)).collect()
    };
    let total = papers.clone().fold(VerdictTally::default(), |sum, chapter| sum + chapter.tally());
    let rows = papers.map(|chapter| row(&chapter.title, chapter.tally()));
    let counts = ["Numbers", "Agree", "Differ", "Undecided", "Not counted", "Not measured yet"];
    let counts = counts.map(|title| Column::Number(title.to_owned()));
    Section {
        title: "Overview".to_owned(),
        rank: Rank::Chapter,
        parts: vec![Part::Table(ReportTable {
            caption: "The papers' numbers".to_owned(),
            columns: [Column::Text("Paper".to_owned())].into_iter().chain(counts).collect(),
            rows: rows.chain([row("In all", total)]).collect(),
        })],
        ..Section::default()
    }
}

/// Every number of a paper.
fn claims(chapter: &Chapter<'_>, title: &str) -> Section {
    Section {
        title: title.to_owned(),
        parts: vec![Part::Claims(chapter.claims())],
        ..Section::default()
    }
}

/// Our own questions, a chapter a topic.
fn topics(chapter: &Chapter<'_>) -> Result<Vec<Section>, ExperimentError> {
    let mut sections = Vec::new();
    for group in chapter.known.chunk_by(|one, two| one.topic() == two.topic()) {
        let row = |known: &KnownExperiment<'_>| {
            let Experiment { id, title, .. } = known.experiment;
            let scale = known.results.as_ref().map_or("\u{2013}", |found| found.scale.name());
            vec![id.clone(), title.clone(), scale.to_owned(), known.state_text()]
        };
        let link = Column::Link("Experiment".to_owned());
        let texts = ["What", "Scale", "Found"].map(|title| Column::Text(title.to_owned()));
        sections.push(Section {
            title: group[0].experiment.topic.clone(),
            rank: Rank::Chapter,
            parts: vec![Part::Table(ReportTable {
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

fn all_known(all: &[KnownExperiment<'_>]) -> Result<Vec<Section>, ExperimentError> {
    all.iter().map(of_known).collect()
}

impl KnownExperiment<'_> {
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

fn of_known(known: &KnownExperiment<'_>) -> Result<Section, ExperimentError> {
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
        text.push("The work, or how a player searches, has been changed since.".to_owned());
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
    parts.extend(results.common_tables().map(Part::Table));
    let commands = experiment.commands(results)?;
    let measurement = results.data.measurement();
    if let Some(contest) = measurement.contest() {
        parts.push(Part::Contest(ContestReport { commands: commands.lines, ..contest }));
        return Ok(parts);
    }
    parts.extend(measurement.figures().into_iter().map(Part::Plot));
    parts.extend(measurement.tables().into_iter().map(Part::Table));
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
        let mut time = match made.threads {
            0 => format!("{} s, {}", made.seconds, made.day),
            threads => format!("{} s on {threads} threads, {}", made.seconds, made.day),
        };
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
