//! Where the first step of an iteration ends.

use monteverde_game::Outcome;

/// Where a selection ended.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Leaf {
    /// At the end of the game.
    Over(Outcome),
    /// At an edge whose value is known though it is no single outcome, as a reward for
    /// [`monteverde_game::Side::First`].
    Exact(i64),
    /// At an edge under which the tree can grow.
    Edge(u32),
    /// At an edge that is entered for the first time: chance drew it, or the formula selected it
    /// though it had never been sampled.
    New(u32),
}

impl Leaf {
    /// The reward where that is known.
    #[inline(always)]
    pub(crate) fn exact(self) -> Option<i64> {
        if let Leaf::Exact(reward) = self { Some(reward) } else { None }
    }
}
