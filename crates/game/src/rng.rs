//! The random number generator of the whole project, fixed for ever: xoshiro256++ (Blackman and Vigna),
//! its state filled from the seed by SplitMix64. The same seed gives the same numbers on every machine
//! and in every future version; the tests compare it with `rand_xoshiro`.

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

    /// A number in `0..bound`, by multiplying 64 random bits with the bound and keeping the high half:
    /// no loop, and a bias below `bound / 2^64`, far under anything a measurement could see.
    ///
    /// Returns 0 for a bound of 0, after drawing as always.
    #[inline(always)]
    pub fn below(&mut self, bound: u32) -> u32 {
        ((u128::from(self.next_u64()) * u128::from(bound)) >> 64) as u32
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

fn split_mix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
