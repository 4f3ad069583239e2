//! Chess on a page: mates in moves, the position editor, the words in Chinese.

use super::face;
use super::openings::{CHINESE_NAMES, OPENINGS};
use monteverde_chess::{Color, Piece};
use monteverde_game::Side;
use monteverde_players::face::{PieceColour, PieceLook};
use monteverde_players::presentation::{
    Editor, EditorField, EditorOption, EditorPiece, ForcedWin, PlyUnit, Presentation, Translation,
};

pub(super) fn presentation() -> Presentation {
    Presentation {
        forced_win: ForcedWin { word: "mate", counted_in: PlyUnit::Moves },
        editor: Some(editor()),
        openings: OPENINGS,
        words: &[
            Translation { language: "zh-Hant", words: CHINESE },
            Translation { language: "zh-Hant", words: CHINESE_NAMES },
        ],
    }
}

fn editor() -> Editor {
    let kinds = [Piece::King, Piece::Queen, Piece::Rook, Piece::Bishop, Piece::Knight, Piece::Pawn];
    let sides = [
        (Color::White, PieceColour::White, Side::First),
        (Color::Black, PieceColour::Black, Side::Second),
    ];
    let pieces = sides.into_iter().flat_map(|(color, colour, side)| {
        kinds.into_iter().map(move |piece| EditorPiece {
            look: PieceLook {
                letter: piece.letter(color).into(),
                kind: face::kind(piece).into(),
                glyph: face::glyph_of(piece),
                colour: Some(colour),
            },
            side: Some(side),
            name: format!("{color} {}", face::kind(piece)).into(),
        })
    });
    let turn = EditorOption::list(&[("w", "White"), ("b", "Black")]);
    let castling = EditorOption::list(&[
        ("K", "White O-O"),
        ("Q", "White O-O-O"),
        ("k", "Black O-O"),
        ("q", "Black O-O-O"),
    ]);
    let fields = vec![
        EditorField::Choice { title: "To move", options: turn },
        EditorField::Flags { title: "Castling", options: castling, none: "-" },
        EditorField::Fixed { text: "-" },
        EditorField::Fixed { text: "0" },
        EditorField::Fixed { text: "1" },
    ];
    Editor { pieces: pieces.collect(), fields }
}

const CHINESE: &[(&str, &str)] = &[
    ("Chess", "西洋棋"),
    ("chess, Chess960 included", "西洋棋，包含 Chess960"),
    ("White", "白方"),
    ("Black", "黑方"),
    ("White king", "白王"),
    ("White queen", "白后"),
    ("White rook", "白城堡"),
    ("White bishop", "白主教"),
    ("White knight", "白騎士"),
    ("White pawn", "白兵"),
    ("Black king", "黑王"),
    ("Black queen", "黑后"),
    ("Black rook", "黑城堡"),
    ("Black bishop", "黑主教"),
    ("Black knight", "黑騎士"),
    ("Black pawn", "黑兵"),
    ("queen", "后"),
    ("rook", "城堡"),
    ("bishop", "主教"),
    ("knight", "騎士"),
    ("mate", "將死"),
    ("To move", "輪到"),
    ("Castling", "王車易位"),
    ("White O-O", "白方短易位"),
    ("White O-O-O", "白方長易位"),
    ("Black O-O", "黑方短易位"),
    ("Black O-O-O", "黑方長易位"),
    ("checkmate", "將死"),
    ("stalemate", "逼和"),
    ("fifty moves of both sides without a capture or a pawn move", "雙方五十步未吃子也未動兵"),
    ("neither side can mate any more", "雙方都已無法將死對方"),
    ("the same position occurred again and again", "同一局面重複出現"),
];
