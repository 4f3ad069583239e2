//! Random moves drawn by piece: first one of the pieces that have a legal move, then one of its
//! moves.
//!
//! It is faster than a uniform draw, because the moves of one piece suffice, and it is biased by
//! design: the moves of a piece with few of them are drawn more often. A piece without a legal
//! move, and a move that is not legal, is put aside and another one drawn, which leaves the rest
//! with equal probabilities.

use crate::army::{Army, Black, White};
use crate::ending::Ending;
use crate::generate::is_legal_castling;
use crate::isa::{self, Isa, Task};
use crate::moves::Kind;
use crate::position::Position;
use crate::sample::{ended_by_rule, is_safe};
use crate::tables::ABOUT;
use crate::{Color, Move, Piece, Square};
use monteverde_game::Rng;

/// One random legal move by piece, or how the game has ended; repetitions do not count.
#[inline]
pub(crate) fn sample(position: &Position, rng: &mut Rng) -> Result<Move, Ending> {
    isa::run(SampleByPiece { position, rng })
}

struct SampleByPiece<'a> {
    position: &'a Position,
    rng: &'a mut Rng,
}

impl Task for SampleByPiece<'_> {
    type Output = Result<Move, Ending>;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Self::Output {
        match self.position.turn {
            Color::White => sample_as::<I, White>(isa, self.position, self.rng),
            Color::Black => sample_as::<I, Black>(isa, self.position, self.rng),
        }
    }
}

#[inline(always)]
fn sample_as<I: Isa, A: Army>(isa: I, position: &Position, rng: &mut Rng) -> Result<Move, Ending> {
    if let Some(ending) = ended_by_rule(isa, position) {
        return Err(ending);
    }
    let mut pieces = position.colors[A::US];
    while pieces != 0 {
        let from = isa.nth(pieces, rng.below(pieces.count_ones())) as usize;
        if let Some(mv) = sample_from::<I, A>(isa, position, rng, from) {
            return Ok(mv);
        }
        pieces ^= 1 << from;
    }
    Err(Ending::without_moves(position))
}

/// One uniformly random legal move of the piece of `A` on the square, if it has any.
#[inline(always)]
fn sample_from<I: Isa, A: Army>(
    isa: I,
    position: &Position,
    rng: &mut Rng,
    from: usize,
) -> Option<Move> {
    let piece = position.piece_on(1 << from)?;
    let mut targets = targets::<I, A>(isa, position, piece, from);
    while targets != 0 {
        let to = isa.nth(targets, rng.below(targets.count_ones())) as usize;
        let mv = Move::new(kind_to::<A>(position, piece, from, to), square(from), square(to));
        if is_legal::<I, A>(isa, position, mv) {
            return Some(promoted::<A>(mv, rng));
        }
        targets ^= 1 << to;
    }
    None
}

/// Where the piece may go, checks aside; a castling king to its rook.
#[inline(always)]
fn targets<I: Isa, A: Army>(isa: I, position: &Position, piece: Piece, from: usize) -> u64 {
    let ours = position.colors[A::US];
    let theirs = position.colors[A::THEM];
    let occupied = ours | theirs;
    match piece {
        Piece::Pawn => {
            let step = A::push(1 << from) & !occupied;
            let double = A::push(step & A::THIRD_RANK) & !occupied;
            step | double | ABOUT[from].pawn[A::US] & (theirs | position.en_passant)
        }
        Piece::Knight => ABOUT[from].knight & !ours,
        Piece::Bishop => isa.bishop(from, occupied) & !ours,
        Piece::Rook => isa.rook(from, occupied) & !ours,
        Piece::Queen => (isa.bishop(from, occupied) | isa.rook(from, occupied)) & !ours,
        Piece::King => ABOUT[from].king & !ours | position.castling & A::BACK_RANK,
    }
}

/// What kind of move it is, a promotion still taken for an ordinary one.
#[inline(always)]
fn kind_to<A: Army>(position: &Position, piece: Piece, from: usize, to: usize) -> Kind {
    const DOUBLE_STEP: usize = 16;
    match piece {
        Piece::Pawn if position.en_passant >> to & 1 != 0 && from % 8 != to % 8 => Kind::EN_PASSANT,
        Piece::Pawn if from.abs_diff(to) == DOUBLE_STEP => Kind::DOUBLE_PUSH,
        Piece::King if position.colors[A::US] >> to & 1 != 0 => Kind::CASTLING,
        _ => Kind::of(piece),
    }
}

#[inline(always)]
fn is_legal<I: Isa, A: Army>(isa: I, position: &Position, mv: Move) -> bool {
    let (from, to) = (mv.from().index(), mv.to().index());
    match mv.kind() {
        Kind::EN_PASSANT => position.is_legal_en_passant::<I, A>(isa, from, 1 << to),
        Kind::CASTLING => {
            let attackers = position.attackers(isa, from, position.occupied());
            attackers & position.colors[A::THEM] == 0
                && is_legal_castling::<I, A>(isa, position, to)
        }
        _ => is_safe::<I, A>(isa, position, mv),
    }
}

/// The move, or where it is a pawn's to the last rank, one of the promotions.
#[inline(always)]
fn promoted<A: Army>(mv: Move, rng: &mut Rng) -> Move {
    let is_last = A::Enemy::BACK_RANK >> mv.to().index() & 1 != 0;
    if mv.kind() == Kind::PAWN && is_last {
        let kind = Kind::PROMOTIONS[rng.below(Kind::PROMOTIONS.len() as u32) as usize];
        return Move::new(kind, mv.from(), mv.to());
    }
    mv
}

#[inline(always)]
fn square(number: usize) -> Square {
    Square::wrap(number as u32)
}
