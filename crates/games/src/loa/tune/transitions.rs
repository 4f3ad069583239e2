//! The probabilities of move categories, and the Rust file that they are compiled from.

use super::records::Record;
use monteverde_game::Game;
use monteverde_knowledge::loa::{Category, Count, Counts, Taking};
use monteverde_statistics::correlation;
use std::fmt::Write;

/// How often moves of each category were there, and were played, in the games.
pub(super) fn count(records: &[Record]) -> Counts {
    let (mut counts, mut moves) = (Counts::default(), Vec::new());
    for record in records {
        record.for_each(|state, mv| {
            moves.clear();
            state.moves(&mut moves);
            counts.note(state.board(), &moves, mv);
        });
    }
    counts
}

/// The correlation, -1 to 1, of the probabilities by these counts with those compiled in, over the
/// categories that were there in at least 100 states; `None` with fewer than two such categories.
pub(super) fn likeness(counts: &Counts) -> Option<f64> {
    /// In fewer states a share says little.
    const OFTEN: u32 = 100;
    let often = counts.rows().filter(|count| count.available >= OFTEN);
    let pairs: Vec<(f64, f64)> = often
        .map(|Count { parts, available, played }| {
            let share = f64::from(played) / f64::from(available);
            (share, f64::from(Category::new(parts).probability()))
        })
        .collect();
    correlation(&pairs)
}

/// The text of `crates/knowledge/src/loa/transitions.rs`: `about` in sentences says where the
/// counts come from and becomes the head of the file.
pub(super) fn transitions_source(counts: &Counts, about: &str) -> String {
    let rows: Vec<Count> = counts.rows().collect();
    let mut text = String::from(
        "//! How often moves of each category are played, written by `monteverde tune`.\n//!\n",
    );
    for line in about.lines() {
        let _ = writeln!(text, "//! {line}");
    }
    let _ = write!(
        text,
        "
/// Capture or not, region from, region to, squares towards the centre of mass; in how many states there was such a
/// move, and in how many one was played.
#[rustfmt::skip]
pub(super) const TRANSITIONS: [(u8, u8, u8, i8, u32, u32); {}] = [
",
        rows.len()
    );
    for line in rows.chunks(PER_LINE) {
        let line: Vec<String> = line.iter().map(row).collect();
        let _ = writeln!(text, "    {}", line.join(" "));
    }
    text.push_str("];\n");
    text
}

/// So many categories on a line.
const PER_LINE: usize = 4;

fn row(count: &Count) -> String {
    let Count { parts, available, played } = *count;
    let taking = match parts.taking {
        Taking::Nothing => 0,
        Taking::Piece => 1,
    };
    format!("({taking}, {}, {}, {}, {available}, {played}),", parts.from, parts.to, parts.towards)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::loa::tune::records::read_records;

    /// Games of people and programs.
    const GAMES: &str = include_str!("../../../../../data/loa/games.jsonl");

    /// What is compiled in is what the tuner writes from the games.
    #[test]
    fn the_compiled_transitions_are_a_written_file() {
        const FILE: &str = include_str!("../../../../knowledge/src/loa/transitions.rs");
        let about: Vec<&str> =
            FILE.lines().skip(2).map_while(|line| line.strip_prefix("//! ")).collect();
        assert!(about.iter().any(|line| line.ends_with("277 categories.")), "{about:?}");
        let counts = count(&read_records(GAMES).expect("every game is legal"));
        assert_eq!(transitions_source(&counts, &about.join("\n")), FILE);
        assert!(likeness(&counts).is_some_and(|alike| alike > 0.999_99));
    }

    /// The same statistics by another program. It counts nine plays less in all, and in a few
    /// categories more: its games were not quite the same. Of the 277 categories 202 agree
    /// exactly.
    #[test]
    fn another_program_counts_alike() {
        let table = include_str!("../../../../../data/loa/transitions.tsv");
        let counts = count(&read_records(GAMES).expect("every game is legal"));
        let ours: Vec<[i64; 6]> = counts.rows().map(numbers).collect();
        let (mut rows, mut equal) = (0, 0);
        for line in table.lines().skip(1) {
            let theirs: Vec<i64> = line.split('\t').map(|n| n.parse().expect("a number")).collect();
            let own = ours.iter().find(|own| own[..4] == theirs[..4]);
            let own = own.unwrap_or_else(|| panic!("no {theirs:?}"));
            let apart = |column: usize| (own[column] - theirs[column]).abs();
            assert!(apart(4) <= 10 && apart(5) <= 5, "{own:?} {theirs:?}");
            equal += i32::from(own[..] == theirs[..]);
            rows += 1;
        }
        assert_eq!((rows, ours.len(), equal), (277, 277, 202));
    }

    fn numbers(count: Count) -> [i64; 6] {
        let Count { parts, available, played } = count;
        let [from, to, towards] = [parts.from.into(), parts.to.into(), parts.towards.into()];
        [parts.taking as i64, from, to, towards, available.into(), played.into()]
    }
}
