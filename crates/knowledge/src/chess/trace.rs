//! What an evaluation is made of, for the tuner.

use super::ending::{self, mop_up, scale};
use super::evaluate::{Sink, survey};
use super::terms::TERMS;
use super::{WHOLE_PHASE, phase_of};
use monteverde_chess::Board;
use monteverde_chess::isa::{self, Isa, Task};

/// Everything about a board that its value depends on, besides the weights. All for White.
#[derive(Clone, PartialEq, Debug)]
pub struct Trace {
    /// The terms that one side has more often than the other, and how much more often White has
    /// them.
    pub terms: Vec<(u16, i8)>,
    /// How much of the middlegame there is, 0.0 to 1.0.
    pub phase: f32,
    /// How much is left of the value, 0.0 to 1.0, where White is ahead and where Black is.
    pub scale: [f32; 2],
    /// What does not depend on weights, in centipawns.
    pub rest: f32,
}

/// The terms of the board, by the same code that evaluates it.
pub fn trace(board: &Board) -> Trace {
    isa::run(Tracing { board })
}

impl Trace {
    /// The value for White under these weights, each for the middlegame and for the ending.
    pub fn value(&self, weights: &[[f32; 2]]) -> f32 {
        let tapered = self.tapered(weights);
        tapered * self.scale_of(tapered) + self.rest
    }

    /// The value without scale and rest.
    #[inline]
    pub fn tapered(&self, weights: &[[f32; 2]]) -> f32 {
        let (mut midgame, mut endgame) = (0.0, 0.0);
        for &(term, count) in &self.terms {
            let weight = weights[usize::from(term)];
            midgame += weight[0] * f32::from(count);
            endgame += weight[1] * f32::from(count);
        }
        midgame * self.phase + endgame * (1.0 - self.phase)
    }

    /// How much is left of the value for the side that it says is ahead.
    #[inline]
    pub fn scale_of(&self, tapered: f32) -> f32 {
        self.scale[usize::from(tapered < 0.0)]
    }
}

struct Tracing<'a> {
    board: &'a Board,
}

impl Task for Tracing<'_> {
    type Output = Trace;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Trace {
        let mut counts = TermCounts([0; TERMS]);
        let [white, black] = survey(isa, self.board, &mut counts);
        let part = |scale: i32| scale as f32 / ending::WHOLE as f32;
        let terms = (0..).zip(counts.0).filter(|&(_, count)| count != 0).collect();
        Trace {
            terms,
            phase: phase_of(&white, &black) as f32 / WHOLE_PHASE as f32,
            scale: [part(scale(&white, &black)), part(scale(&black, &white))],
            rest: (mop_up(&white, &black) - mop_up(&black, &white)) as f32,
        }
    }
}

/// Counts terms.
struct TermCounts([i8; TERMS]);

impl Sink for TermCounts {
    #[inline(always)]
    fn add(&mut self, term: usize, count: i32) {
        self.0[term] += count as i8;
    }
}
