//! Where and when results were made.

use monteverde_lab::date::day;
use serde::{Deserialize, Serialize};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The run that wrote a file of results.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ResultMeta {
    /// The machine's processor and how many cores it has.
    pub machine: String,
    /// On how many threads the work was done; 0 where workers elsewhere did it.
    pub threads: usize,
    /// The day it ended, as `2024-02-29`.
    pub day: String,
    /// How long it took, in whole seconds.
    pub seconds: u64,
    /// How many games, playouts or searches earlier runs had left in the store; their time is not
    /// in `seconds`.
    pub found: u64,
}

impl ResultMeta {
    /// A run that ends now, on this machine.
    pub fn now(threads: usize, time: Duration, found: u64) -> ResultMeta {
        let since_1970 = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let day = day(since_1970.as_millis() as u64).replace('.', "-");
        ResultMeta { machine: machine(), threads, day, seconds: time.as_secs(), found }
    }

    /// A run that ends now, whose work was done by workers elsewhere.
    pub fn by_workers(time: Duration, found: u64) -> ResultMeta {
        ResultMeta { machine: "workers elsewhere".to_owned(), ..ResultMeta::now(0, time, found) }
    }
}

/// The processor's name, where the system tells it, and the number of cores.
fn machine() -> String {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let known = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = known.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
    let name = model.map_or(std::env::consts::ARCH, |(_, name)| name.trim());
    format!("{name}, {cores} {}", if cores == 1 { "core" } else { "cores" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_says_where_and_when() {
        let made = ResultMeta::now(2, Duration::from_millis(61_900), 5);
        assert_eq!((made.threads, made.seconds, made.found), (2, 61, 5));
        assert!(made.machine.contains("core"), "{}", made.machine);
        let elsewhere = ResultMeta::by_workers(Duration::from_secs(3), 0);
        assert_eq!((elsewhere.threads, &*elsewhere.machine), (0, "workers elsewhere"));
        let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        let parts: Vec<&str> = made.day.split('-').collect();
        assert!(parts.len() == 3 && parts.iter().all(|part| digits(part)), "{}", made.day);
    }
}
