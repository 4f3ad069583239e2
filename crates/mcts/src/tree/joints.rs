//! What a graph keeps of its nodes: their statistics, and a table that finds them by the key of
//! their state.

use super::cell::Joint;
use super::column::Column;
use super::table::{NodeTable, SLOTS_A_NODE};
use std::sync::atomic::AtomicU32;

/// The nodes that several edges may lead to; empty in a tree.
#[derive(Debug)]
pub(crate) struct Joints {
    nodes: Column<Joint>,
    table: NodeTable,
}

impl Joints {
    pub(super) fn new(is_needed: bool, nodes: usize) -> Joints {
        let slots = if is_needed { nodes } else { 0 };
        Joints { nodes: Column::new(is_needed, nodes), table: NodeTable::new(slots) }
    }

    /// The bytes that they take for each node.
    pub(super) fn bytes_a_node(is_needed: bool) -> usize {
        let bytes = size_of::<Joint>() + SLOTS_A_NODE * size_of::<AtomicU32>();
        if is_needed { bytes } else { 0 }
    }

    /// Whether there are any.
    #[inline(always)]
    pub(crate) fn are_kept(&self) -> bool {
        self.nodes.is_kept()
    }

    #[inline(always)]
    pub(crate) fn node(&self, node: u32) -> &Joint {
        self.nodes.cell(node)
    }

    /// Starts a node with the key of its state and what is known of it.
    pub(crate) fn start(&self, node: u32, key: u64, (sum, visits): (i64, u32)) {
        self.nodes.set(node, (key, sum, visits));
    }

    /// Copies what is kept of a node to another.
    pub(super) fn copy(&self, from: u32, to: u32) {
        self.nodes.copy(from, to);
    }

    /// Forgets which nodes there are.
    pub(crate) fn forget(&self) {
        self.table.clear();
    }

    /// Lets a node be found by its key.
    pub(crate) fn remember(&self, node: u32) {
        self.table.insert(self.node(node).key(), node);
    }

    /// A node with that key for which `is_it` holds.
    pub(crate) fn find(&self, key: u64, is_it: impl Fn(u32) -> bool) -> Option<u32> {
        self.table.find(key, |node| self.node(node).key() == key && is_it(node))
    }
}
