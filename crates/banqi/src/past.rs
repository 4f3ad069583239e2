//! What the repetition rules need of a game's past.

use crate::Repetition;

/// The keys of the positions since the last capture or flip, the present one left out.
///
/// A list that grows, since rules may allow any number of quiet plies. Cleared by a capture or
/// flip, it keeps its memory.
#[derive(Default)]
pub(crate) struct Past {
    keys: Vec<u64>,
    /// For each key the bit that its lowest six bits name.
    seen: u64,
    /// The same for a bit that was named before: where a key's bit is not set, it has not been
    /// there twice.
    again: u64,
}

/// The fewest plies that lead back to a position: each side moves a piece and moves it back.
const SHORTEST_CYCLE: usize = 4;

impl Past {
    #[inline(always)]
    pub(crate) fn clear(&mut self) {
        self.keys.clear();
        (self.seen, self.again) = (0, 0);
    }

    #[inline(always)]
    pub(crate) fn push(&mut self, key: u64) {
        self.keys.push(key);
        let bit = 1 << (key & 63);
        self.again |= self.seen & bit;
        self.seen |= bit;
    }

    /// How often the position of that key, the present one, has been there before.
    #[inline(always)]
    pub(crate) fn count(&self, key: u64) -> usize {
        // The side to move is another at every second position back.
        let before = self.keys.iter().rev().skip(SHORTEST_CYCLE - 1).step_by(2);
        before.filter(|&&past| past == key).count()
    }

    /// Whether any position, the present one of that key among them, has been there before.
    pub(crate) fn has_repeated(&self, key: u64) -> bool {
        let repeated = |(index, past): (usize, &u64)| self.keys[..index].contains(past);
        self.keys.contains(&key) || self.keys.iter().enumerate().any(repeated)
    }

    /// Whether the present position, of that key, draws by the rule.
    #[inline(always)]
    pub(crate) fn is_repeated(&self, rule: Repetition, key: u64) -> bool {
        // Every rule wants two earlier occurrences at least.
        if self.again >> (key & 63) & 1 == 0 {
            return false;
        }
        match rule {
            Repetition::Third => self.keys.len() >= 2 * SHORTEST_CYCLE && self.count(key) >= 2,
            Repetition::Cycle => self.ends_in_three_cycles(key),
            Repetition::Off => false,
        }
    }

    /// Whether the last 3k plies, for some k, are one cycle of k plies that was played three times.
    fn ends_in_three_cycles(&self, key: u64) -> bool {
        let count = self.keys.len();
        let at = |back: usize| if back == 0 { key } else { self.keys[count - back] };
        (SHORTEST_CYCLE..=count / 3)
            .step_by(2)
            .any(|cycle| (0..=2 * cycle).all(|back| at(back) == at(back + cycle)))
    }
}

impl Clone for Past {
    #[inline]
    fn clone(&self) -> Past {
        Past { keys: self.keys.clone(), seen: self.seen, again: self.again }
    }

    #[inline(always)]
    fn clone_from(&mut self, other: &Past) {
        self.keys.clear();
        self.keys.extend_from_slice(&other.keys);
        (self.seen, self.again) = (other.seen, other.again);
    }
}
