//! What may be known about a game beyond its rules. Every hook defaults to "nothing known".

use crate::{Game, Heaviest, Outcome, Playout, Proof, Rng, Side};

/// Guesses about states and moves. An implementation overrides what it knows; a search asks only for
/// what its configuration needs.
pub trait Knowledge<G: Game>: Send + Sync {
    /// How promising a move looks in the tree, larger is better.
    fn prior(&self, state: &G, mv: G::Move) -> Option<f32> {
        let _ = (state, mv);
        None
    }
    /// Appends for each of the state's moves the logarithm of how likely it is the best, up to a constant
    /// that they share; by default [`Knowledge::prior`], 0 where nothing is known. One call for all, so that
    /// what they have in common is worked out once.
    fn log_priors(&self, state: &G, moves: &[G::Move], priors: &mut Vec<f32>) {
        priors.extend(moves.iter().map(|&mv| self.prior(state, mv).unwrap_or(0.0)));
    }
    /// Appends [`Knowledge::prior`] of each of the moves, 0 where nothing is known. One call for all, so that
    /// what they have in common is worked out once.
    fn priors(&self, state: &G, moves: &[G::Move], priors: &mut Vec<f32>) {
        priors.extend(moves.iter().map(|&mv| self.prior(state, mv).unwrap_or(0.0)));
    }
    /// How likely a playout should play a move, relative to the other moves; not negative.
    fn weight(&self, state: &G, mv: G::Move) -> Option<f32> {
        let _ = (state, mv);
        None
    }
    /// Appends [`Knowledge::weight`] of each of the moves, 1 where nothing is known. One call for all, so that
    /// what they have in common is worked out once.
    fn weights(&self, state: &G, moves: &[G::Move], weights: &mut Vec<f32>) {
        weights.extend(moves.iter().map(|&mv| self.weight(state, mv).unwrap_or(1.0)));
    }
    /// One move drawn in proportion to [`Knowledge::weight`], or the outcome if the game is over as playouts see it, where
    /// that can be done without listing the moves; `None` where it cannot, and then nothing is drawn.
    ///
    /// # Panics
    /// May panic if the state is pending.
    fn sample_weighted(&self, state: &G, rng: &mut Rng) -> Option<Result<G::Move, Outcome>> {
        let _ = (state, rng);
        None
    }
    /// Plays moves drawn as by [`Knowledge::sample_weighted`] until the game is over or, where verdicts are heeded,
    /// [`Knowledge::verdict`] speaks, and leaves in `state` what [`Game::playout`] would leave there. `None` where
    /// there is no faster way than move by move, and then nothing is played or drawn.
    fn playout_weighted(
        &self,
        state: &mut G,
        verdicts: Verdicts,
        rng: &mut Rng,
    ) -> Option<WeightedPlayout> {
        let _ = (state, verdicts, rng);
        None
    }
    /// Leaves in `heaviest` the `most` of the state's moves that have the highest [`Knowledge::weight`], the heaviest
    /// first, and of equals the one that comes first. An implementation may override this to be faster, with the same
    /// result.
    fn heaviest(
        &self,
        state: &G,
        moves: &[G::Move],
        most: usize,
        heaviest: &mut Heaviest<G::Move>,
    ) {
        heaviest.weigh(self, state, moves, most);
    }
    /// The static value of a state for the side to move, in the unit of the game's evaluation.
    fn eval(&self, state: &G) -> Option<f32> {
        let _ = state;
        None
    }
    /// What a move leads to, for the side that plays it: [`Knowledge::eval`] of the state after it, 0 where there
    /// is none; [`WON`], 0 or [`LOST`] where the game is over there, as playouts see it. `after` is scratch space
    /// and means nothing afterwards. An implementation may override this to be faster, with the same result.
    ///
    /// # Panics
    /// May panic if the state is pending.
    fn eval_after(&self, state: &G, mv: G::Move, after: &mut G) -> f32 {
        eval_after(self, state, mv, after)
    }
    /// Appends [`Knowledge::eval_after`] of each of the moves. One call for all, so that what they have in common
    /// is worked out once.
    ///
    /// # Panics
    /// As [`Knowledge::eval_after`].
    fn evals_after(&self, state: &G, moves: &[G::Move], after: &mut G, evals: &mut Vec<f32>) {
        evals.extend(moves.iter().map(|&mv| self.eval_after(state, mv, after)));
    }
    /// The same, but no further than the first that is enough, and with what has been seen of the state.
    ///
    /// # Panics
    /// As [`Knowledge::eval_after`].
    fn evals_up_to(
        &self,
        state: &G,
        tries: Tries<'_, G::Move>,
        after: &mut G,
        evals: &mut Vec<f32>,
    ) {
        for &mv in tries.moves {
            let eval = self.eval_after(state, mv, after);
            evals.push(eval);
            if eval >= tries.enough {
                return;
            }
        }
    }
    /// What there is to see of a state before its moves are evaluated, so that it is not worked out for each question
    /// anew.
    fn sight(&self, state: &G) -> Sight {
        let _ = state;
        Sight::default()
    }
    /// What there is to see after a move that does not end the game, from the [`Knowledge::sight`] of the state
    /// before it.
    fn sight_after(&self, state: &G, sight: &Sight, mv: G::Move) -> Sight {
        let _ = (state, sight, mv);
        Sight::default()
    }
    /// What a move wins by exchanges where it goes, for the side that plays it, in the unit of the game's
    /// evaluation; 0 for a quiet move that loses nothing.
    fn gain(&self, state: &G, mv: G::Move) -> Option<f32> {
        let _ = (state, mv);
        None
    }
    /// The expected result of a state for the side to move, in -1..1.
    fn expectation(&self, state: &G) -> Option<f32> {
        let _ = state;
        None
    }
    /// The move that looks best, or the outcome if the game is over as playouts see it. `buffer` is scratch space; `rng` is drawn from for [`Ties::Random`] only. An
    /// implementation may override this to be faster, with the same result. Where nothing is known of the
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
    /// One random move of those that rules of thumb leave, or the outcome if the game is over as playouts see
    /// it. `notes` is empty when a playout begins; an implementation may keep there what it has to remember of
    /// it. Where nothing is known, any legal move.
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
    /// A guess at how the game will end, good enough to stop a playout. Where the game is over it means nothing.
    fn verdict(&self, state: &G) -> Option<Outcome> {
        let _ = state;
        None
    }
    /// How convincing the end of a game or playout is for `winner`, in -1..1, larger is more. Where a playout was
    /// ended early (a verdict, a decided eval, tables) the state tells of no outcome, so the winner is handed in.
    fn quality(&self, state: &G, winner: Side) -> Option<f32> {
        let _ = (state, winner);
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

/// What a playout by [`Knowledge::playout_weighted`] came to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WeightedPlayout {
    /// The outcome, by the rules or by the verdict, and the plies.
    pub playout: Playout,
    /// Who said so.
    pub said_by: SaidBy,
}

/// Who says what a playout came to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SaidBy {
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
    /// What has been seen of the state.
    pub sight: &'a Sight,
}

/// What knowledge has seen of a state: words that mean something to none but itself. They follow a game from move to
/// move for less than it takes to look at each state anew.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Sight(pub [u64; 4]);

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

/// How moves are compared by [`Knowledge::greedy`].
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
    /// Each with equal probability.
    Random,
}

/// The plain form of [`Knowledge::greedy`]: every move is measured. Faster forms are tested against it.
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
            Measure::Eval => knowledge.eval_after(state, mv, &mut after),
        };
        if value > highest {
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

/// The plain form of [`Knowledge::eval_after`]: the move is played. Faster forms are tested against it.
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

/// A verdict for games that have an eval: the side for which it is beyond the threshold wins.
#[inline(always)]
pub fn verdict_by_eval<G: Game, K: Knowledge<G> + ?Sized>(
    knowledge: &K,
    state: &G,
    threshold: f32,
) -> Option<Outcome> {
    let eval = knowledge.eval(state)?;
    let winner = if eval > 0.0 { state.turn() } else { state.turn().other() };
    (eval.abs() > threshold).then_some(Outcome::Win(winner))
}

/// Exact values of states, from tables. A proof, never a guess.
pub trait Oracle<G: Game>: Send + Sync {
    /// What is certain about the state, [`Proof::Open`] where the oracle does not know.
    fn probe(&self, state: &G) -> Proof;

    /// The moves at `root` that keep what is certain there and bring it nearer, for a player that is to consider no
    /// others; `None` where all are to be considered.
    fn best_moves(&self, root: &G) -> Option<Vec<G::Move>> {
        let _ = root;
        None
    }

    /// Whether playouts of a search from `root` should ask it; asked once by each thread of a search. An oracle
    /// that answers for few pieces may be told to keep out of a search whose root has hardly more.
    fn is_useful_at(&self, root: &G) -> bool {
        let _ = root;
        true
    }
}

/// Knows nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoKnowledge;

impl<G: Game> Knowledge<G> for NoKnowledge {}

/// Knows nothing for certain.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoOracle;

impl<G: Game> Oracle<G> for NoOracle {
    fn probe(&self, _: &G) -> Proof {
        Proof::Open
    }
}
