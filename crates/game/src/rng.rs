//! The random number generator of the whole project, fixed for ever: xoshiro256++ (Blackman and
//! Vigna), its state filled from the seed by SplitMix64. The same seed gives the same numbers on
//! every machine and in every future version; the tests compare it with `rand_xoshiro`.

/// xoshiro256++.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rng {
    state: [u64; 4],
}

impl Rng {
    /// The generator for a seed.
    pub fn new(seed: u64) -> Rng {
        let mut mix = seed;
        Rng { state: std::array::from_fn(|_| split_mix(&mut mix)) }
    }

    /// An independent generator for each `index` under one seed: one per thread, game or cell.
    pub fn stream(seed: u64, index: u64) -> Rng {
        Rng::new(stream_seed(seed, index))
    }

    /// 64 uniformly random bits.
    #[inline(always)]
    pub fn next_u64(&mut self) -> u64 {
        let s = &mut self.state;
        let result = s[0].wrapping_add(s[3]).rotate_left(23).wrapping_add(s[0]);
        let shifted = s[1] << 17;
        s[2] ^= s[0];
        s[3] ^= s[1];
        s[1] ^= s[2];
        s[0] ^= s[3];
        s[2] ^= shifted;
        s[3] = s[3].rotate_left(45);
        result
    }

    /// A number in `0..bound`, by multiplying 64 random bits with the bound and keeping the high
    /// half: no loop, and a bias below `bound / 2^64`, far under anything a measurement could see.
    ///
    /// Returns 0 for a bound of 0, after drawing as always.
    #[inline(always)]
    pub fn below(&mut self, bound: u32) -> u32 {
        ((u128::from(self.next_u64()) * u128::from(bound)) >> 64) as u32
    }

    /// Puts items into a random order, each with equal probability.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last as u32 + 1) as usize);
        }
    }

    /// A number in `0.0..1.0` with 53 random bits.
    #[inline(always)]
    pub fn unit(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }
}

/// The seed of the `index`-th stream under `seed`.
pub fn stream_seed(seed: u64, index: u64) -> u64 {
    let mut mix = seed;
    let base = split_mix(&mut mix);
    let mut mix = base ^ index.wrapping_mul(0xd134_2543_de82_ef95);
    split_mix(&mut mix)
}

/// SplitMix64: the next number of a state. Also what fills tables of random numbers at compile
/// time.
pub const fn split_mix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_core::{Rng as _, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    #[test]
    fn equals_the_reference_generator() {
        for seed in [0, 1, 2, 42, 0xdead_beef, 1 << 63, u64::MAX] {
            let mut ours = Rng::new(seed);
            let mut reference = Xoshiro256PlusPlus::seed_from_u64(seed);
            for draw in 0..1000 {
                assert_eq!(ours.next_u64(), reference.next_u64(), "seed {seed}, draw {draw}");
            }
        }
    }

    #[test]
    fn numbers_are_fixed_for_ever() {
        let mut rng = Rng::new(1);
        assert_eq!(std::array::from_fn(|_| rng.next_u64()), FIRST_OF_SEED_1);
        assert_eq!(Rng::stream(1, 0).next_u64(), FIRST_OF_STREAM_1_0);
        assert_eq!(Rng::stream(1, 1).next_u64(), FIRST_OF_STREAM_1_1);
        let mut rng = Rng::new(1);
        assert_eq!(std::array::from_fn(|_| rng.below(100)), FIRST_BELOW_100);
    }

    #[test]
    fn below_is_uniform() {
        const PER_CELL: u32 = 10_000;
        // The chi-square values that a uniform generator exceeds once in 10,000 times, by tables.
        for (bound, limit) in [(2, 15.14), (3, 18.42), (6, 25.74), (10, 33.72), (31, 68.0)] {
            let mut rng = Rng::new(u64::from(bound));
            let mut counts = vec![0u32; bound as usize];
            for _ in 0..bound * PER_CELL {
                counts[rng.below(bound) as usize] += 1;
            }
            let expected = f64::from(PER_CELL);
            let chi_square: f64 =
                counts.iter().map(|&n| (f64::from(n) - expected).powi(2) / expected).sum();
            assert!(chi_square < limit, "below({bound}): chi-square {chi_square} over {limit}");
        }
    }

    #[test]
    fn below_stays_in_its_bound() {
        let mut rng = Rng::new(3);
        for _ in 0..1000 {
            assert_eq!(rng.below(1), 0);
            assert!(rng.below(u32::MAX) < u32::MAX);
        }
        let before = rng.clone();
        assert_eq!(rng.below(0), 0);
        assert_ne!(rng, before, "a bound of 0 draws as always");
    }

    #[test]
    fn unit_is_in_its_range_with_mean_one_half() {
        let mut rng = Rng::new(4);
        let draws: Vec<f64> = (0..100_000).map(|_| rng.unit()).collect();
        assert!(draws.iter().all(|draw| (0.0..1.0).contains(draw)));
        // The standard error of the mean is 1 / sqrt(12 * 100,000) = 0.0009.
        let mean = draws.iter().sum::<f64>() / draws.len() as f64;
        assert!((mean - 0.5).abs() < 0.004, "mean {mean}");
    }

    #[test]
    fn streams_differ() {
        let mut firsts: Vec<u64> = Vec::new();
        for seed in 0..100 {
            firsts.push(Rng::new(seed).next_u64());
            firsts.extend((0..100).map(|index| Rng::stream(seed, index).next_u64()));
        }
        let count = firsts.len();
        firsts.sort_unstable();
        firsts.dedup();
        assert_eq!(firsts.len(), count);
    }

    // Worked out outside this crate, with whole numbers of any size.
    const FIRST_OF_SEED_1: [u64; 4] = [
        0xcfc5_d07f_6f03_c29b,
        0xbf42_4132_963f_e08d,
        0x19a3_7d57_57aa_f520,
        0xbf08_119f_05cd_56d6,
    ];
    const FIRST_OF_STREAM_1_0: u64 = 0x3f85_06cb_87cd_7d91;
    const FIRST_OF_STREAM_1_1: u64 = 0x2f32_2969_100a_1679;
    const FIRST_BELOW_100: [u32; 8] = [81, 74, 10, 74, 18, 59, 98, 52];
}
