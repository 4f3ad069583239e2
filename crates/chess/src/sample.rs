//! Uniformly random legal moves, and playouts of them, without making lists of moves.
//!
//! A draw counts the pseudo-legal moves in sets, takes one of them and then tests whether it is
//! legal. If not, the draw is repeated a few times, and at last, or at once when the side is in
//! check, made from the legal moves alone. With `p` pseudo-legal and `l` legal moves one draw
//! followed by an exact one takes each legal move with probability `1/p + (p - l)/p * 1/l = 1/l`,
//! and so it is with more draws: the result is exactly uniform, and the costly question which moves
//! are legal is asked about few of them.

use crate::army::{Army, Black, White};
use crate::ending::{Ending, FIFTY_MOVES};
use crate::generate::{
    Any, Count, Generate, Sink, Threats, generate_castling, generate_others, is_legal_castling,
    king_targets,
};
use crate::isa::{self, Isa, Task};
use crate::moves::Kind;
use crate::position::{KING, KNIGHT, PAWN, Position, QUEEN, bits, square_of};
use crate::tables::ABOUT;
use crate::{Color, Move, Square};
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
            Color::White => {
                sample_as::<I, White>(isa, self.position, self.rng, &mut [Set::default(); SETS])
            }
            Color::Black => {
                sample_as::<I, Black>(isa, self.position, self.rng, &mut [Set::default(); SETS])
            }
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
        let sets = &mut [Set::default(); SETS];
        let mut plies = 0;
        if position.turn == Color::Black {
            match sample_as::<I, Black>(isa, position, rng, sets) {
                Ok(mv) => position.play_as::<Black>(mv),
                Err(ending) => return (ending, 0),
            }
            plies = 1;
        }
        loop {
            match sample_as::<I, White>(isa, position, rng, sets) {
                Ok(mv) => position.play_as::<White>(mv),
                Err(ending) => return (ending, plies),
            }
            match sample_as::<I, Black>(isa, position, rng, sets) {
                Ok(mv) => position.play_as::<Black>(mv),
                Err(ending) => return (ending, plies + 1),
            }
            plies += 2;
        }
    }
}

#[inline(always)]
fn sample_as<I: Isa, A: Army>(
    isa: I,
    position: &Position,
    rng: &mut Rng,
    sets: &mut [Set; SETS],
) -> Result<Move, Ending> {
    if let Some(ending) = ended_by_rule(isa, position) {
        return Err(ending);
    }
    draw::<I, A>(isa, position, rng, sets).ok_or_else(|| Ending::without_moves(position))
}

/// How the game has ended though there may be legal moves, repetitions aside.
#[inline(always)]
pub(crate) fn ended_by_rule<I: Isa>(isa: I, position: &Position) -> Option<Ending> {
    if position.is_insufficient_material() {
        return Some(Ending::InsufficientMaterial);
    }
    let is_due = position.halfmoves >= FIFTY_MOVES && has_legal_moves(isa, position);
    is_due.then_some(Ending::FiftyMoves)
}

#[cold]
fn has_legal_moves<I: Isa>(isa: I, position: &Position) -> bool {
    let mut sink = Any::default();
    isa.enter(Generate { position, sink: &mut sink });
    sink.0
}

/// One uniformly random legal move, if there is any.
#[inline(always)]
fn draw<I: Isa, A: Army>(
    isa: I,
    position: &Position,
    rng: &mut Rng,
    sets: &mut [Set; SETS],
) -> Option<Move> {
    let ours = position.colors[A::US];
    let theirs = position.colors[A::THEM];
    let occupied = ours | theirs;
    let king = position.king(A::US);
    let queens = position.pieces[QUEEN];
    let diagonals = position.diagonals() & ours;
    let orthogonals = position.orthogonals() & ours;
    let knights = position.pieces[KNIGHT] & ours;
    let pawns = position.pieces[PAWN] & ours;

    if diagonals.count_ones() + orthogonals.count_ones() + knights.count_ones() > MOST_PIECE_SETS {
        return isa.enter(Exact { position, rng, army: PhantomData::<A> });
    }
    let steps = A::push(pawns) & !occupied;
    let inner = !A::Enemy::BACK_RANK;
    let mut pool = Pool::new::<A>(
        sets,
        (king, ABOUT[king].king & !ours),
        [
            steps & inner,
            A::push(steps & A::THIRD_RANK) & !occupied,
            A::west(pawns) & theirs & inner,
            A::east(pawns) & theirs & inner,
        ],
    );
    for from in bits(knights) {
        pool.add(Code::of(Kind::KNIGHT, from), ABOUT[from].knight & !ours);
    }
    for from in bits(diagonals) {
        let code = Code::of_slider(Kind::BISHOP, from, queens);
        pool.add(code, isa.bishop(from, occupied) & !ours);
    }
    for from in bits(orthogonals) {
        let code = Code::of_slider(Kind::ROOK, from, queens);
        pool.add(code, isa.rook(from, occupied) & !ours);
    }
    if pawns & A::SEVENTH_RANK | position.castling & A::BACK_RANK | position.en_passant != 0 {
        let mut count = Count::default();
        generate_specials::<A, _>(position, &mut count);
        pool.specials = count.0;
    }

    if pool.ordinary > MOST_MOVES {
        return isa.enter(Exact { position, rng, army: PhantomData::<A> });
    }
    if let Some(mv) = pool.draw::<I, A>(isa, position, rng) {
        return Some(mv);
    }
    isa.enter(Redraw { position, rng, pool, army: PhantomData::<A> })
}

/// How many sets of moves a pool has room for: one of the king, four of pawns, and those of pieces.
const SETS: usize = 16;
const FIXED_SETS: usize = 5;

/// How many sets of knights, bishops, rooks and queens a pool can tell apart, a queen having two.
const MOST_PIECE_SETS: u32 = 8;

/// How many ordinary moves a pool can tell apart.
const MOST_MOVES: u32 = 127;

/// How often a move is drawn from the pseudo-legal ones before the legal ones are counted.
const DRAWS: u32 = 4;

/// Pseudo-legal moves in sets.
struct Pool<'a> {
    sets: &'a mut [Set; SETS],
    len: usize,
    /// For each set of the king and the pawns, the last one in the lowest byte, how many moves it
    /// and those before it have; 127 in the bytes above. In one word, so that all are looked at
    /// together.
    fixed_ends: u64,
    /// The same for the sets of pieces.
    piece_ends: u64,
    /// How many moves the sets have.
    ordinary: u32,
    /// How many promotions, en passant captures and castlings there are besides.
    specials: u32,
}

/// Moves to some targets.
#[derive(Clone, Copy, Default)]
struct Set {
    targets: u64,
    code: Code,
    /// How many moves come before these.
    start: u32,
}

/// How to tell the move to each target: it is the sum of the lower half and the target times the
/// upper half. A factor of 64 puts the target in its place; 65 adds it to the origin as well, for
/// pawns, whose origin is the target less a constant.
#[derive(Clone, Copy, Default)]
struct Code(u32);

impl Code {
    /// Moves of one piece.
    #[inline(always)]
    fn of(kind: Kind, from: usize) -> Code {
        Code(64 << 16 | (kind.index() << 12) as u32 | from as u32)
    }

    /// Moves of a bishop or rook, or of a queen like one.
    #[inline(always)]
    fn of_slider(kind: Kind, from: usize, queens: u64) -> Code {
        // By arithmetic, since which it is would often be guessed wrong.
        let is_queen = (queens >> from & 1) as u32;
        let more = (Kind::QUEEN.index() - kind.index()) << 12;
        Code(Code::of(kind, from).0 + is_queen * more as u32)
    }

    /// Moves of pawns from so many squares before the target.
    #[inline(always)]
    fn before(kind: Kind, by: i8) -> Code {
        Code(65 << 16 | u32::from(((kind.index() << 12) as u16).wrapping_sub(by as u16)))
    }

    #[inline(always)]
    fn to(self, target: u32) -> Move {
        Move::from_sum(self.0 as u16, (self.0 >> 16) as u16 * target as u16)
    }
}

impl<'a> Pool<'a> {
    /// The moves of the king of `A` and of its pawns: steps, double steps, captures to the west and
    /// to the east.
    #[inline(always)]
    fn new<A: Army>(
        sets: &'a mut [Set; SETS],
        (king, king_targets): (usize, u64),
        pawn_targets: [u64; 4],
    ) -> Pool<'a> {
        let codes = [
            Code::before(Kind::PAWN, A::PUSH),
            Code::before(Kind::DOUBLE_PUSH, A::PUSH * 2),
            Code::before(Kind::PAWN, A::WEST),
            Code::before(Kind::PAWN, A::EAST),
        ];
        let mut start = king_targets.count_ones();
        let mut fixed_ends = FILLED << 8 | u64::from(start);
        sets[0] = Set { targets: king_targets, code: Code::of(Kind::KING, king), start: 0 };
        for (i, (targets, code)) in pawn_targets.into_iter().zip(codes).enumerate() {
            sets[i + 1] = Set { targets, code, start };
            start += targets.count_ones();
            fixed_ends = fixed_ends << 8 | u64::from(start);
        }
        let len = FIXED_SETS;
        Pool { sets, len, fixed_ends, piece_ends: FILLED, ordinary: start, specials: 0 }
    }

    #[inline(always)]
    fn add(&mut self, code: Code, targets: u64) {
        self.sets[self.len % SETS] = Set { targets, code, start: self.ordinary };
        self.len += 1;
        self.ordinary += targets.count_ones();
        self.piece_ends = self.piece_ends << 8 | u64::from(self.ordinary);
    }

    /// Draws one of the moves; `None` if it is not legal, or there is none.
    #[inline(always)]
    fn draw<I: Isa, A: Army>(&self, isa: I, position: &Position, rng: &mut Rng) -> Option<Move> {
        let n = rng.below(self.ordinary + self.specials);
        if n < self.ordinary {
            let mv = self.nth(isa, n);
            is_safe::<I, A>(isa, position, mv).then_some(mv)
        } else {
            isa.enter(Special { position, n: n - self.ordinary, army: PhantomData::<A> })
        }
    }

    /// The `n`-th of the ordinary moves, counting from 0.
    #[inline(always)]
    fn nth<I: Isa>(&self, isa: I, n: u32) -> Move {
        // No byte borrows from the next, and each keeps its high bit where its end is not above
        // `n`.
        let minuend = (u64::from(n) * ONES) | HIGH;
        let passed = |ends: u64| ((minuend - ends) & HIGH).count_ones() as usize;
        let set = &self.sets[(passed(self.fixed_ends) + passed(self.piece_ends)) % SETS];
        set.code.to(isa.nth(set.targets, n - set.start))
    }
}

/// One in each byte, the high bit of each, and the number that no end is below.
const ONES: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = ONES << 7;
const FILLED: u64 = ONES * MOST_MOVES as u64;

/// Whether an ordinary pseudo-legal move or a promotion does not leave the king of `A` in check.
#[inline(always)]
pub(crate) fn is_safe<I: Isa, A: Army>(isa: I, position: &Position, mv: Move) -> bool {
    let (from, to) = (1u64 << mv.from().index(), 1u64 << mv.to().index());
    let ours = position.colors[A::US];
    let occupied = position.occupied() & !from | to;
    let king = square_of(if position.pieces[KING] & from != 0 {
        to
    } else {
        position.pieces[KING] & ours
    });
    let attackers = ABOUT[king].pawn[A::US] & position.pieces[PAWN]
        | ABOUT[king].knight & position.pieces[KNIGHT]
        | ABOUT[king].king & position.pieces[KING]
        | isa.bishop(king, occupied) & position.diagonals()
        | isa.rook(king, occupied) & position.orthogonals();
    attackers & position.colors[A::THEM] & !to == 0
}

/// Hands promotions, en passant captures and castlings to the sink that are yet to be tested: for
/// checks all of them, castlings for pieces in the way as well.
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
        for from in bits(pawns & ABOUT[passed].pawn[A::THEM]) {
            sink.single(Move::new(Kind::EN_PASSANT, square(from), square(passed)));
        }
    }
    for rook in bits(position.castling & A::BACK_RANK) {
        sink.single(Move::new(Kind::CASTLING, square(position.king(A::US)), square(rook)));
    }
}

#[inline(always)]
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
            Kind::EN_PASSANT => {
                position.is_legal_en_passant::<I, A>(isa, mv.from().index(), position.en_passant)
            }
            Kind::CASTLING => {
                position.attackers(isa, mv.from().index(), position.occupied())
                    & position.colors[A::THEM]
                    == 0
                    && is_legal_castling::<I, A>(isa, position, mv.to().index())
            }
            _ => is_safe::<I, A>(isa, position, *mv),
        })
    }
}

/// Draws again after an illegal move.
struct Redraw<'a, A> {
    position: &'a Position,
    rng: &'a mut Rng,
    pool: Pool<'a>,
    army: PhantomData<A>,
}

impl<A: Army> Task for Redraw<'_, A> {
    type Output = Option<Move>;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Option<Move> {
        let Redraw { position, rng, pool, army } = self;
        let king = position.king(A::US);
        let attackers = position.attackers(isa, king, position.occupied());
        // In check most moves are illegal. Otherwise few are, unless there are few moves.
        if attackers & position.colors[A::THEM] == 0 {
            for _ in 1..DRAWS {
                if let Some(mv) = pool.draw::<I, A>(isa, position, rng) {
                    return Some(mv);
                }
            }
        }
        Exact { position, rng, army }.run(isa)
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
        let Exact { position, rng, .. } = self;
        let threats = Threats::of::<A>(position);
        let king_targets = king_targets::<I, A>(isa, position, threats.king);
        let can_others_move = threats.checkers & threats.checkers.wrapping_sub(1) == 0;

        let mut count = Count(king_targets.count_ones());
        if can_others_move {
            generate_castling::<I, A, _>(isa, position, &threats, &mut count);
            generate_others::<I, A, _>(isa, position, &threats, &mut count);
        }
        if count.0 == 0 {
            return None;
        }
        let mut nth = Nth { isa, n: rng.below(count.0), mv: None };
        nth.piece(Kind::KING, threats.king, king_targets);
        if can_others_move && !nth.is_full() {
            generate_castling::<I, A, _>(isa, position, &threats, &mut nth);
            generate_others::<I, A, _>(isa, position, &threats, &mut nth);
        }
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
            self.mv = Some(Move::new(kind, square(from), Square::wrap(to)));
        }
    }
    #[inline(always)]
    fn pawns(&mut self, kind: Kind, by: i8, targets: u64) {
        if self.is_within(targets.count_ones()) {
            let to = self.isa.nth(targets, self.n);
            self.mv =
                Some(Move::new(kind, Square::wrap(to.wrapping_sub(by as u32)), Square::wrap(to)));
        }
    }
    #[inline(always)]
    fn promotions(&mut self, by: i8, targets: u64) {
        if self.is_within(targets.count_ones() * 4) {
            let to = self.isa.nth(targets, self.n / 4);
            let kind = Kind::PROMOTIONS[self.n as usize % 4];
            self.mv =
                Some(Move::new(kind, Square::wrap(to.wrapping_sub(by as u32)), Square::wrap(to)));
        }
    }
    #[inline(always)]
    fn single(&mut self, mv: Move) {
        if self.is_within(1) {
            self.mv = Some(mv);
        }
    }
}
