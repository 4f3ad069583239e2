//! How strongly a game can be played against people.

use crate::pace::Pace;
use std::ops::RangeInclusive;

/// A level of play: a player and how much it searches, which is the same on every machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Level {
    /// From 1, the weakest.
    pub number: u8,
    /// The player, as a spec.
    pub spec: &'static str,
    /// The iterations of a move, at least 1.
    pub iterations: u64,
    /// Its strength where it was measured, on the scale that the game's page in `docs` names.
    pub elo: Option<i32>,
}

impl Level {
    /// How much it thinks about a move: never by the clock, lest a slow machine play worse.
    pub fn pace(self) -> Pace {
        Pace::Iterations(self.iterations)
    }
}

/// A scale of strengths between players that were measured: for a rating it says how a game is
/// played about so strongly.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct StrengthScale {
    /// The player that all of it is made from, as a spec; it chooses by a tree.
    pub player: &'static str,
    /// What was measured, the weakest first, at least two.
    pub rungs: &'static [Rung],
}

/// One measured point of a scale.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rung {
    /// The rating.
    pub elo: u32,
    /// The iterations of a move, at least 1.
    pub iterations: u64,
    /// How much at random moves are drawn, see `choose-temperature`; 0 for not at all.
    pub temperature: f64,
}

/// How a rating is played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Strength {
    /// The player, as a spec.
    pub spec: String,
    /// The iterations of a move.
    pub iterations: u64,
}

impl StrengthScale {
    /// The ratings that it reaches.
    ///
    /// # Panics
    /// If it has no rungs.
    pub fn range(&self) -> RangeInclusive<u32> {
        let ends = self.rungs.first().zip(self.rungs.last()).expect("a scale has rungs");
        ends.0.elo..=ends.1.elo
    }

    /// How a rating is played; one beyond the ends as the end. Between two rungs iterations grow by
    /// the same factor for each point of the rating, and the temperature falls evenly.
    pub fn at(&self, elo: u32) -> Strength {
        let elo = elo.clamp(*self.range().start(), *self.range().end());
        let above = self.rungs.iter().position(|rung| rung.elo >= elo).unwrap_or_default();
        let (low, high) = (self.rungs[above.saturating_sub(1)], self.rungs[above]);
        let share = match high.elo - low.elo {
            0 => 0.0,
            whole => f64::from(elo - low.elo) / f64::from(whole),
        };
        let between = |low: f64, high: f64| low + share * (high - low);
        let [few, many] = [low, high].map(|rung| libm::log(rung.iterations as f64));
        let iterations = libm::exp(between(few, many)).round().max(1.0) as u64;
        // In hundredths: that is finer than anything that was measured.
        let temperature = (100.0 * between(low.temperature, high.temperature)).round() / 100.0;
        let more = if self.player.contains(':') { ',' } else { ':' };
        let spec = match temperature > 0.0 {
            true => format!("{}{more}choose-temperature={temperature}", self.player),
            false => self.player.to_owned(),
        };
        Strength { spec, iterations }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCALE: StrengthScale = StrengthScale {
        player: "best",
        rungs: &[
            Rung { elo: 1000, iterations: 10, temperature: 1.0 },
            Rung { elo: 1400, iterations: 40, temperature: 0.5 },
            Rung { elo: 2000, iterations: 4_000, temperature: 0.0 },
        ],
    };

    #[test]
    fn a_scale_goes_through_its_rungs() {
        let at = |elo| {
            let Strength { spec, iterations } = SCALE.at(elo);
            (spec, iterations)
        };
        assert_eq!(SCALE.range(), 1000..=2000);
        assert_eq!(at(1000), ("best:choose-temperature=1".to_owned(), 10));
        assert_eq!(at(1200), ("best:choose-temperature=0.75".to_owned(), 20));
        assert_eq!(at(1400), ("best:choose-temperature=0.5".to_owned(), 40));
        assert_eq!(at(1700), ("best:choose-temperature=0.25".to_owned(), 400));
        assert_eq!(at(2000), ("best".to_owned(), 4_000));
        assert_eq!((at(0), at(9_999)), (at(1000), at(2000)));
    }
}
