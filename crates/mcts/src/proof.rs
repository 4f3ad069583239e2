//! Proofs as an edge stores them: for the side that plays the edge.

use monteverde_game::{Outcome, Proof, Side};

const TERMINAL: u32 = 1 << 31;

/// What an edge knows for certain, packed into 32 bits. Zero means nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Status(pub(crate) u32);

/// What a step is taken by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum By {
    /// A side: the step is a move, which is a ply.
    Side,
    /// Chance: the step is an event, which is none.
    Chance,
}

impl Status {
    /// Nothing is known.
    pub(crate) const OPEN: Status = Status(0);

    /// The edge, played by `mover`, ends the game.
    pub(crate) fn terminal(outcome: Outcome, mover: Side) -> Status {
        let code = match outcome.value_for(mover) {
            1 => 1,
            0 => 2,
            _ => 3,
        };
        Status(TERMINAL | 1 << 2 | code)
    }

    /// The outcome that the edge leads to, if it ends the game.
    #[inline(always)]
    pub(crate) fn outcome(self, mover: Side) -> Option<Outcome> {
        if self.0 & TERMINAL == 0 {
            return None;
        }
        Some(match self.0 & 3 {
            1 => Outcome::Win(mover),
            2 => Outcome::Draw,
            _ => Outcome::Win(mover.other()),
        })
    }

    /// What playing the edge is proven to be worth to the side that plays it, counted from the state
    /// before it: a mating move is `Win(1)`.
    pub(crate) fn proof(self) -> Proof {
        let plies = (self.0 >> 2) as u16;
        match self.0 & 3 {
            0 => Proof::Open,
            1 => Proof::Win(plies),
            2 => Proof::Draw,
            _ => Proof::Loss(plies),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_terminal_status_tells_its_outcome_to_both_sides() {
        for mover in [Side::First, Side::Second] {
            for outcome in [Outcome::Win(Side::First), Outcome::Draw, Outcome::Win(Side::Second)] {
                let status = Status::terminal(outcome, mover);
                assert_eq!(status.outcome(mover), Some(outcome));
                assert_eq!(status.proof(), Proof::of(outcome, mover.other()).before());
            }
        }
        assert_eq!(Status::OPEN.outcome(Side::First), None);
        assert_eq!(Status::OPEN.proof(), Proof::Open);
    }
}
