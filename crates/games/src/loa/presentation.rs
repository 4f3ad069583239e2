//! Lines of Action on a page: the position editor, the words in Chinese.

use monteverde_game::Side;
use monteverde_players::face::{PieceColour, PieceLook, glyph};
use monteverde_players::presentation::{
    Editor, EditorField, EditorOption, EditorPiece, Presentation, Translation,
};

pub(super) fn presentation() -> Presentation {
    Presentation {
        editor: Some(editor()),
        words: &[Translation { language: "zh-Hant", words: CHINESE }],
        ..Presentation::default()
    }
}

fn editor() -> Editor {
    let stone = |letter: char, colour, side, name: &'static str| EditorPiece {
        look: PieceLook {
            kind: "stone".into(),
            glyph: glyph::STONE.into(),
            colour: Some(colour),
            ..PieceLook::letter(letter)
        },
        side: Some(side),
        name: name.into(),
    };
    Editor {
        pieces: vec![
            stone('x', PieceColour::Black, Side::First, "Black stone"),
            stone('o', PieceColour::White, Side::Second, "White stone"),
        ],
        fields: vec![EditorField::Choice {
            title: "To move",
            options: EditorOption::list(&[("b", "Black"), ("w", "White")]),
        }],
    }
}

const CHINESE: &[(&str, &str)] = &[
    ("Lines of Action", "集結棋"),
    ("Black", "黑方"),
    ("White", "白方"),
    ("Black stone", "黑子"),
    ("White stone", "白子"),
    ("To move", "輪到"),
    ("all its pieces are connected", "所有棋子已相連"),
    ("both sides are connected at once", "雙方同時相連"),
    ("the same position occurred again and again", "同一局面重複出現"),
    ("the other side cannot move", "對方無棋可走"),
    ("the game has become too long", "對局過長"),
];
