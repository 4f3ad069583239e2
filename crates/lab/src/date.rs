//! Dates.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// How long ago 1970 began.
pub fn now() -> Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
}

/// The day of a moment given in milliseconds since the beginning of 1970, as `2024.02.29`.
pub fn day(milliseconds: u64) -> String {
    let mut days = milliseconds / (24 * 60 * 60 * 1000);
    let mut year = 1970;
    while days >= days_of_year(year) {
        days -= days_of_year(year);
        year += 1;
    }
    let february = days_of_year(year) - 337;
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30] {
        if days < length {
            break;
        }
        days -= length;
        month += 1;
    }
    format!("{year}.{month:02}.{:02}", days + 1)
}

fn days_of_year(year: u64) -> u64 {
    let is_leap = year.is_multiple_of(4) && !year.is_multiple_of(100) || year.is_multiple_of(400);
    if is_leap { 366 } else { 365 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_known() {
        const DAY: u64 = 86_400_000;
        for (moment, text) in [
            (0, "1970.01.01"),
            (58 * DAY, "1970.02.28"),
            (59 * DAY, "1970.03.01"),
            (951_782_400_000, "2000.02.29"),
            (1_709_164_800_000 - 1, "2024.02.28"),
            (1_709_164_800_000, "2024.02.29"),
            (1_735_689_599_999, "2024.12.31"),
            (4_107_542_400_000, "2100.03.01"),
        ] {
            assert_eq!(day(moment), text);
        }
    }
}
