//! Mates in one move, found without a list of moves.
//!
//! Nearly every position has no mate, so the first question is one that a few sets of squares
//! answer: can any piece give a check that leaves the enemy king no flight? Pins, checks to the own
//! king and ways to parry are not looked at for it. Only where the answer is yes are the legal
//! moves generated, and of them those that give check are tried on the board.

use crate::army::{Army, Black, White};
use crate::generate::{Any, Sink, Threats, generate, generate_others, king_targets};
use crate::isa::{self, Isa, Task};
use crate::moves::Kind;
use crate::position::{BISHOP, Castle, KING, KNIGHT, PAWN, Position, QUEEN, ROOK, bits};
use crate::tables::{self, ABOUT};
use crate::{Color, Move, Square};
use std::marker::PhantomData;

/// The first legal move in generation order that mates.
#[inline]
pub(crate) fn mating_move(position: &Position) -> Option<Move> {
    isa::run(Mating { position })
}

pub(crate) struct Mating<'a> {
    pub(crate) position: &'a Position,
}

impl Task for Mating<'_> {
    type Output = Option<Move>;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Option<Move> {
        match self.position.turn {
            Color::White => mating_move_as::<I, White>(isa, self.position),
            Color::Black => mating_move_as::<I, Black>(isa, self.position),
        }
    }
}

#[inline(always)]
pub(crate) fn mating_move_as<I: Isa, A: Army>(isa: I, position: &Position) -> Option<Move> {
    let checks = checks::<I, A>(isa, position)?;
    isa.enter(TryChecks { position, checks, army: PhantomData::<A> })
}

/// The checks of `A`, to move, that may mate; `None` where there is none.
#[inline(always)]
fn checks<I: Isa, A: Army>(isa: I, position: &Position) -> Option<Checks> {
    let ours = position.colors[A::US];
    let theirs = position.colors[A::THEM];
    let occupied = ours | theirs;
    let king = position.king(A::THEM);
    let pawns = position.pieces[PAWN] & ours;
    // What the king sees along its lines: from there a slider gives check.
    let diagonal = isa.bishop(king, occupied);
    let orthogonal = isa.rook(king, occupied);

    // What we attack, and where each kind of piece can go to give check.
    let (west, east) = (A::west(pawns), A::east(pawns));
    let mut covered = west | east | ABOUT[position.king(A::US)].king;
    let mut checks = Checks::default();
    for from in bits(position.pieces[KNIGHT] & ours) {
        covered |= ABOUT[from].knight;
        checks.knight |= ABOUT[from].knight;
    }
    for from in bits(position.pieces[BISHOP] & ours) {
        checks.bishop |= isa.bishop(from, occupied);
    }
    for from in bits(position.pieces[ROOK] & ours) {
        checks.rook |= isa.rook(from, occupied);
    }
    for from in bits(position.pieces[QUEEN] & ours) {
        checks.queen |= isa.bishop(from, occupied) | isa.rook(from, occupied);
    }
    covered |= checks.knight | checks.bishop | checks.rook | checks.queen;
    checks.knight &= ABOUT[king].knight & !ours;
    checks.bishop &= diagonal & !ours;
    checks.rook &= orthogonal & !ours;
    checks.queen &= (diagonal | orthogonal) & !ours;
    let steps = A::push(pawns) & !occupied;
    let pawn_targets = steps | A::push(steps & A::THIRD_RANK) & !occupied | (west | east) & theirs;
    checks.pawn = pawn_targets & ABOUT[king].pawn[A::THEM];
    let promotions = pawn_targets & A::Enemy::BACK_RANK;
    checks.promotion =
        promotions & (tables::BISHOP[king] | tables::ROOK[king] | ABOUT[king].knight);

    let diagonals = position.diagonals() & ours;
    let orthogonals = position.orthogonals() & ours;
    let aligned = tables::BISHOP[king] & diagonals | tables::ROOK[king] & orthogonals;
    if checks.all() != 0 {
        for flight in bits(ABOUT[king].king & !theirs & !covered) {
            checks.must_attack(isa, position, flight);
        }
        // A piece on a line of the king may be pinned; any other may capture what gives check.
        let pinned = if aligned != 0 { diagonal | orthogonal } else { 0 };
        let captors = theirs & !position.pieces[KING] & !pinned;
        for to in bits(checks.all()) {
            if position.attackers(isa, to, occupied) & captors != 0 {
                checks.remove(to);
            }
        }
    }
    // A slider of ours that sees the king through a piece of ours, which may move away.
    if aligned != 0 {
        let snipers = isa.bishop(king, occupied ^ diagonal & ours) & diagonals
            | isa.rook(king, occupied ^ orthogonal & ours) & orthogonals;
        for sniper in bits(snipers) {
            checks.discoverers |= tables::BETWEEN[king][sniper] & ours;
        }
    }
    let may_mate = checks.all() | checks.discoverers != 0 || has_special_check::<A>(position);
    may_mate.then_some(checks)
}

/// Where each kind of piece can go to give a check that may mate, unless it discovers one.
#[derive(Clone, Copy, Default)]
struct Checks {
    pawn: u64,
    knight: u64,
    bishop: u64,
    rook: u64,
    queen: u64,
    promotion: u64,
    /// Our pieces that alone stand between a slider of ours and the king.
    discoverers: u64,
}

impl Checks {
    #[inline(always)]
    fn all(&self) -> u64 {
        self.pawn | self.knight | self.bishop | self.rook | self.queen | self.promotion
    }

    #[inline(always)]
    fn remove(&mut self, to: usize) {
        let kept = !(1 << to);
        self.pawn &= kept;
        self.knight &= kept;
        self.bishop &= kept;
        self.rook &= kept;
        self.queen &= kept;
        self.promotion &= kept;
    }

    /// Leaves the checks that attack a flight of the king as well, which nothing attacks yet. The
    /// piece that moves may open a line of ours to it: where it can, nothing is left out.
    #[inline(always)]
    fn must_attack<I: Isa>(&mut self, isa: I, position: &Position, flight: usize) {
        let ours = position.colors[position.turn.index()];
        let occupied = position.occupied();
        let king = position.pieces[KING] & !ours;
        // Through the king, which is not there any more once it has fled.
        let diagonal = isa.bishop(flight, occupied ^ king);
        let orthogonal = isa.rook(flight, occupied ^ king);
        let diagonals = position.diagonals() & ours;
        let orthogonals = position.orthogonals() & ours;
        let aligned = tables::BISHOP[flight] & diagonals | tables::ROOK[flight] & orthogonals;
        if aligned != 0
            && isa.bishop(flight, occupied ^ diagonal & ours) & diagonals
                | isa.rook(flight, occupied ^ orthogonal & ours) & orthogonals
                != 0
        {
            return;
        }
        // A pawn that gives check attacks no square beside the king.
        self.pawn = 0;
        self.knight &= ABOUT[flight].knight;
        self.bishop &= diagonal;
        self.rook &= orthogonal;
        self.queen &= diagonal | orthogonal;
        self.promotion &= tables::BISHOP[flight] | tables::ROOK[flight] | ABOUT[flight].knight;
    }
}

/// Whether castling or en passant of `A` may give check.
#[inline(always)]
fn has_special_check<A: Army>(position: &Position) -> bool {
    let rights = position.castling & A::BACK_RANK;
    if rights | position.en_passant == 0 {
        return false;
    }
    let lines = tables::ROOK[position.king(A::THEM)];
    let may_castle = |rook| Castle::of::<A>(position.king(A::US), rook).rook_to & lines != 0;
    position.en_passant != 0 || bits(rights).any(may_castle)
}

/// Tries the checks that are legal.
struct TryChecks<'a, A> {
    position: &'a Position,
    checks: Checks,
    army: PhantomData<A>,
}

impl<A: Army> Task for TryChecks<'_, A> {
    type Output = Option<Move>;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Option<Move> {
        let TryChecks { position, checks, army } = self;
        let king = position.king(A::THEM);
        let Checks { pawn, knight, bishop, rook, queen, .. } = checks;
        let squares = [pawn, knight, bishop, rook, queen, 0];
        let mut sink = Mates { isa, position, king, squares, checks, mv: None, army };
        generate::<I, A, _>(isa, position, &mut sink);
        sink.mv
    }
}

/// Takes the first mating move.
struct Mates<'a, I, A> {
    isa: I,
    position: &'a Position,
    /// The enemy's.
    king: usize,
    /// The squares of the checks, in the order of [`Kind::index`].
    squares: [u64; 6],
    checks: Checks,
    mv: Option<Move>,
    army: PhantomData<A>,
}

impl<I: Isa, A: Army> Mates<'_, I, A> {
    #[inline(always)]
    fn attempt(&mut self, kind: Kind, from: usize, to: usize) {
        self.single(Move::new(kind, Square::wrap(from as u32), Square::wrap(to as u32)));
    }

    #[inline(always)]
    fn discovers(&self, from: usize) -> bool {
        self.checks.discoverers >> from & 1 != 0
    }
}

impl<I: Isa, A: Army> Sink for Mates<'_, I, A> {
    #[inline(always)]
    fn is_full(&self) -> bool {
        self.mv.is_some()
    }
    #[inline(always)]
    fn piece(&mut self, kind: Kind, from: usize, targets: u64) {
        let discovered = if self.discovers(from) { !tables::LINE[self.king][from] } else { 0 };
        for to in bits(targets & (self.squares[kind.index()] | discovered)) {
            self.attempt(kind, from, to);
        }
    }
    #[inline(always)]
    fn pawns(&mut self, kind: Kind, by: i8, targets: u64) {
        if targets & self.checks.pawn | self.checks.discoverers == 0 {
            return;
        }
        for to in bits(targets) {
            let from = to.wrapping_sub(by as usize);
            if self.checks.pawn >> to & 1 != 0 || self.discovers(from) {
                self.attempt(kind, from, to);
            }
        }
    }
    #[inline(always)]
    fn promotions(&mut self, by: i8, targets: u64) {
        for to in bits(targets) {
            let from = to.wrapping_sub(by as usize);
            if self.checks.promotion >> to & 1 != 0 || self.discovers(from) {
                Kind::PROMOTIONS.into_iter().for_each(|kind| self.attempt(kind, from, to));
            }
        }
    }
    #[inline(never)]
    fn single(&mut self, mv: Move) {
        if self.mv.is_none() {
            let mut after = *self.position;
            after.play_as::<A>(mv);
            self.mv = is_mated::<I, A::Enemy>(self.isa, &after).then_some(mv);
        }
    }
}

/// Whether `A`, whose turn it is, is mated.
#[inline(always)]
fn is_mated<I: Isa, A: Army>(isa: I, position: &Position) -> bool {
    let threats = Threats::of::<A>(position);
    if threats.checkers == 0 || king_targets::<I, A>(isa, position, threats.king) != 0 {
        return false;
    }
    if threats.checkers & (threats.checkers - 1) != 0 {
        return true;
    }
    let mut others = Any::default();
    generate_others::<I, A, _>(isa, position, &threats, &mut others);
    !others.0
}
