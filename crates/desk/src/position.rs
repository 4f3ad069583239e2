//! States and moves as messages: everything that the page draws of them.

use crate::faces;
use monteverde_game::{Notation, Outcome};
use monteverde_players::face::{MarkKind, MoveView, side_name};
use serde_json::{Value, json};

pub(crate) use crate::faces::{event_name, label, move_view};

/// Everything about a state; `last` is the move that led to it, as [`last_move`] gives it.
pub(crate) fn position<G: Notation>(state: &G, last: Value) -> Value {
    let mut moves = Vec::new();
    if state.outcome().is_none() {
        state.moves(&mut moves);
    }
    let legal: Vec<Value> = moves.iter().map(|&mv| legal_move(state, mv)).collect();
    let [first, second] = faces::sides(state);
    let names = [&*first.name, &*second.name];
    let board = faces::board(state);
    let marks = board.iter().flat_map(|board| &board.marks);
    let check = marks.filter(|mark| mark.kind == MarkKind::Check).map(|mark| &mark.square).next();
    json!({
        "text": state.state_text(),
        "turn": side_name(state.turn()),
        "turn_name": names[state.turn() as usize],
        "side_names": names,
        "side_colours": [first.colour, second.colour],
        "board": board,
        "picture": state.picture(),
        "legal": legal,
        "check": check,
        "last": last,
        "outcome": state.outcome().map(|outcome| {
            outcome_json(outcome, state.ending().unwrap_or("rule"), names)
        }),
    })
}

/// An outcome with its reason, for the sides of these names.
pub(crate) fn outcome_json(outcome: Outcome, reason: &str, names: [&str; 2]) -> Value {
    let words = match reason {
        "resigned" => "the other side resigned",
        "time" => "the other side's time is up",
        rule => faces::ending_words(rule),
    };
    let (result, sentence) = match outcome {
        Outcome::Win(side) => (side_name(side), format!("{} wins: {words}.", names[side as usize])),
        Outcome::Draw => ("draw", format!("Drawn: {words}.")),
    };
    json!({ "result": result, "reason": reason, "sentence": sentence })
}

/// The last move of a position.
pub(crate) fn last_move(view: &MoveView) -> Value {
    json!({ "from": view.from, "to": view.to, "captured": view.captured })
}

/// A move with its squares.
pub(crate) fn step<G: Notation>(state: &G, mv: G::Move) -> Value {
    let view = move_view(state, mv);
    json!({ "text": state.move_text(mv), "label": label(state, mv), "from": view.from, "to": view.to })
}

fn legal_move<G: Notation>(state: &G, mv: G::Move) -> Value {
    let mut value = json!({ "text": state.move_text(mv), "label": label(state, mv) });
    let view = serde_json::to_value(move_view(state, mv));
    if let (Some(object), Ok(Value::Object(view))) = (value.as_object_mut(), view) {
        object.extend(view);
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;
    use monteverde_banqi::Banqi;
    use monteverde_chess::Chess;
    use monteverde_game::fixtures::{DiceRace, TicTacToe};
    use monteverde_loa::Loa;

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
        let cells = position(&TicTacToe::start(), Value::Null);
        assert_eq!((count(&cells), &cells["board"]["files"]), (0, &json!(3)));
        let bare = position(&DiceRace::start(), Value::Null);
        assert!(bare["board"].is_null() && !bare["legal"].as_array().unwrap().is_empty());
    }
}
