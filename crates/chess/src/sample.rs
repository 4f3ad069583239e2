//! Uniformly random legal moves, and playouts of them, without making lists of moves.
//!
//! A draw counts the pseudo-legal moves in sets, takes one of them and then tests whether it leaves the
//! king in check. If it does, or the side is in check anyway, a second draw is made from the legal moves
//! alone. With `p` pseudo-legal and `l` legal moves each legal move has the probability
//! `1/p + (p - l)/p * 1/l = 1/l`, so the result is exactly uniform, and the costly question which moves
//! are legal is asked about few of them.

use crate::army::{Army, Black, White};
use crate::ending::{Ending, FIFTY_MOVES};
use crate::generate::{Any, Count, Generate, Sink, generate, is_legal_castling};
use crate::isa::{self, Isa, Task};
use crate::moves::Kind;
use crate::position::{KING, KNIGHT, PAWN, Position, QUEEN, bits, square_of};
use crate::{Color, Move, Square, tables};
use monteverde_game::Rng;
use std::marker::PhantomData;

/// One uniformly random legal move, or how the game has ended; repetitions do not count.
pub(crate) fn sample(position: &Position, rng: &mut Rng) -> Result<Move, Ending> {
    isa::run(Sample { position, rng })
}

/// Plays uniformly random legal moves until the game has ended, and returns how and after how many.
pub(crate) fn playout(position: &mut Position, rng: &mut Rng) -> (Ending, u32) {
    isa::run(Playout { position, rng })
}

pub(crate) struct Sample<'a> {
    pub(crate) position: &'a Position,
    pub(crate) rng: &'a mut Rng,
}

impl Task for Sample<'_> {
    type Output = Result<Move, Ending>;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Self::Output {
        match self.position.turn {
            Color::White => sample_as::<I, White>(isa, self.position, self.rng),
            Color::Black => sample_as::<I, Black>(isa, self.position, self.rng),
        }
    }
}

pub(crate) struct Playout<'a> {
    pub(crate) position: &'a mut Position,
    pub(crate) rng: &'a mut Rng,
}

impl Task for Playout<'_> {
    type Output = (Ending, u32);

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> (Ending, u32) {
        let Playout { position, rng } = self;
        let mut plies = 0;
        if position.turn == Color::Black {
            match sample_as::<I, Black>(isa, position, rng) {
                Ok(mv) => position.play_as::<Black>(mv),
                Err(ending) => return (ending, 0),
            }
            plies = 1;
        }
        loop {
            match sample_as::<I, White>(isa, position, rng) {
                Ok(mv) => position.play_as::<White>(mv),
                Err(ending) => return (ending, plies),
            }
            match sample_as::<I, Black>(isa, position, rng) {
                Ok(mv) => position.play_as::<Black>(mv),
                Err(ending) => return (ending, plies + 1),
            }
            plies += 2;
        }
    }
}

#[inline(always)]
fn sample_as<I: Isa, A: Army>(isa: I, position: &Position, rng: &mut Rng) -> Result<Move, Ending> {
    if position.is_insufficient_material() {
        return Err(Ending::InsufficientMaterial);
    }
    if position.halfmoves >= FIFTY_MOVES && has_legal_moves(isa, position) {
        return Err(Ending::FiftyMoves);
    }
    draw::<I, A>(isa, position, rng).ok_or_else(|| Ending::without_moves(position))
}

#[cold]
fn has_legal_moves<I: Isa>(isa: I, position: &Position) -> bool {
    let mut sink = Any::default();
    isa.enter(Generate { position, sink: &mut sink });
    sink.0
}

/// One uniformly random legal move, if there is any.
#[inline(always)]
fn draw<I: Isa, A: Army>(isa: I, position: &Position, rng: &mut Rng) -> Option<Move> {
    let ours = position.colors[A::US];
    let theirs = position.colors[A::THEM];
    let occupied = ours | theirs;
    let king = position.king(A::US);
    let queens = position.pieces[QUEEN];
    let diagonals = position.diagonals() & ours;
    let orthogonals = position.orthogonals() & ours;
    let knights = position.pieces[KNIGHT] & ours;
    if (diagonals | orthogonals | knights).count_ones() > MOST_PIECES {
        return isa.enter(Exact { position, rng, army: PhantomData::<A> });
    }

    let mut pool = Pool::default();
    for from in bits(knights) {
        pool.add(Origin::of(Kind::Knight, from), tables::KNIGHT[from] & !ours);
    }
    for from in bits(diagonals) {
        let kind = if queens >> from & 1 != 0 { Kind::Queen } else { Kind::Bishop };
        pool.add(Origin::of(kind, from), isa.bishop(from, occupied) & !ours);
    }
    for from in bits(orthogonals) {
        let kind = if queens >> from & 1 != 0 { Kind::Queen } else { Kind::Rook };
        pool.add(Origin::of(kind, from), isa.rook(from, occupied) & !ours);
    }
    pool.add(Origin::of(Kind::King, king), tables::KING[king] & !ours);
    let pawns = position.pieces[PAWN] & ours;
    if pawns != 0 {
        let last = A::Enemy::BACK_RANK;
        let steps = A::push(pawns) & !occupied;
        let doubles = A::push(steps & A::THIRD_RANK) & !occupied;
        pool.add(Origin::before(Kind::Pawn, A::PUSH), steps & !last);
        pool.add(Origin::before(Kind::DoublePush, A::PUSH * 2), doubles);
        pool.add(Origin::before(Kind::Pawn, A::WEST), A::west(pawns) & theirs & !last);
        pool.add(Origin::before(Kind::Pawn, A::EAST), A::east(pawns) & theirs & !last);
    }
    let mut specials = 0;
    if pawns & A::SEVENTH_RANK | position.castling & A::BACK_RANK | position.en_passant != 0 {
        let mut count = Count::default();
        generate_specials::<A, _>(position, &mut count);
        specials = count.0;
    }

    let ordinary = u32::from(pool.total);
    if ordinary + specials == 0 {
        return None;
    }
    let n = rng.below(ordinary + specials);
    let mv = if n < ordinary {
        let mv = pool.take(isa, n);
        is_safe::<I, A>(isa, position, mv).then_some(mv)
    } else {
        isa.enter(Special { position, n: n - ordinary, army: PhantomData::<A> })
    };
    mv.or_else(|| isa.enter(Exact { position, rng, army: PhantomData::<A> }))
}

/// How many sets of moves a pool holds.
const SETS: usize = 32;

/// How many knights, bishops, rooks and queens a pool is sure to hold: a queen takes two sets, the king
/// one and pawns four. With that few pieces there are less than 256 moves, too.
const MOST_PIECES: u32 = 9;

/// Sets of ordinary moves.
struct Pool {
    /// How many moves there are in the sets up to and including each; 255 beyond the last set.
    ends: [u8; SETS],
    targets: [u64; SETS],
    origins: [Origin; SETS],
    len: usize,
    total: u8,
}

impl Default for Pool {
    #[inline(always)]
    fn default() -> Pool {
        Pool {
            ends: [255; SETS],
            targets: [0; SETS],
            origins: [Origin::of(Kind::Pawn, 0); SETS],
            len: 0,
            total: 0,
        }
    }
}

impl Pool {
    #[inline(always)]
    fn add(&mut self, origin: Origin, targets: u64) {
        let slot = self.len % SETS;
        self.total += targets.count_ones() as u8;
        self.ends[slot] = self.total;
        self.targets[slot] = targets;
        self.origins[slot] = origin;
        self.len += 1;
    }

    /// The `n`-th move, counting from 0.
    #[inline(always)]
    fn take<I: Isa>(&self, isa: I, n: u32) -> Move {
        let slot =
            self.ends.iter().map(|&end| u8::from(end <= n as u8)).sum::<u8>() as usize % SETS;
        let before = if slot == 0 { 0 } else { self.ends[slot - 1] };
        let to = isa.nth(self.targets[slot], n - u32::from(before));
        self.origins[slot].to(to)
    }
}

/// The kind of the moves of a set and where they come from: `(to - by) & mask | from`.
#[derive(Clone, Copy)]
struct Origin {
    kind: Kind,
    by: i8,
    mask: u8,
    from: u8,
}

impl Origin {
    /// Moves of one piece.
    #[inline(always)]
    fn of(kind: Kind, from: usize) -> Origin {
        Origin { kind, by: 0, mask: 0, from: from as u8 }
    }

    /// Moves of pawns from so many squares before the target.
    #[inline(always)]
    fn before(kind: Kind, by: i8) -> Origin {
        Origin { kind, by, mask: 63, from: 0 }
    }

    #[inline(always)]
    fn to(self, to: u32) -> Move {
        let from = (to as u8).wrapping_sub(self.by as u8) & self.mask | self.from;
        Move::new(self.kind, Square::wrap(u32::from(from)), Square::wrap(to))
    }
}

/// Whether an ordinary pseudo-legal move or a promotion does not leave the king of `A` in check.
#[inline(always)]
fn is_safe<I: Isa, A: Army>(isa: I, position: &Position, mv: Move) -> bool {
    let (from, to) = (1u64 << mv.from().index(), 1u64 << mv.to().index());
    let ours = position.colors[A::US];
    let occupied = position.occupied() & !from | to;
    let king = square_of(if position.pieces[KING] & from != 0 {
        to
    } else {
        position.pieces[KING] & ours
    });
    let attackers = tables::PAWN[A::US][king] & position.pieces[PAWN]
        | tables::KNIGHT[king] & position.pieces[KNIGHT]
        | tables::KING[king] & position.pieces[KING]
        | isa.bishop(king, occupied) & position.diagonals()
        | isa.rook(king, occupied) & position.orthogonals();
    attackers & position.colors[A::THEM] & !to == 0
}

/// Hands promotions, en passant captures and castlings to the sink that are legal but for checks.
#[inline(always)]
fn generate_specials<A: Army, S: Sink>(position: &Position, sink: &mut S) {
    let ours = position.colors[A::US];
    let theirs = position.colors[A::THEM];
    let occupied = ours | theirs;
    let pawns = position.pieces[PAWN] & ours;
    let promoting = pawns & A::SEVENTH_RANK;
    sink.promotions(A::PUSH, A::push(promoting) & !occupied);
    sink.promotions(A::WEST, A::west(promoting) & theirs);
    sink.promotions(A::EAST, A::east(promoting) & theirs);
    if position.en_passant != 0 {
        let passed = square_of(position.en_passant);
        for from in bits(pawns & tables::PAWN[A::THEM][passed]) {
            sink.single(Move::new(Kind::EnPassant, square(from), square(passed)));
        }
    }
    for rook in bits(position.castling & A::BACK_RANK) {
        sink.single(Move::new(Kind::Castling, square(position.king(A::US)), square(rook)));
    }
}

fn square(number: usize) -> Square {
    Square::wrap(number as u32)
}

/// Takes the `n`-th of the special moves if it is legal.
struct Special<'a, A> {
    position: &'a Position,
    n: u32,
    army: PhantomData<A>,
}

impl<A: Army> Task for Special<'_, A> {
    type Output = Option<Move>;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Option<Move> {
        let position = self.position;
        let mut nth = Nth { isa, n: self.n, mv: None };
        generate_specials::<A, _>(position, &mut nth);
        nth.mv.filter(|mv| match mv.kind() {
            Kind::EnPassant => {
                position.is_legal_en_passant::<I, A>(isa, mv.from().index(), position.en_passant)
            }
            Kind::Castling => {
                position.attackers(isa, mv.from().index(), position.occupied())
                    & position.colors[A::THEM]
                    == 0
                    && is_legal_castling::<I, A>(isa, position, mv.to().index())
            }
            _ => is_safe::<I, A>(isa, position, *mv),
        })
    }
}

/// Draws from the legal moves alone.
struct Exact<'a, A> {
    position: &'a Position,
    rng: &'a mut Rng,
    army: PhantomData<A>,
}

impl<A: Army> Task for Exact<'_, A> {
    type Output = Option<Move>;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Option<Move> {
        let mut count = Count::default();
        generate::<I, A, _>(isa, self.position, &mut count);
        if count.0 == 0 {
            return None;
        }
        let mut nth = Nth { isa, n: self.rng.below(count.0), mv: None };
        generate::<I, A, _>(isa, self.position, &mut nth);
        nth.mv
    }
}

/// Takes the `n`-th of the moves generated, counting from 0.
struct Nth<I> {
    isa: I,
    n: u32,
    mv: Option<Move>,
}

impl<I: Isa> Nth<I> {
    /// Whether the move is among the next so many; if not, they are passed over.
    #[inline(always)]
    fn is_within(&mut self, count: u32) -> bool {
        let is_within = self.mv.is_none() && self.n < count;
        if !is_within {
            self.n = self.n.wrapping_sub(count);
        }
        is_within
    }
}

impl<I: Isa> Sink for Nth<I> {
    #[inline(always)]
    fn is_full(&self) -> bool {
        self.mv.is_some()
    }
    #[inline(always)]
    fn piece(&mut self, kind: Kind, from: usize, targets: u64) {
        if self.is_within(targets.count_ones()) {
            let to = self.isa.nth(targets, self.n);
            self.mv = Some(Origin::of(kind, from).to(to));
        }
    }
    #[inline(always)]
    fn pawns(&mut self, kind: Kind, by: i8, targets: u64) {
        if self.is_within(targets.count_ones()) {
            let to = self.isa.nth(targets, self.n);
            self.mv = Some(Origin::before(kind, by).to(to));
        }
    }
    #[inline(always)]
    fn promotions(&mut self, by: i8, targets: u64) {
        if self.is_within(targets.count_ones() * 4) {
            let to = self.isa.nth(targets, self.n / 4);
            let kind = Kind::PROMOTIONS[self.n as usize % 4];
            self.mv = Some(Origin::before(kind, by).to(to));
        }
    }
    #[inline(always)]
    fn single(&mut self, mv: Move) {
        if self.is_within(1) {
            self.mv = Some(mv);
        }
    }
}
