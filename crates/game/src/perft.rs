//! Counting move paths.

use crate::Game;

/// How many paths of exactly `depth` steps lead on from the state. A move is a step and so is an event;
/// a finished game has no steps.
pub fn perft<G: Game>(state: &G, depth: u32) -> u64 {
    let mut buffers = vec![Buffers::<G>::default(); depth as usize];
    count(state, &mut buffers)
}

struct Buffers<G: Game> {
    moves: Vec<G::Move>,
    events: Vec<(G::Event, u32)>,
}

impl<G: Game> Default for Buffers<G> {
    fn default() -> Self {
        Buffers { moves: Vec::new(), events: Vec::new() }
    }
}

impl<G: Game> Clone for Buffers<G> {
    fn clone(&self) -> Self {
        Buffers { moves: self.moves.clone(), events: self.events.clone() }
    }
}

fn count<G: Game>(state: &G, buffers: &mut [Buffers<G>]) -> u64 {
    let Some((here, below)) = buffers.split_first_mut() else { return 1 };
    if state.outcome().is_some() {
        return 0;
    }
    here.moves.clear();
    here.events.clear();
    state.moves(&mut here.moves);
    state.events(&mut here.events);
    if below.is_empty() {
        return (here.moves.len() + here.events.len()) as u64;
    }
    let mut paths = 0;
    for &mv in &here.moves {
        let mut next = state.clone();
        next.play(mv);
        paths += count(&next, below);
    }
    for &(event, _) in &here.events {
        let mut next = state.clone();
        next.settle(event);
        paths += count(&next, below);
    }
    paths
}
