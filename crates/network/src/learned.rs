//! A network as a search asks for it.

use crate::{Features, Network, Outlook, Scratch};
use monteverde_game::playout_knowledge::{EvalCache, Tries, Verdicts, WeightedPlayout};
use monteverde_game::{
    Game, Greed, Heaviest, Knowledge, Outcome, PlayoutKnowledge, Rng, Side, Step,
};
use std::cell::RefCell;
use std::sync::Arc;

/// Knowledge of a game whose expectations and log priors are a network's, so far as it has them.
/// Everything else is what is known without it.
#[derive(Clone, Debug)]
pub struct Learned<K, F> {
    /// What is known without the network.
    pub known: K,
    /// What the network sees.
    pub features: F,
    /// The network, made for these features.
    pub network: Arc<Network>,
    /// How much of the log priors that are known without it is added to its own.
    pub known_priors: f32,
    /// A state is worth what the best captures of both sides lead to within so many plies, as far
    /// as these do better than to leave it as it is; see [`Knowledge::for_each_capture`].
    pub captures: u32,
}

/// The values of a network as an evaluation, for searches that compare states by that.
#[derive(Clone, Debug)]
pub struct LearnedEval<F> {
    /// What the network sees.
    pub features: F,
    /// The network, made for these features.
    pub network: Arc<Network>,
    /// By how much an evaluation grows when the odds grow by a factor of `e`.
    pub unit: f32,
}

impl<G: Game, F: Features<G>> Knowledge<G> for LearnedEval<F> {
    fn outlook(&self, state: &G) -> Option<Outlook> {
        outlook(&self.network, &self.features, state)
    }

    /// The logarithm of the odds, draws counting half a win and half a loss.
    fn eval(&self, state: &G) -> Option<f32> {
        /// A million to one is as good as certain.
        const LEAST: f32 = 1e-6;
        let Outlook { win, draw, loss } = outlook(&self.network, &self.features, state)?;
        let odds = (win + draw / 2.0).max(LEAST) / (loss + draw / 2.0).max(LEAST);
        // The system's logarithm differs from machine to machine; this one does not.
        Some(self.unit * libm::logf(odds))
    }
}

/// What a thread needs to ask networks, kept so that asking does not allocate.
#[derive(Default)]
struct Buffers {
    inputs: Vec<u16>,
    outputs: Vec<u16>,
    priors: Vec<f32>,
    /// Captures that are still to be looked at, those of a state above those of the one before it.
    captures: Vec<u32>,
    scratch: Scratch,
}

thread_local! {
    static BUFFERS: RefCell<Buffers> = RefCell::default();
}

fn outlook<G: Game>(network: &Network, features: &impl Features<G>, state: &G) -> Option<Outlook> {
    BUFFERS.with_borrow_mut(|Buffers { inputs, scratch, .. }| {
        inputs.clear();
        features.write(state, inputs);
        network.outlook(inputs, scratch)
    })
}

/// What two sides can get already, in the view of the side to move.
#[derive(Clone, Copy)]
struct ValueWindow {
    low: f32,
    high: f32,
}

impl<K, F> Learned<K, F> {
    /// What is expected of a state for the side to move when both sides may capture for so many
    /// plies: exact within the window, a bound outside.
    fn settled<G>(&self, state: &G, window: ValueWindow, plies: u32) -> Option<f32>
    where
        G: Game,
        K: Knowledge<G>,
        F: Features<G>,
    {
        let ValueWindow { mut low, high } = window;
        let mut best = outlook(&self.network, &self.features, state)?.expectation();
        if plies == 0 || best >= high {
            return Some(best);
        }
        let start = BUFFERS.with_borrow_mut(|Buffers { captures, .. }| {
            let start = captures.len();
            self.known.for_each_capture(state, &mut |mv| captures.push(mv.to_bits()));
            captures[start..].reverse();
            start
        });
        while best < high
            && let Some(bits) = BUFFERS.with_borrow_mut(|Buffers { captures, .. }| {
                (captures.len() > start).then(|| captures.pop()).flatten()
            })
        {
            low = low.max(best);
            let mut after = state.clone();
            after.play(G::Move::from_bits(bits));
            let side = state.turn();
            let value = match after.outcome() {
                Some(outcome) => outcome.value_for(side) as f32,
                None => {
                    let window = ValueWindow { low: -high, high: -low };
                    -self.settled(&after, window, plies - 1)?
                }
            };
            best = best.max(value);
        }
        BUFFERS.with_borrow_mut(|Buffers { captures, .. }| captures.truncate(start));
        Some(best)
    }
}

impl<G: Game, K: Knowledge<G>, F: Features<G>> Knowledge<G> for Learned<K, F> {
    fn prior(&self, state: &G, mv: G::Move) -> Option<f32> {
        self.known.prior(state, mv)
    }

    fn log_priors(&self, state: &G, moves: &[G::Move], priors: &mut Vec<f32>) {
        if !self.network.has_policy() {
            return self.known.log_priors(state, moves, priors);
        }
        BUFFERS.with_borrow_mut(|buffers| {
            let Buffers { inputs, outputs, priors: known, scratch, .. } = buffers;
            inputs.clear();
            outputs.clear();
            self.features.write(state, inputs);
            self.features.write_moves(state, moves, outputs);
            let start = priors.len();
            self.network.log_priors(inputs, outputs, scratch, priors);
            if self.known_priors != 0.0 {
                known.clear();
                self.known.log_priors(state, moves, known);
                let both = priors[start..].iter_mut().zip(known);
                both.for_each(|(prior, known)| *prior += self.known_priors * *known);
            }
        });
    }

    fn priors(&self, state: &G, moves: &[G::Move], priors: &mut Vec<f32>) {
        self.known.priors(state, moves, priors);
    }

    fn weight(&self, state: &G, mv: G::Move) -> Option<f32> {
        self.known.weight(state, mv)
    }

    fn weights(&self, state: &G, moves: &[G::Move], weights: &mut Vec<f32>) {
        self.known.weights(state, moves, weights);
    }

    fn eval(&self, state: &G) -> Option<f32> {
        self.known.eval(state)
    }

    fn gain(&self, state: &G, mv: G::Move) -> Option<f32> {
        self.known.gain(state, mv)
    }

    fn expectation(&self, state: &G) -> Option<f32> {
        if !self.network.has_value() {
            return self.known.expectation(state);
        }
        self.settled(state, ValueWindow { low: -1.0, high: 1.0 }, self.captures)
    }

    fn for_each_capture(&self, state: &G, take: &mut dyn FnMut(G::Move)) {
        self.known.for_each_capture(state, take);
    }

    fn likeness(&self, state: &G) -> Option<u64> {
        self.known.likeness(state)
    }

    fn outlook(&self, state: &G) -> Option<Outlook> {
        outlook(&self.network, &self.features, state)
    }

    fn policy(&self, state: &G, moves: &[G::Move], shares: &mut Vec<f32>) {
        BUFFERS.with_borrow_mut(|Buffers { inputs, outputs, scratch, .. }| {
            inputs.clear();
            outputs.clear();
            self.features.write(state, inputs);
            self.features.write_moves(state, moves, outputs);
            self.network.policy(inputs, outputs, scratch, shares);
        });
    }

    /// A network is cheap enough to look at everything that may appear.
    fn averages_events(&self) -> bool {
        self.network.has_value()
    }

    fn verdict(&self, state: &G) -> Option<Outcome> {
        self.known.verdict(state)
    }

    fn quality(&self, state: &G, winner: Side) -> Option<f32> {
        self.known.quality(state, winner)
    }
}

impl<G: Game, K: PlayoutKnowledge<G>, F: Features<G>> PlayoutKnowledge<G> for Learned<K, F> {
    fn sample_weighted(&self, state: &G, rng: &mut Rng) -> Option<Result<G::Move, Outcome>> {
        self.known.sample_weighted(state, rng)
    }

    fn playout_weighted(
        &self,
        state: &mut G,
        verdicts: Verdicts,
        rng: &mut Rng,
    ) -> Option<WeightedPlayout> {
        self.known.playout_weighted(state, verdicts, rng)
    }

    fn heaviest(
        &self,
        state: &G,
        moves: &[G::Move],
        most: usize,
        heaviest: &mut Heaviest<G::Move>,
    ) {
        self.known.heaviest(state, moves, most, heaviest);
    }

    fn evals_up_to(
        &self,
        state: &G,
        tries: Tries<'_, G::Move>,
        after: &mut G,
        evals: &mut Vec<f32>,
    ) {
        self.known.evals_up_to(state, tries, after, evals);
    }

    fn eval_cache(&self, state: &G) -> EvalCache {
        self.known.eval_cache(state)
    }

    fn eval_cache_after(&self, state: &G, cache: &EvalCache, mv: G::Move) -> EvalCache {
        self.known.eval_cache_after(state, cache, mv)
    }

    fn greedy(
        &self,
        state: &G,
        greed: Greed,
        buffer: &mut Vec<G::Move>,
        rng: &mut Rng,
    ) -> Result<G::Move, Outcome> {
        self.known.greedy(state, greed, buffer, rng)
    }

    fn sample_filtered(
        &self,
        state: &G,
        notes: &mut Vec<u64>,
        rng: &mut Rng,
    ) -> Result<G::Move, Outcome> {
        self.known.sample_filtered(state, notes, rng)
    }

    fn sample_past_end(&self, state: &G, rng: &mut Rng) -> Option<G::Move> {
        self.known.sample_past_end(state, rng)
    }
}
