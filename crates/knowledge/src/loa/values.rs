//! An evaluator's weights multiplied out into tables, so that a board is valued by sums of
//! look-ups.

use super::shape::{AROUND, Sums, concentration, distances, mean, off_centre, quads, uniformity};
use super::tallies::{self, FIRST_TALLIES, SIZE};
use super::weights::Weights;
use monteverde_game::Side;
use monteverde_loa::lines::{self, AXES, LINES};
use monteverde_loa::{Board, Move, Square};

/// What an evaluator values.
#[derive(Debug)]
pub(super) struct Values {
    pub(super) weights: Weights,
    /// What a line counts for the first side less what it counts for the second, by its
    /// configuration plus what [`FIRST_TALLIES`] says of the line.
    lines: [i16; ENTRIES],
    /// What the shape of so many pieces counts.
    shapes: [Shapes; 16],
}

/// As many as a `u16` can number, so that no index is out of bounds.
const ENTRIES: usize = 1 << 16;

/// What the shape of a side counts that has a certain number of pieces. Tables are as long as
/// powers of two, so that no index is out of bounds.
#[derive(Clone, Copy, Debug)]
struct Shapes {
    /// By the sum of distances from the centre of mass.
    concentration: [i32; 128],
    /// By how far the sums of files and ranks are from those of the centre of the board.
    centre: [i32; 256],
    /// By the number of pairs of neighbours.
    connectedness: [i32; 64],
    /// How far a sum of files or ranks is from that of the centre.
    off_centre: [u8; 128],
}

impl Values {
    pub(super) const fn new(weights: Weights) -> Values {
        let mut lines = [0; ENTRIES];
        let mut entry = 0;
        while entry < SIZE {
            let tally = tallies::of_entry(entry);
            let value =
                weights.of_tally(tally, Side::First) - weights.of_tally(tally, Side::Second);
            lines[entry] = value as i16;
            assert!(lines[entry] as i32 == value, "a line counts too much for a table");
            entry += 1;
        }
        let mut shapes = [Shapes::new(&weights, 0); 16];
        let mut pieces = 1;
        while pieces <= Board::MOST_PIECES {
            shapes[pieces as usize] = Shapes::new(&weights, pieces);
            pieces += 1;
        }
        Values { weights, lines, shapes }
    }

    /// What the shape of pieces with these sums counts.
    #[inline(always)]
    pub(super) fn of_shape(&self, pieces: u64, sums: Sums) -> i32 {
        let mass = sums.mass();
        let around = &AROUND[mass.square().index()];
        let shapes = &self.shapes[mass.pieces as usize & 15];
        let off = |sum: u32| shapes.off_centre[sum as usize & 127];
        let off_centre = usize::from(off(mass.files)) + usize::from(off(mass.ranks));
        let weights = &self.weights;
        shapes.concentration[distances(pieces, around) & 127]
            + shapes.centre[off_centre & 255]
            + shapes.connectedness[sums.pairs() as usize & 63]
            + weights.centralisation * mean(sums.worth(), mass.pieces)
            + weights.quads * quads(pieces, around)
            + weights.uniformity * uniformity(pieces)
    }

    /// What all lines count for the first side less what they count for the second.
    #[inline(always)]
    pub(super) fn of_lines(&self, board: &Board) -> i32 {
        let lines = board.lines();
        let mut sum = 0;
        for line in 0..LINES {
            sum += self.at(FIRST_TALLIES[line] + lines[line]);
        }
        sum
    }

    /// The same after a move, which is not a pass: only the lines of two squares change.
    #[inline(always)]
    pub(super) fn of_lines_after(&self, before: i32, board: &Board, mv: Move) -> i32 {
        let side = board.turn();
        let own = side as u16 + 1;
        let arriving = match board.is_capture(mv) {
            true => own.wrapping_sub(side.other() as u16 + 1),
            false => own,
        };
        let mut sum = before;
        let lines = board.lines();
        let (sources, targets) = (&PLACES[mv.from().index()], &PLACES[mv.to().index()]);
        for axis in 0..AXES {
            let (from, to) = (&sources[axis], &targets[axis]);
            let source = from.first_tally + lines[from.line as usize];
            let leaving = from.weight * own;
            sum += self.at(source - leaving) - self.at(source);
            // The line of the move is one of both squares: the piece arrives where it has left.
            let left = if from.line == to.line { leaving } else { 0 };
            let target = to.first_tally + lines[to.line as usize] - left;
            let arrived = target.wrapping_add(to.weight.wrapping_mul(arriving));
            sum += self.at(arrived) - self.at(target);
        }
        sum
    }

    #[inline(always)]
    fn at(&self, entry: u16) -> i32 {
        self.lines[entry as usize].into()
    }
}

impl Shapes {
    const fn new(weights: &Weights, pieces: u32) -> Shapes {
        let mut shapes = Shapes {
            concentration: [0; 128],
            centre: [0; 256],
            connectedness: [0; 64],
            off_centre: [0; 128],
        };
        let mut sum = 0;
        while sum < 256 && pieces > 0 {
            let number = sum as usize;
            if sum < 128 {
                shapes.concentration[number] = weights.concentration * concentration(pieces, sum);
                shapes.off_centre[number] = off_centre(sum as u32, pieces) as u8;
            }
            if sum < 64 {
                shapes.connectedness[number] = weights.connectedness * mean(2 * sum, pieces);
            }
            shapes.centre[number] = -weights.centre * mean(sum, pieces);
            sum += 1;
        }
        shapes
    }
}

/// A square as one of a line.
#[derive(Clone, Copy)]
struct Place {
    line: u16,
    /// The weight of its digit.
    weight: u16,
    /// What [`FIRST_TALLIES`] says of the line.
    first_tally: u16,
}

static PLACES: [[Place; AXES]; 64] = places();

const fn places() -> [[Place; AXES]; 64] {
    let mut places = [[Place { line: 0, weight: 0, first_tally: 0 }; AXES]; 64];
    let mut square = 0;
    while square < 64 {
        let lines = lines::lines_of(Square::new(square as u8));
        let mut axis = 0;
        while axis < AXES {
            let lines::Place { line, weight, .. } = lines[axis];
            let first_tally = FIRST_TALLIES[line as usize];
            places[square][axis] = Place { line: line as u16, weight, first_tally };
            axis += 1;
        }
        square += 1;
    }
    places
}
