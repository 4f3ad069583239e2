//! States and moves as messages: everything that the page draws of them.

use monteverde_game::{Game, Outcome};
use monteverde_players::face::{MarkKind, MoveView, side_name};
use monteverde_players::{AnyGame, AnyState, AnyStep};
use serde_json::{Value, json};

/// Everything about a state; `last` is the move that led to it, as [`last_move`] gives it.
pub(crate) fn position(state: &AnyState, last: Value) -> Value {
    let mut moves = Vec::new();
    if state.outcome().is_none() {
        state.moves(&mut moves);
    }
    let legal: Vec<Value> = moves.iter().map(|&mv| legal_move(state, mv)).collect();
    let [first, second] = state.sides();
    let names = [&*first.name, &*second.name];
    let board = state.board();
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
            let reason = state.ending().unwrap_or("rule");
            outcome_json(state.game(), (outcome, reason), names)
        }),
    })
}

/// An outcome of a game with its reason, for the sides of these names.
pub(crate) fn outcome_json(
    game: AnyGame,
    (outcome, reason): (Outcome, &str),
    names: [&str; 2],
) -> Value {
    let words = match reason {
        "resigned" => "the other side resigned",
        "time" => "the other side's time is up",
        rule => game.ending_words(rule),
    };
    let (result, sentence) = match outcome {
        Outcome::Win(side) => (side_name(side), format!("{} wins: {words}.", names[side as usize])),
        Outcome::Draw => ("draw", format!("Drawn: {words}.")),
    };
    json!({ "result": result, "reason": reason, "words": words, "sentence": sentence })
}

/// The last move of a position.
pub(crate) fn last_move(view: &MoveView) -> Value {
    json!({ "from": view.from, "to": view.to, "captured": view.captured })
}

/// A move with its squares.
pub(crate) fn step(state: &AnyState, mv: AnyStep) -> Value {
    let view = state.move_view(mv);
    json!({ "text": state.move_text(mv), "label": state.label(mv), "from": view.from, "to": view.to })
}

fn legal_move(state: &AnyState, mv: AnyStep) -> Value {
    let mut value = json!({ "text": state.move_text(mv), "label": state.label(mv) });
    let view = serde_json::to_value(state.move_view(mv));
    if let (Some(object), Ok(Value::Object(view))) = (value.as_object_mut(), view) {
        object.extend(view);
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;
    use monteverde_games::games;

    fn position_of(game: &str, text: &str) -> Value {
        let state = games().game(game).unwrap().read_state(text).unwrap();
        position(&state, Value::Null)
    }

    fn moves(game: &str, text: &str) -> Vec<Value> {
        position_of(game, text)["legal"].as_array().unwrap().clone()
    }

    #[test]
    fn special_moves_of_chess_name_their_squares() {
        let castling = moves("chess", "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1");
        let long = castling.iter().find(|mv| mv["label"] == "O-O-O").unwrap();
        assert_eq!(
            (&long["text"], &long["to"], &long["rook"], &long["rook_to"]),
            (&json!("e1c1"), &json!("c1"), &json!("a1"), &json!("d1"))
        );
        let passing = moves("chess", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1");
        let passing = passing.iter().find(|mv| mv["text"] == "e5d6").unwrap();
        assert_eq!(passing["captured"], "d5");
        let promoting = moves("chess", "1r2k3/P7/8/8/8/8/8/4K3 w - - 0 1");
        assert_eq!(promoting.iter().filter(|mv| mv["from"] == "a7" && mv["to"] == "b8").count(), 4);
        let checked = position_of("chess", "4k3/8/8/8/8/8/8/4RK2 b - - 0 1");
        assert_eq!(checked["check"], "e8");
    }

    #[test]
    fn every_board_lists_its_pieces() {
        let count = |value: &Value| value["board"]["pieces"].as_array().map_or(0, Vec::len);
        assert_eq!(count(&position_of("chess", "startpos")), 32);
        assert_eq!(count(&position_of("loa", "startpos")), 24);
        let dark = position_of("banqi", "startpos");
        assert_eq!((count(&dark), &dark["side_names"]), (32, &json!(["First", "Second"])));
        assert_eq!(dark["board"]["pool"].as_array().unwrap().len(), 14);
        assert_eq!(dark["legal"][0]["kind"], "flip");
        let cells = position_of("tic-tac-toe", "startpos");
        assert_eq!((count(&cells), &cells["board"]["files"]), (0, &json!(3)));
        let bare = position_of("dice-race", "startpos");
        assert!(bare["board"].is_null() && !bare["legal"].as_array().unwrap().is_empty());
    }
}
