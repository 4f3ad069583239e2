//! A selective alpha-beta search of two plies that chooses the moves of a playout (Winands and
//! Björnsson, *αβ-based Play-outs in Monte-Carlo Tree Search*, section IV, Figure 3).
//!
//! - Only the first moves of a state are searched, and only the first replies to each evaluated.
//!   Moves beyond those are looked at for an immediate win, replies are not.
//! - First come two killer moves: the last two that were best, or caused a cutoff, at that level of
//!   a playout. They stay from playout to playout, so that there are always some, and each side has
//!   its own, for playouts begin at any depth of the tree. Then come the moves with the highest
//!   weight.
//! - The window is that of the thresholds that end a playout: what a search finds outside it ends
//!   the playout.
//!
//! The search lives here and not in the crate of alpha-beta searches, which is this crate's
//! sibling: of what that one is made of (a table, iterative deepening, a clock) two plies need
//! nothing, and what they need (weights, killers by the level of a playout, no allocation) is the
//! playout's.

use super::config::{AlphaBeta, Look};
use super::noise;
use monteverde_game::playout_knowledge::{EvalCache, LOST, Tries, WON, eval_after};
use monteverde_game::{Game, Heaviest, PlayoutKnowledge, Rng, Side};

/// What a search starts from.
pub(super) struct Root<'a, G> {
    pub(super) state: &'a G,
    pub(super) cache: EvalCache,
    /// Whether it is where the move leads that the last search has found, and its moves were
    /// weighed then.
    pub(super) is_weighed: bool,
    /// The ply of the playout.
    pub(super) level: u32,
    /// Values are searched between this and its opposite.
    pub(super) window: f32,
    pub(super) alphabeta: AlphaBeta,
    /// By how much evals are put off.
    pub(super) noise: Option<u32>,
}

/// What a search has found.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Found<M> {
    pub(super) mv: M,
    /// For the side to move, at least the lower end of the window.
    pub(super) value: f32,
    /// What is worked out of the state after the move, if that is known.
    pub(super) cache: Option<EvalCache>,
    /// Whether the replies have been weighed.
    pub(super) is_weighed: bool,
}

/// Searches, and keeps its killers and its room.
#[derive(Debug)]
pub(super) struct Lookahead<G: Game> {
    killers: Killers<G::Move>,
    moves: Ply<G::Move>,
    replies: Ply<G::Move>,
    /// The heaviest replies to the best move, where they have been weighed.
    best_replies: Heaviest<G::Move>,
    evals: Vec<f32>,
    /// Where a move leads.
    after: G,
    /// What is worked out of it, if that is known.
    cache: Option<EvalCache>,
    /// Scratch space for where a reply leads.
    leaf: G,
}

impl<G: Game> Lookahead<G> {
    pub(super) fn new(state: &G) -> Self {
        Lookahead {
            killers: Killers { levels: Vec::with_capacity(2 * 256) },
            moves: Ply::new(),
            replies: Ply::new(),
            best_replies: Heaviest::default(),
            evals: Vec::with_capacity(256),
            after: state.clone(),
            cache: None,
            leaf: state.clone(),
        }
    }

    /// Figure 3 at its first ply. The state has moves.
    pub(super) fn search<K: PlayoutKnowledge<G>>(
        &mut self,
        knowledge: &K,
        root: &Root<'_, G>,
        rng: &mut Rng,
    ) -> Found<G::Move> {
        let &Root { state, level, window, alphabeta, .. } = root;
        let (side, width) = (state.turn(), alphabeta.width.max(1) as usize);
        self.moves.start(state, width, self.killers.of(level, side));
        if root.is_weighed {
            self.moves.know(&mut self.best_replies);
        }
        // As many as the next search may ask for.
        self.replies.weighed = width.max(alphabeta.replies as usize);
        self.moves.weighed = width;
        let first = self.moves.get(0, knowledge, state).expect("the state has moves");
        let mut found = Found { mv: first, value: -window, cache: None, is_weighed: false };
        let mut index = 0;
        while let Some(mv) = self.moves.get(index, knowledge, state) {
            index += 1;
            let value = self.value(knowledge, (root, mv), found.value, rng);
            if value > found.value {
                let is_weighed = self.cache.is_some() && self.replies.others == Others::Ordered;
                if is_weighed {
                    std::mem::swap(&mut self.best_replies, &mut self.replies.heaviest);
                }
                found = Found { mv, value, cache: self.cache, is_weighed };
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
    fn value<K: PlayoutKnowledge<G>>(
        &mut self,
        knowledge: &K,
        (root, mv): (&Root<'_, G>, G::Move),
        best: f32,
        rng: &mut Rng,
    ) -> f32 {
        let side = root.state.turn();
        self.cache = None;
        self.after.clone_from(root.state);
        self.after.advance(mv);
        if self.after.is_pending() {
            return eval_after(knowledge, root.state, mv, &mut self.leaf);
        }
        if let Some(outcome) = self.after.playout_outcome() {
            return match outcome.value_for(side) {
                1 => WON,
                0 => 0.0,
                _ => LOST,
            };
        }
        self.cache = Some(knowledge.eval_cache_after(root.state, &root.cache, mv));
        // A side may move twice.
        match self.after.turn() == side {
            true => self.reply(knowledge, root, (best, root.window), rng),
            false => -self.reply(knowledge, root, (-root.window, -best), rng),
        }
    }

    /// Figure 3 at its second ply: the best reply in `self.after`, for the side that plays it, as
    /// far as it lies in the window.
    fn reply<K: PlayoutKnowledge<G>>(
        &mut self,
        knowledge: &K,
        root: &Root<'_, G>,
        (alpha, beta): (f32, f32),
        rng: &mut Rng,
    ) -> f32 {
        let (level, alphabeta) = (root.level + 1, root.alphabeta);
        // Enough whatever the noise.
        let enough = beta + root.noise.unwrap_or(0) as f32;
        let (side, width) = (self.after.turn(), alphabeta.replies.max(1) as usize);
        self.replies.start(&self.after, width, self.killers.of(level, side));
        let cache = &self.cache.unwrap_or_default();
        let (mut best, mut value) = (None, alpha);
        let mut index = 0;
        // The killers, unless there are none, and then the others.
        while value < beta && self.replies.get(index, knowledge, &self.after).is_some() {
            let moves = &self.replies.order[index..];
            self.evals.clear();
            let tries = Tries { moves, enough, cache };
            knowledge.evals_up_to(&self.after, tries, &mut self.leaf, &mut self.evals);
            noise::add(root.noise, &mut self.evals, rng);
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
    /// How many of the heaviest are wanted when moves are weighed, no less than are tried.
    weighed: usize,
    /// The killers, and the others once they are wanted.
    order: Vec<M>,
    others: Others,
    moves: Vec<M>,
    heaviest: Heaviest<M>,
}

/// What is known of the moves that are no killers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Others {
    /// Nothing: a killer may do without them.
    Unknown,
    /// They are listed among all moves.
    Listed,
    /// The heaviest are known.
    Weighed,
    /// They stand in the order.
    Ordered,
}

impl<M: Copy + PartialEq> Ply<M> {
    fn new() -> Self {
        Ply {
            width: 0,
            weighed: 0,
            order: Vec::with_capacity(256),
            others: Others::Unknown,
            moves: Vec::with_capacity(256),
            heaviest: Heaviest::default(),
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

    /// The move of that number. The others are listed and weighed only when the killers have been
    /// tried.
    fn get<G: Game<Move = M>, K: PlayoutKnowledge<G>>(
        &mut self,
        number: usize,
        knowledge: &K,
        state: &G,
    ) -> Option<M> {
        if number == self.order.len() && number < self.width && self.others != Others::Ordered {
            if self.others != Others::Weighed {
                self.list(state);
                // Among as many as are tried in all there are enough that are no killers.
                knowledge.heaviest(state, &self.moves, self.weighed, &mut self.heaviest);
            }
            for &mv in &self.heaviest.moves {
                if self.order.len() < self.width && !self.order[..number].contains(&mv) {
                    self.order.push(mv);
                }
            }
            self.others = Others::Ordered;
        }
        self.order.get(number).copied()
    }

    /// Takes the heaviest moves from where they are known.
    fn know(&mut self, heaviest: &mut Heaviest<M>) {
        std::mem::swap(&mut self.heaviest, heaviest);
        self.others = Others::Weighed;
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
