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
/// that mates with its next move has `Win(1)`. From [`Proof::FAR`] on the plies only say how far
/// away it is that the result is certain.
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
    /// The plies of a win or loss that is certain, nobody knows when. It is more than any game is
    /// proven to last, so that a known distance is always the smaller one.
    pub const FAR: u16 = 1 << 14;

    /// In how many plies the game is won or lost; `None` if that is not known, or nothing of the
    /// kind is proven.
    pub fn plies(self) -> Option<u16> {
        match self {
            Proof::Win(plies) | Proof::Loss(plies) => {
                Some(plies).filter(|&plies| plies < Proof::FAR)
            }
            Proof::Open | Proof::Draw => None,
        }
    }

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_for_a_side() {
        for side in [Side::First, Side::Second] {
            assert_eq!(Outcome::Win(side).value_for(side), 1);
            assert_eq!(Outcome::Win(side).value_for(side.other()), -1);
            assert_eq!(Outcome::Draw.value_for(side), 0);
        }
    }

    #[test]
    fn a_mate_is_a_win_in_one_for_the_side_before() {
        let mated = Proof::of(Outcome::Win(Side::First), Side::Second);
        assert_eq!(mated, Proof::Loss(0));
        assert_eq!(mated.before(), Proof::Win(1));
        assert_eq!(mated.before().before(), Proof::Loss(2));
        assert_eq!(Proof::Draw.before(), Proof::Draw);
        assert_eq!(Proof::Open.before(), Proof::Open);
        assert_eq!(Proof::Win(u16::MAX).before(), Proof::Loss(u16::MAX));
    }

    #[test]
    fn far_results_have_no_distance() {
        assert_eq!(
            [Proof::Win(3), Proof::Loss(4), Proof::Draw].map(Proof::plies),
            [Some(3), Some(4), None]
        );
        assert_eq!(Proof::Win(Proof::FAR).before().plies(), None);
    }
}
