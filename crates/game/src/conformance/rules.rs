//! The promises of [`Game`](crate::Game) that can be seen in one state and its successors.

use super::{Violation, broken, require};
use crate::{Notation, Outcome, Side, Step};

pub(super) fn check<G: Notation>(state: &G) -> Result<(), Violation> {
    lists(state)?;
    endings(state)?;
    chance(state)?;
    key(state, || "here".to_owned())?;
    successors(state)
}

/// Everything that can be asked of a state, to see whether two are alike.
#[derive(PartialEq, Debug)]
pub(super) struct Answers<M, E> {
    pub(super) text: String,
    pub(super) key: u64,
    pub(super) turn: Side,
    pub(super) pending: bool,
    pub(super) outcome: Option<Outcome>,
    pub(super) moves: Vec<M>,
    pub(super) events: Vec<(E, u32)>,
}

pub(super) fn answers<G: Notation>(state: &G) -> Answers<G::Move, G::Event> {
    Answers {
        text: state.state_text(),
        key: state.key(),
        turn: state.turn(),
        pending: state.is_pending(),
        outcome: state.outcome(),
        moves: listed_moves(state),
        events: listed_events(state),
    }
}

pub(super) fn listed_moves<G: Notation>(state: &G) -> Vec<G::Move> {
    let mut moves = Vec::new();
    state.moves(&mut moves);
    moves
}

pub(super) fn listed_events<G: Notation>(state: &G) -> Vec<(G::Event, u32)> {
    let mut events = Vec::new();
    state.events(&mut events);
    events
}

fn lists<G: Notation>(state: &G) -> Result<(), Violation> {
    // Listed twice into one buffer, which shows at once whether the list is appended and stable.
    let mut moves = listed_moves(state);
    let count = moves.len();
    state.moves(&mut moves);
    let (first, second) = moves.split_at(count.min(moves.len()));
    require(state, "moves are appended in a fixed order", first == second, || {
        format!("the first list was {first:?}, the second {second:?}")
    })?;
    distinct(state, "no move is listed twice", first)?;
    for &mv in first {
        let back = G::Move::from_bits(mv.to_bits());
        require(state, "the bits of a move give it back", back == mv, || {
            format!("{mv:?} became {back:?}")
        })?;
    }

    let mut events = listed_events(state);
    let count = events.len();
    state.events(&mut events);
    let (first, second) = events.split_at(count.min(events.len()));
    require(state, "events are appended in a fixed order", first == second, || {
        format!("the first list was {first:?}, the second {second:?}")
    })?;
    let names: Vec<G::Event> = first.iter().map(|&(event, _)| event).collect();
    distinct(state, "no event is listed twice", &names)?;
    for event in names {
        let back = G::Event::from_bits(event.to_bits());
        require(state, "the bits of an event give it back", back == event, || {
            format!("{event:?} became {back:?}")
        })?;
    }
    Ok(())
}

fn distinct<G: Notation, S: Step>(
    state: &G,
    rule: &'static str,
    steps: &[S],
) -> Result<(), Violation> {
    for (index, step) in steps.iter().enumerate() {
        if let Some(before) = steps[..index].iter().position(|other| other == step) {
            return Err(broken(state, rule, format!("{step:?} is number {before} and {index}")));
        }
    }
    Ok(())
}

fn endings<G: Notation>(state: &G) -> Result<(), Violation> {
    let (outcome, ending) = (state.outcome(), state.ending());
    let agree = outcome.is_some() == ending.is_some();
    require(state, "a game has an ending when it is over", agree, || {
        format!("the outcome is {outcome:?}, the ending {ending:?}")
    })?;
    let stuck = outcome.is_none() && !state.is_pending() && listed_moves(state).is_empty();
    require(state, "a game that is not over has moves", !stuck, || {
        "there is no move, no outcome, and nothing is pending".to_owned()
    })
}

fn chance<G: Notation>(state: &G) -> Result<(), Violation> {
    let events = listed_events(state);
    if !state.is_pending() {
        return require(state, "only a pending state has events", events.is_empty(), || {
            format!("{} events are listed", events.len())
        });
    }
    let idle = listed_moves(state).is_empty() && state.outcome().is_none();
    require(state, "a pending state has no moves and no outcome", idle, || {
        format!("{} moves, outcome {:?}", listed_moves(state).len(), state.outcome())
    })?;
    require(state, "a pending state has events", !events.is_empty(), || "none".to_owned())?;
    for &(event, weight) in &events {
        require(state, "the weights of events are positive", weight > 0, || {
            format!("event '{}' has weight 0", state.event_text(event))
        })?;
    }
    let sum: u64 = events.iter().map(|&(_, weight)| u64::from(weight)).sum();
    let promised = state.event_weight();
    require(state, "the weights add up to event_weight", sum == u64::from(promised), || {
        format!("they add up to {sum}, not {promised}")
    })
}

fn key<G: Notation>(state: &G, path: impl FnOnce() -> String) -> Result<(), Violation> {
    let (kept, anew) = (state.key(), state.recomputed_key());
    require(state, "the key equals the recomputed key", kept == anew, || {
        format!("{kept:016x} was kept, {anew:016x} is right, {}", path())
    })
}

/// A state and the one before it differ, so their keys must.
fn key_differs<G: Notation>(next: &G, before: &str, key: u64) -> Result<(), Violation> {
    let differs = next.key() != key || next.state_text() == before;
    require(next, "different states have different keys", differs, || {
        format!("{key:016x} is the key of '{before}' too")
    })
}

/// Takes every step on a copy: the copy must be sound, and the original must not notice.
fn successors<G: Notation>(state: &G) -> Result<(), Violation> {
    if state.outcome().is_some() {
        return Ok(());
    }
    let before = answers(state);
    for &mv in &before.moves {
        let mut next = state.clone();
        next.play(mv);
        key(&next, || format!("after '{}' in '{}'", state.move_text(mv), before.text))?;
        key_differs(&next, &before.text, before.key)?;
        let waits = !next.is_pending() || next.turn() == before.turn;
        require(&next, "a pending state is the mover's turn", waits, || {
            format!("{:?} played '{}'", before.turn, state.move_text(mv))
        })?;
    }
    for &(event, _) in &before.events {
        let mut next = state.clone();
        next.settle(event);
        key(&next, || format!("after '{}' in '{}'", state.event_text(event), before.text))?;
        key_differs(&next, &before.text, before.key)?;
    }
    let after = answers(state);
    require(state, "a step on a copy leaves the original alone", after == before, || {
        format!("it was {before:?}, then {after:?}")
    })
}
