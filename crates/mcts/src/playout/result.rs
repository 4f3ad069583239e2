//! What a playout comes to.

use crate::reward;
use monteverde_game::{Outcome, Side};

/// What a playout came to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlayoutResult {
    /// The reward for [`monteverde_game::Side::First`], see [`reward::ONE`].
    pub reward: i64,
    /// How many moves were played; events do not count, nor do playouts that were discarded.
    pub plies: u32,
    /// Why it ended.
    pub ended_by: End,
}

/// Why a playout ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// The game was over.
    Rules,
    /// The oracle knew the state.
    Tables,
    /// Knowledge guessed the outcome.
    Verdict,
    /// The eval passed the threshold of [`Cutoff`](crate::playout::Cutoff).
    Cutoff,
    /// It had the most plies that are allowed.
    Length,
    /// A state occurred again, see [`Repetition`](crate::playout::Repetition).
    Repetition,
    /// It had the plies of [`Truncate`](crate::playout::Truncate); the reward is the expectation of
    /// the state.
    Truncated,
}

impl PlayoutResult {
    #[inline(always)]
    pub(crate) fn of_outcome(outcome: Outcome, plies: u32) -> Self {
        PlayoutResult { reward: reward::of_outcome(outcome), plies, ended_by: End::Rules }
    }

    /// Whether it was a draw; a state that is worth as much as one is not.
    #[inline(always)]
    pub fn is_drawn(&self) -> bool {
        self.reward == 0 && self.ended_by != End::Truncated
    }

    /// Who has won, by the rules or by what ended the playout early; `None` for a draw and where
    /// nobody said so.
    #[inline(always)]
    pub fn winner(&self) -> Option<Side> {
        match self.reward {
            _ if self.ended_by == End::Truncated => None,
            0 => None,
            1.. => Some(Side::First),
            ..0 => Some(Side::Second),
        }
    }

    /// The outcome that the reward is nearest to.
    pub fn outcome(&self) -> Outcome {
        reward::nearest_outcome(self.reward)
    }
}

impl End {
    /// A short name for statistics, beside those of [`monteverde_game::Game::ending`]; `None` where
    /// that tells it.
    pub fn name(self) -> Option<&'static str> {
        match self {
            End::Rules => None,
            End::Tables => Some("tables"),
            End::Verdict => Some("verdict"),
            End::Cutoff => Some("cutoff"),
            End::Length => Some("length"),
            End::Repetition => Some("first-repetition"),
            End::Truncated => Some("truncated"),
        }
    }
}
