//! Lines of EPD: a position of four fields, then operations; or a FEN of six fields.

use monteverde_chess::{Board, Chess, fen, san};
use monteverde_game::Notation;
use monteverde_players::{Aim, Puzzle};

/// Reads a line. Operations other than `id`, `dm`, `bm` and `am` are left alone.
pub(super) fn read(line: &str) -> Result<Puzzle, String> {
    let (board, operations) = fen::parse_epd(line).map_err(|error| error.to_string())?;
    let mut puzzle = Puzzle::of_state(fen::write(&board));
    for operation in operations_of(operations) {
        let (name, operand) = operation.split_once(char::is_whitespace).unwrap_or((operation, ""));
        let operand = operand.trim();
        match name {
            "id" => puzzle.id = operand.trim_matches('"').to_owned(),
            "dm" => puzzle.aim = Aim::Mate(mate(operand)?),
            "bm" => {
                puzzle.aim = match operand.strip_prefix('#') {
                    Some(moves) => Aim::Mate(mate(moves)?),
                    None => Aim::Best(moves(&board, operand)?),
                }
            }
            "am" => puzzle.aim = Aim::Avoid(moves(&board, operand)?),
            _ => {}
        }
    }
    Ok(puzzle)
}

/// The operations of a line, which end with semicolons outside of quotes.
fn operations_of(text: &str) -> impl Iterator<Item = &str> {
    let mut quoted = false;
    let ends = move |c: char| {
        quoted ^= c == '"';
        c == ';' && !quoted
    };
    text.split(ends).map(str::trim).filter(|operation| !operation.is_empty())
}

fn mate(text: &str) -> Result<i32, String> {
    let moves = text.parse().ok().filter(|moves| *moves != 0);
    moves.ok_or_else(|| format!("'{text}' is no number of moves to mate; whole numbers but 0 are"))
}

fn moves(board: &Board, text: &str) -> Result<Vec<String>, String> {
    let state = Chess::new(*board);
    let read = |word: &str| {
        let mv = san::parse(board, word).map_err(|error| error.to_string())?;
        Ok(state.move_text(mv))
    };
    text.split_whitespace().map(read).collect()
}
