//! A selective alpha-beta search of two plies that chooses the moves of a playout (Winands and
//! Björnsson, *αβ-based Play-outs in Monte-Carlo Tree Search*, section IV, Figure 3), or of more.
//!
//! - Only the first moves of a state are searched, and only the first replies to each evaluated.
//!   Moves beyond those are looked at for an immediate win, replies are not.
//! - First come two killer moves: the last two that were best, or caused a cutoff, at that level of
//!   a playout. They stay from playout to playout, so that there are always some, and each side has
//!   its own, for playouts begin at any depth of the tree. Then come the moves with the highest
//!   weight.
//! - The window is that of the thresholds that end a playout: what a search finds outside it ends
//!   the playout.
//! - With more plies, those between the first and the last are searched like the first, and as wide
//!   as the last.
//!
//! The search lives here and not in the crate of alpha-beta searches, which is this crate's
//! sibling: of what that one is made of (a table, iterative deepening, a clock) a few plies need
//! nothing, and what they need (weights, killers by the level of a playout, no allocation) is the
//! playout's.

use super::config::{AlphaBeta, Killers, Look};
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
    /// By how much evals are put off.
    pub(super) noise: Option<u32>,
}

/// What a search has found.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct FoundMove<M> {
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
    look: Look,
    killers: KillerMoves<G::Move>,
    moves: Ply<G::Move>,
    /// The ply below the first.
    next: LowerPly<G>,
    /// The plies below that, none in a search of two.
    deeper: Vec<LowerPly<G>>,
    /// The heaviest replies to the best move, where they have been weighed.
    best_replies: Heaviest<G::Move>,
    evals: Vec<f32>,
    /// Scratch space for where a move of the last ply leads.
    leaf: G,
}

/// A ply below the first.
#[derive(Debug)]
struct LowerPly<G: Game> {
    /// How far below.
    depth: u32,
    /// Where a move of the ply above leads.
    state: G,
    /// What is worked out of it, if that is known.
    cache: Option<EvalCache>,
    replies: Ply<G::Move>,
}

impl<G: Game> Lookahead<G> {
    pub(super) fn new(state: &G, alphabeta: AlphaBeta) -> Self {
        let AlphaBeta { width, replies, plies, killers, look } = alphabeta;
        let (width, replies) = (width.max(1) as usize, replies.max(1) as usize);
        let below = |depth| {
            // At the first of them as many as the next search may ask for.
            let weighed = if depth == 1 { width.max(replies) } else { replies };
            LowerPly {
                depth,
                state: state.clone(),
                cache: None,
                replies: Ply::new(replies, weighed),
            }
        };
        Lookahead {
            look,
            killers: KillerMoves { levels: Vec::with_capacity(2 * 256), kept: killers },
            moves: Ply::new(width, width),
            next: below(1),
            deeper: (2..plies).map(below).collect(),
            best_replies: Heaviest::default(),
            evals: Vec::with_capacity(256),
            leaf: state.clone(),
        }
    }

    /// Figure 3 at its first ply. The state has moves.
    pub(super) fn search<K: PlayoutKnowledge<G>>(
        &mut self,
        knowledge: &K,
        root: &Root<'_, G>,
        rng: &mut Rng,
    ) -> FoundMove<G::Move> {
        let &Root { state, level, window, .. } = root;
        let Lookahead { killers, moves, next, deeper, best_replies, evals, leaf, .. } = self;
        let side = state.turn();
        moves.start(state, killers.of(level, side));
        if root.is_weighed {
            moves.know(best_replies);
        }
        let first = moves.get(0, knowledge, state).expect("the state has moves");
        let mut found = FoundMove { mv: first, value: -window, cache: None, is_weighed: false };
        let mut search = PlySearch { knowledge, root, look: self.look, killers, evals, leaf, rng };
        let mut index = 0;
        while let Some(mv) = moves.get(index, knowledge, state) {
            index += 1;
            let from = (state, &root.cache);
            let value = search.value(from, mv, (found.value, window), (next, deeper));
            if value > found.value {
                let cache = next.cache;
                let is_weighed = cache.is_some() && next.replies.others == Others::Ordered;
                if is_weighed {
                    std::mem::swap(best_replies, &mut next.replies.heaviest);
                }
                found = FoundMove { mv, value, cache, is_weighed };
                if value >= window {
                    break;
                }
            }
        }
        if found.value > -window {
            killers.note(level, side, found.mv);
        }
        found
    }
}

/// What all plies below the first of a search share. All but [`PlySearch::best_searched`] is
/// inlined into the first ply, so that a search of two plies pays nothing for those that it does
/// not have.
struct PlySearch<'a, G: Game, K> {
    knowledge: &'a K,
    root: &'a Root<'a, G>,
    look: Look,
    killers: &'a mut KillerMoves<G::Move>,
    evals: &'a mut Vec<f32>,
    leaf: &'a mut G,
    rng: &'a mut Rng,
}

impl<G: Game, K: PlayoutKnowledge<G>> PlySearch<'_, G, K> {
    /// What a move leads to, for the side that plays it, as far as it lies in the window. It
    /// leads to the ply `next`; the others are below that.
    #[inline(always)]
    fn value(
        &mut self,
        (state, cache): (&G, &EvalCache),
        mv: G::Move,
        (alpha, beta): (f32, f32),
        (next, deeper): (&mut LowerPly<G>, &mut [LowerPly<G>]),
    ) -> f32 {
        let side = state.turn();
        next.cache = None;
        next.state.clone_from(state);
        next.state.advance(mv);
        if next.state.is_pending() {
            return eval_after(self.knowledge, state, mv, self.leaf);
        }
        if let Some(outcome) = next.state.playout_outcome() {
            return match outcome.value_for(side) {
                1 => WON,
                0 => 0.0,
                _ => LOST,
            };
        }
        next.cache = Some(self.knowledge.eval_cache_after(state, cache, mv));
        // A side may move twice.
        let is_own = next.state.turn() == side;
        let window = if is_own { (alpha, beta) } else { (-beta, -alpha) };
        let value = self.reply(next, window, deeper);
        if is_own { value } else { -value }
    }

    /// Figure 3 below its first ply: the best reply, for the side that plays it, as far as it lies
    /// in the window.
    #[inline(always)]
    fn reply(
        &mut self,
        at: &mut LowerPly<G>,
        (alpha, beta): (f32, f32),
        below: &mut [LowerPly<G>],
    ) -> f32 {
        let (level, side) = (self.root.level + at.depth, at.state.turn());
        at.replies.start(&at.state, self.killers.of(level, side));
        let (mut best, mut value) = match below {
            [] => self.best_evaluated(at, (alpha, beta)),
            [next, deeper @ ..] => {
                self.for_a_call().best_searched(at, (alpha, beta), (next, deeper))
            }
        };
        if value < beta
            && self.look == Look::Everywhere
            && let Some(win) = at.state.winning_move(&mut at.replies.moves)
        {
            (best, value) = (Some(win), WON);
        }
        if let Some(mv) = best {
            self.killers.note(level, side, mv);
        }
        value
    }

    /// At the last ply the states that moves lead to are evaluated.
    #[inline(always)]
    fn best_evaluated(
        &mut self,
        at: &mut LowerPly<G>,
        (alpha, beta): (f32, f32),
    ) -> (Option<G::Move>, f32) {
        // Enough whatever the noise.
        let enough = beta + self.root.noise.unwrap_or(0) as f32;
        let cache = &at.cache.unwrap_or_default();
        let (mut best, mut value) = (None, alpha);
        let mut index = 0;
        // The killers, unless there are none, and then the others.
        while value < beta && at.replies.get(index, self.knowledge, &at.state).is_some() {
            let moves = &at.replies.order[index..];
            self.evals.clear();
            let tries = Tries { moves, enough, cache };
            self.knowledge.evals_up_to(&at.state, tries, self.leaf, self.evals);
            noise::add(self.root.noise, self.evals, self.rng);
            for (&mv, &reached) in moves.iter().zip(&*self.evals) {
                if reached > value {
                    (best, value) = (Some(mv), reached);
                }
            }
            index = at.replies.order.len();
        }
        (best, value)
    }

    /// The same, for a function that is not inlined: the caller's own stays in registers.
    fn for_a_call(&mut self) -> PlySearch<'_, G, K> {
        let PlySearch { knowledge, root, look, .. } = *self;
        let PlySearch { killers, evals, leaf, rng, .. } = self;
        PlySearch { knowledge, root, look, killers, evals, leaf, rng }
    }

    /// At the plies before it they are searched. It calls itself.
    #[inline(never)]
    fn best_searched(
        mut self,
        at: &mut LowerPly<G>,
        (alpha, beta): (f32, f32),
        (next, deeper): (&mut LowerPly<G>, &mut [LowerPly<G>]),
    ) -> (Option<G::Move>, f32) {
        let cache = &at.cache.unwrap_or_default();
        let (mut best, mut value) = (None, alpha);
        let mut index = 0;
        while value < beta
            && let Some(mv) = at.replies.get(index, self.knowledge, &at.state)
        {
            index += 1;
            let reached = self.value((&at.state, cache), mv, (value, beta), (next, deeper));
            if reached > value {
                (best, value) = (Some(mv), reached);
            }
        }
        (best, value)
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
    fn new(width: usize, weighed: usize) -> Self {
        Ply {
            width,
            weighed,
            order: Vec::with_capacity(256),
            others: Others::Unknown,
            moves: Vec::with_capacity(256),
            heaviest: Heaviest::default(),
        }
    }

    /// Puts the killers first that are legal in the state.
    fn start<G: Game<Move = M>>(&mut self, state: &G, killers: [Option<M>; 2]) {
        self.others = Others::Unknown;
        self.order.clear();
        for killer in killers.into_iter().flatten() {
            let is_legal = state.is_legal_at_a_glance(killer).unwrap_or_else(|| {
                self.list(state);
                self.moves.contains(&killer)
            });
            if is_legal && self.order.len() < self.width {
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
struct KillerMoves<M> {
    /// Empty where none are kept.
    levels: Vec<[Option<M>; 2]>,
    kept: Killers,
}

impl<M: Copy + PartialEq> KillerMoves<M> {
    fn of(&self, level: u32, side: Side) -> [Option<M>; 2] {
        self.levels.get(place(level, side)).copied().unwrap_or([None; 2])
    }

    /// A move was best, or caused a cutoff.
    fn note(&mut self, level: u32, side: Side, mv: M) {
        let place = place(level, side);
        if place >= self.levels.len() {
            // Asked here alone, so that it costs nothing where they are kept.
            if self.kept == Killers::Off {
                return;
            }
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
