//! What only playouts ask of knowledge. Every question has an answer that follows from
//! [`Knowledge`]; who knows a faster way to it overrides it.

use crate::{Game, Heaviest, Knowledge, NoKnowledge, Outcome, Playout, Rng};

/// What playouts ask of knowledge: each question serves one strategy of a paper, and is asked so
/// often that a game may want to answer it faster than by its guesses. An override gives the same
/// answer, unless its question says otherwise. Knowledge that overrides nothing says so in a line:
/// `impl PlayoutKnowledge<G> for K {}`.
#[diagnostic::on_unimplemented(
    note = "`impl PlayoutKnowledge<{G}> for {Self} {{}}` is enough beside its `Knowledge`"
)]
pub trait PlayoutKnowledge<G: Game>: Knowledge<G> {
    /// One move drawn in proportion to [`Knowledge::weight`], or the outcome if the game is over as
    /// playouts see it, where that can be done without listing the moves; `None` where it cannot,
    /// and then nothing is drawn.
    ///
    /// # Panics
    /// May panic if the state is pending.
    fn sample_weighted(&self, state: &G, rng: &mut Rng) -> Option<Result<G::Move, Outcome>> {
        let _ = (state, rng);
        None
    }
    /// Plays moves drawn as by [`PlayoutKnowledge::sample_weighted`] until the game is over or,
    /// where verdicts are heeded, [`Knowledge::verdict`] speaks, and leaves in `state` what
    /// [`Game::playout`] would leave there. `None` where there is no faster way than move by move,
    /// and then nothing is played or drawn.
    fn playout_weighted(
        &self,
        state: &mut G,
        verdicts: Verdicts,
        rng: &mut Rng,
    ) -> Option<WeightedPlayout> {
        let _ = (state, verdicts, rng);
        None
    }
    /// Leaves in `heaviest` the `most` of the state's moves that have the highest
    /// [`Knowledge::weight`], the heaviest first, and of equals the one that comes first.
    fn heaviest(
        &self,
        state: &G,
        moves: &[G::Move],
        most: usize,
        heaviest: &mut Heaviest<G::Move>,
    ) {
        heaviest.weigh(self, state, moves, most);
    }
    /// Appends what each of the moves leads to, see [`eval_after`], no further than the first that
    /// is enough. `after` is scratch space and means nothing afterwards. One call for all, so that
    /// what they have in common is worked out once.
    ///
    /// # Panics
    /// May panic if the state is pending.
    fn evals_up_to(
        &self,
        state: &G,
        tries: Tries<'_, G::Move>,
        after: &mut G,
        evals: &mut Vec<f32>,
    ) {
        for &mv in tries.moves {
            let eval = eval_after(self, state, mv, after);
            evals.push(eval);
            if eval >= tries.enough {
                return;
            }
        }
    }
    /// What evaluations of the state's moves have in common, so that it is not worked out for each
    /// question anew.
    fn eval_cache(&self, state: &G) -> EvalCache {
        let _ = state;
        EvalCache::default()
    }
    /// The same after a move that does not end the game, from the cache of the state before it.
    fn eval_cache_after(&self, state: &G, cache: &EvalCache, mv: G::Move) -> EvalCache {
        let _ = (state, cache, mv);
        EvalCache::default()
    }
    /// The move that looks best, or the outcome if the game is over as playouts see it. `buffer` is
    /// scratch space; `rng` is drawn from for [`Ties::Random`] only. Where nothing is known of the
    /// moves, all of them are equal.
    ///
    /// # Panics
    /// May panic if the state is pending.
    fn greedy(
        &self,
        state: &G,
        greed: Greed,
        buffer: &mut Vec<G::Move>,
        rng: &mut Rng,
    ) -> Result<G::Move, Outcome> {
        greedy(self, state, greed, buffer, rng)
    }
    /// One random move of those that rules of thumb leave, or the outcome if the game is over as
    /// playouts see it. `notes` is empty when a playout begins; an implementation may keep there
    /// what it has to remember of it. Where no such rules are known, any legal move.
    ///
    /// # Panics
    /// May panic if the state is pending.
    fn sample_filtered(
        &self,
        state: &G,
        notes: &mut Vec<u64>,
        rng: &mut Rng,
    ) -> Result<G::Move, Outcome> {
        let _ = notes;
        state.sample(rng)
    }
    /// One move by the same rules where the game is over by a rule that leaves moves on the board;
    /// `None` where there is no move, or no such rules are known.
    fn sample_past_end(&self, state: &G, rng: &mut Rng) -> Option<G::Move> {
        let _ = (state, rng);
        None
    }
}

/// Whether a playout ends where [`Knowledge::verdict`] speaks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdicts {
    /// It goes on to the end of the game.
    Ignored,
    /// It ends there.
    Heeded,
}

/// What a playout by [`PlayoutKnowledge::playout_weighted`] came to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WeightedPlayout {
    /// The outcome, by the rules or by the verdict, and the plies.
    pub playout: Playout,
    /// Where the outcome comes from.
    pub source: EvalSource,
}

/// Where the outcome of a playout comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EvalSource {
    /// The game was over.
    Rules,
    /// A guess ended it.
    Verdict,
}

/// Moves that are evaluated one after another.
#[derive(Clone, Copy, Debug)]
pub struct Tries<'a, M> {
    /// In their order.
    pub moves: &'a [M],
    /// The eval, for the side that moves, after which no more are wanted.
    pub enough: f32,
    /// That of the state, or an empty one.
    pub cache: &'a EvalCache,
}

impl<'a, M> Tries<'a, M> {
    /// Each of the moves, with nothing worked out before.
    pub fn all(moves: &'a [M]) -> Self {
        Tries { moves, enough: f32::INFINITY, cache: &EvalCache([0; 4]) }
    }
}

/// What knowledge has worked out of a state: words that mean something to none but itself. They
/// follow a game from move to move for less than it takes to look at each state anew.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct EvalCache(pub [u64; 4]);

/// What a won game counts as among evals: more than any of them.
pub const WON: f32 = f32::MAX;
/// What a lost game counts as among evals: less than any of them.
pub const LOST: f32 = f32::MIN;

/// What a greedy choice goes by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Greed {
    /// What is compared.
    pub measure: Measure,
    /// Which of equals is taken.
    pub ties: Ties,
}

/// How moves are compared by [`PlayoutKnowledge::greedy`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Measure {
    /// By [`Knowledge::eval`] of the state after the move.
    Eval,
    /// By [`Knowledge::gain`].
    Gain,
}

/// Which of equally good moves is taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ties {
    /// The first in generation order, so that the choice is deterministic.
    First,
    /// The last in generation order: deterministic, too, for who lists moves the other way round.
    Last,
    /// Each with equal probability.
    Random,
}

/// The plain form of [`PlayoutKnowledge::greedy`]: every move is measured. Faster forms are tested
/// against it.
///
/// # Panics
/// May panic if the state is pending.
pub fn greedy<G: Game, K: Knowledge<G> + ?Sized>(
    knowledge: &K,
    state: &G,
    greed: Greed,
    buffer: &mut Vec<G::Move>,
    rng: &mut Rng,
) -> Result<G::Move, Outcome> {
    if let Some(outcome) = state.playout_outcome() {
        return Err(outcome);
    }
    buffer.clear();
    state.moves(buffer);
    let mut after = state.clone();
    let (mut best, mut highest, mut equals) = (buffer[0], f32::NEG_INFINITY, 0);
    for &mv in &*buffer {
        let value = match greed.measure {
            Measure::Gain => knowledge.gain(state, mv).unwrap_or(0.0),
            Measure::Eval => eval_after(knowledge, state, mv, &mut after),
        };
        if value > highest || value == highest && greed.ties == Ties::Last {
            (best, highest, equals) = (mv, value, 1);
        } else if value == highest && greed.ties == Ties::Random {
            equals += 1;
            if rng.below(equals) == 0 {
                best = mv;
            }
        }
    }
    Ok(best)
}

/// What a move leads to, for the side that plays it: [`Knowledge::eval`] of the state after it, 0
/// where there is none; [`WON`], 0 or [`LOST`] where the game is over there, as playouts see it.
/// `after` is scratch space and means nothing afterwards. The move is played; faster forms are
/// tested against this one.
///
/// # Panics
/// May panic if the state is pending.
pub fn eval_after<G: Game, K: Knowledge<G> + ?Sized>(
    knowledge: &K,
    state: &G,
    mv: G::Move,
    after: &mut G,
) -> f32 {
    let side = state.turn();
    after.clone_from(state);
    after.advance(mv);
    match after.playout_outcome() {
        Some(outcome) => match outcome.value_for(side) {
            1 => WON,
            0 => 0.0,
            _ => LOST,
        },
        None => {
            let eval = knowledge.eval(after).unwrap_or(0.0);
            if after.turn() == side { eval } else { -eval }
        }
    }
}

impl<G: Game> PlayoutKnowledge<G> for NoKnowledge {}
