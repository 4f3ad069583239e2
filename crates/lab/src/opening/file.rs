//! Openings from files: states (`.epd`, `.fen`), whole games in the format of their game (`.pgn`,
//! `.sgf`), or lines of moves (any other name).

use super::{OpeningError, OpeningLine, START};
use monteverde_players::transcript::tags;
use monteverde_players::{AnyGame, RecordFormat, Transcript, text_file};
use std::path::Path;
use std::sync::Arc;

/// Reads openings; of each game or line at most `plies` steps, where that is given.
///
/// Every line is played through, so that a wrong move is found before the contest starts.
pub fn read(
    game: AnyGame,
    path: &Path,
    plies: Option<usize>,
) -> Result<Vec<Arc<OpeningLine>>, OpeningError> {
    let text = text_file::read(path, text_file::DATA)
        .map_err(|error| OpeningError::File { path: path.to_owned(), error })?;
    read_text(game, path, &text, plies)
}

/// As [`read`], from the text of a file, whose path gives the format and stands in errors.
pub fn read_text(
    game: AnyGame,
    path: &Path,
    text: &str,
    plies: Option<usize>,
) -> Result<Vec<Arc<OpeningLine>>, OpeningError> {
    let extension = path.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    // A mark that some editors put before the first line.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let format = game.record_format();
    // Our own form of records has the ending of lists of moves, which openings are.
    let holds_records = extension == format.extension && format != RecordFormat::TEXT;
    let found = match extension.as_str() {
        _ if holds_records => games(game, path, text)?,
        "pgn" | "sgf" => return Err(OpeningError::OtherRecords { extension, game: game.name() }),
        "epd" | "fen" => states(game, path, text)?,
        _ => lines(text).map(|(number, line)| (number, move_line(number, line))).collect(),
    };
    if found.is_empty() {
        return Err(OpeningError::Empty(path.to_owned()));
    }
    let mut checked = Vec::with_capacity(found.len());
    for (number, mut line) in found {
        line.moves.truncate(plies.unwrap_or(usize::MAX));
        line.replay(game, |_, _, _| {}).map_err(|error| OpeningError::Text {
            path: path.to_owned(),
            place: format!("{} {number}", if holds_records { "game" } else { "line" }),
            problem: error.to_string(),
        })?;
        checked.push(Arc::new(line));
    }
    Ok(checked)
}

/// One opening a line, with its number; empty lines and those that begin with `#` are left out.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let numbered = text.lines().enumerate().map(|(index, line)| (index + 1, line.trim()));
    numbered.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
}

/// Moves; a word that begins with `#` and what follows it are a comment. (In SAN the sign ends a
/// word.)
fn move_line(number: usize, line: &str) -> OpeningLine {
    let words = line.split_whitespace().take_while(|word| !word.starts_with('#'));
    OpeningLine {
        name: format!("line {number}"),
        state: START.to_owned(),
        moves: words.map(str::to_owned).collect(),
    }
}

/// A state a line, as the game writes states in files.
fn states(
    game: AnyGame,
    path: &Path,
    text: &str,
) -> Result<Vec<(usize, OpeningLine)>, OpeningError> {
    let read = |(number, line): (usize, &str)| {
        let puzzle = game.read_line(line).map_err(|problem| OpeningError::Text {
            path: path.to_owned(),
            place: format!("line {number}"),
            problem,
        })?;
        let named = !puzzle.id.is_empty();
        let name = if named { puzzle.id } else { format!("line {number}") };
        Ok((number, OpeningLine { name, state: puzzle.state, moves: Vec::new() }))
    };
    lines(text).map(read).collect()
}

/// The games of a file of records, each named by its opening or its number.
fn games(
    game: AnyGame,
    path: &Path,
    text: &str,
) -> Result<Vec<(usize, OpeningLine)>, OpeningError> {
    let records = game.read_records(text).map_err(|error| OpeningError::Text {
        path: path.to_owned(),
        place: format!("line {}", error.line),
        problem: error.bare,
    })?;
    let start = game.start().state_text();
    let line = |(index, record): (usize, Transcript)| {
        let number = index + 1;
        let name = record.tag(tags::OPENING).or(record.tag("ECO"));
        let name = name.map_or_else(|| format!("game {number}"), str::to_owned);
        let state = if record.start == start { START.to_owned() } else { record.start };
        let moves = record.steps.into_iter().map(|step| step.text).collect();
        (number, OpeningLine { name, state, moves })
    };
    Ok(records.into_iter().enumerate().map(line).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::game;

    #[test]
    fn moves_are_read_and_checked() {
        let read = |text| read_text(game("tic-tac-toe"), Path::new("book.txt"), text, Some(2));
        let lines = read("# two openings\na1 b2 c3\n\n  b2 a1\n").unwrap();
        assert_eq!(lines.len(), 2);
        assert_eq!((lines[0].name.as_str(), lines[0].moves.len()), ("line 2", 2));
        let error = read("a1\na1 a1\n").unwrap_err().to_string();
        assert!(error.starts_with("the openings file 'book.txt', line 2: "), "{error}");
        assert!(matches!(read("# nothing\n"), Err(OpeningError::Empty(_))));
        assert_eq!(read("a1 # 51 games\n").unwrap()[0].moves, ["a1"]);
        let pgn = read_text(game("tic-tac-toe"), Path::new("book.pgn"), "", None);
        assert!(matches!(pgn, Err(OpeningError::OtherRecords { game: "tic-tac-toe", .. })));
    }

    #[test]
    fn states_are_read() {
        let read = |text| read_text(game("tic-tac-toe"), Path::new("book.epd"), text, None);
        assert_eq!(read("x.. .o. ...\n").unwrap()[0].state, "x.. .o. ...");
        assert!(read("x.. .o.\n").is_err());
        assert!(read("xxx oo. ...\n").unwrap_err().to_string().contains("the game is over"));
    }

    #[test]
    fn epd_is_read_with_its_operations() {
        let read = |text| read_text(game("chess"), Path::new("book.epd"), text, None).unwrap();
        let ruy = "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq -";
        let lines = read(&format!("{ruy} hmvc 3; id \"Ruy Lopez\";\n{ruy} 3 3\n{ruy}\n"));
        assert_eq!(lines[0].name, "Ruy Lopez");
        assert_eq!(lines[0].state, format!("{ruy} 0 1"));
        assert_eq!(lines[1].state, format!("{ruy} 3 3"));
        assert_eq!(lines[2].name, "line 3");
    }

    #[test]
    fn games_are_cut_to_their_openings() {
        let text = "[Event \"x\"]\n[ECO \"C60\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 *\n\n1. d4 d5 *\n";
        let lines = read_text(game("chess"), Path::new("book.pgn"), text, Some(3)).unwrap();
        assert_eq!(lines[0].name, "C60");
        assert_eq!(lines[0].moves, ["e2e4", "e7e5", "g1f3"]);
        assert_eq!((lines[1].name.as_str(), lines[1].moves.len()), ("game 2", 2));
    }
    #[test]
    fn a_game_of_a_pgn_file_is_called_a_game() {
        let mate = "[Event \"x\"]\n\n1. d4 d5 *\n\n[Event \"y\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n";
        let error =
            read_text(game("chess"), Path::new("book.pgn"), mate, None).unwrap_err().to_string();
        assert!(error.starts_with("the openings file 'book.pgn', game 2: "), "{error}");
        let wrong = "[Event \"x\"]\n\n1. d4 d5\n2. Ke8 *\n";
        let error =
            read_text(game("chess"), Path::new("book.pgn"), wrong, None).unwrap_err().to_string();
        assert!(error.starts_with("the openings file 'book.pgn', line 4: "), "{error}");
    }

    #[test]
    fn files_of_other_systems_are_read() {
        let marked = "\u{feff}rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\r\n";
        assert_eq!(read_text(game("chess"), Path::new("BOOK.EPD"), marked, None).unwrap().len(), 1);
        let record = "\u{feff}[Event \"x\"]\r\n\r\n1. d4 d5 *\r\n";
        let lines = read_text(game("chess"), Path::new("Book.Pgn"), record, None).unwrap();
        assert_eq!(lines[0].moves, ["d2d4", "d7d5"]);
        let moves =
            read_text(game("tic-tac-toe"), Path::new("book.TXT"), "\u{feff}a1 b2\r\n", None);
        assert_eq!(moves.unwrap()[0].moves, ["a1", "b2"]);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_file_that_is_too_large_is_refused() {
        let error = read(game("tic-tac-toe"), Path::new("/dev/zero"), None).unwrap_err();
        let text = error.to_string();
        assert!(text.contains("'/dev/zero'") && text.contains("at most 256MiB are read"), "{text}");
    }
}
