//! Counting how often moves of each category are played, in any games.

use super::category::{Category, Parts, View};
use monteverde_loa::{Board, Move};

/// In how many states moves of each category were there to be played, and in how many one was.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Counts {
    available: Vec<u32>,
    played: Vec<u32>,
}

/// The counts of one category.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Count {
    /// What the category says of its moves.
    pub parts: Parts,
    /// In how many states there was such a move.
    pub available: u32,
    /// In how many states such a move was played.
    pub played: u32,
}

impl Default for Counts {
    fn default() -> Self {
        Counts { available: vec![0; Category::COUNT], played: vec![0; Category::COUNT] }
    }
}

impl Counts {
    /// Counts a state with these legal moves, of which that one was played. A state where a side
    /// must pass does not count.
    pub fn note(&mut self, board: &Board, moves: &[Move], played: Move) {
        if played.is_pass() {
            return;
        }
        let view = View::of(board);
        let mut there = [false; Category::COUNT];
        for &mv in moves {
            there[view.category(mv).index()] = true;
        }
        for (available, there) in self.available.iter_mut().zip(there) {
            *available += u32::from(there);
        }
        self.played[view.category(played).index()] += 1;
    }

    /// The categories that occurred, in their order.
    pub fn rows(&self) -> impl Iterator<Item = Count> {
        let occurred = (0..Category::COUNT).filter(|&index| self.available[index] > 0);
        occurred.map(|index| Count {
            parts: Category::numbered(index).parts(),
            available: self.available[index],
            played: self.played[index],
        })
    }
}
