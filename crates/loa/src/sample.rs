//! One random legal move without listing them all, and whole playouts. Both work on the pieces
//! alone.

use crate::ending::Ending;
use crate::{Board, Move, NoMove, Square, bits, connection};
use monteverde_game::isa::{self, Isa, Task};
use monteverde_game::{Rng, Side};

/// A uniformly random legal move of the side whose pieces are `own`, `None` if it has none.
///
/// A piece and a direction are drawn until they are a move. Every pair is as likely as every other,
/// so every legal move is too. Of the pairs of a usual board more than a third are moves; where
/// many draws have failed, the moves are listed.
pub(crate) fn sample(own: u64, enemy: u64, rng: &mut Rng) -> Option<Move> {
    isa::run(Sample { own, enemy, rng })
}

struct Sample<'a> {
    own: u64,
    enemy: u64,
    rng: &'a mut Rng,
}

impl Task for Sample<'_> {
    type Output = Option<Move>;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Option<Move> {
        draw(isa, self.own, self.enemy, self.rng)
    }
}

#[inline(always)]
fn draw<I: Isa>(isa: I, own: u64, enemy: u64, rng: &mut Rng) -> Option<Move> {
    let pairs = own.count_ones() * DIRECTIONS;
    for _ in 0..MOST_TRIES {
        let pair = rng.below(pairs);
        let from = Square::wrap(isa.nth(own, pair / DIRECTIONS));
        let mv = target(own, enemy, from, pair % DIRECTIONS);
        if mv.is_some() {
            return mv;
        }
    }
    sample_listed(own, enemy, rng)
}

/// Plays uniformly random moves from a board on which the game is not over by a connection, and
/// says how the game ended and after how many plies.
pub(crate) fn playout(board: &mut Board, rng: &mut Rng) -> (Ending, u32) {
    isa::run(Playout { board, rng })
}

struct Playout<'a> {
    board: &'a mut Board,
    rng: &'a mut Rng,
}

impl Task for Playout<'_> {
    type Output = (Ending, u32);

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> (Ending, u32) {
        let Playout { board, rng } = self;
        let most = u32::from(board.rules().plies.saturating_sub(board.plies()));
        let mut side = board.turn();
        let (mut own, mut enemy) = (board.pieces(side), board.pieces(side.other()));
        let mut plies = 0;
        while plies < most {
            let Some(mv) = draw(isa, own, enemy, rng) else {
                if board.rules().no_move == NoMove::Loss {
                    break;
                }
                (own, enemy, side, plies) = (enemy, own, side.other(), plies + 1);
                continue;
            };
            let captured = enemy & mv.to().bit();
            own ^= mv.from().bit() | mv.to().bit();
            enemy ^= captured;
            (own, enemy, side, plies) = (enemy, own, side.other(), plies + 1);
            if connection::is_connected(enemy) || captured != 0 && connection::is_connected(own) {
                break;
            }
        }
        let pieces = if side == Side::First { [own, enemy] } else { [enemy, own] };
        *board = board.after(pieces, side, plies);
        (board.ending().unwrap_or(Ending::Length), plies)
    }
}

const DIRECTIONS: u32 = 8;

/// After so many draws in vain there are few moves or none: with one move in twelve pairs, which is
/// rare, one try in four comes here.
const MOST_TRIES: u32 = 16;

/// What [`sample`] does where moves are rare.
#[cold]
#[inline(never)]
fn sample_listed(own: u64, enemy: u64, rng: &mut Rng) -> Option<Move> {
    let moves = || {
        let pairs = bits(own).flat_map(|from| (0..DIRECTIONS).map(move |way| (from, way)));
        pairs.filter_map(|(from, direction)| target(own, enemy, from, direction))
    };
    match moves().count() {
        0 => None,
        count => moves().nth(rng.below(count as u32) as usize),
    }
}

/// The move of the piece in that direction, if it is legal.
#[inline(always)]
fn target(own: u64, enemy: u64, from: Square, direction: u32) -> Option<Move> {
    let (ahead, behind) = (direction as usize & 7, (direction as usize & 7) ^ 4);
    let rays = &RAYS[from.index()];
    let (ray, back) = (rays[ahead], rays[behind]);
    // The piece itself is on none of its rays.
    let distance = 1 + ((own | enemy) & (ray | back)).count_ones() as i32;
    // Beyond the edge this wraps around, but never onto the ray: no multiple of a step below 8 is
    // 64.
    let to = Square::wrap((from.index() as i32 + distance * OFFSETS[ahead]) as u32);
    let jumped = ray & RAYS[to.index()][behind];
    let legal = (ray & !own & to.bit() != 0) & (enemy & jumped == 0);
    legal.then(|| Move::new(from, to))
}

/// From a square to the next one in each direction; the opposite direction is four further on.
const OFFSETS: [i32; 8] = [1, 8, 9, 7, -1, -8, -9, -7];

/// The squares in each direction up to the edge, the square itself left out.
static RAYS: [[u64; 8]; 64] = rays();

const fn rays() -> [[u64; 8]; 64] {
    const FILES: [i8; 8] = [1, 0, 1, -1, -1, 0, -1, 1];
    const RANKS: [i8; 8] = [0, 1, 1, 1, 0, -1, -1, -1];
    let mut rays = [[0; 8]; 64];
    let mut square = 0;
    while square < 64 {
        let mut direction = 0;
        while direction < 8 {
            let mut file = square as i8 % 8 + FILES[direction];
            let mut rank = square as i8 / 8 + RANKS[direction];
            while 0 <= file && file < 8 && 0 <= rank && rank < 8 {
                rays[square][direction] |= 1u64 << (rank * 8 + file);
                file += FILES[direction];
                rank += RANKS[direction];
            }
            direction += 1;
        }
        square += 1;
    }
    rays
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Loa;
    use monteverde_game::{Game, Notation};

    /// Without the machine's special instructions the same moves are drawn.
    #[test]
    fn instruction_sets_draw_alike() {
        let (mut rng, mut portable_rng) = (Rng::new(1), Rng::new(1));
        for _ in 0..200 {
            let (mut board, mut portable) = (Board::start(), Board::start());
            let found = playout(&mut board, &mut rng);
            let task = Playout { board: &mut portable, rng: &mut portable_rng };
            assert_eq!(isa::run_portably(task), found);
            assert_eq!((portable, &portable_rng), (board, &rng));
        }
    }

    /// The second draw, which lists the moves, must be as good as the first.
    #[test]
    fn listed_moves_are_the_legal_ones() {
        let mut rng = Rng::new(2);
        let mut state = Loa::start();
        let mut listed = Vec::new();
        while let Ok(mv) = state.sample(&mut rng) {
            let (own, enemy) = (state.turn(), state.turn().other());
            let (own, enemy) = (state.board().pieces(own), state.board().pieces(enemy));
            listed.clear();
            state.moves(&mut listed);
            // With 40 draws for each move, one is missed with a probability of e^-40.
            let mut drawn: Vec<Move> = (0..40 * listed.len())
                .map(|_| sample_listed(own, enemy, &mut rng).expect("there are moves"))
                .collect();
            drawn.sort_unstable();
            drawn.dedup();
            listed.sort_unstable();
            assert_eq!(drawn, listed, "{state:?}");
            state.play(mv);
        }
    }

    /// Uniform playouts take 213 plies on average and 55% of them more than 200, as others have
    /// counted.
    #[test]
    fn playouts_are_as_long_as_is_known() {
        const GAMES: u32 = 20_000;
        let rules = crate::Rules { plies: u16::MAX, ..Default::default() };
        let mut rng = Rng::new(3);
        let plies: Vec<u32> = (0..GAMES)
            .map(|_| playout(&mut Board::start().with_rules(rules), &mut rng).1)
            .collect();
        // The standard error of the mean is 0.6, that of the share 0.0035.
        let mean = f64::from(plies.iter().sum::<u32>()) / f64::from(GAMES);
        assert!((mean - 213.0).abs() < 3.0, "mean {mean}");
        let long = plies.iter().filter(|&&plies| plies > 200).count() as f64 / f64::from(GAMES);
        assert!((long - 0.55).abs() < 0.02, "share above 200 plies {long}");
        // So the limit of the usual rules touches hardly any.
        let limited = plies.iter().filter(|&&plies| plies > 1000).count();
        assert!(limited < GAMES as usize / 1000, "{limited} are longer than 1,000 plies");
    }
}
