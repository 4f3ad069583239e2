//! What the program remembers of the last plies.

use monteverde_knowledge::chess::lone_king::{Placement, RECENT};

/// A placement that comes up so often draws.
const DRAWS: u8 = 3;

/// The placements after each of the last plies, and how often each has come up.
///
/// A placement's count lives as long as the program keeps it: when the oldest one is dropped, all
/// that is counted of it goes, even what came later.
#[derive(Clone, Copy, Debug)]
pub(crate) struct History {
    /// In a ring; unused ones are [`Placement::MAX`], which is none.
    placements: [Placement; RECENT],
    /// How often the placement had come up by then, 0 where that is forgotten.
    counts: [u8; RECENT],
    /// Where the next one goes.
    next: u8,
    /// Where the game began, if that counts as having come up.
    start: Placement,
    is_drawn: bool,
}

impl History {
    /// No ply has been played. `start` counts as having come up once, if there is one.
    pub(super) fn new(start: Option<Placement>) -> History {
        let placements = [Placement::MAX; RECENT];
        let start = start.unwrap_or(Placement::MAX);
        History { placements, counts: [0; RECENT], next: 0, start, is_drawn: false }
    }

    /// A ply led to a placement.
    #[inline(always)]
    pub(super) fn push(&mut self, placement: Placement) {
        let next = usize::from(self.next);
        let oldest = self.placements[next];
        let mut count = 0;
        for (&other, other_count) in self.placements.iter().zip(&mut self.counts) {
            *other_count = if other == oldest { 0 } else { *other_count };
            count = if other == placement { count.max(*other_count) } else { count };
        }
        if self.start == placement {
            count += 1;
            self.start = Placement::MAX;
        }
        (self.placements[next], self.counts[next]) = (placement, count + 1);
        self.next = if next + 1 == RECENT { 0 } else { self.next + 1 };
        self.is_drawn |= count + 1 >= DRAWS;
    }

    /// Whether a placement has come up too often; once it has, that stays.
    #[inline(always)]
    pub(super) fn is_drawn(&self) -> bool {
        self.is_drawn
    }

    /// The placements after the last plies, in no order.
    #[inline(always)]
    pub(super) fn recent(&self) -> &[Placement; RECENT] {
        &self.placements
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(start: Option<Placement>, plies: impl IntoIterator<Item = Placement>) -> History {
        let mut history = History::new(start);
        plies.into_iter().for_each(|placement| history.push(placement));
        history
    }

    #[test]
    fn the_third_time_draws_and_stays_drawn() {
        assert!(!after(None, [1, 2, 1, 2]).is_drawn());
        assert!(after(None, [1, 2, 1, 2, 1]).is_drawn());
        assert!(after(None, [1, 2, 1, 2, 1].into_iter().chain(10..90)).is_drawn());
        assert!(!after(None, [7, 1, 7]).is_drawn());
        assert!(after(Some(7), [1, 7, 2, 7]).is_drawn(), "the start counts in the game");
        assert!(!after(Some(7), [1, 7]).is_drawn());
    }

    /// The placement of ply 1 comes up again at ply 15. When the first is dropped, at ply 21, the
    /// second is forgotten with it.
    #[test]
    fn what_is_dropped_takes_later_counts_with_it() {
        let plies = |last: u32| [1].into_iter().chain(100..113).chain([1]).chain(200..last);
        assert!(after(None, plies(204).chain([1])).is_drawn(), "at ply 20");
        assert!(!after(None, plies(205).chain([1])).is_drawn(), "at ply 21");
        assert!(!after(None, plies(205).chain([1, 7, 1])).is_drawn(), "and once more");
        assert!(after(None, plies(205).chain([1, 7, 1, 7, 1])).is_drawn(), "counted from there");
    }

    #[test]
    fn twenty_are_kept() {
        let history = after(None, 1..=25);
        assert!((6..=25).all(|placement| history.recent().contains(&placement)));
        assert!(!history.recent().contains(&5));
    }
}
