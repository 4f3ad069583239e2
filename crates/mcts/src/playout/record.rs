//! What a technique of the tree may want to know of a playout: the moves that were played.

use monteverde_game::{Game, Side};

/// Keeps the moves of a playout. `()` keeps nothing and costs nothing.
pub trait Record<G: Game> {
    /// Whether anything is kept. Where nothing is, a playout may go by the game's own loop.
    const RECORDS: bool;
    /// A playout begins.
    fn clear(&mut self);
    /// That side plays a move.
    fn note(&mut self, side: Side, mv: G::Move);
}

impl<G: Game> Record<G> for () {
    const RECORDS: bool = false;
    #[inline(always)]
    fn clear(&mut self) {}
    #[inline(always)]
    fn note(&mut self, _: Side, _: G::Move) {}
}

impl<G: Game> Record<G> for Vec<(Side, G::Move)> {
    const RECORDS: bool = true;
    #[inline(always)]
    fn clear(&mut self) {
        Vec::clear(self);
    }
    #[inline(always)]
    fn note(&mut self, side: Side, mv: G::Move) {
        self.push((side, mv));
    }
}
