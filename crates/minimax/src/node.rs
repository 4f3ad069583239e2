//! The recursion: the value of a state within a window, by looking ahead.

use crate::config::{Config, MultiCut, Null};
use crate::order::{Order, Ranked, bring_best};
use crate::table::{Bound, News, Table};
use crate::tactics::Tactics;
use crate::value::{Basis, Found, INFINITE, MOST_PLIES, Value, WIN, Window, is_decided, of_eval};
use monteverde_game::limit::{Clock, Signal};
use monteverde_game::rng::stream_seed;
use monteverde_game::{Game, Never, Outcome};

/// The clock is looked at after so many nodes.
const BATCH: u64 = 256;

/// A state whose plies are counted by a rule that may soon draw has another value than the same state with a
/// fresh count, so within this many plies of the draw the table tells them apart.
const NEAR_DRAW: u32 = 32;

/// What is kept for a ply, so that the recursion does not allocate.
#[derive(Debug)]
pub(crate) struct Frame<G: Game> {
    pub(crate) state: G,
    pub(crate) moves: Vec<Ranked<G::Move>>,
    /// The best line from here, where the window was open.
    pub(crate) pv: Vec<G::Move>,
}

impl<G: Game> Frame<G> {
    pub(crate) fn new(state: &G) -> Self {
        Frame { state: state.clone(), moves: Vec::new(), pv: Vec::new() }
    }
}

/// One search at work.
pub(crate) struct Run<'a, G: Game, T> {
    pub(crate) config: &'a Config,
    pub(crate) tactics: &'a T,
    pub(crate) table: Option<&'a mut Table<G::Move>>,
    pub(crate) order: &'a mut Order<G::Move>,
    /// By ply; the root is the first.
    pub(crate) frames: &'a mut Vec<Frame<G>>,
    pub(crate) list: Vec<G::Move>,
    pub(crate) watch: Watch<'a>,
    pub(crate) nodes: u64,
    /// The nominal depth of the iteration.
    pub(crate) depth: u32,
    pub(crate) deepest: usize,
    pub(crate) is_stopped: bool,
}

/// How a search knows that it must end.
#[derive(Clone, Copy)]
pub(crate) struct Watch<'a> {
    pub(crate) clock: &'a dyn Clock,
    pub(crate) signal: &'a Signal,
    pub(crate) most_nodes: u64,
}

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

const UNKNOWN: Found = Found { value: 0, basis: Basis::HORIZON };

impl<G: Game<Event = Never>, T: Tactics<G>> Run<'_, G, T> {
    /// The value of the state at that ply for the side to move: exact within the window, else a bound on the
    /// same side of it (fail-soft). Meaningless once the search is stopped.
    pub(crate) fn node(&mut self, ply: usize, depth: i32, window: Window, last: Last) -> Found {
        self.frames[ply].pv.clear();
        if self.enter(ply) {
            return UNKNOWN;
        }
        if let Some(found) = self.over(ply) {
            return found;
        }
        if depth <= 0 || ply + 1 >= MOST_PLIES {
            return self.leaf(ply, depth, window);
        }
        // 1. The table may know enough.
        let key = table_key(&self.frames[ply].state);
        let entry = self.table.as_ref().and_then(|table| table.probe(key));
        if let Some(entry) = entry {
            let mut found = entry.found(ply);
            let is_proven = proves(entry.bound, found.value);
            if is_proven {
                // Whatever was guessed about other moves does not matter any more.
                found.basis = Basis::RULES;
            }
            let is_deep = is_proven || i32::from(entry.depth) >= depth;
            if is_deep && cuts(entry.bound, found.value, window) {
                return found;
            }
        }
        // 2. Passing may be good enough.
        let is_urgent = self.needs_urgency() && self.tactics.is_urgent(&self.frames[ply].state);
        let may_prune = !is_urgent && !is_decided(window.beta);
        if may_prune
            && last == Last::Move
            && let Some(found) = self.try_pass(ply, depth, window)
        {
            return found;
        }
        // 3. The moves, the likely best first.
        self.list_moves(ply, entry.and_then(|entry| entry.mv));
        if let Some(found) = self.known_refutation(ply, depth, window) {
            return found;
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
        depth: i32,
        window: Window,
        is_urgent: bool,
    ) -> (Found, Option<G::Move>) {
        let side = self.frames[ply].state.turn();
        let mut best = Found { value: -INFINITE, basis: Basis::RULES };
        let mut best_move = None;
        let mut alpha = window.alpha;
        for index in 0..self.frames[ply].moves.len() {
            let ranked = bring_best(&mut self.frames[ply].moves, index);
            let open = Window { alpha, beta: window.beta };
            let found = self.child(ply, depth, open, Try { ranked, index, is_urgent });
            if self.is_stopped {
                return (UNKNOWN, None);
            }
            if found.value > best.value {
                best.value = found.value;
                best_move = Some(ranked);
                if found.value > alpha {
                    alpha = found.value;
                    self.extend_line(ply, ranked.mv);
                }
            }
            if found.value >= window.beta {
                // A refutation rests on itself alone, any other value on all moves.
                best.basis = found.basis;
                break;
            }
            best.basis = best.basis | found.basis;
            if self.is_quiet(ply, ranked) {
                self.order.tried(self.config, side, ranked.mv, depth);
            }
        }
        if let Some(ranked) = best_move.filter(|_| best.value > window.alpha)
            && self.is_quiet(ply, ranked)
        {
            self.order.succeeded(self.config, (side, ply), ranked.mv, depth);
        }
        let best_move = best_move.map(|ranked| ranked.mv);
        (best, best_move)
    }

    /// The value of a move for the side that plays it.
    pub(crate) fn child(
        &mut self,
        ply: usize,
        depth: i32,
        window: Window,
        attempt: Try<G::Move>,
    ) -> Found {
        self.descend(ply, attempt.ranked.mv);
        let checks = self.needs_urgency() && self.tactics.is_urgent(&self.frames[ply + 1].state);
        let extended = self.config.extension && checks && ply < 2 * self.depth as usize;
        let next = if extended { depth } else { depth - 1 };
        let late = self.config.reductions.filter(|late| {
            let is_calm = !attempt.is_urgent && !checks && !is_decided(window.alpha);
            let is_late = attempt.index >= late.after && depth >= late.depth as i32;
            is_calm && is_late && attempt.ranked.is_plain()
        });
        if late.is_some() {
            let found = self.below(ply, next - 1, Window::empty(window.alpha), Last::Move);
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

    /// The value of the state one ply below, for the side to move here. The sign flips here and nowhere else, and
    /// only where the turn has passed to the other side.
    fn below(&mut self, ply: usize, depth: i32, window: Window, last: Last) -> Found {
        if self.frames[ply].state.turn() == self.frames[ply + 1].state.turn() {
            return self.node(ply + 1, depth, window, last);
        }
        let found = self.node(ply + 1, depth, window.turned(), last);
        Found { value: -found.value, ..found }
    }

    /// At the horizon: the eval, or what loud moves make of it.
    fn leaf(&mut self, ply: usize, depth: i32, window: Window) -> Found {
        let state = &self.frames[ply].state;
        let most =
            self.config.quiescence.filter(|&most| -depth < most as i32 && ply + 1 < MOST_PLIES);
        let Some(_) = most else { return self.eval(ply) };
        let is_urgent = self.tactics.is_urgent(state);
        let mut best = Found { value: -INFINITE, basis: Basis::HORIZON };
        if !is_urgent {
            best = self.eval(ply);
            if best.value >= window.beta {
                return best;
            }
        }
        self.list_loud(ply, is_urgent);
        let mut alpha = window.alpha.max(best.value);
        for index in 0..self.frames[ply].moves.len() {
            let ranked = bring_best(&mut self.frames[ply].moves, index);
            // Exchanges that lose are left out, but every way out of a threat is tried.
            if !is_urgent && ranked.rank < 0 {
                break;
            }
            self.descend(ply, ranked.mv);
            let found = self.below(ply, depth - 1, Window { alpha, beta: window.beta }, Last::Move);
            if self.is_stopped {
                return UNKNOWN;
            }
            if found.value > best.value {
                best.value = found.value;
                if found.value > alpha {
                    alpha = found.value;
                    self.extend_line(ply, ranked.mv);
                }
            }
            if best.value >= window.beta {
                best.basis = found.basis;
                break;
            }
            best.basis = best.basis | found.basis;
        }
        best
    }

    fn try_pass(&mut self, ply: usize, depth: i32, window: Window) -> Option<Found> {
        let Null { reduction, deep } = self.config.null?;
        if depth < 2 || self.eval(ply).value < window.beta {
            return None;
        }
        let (here, below) = self.split(ply);
        below.state.clone_from(&here.state);
        if !self.tactics.pass(&mut self.frames[ply + 1].state) {
            return None;
        }
        let reduction = reduction as i32 + i32::from(depth > deep as i32);
        let empty = Window::empty(window.beta - 1);
        let found = self.below(ply, depth - 1 - reduction, empty, Last::Pass);
        let refutes = found.value >= window.beta && !self.is_stopped;
        refutes.then(|| self.guess(found, window))
    }

    fn try_multicut(&mut self, ply: usize, depth: i32, window: Window) -> Option<Found> {
        let MultiCut { moves, cuts, reduction } = self.config.multicut?;
        if depth <= reduction as i32 {
            return None;
        }
        let mut refuted = 0;
        for index in 0..moves.min(self.frames[ply].moves.len()) {
            let mv = bring_best(&mut self.frames[ply].moves, index).mv;
            self.descend(ply, mv);
            let empty = Window::empty(window.beta - 1);
            let found = self.below(ply, depth - 1 - reduction as i32, empty, Last::Move);
            if self.is_stopped {
                return None;
            }
            refuted += usize::from(found.value >= window.beta);
            if refuted >= cuts {
                return Some(self.guess(found, window));
            }
        }
        None
    }

    /// A refutation that is not proven: it must not look like a win.
    fn guess(&self, found: Found, window: Window) -> Found {
        let value = if is_decided(found.value) { window.beta } else { found.value };
        Found { value, basis: found.basis | Basis::HORIZON }
    }

    /// Enhanced transposition cutoff: a move to a state that the table knows to be bad enough for the opponent.
    fn known_refutation(&mut self, ply: usize, depth: i32, window: Window) -> Option<Found> {
        self.config.etc.filter(|&least| depth >= least as i32)?;
        self.table.as_ref()?;
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
            // A repetition is a draw, whatever the table says of the state.
            if i32::from(entry.depth) < depth - 1 || self.frames[ply + 1].state.outcome().is_some()
            {
                continue;
            }
            let (bound, found) = (entry.bound, entry.found(ply + 1));
            let value = if turns { -found.value } else { found.value };
            if value >= window.beta && cuts(bound, found.value, there) {
                return Some(Found { value, ..found });
            }
        }
        None
    }

    /// Counts a node; whether the search must end.
    fn enter(&mut self, ply: usize) -> bool {
        if self.nodes >= self.watch.most_nodes {
            self.is_stopped = true;
        } else if self.nodes.is_multiple_of(BATCH) && self.nodes > 0 {
            let Watch { clock, signal, .. } = self.watch;
            self.is_stopped |= signal.is_stopped() || signal.is_due(clock.elapsed());
        }
        if !self.is_stopped {
            self.nodes += 1;
            self.deepest = self.deepest.max(ply);
        }
        self.is_stopped
    }

    /// The value of a finished game.
    fn over(&self, ply: usize) -> Option<Found> {
        let state = &self.frames[ply].state;
        let outcome = state.outcome()?;
        let value = outcome.value_for(state.turn()) * (WIN - ply as Value);
        let by_history = outcome == Outcome::Draw && state.is_drawn_by_history();
        Some(Found { value, basis: if by_history { Basis::HISTORY } else { Basis::RULES } })
    }

    fn eval(&self, ply: usize) -> Found {
        let eval = self.tactics.eval(&self.frames[ply].state).unwrap_or(0.0);
        Found { value: of_eval(eval), basis: Basis::HORIZON }
    }

    /// Stores what was found, unless it holds on this path only; then just the move is worth keeping.
    fn remember(&mut self, key: u64, ply: usize, window: Window, news: News<G::Move>) {
        let Some(table) = &mut self.table else { return };
        let Found { value, basis } = news.found;
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

    /// Lists all moves of the state at that ply, ranked.
    pub(crate) fn list_moves(&mut self, ply: usize, known: Option<G::Move>) {
        self.list.clear();
        self.frames[ply].state.moves(&mut self.list);
        self.take_list(ply);
        let Frame { state, moves, .. } = &mut self.frames[ply];
        self.order.rank((self.config, self.tactics), (&*state, ply), known, moves);
    }

    /// Lists the moves that are tried at the horizon: the loud ones, or every way out of a threat.
    fn list_loud(&mut self, ply: usize, is_urgent: bool) {
        if is_urgent {
            return self.list_moves(ply, None);
        }
        self.list.clear();
        self.tactics.loud_moves(&self.frames[ply].state, &mut self.list);
        self.take_list(ply);
        let Frame { state, moves, .. } = &mut self.frames[ply];
        for ranked in moves {
            ranked.rank = self.tactics.loud(state, ranked.mv).unwrap_or(0);
        }
    }

    fn take_list(&mut self, ply: usize) {
        let moves = &mut self.frames[ply].moves;
        moves.clear();
        moves.extend(self.list.iter().map(|&mv| Ranked { mv, rank: 0 }));
    }

    /// Makes the state after the move that of the next ply.
    fn descend(&mut self, ply: usize, mv: G::Move) {
        let (here, below) = self.split(ply);
        below.state.clone_from(&here.state);
        below.state.play(mv);
    }

    fn split(&mut self, ply: usize) -> (&mut Frame<G>, &mut Frame<G>) {
        if self.frames.len() <= ply + 1 {
            let next = Frame::new(&self.frames[ply].state);
            self.frames.push(next);
        }
        let (above, below) = self.frames.split_at_mut(ply + 1);
        (&mut above[ply], &mut below[0])
    }

    /// The best line from here is the move and the best line from there.
    pub(crate) fn extend_line(&mut self, ply: usize, mv: G::Move) {
        let (here, below) = self.split(ply);
        here.pv.clear();
        here.pv.push(mv);
        here.pv.extend_from_slice(&below.pv);
    }

    /// Without gains no move is told from the others.
    fn is_quiet(&self, ply: usize, ranked: Ranked<G::Move>) -> bool {
        match ranked.loudness() {
            _ if !self.config.gains => true,
            Some(is_loud) => !is_loud,
            None => self.tactics.loud(&self.frames[ply].state, ranked.mv).is_none(),
        }
    }

    /// Whether any part that is on asks if a state is urgent.
    pub(crate) fn needs_urgency(&self) -> bool {
        let config = self.config;
        let prunes = config.null.is_some() || config.multicut.is_some();
        config.extension || config.reductions.is_some() || prunes
    }
}

/// The key under which the table knows a state.
pub(crate) fn table_key<G: Game>(state: &G) -> u64 {
    match state.plies_left() {
        left if left <= NEAR_DRAW => stream_seed(state.key(), u64::from(left)),
        _ => state.key(),
    }
}

/// Whether a bound is a win or a loss for certain, which no deeper search can change.
fn proves(bound: Bound, value: Value) -> bool {
    let is_sure = if value > 0 { bound != Bound::Upper } else { bound != Bound::Lower };
    is_decided(value) && is_sure
}

/// Whether a bound says all there is to know within the window.
fn cuts(bound: Bound, value: Value, window: Window) -> bool {
    match bound {
        Bound::Exact => true,
        Bound::Lower => value >= window.beta,
        Bound::Upper => value <= window.alpha,
        Bound::None => false,
    }
}
