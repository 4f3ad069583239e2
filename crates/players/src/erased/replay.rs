//! Games played again for what a network sees of their states.

use super::FeatureBatch;
use crate::entry::Entry;
use crate::settings::Settings;
use monteverde_game::{Game, NotationError};

/// A step of a game that is played again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ReplayStep {
    /// Its place in the list of legal moves, or of events.
    pub index: u16,
    /// Whether chance took it.
    pub is_event: bool,
    /// The best move of the state, by its place in the list, where what is seen of the state is
    /// wanted.
    pub wanted: Option<u16>,
}

/// What a network sees of the states that were wanted.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ReplayRows {
    /// Whether the policy outputs of legal moves are left out, which take longer than all else.
    pub leaves_out_moves: bool,
    /// Whether what the game's strongest player knows of each state without a search is wanted
    /// too.
    pub wants_known: bool,
    /// Inputs and outputs of each state.
    pub features: FeatureBatch,
    /// The step that was played in it, by its number in the game.
    pub steps: Vec<u32>,
    /// The place of its best move in the list of legal moves.
    pub best: Vec<u16>,
    /// Whether its value hangs on what happens at once, see [`Entry::is_loud`].
    pub is_loud: Vec<bool>,
    /// What is known of it without a search, in -1..1 for the side to move; not a number where
    /// nothing is, and empty if it was not wanted.
    pub known: Vec<f32>,
}

/// Why a game cannot be played again.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ReplayError {
    /// Its start is none.
    #[error("its start: {0}")]
    Start(NotationError),
    /// There is no such step.
    #[error("step {step} is number {index} of {count}")]
    Step {
        /// Which step, from 0.
        step: usize,
        /// Its place in the list.
        index: u16,
        /// How many there are.
        count: usize,
    },
    /// A move where chance decides, or the other way round.
    #[error("step {0} is a move where chance decides, or an event where it does not")]
    Kind(usize),
}

/// Plays a game again.
pub(super) fn replay<E: Entry>(
    entry: &E,
    start: Option<&str>,
    steps: &[ReplayStep],
    rows: &mut ReplayRows,
) -> Result<(), ReplayError> {
    let features = entry.features().expect("only games with features are asked");
    let mut state = match start {
        Some(text) => entry.parse_state(text).map_err(ReplayError::Start)?,
        None => entry.start(),
    };
    let knowing = rows.wants_known.then(|| entry.searcher(&strongest(entry)));
    let (mut moves, mut events) = (Vec::new(), Vec::new());
    for (number, step) in steps.iter().enumerate() {
        let ReplayStep { index, is_event, wanted } = *step;
        let missing = |count| ReplayError::Step { step: number, index, count };
        if state.is_pending() != is_event {
            return Err(ReplayError::Kind(number));
        }
        if is_event {
            events.clear();
            state.events(&mut events);
            let event = events.get(usize::from(index)).map(|&(event, _)| event);
            state.settle(event.ok_or_else(|| missing(events.len()))?);
            continue;
        }
        moves.clear();
        state.moves(&mut moves);
        let mv = *moves.get(usize::from(index)).ok_or_else(|| missing(moves.len()))?;
        if let Some(best) = wanted {
            let best_move = *moves.get(usize::from(best)).ok_or_else(|| missing(moves.len()))?;
            let batch = &mut rows.features;
            features.write(&state, &mut batch.inputs);
            batch.offsets.push(batch.inputs.len() as u32);
            if !rows.leaves_out_moves {
                features.write_moves(&state, &moves, &mut batch.legal);
            }
            batch.legal_offsets.push(batch.legal.len() as u32);
            rows.steps.push(number as u32);
            rows.best.push(best);
            rows.is_loud.push(entry.is_loud(&state, best_move));
            if let Some(knowing) = &knowing {
                rows.known.push(knowing.expectation(&state).unwrap_or(f32::NAN));
            }
        }
        state.play(mv);
    }
    Ok(())
}

/// The settings of a game's strongest player, see
/// [`AnyGame::strongest`](super::AnyGame::strongest).
fn strongest<E: Entry>(entry: &E) -> Settings {
    let players = entry.players();
    let best = players.iter().find(|preset| preset.name == "best").or(players.first());
    best.map_or_else(Settings::default, |preset| (preset.settings)())
}
