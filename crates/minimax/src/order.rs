//! The order in which moves are tried, and what it has learnt.
//!
//! The move that the table knows, loud moves that lose nothing by what they win, killers, quiet moves by their
//! history, losing loud moves; equals in generation order.

use crate::config::{Config, History};
use crate::tactics::Tactics;
use monteverde_game::{Game, Side, Step};

/// The ranks of the groups; within a group the history or the gain decides.
const TABLE: i32 = i32::MAX;
const GOOD: i32 = 1 << 28;
const KILLER: i32 = 1 << 27;
const BAD: i32 = -(1 << 28);
/// The most that the history of a move counts, below the killers.
const MOST_HISTORY: u32 = 1 << 26;
/// What a share of one is in the relative history.
const WHOLE: u64 = 1 << 20;
/// Moves share as many counters, told apart by a hash of their bits.
const SLOT_BITS: u32 = 14;

/// A move with its rank, larger is earlier.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ranked<M> {
    pub(crate) mv: M,
    pub(crate) rank: i32,
}

impl<M> Ranked<M> {
    /// Whether it is loud; `None` where the rank does not tell, because the move is from the table.
    pub(crate) fn loudness(&self) -> Option<bool> {
        (self.rank != TABLE).then_some(self.rank >= GOOD || self.rank < 0)
    }

    /// Whether it is neither loud, nor a killer, nor from the table.
    pub(crate) fn is_plain(&self) -> bool {
        (0..KILLER).contains(&self.rank)
    }
}

/// Brings the first of the best ranked moves from `index` on to `index`, the others keep their order.
pub(crate) fn bring_best<M: Copy>(moves: &mut [Ranked<M>], index: usize) -> Ranked<M> {
    let mut best = index;
    for later in index + 1..moves.len() {
        if moves[later].rank > moves[best].rank {
            best = later;
        }
    }
    moves[index..=best].rotate_right(1);
    moves[index]
}

/// What is known about moves apart from any state.
#[derive(Debug)]
pub(crate) struct Order<M> {
    /// By ply, the latest first.
    killers: Vec<[Option<M>; 2]>,
    /// By side and move; empty without history.
    counters: [Vec<Counter>; 2],
}

/// The weights of a quiet move, `depth * depth` each time.
#[derive(Clone, Copy, Default, Debug)]
struct Counter {
    cutoffs: u32,
    tries: u32,
}

impl<M: Step> Order<M> {
    pub(crate) fn new(config: &Config) -> Self {
        let slots = if config.history.is_some() { 1 << SLOT_BITS } else { 0 };
        Order {
            killers: Vec::new(),
            counters: std::array::from_fn(|_| vec![Counter::default(); slots]),
        }
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.killers.clear();
        self.counters.iter_mut().for_each(|counters| counters.fill(Counter::default()));
    }

    /// A new search begins: killers are of other plies now, and the history fades.
    pub(crate) fn begin(&mut self) {
        self.killers.clear();
        for counter in self.counters.iter_mut().flatten() {
            counter.cutoffs /= 2;
            counter.tries /= 2;
        }
    }

    /// Ranks the moves of a state at that ply.
    pub(crate) fn rank<G: Game<Move = M>, T: Tactics<G>>(
        &self,
        (config, tactics): (&Config, &T),
        (state, ply): (&G, usize),
        known: Option<M>,
        moves: &mut [Ranked<M>],
    ) {
        let killers = self.killers.get(ply).copied().unwrap_or([None; 2]);
        let side = state.turn();
        for ranked in moves {
            ranked.rank = if Some(ranked.mv) == known {
                TABLE
            } else if config.gains
                && let Some(gain) = tactics.loud(state, ranked.mv)
            {
                if gain >= 0 { GOOD + gain } else { BAD + gain }
            } else if let Some(place) = killers.iter().position(|&mv| mv == Some(ranked.mv)) {
                KILLER + 1 - place as i32
            } else {
                self.history(config, side, ranked.mv)
            };
        }
    }

    /// A quiet move was tried that did not refute.
    pub(crate) fn tried(&mut self, config: &Config, side: Side, mv: M, depth: i32) {
        if config.history == Some(History::Relative) {
            let counter = &mut self.counters[side as usize][slot(mv)];
            counter.tries = counter.tries.saturating_add((depth * depth) as u32);
        }
    }

    /// A quiet move was best or refuted the move before it.
    pub(crate) fn succeeded(
        &mut self,
        config: &Config,
        (side, ply): (Side, usize),
        mv: M,
        depth: i32,
    ) {
        if config.killers {
            if self.killers.len() <= ply {
                self.killers.resize(ply + 1, [None; 2]);
            }
            let killers = &mut self.killers[ply];
            if killers[0] != Some(mv) {
                *killers = [Some(mv), killers[0]];
            }
        }
        if config.history.is_some() {
            let weight = (depth * depth) as u32;
            let counter = &mut self.counters[side as usize][slot(mv)];
            counter.cutoffs = counter.cutoffs.saturating_add(weight).min(MOST_HISTORY);
            counter.tries = counter.tries.saturating_add(weight);
        }
    }

    fn history(&self, config: &Config, side: Side, mv: M) -> i32 {
        let Some(kind) = config.history else { return 0 };
        let counter = self.counters[side as usize][slot(mv)];
        match kind {
            History::Plain => counter.cutoffs as i32,
            History::Relative => {
                (u64::from(counter.cutoffs) * WHOLE / u64::from(counter.tries.max(1))) as i32
            }
        }
    }
}

fn slot<M: Step>(mv: M) -> usize {
    /// The golden ratio's bits scatter neighbours.
    const SCATTER: u32 = 0x9e37_79b9;
    (mv.to_bits().wrapping_mul(SCATTER) >> (32 - SLOT_BITS)) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_comes_first_and_equals_keep_their_order() {
        let mut moves: Vec<_> =
            [(0, 1), (1, 5), (2, 1), (3, 5)].map(|(mv, rank)| Ranked { mv, rank }).into();
        let order: Vec<_> = (0..4).map(|index| bring_best(&mut moves, index).mv).collect();
        assert_eq!(order, [1, 3, 0, 2]);
    }
}
