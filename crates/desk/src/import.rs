//! Games and states out of texts that somebody pastes.

use crate::fault::{Code, Fault};
use monteverde_players::{AnyGame, Games, Transcript, transcript};

/// The game that a text is of, where the text says so.
pub(crate) fn guess(games: &Games, text: &str) -> Option<AnyGame> {
    let text = text.trim_start();
    match transcript::tag(text, "Game") {
        Some(name) => games.game(&name).ok(),
        None => games.iter().find(|game| game.is_record(text)),
    }
}

/// The first game of a text. A text that is a state is a game without moves.
pub(crate) fn read(game: AnyGame, text: &str) -> Result<Transcript, Fault> {
    let text = text.trim();
    if let Ok(state) = game.read_state(text) {
        return Ok(Transcript { start: state.state_text(), ..Transcript::default() });
    }
    let bad = |error: &dyn ToString| Fault::new(Code::BadText, error.to_string());
    match game.read_record(text) {
        Some(record) => record.map_err(|error| bad(&error)),
        None => Err(bad(&format!(
            "the text is neither a state nor a game of {}; accepted are a state as --state takes it, and {}",
            game.name(),
            game.record_format().about
        ))),
    }
}
