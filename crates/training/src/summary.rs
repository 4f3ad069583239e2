//! What files of games hold, and whether scores and results speak for the same side.

use crate::data::{GameData, StepKind};
use crate::error::DataError;
use crate::reader::DataFile;
use monteverde_game::{Outcome, Side};

/// Counts over games.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Summary {
    /// How many games.
    pub games: u64,
    /// Games won by the first side.
    pub first: u64,
    /// Games won by the second side.
    pub second: u64,
    /// Drawn games.
    pub draws: u64,
    /// Games whose result nobody knows.
    pub unknown: u64,
    /// Moves, those of the opening included.
    pub plies: u64,
    /// The moves of the shortest and the longest game.
    pub lengths: Option<(u64, u64)>,
    /// States with a score.
    pub scored: u64,
    /// States with shares of visits.
    pub shared: u64,
    /// The sum of all scores, in -1..1 for the side to move.
    pub score_sum: f64,
    /// Whether the signs of score and result agree, by the side to move.
    pub signs: [Signs; 2],
}

/// How the signs of scores and results go together, among states with a clear score in games that
/// somebody has won.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Signs {
    /// Both speak for the same side.
    pub agreeing: u64,
    /// How many states.
    pub all: u64,
}

/// A score that is at least that far from 0 is clear.
const CLEAR: f64 = 0.1;
/// Below this correlation of signs something is wrong: games of alpha-beta at 1,000 nodes have 0.75
/// in chess and 0.48 in Lines of Action, scores without any sense 0, scores for the wrong side
/// less.
pub const LEAST_CORRELATION: f64 = 0.1;
/// With fewer states, some hundred games of Lines of Action, nothing is said: those of one game go
/// together.
pub const LEAST_STATES: u64 = 2000;

impl Signs {
    /// The correlation of the signs: the share that agrees less the share that does not.
    pub fn correlation(self) -> Option<f64> {
        let share = self.agreeing as f64 / self.all as f64;
        (self.all > 0).then_some(2.0 * share - 1.0)
    }
}

impl Summary {
    /// What a file holds.
    pub fn of(file: &DataFile) -> Summary {
        let mut summary = Summary::default();
        file.games().for_each(|game| summary.add(&game));
        summary
    }

    /// Counts a game.
    pub fn add(&mut self, game: &GameData) {
        self.games += 1;
        match game.outcome {
            Some(Outcome::Win(Side::First)) => self.first += 1,
            Some(Outcome::Win(Side::Second)) => self.second += 1,
            Some(Outcome::Draw) => self.draws += 1,
            None => self.unknown += 1,
        }
        let mut plies = 0;
        for step in &game.steps {
            let StepKind::Move(side) = step.kind else { continue };
            plies += 1;
            self.shared += u64::from(!step.shares.is_empty());
            let Some(score) = step.expectation() else { continue };
            self.scored += 1;
            self.score_sum += score;
            let Some(Outcome::Win(winner)) = game.outcome else { continue };
            if score.abs() >= CLEAR {
                let signs = &mut self.signs[side as usize];
                signs.all += 1;
                signs.agreeing += u64::from((score > 0.0) == (winner == side));
            }
        }
        self.plies += plies;
        let (least, most) = self.lengths.unwrap_or((plies, plies));
        self.lengths = Some((least.min(plies), most.max(plies)));
    }

    /// Counts what another one has counted.
    pub fn add_all(&mut self, other: &Summary) {
        self.games += other.games;
        self.first += other.first;
        self.second += other.second;
        self.draws += other.draws;
        self.unknown += other.unknown;
        self.plies += other.plies;
        self.lengths = match (self.lengths, other.lengths) {
            (Some(own), Some(others)) => Some((own.0.min(others.0), own.1.max(others.1))),
            (own, others) => own.or(others),
        };
        self.scored += other.scored;
        self.shared += other.shared;
        self.score_sum += other.score_sum;
        for (own, others) in self.signs.iter_mut().zip(&other.signs) {
            own.agreeing += others.agreeing;
            own.all += others.all;
        }
    }

    /// The correlation of signs over all states.
    pub fn correlation(&self) -> Option<f64> {
        let [first, second] = self.signs;
        let agreeing = first.agreeing + second.agreeing;
        Signs { agreeing, all: first.all + second.all }.correlation()
    }

    /// Refuses data in which scores and results do not speak for the same side. Each side is looked
    /// at by itself: scores that are told for the first side alone agree half of the time.
    pub fn check(&self) -> Result<(), DataError> {
        for (signs, side) in self.signs.iter().zip(["the first side", "the second side"]) {
            let Signs { agreeing, all } = *signs;
            let Some(correlation) = signs.correlation().filter(|_| all >= LEAST_STATES) else {
                continue;
            };
            if correlation < LEAST_CORRELATION {
                let least = LEAST_CORRELATION;
                return Err(DataError::Perspective { side, agreeing, all, correlation, least });
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::StepData;

    /// A game of 100 moves that the first side wins, whose scores are what `score` says.
    fn game(score: impl Fn(Side) -> i16) -> GameData {
        let step = |ply: usize| {
            let side = if ply.is_multiple_of(2) { Side::First } else { Side::Second };
            StepData { score: Some(score(side)), ..StepData::bare(StepKind::Move(side), 0) }
        };
        GameData {
            number: 0,
            start: String::new(),
            steps: (0..100).map(step).collect(),
            outcome: Some(Outcome::Win(Side::First)),
        }
    }

    fn check(count: usize, score: impl Fn(Side) -> i16) -> Result<(), DataError> {
        let mut summary = Summary::default();
        (0..count).for_each(|_| summary.add(&game(&score)));
        summary.check()
    }

    #[test]
    fn scores_for_the_wrong_side_are_refused() {
        let right = |side| if side == Side::First { 5000 } else { -5000 };
        assert!(check(40, right).is_ok());
        assert!(matches!(
            check(40, |side| -right(side)),
            Err(DataError::Perspective { all: 2000, agreeing: 0, .. })
        ));
        // Told for the first side whoever is to move: half of them agree, one side's alone.
        assert!(matches!(
            check(40, |_| 5000),
            Err(DataError::Perspective { side: "the second side", .. })
        ));
        assert!(check(39, |_| 5000).is_ok(), "too few to say anything");
    }
}
