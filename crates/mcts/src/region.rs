//! Regions of a graph: the nodes that steps which can be taken back connect.
//!
//! Where lines go round in circles no path proves a draw. So a search with
//! [`crate::graph_bounds`] never comes to a node twice between two steps that cannot be taken
//! back: it goes back over its last step and tries the next best, as a search in depth does. Where
//! nothing is left to try the region is solved as it stands: what its states are worth if `n` more
//! plies draw, for n = 0, 1, 2 and so on, once with all that is open counted as lost for the first
//! side and once as won. Where two rows are equal so are all later ones.

use crate::graph_bounds::{self, Plies};
use crate::interval::Interval;
use crate::tree::{ROOT, Tree};
use monteverde_game::Side;
use std::collections::HashMap;

/// What a thread knows of the region that its path is in; its buffers are kept.
#[derive(Debug, Default)]
pub(crate) struct Region {
    /// The nodes that the path has come to since the last step that cannot be taken back, those
    /// that it has gone back from among them.
    pub(crate) closed: Vec<u32>,
    /// How often the iteration has gone back.
    pub(crate) retreats: u32,
    members: Vec<Member>,
    numbers: HashMap<u32, u32>,
    links: Vec<Link>,
    values: Vec<Interval>,
    next: Vec<Interval>,
}

/// A node of the region, and where its links lie.
#[derive(Clone, Copy, Debug)]
struct Member {
    node: u32,
    side: Side,
    links: (u32, u32),
}

/// What an edge leads to.
#[derive(Clone, Copy, Debug)]
enum Link {
    /// Out of the region, or to the end of the game: worth that to the first side.
    Out(Interval),
    /// To that member.
    To(u32),
    /// To a state that nothing is known of but that the game goes on there.
    Open,
    /// To one that nothing is known of.
    Unknown,
}

/// Regions are looked at up to so many nodes; beyond them nothing is known.
const MOST_NODES: usize = 1 << 12;

/// Regions of so many nodes are solved at no cost to speak of.
const SMALL: usize = 256;

/// The most rows that are worked out.
const MOST_ROWS: u32 = 1 << 10;

/// An iteration goes back at most so often.
pub(crate) const MOST_RETREATS: u32 = 1 << 12;

impl Region {
    /// An iteration begins.
    #[inline(always)]
    pub(crate) fn begin(&mut self) {
        self.leave();
        self.retreats = 0;
    }

    /// Forgets the region: a step was taken that cannot be taken back.
    #[inline(always)]
    pub(crate) fn leave(&mut self) {
        self.closed.clear();
    }

    /// Solves the region from the node that it was entered at, and narrows its nodes and edges; not
    /// if it is large and that was done when the node had hardly fewer visits.
    pub(crate) fn solve(&mut self, tree: &Tree, entry: u32, plies: Plies) {
        let visits = tree.joints.node(entry).visits();
        if !tree.joints.bounds(entry).is_to_be_solved(visits) {
            return;
        }
        let is_root = tree.node(ROOT) == Some(entry);
        self.list(tree, entry);
        if self.members.len() > SMALL {
            tree.joints.bounds(entry).note_solved(visits);
        }
        let most = if is_root { plies.left } else { plies.most };
        let rows = self.rows(most.min(MOST_ROWS));
        let root = tree.node(ROOT);
        match rows {
            Rows::Settled(rows) => {
                for (member, &value) in self.members.iter().zip(&self.values) {
                    tree.joints.bounds(member.node).narrow(value, rows);
                }
            }
            Rows::Most(rows) if rows == plies.most => {
                tree.joints.bounds(entry).narrow(self.values[0], rows);
            }
            Rows::Most(_) => {}
        }
        for member in &self.members {
            let rules = (plies, Some(member.node) == root);
            graph_bounds::refresh_all(tree, member.node, member.side, rules);
        }
        if is_root && matches!(rows, Rows::Most(rows) if rows == plies.left) {
            self.narrow_root(tree, plies);
        }
    }

    /// Narrows the edges of the root by what they lead to where one ply less is left.
    fn narrow_root(&self, tree: &Tree, plies: Plies) {
        let root = self.members[0];
        let first = tree.edges(root.node).0;
        for (edge, link) in (first..).zip(self.links_of(root)) {
            if let &Link::To(member) = link {
                // The row before the last.
                let value = self.next[member as usize];
                let value = if plies.is_repeated { value.with_draw() } else { value };
                let seen = value.seen_by(Side::First, root.side);
                tree.columns.interval.cell(edge).narrow(seen);
            }
        }
    }

    /// Lists the members of the region and their links.
    fn list(&mut self, tree: &Tree, entry: u32) {
        self.members.clear();
        self.numbers.clear();
        self.links.clear();
        self.add(tree, entry);
        let mut done = 0;
        while let Some(&Member { node, side, .. }) = self.members.get(done) {
            let (first, edges) = tree.edges(node);
            let start = self.links.len() as u32;
            for (number, edge) in (first..).zip(edges) {
                let is_terminal = edge.status().is_terminal();
                let link = if is_terminal || !graph_bounds::is_reversible(tree, number) {
                    Link::Out(tree.columns.interval.get(number).seen_by(side, Side::First))
                } else if let Some(below) = tree.node(number) {
                    self.add(tree, below).map_or(Link::Open, Link::To)
                } else if edge.visits() > 0 {
                    Link::Open
                } else {
                    Link::Unknown
                };
                self.links.push(link);
            }
            self.members[done].links = (start, self.links.len() as u32);
            done += 1;
        }
    }

    /// The number of the node as a member; `None` where there are too many.
    fn add(&mut self, tree: &Tree, node: u32) -> Option<u32> {
        if let Some(&number) = self.numbers.get(&node) {
            return Some(number);
        }
        if self.members.len() >= MOST_NODES {
            return None;
        }
        let number = self.members.len() as u32;
        let side = tree.joints.bounds(node).turn();
        self.members.push(Member { node, side, links: (0, 0) });
        self.numbers.insert(node, number);
        Some(number)
    }

    fn links_of(&self, member: Member) -> &[Link] {
        &self.links[member.links.0 as usize..member.links.1 as usize]
    }

    /// Works out rows until two are equal, `most` of them at the most. The last one is then in
    /// `values` and the one before in `next`.
    fn rows(&mut self, most: u32) -> Rows {
        self.values.clear();
        self.values.resize(self.members.len(), Interval::DRAW);
        self.next.clear();
        self.next.extend_from_slice(&self.values);
        for row in 1..=most {
            std::mem::swap(&mut self.values, &mut self.next);
            for number in 0..self.members.len() {
                self.values[number] = self.worth(self.members[number], row);
            }
            // The first row knows of open states that the game is not over there.
            if row > 1 && self.values == self.next {
                return Rows::Settled(row - 1);
            }
        }
        Rows::Most(most)
    }

    /// What a member is worth where so many plies are left, `next` being the row of one less.
    fn worth(&self, member: Member, plies: u32) -> Interval {
        let worth = |link: &Link| match *link {
            Link::Out(interval) => interval,
            Link::To(member) => self.next[member as usize],
            Link::Open if plies == 1 => Interval::DRAW,
            Link::Open | Link::Unknown => Interval::OPEN,
        };
        let best = |a: Interval, b: Interval| match member.side {
            Side::First => Interval { low: a.low.max(b.low), high: a.high.max(b.high) },
            Side::Second => Interval { low: a.low.min(b.low), high: a.high.min(b.high) },
        };
        self.links_of(member).iter().map(worth).reduce(best).unwrap_or(Interval::OPEN)
    }
}

/// What the rows came to.
enum Rows {
    /// From so many plies on they are all the same.
    Settled(u32),
    /// They were still changing after so many.
    Most(u32),
}
