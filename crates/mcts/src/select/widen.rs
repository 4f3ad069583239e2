//! Progressive unpruning and progressive widening: a node's moves take part by and by, the
//! promising ones first.
//!
//! Chaslot and others, *Progressive Strategies for Monte-Carlo Tree Search* (2008), and Coulom,
//! *Computing Elo Ratings of Move Patterns in the Game of Go* (2007), as *Monte Carlo Chess*
//! (2012), section 2.2.4, sets them side by side.

/// The moves of a node are ordered by [`Knowledge::prior`](monteverde_game::Knowledge::prior), of
/// equals in generation order, and only the first `k` of them take part in selection: `first` of
/// them, and one more each time the node's visits reach `scale * base^(k - first)`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Widen {
    /// When the other moves are left out.
    pub mode: Mode,
    /// How many moves always take part, at least 1.
    pub first: u32,
    /// The visits at which one more takes part.
    pub scale: f64,
    /// By what factor the visits grow for each further move, more than 1.
    pub base: f64,
}

/// When moves are left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// From the node's creation on (progressive unpruning, Chaslot).
    Unprune,
    /// Once the node has had that many visits; before, all take part (progressive widening,
    /// Coulom).
    Widen {
        /// The visits.
        after: u32,
    },
}

/// No game here has more moves than this in a state; beyond it all of them take part.
const MOST: usize = 4096;

/// [`Widen`] made ready: the visits at which each further move takes part.
#[derive(Clone, Debug)]
pub(crate) struct Widths {
    after: u32,
    first: usize,
    visits: Vec<u32>,
}

impl Widths {
    pub(crate) fn new(widen: Widen) -> Widths {
        let mut visits = Vec::new();
        let mut next = widen.scale;
        // A base of 1 or less would never reach the end of the visits.
        while next < f64::from(u32::MAX) && visits.len() < MOST {
            visits.push(next.ceil() as u32);
            next *= widen.base;
        }
        let after = match widen.mode {
            Mode::Unprune => 0,
            Mode::Widen { after } => after,
        };
        Widths { after, first: widen.first.max(1) as usize, visits }
    }

    /// How many of a node's `count` moves take part after so many visits.
    #[inline]
    pub(crate) fn width(&self, visits: u32, count: usize) -> usize {
        if visits < self.after {
            return count;
        }
        let more = self.visits.partition_point(|&least| least <= visits);
        if more == MOST { count } else { count.min(self.first + more) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_take_part_when_visits_reach_their_powers() {
        let unprune = Widen { mode: Mode::Unprune, first: 2, scale: 10.0, base: 1.5 };
        let widths = Widths::new(unprune);
        // 10, 15, 22.5, 33.75, ...
        for (visits, width) in
            [(0, 2), (9, 2), (10, 3), (14, 3), (15, 4), (22, 4), (23, 5), (33, 5), (34, 6)]
        {
            assert_eq!(widths.width(visits, 30), width, "after {visits} visits");
        }
        assert_eq!(widths.width(34, 3), 3);
        let widen = Widths::new(Widen { mode: Mode::Widen { after: 20 }, ..unprune });
        assert_eq!([19, 20, 23].map(|visits| widen.width(visits, 30)), [30, 4, 5]);
    }

    #[test]
    fn any_numbers_give_widths() {
        for base in [0.0, 1.0, 1.000_001, f64::INFINITY] {
            for scale in [0.0, 1.0, 1e300] {
                let widen = Widen { mode: Mode::Unprune, first: 0, scale, base };
                let widths = Widths::new(widen);
                assert!((1..=30).contains(&widths.width(100, 30)), "{widen:?}");
            }
        }
    }
}
