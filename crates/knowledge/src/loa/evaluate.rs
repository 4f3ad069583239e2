//! The evaluation: nine features, each of the own side less the enemy's, times their weights.

use super::shape::{Shape, Sums};
use super::tallies::Tally;
use super::values::Values;
use super::weights::Weights;
use monteverde_game::Side;
use monteverde_game::isa::{self, Isa, Task};
use monteverde_game::playout_knowledge::{EvalCache, LOST, Tries, WON};
use monteverde_loa::{Board, Move, NoMove, Simultaneous, connection};

/// How many features there are.
pub const FEATURES: usize = 9;

/// Their names, in the order of all tables.
pub const NAMES: [&str; FEATURES] = [
    "concentration",
    "centralisation",
    "centre",
    "quads",
    "mobility",
    "walls",
    "connectedness",
    "uniformity",
    "turn",
];

/// The static value of the board for the side to move, in points; it knows nothing of the end of a
/// game.
pub fn eval(weights: &Weights, board: &Board) -> i32 {
    let terms = features(board).into_iter().zip(weights.values());
    weights.points(terms.map(|(feature, weight)| feature * weight).sum())
}

/// The same by an evaluator's tables.
pub(super) fn value(values: &Values, board: &Board) -> i32 {
    isa::run(Eval { values, board })
}

/// The features of the board for the side to move, each less the enemy's: what [`eval`] multiplies
/// by its weights.
pub fn features(board: &Board) -> [i32; FEATURES] {
    let tally = Tally::of(board);
    let of = |side: Side| {
        let shape = Shape::of(board.pieces(side));
        [
            shape.concentration,
            shape.centralisation,
            shape.centre,
            shape.quads,
            tally.mobility(side),
            tally.walls(side),
            shape.connectedness,
            shape.uniformity,
        ]
    };
    let (own, enemy) = (of(board.turn()), of(board.turn().other()));
    let mut features = [1; FEATURES];
    for (feature, (own, enemy)) in features.iter_mut().zip(own.iter().zip(enemy)) {
        *feature = own - enemy;
    }
    features
}

/// Hands over for each of the legal moves, up to the first that is enough, what it leads to, for
/// the side that plays it: minus [`eval`] of the board after it, or [`WON`], 0 or [`LOST`] where
/// the game is over there, repetitions aside.
pub(super) fn evals_up_to(
    values: &Values,
    board: &Board,
    tries: Tries<'_, Move>,
    evals: &mut Vec<f32>,
) {
    isa::run(Successors { values, board, tries, evals });
}

/// What the evaluation knows of a board.
pub(super) fn eval_cache(values: &Values, board: &Board) -> EvalCache {
    isa::run(Cache { values, board })
}

/// The same after a move, from that of the board before it.
pub(super) fn eval_cache_after(
    values: &Values,
    board: &Board,
    cache: &EvalCache,
    mv: Move,
) -> EvalCache {
    isa::run(CacheAfter { values, board, cache, mv })
}

struct Eval<'a> {
    values: &'a Values,
    board: &'a Board,
}

impl Task for Eval<'_> {
    type Output = i32;

    #[inline(always)]
    fn run<I: Isa>(self, _: I) -> i32 {
        let Eval { values, board } = self;
        Seen::of(values, board).value(values, board.turn())
    }
}

struct Cache<'a> {
    values: &'a Values,
    board: &'a Board,
}

impl Task for Cache<'_> {
    type Output = EvalCache;

    #[inline(always)]
    fn run<I: Isa>(self, _: I) -> EvalCache {
        Seen::of(self.values, self.board).pack()
    }
}

struct CacheAfter<'a> {
    values: &'a Values,
    board: &'a Board,
    cache: &'a EvalCache,
    mv: Move,
}

impl Task for CacheAfter<'_> {
    type Output = EvalCache;

    #[inline(always)]
    fn run<I: Isa>(self, _: I) -> EvalCache {
        let CacheAfter { values, board, cache, mv } = self;
        let seen = Seen::unpack(cache);
        match mv.is_pass() {
            true => seen.turned(),
            false => seen.after(values, board, (mv, Pieces::of(board).after(mv))),
        }
        .pack()
    }
}

struct Successors<'a> {
    values: &'a Values,
    board: &'a Board,
    tries: Tries<'a, Move>,
    evals: &'a mut Vec<f32>,
}

impl Task for Successors<'_> {
    type Output = ();

    #[inline(always)]
    fn run<I: Isa>(self, _: I) {
        let Successors { values, board, tries: Tries { moves, enough, cache }, evals } = self;
        let (seen, pieces) = (Seen::unpack(cache), Pieces::of(board));
        let is_last = board.plies() + 1 >= board.rules().plies;
        evals.reserve(moves.len());
        // A plain loop: code in a closure would not be compiled for the instruction set.
        for &mv in moves {
            let ended = |value| if is_last { 0.0 } else { value };
            let eval = if mv.is_pass() {
                ended(-seen.turned().value(values, board.turn().other()) as f32)
            } else {
                let after = pieces.after(mv);
                match connected(board, after, mv) {
                    Some(value) => value,
                    None => {
                        let seen = seen.after(values, board, (mv, after));
                        ended(-seen.value(values, board.turn().other()) as f32)
                    }
                }
            };
            evals.push(eval);
            if eval >= enough {
                return;
            }
        }
    }
}

/// The pieces of both sides.
#[derive(Clone, Copy)]
pub(super) struct Pieces {
    /// Those of the side to move; after a move, of the side that made it.
    pub(super) own: u64,
    pub(super) enemy: u64,
}

impl Pieces {
    #[inline(always)]
    pub(super) fn of(board: &Board) -> Pieces {
        let side = board.turn();
        Pieces { own: board.pieces(side), enemy: board.pieces(side.other()) }
    }

    /// After a move, which is not a pass.
    #[inline(always)]
    pub(super) fn after(self, mv: Move) -> Pieces {
        let (from, to) = (mv.from().bit(), mv.to().bit());
        Pieces { own: self.own ^ (from | to), enemy: self.enemy & !to }
    }
}

/// What the evaluation knows of a board; an [`EvalCache`] in plain words.
#[derive(Clone, Copy)]
pub(super) struct Seen {
    /// What lines count for the first side less what they count for the second.
    lines: i32,
    /// The side to move.
    own: SeenSide,
    enemy: SeenSide,
}

/// What it knows of a side.
#[derive(Clone, Copy)]
struct SeenSide {
    sums: Sums,
    /// What the shape of its pieces counts.
    shape: i32,
}

impl Seen {
    #[inline(always)]
    pub(super) fn of(values: &Values, board: &Board) -> Seen {
        let pieces = Pieces::of(board);
        Seen {
            lines: values.of_lines(board),
            own: SeenSide::new(values, pieces.own, Sums::of(pieces.own)),
            enemy: SeenSide::new(values, pieces.enemy, Sums::of(pieces.enemy)),
        }
    }

    /// After a move, which is not a pass, to these pieces.
    #[inline(always)]
    pub(super) fn after(
        &self,
        values: &Values,
        board: &Board,
        (mv, pieces): (Move, Pieces),
    ) -> Seen {
        let rest = pieces.own ^ mv.to().bit();
        let sums = self.own.sums.without(mv.from(), rest).with(mv.to(), rest);
        let enemy = match board.is_capture(mv) {
            false => self.enemy,
            true => {
                let sums = self.enemy.sums.without(mv.to(), pieces.enemy);
                SeenSide::new(values, pieces.enemy, sums)
            }
        };
        Seen {
            lines: values.of_lines_after(self.lines, board, mv),
            own: enemy,
            enemy: SeenSide::new(values, pieces.own, sums),
        }
    }

    /// After a pass.
    #[inline(always)]
    fn turned(self) -> Seen {
        Seen { own: self.enemy, enemy: self.own, ..self }
    }

    /// The static value for `side`, which is to move.
    #[inline(always)]
    pub(super) fn value(&self, values: &Values, side: Side) -> i32 {
        let lines = if side == Side::First { self.lines } else { -self.lines };
        let weights = &values.weights;
        weights.points(self.own.shape - self.enemy.shape + lines + weights.turn)
    }

    #[inline(always)]
    fn pack(&self) -> EvalCache {
        let Seen { lines, own, enemy } = self;
        let shapes = u64::from(own.shape as u32) | u64::from(enemy.shape as u32) << 32;
        EvalCache([own.sums.to_bits(), enemy.sums.to_bits(), shapes, u64::from(*lines as u32)])
    }

    #[inline(always)]
    fn unpack(&EvalCache([own, enemy, shapes, lines]): &EvalCache) -> Seen {
        let side = |sums, shape: u64| SeenSide { sums: Sums::from_bits(sums), shape: shape as i32 };
        Seen { lines: lines as i32, own: side(own, shapes), enemy: side(enemy, shapes >> 32) }
    }
}

impl SeenSide {
    #[inline(always)]
    fn new(values: &Values, pieces: u64, sums: Sums) -> SeenSide {
        SeenSide { sums, shape: values.of_shape(pieces, sums) }
    }
}

/// The value for the side to move of the game that ends by its move, if it does.
#[inline(always)]
pub(super) fn connected(board: &Board, after: Pieces, mv: Move) -> Option<f32> {
    let enemy = board.is_capture(mv) && connection::is_connected(after.enemy);
    match (connection::is_connected(after.own), enemy) {
        (false, false) => None,
        (true, false) => Some(WON),
        (false, true) => Some(LOST),
        (true, true) => Some(match board.rules().simultaneous {
            Simultaneous::Draw => 0.0,
            Simultaneous::Mover => WON,
        }),
    }
}

/// Whether [`evals_up_to`] knows how games end by these rules: not where a side loses that cannot
/// move.
#[inline(always)]
pub(super) fn knows_the_end(board: &Board) -> bool {
    board.rules().no_move == NoMove::Pass
}
