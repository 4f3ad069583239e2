//! How games for training begin: at a start of some kind, then random moves.

use crate::data::{StepData, StepKind};
use crate::error::DataError;
use monteverde_game::{Game, Rng};
use monteverde_players::{AnyGame, AnyState};
use std::ops::RangeInclusive;

/// How games begin.
#[derive(Clone, PartialEq, Debug)]
pub struct Openings {
    /// So many random moves, each number as likely as the others.
    pub plies: RangeInclusive<u32>,
    /// Which share of the games begins with a start of that kind; the others begin with the
    /// initial state.
    pub starts: Vec<(String, f64)>,
}

/// What a game begins with.
#[derive(Debug)]
pub(crate) struct Opening {
    /// The state text; empty for the initial state.
    pub(crate) start: String,
    /// The moves and events.
    pub(crate) steps: Vec<StepData>,
    /// The states before these and after all of them.
    pub(crate) first: AnyState,
    pub(crate) last: AnyState,
}

/// How often random moves are drawn until the game is not over after them.
const TRIES: u32 = 1000;

impl Openings {
    /// Reads shares such as `shuffled=0.2,odd=0.1`; empty for none.
    pub fn read_starts(game: AnyGame, text: &str) -> Result<Vec<(String, f64)>, DataError> {
        let known = game.start_kinds();
        let accepted = match &*known {
            [] => format!("{} has no other starts than the initial state", game.name()),
            kinds => {
                let names = kinds.iter().map(|(name, about)| format!("{name} ({about})"));
                let names: Vec<_> = names.collect();
                let (first, _) = kinds[0];
                format!("accepted are shares of these, such as {first}=0.2: {}", names.join(", "))
            }
        };
        let wrong = |part: &str, problem: &str| {
            DataError::Starts(format!("'{}' {problem}; {accepted}", part.escape_debug()))
        };
        let mut starts: Vec<(String, f64)> = Vec::new();
        for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
            let (name, share) = part.split_once('=').ok_or_else(|| wrong(part, "has no share"))?;
            let (name, share) = (name.trim(), share.trim().parse::<f64>().ok());
            let share = share.filter(|share| (0.0..=1.0).contains(share));
            let share = share.ok_or_else(|| wrong(part, "has no share from 0 to 1"))?;
            if !known.iter().any(|(kind, _)| *kind == name) {
                return Err(wrong(name, "is no kind of start"));
            }
            if starts.iter().any(|(other, _)| other == name) {
                return Err(wrong(name, "is given twice"));
            }
            starts.push((name.to_owned(), share));
        }
        match starts.iter().map(|(_, share)| share).sum::<f64>() <= 1.0 {
            true => Ok(starts),
            false => Err(wrong(text, "is more than all games")),
        }
    }

    /// Draws an opening after which the game is not over.
    pub(crate) fn draw(&self, game: AnyGame, rng: &mut Rng) -> Result<Opening, DataError> {
        let (least, most) = (*self.plies.start(), *self.plies.end());
        let plies = least + rng.below(most.saturating_sub(least).saturating_add(1));
        for _ in 0..TRIES {
            let (start, first) = self.draw_start(game, rng);
            let mut last = first.clone();
            if let Some(steps) = random_steps(&mut last, plies, rng) {
                return Ok(Opening { start, steps, first, last });
            }
        }
        Err(DataError::Opening { plies, tries: TRIES })
    }

    fn draw_start(&self, game: AnyGame, rng: &mut Rng) -> (String, AnyState) {
        let mut point = rng.unit();
        for (kind, share) in &self.starts {
            if point < *share {
                let state = game.draw_start(kind, rng).expect("kinds are known when they are read");
                return (state.state_text(), state);
            }
            point -= share;
        }
        (String::new(), game.start())
    }
}

/// Plays so many random moves, `None` if they end the game.
fn random_steps(state: &mut AnyState, plies: u32, rng: &mut Rng) -> Option<Vec<StepData>> {
    let (mut steps, mut moves) = (Vec::new(), Vec::new());
    for _ in 0..plies {
        settle(state, rng, &mut steps, |_| {});
        if state.outcome().is_some() {
            return None;
        }
        moves.clear();
        state.moves(&mut moves);
        let index = rng.below(moves.len() as u32) as usize;
        steps.push(StepData::bare(StepKind::Move(state.turn()), index as u16));
        state.play(moves[index]);
    }
    settle(state, rng, &mut steps, |_| {});
    state.outcome().is_none().then_some(steps)
}

/// Lets chance decide while it has to.
pub(crate) fn settle(
    state: &mut AnyState,
    rng: &mut Rng,
    steps: &mut Vec<StepData>,
    mut tell: impl FnMut(<AnyState as Game>::Event),
) {
    let mut events = Vec::new();
    while state.is_pending() {
        let event = state.sample_event(rng);
        events.clear();
        state.events(&mut events);
        let index = events.iter().position(|&(known, _)| known == event);
        let index = index.expect("an event that was drawn is in the list");
        steps.push(StepData::bare(StepKind::Event, index as u16));
        state.settle(event);
        tell(event);
    }
}
