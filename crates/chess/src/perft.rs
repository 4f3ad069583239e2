//! Counting paths of legal moves.

use crate::Color;
use crate::army::{Army, Black, White};
use crate::generate::{Count, Each, generate};
use crate::isa::{self, Isa, Task};
use crate::position::Position;
use std::marker::PhantomData;

/// How many paths of exactly `depth` moves lead on.
pub(crate) fn perft(position: &Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    match position.turn {
        Color::White => isa::run(Perft { position, depth, army: PhantomData::<White> }),
        Color::Black => isa::run(Perft { position, depth, army: PhantomData::<Black> }),
    }
}

struct Perft<'a, A> {
    position: &'a Position,
    /// At least 1.
    depth: u32,
    army: PhantomData<A>,
}

impl<A: Army> Task for Perft<'_, A> {
    type Output = u64;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> u64 {
        if self.depth == 1 {
            // The moves of the last ply are counted, not played.
            let mut sink = Count::default();
            generate::<I, A, _>(isa, self.position, &mut sink);
            return u64::from(sink.0);
        }
        let mut paths = 0;
        let mut sink = Each(|mv| {
            let mut next = *self.position;
            next.play_as::<A>(mv);
            paths += isa.enter(Perft {
                position: &next,
                depth: self.depth - 1,
                army: PhantomData::<A::Enemy>,
            });
        });
        generate::<I, A, _>(isa, self.position, &mut sink);
        paths
    }
}
