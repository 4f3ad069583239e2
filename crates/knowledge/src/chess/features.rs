//! What a network sees of chess.
//!
//! Inputs: a piece in one of five [`Condition`]s, of six kinds, own or the enemy's, on one of 64
//! squares: `((condition * 2 + side) * 6 + kind) * 64 + square`, own pieces first, pawns first.
//! After them the files of rooks that may still castle, own ones first. The board is turned upside
//! down for Black, so that own pawns go up, and mirrored where the own king stands on the files e
//! to h, so that it never does. A pawn that may be taken en passant and the fifty moves are not
//! seen.
//!
//! A leaf is judged as it stands, whatever hangs there: conditions tell what hangs.
//!
//! Outputs: pairs of squares between which a queen or a knight can go, those that promote to less
//! than a queen once more for each piece; all of them four times, first for moves that lose nothing
//! by exchanges, then for the others, and then both again for moves whose piece checks the king.
//! Castling goes from the king to its rook, which no other move does. So every move has an output
//! of its own: a promotion to a queen has that of its squares, `UNDER_PROMOTIONS` others follow
//! the pairs.
//!
//! Checks are told apart since sacrifices that mate begin with them. A piece that uncovers another
//! one's check, a rook that checks by castling, and a promotion that checks along the line on which
//! its pawn stood count as quiet.

use super::camp::{beside, flip, squares, up};
use crate::pairs::{Between, Pairs};
use monteverde_chess::isa::{self, Isa, Task};
use monteverde_chess::{Board, Chess, Color, Move, Piece, Square, for_each_sound};
use monteverde_network::Features;

/// What a network sees of chess. The head of the file says what.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ChessFeatures;

impl Features<Chess> for ChessFeatures {
    fn name(&self) -> &'static str {
        "chess-threats-checks-3"
    }
    fn inputs(&self) -> usize {
        INPUTS
    }
    fn most(&self) -> usize {
        MOST_PIECES + MOST_CASTLING
    }
    fn outputs(&self) -> usize {
        4 * MOVES
    }

    fn write(&self, state: &Chess, inputs: &mut Vec<u16>) {
        isa::run(Survey { board: state.board(), inputs });
    }

    fn write_moves(&self, state: &Chess, moves: &[Move], outputs: &mut Vec<u16>) {
        let board = state.board();
        let turn = Turn::of(board);
        let checks = isa::run(Checks { board });
        let mut moves_left = moves.iter();
        for_each_sound(board, moves, |is_sound| {
            outputs.extend(moves_left.next().map(|&mv| {
                let class = u16::from(!is_sound) + 2 * u16::from(checks.has(board, mv));
                turn.number(mv) + class * MOVES as u16
            }));
        });
    }
}

const SQUARES: usize = 64;
const KINDS: usize = 6;
/// Two sides, six kinds, every square: all pieces in one condition.
const PLACES: usize = 2 * KINDS * SQUARES;
/// Where the files of castling rooks begin.
const CASTLING: usize = CONDITIONS * PLACES;
/// Eight files a side.
const INPUTS: usize = CASTLING + 2 * 8;
/// Sixteen a side.
const MOST_PIECES: usize = 32;
/// Two rooks a side.
const MOST_CASTLING: usize = 4;
/// Pairs of squares between which a queen or a knight can go.
const PAIRS: usize = PAIRS_OF_SQUARES.count;
/// Pawns reach the last rank in 22 ways, and become a knight, a bishop or a rook.
const UNDER_PROMOTIONS: usize = 3 * 22;
/// The moves that are told apart, exchanges and checks aside.
const MOVES: usize = PAIRS + UNDER_PROMOTIONS;

/// What may happen to a piece at once. A king counts as defended by nothing.
#[derive(Clone, Copy)]
enum Condition {
    /// Nobody attacks or defends it.
    Alone,
    /// Nobody attacks it, its own side defends it.
    Defended,
    /// It is attacked and not defended.
    Hanging,
    /// It is defended, and attacked by pieces that are worth no less.
    Contested,
    /// It is defended, and attacked by a piece that is worth less.
    Outbid,
}

const CONDITIONS: usize = Condition::Outbid as usize + 1;

/// Appends the inputs of a board.
struct Survey<'a> {
    board: &'a Board,
    inputs: &'a mut Vec<u16>,
}

impl Task for Survey<'_> {
    type Output = ();

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) {
        let Survey { board, inputs } = self;
        let turn = Turn::of(board);
        let sides = [board.turn(), board.turn().other()];
        let [own, theirs] = sides.map(|color| Attacks::of(isa, board, color));
        for (side, color) in sides.into_iter().enumerate() {
            let (friends, enemies) = if side == 0 { (&own, &theirs) } else { (&theirs, &own) };
            for piece in Piece::ALL {
                let kind = piece.index();
                let first = (side * KINDS + kind) * SQUARES;
                let defended = if piece == Piece::King { 0 } else { friends.all };
                for square in squares((board.pieces(piece) & board.color(color)).0) {
                    let is_in = |set: u64| set >> square & 1 != 0;
                    let condition = match (is_in(enemies.all), is_in(defended)) {
                        (false, false) => Condition::Alone,
                        (false, true) => Condition::Defended,
                        (true, false) => Condition::Hanging,
                        (true, true) if is_in(enemies.by_less[kind]) => Condition::Outbid,
                        (true, true) => Condition::Contested,
                    };
                    inputs.push((condition as usize * PLACES + first + (square ^ turn.0)) as u16);
                }
            }
            let rooks = (board.castling_rooks() & board.color(color)).0;
            inputs.extend(
                squares(rooks).map(|rook| (CASTLING + side * 8 + ((rook ^ turn.0) & 7)) as u16),
            );
        }
    }
}

/// What one side attacks.
struct Attacks {
    all: u64,
    /// What pieces attack that are worth less than one of each kind.
    by_less: [u64; KINDS],
}

impl Attacks {
    #[inline(always)]
    fn of<I: Isa>(isa: I, board: &Board, color: Color) -> Attacks {
        let of = |piece: Piece| (board.pieces(piece) & board.color(color)).0;
        let occupied = board.occupied().0;
        let pawns = match color {
            Color::White => up(beside(of(Piece::Pawn))),
            Color::Black => flip(up(beside(flip(of(Piece::Pawn))))),
        };
        let mut minors = 0;
        squares(of(Piece::Knight)).for_each(|square| minors |= isa.knight(square));
        squares(of(Piece::Bishop)).for_each(|square| minors |= isa.bishop(square, occupied));
        let (mut rooks, mut queens) = (0, 0);
        squares(of(Piece::Rook)).for_each(|square| rooks |= isa.rook(square, occupied));
        squares(of(Piece::Queen)).for_each(|square| {
            queens |= isa.rook(square, occupied) | isa.bishop(square, occupied);
        });
        let king = isa.king(board.king(color).index());
        let (under_rook, under_queen) = (pawns | minors, pawns | minors | rooks);
        let all = under_queen | queens | king;
        Attacks { all, by_less: [0, pawns, pawns, under_rook, under_queen, all] }
    }
}

/// Finds the squares from which pieces check the enemy's king.
struct Checks<'a> {
    board: &'a Board,
}

/// Those squares, for each kind of piece.
struct CheckSquares([u64; KINDS]);

impl Task for Checks<'_> {
    type Output = CheckSquares;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> CheckSquares {
        let (turn, occupied) = (self.board.turn(), self.board.occupied().0);
        let king = self.board.king(turn.other()).index();
        // A pawn checks from where a pawn of the king's side, on its square, would take.
        let pawns = match turn {
            Color::White => flip(up(beside(flip(1 << king)))),
            Color::Black => up(beside(1 << king)),
        };
        let (bishops, rooks) = (isa.bishop(king, occupied), isa.rook(king, occupied));
        CheckSquares([pawns, isa.knight(king), bishops, rooks, bishops | rooks, 0])
    }
}

impl CheckSquares {
    #[inline(always)]
    fn has(&self, board: &Board, mv: Move) -> bool {
        let piece = mv.promotion().or_else(|| board.piece_at(mv.from()).map(|(_, piece)| piece));
        piece.is_some_and(|piece| self.0[piece.index()] >> mv.to().index() & 1 != 0)
    }
}

/// How the board is turned and mirrored: what is to be added to a square's number, bit by bit.
#[derive(Clone, Copy)]
struct Turn(usize);

impl Turn {
    fn of(board: &Board) -> Turn {
        /// Exchanges rank 1 and rank 8, rank 2 and rank 7, ...
        const UPSIDE_DOWN: usize = 56;
        /// Exchanges the files a and h, b and g, ...
        const MIRRORED: usize = 7;
        let turn = board.turn();
        let king = board.king(turn);
        let mirror = if king.file() >= 4 { MIRRORED } else { 0 };
        Turn(mirror | if turn == Color::Black { UPSIDE_DOWN } else { 0 })
    }

    #[inline(always)]
    fn square(self, square: Square) -> usize {
        square.index() ^ self.0
    }

    /// The number of a move, below [`MOVES`].
    #[inline(always)]
    fn number(self, mv: Move) -> u16 {
        let (from, to) = (self.square(mv.from()), self.square(mv.to()));
        match mv.promotion() {
            None | Some(Piece::Queen) => PAIRS_OF_SQUARES.numbers[from][to],
            // Straight ahead is 1, to the left 0, to the right 2; the corner pawns have two ways.
            Some(piece) => {
                let way = 3 * (from & 7) + ((to & 7) + 1 - (from & 7)) - 1;
                (PAIRS + 22 * (piece.index() - Piece::Knight.index()) + way) as u16
            }
        }
    }
}

static PAIRS_OF_SQUARES: Pairs<SQUARES> = Pairs::new(8, Between::LinesAndKnights);
