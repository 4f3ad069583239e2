//! Writing games.

use super::{PgnGame, PgnMove, outcome_text};
use crate::{Board, Color, Variant, fen, san};

/// A game in export form, ending in an empty line.
///
/// # Panics
/// If one of the moves is not legal where it is played.
pub fn write(game: &PgnGame) -> String {
    let mut text = String::new();
    for (name, value) in export_tags(game) {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        text.push_str(&format!("[{name} \"{value}\"]\n"));
    }
    text.push('\n');
    let mut lines = Lines { text, column: 0 };
    lines.comment(&game.comment);
    let mut board = game.start;
    let mut number_due = true;
    for PgnMove { mv, glyphs, comment } in &game.moves {
        assert!(board.is_legal(*mv), "{mv:?} is not legal in '{}'", fen::write(&board));
        match board.turn() {
            Color::White => lines.word(&format!("{}.", board.fullmoves())),
            Color::Black if number_due => lines.word(&format!("{}...", board.fullmoves())),
            Color::Black => {}
        }
        lines.word(&san::write(&board, *mv));
        for glyph in glyphs {
            lines.word(&format!("${glyph}"));
        }
        lines.comment(comment);
        number_due = !comment.is_empty();
        board.play(*mv);
    }
    lines.word(outcome_text(game.outcome));
    lines.text + "\n\n"
}

/// The tags that every game has, in the order of the standard.
const ROSTER: [&str; 7] = ["Event", "Site", "Date", "Round", "White", "Black", "Result"];

fn export_tags(game: &PgnGame) -> Vec<(&str, String)> {
    let mut tags: Vec<(&str, String)> = Vec::new();
    for name in ROSTER {
        let value = match (name, game.tag(name)) {
            ("Result", _) => outcome_text(game.outcome),
            ("Date", None) => "????.??.??",
            (_, known) => known.unwrap_or("?"),
        };
        tags.push((name, value.to_owned()));
    }
    if game.start.variant() == Variant::Chess960 {
        tags.push(("Variant", "Chess960".to_owned()));
    }
    if game.start != Board::start() {
        tags.push(("SetUp", "1".to_owned()));
        tags.push(("FEN", fen::write(&game.start)));
    }
    let others = game.tags.iter().filter(|(name, _)| !ROSTER.contains(&name.as_str()));
    tags.extend(others.map(|(name, value)| (name.as_str(), value.clone())));
    tags
}

/// Words set in lines.
struct Lines {
    text: String,
    column: usize,
}

impl Lines {
    const WIDTH: usize = 80;

    fn word(&mut self, word: &str) {
        let width = word.chars().count();
        let before = match self.column {
            0 => "",
            column if column + 1 + width <= Lines::WIDTH => " ",
            _ => {
                self.column = 0;
                // A percent sign in the first column would turn the line into an escape.
                if word.starts_with('%') { "\n " } else { "\n" }
            }
        };
        self.text.push_str(before);
        self.text.push_str(word);
        self.column += before.trim_start_matches('\n').len() + width;
    }

    fn comment(&mut self, comment: &str) {
        let comment = comment.replace('}', ")");
        let mut words = comment.split_whitespace().peekable();
        let mut word = "{".to_owned();
        // A command such as `[%eval 0.31]` stays on one line, for programs that look for it.
        let mut inside = false;
        while let Some(part) = words.next() {
            word.push_str(part);
            inside = match part.rfind("[%") {
                Some(start) => !part[start..].contains(']'),
                None => inside && !part.contains(']'),
            };
            match words.peek() {
                None => self.word(&(word.clone() + "}")),
                Some(_) if inside => word.push(' '),
                Some(_) => {
                    self.word(&word);
                    word.clear();
                }
            }
        }
    }
}
