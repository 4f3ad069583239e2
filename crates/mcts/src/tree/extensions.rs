//! Nodes that list only some of their edges at first, and the others when they are wanted. Edges
//! never move, for threads may be in them: so the others lie in a place of their own, held by a
//! record of a node that nothing leads to.

use super::edge::Extension;
use super::zeroed::Zeroed;
use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed};

// What the holder of an extension may be, beside the number of a record and one.
/// All edges of the node are in one place.
const WHOLE: u32 = 0;
/// The node has others, which are not listed.
const SHORT: u32 = u32::MAX;
/// A thread is about to list them.
const LISTING: u32 = u32::MAX - 1;

/// Where the other edges of a node are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Others {
    /// There are none.
    None,
    /// They are not listed.
    Unlisted,
    /// Here: the first, and how many.
    Listed(u32, usize),
}

/// The extensions of all nodes; empty where nodes list all their edges at once.
#[derive(Debug)]
pub(super) struct Extensions(Zeroed<Extension>);

impl Extensions {
    pub(super) fn new(is_needed: bool, nodes: usize) -> Extensions {
        Extensions(Zeroed::new(if is_needed { nodes } else { 0 }))
    }

    /// Asks for that of a node to be at hand soon.
    #[inline(always)]
    pub(super) fn prefetch(&self, node: u32) {
        self.0.prefetch(node);
    }

    #[inline(always)]
    pub(super) fn others(&self, node: u32) -> Others {
        let Some(extension) = self.0.get(node as usize) else { return Others::None };
        match extension.holder.load(Acquire) {
            WHOLE => Others::None,
            SHORT | LISTING => Others::Unlisted,
            _ => {
                let count = extension.count.load(Relaxed) as usize;
                Others::Listed(extension.first.load(Relaxed), count)
            }
        }
    }

    /// Notes of a new node that it lists all its edges.
    #[inline(always)]
    pub(super) fn start_whole(&self, node: u32) {
        if let Some(extension) = self.0.get(node as usize) {
            extension.holder.store(WHOLE, Relaxed);
        }
    }

    /// Notes of a new node that it has others.
    pub(super) fn start_short(&self, node: u32) {
        self.0[node as usize].holder.store(SHORT, Relaxed);
    }

    /// Lets one thread list the others of a node. Returns whether it may.
    pub(super) fn begin(&self, node: u32) -> bool {
        let holder = &self.0[node as usize].holder;
        holder.compare_exchange(SHORT, LISTING, AcqRel, Acquire).is_ok()
    }

    /// That thread has found no room. Should the node have been given up meanwhile, it stays so.
    pub(super) fn give_up(&self, node: u32) {
        let holder = &self.0[node as usize].holder;
        let _ = holder.compare_exchange(LISTING, SHORT, AcqRel, Relaxed);
    }

    /// It has listed them: in that record, so many from that edge on. Returns whether they are the
    /// node's now; else it was given up meanwhile.
    pub(super) fn end(&self, node: u32, holder: u32, (first, count): (u32, usize)) -> bool {
        let extension = &self.0[node as usize];
        extension.first.store(first, Relaxed);
        extension.count.store(count as u32, Relaxed);
        extension.holder.compare_exchange(LISTING, holder + 1, AcqRel, Relaxed).is_ok()
    }

    /// Takes from a node that is given up the record that holds its other edges, if there is one. A
    /// thread that is about to list them finds that it is too late.
    pub(super) fn take(&self, node: u32) -> Option<u32> {
        match self.0.get(node as usize)?.holder.swap(WHOLE, AcqRel) {
            WHOLE | SHORT | LISTING => None,
            holder => Some(holder - 1),
        }
    }
}
