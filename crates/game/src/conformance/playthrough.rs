//! Recorded games: a text that shows a whole game, state by state, and is compared byte for byte.
//!
//! ```
//! # use monteverde_game::{conformance::playthrough, fixtures::DiceRace};
//! let text = "\
//! game dice-race
//! state 8 7 first
//! moves 2 key d857cfb0474db1c3
//! move step
//! state 10 7 second
//! moves 2 key aeaa55cfa7eaaf48
//! move throw
//! state 10 7 second throws
//! events 3 weight 6 key 1ae0885183f2be47
//! event 6
//! state 10 10 first
//! over draw by both home key ac5b613691b4274b
//! ";
//! assert_eq!(playthrough::check::<DiceRace>(text), Ok(()));
//! ```
//!
//! The first two lines say where to begin; the `move` and `event` lines say what happened; every
//! other line is what the game itself answers, so that a change of its rules, its notation or its
//! keys shows as a changed line. A game commits some of these beside its tests. To make one, or to
//! make it anew after a change on purpose, write what [`record`] returns to the file.

use super::{AnyStep, LONGEST, Violation};
use crate::{Notation, NotationError, Outcome, Rng, Side};

/// Plays a random game from the state and writes it down to its end.
///
/// # Panics
/// If the game goes on after 100,000 steps.
pub fn record<G: Notation>(start: &G, seed: u64) -> String {
    let mut rng = Rng::new(seed);
    let mut state = start.clone();
    let mut text = opening(start);
    for _ in 0..LONGEST {
        if state.outcome().is_some() {
            return text;
        }
        let step = AnyStep::draw(&state, &mut rng);
        text += &step_line(&state, &step);
        step.take(&mut state);
        text += &state_lines(&state);
    }
    panic!("a game of {} goes on after {LONGEST} steps", G::NAME);
}

/// Plays a recorded game again and compares what the game answers now with what was recorded.
pub fn check<G: Notation>(text: &str) -> Result<(), Violation> {
    let start = text.lines().find_map(|line| line.strip_prefix("state ")).unwrap_or_default();
    let broken = |detail: String| Violation {
        game: G::NAME,
        rule: "a recorded game is played as recorded",
        state: start.to_owned(),
        detail,
    };
    let mut state = G::parse_state(start)
        .map_err(|error| broken(format!("the game begins with no state: {error}")))?;
    let mut replayed = opening(&state);
    for (index, line) in text.lines().enumerate() {
        let Some(step) = read_step(&state, line) else { continue };
        // Compared here already, since after a difference the next step may not be possible.
        if !text.starts_with(&replayed) {
            break;
        }
        let step =
            step.map_err(|error| broken(format!("line {} cannot be played: {error}", index + 1)))?;
        replayed += &step_line(&state, &step);
        step.take(&mut state);
        replayed += &state_lines(&state);
    }
    if replayed != text {
        return Err(broken(first_difference(text, &replayed)));
    }
    if state.outcome().is_none() {
        return Err(broken("the record stops before the game is over".to_owned()));
    }
    Ok(())
}

fn opening<G: Notation>(start: &G) -> String {
    format!("game {}\n{}", G::NAME, state_lines(start))
}

fn state_lines<G: Notation>(state: &G) -> String {
    let (mut moves, mut events) = (Vec::new(), Vec::new());
    state.moves(&mut moves);
    state.events(&mut events);
    let summary = match state.outcome() {
        Some(outcome) => {
            let result = match outcome {
                Outcome::Win(Side::First) => "first wins",
                Outcome::Win(Side::Second) => "second wins",
                Outcome::Draw => "draw",
            };
            format!("over {result} by {}", state.ending().unwrap_or("no ending"))
        }
        None if state.is_pending() => {
            format!("events {} weight {}", events.len(), state.event_weight())
        }
        None => format!("moves {}", moves.len()),
    };
    format!("state {}\n{summary} key {:016x}\n", state.state_text(), state.key())
}

fn step_line<G: Notation>(state: &G, step: &AnyStep<G>) -> String {
    match *step {
        AnyStep::Move(mv) => format!("move {}\n", state.move_text(mv)),
        AnyStep::Event(event) => format!("event {}\n", state.event_text(event)),
    }
}

/// The step that a line names, or `None` if it is a line of another kind.
fn read_step<G: Notation>(state: &G, line: &str) -> Option<Result<AnyStep<G>, NotationError>> {
    if let Some(text) = line.strip_prefix("move ") {
        return Some(state.parse_move(text).map(AnyStep::Move));
    }
    line.strip_prefix("event ").map(|text| state.parse_event(text).map(AnyStep::Event))
}

fn first_difference(recorded: &str, replayed: &str) -> String {
    let mut pairs = recorded.split('\n').zip(replayed.split('\n')).enumerate();
    match pairs.find(|(_, (recorded, replayed))| recorded != replayed) {
        Some((index, (recorded, replayed))) => {
            format!("line {} is recorded as '{recorded}', now it is '{replayed}'", index + 1)
        }
        None => "the record goes on after the game is over, or lacks its last lines".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{DiceRace, TicTacToe};

    #[test]
    fn what_is_recorded_passes() {
        for seed in 0..50 {
            assert_eq!(check::<TicTacToe>(&record(&TicTacToe::start(), seed)), Ok(()));
            assert_eq!(check::<DiceRace>(&record(&DiceRace::start(), seed)), Ok(()));
        }
    }

    #[test]
    fn any_changed_byte_shows() {
        let text = record(&DiceRace::start(), 7);
        for at in 0..text.len() {
            let mut bytes = text.clone().into_bytes();
            bytes[at] ^= 1;
            let changed = String::from_utf8(bytes).expect("ASCII stays ASCII");
            assert!(check::<DiceRace>(&changed).is_err(), "byte {at} of\n{changed}");
        }
        for at in 0..text.len() {
            assert!(check::<DiceRace>(&text[..at]).is_err(), "cut at {at}");
        }
        assert!(check::<DiceRace>(&(text + "\n")).is_err());
    }

    #[test]
    fn messages_name_the_line() {
        let text = record(&TicTacToe::start(), 1);
        let message = |text: &str| check::<TicTacToe>(text).expect_err("a difference").to_string();
        let changed = message(&text.replace("moves 8", "moves 7"));
        assert!(changed.contains("line 6 is recorded as 'moves 7 key"), "{changed}");
        let illegal = message(&text.replacen("\nmove ", "\nmove z", 1));
        assert!(illegal.contains("line 4 cannot be played: 'z"), "{illegal}");
        let empty = message("");
        assert!(empty.contains("the game begins with no state"), "{empty}");
        let partial = message(&text[..text.find("\nmove ").expect("a move") + 1]);
        assert!(partial.contains("stops before the game is over"), "{partial}");
    }
}
