//! The order in which moves are tried, and what it has learnt.
//!
//! The move that the table knows; what the game ranks first; killers; what it ranks early; quiet
//! moves by their history; what it ranks last. Equals are tried in generation order.

use crate::config::{Config, History};
use crate::tactics::{MOST_RANK, Rank, Tactics};
use crate::value::{Depth, PLY};
use monteverde_game::{Game, Side, Step};

/// Where the groups begin; within a group the rank that the game gives or the history decides.
const TABLE: i32 = i32::MAX;
const FIRST: i32 = 1 << 29;
const KILLER: i32 = 1 << 28;
const EARLY: i32 = 1 << 27;
const LAST: i32 = -(1 << 28);
/// The most that the history of a move counts, below the early moves.
const MOST_HISTORY: u32 = 1 << 26;
/// What a share of one is in the relative history.
const WHOLE: f32 = (1 << 20) as f32;
/// Moves share as many counters, told apart by a hash of their bits.
const SLOT_BITS: u32 = 14;

/// A move with its rank, larger is earlier.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ranked<M> {
    pub(crate) mv: M,
    /// Its place in generation order.
    place: u16,
    pub(crate) rank: i32,
}

impl<M: Copy> Ranked<M> {
    pub(crate) fn new(place: usize, mv: M) -> Self {
        Ranked { mv, place: place as u16, rank: 0 }
    }

    /// Whether killers and history learn from it; `None` where the rank does not tell, because the
    /// move is from the table.
    pub(crate) fn teaches(&self) -> Option<bool> {
        (self.rank != TABLE).then_some((0..FIRST - MOST_RANK).contains(&self.rank))
    }

    /// Whether it is neither ranked by the game, nor a killer, nor from the table.
    pub(crate) fn is_plain(&self) -> bool {
        (0..EARLY - MOST_RANK).contains(&self.rank)
    }

    /// One number to compare by: the rank, then the place.
    fn key(&self) -> i64 {
        (i64::from(self.rank) << 16) - i64::from(self.place)
    }
}

/// Brings the best ranked move from `index` on to `index`, the first of equals in generation order.
pub(crate) fn bring_best<M: Copy>(moves: &mut [Ranked<M>], index: usize) -> Ranked<M> {
    let mut best = index;
    let mut key = moves[index].key();
    for (later, ranked) in moves.iter().enumerate().skip(index + 1) {
        if ranked.key() > key {
            (best, key) = (later, ranked.key());
        }
    }
    moves.swap(index, best);
    moves[index]
}

/// What is known about moves apart from any state.
#[derive(Debug)]
pub(crate) struct Order<M> {
    /// By ply, the latest first.
    killers: Vec<[Option<M>; 2]>,
    /// By side and move; empty without history.
    counters: [Vec<Counter>; 2],
}

/// The weights of a move, the square of the depth each time.
#[derive(Clone, Copy, Default, Debug)]
struct Counter {
    cutoffs: u32,
    tries: u32,
}

impl<M: Step> Order<M> {
    pub(crate) fn new(config: &Config) -> Self {
        let slots = if config.history.is_some() { 1 << SLOT_BITS } else { 0 };
        Order {
            killers: Vec::new(),
            counters: std::array::from_fn(|_| vec![Counter::default(); slots]),
        }
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.killers.clear();
        self.counters.iter_mut().for_each(|counters| counters.fill(Counter::default()));
    }

    /// A new search begins: killers are of other plies now, and the history fades.
    pub(crate) fn begin(&mut self) {
        self.killers.clear();
        for counter in self.counters.iter_mut().flatten() {
            counter.cutoffs /= 2;
            counter.tries /= 2;
        }
    }

    /// Ranks the moves of a state at that ply.
    pub(crate) fn rank<G: Game<Move = M>, T: Tactics<G>>(
        &self,
        (config, tactics): (&Config, &T),
        (state, ply): (&G, usize),
        known: Option<M>,
        moves: &mut [Ranked<M>],
    ) {
        let killers = self.killers.get(ply).copied().unwrap_or([None; 2]);
        let side = state.turn();
        for ranked in moves {
            let mv = ranked.mv;
            if Some(mv) == known {
                ranked.rank = TABLE;
                continue;
            }
            let rank = if config.gains { tactics.rank(state, mv) } else { Rank::Quiet };
            let killer = || killers.iter().position(|&killer| killer == Some(mv));
            ranked.rank = match rank {
                Rank::First(rank) => FIRST + rank,
                Rank::Last(rank) => LAST + rank,
                _ if let Some(place) = killer() => KILLER - place as i32,
                Rank::Early(rank) => EARLY + rank,
                Rank::Quiet => self.history(config, side, mv),
            };
        }
    }

    /// A move to learn from was tried that did not refute.
    pub(crate) fn tried(&mut self, config: &Config, side: Side, mv: M, depth: Depth) {
        if config.history == Some(History::Relative) {
            let counter = &mut self.counters[side as usize][slot(mv)];
            counter.tries = counter.tries.saturating_add(weight(depth));
        }
    }

    /// A move to learn from was best or refuted the move before it.
    pub(crate) fn succeeded(
        &mut self,
        config: &Config,
        (side, ply): (Side, usize),
        mv: M,
        depth: Depth,
    ) {
        if config.killers {
            if self.killers.len() <= ply {
                self.killers.resize(ply + 1, [None; 2]);
            }
            let killers = &mut self.killers[ply];
            if killers[0] != Some(mv) {
                *killers = [Some(mv), killers[0]];
            }
        }
        if config.history.is_some() {
            let weight = weight(depth);
            let counter = &mut self.counters[side as usize][slot(mv)];
            counter.cutoffs = counter.cutoffs.saturating_add(weight).min(MOST_HISTORY);
            counter.tries = counter.tries.saturating_add(weight);
        }
    }

    fn history(&self, config: &Config, side: Side, mv: M) -> i32 {
        let Some(kind) = config.history else { return 0 };
        let counter = self.counters[side as usize][slot(mv)];
        match kind {
            History::Plain => counter.cutoffs as i32,
            // In floating point, whose division is several times as fast.
            History::Relative => {
                (counter.cutoffs as f32 / counter.tries.max(1) as f32 * WHOLE) as i32
            }
        }
    }
}

/// The square of the depth in plies, a part of one counted as one.
fn weight(depth: Depth) -> u32 {
    let plies = ((depth + PLY - 1) / PLY) as u32;
    plies * plies
}

fn slot<M: Step>(mv: M) -> usize {
    /// The golden ratio's bits scatter neighbours.
    const SCATTER: u32 = 0x9e37_79b9;
    (mv.to_bits().wrapping_mul(SCATTER) >> (32 - SLOT_BITS)) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use monteverde_game::fixtures::TicTacToe;
    use monteverde_game::{Knowledge, Notation};

    type Cell = <TicTacToe as Game>::Move;

    #[test]
    fn the_best_comes_first_and_equals_keep_their_order() {
        let mut moves: Vec<_> = [1, 5, 1, 5, 1].into_iter().enumerate().collect();
        let mut moves: Vec<_> = moves
            .drain(..)
            .map(|(place, rank)| Ranked { rank, ..Ranked::new(place, place) })
            .collect();
        let order: Vec<_> = (0..5).map(|index| bring_best(&mut moves, index).mv).collect();
        assert_eq!(order, [1, 3, 0, 2, 4]);
    }

    /// The groups of a game that puts captures after the killers, as MIA does, and one that puts
    /// them before.
    #[test]
    fn groups_come_in_their_order() {
        struct Ranks;
        impl Knowledge<TicTacToe> for Ranks {}
        impl Tactics<TicTacToe> for Ranks {
            fn rank(&self, _: &TicTacToe, mv: Cell) -> Rank {
                match mv.to_bits() {
                    0 => Rank::Last(3),
                    1 => Rank::Last(4),
                    2 | 3 => Rank::Early(-5),
                    4 => Rank::Early(9),
                    7 => Rank::First(-1),
                    _ => Rank::Quiet,
                }
            }
        }
        let config = Config::default();
        let state = TicTacToe::start();
        let mut order = Order::new(&config);
        let (side, cell) = (state.turn(), Cell::from_bits);
        for mv in [6, 3, 8] {
            order.succeeded(&config, (side, 0), cell(mv), 4 * PLY);
        }
        let mut moves: Vec<_> = (0..9).map(|mv| Ranked::new(mv, cell(mv as u32))).collect();
        order.rank((&config, &Ranks), (&state, 0), Some(cell(5)), &mut moves);
        let order: Vec<_> = (0..9).map(|index| bring_best(&mut moves, index)).collect();
        // The table's, the first, the killers 8 and 3, the early ones, the quiet one with a
        // history, the last.
        assert_eq!(
            order.iter().map(|ranked| ranked.mv.to_bits()).collect::<Vec<_>>(),
            [5, 7, 8, 3, 4, 2, 6, 1, 0]
        );
        let teaches: Vec<_> = order.iter().map(Ranked::teaches).collect();
        let (yes, no) = (Some(true), Some(false));
        assert_eq!(teaches, [None, no, yes, yes, yes, yes, yes, no, no]);
        assert_eq!(order.iter().filter(|ranked| ranked.is_plain()).count(), 1);
    }
}
