//! The board: a position with its key and its place in the game.

use crate::ending::Ending;
use crate::generate::{Any, Each, Find, Generate};
use crate::isa::{self, Isa, Task};
use crate::position::Position;
use crate::{Bitboard, Color, Move, Piece, Setup, Square, greedy, mate, perft, sample, zobrist};
use monteverde_game::{Outcome, Rng, Ties};
use std::fmt;

/// A side of the board to castle to: to the g-file with the king, or to the c-file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Wing {
    /// Towards the h-file.
    King,
    /// Towards the a-file.
    Queen,
}

impl Wing {
    /// Both wings, the king's first.
    pub const ALL: [Wing; 2] = [Wing::King, Wing::Queen];

    /// 0 for the king's wing, 1 for the queen's.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }
}

/// How castling is written; the rules are those of Chess960 in either case, which include the
/// standard ones.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Variant {
    /// Castling as the king's move of two squares, `e1g1`, and rights as `KQkq`.
    #[default]
    Standard,
    /// Castling as the king taking its rook, `e1h1`, and rights by the rook's file, `HAha`.
    Chess960,
}

/// A legal position with the side to move, rights and counters.
///
/// The invariants that [`Board::from_setup`] checks hold for ever: one king a side, no pawn on the
/// first or last rank, the side not to move not in check, at most 16 pieces a side.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Board {
    pub(crate) position: Position,
    pub(crate) key: u64,
    pub(crate) fullmoves: u16,
    pub(crate) variant: Variant,
}

impl Board {
    /// The initial position of standard chess.
    pub fn start() -> Board {
        let setup = Setup::chess960(STANDARD_NUMBER)
            .map(|setup| Setup { variant: Variant::Standard, ..setup });
        Board::from_setup(&setup.expect("the number is below 960")).expect("the start is legal")
    }

    /// The initial position of Chess960 of that number, 0 to 959, in Scharnagl's numbering (518 is
    /// the standard one); `None` for a number above that.
    pub fn chess960(number: u16) -> Option<Board> {
        let setup = Setup::chess960(number)?;
        Some(Board::from_setup(&setup).expect("every start of Chess960 is legal"))
    }

    /// The pieces of that kind, of both colours.
    #[inline(always)]
    pub fn pieces(&self, piece: Piece) -> Bitboard {
        Bitboard(self.position.pieces[piece.index()])
    }

    /// The pieces of that colour.
    #[inline(always)]
    pub fn color(&self, color: Color) -> Bitboard {
        Bitboard(self.position.colors[color.index()])
    }

    /// The squares with a piece.
    #[inline(always)]
    pub fn occupied(&self) -> Bitboard {
        Bitboard(self.position.occupied())
    }

    /// Where that side's king stands.
    #[inline(always)]
    pub fn king(&self, color: Color) -> Square {
        Square::wrap(self.position.king(color.index()) as u32)
    }

    /// What stands on the square.
    pub fn piece_at(&self, square: Square) -> Option<(Color, Piece)> {
        let piece = self.position.piece_on(Bitboard::of(square).0)?;
        let color =
            if self.color(Color::White).contains(square) { Color::White } else { Color::Black };
        Some((color, piece))
    }

    /// The side to move.
    #[inline(always)]
    pub fn turn(&self) -> Color {
        self.position.turn
    }

    /// The rook with which that side may still castle to that wing, as far as its moves so far
    /// decide.
    pub fn castling_rook(&self, color: Color, wing: Wing) -> Option<Square> {
        let king = self.king(color);
        let rooks = self.castling_rooks() & self.color(color);
        rooks.into_iter().find(|&rook| (rook > king) == (wing == Wing::King))
    }

    /// Every rook that may still castle, of both sides.
    #[inline(always)]
    pub fn castling_rooks(&self) -> Bitboard {
        Bitboard(self.position.castling)
    }

    /// The square that a pawn has just passed over, if an enemy pawn can legally capture it there.
    #[inline(always)]
    pub fn en_passant(&self) -> Option<Square> {
        Bitboard(self.position.en_passant).first()
    }

    /// Plies since the last capture or pawn move; 65,535 stands for more as well.
    #[inline(always)]
    pub fn halfmoves(&self) -> u16 {
        self.position.halfmoves
    }

    /// The number of the move, from 1, one more after each move of Black; 65,535 stands for more as
    /// well.
    #[inline(always)]
    pub fn fullmoves(&self) -> u16 {
        self.fullmoves
    }

    /// How castling is written.
    #[inline(always)]
    pub fn variant(&self) -> Variant {
        self.variant
    }

    /// The Zobrist key of pieces, side to move, castling rights and en passant square; equal where
    /// the repetition rule calls positions equal.
    #[inline(always)]
    pub fn key(&self) -> u64 {
        self.key
    }

    /// The key computed anew.
    pub fn recomputed_key(&self) -> u64 {
        zobrist::key(&self.position)
    }

    /// The enemy pieces that give check to the side to move.
    pub fn checkers(&self) -> Bitboard {
        Bitboard(self.position.checkers())
    }

    /// Whether the side to move is in check.
    pub fn in_check(&self) -> bool {
        !self.checkers().is_empty()
    }

    /// The pieces of both colours that attack the square, were `occupied` the occupied squares:
    /// what stands behind a piece left out of it attacks through it. Pins do not matter. Pieces
    /// that are themselves left out are still in the answer.
    pub fn attackers(&self, square: Square, occupied: Bitboard) -> Bitboard {
        Bitboard(isa::run(Attackers { board: self, square, occupied }))
    }

    /// Appends every legal move in an order that depends on the position alone.
    pub fn legal_moves(&self, buffer: &mut Vec<Move>) {
        self.for_each_move(|mv| buffer.push(mv));
    }

    /// Hands every legal move to the function, in the order of [`Board::legal_moves`].
    pub fn for_each_move(&self, visit: impl FnMut(Move)) {
        isa::run(Generate { position: &self.position, sink: &mut Each(visit) });
    }

    /// Whether the move is legal here; any move may be asked for.
    pub fn is_legal(&self, mv: Move) -> bool {
        let mut sink = Find { mv, found: false };
        isa::run(Generate { position: &self.position, sink: &mut sink });
        sink.found
    }

    /// Whether the side to move has a legal move.
    pub fn has_legal_moves(&self) -> bool {
        let mut sink = Any::default();
        isa::run(Generate { position: &self.position, sink: &mut sink });
        sink.0
    }

    /// The first legal move, in the order of [`Board::legal_moves`], that mates. That a rule has
    /// ended the game does not matter.
    pub fn mating_move(&self) -> Option<Move> {
        mate::mating_move(&self.position)
    }

    /// The legal move of the highest value by [`see`](crate::see), or the outcome if the game is
    /// over, repetitions aside. Of equals the first or the last in the order of
    /// [`Board::legal_moves`], or each with equal probability; `rng` is drawn from for
    /// [`Ties::Random`] only.
    pub fn best_exchange(&self, ties: Ties, rng: &mut Rng) -> Result<Move, Outcome> {
        greedy::best_exchange(&self.position, ties, rng)
            .map_err(|ending| ending.outcome(self.turn()))
    }

    /// Plays a legal move.
    ///
    /// # Panics
    /// Does not panic, but leaves a meaningless board if the move is not legal here.
    #[inline]
    pub fn play(&mut self, mv: Move) {
        let before = &self.position;
        let mut key = self.key ^ zobrist::change(before, mv);
        let (castling, en_passant) = (before.castling, before.en_passant);
        self.fullmoves = self.fullmoves.saturating_add(before.turn.index() as u16);
        self.position.play(mv);
        let after = &self.position;
        if (castling, en_passant) != (after.castling, after.en_passant) {
            key ^= zobrist::rights(castling, en_passant)
                ^ zobrist::rights(after.castling, after.en_passant);
        }
        self.key = key;
    }

    /// The board after a pass, which the rules do not allow: the same pieces, the other side to
    /// move and no en passant. Searches use it to see what a side threatens. `None` in check, where
    /// it would leave a king to be captured.
    pub fn passed(&self) -> Option<Board> {
        if self.in_check() {
            return None;
        }
        let mut board = *self;
        board.fullmoves = board.fullmoves.saturating_add(board.turn().index() as u16);
        let position = &mut board.position;
        position.turn = position.turn.other();
        position.en_passant = 0;
        position.halfmoves = position.halfmoves.saturating_add(1);
        board.key ^= zobrist::pass(&self.position);
        Some(board)
    }

    /// The board before a move that has just been played, neither a capture nor a pawn move, if
    /// nobody lost a right by it; `None` for other moves. Where a right was lost, the key is
    /// another than that of the board before.
    pub(crate) fn before(&self, mv: Move) -> Option<Board> {
        let kind = mv.kind().index();
        if kind == Piece::Pawn.index() || kind > Piece::King.index() {
            return None;
        }
        let mut board = *self;
        let position = &mut board.position;
        position.turn = position.turn.other();
        position.en_passant = 0;
        position.halfmoves = position.halfmoves.checked_sub(1)?;
        let squares = 1u64 << mv.from().index() ^ 1u64 << mv.to().index();
        position.pieces[kind] ^= squares;
        position.colors[position.turn.index()] ^= squares;
        board.fullmoves = board.fullmoves.saturating_sub(board.turn().index() as u16);
        board.key = board.recomputed_key();
        Some(board)
    }

    /// How many paths of exactly `depth` legal moves lead on from here. Only mate and stalemate end
    /// a path early.
    pub fn perft(&self, depth: u32) -> u64 {
        perft::perft(&self.position, depth)
    }

    /// Plays uniformly random legal moves until the game has ended, repetitions aside, and returns
    /// how it ended and after how many moves.
    pub(crate) fn playout(&mut self, rng: &mut Rng) -> (Ending, u32) {
        let first = self.turn().index() as u32;
        let (ending, plies) = sample::playout(&mut self.position, rng);
        let fullmoves = u16::try_from((plies + first) / 2).unwrap_or(u16::MAX);
        self.fullmoves = self.fullmoves.saturating_add(fullmoves);
        self.key = self.recomputed_key();
        (ending, plies)
    }

    /// Whether nobody can mate any more because of what is left: two kings with at most one knight,
    /// or with bishops all on squares of one colour.
    pub fn is_insufficient_material(&self) -> bool {
        self.position.is_insufficient_material()
    }
}

/// The number of the standard start among those of Chess960.
const STANDARD_NUMBER: u16 = 518;

impl Default for Board {
    fn default() -> Board {
        Board::start()
    }
}

impl fmt::Display for Board {
    /// A picture: eight ranks from the eighth down, then the files, each line ending in a line
    /// feed.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in (0..8).rev() {
            write!(f, "{}", rank + 1)?;
            for file in 0..8 {
                let letter = match self.piece_at(Square::at(file, rank)) {
                    Some((color, piece)) => piece.letter(color),
                    None => '.',
                };
                write!(f, " {letter}")?;
            }
            writeln!(f)?;
        }
        writeln!(f, "  a b c d e f g h")
    }
}

impl fmt::Debug for Board {
    /// The picture and whatever it does not show.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "\n{self}{} to move, castling {:?}, en passant {:?}, halfmoves {}, move {}",
            self.turn(),
            self.castling_rooks(),
            self.en_passant(),
            self.halfmoves(),
            self.fullmoves
        )
    }
}

struct Attackers<'a> {
    board: &'a Board,
    square: Square,
    occupied: Bitboard,
}

impl Task for Attackers<'_> {
    type Output = u64;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> u64 {
        self.board.position.attackers(isa, self.square.index(), self.occupied.0)
    }
}
