//! The evaluation: nine features, each of the own side less the enemy's, times their weights.

use super::shape::{Shape, Sums};
use super::tallies::{Lines, Tally};
use super::weights::Weights;
use monteverde_game::Side;
use monteverde_game::isa::{self, Isa, Task};
use monteverde_game::knowledge::{LOST, Tries, WON};
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

/// The static value of the board for the side to move, in points; it knows nothing of the end of a game.
pub fn eval(weights: &Weights, board: &Board) -> i32 {
    isa::run(Eval { weights, board })
}

/// The features of the board for the side to move, each less the enemy's: what [`eval`] multiplies by its weights.
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

/// Hands over for each of the legal moves, up to the first that is enough, what it leads to, for the side that plays
/// it: minus [`eval`] of the board after it, or [`WON`], 0 or [`LOST`] where the game is over there, repetitions aside.
pub(super) fn evals_up_to(
    weights: &Weights,
    board: &Board,
    tries: Tries<'_, Move>,
    evals: &mut Vec<f32>,
) {
    isa::run(Successors { weights, board, tries, evals });
}

struct Eval<'a> {
    weights: &'a Weights,
    board: &'a Board,
}

impl Task for Eval<'_> {
    type Output = i32;

    #[inline(always)]
    fn run<I: Isa>(self, _: I) -> i32 {
        let Eval { weights, board } = self;
        let side = board.turn();
        let tally = Tally::of(board);
        let own = weights.of_shape(&Shape::of(board.pieces(side))) + weights.of_tally(tally, side);
        let other = side.other();
        let enemy =
            weights.of_shape(&Shape::of(board.pieces(other))) + weights.of_tally(tally, other);
        weights.points(own - enemy + weights.turn)
    }
}

struct Successors<'a> {
    weights: &'a Weights,
    board: &'a Board,
    tries: Tries<'a, Move>,
    evals: &'a mut Vec<f32>,
}

impl Task for Successors<'_> {
    type Output = ();

    #[inline(always)]
    fn run<I: Isa>(self, _: I) {
        let Successors { weights, board, tries: Tries { moves, enough }, evals } = self;
        let before = Before::of(weights, board);
        let is_last = board.plies() + 1 >= board.rules().plies;
        evals.reserve(moves.len());
        // A plain loop: code in a closure would not be compiled for the instruction set.
        for &mv in moves {
            let eval = match before.value_after(mv) {
                Ok(_) if is_last => 0.0,
                Ok(value) => value as f32,
                Err(ended) => ended,
            };
            evals.push(eval);
            if eval >= enough {
                return;
            }
        }
    }
}

/// A board before a move, with what its moves have in common.
struct Before<'a> {
    weights: &'a Weights,
    board: &'a Board,
    lines: Lines,
    own: u64,
    own_sums: Sums,
    enemy: u64,
    enemy_sums: Sums,
    /// What the shape of the enemy's pieces counts.
    enemy_shape: i32,
}

impl Before<'_> {
    #[inline(always)]
    fn of<'a>(weights: &'a Weights, board: &'a Board) -> Before<'a> {
        let side = board.turn();
        let (own, enemy) = (board.pieces(side), board.pieces(side.other()));
        let enemy_sums = Sums::of(enemy);
        Before {
            weights,
            board,
            lines: Lines::of(board),
            own,
            own_sums: Sums::of(own),
            enemy,
            enemy_sums,
            enemy_shape: weights.of_shape(&Shape::new(enemy, enemy_sums)),
        }
    }

    /// The value of the board after the move, for the side that plays it; as an error that of the game that ends by it.
    #[inline(always)]
    fn value_after(&self, mv: Move) -> Result<i32, f32> {
        let &Before { weights, board, mut own, mut own_sums, .. } = self;
        let side = board.turn();
        let (mut tally, mut enemy_value) = (self.lines.tally(), self.enemy_shape);
        if !mv.is_pass() {
            let to = mv.to().bit();
            let rest = own ^ mv.from().bit();
            own = rest | to;
            own_sums = own_sums.without(mv.from(), rest).with(mv.to(), rest);
            let enemy = self.enemy & !to;
            if let Some(ended) = connected(board, own, enemy, mv) {
                return Err(ended);
            }
            if enemy != self.enemy {
                let sums = self.enemy_sums.without(mv.to(), enemy);
                enemy_value = weights.of_shape(&Shape::new(enemy, sums));
            }
            tally = self.lines.tally_after(board, mv);
        }
        let own_shape = weights.of_shape(&Shape::new(own, own_sums));
        let own_value = own_shape + weights.of_tally(tally, side);
        enemy_value += weights.of_tally(tally, side.other());
        // Minus what it is for the enemy, who is to move.
        Ok(-weights.points(enemy_value - own_value + weights.turn))
    }
}

/// The value for the side to move of the game that ends by its move, if it does.
#[inline(always)]
fn connected(board: &Board, own: u64, enemy: u64, mv: Move) -> Option<f32> {
    let enemy = board.is_capture(mv) && connection::is_connected(enemy);
    match (connection::is_connected(own), enemy) {
        (false, false) => None,
        (true, false) => Some(WON),
        (false, true) => Some(LOST),
        (true, true) => Some(match board.rules().simultaneous {
            Simultaneous::Draw => 0.0,
            Simultaneous::Mover => WON,
        }),
    }
}

/// Whether [`evals_up_to`] knows how games end by these rules: not where a side loses that cannot move.
#[inline(always)]
pub(super) fn knows_the_end(board: &Board) -> bool {
    board.rules().no_move == NoMove::Pass
}
