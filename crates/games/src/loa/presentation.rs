//! Lines of Action on a page: the position editor, the words in Chinese.

use monteverde_game::Side;
use monteverde_players::chinese::LANGUAGE;
use monteverde_players::face::{PieceColour, PieceLook, glyph};
use monteverde_players::presentation::{
    Editor, EditorField, EditorOption, EditorPiece, Presentation, Subject, Translation,
};

pub(super) fn presentation() -> Presentation {
    Presentation {
        editor: Some(editor()),
        words: &[
            Translation { language: LANGUAGE, subject: Subject::Words, words: CHINESE },
            Translation { language: LANGUAGE, subject: Subject::Mistakes, words: CHINESE_MISTAKES },
            Translation { language: LANGUAGE, subject: Subject::Players, words: CHINESE_PLAYERS },
            Translation { language: LANGUAGE, subject: Subject::Settings, words: CHINESE_SETTINGS },
        ],
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

const CHINESE_MISTAKES: &[(&str, &str)] = &[
    (
        "a state has 2 or 3 fields (pieces, side, and rules if any), but '{}' has {}",
        "局面有 2 或 3 個欄位（棋子、輪走方，及規則），但「{1}」有 {2} 個",
    ),
    (
        "the pieces are 8 ranks with '/' between them, but '{}' has {}",
        "棋子為 8 列、以 / 分隔，但「{1}」有 {2} 列",
    ),
    ("'{}' on rank {} is not one of x, o or 1 to 8", "第 {2} 列的「{1}」不是 x、o 或 1 至 8"),
    ("rank {} must have 8 squares, but '{}' has {}", "第 {1} 列應有 8 格，但「{2}」有 {3} 格"),
    ("the side to move is b or w, not '{}'", "輪走方應為 b 或 w，而非「{1}」"),
    ("'{}' breaks the rules: {}", "「{1}」違反規則：{2}"),
    ("a square cannot hold a black and a white piece at once", "一格不能同時有黑子與白子"),
    ("{} must have 1 to 12 pieces, not {}", "{1}應有 1 至 12 子，而非 {2} 子"),
];

const CHINESE_PLAYERS: &[(&str, &str)] = &[
    (
        "mc-loa-2008",
        "論文 Monte-Carlo Tree Search Solver（2008）的棋手：v + sqrt(c ln n / n_i)，c=0.2（我們的值，論文未印），漸進偏置為著法類別的 100 倍除以造訪次數加一，threshold=50；依類別模擬，每三步檢查，超過 1,000 分即判勝負，200 步後判和；求解器含葉節點檢查；依下界選安全子節點，a=-1（論文印 +1）。",
    ),
    (
        "mc-loa-2008-nosolver",
        "mc-loa-2008 去掉求解器。下平均值最高的著法（第 3 節）；安全子節點屬於求解器（第 4.3 節）。",
    ),
    (
        "mc-loa",
        "alpha-beta 模擬論文（2011）的基本棋手：漸進偏置為著法類別的 10 倍除以敗數加一的平方根，threshold=5；模擬第一步為修正著法，其後取最可能的 7 個著法（我們的值，論文未印）中評估最佳者，超過 700 分即判勝負；求解器含葉節點檢查；選造訪最多的著法（我們的選擇，論文未說）。",
    ),
    (
        "mc-loa-ab",
        "使用 alpha-beta 模擬的棋手（2011）：mc-loa，模擬中每步搜尋兩層，寬 7 個著法、5 個回應，用殺手著法，窗口 600 分，超過即結束模擬；低於 threshold 的著法為修正著法。",
    ),
    (
        "best",
        "我們最強的棋手：不作模擬，以學得的網路評估；依網路對各著法的看法探索；求解器含和局與葉節點檢查；樹逐步保留。network=none 時改用連接或斷開的吃子之後的評估，著法依其類別與之後的評估（foresight=2）。",
    ),
    (
        "mia",
        "依論文所述的 alpha-beta 程式 MIA：依類別的實現機率、置換表及其截斷、自適應空著、multi-cut、殺手著法、向中央的吃子、相對歷史、對連接或斷開的吃子作寧靜搜尋、評估加少許雜訊；evaluator=2006、2002 或 2000。",
    ),
];

const CHINESE_SETTINGS: &[(&str, &str)] = &[
    (
        "leaf",
        "截短的模擬結束時如何評估：照原局面（static），或連接或斷開的吃子告一段落後（quiet）。",
    ),
    (
        "evaluator",
        "以哪一個集結棋評估：2000 年的特徵、2002 年的，或 2006 年的全部九項；或九項全用、權重只依蒙地卡羅棋手的棋局擬合（monte-carlo），且無負值（non-negative）。",
    ),
    (
        "foresight",
        "集結棋：著法之後的評估每 200 分，使先驗值的對數（uct=puct 由此算比例）增加多少；0 則只看類別。",
    ),
    ("unit", "集結棋：模擬中評估的分數乘以此數，用於論文以其程式自己的分數印出的 cutoff。"),
];
