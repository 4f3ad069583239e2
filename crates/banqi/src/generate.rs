//! Legal moves, and who attacks what.

use crate::attacks::{NEIGHBOURS, jumps};
use crate::{Board, Colour, Kind, Move, Piece, Square, bits};

impl Board {
    /// The pieces of a colour, face up, that a piece of that kind of the other colour captures by
    /// stepping onto them.
    #[inline(always)]
    pub fn prey(&self, colour: Colour, hunter: Kind) -> u32 {
        preys(self.sets(colour))[hunter as usize]
    }

    /// The pieces of a colour, face up, that capture a piece of that kind of the other colour by
    /// stepping onto it.
    #[inline(always)]
    pub fn hunters(&self, colour: Colour, prey: Kind) -> u32 {
        hunters(self.sets(colour))[prey as usize]
    }

    /// The enemies that could capture a piece on a square, whether it lies there or not, with
    /// `occupied` squares holding pieces, face up or down.
    #[inline(always)]
    pub fn attackers(&self, square: Square, piece: Piece, occupied: u32) -> u32 {
        let enemy = piece.colour().other();
        let cannons = self.of_piece(Piece::new(enemy, Kind::Cannon));
        // A jump goes over one piece, whichever way it is looked at.
        NEIGHBOURS[square.index()] & self.hunters(enemy, piece.kind())
            | jumps(square, occupied) & cannons
    }

    /// Where the mover's piece on a square may go: empty neighbours and captures.
    #[inline(always)]
    pub fn targets(&self, from: Square) -> u32 {
        self.targets_among(from, &preys(self.sets(self.mover().other())))
    }

    /// The same with the enemies that each kind captures.
    #[inline(always)]
    fn targets_among(&self, from: Square, preys: &[u32; 8]) -> u32 {
        let piece = self.piece_unchecked(from);
        let steps = NEIGHBOURS[from.index()] & (self.empty() | preys[piece.row()]);
        if piece.kind() != Kind::Cannon {
            return steps;
        }
        steps | self.of(self.mover().other()) & jumps(from, self.covered() | self.face_up())
    }

    /// Appends the legal moves: those of the mover's pieces from a1 on, then the flips. Nobody
    /// moves where a colour has no piece left, or while a piece is being turned up.
    pub fn moves(&self, buffer: &mut Vec<Move>) {
        if self.pending().is_some() || self.loser().is_some() {
            return;
        }
        let preys = preys(self.sets(self.mover().other()));
        for from in bits(self.of(self.mover())) {
            buffer.extend(bits(self.targets_among(from, &preys)).map(|to| Move::new(from, to)));
        }
        buffer.extend(bits(self.covered()).map(Move::flip));
    }

    /// Whether the side to move can do anything.
    pub fn can_move(&self) -> bool {
        let reach = |from: Square| NEIGHBOURS[from.index()] & self.empty() != 0;
        self.covered() != 0
            || bits(self.of(self.mover())).any(|from| reach(from) || self.targets(from) != 0)
    }

    /// The first move, in generation order, that wins at once: it captures the last enemy, or
    /// leaves the enemy without a move.
    pub(crate) fn winning_move(&self) -> Option<Move> {
        let enemy = self.mover().other();
        if self.pending().is_some() || self.loser().is_some() {
            return None;
        }
        let last = self.left(enemy) == 1;
        // Whoever can flip can move.
        if self.covered() != 0 && !last {
            return None;
        }
        let wins = |mv: Move| {
            if last && self.is_capture(mv) {
                return true;
            }
            let mut after = *self;
            after.play(mv);
            !after.can_move()
        };
        bits(self.of(self.mover()))
            .flat_map(|from| bits(self.targets(from)).map(move |to| Move::new(from, to)))
            .find(|&mv| wins(mv))
    }
}

/// The pieces that capture each kind by stepping, as [`Kind::takes`] has it; none for the number
/// that is no kind.
#[inline(always)]
pub(crate) fn hunters(own: &[u32; 8]) -> [u32; 8] {
    let [king, guard, minister, rook, knight, _, pawn, _] = *own;
    let to_guard = king | guard;
    let to_minister = to_guard | minister;
    let to_rook = to_minister | rook;
    let to_knight = to_rook | knight;
    let to_pawn = to_knight & !king | pawn;
    [king | pawn, to_guard, to_minister, to_rook, to_knight, to_knight, to_pawn, 0]
}

/// The pieces that each kind captures by stepping, as [`Kind::takes`] has it; none for the number
/// that is no kind.
#[inline(always)]
fn preys(enemy: &[u32; 8]) -> [u32; 8] {
    let [king, guard, minister, rook, knight, cannon, pawn, _] = *enemy;
    let of_knight = knight | cannon | pawn;
    let of_rook = rook | of_knight;
    let of_minister = minister | of_rook;
    let of_guard = guard | of_minister;
    let of_king = king | of_guard & !pawn;
    [of_king, of_guard, of_minister, of_rook, of_knight, 0, pawn | king, 0]
}
