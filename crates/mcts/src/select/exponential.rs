//! Exponentials of many numbers at once.
//!
//! The system's exponential differs from machine to machine, so that shares are made with that of
//! `libm`. A node needs one for each of its moves, and they are independent: what follows takes the
//! same steps for all of them side by side, without jumps, and comes to the same bits.

/// The logarithm of 2 in two parts, the first so short that its products with small whole numbers
/// are exact.
const LN_2: [f64; 2] = [f64::from_bits(0x3fe6_2e42_fee0_0000), 1.908_214_929_270_587_7e-10];
const INVERSE_LN_2: f64 = std::f64::consts::LOG2_E;
/// The coefficients of `x (exp(x) + 1) / (exp(x) - 1)`, a series in squares.
const P: [f64; 5] = [
    0.166_666_666_666_666_02,
    -0.002_777_777_777_701_559_3,
    6.613_756_321_437_934e-5,
    -1.653_390_220_546_525_2e-6,
    4.138_136_797_057_238_5e-8,
];
/// Where one power of two, and then several, are taken out: a half and three halves of the
/// logarithm of 2, as `libm` has them.
const BORDERS: [f64; 2] = [f64::from_bits(0x3fd6_2e43 << 32), f64::from_bits(0x3ff0_a2b2 << 32)];
/// Up to here the exponential is `1 + x`.
const TINY: f64 = f64::from_bits(0x3e30_0001 << 32);
/// Down to here powers of two are ordinary numbers.
const LEAST: f64 = -700.0;

/// Replaces numbers, none of which is above 0, by their exponentials: those of `libm::exp`, bit by
/// bit.
pub(crate) fn exponentiate(numbers: &mut [f64]) {
    if numbers.iter().any(|&x| !(LEAST..=0.0).contains(&x)) {
        numbers.iter_mut().for_each(|x| *x = libm::exp(*x));
        return;
    }
    for x in numbers {
        *x = exponential(*x);
    }
}

/// The exponential of a number from [`LEAST`] to 0.
#[inline(always)]
fn exponential(x: f64) -> f64 {
    let size = -x;
    let powers = (INVERSE_LN_2 * x - 0.5).trunc();
    let powers = if size < BORDERS[1] { -1.0 } else { powers };
    let powers = if size < BORDERS[0] { 0.0 } else { powers };
    let (high, low) = (x - powers * LN_2[0], powers * LN_2[1]);
    let rest = high - low;
    let square = rest * rest;
    let series = P[0] + square * (P[1] + square * (P[2] + square * (P[3] + square * P[4])));
    let c = rest - square * series;
    let y = 1.0 + (rest * c / (2.0 - c) - low + high);
    // A whole number that is added to 2^52 stands in the lowest bits, from where it is moved to
    // those of the exponent.
    const TO_BITS: f64 = (1_u64 << 52) as f64 + 1023.0;
    let scale = f64::from_bits((powers + TO_BITS).to_bits() << 52);
    if size < TINY { 1.0 + x } else { y * scale }
}

#[cfg(test)]
mod tests {
    use super::*;
    use monteverde_game::Rng;

    fn check(x: f64) {
        let mut numbers = [x];
        exponentiate(&mut numbers);
        assert_eq!(numbers[0].to_bits(), libm::exp(x).to_bits(), "{x:e}");
    }

    #[test]
    fn exponentials_are_those_of_libm() {
        let mut rng = Rng::new(1);
        for _ in 0..300_000 {
            let share = f64::from(rng.below(1 << 30)) / f64::from(1 << 30);
            [1e-9, 1e-3, 1.0, 2.0, 20.0, 800.0].into_iter().for_each(|most| check(-most * share));
        }
    }

    #[test]
    fn exponentials_at_borders_are_those_of_libm() {
        let borders = BORDERS.into_iter().chain([TINY, -LEAST, 0.0, 708.4, 745.2, 1e300]);
        for bits in borders.map(f64::to_bits) {
            (bits.saturating_sub(1000)..bits + 1000).for_each(|bits| check(-f64::from_bits(bits)));
            let lower = bits >> 32 << 32;
            (lower.saturating_sub(9)..lower + 9).for_each(|bits| check(-f64::from_bits(bits)));
        }
        (1..2100).for_each(|halves| check(f64::from(halves) * -0.5 * std::f64::consts::LN_2));
        [f64::NEG_INFINITY, f64::NAN].into_iter().for_each(check);
    }
}
