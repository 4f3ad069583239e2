//! The evaluation: which terms a board has, and how often.
//!
//! This is the only place that says so. What is found goes to a [`Sink`]: one adds weights up and
//! gives the value, another writes the terms down for the tuner.

use super::camp::{Camp, beside, count, fill_up, flip, flip_square, squares, up};
use super::terms::*;
use super::{king, pawns};
use monteverde_chess::isa::Isa;
use monteverde_chess::{Board, Color};

/// Takes terms.
pub(crate) trait Sink {
    /// The term occurs so many times more for White than before; negative for Black.
    fn add(&mut self, term: usize, count: i32);
}

/// Hands every term of the board to the sink, and returns both sides' camps, White's first.
#[inline(always)]
pub(crate) fn survey<I: Isa>(isa: I, board: &Board, sink: &mut impl Sink) -> [Camp; 2] {
    let [white, black] = Color::ALL.map(|color| Camp::of(board, color));
    let is_white = board.turn() == Color::White;
    let mut ours = Side::<_, 1>(&mut *sink);
    let white_reach = officers(isa, &mut ours, &white, &black);
    let mut theirs = Side::<_, -1>(&mut *sink);
    let black_reach = officers(isa, &mut theirs, &black, &white);

    let mut ours = Side::<_, 1>(&mut *sink);
    let view = View { isa, own: &white, enemy: &black, reach: &white_reach, danger: &black_reach };
    view.rest(&mut ours, is_white);
    let mut theirs = Side::<_, -1>(&mut *sink);
    let view = View { isa, own: &black, enemy: &white, reach: &black_reach, danger: &white_reach };
    view.rest(&mut theirs, !is_white);
    [white, black]
}

/// The sink as one side uses it: Black's terms count against White's.
pub(crate) struct Side<'a, S, const SIGN: i32>(&'a mut S);

impl<S: Sink, const SIGN: i32> Side<'_, S, SIGN> {
    #[inline(always)]
    pub(crate) fn add(&mut self, term: usize, count: i32) {
        self.0.add(term, SIGN * count);
    }

    /// A term of a piece on a square, from a group of one weight for each square of the left half.
    #[inline(always)]
    fn place(&mut self, group: usize, square: usize) {
        self.add(group + usize::from(LEFT_HALF[square & 63]), 1);
    }
}

/// What a side's pieces attack, as that side sees it.
#[derive(Clone, Copy)]
pub(crate) struct Reach {
    pub(crate) pawns: u64,
    pub(crate) knights: u64,
    pub(crate) bishops: u64,
    pub(crate) rooks: u64,
    pub(crate) queens: u64,
    /// Everything but the king.
    pub(crate) army: u64,
    pub(crate) king: u64,
    /// What the officers aim at the squares around the enemy king, in the units of `king.rs`.
    pub(crate) aim: i32,
}

impl Reach {
    #[inline(always)]
    pub(crate) fn all(&self) -> u64 {
        self.army | self.king
    }
}

/// Terms of a side's knights, bishops, rooks and queens one by one, and what they attack.
#[inline(always)]
fn officers<I: Isa, S: Sink, const SIGN: i32>(
    isa: I,
    sink: &mut Side<'_, S, SIGN>,
    own: &Camp,
    enemy: &Camp,
) -> Reach {
    const OUTPOST_RANKS: u64 = 0xffff_ff00_0000;
    const DARK: u64 = monteverde_chess::Bitboard::DARK.0;
    let occupied = own.all | flip(enemy.all);
    let enemy_pawns = flip(enemy.pawns);
    let safe = !(own.all | flip(enemy.pawn_attacks()));
    let zone = flip(king::zone(isa, enemy.king));
    let pawns = own.pawn_attacks();
    // Where enemy pawns attack now or after steps down the board.
    let driven = flip(fill_up(enemy.pawn_attacks()));
    let outposts = pawns & OUTPOST_RANKS & !driven;
    let mut reach = Reach {
        pawns,
        knights: 0,
        bishops: 0,
        rooks: 0,
        queens: 0,
        army: pawns,
        king: isa.king(own.king),
        aim: 0,
    };

    for square in squares(own.knights) {
        let attacks = isa.knight(square);
        reach.knights |= attacks;
        reach.aim += king::AIM[0] * count(attacks & zone);
        sink.place(KNIGHT, square);
        sink.add(KNIGHT_MOBILITY + count(attacks & safe) as usize, 1);
    }
    sink.add(KNIGHT_OUTPOST, count(own.knights & outposts));

    for square in squares(own.bishops) {
        let attacks = isa.bishop(square, occupied);
        reach.bishops |= attacks;
        reach.aim += king::AIM[1] * count(attacks & zone);
        sink.place(BISHOP, square);
        sink.add(BISHOP_MOBILITY + count(attacks & safe) as usize, 1);
        let shade = if DARK >> square & 1 != 0 { DARK } else { !DARK };
        sink.add(BISHOP_PAWNS, count(own.pawns & shade));
    }
    sink.add(BISHOP_OUTPOST, count(own.bishops & outposts));
    sink.add(BISHOP_PAIR, i32::from(count(own.bishops) >= 2));

    for square in squares(own.rooks) {
        let attacks = isa.rook(square, occupied);
        reach.rooks |= attacks;
        reach.aim += king::AIM[2] * count(attacks & zone);
        sink.place(ROOK, square);
        sink.add(ROOK_MOBILITY + count(attacks & safe) as usize, 1);
        let file = FILE_A << (square & 7);
        if own.pawns & file == 0 {
            let term = if enemy_pawns & file == 0 { ROOK_OPEN } else { ROOK_HALF_OPEN };
            sink.add(term, 1);
        }
    }

    for square in squares(own.queens) {
        let attacks = isa.rook(square, occupied) | isa.bishop(square, occupied);
        reach.queens |= attacks;
        reach.aim += king::AIM[3] * count(attacks & zone);
        sink.place(QUEEN, square);
        sink.add(QUEEN_MOBILITY + count(attacks & safe) as usize, 1);
    }
    reach.army |= reach.knights | reach.bishops | reach.rooks | reach.queens;
    reach
}

/// The board as one side sees it, once it is known what both sides attack.
pub(crate) struct View<'a, I> {
    pub(crate) isa: I,
    pub(crate) own: &'a Camp,
    /// As the enemy sees itself.
    pub(crate) enemy: &'a Camp,
    pub(crate) reach: &'a Reach,
    /// What the enemy attacks, as the enemy sees it.
    pub(crate) danger: &'a Reach,
}

impl<I: Isa> View<'_, I> {
    /// The terms of one side that are not those of its officers.
    #[inline(always)]
    fn rest<S: Sink, const SIGN: i32>(&self, sink: &mut Side<'_, S, SIGN>, on_move: bool) {
        for square in squares(self.own.pawns) {
            sink.place(PAWN, square);
        }
        sink.place(KING, self.own.king);
        pawns::structure(self, sink);
        pawns::passed(self, sink, on_move);
        king::shelter(self, sink);
        king::danger(self, sink);
        self.threats(sink, on_move);
        sink.add(TEMPO, i32::from(on_move));
    }

    /// Enemy pieces that can be taken at a profit.
    #[inline(always)]
    fn threats<S: Sink, const SIGN: i32>(&self, sink: &mut Side<'_, S, SIGN>, on_move: bool) {
        let Camp { pawns, knights, bishops, rooks, queens, .. } = *self.enemy;
        let reach = self.reach;
        let held = self.danger.all();
        let loose = flip(reach.all()) & !held;
        let by_pawns = flip(reach.pawns);
        let by_minors = by_pawns | flip(reach.knights | reach.bishops);
        let by_rooks = by_minors | flip(reach.rooks);
        let group = if on_move { THREAT_NOW } else { THREAT_LATER };
        sink.add(group, count(pawns & loose));
        sink.add(group + 1, count(knights & (loose | by_pawns)));
        sink.add(group + 2, count(bishops & (loose | by_pawns)));
        sink.add(group + 3, count(rooks & (loose | by_minors)));
        sink.add(group + 4, count(queens & (loose | by_rooks)));
    }

    /// The squares of the enemy's pawns, as the own side sees them.
    #[inline(always)]
    pub(crate) fn enemy_pawns(&self) -> u64 {
        flip(self.enemy.pawns)
    }

    /// Where the enemy's king stands, as the own side sees it.
    #[inline(always)]
    pub(crate) fn enemy_king(&self) -> usize {
        flip_square(self.enemy.king)
    }

    #[inline(always)]
    pub(crate) fn occupied(&self) -> u64 {
        self.own.all | flip(self.enemy.all)
    }
}

pub(crate) const FILE_A: u64 = 0x0101_0101_0101_0101;

/// The number of each square in the left half of the board, onto which the right half is folded.
pub(crate) static LEFT_HALF: [u8; 64] = {
    let mut table = [0; 64];
    let mut square = 0;
    while square < 64 {
        let file = square % 8;
        let folded = if file < 4 { file } else { 7 - file };
        table[square] = (square / 8 * 4 + folded) as u8;
        square += 1;
    }
    table
};

/// The squares that pawns of the set hold between them, next to each other.
#[inline(always)]
pub(crate) fn phalanx(pawns: u64) -> u64 {
    pawns & beside(pawns)
}

/// The squares before the set.
#[inline(always)]
pub(crate) fn before(set: u64) -> u64 {
    fill_up(up(set))
}
