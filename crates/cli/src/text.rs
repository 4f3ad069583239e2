//! Numbers and times as people write and read them.

use std::time::Duration;

pub(crate) use monteverde_players::arguments::{
    parse_count, parse_seed, parse_threads, parse_time, parse_within,
};

/// A whole number with its thousands set apart.
pub(crate) fn grouped(number: u64) -> String {
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
pub(crate) fn rate(per_second: f64) -> String {
    grouped(per_second.round() as u64)
}

/// A quantity per second; 0 where no time has passed.
pub(crate) fn per_second(quantity: u64, time: Duration) -> f64 {
    let seconds = time.as_secs_f64();
    if seconds > 0.0 { quantity as f64 / seconds } else { 0.0 }
}

/// A share in 0..1 as a bar of at most `width` signs, in steps of an eighth.
pub(crate) fn bar(share: f64, width: usize) -> String {
    const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let eighths = (share.clamp(0.0, 1.0) * (width * 8) as f64).round() as usize;
    "█".repeat(eighths / 8) + EIGHTHS[eighths % 8]
}

#[cfg(test)]
mod tests {
    use super::*;

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
