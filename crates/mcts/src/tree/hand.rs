//! Where recycling has come to; see [`super::recycle`].

/// The hand that goes round all nodes.
#[derive(Debug, Default)]
pub(super) struct Hand {
    /// The node that it looked at last.
    pub(super) at: u32,
    /// A node with as many visits stays.
    pub(super) least: u32,
    /// How often it has moved.
    pub(super) sweeps: u32,
}

/// It looks at so many nodes at a time.
pub(crate) const SWEEP: usize = 1024;
