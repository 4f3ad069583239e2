//! States and moves as a board can be drawn from them, the same form for every game.

use crate::catalogue::titles;
use monteverde_banqi::{self as banqi, Banqi};
use monteverde_chess::{self as chess, Chess};
use monteverde_game::{Game, Notation, Outcome, Proof, Side};
use monteverde_loa::{self as loa, Loa};
use serde_json::{Value, json};
use std::any::Any;

/// Everything about a state; `last` is the move that led to it, as [`Shape::last`] gives it.
pub(crate) fn position<G: Notation>(state: &G, last: Value) -> Value {
    let mut moves = Vec::new();
    if state.outcome().is_none() {
        state.moves(&mut moves);
    }
    let legal: Vec<Value> = moves.iter().map(|&mv| legal_move(state, mv)).collect();
    let names = side_names(state);
    json!({
        "text": state.state_text(),
        "turn": side_name(state.turn()),
        "turn_name": names[state.turn() as usize],
        "side_names": names,
        "board": board(state),
        "picture": state.picture(),
        "legal": legal,
        "check": check(state),
        "last": last,
        "outcome": state.outcome().map(|outcome| {
            outcome_json(outcome, state.ending().unwrap_or("rule"), names)
        }),
    })
}

/// `first` or `second`.
pub(crate) fn side_name(side: Side) -> &'static str {
    match side {
        Side::First => "first",
        Side::Second => "second",
    }
}

/// What people call the two sides of this game.
pub(crate) fn side_names<G: Game>(state: &G) -> [&'static str; 2] {
    let any: &dyn Any = state;
    match any.downcast_ref::<Banqi>().and_then(|state| state.board().colours()) {
        Some(colours) if colours.first == banqi::Colour::Red => ["Red", "Black"],
        Some(_) => ["Black", "Red"],
        None => titles(G::NAME).1,
    }
}

/// An outcome with its reason, for the sides of these names.
pub(crate) fn outcome_json(outcome: Outcome, reason: &str, names: [&str; 2]) -> Value {
    let words = match reason {
        "fifty-moves" => "fifty moves of both sides without a capture or a pawn move",
        "insufficient-material" => "neither side can mate any more",
        "repetition" => "the same position occurred again and again",
        "connection" => "all its pieces are connected",
        "both connected" => "both sides are connected at once",
        "no move" => "the other side cannot move",
        "length" => "the game has become too long",
        "all captured" => "the other side has lost all its pieces",
        "quiet plies" => "too many plies without a capture or a flip",
        "resigned" => "the other side resigned",
        "time" => "the other side's time is up",
        other => other,
    };
    let (result, sentence) = match outcome {
        Outcome::Win(side) => (side_name(side), format!("{} wins: {words}.", names[side as usize])),
        Outcome::Draw => ("draw", format!("Drawn: {words}.")),
    };
    json!({ "result": result, "reason": reason, "sentence": sentence })
}

/// A proof, `null` where nothing is proven.
pub(crate) fn proof_json(proof: Proof) -> Value {
    let result = match proof {
        Proof::Open => return Value::Null,
        Proof::Win(_) => "win",
        Proof::Draw => "draw",
        Proof::Loss(_) => "loss",
    };
    json!({ "result": result, "plies": proof.plies() })
}

/// The 95% interval of a mean of rewards in -1..1: Wilson's for a share of wins, which is rather too wide where there are
/// draws.
pub(crate) fn interval(mean: f64, visits: u64) -> (Option<f64>, Option<f64>) {
    /// The 97.5% quantile of the normal distribution.
    const Z: f64 = 1.959_964;
    if visits == 0 {
        return (None, None);
    }
    let (n, share) = (visits as f64, ((mean + 1.0) / 2.0).clamp(0.0, 1.0));
    let weight = 1.0 + Z * Z / n;
    let centre = (share + Z * Z / (2.0 * n)) / weight;
    let half = Z * (share * (1.0 - share) / n + Z * Z / (4.0 * n * n)).sqrt() / weight;
    let scale = |share: f64| (2.0 * share - 1.0).clamp(-1.0, 1.0);
    (Some(scale(centre - half)), Some(scale(centre + half)))
}

/// What a move looks like on the board.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Shape {
    pub(crate) from: Option<String>,
    pub(crate) to: Option<String>,
    kind: &'static str,
    captured: Option<String>,
    promotion: Option<&'static str>,
    /// Where the rook of a castling stands and goes.
    rook: Option<[String; 2]>,
}

impl Shape {
    /// The last move of a position.
    pub(crate) fn last(&self) -> Value {
        json!({ "from": self.from, "to": self.to, "captured": self.captured })
    }
}

/// What a legal move looks like on the board.
pub(crate) fn shape<G: Game>(state: &G, mv: G::Move) -> Shape {
    let (state, mv): (&dyn Any, &dyn Any) = (state, &mv);
    if let (Some(state), Some(&mv)) = (state.downcast_ref::<Chess>(), mv.downcast_ref()) {
        chess_shape(state.board(), mv)
    } else if let (Some(state), Some(&mv)) = (state.downcast_ref::<Loa>(), mv.downcast_ref()) {
        loa_shape(state.board(), mv)
    } else if let (Some(state), Some(&mv)) = (state.downcast_ref::<Banqi>(), mv.downcast_ref()) {
        banqi_shape(state.board(), mv)
    } else {
        Shape { kind: "other", ..Shape::default() }
    }
}

fn chess_shape(board: &chess::Board, mv: chess::Move) -> Shape {
    let (from, to) = (mv.from(), mv.to());
    let square = |square: chess::Square| Some(square.to_string());
    if mv.is_castling() {
        // Stored as the king taking its rook: the king goes to the c- or g-file, the rook beside it.
        let (king, rook) = if to.file() > from.file() { (6, 5) } else { (2, 3) };
        let at = |file| chess::Square::at(file, from.rank()).to_string();
        let rook = Some([to.to_string(), at(rook)]);
        return Shape {
            from: square(from),
            to: Some(at(king)),
            kind: "castling",
            rook,
            ..Shape::default()
        };
    }
    let captured = if mv.is_en_passant() {
        square(chess::Square::at(to.file(), from.rank()))
    } else {
        board.piece_at(to).and_then(|_| square(to))
    };
    let promotion = mv.promotion().map(chess_kind);
    Shape { from: square(from), to: square(to), kind: "move", captured, promotion, rook: None }
}

fn loa_shape(board: &loa::Board, mv: loa::Move) -> Shape {
    if mv.is_pass() {
        return Shape { kind: "pass", ..Shape::default() };
    }
    let to = mv.to().to_string();
    let captured = board.is_capture(mv).then(|| to.clone());
    Shape {
        from: Some(mv.from().to_string()),
        to: Some(to),
        kind: "move",
        captured,
        ..Shape::default()
    }
}

fn banqi_shape(board: &banqi::Board, mv: banqi::Move) -> Shape {
    let to = mv.to().to_string();
    let kind = if mv.is_flip() { "flip" } else { "move" };
    let captured = (!mv.is_flip() && board.is_capture(mv)).then(|| to.clone());
    Shape { from: Some(mv.from().to_string()), to: Some(to), kind, captured, ..Shape::default() }
}

/// How people write a legal move.
pub(crate) fn label<G: Notation>(state: &G, mv: G::Move) -> String {
    let (any, any_move): (&dyn Any, &dyn Any) = (state, &mv);
    match (any.downcast_ref::<Chess>(), any_move.downcast_ref()) {
        (Some(state), Some(&mv)) => chess::san::write(state.board(), mv),
        _ => state.move_text(mv),
    }
}

/// A move with its squares.
pub(crate) fn step<G: Notation>(state: &G, mv: G::Move) -> Value {
    let shape = shape(state, mv);
    json!({ "text": state.move_text(mv), "label": label(state, mv), "from": shape.from, "to": shape.to })
}

fn legal_move<G: Notation>(state: &G, mv: G::Move) -> Value {
    let shape = shape(state, mv);
    let mut value = json!({
        "text": state.move_text(mv),
        "label": label(state, mv),
        "from": shape.from,
        "to": shape.to,
        "kind": shape.kind,
        "captured": shape.captured,
        "promotion": shape.promotion,
    });
    if let Some([rook, rook_to]) = shape.rook {
        (value["rook"], value["rook_to"]) = (rook.into(), rook_to.into());
    }
    value
}

/// The square of a king in check.
fn check<G: Game>(state: &G) -> Option<String> {
    let any: &dyn Any = state;
    let board = any.downcast_ref::<Chess>()?.board();
    board.in_check().then(|| board.king(board.turn()).to_string())
}

/// The board, `null` for a game that has none of its own.
fn board<G: Game>(state: &G) -> Value {
    let state: &dyn Any = state;
    if let Some(state) = state.downcast_ref::<Chess>() {
        chess_board(state.board())
    } else if let Some(state) = state.downcast_ref::<Loa>() {
        loa_board(state.board())
    } else if let Some(state) = state.downcast_ref::<Banqi>() {
        banqi_board(state.board())
    } else {
        Value::Null
    }
}

fn chess_board(board: &chess::Board) -> Value {
    let piece = |square| {
        let (color, piece) = board.piece_at(square)?;
        let (colour, side) = match color {
            chess::Color::White => ("white", Side::First),
            chess::Color::Black => ("black", Side::Second),
        };
        Some(json!({
            "square": square.to_string(),
            "letter": piece.letter(color).to_string(),
            "kind": chess_kind(piece),
            "colour": colour,
            "side": side_name(side),
            "name": format!("{color} {}", chess_kind(piece)),
        }))
    };
    let pieces: Vec<Value> = chess::Square::all().filter_map(piece).collect();
    json!({ "files": 8, "ranks": 8, "style": "checkered", "pieces": pieces, "pool": [] })
}

fn chess_kind(piece: chess::Piece) -> &'static str {
    match piece {
        chess::Piece::Pawn => "pawn",
        chess::Piece::Knight => "knight",
        chess::Piece::Bishop => "bishop",
        chess::Piece::Rook => "rook",
        chess::Piece::Queen => "queen",
        chess::Piece::King => "king",
    }
}

fn loa_board(board: &loa::Board) -> Value {
    let stones =
        [(Side::First, "x", "black", "Black stone"), (Side::Second, "o", "white", "White stone")];
    let pieces: Vec<Value> = stones
        .into_iter()
        .flat_map(|(side, letter, colour, name)| {
            loa::bits(board.pieces(side)).map(move |square| {
                json!({
                    "square": square.to_string(), "letter": letter, "kind": "stone", "colour": colour,
                    "side": side_name(side), "name": name,
                })
            })
        })
        .collect();
    json!({ "files": 8, "ranks": 8, "style": "plain", "pieces": pieces, "pool": [] })
}

fn banqi_board(board: &banqi::Board) -> Value {
    let colour_name = |piece: banqi::Piece| match piece.colour() {
        banqi::Colour::Red => ("red", "Red"),
        banqi::Colour::Black => ("black", "Black"),
    };
    let piece = |square: banqi::Square| {
        if board.covered() & square.bit() != 0 || board.pending() == Some(square) {
            return Some(json!({
                "square": square.to_string(), "letter": "X", "kind": "covered", "colour": null,
                "side": null, "name": "covered piece",
            }));
        }
        let piece = board.piece(square)?;
        let (colour, name) = colour_name(piece);
        Some(json!({
            "square": square.to_string(),
            "letter": piece.letter().to_string(),
            "kind": banqi_kind(piece.kind()),
            "colour": colour,
            "side": board.side(piece.colour()).map(side_name),
            "name": format!("{name} {}", banqi_kind(piece.kind())),
        }))
    };
    let pieces: Vec<Value> = banqi::bits(board.squares()).filter_map(piece).collect();
    let covered = banqi::Piece::all().filter(|&piece| board.pool(piece) > 0);
    let pool: Vec<Value> = covered
        .map(|piece| {
            json!({
                "letter": piece.letter().to_string(), "kind": banqi_kind(piece.kind()),
                "colour": colour_name(piece).0, "count": board.pool(piece),
            })
        })
        .collect();
    json!({
        "files": board.files(), "ranks": board.ranks(), "style": "cells", "pieces": pieces, "pool": pool,
    })
}

fn banqi_kind(kind: banqi::Kind) -> &'static str {
    match kind {
        banqi::Kind::King => "king",
        banqi::Kind::Guard => "guard",
        banqi::Kind::Minister => "minister",
        banqi::Kind::Rook => "rook",
        banqi::Kind::Knight => "knight",
        banqi::Kind::Cannon => "cannon",
        banqi::Kind::Pawn => "pawn",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use monteverde_game::fixtures::TicTacToe;

    fn moves<G: Notation>(text: &str) -> Vec<Value> {
        let state = G::parse_state(text).unwrap();
        position(&state, Value::Null)["legal"].as_array().unwrap().clone()
    }

    #[test]
    fn special_moves_of_chess_name_their_squares() {
        let castling = moves::<Chess>("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1");
        let long = castling.iter().find(|mv| mv["label"] == "O-O-O").unwrap();
        assert_eq!(
            (&long["text"], &long["to"], &long["rook"], &long["rook_to"]),
            (&json!("e1c1"), &json!("c1"), &json!("a1"), &json!("d1"))
        );
        let passing = moves::<Chess>("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1");
        let passing = passing.iter().find(|mv| mv["text"] == "e5d6").unwrap();
        assert_eq!(passing["captured"], "d5");
        let promoting = moves::<Chess>("1r2k3/P7/8/8/8/8/8/4K3 w - - 0 1");
        assert_eq!(promoting.iter().filter(|mv| mv["from"] == "a7" && mv["to"] == "b8").count(), 4);
        let checked = Chess::parse_state("4k3/8/8/8/8/8/8/4RK2 b - - 0 1").unwrap();
        assert_eq!(position(&checked, Value::Null)["check"], "e8");
    }

    #[test]
    fn every_board_lists_its_pieces() {
        let count = |value: &Value| value["board"]["pieces"].as_array().map_or(0, Vec::len);
        assert_eq!(count(&position(&Chess::start(), Value::Null)), 32);
        assert_eq!(count(&position(&Loa::start(), Value::Null)), 24);
        let dark = position(&Banqi::start(), Value::Null);
        assert_eq!((count(&dark), &dark["side_names"]), (32, &json!(["First", "Second"])));
        assert_eq!(dark["board"]["pool"].as_array().unwrap().len(), 14);
        assert_eq!(dark["legal"][0]["kind"], "flip");
        let plain = position(&TicTacToe::start(), Value::Null);
        assert!(plain["board"].is_null() && plain["legal"].as_array().unwrap().len() == 9);
    }

    /// Facts of Wilson's interval: 5 of 10 is 0.2366 to 0.7634; no wins of 10 is 0 to 0.2775.
    #[test]
    fn intervals_are_wilsons() {
        let near = |(low, high): (Option<f64>, Option<f64>), expected: (f64, f64)| {
            let share = |mean: Option<f64>| (mean.unwrap() + 1.0) / 2.0;
            assert!(
                (share(low) - expected.0).abs() < 1e-4 && (share(high) - expected.1).abs() < 1e-4
            );
        };
        near(interval(0.0, 10), (0.2366, 0.7634));
        near(interval(-1.0, 10), (0.0, 0.2775));
        assert_eq!(interval(0.0, 0), (None, None));
    }
}
