//! Every part of the search as plain data. A part that is off is `None` and leaves no trace.

use monteverde_game::Ties;

/// The configuration of a search.
#[derive(Clone, PartialEq, Debug)]
pub struct Config {
    /// The most plies that it looks ahead, quiescence and extensions aside; [`Limit::depth`] may say less.
    ///
    /// [`Limit::depth`]: monteverde_game::limit::Limit::depth
    pub depth: Option<u32>,
    /// Searches to depth 1, 2, 3 and so on, each with what the last has learnt. Off, it searches at once to its
    /// depth, which must then be given.
    pub deepening: bool,
    /// The bytes of the transposition table.
    pub table: Option<usize>,
    /// Principal variation search: every move but the first is searched with an empty window at first, which
    /// only tells whether it is better.
    pub pvs: bool,
    /// Deepening starts with a window of this half width around the last value.
    pub aspiration: Option<i32>,
    /// Orders loud moves by what they win, good ones before all others and losing ones last.
    pub gains: bool,
    /// Tries the last two quiet moves that were best or refuted something at the same ply early.
    pub killers: bool,
    /// Orders quiet moves by how well they did elsewhere.
    pub history: Option<History>,
    /// Takes a state for good enough if even passing is.
    pub null: Option<Null>,
    /// Searches late quiet moves less deep at first.
    pub reductions: Option<Reductions>,
    /// Takes a state for good enough if several moves are by a shallow search.
    pub multicut: Option<MultiCut>,
    /// Looks whether a move leads to a state for which the table knows a refutation, before any is searched, at
    /// nodes with at least that depth left.
    pub etc: Option<u32>,
    /// Goes on with loud moves at the horizon, for at most that many plies.
    pub quiescence: Option<u32>,
    /// Looks a ply further after a move that leaves an urgent state.
    pub extension: bool,
    /// Which of equally good moves is played. With [`Ties::Random`] the search works out for each move at the
    /// root whether it is as good as the best, which costs nodes.
    pub ties: Ties,
    /// Where the random numbers of [`Ties::Random`] start.
    pub seed: u64,
}

/// How the success of quiet moves is counted, see `order.rs`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum History {
    /// By the weight of their cutoffs.
    Plain,
    /// By that weight as a share of the weight of all their tries: the relative history heuristic, which the
    /// program MIA uses.
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

/// Multi-cut.
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
        multicut: None,
        etc: None,
        quiescence: None,
        extension: false,
        ties: Ties::First,
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
    /// Two plies, three where more than six are left, after Heinz, *Adaptive Null-Move Pruning* (1999).
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

impl Default for MultiCut {
    /// Three of ten, two plies less, after Björnsson and Marsland, *Multi-Cut Alpha-Beta Pruning* (1999).
    fn default() -> Self {
        MultiCut { moves: 10, cuts: 3, reduction: 2 }
    }
}

/// A table of 16 MiB holds some 700,000 states: enough for some seconds, and quickly made.
pub const TABLE: usize = 16 << 20;
/// Half a pawn of chess.
pub const ASPIRATION: i32 = 50;
/// No sequence of captures that matters is longer.
pub const QUIESCENCE: u32 = 16;
/// Transposition cutoffs are looked for at nodes more than two plies from the leaves, as in MIA.
pub const ETC_DEPTH: u32 = 3;
