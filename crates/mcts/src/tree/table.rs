//! The table that finds the node of a state by its key.

use super::zeroed::Zeroed;
use std::sync::atomic::{
    AtomicU32,
    Ordering::{AcqRel, Acquire, Relaxed},
};

/// Slots for each node there is room for, so that at most half of them are taken.
pub(super) const SLOTS_A_NODE: usize = 2;

/// Numbers of nodes, found by key: a slot holds a node's number and one, 0 where it is empty. Which
/// key a node has is known elsewhere.
#[derive(Debug)]
pub(crate) struct NodeTable {
    slots: Zeroed<AtomicU32>,
}

impl NodeTable {
    pub(super) fn new(nodes: usize) -> NodeTable {
        NodeTable { slots: Zeroed::new(nodes * SLOTS_A_NODE) }
    }

    pub(super) fn clear(&self) {
        self.slots.iter().for_each(|slot| slot.store(0, Relaxed));
    }

    /// The first node for which `is_it` holds among those that `key` may have led to.
    pub(crate) fn find(&self, key: u64, mut is_it: impl FnMut(u32) -> bool) -> Option<u32> {
        self.slots_of(key)
            .map(|slot| slot.load(Acquire))
            .take_while(|&node| node != 0)
            .map(|node| node - 1)
            .find(|&node| is_it(node))
    }

    /// Lets the key lead to the node.
    pub(crate) fn insert(&self, key: u64, node: u32) {
        self.slots_of(key).find(|slot| slot.compare_exchange(0, node + 1, AcqRel, Relaxed).is_ok());
    }

    /// Every slot, beginning with the one that the key comes first to.
    fn slots_of(&self, key: u64) -> impl Iterator<Item = &AtomicU32> {
        let first = ((u128::from(key) * self.slots.len() as u128) >> 64) as usize;
        self.slots[first..].iter().chain(&self.slots[..first])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use monteverde_game::Rng;

    #[test]
    fn a_full_table_finds_every_node_and_no_other() {
        let mut rng = Rng::new(1);
        let table = NodeTable::new(1000);
        // Keys that crowd at the end, so that the search has to go round.
        let keys: Vec<u64> = (0..1000).map(|_| u64::MAX - u64::from(rng.below(1 << 20))).collect();
        for (node, &key) in keys.iter().enumerate() {
            table.insert(key, node as u32);
        }
        for (node, &key) in keys.iter().enumerate() {
            let found = table.find(key, |number| keys[number as usize] == key);
            assert_eq!(found.map(|number| keys[number as usize]), Some(key), "node {node}");
        }
        assert_eq!(table.find(7, |number| keys[number as usize] == 7), None);
        table.clear();
        assert_eq!(table.find(keys[0], |_| true), None);
    }
}
