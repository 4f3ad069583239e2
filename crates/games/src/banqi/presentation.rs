//! Chinese dark chess on a page: the position editor, the words in Chinese.

use super::face;
use monteverde_banqi::Piece;
use monteverde_players::chinese::LANGUAGE;
use monteverde_players::face::{PieceLook, glyph};
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

const CHINESE_MISTAKES: &[(&str, &str)] = &[
    (
        "a state has 4 or 5 fields (squares, side, covered pieces, quiet plies, and rules if any), but '{}' has {}",
        "局面有 4 或 5 個欄位（格子、輪走方、暗子、無吃子步數，及規則），但「{1}」有 {2} 個",
    ),
    (
        "the squares are 1 to 8 ranks with '/' between them, but '{}' has {}",
        "格子為 1 至 8 列、以 / 分隔，但「{1}」有 {2} 列",
    ),
    (
        "'{}' on rank {} is not one of X, ?, KGMRNCP, kgmrncp or 1 to 4",
        "第 {2} 列的「{1}」不是 X、?、KGMRNCP、kgmrncp 或 1 至 4",
    ),
    ("rank {} must have {} squares, but '{}' has {}", "第 {1} 列應有 {2} 格，但「{3}」有 {4} 格"),
    (
        "the side to move is r, b, or - before the first flip, not '{}'",
        "輪走方應為 r、b，或首次翻棋前的 -，而非「{1}」",
    ),
    (
        "the covered pieces are letters of KGMRNCP and kgmrncp, or - for none, not '{}'",
        "暗子以 KGMRNCP 與 kgmrncp 的字母表示，沒有則為 -，而非「{1}」",
    ),
    (
        "the plies since the last capture or flip are a number from 0 to 65534, not '{}'",
        "上次吃子或翻棋以來的步數應為 0 至 65534，而非「{1}」",
    ),
    (
        "'{}' is no side that moved first; accepted are first=r and first=b, once the side to move is r or b",
        "「{1}」不是先手方；輪走方為 r 或 b 後，可寫 first=r 或 first=b",
    ),
    ("'{}' breaks the rules: {}", "「{1}」違反規則：{2}"),
    (
        "a board has 1 to 4 files and 1 to 8 ranks, not {} and {}",
        "棋盤有 1 至 4 行、1 至 8 列，而非 {1} 行 {2} 列",
    ),
    ("there is no piece", "沒有棋子"),
    ("{} squares are covered, but {} covered pieces are named", "有 {1} 格暗子，卻列出 {2} 個暗子"),
    ("{} pieces are being turned up, at most one may", "有 {1} 個棋子正在翻開，至多一個"),
    (
        "{} plies without a capture or a flip cannot be before or during a flip, the count must be 0",
        "翻棋之前或當中，不可能已有 {1} 步未吃子也未翻棋，計數須為 0",
    ),
    (
        "before the first flip nothing is face up; name the side to move",
        "首次翻棋前沒有明子；請指定輪走方",
    ),
    (
        "a colour has no piece left, so the game is over and nothing is turned up",
        "有一方已無棋子，對局已結束，不能再翻棋",
    ),
];

const CHINESE_PLAYERS: &[(&str, &str)] = &[
    (
        "dark-knight",
        "暗棋研究的基本棋手：Q + C sqrt(ln N / n)，Q 在 -1..1，C=1（皆為我們的值，論文未印），每次迭代依產生順序新增一條邊，翻棋為機率節點；模擬中吃子依被吃子的權重抽選，其他著法權重 2（我們的值），下到終局；選造訪最多的著法。",
    ),
    (
        "best",
        "我們最強的棋手：不作模擬，以學得的網路評估，翻棋時依可能翻出的棋子取平均；依網路對各著法的看法探索；樹逐步保留。沒有網路時以 best-playouts 最強。",
    ),
    (
        "best-playouts",
        "不用網路的最強棋手：dark-knight 加該研究的所有技術（ept、imb=0.3、sl、tsq、pb-curb-flip），較少探索，模擬至多 30 步並依子力評估；樹逐步保留。",
    ),
];

const CHINESE_SETTINGS: &[(&str, &str)] = &[
    ("pieces", "棋子不超過此數的局面才查殘局庫。殘局庫至多 4 子，皆為明子，首次查詢時建立。"),
    ("pb", "暗棋的漸進偏置，依吃子、逃脫與送死：bias=0.1，bias-count=sqrt-n。"),
    ("pb-curb", "同上，並計牽制：把棋子放到能吃的敵子的斜角。"),
    ("pb-curb-flip", "同上，並計牽制與翻棋可能翻出的棋子。"),
    ("curb", "被牽制棋子的權重計幾分之幾。"),
    ("flip", "翻棋所威脅棋子的權重計幾分之幾。"),
    (
        "other-weight",
        "playout=categories 時，不吃子的著法有多可能；吃兵卒的權重為 8，吃將帥為 55。",
    ),
    ("material-scale", "暗棋中子力多出多少時，勝負比為 e 比 1；士的權重為 50。"),
    ("tsq-cw", "暗棋結果的品質中，勝方棋子的權重相對於其數目計多少。"),
];
