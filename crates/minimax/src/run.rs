//! A search at work: the states of the line that is looked at, and what every node does with them.

use crate::config::Config;
use crate::order::{Order, Ranked};
use crate::table::Table;
use crate::tactics::{Rank, Tactics};
use crate::value::{Basis, Depth, FoundValue, Value, WIN, of_eval};
use monteverde_game::limit::{Clock, Signal};
use monteverde_game::rng::stream_seed;
use monteverde_game::{Game, Never, Outcome};

/// The clock is looked at after so many nodes.
const BATCH: u64 = 256;

/// A state whose plies are counted by a rule that may soon draw has another value than the same
/// state with a fresh count, so within this many plies of the draw the table tells them apart.
const NEAR_DRAW: u32 = 32;

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
    /// The depth of the iteration.
    pub(crate) depth: Depth,
    pub(crate) deepest: usize,
    pub(crate) is_stopped: bool,
}

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

/// How a search knows that it must end.
#[derive(Clone, Copy)]
pub(crate) struct Watch<'a> {
    pub(crate) clock: &'a dyn Clock,
    pub(crate) signal: &'a Signal,
    pub(crate) most_nodes: u64,
    /// A win of this value at the root ends it.
    pub(crate) enough: Value,
}

/// What a search returns that was stopped.
pub(crate) const UNKNOWN: FoundValue = FoundValue { value: 0, basis: Basis::HORIZON };

impl<G: Game<Event = Never>, T: Tactics<G>> Run<'_, G, T> {
    /// Comes to the state at that ply: counts a node. Its value where there is nothing to search:
    /// the game is over, or the search must end.
    #[inline]
    pub(crate) fn arrive(&mut self, ply: usize) -> Option<FoundValue> {
        self.frames[ply].pv.clear();
        if self.nodes >= self.watch.most_nodes {
            self.is_stopped = true;
        } else if self.nodes.is_multiple_of(BATCH) && self.nodes > 0 {
            let Watch { clock, signal, .. } = self.watch;
            self.is_stopped |= signal.is_stopped() || signal.is_due(clock.elapsed());
        }
        if self.is_stopped {
            return Some(UNKNOWN);
        }
        self.nodes += 1;
        self.deepest = self.deepest.max(ply);
        self.over(ply)
    }

    /// The value of a finished game.
    fn over(&self, ply: usize) -> Option<FoundValue> {
        let state = &self.frames[ply].state;
        let outcome = state.outcome()?;
        let value = outcome.value_for(state.turn()) * (WIN - ply as Value);
        let by_history = outcome == Outcome::Draw && state.is_drawn_by_history();
        Some(FoundValue { value, basis: if by_history { Basis::HISTORY } else { Basis::RULES } })
    }

    /// The static value of the state at that ply.
    pub(crate) fn eval(&self, ply: usize) -> FoundValue {
        let state = &self.frames[ply].state;
        let mut eval = self.tactics.eval(state).unwrap_or(0.0);
        if let Some(most) = self.config.noise {
            let drawn = stream_seed(self.config.seed, state.key()) % (2 * u64::from(most) + 1);
            eval += drawn as f32 - most as f32;
        }
        FoundValue { value: of_eval(eval), basis: Basis::HORIZON }
    }

    /// Lists all moves of the state at that ply, ranked.
    pub(crate) fn list_moves(&mut self, ply: usize, known: Option<G::Move>) {
        self.list.clear();
        self.frames[ply].state.moves(&mut self.list);
        self.take_list(ply);
        let Frame { state, moves, .. } = &mut self.frames[ply];
        self.order.rank((self.config, self.tactics), (&*state, ply), known, moves);
    }

    /// Lists the loud moves that lose nothing, ranked by what they win.
    pub(crate) fn list_loud(&mut self, ply: usize) {
        self.list.clear();
        self.tactics.loud_moves(&self.frames[ply].state, &mut self.list);
        self.take_list(ply);
        let Frame { state, moves, .. } = &mut self.frames[ply];
        moves.retain_mut(|ranked| {
            ranked.rank = self.tactics.loud(state, ranked.mv).unwrap_or(0);
            ranked.rank >= 0
        });
    }

    fn take_list(&mut self, ply: usize) {
        let moves = &mut self.frames[ply].moves;
        moves.clear();
        let ranked = self.list.iter().enumerate().map(|(place, &mv)| Ranked::new(place, mv));
        moves.extend(ranked);
    }

    /// Makes the state after the move that of the next ply.
    #[inline]
    pub(crate) fn descend(&mut self, ply: usize, mv: G::Move) {
        let (here, below) = self.split(ply);
        below.state.clone_from(&here.state);
        below.state.play(mv);
    }

    #[inline]
    pub(crate) fn split(&mut self, ply: usize) -> (&mut Frame<G>, &mut Frame<G>) {
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

    /// Whether killers and history learn from a move.
    pub(crate) fn teaches(&self, ply: usize, ranked: Ranked<G::Move>) -> bool {
        let asked = || match self.config.gains {
            true => self.tactics.rank(&self.frames[ply].state, ranked.mv),
            false => Rank::Quiet,
        };
        ranked.teaches().unwrap_or_else(|| matches!(asked(), Rank::Quiet | Rank::Early(_)))
    }

    /// Whether any part that is on asks if a state is urgent.
    pub(crate) fn needs_urgency(&self) -> bool {
        let config = self.config;
        let prunes = config.null.is_some() || config.multicut.is_some();
        let reduces = config.reductions.is_some() || config.realization.is_some();
        config.extension || reduces || prunes
    }
}

/// The key under which the table knows a state.
pub(crate) fn table_key<G: Game>(state: &G) -> u64 {
    match state.plies_left() {
        left if left <= NEAR_DRAW => stream_seed(state.key(), u64::from(left)),
        _ => state.key(),
    }
}
