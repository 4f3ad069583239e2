//! What a page is told of a game beside its states: how people count forced wins, how a position
//! is put together, and the game's own words in other languages.

use crate::face::{PieceLook, Words};
use monteverde_game::Side;
use serde::{Serialize, Serializer};

/// What a page is told of a game. Everything has a plain default.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Presentation {
    /// How a win that is proven is told.
    pub forced_win: ForcedWin,
    /// How a position is put together; `None` where the page has no editor for it.
    pub editor: Option<Editor>,
    /// Lines from the start that have a name: their steps with spaces between, and the name.
    pub openings: &'static [(&'static str, &'static str)],
    /// The game's own words in other languages.
    pub words: &'static [Translation],
}

/// How a win that is proven is told: `mate in 3`, `win in 5 plies`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct ForcedWin {
    /// What it is called.
    pub word: &'static str,
    /// What its length is counted in.
    pub counted_in: PlyUnit,
}

impl Default for ForcedWin {
    fn default() -> ForcedWin {
        ForcedWin { word: "win", counted_in: PlyUnit::Plies }
    }
}

/// What people count a line of play in.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum PlyUnit {
    /// Moves of one side.
    Plies,
    /// Moves of the side that wins: two plies, the last one alone.
    Moves,
}

/// How a position is put together: the state text is the ranks from the highest on with `/` between
/// them, a number for so many empty squares and the letters of pieces, then the fields with spaces
/// between them.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Editor {
    /// What may be put on the board.
    pub pieces: Vec<EditorPiece>,
    /// What follows the squares in a state text.
    pub fields: Vec<EditorField>,
}

/// A piece that may be put on the board.
#[derive(Clone, Debug, Serialize)]
pub struct EditorPiece {
    /// What it looks like; its letter is what stands in the state text.
    #[serde(flatten)]
    pub look: PieceLook,
    /// Whose it is; `None` where nobody knows.
    #[serde(serialize_with = "side_or_null")]
    pub side: Option<Side>,
    /// What people call it.
    pub name: Words,
}

/// A field of a state text after the squares.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum EditorField {
    /// One of some words.
    Choice {
        /// What it is about.
        title: &'static str,
        /// The words, with what each means.
        options: Vec<EditorOption>,
    },
    /// Any of some letters, one after the other.
    Flags {
        /// What it is about.
        title: &'static str,
        /// The letters, with what each means.
        options: Vec<EditorOption>,
        /// What stands there where none of them does.
        none: &'static str,
    },
    /// A text.
    Text {
        /// What it is about.
        title: &'static str,
        /// What stands there unless something else is written.
        usual: &'static str,
    },
    /// Always the same.
    Fixed {
        /// What stands there.
        text: &'static str,
    },
}

/// One of the words of a field.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct EditorOption {
    /// The word.
    pub text: &'static str,
    /// What it means.
    pub name: &'static str,
}

impl EditorOption {
    /// Words, each with what it means.
    pub fn list(pairs: &[(&'static str, &'static str)]) -> Vec<EditorOption> {
        pairs.iter().map(|&(text, name)| EditorOption { text, name }).collect()
    }
}

/// A part of what a game says, in another language.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Translation {
    /// The language, such as `zh-Hant`.
    pub language: &'static str,
    /// What it is about.
    pub subject: Subject,
    /// What is said, under the key that the subject names.
    pub words: &'static [(&'static str, &'static str)],
}

/// What a translation is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Subject {
    /// Words of the game: its title, sides, pieces and endings. The key is the same in English.
    Words,
    /// What is wrong with a state or a move. The key is the sentence in English; `{}` in it stands
    /// for anything, which is `{1}`, `{2}` and so on in the translation.
    Mistakes,
    /// What its players are, by their names.
    Players,
    /// What its own settings mean, by their names.
    Settings,
}

fn side_or_null<S: Serializer>(side: &Option<Side>, serializer: S) -> Result<S::Ok, S::Error> {
    side.map(crate::face::side_name).serialize(serializer)
}
