//! Legal move generation, as sets of moves handed to a [`Sink`].

use crate::army::{Army, Black, White};
use crate::isa::{Isa, Task};
use crate::moves::Kind;
use crate::position::{Castle, KNIGHT, PAWN, Position, QUEEN, bits, square_of};
use crate::tables::ABOUT;
use crate::{Color, Move, Square, tables};

/// Takes sets of moves; a set may be empty.
pub(crate) trait Sink {
    /// Whether it has seen enough, so that generation may stop.
    #[inline(always)]
    fn is_full(&self) -> bool {
        false
    }
    /// Moves of one piece to each of the targets.
    fn piece(&mut self, kind: Kind, from: usize, targets: u64);
    /// Moves of pawns, each to one of the targets from `by` squares before it.
    fn pawns(&mut self, kind: Kind, by: i8, targets: u64);
    /// Promotions, each to one of the targets from `by` squares before it.
    fn promotions(&mut self, by: i8, targets: u64);
    /// One move.
    fn single(&mut self, mv: Move);
}

/// Generates every legal move of a position into a sink.
pub(crate) struct Generate<'a, S> {
    pub(crate) position: &'a Position,
    pub(crate) sink: &'a mut S,
}

impl<S: Sink> Task for Generate<'_, S> {
    type Output = ();

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) {
        match self.position.turn {
            Color::White => generate::<I, White, S>(isa, self.position, self.sink),
            Color::Black => generate::<I, Black, S>(isa, self.position, self.sink),
        }
    }
}

/// Hands every legal move of `A`, whose turn it is, to the sink, in an order that depends on the
/// position alone: pawns, knights, diagonal and orthogonal sliders, pinned ones, the king,
/// castling.
#[inline(always)]
pub(crate) fn generate<I: Isa, A: Army, S: Sink>(isa: I, position: &Position, sink: &mut S) {
    let threats = Threats::of::<A>(position);
    if threats.checkers & threats.checkers.wrapping_sub(1) == 0 {
        generate_others::<I, A, S>(isa, position, &threats, sink);
    }
    if !sink.is_full() {
        let king_targets = king_targets::<I, A>(isa, position, threats.king);
        sink.piece(Kind::KING, threats.king, king_targets);
        generate_castling::<I, A, S>(isa, position, &threats, sink);
    }
}

/// Hands the legal moves of all pieces but the king to the sink, where at most one piece gives
/// check.
#[inline(always)]
pub(crate) fn generate_others<I: Isa, A: Army, S: Sink>(
    isa: I,
    position: &Position,
    threats: &Threats,
    sink: &mut S,
) {
    // A checker must be captured, or its line blocked.
    let targets = match threats.checkers {
        0 => !position.colors[A::US],
        checker => checker | tables::BETWEEN[threats.king][square_of(checker)],
    };
    pawn_moves::<I, A, S>(isa, position, threats, targets, sink);
    piece_moves::<I, A, S>(isa, position, threats, targets, sink);
}

/// What attacks the king of the side to move, and what it holds in place.
pub(crate) struct Threats {
    pub(crate) king: usize,
    pub(crate) checkers: u64,
    /// Our pieces that alone stand between the king and an enemy slider.
    pinned: u64,
}

impl Threats {
    #[inline(always)]
    pub(crate) fn of<A: Army>(position: &Position) -> Threats {
        let king = position.king(A::US);
        let theirs = position.colors[A::THEM];
        let occupied = position.occupied();
        let mut checkers = theirs
            & (ABOUT[king].knight & position.pieces[KNIGHT]
                | ABOUT[king].pawn[A::US] & position.pieces[PAWN]);
        let mut pinned = 0;
        let snipers = theirs
            & (tables::ROOK[king] & position.orthogonals()
                | tables::BISHOP[king] & position.diagonals());
        for sniper in bits(snipers) {
            let blockers = tables::BETWEEN[king][sniper] & occupied;
            if blockers == 0 {
                checkers |= 1 << sniper;
            } else if blockers & (blockers - 1) == 0 {
                pinned |= blockers & position.colors[A::US];
            }
        }
        Threats { king, checkers, pinned }
    }
}

/// Pawn moves of all pawns at once. A pinned pawn keeps to the line of its pin: it steps if that is
/// the king's file, and captures along the king's diagonals.
#[inline(always)]
fn pawn_moves<I: Isa, A: Army, S: Sink>(
    isa: I,
    position: &Position,
    threats: &Threats,
    targets: u64,
    sink: &mut S,
) {
    let pawns = position.pieces[PAWN] & position.colors[A::US];
    if pawns == 0 {
        return;
    }
    let theirs = position.colors[A::THEM];
    let empty = !position.occupied();
    let Threats { king, pinned, .. } = *threats;
    let (west_line, east_line) = match A::COLOR {
        Color::White => (tables::ANTIDIAGONALS[king], tables::DIAGONALS[king]),
        Color::Black => (tables::DIAGONALS[king], tables::ANTIDIAGONALS[king]),
    };

    let steps = A::push(pawns & (!pinned | ABOUT[king].file)) & empty;
    let doubles = A::push(steps & A::THIRD_RANK) & empty & targets;
    let steps = steps & targets;
    let west = A::west(pawns & (!pinned | west_line)) & theirs & targets;
    let east = A::east(pawns & (!pinned | east_line)) & theirs & targets;

    let last = A::Enemy::BACK_RANK;
    sink.pawns(Kind::PAWN, A::PUSH, steps & !last);
    sink.pawns(Kind::DOUBLE_PUSH, A::PUSH * 2, doubles);
    sink.pawns(Kind::PAWN, A::WEST, west & !last);
    sink.pawns(Kind::PAWN, A::EAST, east & !last);
    if pawns & A::SEVENTH_RANK != 0 {
        sink.promotions(A::PUSH, steps & last);
        sink.promotions(A::WEST, west & last);
        sink.promotions(A::EAST, east & last);
    }
    if position.en_passant != 0 {
        let passed = square_of(position.en_passant);
        for from in bits(pawns & ABOUT[passed].pawn[A::THEM]) {
            if position.is_legal_en_passant::<I, A>(isa, from, position.en_passant) {
                sink.single(Move::new(Kind::EN_PASSANT, square(from), square(passed)));
            }
        }
    }
}

/// Moves of knights, bishops, rooks and queens; a queen's in two sets, as a bishop's and as a
/// rook's.
#[inline(always)]
fn piece_moves<I: Isa, A: Army, S: Sink>(
    isa: I,
    position: &Position,
    threats: &Threats,
    targets: u64,
    sink: &mut S,
) {
    let ours = position.colors[A::US];
    let occupied = position.occupied();
    let Threats { king, pinned, .. } = *threats;
    let queens = position.pieces[QUEEN];
    for from in bits(position.pieces[KNIGHT] & ours & !pinned) {
        sink.piece(Kind::KNIGHT, from, ABOUT[from].knight & targets);
    }
    if sink.is_full() {
        return;
    }
    let diagonals = position.diagonals() & ours;
    for from in bits(diagonals & !pinned) {
        let kind = if queens >> from & 1 != 0 { Kind::QUEEN } else { Kind::BISHOP };
        sink.piece(kind, from, isa.bishop(from, occupied) & targets);
    }
    let orthogonals = position.orthogonals() & ours;
    for from in bits(orthogonals & !pinned) {
        let kind = if queens >> from & 1 != 0 { Kind::QUEEN } else { Kind::ROOK };
        sink.piece(kind, from, isa.rook(from, occupied) & targets);
    }
    // Pinned sliders keep to the line through the king.
    for from in bits(diagonals & pinned & tables::BISHOP[king]) {
        let kind = if queens >> from & 1 != 0 { Kind::QUEEN } else { Kind::BISHOP };
        sink.piece(kind, from, isa.bishop(from, occupied) & targets & tables::LINE[king][from]);
    }
    for from in bits(orthogonals & pinned & tables::ROOK[king]) {
        let kind = if queens >> from & 1 != 0 { Kind::QUEEN } else { Kind::ROOK };
        sink.piece(kind, from, isa.rook(from, occupied) & targets & tables::LINE[king][from]);
    }
}

/// Where the king of `A` may go without being attacked.
#[inline(always)]
pub(crate) fn king_targets<I: Isa, A: Army>(isa: I, position: &Position, king: usize) -> u64 {
    let theirs = position.colors[A::THEM];
    let their_pawns = position.pieces[PAWN] & theirs;
    let mut targets = ABOUT[king].king
        & !position.colors[A::US]
        & !A::Enemy::west(their_pawns)
        & !A::Enemy::east(their_pawns)
        & !ABOUT[position.king(A::THEM)].king;
    // Without the king, so that it does not hide squares behind it from a slider.
    let occupied = position.occupied() ^ 1 << king;
    let diagonals = position.diagonals() & theirs;
    let orthogonals = position.orthogonals() & theirs;
    let knights = position.pieces[KNIGHT] & theirs;
    for to in bits(targets) {
        let attackers = ABOUT[to].knight & knights
            | isa.bishop(to, occupied) & diagonals
            | isa.rook(to, occupied) & orthogonals;
        targets ^= u64::from(attackers != 0) << to;
    }
    targets
}

#[inline(always)]
pub(crate) fn generate_castling<I: Isa, A: Army, S: Sink>(
    isa: I,
    position: &Position,
    threats: &Threats,
    sink: &mut S,
) {
    if threats.checkers == 0 && position.castling & A::BACK_RANK != 0 {
        for rook in bits(position.castling & A::BACK_RANK) {
            if is_legal_castling::<I, A>(isa, position, rook) {
                sink.single(Move::new(Kind::CASTLING, square(threats.king), square(rook)));
            }
        }
    }
}

/// Whether the king of `A`, not in check, may castle with that rook, which has kept the right to:
/// the squares both pass are empty, and the king passes no attacked one.
#[inline(always)]
pub(crate) fn is_legal_castling<I: Isa, A: Army>(isa: I, position: &Position, rook: usize) -> bool {
    let king = position.king(A::US);
    let castle = Castle::of::<A>(king, rook);
    let king_path = tables::BETWEEN[king][square_of(castle.king_to)] | castle.king_to;
    let rook_path = tables::BETWEEN[rook][square_of(castle.rook_to)] | castle.rook_to;
    // In Chess960 the rook itself may be all that shields the square the king goes to.
    let others = position.occupied() ^ 1 << king ^ 1 << rook;
    (king_path | rook_path) & others == 0
        && bits(king_path)
            .all(|to| position.attackers(isa, to, others) & position.colors[A::THEM] == 0)
}

#[inline(always)]
fn square(number: usize) -> Square {
    Square::wrap(number as u32)
}

/// Counts moves.
#[derive(Default)]
pub(crate) struct Count(pub(crate) u32);

impl Sink for Count {
    #[inline(always)]
    fn piece(&mut self, _: Kind, _: usize, targets: u64) {
        self.0 += targets.count_ones();
    }
    #[inline(always)]
    fn pawns(&mut self, _: Kind, _: i8, targets: u64) {
        self.0 += targets.count_ones();
    }
    #[inline(always)]
    fn promotions(&mut self, _: i8, targets: u64) {
        self.0 += targets.count_ones() * 4;
    }
    #[inline(always)]
    fn single(&mut self, _: Move) {
        self.0 += 1;
    }
}

/// Tells whether there is any move.
#[derive(Default)]
pub(crate) struct Any(pub(crate) bool);

impl Sink for Any {
    #[inline(always)]
    fn is_full(&self) -> bool {
        self.0
    }
    #[inline(always)]
    fn piece(&mut self, _: Kind, _: usize, targets: u64) {
        self.0 |= targets != 0;
    }
    #[inline(always)]
    fn pawns(&mut self, _: Kind, _: i8, targets: u64) {
        self.0 |= targets != 0;
    }
    #[inline(always)]
    fn promotions(&mut self, _: i8, targets: u64) {
        self.0 |= targets != 0;
    }
    #[inline(always)]
    fn single(&mut self, _: Move) {
        self.0 = true;
    }
}

/// Hands moves one by one to a function.
pub(crate) struct Each<F>(pub(crate) F);

impl<F: FnMut(Move)> Sink for Each<F> {
    #[inline(always)]
    fn piece(&mut self, kind: Kind, from: usize, targets: u64) {
        for to in bits(targets) {
            (self.0)(Move::new(kind, square(from), square(to)));
        }
    }
    #[inline(always)]
    fn pawns(&mut self, kind: Kind, by: i8, targets: u64) {
        for to in bits(targets) {
            (self.0)(Move::new(kind, square(to.wrapping_sub(by as usize)), square(to)));
        }
    }
    #[inline(always)]
    fn promotions(&mut self, by: i8, targets: u64) {
        for to in bits(targets) {
            for kind in Kind::PROMOTIONS {
                (self.0)(Move::new(kind, square(to.wrapping_sub(by as usize)), square(to)));
            }
        }
    }
    #[inline(always)]
    fn single(&mut self, mv: Move) {
        (self.0)(mv);
    }
}

/// Tells whether a move is among those generated.
pub(crate) struct Find {
    pub(crate) mv: Move,
    pub(crate) found: bool,
}

impl Sink for Find {
    #[inline(always)]
    fn is_full(&self) -> bool {
        self.found
    }
    fn piece(&mut self, kind: Kind, from: usize, targets: u64) {
        self.found |= self.mv.kind() == kind
            && self.mv.from().index() == from
            && targets >> self.mv.to().index() & 1 != 0;
    }
    fn pawns(&mut self, kind: Kind, by: i8, targets: u64) {
        let from = square(self.mv.to().index().wrapping_sub(by as usize));
        self.piece(kind, from.index(), targets);
    }
    fn promotions(&mut self, by: i8, targets: u64) {
        for kind in Kind::PROMOTIONS {
            self.pawns(kind, by, targets);
        }
    }
    fn single(&mut self, mv: Move) {
        self.found |= self.mv == mv;
    }
}
