//! What an alpha-beta search asks about Lines of Action.

use super::category::{Category, region};
use super::shape::{NOT_H_FILE, crowded, neighbours};
use monteverde_game::{Game, Knowledge, Outlook};
use monteverde_loa::lines::{self, ENTRIES, LINES};
use monteverde_loa::{Board, Loa, Move, Square, bits};
use monteverde_minimax::{Rank, Tactics};

/// The tactics of the program MIA, with the evaluation of `K`: captures that make or break
/// connections are loud, captures towards the middle are tried early, and a move costs depth by the
/// probability of its category.
#[derive(Clone, Copy, Debug, Default)]
pub struct LoaTactics<K>(pub K);

impl<K: Knowledge<Loa>> Knowledge<Loa> for LoaTactics<K> {
    fn eval(&self, state: &Loa) -> Option<f32> {
        self.0.eval(state)
    }
    fn outlook(&self, state: &Loa) -> Option<Outlook> {
        self.0.outlook(state)
    }
}

impl<K: Knowledge<Loa>> Tactics<Loa> for LoaTactics<K> {
    /// How many connections the capture makes and breaks, holes aside: the Euler number of the own
    /// pieces falls by as much as units are joined, that of the enemy's rises by as much as units
    /// are split.
    fn loud(&self, state: &Loa, mv: Move) -> Option<i32> {
        let board = state.board();
        if !board.is_capture(mv) {
            return None;
        }
        let side = board.turn();
        let (own, enemy) = (board.pieces(side), board.pieces(side.other()));
        let after = own ^ (mv.from().bit() | mv.to().bit());
        let made = euler(own) - euler(after);
        let broken = euler(enemy ^ mv.to().bit()) - euler(enemy);
        (made > 0 || broken > 0).then_some((made + broken).max(0))
    }

    fn loud_moves(&self, state: &Loa, buffer: &mut Vec<Move>) {
        if state.board().is_connected(state.turn())
            || state.board().is_connected(state.turn().other())
        {
            return;
        }
        for_each_capture(state.board(), |mv| {
            if self.loud(state, mv).is_some() {
                buffer.push(mv);
            }
        });
    }

    /// Captures into the inner 4x4 squares, then captures onto the rim around them.
    #[inline(always)]
    fn rank(&self, state: &Loa, mv: Move) -> Rank {
        match state.board().is_capture(mv) {
            true => RANKS[mv.to().index()],
            false => Rank::Quiet,
        }
    }

    fn surprise(&self, state: &Loa, mv: Move) -> Option<f32> {
        Category::of(state.board(), mv).map(Category::surprise)
    }

    fn pass(&self, state: &mut Loa) -> bool {
        state.pass();
        true
    }
}

/// When a capture on each square is tried.
static RANKS: [Rank; 64] = ranks();

const fn ranks() -> [Rank; 64] {
    let mut ranks = [Rank::Quiet; 64];
    let mut square = 0;
    while square < 64 {
        ranks[square as usize] = match region(Square::new(square)) {
            3.. => Rank::Early(2),
            2 => Rank::Early(1),
            _ => Rank::Quiet,
        };
        square += 1;
    }
    ranks
}

/// The Euler number of the pieces: how many units they are, less the holes in them.
///
/// It is that of the complex of all sets of pieces that are neighbours of each other, which lie in
/// a 2x2 window: pieces less pairs, plus triples, less fours. A window with four pieces has four
/// triples.
#[inline(always)]
pub(super) fn euler(pieces: u64) -> i32 {
    let count = |set: u64| set.count_ones() as i32;
    let full = pieces & pieces >> 1 & pieces >> 8 & pieces >> 9 & NOT_H_FILE;
    let threes_and_fours = count(crowded(pieces) & NOT_H_FILE);
    count(pieces) - neighbours(pieces) + threes_and_fours + 2 * count(full)
}

/// The captures of the side to move, line by line.
#[inline(always)]
pub(super) fn for_each_capture(board: &Board, mut visit: impl FnMut(Move)) {
    let side = board.turn();
    let table = &CAPTURES[side as usize];
    for line in 0..LINES {
        let entry = lines::first_entry(line) + board.line(line) as usize;
        let [forward, backward] = table[entry];
        if forward | backward == 0 {
            continue;
        }
        let far = lines::reach(side, entry).distance as usize;
        let square = |position| lines::square(line, position);
        for from in bits(forward.into()).map(Square::index) {
            visit(Move::new(square(from), square(from + far)));
        }
        for from in bits(backward.into()).map(Square::index) {
            visit(Move::new(square(from), square(from - far)));
        }
    }
}

/// By side and configuration of a line, the squares of the line whose piece captures forward, and
/// backward.
static CAPTURES: [[[u8; 2]; ENTRIES]; 2] = [captures(1), captures(2)];

/// The table of the side whose pieces have that digit.
#[allow(long_running_const_eval)] // A second or so, once for each build.
const fn captures(digit: usize) -> [[u8; 2]; ENTRIES] {
    let mut table = [[0; 2]; ENTRIES];
    let (mut length, mut first) = (1, 0);
    while length <= 8 {
        let count = 3usize.pow(length);
        let mut configuration = 0;
        while configuration < count {
            table[first + configuration] = captures_of(configuration, length as usize, digit);
            configuration += 1;
        }
        first += count;
        length += 1;
    }
    table
}

const fn captures_of(configuration: usize, length: usize, digit: usize) -> [u8; 2] {
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
    let far = (own | enemy).count_ones();
    let mut found = [0, 0];
    let mut from = 0;
    while from < length as u32 && far > 0 {
        let jumped = (1u32 << (far - 1)) - 1;
        let moves = own >> from & 1 != 0;
        // Beyond the end of the line there are no enemies.
        if moves && enemy >> (from + far) & 1 != 0 && enemy & jumped << (from + 1) == 0 {
            found[0] |= 1 << from;
        }
        if moves && from >= far {
            let to = from - far;
            if enemy >> to & 1 != 0 && enemy & jumped << (to + 1) == 0 {
                found[1] |= 1 << from;
            }
        }
        from += 1;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::loa::LoaKnowledge;
    use monteverde_game::{Notation, Rng};
    use monteverde_loa::connection;

    fn random_states(count: usize) -> impl Iterator<Item = Loa> {
        let mut rng = Rng::new(3);
        let mut state = Loa::start();
        std::iter::repeat_with(move || {
            match state.sample(&mut rng) {
                Ok(mv) => state.play(mv),
                Err(_) => state = Loa::start(),
            }
            state.clone()
        })
        .take(count)
    }

    #[test]
    fn loud_moves_are_the_captures_that_change_connections() {
        let tactics = LoaTactics(LoaKnowledge::default());
        let mut louds = 0;
        for state in random_states(3_000) {
            let (mut all, mut loud) = (Vec::new(), Vec::new());
            state.moves(&mut all);
            let captures = all.iter().filter(|&&mv| state.board().is_capture(mv)).count();
            all.retain(|&mv| tactics.loud(&state, mv).is_some());
            tactics.loud_moves(&state, &mut loud);
            all.sort();
            loud.sort();
            assert_eq!(all, loud, "{state:?}");
            assert!(loud.len() <= captures);
            louds += loud.len();
        }
        assert!(louds > 1_000, "{louds}");
    }

    /// Units by flooding; states without holes have as many as the Euler number says, others fewer
    /// than that plus holes.
    #[test]
    fn the_euler_number_counts_units() {
        let mut equal = 0;
        for state in random_states(2_000) {
            let pieces = state.board().pieces(state.turn());
            let (mut units, mut rest) = (0, pieces);
            while rest != 0 {
                rest &= !connection::unit_of(rest & rest.wrapping_neg(), pieces);
                units += 1;
            }
            assert!(euler(pieces) <= units, "{state:?}");
            equal += i32::from(euler(pieces) == units);
        }
        assert!(equal > 1_800, "{equal}");
        // A ring around one square, and with the square in it.
        assert_eq!(euler(0x0007_0507 << 9), 0);
        assert_eq!(euler(0x0007_0707 << 9), 1);
    }

    #[test]
    fn a_pass_leaves_a_whole_state_of_the_other_side() {
        let mut state = Loa::start();
        let same =
            Loa::parse_state("1xxxxxx1/o6o/o6o/o6o/o6o/o6o/o6o/1xxxxxx1 w").expect("a state");
        assert!(LoaTactics(LoaKnowledge::default()).pass(&mut state));
        assert_eq!((state.turn(), state.key()), (same.turn(), same.key()));
        assert_eq!(state.occurrences(), 1);
    }
}
