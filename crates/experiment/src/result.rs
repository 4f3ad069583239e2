//! What was measured, as it is kept in a file.

use crate::Scale;
use crate::file::Compare;
use crate::kinds::endings::EndingCell;
use crate::kinds::mating::MatingCell;
use crate::kinds::playouts::NamedTally;
use crate::kinds::prediction::NamedRanks;
use crate::kinds::suite::NamedSuite;
use crate::kinds::until::NamedWaits;
use crate::meta::ResultMeta;
use crate::player_hashes::PlayerHashes;
use crate::work::Measurement;
use monteverde_lab::calibration::{Calibrated, Calibration};
use monteverde_lab::measure::Shape;
use monteverde_lab::standings::Standings;
use monteverde_lab::sweep::SweepResult;
use monteverde_report::{Column, Counts, Interval, ReportTable, count_text, interval_text};
use monteverde_statistics::{Decision, SequentialTest, elo, rounded};
use serde::{Deserialize, Serialize};

/// The results of an experiment at a scale.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ResultFile {
    /// The experiment's id.
    pub experiment: String,
    /// The scale.
    pub scale: Scale,
    /// The fingerprint of the work that was done.
    pub work: String,
    /// The program that did it.
    pub build: String,
    /// Where and when.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub made: Option<ResultMeta>,
    /// How the players without a network searched: the hashes of their lines of the signature.
    /// Empty in files that are older than this.
    #[serde(default, skip_serializing_if = "PlayerHashes::is_empty")]
    pub players: PlayerHashes,
    /// The speeds of the players, where they thought equally long.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub calibration: Option<Calibration>,
    /// What a sequential test said, where there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub test: Option<TestResult>,
    /// What was counted.
    pub data: ResultData,
}

/// What a sequential test of the first player said.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TestResult {
    /// The two Elo differences, the lower first.
    pub elos: [f64; 2],
    /// Games that counted.
    pub games: u64,
    /// The log-likelihood ratio.
    pub llr: f64,
    /// Where it decides.
    pub bounds: [f64; 2],
    /// What it decided.
    pub decision: Decision,
    /// The Elo difference of the games that counted. It is a little too far from 0 on average,
    /// because the test stops at extremes.
    pub elo: Interval,
}

impl TestResult {
    /// What the test says of two players' games.
    pub(crate) fn new(test: &SequentialTest, standings: &Standings) -> TestResult {
        let (low, high) = test.bounds();
        let pairs = standings.pairs(0, 1);
        let elo = Interval::from(elo(standings.sample(0, 1)));
        TestResult {
            elos: test.hypotheses(),
            games: standings.games(),
            llr: rounded(test.llr(pairs)),
            bounds: [rounded(low), rounded(high)],
            decision: test.decide(pairs),
            elo: elo.rounded(),
        }
    }

    /// What the test says, in words.
    pub fn sentence(&self) -> String {
        let [low, high] = self.elos;
        match self.decision {
            Decision::Continue => format!("not decided between {low} and {high} Elo"),
            Decision::AcceptH0 => format!("{low} Elo is accepted against {high}"),
            Decision::AcceptH1 => format!("{high} Elo is accepted against {low}"),
        }
    }

    /// The numbers of the test.
    pub fn table(&self) -> ReportTable {
        let [low, high] = self.bounds;
        ReportTable {
            caption: "Sequential test".to_owned(),
            columns: vec![
                Column::text("verdict"),
                Column::number("games"),
                Column::number("LLR"),
                Column::number("bounds"),
                Column::number("Elo (95%)"),
            ],
            rows: vec![vec![
                self.sentence(),
                count_text(self.games),
                format!("{:.2}", self.llr),
                format!("{low:.2} to {high:.2}"),
                interval_text(self.elo, 1),
            ]],
        }
    }
}

/// What was counted.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ResultData {
    /// Playouts of positions.
    Playouts(Vec<NamedTally>),
    /// The results of a tournament.
    Tournament(Counts),
    /// The cells of a sweep.
    Sweep(SweepResult),
    /// Searches for a move.
    Until(Vec<NamedWaits>),
    /// Answers to the questions of a suite.
    Suite(Vec<NamedSuite>),
    /// Games against a perfect defence.
    Mating(Vec<MatingCell>),
    /// Games against a perfect defence from random starts.
    Endings(Vec<EndingCell>),
    /// Games by ply.
    Shape(Shape),
    /// Predictions of a target's moves.
    Prediction(Vec<NamedRanks>),
}

/// One of our numbers.
#[derive(Clone, PartialEq, Debug)]
pub struct Measured {
    /// What it is of: a position, a player, a cell.
    pub name: String,
    /// The number in the unit of the comparison.
    pub value: Interval,
    /// The size of the sample.
    pub sample: u64,
}

impl ResultFile {
    /// Our numbers, as far as there are any.
    pub(crate) fn measured(&self, compare: &Compare) -> Vec<Measured> {
        match (&self.calibration, compare.measure.as_str()) {
            (Some(calibration), "speed") => of_speeds(calibration, compare),
            _ => self.data.measured(compare),
        }
    }

    /// The least and the largest that a measure can be, in the unit of the comparison; `None` where
    /// it has no such ends.
    pub(crate) fn range(&self, compare: &Compare) -> Option<[f64; 2]> {
        let range = self.data.measurement().range(compare)?;
        Some(range.map(|end| end * compare.factor))
    }

    /// Everything that was measured, without the paper's numbers.
    pub fn tables(&self) -> Vec<ReportTable> {
        self.common_tables().chain(self.data.measurement().tables()).collect()
    }

    /// The speeds and the test, which stand before everything else.
    pub(crate) fn common_tables(&self) -> impl Iterator<Item = ReportTable> {
        let speeds = self.calibration.iter().map(Calibration::table);
        speeds.chain(self.test.iter().map(TestResult::table))
    }

    /// Reads the text of a file.
    pub fn parse(text: &str) -> Result<ResultFile, String> {
        let mut results: ResultFile =
            serde_json::from_str(text).map_err(|error| error.to_string())?;
        results.data.measurement().check()?;
        if let ResultData::Sweep(sweep) = results.data {
            results.data = ResultData::Sweep(sweep.refreshed());
        }
        Ok(results)
    }

    /// The beginning of the hash of all that was counted.
    pub fn digest(&self) -> String {
        const DIGITS: usize = 12;
        let text = serde_json::to_string(&self.data).expect("results are plain data");
        blake3::hash(text.as_bytes()).to_hex()[..DIGITS].to_owned()
    }

    /// The text of the file.
    pub fn text(&self) -> String {
        serde_json::to_string_pretty(self).expect("results are plain data") + "\n"
    }
}

impl ResultData {
    /// What all kinds of results tell.
    pub(crate) fn measurement(&self) -> &dyn Measurement {
        match self {
            ResultData::Playouts(found) => found,
            ResultData::Tournament(found) => found,
            ResultData::Sweep(found) => found,
            ResultData::Until(found) => found,
            ResultData::Suite(found) => found,
            ResultData::Mating(found) => found,
            ResultData::Endings(found) => found,
            ResultData::Shape(found) => found,
            ResultData::Prediction(found) => found,
        }
    }

    /// What samples count.
    pub fn unit(&self) -> &str {
        self.measurement().unit()
    }

    /// The size of all samples together.
    pub fn sample(&self) -> u64 {
        self.measurement().sample()
    }

    /// Our numbers, with the factor of the comparison.
    fn measured(&self, compare: &Compare) -> Vec<Measured> {
        let mut measured = self.measurement().measured(compare);
        for one in &mut measured {
            one.value = one.value.times(compare.factor);
        }
        measured
    }
}

/// How many times as many iterations a second as the base player each makes.
fn of_speeds(calibration: &Calibration, compare: &Compare) -> Vec<Measured> {
    let base =
        calibration.players.iter().find(|player| Some(&player.name) == compare.base.as_ref());
    let one = |player: &Calibrated| Measured {
        name: player.name.clone(),
        value: base.map_or(Interval::default(), |base| player.times(base).times(compare.factor)),
        // A speed is measured for so long, not so often.
        sample: 0,
    };
    calibration.players.iter().map(one).collect()
}
