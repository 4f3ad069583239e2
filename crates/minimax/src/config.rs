//! Every part of the search as plain data. A part that is off is `None` and leaves no trace.

use crate::value::{Depth, PLY};
use monteverde_game::Ties;
use std::ops::RangeInclusive;

/// The configuration of a search.
#[derive(Clone, PartialEq, Debug)]
pub struct Config {
    /// The most plies that it looks ahead, quiescence and extensions aside; [`Limit::depth`] may
    /// say less.
    ///
    /// [`Limit::depth`]: monteverde_game::limit::Limit::depth
    pub depth: Option<u32>,
    /// Searches to depth 1, 2, 3 and so on, each with what the last has learnt. Off, it searches
    /// at once to its depth, which must then be given.
    pub deepening: bool,
    /// The bytes of the transposition table.
    pub table: Option<usize>,
    /// Principal variation search: every move but the first is searched with an empty window at
    /// first, which only tells whether it is better.
    pub pvs: bool,
    /// Deepening starts with a window of this half width around the last value.
    pub aspiration: Option<i32>,
    /// Tries moves in the groups that [`Tactics::rank`](crate::Tactics::rank) puts them in, such
    /// as captures by what they win. Off, every move is quiet.
    pub gains: bool,
    /// Tries the last two moves that were best or refuted something at the same ply early.
    pub killers: bool,
    /// Orders quiet moves by how well they did elsewhere.
    pub history: Option<History>,
    /// Takes a state for good enough if even passing is.
    pub null: Option<Null>,
    /// Searches late quiet moves less deep at first.
    pub reductions: Option<Reductions>,
    /// Lets a move cost as much depth as it is unlikely to be played.
    pub realization: Option<Realization>,
    /// Takes a state for good enough if several moves are by a shallow search.
    pub multicut: Option<MultiCut>,
    /// Looks whether a move leads to a state for which the table knows a refutation, before any is
    /// searched, at nodes with at least that depth left.
    pub etc: Option<u32>,
    /// Goes on with loud moves at the horizon, for at most that many plies.
    pub quiescence: Option<u32>,
    /// Looks a ply further after a move that leaves an urgent state.
    pub extension: bool,
    /// Which of equally good moves is played. With [`Ties::Random`] the search works out for each
    /// move at the root whether it is as good as the best, which costs nodes.
    pub ties: Ties,
    /// Adds a number between minus this and this to every eval, drawn for each state by the seed,
    /// so that games with different seeds differ.
    pub noise: Option<u32>,
    /// Where the random numbers of [`Ties::Random`] and of `noise` start.
    pub seed: u64,
}

/// How the success of quiet moves is counted, see `order.rs`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum History {
    /// By the weight of their cutoffs.
    Plain,
    /// By that weight as a share of the weight of all their tries: the relative history heuristic,
    /// which the program MIA uses.
    Relative,
}

/// The null move: adaptive, since shallow searches can afford less to be wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Null {
    /// So many plies less are searched after passing.
    pub reduction: u32,
    /// And one ply less still where more than this depth is left.
    pub deep: u32,
}

/// Late move reductions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reductions {
    /// So many moves are searched in full.
    pub after: usize,
    /// Only where at least this depth is left.
    pub depth: u32,
}

/// Realization probability search: the depth of a line is how likely it is to be played. A move of
/// probability `p` costs `-log2(p) / bits` plies, within [`COSTS`], and one ply where the game says
/// nothing of it. Costs above one ply are a first try: a move that beats alpha so is searched again
/// for one ply.
///
/// After Tsuruoka, Yokoyama and Chikayama (2002); the first moves never cost more than a ply in its
/// enhanced form, Winands and Björnsson (2008).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Realization {
    /// A move this surprising, in bits, costs one ply. Above 0.
    pub bits: f32,
    /// So many moves of a state cost at most one ply.
    pub full: usize,
}

impl Realization {
    /// What a move this surprising costs.
    pub(crate) fn cost(&self, surprise: f32) -> Depth {
        ((surprise / self.bits * PLY as f32) as Depth).clamp(*COSTS.start(), *COSTS.end())
    }
}

/// Multi-cut, where the window is empty: at nodes that are expected to refute and at those where
/// every move is expected to fail, never on the principal variation (Winands and others, *Enhanced
/// Forward Pruning*, 2005, as we read it: a mistake at the latter kind of node is found out by the
/// search that follows with an open window).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MultiCut {
    /// So many moves are looked at.
    pub moves: usize,
    /// So many of them must refute.
    pub cuts: usize,
    /// So many plies less are searched for that.
    pub reduction: u32,
}

impl Config {
    /// Plain alpha-beta: every part is off.
    pub const PLAIN: Config = Config {
        depth: None,
        deepening: false,
        table: None,
        pvs: false,
        aspiration: None,
        gains: false,
        killers: false,
        history: None,
        null: None,
        reductions: None,
        realization: None,
        multicut: None,
        etc: None,
        quiescence: None,
        extension: false,
        ties: Ties::First,
        noise: None,
        seed: 1,
    };
}

impl Default for Config {
    /// Every part that pays in chess, see `docs/minimax.md`.
    fn default() -> Self {
        Config {
            deepening: true,
            table: Some(TABLE),
            pvs: true,
            aspiration: Some(ASPIRATION),
            gains: true,
            killers: true,
            history: Some(History::Plain),
            null: Some(Null::default()),
            reductions: Some(Reductions::default()),
            quiescence: Some(QUIESCENCE),
            extension: true,
            ..Config::PLAIN
        }
    }
}

impl Default for Null {
    /// Two plies, three where more than six are left, after Heinz, *Adaptive Null-Move Pruning*
    /// (1999).
    fn default() -> Self {
        Null { reduction: 2, deep: 6 }
    }
}

impl Default for Reductions {
    /// Our choice: a handful of ordered moves usually holds the best.
    fn default() -> Self {
        Reductions { after: 4, depth: 3 }
    }
}

impl Default for Realization {
    /// A move that is played once in four times costs a ply; the first five moves cost no more, as
    /// in MIA.
    fn default() -> Self {
        Realization { bits: 2.0, full: 5 }
    }
}

impl Default for MultiCut {
    /// Three of ten, two plies less, after Björnsson and Marsland, *Multi-Cut Alpha-Beta Pruning*
    /// (1999).
    fn default() -> Self {
        MultiCut { moves: 10, cuts: 3, reduction: 2 }
    }
}

/// What a move may cost in realization probability search: from half a ply to four. Our choice: no
/// line is looked at deeper than twice the depth, and none is given up altogether.
pub const COSTS: RangeInclusive<Depth> = PLY / 2..=4 * PLY;
/// A table of 16 MiB holds some 700,000 states: enough for some seconds, and quickly made.
pub const TABLE: usize = 16 << 20;
/// Half a pawn of chess.
pub const ASPIRATION: i32 = 50;
/// No sequence of captures that matters is longer.
pub const QUIESCENCE: u32 = 16;
/// Transposition cutoffs are looked for at nodes more than two plies from the leaves, as in MIA.
pub const ETC_DEPTH: u32 = 3;
