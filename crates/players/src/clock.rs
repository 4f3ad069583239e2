//! Real time: the clock that searches are given, and how much of it a move gets.

use monteverde_mcts::Clock;
use std::time::{Duration, Instant};

/// The system's steady clock, from the moment it was started.
#[derive(Clone, Copy, Debug)]
pub struct WallClock(Instant);

impl WallClock {
    /// A clock that starts now.
    pub fn start() -> Self {
        WallClock(Instant::now())
    }
}

impl Clock for WallClock {
    fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }
}

/// The least time a move gets, however little is left.
const LEAST: Duration = Duration::from_millis(1);

/// The state of a side's game clock before its move.
#[derive(Clone, Copy, Debug, Default)]
pub struct Budget {
    /// What is left on the clock.
    pub remaining: Duration,
    /// What is added after each move.
    pub increment: Duration,
    /// Moves until the next time control, if there is one.
    pub moves_to_go: Option<u32>,
    /// What is lost between the engine and the clock with each move.
    pub overhead: Duration,
}

impl Budget {
    /// The time for this move: a fixed fraction of what is left, as in *Monte Carlo Chess*, plus the
    /// increment; never so much that the clock could run out.
    pub fn for_move(&self, fraction: u32) -> Duration {
        let usable = self.remaining.saturating_sub(self.overhead);
        let parts = self.moves_to_go.map_or(fraction, |moves| fraction.min(moves)).max(1);
        let wanted = usable / parts + self.increment.saturating_sub(self.overhead);
        // A tenth stays in reserve against a clock that is read late.
        wanted.min(usable * 9 / 10).max(LEAST)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    #[test]
    fn a_move_gets_a_fraction_of_what_is_left_and_the_increment() {
        let budget = Budget { remaining: ms(30_000), increment: ms(100), ..Budget::default() };
        assert_eq!(budget.for_move(30), ms(1_100));
        let last = Budget { remaining: ms(3_000), moves_to_go: Some(2), ..Budget::default() };
        assert_eq!(last.for_move(30), ms(1_500));
    }

    #[test]
    fn a_whole_game_never_runs_out_of_time() {
        for (start, increment, overhead) in
            [(1_000, 10, 10), (60_000, 0, 30), (100, 0, 10), (50, 5, 5)]
        {
            let mut left = ms(start);
            for _ in 0..500 {
                let budget = Budget {
                    remaining: left,
                    increment: ms(increment),
                    overhead: ms(overhead.min(2)),
                    moves_to_go: None,
                };
                let spent = budget.for_move(30);
                assert!(spent < left || left <= LEAST * 2, "{spent:?} of {left:?}");
                left = left.saturating_sub(spent) + ms(increment);
            }
        }
    }
}
