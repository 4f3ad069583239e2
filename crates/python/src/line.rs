//! The steps that have led to a state, shared by all states that go on from it.

use monteverde_players::AnyStep;
use std::sync::Arc;

/// Some steps; a copy costs nothing, and one step more costs one small allocation.
#[derive(Clone, Debug, Default)]
pub(crate) struct Line(Option<Arc<Link>>);

/// A step and those before it.
#[derive(Debug)]
struct Link {
    step: LineStep,
    length: usize,
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
        let length = self.len() + 1;
        let before = std::mem::take(self);
        *self = Line(Some(Arc::new(Link { step, length, before })));
    }

    /// How many steps there are.
    pub(crate) fn len(&self) -> usize {
        self.0.as_ref().map_or(0, |link| link.length)
    }

    /// All steps, the first of them first.
    pub(crate) fn steps(&self) -> Vec<LineStep> {
        let mut steps = Vec::with_capacity(self.len());
        let mut at = &self.0;
        while let Some(link) = at {
            steps.push(link.step);
            at = &link.before.0;
        }
        steps.reverse();
        steps
    }
}

impl Drop for Line {
    /// One by one: a long game dropped from within each step would overflow the stack.
    fn drop(&mut self) {
        let mut next = self.0.take();
        while let Some(mut link) = next.and_then(Arc::into_inner) {
            next = link.before.0.take();
        }
    }
}
