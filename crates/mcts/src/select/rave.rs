//! AMAF and RAVE: an iteration also tells of the moves that it played later than here.
//!
//! Gelly and Silver, *Combining Online and Offline Knowledge in UCT* (2007) and *Monte-Carlo tree
//! search and rapid action value estimation in computer Go* (2011); *Monte Carlo Chess* (2012),
//! formulas 2 and 3.

use super::uct::Normalised;
use crate::path::Visit;
use crate::proof::StepKind;
use crate::reward;
use crate::tree::{Tree, cell::RewardSum};
use monteverde_game::{Game, Side, Step};

/// The value of an edge is `beta * r + (1 - beta) * w` with `beta = sqrt(k / (3 n + k))`: w its
/// own, after `n` visits, and r that of the iterations in which its side played the move here or
/// later, in the tree or in the playout. Where there are none of these the value is w.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rave {
    /// The visits at which both count the same, positive.
    pub k: f64,
}

impl Rave {
    /// The value of an edge whose own, after `visits`, is `value`.
    #[inline(always)]
    pub(crate) fn blend(self, value: f64, visits: u32, uct: Normalised, rave: &RewardSum) -> f64 {
        let later = rave.visits();
        if later == 0 {
            return value;
        }
        let beta = (self.k / (3.0 * f64::from(visits) + self.k)).sqrt();
        let mean = reward::mean(rave.total(), later);
        beta * (uct.offset + uct.scale * mean) + (1.0 - beta) * value
    }
}

/// The moves of one iteration; kept by a thread, so that iterations do not allocate.
#[derive(Debug)]
pub(crate) struct Played<G: Game> {
    /// Those of the playout.
    pub(crate) playout: Vec<(Side, G::Move)>,
    /// A set of moves with their sides; a slot is taken if it has the present epoch.
    slots: Vec<Slot>,
    taken: usize,
    epoch: u32,
}

#[derive(Clone, Copy, Default, Debug)]
struct Slot {
    key: u64,
    epoch: u32,
}

/// Slots to begin with; a power of two.
const SLOTS: usize = 1024;

impl<G: Game> Played<G> {
    pub(crate) fn new() -> Self {
        Played { playout: Vec::new(), slots: Vec::new(), taken: 0, epoch: 0 }
    }

    /// Tells the nodes of the path, from the last to the first, of the moves played there or later.
    /// The reward is for [`Side::First`].
    pub(crate) fn update(&mut self, tree: &Tree, path: &[Visit], reward: i64) {
        self.clear();
        for index in 0..self.playout.len() {
            let (side, mv) = self.playout[index];
            self.insert(key(side, mv.to_bits()));
        }
        for pair in path.windows(2).rev() {
            let [above, below] = pair else { continue };
            if below.kind == StepKind::Event {
                continue;
            }
            self.insert(key(below.side, tree.edge(below.edge).step()));
            let reward = if below.side == Side::First { reward } else { -reward };
            let (first, edges) = tree.edges_under(above.edge);
            for (number, edge) in (first..).zip(edges) {
                if self.contains(key(below.side, edge.step())) {
                    tree.columns.rave.cell(number).add(reward);
                }
            }
        }
    }

    fn clear(&mut self) {
        self.taken = 0;
        self.epoch = self.epoch.wrapping_add(1);
        if self.epoch == 0 || self.slots.is_empty() {
            self.slots.clear();
            self.slots.resize(SLOTS, Slot::default());
            self.epoch = 1;
        }
    }

    fn insert(&mut self, key: u64) {
        // At most half of the slots are taken, so that a search among them is short.
        if 2 * (self.taken + 1) > self.slots.len() {
            let bigger = vec![Slot::default(); 2 * self.slots.len()];
            let old = std::mem::replace(&mut self.slots, bigger);
            for slot in old.iter().filter(|slot| slot.epoch == self.epoch) {
                let index = self.find(slot.key);
                self.slots[index] = *slot;
            }
        }
        let index = self.find(key);
        if self.slots[index].epoch != self.epoch {
            self.slots[index] = Slot { key, epoch: self.epoch };
            self.taken += 1;
        }
    }

    fn contains(&self, key: u64) -> bool {
        self.slots[self.find(key)].epoch == self.epoch
    }

    /// Where the key is, or else where it would go.
    fn find(&self, key: u64) -> usize {
        // The golden ratio spreads keys that differ in few bits.
        const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;
        let mask = self.slots.len() - 1;
        let mut index = (key.wrapping_mul(SPREAD) >> 32) as usize & mask;
        while self.slots[index].epoch == self.epoch && self.slots[index].key != key {
            index = (index + 1) & mask;
        }
        index
    }
}

fn key(side: Side, step: u32) -> u64 {
    u64::from(step) << 1 | side as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use monteverde_game::Rng;
    use monteverde_game::fixtures::TicTacToe;
    use std::collections::HashSet;

    #[test]
    fn the_set_holds_what_was_put_in_and_is_empty_again_after_a_clearing() {
        let mut rng = Rng::new(1);
        let mut played = Played::<TicTacToe>::new();
        for count in [0, 10, 3_000, 100] {
            played.clear();
            let mut set = HashSet::new();
            for _ in 0..count {
                let key = u64::from(rng.below(5_000));
                played.insert(key);
                set.insert(key);
            }
            assert!((0..5_000).all(|key| played.contains(key) == set.contains(&key)));
        }
        played.epoch = u32::MAX;
        played.clear();
        assert!((0..5_000).all(|key| !played.contains(key)));
    }
}
