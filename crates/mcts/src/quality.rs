//! Quality-based rewards: a win counts for more if it came sooner than wins of that side usually do
//! in this search, or is more convincing, and for less if it came later or is less so.
//!
//! Pepels, Tak, Lanctot and Winands, *Quality-based Rewards for Monte-Carlo Tree Search
//! Simulations* (2014); the study of Chinese dark chess, section 3.3, formulas 4 to 8.
//!
//! What is usual is kept as sums of integers: the same for every order of playouts, so that threads
//! add up what each has seen, and the mean and deviation that follow are exact.

use crate::path::Visit;
use crate::playout::PlayoutResult;
use crate::reward::{MOST, ONE};
use crate::tree::Tree;
use monteverde_game::{Game, Knowledge, Side};
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering::Relaxed};

/// The reward of a playout that `p` won is, for `p`, `1 + a b(lambda)` with
/// `b(x) = -1 + 2 / (1 + exp(-k x))`, and where both are on `1 + a b(lambda_L) + a' b'(lambda_T)`;
/// lambda is how many sample standard deviations the playout is better than the mean of those
/// before it that `p` won. Where there is no deviation yet the term is 0. Draws count as ever.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Quality {
    /// By the plies from the root to the end of the playout; less is better.
    pub length: Option<Influence>,
    /// By [`Knowledge::quality`] of the state where it ended, in -1..1, for the winner.
    pub terminal: Option<Influence>,
}

/// How much a quality counts.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Influence {
    /// The most that it adds to a reward or takes from it, in 0..=1.
    pub a: f64,
    /// How soon it does so, at least 0.
    pub k: f64,
}

impl Quality {
    /// Simulation length as the study of Chinese dark chess finds it best (section 4.1.3).
    pub const LENGTH: Influence = Influence { a: 0.25, k: 7.0 };
    /// Terminal state quality as the study finds it best.
    pub const TERMINAL: Influence = Influence { a: 0.3, k: 11.0 };

    /// Whether rewards are changed at all.
    pub(crate) fn is_on(self) -> bool {
        self.length.is_some() || self.terminal.is_some()
    }
}

impl Influence {
    /// What is added to the size of the reward.
    fn term(self, lambda: f64) -> f64 {
        self.a * (-1.0 + 2.0 / (1.0 + libm::exp(-self.k * lambda)))
    }
}

/// What is usual in this search, for each side that wins, as far as a thread knows.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct RewardStatistics {
    lengths: [RunningSample; 2],
    qualities: [RunningSample; 2],
}

/// A sample, and how much of it the thread has added since it last shared it.
#[derive(Clone, Copy, Debug, Default)]
struct RunningSample {
    known: Sums,
    added: Sums,
}

/// Sums of a sample.
#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    count: u64,
    sum: i64,
    squares: u64,
}

/// The same for all threads.
#[derive(Debug, Default)]
pub(crate) struct SharedStatistics([SharedSums; 4]);

#[derive(Debug, Default)]
struct SharedSums {
    count: AtomicU64,
    sum: AtomicI64,
    squares: AtomicU64,
}

impl SharedStatistics {
    /// Tells the others what a thread has added, and the thread what they have.
    pub(crate) fn share(&self, statistics: &mut RewardStatistics) {
        let RewardStatistics { lengths, qualities } = statistics;
        for (shared, sample) in self.0.iter().zip(lengths.iter_mut().chain(qualities)) {
            let added = std::mem::take(&mut sample.added);
            sample.known = Sums {
                count: shared.count.fetch_add(added.count, Relaxed) + added.count,
                sum: shared.sum.fetch_add(added.sum, Relaxed) + added.sum,
                squares: shared.squares.fetch_add(added.squares, Relaxed) + added.squares,
            };
        }
    }
}

/// Lengths beyond this count as this, so that no sum of squares of as many as a search can count
/// overflows.
const LONGEST: u32 = 1 << 15;
/// Qualities are summed in this unit, for the same reason.
const UNIT: f64 = (1 << 15) as f64;

/// Adds the reward that it would be without qualities to every edge of the path, where losses are
/// counted by it.
pub(crate) fn note_outcome(tree: &Tree, path: &[Visit], mut reward: i64) {
    for visit in path.iter().rev() {
        let sign = if visit.side == Side::First { 1 } else { -1 };
        tree.columns.outcomes.cell(visit.edge).fetch_add(sign * reward, Relaxed);
        reward = visit.secured.at_least(sign, reward);
    }
}

impl RewardStatistics {
    /// The reward for [`Side::First`] of an iteration that somebody has won; it counts for those
    /// after it. The iteration ended in a state, after so many plies in the tree and those of the
    /// result. `None` where nobody has won.
    pub(crate) fn reward<G: Game, K: Knowledge<G>>(
        &mut self,
        quality: Quality,
        knowledge: &K,
        (state, plies): (&G, u32),
        result: PlayoutResult,
    ) -> Option<i64> {
        let winner = result.winner()?;
        let mut size = 1.0;
        if let Some(influence) = quality.length {
            let length = plies.saturating_add(result.plies).min(LONGEST);
            // Formula 6 has the mean first: what is shorter is better.
            size += self.lengths[winner as usize].note(influence, -i64::from(length));
        }
        if let Some(influence) = quality.terminal
            && let Some(found) = knowledge.quality(state, winner)
        {
            let found = (f64::from(found).clamp(-1.0, 1.0) * UNIT).round() as i64;
            size += self.qualities[winner as usize].note(influence, found);
        }
        let reward = ((ONE as f64 * size) as i64).clamp(-MOST, MOST);
        Some(if winner == Side::First { reward } else { -reward })
    }
}

impl RunningSample {
    /// The term of a value by those before it, larger being better; from now on it is one of them.
    fn note(&mut self, influence: Influence, value: i64) -> f64 {
        let term = self.known.lambda(value).map_or(0.0, |lambda| influence.term(lambda));
        self.known.add(value);
        self.added.add(value);
        term
    }
}

impl Sums {
    fn add(&mut self, value: i64) {
        self.count += 1;
        self.sum += value;
        self.squares += (value * value) as u64;
    }

    /// By how many sample standard deviations the value is above the mean; `None` where there is no
    /// deviation.
    fn lambda(&self, value: i64) -> Option<f64> {
        let count = i128::from(self.count);
        let sum = i128::from(self.sum);
        // A thread may be told a sum without its count: then this may be anything, or below 0.
        let spread = count * i128::from(self.squares) - sum * sum;
        if count < 2 || spread <= 0 {
            return None;
        }
        let deviation = (spread as f64 / (count * (count - 1)) as f64).sqrt();
        Some((i128::from(value) * count - sum) as f64 / count as f64 / deviation)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::ROOT;
    use crate::{Bias, Config, Count, Limit, Search};
    use monteverde_game::fixtures::DiceRace;
    use monteverde_game::{NoKnowledge, Notation};

    #[test]
    fn terms_are_those_of_the_formulas() {
        let mut sample = RunningSample::default();
        // Nothing is usual before there are two, nor where all are the same.
        assert_eq!([-10, -10, -30].map(|length| sample.note(Quality::LENGTH, length)), [0.0; 3]);
        let mut sample = RunningSample::default();
        for length in [-10, -20, -30] {
            sample.note(Quality::LENGTH, length);
        }
        // The mean is 20 and the deviation 10, so 15 plies are half a deviation better: 0.25 b(0.5)
        // with k = 7.
        assert_eq!(sample.known.lambda(-15), Some(0.5));
        let expected = 0.25 * (-1.0 + 2.0 / (1.0 + (-3.5f64).exp()));
        assert!((sample.note(Quality::LENGTH, -15) - expected).abs() < 1e-15);
        assert!((expected - 0.235_343_884).abs() < 1e-9);
        // Now 75 in four: 18.75 is the mean, and the squares differ from it by 218.75 in all.
        let deviation = (218.75f64 / 3.0).sqrt();
        assert!((sample.known.lambda(-30).unwrap() - (18.75 - 30.0) / deviation).abs() < 1e-12);
    }

    #[test]
    fn sums_do_not_overflow_in_the_longest_search() {
        let count = u64::from(u32::MAX);
        let length = i64::from(LONGEST);
        let squares = (length * length) as u64 * count;
        let known = Sums { count, sum: -length * count as i64, squares };
        let mut sample = RunningSample { known, added: Sums::default() };
        assert_eq!(sample.known.lambda(0), None);
        sample.note(Quality::LENGTH, -1);
        assert!(sample.known.lambda(0).unwrap() > 1.0);
        assert!(i64::from(u32::MAX).checked_mul(MOST).is_some());
    }

    /// Threads that share after every playout know what one thread that makes them all knows.
    #[test]
    fn what_threads_share_adds_up() {
        let shared = SharedStatistics::default();
        let mut threads = [RewardStatistics::default(); 3];
        let mut one = RunningSample::default();
        for length in 1..100 {
            let thread = &mut threads[length as usize % 3];
            shared.share(thread);
            let term = thread.lengths[1].note(Quality::LENGTH, -length * length % 17);
            shared.share(thread);
            assert_eq!(term, one.note(Quality::LENGTH, -length * length % 17));
        }
    }

    fn config() -> Config {
        let quality = Quality { length: Some(Quality::LENGTH), terminal: Some(Quality::TERMINAL) };
        let bias = Some(Bias { weight: 0.1, count: Count::RootLosses });
        Config { quality, bias, memory: 1 << 20, ..Config::default() }
    }

    /// A total of outcomes is a whole number of them, whatever the rewards are.
    #[test]
    fn losses_are_counted_whole() {
        for threads in [1, 3] {
            let config = Config { threads, ..config() };
            let mut search = Search::with_knowledge(config, DiceRace::start(), NoKnowledge);
            search.run(&Limit::iterations(3_000));
            let mut changed = 0;
            for number in ROOT..search.tree().edge_count() as u32 {
                let edge = search.tree().edge(number);
                let outcomes = search.tree().columns.outcomes.get(number);
                assert_eq!(outcomes % ONE, 0);
                assert!(outcomes.abs() <= i64::from(edge.visits()) * ONE);
                changed += u32::from(outcomes != edge.total());
            }
            assert!(changed > 100, "{changed} totals differ from those of outcomes");
        }
    }

    #[test]
    fn only_who_counts_losses_by_quality_keeps_them() {
        let bytes = |config: Config| Search::new(config, DiceRace::start()).tree().bytes();
        let visits = Some(Bias { weight: 0.1, count: Count::RootVisits });
        assert_eq!(bytes(Config { bias: visits, ..config() }) + size_of::<i64>(), bytes(config()));
        let plain = Config { quality: Quality::default(), ..config() };
        assert_eq!(bytes(plain) + size_of::<i64>(), bytes(config()));
    }
}
