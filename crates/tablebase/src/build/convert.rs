//! Captures and promotions: the moves that lead to other tables.

use super::reach::{sources, square};
use crate::code::{before, better};
use crate::flat::Flat;
use crate::layout::{Layout, MOST_MEN, Man, Place};
use crate::{Material, code};
use monteverde_chess::{Bitboard, Color, Piece, attacks};
use std::sync::Arc;

/// Every capture and promotion of a material, with the table it leads to.
pub(super) struct Conversions<'a> {
    layout: &'a Layout,
    /// By who moves, the victim and what a pawn becomes; see [`slot`].
    ways: Vec<Option<ConversionLookup>>,
}

/// The number that stands for the king where men are numbered, and for nobody.
const KING: usize = MOST_MEN;
const NOBODY: usize = MOST_MEN;

/// What a pawn can become.
pub(super) const PROMOTIONS: [Piece; 4] = [Piece::Queen, Piece::Rook, Piece::Bishop, Piece::Knight];

/// How a position after a conversion is looked up.
struct ConversionLookup {
    /// `None` if only the kings are left.
    table: Option<Arc<Flat>>,
    /// Whether that table has the colours exchanged.
    is_flipped: bool,
    /// For each man of the table, which of ours it is.
    men: [u8; MOST_MEN],
    len: usize,
}

impl<'a> Conversions<'a> {
    /// Asks `table` for every table that a move leads to, by its name.
    pub(super) fn new<E>(
        layout: &'a Layout,
        mut table: impl FnMut(Material) -> Result<Arc<Flat>, E>,
    ) -> Result<Conversions<'a>, E> {
        let mut ways = Vec::new();
        ways.resize_with((MOST_MEN + 1) * (MOST_MEN + 1) * (PROMOTIONS.len() + 1), || None);
        let men = layout.men();
        for mover in (0..men.len()).chain([KING]) {
            for victim in (0..men.len()).chain([NOBODY]) {
                if mover == victim && mover != KING {
                    continue;
                }
                if mover < men.len() && victim < men.len() && men[mover].color == men[victim].color
                {
                    continue;
                }
                let is_pawn = mover < men.len() && men[mover].piece == Piece::Pawn;
                let promotions = if is_pawn { &PROMOTIONS[..] } else { &[] };
                let promotions = promotions.iter().map(|&piece| Some(piece));
                for promotion in promotions.chain([None]) {
                    if victim == NOBODY && promotion.is_none() {
                        continue;
                    }
                    let mut rest = men.to_vec();
                    if let Some(piece) = promotion {
                        rest[mover].piece = piece;
                    }
                    let rest: Vec<_> =
                        rest.into_iter().enumerate().filter(|&(man, _)| man != victim).collect();
                    ways[slot(mover, victim, promotion)] =
                        Some(ConversionLookup::new(&rest, &mut table)?);
                }
            }
        }
        Ok(Conversions { layout, ways })
    }

    /// The best that `mover` gets by a capture or promotion from each of the legal positions of the
    /// place, and the set of those that have any; `best` is changed for these alone.
    pub(super) fn best(&self, place: &Place, mover: Color, legal: u64, best: &mut [u8; 64]) -> u64 {
        let layout = self.layout;
        let mut any = 0;
        let men = layout.men();
        let last = men.len() - 1;
        let occupied = Bitboard(place.occupied);
        for (number, piece) in (0..men.len())
            .filter(|&man| men[man].color == mover)
            .map(|man| (man, men[man].piece))
            .chain([(KING, Piece::King)])
        {
            let from = match number {
                KING => Some(place.kings[mover.index()]),
                man if man < last => Some(place.squares[man]),
                _ => None,
            };
            let attacker = Man { color: mover, piece };
            let mut try_all = |victim: usize, set: u64, step: Step| {
                for bit in Bitboard(set & legal) {
                    let position = Position::of(layout, place, bit.index() as u8);
                    if let Some(found) = self.value(&position, number, victim, step) {
                        let entry = &mut best[bit.index()];
                        let is_first = any >> bit.index() & 1 == 0;
                        *entry = if is_first { found } else { better(*entry, found) };
                        any |= 1 << bit.index();
                    }
                }
            };
            for victim in (0..men.len()).filter(|&man| men[man].color != mover) {
                let set = match (from, victim < last) {
                    (Some(from), true) => {
                        let (from, to) = (square(from), square(place.squares[victim]));
                        let hits = attacks::of(piece, mover, from, occupied).contains(to);
                        if hits { !attacks::between(from, to).0 } else { 0 }
                    }
                    (Some(from), false) => attacks::of(piece, mover, square(from), occupied).0,
                    (None, _) => sources(attacker, square(place.squares[victim]), occupied),
                };
                try_all(victim, set, Step::Capture);
            }
            if piece == Piece::Pawn {
                let seventh = SEVENTH[mover.index()];
                let set = match from {
                    Some(from) if seventh >> from & 1 != 0 => !(1 << ahead(mover, from)),
                    Some(_) => 0,
                    None => seventh,
                };
                try_all(NOBODY, set, Step::Promotion);
            }
        }
        any
    }

    /// What the mover gets by capturing the victim, or by promoting where the victim is nobody;
    /// `None` if that is not legal.
    fn value(&self, position: &Position, mover: usize, victim: usize, step: Step) -> Option<u8> {
        let layout = self.layout;
        let mut next = *position;
        let color = if mover == KING {
            layout.men()[victim].color.other()
        } else {
            layout.men()[mover].color
        };
        let to = match step {
            Step::Capture => position.squares[victim],
            Step::Promotion => {
                let to = ahead(color, position.squares[mover]);
                if position.occupied(layout) >> to & 1 != 0 {
                    return None;
                }
                to
            }
        };
        match mover {
            KING => next.kings[color.index()] = to,
            man => next.squares[man] = to,
        }
        let promotes =
            mover != KING && layout.men()[mover].piece == Piece::Pawn && !(8..56).contains(&to);
        if next.is_attacked(layout, color, victim) {
            return None;
        }
        if !promotes {
            return Some(self.look_up(&next, color, slot(mover, victim, None)));
        }
        let ways = PROMOTIONS.into_iter().map(|piece| slot(mover, victim, Some(piece)));
        ways.map(|way| self.look_up(&next, color, way)).reduce(better)
    }

    /// What `mover` gets by a capture en passant of the victim; `None` if that is not legal.
    pub(super) fn en_passant(
        &self,
        position: &Position,
        mover: usize,
        victim: usize,
    ) -> Option<u8> {
        let layout = self.layout;
        let mut next = *position;
        let color = layout.men()[mover].color;
        next.squares[mover] = ahead(color, position.squares[victim]);
        if next.is_attacked(layout, color, victim) {
            return None;
        }
        Some(self.look_up(&next, color, slot(mover, victim, None)))
    }

    /// What the mover gets, by the table that the way names.
    fn look_up(&self, next: &Position, mover: Color, way: usize) -> u8 {
        let way = self.ways[way].as_ref().expect("every conversion has its way");
        let Some(table) = &way.table else { return code::DRAW };
        let mut squares = [0; MOST_MEN];
        for (square, &man) in squares.iter_mut().zip(&way.men[..way.len]) {
            *square = next.squares[usize::from(man)];
        }
        let mut kings = next.kings;
        let mut turn = mover.other();
        if way.is_flipped {
            squares = squares.map(|square| square ^ 56);
            kings = [kings[1] ^ 56, kings[0] ^ 56];
            turn = turn.other();
        }
        before(table.get(turn, kings, &squares))
    }
}

/// Where in [`Conversions`] a way is.
fn slot(mover: usize, victim: usize, promotion: Option<Piece>) -> usize {
    let kind = PROMOTIONS.into_iter().position(|piece| Some(piece) == promotion);
    (mover * (MOST_MEN + 1) + victim) * (PROMOTIONS.len() + 1) + kind.unwrap_or(PROMOTIONS.len())
}

impl ConversionLookup {
    fn new<E>(
        rest: &[(usize, Man)],
        table: &mut impl FnMut(Material) -> Result<Arc<Flat>, E>,
    ) -> Result<ConversionLookup, E> {
        let material = rest
            .iter()
            .fold(Material::KINGS, |material, (_, man)| material.with(man.color, man.piece));
        let mut way = ConversionLookup {
            table: None,
            is_flipped: !material.is_canonical(),
            men: [0; MOST_MEN],
            len: 0,
        };
        if material == Material::KINGS {
            return Ok(way);
        }
        let found = table(material.canonical())?;
        let mut rest = rest.to_vec();
        for theirs in found.layout.men() {
            let color = if way.is_flipped { theirs.color.other() } else { theirs.color };
            let ours = Man { color, piece: theirs.piece };
            let at = rest.iter().position(|&(_, man)| man == ours).expect("the men are the same");
            way.men[way.len] = rest.swap_remove(at).0 as u8;
            way.len += 1;
        }
        way.table = Some(found);
        Ok(way)
    }
}

#[derive(Clone, Copy)]
enum Step {
    Capture,
    Promotion,
}

/// One position of a place.
#[derive(Clone, Copy)]
pub(super) struct Position {
    pub(super) kings: [u8; 2],
    pub(super) squares: [u8; MOST_MEN],
}

impl Position {
    #[inline(always)]
    pub(super) fn of(layout: &Layout, place: &Place, last: u8) -> Position {
        let mut squares = place.squares;
        squares[layout.men().len() - 1] = last;
        Position { kings: place.kings, squares }
    }

    /// The word and the bit of the position, equal men in the order in which they stand here.
    pub(super) fn place(&self, layout: &Layout) -> Option<(usize, usize)> {
        let (pair, symmetry) =
            layout.kings.find(usize::from(self.kings[0]), usize::from(self.kings[1]))?;
        debug_assert_eq!(symmetry, 0, "a place has the kings of its pair");
        let last = self.squares[layout.men().len() - 1];
        Some((layout.word(pair, &self.squares), usize::from(last)))
    }

    pub(super) fn occupied(&self, layout: &Layout) -> u64 {
        let men = &self.squares[..layout.men().len()];
        self.kings.iter().chain(men).fold(0, |set, &square| set | 1 << square)
    }

    /// Whether that colour's king can be captured once the victim is gone.
    fn is_attacked(&self, layout: &Layout, color: Color, victim: usize) -> bool {
        let king = square(self.kings[color.index()]);
        let enemy = square(self.kings[color.other().index()]);
        if attacks::king(king).contains(enemy) {
            return true;
        }
        let mut occupied = 1u64 << king.index() | 1 << enemy.index();
        for man in (0..layout.men().len()).filter(|&man| man != victim) {
            occupied |= 1 << self.squares[man];
        }
        let mut men = layout.men().iter().zip(self.squares).enumerate();
        men.any(|(number, (man, from))| {
            let counts = number != victim && man.color != color;
            counts
                && attacks::of(man.piece, man.color, square(from), Bitboard(occupied))
                    .contains(king)
        })
    }
}

/// From where pawns promote, by [`Color::index`].
const SEVENTH: [u64; 2] = [0xff << 48, 0xff << 8];

/// One step of a pawn.
#[inline(always)]
fn ahead(color: Color, square: u8) -> u8 {
    match color {
        Color::White => square + 8,
        Color::Black => square - 8,
    }
}
