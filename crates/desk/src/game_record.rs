//! The moves of a game: the line from its start to the state on the board, and variations of it.

use crate::fault::{Code, Fault};
use crate::position::last_move;
use monteverde_game::{Game, Rng, Side};
use monteverde_players::face::{MoveView, side_name};
use monteverde_players::transcript::TranscriptStep;
use monteverde_players::{AnyState, AnyStep, Timer};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The number of a move in the tree of moves; numbers are never given again.
pub(crate) type MoveNode = u32;

/// The node of the start, which no move leads to.
pub(crate) const START: MoveNode = 0;

/// A game as it was played: a tree of moves, and the line of it that ends on the board.
pub(crate) struct GameRecord {
    start: AnyState,
    /// Both clocks at the start.
    start_timers: [Option<Timer>; 2],
    state: AnyState,
    moves: BTreeMap<MoveNode, PlayedMove>,
    /// The moves from the start to the state on the board.
    line: Vec<MoveNode>,
    /// How many numbers were given.
    numbers: MoveNode,
}

/// One move, what chance made of it, and what is told about it.
struct PlayedMove {
    /// The move before it.
    parent: MoveNode,
    mv: AnyStep,
    event: Option<AnyStep>,
    text: String,
    label: String,
    view: MoveView,
    side: Side,
    /// The piece that it took, in JSON; empty where it took none.
    captured: Box<str>,
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
    /// What the engine said, as the history tells it, in JSON: a text takes a tenth of what a
    /// value does, and games are kept for long.
    pub(crate) report: Box<str>,
    /// Both clocks after it.
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
    pub(crate) fn new(
        mut start: AnyState,
        start_timers: [Option<Timer>; 2],
        rng: &mut Rng,
    ) -> GameRecord {
        while start.is_pending() {
            let event = start.sample_event(rng);
            start.settle(event);
        }
        let (moves, line) = (BTreeMap::new(), Vec::new());
        GameRecord { state: start.clone(), start, start_timers, moves, line, numbers: START }
    }

    pub(crate) fn start(&self) -> &AnyState {
        &self.start
    }

    /// The state on the board.
    pub(crate) fn state(&self) -> &AnyState {
        &self.state
    }

    /// How many moves led to the state on the board.
    pub(crate) fn plies(&self) -> usize {
        self.line.len()
    }

    /// How many moves there are, those of variations included.
    pub(crate) fn moves(&self) -> usize {
        self.moves.len()
    }

    /// The node of the state on the board.
    pub(crate) fn tip(&self) -> MoveNode {
        self.line.last().copied().unwrap_or(START)
    }

    /// The node after so many plies of the line on the board.
    pub(crate) fn node_at(&self, ply: usize) -> Option<MoveNode> {
        match ply.checked_sub(1) {
            None => Some(START),
            Some(before) => self.line.get(before).copied(),
        }
    }

    /// Plays a legal move; [`GameRecord::settle`] is to follow.
    pub(crate) fn push(&mut self, mv: AnyStep, note: MoveNote) {
        let view = self.state.move_view(mv);
        let played = PlayedMove {
            parent: self.tip(),
            mv,
            event: None,
            text: self.state.move_text(mv),
            label: self.state.label(mv),
            captured: captured_piece(&self.state, &view).unwrap_or_default(),
            view,
            side: self.state.turn(),
            note,
        };
        self.numbers += 1;
        self.moves.insert(self.numbers, played);
        self.line.push(self.numbers);
        self.state.play(mv);
        self.unify();
    }

    /// Plays a step of a record: a move, or an event where one is pending.
    pub(crate) fn push_text(&mut self, text: &str, note: MoveNote) -> Result<(), Fault> {
        let illegal = |error| Fault::new(Code::IllegalMove, error);
        if self.state.is_pending() {
            let event = self.state.parse_event(text).map_err(illegal)?;
            self.push_event(event);
            return Ok(());
        }
        let mv = self.state.parse_move(text).map_err(illegal)?;
        self.push(mv, note);
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
        if let Some(played) = self.moves.get_mut(&self.tip()) {
            played.event = Some(event);
            played.label = format!("{} ({})", played.text, self.state.event_text(event));
        }
        self.state.settle(event);
        self.unify();
    }

    /// A move that was played before in the same state is the same node, with what is told of it
    /// now.
    fn unify(&mut self) {
        let tip = self.tip();
        if self.state.is_pending() || tip == START {
            return;
        }
        let new = &self.moves[&tip];
        let same = |(node, old): &(&MoveNode, &PlayedMove)| {
            **node != tip && (old.parent, old.mv, old.event) == (new.parent, new.mv, new.event)
        };
        let Some(old) = self.moves.iter().find(same).map(|(node, _)| *node) else { return };
        if let (Some(new), Some(known)) = (self.moves.remove(&tip), self.moves.get_mut(&old)) {
            known.note = new.note;
        }
        self.line.pop();
        self.line.push(old);
    }

    /// Takes back to that ply of the line: what was played after it is forgotten. Returns the
    /// clocks that were there.
    pub(crate) fn cut(&mut self, ply: usize) -> [Option<Timer>; 2] {
        if let Some(&first) = self.line.get(ply) {
            // Numbers grow along every line, so that parents are met before what follows them.
            let mut gone = vec![first];
            for (&node, played) in &self.moves {
                if gone.contains(&played.parent) {
                    gone.push(node);
                }
            }
            self.moves.retain(|node, _| !gone.contains(node));
        }
        self.line.truncate(ply);
        self.state = self.state_of(self.tip()).unwrap_or_else(|| self.start.clone());
        self.timers_at(self.tip())
    }

    /// Puts the state of a node on the board; nothing is forgotten. Returns the clocks that were
    /// there, `None` where there is no such node.
    pub(crate) fn go(&mut self, node: MoveNode) -> Option<[Option<Timer>; 2]> {
        self.state = self.state_of(node)?;
        self.line = self.path(node)?;
        Some(self.timers_at(node))
    }

    fn timers_at(&self, node: MoveNode) -> [Option<Timer>; 2] {
        self.moves.get(&node).map_or(self.start_timers, |played| played.note.timers)
    }

    /// The nodes from the start to a node; `None` where there is no such node.
    fn path(&self, node: MoveNode) -> Option<Vec<MoveNode>> {
        let (mut path, mut at) = (Vec::new(), node);
        while at != START {
            path.push(at);
            at = self.moves.get(&at)?.parent;
        }
        path.reverse();
        Some(path)
    }

    /// How many plies a node is from the start; `None` where there is no such node.
    pub(crate) fn depth(&self, node: MoveNode) -> Option<usize> {
        Some(self.path(node)?.len())
    }

    /// The ply of the last move of the line that came from there.
    pub(crate) fn last_by(&self, by: MovedBy) -> Option<usize> {
        self.line.iter().rposition(|node| self.moves[node].note.by == by)
    }

    /// The state of a node; `None` where there is no such node.
    pub(crate) fn state_of(&self, node: MoveNode) -> Option<AnyState> {
        let mut state = self.start.clone();
        for node in self.path(node)? {
            let played = &self.moves[&node];
            state.play(played.mv);
            if let Some(event) = played.event {
                state.settle(event);
            }
        }
        Some(state)
    }

    /// The move that leads to a node, as a position tells it.
    pub(crate) fn last_of(&self, node: MoveNode) -> Value {
        self.moves.get(&node).map(|played| last_move(&played.view)).unwrap_or_default()
    }

    /// How many bytes it takes, about.
    pub(crate) fn bytes(&self) -> usize {
        self.moves.values().map(PlayedMove::bytes).sum()
    }

    /// Every move of the line for the list beside the board.
    pub(crate) fn history(&self) -> Vec<Value> {
        let told = |(index, node)| self.moves[node].json(*node, index + 1);
        self.line.iter().enumerate().map(told).collect()
    }

    /// Every other move.
    pub(crate) fn variations(&self) -> Vec<Value> {
        let is_other = |(node, _): &(&MoveNode, &PlayedMove)| !self.line.contains(node);
        let told = |(node, played): (&MoveNode, &PlayedMove)| {
            played.json(*node, self.depth(*node).unwrap_or_default())
        };
        if self.moves.len() == self.line.len() {
            return Vec::new();
        }
        self.moves.iter().filter(is_other).map(told).collect()
    }

    /// Every step of the line; an event is one.
    pub(crate) fn steps(&self) -> Vec<TranscriptStep> {
        let step = |text: &str, chance| TranscriptStep {
            text: text.to_owned(),
            chance,
            ..TranscriptStep::default()
        };
        let steps = |node: &MoveNode| {
            let played = &self.moves[node];
            [Some(step(&played.text, false)), played.event_text().map(|text| step(text, true))]
        };
        self.line.iter().flat_map(steps).flatten().collect()
    }
}

/// The piece that a move takes, in JSON.
fn captured_piece(state: &AnyState, view: &MoveView) -> Option<Box<str>> {
    let square = view.captured.as_ref()?;
    let piece = state.board()?.pieces.into_iter().find(|piece| piece.square == *square)?;
    Some(serde_json::to_string(&piece).ok()?.into())
}

impl PlayedMove {
    fn bytes(&self) -> usize {
        // Squares are short texts, each with what the allocator needs.
        const SQUARES: usize = 5 * 32;
        size_of::<PlayedMove>()
            + self.text.len()
            + self.label.len()
            + self.note.report.len()
            + self.captured.len()
            + SQUARES
    }

    /// The event is the last word of the label, since its own state is gone.
    fn event_text(&self) -> Option<&str> {
        self.event?;
        self.label.rsplit_once(" (").map(|(_, event)| event.trim_end_matches(')'))
    }

    fn json(&self, node: MoveNode, ply: usize) -> Value {
        json!({
            "node": node,
            "parent": self.parent,
            "ply": ply,
            "side": side_name(self.side),
            "text": self.text,
            "label": self.label,
            "from": self.view.from,
            "to": self.view.to,
            "event": self.event_text(),
            "captured": serde_json::from_str::<Value>(&self.captured).unwrap_or_default(),
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
