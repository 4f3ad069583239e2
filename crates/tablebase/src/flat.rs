//! A whole table in memory, as the builder makes and reads it.

use crate::layout::{Layout, Squares};
use crate::{Material, code};
use monteverde_chess::Color;

/// A table with an entry for every index and side to move.
pub(crate) struct Flat {
    pub(crate) layout: Layout,
    /// By [`Color::index`] of the side to move.
    pub(crate) entries: [Vec<u8>; 2],
}

impl Flat {
    /// A table of draws.
    pub(crate) fn new(material: Material) -> Flat {
        let layout = Layout::new(material);
        let entries = [(); 2].map(|()| vec![code::DRAW; layout.entries()]);
        Flat { layout, entries }
    }

    /// The entry of a position, whose men are in the order of the layout.
    #[inline(always)]
    pub(crate) fn get(&self, turn: Color, kings: [u8; 2], squares: &Squares) -> u8 {
        let index = self.layout.index(kings, squares).expect("kings never touch");
        self.entries[turn.index()][index]
    }
}
