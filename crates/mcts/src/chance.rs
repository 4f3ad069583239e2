//! Chance nodes: their edges are events, drawn by weight and never selected by formula.

use monteverde_game::{Game, Knowledge, Rng};

/// The index of a random event of the pending state, drawn by weight. `events` is scratch space.
pub(crate) fn draw<G: Game>(state: &G, events: &mut Vec<(G::Event, u32)>, rng: &mut Rng) -> usize {
    events.clear();
    state.events(events);
    let mut rest = rng.below(state.event_weight());
    for (index, &(_, weight)) in events.iter().enumerate() {
        if rest < weight {
            return index;
        }
        rest -= weight;
    }
    unreachable!("the weights of the events of {state:?} add up to less than event_weight")
}

/// What is expected of a pending state for its side, in -1..=1: the mean over its events by their
/// weights. `after` is scratch space. `None` where nothing is expected after one of them.
pub(crate) fn average<G: Game, K: Knowledge<G>>(
    knowledge: &K,
    state: &G,
    events: &[(G::Event, u32)],
    after: &mut G,
) -> Option<f64> {
    let (side, mut sum) = (state.turn(), 0.0);
    for &(event, weight) in events {
        after.clone_from(state);
        after.settle(event);
        let expectation = match after.playout_outcome() {
            Some(outcome) => f64::from(outcome.value_for(side)),
            None => {
                let expectation = f64::from(knowledge.expectation(after)?);
                if after.turn() == side { expectation } else { -expectation }
            }
        };
        sum += f64::from(weight) * expectation.clamp(-1.0, 1.0);
    }
    Some(sum / f64::from(state.event_weight()))
}
