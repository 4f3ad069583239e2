//! Sides, outcomes and proofs.

/// One of the two sides of a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Side {
    /// The side that moves first from the start.
    First,
    /// The other side.
    Second,
}

impl Side {
    /// The opponent.
    #[inline(always)]
    pub fn other(self) -> Side {
        match self {
            Side::First => Side::Second,
            Side::Second => Side::First,
        }
    }
}

/// The true result of a finished game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    /// That side has won.
    Win(Side),
    /// Nobody has won.
    Draw,
}

impl Outcome {
    /// 1 for a win of `side`, -1 for a loss, 0 for a draw.
    #[inline(always)]
    pub fn value_for(self, side: Side) -> i32 {
        match self {
            Outcome::Win(winner) if winner == side => 1,
            Outcome::Win(_) => -1,
            Outcome::Draw => 0,
        }
    }
}

/// What is known for certain about a state, for the side to move in it.
///
/// Plies count from the state itself: a side that is mated where it stands has `Loss(0)`, a side
/// that mates with its next move has `Win(1)`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Proof {
    /// Nothing is proven.
    #[default]
    Open,
    /// The side to move wins in that many plies.
    Win(u16),
    /// With best play the game is drawn.
    Draw,
    /// The side to move loses in that many plies.
    Loss(u16),
}

impl Proof {
    /// The proof that a finished game is, for `side`, which would be to move.
    pub fn of(outcome: Outcome, side: Side) -> Proof {
        match outcome.value_for(side) {
            1 => Proof::Win(0),
            -1 => Proof::Loss(0),
            _ => Proof::Draw,
        }
    }

    /// Whether anything is proven.
    pub fn is_proven(self) -> bool {
        self != Proof::Open
    }

    /// The same knowledge one ply earlier, for the side that moves into this state.
    pub fn before(self) -> Proof {
        match self {
            Proof::Open => Proof::Open,
            Proof::Draw => Proof::Draw,
            Proof::Win(plies) => Proof::Loss(plies.saturating_add(1)),
            Proof::Loss(plies) => Proof::Win(plies.saturating_add(1)),
        }
    }
}
