//! The pages of experiments.

use super::result::{Data, ResultFile};
use super::{Experiment, ExperimentError, Scale, State};
use crate::report::{
    Column, Interval, Part, ReportData, Reproduce, Section, Table, Verdict, count_text,
    interval_text,
};

/// The report of some experiments, each with the results of its largest scale that has any.
pub fn report(experiments: &[Experiment]) -> Result<ReportData, ExperimentError> {
    let mut sections = vec![overview(experiments)?];
    for experiment in experiments {
        sections.push(section(experiment)?);
    }
    Ok(ReportData {
        title: "Experiments".to_owned(),
        summary: vec![
            "What papers report and what was measured here. A verdict is computed: 'differs' where the \
             95% interval measured here and the paper's number with its own error have no point in \
             common, 'agrees' where they have one and ours is narrow enough to tell, 'undecided' \
             otherwise."
                .to_owned(),
        ],
        sections,
    })
}

fn overview(experiments: &[Experiment]) -> Result<Section, ExperimentError> {
    let mut rows = Vec::new();
    for experiment in experiments {
        let (scale, state) = match largest(experiment)? {
            Some(results) => (results.scale.name(), state_text(&experiment.state(results.scale)?)),
            None => ("\u{2013}", "not measured yet"),
        };
        rows.push(
            [&experiment.id, &experiment.title, &experiment.source(), scale, state]
                .map(|text| text.to_owned())
                .to_vec(),
        );
    }
    let columns = ["Experiment", "Title", "Paper", "Scale", "Verdict"];
    Ok(Section {
        title: "Overview".to_owned(),
        parts: vec![Part::Table(Table {
            caption: "All experiments".to_owned(),
            columns: columns.map(|title| Column::Text(title.to_owned())).to_vec(),
            rows,
        })],
        ..Section::default()
    })
}

fn state_text(state: &State) -> &'static str {
    match state {
        State::Open => "not measured yet",
        State::Stale => "out of date",
        State::Done(verdict) => verdict.name(),
        State::Measured => "measured",
    }
}

/// The results of the largest scale that has any.
fn largest(experiment: &Experiment) -> Result<Option<ResultFile>, ExperimentError> {
    for scale in Scale::ALL.into_iter().rev() {
        if let Some(results) = experiment.results(scale)? {
            return Ok(Some(results));
        }
    }
    Ok(None)
}

fn section(experiment: &Experiment) -> Result<Section, ExperimentError> {
    let mut text = vec![experiment.question.clone()];
    if let Some(paper) = &experiment.paper {
        text.push(format!("The paper ({}): {}.", experiment.source(), paper.setup));
        if !paper.errors.is_empty() {
            text.push(format!("The paper's errors: {}.", paper.errors));
        }
    }
    text.extend(experiment.notes.iter().cloned());
    let title = format!("{}: {}", experiment.id, experiment.title);
    let Some(results) = largest(experiment)? else {
        text.push("It has not been measured yet.".to_owned());
        return Ok(Section { title, text, ..Section::default() });
    };
    if !experiment.is_current(&results) {
        text.push("The work has been changed since these numbers were measured.".to_owned());
    }
    if let Some(verdict) = experiment.verdict(&results) {
        text.push(verdict_text(experiment, verdict));
    }
    let mut parts: Vec<Part> =
        experiment.comparisons(&results).into_iter().map(Part::Comparison).collect();
    match &results.data {
        Data::Tournament(counts) => {
            parts.extend(results.calibration.iter().map(|found| Part::Table(found.table())));
            parts.extend(results.test.iter().map(|test| Part::Table(test.table())));
            parts.push(Part::Contest(counts.contest()));
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
    Ok(Section { title, text, parts, reproduce: Some(reproduce(experiment, &results)) })
}

fn verdict_text(experiment: &Experiment, verdict: Verdict) -> String {
    let wide = experiment.compares.iter().map(|compare| {
        let resolution = interval_text(Interval::exact(compare.resolution), compare.decimals);
        format!("{resolution} ({})", compare.quantity)
    });
    let wide: Vec<String> = wide.collect();
    format!(
        "Verdict: {}. Where both intervals have a point in common, ours decides if on each side it is at most \
         so wide: {}.",
        verdict.name(),
        wide.join(", ")
    )
}

fn reproduce(experiment: &Experiment, results: &ResultFile) -> Reproduce {
    let fact = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    let mut facts = vec![
        fact("Scale", results.scale.name()),
        fact("Build", &results.build),
        fact("Work", &results.work),
        fact("Data", &format!("{}/{}.json", experiment.id, results.scale.name())),
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
