//! What a graph keeps of its nodes: their statistics, and a table that finds them by the key of
//! their state.

use super::cell::{Joint, NodeBounds};
use super::column::Column;
use super::columns::Needs;
use super::table::{NodeTable, SLOTS_A_NODE};
use monteverde_game::Side;
use std::sync::atomic::AtomicU32;

/// The nodes that several edges may lead to; empty in a tree.
#[derive(Debug)]
pub(crate) struct Joints {
    nodes: Column<Joint>,
    bounds: Column<NodeBounds>,
    table: NodeTable,
}

impl Joints {
    pub(super) fn new(needs: Needs, nodes: usize) -> Joints {
        let slots = if needs.joints { nodes } else { 0 };
        Joints {
            nodes: Column::new(needs.joints, nodes),
            bounds: Column::new(needs.node_bounds, nodes),
            table: NodeTable::new(slots),
        }
    }

    /// The bytes that they take for each node.
    pub(super) fn bytes_a_node(needs: Needs) -> usize {
        let bytes = size_of::<Joint>() + SLOTS_A_NODE * size_of::<AtomicU32>();
        let bounds = if needs.node_bounds { size_of::<NodeBounds>() } else { 0 };
        bounds + if needs.joints { bytes } else { 0 }
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

    /// Whether anything is kept that is certain of them.
    #[inline(always)]
    pub(crate) fn have_bounds(&self) -> bool {
        self.bounds.is_kept()
    }

    /// What is certain of a node.
    #[inline(always)]
    pub(crate) fn bounds(&self, node: u32) -> &NodeBounds {
        self.bounds.cell(node)
    }

    /// Nothing is certain of a new node, in which a side is to move.
    pub(crate) fn start_bounds(&self, node: u32, turn: Side) {
        self.bounds.cell(node).start(turn);
    }

    /// Starts a node with the key of its state and what is known of it.
    pub(crate) fn start(&self, node: u32, key: u64, (sum, visits): (i64, u32)) {
        self.nodes.set(node, (key, sum, visits));
    }

    /// Copies what is kept of a node to another.
    pub(super) fn copy(&self, from: u32, to: u32) {
        self.nodes.copy(from, to);
        self.bounds.copy(from, to);
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
