//! How much a contestant may think about a move.

use crate::clock::{Budget, ClockUse};
use crate::duration_text::{DurationText, DurationTextError};
use crate::text::nearest;
use monteverde_game::limit::Limit;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// The limit of one contestant: `iterations=200`, `time=500ms`, `clock=40/60s+0.1s`, `nodes=1000`,
/// `depth=3`.
///
/// A search of our own takes nodes for iterations, each of which adds one node. An engine takes
/// iterations for nodes, which is how searches by Monte Carlo count behind UCI.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum Pace {
    /// So many iterations a move, at least 1.
    Iterations(u64),
    /// So much time a move.
    Time(DurationText),
    /// A clock for the game.
    Clock(TimeControl),
    /// So many nodes a move, at least 1.
    Nodes(u64),
    /// So deep a move, in plies, at least 1.
    Depth(u32),
}

/// A time control.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TimeControl {
    /// After so many moves `time` is added again; `None` for the whole game.
    pub moves: Option<u32>,
    /// What is on the clock at first.
    pub time: DurationText,
    /// What is added after each move.
    pub increment: DurationText,
}

/// What is wrong with the text of a pace.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PaceError {
    /// There is no `=`.
    #[error("'{}' is no pace; {FORM}", .0.escape_debug())]
    Malformed(String),
    /// No kind has that name.
    #[error(
        "'{}' is no kind of pace{}; {FORM}", kind.escape_debug(),
        nearest.map_or(String::new(), |name| format!(" (perhaps '{name}'?)"))
    )]
    UnknownKind {
        /// What was given.
        kind: String,
        /// The name most like it.
        nearest: Option<&'static str>,
    },
    /// The value is no whole number of at least 1.
    #[error("'{}' is no number for {kind}, which takes whole numbers from 1", value.escape_debug())]
    Number {
        /// The kind of pace.
        kind: &'static str,
        /// What was given.
        value: String,
    },
    /// The value is no length of time.
    #[error(transparent)]
    DurationText(#[from] DurationTextError),
    /// No time at all.
    #[error("{0} needs more than no time; {FORM}")]
    NoTime(&'static str),
}

const KINDS: [&str; 5] = ["iterations", "time", "clock", "nodes", "depth"];

const FORM: &str = "accepted are iterations=200, time=500ms, clock=40/60s+0.1s (moves/ and +increment may be \
                    left out), nodes=1000 and depth=3";

impl Pace {
    /// The clock of a game at this pace, where it has one.
    pub fn timer(self) -> Option<Timer> {
        match self {
            Pace::Clock(control) => Some(Timer::new(control)),
            _ => None,
        }
    }

    /// The limit of a search for a move at this pace. On a clock, of which `left` is what the side
    /// has now, `clock_use` says how much a move gets of it; a clock that is missing has nothing
    /// left.
    pub fn limit<M>(self, left: Option<Timer>, clock_use: ClockUse) -> Limit<M> {
        match self {
            Pace::Iterations(count) | Pace::Nodes(count) => Limit::iterations(count),
            Pace::Depth(plies) => Limit { depth: Some(plies), ..Limit::none() },
            Pace::Time(span) => Limit::time(span.0),
            Pace::Clock(_) => {
                let budget = left.map_or_else(Budget::default, |timer| Budget {
                    remaining: timer.remaining,
                    increment: timer.increment(),
                    moves_to_go: timer.moves_to_go,
                    overhead: Duration::ZERO,
                });
                Limit::clock(budget.move_time(clock_use))
            }
        }
    }
}

impl FromStr for Pace {
    type Err = PaceError;

    fn from_str(text: &str) -> Result<Pace, PaceError> {
        let malformed = || PaceError::Malformed(text.to_owned());
        let (kind, value) = text.split_once('=').ok_or_else(malformed)?;
        match kind {
            "iterations" => Ok(Pace::Iterations(number("iterations", value)?)),
            "time" => Ok(Pace::Time(some_time("time", value.parse()?)?)),
            "clock" => Ok(Pace::Clock(control(value)?)),
            "nodes" => Ok(Pace::Nodes(number("nodes", value)?)),
            "depth" => Ok(Pace::Depth(number("depth", value)?)),
            _ => {
                let nearest = nearest(kind, &KINDS);
                Err(PaceError::UnknownKind { kind: kind.to_owned(), nearest })
            }
        }
    }
}

fn number<T: FromStr + PartialOrd + From<u8>>(
    kind: &'static str,
    value: &str,
) -> Result<T, PaceError> {
    let digits = value.bytes().all(|byte| byte.is_ascii_digit());
    let number = value.parse().ok().filter(|number| digits && *number >= T::from(1));
    number.ok_or_else(|| PaceError::Number { kind, value: value.to_owned() })
}

fn control(text: &str) -> Result<TimeControl, PaceError> {
    let (moves, rest) = match text.split_once('/') {
        Some((moves, rest)) => (Some(number("the moves of clock", moves)?), rest),
        None => (None, text),
    };
    let (time, increment) = rest.split_once('+').unwrap_or((rest, "0s"));
    let time = some_time("clock", time.parse()?)?;
    Ok(TimeControl { moves, time, increment: increment.parse()? })
}

fn some_time(kind: &'static str, span: DurationText) -> Result<DurationText, PaceError> {
    if span.0 == Duration::ZERO { Err(PaceError::NoTime(kind)) } else { Ok(span) }
}

/// The canonical text, which is read back as an equal pace.
impl fmt::Display for Pace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Pace::Iterations(count) => write!(f, "iterations={count}"),
            Pace::Time(span) => write!(f, "time={span}"),
            Pace::Nodes(count) => write!(f, "nodes={count}"),
            Pace::Depth(plies) => write!(f, "depth={plies}"),
            Pace::Clock(control) => {
                f.write_str("clock=")?;
                if let Some(moves) = control.moves {
                    write!(f, "{moves}/")?;
                }
                write!(f, "{}", control.time)?;
                if control.increment.0 > Duration::ZERO {
                    write!(f, "+{}", control.increment)?;
                }
                Ok(())
            }
        }
    }
}

impl From<Pace> for String {
    fn from(pace: Pace) -> String {
        pace.to_string()
    }
}

impl TryFrom<String> for Pace {
    type Error = PaceError;

    fn try_from(text: String) -> Result<Pace, PaceError> {
        text.parse()
    }
}

/// The running clock of one contestant in one game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Timer {
    control: TimeControl,
    /// What is left.
    pub remaining: Duration,
    /// Moves until time is added.
    pub moves_to_go: Option<u32>,
}

impl Timer {
    /// A clock that has not run yet.
    pub fn new(control: TimeControl) -> Timer {
        Timer { control, remaining: control.time.0, moves_to_go: control.moves }
    }

    /// What is added after each move.
    pub fn increment(&self) -> Duration {
        self.control.increment.0
    }

    /// Takes off the time of a move, which may be more than there is, and adds what the control
    /// gives.
    pub fn spend(&mut self, elapsed: Duration) {
        self.remaining = self.remaining.saturating_sub(elapsed) + self.increment();
        self.moves_to_go = self.moves_to_go.map(|moves| moves - 1);
        if self.moves_to_go == Some(0) {
            self.remaining += self.control.time.0;
            self.moves_to_go = self.control.moves;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paces_are_read_and_written() {
        for (text, printed) in [
            ("iterations=200", "iterations=200"),
            ("time=0.5s", "time=500ms"),
            ("clock=60s", "clock=60s"),
            ("clock=40/1m+0.1s", "clock=40/60s+100ms"),
            ("clock=10s+0s", "clock=10s"),
            ("nodes=1000", "nodes=1000"),
            ("depth=3", "depth=3"),
        ] {
            let pace: Pace = text.parse().unwrap();
            assert_eq!(pace.to_string(), printed);
            assert_eq!(printed.parse(), Ok(pace));
        }
    }

    #[test]
    fn errors_say_what_is_wrong() {
        let error = |text: &str| text.parse::<Pace>().unwrap_err().to_string();
        assert!(error("200").starts_with("'200' is no pace; accepted are iterations=200"));
        assert!(error("iteration=2").contains("(perhaps 'iterations'?)"));
        assert!(error("nodes=0").contains("'0' is no number for nodes"));
        assert!(error("nodes=+5").contains("'+5' is no number for nodes"));
        assert!(error("depth=99999999999").contains("is no number for depth"));
        assert!(error("time=5").contains("'5' is no length of time"));
        assert!(error("time=0ms").starts_with("time needs more than no time"));
        assert!(error("clock=0/60s").contains("'0' is no number for the moves of clock"));
        assert!(error("clock=40/60s+x").contains("'x' is no length of time"));
    }

    #[test]
    fn a_clock_counts_down_and_is_wound_up() {
        let Ok(Pace::Clock(control)) = "clock=2/10s+1s".parse() else { panic!() };
        let mut timer = Timer::new(control);
        timer.spend(Duration::from_secs(4));
        assert_eq!((timer.remaining, timer.moves_to_go), (Duration::from_secs(7), Some(1)));
        timer.spend(Duration::from_secs(8));
        assert_eq!((timer.remaining, timer.moves_to_go), (Duration::from_secs(11), Some(2)));
    }
}
