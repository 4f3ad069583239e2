//! The promises of the methods that playouts use instead of the plain ones:
//! [`Game::playout_outcome`](crate::Game::playout_outcome),
//! [`Game::advance`](crate::Game::advance),
//! [`Game::is_legal_at_a_glance`](crate::Game::is_legal_at_a_glance),
//! [`Game::winning_move`](crate::Game::winning_move) and
//! [`Game::sample_by_piece`](crate::Game::sample_by_piece).

use super::rules::{listed_events, listed_moves};
use super::{AnyStep, Violation, broken, require};
use crate::{Notation, Outcome, Rng};

/// Checks a state; `advanced` is what playouts made of the same moves.
pub(super) fn check<G: Notation>(state: &G, advanced: &G, rng: &mut Rng) -> Result<(), Violation> {
    same_answers(state, advanced)?;
    if !state.is_pending() {
        playout_outcome(state, rng)?;
        by_piece(state, rng)?;
    }
    legality(state)?;
    winning_move(state)
}

/// Takes the step as a playout does.
pub(super) fn advance<G: Notation>(state: &mut G, step: &AnyStep<G>) {
    match *step {
        AnyStep::Move(mv) => state.advance(mv),
        AnyStep::Event(event) => state.settle(event),
    }
}

fn same_answers<G: Notation>(state: &G, advanced: &G) -> Result<(), Violation> {
    let answers = |state: &G| {
        (
            state.turn(),
            state.is_pending(),
            state.playout_outcome(),
            state.winning_move(&mut Vec::new()),
            listed_moves(state),
            listed_events(state),
        )
    };
    let (played, advanced) = (answers(state), answers(advanced));
    require(state, "advance leads where play leads", played == advanced, || {
        format!("play led to {played:?}, advance to {advanced:?}")
    })
}

fn playout_outcome<G: Notation>(state: &G, rng: &mut Rng) -> Result<(), Violation> {
    let (outcome, sampled) = (state.playout_outcome(), state.sample(rng));
    require(state, "playout_outcome is what sample heeds", outcome == sampled.err(), || {
        format!("it is {outcome:?}, sample gives {sampled:?}")
    })
}

fn by_piece<G: Notation>(state: &G, rng: &mut Rng) -> Result<(), Violation> {
    let (outcome, sampled) = (state.playout_outcome(), state.sample_by_piece(rng));
    let fits = match sampled {
        Ok(mv) => outcome.is_none() && listed_moves(state).contains(&mv),
        Err(found) => outcome == Some(found),
    };
    require(state, "sample_by_piece draws a listed move or knows the outcome", fits, || {
        format!("it gives {sampled:?}, the outcome is {outcome:?}")
    })
}

fn legality<G: Notation>(state: &G) -> Result<(), Violation> {
    for mv in listed_moves(state) {
        let is_legal = state.is_legal_at_a_glance(mv).unwrap_or(true);
        require(state, "a listed move is legal at a glance", is_legal, || state.move_text(mv))?;
    }
    Ok(())
}

fn winning_move<G: Notation>(state: &G) -> Result<(), Violation> {
    let mut buffer = listed_moves(state);
    let found = state.winning_move(&mut buffer);
    let wins = |&mv: &G::Move| {
        let mut after = state.clone();
        after.play(mv);
        after.outcome() == Some(Outcome::Win(state.turn()))
    };
    let first = listed_moves(state).into_iter().find(wins);
    if found == first {
        return Ok(());
    }
    let text = |mv: Option<G::Move>| mv.map_or("none".to_owned(), |mv| state.move_text(mv));
    let detail = format!("it is {}, not {}", text(found), text(first));
    Err(broken(state, "winning_move is the first that wins at once", detail))
}
