//! A few digits by which the games of two runs can be compared: the same games have the same, in
//! whatever order they were played and found.

use crate::record::{GameRecord, GameResult, Reason};
use monteverde_game::Side;
use std::fmt;

/// The digest of some games of two contestants.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Digest(u64);

/// The digest of one game: its steps and its end, and nothing of who played it and how long that
/// took.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct GameDigest(u64);

impl GameDigest {
    /// The digest of a game with these steps, opening and chance included.
    pub fn new<'s>(
        steps: impl IntoIterator<Item = &'s str>,
        result: GameResult,
        reason: &Reason,
    ) -> GameDigest {
        let mut hasher = blake3::Hasher::new();
        for step in steps {
            hasher.update(step.as_bytes());
            hasher.update(b"\n");
        }
        let points = result.half_points(Side::First);
        hasher.update(format!("\n{points}\n{reason}").as_bytes());
        GameDigest(beginning(hasher.finalize()))
    }
}

impl From<&GameRecord> for GameDigest {
    fn from(record: &GameRecord) -> GameDigest {
        let steps = record.moves.iter().map(|step| step.text.as_str());
        GameDigest::new(steps, record.result, &record.reason)
    }
}

impl Digest {
    /// Takes in a game in which the first of the two contestants had that side.
    pub fn add(&mut self, game: GameDigest, side: Side) {
        let text = format!("{} {}", game.0, side as u8);
        self.0 = self.0.wrapping_add(beginning(blake3::hash(text.as_bytes())));
    }
}

/// Twelve hexadecimal digits: two different sets of games share them once in 280 million million
/// times.
impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const UNSHOWN_BITS: u32 = 16;
        write!(f, "{:012x}", self.0 >> UNSHOWN_BITS)
    }
}

/// The first eight bytes of a hash as a number.
pub(crate) fn beginning(hash: blake3::Hash) -> u64 {
    let (number, _) = hash.as_bytes().split_first_chunk().expect("a hash has 32 bytes");
    u64::from_le_bytes(*number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_does_not_matter_and_everything_else_does() {
        let reason = Reason::Rule("line".to_owned());
        let game =
            |steps: &[&'static str], result| GameDigest::new(steps.to_vec(), result, &reason);
        let one = game(&["a1", "b2"], GameResult::First);
        let two = game(&["a1", "b1"], GameResult::Draw);
        let sum = |games: &[(GameDigest, Side)]| {
            let mut digest = Digest::default();
            for &(game, side) in games {
                digest.add(game, side);
            }
            digest.to_string()
        };
        let both = sum(&[(one, Side::First), (two, Side::Second)]);
        assert_eq!(both, sum(&[(two, Side::Second), (one, Side::First)]));
        assert_eq!(both.len(), 12);
        for other in [
            sum(&[(one, Side::Second), (two, Side::First)]),
            sum(&[(one, Side::First)]),
            sum(&[(one, Side::First), (two, Side::Second), (two, Side::Second)]),
            sum(&[(game(&["a1", "b2"], GameResult::Draw), Side::First), (two, Side::Second)]),
            sum(&[(game(&["a1", "b3"], GameResult::First), Side::First), (two, Side::Second)]),
            sum(&[(game(&["a1b2"], GameResult::First), Side::First), (two, Side::Second)]),
        ] {
            assert_ne!(other, both);
        }
    }
}
