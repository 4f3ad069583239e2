//! What may be known about a game beyond its rules. Every hook defaults to "nothing known".

use crate::{Game, Outcome, Proof, Side};

/// Guesses about states and moves. An implementation overrides what it knows; a search asks only
/// for what its configuration needs.
pub trait Knowledge<G: Game>: Send + Sync {
    /// How promising a move looks in the tree, larger is better.
    fn prior(&self, state: &G, mv: G::Move) -> Option<f32> {
        let _ = (state, mv);
        None
    }
    /// Appends for each of the state's moves the logarithm of how likely it is the best, up to a
    /// constant that they share; by default [`Knowledge::prior`], 0 where nothing is known. One
    /// call for all, so that what they have in common is worked out once.
    fn log_priors(&self, state: &G, moves: &[G::Move], priors: &mut Vec<f32>) {
        priors.extend(moves.iter().map(|&mv| self.prior(state, mv).unwrap_or(0.0)));
    }
    /// Appends [`Knowledge::prior`] of each of the moves, 0 where nothing is known. One call for
    /// all, so that what they have in common is worked out once.
    fn priors(&self, state: &G, moves: &[G::Move], priors: &mut Vec<f32>) {
        priors.extend(moves.iter().map(|&mv| self.prior(state, mv).unwrap_or(0.0)));
    }
    /// How likely a playout should play a move, relative to the other moves; not negative.
    fn weight(&self, state: &G, mv: G::Move) -> Option<f32> {
        let _ = (state, mv);
        None
    }
    /// Appends [`Knowledge::weight`] of each of the moves, 1 where nothing is known. One call for
    /// all, so that what they have in common is worked out once.
    fn weights(&self, state: &G, moves: &[G::Move], weights: &mut Vec<f32>) {
        weights.extend(moves.iter().map(|&mv| self.weight(state, mv).unwrap_or(1.0)));
    }
    /// The static value of a state for the side to move, in the unit of the game's evaluation.
    fn eval(&self, state: &G) -> Option<f32> {
        let _ = state;
        None
    }
    /// What a move wins by exchanges where it goes, for the side that plays it, in the unit of the
    /// game's evaluation; 0 for a quiet move that loses nothing.
    fn gain(&self, state: &G, mv: G::Move) -> Option<f32> {
        let _ = (state, mv);
        None
    }
    /// The expected result of a state for the side to move, in -1..1.
    fn expectation(&self, state: &G) -> Option<f32> {
        let _ = state;
        None
    }
    /// Calls `take` with the moves after which [`Knowledge::expectation`] may be quite another,
    /// those that seem to gain most first: in chess captures and promotions that lose nothing.
    /// None where nothing is known of that.
    fn for_each_capture(&self, state: &G, take: &mut dyn FnMut(G::Move)) {
        let _ = (state, take);
    }
    /// A number that states have in common if [`Knowledge::expectation`] is likely to be off in the
    /// same direction in them; `None` where nothing is known of that.
    fn likeness(&self, state: &G) -> Option<u64> {
        let _ = state;
        None
    }
    /// What a learned network expects of a state, told to people beside what a search has found;
    /// `None` without a network, or one that has no value.
    fn outlook(&self, state: &G) -> Option<Outlook> {
        let _ = state;
        None
    }
    /// Appends the share that the policy of a learned network gives to each of the state's moves,
    /// told to people likewise; all together have 1. Nothing without a network, or one that has no
    /// policy.
    fn policy(&self, state: &G, moves: &[G::Move], shares: &mut Vec<f32>) {
        let _ = (state, moves, shares);
    }
    /// Whether a playout that is truncated where chance is to decide counts as the average of
    /// [`Knowledge::expectation`] over the events; else one of them is drawn first.
    fn averages_events(&self) -> bool {
        false
    }
    /// A guess at how the game will end, good enough to stop a playout. Where the game is over it
    /// means nothing.
    fn verdict(&self, state: &G) -> Option<Outcome> {
        let _ = state;
        None
    }
    /// How convincing the end of a game or playout is for `winner`, in -1..1, larger is more. Where
    /// a playout was ended early (a verdict, a decided eval, tables) the state tells of no outcome,
    /// so the winner is handed in.
    fn quality(&self, state: &G, winner: Side) -> Option<f32> {
        let _ = (state, winner);
        None
    }
}

/// How likely a game ends for the side to move; the three add up to 1.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Outlook {
    /// It wins.
    pub win: f32,
    /// Nobody does.
    pub draw: f32,
    /// It loses.
    pub loss: f32,
}

impl Outlook {
    /// The expected result, in -1..=1.
    pub fn expectation(self) -> f32 {
        self.win - self.loss
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
    /// What is certain about the state as if it were the first of its game, [`Proof::Open`] where
    /// the oracle does not know. Rules that count plies or occurrences may still draw what it calls
    /// won. Asked in playouts, which keep no history.
    fn probe(&self, state: &G) -> Proof;

    /// What is certain about the state with all that has happened before it: a proof. By default
    /// what [`Oracle::probe`] says, if it is over before a rule that counts plies may draw. An
    /// oracle of a game in which states repeat must see to it that no repetition draws before.
    fn prove(&self, state: &G) -> Proof {
        let proof = self.probe(state);
        // A draw is one with those rules, too; and who knows no distance has heeded them.
        let is_late = |plies: u16| u32::from(plies) > state.plies_left();
        if proof.plies().is_some_and(is_late) { Proof::Open } else { proof }
    }

    /// The moves at `root` that keep what is certain there and bring it nearer, for a player that
    /// is to consider no others; `None` where all are to be considered.
    fn best_moves(&self, root: &G) -> Option<Vec<G::Move>> {
        let _ = root;
        None
    }

    /// Whether playouts of a search from `root` should ask it; asked once by each thread of a
    /// search. An oracle that answers for few pieces may be told to keep out of a search whose root
    /// has hardly more.
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
