//! Forced wins: whether a side wins within so many plies whatever the other does, and how soon. An
//! exact search, deeper step by step, with a table; no eval, nothing left out.
//!
//! **Draws by history.** Whoever wins as soon as possible comes nearer with every ply and repeats
//! no state. So beside rules that count plies only those repetitions matter that the game's past
//! makes draws, and these hold on every path. A win that is found is therefore one whatever path
//! the table found it on. That there is none may rest on a repetition of one path; such a finding
//! is not remembered.

use monteverde_game::limit::{Clock, NoClock, Signal};
use monteverde_game::{Game, Oracle, Outcome, Proof, Side, Step};

/// The entries of the table: 6 MiB.
const ENTRIES: usize = 1 << 18;
/// The clock is looked at after so many nodes.
const BATCH: u64 = 256;
/// The most nodes that it takes to write down a line.
const LINE: u64 = 50_000;
/// The longest wins that are looked for.
pub const MOST_PLIES: u16 = 250;

/// What a search has found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer<M> {
    /// The side wins in just so many plies, no sooner, by this line: each side's best moves to the
    /// end. It ends early where chance decides.
    Won {
        /// The plies.
        plies: u16,
        /// The moves.
        line: Vec<M>,
    },
    /// It does not win within the plies that were asked for.
    Refuted,
    /// The limit was reached before.
    Undecided,
}

/// What is asked.
pub struct Question<'a, G: Game> {
    /// The side that is to win.
    pub winner: Side,
    /// Within so many plies. Shorter wins are looked for two plies apart, since sides take turns.
    pub plies: u16,
    /// Only these moves of the state; all of them if it is empty.
    pub only: &'a [G::Move],
    /// What is certain of some states.
    pub oracle: &'a dyn Oracle<G>,
}

impl<G: Game> Copy for Question<'_, G> {}

impl<G: Game> Clone for Question<'_, G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Question<'_, G> {
    /// Whether the winner wins within so many plies, if the oracle knows.
    fn known(&self, state: &G, plies: u16) -> Option<bool> {
        let known = self.oracle.probe(state);
        let is_of_winner = match known {
            Proof::Open => return None,
            Proof::Win(_) => state.turn() == self.winner,
            Proof::Loss(_) => state.turn() != self.winner,
            Proof::Draw => false,
        };
        // What has happened before makes no win sooner.
        if !is_of_winner || known.plies()? > plies {
            return Some(false);
        }
        (self.oracle.prove(state) == known).then_some(true)
    }
}

/// When a search ends.
pub struct Budget<'a> {
    /// After so many nodes, which it counts down.
    pub nodes: u64,
    /// Tells the time.
    pub clock: &'a dyn Clock,
    /// Says stop, and when the time is over.
    pub signal: &'a Signal,
}

impl Budget<'_> {
    /// Takes a node; `None` where there are none left, or the search must end.
    fn take(&mut self) -> Option<()> {
        self.nodes = self.nodes.checked_sub(1)?;
        let is_over = self.nodes.is_multiple_of(BATCH)
            && (self.signal.is_stopped() || self.signal.is_due(self.clock.elapsed()));
        (!is_over).then_some(())
    }
}

/// A search for forced wins. What it has learnt holds for its root only: [`ForcedWins::forget`]
/// goes before another one.
pub struct ForcedWins<G: Game> {
    table: Vec<WonWithin>,
    winner: Side,
    /// By the plies that are left, the move that last settled a state.
    killers: Vec<Option<G::Move>>,
    lists: Vec<Vec<(u32, G::Move)>>,
    buffer: Vec<G::Move>,
    /// How many draws by history have been met.
    drawn: u64,
}

/// What is known of a state: the winner wins within so many plies, and not within so many; never
/// both for one number. All zero is nothing.
#[derive(Clone, Copy, Default)]
struct WonWithin {
    key: u64,
    /// One more than the plies; 0 where no win is known.
    won: u16,
    lost: u16,
    /// The move that settled it last, by its bits.
    mv: u32,
}

impl<G: Game> Default for ForcedWins<G> {
    fn default() -> Self {
        ForcedWins {
            table: Vec::new(),
            winner: Side::First,
            killers: Vec::new(),
            lists: Vec::new(),
            buffer: Vec::new(),
            drawn: 0,
        }
    }
}

impl<G: Game> ForcedWins<G> {
    /// Forgets what it has learnt.
    pub fn forget(&mut self) {
        self.table = Vec::new();
        self.killers.clear();
    }

    /// Answers a question about a state, even where a rule has ended its game.
    pub fn search(
        &mut self,
        state: &G,
        question: Question<'_, G>,
        budget: &mut Budget<'_>,
    ) -> Answer<G::Move> {
        let most = question.plies.min(MOST_PLIES);
        if self.winner != question.winner {
            self.forget();
        }
        self.winner = question.winner;
        self.table.resize(ENTRIES, WonWithin::default());
        self.killers.resize(usize::from(MOST_PLIES) + 1, None);
        for plies in (2 - most % 2..=most).step_by(2) {
            match self.root_wins(state, question, plies, budget) {
                None => return Answer::Undecided,
                Some(None) => {}
                Some(Some(first)) => {
                    return Answer::Won { plies, line: self.line(state, first, (question, plies)) };
                }
            }
        }
        Answer::Refuted
    }

    /// Whether the winner wins within so many plies, and by which move of the root: the loser's is
    /// any, as yet.
    fn root_wins(
        &mut self,
        state: &G,
        question: Question<'_, G>,
        plies: u16,
        budget: &mut Budget<'_>,
    ) -> Option<Option<Option<G::Move>>> {
        if state.turn() != self.winner || state.is_pending() {
            return Some(self.wins(state, (question, plies), budget)?.then_some(None));
        }
        budget.take()?;
        let mut moves = self.listed(state, plies);
        if !question.only.is_empty() {
            moves.retain(|(_, mv)| question.only.contains(mv));
        }
        let mut found = Some(None);
        for &(_, mv) in &moves {
            let after = played(state, mv);
            match self.after(&after, (question, plies - 1), budget) {
                None => found = None,
                Some(false) => continue,
                Some(true) => found = Some(Some(Some(mv))),
            }
            break;
        }
        self.lists.push(moves);
        found
    }

    /// Whether the winner wins within so many plies from a state whose game may be over.
    fn after(
        &mut self,
        state: &G,
        (question, plies): (Question<'_, G>, u16),
        budget: &mut Budget<'_>,
    ) -> Option<bool> {
        match state.outcome() {
            Some(outcome) => {
                let by_history = outcome == Outcome::Draw && state.is_drawn_by_history();
                self.drawn += u64::from(by_history);
                Some(outcome == Outcome::Win(self.winner))
            }
            None => self.wins(state, (question, plies), budget),
        }
    }

    /// Whether the winner wins within so many plies from a state whose game is not over.
    fn wins(
        &mut self,
        state: &G,
        (question, plies): (Question<'_, G>, u16),
        budget: &mut Budget<'_>,
    ) -> Option<bool> {
        budget.take()?;
        if plies == 0 {
            return Some(false);
        }
        if state.is_pending() {
            return self.wins_by_chance(state, (question, plies), budget);
        }
        if let Some(wins) = question.known(state, plies) {
            return Some(wins);
        }
        let attacks = state.turn() == self.winner;
        let entry = self.entry(state.key());
        // What was won on another path is won here if no rule that counts plies draws before.
        let in_time = u32::from(plies).min(state.plies_left());
        if entry.won > 0 && u32::from(entry.won - 1) <= in_time {
            return Some(true);
        }
        if entry.lost >= plies {
            return Some(false);
        }
        if attacks {
            let wins_at_once = state.winning_move(&mut self.buffer).is_some();
            if wins_at_once || plies == 1 {
                return Some(wins_at_once);
            }
        }
        let drawn = self.drawn;
        let moves = self.listed(state, plies);
        let mut settled = None;
        for &(_, mv) in &moves {
            let after = played(state, mv);
            let Some(wins) = self.after(&after, (question, plies - 1), budget) else {
                self.lists.push(moves);
                return None;
            };
            if wins == attacks {
                settled = Some(mv);
                break;
            }
        }
        let wins = if attacks { settled.is_some() } else { settled.is_none() && !moves.is_empty() };
        self.lists.push(moves);
        if settled.is_some() {
            self.killers[usize::from(plies)] = settled;
        }
        if wins || self.drawn == drawn {
            self.store(state.key(), plies, wins, settled);
        }
        Some(wins)
    }

    /// Every event must win.
    fn wins_by_chance(
        &mut self,
        state: &G,
        asked: (Question<'_, G>, u16),
        budget: &mut Budget<'_>,
    ) -> Option<bool> {
        let mut events = Vec::new();
        state.events(&mut events);
        for (event, _) in events {
            let mut after = state.clone();
            after.settle(event);
            if !self.after(&after, asked, budget)? {
                return Some(false);
            }
        }
        Some(true)
    }

    /// The moves of a state, those that settled it or its like before first; then, for the winner,
    /// those that leave the fewest replies.
    fn listed(&mut self, state: &G, plies: u16) -> Vec<(u32, G::Move)> {
        let mut moves = self.lists.pop().unwrap_or_default();
        moves.clear();
        self.buffer.clear();
        state.moves(&mut self.buffer);
        moves.extend(self.buffer.iter().map(|&mv| (u32::MAX, mv)));
        let entry = self.entry(state.key());
        let killer = self.killers[usize::from(plies)].map(Step::to_bits);
        let attacks = state.turn() == self.winner;
        for (rank, mv) in &mut moves {
            if entry.mv == mv.to_bits() && (entry.won, entry.lost) != (0, 0) {
                *rank = 0;
            } else if killer == Some(mv.to_bits()) {
                *rank = 1;
            } else if attacks && plies > 1 {
                let after = played(state, *mv);
                self.buffer.clear();
                after.moves(&mut self.buffer);
                *rank = 2 + self.buffer.len() as u32;
            }
        }
        moves.sort_by_key(|&(rank, _)| rank);
        moves
    }

    /// A line of both sides' best moves, where the winner is known to win in just so many plies.
    /// Most of it is in the table; the little that is not does not count.
    fn line(
        &mut self,
        state: &G,
        first: Option<G::Move>,
        (question, plies): (Question<'_, G>, u16),
    ) -> Vec<G::Move> {
        let signal = Signal::default();
        let budget = &mut Budget { nodes: LINE, clock: &NoClock, signal: &signal };
        let (mut state, mut line, mut next) = (state.clone(), Vec::new(), first);
        for left in (1..=plies).rev() {
            let is_over = left < plies && state.outcome().is_some();
            if state.is_pending() || is_over {
                break;
            }
            let Some(mv) = next.take().or_else(|| self.best(&state, (question, left), budget))
            else {
                break;
            };
            line.push(mv);
            state.play(mv);
        }
        line
    }

    /// The winner's soonest win within so many plies, or the reply that delays it longest.
    fn best(
        &mut self,
        state: &G,
        (question, plies): (Question<'_, G>, u16),
        budget: &mut Budget<'_>,
    ) -> Option<G::Move> {
        let attacks = state.turn() == self.winner;
        let moves = self.listed(state, plies);
        let mut fallback = None;
        let mut found = None;
        for &(_, mv) in &moves {
            let after = played(state, mv);
            // The winner needs a move that wins in time; the loser one after which two plies fewer
            // do not suffice.
            let asked = if attacks { plies - 1 } else { plies.saturating_sub(3) };
            let wins = self.after(&after, (question, asked), budget);
            if wins == Some(attacks) {
                found = Some(mv);
                break;
            }
            fallback = fallback.or(Some(mv).filter(|_| !attacks));
        }
        self.lists.push(moves);
        found.or(fallback)
    }

    fn entry(&self, key: u64) -> WonWithin {
        let entry = self.table[key as usize % ENTRIES];
        if entry.key == key { entry } else { WonWithin::default() }
    }

    fn store(&mut self, key: u64, plies: u16, wins: bool, mv: Option<G::Move>) {
        let mut entry = WonWithin { key, ..self.entry(key) };
        match wins {
            true if entry.won == 0 => entry.won = plies + 1,
            true => entry.won = entry.won.min(plies + 1),
            false => entry.lost = entry.lost.max(plies),
        }
        entry.mv = mv.map_or(entry.mv, Step::to_bits);
        self.table[key as usize % ENTRIES] = entry;
    }
}

fn played<G: Game>(state: &G, mv: G::Move) -> G {
    let mut after = state.clone();
    after.play(mv);
    after
}
