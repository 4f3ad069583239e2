//! Moves and playouts where every legal move is as likely as every other.
//!
//! Steps onto empty squares and onto enemies are counted together, as shifted sets. Whether a piece may take the enemy it steps
//! onto is asked only where such a step is drawn; if it may not, that step is left out and another move drawn. The
//! first legal one of moves in random order is any legal move with equal probability. A playout keeps no more of
//! the board than that needs, and sets the board up again when it is over.

use crate::attacks::jumps_by;
use crate::ending::Ending;
use crate::past::Past;
use crate::sample::{onto, sample_event, sample_piece, steps};
use crate::{Board, Colour, Kind, Move, Piece, Repetition, Rules, SQUARES, Square, bits, zobrist};
use monteverde_game::isa::{self, Isa, Task};
use monteverde_game::{Outcome, Rng};
use std::hint::select_unpredictable;

/// A random legal move of a board on which both colours have pieces and nothing is pending; `None` if there is none.
pub(crate) fn sample(board: &Board, rng: &mut Rng) -> Option<Move> {
    let mut at = *board.faces();
    isa::run(Sample { scene: Scene::new(board, &mut at), mover: board.mover(), rng })
}

struct Sample<'a> {
    scene: Scene<'a>,
    mover: Colour,
    rng: &'a mut Rng,
}

impl Task for Sample<'_> {
    type Output = Option<Move>;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Option<Move> {
        let drawn = match self.mover {
            Colour::Red => self.scene.draw::<I, RED>(isa, self.rng),
            Colour::Black => self.scene.draw::<I, BLACK>(isa, self.rng),
        };
        match drawn? {
            Drawn::Flip(square) => Some(Move::flip(square)),
            Drawn::Step(way) | Drawn::Capture(way) => Some(Move::new(way.from(), way.to())),
        }
    }
}

/// Plays random moves to the end of the game. Says what the outcome is and after how many plies.
pub(crate) fn playout(board: &mut Board, past: &mut Past, rng: &mut Rng) -> (Outcome, u32) {
    if board.pending().is_some() {
        board.settle(sample_event(board, rng));
    }
    let mut plies = 0;
    if board.colours().is_none()
        && let Some(flip) = sample(board, rng)
    {
        past.clear();
        board.play(flip);
        board.settle(sample_event(board, rng));
        plies = 1;
    }
    // The first flip may show that all pieces are of one colour.
    if let Some(loser) = board.loser() {
        return (Ending::Captured(loser).outcome(), plies);
    }
    let (mover, rules, mut at) = (board.mover(), board.rules(), *board.faces());
    let scene = Scene::new(board, &mut at);
    let (more, scene) = match rules.repetition {
        Repetition::Off => isa::run(Playout::<false> { scene, mover, rules, past, rng }),
        _ => isa::run(Playout::<true> { scene, mover, rules, past, rng }),
    };
    let mover = if more % 2 == 0 { mover } else { mover.other() };
    board.set_up(&scene.layout(mover));
    // Either a side has lost its pieces, or the mover cannot move, or the game is drawn.
    let outcome = match board.loser() {
        Some(loser) => Ending::Captured(loser).outcome(),
        None if board.can_move() => Outcome::Draw,
        None => Ending::NoMove(board.turn()).outcome(),
    };
    (outcome, plies + more)
}

/// A playout from a board with decided colours; `KEYED` where a rule asks for repetitions.
struct Playout<'a, const KEYED: bool> {
    scene: Scene<'a>,
    mover: Colour,
    rules: Rules,
    past: &'a mut Past,
    rng: &'a mut Rng,
}

impl<'a, const KEYED: bool> Task for Playout<'a, KEYED> {
    type Output = (u32, Scene<'a>);

    /// The plies until the game is over, and what has become of the board.
    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> (u32, Scene<'a>) {
        let Playout { scene, mover, rules, past, rng } = self;
        let mut play = Play::<I, KEYED> { scene, rules, past, isa, rng };
        let mut plies = 0;
        // Each colour has code of its own: what it has left, such as cannons, differs, so that a branch on it can be
        // foreseen.
        if mover == Colour::Red || play.turn::<BLACK>(&mut plies) {
            while play.turn::<RED>(&mut plies) && play.turn::<BLACK>(&mut plies) {}
        }
        (plies, play.scene)
    }
}

/// A playout that is being played.
struct Play<'a, I, const KEYED: bool> {
    scene: Scene<'a>,
    rules: Rules,
    past: &'a mut Past,
    isa: I,
    rng: &'a mut Rng,
}

impl<I: Isa, const KEYED: bool> Play<'_, I, KEYED> {
    /// Plays a move of that colour, unless the game is over, and says whether it goes on.
    #[inline(always)]
    fn turn<const OWN: usize>(&mut self, plies: &mut u32) -> bool {
        let scene = &mut self.scene;
        if scene.quiet >= self.rules.plies
            || KEYED && self.past.is_repeated(self.rules.repetition, scene.key)
        {
            return false;
        }
        let Some(drawn) = scene.draw::<I, OWN>(self.isa, self.rng) else { return false };
        *plies += 1;
        match drawn {
            Drawn::Step(way) => {
                if KEYED {
                    let (from, to) = (way.from(), way.to());
                    self.past.push(scene.key);
                    let piece = scene.at[from.index()];
                    scene.key ^= zobrist::step(piece, from, to);
                }
                scene.step::<OWN>(way);
                scene.quiet += 1;
                true
            }
            Drawn::Capture(way) => {
                if KEYED {
                    let (from, to) = (way.from(), way.to());
                    self.past.clear();
                    let (piece, prey) = (scene.at[from.index()], scene.at[to.index()]);
                    scene.key ^= zobrist::piece(prey, to) ^ zobrist::step(piece, from, to);
                }
                scene.armies[1 - OWN] ^= way.to;
                scene.cannons[1 - OWN] &= !way.to;
                scene.step::<OWN>(way);
                scene.quiet = 0;
                scene.armies[1 - OWN] != 0 || scene.pool[1 - OWN] != 0
            }
            Drawn::Flip(square) => {
                let piece = sample_piece(scene.pool, scene.covered.count_ones(), self.rng);
                if KEYED {
                    self.past.clear();
                    scene.key ^= zobrist::turned_up(piece, square, scene.count(piece));
                }
                scene.turn_up(square, piece);
                scene.quiet = 0;
                true
            }
        }
    }
}

/// What lies face up, what is covered, and who is to move: the rest of a board follows from it.
pub(crate) struct Layout<'a> {
    pub(crate) face_up: u32,
    pub(crate) at: &'a [Piece; SQUARES],
    pub(crate) covered: u32,
    pub(crate) pool: [u64; 2],
    pub(crate) mover: Colour,
    pub(crate) quiet: u16,
}

/// What drawing moves needs of a board. All but the pieces on their squares may be kept in registers, since nothing else is
/// indexed by what is known at run time alone.
struct Scene<'a> {
    /// The face-up pieces of red and black.
    armies: [u32; 2],
    /// The cannons among them.
    cannons: [u32; 2],
    covered: u32,
    squares: u32,
    /// How many of each kind are covered, a byte each, of red and black.
    pool: [u64; 2],
    quiet: u16,
    /// Kept up to date where a rule asks for repetitions.
    key: u64,
    /// The piece on each square that holds one face up; anything elsewhere.
    at: &'a mut [Piece; SQUARES],
}

/// The index of the red army, and that of the black one.
const RED: usize = Colour::Red as usize;
const BLACK: usize = Colour::Black as usize;

/// A move with what is known of it when it was drawn.
enum Drawn {
    Flip(Square),
    Step(Way),
    Capture(Way),
}

/// Where a piece goes, as sets of one square: what moves of a set is known before the number of the square is.
#[derive(Clone, Copy)]
struct Way {
    from: u32,
    to: u32,
}

impl Way {
    #[inline(always)]
    fn from(self) -> Square {
        Square::wrap(self.from.trailing_zeros())
    }

    #[inline(always)]
    fn to(self) -> Square {
        Square::wrap(self.to.trailing_zeros())
    }
}

/// The lower and the upper half of a word.
#[inline(always)]
fn halves(word: u64) -> [u32; 2] {
    [word as u32, (word >> 32) as u32]
}

impl<'a> Scene<'a> {
    #[inline(always)]
    fn new(board: &Board, at: &'a mut [Piece; SQUARES]) -> Scene<'a> {
        Scene {
            armies: Colour::ALL.map(|colour| board.of(colour)),
            cannons: Colour::ALL.map(|colour| board.of_piece(Piece::new(colour, Kind::Cannon))),
            covered: board.covered(),
            squares: board.squares(),
            pool: board.pools(),
            quiet: board.quiet(),
            key: board.key(),
            at,
        }
    }

    fn layout(&self, mover: Colour) -> Layout<'_> {
        let [red, black] = self.armies;
        let &Scene { ref at, covered, pool, quiet, .. } = self;
        Layout { face_up: red | black, at, covered, pool, mover, quiet }
    }

    /// A random legal move of that colour, if there is one.
    #[inline(always)]
    fn draw<I: Isa, const OWN: usize>(&self, isa: I, rng: &mut Rng) -> Option<Drawn> {
        let (own, enemy) = (self.armies[OWN], self.armies[1 - OWN]);
        let [mut upright, mut sideways] = onto(steps(own), self.squares & !self.covered & !own);
        let flips = self.covered.count_ones();
        let far: u32 =
            bits(self.cannons[OWN]).map(|at| self.jumps::<I, OWN>(isa, at).count_ones()).sum();
        loop {
            let first = upright.count_ones();
            let near = first + sideways.count_ones();
            let total = near + flips + far;
            if total == 0 {
                return None;
            }
            let drawn = rng.below(total);
            if drawn >= near {
                return Some(self.flip_or_jump::<I, OWN>(isa, drawn - near));
            }
            // In one of the two there are not so many steps, so that it gives none: a board has less than 64 of them.
            let (up_or_down, aside) =
                (isa.nth_bit(upright, drawn), isa.nth_bit(sideways, drawn.wrapping_sub(first)));
            let [up, down] = halves(up_or_down);
            let [right, left] = halves(aside);
            let way = Way {
                from: up >> 4 | down << 4 | right >> 1 | left << 1,
                to: up | down | right | left,
            };
            if enemy & way.to == 0 {
                return Some(Drawn::Step(way));
            }
            if self.takes(way) {
                return Some(Drawn::Capture(way));
            }
            (upright, sideways) = (upright ^ up_or_down, sideways ^ aside);
        }
    }

    #[inline(always)]
    fn flip_or_jump<I: Isa, const OWN: usize>(&self, isa: I, index: u32) -> Drawn {
        let flips = self.covered.count_ones();
        if index < flips {
            return Drawn::Flip(Square::wrap(isa.nth(u64::from(self.covered), index)));
        }
        let mut rest = index - flips;
        for cannon in bits(self.cannons[OWN]) {
            let targets = self.jumps::<I, OWN>(isa, cannon);
            if rest < targets.count_ones() {
                let to = isa.nth_bit(u64::from(targets), rest) as u32;
                return Drawn::Capture(Way { from: cannon.bit(), to });
            }
            rest -= targets.count_ones();
        }
        unreachable!("the jumps of all cannons add up")
    }

    /// Whether a step onto an enemy captures it.
    #[inline(always)]
    fn takes(&self, way: Way) -> bool {
        let (hunter, prey) = (self.at[way.from().index()], self.at[way.to().index()]);
        TAKES[hunter.row()] >> prey.row() & 1 != 0
    }

    /// The enemies that a cannon of that colour hits.
    #[inline(always)]
    fn jumps<I: Isa, const OWN: usize>(&self, isa: I, cannon: Square) -> u32 {
        let [red, black] = self.armies;
        jumps_by(isa, cannon, self.covered | red | black) & self.armies[1 - OWN]
    }

    /// Moves a piece of that colour to a square where nothing is any more.
    #[inline(always)]
    fn step<const OWN: usize>(&mut self, way: Way) {
        let both = way.from | way.to;
        self.armies[OWN] ^= both;
        self.cannons[OWN] ^= select_unpredictable(self.cannons[OWN] & way.from != 0, both, 0);
        self.at[way.to().index()] = self.at[way.from().index()];
    }

    /// Turns up a covered piece.
    #[inline(always)]
    fn turn_up(&mut self, square: Square, piece: Piece) {
        self.covered ^= square.bit();
        self.at[square.index()] = piece;
        let one = 1 << (8 * piece.row());
        let (bit, is_red) = (square.bit(), piece.colour() == Colour::Red);
        let (red, reds) =
            (select_unpredictable(is_red, bit, 0), select_unpredictable(is_red, one, 0));
        self.armies = [self.armies[RED] | red, self.armies[BLACK] | bit ^ red];
        if piece.row() == Kind::Cannon as usize {
            self.cannons = [self.cannons[RED] | red, self.cannons[BLACK] | bit ^ red];
        }
        self.pool = [self.pool[RED] - reds, self.pool[BLACK] - (one - reds)];
    }

    /// How many of that piece are covered.
    #[inline(always)]
    fn count(&self, piece: Piece) -> u8 {
        let [red, black] = self.pool;
        let pool = select_unpredictable(piece.colour() == Colour::Red, red, black);
        (pool >> (8 * piece.row())) as u8
    }
}

/// For each kind the kinds that it captures by stepping onto them, as bits; none for the number that is no kind.
static TAKES: [u8; 8] = takes();

const fn takes() -> [u8; 8] {
    let mut takes = [0; 8];
    let mut hunter = 0;
    while hunter < Kind::ALL.len() {
        let mut prey = 0;
        while prey < Kind::ALL.len() {
            takes[hunter] |= (Kind::ALL[hunter].takes(Kind::ALL[prey]) as u8) << prey;
            prey += 1;
        }
        hunter += 1;
    }
    takes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Banqi, state};
    use monteverde_game::{Game, Notation};

    /// A playout is the loop over sampled moves, by each rule of repetitions, and leaves the same state behind.
    #[test]
    fn playouts_are_loops_over_moves() {
        for rules in ["", " repetition=cycle", " repetition=off,plies=60"] {
            let start = Banqi::new(state::parse(&format!("{}{rules}", state::START)).unwrap());
            for seed in 0..200 {
                let (mut whole, mut looped) = (start.clone(), start.clone());
                let (mut rng, mut loop_rng) = (Rng::new(seed), Rng::new(seed));
                let found = whole.playout(&mut rng);
                let mut plies = 0;
                let outcome = loop {
                    match looped.sample(&mut loop_rng) {
                        Ok(mv) => looped.play(mv),
                        Err(outcome) => break outcome,
                    }
                    plies += 1;
                    if looped.is_pending() {
                        let event = looped.sample_event(&mut loop_rng);
                        looped.settle(event);
                    }
                };
                assert_eq!((found.outcome, found.plies), (outcome, plies));
                assert_eq!((whole.ending(), &rng), (looped.ending(), &loop_rng));
                let (board, expected) = (whole.board(), looped.board());
                assert_eq!(state::write(board), state::write(expected));
                assert_eq!((board.key(), board.key()), (expected.key(), whole.recomputed_key()));
                assert_eq!(board.material(), expected.material());
                assert_eq!(board.combination(), expected.combination());
                assert_eq!(
                    Colour::ALL.map(|colour| board.left(colour)),
                    Colour::ALL.map(|colour| expected.left(colour))
                );
            }
        }
    }

    /// Without the machine's special instructions the same moves are drawn.
    #[test]
    fn instruction_sets_draw_alike() {
        let (mut rng, mut portable_rng) = (Rng::new(1), Rng::new(1));
        let board = state::parse(
            "XXXX/XXXX/XXXX/XXXX/XXXX/XXXX/XXXX/XXXG r KGMMRRNNCCPPPPPkggmmrrnnccppppp 0",
        );
        let board = board.unwrap();
        let (mover, rules) = (board.mover(), board.rules());
        for _ in 0..200 {
            let (mut at, mut portable_at) = (*board.faces(), *board.faces());
            let (mut past, mut portable_past) = (Past::default(), Past::default());
            let scene = Scene::new(&board, &mut at);
            let task = Playout::<true> { scene, mover, rules, past: &mut past, rng: &mut rng };
            let (plies, scene) = isa::run(task);
            let portable = Scene::new(&board, &mut portable_at);
            let (past, rng) = (&mut portable_past, &mut portable_rng);
            let task = Playout::<true> { scene: portable, mover, rules, past, rng };
            let (portable_plies, portable) = isa::run_portably(task);
            assert_eq!(portable_plies, plies);
            assert_eq!(portable.key, scene.key);
        }
        assert_eq!(rng, portable_rng);
    }

    /// Every legal move is drawn equally often, and no other, where pieces stand beside enemies that they may not take.
    #[test]
    fn moves_are_drawn_evenly() {
        const EACH: u32 = 4000;
        for text in [
            "1kP1/pKg1/1CpX/XnGc/2R1/4/4/4 r Pp 0",
            "P1KC/p1pP/4/cKgm/XXXX/4/4/4 b PPkk 3",
            "4/4/4/4/4/4/pp2/Kp2 r - 0",
        ] {
            let state = Banqi::new(state::parse(text).unwrap());
            let mut moves = Vec::new();
            state.moves(&mut moves);
            let mut counts = vec![0u32; moves.len()];
            let mut rng = Rng::new(5);
            for _ in 0..EACH * moves.len() as u32 {
                let Ok(mv) = state.sample(&mut rng) else {
                    assert!(moves.is_empty(), "{text}");
                    continue;
                };
                counts[moves.iter().position(|&legal| legal == mv).unwrap()] += 1;
            }
            // Five standard deviations, each the square root of the count.
            let most = 5 * EACH.isqrt();
            assert!(counts.iter().all(|count| count.abs_diff(EACH) < most), "{text}: {counts:?}");
        }
    }

    /// As others have counted: they take 209.5 plies, and 87% of them are drawn.
    #[test]
    fn playouts_are_as_long_as_is_known() {
        const GAMES: u32 = 20_000;
        let mut rng = Rng::new(2);
        let (mut plies, mut draws) = (0, 0);
        for _ in 0..GAMES {
            let playout = Banqi::start().playout(&mut rng);
            plies += playout.plies;
            draws += u32::from(playout.outcome == Outcome::Draw);
        }
        // The standard errors are 0.3 plies and 0.0024.
        let mean = |sum: u32| f64::from(sum) / f64::from(GAMES);
        assert!((mean(plies) - 209.5).abs() < 1.5, "mean {}", mean(plies));
        assert!((mean(draws) - 0.87).abs() < 0.012, "draws {}", mean(draws));
    }
}
