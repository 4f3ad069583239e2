//! Exploration by priors: what looks good in advance is explored first and more, the rest later and
//! less.
//!
//! The formula is that of Silver and others, *A general reinforcement learning algorithm that
//! masters chess, shogi and Go through self-play* (2018), `Q + C P sqrt(N) / (1 + n)`. There a
//! network gives P; here it is made of
//! [`Knowledge::log_priors`](monteverde_game::Knowledge::log_priors): the shares are proportional
//! to `exp(log prior / temperature)`.
//!
//! The constant that is best grows with the visits. With a base, `C` is multiplied by `1 + ln(1 + N
//! / base)`; the same paper has such a term, and a constant of its own for it.
//!
//! Knowledge that is sure of itself overlooks sacrifices. A part of all shares can be divided
//! equally, so that every move is tried where those that look better turn out bad.

use super::exponential::exponentiate;
use super::fpu::Fpu;

/// What the mean of an untried move is taken to be where the configuration does not say: a draw.
pub(crate) const UNTRIED: Fpu = Fpu::Fixed(0.0);

/// The exploration of an edge as a part of that of its node.
#[inline(always)]
pub(crate) fn part(share: f32, visits: u32) -> f64 {
    f64::from(share) / (1.0 + f64::from(visits))
}

/// What the constant is multiplied by in a node of so many visits.
pub(crate) fn growth(visits: f64, base: f64) -> f64 {
    1.0 + libm::log(1.0 + visits / base)
}

/// How log priors become shares.
#[derive(Clone, Copy)]
pub(crate) struct ShareRule {
    /// What difference of log priors makes a share e times as large.
    pub(crate) temperature: f64,
    /// So much of all shares is divided equally, so that no move is overlooked.
    pub(crate) even: Option<f64>,
}

/// Makes shares, which add up to 1, of log priors. What is not a number counts as least. `weights`
/// is scratch space.
pub(crate) fn to_shares(priors: &mut [f32], how: ShareRule, weights: &mut Vec<f64>) {
    let ShareRule { temperature, even } = how;
    let highest = priors.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let below = |prior: f32| {
        let below = (f64::from(prior) - f64::from(highest)) / temperature;
        match prior == highest {
            true => 0.0, // Equal infinities would leave no number.
            false if below.is_nan() => f64::NEG_INFINITY,
            false => below,
        }
    };
    weights.clear();
    weights.extend(priors.iter().map(|&prior| below(prior)));
    exponentiate(weights);
    let sum: f64 = weights.iter().sum();
    let equal = 1.0 / priors.len() as f32;
    for (prior, weight) in priors.iter_mut().zip(weights) {
        *prior = if sum > 0.0 { (*weight / sum) as f32 } else { equal };
    }
    if let Some(even) = even {
        let (rest, even) = (1.0 - even as f32, even as f32 * equal);
        priors.iter_mut().for_each(|share| *share = even + rest * *share);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(temperature: f64) -> ShareRule {
        ShareRule { temperature, even: None }
    }

    #[test]
    fn a_part_is_divided_equally() {
        let mut priors = [0.0, f32::NEG_INFINITY, -1e9, f32::NAN];
        let how = ShareRule { even: Some(0.25), ..at(1.0) };
        to_shares(&mut priors, how, &mut Vec::new());
        assert_eq!(priors, [0.8125, 0.0625, 0.0625, 0.0625]);
    }

    #[test]
    fn shares_are_those_of_the_exponentials() {
        let mut priors = [0.0, 100.0, 100.0, -100.0];
        to_shares(&mut priors, at(100.0), &mut Vec::new());
        let e = std::f64::consts::E;
        let sum = 2.0 + 1.0 / e + 1.0 / (e * e);
        for (share, weight) in priors.iter().zip([1.0 / e, 1.0, 1.0, 1.0 / (e * e)]) {
            assert!((f64::from(*share) - weight / sum).abs() < 1e-7);
        }
    }

    #[test]
    fn no_numbers_give_no_shares_but_never_spoil_the_others() {
        let mut priors = [f32::NAN, 0.0, f32::NEG_INFINITY, 0.0];
        to_shares(&mut priors, at(1.0), &mut Vec::new());
        assert_eq!(priors, [0.0, 0.5, 0.0, 0.5]);
        let mut priors = [f32::INFINITY, 0.0];
        to_shares(&mut priors, at(1.0), &mut Vec::new());
        assert_eq!(priors, [1.0, 0.0]);
        let mut priors = [f32::NAN; 2];
        to_shares(&mut priors, at(1.0), &mut Vec::new());
        assert_eq!(priors, [0.5; 2]);
    }
}
