//! The way of an iteration through the tree.

use crate::proof::StepKind;
use crate::tree::Edge;
use monteverde_game::Side;

/// An edge that the iteration follows, and the side whose statistics it holds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Visit {
    pub(crate) edge: u32,
    pub(crate) side: Side,
    /// Whether the edge is a move or an event.
    pub(crate) kind: StepKind,
    /// What the side had for certain where it played the edge.
    pub(crate) secured: Secured,
    /// When the visit is counted.
    pub(crate) counted: Counted,
}

impl Visit {
    /// The visits of the edge but for this one.
    pub(crate) fn completed(self, edge: &Edge) -> u32 {
        edge.visits().saturating_sub(self.counted.visits())
    }
}

/// When the visit of an edge is counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Counted {
    /// With a virtual reward in its total until the real one is known, so that other threads keep
    /// away.
    OnEntering {
        /// What was added to the total, and is taken back on leaving.
        virtual_reward: i64,
    },
    OnLeaving,
}

impl Counted {
    /// What the iteration itself has added to an edge's visits by entering it.
    #[inline(always)]
    pub(crate) fn visits(self) -> u32 {
        u32::from(matches!(self, Counted::OnEntering { .. }))
    }

    /// What it has added to the edge's total.
    #[inline(always)]
    pub(crate) fn virtual_reward(self) -> i64 {
        match self {
            Counted::OnEntering { virtual_reward } => virtual_reward,
            Counted::OnLeaving => 0,
        }
    }
}

/// What a side has for certain in a node, beside what the edge that it plays brings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Secured {
    /// Nothing.
    Nothing,
    /// Another move is a proven draw.
    Draw,
}

impl Secured {
    /// The reward that counts above a node where a side, of that sign, has this.
    #[inline(always)]
    pub(crate) fn at_least(self, sign: i64, reward: i64) -> i64 {
        match self {
            Secured::Nothing => reward,
            Secured::Draw => sign * (sign * reward).max(0),
        }
    }
}

/// What an iteration tells the edges of its path.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BackupValue {
    /// For [`Side::First`].
    pub(crate) reward: i64,
    pub(crate) ending: Ending,
}

/// How an iteration ended; in a graph that makes a difference, see [`crate::graph`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Ending {
    /// With a playout, or where the rules end the game whatever the way there.
    Shared,
    /// By a draw that depends on the way.
    ByHistory,
}
