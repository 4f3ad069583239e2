//! How strongly a game can be played against people.

use crate::pace::Pace;

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
