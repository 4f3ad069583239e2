//! The edges of a node as they are listed: all in one place, or the most likely ones in one place
//! and the others, where they were wanted, in another.

use super::edge::Edge;
use std::ops::Index;

/// The edges of a node that are listed, in their order.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Listed<'a> {
    /// The number of the first edge of each part, and its edges. Only the second may be empty
    /// where the other is not.
    parts: [(u32, &'a [Edge]); 2],
    is_whole: bool,
}

impl<'a> Listed<'a> {
    /// No edges, and there are no others.
    pub(crate) const NONE: Listed<'static> = Listed { parts: [(0, &[]); 2], is_whole: true };

    pub(super) fn new(parts: [(u32, &'a [Edge]); 2], is_whole: bool) -> Listed<'a> {
        Listed { parts, is_whole }
    }

    /// All edges of a node, which lie in one place.
    #[cfg(test)]
    pub(crate) fn whole(edges: &'a [Edge]) -> Listed<'a> {
        Listed { parts: [(0, edges), (0, &[])], is_whole: true }
    }

    /// Whether the node has no other edges than those that are listed.
    #[inline(always)]
    pub(crate) fn is_whole(self) -> bool {
        self.is_whole
    }

    #[inline(always)]
    pub(crate) fn len(self) -> usize {
        self.parts[0].1.len() + self.parts[1].1.len()
    }

    #[inline(always)]
    pub(crate) fn is_empty(self) -> bool {
        self.parts[0].1.is_empty()
    }

    /// The number of an edge in the tree.
    #[inline(always)]
    pub(crate) fn number(self, index: usize) -> u32 {
        let [(first, edges), (second, _)] = self.parts;
        let own = edges.len();
        if index < own { first + index as u32 } else { second + (index - own) as u32 }
    }

    /// The first `count` of them: where each part begins, and how many of it they are.
    #[inline(always)]
    pub(crate) fn up_to(self, count: usize) -> [(u32, usize); 2] {
        let [(first, edges), (second, _)] = self.parts;
        let own = count.min(edges.len());
        [(first, own), (second, count - own)]
    }

    /// Whether something is so of any of the first `count`.
    #[inline(always)]
    pub(crate) fn any(self, count: usize, mut is_so: impl FnMut(&Edge) -> bool) -> bool {
        let [(_, edges), (_, others)] = self.parts;
        let own = count.min(edges.len());
        edges[..own].iter().any(&mut is_so) || others[..count - own].iter().any(is_so)
    }

    #[inline(always)]
    pub(crate) fn iter(self) -> impl Iterator<Item = &'a Edge> {
        let [(_, edges), (_, others)] = self.parts;
        edges.iter().chain(others)
    }

    /// The edges with their numbers.
    pub(crate) fn numbered(self) -> impl Iterator<Item = (u32, &'a Edge)> {
        self.parts.into_iter().flat_map(|(first, edges)| (first..).zip(edges))
    }
}

impl Index<usize> for Listed<'_> {
    type Output = Edge;

    #[inline(always)]
    fn index(&self, index: usize) -> &Edge {
        let [(_, edges), (_, others)] = self.parts;
        edges.get(index).unwrap_or_else(|| &others[index - edges.len()])
    }
}
