//! The steps that have led to a state, shared by all states that go on from it.

use monteverde_players::AnyStep;
use std::sync::Arc;

/// Some steps. A copy costs nothing, and one step more costs a small allocation now and then.
#[derive(Clone, Debug, Default)]
pub(crate) struct Line(Option<Arc<Piece>>);

/// How many steps a piece has room for.
const ROOM: usize = 16;

/// A few steps and those before them. A piece that only one line holds grows in place.
#[derive(Clone, Debug)]
struct Piece {
    steps: [LineStep; ROOM],
    used: usize,
    /// How many steps there are before these.
    earlier: usize,
    before: Line,
}

/// A move or an event.
#[derive(Clone, Copy, Debug)]
pub(crate) enum LineStep {
    Move(AnyStep),
    Event(AnyStep),
}

impl Line {
    /// Goes on by a step.
    pub(crate) fn push(&mut self, step: LineStep) {
        match &mut self.0 {
            Some(piece) if piece.used < ROOM => {
                let piece = Arc::make_mut(piece);
                piece.steps[piece.used] = step;
                piece.used += 1;
            }
            _ => {
                let earlier = self.len();
                let before = std::mem::take(self);
                let piece = Piece { steps: [step; ROOM], used: 1, earlier, before };
                self.0 = Some(Arc::new(piece));
            }
        }
    }

    /// How many steps there are.
    pub(crate) fn len(&self) -> usize {
        self.0.as_ref().map_or(0, |piece| piece.earlier + piece.used)
    }

    /// The step that was taken last.
    pub(crate) fn last(&self) -> Option<LineStep> {
        self.0.as_ref().map(|piece| piece.steps[piece.used - 1])
    }

    /// All steps, the first of them first.
    pub(crate) fn steps(&self) -> Vec<LineStep> {
        let mut steps = Vec::with_capacity(self.len());
        let mut at = &self.0;
        while let Some(piece) = at {
            steps.extend(piece.steps[..piece.used].iter().rev());
            at = &piece.before.0;
        }
        steps.reverse();
        steps
    }
}

impl Drop for Line {
    /// One by one: a long game dropped from within each piece would overflow the stack.
    fn drop(&mut self) {
        let mut next = self.0.take();
        while let Some(mut piece) = next.and_then(Arc::into_inner) {
            next = piece.before.0.take();
        }
    }
}
