//! The move that wins most by exchanges, without the value of every move.
//!
//! No move is worth more than what it gains at once, so a move whose gain does not beat the best
//! value yet is passed over, and a value is worked out no further than to see that it does not.
//! Quiet moves gain nothing: as soon as a move that loses nothing is known, they are passed over in
//! whole sets.

use crate::army::{Army, Black, White};
use crate::ending::Ending;
use crate::generate::{Sink, generate};
use crate::isa::{self, Isa, Task};
use crate::moves::Kind;
use crate::position::{Position, bits};
use crate::sample::{Sample, ended_by_rule};
use crate::see::{SeeAbove, stakes};
use crate::{Color, Move, Square};
use monteverde_game::{Rng, Ties};
use std::marker::PhantomData;

/// The legal move of the highest exchange value, or how the game has ended; repetitions do not
/// count.
#[inline]
pub(crate) fn best_exchange(
    position: &Position,
    ties: Ties,
    rng: &mut Rng,
) -> Result<Move, Ending> {
    isa::run(BestExchange { position, ties, rng })
}

pub(crate) struct BestExchange<'a> {
    pub(crate) position: &'a Position,
    pub(crate) ties: Ties,
    pub(crate) rng: &'a mut Rng,
}

impl Task for BestExchange<'_> {
    type Output = Result<Move, Ending>;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Result<Move, Ending> {
        let BestExchange { position, ties, rng } = self;
        if let Some(ending) = ended_by_rule(isa, position) {
            return Err(ending);
        }
        let best = match ties {
            Ties::First | Ties::Last => isa.enter(Best { position, ties, least: LOWEST, rng }),
            Ties::Random => random_best(isa, position, rng),
        };
        best.ok_or_else(|| Ending::without_moves(position))
    }
}

/// Below the value of any move.
const LOWEST: i32 = -10_000;

/// How often a move is drawn from all moves before the best ones are counted.
const DRAWS: u32 = 4;

/// Each of the best moves with equal probability. Where no move gains, those that lose nothing are
/// the best, and most moves are among them: a uniformly random move that loses nothing is one of
/// them with equal probability. If a few draws find none, the values of all moves decide, which
/// leaves it so.
#[inline(always)]
fn random_best<I: Isa>(isa: I, position: &Position, rng: &mut Rng) -> Option<Move> {
    let ties = Ties::Random;
    let gaining = isa.enter(Best { position, ties, least: 1, rng });
    if gaining.is_some() {
        return gaining;
    }
    for _ in 0..DRAWS {
        let mv = isa.enter(Sample { position, rng }).ok()?;
        let stakes = stakes(position, mv);
        if isa.enter(SeeAbove { position, mv, stakes, floor: -1 }).is_some() {
            return Some(mv);
        }
    }
    isa.enter(Best { position, ties, least: LOWEST, rng })
}

/// Finds the best of the moves whose value is `least` at least.
struct Best<'a> {
    position: &'a Position,
    ties: Ties,
    least: i32,
    rng: &'a mut Rng,
}

impl Task for Best<'_> {
    type Output = Option<Move>;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Option<Move> {
        match self.position.turn {
            Color::White => self.run_as::<I, White>(isa),
            Color::Black => self.run_as::<I, Black>(isa),
        }
    }
}

impl Best<'_> {
    #[inline(always)]
    fn run_as<I: Isa, A: Army>(self, isa: I) -> Option<Move> {
        let Best { position, ties, least, rng } = self;
        let mut sink = Highest {
            isa,
            position,
            ties,
            rng,
            floor: least - 1,
            best: None,
            equals: 0,
            army: PhantomData::<A>,
        };
        generate::<I, A, _>(isa, position, &mut sink);
        sink.best
    }
}

/// Takes the move of the highest value.
struct Highest<'a, I, A> {
    isa: I,
    position: &'a Position,
    ties: Ties,
    rng: &'a mut Rng,
    /// What a move's value must be above to count: that of the best move yet where the first of
    /// equals is taken, else just below it.
    floor: i32,
    best: Option<Move>,
    /// How many moves of the best value there were.
    equals: u32,
    army: PhantomData<A>,
}

impl<I: Isa, A: Army> Highest<'_, I, A> {
    #[inline(always)]
    fn consider(&mut self, mv: Move) {
        let (position, floor) = (self.position, self.floor);
        let stakes = stakes(position, mv);
        if stakes.0 <= floor {
            return;
        }
        let Some(value) = self.isa.enter(SeeAbove { position, mv, stakes, floor }) else { return };
        match self.ties {
            Ties::First => (self.best, self.floor) = (Some(mv), value),
            Ties::Last => (self.best, self.floor) = (Some(mv), value - 1),
            Ties::Random => {
                let is_equal = self.best.is_some() && value == self.floor + 1;
                self.equals = if is_equal { self.equals + 1 } else { 1 };
                if self.equals == 1 || self.rng.below(self.equals) == 0 {
                    self.best = Some(mv);
                }
                self.floor = value - 1;
            }
        }
    }
}

impl<I: Isa, A: Army> Sink for Highest<'_, I, A> {
    #[inline(always)]
    fn piece(&mut self, kind: Kind, from: usize, targets: u64) {
        let quiet = if self.floor < 0 { !0 } else { 0 };
        for to in bits(targets & (self.position.colors[A::THEM] | quiet)) {
            self.consider(Move::new(kind, square(from), square(to)));
        }
    }
    #[inline(always)]
    fn pawns(&mut self, kind: Kind, by: i8, targets: u64) {
        let quiet = if self.floor < 0 { !0 } else { 0 };
        for to in bits(targets & (self.position.colors[A::THEM] | quiet)) {
            self.consider(Move::new(kind, square(to.wrapping_sub(by as usize)), square(to)));
        }
    }
    #[inline(always)]
    fn promotions(&mut self, by: i8, targets: u64) {
        for to in bits(targets) {
            for kind in Kind::PROMOTIONS {
                self.consider(Move::new(kind, square(to.wrapping_sub(by as usize)), square(to)));
            }
        }
    }
    #[inline(always)]
    fn single(&mut self, mv: Move) {
        self.consider(mv);
    }
}

#[inline(always)]
fn square(number: usize) -> Square {
    Square::wrap(number as u32)
}
