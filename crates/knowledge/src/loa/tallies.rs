//! Mobility and walls: what the evaluation knows of single lines, from a table by the configuration
//! of the line.
//!
//! A move counts [`MOVE`] where its target is inside, half of that on the edge and a quarter in a
//! corner, and twice as much if it captures. A wall is an enemy piece on the edge whose move inward
//! along a line would have to jump over own pieces; it counts once for each such line.
//!
//! A [`Tally`] packs the four sums of a line, or of all lines, into one word, so that they are
//! added up together.

use monteverde_game::Side;
use monteverde_loa::Board;
use monteverde_loa::lines::LINES;

/// What a move to an inner square counts, so that all counts are whole.
pub(super) const MOVE: u32 = 4;

/// Mobility and walls of both sides, added up over some lines.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Tally(u32);

/// A side has at most 12 pieces with 8 moves each, each of which counts 8 at most; and no more than
/// 12 enemies with 3 lines inward. Ten and six bits hold that.
const MOBILITY_BITS: u32 = 10;
const WALLS_BITS: u32 = 6;
const WALLS_SHIFT: u32 = 2 * MOBILITY_BITS;

impl Tally {
    /// Of all lines.
    #[inline(always)]
    pub(super) fn of(board: &Board) -> Tally {
        let lines = board.lines();
        let mut sum = 0;
        for line in 0..LINES {
            sum += at(FIRST_TALLIES[line] + lines[line]);
        }
        Tally(sum)
    }

    /// What the moves of a side count.
    #[inline(always)]
    pub(super) const fn mobility(self, side: Side) -> i32 {
        (self.0 >> (side as u32 * MOBILITY_BITS) & ((1 << MOBILITY_BITS) - 1)) as i32
    }

    /// How many walls a side has built.
    #[inline(always)]
    pub(super) const fn walls(self, side: Side) -> i32 {
        (self.0 >> (WALLS_SHIFT + side as u32 * WALLS_BITS) & ((1 << WALLS_BITS) - 1)) as i32
    }
}

#[inline(always)]
fn at(entry: u16) -> u32 {
    TALLIES[entry as usize & (SIZE - 1)]
}

/// Lines differ by their length, and those of eight squares by where their ends lie.
#[derive(Clone, Copy)]
enum Class {
    /// Its inner squares lie inside, its ends on the edge, or, being shorter than eight squares,
    /// one end at least.
    Inner,
    /// All of it lies on the edge, its ends in corners.
    Edge,
    /// Its ends lie in corners.
    LongDiagonal,
}

/// The lines of less than eight squares have so many configurations; they all are of class
/// [`Class::Inner`].
const SHORT: usize = (3usize.pow(8) - 3) / 2;
/// A line of eight squares has so many configurations.
const LONG: usize = 3usize.pow(8);
/// More than all entries, and a power of two, so that no index is out of bounds.
pub(super) const SIZE: usize = 1 << 15;

pub(super) static FIRST_TALLIES: [u16; LINES] = first_tallies();
static TALLIES: [u32; SIZE] = tallies();

/// The tally of a line by its configuration plus what [`FIRST_TALLIES`] says of the line.
pub(super) const fn of_entry(entry: usize) -> Tally {
    Tally(TALLIES[entry])
}

const fn first_tallies() -> [u16; LINES] {
    let mut first = [0; LINES];
    let mut line = 0;
    while line < LINES {
        first[line] = match line {
            // Ranks 1 and 8, files a and h.
            0 | 7 | 8 | 15 => SHORT + LONG,
            // a1 to h8 and h1 to a8.
            23 | 38 => SHORT + 2 * LONG,
            1..16 => SHORT,
            16..31 => shorter(if line < 23 { line - 15 } else { 31 - line }),
            _ => shorter(if line < 38 { line - 30 } else { 46 - line }),
        } as u16;
        line += 1;
    }
    first
}

/// How many configurations all shorter lines have.
const fn shorter(length: usize) -> usize {
    (3usize.pow(length as u32) - 3) / 2
}

#[allow(long_running_const_eval)] // A second or so, once for each build.
const fn tallies() -> [u32; SIZE] {
    let mut table = [0; SIZE];
    let mut length = 1;
    while length <= 8 {
        let count = 3usize.pow(length as u32);
        let mut configuration = 0;
        while configuration < count {
            let [inner, edge, diagonal] = match length {
                8 => [SHORT, SHORT + LONG, SHORT + 2 * LONG],
                _ => [shorter(length); 3],
            };
            if length == 8 {
                table[edge + configuration] = tally(configuration, length, Class::Edge);
                table[diagonal + configuration] = tally(configuration, length, Class::LongDiagonal);
            }
            table[inner + configuration] = tally(configuration, length, Class::Inner);
            configuration += 1;
        }
        length += 1;
    }
    table
}

const fn tally(configuration: usize, length: usize, class: Class) -> u32 {
    // The squares of black and of white pieces.
    let (mut pieces, mut rest, mut position) = ([0u32; 2], configuration, 0);
    while position < length {
        if rest % 3 != 0 {
            pieces[rest % 3 - 1] |= 1 << position;
        }
        rest /= 3;
        position += 1;
    }
    let [black, white] = pieces;
    let (black_moves, walls_of_white) = moves(black, white, length, class);
    let (white_moves, walls_of_black) = moves(white, black, length, class);
    let walls = walls_of_black | walls_of_white << WALLS_BITS;
    black_moves | white_moves << MOBILITY_BITS | walls << WALLS_SHIFT
}

/// What the moves of one side count, and how many of its moves inward from the edge the enemy's
/// pieces stop.
const fn moves(own: u32, enemy: u32, length: usize, class: Class) -> (u32, u32) {
    let far = (own | enemy).count_ones() as usize;
    let (mut count, mut stopped) = (0, 0);
    let mut from = 0;
    while from < length {
        let mut way = 0;
        while way < 2 && own >> from & 1 != 0 {
            let forward = way == 0;
            let fits = if forward { from + far < length } else { from >= far };
            if fits {
                let (low, to) = if forward { (from, from + far) } else { (from - far, from - far) };
                let jumped = ((1 << (far - 1)) - 1) << (low + 1);
                let inward = if forward { from == 0 } else { from + 1 == length };
                if enemy & jumped != 0 {
                    let walls = inward && length > 2 && !matches!(class, Class::Edge);
                    stopped += walls as u32;
                } else if own >> to & 1 == 0 {
                    let takes = 1 + (enemy >> to & 1);
                    count += takes * worth(to == 0 || to + 1 == length, class);
                }
            }
            way += 1;
        }
        from += 1;
    }
    (count, stopped)
}

/// What a move counts that takes nothing.
const fn worth(to_an_end: bool, class: Class) -> u32 {
    match (class, to_an_end) {
        (Class::Inner | Class::LongDiagonal, false) => MOVE,
        (Class::Inner, true) | (Class::Edge, false) => MOVE / 2,
        (Class::Edge | Class::LongDiagonal, true) => MOVE / 4,
    }
}
