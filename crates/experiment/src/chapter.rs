//! Experiments with what is known of them, set under their papers.

use super::result::ResultFile;
use super::{Experiment, ExperimentError, Scale};
use monteverde_report::{Claim, Standing, Verdict, count_text, interval_text, paper_text};

/// A paper with its experiments, or the experiments without one.
pub(super) struct Chapter<'a> {
    /// The title of its page.
    pub(super) title: String,
    /// The name of its page, without an ending.
    pub(super) page: String,
    /// Whether it is a paper.
    pub(super) kind: ChapterKind,
    /// The experiments in the order of the paper; those without one by topic.
    pub(super) known: Vec<KnownExperiment<'a>>,
}

/// What a chapter is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ChapterKind {
    /// The experiments of a paper.
    Paper,
    /// Questions without one.
    Own,
}

/// An experiment and what was measured.
pub(super) struct KnownExperiment<'a> {
    pub(super) experiment: &'a Experiment,
    /// The results of the largest scale that has any which the work still makes, else of the
    /// largest scale that has any.
    pub(super) results: Option<ResultFile>,
    /// Those of smaller scales than that but quick, which only shows that it works.
    pub(super) smaller: Vec<ResultFile>,
}

/// How many of a paper's numbers came out how.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct VerdictTally {
    agree: u64,
    differ: u64,
    undecided: u64,
    /// Shown, but of no weight.
    uncounted: u64,
    /// Not measured yet, or out of date.
    open: u64,
}

/// The name of the page of questions without a paper.
const OWN: &str = "our-questions";

/// All experiments, a chapter for each paper in the order of their pages' names, our own questions
/// last.
pub(super) fn chapters(experiments: &[Experiment]) -> Result<Vec<Chapter<'_>>, ExperimentError> {
    let mut chapters: Vec<Chapter<'_>> = Vec::new();
    for experiment in experiments {
        let known = KnownExperiment::look_up(experiment)?;
        let (title, page, kind) = match &experiment.paper {
            Some(paper) => (heading(&paper.title), paper.page.clone(), ChapterKind::Paper),
            None => ("Our own questions".to_owned(), OWN.to_owned(), ChapterKind::Own),
        };
        match chapters.iter_mut().find(|chapter| chapter.page == page && chapter.kind == kind) {
            Some(chapter) => chapter.known.push(known),
            None => chapters.push(Chapter { title, page, kind, known: vec![known] }),
        }
    }
    chapters.sort_by_key(|chapter| (chapter.kind == ChapterKind::Own, chapter.page.clone()));
    for chapter in &mut chapters {
        chapter.known.sort_by_key(|known| {
            let Experiment { id, paper, topic, .. } = known.experiment;
            (paper.as_ref().map_or(topic, |paper| &paper.place).clone(), id.clone())
        });
    }
    Ok(chapters)
}

/// A title as a heading: a study may be called by what it is about.
fn heading(title: &str) -> String {
    let mut letters = title.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

impl<'a> KnownExperiment<'a> {
    pub(super) fn look_up(
        experiment: &'a Experiment,
    ) -> Result<KnownExperiment<'a>, ExperimentError> {
        let (mut current, mut stale) = (Vec::new(), None);
        for scale in Scale::ALL.into_iter().rev() {
            match experiment.results(scale)? {
                Some(results) if experiment.is_current(&results) => current.push(results),
                results => stale = stale.or(results),
            }
        }
        let mut current = current.into_iter();
        let results = current.next().or(stale);
        Ok(KnownExperiment {
            experiment,
            results,
            smaller: current.filter(|results| results.scale != Scale::Quick).collect(),
        })
    }

    /// What it stands under, without a paper.
    pub(super) fn topic(&self) -> Option<&str> {
        self.experiment.paper.is_none().then_some(&self.experiment.topic)
    }

    /// Every number of the paper, beside ours.
    pub(super) fn claims(&self) -> Vec<Claim> {
        self.claims_by_compare().concat()
    }

    /// The same, a list for each comparison.
    pub(super) fn claims_by_compare(&self) -> Vec<Vec<Claim>> {
        let mut all = Vec::new();
        for compare in &self.experiment.compares {
            let mut claims = Vec::new();
            let mut sentence = match compare.claim.as_str() {
                "" => format!("{}.", heading(&compare.quantity)),
                claim => format!("{claim} Compared: {}.", compare.quantity),
            };
            let rows = match &self.results {
                Some(results) => self.experiment.comparison(compare, results).rows,
                None => Vec::new(),
            };
            for (index, value) in compare.values.iter().enumerate() {
                let row = rows.get(index).filter(|row| row.is_measured());
                let results = self.results.as_ref().filter(|_| row.is_some());
                let dash = "\u{2013}".to_owned();
                claims.push(Claim {
                    claim: std::mem::take(&mut sentence),
                    name: value.name.clone(),
                    paper: paper_text(value.number, value.error, compare.decimals),
                    ours: row.map_or(dash.clone(), |row| interval_text(row.ours, compare.decimals)),
                    sample: match (row, results) {
                        (Some(row), Some(results)) if row.sample > 0 => {
                            format!("{} {}", count_text(row.sample), results.data.unit())
                        }
                        _ => dash.clone(),
                    },
                    scale: results.map_or(dash, |results| results.scale.name().to_owned()),
                    standing: match (row, results) {
                        (Some(row), Some(results)) if self.experiment.is_current(results) => {
                            Standing::Measured(row.verdict)
                        }
                        (Some(_), _) => Standing::Stale,
                        _ => Standing::Open,
                    },
                    section: self.experiment.id.clone(),
                });
            }
            all.push(claims);
        }
        all
    }
}

impl Chapter<'_> {
    pub(super) fn claims(&self) -> Vec<Claim> {
        self.known.iter().flat_map(KnownExperiment::claims).collect()
    }

    pub(super) fn tally(&self) -> VerdictTally {
        let mut tally = VerdictTally::default();
        for claim in self.claims() {
            tally.count(claim.standing);
        }
        tally
    }
}

impl VerdictTally {
    pub(super) fn count(&mut self, standing: Standing) {
        *match standing {
            Standing::Measured(Verdict::Agrees) => &mut self.agree,
            Standing::Measured(Verdict::Differs) => &mut self.differ,
            Standing::Measured(Verdict::Undecided) => &mut self.undecided,
            Standing::Measured(Verdict::NotCounted) => &mut self.uncounted,
            Standing::Stale | Standing::Open => &mut self.open,
        } += 1;
    }

    /// All of them; those that agree, differ, are undecided, not counted, and not measured yet.
    pub(super) fn counts(self) -> [u64; 6] {
        let VerdictTally { agree, differ, undecided, uncounted, open } = self;
        let all = agree + differ + undecided + uncounted + open;
        [all, agree, differ, undecided, uncounted, open]
    }
}

impl std::ops::Add for VerdictTally {
    type Output = VerdictTally;

    fn add(self, other: VerdictTally) -> VerdictTally {
        VerdictTally {
            agree: self.agree + other.agree,
            differ: self.differ + other.differ,
            undecided: self.undecided + other.undecided,
            uncounted: self.uncounted + other.uncounted,
            open: self.open + other.open,
        }
    }
}
