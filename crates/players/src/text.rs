//! Small things of text: numbers with units, and the nearest of some names.

/// The units of memory, largest first.
const UNITS: [(&str, u64); 3] = [("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)];

/// How alike two names must be for one to be offered in place of the other, 0 not at all, 1 equal:
/// a letter or two wrong in a short word still passes.
const ALIKE: f64 = 0.5;

/// A number of bytes in the largest unit that divides it.
pub fn bytes(bytes: u64) -> String {
    match UNITS.iter().find(|&&(_, size)| bytes > 0 && bytes.is_multiple_of(size)) {
        Some((unit, size)) => format!("{}{unit}", bytes / size),
        None => bytes.to_string(),
    }
}

/// Reads a number of bytes, `256MiB` or plain `65536`; a space before the unit does no harm, nor
/// does its case.
pub fn parse_bytes(text: &str) -> Option<u64> {
    let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let size = match unit.trim() {
        "" => 1,
        unit => UNITS.iter().find(|(name, _)| name.eq_ignore_ascii_case(unit))?.1,
    };
    parse_whole(number)?.checked_mul(size)
}

/// Reads a whole number of digits alone.
pub(crate) fn parse_whole(text: &str) -> Option<u64> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| text.parse().ok())?
}

/// The name most like `text`, if one is like it at all.
pub fn nearest(text: &str, names: &[&'static str]) -> Option<&'static str> {
    let text = text.to_lowercase();
    let likeness = |name: &str| strsim::normalized_damerau_levenshtein(&text, name);
    let best = names.iter().copied().max_by(|a, b| likeness(a).total_cmp(&likeness(b)))?;
    (likeness(best) >= ALIKE).then_some(best)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_read_and_written_with_units() {
        for (text, number, printed) in [
            ("0", 0, "0"),
            ("65536", 65_536, "64KiB"),
            ("64KiB", 65_536, "64KiB"),
            ("256mib", 256 << 20, "256MiB"),
            ("1024 MiB", 1 << 30, "1GiB"),
            ("1537", 1537, "1537"),
        ] {
            assert_eq!(parse_bytes(text), Some(number), "{text}");
            assert_eq!(bytes(number), printed);
        }
        for text in ["", "MiB", "1.5GiB", "-1", "+1", "1 TiB", "99999999999999GiB", "1é", "é"] {
            assert_eq!(parse_bytes(text), None, "{text}");
        }
    }

    #[test]
    fn the_nearest_name_is_offered_only_if_it_is_near() {
        let names = ["uct", "choose", "memory", "threads"];
        assert_eq!(nearest("thread", &names), Some("threads"));
        assert_eq!(nearest("MEMORY", &names), Some("memory"));
        assert_eq!(nearest("chose", &names), Some("choose"));
        assert_eq!(nearest("xyzzy", &names), None);
        assert_eq!(nearest("", &names), None);
    }
}
