//! The trait that a game implements to get every technique, the lab and the front ends.

use crate::{Outcome, Rng, Side};
use std::fmt::Debug;

/// A move or an event, small enough to be stored in a tree edge.
pub trait Step: Copy + Eq + Debug + Send + Sync + 'static {
    /// The step as 32 bits, from which [`Step::from_bits`] restores it.
    fn to_bits(self) -> u32;
    /// The inverse of [`Step::to_bits`].
    ///
    /// # Panics
    /// May panic on bits that `to_bits` never returns.
    fn from_bits(bits: u32) -> Self;
}

/// The event type of a game without chance: it has no values, so that code for chance compiles
/// away.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Never {}

impl Step for Never {
    fn to_bits(self) -> u32 {
        match self {}
    }
    fn from_bits(_: u32) -> Self {
        unreachable!("a game without chance has no events")
    }
}

/// The result of a playout.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Playout {
    /// How the game ended.
    pub outcome: Outcome,
    /// How many moves were played; events do not count.
    pub plies: u32,
}

/// A state of a two-sided, zero-sum game of alternating or non-alternating moves, with or without
/// chance.
///
/// Implement the required methods and the state can be searched, sampled, counted and played.
/// Chance: a move may leave the state *pending*; then [`Game::events`] lists weighted events, one
/// of which [`Game::settle`] resolves. While a state is pending it has no moves.
pub trait Game: Clone + Debug + Send + Sync + 'static {
    /// A decision of the side to move.
    type Move: Step;
    /// A result of chance; [`Never`] for a game without chance.
    type Event: Step;

    /// The game's name on the command line, such as `chess`.
    const NAME: &'static str;

    /// The side to move; in a pending state the side that made the pending move.
    fn turn(&self) -> Side;

    /// The outcome if the game is over, else `None`. A pending state is never over.
    fn outcome(&self) -> Option<Outcome>;

    /// How a finished game ended, as a short name for statistics (`checkmate`, `repetition`);
    /// `None` while it goes on.
    fn ending(&self) -> Option<&'static str>;

    /// Appends every legal move in a fixed order, the generation order. Appends nothing when the
    /// rules leave no move or the state is pending; where a game is over by a rule that leaves
    /// moves on the board (a repetition), they are still listed.
    fn moves(&self, buffer: &mut Vec<Self::Move>);

    /// Plays a legal move.
    ///
    /// # Panics
    /// May panic, or leave a meaningless state, if the move is not legal here.
    fn play(&mut self, mv: Self::Move);

    /// A 64-bit key: equal states have equal keys, different ones almost surely different keys.
    /// Kept up to date by `play` and `settle`. The history that decides on repetitions is not part
    /// of it.
    fn key(&self) -> u64;

    /// The key computed anew from the state, for tests of the incremental one.
    fn recomputed_key(&self) -> u64;

    /// Whether chance is to decide next.
    #[inline(always)]
    fn is_pending(&self) -> bool {
        false
    }

    /// Appends the events of a pending state with their positive weights; an event's probability is
    /// its weight over [`Game::event_weight`]. Appends nothing if the state is not pending.
    fn events(&self, buffer: &mut Vec<(Self::Event, u32)>) {
        let _ = buffer;
    }

    /// What the weights of all events of a pending state add up to.
    fn event_weight(&self) -> u32 {
        0
    }

    /// Resolves a pending state.
    ///
    /// # Panics
    /// May panic if the state is not pending or the event cannot happen.
    fn settle(&mut self, event: Self::Event) {
        let _ = event;
        unreachable!("a game without chance has nothing to settle")
    }

    /// One uniformly random legal move, or the outcome if the game is over. A game may override
    /// this so that no list is made, and may leave out rules that need the history of the game
    /// (chess leaves out repetition).
    ///
    /// # Panics
    /// May panic if the state is pending.
    fn sample(&self, rng: &mut Rng) -> Result<Self::Move, Outcome> {
        if let Some(outcome) = self.outcome() {
            return Err(outcome);
        }
        let mut moves = Vec::new();
        self.moves(&mut moves);
        Ok(moves[rng.below(moves.len() as u32) as usize])
    }

    /// One random event of a pending state, drawn by weight.
    ///
    /// # Panics
    /// If the state is not pending.
    fn sample_event(&self, rng: &mut Rng) -> Self::Event {
        let mut events = Vec::new();
        self.events(&mut events);
        let mut rest = rng.below(self.event_weight());
        for (event, weight) in events {
            if rest < weight {
                return event;
            }
            rest -= weight;
        }
        unreachable!("the weights add up to event_weight")
    }

    /// One random legal move of which the piece is drawn first, each that can move with equal
    /// probability, and then one of its moves; or the outcome if the game is over. A game without
    /// pieces of different mobility draws as [`Game::sample`].
    ///
    /// # Panics
    /// May panic if the state is pending.
    #[inline(always)]
    fn sample_by_piece(&self, rng: &mut Rng) -> Result<Self::Move, Outcome> {
        self.sample(rng)
    }

    /// Plays uniformly random moves until the game is over and leaves the final state in `self`.
    /// After it only [`Game::ending`] and the board itself are meaningful: a game that overrides
    /// this may skip the work that only the tree needs (keys, history). It must draw exactly the
    /// moves that a loop over [`Game::sample`] would draw.
    fn playout(&mut self, rng: &mut Rng) -> Playout {
        let mut plies = 0;
        loop {
            if self.is_pending() {
                let event = self.sample_event(rng);
                self.settle(event);
                continue;
            }
            match self.sample(rng) {
                Ok(mv) => self.play(mv),
                Err(outcome) => return Playout { outcome, plies },
            }
            plies += 1;
        }
    }

    /// The outcome as playouts see it, with the rules that [`Game::sample`] heeds: `None` exactly
    /// where that gives a move. A pending state is never over.
    #[inline(always)]
    fn playout_outcome(&self) -> Option<Outcome> {
        self.outcome()
    }

    /// Plays a legal move in a playout. A game may skip the work that only the tree needs (keys,
    /// history); afterwards `turn`, `moves`, the samplers, `playout_outcome`, `winning_move`, what
    /// concerns chance, `ending` up to history, the board itself and further calls of this are
    /// meaningful.
    ///
    /// # Panics
    /// As [`Game::play`].
    #[inline(always)]
    fn advance(&mut self, mv: Self::Move) {
        self.play(mv);
    }

    /// Whether a move is legal here, whatever move of the game it is, where that is known without
    /// listing the moves; `None` where it is not.
    #[inline(always)]
    fn is_legal_at_a_glance(&self, mv: Self::Move) -> Option<bool> {
        let _ = mv;
        None
    }

    /// A move that wins at once, whatever chance does: the first in generation order. `None` where
    /// there is none, or the state is pending. `buffer` is scratch space. A game may override this
    /// so that only moves that can win are tried.
    fn winning_move(&self, buffer: &mut Vec<Self::Move>) -> Option<Self::Move> {
        buffer.clear();
        self.moves(buffer);
        let wins = |&mv: &Self::Move| {
            let mut after = self.clone();
            after.play(mv);
            after.outcome() == Some(Outcome::Win(self.turn()))
        };
        buffer.iter().copied().find(wins)
    }

    /// Whether a rule that looks at more than the state itself would draw here: a repetition, a
    /// count of plies. Where the game is over, by such a draw or another rule that goes first,
    /// [`Game::outcome`] tells the result. Such a draw says nothing about the same state reached by
    /// other moves, so it is never a proof.
    #[inline(always)]
    fn is_drawn_by_history(&self) -> bool {
        false
    }

    /// How many plies can be played before a rule that counts them may draw: a win in more plies
    /// than that is not certain. `u32::MAX` where no such rule exists.
    #[inline(always)]
    fn plies_left(&self) -> u32 {
        u32::MAX
    }

    /// How many plies have been played since the last step that cannot be taken back: no state
    /// from before it can occur again after it, and rules that look at the past count from it on,
    /// so that a state with 0 such plies is worth the same however it was reached. A pending state
    /// has 0. `None` where a game does not tell.
    #[inline(always)]
    fn reversible_plies(&self) -> Option<u32> {
        None
    }

    /// How often the state has occurred since that step, this time included; 1 where a game does
    /// not count. After [`Game::advance`] it means nothing.
    fn occurrences(&self) -> u32 {
        1
    }

    /// Whether some state since that step, this one included, has occurred so often that its next
    /// occurrence may draw. Asked only where [`Game::reversible_plies`] tells.
    fn may_be_drawn_by_repetition(&self) -> bool {
        true
    }

    /// How many paths of exactly `depth` steps lead on from the state. A game may override this to
    /// count faster, or by the convention of its players (in chess only mate and stalemate end a
    /// path).
    fn perft(&self, depth: u32) -> u64 {
        crate::perft(self, depth)
    }
}
