//! Whole games as text: what every game's records have in common, and the form for games that have
//! none of their own.

use monteverde_game::{Outcome, Side};

/// A game that was played, for writing and from reading.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Transcript {
    /// The game's name.
    pub game: String,
    /// What is said about it: names of [`tags`] and others, in the order in which they are
    /// written.
    pub tags: Vec<(String, String)>,
    /// The state text of its start.
    pub start: String,
    /// Everything that was played.
    pub steps: Vec<TranscriptStep>,
    /// How it ended, if it has.
    pub outcome: Option<Outcome>,
}

/// A move or an event.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct TranscriptStep {
    /// As the game writes it.
    pub text: String,
    /// Whether chance took it.
    pub chance: bool,
    /// What is said about it, in words.
    pub comment: String,
    /// What is said about it in numbers.
    pub figures: StepFigures,
}

/// What a player said of its move, in numbers that formats have words for.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct StepFigures {
    /// The value in centipawns, for the side that moved.
    pub centipawns: Option<i32>,
    /// The moves to mate, negative if that side is mated.
    pub mate: Option<i32>,
    /// How deep it looked.
    pub depth: Option<u32>,
    /// What its clock showed after the move, in milliseconds.
    pub clock_ms: Option<f64>,
    /// How long it thought, in milliseconds.
    pub elapsed_ms: Option<f64>,
}

/// The names of tags that every format knows, whatever it calls them.
pub mod tags {
    /// The occasion.
    pub const EVENT: &str = "Event";
    /// The day, `2026.11.16`.
    pub const DATE: &str = "Date";
    /// The number of the game.
    pub const ROUND: &str = "Round";
    /// Who moves first.
    pub const FIRST: &str = "First";
    /// Who moves second.
    pub const SECOND: &str = "Second";
    /// How much the first may think.
    pub const FIRST_PACE: &str = "FirstPace";
    /// How much the second may think.
    pub const SECOND_PACE: &str = "SecondPace";
    /// The opening's name.
    pub const OPENING: &str = "Opening";
    /// Why the game ended.
    pub const REASON: &str = "Reason";
}

impl Transcript {
    /// The value of a tag.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// Adds a tag, unless its value is empty.
    pub fn add_tag(&mut self, name: &str, value: impl Into<String>) {
        let value = value.into();
        if !value.is_empty() {
            self.tags.push((name.to_owned(), value));
        }
    }

    /// Adds a move without comment.
    pub fn push_move(&mut self, text: impl Into<String>) {
        self.steps.push(TranscriptStep { text: text.into(), ..TranscriptStep::default() });
    }
}

/// The widest line of moves.
const WIDTH: usize = 80;

/// Tags as in PGN, then moves with their numbers, chance in parentheses; an empty line at the end.
pub fn write(game: &Transcript) -> String {
    let mut text = String::new();
    let result = result(game.outcome).to_owned();
    // Who and when comes before the start and the result, why and how after them.
    let reason = game.tags.iter().position(|(name, _)| name == tags::REASON);
    let (before, after) = game.tags.split_at(reason.unwrap_or(game.tags.len()));
    let pair = |(name, value): &(String, String)| (name.clone(), value.clone());
    let own = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    let all = [own("Game", &game.game)].into_iter().chain(before.iter().map(pair));
    let all = all.chain([own("Start", &game.start), own("Result", &result)]);
    for (name, value) in all.chain(after.iter().map(pair)) {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        text += &format!("[{name} \"{}\"]\n", value.replace(char::is_control, " "));
    }
    text.push('\n');
    let mut words = Vec::new();
    let mut number = 0;
    for step in &game.steps {
        if step.chance {
            words.push(format!("({})", step.text));
        } else {
            number += 1;
            words.push(format!("{number}. {}", step.text));
        }
    }
    words.push(result);
    wrap(&words, &mut text);
    text + "\n\n"
}

/// Adds words with spaces between them, in lines of at most [`WIDTH`].
fn wrap(words: &[String], text: &mut String) {
    let mut column = 0;
    for word in words {
        let width = word.chars().count();
        if column > 0 && column + 1 + width > WIDTH {
            text.push('\n');
            column = 0;
        } else if column > 0 {
            text.push(' ');
            column += 1;
        }
        *text += word;
        column += width;
    }
}

/// Reads a game that [`write()`] has written, or moves with or without numbers and tags; `None`
/// where the text is neither.
/// `name` is the game's, `start` gives the text of its initial state.
pub fn read(name: &str, start: impl FnOnce() -> String, text: &str) -> Option<Transcript> {
    let start = tag(text, "Start").unwrap_or_else(start);
    let mut game = Transcript { game: name.to_owned(), start, ..Transcript::default() };
    let lines = text.lines().filter(|line| !line.trim_start().starts_with('['));
    let is_number = |word: &str| {
        word.strip_suffix('.')
            .is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()))
    };
    for word in lines.flat_map(str::split_whitespace) {
        if is_number(word) {
            continue;
        }
        if let Some(&(outcome, _)) = RESULTS.iter().find(|(_, result)| *result == word) {
            game.outcome = outcome;
            continue;
        }
        let event = word.strip_prefix('(').and_then(|word| word.strip_suffix(')'));
        let (text, chance) = (event.unwrap_or(word).to_owned(), event.is_some());
        game.steps.push(TranscriptStep { text, chance, ..TranscriptStep::default() });
    }
    (text.contains('[') || !game.steps.is_empty()).then_some(game)
}

/// The value of a tag `[Name "value"]` of a text.
pub fn tag(text: &str, name: &str) -> Option<String> {
    let value = text.lines().find_map(|line| {
        let rest = line.trim().strip_prefix('[')?.strip_prefix(name)?;
        rest.trim_start().strip_prefix('"')?.strip_suffix("\"]")
    })?;
    Some(value.replace("\\\"", "\"").replace("\\\\", "\\"))
}

/// How results are written.
const RESULTS: [(Option<Outcome>, &str); 4] = [
    (Some(Outcome::Win(Side::First)), "1-0"),
    (Some(Outcome::Win(Side::Second)), "0-1"),
    (Some(Outcome::Draw), "1/2-1/2"),
    (None, "*"),
];

fn result(outcome: Option<Outcome>) -> &'static str {
    RESULTS.iter().find(|(known, _)| *known == outcome).map_or("*", |(_, text)| text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use monteverde_game::fixtures::DiceRace;
    use monteverde_game::{Game, Notation};

    /// A lone parenthesis is no event without a name; a result is no move.
    #[test]
    fn an_event_stands_in_two_parentheses() {
        let read = |text| {
            let game =
                read(DiceRace::NAME, || DiceRace::start().state_text(), text).expect("a game");
            let step = |step: &TranscriptStep| (step.text.clone(), step.chance);
            game.steps.iter().map(step).collect::<Vec<_>>()
        };
        let step = |text: &str, chance| (text.to_owned(), chance);
        assert_eq!(read("1. go (3)"), [step("go", false), step("3", true)]);
        let ended = |text| super::read("x", String::new, text).and_then(|game| game.outcome);
        assert_eq!(ended("1. go 0-1"), Some(Outcome::Win(Side::Second)));
        assert_eq!(ended("1. go *"), None);
        for odd in [")", "(", "(3", "3)"] {
            assert_eq!(read(odd), [step(odd, false)]);
        }
    }
}
