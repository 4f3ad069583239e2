//! Chinese dark chess on a page: the position editor, the words in Chinese.

use super::face;
use monteverde_banqi::Piece;
use monteverde_players::face::{PieceLook, glyph};
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

/// Pieces that lie face up have no side here, since the first flip gives sides their colours.
fn editor() -> Editor {
    let mut pieces: Vec<EditorPiece> = Piece::all()
        .map(|piece| EditorPiece {
            look: face::look(piece),
            side: None,
            name: face::name(piece).into(),
        })
        .collect();
    pieces.push(EditorPiece {
        look: PieceLook {
            kind: "covered".into(),
            glyph: glyph::COVERED.into(),
            ..PieceLook::letter('X')
        },
        side: None,
        name: "covered piece".into(),
    });
    let turn =
        EditorOption::list(&[("r", "Red"), ("b", "Black"), ("-", "nobody has a colour yet")]);
    let fields = vec![
        EditorField::Choice { title: "To move", options: turn },
        EditorField::Text { title: "Covered pieces, by their letters", usual: "-" },
        EditorField::Fixed { text: "0" },
    ];
    Editor { pieces, fields }
}

const CHINESE: &[(&str, &str)] = &[
    ("Chinese dark chess", "暗棋"),
    ("First", "先手"),
    ("Second", "後手"),
    ("Red", "紅方"),
    ("Black", "黑方"),
    ("Red king", "紅帥"),
    ("Red guard", "紅仕"),
    ("Red minister", "紅相"),
    ("Red rook", "紅俥"),
    ("Red knight", "紅傌"),
    ("Red cannon", "紅炮"),
    ("Red pawn", "紅兵"),
    ("Black king", "黑將"),
    ("Black guard", "黑士"),
    ("Black minister", "黑象"),
    ("Black rook", "黑車"),
    ("Black knight", "黑馬"),
    ("Black cannon", "黑包"),
    ("Black pawn", "黑卒"),
    ("red king", "紅帥"),
    ("red guard", "紅仕"),
    ("red minister", "紅相"),
    ("red rook", "紅俥"),
    ("red knight", "紅傌"),
    ("red cannon", "紅炮"),
    ("red pawn", "紅兵"),
    ("black king", "黑將"),
    ("black guard", "黑士"),
    ("black minister", "黑象"),
    ("black rook", "黑車"),
    ("black knight", "黑馬"),
    ("black cannon", "黑包"),
    ("black pawn", "黑卒"),
    ("covered piece", "暗子"),
    ("Still covered", "尚未翻開"),
    ("Nothing is covered", "已全部翻開"),
    ("To move", "輪到"),
    ("nobody has a colour yet", "尚未分色"),
    ("Covered pieces, by their letters", "暗子（以字母表示）"),
    ("the other side has lost all its pieces", "對方棋子全數被吃"),
    ("the other side cannot move", "對方無棋可走"),
    ("too many plies without a capture or a flip", "過多步未吃子也未翻棋"),
    ("the same position occurred again and again", "同一局面重複出現"),
];
