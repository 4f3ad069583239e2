//! Real time: the clock that searches are given, and how much of it a move gets.

use monteverde_game::limit::MoveTime;
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
/// A move spends three of so many parts of the increment: with a thirtieth of the clock for each
/// move, seven and a half increments then stay on it for whenever the system is busy. All of it
/// would bring the clock of a long game down to the last milliseconds.
const INCREMENT_PARTS: u32 = 4;
/// A move leaves at least a tenth of the clock, and at least this or half of it, whichever is less:
/// a search looks at its clock only between batches of iterations, and the system may wake it late.
const MARGIN: Duration = Duration::from_millis(20);
/// A move takes more than its usual time only up to one part in so many of the clock ...
const STRETCHED_PARTS: u32 = 4;
/// ... and only of what so many moves' overheads leave, as far as increments do not pay for them:
/// else a long game would be lost by its overheads, once moves have taken their most.
const STRETCHED_OVERHEADS: u32 = 300;

/// How a player spends its clock.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ClockUse {
    /// A move usually gets one part in so many of what is left.
    pub fraction: u32,
    /// The most that it may get, in usual times.
    pub stretch: f64,
}

impl ClockUse {
    /// Every move gets its fraction, no more.
    pub fn fixed(fraction: u32) -> ClockUse {
        ClockUse { fraction, stretch: 1.0 }
    }
}

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
    /// (one in the moves to go, where they are fewer), plus most of the increment, less the
    /// overhead; never so much that the clock could run out. It is zero when there is nothing to
    /// spare: a search then stops after its first iterations.
    pub fn for_move(&self, fraction: u32) -> Duration {
        let parts = self.moves_to_go.map_or(fraction, |moves| fraction.min(moves)).max(1);
        let reserve = self.overhead.saturating_mul(RESERVED_OVERHEADS);
        let share = self.remaining.saturating_sub(reserve) / parts;
        let spent = self.increment - self.increment / INCREMENT_PARTS;
        let wanted = share.saturating_add(spent).saturating_sub(self.overhead);
        // Where the overhead would eat the whole share, a quarter of it is still spent on thought.
        wanted.max(share / 4).min(self.most())
    }

    /// What the move takes usually, and at most.
    pub fn move_time(&self, clock_use: ClockUse) -> MoveTime {
        let usual = self.for_move(clock_use.fraction);
        let unpaid = self.overhead.saturating_sub(self.increment);
        let reserve = unpaid.saturating_mul(STRETCHED_OVERHEADS);
        let part = self.remaining.saturating_sub(reserve) / STRETCHED_PARTS;
        let stretched = usual.as_secs_f64() * clock_use.stretch;
        let stretched = Duration::try_from_secs_f64(stretched).unwrap_or(Duration::MAX);
        MoveTime { usual, most: stretched.min(part).min(self.most()).max(usual) }
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
    fn a_move_gets_a_fraction_of_what_is_left_and_most_of_the_increment() {
        let budget = Budget { remaining: ms(30_000), increment: ms(100), ..Budget::default() };
        assert_eq!(budget.for_move(30), ms(1_075));
        let last = Budget { remaining: ms(3_000), moves_to_go: Some(2), ..Budget::default() };
        assert_eq!(last.for_move(30), ms(1_500));
    }

    /// Plays so many moves by a clock without running out of time, in milliseconds. A move really
    /// loses its lag, which is at most the overhead, and the time of a batch of iterations, since
    /// the search reads its clock that late.
    #[track_caller]
    fn play(
        (start, increment, overhead, lag, moves): (u64, u64, u64, u64, u32),
        time: impl Fn(Budget) -> Duration,
    ) {
        const LATE: Duration = Duration::from_micros(300);
        let [mut left, increment, overhead, lag] = [start, increment, overhead, lag].map(ms);
        for number in 1..=moves {
            let budget = Budget { remaining: left, increment, overhead, moves_to_go: None };
            let spent = time(budget) + lag + LATE;
            assert!(spent < left, "{start}+{increment:?}, move {number}: {spent:?} of {left:?}");
            left = left - spent + increment;
        }
    }

    #[test]
    fn a_long_game_never_runs_out_of_time() {
        for game in [
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
            play(game, |budget| budget.for_move(30));
        }
    }

    /// The same where every move takes the most that it may.
    #[test]
    fn a_long_game_of_long_moves_never_runs_out_of_time() {
        for game in [
            (1_000, 10, 10, 10, 400),
            (1_000, 10, 10, 1, 5_000),
            (1_000, 10, 0, 0, 5_000),
            (1_000, 100, 10, 10, 5_000),
            (5_000, 50, 0, 0, 5_000),
            (10, 1_000, 5, 0, 5_000),
            (10_000, 0, 10, 10, 100),
            (10_000, 0, 10, 1, 300),
            (60_000, 0, 30, 30, 120),
            (300_000, 0, 10, 10, 130),
            (300_000, 0, 10, 1, 300),
        ] {
            for stretch in [1.5, 3.0, 10.0] {
                play(game, |budget| {
                    let time = budget.move_time(ClockUse { fraction: 30, stretch });
                    assert!(time.usual <= time.most);
                    time.most
                });
            }
        }
    }

    /// The system may not wake a search in time, and the clock of a long game is not full then.
    #[test]
    fn a_busy_machine_loses_no_long_game_that_has_increments() {
        for (start, increment) in [(5_000, 50), (1_000, 100), (60_000, 1_000)] {
            let [mut left, increment] = [start, increment].map(ms);
            for number in 1..=1_000 {
                let budget = Budget { remaining: left, increment, ..Budget::default() };
                let pause = if number % 50 == 0 { 4 * increment } else { Duration::ZERO };
                let spent = budget.for_move(30) + pause;
                assert!(spent < left, "{start}: {spent:?} of {left:?} for move {number}");
                left = left - spent + increment;
            }
        }
    }

    #[test]
    fn a_move_is_stretched_as_far_as_the_clock_can_bear() {
        let most = |remaining, increment, moves_to_go, stretch| {
            let [remaining, increment] = [remaining, increment].map(ms);
            let budget = Budget { remaining, increment, moves_to_go, ..Budget::default() };
            budget.move_time(ClockUse { fraction: 30, stretch }).most
        };
        assert_eq!(most(30_000, 100, None, 2.0), ms(2_150));
        assert_eq!(most(30_000, 100, None, 1.0), ms(1_075), "the usual time");
        assert_eq!(most(30_000, 100, None, 10.0), ms(7_500), "a quarter of the clock");
        assert_eq!(most(3_000, 0, Some(2), 3.0), ms(1_500), "the last move has its half");
        let increment = ms(1_000) / 30 + ms(750);
        assert_eq!(most(1_000, 1_000, None, 3.0), increment, "most of it is spent at once");
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
                let time = budget.move_time(ClockUse { fraction: 30, stretch: 3.0 });
                let spent = time.most + ms(overhead + 1);
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
                        for stretch in [1.0, 3.0, f64::MAX] {
                            let time = budget.move_time(ClockUse { fraction, stretch });
                            assert_eq!(time.usual, budget.for_move(fraction));
                            let spent = time.most;
                            let worst = spent.saturating_add(overhead) + remaining / 10;
                            assert!(spent.is_zero() || worst <= remaining, "{budget:?}: {spent:?}");
                        }
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
