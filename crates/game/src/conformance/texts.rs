//! The promises of [`Notation`]: what is written can be read, and what cannot be read is refused.

use super::rules::{answers, listed_events, listed_moves};
use super::{Violation, broken, require};
use crate::{Notation, Rng};
use std::panic::{AssertUnwindSafe, catch_unwind};

pub(super) fn check<G: Notation>(state: &G, rng: &mut Rng) -> Result<(), Violation> {
    state_text(state)?;
    step_texts(state)?;
    damaged_states(state, rng)?;
    damaged_moves(state, rng)
}

fn state_text<G: Notation>(state: &G) -> Result<(), Violation> {
    let text = state.state_text();
    one_line(state, &text)?;
    let rule = "a state can be written and read";
    let read = G::parse_state(&text).map_err(|error| broken(state, rule, error.to_string()))?;
    let (written, mut found) = (answers(state), answers(&read));
    // The text holds no history, so a game that is over by its history goes on after it was read.
    if !written.moves.is_empty() && found.outcome.is_none() {
        found.outcome = written.outcome;
    }
    require(state, rule, written == found, || format!("{written:?} was read as {found:?}"))?;
    let picture = state.picture();
    require(state, "a picture is made of whole lines", picture.ends_with('\n'), || {
        format!("the picture is {picture:?}")
    })
}

fn step_texts<G: Notation>(state: &G) -> Result<(), Violation> {
    for mv in listed_moves(state) {
        let text = state.move_text(mv);
        one_line(state, &text)?;
        let read = state.parse_move(&text);
        require(state, "a move can be written and read", read == Ok(mv), || {
            format!("{mv:?} is written '{text}' and read as {read:?}")
        })?;
    }
    for (event, _) in listed_events(state) {
        let text = state.event_text(event);
        one_line(state, &text)?;
        let read = state.parse_event(&text);
        require(state, "an event can be written and read", read == Ok(event), || {
            format!("{event:?} is written '{text}' and read as {read:?}")
        })?;
    }
    Ok(())
}

fn one_line<G: Notation>(state: &G, text: &str) -> Result<(), Violation> {
    let plain = !text.is_empty() && text.trim() == text && !text.contains(char::is_control);
    require(state, "a text is one line without spaces around it", plain, || {
        format!("the text is {text:?}")
    })
}

/// How many damaged texts are tried in each state.
const DAMAGES: usize = 4;

fn damaged_states<G: Notation>(state: &G, rng: &mut Rng) -> Result<(), Violation> {
    for _ in 0..DAMAGES {
        let text = damaged(&state.state_text(), rng);
        // What is read must also be usable: a state without a king, say, must not come through.
        let read = catch_unwind(AssertUnwindSafe(|| {
            G::parse_state(&text).ok().map(|read| {
                let found = answers(&read);
                let again = G::parse_state(&read.state_text()).map(|read| answers(&read));
                (again.as_ref() == Ok(&found), format!("{found:?} was read again as {again:?}"))
            })
        }));
        match read {
            Err(_) => {
                let detail = format!("the text {text:?} makes it panic");
                return Err(broken(state, "no state text makes it panic", detail));
            }
            Ok(Some((false, detail))) => {
                let detail = format!("the text {text:?} is accepted, but {detail}");
                return Err(broken(state, "a state can be written and read", detail));
            }
            Ok(_) => {}
        }
    }
    Ok(())
}

fn damaged_moves<G: Notation>(state: &G, rng: &mut Rng) -> Result<(), Violation> {
    let moves = listed_moves(state);
    for _ in 0..DAMAGES {
        let whole = match moves.len() {
            0 => String::new(),
            count => state.move_text(moves[rng.below(count as u32) as usize]),
        };
        let text = damaged(&whole, rng);
        let read = catch_unwind(AssertUnwindSafe(|| state.parse_move(&text)));
        let read = read.map_err(|_| {
            let detail = format!("the text {text:?} makes it panic");
            broken(state, "no move text makes it panic", detail)
        })?;
        let legal = read.as_ref().map_or(true, |mv| moves.contains(mv));
        require(state, "only legal moves are read", legal, || {
            format!("the text {text:?} is read as {read:?}, which is not listed")
        })?;
    }
    Ok(())
}

/// Characters that notations use, and some that they surely do not, of every length in UTF-8.
const FOREIGN: [char; 16] =
    ['0', '1', '9', 'a', 'h', 'k', 'K', 'x', ' ', '/', '-', '.', '\n', 'é', '♟', '🂡'];

/// The text with one character gone, added or exchanged, or cut short.
fn damaged(text: &str, rng: &mut Rng) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    let at = rng.below(chars.len() as u32 + 1) as usize;
    let foreign = FOREIGN[rng.below(FOREIGN.len() as u32) as usize];
    match rng.below(4) {
        0 => chars.truncate(at),
        1 if at < chars.len() => chars[at] = foreign,
        2 if at < chars.len() => drop(chars.remove(at)),
        _ => chars.insert(at, foreign),
    }
    chars.into_iter().collect()
}
