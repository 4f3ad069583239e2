//! First-play urgency: an untried move need not come before all others.
//!
//! Gelly and Wang, *Exploration exploitation in Go: UCT for Monte-Carlo Go* (2006).

/// What an untried move is taken to be worth. Without it every move of a node is tried before any
/// is followed for a second time. Moves are tried in their order in the node, so that only the
/// first untried one competes; where it is as good as the best that has been tried, it is tried.
///
/// In the formulas of UCB1's family the urgency stands for the whole bound, exploration included.
/// In [`Uct::Puct`](crate::Uct::Puct), where exploration has a value for an untried move too, it
/// stands for the mean alone.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Fpu {
    /// This number, in the unit of the formula's value: 0..1 or -1..1.
    Fixed(f64),
    /// The value of the node itself for the side to move, less this number.
    Reduced(f64),
}

impl Fpu {
    /// The urgency in a node whose own value, in the formula's unit, is `value`.
    #[inline(always)]
    pub(crate) fn urgency(self, value: f64) -> f64 {
        match self {
            Fpu::Fixed(urgency) => urgency,
            Fpu::Reduced(less) => value - less,
        }
    }
}
