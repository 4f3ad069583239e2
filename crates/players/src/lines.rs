//! Lines that protocols read and write: from outside of any bytes and any length, in bounded
//! memory; to outside without control characters.

use std::io::{self, BufRead};

/// The longest line that is read, in bytes: a game of 200,000 moves.
pub const LONGEST: usize = 1 << 20;

/// What was received: a line without its end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ReceivedLine {
    /// What it says; bytes that are not UTF-8 are replaced by U+FFFD.
    Text(String),
    /// It was longer than [`LONGEST`]; its beginning, up to there.
    TooLong(String),
}

/// The next line; `None` at the end of the input. A last line without a line feed counts.
pub fn next_line(input: &mut impl BufRead) -> io::Result<Option<ReceivedLine>> {
    let mut line = Vec::new();
    let mut too_long = false;
    let mut any = false;
    loop {
        let chunk = match input.fill_buf() {
            Ok(chunk) => chunk,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if chunk.is_empty() {
            return Ok(any.then(|| finish(line, too_long)));
        }
        any = true;
        let end = chunk.iter().position(|&byte| byte == b'\n');
        let part = &chunk[..end.unwrap_or(chunk.len())];
        let room = LONGEST - line.len();
        too_long |= part.len() > room;
        line.extend_from_slice(&part[..part.len().min(room)]);
        let used = end.map_or(chunk.len(), |end| end + 1);
        input.consume(used);
        if end.is_some() {
            return Ok(Some(finish(line, too_long)));
        }
    }
}

/// The longest sentence in characters that quotes what came from outside; what is longer is cut.
const LONGEST_SENTENCE: usize = 1000;

/// The text as one line of bounded length without control characters.
pub fn one_line(text: &str) -> String {
    let mut line: String = text.chars().take(LONGEST_SENTENCE).collect();
    if line.len() < text.len() {
        line += "...";
    }
    line.replace(|character: char| character.is_control(), " ")
}

fn finish(line: Vec<u8>, too_long: bool) -> ReceivedLine {
    let text = String::from_utf8_lossy(&line).into_owned();
    if too_long { ReceivedLine::TooLong(text) } else { ReceivedLine::Text(text) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(bytes: &[u8]) -> Vec<ReceivedLine> {
        // A buffer of 3 bytes, so that lines span many reads.
        let mut input = io::BufReader::with_capacity(3, bytes);
        std::iter::from_fn(|| next_line(&mut input).expect("memory can be read")).collect()
    }

    fn text(text: &str) -> ReceivedLine {
        ReceivedLine::Text(text.to_owned())
    }

    #[test]
    fn lines_end_with_a_line_feed_or_the_input() {
        assert_eq!(lines(b""), []);
        assert_eq!(lines(b"\n"), [text("")]);
        assert_eq!(
            lines(b"one\r\ntwo\n\nthree"),
            [text("one\r"), text("two"), text(""), text("three")]
        );
    }

    #[test]
    fn bytes_that_are_not_text_are_replaced() {
        assert_eq!(lines(b"a\xffb\0\n"), [text("a\u{fffd}b\0")]);
    }

    #[test]
    fn a_line_that_is_too_long_is_cut_alone() {
        let mut bytes = vec![b'x'; LONGEST];
        bytes.push(b'\n');
        assert_eq!(lines(&bytes), [text(&"x".repeat(LONGEST))]);
        let beginning = ReceivedLine::TooLong("x".repeat(LONGEST));
        bytes.insert(0, b'x');
        bytes.extend_from_slice(b"next\n");
        assert_eq!(lines(&bytes), [beginning, text("next")]);
    }
}
