//! Where recycling has come to; see [`super::recycle`].

/// The hand that goes round all nodes.
#[derive(Debug)]
pub(super) struct Hand {
    /// Nodes to which nothing leads any more, as far as they are known: they go first.
    pub(super) left_behind: Vec<u32>,
    /// The node that it looked at last.
    pub(super) at: u32,
    /// The same where it looks for several side by side.
    pub(super) run_at: u32,
    /// How many nodes it has looked at since one went.
    pub(super) in_vain: usize,
}

/// So many nodes that were left behind are remembered; the hand finds the others as it goes round.
pub(super) const REMEMBERED: usize = 4096;

impl Default for Hand {
    fn default() -> Hand {
        Hand { left_behind: Vec::with_capacity(REMEMBERED), at: 0, run_at: 0, in_vain: 0 }
    }
}

/// It looks at so many nodes at a time.
pub(crate) const SWEEP: usize = 1024;
