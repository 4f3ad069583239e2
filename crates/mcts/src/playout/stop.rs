//! What ends a playout before the game is over: the oracle, a verdict, a decided eval, a
//! repetition, its length.

use super::config::{Cutoff, DecidedRoot, Repetition, Truncate, Verdict};
use super::playouter::Playouter;
use super::result::End;
use crate::chance;
use crate::reward::{self, ONE};
use monteverde_game::{Game, Knowledge, Oracle, Outcome, PlayoutKnowledge, Proof, Rng, Side};

impl<G: Game, K: PlayoutKnowledge<G>, O: Oracle<G>> Playouter<'_, G, K, O> {
    /// The reward for the first side and the reason, if the playout is to stop here. Where the game
    /// is over its outcome counts, so nothing stops it.
    #[inline(always)]
    pub(super) fn stop(&self, state: &G, plies: u32, rng: &mut Rng) -> Option<(i64, End)> {
        if let Some(oracle) = self.oracle
            && let Some(outcome) = known_outcome(oracle.probe(state), state.turn())
            && state.playout_outcome().is_none()
        {
            return Some((reward::of_outcome(outcome), End::Tables));
        }
        if let Some(verdict) = self.config.verdict
            && let Some(guess) = self.knowledge.verdict(state)
            && state.playout_outcome().is_none()
        {
            return Some((reward::of_outcome(verdict.blur(guess, rng)), End::Verdict));
        }
        if let Some(cutoff) = self.config.cutoff
            && let Some(outcome) = self.cut_off(cutoff, state, plies)
        {
            return Some((reward::of_outcome(outcome), End::Cutoff));
        }
        if self.config.repetition == Repetition::First
            && plies > 0
            && state.occurrences() > 1
            && state.playout_outcome().is_none()
        {
            return Some((0, End::Repetition));
        }
        if self.config.most_plies.is_some_and(|most| plies >= most)
            && state.playout_outcome().is_none()
        {
            return Some((0, End::Length));
        }
        let truncate = self.config.truncate?;
        self.truncate(truncate, state, plies)
    }

    fn cut_off(&self, cutoff: Cutoff, state: &G, plies: u32) -> Option<Outcome> {
        if plies == 0 || !plies.is_multiple_of(cutoff.every.max(1)) {
            return None;
        }
        let eval = self.eval(state)?;
        let winner = if eval > 0.0 { state.turn() } else { state.turn().other() };
        let decided = eval.abs() > cutoff.threshold && state.playout_outcome().is_none();
        decided.then_some(Outcome::Win(winner))
    }

    /// Where nothing is expected of the state, the playout goes on.
    fn truncate(&self, truncate: Truncate, state: &G, plies: u32) -> Option<(i64, End)> {
        if plies < truncate.plies || state.playout_outcome().is_some() {
            return None;
        }
        let expectation = f64::from(self.knowledge.expectation(state)?).clamp(-1.0, 1.0);
        Some((expected_reward(expectation, state.turn()), End::Truncated))
    }

    /// The average over the events of a pending state, where the playout is long enough and
    /// knowledge wants that.
    pub(super) fn stop_at_chance(&mut self, state: &G, plies: u32) -> Option<(i64, End)> {
        self.config.truncate.filter(|truncate| plies >= truncate.plies)?;
        if !self.knowledge.averages_events() {
            return None;
        }
        self.events.clear();
        state.events(&mut self.events);
        let expectation = chance::average(self.knowledge, state, &self.events, &mut self.after)?;
        Some((expected_reward(expectation, state.turn()), End::Truncated))
    }
}

impl Cutoff {
    /// Whether nothing is cut off in a search from this root.
    pub(super) fn is_idle_at<G: Game, K: Knowledge<G>>(&self, knowledge: &K, root: &G) -> bool {
        self.decided_root == DecidedRoot::PlaysOn
            && knowledge.eval(root).is_some_and(|eval| eval.abs() > self.threshold)
    }
}

impl Verdict {
    /// What a guess counts as. Where no error is wanted nothing is drawn.
    #[inline(always)]
    pub(super) fn blur(self, guess: Outcome, rng: &mut Rng) -> Outcome {
        match guess {
            Outcome::Win(side) if self.error > 0.0 && rng.unit() < self.error => {
                Outcome::Win(side.other())
            }
            guess => guess,
        }
    }
}

/// The reward for the first side of what is expected for a side, in -1..=1.
fn expected_reward(expectation: f64, side: Side) -> i64 {
    let reward = (expectation * ONE as f64) as i64;
    if side == Side::First { reward } else { -reward }
}

/// What a proof makes certain, for `side`, which is to move.
#[inline(always)]
fn known_outcome(proof: Proof, side: Side) -> Option<Outcome> {
    match proof {
        Proof::Open => None,
        Proof::Win(_) => Some(Outcome::Win(side)),
        Proof::Draw => Some(Outcome::Draw),
        Proof::Loss(_) => Some(Outcome::Win(side.other())),
    }
}
