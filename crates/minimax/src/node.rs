//! The recursion: the value of a state within a window, by looking ahead.

use crate::order::{Ranked, bring_best};
use crate::run::{Run, UNKNOWN, table_key};
use crate::table::{Bound, News};
use crate::tactics::Tactics;
use crate::value::{Basis, Depth, FoundValue, INFINITE, MOST_PLIES, PLY, Window, is_decided};
use monteverde_game::{Game, Never};

/// Whether the last step was a null move; two in a row would only lose depth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Last {
    Move,
    Pass,
}

/// A move about to be searched.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Try<M> {
    pub(crate) ranked: Ranked<M>,
    /// Its place in the order.
    pub(crate) index: usize,
    /// Whether the state before it is urgent.
    pub(crate) is_urgent: bool,
}

/// The best of the moves that were searched so far.
struct Best<M> {
    found: FoundValue,
    mv: Option<Ranked<M>>,
    /// What would make a difference now: alpha rises with the value.
    window: Window,
}

impl<M> Best<M> {
    fn new(found: FoundValue, window: Window) -> Self {
        let alpha = window.alpha.max(found.value);
        Best { found, mv: None, window: Window { alpha, ..window } }
    }

    /// Takes note of a move's value; whether it raises alpha.
    fn raises(&mut self, ranked: Ranked<M>, found: FoundValue) -> bool {
        // A refutation rests on itself alone, any other value on all moves.
        let is_refuted = found.value >= self.window.beta;
        self.found.basis = if is_refuted { found.basis } else { self.found.basis | found.basis };
        if found.value > self.found.value {
            self.found.value = found.value;
            self.mv = Some(ranked);
        }
        let is_above = found.value > self.window.alpha;
        self.window.alpha = self.window.alpha.max(found.value);
        is_above
    }

    fn refutes(&self) -> bool {
        self.found.value >= self.window.beta
    }
}

impl<G: Game<Event = Never>, T: Tactics<G>> Run<'_, G, T> {
    /// The value of the state at that ply for the side to move: exact within the window, else a
    /// bound on the same side of it (fail-soft). Meaningless once the search is stopped.
    fn node(&mut self, ply: usize, depth: Depth, window: Window, last: Last) -> FoundValue {
        if let Some(found) = self.arrive(ply) {
            return found;
        }
        if depth <= 0 || ply + 1 >= MOST_PLIES {
            return self.leaf(ply, 0, window);
        }
        // 1. The table may know enough, or at least a bound and a good move.
        let key = table_key(&self.frames[ply].state);
        let entry = self.table.as_ref().and_then(|table| table.probe(key));
        let mut window = window;
        let at = (ply, self.frames[ply].state.plies_left());
        if let Some(found) = entry.and_then(|entry| entry.deep_enough(at, depth)) {
            let bound = entry.map_or(Bound::None, |entry| entry.bound);
            if bound.cuts(found.value, window) {
                return found;
            }
            window = bound.narrow(found.value, window);
        }
        let known = entry.and_then(|entry| entry.mv);
        // 2. Without looking at each move: one that the table refutes, or passing, may be good
        //    enough.
        let looks_up = self.table.is_some()
            && self.config.etc.is_some_and(|least| depth >= least as Depth * PLY);
        if looks_up {
            self.list_moves(ply, known);
            if let Some(found) = self.known_refutation(ply, depth, window) {
                return found;
            }
        }
        let is_urgent = self.needs_urgency() && self.tactics.is_urgent(&self.frames[ply].state);
        let may_prune = !is_urgent && !is_decided(window.beta);
        if may_prune
            && last == Last::Move
            && let Some(found) = self.try_pass(ply, depth, window)
        {
            return found;
        }
        // 3. The moves, the likely best first.
        if !looks_up {
            self.list_moves(ply, known);
        }
        if may_prune && let Some(found) = self.try_multicut(ply, depth, window) {
            return found;
        }
        let (found, mv) = self.search_moves(ply, depth, window, is_urgent);
        if self.is_stopped {
            return UNKNOWN;
        }
        self.remember(key, ply, window, News { found, bound: Bound::None, depth, mv });
        found
    }

    /// Searches the listed moves one by one; the best value and the move that has it.
    fn search_moves(
        &mut self,
        ply: usize,
        depth: Depth,
        window: Window,
        is_urgent: bool,
    ) -> (FoundValue, Option<G::Move>) {
        let side = self.frames[ply].state.turn();
        let mut best = Best::new(FoundValue { value: -INFINITE, basis: Basis::RULES }, window);
        for index in 0..self.frames[ply].moves.len() {
            let ranked = bring_best(&mut self.frames[ply].moves, index);
            let found = self.child(ply, depth, best.window, Try { ranked, index, is_urgent });
            if self.is_stopped {
                return (UNKNOWN, None);
            }
            if best.raises(ranked, found) {
                self.extend_line(ply, ranked.mv);
            }
            if best.refutes() {
                break;
            }
            if self.teaches(ply, ranked) {
                self.order.tried(self.config, side, ranked.mv, depth);
            }
        }
        if let Some(ranked) = best.mv.filter(|_| best.found.value > window.alpha)
            && self.teaches(ply, ranked)
        {
            self.order.succeeded(self.config, (side, ply), ranked.mv, depth);
        }
        (best.found, best.mv.map(|ranked| ranked.mv))
    }

    /// The value of a move for the side that plays it.
    pub(crate) fn child(
        &mut self,
        ply: usize,
        depth: Depth,
        window: Window,
        attempt: Try<G::Move>,
    ) -> FoundValue {
        let cost = self.cost(ply, attempt.ranked.mv);
        self.descend(ply, attempt.ranked.mv);
        let checks = self.needs_urgency() && self.tactics.is_urgent(&self.frames[ply + 1].state);
        let extended = self.config.extension && checks && (ply as Depth) < 2 * self.depth / PLY;
        let next = if extended { depth } else { depth - cost.min(PLY) };
        let is_calm = !attempt.is_urgent && !checks && !is_decided(window.alpha);
        let reduction = if is_calm { self.reduction(depth, cost, attempt) } else { 0 };
        if reduction > 0 {
            let empty = Window::empty(window.alpha);
            let found = self.below(ply, next - reduction, empty, Last::Move);
            if self.is_stopped || found.value <= window.alpha {
                return found;
            }
        }
        if self.config.pvs && attempt.index > 0 && !window.is_empty() {
            let found = self.below(ply, next, Window::empty(window.alpha), Last::Move);
            let decides = found.value <= window.alpha || found.value >= window.beta;
            if self.is_stopped || decides {
                return found;
            }
        }
        self.below(ply, next, window, Last::Move)
    }

    /// What a move takes off the depth by how likely it is to be played.
    fn cost(&self, ply: usize, mv: G::Move) -> Depth {
        let Some(realization) = self.config.realization else { return PLY };
        let surprise = self.tactics.surprise(&self.frames[ply].state, mv);
        surprise.map_or(PLY, |surprise| realization.cost(surprise))
    }

    /// How much less deep than usual a move is searched at first.
    fn reduction(&self, depth: Depth, cost: Depth, attempt: Try<G::Move>) -> Depth {
        let Try { ranked, index, .. } = attempt;
        let is_late = self.config.reductions.is_some_and(|late| {
            index >= late.after && depth >= late.depth as Depth * PLY && ranked.is_plain()
        });
        let is_full = self.config.realization.is_none_or(|likely| index < likely.full);
        let unlikely = if is_full { 0 } else { (cost - PLY).max(0) };
        unlikely.max(if is_late { PLY } else { 0 })
    }

    /// The value of the state one ply below, for the side to move here.
    pub(crate) fn below(
        &mut self,
        ply: usize,
        depth: Depth,
        window: Window,
        last: Last,
    ) -> FoundValue {
        self.turned(ply, window, |run, window| run.node(ply + 1, depth, window, last))
    }

    /// What is found one ply below, for the side to move here. The sign flips here and nowhere
    /// else, and only where the turn has passed to the other side.
    fn turned(
        &mut self,
        ply: usize,
        window: Window,
        find: impl FnOnce(&mut Self, Window) -> FoundValue,
    ) -> FoundValue {
        if self.frames[ply].state.turn() == self.frames[ply + 1].state.turn() {
            return find(self, window);
        }
        let found = find(self, window.turned());
        FoundValue { value: -found.value, ..found }
    }

    /// At the horizon, so many loud plies beyond it: the eval, or what further loud moves make of
    /// it.
    fn leaf(&mut self, ply: usize, plies: u32, window: Window) -> FoundValue {
        let goes_on = self.config.quiescence.is_some_and(|most| plies < most);
        if !goes_on || ply + 1 >= MOST_PLIES {
            return self.eval(ply);
        }
        // Every way out of a threat is tried; else a side may leave it at what it has.
        let best = if self.tactics.is_urgent(&self.frames[ply].state) {
            self.list_moves(ply, None);
            FoundValue { value: -INFINITE, basis: Basis::HORIZON }
        } else {
            let eval = self.eval(ply);
            if eval.value >= window.beta {
                return eval;
            }
            self.list_loud(ply);
            eval
        };
        let mut best = Best::new(best, window);
        for index in 0..self.frames[ply].moves.len() {
            let ranked = bring_best(&mut self.frames[ply].moves, index);
            self.descend(ply, ranked.mv);
            let found = self.turned(ply, best.window, |run, window| {
                run.arrive(ply + 1).unwrap_or_else(|| run.leaf(ply + 1, plies + 1, window))
            });
            if self.is_stopped {
                return UNKNOWN;
            }
            if best.raises(ranked, found) {
                self.extend_line(ply, ranked.mv);
            }
            if best.refutes() {
                break;
            }
        }
        best.found
    }
}
