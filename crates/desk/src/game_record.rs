//! The moves of a game from its start to the state on the board.

use crate::fault::{Code, Fault};
use crate::position::last_move;
use monteverde_game::{Game, Rng, Side};
use monteverde_players::face::{MoveView, side_name};
use monteverde_players::transcript::TranscriptStep;
use monteverde_players::{AnyState, AnyStep, Timer};
use serde_json::{Value, json};

/// A game as it was played.
pub(crate) struct GameRecord {
    start: AnyState,
    state: AnyState,
    moves: Vec<PlayedMove>,
}

/// One move, what chance made of it, and what is told about it.
struct PlayedMove {
    mv: AnyStep,
    event: Option<AnyStep>,
    text: String,
    label: String,
    view: MoveView,
    side: Side,
    note: MoveNote,
}

/// What is known of a move beside the move.
#[derive(Clone, Debug)]
pub(crate) struct MoveNote {
    pub(crate) by: MovedBy,
    /// How long it took.
    pub(crate) seconds: Option<f64>,
    /// What is left on the mover's clock after it.
    pub(crate) left_ms: Option<u64>,
    /// What the engine said, as the history tells it, in JSON: a text takes a tenth of what a value
    /// does, and games are kept for long.
    pub(crate) report: Box<str>,
    /// Both clocks before it.
    pub(crate) timers: [Option<Timer>; 2],
}

/// Where a move came from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum MovedBy {
    Human,
    Engine,
    Record,
}

impl MoveNote {
    pub(crate) fn new(by: MovedBy, timers: [Option<Timer>; 2]) -> MoveNote {
        MoveNote { by, seconds: None, left_ms: None, report: "null".into(), timers }
    }
}

impl GameRecord {
    /// A game without moves; chance settles its start where that is pending.
    pub(crate) fn new(mut start: AnyState, rng: &mut Rng) -> GameRecord {
        while start.is_pending() {
            let event = start.sample_event(rng);
            start.settle(event);
        }
        GameRecord { state: start.clone(), start, moves: Vec::new() }
    }

    pub(crate) fn start(&self) -> &AnyState {
        &self.start
    }

    /// The state on the board.
    pub(crate) fn state(&self) -> &AnyState {
        &self.state
    }

    /// How many moves were played.
    pub(crate) fn plies(&self) -> usize {
        self.moves.len()
    }

    /// Plays a legal move; [`GameRecord::settle`] is to follow.
    pub(crate) fn push(&mut self, mv: AnyStep, note: MoveNote) {
        self.moves.push(PlayedMove {
            mv,
            event: None,
            text: self.state.move_text(mv),
            label: self.state.label(mv),
            view: self.state.move_view(mv),
            side: self.state.turn(),
            note,
        });
        self.state.play(mv);
    }

    /// Plays a step of a record: a move, or an event where one is pending.
    pub(crate) fn push_text(&mut self, text: &str, by: MovedBy) -> Result<(), Fault> {
        let illegal = |error| Fault::new(Code::IllegalMove, error);
        if self.state.is_pending() {
            let event = self.state.parse_event(text).map_err(illegal)?;
            self.push_event(event);
            return Ok(());
        }
        let mv = self.state.parse_move(text).map_err(illegal)?;
        self.push(mv, MoveNote::new(by, [None, None]));
        Ok(())
    }

    /// Lets chance decide where it is to. Returns what it drew.
    pub(crate) fn settle(&mut self, rng: &mut Rng) -> Option<AnyStep> {
        let mut drawn = None;
        while self.state.is_pending() {
            let event = self.state.sample_event(rng);
            self.push_event(event);
            drawn = Some(event);
        }
        drawn
    }

    fn push_event(&mut self, event: AnyStep) {
        if let Some(played) = self.moves.last_mut() {
            played.event = Some(event);
            played.label = format!("{} ({})", played.text, self.state.event_text(event));
        }
        self.state.settle(event);
    }

    /// Takes back to that ply. Returns the clocks that were there, if a move was taken back.
    pub(crate) fn cut(&mut self, ply: usize) -> Option<[Option<Timer>; 2]> {
        let timers = self.moves.get(ply).map(|played| played.note.timers);
        self.moves.truncate(ply);
        self.state = self.replay(ply);
        timers
    }

    /// The ply of the last move that came from there.
    pub(crate) fn last_by(&self, by: MovedBy) -> Option<usize> {
        self.moves.iter().rposition(|played| played.note.by == by)
    }

    /// The state at that ply and the move that led to it, as a position tells it.
    pub(crate) fn at(&self, ply: usize) -> Option<(AnyState, Value)> {
        let last = |ply: usize| self.moves.get(ply).map(|played| last_move(&played.view));
        let last = ply.checked_sub(1).and_then(last).unwrap_or_default();
        (ply <= self.moves.len()).then(|| (self.replay(ply), last))
    }

    /// The last move, as a position tells it.
    pub(crate) fn last(&self) -> Value {
        self.moves.last().map(|played| last_move(&played.view)).unwrap_or_default()
    }

    fn replay(&self, ply: usize) -> AnyState {
        let mut state = self.start.clone();
        for played in &self.moves[..ply.min(self.moves.len())] {
            state.play(played.mv);
            if let Some(event) = played.event {
                state.settle(event);
            }
        }
        state
    }

    /// How many bytes it takes, about.
    pub(crate) fn bytes(&self) -> usize {
        self.moves.iter().map(PlayedMove::bytes).sum()
    }

    /// Every move for the list beside the board.
    pub(crate) fn history(&self) -> Vec<Value> {
        self.moves.iter().enumerate().map(|(index, played)| played.json(index + 1)).collect()
    }

    /// Every step; an event is one.
    pub(crate) fn steps(&self) -> Vec<TranscriptStep> {
        let step = |text: &str, chance| TranscriptStep {
            text: text.to_owned(),
            chance,
            ..TranscriptStep::default()
        };
        let steps = |played: &PlayedMove| {
            [Some(step(&played.text, false)), played.event_text().map(|text| step(text, true))]
        };
        self.moves.iter().flat_map(steps).flatten().collect()
    }
}

impl PlayedMove {
    fn bytes(&self) -> usize {
        // Squares are short texts, each with what the allocator needs.
        const SQUARES: usize = 5 * 32;
        size_of::<PlayedMove>()
            + self.text.len()
            + self.label.len()
            + self.note.report.len()
            + SQUARES
    }

    /// The event is the last word of the label, since its own state is gone.
    fn event_text(&self) -> Option<&str> {
        self.event?;
        self.label.rsplit_once(" (").map(|(_, event)| event.trim_end_matches(')'))
    }

    fn json(&self, ply: usize) -> Value {
        json!({
            "ply": ply,
            "side": side_name(self.side),
            "text": self.text,
            "label": self.label,
            "from": self.view.from,
            "to": self.view.to,
            "event": self.event_text(),
            "by": match self.note.by {
                MovedBy::Human => "human",
                MovedBy::Engine => "engine",
                MovedBy::Record => "record",
            },
            "seconds": self.note.seconds,
            "left_ms": self.note.left_ms,
            "report": serde_json::from_str::<Value>(&self.note.report).unwrap_or_default(),
        })
    }
}
