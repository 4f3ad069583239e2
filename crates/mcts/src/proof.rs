//! Proofs as an edge stores them: for the side that plays the edge.

use crate::reward::ONE;
use monteverde_game::{Game, Outcome, Proof, Side};

/// The edge ends the game.
const TERMINAL: u32 = 1 << 31;
/// The bits that tell who wins: 0 nothing is proven, else one of the following.
const RESULT: u32 = 3;
const WIN: u32 = 1;
const DRAW: u32 = 2;
const LOSS: u32 = 3;
/// The distance lies above the result.
const PLIES: u32 = 2;

/// What an edge knows for certain, packed into 32 bits. Zero means nothing.
///
/// An edge may end the game and prove nothing: a draw by history, which is final on its path and
/// says nothing of the state itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Status(pub(crate) u32);

/// What a step is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum StepKind {
    /// A side takes it: a move, which is a ply.
    Move,
    /// Chance takes it: an event, which is none.
    Event,
}

impl StepKind {
    /// That of the steps out of a state.
    pub(crate) fn next<G: Game>(state: &G) -> StepKind {
        if state.is_pending() { StepKind::Event } else { StepKind::Move }
    }
}

/// At which edges a selection ends, besides those that lead to no node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Ends(u32);

impl Ends {
    /// Where the game is over.
    pub(crate) const TERMINAL: Ends = Ends(TERMINAL);
    /// There, and where anything is proven.
    pub(crate) const PROVEN: Ends = Ends(TERMINAL | RESULT);
}

impl Status {
    /// Nothing is known.
    pub(crate) const OPEN: Status = Status(0);
    /// The edge ends the game with a draw that is no proof: it depends on how the state was
    /// reached, or draws are left open.
    pub(crate) const UNPROVEN_DRAW: Status = Status(TERMINAL);

    /// What a proof for the side that plays the edge is stored as.
    pub(crate) fn of(proof: Proof) -> Status {
        match proof {
            Proof::Open => Status::OPEN,
            Proof::Win(plies) => Status(u32::from(plies) << PLIES | WIN),
            Proof::Draw => Status(DRAW),
            Proof::Loss(plies) => Status(u32::from(plies) << PLIES | LOSS),
        }
    }

    /// The edge, a step of `mover` by a move or by chance, ends the game.
    pub(crate) fn terminal(outcome: Outcome, mover: Side, kind: StepKind) -> Status {
        Status(TERMINAL | Status::of(after_step(Proof::of(outcome, mover), kind)).0)
    }

    /// The outcome that the edge leads to, if a selection ends there; unless it ends at proven
    /// edges, the game is over there.
    #[inline(always)]
    pub(crate) fn outcome(self, mover: Side, ends: Ends) -> Option<Outcome> {
        if self.0 & ends.0 == 0 {
            return None;
        }
        Some(match self.0 & RESULT {
            WIN => Outcome::Win(mover),
            LOSS => Outcome::Win(mover.other()),
            _ => Outcome::Draw,
        })
    }

    /// What playing the edge is proven to be worth to the side that plays it, counted from the
    /// state before it: a mating move is `Win(1)`.
    pub(crate) fn proof(self) -> Proof {
        let plies = (self.0 >> PLIES) as u16;
        match self.0 & RESULT {
            WIN => Proof::Win(plies),
            DRAW => Proof::Draw,
            LOSS => Proof::Loss(plies),
            _ => Proof::Open,
        }
    }

    /// Whether the edge ends the game.
    pub(crate) fn is_terminal(self) -> bool {
        self.0 & TERMINAL != 0
    }

    /// Whether anything is proven.
    #[inline(always)]
    pub(crate) fn is_proven(self) -> bool {
        self.0 & RESULT != 0
    }

    /// Whether the side that plays the edge is proven to lose by it.
    #[inline(always)]
    pub(crate) fn is_lost(self) -> bool {
        self.0 & RESULT == LOSS
    }

    /// Whether the edge is proven to draw.
    #[inline(always)]
    pub(crate) fn is_drawn(self) -> bool {
        self.0 & RESULT == DRAW
    }

    /// Whether `other` says more: a proof where there was none, or the same result sooner.
    pub(crate) fn is_improved_by(self, other: Status) -> bool {
        let plies = |status: Status| status.0 & !TERMINAL;
        let same = self.0 & RESULT == other.0 & RESULT;
        other.is_proven() && (!self.is_proven() || same && plies(other) < plies(self))
    }

    /// The reward of the proven result for [`Side::First`], where the edge belongs to `mover`.
    pub(crate) fn reward(self, mover: Side) -> i64 {
        let outcome = self.outcome(mover, Ends::PROVEN).unwrap_or(Outcome::Draw);
        i64::from(outcome.value_for(Side::First)) * ONE
    }
}

/// What a step to a state is worth to the side that takes it, where the state is worth `proof` to
/// `turn`, the side to move there.
pub(crate) fn of_step(proof: Proof, turn: Side, mover: Side, kind: StepKind) -> Proof {
    let seen = match proof {
        Proof::Win(plies) if turn != mover => Proof::Loss(plies),
        Proof::Loss(plies) if turn != mover => Proof::Win(plies),
        other => other,
    };
    after_step(seen, kind)
}

/// The same knowledge one step earlier, for the same side.
fn after_step(proof: Proof, kind: StepKind) -> Proof {
    let plies = u16::from(kind == StepKind::Move);
    match proof {
        Proof::Win(rest) => Proof::Win(rest.saturating_add(plies)),
        Proof::Loss(rest) => Proof::Loss(rest.saturating_add(plies)),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_terminal_status_tells_its_outcome_to_both_sides() {
        for mover in [Side::First, Side::Second] {
            for outcome in [Outcome::Win(Side::First), Outcome::Draw, Outcome::Win(Side::Second)] {
                let status = Status::terminal(outcome, mover, StepKind::Move);
                assert_eq!(status.outcome(mover, Ends::TERMINAL), Some(outcome));
                assert_eq!(status.proof(), Proof::of(outcome, mover.other()).before());
                let event = Status::terminal(outcome, mover, StepKind::Event);
                assert_eq!(event.proof(), Proof::of(outcome, mover));
            }
        }
        assert_eq!(Status::OPEN.outcome(Side::First, Ends::PROVEN), None);
        assert_eq!(Status::OPEN.proof(), Proof::Open);
    }

    #[test]
    fn a_draw_by_history_ends_the_game_and_proves_nothing() {
        let status = Status::UNPROVEN_DRAW;
        assert_eq!(status.outcome(Side::Second, Ends::TERMINAL), Some(Outcome::Draw));
        assert_eq!((status.proof(), status.is_proven()), (Proof::Open, false));
    }

    #[test]
    fn a_proof_is_stored_whole_and_ends_only_selections_that_heed_it() {
        for proof in [Proof::Win(1), Proof::Win(u16::MAX), Proof::Draw, Proof::Loss(40)] {
            let status = Status::of(proof);
            assert_eq!(status.proof(), proof);
            assert_eq!(status.outcome(Side::First, Ends::TERMINAL), None);
            assert!(status.outcome(Side::First, Ends::PROVEN).is_some());
        }
        assert_eq!(Status::of(Proof::Loss(4)).reward(Side::First), -ONE);
        assert_eq!(Status::of(Proof::Loss(4)).reward(Side::Second), ONE);
        assert_eq!(Status::of(Proof::Draw).reward(Side::Second), 0);
    }

    #[test]
    fn only_a_sooner_result_improves_a_proof() {
        let improves = |before, after| Status::of(before).is_improved_by(Status::of(after));
        assert!(improves(Proof::Open, Proof::Draw) && improves(Proof::Open, Proof::Loss(9)));
        assert!(improves(Proof::Win(5), Proof::Win(3)) && improves(Proof::Loss(4), Proof::Loss(2)));
        assert!(!improves(Proof::Win(3), Proof::Win(5)) && !improves(Proof::Win(3), Proof::Win(3)));
        assert!(!improves(Proof::Win(3), Proof::Open) && !improves(Proof::Draw, Proof::Draw));
    }

    #[test]
    fn a_side_may_move_twice_and_chance_takes_no_ply() {
        let (first, second) = (Side::First, Side::Second);
        assert_eq!(of_step(Proof::Loss(0), second, first, StepKind::Move), Proof::Win(1));
        assert_eq!(of_step(Proof::Win(1), first, first, StepKind::Move), Proof::Win(2));
        assert_eq!(of_step(Proof::Win(3), second, first, StepKind::Event), Proof::Loss(3));
        assert_eq!(of_step(Proof::Draw, second, first, StepKind::Move), Proof::Draw);
    }
}
