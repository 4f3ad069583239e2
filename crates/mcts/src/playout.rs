//! The third step: from the new state to a reward.
//!
//! A playout goes move by move; each technique has one place in that loop and a file of its own:
//!
//! 1. **stop** (`playout/stop.rs`): the oracle knows, knowledge guesses the outcome, the eval is decided, or the playout is
//!    long enough;
//! 2. **decisive** (`playout/decisive.rs`): a move that wins at once is played;
//! 3. **strategy** (`playout/heavy.rs`, `playout/categories.rs`, `playout/mixed.rs`, `playout/alphabeta.rs`, or what
//!    knowledge filters): which move is drawn;
//! 4. **anti-decisive** (`playout/decisive.rs`): unless it lets the opponent win at once.
//!
//! With everything off a playout is [`Game::playout`], which a game may have made as fast as it can; where moves are drawn
//! by weight alone it is [`Knowledge::playout_weighted`], if there is one.

mod alphabeta;
mod categories;
mod config;
mod decisive;
mod heavy;
mod mixed;
mod record;
mod stop;

pub use config::{
    AlphaBeta, Cutoff, DecidedRoot, Decisive, Greedy, Heavy, Look, Mixed, Playouts, Strategy,
    Tables, Then, Truncate, Verdict,
};
pub use record::Record;

use crate::reward;
use alphabeta::Lookahead;
use config::Pace;
use decisive::Foresight;
use monteverde_game::knowledge::{SaidBy, Sight, Verdicts, WeightedPlayout};
use monteverde_game::{Game, Heaviest, Knowledge, Oracle, Outcome, Rng, Side};

/// Plays playouts by a configuration, with or without a tree. Keeps its scratch space, so that playouts do
/// not allocate.
#[derive(Debug)]
pub struct Playouter<'a, G: Game, K, O> {
    config: Playouts,
    knowledge: &'a K,
    /// `None` where it is not to be asked.
    oracle: Option<&'a O>,
    pace: Pace,
    moves: Vec<G::Move>,
    weights: Vec<f32>,
    evals: Vec<f32>,
    heaviest: Heaviest<G::Move>,
    /// What the strategy has seen of the state that its move led to.
    seen: Option<Seen>,
    /// What knowledge remembers of the playout.
    notes: Vec<u64>,
    /// Where a move leads, while it is being judged.
    after: G,
    foresight: Foresight<G>,
    lookahead: Lookahead<G>,
    /// Where the playout started, for the next attempt.
    start: G,
}

/// What a playout came to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlayoutResult {
    /// The reward for [`monteverde_game::Side::First`], see [`reward::ONE`].
    pub reward: i64,
    /// How many moves were played; events do not count, nor do playouts that were discarded.
    pub plies: u32,
    /// Why it ended.
    pub ended_by: End,
}

/// Why a playout ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// The game was over.
    Rules,
    /// The oracle knew the state.
    Tables,
    /// Knowledge guessed the outcome.
    Verdict,
    /// The eval passed the threshold of [`Cutoff`].
    Cutoff,
    /// It had the most plies that are allowed.
    Length,
    /// It had the plies of [`Truncate`]; the reward is the expectation of the state.
    Truncated,
}

/// What the choice of a move has found out about the state that it leads to, so that the state is not evaluated
/// once more.
#[derive(Clone, Copy, Debug)]
struct Seen {
    /// For `side`.
    eval: f32,
    /// The side that played the move.
    side: Side,
    /// Of that state, if that is known.
    sight: Option<Sight>,
    /// Whether the search of the strategy has weighed the moves there.
    is_weighed: bool,
}

impl<'a, G: Game, K: Knowledge<G>, O: Oracle<G>> Playouter<'a, G, K, O> {
    /// Playouts of a search from `root`, where the oracle is asked whether it is of use.
    pub fn new(config: Playouts, knowledge: &'a K, oracle: &'a O, root: &G) -> Self {
        let useful = config.tables == Tables::Probe && oracle.is_useful_at(root);
        // A verdict that holds at the root would end every playout there, and tell no move from another.
        let verdict = config.verdict.filter(|_| knowledge.verdict(root).is_none());
        let cutoff = config.cutoff.filter(|cutoff| !cutoff.is_idle_at(knowledge, root));
        let config = Playouts { verdict, cutoff, ..config };
        Playouter {
            config,
            knowledge,
            oracle: useful.then_some(oracle),
            pace: if useful { Pace::Stepwise } else { config.pace() },
            moves: Vec::with_capacity(256),
            weights: Vec::with_capacity(256),
            evals: Vec::with_capacity(256),
            heaviest: Heaviest::default(),
            seen: None,
            notes: Vec::with_capacity(256),
            after: root.clone(),
            foresight: Foresight::new(root),
            lookahead: Lookahead::new(root),
            start: root.clone(),
        }
    }

    /// Plays out `state` and leaves in it where the playout ended.
    #[inline(always)]
    pub fn play(&mut self, state: &mut G, rng: &mut Rng) -> PlayoutResult {
        self.play_recorded(state, rng, &mut ())
    }

    /// The same, with a record of what was played. Of a playout that is discarded the record keeps nothing.
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
        let WeightedPlayout { playout, said_by } =
            self.knowledge.playout_weighted(state, verdicts, rng)?;
        Some(match (said_by, verdict) {
            (SaidBy::Verdict, Some(verdict)) => PlayoutResult {
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
                let event = state.sample_event(rng);
                state.settle(event);
                self.foresight.forget();
                self.seen = None;
                continue;
            }
            if let Some((reward, ended_by)) = self.stop(state, plies, rng) {
                return PlayoutResult { reward, plies, ended_by };
            }
            match self.next_move(state, plies, rng) {
                Ok(mv) => {
                    record.note(state.turn(), mv);
                    state.advance(mv);
                }
                Err(outcome) => return PlayoutResult::of_outcome(outcome, plies),
            }
            plies += 1;
        }
    }

    /// What was learnt of an earlier playout is of no use in the next.
    #[inline(always)]
    pub(crate) fn forget(&mut self) {
        self.foresight.forget();
        self.notes.clear();
        self.seen = None;
    }

    /// A move by the strategy in a state of the tree, or the outcome if the game is over.
    pub(crate) fn sample(&mut self, state: &G, rng: &mut Rng) -> Result<G::Move, Outcome> {
        self.foresight.forget();
        self.seen = None;
        self.next_move(state, 0, rng)
    }

    /// The move to play, or the outcome if the game is over.
    #[inline(always)]
    fn next_move(&mut self, state: &G, plies: u32, rng: &mut Rng) -> Result<G::Move, Outcome> {
        match self.config.decisive {
            Decisive::Off => self.draw(state, plies, rng),
            Decisive::Wins => match decisive::winning_move(state, &mut self.moves) {
                Some(win) => Ok(self.win(win)),
                None => self.draw(state, plies, rng),
            },
            Decisive::Anti => match self.foresight.winning_move(state) {
                Some(win) => Ok(self.win(win)),
                None => {
                    let drawn = self.draw(state, plies, rng)?;
                    let mv = self.foresight.avoid(state, drawn, rng);
                    self.seen = self.seen.filter(|_| mv == drawn);
                    Ok(mv)
                }
            },
        }
    }

    /// A move by the strategy, or the outcome if the game is over.
    #[inline(always)]
    fn draw(&mut self, state: &G, plies: u32, rng: &mut Rng) -> Result<G::Move, Outcome> {
        match self.config.strategy {
            Strategy::Uniform => state.sample(rng),
            Strategy::ByPiece => state.sample_by_piece(rng),
            Strategy::Greedy(heavy) => self.draw_heavy(heavy, state, rng),
            Strategy::Categories => self.draw_by_weight(state, rng),
            Strategy::Mixed(mixed) => self.draw_mixed(mixed, state, plies, rng),
            Strategy::Filtered => self.knowledge.sample_filtered(state, &mut self.notes, rng),
        }
    }
}

impl<G: Game, K: Knowledge<G>, O> Playouter<'_, G, K, O> {
    /// A move that wins was not chosen by the strategy.
    #[inline(always)]
    fn win(&mut self, mv: G::Move) -> G::Move {
        self.seen = None;
        mv
    }

    /// The eval of the state that the playout is in, for the side to move.
    #[inline(always)]
    fn eval(&self, state: &G) -> Option<f32> {
        match self.seen {
            None => self.knowledge.eval(state),
            Some(seen) if seen.side == state.turn() => Some(seen.eval),
            Some(seen) => Some(-seen.eval),
        }
    }
}

impl PlayoutResult {
    #[inline(always)]
    pub(crate) fn of_outcome(outcome: Outcome, plies: u32) -> Self {
        PlayoutResult { reward: reward::of_outcome(outcome), plies, ended_by: End::Rules }
    }

    /// Whether it was a draw; a state that is worth as much as one is not.
    #[inline(always)]
    pub fn is_drawn(&self) -> bool {
        self.reward == 0 && self.ended_by != End::Truncated
    }

    /// Who has won, by the rules or by what ended the playout early; `None` for a draw and where nobody said so.
    #[inline(always)]
    pub fn winner(&self) -> Option<Side> {
        match self.reward {
            _ if self.ended_by == End::Truncated => None,
            0 => None,
            1.. => Some(Side::First),
            ..0 => Some(Side::Second),
        }
    }

    /// The outcome that the reward is nearest to.
    pub fn outcome(&self) -> Outcome {
        reward::nearest_outcome(self.reward)
    }
}

impl End {
    /// A short name for statistics, beside those of [`Game::ending`]; `None` where that tells it.
    pub fn name(self) -> Option<&'static str> {
        match self {
            End::Rules => None,
            End::Tables => Some("tables"),
            End::Verdict => Some("verdict"),
            End::Cutoff => Some("cutoff"),
            End::Length => Some("length"),
            End::Truncated => Some("truncated"),
        }
    }
}
