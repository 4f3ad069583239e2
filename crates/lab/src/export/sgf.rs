//! Games of Lines of Action in the Smart Game Format, with what the players said as comments.

use super::{ExportError, pgn};
use crate::date;
use crate::record::GameRecord;
use monteverde_game::{Game, Notation};
use monteverde_loa::{Loa, sgf};

/// A game in strict form; `round` is its number.
pub(super) fn game(record: &GameRecord, round: u64) -> Result<String, ExportError> {
    let damaged = |problem: String| ExportError::Damaged { key: record.key.clone(), problem };
    let mut state =
        Loa::parse_state(&record.start_state).map_err(|error| damaged(error.to_string()))?;
    let mut game = sgf::SgfGame::new(*state.board());
    for step in &record.moves {
        let mv = state.parse_move(&step.text).map_err(|error| damaged(error.to_string()))?;
        game.push(mv, pgn::words(step));
        state.play(mv);
    }
    game.outcome = Some(record.result.into());
    game.set_property("EV", "Monteverde");
    game.set_property("DT", &date::day(record.started).replace('.', "-"));
    game.set_property("RO", &round.to_string());
    game.set_property("PB", &record.first);
    game.set_property("PW", &record.second);
    game.set_property("ON", &record.opening);
    game.comment = format!(
        "{}{}; seed {}, build {}, key {}",
        record.reason,
        if record.detail.is_empty() { String::new() } else { format!(" ({})", record.detail) },
        record.seed,
        record.build,
        record.key
    );
    Ok(sgf::write(&game))
}
