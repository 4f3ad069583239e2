//! What is on the board: the name of a table.

use monteverde_chess::{Board, Color, Piece};
use std::fmt;
use std::str::FromStr;

/// The most pieces a table can have, kings included.
pub const MOST_PIECES: usize = 5;

/// The pieces beside the kings, strongest first: the order of their letters in a name.
pub(crate) const KINDS: [Piece; 5] =
    [Piece::Queen, Piece::Rook, Piece::Bishop, Piece::Knight, Piece::Pawn];

/// The bits of a digit of a code, and where the first digit, that of White's queens, lies.
const DIGIT: u32 = 2;
const FIRST_DIGIT: u32 = DIGIT * (2 * KINDS.len() as u32 - 1);

/// How many pieces of each kind each side has, kings aside.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Material {
    /// By [`Color::index`], then in the order of [`KINDS`].
    counts: [[u8; 5]; 2],
}

impl Material {
    /// Two kings.
    pub const KINGS: Material = Material { counts: [[0; 5]; 2] };

    /// What is on the board; `None` for more pieces than a table can have.
    #[inline]
    pub fn of(board: &Board) -> Option<Material> {
        if board.occupied().count() as usize > MOST_PIECES {
            return None;
        }
        let count = |color, piece| (board.color(color) & board.pieces(piece)).count() as u8;
        Some(Material { counts: Color::ALL.map(|color| KINDS.map(|piece| count(color, piece))) })
    }

    /// Every material of exactly so many pieces that has a table: with the side that has more, or
    /// stronger, pieces as White. Two kings have none, since they can only draw.
    pub fn all(pieces: usize) -> Vec<Material> {
        let mut found = vec![Material::KINGS];
        for _ in 2..pieces {
            let grown = found.iter().flat_map(|material| {
                let ways = Color::ALL.into_iter().flat_map(|color| KINDS.map(|kind| (color, kind)));
                ways.map(|(color, kind)| material.with(color, kind))
            });
            found = grown.collect();
            found.sort_by(|a, b| b.cmp(a));
            found.dedup();
        }
        found.retain(|material| material.is_canonical() && *material != Material::KINGS);
        found
    }

    /// How many pieces there are, kings included.
    pub fn pieces(self) -> usize {
        2 + self.counts.iter().flatten().map(|&count| usize::from(count)).sum::<usize>()
    }

    /// Whether there is a pawn.
    pub fn has_pawns(self) -> bool {
        Color::ALL.into_iter().any(|color| self.count(color, Piece::Pawn) > 0)
    }

    /// How many pieces of a kind, not the king, a side has.
    pub fn count(self, color: Color, piece: Piece) -> usize {
        let kind = KINDS.into_iter().position(|kind| kind == piece);
        kind.map_or(1, |kind| usize::from(self.counts[color.index()][kind]))
    }

    /// Whether the table is named so, rather than with the colours exchanged.
    pub fn is_canonical(self) -> bool {
        let [white, black] = self.counts.map(|side| (side.iter().sum::<u8>(), side));
        white >= black
    }

    /// The same with the colours exchanged.
    pub fn flipped(self) -> Material {
        let [white, black] = self.counts;
        Material { counts: [black, white] }
    }

    /// Itself or flipped, whichever has a table.
    pub fn canonical(self) -> Material {
        if self.is_canonical() { self } else { self.flipped() }
    }

    /// Every material that a capture, a promotion or both at once leads to, by the name of its
    /// table, two kings left out.
    pub fn successors(self) -> Vec<Material> {
        let mut found = Vec::new();
        for color in Color::ALL {
            let promoted = KINDS[..4]
                .iter()
                .filter_map(|&kind| Some(self.without(color, Piece::Pawn)?.with(color, kind)));
            let grown: Vec<_> = promoted.collect();
            let captures = |from: Material| {
                KINDS.into_iter().filter_map(move |kind| from.without(color.other(), kind))
            };
            found.extend(captures(self));
            found.extend(grown.iter().copied().flat_map(captures));
            found.extend(grown);
        }
        for material in &mut found {
            *material = material.canonical();
        }
        found.retain(|&material| material != Material::KINGS);
        found.sort_by(|a, b| (a.pieces(), b).cmp(&(b.pieces(), a)));
        found.dedup();
        found
    }

    /// A number below 2^20, different for every material of a table: two bits for each kind of each
    /// side.
    pub(crate) fn code(self) -> u32 {
        let digits = self.counts.iter().flatten();
        digits.fold(0, |code, &count| code << DIGIT | u32::from(count))
    }

    /// The code of what is on the board, which must have at most [`MOST_PIECES`] pieces. It goes
    /// from man to man, since counting the bits of ten sets takes longer where the processor is not
    /// told to.
    #[inline(always)]
    pub(crate) fn code_of(board: &Board) -> u32 {
        let [_, rooks, bishops, knights, pawns] = KINDS.map(|piece| board.pieces(piece).0);
        let black = board.color(Color::Black).0;
        let mut men = board.occupied().0 & !board.pieces(Piece::King).0;
        let mut code = 0;
        while men != 0 {
            let square = men.trailing_zeros();
            let has = |set: u64| (set >> square) as u32 & 1;
            let kind = has(rooks) + 2 * has(bishops) + 3 * has(knights) + 4 * has(pawns);
            code += 1 << (FIRST_DIGIT - DIGIT * (kind + KINDS.len() as u32 * has(black)));
            men &= men - 1;
        }
        code
    }

    /// With one more piece.
    pub(crate) fn with(mut self, color: Color, piece: Piece) -> Material {
        if let Some(kind) = KINDS.into_iter().position(|kind| kind == piece) {
            self.counts[color.index()][kind] += 1;
        }
        self
    }

    fn without(mut self, color: Color, piece: Piece) -> Option<Material> {
        let kind = KINDS.into_iter().position(|kind| kind == piece)?;
        let count = &mut self.counts[color.index()][kind];
        *count = count.checked_sub(1)?;
        Some(self)
    }
}

impl fmt::Display for Material {
    /// As in `KRPKR`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut name = String::with_capacity(MOST_PIECES);
        for side in self.counts {
            name.push('K');
            for (kind, count) in KINDS.into_iter().zip(side) {
                name.extend((0..count).map(|_| kind.letter(Color::White)));
            }
        }
        f.pad(&name)
    }
}

impl fmt::Debug for Material {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The text does not name a table.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "'{0}' does not name a table; a name lists the pieces of one side, then of the other, each from its \
     king on, three to five in all, such as KQK, KRKN or KRPKR"
)]
pub struct MaterialError(pub String);

impl FromStr for Material {
    type Err = MaterialError;

    /// Reads names such as `KRPKR`, in any case and order of pieces after the kings, and returns
    /// the material of the table, which may have the colours exchanged.
    fn from_str(text: &str) -> Result<Material, MaterialError> {
        let error = || MaterialError(text.to_owned());
        let mut material = Material::KINGS;
        let mut kings = 0;
        for letter in text.chars().filter(|&letter| letter != 'v') {
            let (_, piece) = Piece::from_letter(letter).ok_or_else(error)?;
            match (piece, kings) {
                (Piece::King, 0 | 1) => kings += 1,
                (Piece::King, _) | (_, 0) => return Err(error()),
                (piece, 1) => material = material.with(Color::White, piece),
                (piece, _) => material = material.with(Color::Black, piece),
            }
            if material.pieces() > MOST_PIECES {
                return Err(error());
            }
        }
        let is_table = kings == 2 && material != Material::KINGS;
        is_table.then(|| material.canonical()).ok_or_else(error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_5_30_and_110_tables() {
        assert_eq!([3, 4, 5].map(|pieces| Material::all(pieces).len()), [5, 30, 110]);
        let names: Vec<_> = Material::all(3).iter().map(|material| material.to_string()).collect();
        assert_eq!(names, ["KQK", "KRK", "KBK", "KNK", "KPK"]);
    }

    #[test]
    fn names_are_read_back() {
        for material in [3, 4, 5].into_iter().flat_map(Material::all) {
            assert_eq!(material.to_string().parse(), Ok(material));
            assert_eq!(material.flipped().to_string().parse(), Ok(material));
        }
        assert_eq!("KvKQ".parse::<Material>().map(|found| found.to_string()), Ok("KQK".into()));
        for text in ["", "KK", "KQ", "QKK", "KQRRKR", "KQKx", "KKQK", "KQKRK"] {
            assert_eq!(text.parse::<Material>(), Err(MaterialError(text.into())));
        }
    }

    #[test]
    fn the_code_of_a_board_is_that_of_its_material() {
        for text in [
            "8/8/3k4/8/8/4K3/8/8",
            "4k3/8/8/3q4/8/8/7P/1KN5",
            "4k3/3pp3/8/8/8/8/8/1KB5",
            "7k/8/8/8/8/8/8/KQRB4",
        ] {
            let board = monteverde_chess::fen::parse(&format!("{text} w - - 0 1")).expect("a FEN");
            let material = Material::of(&board).expect("few pieces");
            assert_eq!(Material::code_of(&board), material.code(), "{text}");
        }
    }

    #[test]
    fn successors_are_captures_and_promotions() {
        let of = |name: &str| {
            let material: Material = name.parse().expect("a name");
            material.successors().iter().map(|found| found.to_string()).collect::<Vec<_>>()
        };
        assert_eq!(of("KQK"), [] as [&str; 0]);
        assert_eq!(of("KPK"), ["KQK", "KRK", "KBK", "KNK"]);
        assert_eq!(of("KRKN"), ["KRK", "KNK"]);
        assert_eq!(
            of("KRPKR"),
            [
                "KQRK", "KRRK", "KRBK", "KRNK", "KRPK", "KRKR", "KRKP", "KQRKR", "KRRKR", "KRBKR",
                "KRNKR"
            ]
        );
    }
}
