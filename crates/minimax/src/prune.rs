//! Ways to know that a state is good enough without searching all of its moves.

use crate::config::{MultiCut, Null};
use crate::node::Last;
use crate::order::bring_best;
use crate::run::{Run, table_key};
use crate::table::{Bound, News};
use crate::tactics::Tactics;
use crate::value::{Basis, Depth, FoundValue, PLY, Window, is_decided};
use monteverde_game::{Game, Never};

impl<G: Game<Event = Never>, T: Tactics<G>> Run<'_, G, T> {
    /// The null move: even passing is good enough.
    pub(crate) fn try_pass(
        &mut self,
        ply: usize,
        depth: Depth,
        window: Window,
    ) -> Option<FoundValue> {
        let Null { reduction, deep } = self.config.null?;
        if depth < 2 * PLY || self.eval(ply).value < window.beta {
            return None;
        }
        let (here, below) = self.split(ply);
        below.state.clone_from(&here.state);
        if !self.tactics.pass(&mut self.frames[ply + 1].state) {
            return None;
        }
        let reduction = reduction as Depth + Depth::from(depth > deep as Depth * PLY);
        let empty = Window::empty(window.beta - 1);
        let found = self.below(ply, depth - PLY - reduction * PLY, empty, Last::Pass);
        let refutes = found.value >= window.beta && !self.is_stopped;
        refutes.then(|| guess(found, window))
    }

    /// Multi-cut: several of the moves are good enough by a shallow search.
    pub(crate) fn try_multicut(
        &mut self,
        ply: usize,
        depth: Depth,
        window: Window,
    ) -> Option<FoundValue> {
        let MultiCut { moves, cuts, reduction } = self.config.multicut?;
        let reduction = reduction as Depth * PLY;
        if depth <= reduction || !window.is_empty() {
            return None;
        }
        let mut refuted = 0;
        for index in 0..moves.min(self.frames[ply].moves.len()) {
            let mv = bring_best(&mut self.frames[ply].moves, index).mv;
            self.descend(ply, mv);
            let found = self.below(ply, depth - PLY - reduction, window, Last::Move);
            if self.is_stopped {
                return None;
            }
            refuted += usize::from(found.value >= window.beta);
            if refuted >= cuts {
                return Some(guess(found, window));
            }
        }
        None
    }

    /// Enhanced transposition cutoff: a move to a state that the table knows to be bad enough for
    /// the opponent.
    pub(crate) fn known_refutation(
        &mut self,
        ply: usize,
        depth: Depth,
        window: Window,
    ) -> Option<FoundValue> {
        for index in 0..self.frames[ply].moves.len() {
            let mv = self.frames[ply].moves[index].mv;
            self.descend(ply, mv);
            let child = &self.frames[ply + 1].state;
            let turns = child.turn() != self.frames[ply].state.turn();
            let there = if turns { window.turned() } else { window };
            let key = table_key(child);
            let Some(entry) = self.table.as_ref().and_then(|table| table.probe(key)) else {
                continue;
            };
            let at = (ply + 1, child.plies_left());
            let Some(found) = entry.deep_enough(at, depth - PLY) else { continue };
            let value = if turns { -found.value } else { found.value };
            // A repetition is a draw, whatever the table says of the state.
            if value >= window.beta
                && entry.bound.cuts(found.value, there)
                && child.outcome().is_none()
            {
                return Some(FoundValue { value, ..found });
            }
        }
        None
    }

    /// Stores what was found, unless it holds on this path only; then just the move is worth
    /// keeping.
    pub(crate) fn remember(&mut self, key: u64, ply: usize, window: Window, news: News<G::Move>) {
        let Some(table) = &mut self.table else { return };
        let FoundValue { value, basis } = news.found;
        let bound = if basis.contains(Basis::HISTORY) {
            Bound::None
        } else if value >= window.beta {
            Bound::Lower
        } else if value <= window.alpha {
            Bound::Upper
        } else {
            Bound::Exact
        };
        // Of moves that all failed none is known to be the best.
        let mv = news.mv.filter(|_| value > window.alpha);
        table.store(key, ply, News { bound, mv, ..news });
    }
}

/// A refutation that is not proven: it must not look like a win.
fn guess(found: FoundValue, window: Window) -> FoundValue {
    let value = if is_decided(found.value) { window.beta } else { found.value };
    FoundValue { value, basis: found.basis | Basis::HORIZON }
}
