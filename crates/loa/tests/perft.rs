//! Counts of move paths, against known ones.

use monteverde_game::{Game, Notation, divide, perft};
use monteverde_loa::{Loa, Rules};

/// States with the known number of paths of 1, 2, 3, ... moves; programs of other people agree on
/// them.
const KNOWN: [(&str, &[u64]); 4] = [
    ("1xxxxxx1/o6o/o6o/o6o/o6o/o6o/o6o/1xxxxxx1 b", &[36, 1_244, 44_952, 1_563_208, 55_963_132]),
    ("xo4ox/oo4oo/8/8/8/8/oo4oo/xo4ox b", &[1, 44, 44, 1_968, 11_888]),
    ("8/8/o2o4/o7/ox1oo3/1oo5/2ooxx2/2xx1xx1 w", &[38, 587, 21_362]),
    ("8/8/1x6/ooxoo3/oxoxx3/ox1xo3/1oo5/2x5 b", &[13, 252, 4_193]),
];

fn state(text: &str) -> Loa {
    Loa::parse_state(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[test]
fn known_states() {
    for (text, counts) in KNOWN {
        for (depth, &count) in (1..).zip(counts) {
            assert_eq!(state(text).perft(depth), count, "{text} to depth {depth}");
        }
        assert_eq!(state(text).perft(0), 1);
    }
}

/// The plain count plays every move and keeps the history.
#[test]
fn counting_without_playing_is_right() {
    for (text, counts) in KNOWN {
        for (depth, &count) in (1..=4).zip(counts) {
            assert_eq!(perft(&state(text), depth), count, "{text} to depth {depth}");
        }
    }
}

/// A known count by the rules of OpenSpiel, where a board that occurs again ends the game.
#[test]
fn a_second_occurrence_ends_a_path() {
    let start = Loa::new(Loa::start().board().with_rules(Rules::OPEN_SPIEL));
    assert_eq!(start.perft(4), 1_563_208);
    assert_eq!(start.perft(5), 55_934_908);
}

#[test]
fn division_adds_up() {
    for (text, counts) in KNOWN {
        let parts = divide(&state(text), 3, |_, _| ());
        assert_eq!(parts.len() as u64, counts[0], "{text}");
        assert_eq!(parts.iter().map(|(_, count)| count).sum::<u64>(), counts[2], "{text}");
    }
}
