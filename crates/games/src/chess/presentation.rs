//! Chess on a page: mates in moves, the position editor, the words in Chinese.

use super::face;
use super::openings::{CHINESE_NAMES, OPENINGS};
use monteverde_chess::{Color, Piece};
use monteverde_game::Side;
use monteverde_players::chinese::LANGUAGE;
use monteverde_players::face::{PieceColour, PieceLook};
use monteverde_players::presentation::{
    Editor, EditorField, EditorOption, EditorPiece, ForcedWin, PlyUnit, Presentation, Subject,
    Translation,
};

pub(super) fn presentation() -> Presentation {
    Presentation {
        forced_win: ForcedWin { word: "mate", counted_in: PlyUnit::Moves },
        editor: Some(editor()),
        openings: OPENINGS,
        words: &[
            Translation { language: LANGUAGE, subject: Subject::Words, words: CHINESE },
            Translation { language: LANGUAGE, subject: Subject::Words, words: CHINESE_NAMES },
            Translation { language: LANGUAGE, subject: Subject::Mistakes, words: CHINESE_MISTAKES },
            Translation { language: LANGUAGE, subject: Subject::Players, words: CHINESE_PLAYERS },
            Translation { language: LANGUAGE, subject: Subject::Settings, words: CHINESE_SETTINGS },
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

const CHINESE_MISTAKES: &[(&str, &str)] = &[
    (
        "a FEN has 4 to 6 fields (pieces, side, castling, en passant, two counters), but '{}' has {}",
        "FEN 有 4 至 6 個欄位（棋子、輪走方、易位、吃過路兵、兩個計數），但「{1}」有 {2} 個",
    ),
    (
        "the pieces are 8 ranks with '/' between them, but '{}' has {}",
        "棋子為 8 列、以 / 分隔，但「{1}」有 {2} 列",
    ),
    (
        "'{}' on rank {} is not one of PNBRQK, pnbrqk or 1 to 8",
        "第 {2} 列的「{1}」不是 PNBRQK、pnbrqk 或 1 至 8",
    ),
    ("rank {} must have 8 squares, but '{}' has {}", "第 {1} 列應有 8 格，但「{2}」有 {3} 格"),
    ("the side to move is w or b, not '{}'", "輪走方應為 w 或 b，而非「{1}」"),
    (
        "castling is - or some of KQkq, A to H and a to h, at most one for each side of each king, not '{}'",
        "易位應為 - 或 KQkq、A 至 H、a 至 h 的組合，王的每一側至多一個，而非「{1}」",
    ),
    ("castling '{}' needs {} on the back rank of {}", "易位「{1}」需要 {3} 底線上的 {2}"),
    (
        "en passant is - or a square such as e3, not '{}'",
        "吃過路兵應為 - 或如 e3 的格子，而非「{1}」",
    ),
    ("the {} must be a number from 0 to {}, not '{}'", "{1} 應為 0 至 {2} 的數，而非「{3}」"),
    ("'{}' breaks the rules: {}", "「{1}」違反規則：{2}"),
    ("{} has {} kings; each side must have exactly one", "{1}有 {2} 個王；每方必須恰有一個"),
    ("{} has {} pieces; at most 16 are possible", "{1}有 {2} 個棋子；至多 16 個"),
    ("{} has {} pawns; at most 8 are possible", "{1}有 {2} 個兵；至多 8 個"),
    ("there is a pawn on {}; pawns stand on ranks 2 to 7", "{1} 有兵；兵只能在第 2 至 7 列"),
    ("{} is in check although it is {}'s turn", "輪到{2}走，{1}卻已被將軍"),
    (
        "{} cannot have the right to castle: its king is on {}, not on rank {}",
        "{1}不能有易位權：其王在 {2}，不在第 {3} 列",
    ),
    (
        "{} cannot have the right to castle with a rook on {}: none of its rooks is there",
        "{1}不能以 {2} 的城堡易位：該處沒有己方城堡",
    ),
    (
        "{} cannot castle {} with the rook on {}: its king is on {}, and the rook must be on the same rank towards the {}-file",
        "{1}不能以 {3} 的城堡作{2}易位：其王在 {4}，城堡須在同一列靠 {5} 線的一側",
    ),
    ("king's side", "短"),
    ("queen's side", "長"),
    (
        "{} cannot be the en passant square with {} to move: {}",
        "輪到{2}走時，{1} 不能是吃過路兵的格子：須為對方的兵剛越過的空格",
    ),
    (
        "'{}' is a null move, and chess has no pass; accepted are moves such as e2e4",
        "「{1}」是停一手，西洋棋不可停；請輸入如 e2e4 的著法",
    ),
    (
        "'{}' is not a move; accepted are two squares and, for a promotion, one of q r b n, such as e2e4 or e7e8q",
        "「{1}」不是著法；請輸入兩個格子，升變再加 q r b n 之一，例如 e2e4 或 e7e8q",
    ),
    (
        "'{}' is not a move; accepted are forms such as e4, exd5, Nf3, Nbd2, O-O, e8=Q",
        "「{1}」不是著法；請用如 e4、exd5、Nf3、Nbd2、O-O、e8=Q 的寫法",
    ),
    ("'{}' is not legal in '{}'", "「{1}」在「{2}」不合法"),
    ("no legal move is '{}' in '{}'", "「{2}」中沒有合法著法「{1}」"),
    ("'{}' is ambiguous in '{}': it may be {}", "「{1}」在「{2}」中不明確：可能是 {3}"),
    ("line {}, column {}: {}", "第 {1} 行第 {2} 欄：{3}"),
];

const CHINESE_PLAYERS: &[(&str, &str)] = &[
    (
        "mcc",
        "論文 Monte Carlo Chess（2012）的基本棋手：UCB1（係數 2，c=1），每次迭代依產生順序新增一條邊，均勻隨機模擬到終局，選造訪最多的著法，每步用剩餘時間的固定比例，每步從空樹開始（no-fresh 則保留已知資訊）。",
    ),
    (
        "mcc-hp-eval",
        "mcc 加重型模擬：下局面評估最佳的著法，或以機率 epsilon=0.6（論文表 1 最佳值）隨機。評估為我們自己的。",
    ),
    (
        "mcc-hp-see",
        "mcc 加重型模擬：下靜態交換評估最佳的著法，或以機率 epsilon=0.4（論文取自其表 3）隨機。",
    ),
    ("mcc-decisive", "mcc，模擬中能將死就將死，否則隨機。"),
    (
        "mcc-bias",
        "mcc 加漸進偏置：著法評估（百分兵）的 0.001 除以其造訪次數，加到上界。評估為我們自己的。",
    ),
    ("mcc-redraw", "mcc，捨棄和局的模擬：連續六次和局才計為和。"),
    ("mcc-gtb", "mcc，模擬到殘局庫（至多 pieces=4 子）已知結果處即結束；根節點少於八子時不查。"),
    (
        "mcc-combined",
        "論文的組合：mcc 加依交換的模擬（epsilon=0.4）、決定性著法、漸進偏置 0.001、求解器，並在模擬與樹中使用四子殘局庫，不論根節點有幾子。",
    ),
    (
        "best",
        "我們最強的棋手：不作模擬，以學得的網路評估；依網路對各著法的看法探索；求解器含和局與葉節點檢查；樹中用四子殘局庫；樹逐步保留。network=none 時改用吃子之後的評估，著法則依評估與交換。",
    ),
    (
        "mcc-solver",
        "mcc 加論文的蒙地卡羅求解器：在樹中證明勝負及其距離，根節點已證明即結束搜尋，下最快的勝利，除非別無選擇不下必敗著法，必敗時撐最久。",
    ),
    (
        "krk",
        "王車殺單王研究所公開的程式，逐條規則實作：m/n + c sqrt(ln N / n)，m 為 n 次造訪中的將死數，c=5、threshold=30，為其在 3,000 次迭代的最佳設定；低於 threshold 的著法及模擬依其殺單王的經驗法則；依其自己的規則結束；樹逐步保留。若無單王，則搜尋一般西洋棋。",
    ),
    ("ab", "alpha-beta 加調校過的評估：逐次加深，以及所有有效的技術。"),
    ("greedy", "下能保有最多子力的著法，同分隨機，能將死就將死；不再往前看。"),
];

const CHINESE_SETTINGS: &[(&str, &str)] = &[
    (
        "repetition",
        "模擬中曾出現過的局面如何處理：不管（ignored），或算和局（first），如一般引擎的搜尋。Monte Carlo Chess 論文未說明採何者。",
    ),
    ("leaf", "截短的模擬結束時如何評估：照原局面（static），或吃子告一段落後（quiet）。"),
    ("pieces", "棋子（含雙王）不超過此數的局面才查殘局庫。"),
    (
        "rules",
        "對單王的棋局與模擬依誰的規則結束：西洋棋的規則，或王車殺單王研究程式的規則（study）：一百步內未將死即算輸，子被吃亦然。",
    ),
];
