//! The face of a state: its board, pieces and moves as data that any page can draw.
//!
//! A game fills these structs; whoever draws them knows no game. Everything has a plain default, so
//! that a game says only what is special about it: a board may be made of rows of letters
//! ([`BoardView::of_rows`]), the squares of a move may be read out of its text
//! ([`MoveView::of_text`]), and a game without a board is shown by
//! [`monteverde_game::Notation::picture`] with a button for every move.
//!
//! Squares are named by file letter and rank number, `a1` below left with the first side at the
//! bottom.

use monteverde_game::Side;
use serde::{Serialize, Serializer};
use std::borrow::Cow;

/// A word or a few; most of them are constants of their game.
pub type Words = Cow<'static, str>;

/// The most files that a board can have: so many have a letter.
pub const MOST_FILES: u8 = 26;

/// The name of a square; file 0 is a, rank 0 is 1.
///
/// # Panics
/// If there is no such file.
pub fn square_name(file: u8, rank: u8) -> String {
    assert!(file < MOST_FILES, "files are named by the letters a to z");
    format!("{}{}", char::from(b'a' + file), u32::from(rank) + 1)
}

/// A board with what stands on it and beside it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct BoardView {
    /// How many files it has, 1 to [`MOST_FILES`].
    pub files: u8,
    /// How many ranks it has.
    pub ranks: u8,
    /// What its squares look like.
    pub style: CellStyle,
    /// How it lies before the people who look at it.
    pub orientation: Orientation,
    /// What stands on it.
    pub pieces: Vec<PieceView>,
    /// Squares that mean something now.
    pub marks: Vec<MarkView>,
    /// Pieces off the board.
    #[serde(flatten)]
    pub pool: PoolView,
}

/// What the squares of a board look like.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum CellStyle {
    /// Light and dark by turns, far apart, as in chess.
    Checkered,
    /// Light and dark by turns, hardly apart, as wood is.
    #[default]
    Plain,
    /// All alike, with lines between them.
    Cells,
    /// Points where lines cross, as in Go; pieces stand on the crossings.
    Intersections,
}

/// How a board lies.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Orientation {
    /// Rank 1 is below, file a is left.
    #[default]
    Upright,
    /// Rank 1 is left, file a is on top: for boards with more ranks than fit a screen.
    Lying,
}

/// A piece on the board.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct PieceView {
    /// Where it stands.
    pub square: String,
    /// What it looks like.
    #[serde(flatten)]
    pub look: PieceLook,
    /// Whose it is; `None` where nobody knows.
    #[serde(serialize_with = "side_or_null")]
    pub side: Option<Side>,
    /// What people call it, such as `White king`.
    pub name: Words,
}

/// What a piece looks like, wherever it is.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct PieceLook {
    /// Its letter in the game's notation: what is drawn in a disc if the page has no such glyph.
    pub letter: String,
    /// Its kind in the game's own words: pieces that look alike are of one kind and colour.
    pub kind: Words,
    /// The name of a drawing of the page, of [`glyph`] or any other; an unknown one gives the
    /// letter in a disc.
    pub glyph: Words,
    /// Its colour; without one it has the colour of its side.
    pub colour: Option<PieceColour>,
}

/// The names of the drawings that the page has.
pub mod glyph {
    /// No drawing: the letter in a disc.
    pub const LETTER: &str = "letter";
    /// A round stone.
    pub const STONE: &str = "stone";
    /// A disc that shows its back.
    pub const COVERED: &str = "covered";
    /// Two crossed strokes.
    pub const CROSS: &str = "cross";
    /// A ring.
    pub const RING: &str = "ring";
    /// The men of chess: `king`, `queen`, `rook`, `bishop`, `knight` and `pawn` after it.
    pub const CHESS: &str = "chess-";
    /// The discs of Chinese chess, with the character of their colour: `king`, `guard`, `minister`,
    /// `rook`, `knight`, `cannon` and `pawn` after it.
    pub const XIANGQI: &str = "xiangqi-";
}

/// The colour of a piece or of a side.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "colours say what they are")]
pub enum PieceColour {
    White,
    Black,
    Red,
    Blue,
    Green,
    Gold,
}

/// A square that means something now.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct MarkView {
    /// The square.
    pub square: String,
    /// What it means.
    pub kind: MarkKind,
}

/// What a marked square means. The last move needs no mark: it is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum MarkKind {
    /// What stands there is attacked, and something has to be done about it.
    Check,
    /// It is part of what has won the game.
    Win,
    /// It differs from the others by the rules: a goal, a castle, a hole.
    Special,
}

/// Pieces off the board, in the order in which they are shown.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct PoolView {
    /// The pieces.
    #[serde(rename = "pool")]
    pub pieces: Vec<PooledPiece>,
    /// What it says beside them; `None` for a game that has no pool.
    #[serde(rename = "pool_title")]
    pub title: Option<Words>,
}

/// Some equal pieces off the board.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct PooledPiece {
    /// What each looks like.
    #[serde(flatten)]
    pub look: PieceLook,
    /// How many there are.
    pub count: u32,
}

/// What a move looks like on the board.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct MoveView {
    /// Where a piece leaves; `None` where none does.
    pub from: Option<String>,
    /// Where it arrives, or the one square that the move is about; `None` for a move about no
    /// square, which has a button.
    pub to: Option<String>,
    /// What kind of move it is.
    pub kind: MoveKind,
    /// The square of a piece that disappears.
    pub captured: Option<String>,
    /// What the piece becomes: moves that differ only in it share their squares.
    #[serde(flatten)]
    pub promotion: Promotion,
    /// Where another piece that goes along stands and arrives: the rook of a castling.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub companion: Option<Companion>,
}

/// The kinds of moves that a page tells apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum MoveKind {
    /// A piece goes from a square to another.
    Move,
    /// A piece comes to a square from nowhere.
    Place,
    /// A piece is turned over: `from` and `to` are its square.
    Flip,
    /// The king and a rook of chess.
    Castling,
    /// Nothing happens.
    Pass,
    /// Anything else.
    #[default]
    Other,
}

/// What a piece becomes.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Promotion {
    /// Its kind then.
    #[serde(rename = "promotion")]
    pub kind: Option<Words>,
    /// Its glyph then.
    #[serde(rename = "promotion_glyph")]
    pub glyph: Option<Words>,
}

/// A piece that moves along with another.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Companion {
    /// Where it stands.
    #[serde(rename = "rook")]
    pub from: String,
    /// Where it arrives.
    #[serde(rename = "rook_to")]
    pub to: String,
}

/// What a side is called, and its colour.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct SideView {
    /// The name, such as `White`.
    pub name: Words,
    /// The colour; without one the page gives it one.
    pub colour: Option<PieceColour>,
}

impl BoardView {
    /// An empty board.
    pub fn new(files: u8, ranks: u8, style: CellStyle) -> BoardView {
        BoardView {
            files,
            ranks,
            style,
            orientation: Orientation::Upright,
            pieces: Vec::new(),
            marks: Vec::new(),
            pool: PoolView::default(),
        }
    }

    /// A plain grid of rows of letters, the highest rank first, as many texts and pictures of
    /// states are: `.`, `-`, `_` and spaces are empty squares, every other letter is a piece in a
    /// disc. `side` says whose a letter is.
    pub fn of_rows<'a>(
        rows: impl IntoIterator<Item = &'a str>,
        side: impl Fn(char) -> Option<Side>,
    ) -> BoardView {
        let rows: Vec<Vec<char>> = rows.into_iter().map(|row| row.chars().collect()).collect();
        let files = rows.iter().map(Vec::len).max().unwrap_or(0).min(usize::from(MOST_FILES)) as u8;
        let ranks = rows.len().min(usize::from(u8::MAX)) as u8;
        let mut board = BoardView::new(files, ranks, CellStyle::Plain);
        for (rank, row) in (0..ranks).rev().zip(&rows) {
            for (file, &letter) in (0..files).zip(row) {
                if !matches!(letter, '.' | '-' | '_' | ' ') {
                    board.pieces.push(PieceView::new(
                        square_name(file, rank),
                        letter,
                        side(letter),
                    ));
                }
            }
        }
        board
    }
}

impl PieceView {
    /// A piece that is drawn as its letter in a disc of its side's colour, and called by its
    /// letter.
    pub fn new(square: impl Into<String>, letter: char, side: Option<Side>) -> PieceView {
        let name = Words::Owned(letter.to_string());
        PieceView { square: square.into(), look: PieceLook::letter(letter), side, name }
    }

    /// The same piece with another drawing.
    pub fn glyph(self, glyph: impl Into<Words>) -> PieceView {
        PieceView { look: PieceLook { glyph: glyph.into(), ..self.look }, ..self }
    }

    /// The same piece with a kind and a name of more than a letter.
    pub fn named(self, kind: impl Into<Words>, name: impl Into<Words>) -> PieceView {
        PieceView { look: PieceLook { kind: kind.into(), ..self.look }, name: name.into(), ..self }
    }

    /// The same piece in a colour.
    pub fn colour(self, colour: PieceColour) -> PieceView {
        PieceView { look: PieceLook { colour: Some(colour), ..self.look }, ..self }
    }
}

impl PieceLook {
    /// A letter in a disc.
    pub fn letter(letter: char) -> PieceLook {
        let letter = letter.to_string();
        PieceLook {
            kind: letter.clone().into(),
            letter,
            glyph: Words::Borrowed(glyph::LETTER),
            colour: None,
        }
    }
}

impl MoveView {
    /// A piece goes from a square to another; `captured` is where one disappears.
    pub fn step(from: impl ToString, to: impl ToString, captured: Option<String>) -> MoveView {
        MoveView {
            from: Some(from.to_string()),
            to: Some(to.to_string()),
            kind: MoveKind::Move,
            captured,
            ..MoveView::default()
        }
    }

    /// A piece comes to a square.
    pub fn place(to: impl ToString) -> MoveView {
        MoveView { to: Some(to.to_string()), kind: MoveKind::Place, ..MoveView::default() }
    }

    /// The piece on a square is turned over.
    pub fn flip(square: impl ToString) -> MoveView {
        let square = Some(square.to_string());
        MoveView { from: square.clone(), to: square, kind: MoveKind::Flip, ..MoveView::default() }
    }

    /// Nothing happens.
    pub fn pass() -> MoveView {
        MoveView { kind: MoveKind::Pass, ..MoveView::default() }
    }

    /// A move of this text on a board of that size: two squares in it are a step, one is a square
    /// to place something on, and any other text is a button.
    pub fn of_text(text: &str, board: &BoardView) -> MoveView {
        let mut squares = squares_in(text).filter(|&(file, rank)| {
            file < u32::from(board.files) && (1..=u32::from(board.ranks)).contains(&rank)
        });
        let name = |(file, rank): (u32, u32)| square_name(file as u8, (rank - 1) as u8);
        match (squares.next().map(name), squares.next().map(name), squares.next()) {
            (Some(from), Some(to), None) => MoveView::step(from, to, None),
            (Some(to), None, _) => MoveView::place(to),
            _ => MoveView::default(),
        }
    }
}

/// The squares that a text names: a letter that no letter precedes, and the number after it.
fn squares_in(text: &str) -> impl Iterator<Item = (u32, u32)> {
    let bytes = text.as_bytes();
    (0..bytes.len()).filter_map(move |at| {
        let is_first = at == 0 || !bytes[at - 1].is_ascii_alphabetic() || bytes[at - 1] == b'x';
        let digits = bytes[at + 1..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let rank = text.get(at + 1..at + 1 + digits)?.parse().ok()?;
        (is_first && bytes[at].is_ascii_lowercase()).then(|| (u32::from(bytes[at] - b'a'), rank))
    })
}

fn side_or_null<S: Serializer>(side: &Option<Side>, serializer: S) -> Result<S::Ok, S::Error> {
    side.map(side_name).serialize(serializer)
}

/// `first` or `second`.
pub fn side_name(side: Side) -> &'static str {
    match side {
        Side::First => "first",
        Side::Second => "second",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_letters_make_a_board() {
        let side = |letter: char| match letter {
            'x' => Some(Side::First),
            'o' => Some(Side::Second),
            _ => None,
        };
        let board = BoardView::of_rows("x.. .o.".split(' '), side);
        assert_eq!((board.files, board.ranks), (3, 2));
        let pieces: Vec<_> =
            board.pieces.iter().map(|piece| (&*piece.square, piece.side)).collect();
        assert_eq!(pieces, [("a2", Some(Side::First)), ("b1", Some(Side::Second))]);
        assert!(BoardView::of_rows([], side).pieces.is_empty());
    }

    #[test]
    fn squares_are_read_out_of_moves() {
        let board = BoardView::new(8, 10, CellStyle::Plain);
        for (text, from, to, kind) in [
            ("e2e4", Some("e2"), Some("e4"), MoveKind::Move),
            ("c1-c10", Some("c1"), Some("c10"), MoveKind::Move),
            ("a2xb3", Some("a2"), Some("b3"), MoveKind::Move),
            ("h8", None, Some("h8"), MoveKind::Place),
            ("pass", None, None, MoveKind::Other),
            ("roll 6", None, None, MoveKind::Other),
            ("a1b2c3", None, None, MoveKind::Other),
            ("i1", None, None, MoveKind::Other),
            ("a11", None, None, MoveKind::Other),
            ("é1", None, None, MoveKind::Other),
        ] {
            let view = MoveView::of_text(text, &board);
            assert_eq!(
                (view.from.as_deref(), view.to.as_deref(), view.kind),
                (from, to, kind),
                "{text}"
            );
        }
    }
}
