//! Where a position lies in a table.
//!
//! The kings come first, as a pair up to symmetry, then the other men from the least to the most
//! mobile one; the last man's square is the lowest part of the index. So the 64 squares of the last
//! man, everything else fixed, are one word of 64 bits wherever a set of positions is kept, and the
//! builder works on words.

use crate::Material;
use crate::material::{KINDS, MOST_PIECES};
use crate::symmetry::{IMAGE, Kings};
use monteverde_chess::{Color, Piece};

/// The most men beside the kings.
pub(crate) const MOST_MEN: usize = MOST_PIECES - 2;

/// Squares of men, in the order of a layout; what lies behind its last man does not matter.
pub(crate) type Squares = [u8; MOST_MEN];

/// A piece of a colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Man {
    pub(crate) color: Color,
    pub(crate) piece: Piece,
}

/// How the positions of a material are numbered.
pub(crate) struct Layout {
    pub(crate) material: Material,
    pub(crate) kings: &'static Kings,
    /// The men beside the kings, in the order of the index.
    men: [Man; MOST_MEN],
    len: usize,
    /// By how many words one square of each man but the last counts.
    pub(crate) strides: [usize; MOST_MEN],
    /// By how many entries one square of each man counts; 0 behind the last one.
    scales: [usize; MOST_MEN],
    /// By how many entries a pair of kings counts.
    pair_scale: usize,
    /// The entries before the first square on which pawns that are not the last man can stand.
    before_pawns: usize,
    words: usize,
    has_twins: bool,
}

impl Layout {
    /// The layout of a table's material.
    pub(crate) fn new(material: Material) -> Layout {
        let mut men = [Man { color: Color::White, piece: Piece::Pawn }; MOST_MEN];
        let mut len = 0;
        for piece in KINDS.into_iter().rev() {
            for color in Color::ALL {
                for _ in 0..material.count(color, piece) {
                    men[len] = Man { color, piece };
                    len += 1;
                }
            }
        }
        let kings = Kings::of(material.has_pawns());
        let mut strides = [0; MOST_MEN];
        let mut stride = 1;
        for man in (0..len.saturating_sub(1)).rev() {
            strides[man] = stride;
            stride *= squares_of(men[man].piece);
        }
        let mut scales = strides.map(|stride| stride * 64);
        scales[len - 1] = 1;
        let pawns = (0..len - 1).filter(|&man| men[man].piece == Piece::Pawn);
        Layout {
            material,
            kings,
            men,
            len,
            strides,
            scales,
            pair_scale: stride * 64,
            before_pawns: pawns.map(|man| FIRST_PAWN * scales[man]).sum(),
            words: stride * kings.pairs.len(),
            has_twins: men[..len].windows(2).any(|pair| pair[0] == pair[1]),
        }
    }

    /// The men beside the kings.
    #[inline(always)]
    pub(crate) fn men(&self) -> &[Man] {
        &self.men[..self.len]
    }

    /// The men that are not the last.
    #[inline(always)]
    pub(crate) fn fixed(&self) -> &[Man] {
        &self.men[..self.len - 1]
    }

    /// The man whose squares are the bits of a word.
    #[inline(always)]
    pub(crate) fn last(&self) -> Man {
        self.men[self.len - 1]
    }

    /// How many words a set of positions has, for one side to move.
    pub(crate) fn words(&self) -> usize {
        self.words
    }

    /// How many entries the table has for one side to move.
    pub(crate) fn entries(&self) -> usize {
        self.words * 64
    }

    /// The word of the pair of kings and the other men's squares, which must suit the pair.
    #[inline(always)]
    pub(crate) fn word(&self, pair: usize, squares: &Squares) -> usize {
        let mut word = pair;
        for (man, &square) in self.fixed().iter().zip(squares) {
            word = match man.piece {
                Piece::Pawn => word * PAWN_SQUARES + usize::from(square).wrapping_sub(FIRST_PAWN),
                _ => word * 64 + usize::from(square),
            };
        }
        word
    }

    /// The index of a position; `None` if the kings touch. Of positions that differ only in which
    /// of two equal men stands where, one has an index of meaning, and this is it.
    #[inline(always)]
    pub(crate) fn index(&self, kings: [u8; 2], squares: &Squares) -> Option<usize> {
        let (pair, symmetry) = self.kings.find(usize::from(kings[0]), usize::from(kings[1]))?;
        let image = &IMAGE[symmetry];
        let mut squares = squares.map(|square| image[usize::from(square & 63)]);
        if self.has_twins {
            self.sort_twins(&mut squares);
        }
        // The same as by `word`, without asking which man is a pawn.
        let scaled =
            squares.iter().zip(self.scales).map(|(&square, scale)| scale * usize::from(square));
        Some((pair * self.pair_scale + scaled.sum::<usize>()).wrapping_sub(self.before_pawns))
    }

    /// Whether the index is the one that stands for its position, as far as equal men decide.
    pub(crate) fn is_sorted(&self, squares: &Squares) -> bool {
        let mut sorted = *squares;
        self.sort_twins(&mut sorted);
        sorted == *squares
    }

    /// What a word stands for.
    pub(crate) fn place(&self, word: usize) -> Place {
        let mut rest = word;
        let mut squares = [0; MOST_MEN];
        for (man, square) in self.fixed().iter().zip(&mut squares).rev() {
            let count = squares_of(man.piece);
            let first = if man.piece == Piece::Pawn { FIRST_PAWN } else { 0 };
            *square = (rest % count + first) as u8;
            rest /= count;
        }
        let kings = self.kings.pairs[rest];
        let mut occupied = 0;
        let taken = kings.iter().chain(&squares[..self.len - 1]);
        let is_possible = taken.fold(true, |is_possible, &square| {
            let bit = 1 << square;
            let is_free = occupied & bit == 0;
            occupied |= bit;
            is_possible && is_free
        });
        let room = if self.last().piece == Piece::Pawn { PAWN_RANKS } else { !0 };
        let valid = if is_possible { room & !occupied } else { 0 };
        Place { word, kings, squares, occupied, valid }
    }

    /// Equal men go by ascending squares. There are at most three men, so two passes sort them.
    #[inline]
    fn sort_twins(&self, squares: &mut Squares) {
        for _ in 0..2 {
            for man in 1..self.len {
                if self.men[man - 1] == self.men[man] {
                    let [one, two] = [squares[man - 1], squares[man]];
                    // Without a branch on the squares, which nothing can foresee.
                    [squares[man - 1], squares[man]] = [one.min(two), one.max(two)];
                }
            }
        }
    }
}

/// What a word stands for: everything but the square of the last man.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    pub(crate) word: usize,
    /// By [`Color::index`].
    pub(crate) kings: [u8; 2],
    /// Of the men that are not the last.
    pub(crate) squares: Squares,
    /// By kings and men, the last one aside.
    pub(crate) occupied: u64,
    /// Where the last man can stand; nowhere if two of the others share a square.
    pub(crate) valid: u64,
}

impl Place {
    /// The squares of all men, with the last one there.
    pub(crate) fn with_last(&self, layout: &Layout, last: u8) -> Squares {
        let mut squares = self.squares;
        squares[layout.len - 1] = last;
        squares
    }
}

/// The squares on which a pawn can stand, and the first of them.
const PAWN_SQUARES: usize = 48;
const FIRST_PAWN: usize = 8;
const PAWN_RANKS: u64 = 0x00ff_ffff_ffff_ff00;

fn squares_of(piece: Piece) -> usize {
    if piece == Piece::Pawn { PAWN_SQUARES } else { 64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_index_leads_back_to_itself() {
        for name in ["KQK", "KPK", "KRKN", "KQQK", "KPKP", "KQRKP"] {
            let layout = Layout::new(name.parse().expect("a name"));
            for word in (0..layout.words()).step_by(7) {
                let place = layout.place(word);
                for last in (0..64).filter(|last| place.valid >> last & 1 != 0) {
                    let mut squares = place.squares;
                    squares[layout.men().len() - 1] = last;
                    if layout.is_sorted(&squares) {
                        let index = layout.index(place.kings, &squares);
                        assert_eq!(index, Some(word * 64 + usize::from(last)), "{name}");
                    }
                }
            }
        }
    }

    #[test]
    fn the_most_mobile_man_is_the_last() {
        let layout = Layout::new("KQPKR".parse().expect("a name"));
        let pieces: Vec<_> = layout.men().iter().map(|man| man.piece).collect();
        assert_eq!(pieces, [Piece::Pawn, Piece::Rook, Piece::Queen]);
        assert_eq!(layout.entries(), 1806 * 48 * 64 * 64);
    }
}
