//! The moves of a game from its start to the state on the board.

use crate::fault::{Code, Fault};
use crate::shape::{Shape, label, shape, side_name};
use monteverde_game::{Notation, Rng, Side};
use monteverde_lab::pace::Timer;
use serde_json::{Value, json};

/// A game as it was played.
pub(crate) struct Line<G: Notation> {
    start: G,
    state: G,
    taken: Vec<Taken<G>>,
}

/// One move, what chance made of it, and what is told about it.
struct Taken<G: Notation> {
    mv: G::Move,
    event: Option<G::Event>,
    text: String,
    label: String,
    shape: Shape,
    side: Side,
    note: Note,
}

/// What is known of a move beside the move.
#[derive(Clone, Debug)]
pub(crate) struct Note {
    pub(crate) by: By,
    /// How long it took.
    pub(crate) seconds: Option<f64>,
    /// What is left on the mover's clock after it.
    pub(crate) left_ms: Option<u64>,
    /// What the engine said, as the history tells it.
    pub(crate) report: Value,
    /// Both clocks before it.
    pub(crate) timers: [Option<Timer>; 2],
}

/// Where a move came from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum By {
    Human,
    Engine,
    Record,
}

impl Note {
    pub(crate) fn new(by: By, timers: [Option<Timer>; 2]) -> Note {
        Note { by, seconds: None, left_ms: None, report: Value::Null, timers }
    }
}

impl<G: Notation> Line<G> {
    /// A game without moves; chance settles its start where that is pending.
    pub(crate) fn new(mut start: G, rng: &mut Rng) -> Line<G> {
        while start.is_pending() {
            let event = start.sample_event(rng);
            start.settle(event);
        }
        Line { state: start.clone(), start, taken: Vec::new() }
    }

    pub(crate) fn start(&self) -> &G {
        &self.start
    }

    /// The state on the board.
    pub(crate) fn state(&self) -> &G {
        &self.state
    }

    /// How many moves were played.
    pub(crate) fn plies(&self) -> usize {
        self.taken.len()
    }

    /// Plays a legal move; [`Line::settle`] is to follow.
    pub(crate) fn push(&mut self, mv: G::Move, note: Note) {
        self.taken.push(Taken {
            mv,
            event: None,
            text: self.state.move_text(mv),
            label: label(&self.state, mv),
            shape: shape(&self.state, mv),
            side: self.state.turn(),
            note,
        });
        self.state.play(mv);
    }

    /// Plays a step of a record: a move, or an event where one is pending.
    pub(crate) fn push_text(&mut self, text: &str, by: By) -> Result<(), Fault> {
        let illegal = |error| Fault::new(Code::IllegalMove, error);
        if self.state.is_pending() {
            let event = self.state.parse_event(text).map_err(illegal)?;
            self.push_event(event);
            return Ok(());
        }
        let mv = self.state.parse_move(text).map_err(illegal)?;
        self.push(mv, Note::new(by, [None, None]));
        Ok(())
    }

    /// Lets chance decide where it is to. Returns what it drew.
    pub(crate) fn settle(&mut self, rng: &mut Rng) -> Option<G::Event> {
        let mut drawn = None;
        while self.state.is_pending() {
            let event = self.state.sample_event(rng);
            self.push_event(event);
            drawn = Some(event);
        }
        drawn
    }

    fn push_event(&mut self, event: G::Event) {
        if let Some(taken) = self.taken.last_mut() {
            taken.event = Some(event);
            taken.label = format!("{} ({})", taken.text, self.state.event_text(event));
        }
        self.state.settle(event);
    }

    /// Takes back to that ply. Returns the clocks that were there, if a move was taken back.
    pub(crate) fn cut(&mut self, ply: usize) -> Option<[Option<Timer>; 2]> {
        let timers = self.taken.get(ply).map(|taken| taken.note.timers);
        self.taken.truncate(ply);
        self.state = self.replay(ply);
        timers
    }

    /// The ply of the last move that came from there.
    pub(crate) fn last_by(&self, by: By) -> Option<usize> {
        self.taken.iter().rposition(|taken| taken.note.by == by)
    }

    /// The state at that ply and the move that led to it, as a position tells it.
    pub(crate) fn at(&self, ply: usize) -> Option<(G, Value)> {
        let last = |ply: usize| self.taken.get(ply).map(|taken| taken.shape.last());
        let last = ply.checked_sub(1).and_then(last).unwrap_or_default();
        (ply <= self.taken.len()).then(|| (self.replay(ply), last))
    }

    /// The last move, as a position tells it.
    pub(crate) fn last(&self) -> Value {
        self.taken.last().map(|taken| taken.shape.last()).unwrap_or_default()
    }

    fn replay(&self, ply: usize) -> G {
        let mut state = self.start.clone();
        for taken in &self.taken[..ply.min(self.taken.len())] {
            state.play(taken.mv);
            if let Some(event) = taken.event {
                state.settle(event);
            }
        }
        state
    }

    /// Every move for the list beside the board.
    pub(crate) fn history(&self) -> Vec<Value> {
        self.taken.iter().enumerate().map(|(index, taken)| taken.json(index + 1)).collect()
    }

    /// Every step as text; an event is a step, in parentheses.
    pub(crate) fn texts(&self) -> Vec<String> {
        let steps = |taken: &Taken<G>| {
            [Some(taken.text.clone()), taken.event_text().map(|text| format!("({text})"))]
        };
        self.taken.iter().flat_map(steps).flatten().collect()
    }
}

impl<G: Notation> Taken<G> {
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
            "from": self.shape.from,
            "to": self.shape.to,
            "event": self.event_text(),
            "by": match self.note.by {
                By::Human => "human",
                By::Engine => "engine",
                By::Record => "record",
            },
            "seconds": self.note.seconds,
            "left_ms": self.note.left_ms,
            "report": self.note.report,
        })
    }
}
