//! Writing games.

use super::{SgfGame, SgfMove, outcome_text};
use crate::{Board, Loa, Move, bits};
use monteverde_game::{Game, Notation, Side};

/// A game on lines of about 80 columns, ending in a line feed.
///
/// # Panics
/// If one of the moves is not legal where it is played.
pub fn write(game: &SgfGame) -> String {
    let mut lines = Lines { text: "(".to_owned(), column: 1 };
    let mut root = ";FF[4]GM[9]SZ[8]CA[UTF-8]".to_owned();
    for (name, value) in &game.properties {
        root += &property(name, value);
    }
    root += &property("RE", outcome_text(game.outcome));
    root += &setup(&game.start);
    root += &comment(&game.comment);
    lines.node(&root);
    let mut state = Loa::new(game.start);
    let mut legal = Vec::new();
    for SgfMove { mv, comment: said } in &game.moves {
        legal.clear();
        state.moves(&mut legal);
        assert!(legal.contains(mv), "{mv:?} is not legal in '{}'", state.state_text());
        let side = letter(state.turn());
        lines.node(&format!(";{side}[{}]{}", move_text(&state, *mv), comment(said)));
        state.play(*mv);
    }
    lines.text + ")\n"
}

/// What makes a start other than the usual one.
fn setup(start: &Board) -> String {
    let usual = Board::start();
    let mut text = String::new();
    let is_usual = |side| start.pieces(side) == usual.pieces(side);
    if !is_usual(Side::First) || !is_usual(Side::Second) {
        for (name, side) in [("AB", Side::First), ("AW", Side::Second)] {
            text += name;
            for square in bits(start.pieces(side)) {
                text += &format!("[{square}]");
            }
        }
    }
    if start.turn() != usual.turn() {
        text += &property("PL", letter(start.turn()));
    }
    let rules = start.rules().to_string();
    if !rules.is_empty() {
        text += &property("RU", &rules);
    }
    text
}

fn letter(side: Side) -> &'static str {
    match side {
        Side::First => "B",
        Side::Second => "W",
    }
}

fn move_text(state: &Loa, mv: Move) -> String {
    state.move_text(mv).replace('x', ":")
}

fn comment(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    if words.is_empty() { String::new() } else { property("C", &words.join(" ")) }
}

fn property(name: &str, value: &str) -> String {
    format!("{name}[{}]", value.replace('\\', "\\\\").replace(']', "\\]"))
}

/// Nodes set in lines.
struct Lines {
    text: String,
    column: usize,
}

impl Lines {
    const WIDTH: usize = 80;

    fn node(&mut self, node: &str) {
        let width = node.chars().count();
        if self.column > 1 && self.column + width > Lines::WIDTH {
            self.text.push('\n');
            self.column = 0;
        }
        self.text += node;
        self.column += width;
    }
}
