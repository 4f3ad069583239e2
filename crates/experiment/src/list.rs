//! Experiments as lines of a list.

use super::chapter::{Chapter, KnownExperiment, VerdictTally, chapters};
use super::{Experiment, ExperimentError, ResultFile, ResultMeta, Scale};
use monteverde_report::count_text;

/// The experiments of a paper, or of a topic of our own.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ListedPaper {
    /// The title.
    pub title: String,
    /// A few letters for the paper; empty for a topic of our own.
    pub short: String,
    /// The experiments, in the order of the paper.
    pub experiments: Vec<Listed>,
}

/// An experiment and what is known of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Listed {
    /// Its name.
    pub id: String,
    /// Its title.
    pub title: String,
    /// The tables and figures of the paper, else its sections; empty without a paper.
    pub place: String,
    /// What is known at the largest scale that has results.
    pub state: String,
    /// Why numbers differ, with what shows it or what was tried; empty where none differs.
    pub cause: String,
    /// That scale.
    pub scale: Option<Scale>,
    /// What was counted there, as `600 games`; empty where nothing was.
    pub sample: String,
    /// The program that measured; empty where nothing was measured.
    pub build: String,
    /// The machine, its threads and the day, where they are known.
    pub made: Option<ResultMeta>,
    /// The beginning of the hash of all that was counted: the same numbers have the same one.
    /// Empty where nothing was measured.
    pub digest: String,
}

/// How many of the papers' numbers came out how.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct VerdictCounts {
    /// All of them.
    pub numbers: u64,
    /// Those that agree.
    pub agree: u64,
    /// Those that differ.
    pub differ: u64,
    /// Those that are undecided.
    pub undecided: u64,
    /// Those that are shown but not counted.
    pub not_counted: u64,
    /// Those that are not measured yet.
    pub open: u64,
}

/// The counts over all experiments.
pub fn verdict_counts(experiments: &[Experiment]) -> Result<VerdictCounts, ExperimentError> {
    let chapters = chapters(experiments)?;
    let all = chapters.iter().fold(VerdictTally::default(), |sum, chapter| sum + chapter.tally());
    let [numbers, agree, differ, undecided, not_counted, open] = all.counts();
    Ok(VerdictCounts { numbers, agree, differ, undecided, not_counted, open })
}

/// All experiments, by paper.
pub fn list(experiments: &[Experiment]) -> Result<Vec<ListedPaper>, ExperimentError> {
    let mut papers = Vec::new();
    for chapter in chapters(experiments)? {
        // The experiments of a paper have no topics of their own.
        let groups = chapter.known.chunk_by(|one, two| one.topic() == two.topic());
        papers.extend(groups.map(|group| listed(&chapter, group)));
    }
    Ok(papers)
}

fn listed(chapter: &Chapter<'_>, group: &[KnownExperiment<'_>]) -> ListedPaper {
    let paper = group.iter().find_map(|known| known.experiment.paper.as_ref());
    let (title, short) = match (paper, group) {
        (None, [first, ..]) => (first.experiment.topic.clone(), String::new()),
        (paper, _) => {
            (chapter.title.clone(), paper.map_or(String::new(), |paper| paper.short.clone()))
        }
    };
    let experiments = group.iter().map(|known| {
        let Experiment { id, title, paper, .. } = known.experiment;
        let results = known.results.as_ref();
        Listed {
            id: id.clone(),
            title: title.clone(),
            place: paper.as_ref().map_or(String::new(), |paper| short_place(&paper.place)),
            state: known.state_text(),
            cause: known.cause_text().unwrap_or_default(),
            scale: results.map(|results| results.scale),
            sample: results.map_or(String::new(), |results| {
                format!("{} {}", count_text(results.data.sample()), results.data.unit())
            }),
            build: results.map_or(String::new(), |results| results.build.clone()),
            made: results.and_then(|results| results.made.clone()),
            digest: results.map_or(String::new(), ResultFile::digest),
        }
    });
    ListedPaper { title, short, experiments: experiments.collect() }
}

/// A place without its section, where it names a table or a figure: `section 5.3, Tables 7, 8 and
/// 9` becomes `Tables 7, 8 and 9`.
fn short_place(place: &str) -> String {
    let first = place.split(';').next().unwrap_or(place);
    let named = ["Table", "Figure"].iter().filter_map(|word| first.find(word)).min();
    first[named.unwrap_or(0)..].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_shortened() {
        assert_eq!(short_place("section 5.3, Tables 7, 8 and 9"), "Tables 7, 8 and 9");
        assert_eq!(short_place("section 4.2, Table 2; section 4.1.2 for more"), "Table 2");
        assert_eq!(short_place("section IV"), "section IV");
    }
}
