//! Scores by a player for the states of games that others have played.

use crate::data::{GameData, StepData, StepKind, score_of};
use crate::error::DataError;
use crate::format::{OF, OF_DIGEST};
use crate::produce::Make;
use crate::reader::DataFile;
use crate::selfplay::{MakePlayer, shares, think};
use monteverde_game::limit::{Limit, Signal};
use monteverde_game::rng::stream_seed;
use monteverde_game::{Game, Outcome};
use monteverde_players::{AnyGame, AnyState, AnyStep, Transcript};
use serde_json::{Map, Value};
use std::path::PathBuf;

/// Games or states to be scored.
#[derive(Debug)]
pub struct Unlabelled {
    /// Where they came from.
    pub path: PathBuf,
    /// The game.
    pub game: AnyGame,
    /// The games; a state alone is a game without steps.
    pub games: Vec<GameData>,
}

impl Unlabelled {
    /// Those of a file of games for training: what it holds of scores is left out.
    pub fn of_data(game: AnyGame, file: &DataFile) -> Unlabelled {
        let renumbered = |(number, old)| GameData { number, ..old };
        let games = (0..).zip(file.games()).map(renumbered).collect();
        Unlabelled { path: file.path().to_owned(), game, games }
    }

    /// Those of records, such as PGN.
    pub fn of_records(
        game: AnyGame,
        path: PathBuf,
        records: &[Transcript],
    ) -> Result<Unlabelled, DataError> {
        let mut games = Vec::with_capacity(records.len());
        for (number, record) in records.iter().enumerate() {
            let number = number as u32;
            let read = of_record(game, number, record);
            games.push(read.map_err(|problem| DataError::BadGame {
                path: path.clone(),
                number,
                problem,
            })?);
        }
        Ok(Unlabelled { path, game, games })
    }

    /// States, each as its text.
    pub fn of_states(game: AnyGame, path: PathBuf, states: Vec<String>) -> Unlabelled {
        let state = |(number, start)| GameData {
            number: number as u32,
            start,
            steps: Vec::new(),
            outcome: None,
        };
        Unlabelled { path, game, games: states.into_iter().enumerate().map(state).collect() }
    }

    /// What stands in the header of a file of their labels.
    pub fn arguments(&self) -> Map<String, Value> {
        let mut arguments = Map::new();
        arguments.insert(OF.to_owned(), self.path.display().to_string().into());
        arguments.insert(OF_DIGEST.to_owned(), self.digest().into());
        arguments.insert("of_games".to_owned(), self.games.len().into());
        arguments
    }

    /// What tells the games from others, in hexadecimal digits.
    fn digest(&self) -> String {
        let mut hasher = blake3::Hasher::new();
        for game in &self.games {
            let columns = game.encode();
            hasher.update(&(columns.len() as u64).to_le_bytes());
            hasher.update(&columns);
        }
        hasher.finalize().to_hex().to_string()
    }
}

/// The steps of a record by their places in the lists.
fn of_record(game: AnyGame, number: u32, record: &Transcript) -> Result<GameData, String> {
    let mut state = game.read_state(&record.start).map_err(|error| error.to_string())?;
    let (mut steps, mut moves, mut events) = (Vec::new(), Vec::new(), Vec::new());
    for step in &record.steps {
        if state.is_pending() {
            let event = state.parse_event(&step.text).map_err(|error| error.to_string())?;
            events.clear();
            state.events(&mut events);
            let index = events.iter().position(|&(known, _)| known == event);
            let index = index.ok_or_else(|| format!("'{}' cannot happen", step.text))?;
            steps.push(StepData::bare(StepKind::Event, index as u16));
            state.settle(event);
        } else {
            let mv = state.parse_move(&step.text).map_err(|error| error.to_string())?;
            moves.clear();
            state.moves(&mut moves);
            let index = moves.iter().position(|&known| known == mv);
            let index = index.ok_or_else(|| format!("'{}' is not legal", step.text))?;
            steps.push(StepData::bare(StepKind::Move(state.turn()), index as u16));
            state.play(mv);
        }
    }
    let over = if state.is_pending() { None } else { state.outcome() };
    let start = if record.start == "startpos" { String::new() } else { record.start.clone() };
    Ok(GameData { number, start, steps, outcome: record.outcome.or(over) })
}

/// The state that a game begins with.
pub(crate) fn first_state(game: AnyGame, data: &GameData) -> Result<AnyState, String> {
    match data.start.as_str() {
        "" => Ok(game.start()),
        text => game.read_state(text).map_err(|error| error.to_string()),
    }
}

/// Labels games.
pub struct Labels<'a> {
    /// The games.
    pub of: &'a Unlabelled,
    /// Who scores.
    pub player: &'a MakePlayer<'a>,
    /// How long it thinks about a state.
    pub limit: Limit<AnyStep>,
    /// Where the random numbers start.
    pub seed: u64,
    /// Whether the shares of visits are kept.
    pub keeps_shares: bool,
}

impl Make for Labels<'_> {
    fn make(&self, number: u32) -> Result<GameData, DataError> {
        self.label(&self.of.games[number as usize], &Signal::default())
    }
}

impl Labels<'_> {
    /// Scores a game, unless it is stopped.
    pub(crate) fn label(&self, old: &GameData, stop: &Signal) -> Result<GameData, DataError> {
        let Unlabelled { path, game, .. } = self.of;
        let number = old.number;
        let wrong = |problem: String| DataError::BadGame { path: path.clone(), number, problem };
        let state = first_state(*game, old).map_err(wrong)?;
        let (steps, outcome) = self.steps(old, state, stop).map_err(wrong)?;
        if stop.is_stopped() {
            return Err(DataError::Stopped);
        }
        Ok(GameData { number, start: old.start.clone(), steps, outcome: old.outcome.or(outcome) })
    }

    /// The steps with their scores, and how the game has ended by its rules if it has. A state
    /// without steps gets its best move as its only one.
    fn steps(
        &self,
        old: &GameData,
        mut state: AnyState,
        stop: &Signal,
    ) -> Result<(Vec<StepData>, Option<Outcome>), String> {
        let seed = stream_seed(self.seed, u64::from(old.number));
        let mut player = (self.player)(seed, &state);
        player.begin(&state);
        let (mut steps, mut moves, mut events) = (Vec::new(), Vec::new(), Vec::new());
        for number in 0..old.steps.len().max(1) {
            let step = old.steps.get(number);
            let gone = || format!("there is no step {number} such as the file says");
            if state.is_pending() {
                let Some(step) = step.filter(|step| step.kind == StepKind::Event) else {
                    return Err(gone());
                };
                events.clear();
                state.events(&mut events);
                let event = events.get(usize::from(step.index)).ok_or_else(gone)?.0;
                steps.push(StepData::bare(StepKind::Event, step.index));
                state.settle(event);
                player.settle(event);
                continue;
            }
            if state.outcome().is_some() {
                break;
            }
            moves.clear();
            state.moves(&mut moves);
            let report = think(&mut *player, &self.limit, stop);
            if stop.is_stopped() {
                break;
            }
            let best = moves.iter().position(|&mv| Some(mv) == report.best);
            let best = best.ok_or("the player knows no move")? as u16;
            let index = step.map_or(best, |step| step.index);
            let mv = *moves.get(usize::from(index)).ok_or_else(gone)?;
            let kind = StepKind::Move(state.turn());
            if step.is_some_and(|step| step.kind != kind) {
                return Err(gone());
            }
            steps.push(StepData {
                kind,
                index,
                score: Some(score_of(report.mean)),
                best: Some(best).filter(|&best| best != index),
                shares: if self.keeps_shares { shares(&report, &moves) } else { Vec::new() },
            });
            state.play(mv);
            player.play(mv);
        }
        let outcome = if state.is_pending() { None } else { state.outcome() };
        Ok((steps, outcome.filter(|_| !old.steps.is_empty())))
    }
}
