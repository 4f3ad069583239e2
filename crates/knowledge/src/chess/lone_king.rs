//! Rules of thumb for mating a lone king: the playout filters of the king-and-rook study, section
//! 3.2.3.
//!
//! Each filter removes moves, unless none would be left. The lone king stays as near the centre as
//! it can. The other side
//!
//! 1. loses no piece: no officer stands next to the lone king without protection;
//! 2. does not take its king farther from the other;
//! 3. moves its king if the kings are more than [`FAR`] apart;
//! 4. checks from the side if the kings are in opposition, that is, along the rank if they face
//!    each other on a file and along the file if on a rank;
//! 5. repeats no board of this playout.
//!
//! Distances are Manhattan distances, as everywhere in the study. The study says neither in which
//! order its filters go nor what becomes of one that would leave nothing; the order is that of its
//! list. Its White is here the side that has officers, whichever that is. All moves are sets of
//! squares, one for each piece, so that a filter is a few operations on bits.

use monteverde_chess::isa::{self, Isa, Task};
use monteverde_chess::{Bitboard, Board, Chess, Color, Move, Piece, Square};
use monteverde_game::{Game, Outcome, Rng, Side};

/// "White king should move if distance between kings is larger than 3."
const FAR: u32 = 3;

/// A king and so many officers have moves of their own sets; with more, and with pawns, nothing is
/// filtered.
const MOST: usize = 4;

/// Plies without a capture after which the game is drawn.
const FIFTY_MOVES: u16 = 100;

/// The largest Manhattan distance on the board, and one more.
const DISTANCES: usize = 15;

/// `WITHIN[square][d]` are the squares at most `d` away.
static WITHIN: [[u64; DISTANCES]; 64] = within();

/// `CENTRE[d]` are the squares at most `d` away from the nearest of the four in the centre.
static CENTRE: [u64; 7] = centre();

/// A random move that the filters leave, or the outcome if the game is over; any legal move where
/// no side has a lone king or the other has pawns. `notes` holds the boards of the playout.
pub(super) fn sample(state: &Chess, notes: &mut Vec<u64>, rng: &mut Rng) -> Result<Move, Outcome> {
    match Ending::of(state.board()) {
        Some(ending) => isa::run(Sample { ending, notes, rng }),
        None => state.sample(rng),
    }
}

/// A board with a lone king.
struct Ending<'a> {
    board: &'a Board,
    strong: Color,
    king: usize,
    lone: usize,
    officers: u64,
}

impl Ending<'_> {
    fn of(board: &Board) -> Option<Ending<'_>> {
        let strong =
            if board.color(Color::Black).count() == 1 { Color::White } else { Color::Black };
        let [own, others] = [strong, strong.other()].map(|color| board.color(color));
        let king = board.king(strong);
        let officers = own.0 & !Bitboard::of(king).0;
        let known = others.count() == 1
            && (1..MOST as u32).contains(&officers.count_ones())
            && board.pieces(Piece::Pawn).is_empty()
            && board.castling_rooks().is_empty()
            && !(officers.count_ones() == 1 && is_minor(board));
        let lone = board.king(strong.other()).index();
        known.then_some(Ending { board, strong, king: king.index(), lone, officers })
    }

    fn occupied(&self) -> u64 {
        self.board.occupied().0
    }

    /// What an officer on a square attacks.
    #[inline(always)]
    fn attacks<I: Isa>(isa: I, piece: Piece, square: usize, occupied: u64) -> u64 {
        match piece {
            Piece::Rook => isa.rook(square, occupied),
            Piece::Bishop => isa.bishop(square, occupied),
            Piece::Queen => isa.rook(square, occupied) | isa.bishop(square, occupied),
            Piece::Knight => isa.knight(square),
            Piece::King | Piece::Pawn => 0,
        }
    }

    #[inline(always)]
    fn piece(&self, square: usize) -> Piece {
        let kinds = [Piece::Rook, Piece::Queen, Piece::Bishop];
        let on = |kind: &Piece| self.board.pieces(*kind).0 >> square & 1 != 0;
        kinds.into_iter().find(on).unwrap_or(Piece::Knight)
    }
}

/// A single bishop or knight mates nobody, and the rules say so.
fn is_minor(board: &Board) -> bool {
    board.pieces(Piece::Rook).is_empty() && board.pieces(Piece::Queen).is_empty()
}

struct Sample<'a> {
    ending: Ending<'a>,
    notes: &'a mut Vec<u64>,
    rng: &'a mut Rng,
}

impl Task for Sample<'_> {
    type Output = Result<Move, Outcome>;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Self::Output {
        let Sample { ending, notes, rng } = self;
        match ending.board.turn() == ending.strong {
            true => attack(isa, &ending, notes, rng),
            false => defend(isa, &ending, rng),
        }
    }
}

/// A move of the lone king.
#[inline(always)]
fn defend<I: Isa>(isa: I, ending: &Ending<'_>, rng: &mut Rng) -> Result<Move, Outcome> {
    let without = ending.occupied() & !(1 << ending.lone);
    let mut attacked = isa.king(ending.king);
    for square in bits(ending.officers) {
        attacked |= Ending::attacks(isa, ending.piece(square), square, without);
    }
    let targets = isa.king(ending.lone) & !attacked;
    if targets == 0 && attacked >> ending.lone & 1 != 0 {
        return Err(Outcome::Win(side(ending.strong)));
    }
    if targets == 0 || ending.board.halfmoves() >= FIFTY_MOVES {
        return Err(Outcome::Draw);
    }
    let near = CENTRE.iter().map(|squares| targets & squares).find(|&near| near != 0);
    let near = near.unwrap_or(targets);
    let to = isa.nth(near, rng.below(near.count_ones()));
    Ok(plain(Piece::King, ending.lone, to as usize))
}

/// The moves of the other side: its king first, then its officers in the order of their squares.
#[derive(Clone, Copy)]
struct Moves {
    from: [usize; MOST],
    to: [u64; MOST],
    count: usize,
}

/// A move of the side that has officers.
#[inline(always)]
fn attack<I: Isa>(
    isa: I,
    ending: &Ending<'_>,
    notes: &mut Vec<u64>,
    rng: &mut Rng,
) -> Result<Move, Outcome> {
    let mut moves = Moves::legal(isa, ending);
    if moves.total() == 0 || ending.board.halfmoves() >= FIFTY_MOVES {
        return Err(Outcome::Draw);
    }
    let distance = distance(ending.king, ending.lone);
    let king = ending.king;
    moves.filter(|from, to| safe(isa, ending, from, to));
    let nearer = WITHIN[ending.lone][distance as usize];
    moves.filter(|from, to| if from == king { to & nearer } else { to });
    if distance > FAR {
        moves.filter(|from, to| if from == king { to } else { 0 });
    }
    if let Some(line) = side_line(king, ending.lone) {
        moves
            .filter(|from, to| if from == king { 0 } else { checks(isa, ending, from, to & line) });
    }
    // To remove what repeats and draw among the rest is to draw until something does not.
    let all = moves;
    let present = fingerprint(ending);
    loop {
        let drawn = moves.draw(isa, rng);
        let (from, to) = drawn.unwrap_or_else(|| all.draw(isa, rng).expect("there are moves"));
        let kind = if from == ending.king { Piece::King } else { ending.piece(from) };
        let board = present.wrapping_sub(place(kind, from)).wrapping_add(place(kind, to));
        if drawn.is_none() || !notes.contains(&board) {
            notes.push(board);
            return Ok(plain(kind, from, to));
        }
        moves.remove(from, to);
    }
}

impl Moves {
    #[inline(always)]
    fn legal<I: Isa>(isa: I, ending: &Ending<'_>) -> Moves {
        let mut moves = Moves { from: [0; MOST], to: [0; MOST], count: 1 };
        let occupied = ending.occupied();
        moves.from[0] = ending.king;
        moves.to[0] = isa.king(ending.king) & !ending.officers & !isa.king(ending.lone);
        for square in bits(ending.officers) {
            moves.from[moves.count] = square;
            moves.to[moves.count] =
                Ending::attacks(isa, ending.piece(square), square, occupied) & !occupied;
            moves.count += 1;
        }
        moves
    }

    fn total(&self) -> u32 {
        self.to.iter().map(|to| to.count_ones()).sum()
    }

    /// Keeps of the squares that each piece goes to from its own what `keep` leaves, unless that is
    /// nothing at all.
    #[inline(always)]
    fn filter(&mut self, keep: impl Fn(usize, u64) -> u64) {
        let mut kept = [0; MOST];
        let pieces = self.from.iter().zip(&self.to).take(self.count);
        for (kept, (&from, &to)) in kept.iter_mut().zip(pieces) {
            *kept = keep(from, to);
        }
        if kept != [0; MOST] {
            self.to = kept;
        }
    }

    /// Each with equal probability; `None` if there is none.
    #[inline(always)]
    fn draw<I: Isa>(&self, isa: I, rng: &mut Rng) -> Option<(usize, usize)> {
        let total = self.total();
        if total == 0 {
            return None;
        }
        let mut rest = rng.below(total);
        for piece in 0..self.count {
            let count = self.to[piece].count_ones();
            if rest < count {
                return Some((self.from[piece], isa.nth(self.to[piece], rest) as usize));
            }
            rest -= count;
        }
        None
    }

    fn remove(&mut self, from: usize, to: usize) {
        for piece in 0..self.count {
            if self.from[piece] == from {
                self.to[piece] &= !(1 << to);
            }
        }
    }
}

/// The squares of `to` from which nothing of ours hangs.
#[inline(always)]
fn safe<I: Isa>(isa: I, ending: &Ending<'_>, from: usize, to: u64) -> u64 {
    let reach = isa.king(ending.lone);
    let others = ending.officers & !(1 << from);
    // Where nothing else is attacked, only squares that are attacked need be looked at.
    let doubtful = if others & reach != 0 { to } else { to & reach };
    let hangs = |&square: &usize| {
        let king = if from == ending.king { square } else { ending.king };
        let officers = if from == ending.king { others } else { others | 1 << square };
        // The lone king leaves its square when it takes.
        let occupied = officers | 1 << king;
        let kind = |at: usize| ending.piece(if at == square { from } else { at });
        bits(officers & reach).any(|attacked| {
            let protects = |at: usize| {
                at != attacked && Ending::attacks(isa, kind(at), at, occupied) >> attacked & 1 != 0
            };
            isa.king(king) >> attacked & 1 == 0 && !bits(officers).any(protects)
        })
    };
    to & !bits(doubtful).filter(hangs).fold(0, |hanging, square| hanging | 1 << square)
}

/// The squares of `to`, all on one line with the lone king, from which the officer checks along it.
#[inline(always)]
fn checks<I: Isa>(isa: I, ending: &Ending<'_>, from: usize, to: u64) -> u64 {
    let moves_in_lines = matches!(ending.piece(from), Piece::Rook | Piece::Queen);
    let seen = isa.rook(ending.lone, ending.occupied() & !(1 << from));
    if moves_in_lines { to & seen } else { 0 }
}

/// The line from which a king that is in opposition is checked from the side; `None` where it is
/// not.
#[inline(always)]
fn side_line(king: usize, lone: usize) -> Option<u64> {
    let (files, ranks) = ((king % 8).abs_diff(lone % 8), (king / 8).abs_diff(lone / 8));
    match (files, ranks) {
        (0, 2) => Some(Bitboard::rank(lone as u8 / 8).0),
        (2, 0) => Some(Bitboard::file(lone as u8 % 8).0),
        _ => None,
    }
}

/// A number that boards with the same pieces on the same squares share.
fn fingerprint(ending: &Ending<'_>) -> u64 {
    let officers = bits(ending.officers).map(|square| place(ending.piece(square), square));
    // The lone king is told apart by a kind that no officer has.
    let kings = place(Piece::King, ending.king).wrapping_add(place(Piece::Pawn, ending.lone));
    officers.fold(kings, u64::wrapping_add)
}

/// A random number for a piece on a square.
#[inline(always)]
fn place(piece: Piece, square: usize) -> u64 {
    let number = (piece.index() as u64) << 6 | square as u64;
    let mixed = (number + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed ^ mixed >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93)
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

fn distance(one: usize, two: usize) -> u32 {
    ((one % 8).abs_diff(two % 8) + (one / 8).abs_diff(two / 8)) as u32
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
