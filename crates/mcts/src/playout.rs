//! The third step: from the new state to a reward.
//!
//! A playout goes move by move; each technique has one place in that loop and a file of its own:
//!
//! 1. **stop** (`playout/stop.rs`): the oracle knows, knowledge guesses the outcome, the eval is
//!    decided, the state occurs again, or the playout is long enough;
//! 2. **decisive** (`playout/decisive.rs`): a move that wins at once is played;
//! 3. **strategy** (`playout/heavy.rs`, `playout/categories.rs`, `playout/mixed.rs`,
//!    `playout/alphabeta.rs`, or what knowledge filters): which move is drawn;
//! 4. **anti-decisive** (`playout/decisive.rs`): unless it lets the opponent win at once.
//!
//! With everything off a playout is [`Game::playout`], which a game may have made as fast as it
//! can; where moves are drawn by weight alone it is [`PlayoutKnowledge::playout_weighted`], if
//! there is one.

mod alphabeta;
mod categories;
mod config;
mod decisive;
mod heavy;
mod lookahead;
mod mixed;
mod noise;
mod playouter;
mod record;
mod result;
mod stop;

pub use config::{
    AlphaBeta, Cutoff, DecidedRoot, Decisive, Greedy, Heavy, Killers, Look, Mixed, Playouts,
    Repetition, Strategy, Tables, Then, TreeMoves, Truncate, Verdict,
};
pub use playouter::Playouter;
pub use record::Record;
pub use result::{End, PlayoutResult};

use crate::reward;
use config::Pace;
use monteverde_game::playout_knowledge::{EvalSource, Verdicts, WeightedPlayout};
use monteverde_game::{Game, Oracle, Outcome, PlayoutKnowledge, Rng};

impl<G: Game, K: PlayoutKnowledge<G>, O: Oracle<G>> Playouter<'_, G, K, O> {
    /// Plays out `state` and leaves in it where the playout ended.
    #[inline(always)]
    pub fn play(&mut self, state: &mut G, rng: &mut Rng) -> PlayoutResult {
        self.play_recorded(state, rng, &mut ())
    }

    /// The same, with a record of what was played. Of a playout that is discarded the record keeps
    /// nothing.
    #[inline(always)]
    pub fn play_recorded<R: Record<G>>(
        &mut self,
        state: &mut G,
        rng: &mut Rng,
        record: &mut R,
    ) -> PlayoutResult {
        match self.config.redraw {
            Some(most) if most > 1 => self.redraw(most, state, rng, record),
            _ => self.play_once(state, rng, record),
        }
    }

    /// Repeats a drawn playout until `most` have been played.
    fn redraw<R: Record<G>>(
        &mut self,
        most: u32,
        state: &mut G,
        rng: &mut Rng,
        record: &mut R,
    ) -> PlayoutResult {
        self.start.clone_from(state);
        let mut played = 1;
        loop {
            let result = self.play_once(state, rng, record);
            if played == most || !result.is_drawn() {
                return result;
            }
            state.clone_from(&self.start);
            played += 1;
        }
    }

    #[inline(always)]
    fn play_once<R: Record<G>>(
        &mut self,
        state: &mut G,
        rng: &mut Rng,
        record: &mut R,
    ) -> PlayoutResult {
        match self.pace {
            Pace::Plain if !R::RECORDS => {
                let playout = state.playout(rng);
                PlayoutResult::of_outcome(playout.outcome, playout.plies)
            }
            Pace::Weighted if !R::RECORDS => match self.play_weighted(state, rng) {
                Some(result) => result,
                None => self.step_through(state, rng, record),
            },
            _ => self.step_through(state, rng, record),
        }
    }

    /// The loop of knowledge, if it has one.
    #[inline(always)]
    fn play_weighted(&self, state: &mut G, rng: &mut Rng) -> Option<PlayoutResult> {
        let verdict = self.config.verdict;
        let verdicts = if verdict.is_some() { Verdicts::Heeded } else { Verdicts::Ignored };
        let WeightedPlayout { playout, source } =
            self.knowledge.playout_weighted(state, verdicts, rng)?;
        Some(match (source, verdict) {
            (EvalSource::Verdict, Some(verdict)) => PlayoutResult {
                reward: reward::of_outcome(verdict.blur(playout.outcome, rng)),
                plies: playout.plies,
                ended_by: End::Verdict,
            },
            _ => PlayoutResult::of_outcome(playout.outcome, playout.plies),
        })
    }

    /// The loop, move by move.
    fn step_through<R: Record<G>>(
        &mut self,
        state: &mut G,
        rng: &mut Rng,
        record: &mut R,
    ) -> PlayoutResult {
        record.clear();
        self.forget();
        let mut plies = 0;
        loop {
            if state.is_pending() {
                if let Some((reward, ended_by)) = self.stop_at_chance(state, plies) {
                    return PlayoutResult { reward, plies, ended_by };
                }
                let event = state.sample_event(rng);
                state.settle(event);
                self.foresight.forget();
                self.seen = None;
                continue;
            }
            if let Some((reward, ended_by)) = self.stop(state, plies, rng) {
                return PlayoutResult { reward, plies, ended_by };
            }
            match self.next_move(self.config.strategy, state, plies, rng) {
                Ok(mv) => {
                    record.note(state.turn(), mv);
                    match self.config.repetition {
                        Repetition::ByGame => state.advance(mv),
                        Repetition::First => state.play(mv),
                    }
                }
                Err(outcome) => return PlayoutResult::of_outcome(outcome, plies),
            }
            plies += 1;
        }
    }

    /// A move by the strategy in a state of the tree, or the outcome if the game is over.
    pub(crate) fn sample(&mut self, state: &G, rng: &mut Rng) -> Result<G::Move, Outcome> {
        self.foresight.forget();
        self.seen = None;
        self.next_move(self.tree_strategy, state, 0, rng)
    }

    /// The move to play, or the outcome if the game is over.
    #[inline(always)]
    fn next_move(
        &mut self,
        strategy: Strategy,
        state: &G,
        plies: u32,
        rng: &mut Rng,
    ) -> Result<G::Move, Outcome> {
        match self.config.decisive {
            Decisive::Off => self.draw(strategy, state, plies, rng),
            Decisive::Wins => match decisive::winning_move(state, &mut self.moves) {
                Some(win) => Ok(self.win(win)),
                None => self.draw(strategy, state, plies, rng),
            },
            Decisive::Anti => match self.foresight.winning_move(state) {
                Some(win) => Ok(self.win(win)),
                None => {
                    let drawn = self.draw(strategy, state, plies, rng)?;
                    let mv = self.foresight.avoid(state, drawn, rng);
                    self.seen = self.seen.filter(|_| mv == drawn);
                    Ok(mv)
                }
            },
        }
    }

    /// A move by the strategy, or the outcome if the game is over.
    #[inline(always)]
    fn draw(
        &mut self,
        strategy: Strategy,
        state: &G,
        plies: u32,
        rng: &mut Rng,
    ) -> Result<G::Move, Outcome> {
        match strategy {
            Strategy::Uniform => state.sample(rng),
            Strategy::ByPiece => state.sample_by_piece(rng),
            Strategy::Greedy(heavy) => self.draw_heavy(heavy, state, rng),
            Strategy::Categories => self.draw_by_weight(state, rng),
            Strategy::Mixed(mixed) => self.draw_mixed(mixed, state, plies, rng),
            Strategy::Filtered => self.knowledge.sample_filtered(state, &mut self.notes, rng),
        }
    }
}
