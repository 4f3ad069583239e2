//! The room that a thread has for the nodes that it makes: numbers that nobody has used yet, and
//! nodes that were given up (see [`super::recycle`]).

use super::arena::Arena;
use super::edge::Node;
use std::ops::Range;
use std::sync::atomic::Ordering::Relaxed;

/// A thread that shares the tree takes room for so many nodes at a time, and for as many edges as
/// there are to each, so that threads seldom meet there.
const PORTION: usize = 256;
/// It takes no more than this part of what is left, so that no thread starves the others.
const PART: usize = 64;
/// Free nodes are kept apart by their number of edges; all with as many or more together.
const SIZES: usize = 256;
/// Of the largest free nodes so many are looked at for one that is large enough.
const LOOKS: usize = 16;
/// No node.
const NONE: u32 = u32::MAX;
/// Stands where free nodes name the next one in a record whose room has been added to that of the
/// record before it.
pub(super) const ABSORBED: u32 = u32::MAX - 1;

/// How much a stock claims at a time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Portions {
    /// What the next node needs: one thread has the tree for itself.
    Single,
    /// More than that.
    Many,
    /// The same in a graph, where nodes and edges have to keep one order: what is left of a portion
    /// is not used.
    ManyInOrder,
}

/// Room that was claimed and is not used.
#[derive(Debug)]
pub(crate) struct Stock {
    portions: Portions,
    /// What nobody has used yet.
    nodes: Range<u32>,
    edges: Range<u32>,
    /// The first free node of each size; each names the next.
    free: Box<[u32; SIZES]>,
    /// Which sizes have any, a bit each.
    sizes: [u64; SIZES / 64],
    free_edges: usize,
    /// Whether there was no room for a node.
    has_failed: bool,
    /// The most edges that there was no room for since this was last asked.
    wanted: usize,
    /// Whether free nodes may lie side by side, and what it takes to find them.
    is_scattered: bool,
    by_place: Vec<u32>,
    /// Whether any was given up by others: then the tree is full, and what grows takes the place
    /// of something else.
    recycles: bool,
    /// By how many nodes and edges the tree has grown since this was last asked.
    grown: (isize, isize),
}

impl Default for Stock {
    fn default() -> Stock {
        Stock {
            portions: Portions::Single,
            nodes: 0..0,
            edges: 0..0,
            free: Box::new([NONE; SIZES]),
            sizes: [0; SIZES / 64],
            free_edges: 0,
            has_failed: false,
            wanted: 0,
            is_scattered: false,
            by_place: Vec::new(),
            recycles: false,
            grown: (0, 0),
        }
    }
}

impl Stock {
    pub(crate) fn set_portions(&mut self, portions: Portions) {
        self.portions = portions;
    }

    /// The edges that it has room for, as far as they are given up by others.
    pub(super) fn free_edges(&self) -> usize {
        self.free_edges
    }

    /// Room for one node and `count` edges: its number and that of its first edge. `None` when the
    /// memory is full.
    #[inline(always)]
    pub(super) fn take(&mut self, arena: &Arena, count: usize) -> Option<(u32, u32)> {
        if self.nodes.is_empty() || self.edges.len() < count {
            return self.take_rare(arena, count);
        }
        Some(self.take_fresh(arena, count))
    }

    /// Room for `count` edges more of a node: the number of what holds them, which is no node of
    /// its own, and that of the first edge.
    pub(super) fn take_more(&mut self, arena: &Arena, count: usize) -> Option<(u32, u32)> {
        let taken = self.take(arena, count)?;
        self.grown.0 -= 1;
        Some(taken)
    }

    /// Takes back what nobody has seen.
    pub(super) fn take_back(&mut self, arena: &Arena, number: u32, count: usize) {
        self.add(&arena.nodes[number as usize], number);
        self.note_more_gone(count);
    }

    #[inline(always)]
    fn take_fresh(&mut self, arena: &Arena, count: usize) -> (u32, u32) {
        let (node, first) = (self.nodes.start, self.edges.start);
        arena.nodes[node as usize].room.store(count as u32, Relaxed);
        self.nodes.start += 1;
        self.edges.start += count as u32;
        self.grown.0 += 1;
        self.grown.1 += count as isize;
        (node, first)
    }

    #[cold]
    fn take_rare(&mut self, arena: &Arena, count: usize) -> Option<(u32, u32)> {
        if self.claim(arena, count) {
            return Some(self.take_fresh(arena, count));
        }
        let Some(node) = self.reuse(arena, count).or_else(|| self.merge_and_reuse(arena, count))
        else {
            self.has_failed = true;
            self.wanted = self.wanted.max(count);
            return None;
        };
        self.grown.0 += 1;
        self.grown.1 += count as isize;
        Some((node, arena.nodes[node as usize].first.load(Relaxed)))
    }

    /// Claims more of what nobody has used yet. Returns whether there was enough.
    fn claim(&mut self, arena: &Arena, count: usize) -> bool {
        let (nodes, edges) = match self.portions {
            Portions::Single => (1, count),
            Portions::Many | Portions::ManyInOrder => {
                let nodes = (arena.nodes_left() / PART).clamp(1, PORTION);
                (nodes, count.max(nodes * arena.edges_a_node()))
            }
        };
        // The last room is smaller than a portion.
        let claimed = [(nodes, edges), (1, count)].into_iter().find_map(|(nodes, edges)| {
            arena
                .claim(nodes, edges)
                .map(|(node, edge)| (node..node + nodes as u32, edge..edge + edges as u32))
        });
        let Some((nodes, edges)) = claimed else { return false };
        self.keep_rest(arena);
        (self.nodes, self.edges) = (nodes, edges);
        true
    }

    /// Turns what is left of a portion into a free node.
    fn keep_rest(&mut self, arena: &Arena) {
        if !self.edges.is_empty()
            && self.portions == Portions::Many
            && let Some(number) = self.nodes.next()
        {
            let node = &arena.nodes[number as usize];
            node.first.store(self.edges.start, Relaxed);
            node.room.store(self.edges.len() as u32, Relaxed);
            self.add(node, number);
        }
    }

    /// Takes a node that was given up and is certainly in nobody's way any more.
    pub(super) fn give_up(&mut self, arena: &Arena, number: u32) {
        self.add(&arena.nodes[number as usize], number);
        self.recycles = true;
    }

    /// Whether the tree is full.
    #[inline(always)]
    pub(crate) fn recycles(&self) -> bool {
        self.recycles
    }

    /// Notes that a node and its edges are not in the tree any more.
    pub(super) fn note_gone(&mut self, count: usize) {
        self.grown.0 -= 1;
        self.grown.1 -= count as isize;
    }

    /// Notes the same of edges that a node had listed later.
    pub(super) fn note_more_gone(&mut self, count: usize) {
        self.grown.1 -= count as isize;
    }

    fn add(&mut self, node: &Node, number: u32) {
        let room = node.room.load(Relaxed) as usize;
        let size = room.min(SIZES - 1);
        node.set_edge_above(None);
        node.tried.store(self.free[size], Relaxed);
        self.free[size] = number;
        self.sizes[size / 64] |= 1 << (size % 64);
        self.free_edges += room;
        self.has_failed = false;
        self.is_scattered = true;
    }

    fn merge_and_reuse(&mut self, arena: &Arena, count: usize) -> Option<u32> {
        if !self.is_scattered || self.free_edges < count {
            return None;
        }
        self.merge(arena);
        self.reuse(arena, count)
    }

    /// Makes one of free nodes that lie side by side, so that there is room for larger ones.
    fn merge(&mut self, arena: &Arena) {
        let node = |number: u32| &arena.nodes[number as usize];
        let first = |number: u32| node(number).first.load(Relaxed);
        let mut free = std::mem::take(&mut self.by_place);
        self.empty_into(arena, &mut free);
        free.sort_unstable_by_key(|&number| first(number));
        let mut others = free.drain(..).peekable();
        while let Some(number) = others.next() {
            let mut room = node(number).room.load(Relaxed);
            let mut beside = number + 1;
            while let Some(other) = others.next_if(|&it| first(it) == first(number) + room) {
                room += node(other).room.swap(0, Relaxed);
                while beside < other && node(beside).tried.load(Relaxed) == ABSORBED {
                    beside += 1;
                }
                if beside == other {
                    // It stays in its place: should the room be split again, it takes the rest, and
                    // the order of nodes remains that of their edges.
                    node(other).tried.store(ABSORBED, Relaxed);
                } else {
                    self.add(node(other), other);
                }
            }
            node(number).room.store(room, Relaxed);
            self.add(node(number), number);
        }
        drop(others);
        self.by_place = free;
        self.is_scattered = false;
    }

    /// Takes out all free nodes that have room for edges.
    fn empty_into(&mut self, arena: &Arena, taken: &mut Vec<u32>) {
        for first in &mut self.free[1..] {
            let mut number = std::mem::replace(first, NONE);
            while number != NONE {
                taken.push(number);
                number = arena.nodes[number as usize].tried.load(Relaxed);
            }
        }
        // Only those without any are left.
        self.sizes.iter_mut().enumerate().for_each(|(word, bits)| *bits &= u64::from(word == 0));
        self.free_edges = 0;
    }

    /// The most edges that there was no room for since this was last asked.
    pub(super) fn take_wanted(&mut self) -> usize {
        std::mem::take(&mut self.wanted)
    }

    /// Whether there was no room for some edges since that was last asked.
    #[inline(always)]
    pub(super) fn is_wanting(&self) -> bool {
        self.wanted > 0
    }

    /// Whether there was no room for a node since anything was given up.
    #[inline(always)]
    pub(super) fn has_failed(&self) -> bool {
        self.has_failed
    }

    /// A free node with room for that many edges: of those that have enough one of the smallest. A
    /// rest that is large enough for another such node stays free; smaller ones would add up. But
    /// where nodes list their other edges later, what has been large from the start stays so.
    fn reuse(&mut self, arena: &Arena, count: usize) -> Option<u32> {
        let size = self.next_size(count.min(SIZES - 1))?;
        let number = self.pop(arena, size, count)?;
        let node = &arena.nodes[number as usize];
        let found = node.room.load(Relaxed) as usize;
        self.free_edges -= found;
        let rest = found - count;
        if rest > 0
            && rest >= count
            && let Some(spare) = self.spare_node(arena, number)
        {
            let other = &arena.nodes[spare as usize];
            node.room.store(count as u32, Relaxed);
            other.first.store(node.first.load(Relaxed) + count as u32, Relaxed);
            other.room.store(rest as u32, Relaxed);
            self.add(other, spare);
        }
        Some(number)
    }

    /// The smallest size from `least` on of which there are nodes.
    fn next_size(&self, least: usize) -> Option<usize> {
        let words = self.sizes.iter().enumerate().skip(least / 64);
        words
            .map(|(word, &bits)| {
                (word, if word == least / 64 { bits >> (least % 64) << (least % 64) } else { bits })
            })
            .find(|&(_, bits)| bits != 0)
            .map(|(word, bits)| word * 64 + bits.trailing_zeros() as usize)
    }

    /// Takes a node of that size out, with room for `count` edges.
    fn pop(&mut self, arena: &Arena, size: usize, count: usize) -> Option<u32> {
        let next = |number: u32| arena.nodes[number as usize].tried.load(Relaxed);
        let mut before = None;
        let mut number = self.free[size];
        for _ in 0..LOOKS {
            if number == NONE {
                break;
            }
            if arena.nodes[number as usize].room.load(Relaxed) as usize >= count {
                match before {
                    None => self.free[size] = next(number),
                    Some(before) => {
                        let before: &Node = &arena.nodes[before as usize];
                        before.tried.store(next(number), Relaxed);
                    }
                }
                if self.free[size] == NONE {
                    self.sizes[size / 64] &= !(1 << (size % 64));
                }
                return Some(number);
            }
            before = Some(number);
            number = next(number);
        }
        None
    }

    /// The number of a node that has no room, for the rest of that of another: the one after it if
    /// that was absorbed.
    fn spare_node(&mut self, arena: &Arena, number: u32) -> Option<u32> {
        let next = number as usize + 1;
        if next < arena.claimed_nodes() && arena.nodes[next].tried.load(Relaxed) == ABSORBED {
            return Some(next as u32);
        }
        if arena.keeps_large {
            return None;
        }
        self.pop(arena, 0, 0)
            .or_else(|| self.nodes.next())
            .or_else(|| arena.claim(1, 0).map(|(node, _)| node))
    }

    /// By how many nodes and edges the tree has grown since the last time.
    pub(super) fn settle(&mut self) -> (isize, isize) {
        std::mem::take(&mut self.grown)
    }
}
