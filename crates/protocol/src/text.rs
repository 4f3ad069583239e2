//! Sentences that may quote what came from outside.

/// The longest sentence in characters; what is longer is cut.
const LONGEST: usize = 1000;

/// The text as one line of bounded length without control characters.
pub(crate) fn one_line(text: &str) -> String {
    let mut line: String = text.chars().take(LONGEST).collect();
    if line.len() < text.len() {
        line += "...";
    }
    line.replace(|character: char| character.is_control(), " ")
}
