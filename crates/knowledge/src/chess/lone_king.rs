//! Rules of thumb for mating a lone king: those of the published program of the king-and-rook study
//! (section 3.2.3 names most of them).
//!
//! Distances are Manhattan distances; *adjacent* is one step of a king. Each filter is applied to
//! what the one before it left, and passed over where it would leave nothing; then a move is drawn
//! with equal probability. The side that has officers
//!
//! 1. *urgent*: if an officer is adjacent to the lone king, its king goes to its side, or an
//!    officer that is not at its king's side leaves;
//! 2. *safe*: its king does not leave the side of an officer that is adjacent to the lone king, and
//!    no officer goes next to the lone king but at its own king's side;
//! 3. *new*: it repeats no placement of the last plies, whoever had moved then;
//! 4. *closer*: a king's move must bring the kings strictly closer;
//! 5. *far*: if the kings are more than `FAR` apart, only those moves;
//! 6. *opposition*, with a single rook: if the kings are at a distance of 2, rook moves to the lone
//!    king's rank or file where that is not the other king's.
//!
//! The lone king takes what it can; else it keeps away from a distance of 2, and of the squares
//! left goes to those nearest the centre. The study's own text differs: it has no *urgent*, allows
//! equal distances in *closer*, and of the lone king says only that it seeks the centre.
//!
//! The study's White is here the side that has officers, whichever that is. Moves are sets of
//! squares, one for each piece, so that a filter is a few operations on bits.

use monteverde_chess::isa::{self, Isa, Task};
use monteverde_chess::{Bitboard, Board, Chess, Color, Move, Piece, Square};
use monteverde_game::{Game, Outcome, Rng, Side};

/// "White king should move if distance between kings is larger than 3."
const FAR: u32 = 3;

/// With more officers, and with pawns, nothing is filtered.
const MOST_OFFICERS: usize = 3;

/// A king and its officers.
const MOST: usize = MOST_OFFICERS + 1;

/// Plies whose placements are not to be repeated.
pub const RECENT: usize = 20;

/// Plies without a capture after which the game is drawn.
const FIFTY_MOVES: u16 = 100;

/// The largest Manhattan distance on the board, and one more.
const DISTANCES: usize = 15;

/// `WITHIN[square][d]` are the squares at most `d` away.
static WITHIN: [[u64; DISTANCES]; 64] = within();

/// `CENTRE[d]` are the squares at most `d` away from the nearest of the four in the centre.
static CENTRE: [u64; 7] = centre();

/// The squares of all pieces, whoever is to move. Different boards of one game have different ones.
pub type Placement = u32;

/// The bits of a square in a placement: the lone king's, the other king's, then the officers'.
const SQUARE_BITS: u32 = 6;
const SQUARE: u32 = 63;

/// A board on which one side has nothing but its king, and the other has some officers; or had
/// some, which the lone king has taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LoneKing {
    lone: u8,
    king: u8,
    /// Of those that were taken the lone king's own.
    officers: [u8; MOST_OFFICERS],
    kinds: [Piece; MOST_OFFICERS],
    count: u8,
}

/// What the lone king can do.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Escape {
    /// The squares that it could go to if it were to move.
    pub targets: u64,
    /// Those of them with officers.
    pub captures: u64,
    /// Whether it is attacked.
    pub is_attacked: bool,
}

impl LoneKing {
    /// A board with a lone king and the side that has officers; `None` where there are pawns, too
    /// many officers or too few to mate.
    pub fn of(board: &Board) -> Option<(LoneKing, Color)> {
        let strong =
            if board.color(Color::Black).count() == 1 { Color::White } else { Color::Black };
        let [own, others] = [strong, strong.other()].map(|color| board.color(color));
        let king = board.king(strong);
        let set = own.0 & !Bitboard::of(king).0;
        let count = set.count_ones() as usize;
        let is_known = others.count() == 1
            && (1..=MOST_OFFICERS).contains(&count)
            && board.pieces(Piece::Pawn).is_empty()
            && board.castling_rooks().is_empty()
            && !(count == 1 && is_minor(board));
        if !is_known {
            return None;
        }
        let lone = board.king(strong.other()).index() as u8;
        let mut officers = [lone; MOST_OFFICERS];
        let mut kinds = [Piece::Rook; MOST_OFFICERS];
        for (index, square) in bits(set).enumerate() {
            officers[index] = square as u8;
            let on = |kind: &Piece| board.pieces(*kind).0 >> square & 1 != 0;
            let known = [Piece::Rook, Piece::Queen, Piece::Bishop];
            kinds[index] = known.into_iter().find(on).unwrap_or(Piece::Knight);
        }
        let king = king.index() as u8;
        Some((LoneKing { lone, king, officers, kinds, count: count as u8 }, strong))
    }

    /// The squares of all pieces.
    #[inline(always)]
    pub fn placement(&self) -> Placement {
        let two = u32::from(self.lone) | u32::from(self.king) << SQUARE_BITS;
        (0..MOST_OFFICERS)
            .fold(two, |all, index| all | u32::from(self.officers[index]) << officer_bits(index))
    }

    /// The pieces with their squares; the lone king is the first.
    pub fn pieces(&self) -> impl Iterator<Item = (Piece, Square)> + '_ {
        let kings = [(Piece::King, self.lone), (Piece::King, self.king)];
        let officers = self.standing().map(|index| (self.kinds[index], self.officers[index]));
        kings.into_iter().chain(officers).map(|(piece, square)| (piece, Square::new(square)))
    }

    /// Plays a legal move of either side.
    #[inline(always)]
    pub fn play(&mut self, mv: Move) {
        let [from, to] = [mv.from(), mv.to()].map(|square| square.index() as u8);
        if from == self.lone {
            for officer in &mut self.officers {
                if *officer == from || *officer == to {
                    *officer = to; // Taken, now or before.
                }
            }
            self.lone = to;
        } else if from == self.king {
            self.king = to;
        } else if let Some(officer) = self.officers.iter_mut().find(|officer| **officer == from) {
            *officer = to;
        }
    }

    /// What the lone king can do.
    #[inline(always)]
    pub fn escape(&self) -> Escape {
        isa::run(FindEscape { board: self })
    }

    /// Calls `visit` with the legal moves of the side that has officers.
    pub fn for_each_attack(&self, visit: impl FnMut(Move)) {
        isa::run(EachAttack { board: self, visit });
    }

    /// The moves of the lone king to some squares.
    pub fn defences(&self, targets: u64) -> impl Iterator<Item = Move> + '_ {
        bits(targets).map(|to| plain(Piece::King, self.lone.into(), to))
    }

    /// A random move of the side that has officers, of those that the filters leave; `None` where
    /// it has none. `recent` are placements not to be repeated.
    #[inline(always)]
    pub fn sample_attack(&self, recent: &[Placement], rng: &mut Rng) -> Option<Move> {
        isa::run(Attack { board: self, recent, rng })
    }

    /// A random move of the lone king, of those that its rules leave; `None` where it has none.
    #[inline(always)]
    pub fn sample_defence(&self, escape: Escape, rng: &mut Rng) -> Option<Move> {
        isa::run(Defence { board: self, escape, rng })
    }

    /// The numbers of the officers that have not been taken.
    #[inline(always)]
    fn standing(&self) -> impl Iterator<Item = usize> + '_ {
        (0..usize::from(self.count)).filter(|&index| self.officers[index] != self.lone)
    }

    fn officer_set(&self) -> u64 {
        self.standing().fold(0, |set, index| set | 1 << self.officers[index])
    }

    /// What an officer attacks.
    #[inline(always)]
    fn attacks<I: Isa>(&self, isa: I, index: usize, occupied: u64) -> u64 {
        let square = usize::from(self.officers[index]);
        match self.kinds[index] {
            Piece::Rook => isa.rook(square, occupied),
            Piece::Bishop => isa.bishop(square, occupied),
            Piece::Queen => isa.rook(square, occupied) | isa.bishop(square, occupied),
            Piece::Knight => isa.knight(square),
            Piece::King | Piece::Pawn => 0,
        }
    }

    fn distance(&self) -> usize {
        let (one, two) = (self.king, self.lone);
        usize::from((one % 8).abs_diff(two % 8) + (one / 8).abs_diff(two / 8))
    }
}

/// A random move that the filters leave, or the outcome if the game is over; any legal move where
/// no side has a lone king or the other has pawns. `notes` holds the placements of the playout.
pub(super) fn sample(state: &Chess, notes: &mut Vec<u64>, rng: &mut Rng) -> Result<Move, Outcome> {
    let Some((board, strong)) = LoneKing::of(state.board()) else { return state.sample(rng) };
    let is_late = state.board().halfmoves() >= FIFTY_MOVES;
    notes.push(board.placement().into());
    if state.board().turn() == strong {
        let mut recent = [Placement::MAX; RECENT];
        let last = notes.iter().rev().take(RECENT);
        recent.iter_mut().zip(last).for_each(|(recent, &note)| *recent = note as Placement);
        let drawn = if is_late { None } else { board.sample_attack(&recent, rng) };
        return drawn.ok_or(Outcome::Draw);
    }
    let escape = board.escape();
    if escape.targets == 0 && escape.is_attacked {
        return Err(Outcome::Win(side(strong)));
    }
    let drawn = if is_late { None } else { board.sample_defence(escape, rng) };
    drawn.ok_or(Outcome::Draw)
}

/// A single bishop or knight mates nobody, and the rules say so.
fn is_minor(board: &Board) -> bool {
    board.pieces(Piece::Rook).is_empty() && board.pieces(Piece::Queen).is_empty()
}

struct FindEscape<'a> {
    board: &'a LoneKing,
}

impl Task for FindEscape<'_> {
    type Output = Escape;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Escape {
        let board = self.board;
        let officers = board.officer_set();
        // The lone king leaves its square when it moves.
        let occupied = officers | 1 << board.king;
        let mut attacked = isa.king(board.king.into());
        for index in board.standing() {
            attacked |= board.attacks(isa, index, occupied);
        }
        let targets = isa.king(board.lone.into()) & !attacked;
        let is_attacked = attacked >> board.lone & 1 != 0;
        Escape { targets, captures: targets & officers, is_attacked }
    }
}

struct Defence<'a> {
    board: &'a LoneKing,
    escape: Escape,
    rng: &'a mut Rng,
}

impl Task for Defence<'_> {
    type Output = Option<Move>;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Option<Move> {
        let Defence { board, escape: Escape { targets, captures, .. }, rng } = self;
        if targets == 0 {
            return None;
        }
        let mut left = captures;
        if captures == 0 {
            let within = &WITHIN[usize::from(board.king)];
            left = targets & !(within[2] & !within[1]);
            left = if left == 0 { targets } else { left };
            let near = CENTRE.iter().map(|squares| left & squares).find(|&near| near != 0);
            left = near.unwrap_or(left);
        }
        let to = isa.nth(left, rng.below(left.count_ones()));
        Some(plain(Piece::King, board.lone.into(), to as usize))
    }
}

/// The moves of the side that has officers: its king's, then its officers'.
#[derive(Clone, Copy)]
struct Moves([u64; MOST]);

struct EachAttack<'a, V> {
    board: &'a LoneKing,
    visit: V,
}

impl<V: FnMut(Move)> Task for EachAttack<'_, V> {
    type Output = ();

    #[inline(always)]
    fn run<I: Isa>(mut self, isa: I) {
        let moves = Moves::legal(isa, self.board);
        for (piece, &to) in moves.0.iter().enumerate() {
            bits(to).for_each(|to| (self.visit)(Moves::named(self.board, piece, to)));
        }
    }
}

struct Attack<'a> {
    board: &'a LoneKing,
    recent: &'a [Placement],
    rng: &'a mut Rng,
}

impl Task for Attack<'_> {
    type Output = Option<Move>;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Option<Move> {
        let board = self.board;
        let mut moves = Moves::legal(isa, board);
        moves.keep_urgent(isa, board);
        moves.keep_safe(isa, board);
        moves.keep_new(board, self.recent);
        let distance = board.distance();
        let closer = WITHIN[usize::from(board.lone)][distance - 1];
        moves.filter(|piece, to| if piece == 0 { to & closer } else { to });
        if distance as u32 > FAR {
            moves.filter(|piece, to| if piece == 0 { to & closer } else { 0 });
        }
        let single_rook = board.count == 1 && board.kinds[0] == Piece::Rook;
        if distance == 2 && single_rook {
            let lines = side_lines(board.king, board.lone);
            moves.filter(|piece, to| if piece == 0 { 0 } else { to & lines });
        }
        moves.draw(isa, board, self.rng)
    }
}

impl Moves {
    #[inline(always)]
    fn legal<I: Isa>(isa: I, board: &LoneKing) -> Moves {
        let officers = board.officer_set();
        let occupied = officers | 1 << board.king | 1 << board.lone;
        let mut to = [0; MOST];
        to[0] = isa.king(board.king.into()) & !officers & !isa.king(board.lone.into());
        for index in board.standing() {
            to[1 + index] = board.attacks(isa, index, occupied) & !occupied;
        }
        Moves(to)
    }

    /// Keeps of each piece's squares what `keep` leaves, unless that is nothing at all.
    #[inline(always)]
    fn filter(&mut self, keep: impl Fn(usize, u64) -> u64) {
        let mut kept = [0; MOST];
        for (piece, (kept, &to)) in kept.iter_mut().zip(&self.0).enumerate() {
            *kept = keep(piece, to);
        }
        if kept != [0; MOST] {
            self.0 = kept;
        }
    }

    #[inline(always)]
    fn keep_urgent<I: Isa>(&mut self, isa: I, board: &LoneKing) {
        let (near_lone, near_king) = (isa.king(board.lone.into()), isa.king(board.king.into()));
        let touched = board.officer_set() & near_lone;
        if touched == 0 {
            return;
        }
        let sides = bits(touched & !near_king).fold(0, |all, square| all | isa.king(square));
        self.filter(|piece, to| match piece {
            0 => to & sides,
            officer => {
                let from = 1 << board.officers[officer - 1];
                if from & near_lone & !near_king != 0 { to & !near_lone } else { 0 }
            }
        });
    }

    #[inline(always)]
    fn keep_safe<I: Isa>(&mut self, isa: I, board: &LoneKing) {
        let (near_lone, near_king) = (isa.king(board.lone.into()), isa.king(board.king.into()));
        let held = board.officer_set() & near_lone & near_king;
        let still = bits(held).fold(!0, |all, square| all & isa.king(square));
        self.filter(
            |piece, to| if piece == 0 { to & still } else { to & (!near_lone | near_king) },
        );
    }

    /// A placement comes up again if one piece is elsewhere there, and goes to that square.
    #[inline(always)]
    fn keep_new(&mut self, board: &LoneKing, recent: &[Placement]) {
        let present = board.placement();
        let mut repeated = [0; MOST];
        for &placement in recent {
            let changed = placement ^ present;
            if changed & SQUARE != 0 {
                continue;
            }
            for (piece, repeated) in repeated.iter_mut().enumerate() {
                let shift = SQUARE_BITS * (1 + piece as u32);
                if changed & !(SQUARE << shift) == 0 {
                    *repeated |= 1 << (placement >> shift & SQUARE);
                }
            }
        }
        self.filter(|piece, to| to & !repeated[piece]);
    }

    /// Each with equal probability; `None` if there is none.
    #[inline(always)]
    fn draw<I: Isa>(&self, isa: I, board: &LoneKing, rng: &mut Rng) -> Option<Move> {
        let total: u32 = self.0.iter().map(|to| to.count_ones()).sum();
        if total == 0 {
            return None;
        }
        let mut rest = rng.below(total);
        for (piece, &to) in self.0.iter().enumerate() {
            let count = to.count_ones();
            if rest < count {
                return Some(Moves::named(board, piece, isa.nth(to, rest) as usize));
            }
            rest -= count;
        }
        None
    }

    #[inline(always)]
    fn named(board: &LoneKing, piece: usize, to: usize) -> Move {
        match piece {
            0 => plain(Piece::King, board.king.into(), to),
            officer => plain(board.kinds[officer - 1], board.officers[officer - 1].into(), to),
        }
    }
}

/// The lone king's rank and file, as far as they are not the other king's.
#[inline(always)]
fn side_lines(king: u8, lone: u8) -> u64 {
    let lines = |square: u8| (Bitboard::rank(square / 8).0, Bitboard::file(square % 8).0);
    let ((rank, file), (own_rank, own_file)) = (lines(lone), lines(king));
    rank & !own_rank | file & !own_file
}

const fn officer_bits(index: usize) -> u32 {
    SQUARE_BITS * (2 + index as u32)
}

fn plain(piece: Piece, from: usize, to: usize) -> Move {
    Move::plain(piece, Square::new(from as u8), Square::new(to as u8))
}

fn side(color: Color) -> Side {
    match color {
        Color::White => Side::First,
        Color::Black => Side::Second,
    }
}

/// The numbers of the bits that are set, from the lowest on.
#[inline(always)]
fn bits(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let next = (set != 0).then(|| set.trailing_zeros() as usize);
        set &= set.wrapping_sub(1);
        next
    })
}

const fn within() -> [[u64; DISTANCES]; 64] {
    let mut all = [[0; DISTANCES]; 64];
    let mut pair = 0usize;
    while pair < 64 * 64 {
        let (one, two) = (pair / 64, pair % 64);
        let mut near = (one % 8).abs_diff(two % 8) + (one / 8).abs_diff(two / 8);
        while near < DISTANCES {
            all[one][near] |= 1 << two;
            near += 1;
        }
        pair += 1;
    }
    all
}

const fn centre() -> [u64; 7] {
    const MIDDLE: [usize; 4] = [27, 28, 35, 36];
    let all = within();
    let mut near = [0; 7];
    let mut index = 0;
    while index < near.len() {
        near[index] = all[MIDDLE[0]][index]
            | all[MIDDLE[1]][index]
            | all[MIDDLE[2]][index]
            | all[MIDDLE[3]][index];
        index += 1;
    }
    near
}

#[cfg(test)]
mod tests;
