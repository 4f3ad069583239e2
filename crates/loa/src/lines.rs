//! The lines of the board, and what can move on a line by its configuration.
//!
//! There are 46 lines: ranks 1 to 8 are numbers 0 to 7, files a to h 8 to 15, the diagonals that
//! rise to the right 16 to 30 (that of a8 first, that of h1 last), those that rise to the left 31
//! to 45 (that of a1 first, that of h8 last). The squares of a line are numbered from its lowest
//! rank, those of a rank from the a-file; this is *forward*.
//!
//! The configuration of a line is a number in base 3: the digit of its square number `p`, with
//! weight `3^p`, is 0 where the square is empty, 1 for a black piece and 2 for a white one. A line
//! of `n` squares has `3^n` configurations, so that whatever depends on a line alone is a table.
//! [`ENTRIES`] numbers the configurations of all lengths one after another, and [`first_entry`]
//! tells where those of a line begin.

use crate::Square;
use monteverde_game::Side;

/// How many lines there are.
pub const LINES: usize = 46;

/// The four directions in which lines run.
pub const AXES: usize = 4;

/// How many squares it is, by number, from one square of a line to the next, by axis: along a rank,
/// along a file, up to the right, up to the left.
pub const STEPS: [u8; AXES] = [1, 8, 9, 7];

/// The configurations of lines of 1 to 8 squares, all together.
pub const ENTRIES: usize = 9840;

/// A square as one of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// The number of the line.
    pub line: u8,
    /// The number of the square on the line, 0 to 7.
    pub position: u8,
    /// The weight of its digit, 3 to the power of `position`.
    pub weight: u16,
    /// [`first_entry`] of the line.
    pub first_entry: u16,
}

/// What the pieces of one side can do on a line of a given configuration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reach {
    /// The squares, by their number on the line, whose piece can move forward.
    pub forward: u8,
    /// The squares whose piece can move backward.
    pub backward: u8,
    /// How far each goes: how many pieces there are on the line.
    pub distance: u8,
    /// How many moves that is.
    pub count: u8,
}

/// The lines through a square, by axis.
#[inline(always)]
pub const fn lines_of(square: Square) -> &'static [Place; AXES] {
    &PLACES[square.index()]
}

/// How a move goes from one square to another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct LineMove {
    /// The axis of the line that both are on.
    pub(crate) axis: u8,
    /// How many squares it goes; 0 where there is no such line.
    pub(crate) distance: u8,
    /// Whether it goes forward.
    pub(crate) is_forward: bool,
}

/// How a move goes from one square to another.
#[inline(always)]
pub(crate) fn way(from: Square, to: Square) -> LineMove {
    WAYS[from.index()][to.index()]
}

/// How many squares a line has.
///
/// # Panics
/// If there is no line of that number.
#[inline(always)]
pub const fn length(line: usize) -> usize {
    LENGTHS[line] as usize
}

/// The axis of a line, 0 to 3.
///
/// # Panics
/// If there is no line of that number.
pub const fn axis(line: usize) -> usize {
    match line {
        0..8 => 0,
        8..16 => 1,
        16..31 => 2,
        31..LINES => 3,
        _ => panic!("there are 46 lines"),
    }
}

/// A square of a line.
///
/// # Panics
/// If there is no such line, or it has no such square.
pub const fn square(line: usize, position: usize) -> Square {
    assert!(position < length(line));
    Square::new(FIRST_SQUARES[line] + position as u8 * STEPS[axis(line)])
}

/// The entry of a line's configuration 0 among those of all lengths: what is added to a
/// configuration to index a table of [`ENTRIES`].
///
/// # Panics
/// If there is no line of that number.
#[inline(always)]
pub const fn first_entry(line: usize) -> usize {
    FIRST_ENTRIES[line] as usize
}

/// What a side can do on a line, by [`first_entry`] of the line plus its configuration. Meaningless
/// where the number is not below [`ENTRIES`].
#[inline(always)]
pub fn reach(side: Side, entry: usize) -> Reach {
    REACH[side as usize][entry % ROOM]
}

static WAYS: [[LineMove; 64]; 64] = ways();
static PLACES: [[Place; AXES]; 64] = places();
static LENGTHS: [u8; LINES] = lengths();
static FIRST_SQUARES: [u8; LINES] = first_squares();
static FIRST_ENTRIES: [u16; LINES] = first_entries();
/// More than [`ENTRIES`], and a power of two, so that no index is out of bounds.
const ROOM: usize = ENTRIES.next_power_of_two();
static REACH: [[Reach; ROOM]; 2] = [reaches(1), reaches(2)];

const fn places() -> [[Place; AXES]; 64] {
    let mut places = [[place(0, 0); AXES]; 64];
    let mut square = 0;
    while square < 64 {
        let (file, rank) = (square as u8 & 7, square as u8 >> 3);
        places[square as usize] = [
            place(rank, file),
            place(8 + file, rank),
            place(16 + 7 + file - rank, min(file, rank)),
            place(31 + file + rank, min(7 - file, rank)),
        ];
        square += 1;
    }
    places
}

const fn ways() -> [[LineMove; 64]; 64] {
    let places = places();
    let mut ways = [[LineMove { axis: 0, distance: 0, is_forward: false }; 64]; 64];
    let mut pair = 0;
    while pair < 64 * 64 {
        let (from, to) = (pair / 64, pair % 64);
        let mut axis = 0;
        while axis < AXES {
            let (start, end) = (places[from][axis], places[to][axis]);
            if start.line == end.line && from != to {
                ways[from][to] = LineMove {
                    axis: axis as u8,
                    distance: start.position.abs_diff(end.position),
                    is_forward: start.position < end.position,
                };
            }
            axis += 1;
        }
        pair += 1;
    }
    ways
}

const fn place(line: u8, position: u8) -> Place {
    let first_entry = first_entry_of_length(length_of(line)) as u16;
    Place { line, position, weight: 3u16.pow(position as u32), first_entry }
}

const fn length_of(line: u8) -> usize {
    match line {
        0..16 => 8,
        16..31 => 8 - 23usize.abs_diff(line as usize),
        _ => 8 - 38usize.abs_diff(line as usize),
    }
}

const fn min(a: u8, b: u8) -> u8 {
    if a < b { a } else { b }
}

const fn lengths() -> [u8; LINES] {
    let places = places();
    let mut lengths = [0; LINES];
    let mut square = 0;
    while square < 64 {
        let mut axis = 0;
        while axis < AXES {
            lengths[places[square][axis].line as usize] += 1;
            axis += 1;
        }
        square += 1;
    }
    lengths
}

const fn first_squares() -> [u8; LINES] {
    let places = places();
    let mut first = [0; LINES];
    let mut square = 0;
    while square < 64 {
        let mut axis = 0;
        while axis < AXES {
            let Place { line, position, .. } = places[square][axis];
            if position == 0 {
                first[line as usize] = square as u8;
            }
            axis += 1;
        }
        square += 1;
    }
    first
}

const fn first_entries() -> [u16; LINES] {
    let lengths = lengths();
    let mut first = [0; LINES];
    let mut line = 0;
    while line < LINES {
        first[line] = first_entry_of_length(lengths[line] as usize) as u16;
        line += 1;
    }
    first
}

/// 3 + 9 + ... over all shorter lengths.
const fn first_entry_of_length(length: usize) -> usize {
    (3usize.pow(length as u32) - 3) / 2
}

/// The table of the side whose pieces have that digit.
#[allow(long_running_const_eval)] // Some seconds at most, once for each build.
const fn reaches(digit: u16) -> [Reach; ROOM] {
    let mut table = [Reach { forward: 0, backward: 0, distance: 0, count: 0 }; ROOM];
    let mut length = 1;
    while length <= 8 {
        let first = first_entry_of_length(length);
        let mut configuration = 0;
        while first + configuration < first_entry_of_length(length + 1) {
            table[first + configuration] = reach_of(configuration as u16, length, digit);
            configuration += 1;
        }
        length += 1;
    }
    table
}

const fn reach_of(configuration: u16, length: usize, digit: u16) -> Reach {
    let (mut own, mut enemy, mut rest, mut position) = (0u32, 0u32, configuration, 0);
    while position < length {
        if rest % 3 == digit {
            own |= 1 << position;
        } else if rest % 3 != 0 {
            enemy |= 1 << position;
        }
        rest /= 3;
        position += 1;
    }
    let distance = (own | enemy).count_ones() as usize;
    let (mut forward, mut backward) = (0, 0);
    let mut from = 0;
    while from < length && distance > 0 {
        if own >> from & 1 != 0 {
            // The squares that are jumped over, as many as the distance less one.
            let jumped = (1u32 << (distance - 1)) - 1;
            let to = from + distance;
            if to < length && own >> to & 1 == 0 && enemy & jumped << (from + 1) == 0 {
                forward |= 1 << from;
            }
            if from >= distance {
                let to = from - distance;
                if own >> to & 1 == 0 && enemy & jumped << (to + 1) == 0 {
                    backward |= 1 << from;
                }
            }
        }
        from += 1;
    }
    let count = u8::count_ones(forward) + u8::count_ones(backward);
    Reach { forward, backward, distance: distance as u8, count: count as u8 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_and_squares_are_inverse() {
        let mut seen = 0;
        for line in 0..LINES {
            for position in 0..length(line) {
                let place = lines_of(square(line, position))[axis(line)];
                assert_eq!((place.line as usize, place.position as usize), (line, position));
                assert_eq!(u32::from(place.weight), 3u32.pow(position as u32));
                assert_eq!(usize::from(place.first_entry), first_entry(line));
                seen += 1;
            }
            assert_eq!(first_entry(line) * 2 + 3, 3usize.pow(length(line) as u32));
        }
        assert_eq!(seen, 64 * AXES);
        assert_eq!(first_entry(0) + 3usize.pow(8), ENTRIES);
    }

    #[test]
    fn lines_lie_where_the_docs_say() {
        let on = |name: &str| lines_of(name.parse().expect("a square")).map(|place| place.line);
        assert_eq!(on("a1"), [0, 8, 23, 31]);
        assert_eq!(on("h1"), [0, 15, 30, 38]);
        assert_eq!(on("a8"), [7, 8, 16, 38]);
        assert_eq!(on("c5"), [4, 10, 21, 37]);
    }

    /// Lines with x for Black, o for White, and the moves of Black as pairs of square numbers.
    #[test]
    fn pieces_go_as_far_as_there_are_pieces() {
        let check = |line: &str, moves: &[(usize, usize)]| {
            let digit = |c| match c {
                'x' => 1,
                'o' => 2,
                _ => 0,
            };
            let configuration = line.chars().rev().fold(0, |sum, c| sum * 3 + digit(c));
            let reach = reach(Side::First, first_entry_of_length(line.len()) + configuration);
            let mut found = Vec::new();
            for from in 0..line.len() {
                if reach.backward >> from & 1 != 0 {
                    found.push((from, from - usize::from(reach.distance)));
                }
                if reach.forward >> from & 1 != 0 {
                    found.push((from, from + usize::from(reach.distance)));
                }
            }
            assert_eq!(found, moves, "{line}");
            assert_eq!(usize::from(reach.count), moves.len(), "{line}");
        };
        check("........", &[]);
        check("...x....", &[(3, 2), (3, 4)]);
        check("x.......", &[(0, 1)]);
        // Onto an enemy, not over one; over an own piece, not onto one.
        check("x.o.....", &[(0, 2)]);
        check("xo......", &[]);
        check("..x.x...", &[(2, 0), (4, 6)]);
        check("..xx....", &[(2, 0), (2, 4), (3, 1), (3, 5)]);
        check("..xxx...", &[(2, 5), (3, 0), (3, 6), (4, 1), (4, 7)]);
        check("xxxxxxxx", &[]);
        check("x", &[]);
        check("xx", &[]);
        check(".x", &[(1, 0)]);
    }
}
