//! Where and when results were made.

use monteverde_lab::date::day;
use monteverde_lab::store::Stint;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// The runs that a file of results was made by.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ResultMeta {
    /// The processors and how many cores they have, of every machine that took part.
    pub machine: String,
    /// On how many threads the work was done, on the average; 0 where workers elsewhere did it.
    pub threads: usize,
    /// The day it ended, as `2024-02-29`.
    pub day: String,
    /// How long it took, in whole seconds; runs side by side count once.
    pub seconds: u64,
    /// How many games, playouts or searches were in the store of which no run has left its time.
    pub found: u64,
}

impl ResultMeta {
    /// What the stints of a store tell, of which the last ends now; `found` pieces were there
    /// before it.
    pub fn of(stints: &[Stint], last: &Stint, found: u64) -> ResultMeta {
        // Where nothing was found, what earlier runs left is of something else: by the clock, say,
        // on another machine.
        let earlier = stints.iter().filter(|stint| *stint != last && found > 0);
        // A run that found everything has done nothing.
        let own = (last.pieces > 0 || stints.is_empty()).then_some(last);
        let all: Vec<&Stint> = earlier.clone().chain(own).collect();
        let mut machines: Vec<&str> = all.iter().map(|stint| &*stint.machine).collect();
        machines.sort_unstable();
        machines.dedup();
        let end = all.iter().map(|stint| stint.end()).max().unwrap_or_default();
        let time = time_together(&all);
        let of_threads: u128 =
            all.iter().map(|stint| u128::from(stint.length) * stint.threads as u128).sum();
        let threads = match time {
            0 => last.threads,
            time => ((of_threads + u128::from(time) / 2) / u128::from(time)) as usize,
        };
        ResultMeta {
            machine: machines.join("; "),
            threads,
            day: day(end).replace('.', "-"),
            seconds: time / 1000,
            found: found.saturating_sub(earlier.map(|stint| stint.pieces).sum()),
        }
    }

    /// A run that ends now, whose work was done by workers elsewhere.
    pub fn by_workers(time: Duration, found: u64) -> ResultMeta {
        let now = ResultMeta::of(&[], &Stint::ending_now(0, time, 0), found);
        ResultMeta { machine: "workers elsewhere".to_owned(), threads: 0, ..now }
    }
}

/// How many milliseconds there are in which at least one of them was at work.
fn time_together(stints: &[&Stint]) -> u64 {
    let mut spans: Vec<(u64, u64)> =
        stints.iter().map(|stint| (stint.begun, stint.end())).collect();
    spans.sort_unstable();
    let (mut time, mut until) = (0, 0);
    for (begun, end) in spans {
        time += end.saturating_sub(begun.max(until));
        until = until.max(end);
    }
    time
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stint(begun: u64, machine: &str, threads: usize, length: u64, pieces: u64) -> Stint {
        Stint { begun, machine: machine.to_owned(), threads, length, pieces }
    }

    #[test]
    fn a_run_says_where_and_when() {
        let last = Stint::ending_now(2, Duration::from_millis(61_900), 7);
        let made = ResultMeta::of(std::slice::from_ref(&last), &last, 5);
        assert_eq!((made.threads, made.seconds, made.found), (2, 61, 5));
        assert!(made.machine.contains("core"), "{}", made.machine);
        let elsewhere = ResultMeta::by_workers(Duration::from_secs(3), 0);
        assert_eq!((elsewhere.threads, &*elsewhere.machine), (0, "workers elsewhere"));
        let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        let parts: Vec<&str> = made.day.split('-').collect();
        assert!(parts.len() == 3 && parts.iter().all(|part| digits(part)), "{}", made.day);
    }

    #[test]
    fn shards_of_another_machine_are_named_and_the_run_that_found_them_is_not() {
        let day = 86_400_000;
        let shards = [
            stint(day, "large, 16 cores", 4, 60_000, 40),
            stint(day, "large, 16 cores", 4, 64_000, 40),
            stint(day + 1000, "large, 16 cores", 8, 60_000, 70),
        ];
        let last = stint(3 * day, "small, 2 cores", 2, 30, 0);
        let made = ResultMeta::of(&shards, &last, 150);
        // 4 * 60 + 4 * 64 + 8 * 60 seconds of threads in 64.
        let expected = ("large, 16 cores", 15, "1970-01-02", 64, 0);
        let ResultMeta { machine, threads, day: ended, seconds, found } = &made;
        assert_eq!((&**machine, *threads, &**ended, *seconds, *found), expected);
        let last = stint(3 * day, "small, 2 cores", 2, 36_000, 9);
        let made = ResultMeta::of(&[shards[0].clone(), last.clone()], &last, 60);
        let ResultMeta { machine, threads, day: ended, seconds, found } = &made;
        let expected = ("large, 16 cores; small, 2 cores", 3, "1970-01-04", 96, 20);
        assert_eq!((&**machine, *threads, &**ended, *seconds, *found), expected);
    }

    #[test]
    fn a_machine_that_did_none_of_it_is_not_named() {
        let other = stint(1000, "small, 2 cores", 2, 30_000, 120);
        let last = stint(90_000, "large, 16 cores", 15, 8000, 214);
        let made = ResultMeta::of(&[other, last.clone()], &last, 0);
        assert_eq!((&*made.machine, made.threads, made.seconds), ("large, 16 cores", 15, 8));
    }
}
