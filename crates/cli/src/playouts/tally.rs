//! What playouts add up to. Everything is a whole number, so that the order of adding does not matter.

use monteverde_game::{Outcome, Playout, Side};

/// The sums of some playouts.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tally {
    /// Playouts.
    pub(crate) count: u64,
    /// Plies of all of them.
    pub(crate) plies: u64,
    /// The squares of their plies.
    squares: u128,
    /// How many the first side won.
    pub(crate) first: u64,
    /// How many were drawn.
    pub(crate) draw: u64,
    /// How many the second side won.
    pub(crate) second: u64,
    endings: Vec<(&'static str, u64)>,
}

/// An estimate with its standard error.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Estimate {
    pub(crate) value: f64,
    pub(crate) error: f64,
}

impl Tally {
    /// Adds one playout.
    pub(crate) fn add(&mut self, playout: Playout, ending: Option<&'static str>) {
        self.count += 1;
        self.plies += u64::from(playout.plies);
        self.squares += u128::from(playout.plies).pow(2);
        match playout.outcome {
            Outcome::Win(Side::First) => self.first += 1,
            Outcome::Win(Side::Second) => self.second += 1,
            Outcome::Draw => self.draw += 1,
        }
        self.add_ending(ending.unwrap_or("unknown"), 1);
    }

    /// Adds the playouts of another tally.
    pub(crate) fn merge(&mut self, other: &Tally) {
        self.count += other.count;
        self.plies += other.plies;
        self.squares += other.squares;
        self.first += other.first;
        self.draw += other.draw;
        self.second += other.second;
        for &(name, count) in &other.endings {
            self.add_ending(name, count);
        }
    }

    /// How the games ended, by name, the most frequent first.
    pub(crate) fn endings(&self) -> impl Iterator<Item = (&'static str, u64)> {
        let mut endings = self.endings.clone();
        endings.sort_by_key(|&(name, count)| (std::cmp::Reverse(count), name));
        endings.into_iter()
    }

    /// The mean number of plies.
    pub(crate) fn mean_plies(&self) -> Estimate {
        let count = self.count as f64;
        let value = self.plies as f64 / count;
        // The sum of the squared deviations, times the count, without a difference of rounded numbers.
        let deviations =
            (u128::from(self.count) * self.squares).saturating_sub(u128::from(self.plies).pow(2));
        let variance = deviations as f64 / (count * (count - 1.0).max(1.0));
        Estimate { value, error: (variance / count).sqrt() }
    }

    /// The share of so many playouts.
    pub(crate) fn share(&self, part: u64) -> Estimate {
        let count = self.count as f64;
        let value = part as f64 / count;
        Estimate { value, error: (value * (1.0 - value) / count).sqrt() }
    }

    fn add_ending(&mut self, name: &'static str, count: u64) {
        match self.endings.iter_mut().find(|(known, _)| *known == name) {
            Some((_, total)) => *total += count,
            None => self.endings.push((name, count)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(plies: &[u32]) -> Tally {
        let mut tally = Tally::default();
        for &plies in plies {
            let outcome = if plies % 2 == 1 { Outcome::Win(Side::First) } else { Outcome::Draw };
            tally.add(Playout { outcome, plies }, Some(if plies > 4 { "long" } else { "short" }));
        }
        tally
    }

    #[test]
    fn means_and_errors_are_those_of_the_textbook() {
        // Mean 4; squared deviations 4 + 0 + 4 over n - 1 = 2 give 4; 4 / 3 under the root.
        let plies = tally(&[2, 4, 6]).mean_plies();
        assert_eq!(plies.value, 4.0);
        assert!((plies.error - (4.0f64 / 3.0).sqrt()).abs() < 1e-12);
        let share = tally(&[1, 2, 2, 2]).share(1);
        assert_eq!(share.value, 0.25);
        assert!((share.error - (0.25f64 * 0.75 / 4.0).sqrt()).abs() < 1e-12);
        assert_eq!(tally(&[7]).mean_plies().error, 0.0);
    }

    #[test]
    fn parts_add_up_to_the_whole() {
        let mut parts = tally(&[9, 1]);
        parts.merge(&tally(&[2, 8, 6]));
        let whole = tally(&[1, 2, 6, 8, 9]);
        assert_eq!(parts.mean_plies().error, whole.mean_plies().error);
        assert_eq!((parts.first, parts.draw, parts.second), (2, 3, 0));
        assert_eq!(parts.endings().collect::<Vec<_>>(), [("long", 3), ("short", 2)]);
    }
}
