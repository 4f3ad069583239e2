//! Exploration by priors: what looks good in advance is explored first and more, the rest later and
//! less.
//!
//! The formula is that of Silver and others, *A general reinforcement learning algorithm that
//! masters chess, shogi and Go through self-play* (2018), `Q + C P sqrt(N) / (1 + n)`. There a
//! network gives P; here it is made of
//! [`Knowledge::log_priors`](monteverde_game::Knowledge::log_priors): the shares are proportional
//! to `exp(log prior / temperature)`.
//!
//! The constant that is best grows with the visits. With a base, `C` is multiplied by `1 + ln(1 + N /
//! base)`; the same paper has such a term, and a constant of its own for it.

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

/// Makes shares, which add up to 1, of log priors. What is not a number counts as least. `weights`
/// is scratch space.
pub(crate) fn to_shares(priors: &mut [f32], temperature: f64, weights: &mut Vec<f64>) {
    let highest = priors.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let weight = |prior: f32| {
        let below = f64::from(prior) - f64::from(highest);
        // Equal infinities leave no number.
        if prior == highest { 1.0 } else { libm::exp(below / temperature) }
    };
    let weight = |prior: f32| if prior.is_nan() { 0.0 } else { weight(prior) };
    weights.clear();
    weights.extend(priors.iter().map(|&prior| weight(prior)));
    let sum: f64 = weights.iter().sum();
    let equal = 1.0 / priors.len() as f32;
    for (prior, weight) in priors.iter_mut().zip(weights) {
        *prior = if sum > 0.0 { (*weight / sum) as f32 } else { equal };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_those_of_the_exponentials() {
        let mut priors = [0.0, 100.0, 100.0, -100.0];
        to_shares(&mut priors, 100.0, &mut Vec::new());
        let e = std::f64::consts::E;
        let sum = 2.0 + 1.0 / e + 1.0 / (e * e);
        for (share, weight) in priors.iter().zip([1.0 / e, 1.0, 1.0, 1.0 / (e * e)]) {
            assert!((f64::from(*share) - weight / sum).abs() < 1e-7);
        }
    }

    #[test]
    fn no_numbers_give_no_shares_but_never_spoil_the_others() {
        let mut priors = [f32::NAN, 0.0, f32::NEG_INFINITY, 0.0];
        to_shares(&mut priors, 1.0, &mut Vec::new());
        assert_eq!(priors, [0.0, 0.5, 0.0, 0.5]);
        let mut priors = [f32::INFINITY, 0.0];
        to_shares(&mut priors, 1.0, &mut Vec::new());
        assert_eq!(priors, [1.0, 0.0]);
        let mut priors = [f32::NAN; 2];
        to_shares(&mut priors, 1.0, &mut Vec::new());
        assert_eq!(priors, [0.5; 2]);
    }
}
