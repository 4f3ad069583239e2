//! The promises of the random methods: [`Game::sample`](crate::Game::sample),
//! [`Game::sample_event`](crate::Game::sample_event) and [`Game::playout`](crate::Game::playout).

use super::rules::{listed_events, listed_moves};
use super::{LONGEST, Violation, broken, require};
use crate::{Notation, Playout, Rng};

/// The deviations of all states together, which show a bias too small to show in one of them.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct Tally {
    chi_square: f64,
    freedom: usize,
}

/// Checks the draws of one state and adds their deviation to the tally.
pub(super) fn check<G: Notation>(
    state: &G,
    rng: &mut Rng,
    tally: &mut Tally,
) -> Result<(), Violation> {
    let here = if state.is_pending() { event_draws(state, rng)? } else { move_draws(state, rng)? };
    tally.chi_square += here.chi_square;
    tally.freedom += here.freedom;
    playout(state, rng)
}

/// Checks the draws of all states together.
pub(super) fn check_tally<G: Notation>(start: &G, tally: Tally) -> Result<(), Violation> {
    let rule = "the draws of all states together are fair";
    tally.within_limit().map_err(|detail| broken(start, rule, detail))
}

/// How often the rarest step is expected to be drawn.
const DRAWS_OF_RAREST: u64 = 100;

fn move_draws<G: Notation>(state: &G, rng: &mut Rng) -> Result<Tally, Violation> {
    let moves = listed_moves(state);
    // A rule that needs the history may be left out; one that the text alone can tell may not.
    let over = state
        .outcome()
        .filter(|_| G::parse_state(&state.state_text()).is_ok_and(|read| read.outcome().is_some()));
    let mut counts = vec![0; moves.len()];
    for _ in 0..DRAWS_OF_RAREST * moves.len().max(1) as u64 {
        match state.sample(rng) {
            Err(outcome) => {
                let known = state.outcome();
                require(state, "sample knows the outcome", known == Some(outcome), || {
                    format!("it says {outcome:?}, the outcome is {known:?}")
                })?;
                return Ok(Tally::default());
            }
            Ok(mv) if over.is_some() => {
                let detail = format!("it drew {mv:?}, the outcome is {over:?}");
                return Err(broken(state, "sample stops where the game is over", detail));
            }
            Ok(mv) => match moves.iter().position(|&listed| listed == mv) {
                Some(index) => counts[index] += 1,
                None => {
                    let detail = format!("it drew {mv:?}");
                    return Err(broken(state, "sample draws only listed moves", detail));
                }
            },
        }
    }
    deviation(&counts, &vec![1; moves.len()]).map_err(|detail| {
        let texts: Vec<String> = moves.iter().map(|&mv| state.move_text(mv)).collect();
        let detail = format!("{detail}; {texts:?} were drawn {counts:?} times");
        broken(state, "sample draws all moves alike", detail)
    })
}

fn event_draws<G: Notation>(state: &G, rng: &mut Rng) -> Result<Tally, Violation> {
    let (events, weights): (Vec<_>, Vec<_>) = listed_events(state).into_iter().unzip();
    let rarest = u64::from(weights.iter().copied().min().unwrap_or(1));
    let draws = DRAWS_OF_RAREST * u64::from(state.event_weight()).div_ceil(rarest);
    let mut counts = vec![0; events.len()];
    for _ in 0..draws {
        let event = state.sample_event(rng);
        match events.iter().position(|&listed| listed == event) {
            Some(index) => counts[index] += 1,
            None => {
                let detail = format!("it drew {event:?}");
                return Err(broken(state, "sample_event draws only listed events", detail));
            }
        }
    }
    deviation(&counts, &weights).map_err(|detail| {
        let texts: Vec<String> = events.iter().map(|&event| state.event_text(event)).collect();
        let detail = format!("{detail}; {texts:?} were drawn {counts:?} times");
        broken(state, "sample_event draws by weight", detail)
    })
}

/// The playout must be the loop over `sample`, draw for draw.
fn playout<G: Notation>(state: &G, rng: &mut Rng) -> Result<(), Violation> {
    let mut looped = state.clone();
    let mut loop_rng = rng.clone();
    let expected = loop_over_sample(&mut looped, &mut loop_rng).ok_or_else(|| {
        broken(state, "a playout ends", format!("it goes on after {LONGEST} steps"))
    })?;
    let mut played = state.clone();
    let found = played.playout(rng);
    require(state, "playout is the loop over sample", found == expected, || {
        format!("it gives {found:?}, the loop {expected:?}")
    })?;
    require(state, "playout draws as the loop over sample", *rng == loop_rng, || {
        "it leaves the generator elsewhere".to_owned()
    })?;
    // A playout may have kept no history; then it cannot name an ending that needs it.
    let (ending, with_history) = (played.ending(), looped.ending());
    let without_history = G::parse_state(&looped.state_text()).ok().and_then(|read| read.ending());
    let named = ending.is_some() && (ending == with_history || ending == without_history);
    require(state, "playout ends as the loop over sample", named, || {
        format!("its ending is {ending:?}, the loop's {with_history:?}")
    })
}

fn loop_over_sample<G: Notation>(state: &mut G, rng: &mut Rng) -> Option<Playout> {
    let mut plies = 0;
    for _ in 0..LONGEST {
        if state.is_pending() {
            let event = state.sample_event(rng);
            state.settle(event);
            continue;
        }
        match state.sample(rng) {
            Ok(mv) => state.play(mv),
            Err(outcome) => return Some(Playout { outcome, plies }),
        }
        plies += 1;
    }
    None
}

/// The limit of a fair sampler lies this many standard deviations out: it fails once in three
/// million states, and as seeds are fixed, always in the same ones.
const DEVIATIONS: f64 = 5.0;

/// How far counts are from their weights, by Pearson's chi-square test; an error if too far.
fn deviation(counts: &[u64], weights: &[u32]) -> Result<Tally, String> {
    // Chi-square alone forgives one missing step among hundreds of others; its chance is e^-100.
    if let Some(index) = counts.iter().position(|&count| count == 0) {
        return Err(format!("number {index} was never drawn"));
    }
    let draws = counts.iter().sum::<u64>() as f64;
    let total: f64 = weights.iter().map(|&weight| f64::from(weight)).sum();
    let chi_square = counts.iter().zip(weights).map(|(&count, &weight)| {
        let expected = draws * f64::from(weight) / total;
        (count as f64 - expected).powi(2) / expected
    });
    let tally = Tally { chi_square: chi_square.sum(), freedom: counts.len() - 1 };
    tally.within_limit().map(|()| tally)
}

impl Tally {
    fn within_limit(self) -> Result<(), String> {
        if self.freedom == 0 {
            return Ok(());
        }
        let Tally { chi_square, freedom } = self;
        let limit = chi_square_limit(freedom);
        if chi_square <= limit {
            return Ok(());
        }
        Err(format!(
            "chi-square is {chi_square:.1} for {freedom} degrees of freedom, over {limit:.1}"
        ))
    }
}

/// The chi-square value [`DEVIATIONS`] out, by the cube-root approximation of Wilson and Hilferty.
fn chi_square_limit(freedom: usize) -> f64 {
    let freedom = freedom as f64;
    let spread = 2.0 / (9.0 * freedom);
    freedom * (1.0 - spread + DEVIATIONS * spread.sqrt()).powi(3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fair_counts_fit_and_others_do_not() {
        assert!(deviation(&[98, 105, 97], &[1, 1, 1]).is_ok());
        assert!(deviation(&[310, 195, 95], &[3, 2, 1]).is_ok());
        assert_eq!(deviation(&[7], &[5]), Ok(Tally::default()));
        assert!(deviation(&[200, 200, 200], &[3, 2, 1]).is_err());
        assert!(deviation(&[160, 100, 40], &[1, 1, 1]).is_err());
    }

    #[test]
    fn a_move_that_is_never_drawn_shows() {
        for moves in [2, 3, 10, 40, 100, 218] {
            let mut counts = vec![DRAWS_OF_RAREST; moves];
            counts[moves - 1] = 0;
            let error = format!("number {} was never drawn", moves - 1);
            assert_eq!(deviation(&counts, &vec![1; moves]), Err(error));
        }
    }

    /// The exact values, from the sum that the distribution has for even degrees of freedom.
    #[test]
    fn limits_are_just_over_the_exact_ones() {
        for (freedom, exact) in [(2, 30.13), (10, 49.83), (30, 85.74), (100, 187.33)] {
            let ratio = chi_square_limit(freedom) / exact;
            assert!((1.0..1.11).contains(&ratio), "{freedom}: {ratio}");
        }
    }
}
