//! Moves and playouts where every legal move is as likely as every other.
//!
//! Steps onto empty squares and onto enemies are counted together, as shifted sets. Whether a piece may take the enemy it steps
//! onto is asked only where such a step is drawn; if it may not, that step is left out and another move drawn. The
//! first legal one of moves in random order is any legal move with equal probability. A playout keeps no more of
//! the board than that needs, and sets the board up again when it is over.

use crate::attacks::jumps;
use crate::ending::Ending;
use crate::past::Past;
use crate::sample::{onto, sample_piece, steps};
use crate::{Board, Colour, Kind, Move, Piece, Repetition, Rules, SQUARES, Square, bits, zobrist};
use monteverde_game::isa::{self, Isa, Task};
use monteverde_game::{Outcome, Rng};
use std::hint::select_unpredictable;

/// A random legal move of a board on which both colours have pieces and nothing is pending; `None` if there is none.
pub(crate) fn sample(board: &Board, rng: &mut Rng) -> Option<Move> {
    isa::run(Sample { scene: Scene::of(board), rng })
}

struct Sample<'a> {
    scene: Scene,
    rng: &'a mut Rng,
}

impl Task for Sample<'_> {
    type Output = Option<Move>;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Option<Move> {
        let (from, to) = self.scene.draw(isa, self.rng)?;
        Some(Move::new(from, to))
    }
}

/// Plays random moves to the end of the game. Says what the outcome is and after how many plies.
pub(crate) fn playout(board: &mut Board, past: &mut Past, rng: &mut Rng) -> (Outcome, u32) {
    if board.pending().is_some() {
        let piece = sample_piece(board.pools(), board.covered().count_ones(), rng);
        board.settle(piece);
    }
    if let Some(loser) = board.loser() {
        return (Ending::Captured(loser).outcome(), 0);
    }
    let mut scene = Scene::of(board);
    let plies = isa::run(Playout { scene: &mut scene, rules: board.rules(), past, rng });
    board.set_up(&scene.layout());
    // Either a side has lost its pieces, or the mover cannot move, or the game is drawn.
    let outcome = match board.loser() {
        Some(loser) => Ending::Captured(loser).outcome(),
        None if board.can_move() => Outcome::Draw,
        None => Ending::NoMove(board.turn()).outcome(),
    };
    (outcome, plies)
}

struct Playout<'a> {
    scene: &'a mut Scene,
    rules: Rules,
    past: &'a mut Past,
    rng: &'a mut Rng,
}

impl Task for Playout<'_> {
    type Output = u32;

    /// The plies until the game is over.
    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> u32 {
        let Playout { scene: whole, rules, past, rng } = self;
        let mut scene = *whole;
        let mut plies = 0;
        while scene.quiet < rules.plies
            && !(scene.is_keyed && past.is_repeated(rules.repetition, scene.key))
            && let Some((from, to)) = scene.draw(isa, rng)
        {
            plies += 1;
            if from == to {
                past.clear();
                let was_decided = scene.first.is_some();
                scene.turn_up(to, rng);
                // The first flip may show that all pieces are of one colour.
                if !was_decided && scene.is_over() {
                    break;
                }
            } else if scene.enemy.has(to) {
                past.clear();
                scene.capture(from, to);
                if scene.is_over() {
                    break;
                }
            } else {
                if scene.is_keyed {
                    past.push(scene.key);
                }
                scene.step(from, to);
            }
        }
        *whole = scene;
        plies
    }
}

/// What lies face up, what is covered, and who is to move: the rest of a board follows from it.
pub(crate) struct Layout<'a> {
    pub(crate) face_up: u32,
    pub(crate) at: &'a [Piece; SQUARES],
    pub(crate) covered: u32,
    pub(crate) pool: [u64; 2],
    pub(crate) mover: Colour,
    pub(crate) first: Option<Colour>,
    pub(crate) quiet: u16,
}

/// What drawing moves needs of a board.
#[derive(Clone, Copy)]
struct Scene {
    own: Army,
    enemy: Army,
    covered: u32,
    squares: u32,
    /// The piece on each square that holds one face up; anything elsewhere.
    at: [Piece; SQUARES],
    /// How many of each kind are covered, a byte each, of red and black.
    pool: [u64; 2],
    mover: Colour,
    first: Option<Colour>,
    quiet: u16,
    /// Kept up to date where a rule asks for repetitions.
    key: u64,
    is_keyed: bool,
}

/// The face-up pieces of a colour: all of them in the lower half, the cannons among them in the upper one. In one word
/// both change at once.
#[derive(Clone, Copy)]
struct Army(u64);

impl Army {
    #[inline(always)]
    fn all(self) -> u32 {
        self.0 as u32
    }

    #[inline(always)]
    fn cannons(self) -> u32 {
        (self.0 >> 32) as u32
    }

    #[inline(always)]
    fn has(self, square: Square) -> bool {
        self.all() & square.bit() != 0
    }

    /// Puts a piece on squares where it was not, and takes it from those where it was.
    #[inline(always)]
    fn change(&mut self, piece: Piece, squares: u32) {
        let is_cannon = u64::from(piece.row() == Kind::Cannon as usize);
        self.0 ^= u64::from(squares) | (u64::from(squares) * is_cannon) << 32;
    }
}

impl Scene {
    #[inline(always)]
    fn of(board: &Board) -> Scene {
        let army = |colour| {
            let cannons = board.of_piece(Piece::new(colour, Kind::Cannon));
            Army(u64::from(board.of(colour)) | u64::from(cannons) << 32)
        };
        let mover = board.mover();
        Scene {
            own: army(mover),
            enemy: army(mover.other()),
            covered: board.covered(),
            squares: board.squares(),
            at: *board.faces(),
            pool: board.pools(),
            mover,
            first: board.colours().map(|colours| colours.first),
            quiet: board.quiet(),
            key: board.key(),
            is_keyed: board.rules().repetition != Repetition::Off,
        }
    }

    fn layout(&self) -> Layout<'_> {
        Layout {
            face_up: self.own.all() | self.enemy.all(),
            at: &self.at,
            covered: self.covered,
            pool: self.pool,
            mover: self.mover,
            first: self.first,
            quiet: self.quiet,
        }
    }

    /// A random legal move, if there is one: where from and where to, the same square for a flip.
    #[inline(always)]
    fn draw<I: Isa>(&self, isa: I, rng: &mut Rng) -> Option<(Square, Square)> {
        let free = self.squares & !self.covered & !self.own.all();
        let [mut upright, mut sideways] = onto(steps(self.own.all()), free);
        let flips = self.covered.count_ones();
        let far: u32 = bits(self.own.cannons()).map(|at| self.jumps(at).count_ones()).sum();
        loop {
            let first = upright.count_ones();
            let near = first + sideways.count_ones();
            let total = near + flips + far;
            if total == 0 {
                return None;
            }
            let drawn = rng.below(total);
            if drawn >= near {
                return Some(self.flip_or_jump(isa, drawn - near));
            }
            let is_upright = drawn < first;
            let word = select_unpredictable(is_upright, upright, sideways);
            let index = select_unpredictable(is_upright, drawn, drawn.wrapping_sub(first));
            let length = select_unpredictable(is_upright, 4u32, 1);
            let bit = isa.nth(word, index);
            // In the upper half of a word the step went down or to the left.
            let back = select_unpredictable(bit < 32, length.wrapping_neg(), length);
            let (from, to) = (Square::wrap(bit.wrapping_add(back)), Square::wrap(bit));
            if !self.enemy.has(to) || self.takes(from, to) {
                return Some((from, to));
            }
            let rest = word ^ 1 << bit;
            *(if is_upright { &mut upright } else { &mut sideways }) = rest;
        }
    }

    #[inline(always)]
    fn flip_or_jump<I: Isa>(&self, isa: I, index: u32) -> (Square, Square) {
        let flips = self.covered.count_ones();
        if index < flips {
            let square = Square::wrap(isa.nth(u64::from(self.covered), index));
            return (square, square);
        }
        let mut rest = index - flips;
        for cannon in bits(self.own.cannons()) {
            let targets = self.jumps(cannon);
            if rest < targets.count_ones() {
                return (cannon, Square::wrap(isa.nth(u64::from(targets), rest)));
            }
            rest -= targets.count_ones();
        }
        unreachable!("the jumps of all cannons add up")
    }

    /// Whether a step onto an enemy captures it.
    #[inline(always)]
    fn takes(&self, from: Square, to: Square) -> bool {
        let (hunter, prey) = (self.at[from.index()], self.at[to.index()]);
        TAKES[hunter.row()] >> prey.row() & 1 != 0
    }

    #[inline(always)]
    fn jumps(&self, cannon: Square) -> u32 {
        jumps(cannon, self.covered | self.own.all() | self.enemy.all()) & self.enemy.all()
    }

    /// Whether the mover, or before the first move the enemy, has no piece left, covered or not.
    #[inline(always)]
    fn is_over(&self) -> bool {
        let is_gone = |army: Army, colour| army.all() == 0 && self.pool[colour as usize] == 0;
        is_gone(self.own, self.mover) || is_gone(self.enemy, self.mover.other())
    }

    #[inline(always)]
    fn turn_up(&mut self, square: Square, rng: &mut Rng) {
        let piece = sample_piece(self.pool, self.covered.count_ones(), rng);
        let colour = piece.colour();
        if self.first.is_none() {
            self.first = Some(colour);
            self.rekey(zobrist::decided(colour));
            if self.mover != colour {
                (self.own, self.enemy) = (self.enemy, self.own);
                self.mover = colour;
            }
        }
        let kind = 8 * piece.row() as u32;
        let count = (self.pool[colour as usize] >> kind) as u8;
        self.rekey(zobrist::turned_up(piece, square, count));
        self.pool[colour as usize] -= 1 << kind;
        self.covered ^= square.bit();
        self.at[square.index()] = piece;
        let army = if colour == self.mover { &mut self.own } else { &mut self.enemy };
        army.change(piece, square.bit());
        self.quiet = 0;
        self.change_sides();
    }

    #[inline(always)]
    fn capture(&mut self, from: Square, to: Square) {
        let prey = self.at[to.index()];
        self.enemy.change(prey, to.bit());
        self.rekey(zobrist::piece(prey, to));
        self.step(from, to);
        self.quiet = 0;
    }

    #[inline(always)]
    fn step(&mut self, from: Square, to: Square) {
        let piece = self.at[from.index()];
        self.own.change(piece, from.bit() | to.bit());
        self.at[to.index()] = piece;
        self.quiet += 1;
        self.rekey(zobrist::step(piece, from, to));
        self.change_sides();
    }

    #[inline(always)]
    fn rekey(&mut self, change: u64) {
        if self.is_keyed {
            self.key ^= change;
        }
    }

    #[inline(always)]
    fn change_sides(&mut self) {
        (self.own, self.enemy) = (self.enemy, self.own);
        self.mover = self.mover.other();
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
        let board = *Banqi::start().board();
        for _ in 0..200 {
            let (mut scene, mut portable) = (Scene::of(&board), Scene::of(&board));
            let (mut past, mut portable_past) = (Past::default(), Past::default());
            let rules = board.rules();
            let task = Playout { scene: &mut scene, rules, past: &mut past, rng: &mut rng };
            let plies = isa::run(task);
            let (past, rng) = (&mut portable_past, &mut portable_rng);
            let task = Playout { scene: &mut portable, rules, past, rng };
            assert_eq!(isa::run_portably(task), plies);
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
