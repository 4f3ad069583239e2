//! Random playouts on no more of a board than drawing moves needs; the board is set up again when
//! they are over. How moves are drawn is a [`Draw`].

use crate::attacks::jumps_by;
use crate::combination::STRIDES;
use crate::ending::Ending;
use crate::past::Past;
use crate::sample::{sample_event, sample_piece};
use crate::{
    Board, Colour, Kind, Likely, Move, Piece, Repetition, Rules, SQUARES, Square, zobrist,
};
use monteverde_game::isa::{self, Isa, Task};
use monteverde_game::playout_knowledge::{EvalSource, WeightedPlayout};
use monteverde_game::{Outcome, Playout, Rng};
use std::hint::select_unpredictable;

/// How moves are drawn.
pub(crate) trait Draw: Copy {
    /// A random legal move of the colour of that index, if there is one. Where there is none,
    /// nothing is drawn.
    fn draw<I: Isa, const OWN: usize>(
        self,
        isa: I,
        scene: &Scene<'_>,
        rng: &mut Rng,
    ) -> Option<Drawn>;
}

/// A random legal move of a board on which both colours have pieces and nothing is pending; `None`
/// if there is none.
pub(crate) fn sample<D: Draw>(board: &Board, draw: D, rng: &mut Rng) -> Option<Move> {
    let mut at = places(board);
    isa::run(SampleMove { scene: Scene::new(board, &mut at), mover: board.mover(), draw, rng })
}

struct SampleMove<'a, D> {
    scene: Scene<'a>,
    mover: Colour,
    draw: D,
    rng: &'a mut Rng,
}

impl<D: Draw> Task for SampleMove<'_, D> {
    type Output = Option<Move>;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Option<Move> {
        let drawn = match self.mover {
            Colour::Red => self.draw.draw::<I, RED>(isa, &self.scene, self.rng),
            Colour::Black => self.draw.draw::<I, BLACK>(isa, &self.scene, self.rng),
        };
        match drawn? {
            Drawn::Flip(square) => Some(Move::flip(square)),
            Drawn::Step(way) | Drawn::Capture(way) => Some(Move::new(way.from(), way.to())),
        }
    }
}

/// Plays random moves to the end of the game, or until `verdict`, asked after each capture about
/// the number of the combination that is left, knows how it ends and the side to move can move.
#[inline(always)]
pub(crate) fn playout<D, V>(
    (board, past): (&mut Board, &mut Past),
    draw: D,
    verdict: V,
    rng: &mut Rng,
) -> WeightedPlayout
where
    D: Draw,
    V: FnMut(u32) -> Likely,
{
    if board.pending().is_some() {
        board.settle(sample_event(board, rng));
    }
    let mut plies = 0;
    if board.colours().is_none()
        && let Some(flip) = sample(board, draw, rng)
    {
        past.clear();
        board.play(flip);
        board.settle(sample_event(board, rng));
        plies = 1;
    }
    let by_rules = |outcome, plies| WeightedPlayout {
        playout: Playout { outcome, plies },
        source: EvalSource::Rules,
    };
    // The first flip may show that all pieces are of one colour.
    if let Some(loser) = board.loser() {
        return by_rules(Ending::Captured(loser).outcome(), plies);
    }
    let (mover, rules, mut at) = (board.mover(), board.rules(), places(board));
    let (scene, combination) = (Scene::new(board, &mut at), board.combination());
    let play = Play { scene, combination, rules, past, draw, verdict, rng };
    let end = match rules.repetition {
        Repetition::Off => isa::run(FromBoard::<_, _, false> { play, mover }),
        Repetition::Third | Repetition::Cycle => isa::run(FromBoard::<_, _, true> { play, mover }),
    };
    board.set_up(&end.scene.layout(if end.plies % 2 == 0 { mover } else { mover.other() }));
    plies += end.plies;
    if let Some(loser) = board.loser() {
        return by_rules(Ending::Captured(loser).outcome(), plies);
    }
    // Who cannot move has lost, whatever is likely.
    if !board.can_move() {
        return by_rules(Ending::NoMove(board.turn()).outcome(), plies);
    }
    let guess = match end.guess {
        Likely::Unknown => return by_rules(Outcome::Draw, plies),
        Likely::Draw => Outcome::Draw,
        Likely::Win(colour) => board.side(colour).map_or(Outcome::Draw, Outcome::Win),
    };
    WeightedPlayout { playout: Playout { outcome: guess, plies }, source: EvalSource::Verdict }
}

/// A playout from a board with decided colours and pieces of both; `KEYED` where a rule asks for
/// repetitions.
struct FromBoard<'a, D, V, const KEYED: bool> {
    play: Play<'a, D, V>,
    mover: Colour,
}

/// How a playout ended.
struct End<'a> {
    plies: u32,
    /// What the verdict was, if that ended it.
    guess: Likely,
    scene: Scene<'a>,
}

impl<'a, D, V, const KEYED: bool> Task for FromBoard<'a, D, V, KEYED>
where
    D: Draw,
    V: FnMut(u32) -> Likely,
{
    type Output = End<'a>;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> End<'a> {
        let FromBoard { mut play, mover } = self;
        let (mut plies, mut guess) = (0, Likely::Unknown);
        let mut count = |turn| match turn {
            Turn::Over => false,
            Turn::Played => {
                plies += 1;
                true
            }
            Turn::Won => {
                plies += 1;
                false
            }
            Turn::Guessed(likely) => {
                plies += 1;
                guess = likely;
                false
            }
        };
        // Each colour has code of its own: what it has left, such as cannons, differs, so that a
        // branch on it can be foreseen.
        if mover == Colour::Red || count(play.turn::<I, KEYED, BLACK>(isa)) {
            while count(play.turn::<I, KEYED, RED>(isa)) && count(play.turn::<I, KEYED, BLACK>(isa))
            {
            }
        }
        End { plies, guess, scene: play.scene }
    }
}

/// What came of a turn.
enum Turn {
    /// The game was over.
    Over,
    /// A move was played, and the game goes on.
    Played,
    /// A move captured the last enemy.
    Won,
    /// A move was played after which the outcome is known well enough.
    Guessed(Likely),
}

/// A playout that is being played.
struct Play<'a, D, V> {
    scene: Scene<'a>,
    /// The number of what is in the game, where it has one.
    combination: Option<u32>,
    rules: Rules,
    past: &'a mut Past,
    draw: D,
    verdict: V,
    rng: &'a mut Rng,
}

impl<D: Draw, V: FnMut(u32) -> Likely> Play<'_, D, V> {
    /// Plays a move of that colour, unless the game is over.
    #[inline(always)]
    fn turn<I: Isa, const KEYED: bool, const OWN: usize>(&mut self, isa: I) -> Turn {
        let scene = &mut self.scene;
        if scene.quiet >= self.rules.plies
            || KEYED && self.past.is_repeated(self.rules.repetition, scene.key)
        {
            return Turn::Over;
        }
        match self.draw.draw::<I, OWN>(isa, scene, self.rng) {
            None => Turn::Over,
            Some(Drawn::Step(way)) => {
                if KEYED {
                    let (from, to) = (way.from(), way.to());
                    self.past.push(scene.key);
                    scene.key ^= zobrist::step(scene.at[from.index()], from, to);
                }
                scene.step::<OWN>(way);
                scene.quiet += 1;
                Turn::Played
            }
            Some(Drawn::Capture(way)) => {
                let (from, to) = (way.from(), way.to());
                let prey = scene.at[to.index()];
                if KEYED {
                    self.past.clear();
                    let step = zobrist::step(scene.at[from.index()], from, to);
                    scene.key ^= zobrist::piece(prey, to) ^ step;
                }
                scene.armies[1 - OWN] ^= way.to;
                scene.cannons[1 - OWN] &= !way.to;
                scene.step::<OWN>(way);
                scene.quiet = 0;
                if scene.armies[1 - OWN] == 0 && scene.pool[1 - OWN] == 0 {
                    return Turn::Won;
                }
                let Some(combination) = &mut self.combination else { return Turn::Played };
                *combination -= STRIDES[prey.index()];
                match (self.verdict)(*combination) {
                    Likely::Unknown => Turn::Played,
                    likely => Turn::Guessed(likely),
                }
            }
            Some(Drawn::Flip(square)) => {
                let piece = sample_piece(scene.pool, scene.covered.count_ones(), self.rng);
                if KEYED {
                    self.past.clear();
                    scene.key ^= zobrist::turned_up(piece, square, scene.count(piece));
                }
                scene.turn_up(square, piece);
                scene.quiet = 0;
                Turn::Played
            }
        }
    }
}

/// What lies face up, what is covered, and who is to move: the rest of a board follows from it.
pub(crate) struct Layout<'a> {
    pub(crate) face_up: u32,
    pub(crate) at: &'a [Piece],
    pub(crate) covered: u32,
    pub(crate) pool: [u64; 2],
    pub(crate) mover: Colour,
    pub(crate) quiet: u16,
}

/// What drawing moves needs of a board. All but the pieces on their squares may be kept in
/// registers, since nothing else is indexed by what is known at run time alone.
pub(crate) struct Scene<'a> {
    /// The face-up pieces of red and black.
    pub(crate) armies: [u32; 2],
    /// The cannons among them.
    pub(crate) cannons: [u32; 2],
    pub(crate) covered: u32,
    pub(crate) squares: u32,
    /// How many of each kind are covered, a byte each, of red and black.
    pool: [u64; 2],
    quiet: u16,
    /// Kept up to date where a rule asks for repetitions.
    key: u64,
    pub(crate) at: &'a mut Places,
}

/// The piece on each square that holds one face up, anything on the others, and [`NOBODY`] beyond.
type Places = [Piece; 2 * SQUARES];

/// A number that is no piece's.
const NOBODY: Piece = Piece::wrap(7);

fn places(board: &Board) -> Places {
    let mut places = [NOBODY; 2 * SQUARES];
    places[..SQUARES].copy_from_slice(board.faces());
    places
}

/// The index of the red army, and that of the black one.
const RED: usize = Colour::Red as usize;
const BLACK: usize = Colour::Black as usize;

/// A move with what is known of it when it was drawn.
pub(crate) enum Drawn {
    Flip(Square),
    Step(FromTo),
    Capture(FromTo),
}

/// Where a piece goes, as sets of one square: what moves of a set is known before the number of the
/// square is.
#[derive(Clone, Copy)]
pub(crate) struct FromTo {
    pub(crate) from: u32,
    pub(crate) to: u32,
}

impl FromTo {
    /// The way of a step, upright or sideways, which has one bit in one of these words and none in
    /// the other.
    #[inline(always)]
    pub(crate) fn of([upright, sideways]: Steps) -> FromTo {
        let (up, down) = (upright as u32, (upright >> 32) as u32);
        let (right, left) = (sideways as u32, (sideways >> 32) as u32);
        let from = up >> 4 | down << 4 | right >> 1 | left << 1;
        FromTo { from, to: up | down | right | left }
    }

    #[inline(always)]
    pub(crate) fn from(self) -> Square {
        Square::wrap(self.from.trailing_zeros())
    }

    #[inline(always)]
    pub(crate) fn to(self) -> Square {
        Square::wrap(self.to.trailing_zeros())
    }
}

impl<'a> Scene<'a> {
    #[inline(always)]
    fn new(board: &Board, at: &'a mut Places) -> Scene<'a> {
        let cannons = |colour| board.of_piece(Piece::new(colour, Kind::Cannon));
        Scene {
            armies: [board.of(Colour::Red), board.of(Colour::Black)],
            cannons: [cannons(Colour::Red), cannons(Colour::Black)],
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
        let &Scene { covered, pool, quiet, .. } = self;
        Layout { face_up: red | black, at: self.at, covered, pool, mover, quiet }
    }

    /// The piece on the one square of a set, or [`NOBODY`] for the empty one.
    #[inline(always)]
    pub(crate) fn face(&self, square: u32) -> Piece {
        self.at[square.trailing_zeros() as usize % (2 * SQUARES)]
    }

    /// The enemies that a cannon of that colour hits.
    #[inline(always)]
    pub(crate) fn jumps<I: Isa, const OWN: usize>(&self, isa: I, cannon: Square) -> u32 {
        let [red, black] = self.armies;
        jumps_by(isa, cannon, self.covered | red | black) & self.armies[1 - OWN]
    }

    /// Moves a piece of that colour to a square where nothing is any more.
    #[inline(always)]
    fn step<const OWN: usize>(&mut self, way: FromTo) {
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

/// Where steps go: upwards and downwards in the halves of the first word, to the right and to the
/// left in those of the second.
pub(crate) type Steps = [u64; 2];

/// The steps from a set of squares.
#[inline(always)]
pub(crate) fn steps(from: u32) -> Steps {
    const A_FILE: u32 = 0x1111_1111;
    const D_FILE: u32 = 0x8888_8888;
    let both = |low: u32, high: u32| u64::from(low) | u64::from(high) << 32;
    [both(from << 4, from >> 4), both((from & !D_FILE) << 1, (from & !A_FILE) >> 1)]
}

/// Those of the steps that end in a set of squares.
#[inline(always)]
pub(crate) fn onto(steps: Steps, to: u32) -> Steps {
    let to = u64::from(to) | u64::from(to) << 32;
    [steps[0] & to, steps[1] & to]
}

/// The step of that number, where there are so many upright ones.
#[inline(always)]
pub(crate) fn nth_step<I: Isa>(isa: I, steps: Steps, upright: u32, index: u32) -> Steps {
    // In one of the two there are not so many steps, so that it gives none: a board has less than
    // 64 of them.
    [isa.nth_bit(steps[0], index), isa.nth_bit(steps[1], index.wrapping_sub(upright))]
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::sample::Weighted;
    use crate::uniform::Uniform;
    use crate::{Banqi, Weights, state};
    use monteverde_game::Game;

    /// What a playout must come to: moves drawn one at a time to the end of the game, with its
    /// outcome and plies.
    pub(crate) fn by_moves(
        game: &mut Banqi,
        rng: &mut Rng,
        sample: impl Fn(&Banqi, &mut Rng) -> Result<Move, Outcome>,
    ) -> (Outcome, u32) {
        let mut plies = 0;
        loop {
            match sample(game, rng) {
                Ok(mv) => game.play(mv),
                Err(outcome) => return (outcome, plies),
            }
            plies += 1;
            if game.is_pending() {
                let event = game.sample_event(rng);
                game.settle(event);
            }
        }
    }

    /// Without the machine's special instructions the same moves are drawn.
    #[test]
    fn instruction_sets_draw_alike() {
        check(Uniform);
        check(Weighted(&Weights::new([55, 50, 25, 10, 8, 30, 8], 2)));
    }

    fn check<D: Draw>(draw: D) {
        let text = "XXXX/XXXX/XXXX/XXXX/XXXX/XXXX/XXXX/XXXG r KGMMRRNNCCPPPPPkggmmrrnnccppppp 0";
        let board = state::parse(text).unwrap();
        let (rules, mover, combination) = (board.rules(), board.mover(), board.combination());
        let (mut rng, mut portable_rng) = (Rng::new(1), Rng::new(1));
        for _ in 0..200 {
            let (mut at, mut portable_at) = (places(&board), places(&board));
            let (mut past, mut portable_past) = (Past::default(), Past::default());
            let verdict = |_| Likely::Unknown;
            let scene = Scene::new(&board, &mut at);
            let (past, portable_past) = (&mut past, &mut portable_past);
            let play = Play { scene, combination, rules, past, draw, verdict, rng: &mut rng };
            let end = isa::run(FromBoard::<_, _, true> { play, mover });
            let (scene, past) = (Scene::new(&board, &mut portable_at), portable_past);
            let rng = &mut portable_rng;
            let play = Play { scene, combination, rules, past, draw, verdict, rng };
            let portable = isa::run_portably(FromBoard::<_, _, true> { play, mover });
            assert_eq!((portable.plies, portable.scene.key), (end.plies, end.scene.key));
        }
        assert_eq!(rng, portable_rng);
    }
}
