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

/// So many moves' overheads are set aside before the clock is shared out, because each of the moves
/// to come loses one.
const RESERVED_OVERHEADS: u32 = 20;
/// A move leaves at least a tenth of the clock, and at least this or half of it, whichever is less:
/// a search looks at its clock only between batches of iterations, and the system may wake it late.
const MARGIN: Duration = Duration::from_millis(20);

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
    /// The time for this move: one part in `fraction` of what is left, as in *Monte Carlo Chess*
    /// (one in the moves to go, where they are fewer), plus the increment, less the overhead; never
    /// so much that the clock could run out. It is zero when there is nothing to spare: a search
    /// then stops after its first iterations.
    pub fn for_move(&self, fraction: u32) -> Duration {
        let parts = self.moves_to_go.map_or(fraction, |moves| fraction.min(moves)).max(1);
        let reserve = self.overhead.saturating_mul(RESERVED_OVERHEADS);
        let share = self.remaining.saturating_sub(reserve) / parts;
        let wanted = share.saturating_add(self.increment).saturating_sub(self.overhead);
        // Where the overhead would eat the whole share, a quarter of it is still spent on thought.
        wanted.max(share / 4).min(self.most())
    }

    /// The most that this move can take without a risk of losing on time.
    fn most(&self) -> Duration {
        let margin = (self.remaining / 10).max(MARGIN.min(self.remaining / 2));
        self.remaining.saturating_sub(margin).saturating_sub(self.overhead)
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

    /// A move really loses its lag, which is at most the overhead, and the time of a batch of
    /// iterations, since the search reads its clock that late.
    #[test]
    fn a_long_game_never_runs_out_of_time() {
        const LATE: Duration = Duration::from_micros(300);
        for (start, increment, overhead, lag, moves) in [
            (1_000, 10, 10, 10, 500),
            (1_000, 10, 10, 1, 5_000),
            (1_000, 10, 0, 0, 5_000),
            (1_000, 100, 10, 10, 5_000),
            (10, 1_000, 5, 0, 5_000),
            (10_000, 0, 10, 10, 100),
            (10_000, 0, 10, 1, 300),
            (60_000, 0, 30, 30, 150),
            (300_000, 0, 10, 10, 200),
            (300_000, 0, 10, 1, 400),
        ] {
            let mut left = ms(start);
            for number in 1..=moves {
                let budget = Budget {
                    remaining: left,
                    increment: ms(increment),
                    overhead: ms(overhead),
                    moves_to_go: None,
                };
                let spent = budget.for_move(30) + ms(lag) + LATE;
                assert!(spent < left, "{start}+{increment}, move {number}: {spent:?} of {left:?}");
                left = left - spent + ms(increment);
            }
        }
    }

    #[test]
    fn a_time_control_is_reached_with_time_to_spare() {
        for (start, moves, overhead) in [(60_000, 40, 10), (1_000, 20, 10), (500, 1, 10)] {
            let mut left = ms(start);
            for to_go in (1..=moves).rev() {
                let budget = Budget {
                    remaining: left,
                    overhead: ms(overhead),
                    moves_to_go: Some(to_go),
                    ..Budget::default()
                };
                let spent = budget.for_move(30) + ms(overhead + 1);
                assert!(spent < left, "{to_go} to go: {spent:?} of {left:?}");
                left -= spent;
            }
        }
    }

    #[test]
    fn no_clock_is_too_short_or_too_long() {
        for remaining in [0, 1, 5, 10, 11, 20, 40, 100, 1_000, u64::MAX] {
            for increment in [0, 10, 10_000, u64::MAX] {
                for moves_to_go in [None, Some(0), Some(1), Some(u32::MAX)] {
                    let (remaining, overhead) = (ms(remaining), ms(10));
                    let budget =
                        Budget { remaining, increment: ms(increment), moves_to_go, overhead };
                    for fraction in [0, 1, 30, u32::MAX] {
                        let spent = budget.for_move(fraction);
                        let worst = spent.saturating_add(overhead) + remaining / 10;
                        assert!(spent.is_zero() || worst <= remaining, "{budget:?}: {spent:?}");
                    }
                }
            }
        }
        let forever = Budget {
            remaining: Duration::MAX,
            increment: Duration::MAX,
            overhead: Duration::MAX,
            moves_to_go: None,
        };
        assert_eq!(forever.for_move(1), Duration::ZERO);
    }
}
