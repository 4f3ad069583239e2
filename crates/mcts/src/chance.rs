//! Chance nodes: their edges are events, drawn by weight and never selected by formula.

use monteverde_game::{Game, Rng};

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
