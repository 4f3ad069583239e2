//! The pieces and rights of a position without key and move number: what move generation, perft and
//! playouts work on.

use crate::army::{Army, Black, White};
use crate::isa::{Isa, Portable};
use crate::moves::Kind;
use crate::tables::ABOUT;
use crate::{Color, Move, Piece};

pub(crate) const PAWN: usize = Piece::Pawn.index();
pub(crate) const KNIGHT: usize = Piece::Knight.index();
pub(crate) const BISHOP: usize = Piece::Bishop.index();
pub(crate) const ROOK: usize = Piece::Rook.index();
pub(crate) const QUEEN: usize = Piece::Queen.index();
pub(crate) const KING: usize = Piece::King.index();

/// A position. Each side has exactly one king, and the side not to move is not in check.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Position {
    /// By [`Piece::index`], both colours together.
    pub(crate) pieces: [u64; 6],
    /// By [`Color::index`].
    pub(crate) colors: [u64; 2],
    /// The rooks that may still castle.
    pub(crate) castling: u64,
    /// The square that a pawn has just passed over, if an en passant capture there is legal.
    pub(crate) en_passant: u64,
    pub(crate) turn: Color,
    /// Plies since the last capture or pawn move.
    pub(crate) halfmoves: u16,
}

impl Position {
    #[inline(always)]
    pub(crate) fn occupied(&self) -> u64 {
        self.colors[0] | self.colors[1]
    }

    /// Rooks and queens of both colours.
    #[inline(always)]
    pub(crate) fn orthogonals(&self) -> u64 {
        self.pieces[ROOK] | self.pieces[QUEEN]
    }

    /// Bishops and queens of both colours.
    #[inline(always)]
    pub(crate) fn diagonals(&self) -> u64 {
        self.pieces[BISHOP] | self.pieces[QUEEN]
    }

    #[inline(always)]
    pub(crate) fn king(&self, color: usize) -> usize {
        square_of(self.pieces[KING] & self.colors[color])
    }

    pub(crate) fn piece_on(&self, bit: u64) -> Option<Piece> {
        Piece::ALL.into_iter().find(|piece| self.pieces[piece.index()] & bit != 0)
    }

    /// The pieces of both colours that attack the square, were `occupied` the occupied squares.
    #[inline(always)]
    pub(crate) fn attackers<I: Isa>(&self, isa: I, square: usize, occupied: u64) -> u64 {
        let pawns = ABOUT[square].pawn[1] & self.colors[0] | ABOUT[square].pawn[0] & self.colors[1];
        pawns & self.pieces[PAWN]
            | ABOUT[square].knight & self.pieces[KNIGHT]
            | ABOUT[square].king & self.pieces[KING]
            | isa.bishop(square, occupied) & self.diagonals()
            | isa.rook(square, occupied) & self.orthogonals()
    }

    /// The enemy pieces that give check to the side to move.
    pub(crate) fn checkers(&self) -> u64 {
        let us = self.turn.index();
        self.attackers(Portable, self.king(us), self.occupied()) & self.colors[us ^ 1]
    }

    /// Whether no sequence of legal moves can mate: nothing but kings and at most one knight, or
    /// nothing but kings and bishops on squares of one colour.
    #[inline(always)]
    pub(crate) fn is_insufficient_material(&self) -> bool {
        self.pieces[PAWN] | self.orthogonals() == 0 && self.minors_are_insufficient()
    }

    #[inline(never)]
    fn minors_are_insufficient(&self) -> bool {
        const DARK: u64 = crate::Bitboard::DARK.0;
        let [_, knights, bishops, ..] = self.pieces;
        if knights == 0 {
            bishops & DARK == 0 || bishops & !DARK == 0
        } else {
            bishops == 0 && knights & (knights - 1) == 0
        }
    }

    /// Plays a legal move.
    #[inline(always)]
    pub(crate) fn play(&mut self, mv: Move) {
        match self.turn {
            Color::White => self.play_as::<White>(mv),
            Color::Black => self.play_as::<Black>(mv),
        }
    }

    /// Plays a legal move of that army, whose turn it is.
    #[inline(always)]
    pub(crate) fn play_as<A: Army>(&mut self, mv: Move) {
        let from = 1u64 << mv.from().index();
        let to = 1u64 << mv.to().index();
        let kind = mv.kind();
        self.turn = A::COLOR.other();
        self.en_passant = 0;
        if kind.index() > KING {
            return self.play_special::<A>(kind, from, to);
        }
        // By multiplication: which piece moves is random in playouts, and a branch on it costs
        // dearly.
        self.halfmoves = self.halfmoves.saturating_add(1) * u16::from(kind != Kind::PAWN);
        self.lose_castling::<A>(kind, from | to);
        if self.colors[A::THEM] & to != 0 {
            self.capture::<A>(to);
        }
        self.pieces[kind.index()] ^= from | to;
        self.colors[A::US] ^= from | to;
    }

    #[inline(always)]
    fn lose_castling<A: Army>(&mut self, kind: Kind, touched: u64) {
        if self.castling != 0 {
            self.castling &= !touched;
            if kind == Kind::KING {
                self.castling &= !A::BACK_RANK;
            }
        }
    }

    #[inline(always)]
    fn capture<A: Army>(&mut self, square: u64) {
        self.colors[A::THEM] ^= square;
        for pieces in &mut self.pieces[..KING] {
            *pieces &= !square;
        }
        self.halfmoves = 0;
    }

    #[inline(never)]
    fn play_special<A: Army>(&mut self, kind: Kind, from: u64, to: u64) {
        match kind {
            Kind::CASTLING => {
                self.halfmoves = self.halfmoves.saturating_add(1);
                let castle = Castle::of::<A>(square_of(from), square_of(to));
                self.castling &= !A::BACK_RANK;
                self.pieces[KING] ^= from ^ castle.king_to;
                self.pieces[ROOK] ^= to ^ castle.rook_to;
                self.colors[A::US] ^= from ^ castle.king_to ^ to ^ castle.rook_to;
            }
            Kind::DOUBLE_PUSH => {
                self.halfmoves = 0;
                self.pieces[PAWN] ^= from | to;
                self.colors[A::US] ^= from | to;
                self.allow_en_passant::<A>(A::push(from));
            }
            Kind::EN_PASSANT => {
                self.capture::<A>(A::Enemy::push(to));
                self.pieces[PAWN] ^= from | to;
                self.colors[A::US] ^= from | to;
            }
            promotion => {
                self.halfmoves = 0;
                self.lose_castling::<A>(promotion, to);
                if self.colors[A::THEM] & to != 0 {
                    self.capture::<A>(to);
                }
                self.pieces[PAWN] ^= from;
                self.pieces[promotion.index() - Kind::PROMOTE_KNIGHT.index() + KNIGHT] |= to;
                self.colors[A::US] ^= from | to;
            }
        }
    }

    /// Sets the en passant square after the double step of a pawn of `A` if the enemy can really
    /// capture: positions that differ only in a capture that is impossible are the same to the
    /// repetition rule.
    pub(crate) fn allow_en_passant<A: Army>(&mut self, passed: u64) {
        // Enemy pawns attack the passed square from where our pawns on it would attack.
        let capturers =
            (A::west(passed) | A::east(passed)) & self.pieces[PAWN] & self.colors[A::THEM];
        let is_legal = bits(capturers)
            .any(|from| self.is_legal_en_passant::<Portable, A::Enemy>(Portable, from, passed));
        self.en_passant = if is_legal { passed } else { 0 };
    }

    /// Whether a pawn of `A` that attacks the passed square may capture there without leaving its
    /// king in check. Two pawns leave their rank at once, so pins alone do not tell.
    #[inline(always)]
    pub(crate) fn is_legal_en_passant<I: Isa, A: Army>(
        &self,
        isa: I,
        from: usize,
        passed: u64,
    ) -> bool {
        let victim = A::Enemy::push(passed);
        let occupied = self.occupied() ^ (1 << from) ^ passed ^ victim;
        let attackers = self.attackers(isa, self.king(A::US), occupied);
        attackers & self.colors[A::THEM] & !victim == 0
    }
}

/// Where king and rook go when castling.
#[derive(Clone, Copy)]
pub(crate) struct Castle {
    pub(crate) king_to: u64,
    pub(crate) rook_to: u64,
}

impl Castle {
    /// For a king and a rook on the back rank of `A`.
    #[inline(always)]
    pub(crate) fn of<A: Army>(king: usize, rook: usize) -> Castle {
        const FILES: [(u64, u64); 2] = [(1 << 2, 1 << 3), (1 << 6, 1 << 5)];
        let (king_to, rook_to) = FILES[usize::from(rook > king)];
        let shift = A::BACK_RANK.trailing_zeros();
        Castle { king_to: king_to << shift, rook_to: rook_to << shift }
    }
}

/// The squares of a set, lowest first.
#[inline(always)]
pub(crate) fn bits(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lowest = (set != 0).then(|| square_of(set));
        set &= set.wrapping_sub(1);
        lowest
    })
}

/// The number of the lowest square of a set that is not empty.
#[inline(always)]
pub(crate) fn square_of(set: u64) -> usize {
    (set.trailing_zeros() & 63) as usize
}
