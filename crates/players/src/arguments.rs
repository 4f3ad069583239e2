//! Arguments that several commands of the program have, and how they are read.

use crate::command::{CommandFailure, Console};
use crate::erased::AnyGame;
use crate::spec::{Overrides, Spec};
use crate::text;
use std::ops::RangeInclusive;
use std::time::Duration;

/// Which player.
#[derive(clap::Args, Clone, Debug)]
pub struct PlayerArg {
    /// The player: a name and settings, such as mcc:c=0.5 (see 'monteverde players')
    #[arg(long, value_name = "SPEC")]
    pub player: Option<String>,
}

impl PlayerArg {
    /// The player's spec, with what the command line overrides; `default` if there is none. What
    /// the player has to do without is said.
    pub fn read(
        &self,
        game: AnyGame,
        default: &str,
        overrides: &Overrides,
        console: &mut dyn Console,
    ) -> Result<Spec, CommandFailure> {
        let text = self.player.as_deref().unwrap_or(default);
        let refused = |error| CommandFailure::bad_input("--player", error);
        let spec = Spec::read(game, text).map_err(refused)?;
        if let Some(missing) = spec.missing(game).filter(|missing| game.is_news(missing)) {
            console.note(&format!("{}: {missing}", spec.name()));
        }
        // Every seed is accepted, so it can only be one of these.
        let place = if overrides.memory.is_some() { "--threads or --memory" } else { "--threads" };
        spec.with(overrides).map_err(|error| CommandFailure::bad_input(place, error))
    }
}

/// Whether there is memory for the player's tree. Tried first, because a tree that does not fit
/// would end the program without a word.
pub fn check_memory(spec: &Spec) -> Result<(), CommandFailure> {
    spec.check_memory(usize::MAX).map_err(|error| CommandFailure::from(error.to_string()))
}

/// The most iterations or playouts of one run: the tree counts visits in 32 bits.
pub const MOST: u64 = 4_000_000_000;

/// The longest time that a search can be given.
const LONGEST: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// Reads a count of at least one: digits, with underscores if you like, and k or M behind them.
pub fn parse_count(text: &str) -> Result<u64, String> {
    let accepted = || {
        format!("a whole number from 1 to {MOST}, such as 5000, 1_000_000, 200k or 3M, is accepted")
    };
    let (digits, unit) = match text.strip_suffix(['k', 'K']) {
        Some(digits) => (digits, 1_000),
        None => text.strip_suffix('M').map_or((text, 1), |digits| (digits, 1_000_000)),
    };
    let plain: String = digits.chars().filter(|&c| c != '_').collect();
    let number = Some(plain).filter(|plain| plain.bytes().all(|byte| byte.is_ascii_digit()));
    let number = number.and_then(|plain| plain.parse::<u64>().ok()?.checked_mul(unit));
    number.filter(|number| (1..=MOST).contains(number)).ok_or_else(accepted)
}

/// Reads a whole number in a range.
pub fn parse_within(text: &str, range: RangeInclusive<u64>) -> Result<u64, String> {
    let number = text.parse().ok().filter(|number| range.contains(number));
    number.ok_or_else(|| {
        format!("a whole number from {} to {} is accepted", range.start(), range.end())
    })
}

/// Reads a number of threads.
pub fn parse_threads(text: &str) -> Result<usize, String> {
    parse_within(text, 1..=1024).map(|threads| threads as usize)
}

/// Reads a seed.
pub fn parse_seed(text: &str) -> Result<u64, String> {
    parse_within(text, 0..=u64::MAX)
}

/// Reads the memory of a tree; the player says what it needs at least.
pub fn parse_memory(text: &str) -> Result<usize, String> {
    let bytes = text::parse_bytes(text).and_then(|bytes| bytes.try_into().ok());
    bytes.ok_or_else(|| "a number of bytes such as 512MiB or 2GiB is accepted".to_owned())
}

/// Reads a time above zero: a number and ms, s, m or h.
pub fn parse_time(text: &str) -> Result<Duration, String> {
    let accepted =
        || "a time such as 500ms, 2s, 1.5s, 1m or 1h, up to 720h, is accepted".to_owned();
    let unit_at = text.find(|c: char| c.is_ascii_alphabetic()).ok_or_else(accepted)?;
    let (number, unit) = text.split_at(unit_at);
    let seconds = match unit {
        "ms" => 0.001,
        "s" => 1.0,
        "m" => 60.0,
        "h" => 3600.0,
        _ => return Err(accepted()),
    };
    let number: f64 = number.parse().map_err(|_| accepted())?;
    let time = Duration::try_from_secs_f64(number * seconds).map_err(|_| accepted())?;
    if time.is_zero() || time > LONGEST { Err(accepted()) } else { Ok(time) }
}

/// A whole number with its thousands set apart.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A rate: whole, with its thousands set apart.
pub fn rate(per_second: f64) -> String {
    grouped(per_second.round() as u64)
}

/// A quantity per second; 0 where no time has passed.
pub fn per_second(quantity: u64, time: Duration) -> f64 {
    let seconds = time.as_secs_f64();
    if seconds > 0.0 { quantity as f64 / seconds } else { 0.0 }
}

/// A share in 0..1 as a bar of at most `width` signs, in steps of an eighth.
pub fn bar(share: f64, width: usize) -> String {
    const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let eighths = (share.clamp(0.0, 1.0) * (width * 8) as f64).round() as usize;
    "█".repeat(eighths / 8) + EIGHTHS[eighths % 8]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_read_as_people_write_them() {
        for (text, count) in [
            ("1", 1),
            ("5000", 5_000),
            ("1_000_000", 1_000_000),
            ("200k", 200_000),
            ("3M", 3_000_000),
        ] {
            assert_eq!(parse_count(text), Ok(count));
        }
        for text in
            ["", "0", "0k", "-1", "+1", "1.5k", "k", "1e6", "1 000", "4000000001", "99999M", "é"]
        {
            assert!(parse_count(text).is_err_and(|said| said.contains("is accepted")), "{text}");
        }
    }

    #[test]
    fn times_are_read_with_their_units() {
        for (text, millis) in
            [("500ms", 500), ("2s", 2_000), ("1.5s", 1_500), ("1m", 60_000), ("0.5h", 1_800_000)]
        {
            assert_eq!(parse_time(text), Ok(Duration::from_millis(millis)));
        }
        for text in
            ["", "2", "s", "0s", "-1s", "1d", "1m30s", "infs", "nans", "1e300s", "721h", "1é"]
        {
            assert!(parse_time(text).is_err_and(|said| said.contains("is accepted")), "{text}");
        }
    }

    #[test]
    fn thousands_are_set_apart() {
        for (number, text) in
            [(0, "0"), (999, "999"), (1_000, "1,000"), (119_060_324, "119,060,324")]
        {
            assert_eq!(grouped(number), text);
        }
    }

    #[test]
    fn bars_grow_with_their_share() {
        assert_eq!(bar(0.0, 10), "");
        assert_eq!(bar(0.5, 4), "██");
        assert_eq!(bar(1.0, 3), "███");
        assert_eq!(bar(1.0 / 16.0, 1), "▏");
    }
}
