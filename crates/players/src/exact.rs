//! An exact search for forced wins, by which the claims of players are checked: and-or, deeper step
//! by step, with a table. It shares nothing with the searches whose claims it checks but the rules.

use monteverde_game::{Game, Outcome, Side};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// What became of a claim.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Check {
    /// The move wins by force, and as soon as was claimed.
    Holds,
    /// It does not.
    Fails,
    /// The search was given up: the claim is neither confirmed nor refuted.
    GivenUp,
}

/// Whether `mv` wins by force for the side to move within `plies`, itself included. Gives up after
/// so many nodes.
///
/// Draws by history are left out below the state: whoever wins by the shortest way repeats nothing.
pub fn check<G: Game>(state: &G, mv: G::Move, plies: u16, most_nodes: u64) -> Check {
    let attacker = state.turn();
    let mut after = state.clone();
    after.play(mv);
    match after.outcome() {
        Some(Outcome::Win(side)) if side == attacker => return Check::Holds,
        Some(_) => return Check::Fails,
        None => {}
    }
    let mut search = Exact {
        attacker,
        known: HashMap::new(),
        killers: vec![None; usize::from(plies) + 1],
        buffers: Vec::new(),
        nodes_left: most_nodes,
    };
    let left = plies.saturating_sub(1);
    // Most claims of long wins hide short ones.
    let depths = (2..left).step_by(2).chain([left]);
    for depth in depths {
        match search.is_lost(&after, depth) {
            Some(true) => return Check::Holds,
            Some(false) => {}
            None => return Check::GivenUp,
        }
    }
    Check::Fails
}

struct Exact<G: Game> {
    attacker: Side,
    known: HashMap<u64, KnownBounds>,
    /// By the plies that are left, the move that last settled a state.
    killers: Vec<Option<G::Move>>,
    buffers: Vec<Vec<G::Move>>,
    nodes_left: u64,
}

/// What is known of a state: the attacker wins within so many plies, and not within so many. Never
/// both for one number.
#[derive(Clone, Copy)]
struct KnownBounds {
    won_within: u16,
    open_within: u16,
}

/// Nothing is known.
const NOTHING: KnownBounds = KnownBounds { won_within: u16::MAX, open_within: 0 };

/// States with fewer plies left are searched again rather than remembered.
const LEAST_KNOWN: u16 = 2;

impl<G: Game> Exact<G> {
    /// Whether the attacker, who is to move, wins within so many plies; `None` where the search is
    /// given up.
    fn is_won(&mut self, state: &G, plies: u16) -> Option<bool> {
        self.nodes_left = self.nodes_left.checked_sub(1)?;
        if plies == 0 {
            return Some(false);
        }
        let mut buffer = self.buffers.pop().unwrap_or_default();
        let wins_at_once = state.winning_move(&mut buffer).is_some();
        self.buffers.push(buffer);
        if wins_at_once || plies == 1 {
            return Some(wins_at_once);
        }
        self.settle(state, plies)
    }

    /// Whether the defender, who is to move, loses within so many plies.
    fn is_lost(&mut self, state: &G, plies: u16) -> Option<bool> {
        self.nodes_left = self.nodes_left.checked_sub(1)?;
        if plies == 0 {
            return Some(false);
        }
        self.settle(state, plies)
    }

    /// Looks for a move after which the attacker wins, if it is to move, or else for one after
    /// which it does not. Says whether the attacker wins.
    fn settle(&mut self, state: &G, plies: u16) -> Option<bool> {
        let wanted = state.turn() == self.attacker;
        let known = self.known.get(&state.key()).copied().unwrap_or(NOTHING);
        if known.won_within <= plies {
            return Some(true);
        }
        if known.open_within >= plies {
            return Some(false);
        }
        let mut moves = self.buffers.pop().unwrap_or_default();
        moves.clear();
        state.moves(&mut moves);
        let killer = self.killers[usize::from(plies)];
        if let Some(index) = moves.iter().position(|&mv| Some(mv) == killer) {
            moves.swap(0, index);
        }
        let mut found = None;
        for &mv in &moves {
            let mut after = state.clone();
            after.play(mv);
            let by_history = |outcome| outcome == Outcome::Draw && after.is_drawn_by_history();
            let wins = match after.outcome().filter(|&outcome| !by_history(outcome)) {
                Some(outcome) => outcome == Outcome::Win(self.attacker),
                None if after.turn() == self.attacker => self.is_won(&after, plies - 1)?,
                None => self.is_lost(&after, plies - 1)?,
            };
            if wins == wanted {
                found = Some(mv);
                break;
            }
        }
        let is_won = if wanted { found.is_some() } else { found.is_none() && !moves.is_empty() };
        self.buffers.push(moves);
        if found.is_some() {
            self.killers[usize::from(plies)] = found;
        }
        if plies >= LEAST_KNOWN {
            let entry = self.known.entry(state.key()).or_insert(NOTHING);
            match is_won {
                true => entry.won_within = entry.won_within.min(plies),
                false => entry.open_within = entry.open_within.max(plies),
            }
        }
        Some(is_won)
    }
}
