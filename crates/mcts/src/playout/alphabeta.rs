//! A selective alpha-beta search of two plies that chooses the moves of a playout (Winands and Björnsson, *αβ-based
//! Play-outs in Monte-Carlo Tree Search*, section IV, Figure 3).
//!
//! - Only the first moves of a state are searched, and only the first replies to each evaluated. Moves beyond
//!   those are looked at for an immediate win, replies are not.
//! - First come two killer moves: the last two that were best, or caused a cutoff, at that level of a playout. They
//!   stay from playout to playout, so that there are always some, and each side has its own, for playouts begin
//!   at any depth of the tree. Then come the moves with the highest weight.
//! - The window is that of the thresholds that end a playout: what a search finds outside it ends the playout.
//!
//! The search lives here and not in the crate of alpha-beta searches, which is this crate's sibling: of what that
//! one is made of (a table, iterative deepening, a clock) two plies need nothing, and what they need (weights,
//! killers by the level of a playout, no allocation) is the playout's.

use super::order::Heaviest;
use super::{AlphaBeta, Look, Playouter, Seen};
use monteverde_game::knowledge::{LOST, Tries, WON};
use monteverde_game::{Game, Knowledge, Outcome, Side};

impl<G: Game, K: Knowledge<G>, O> Playouter<'_, G, K, O> {
    /// The move that the search finds. What it is worth is seen where the playout looks next: a value outside
    /// the window is decided.
    pub(super) fn draw_alphabeta(
        &mut self,
        alphabeta: AlphaBeta,
        state: &G,
        level: u32,
    ) -> Result<G::Move, Outcome> {
        self.seen = None;
        if alphabeta.look != Look::Nowhere
            && let Some(win) = self.win_not_looked_for(state)
        {
            return Ok(win);
        }
        if let Some(outcome) = state.playout_outcome() {
            return Err(outcome);
        }
        let window = self.config.cutoff.map_or(f32::INFINITY, |cutoff| cutoff.threshold);
        let found =
            self.lookahead.search(self.knowledge, alphabeta, &Root { state, level, window });
        let eval = match found.value {
            value if value >= window => WON,
            value if value <= -window => LOST,
            value => value,
        };
        self.seen = Some(Seen { eval, side: state.turn() });
        Ok(found.mv)
    }
}

/// What a search starts from.
pub(super) struct Root<'a, G> {
    pub(super) state: &'a G,
    /// The ply of the playout.
    pub(super) level: u32,
    /// Values are searched between this and its opposite.
    pub(super) window: f32,
}

/// What a search has found.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Found<M> {
    pub(super) mv: M,
    /// For the side to move, at least the lower end of the window.
    pub(super) value: f32,
}

/// Searches, and keeps its killers and its room.
#[derive(Debug)]
pub(super) struct Lookahead<G: Game> {
    killers: Killers<G::Move>,
    moves: Ply<G::Move>,
    replies: Ply<G::Move>,
    evals: Vec<f32>,
    /// Where a move leads.
    after: G,
    /// Scratch space for where a reply leads.
    leaf: G,
}

impl<G: Game> Lookahead<G> {
    pub(super) fn new(state: &G) -> Self {
        Lookahead {
            killers: Killers { levels: Vec::with_capacity(2 * 256) },
            moves: Ply::new(),
            replies: Ply::new(),
            evals: Vec::with_capacity(256),
            after: state.clone(),
            leaf: state.clone(),
        }
    }

    /// Figure 3 at its first ply. The state has moves.
    pub(super) fn search<K: Knowledge<G>>(
        &mut self,
        knowledge: &K,
        alphabeta: AlphaBeta,
        root: &Root<'_, G>,
    ) -> Found<G::Move> {
        let &Root { state, level, window } = root;
        let (side, width) = (state.turn(), alphabeta.width.max(1) as usize);
        self.moves.start(state, width, self.killers.of(level, side));
        let first = self.moves.get(0, knowledge, state).expect("the state has moves");
        let mut found = Found { mv: first, value: -window };
        let mut index = 0;
        while let Some(mv) = self.moves.get(index, knowledge, state) {
            index += 1;
            let value = self.value(knowledge, alphabeta, (root, mv), found.value);
            if value > found.value {
                found = Found { mv, value };
                if value >= window {
                    break;
                }
            }
        }
        if found.value > -window {
            self.killers.note(level, side, found.mv);
        }
        found
    }

    /// What a move of the root leads to, for the side that plays it, if that is more than `best`.
    fn value<K: Knowledge<G>>(
        &mut self,
        knowledge: &K,
        alphabeta: AlphaBeta,
        (root, mv): (&Root<'_, G>, G::Move),
        best: f32,
    ) -> f32 {
        let side = root.state.turn();
        self.after.clone_from(root.state);
        self.after.advance(mv);
        if self.after.is_pending() {
            return knowledge.eval_after(root.state, mv, &mut self.leaf);
        }
        match self.after.playout_outcome().map(|outcome| outcome.value_for(side)) {
            Some(1) => WON,
            Some(0) => 0.0,
            Some(_) => LOST,
            // A side may move twice.
            None if self.after.turn() == side => {
                self.reply(knowledge, alphabeta, root.level + 1, (best, root.window))
            }
            None => -self.reply(knowledge, alphabeta, root.level + 1, (-root.window, -best)),
        }
    }

    /// Figure 3 at its second ply: the best reply in `self.after`, for the side that plays it, as far as it lies in
    /// the window.
    fn reply<K: Knowledge<G>>(
        &mut self,
        knowledge: &K,
        alphabeta: AlphaBeta,
        level: u32,
        (alpha, beta): (f32, f32),
    ) -> f32 {
        let (side, width) = (self.after.turn(), alphabeta.replies.max(1) as usize);
        self.replies.start(&self.after, width, self.killers.of(level, side));
        let (mut best, mut value) = (None, alpha);
        let mut index = 0;
        // The killers, unless there are none, and then the others.
        while value < beta && self.replies.get(index, knowledge, &self.after).is_some() {
            let moves = &self.replies.order[index..];
            self.evals.clear();
            let tries = Tries { moves, enough: beta };
            knowledge.evals_up_to(&self.after, tries, &mut self.leaf, &mut self.evals);
            for (&mv, &reached) in moves.iter().zip(&self.evals) {
                if reached > value {
                    (best, value) = (Some(mv), reached);
                }
            }
            index = self.replies.order.len();
        }
        if value < beta
            && alphabeta.look == Look::Everywhere
            && let Some(win) = self.after.winning_move(&mut self.replies.moves)
        {
            (best, value) = (Some(win), WON);
        }
        if let Some(mv) = best {
            self.killers.note(level, side, mv);
        }
        value
    }
}

/// The moves of a state in the order in which they are tried.
#[derive(Debug)]
struct Ply<M> {
    /// The most that are tried.
    width: usize,
    /// The killers, and the others once they are wanted.
    order: Vec<M>,
    others: Others,
    moves: Vec<M>,
    weights: Vec<f32>,
    heaviest: Heaviest<M>,
}

/// What is known of the moves that are no killers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Others {
    /// Nothing: a killer may do without them.
    Unknown,
    /// They are listed among all moves.
    Listed,
    /// They stand in the order.
    Ordered,
}

impl<M: Copy + PartialEq> Ply<M> {
    fn new() -> Self {
        Ply {
            width: 0,
            order: Vec::with_capacity(256),
            others: Others::Unknown,
            moves: Vec::with_capacity(256),
            weights: Vec::with_capacity(256),
            heaviest: Heaviest::new(),
        }
    }

    /// Puts the killers first that are legal in the state.
    fn start<G: Game<Move = M>>(&mut self, state: &G, width: usize, killers: [Option<M>; 2]) {
        self.width = width;
        self.others = Others::Unknown;
        self.order.clear();
        for killer in killers.into_iter().flatten() {
            let is_legal = state.is_legal_at_a_glance(killer).unwrap_or_else(|| {
                self.list(state);
                self.moves.contains(&killer)
            });
            if is_legal && self.order.len() < width {
                self.order.push(killer);
            }
        }
    }

    /// The move of that number. The others are listed and weighed only when the killers have been tried.
    fn get<G: Game<Move = M>, K: Knowledge<G>>(
        &mut self,
        number: usize,
        knowledge: &K,
        state: &G,
    ) -> Option<M> {
        if number == self.order.len() && number < self.width && self.others != Others::Ordered {
            self.list(state);
            self.weights.clear();
            knowledge.weights(state, &self.moves, &mut self.weights);
            // Among as many as are tried in all there are enough that are no killers.
            self.heaviest.take(self.width, &self.moves, &self.weights);
            for &mv in self.heaviest.moves() {
                if self.order.len() < self.width && !self.order[..number].contains(&mv) {
                    self.order.push(mv);
                }
            }
            self.others = Others::Ordered;
        }
        self.order.get(number).copied()
    }

    fn list<G: Game<Move = M>>(&mut self, state: &G) {
        if self.others == Others::Unknown {
            self.moves.clear();
            state.moves(&mut self.moves);
            self.others = Others::Listed;
        }
    }
}

/// The last two good moves of each level of a playout, for each side.
#[derive(Debug)]
struct Killers<M> {
    levels: Vec<[Option<M>; 2]>,
}

impl<M: Copy + PartialEq> Killers<M> {
    fn of(&self, level: u32, side: Side) -> [Option<M>; 2] {
        self.levels.get(place(level, side)).copied().unwrap_or([None; 2])
    }

    /// A move was best, or caused a cutoff.
    fn note(&mut self, level: u32, side: Side, mv: M) {
        let place = place(level, side);
        if place >= self.levels.len() {
            self.levels.resize(place + 1, [None; 2]);
        }
        let killers = &mut self.levels[place];
        if killers[0] != Some(mv) {
            *killers = [Some(mv), killers[0]];
        }
    }
}

fn place(level: u32, side: Side) -> usize {
    2 * level as usize + usize::from(side == Side::Second)
}
