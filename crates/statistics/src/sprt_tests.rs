use super::*;
use monteverde_game::Rng;
use proptest::prelude::*;

const SCALES: [EloScale; 2] = [EloScale::Logistic, EloScale::Normalised];

fn test_of(scale: EloScale, hypotheses: [f64; 2]) -> SequentialTest {
    SequentialTest::new(scale, hypotheses, 0.05, 0.05).expect("the hypotheses are in range")
}

#[test]
fn a_long_test_has_its_known_ratio() {
    let sample = Pairs::new([365, 16618, 36229, 16974, 390]);
    let llr = test_of(EloScale::Normalised, [0.0, 2.0]).llr(sample);
    assert_eq!(format!("{llr:.2}"), "2.25");
}

#[test]
fn the_older_form_has_its_known_ratio() {
    let test = test_of(EloScale::Logistic, [0.0, 10.0]);
    let llr = test.bayeselo_llr(Wdl::new(1477, 2942, 1351));
    assert_eq!(format!("{llr:.2}"), "2.52");
    assert!(test.bayeselo_llr(Wdl::default()).abs() < 0.01);
    assert!(test.bayeselo_llr(Wdl::new(500, 0, 0)) > 2.9);
    assert!(test.bayeselo_llr(Wdl::new(0, 0, 500)) < -2.9);
    let far = test_of(EloScale::Logistic, [-1000.0, 1000.0]);
    for games in [Wdl::new(0, 100_000, 0), Wdl::new(100_000, 0, 0), Wdl::new(1, 0, 1)] {
        assert!(far.bayeselo_llr(games).is_finite(), "{games:?}");
    }
}

#[test]
fn the_bounds_are_walds() {
    let test = SequentialTest::new(EloScale::Logistic, [0.0, 5.0], 0.05, 0.1).unwrap();
    let (lower, upper) = test.bounds();
    assert!((lower - (0.1f64 / 0.95).ln()).abs() < 1e-15);
    assert!((upper - (0.9f64 / 0.05).ln()).abs() < 1e-15);
    assert_eq!(test.decide_by(lower), Decision::AcceptH0);
    assert_eq!(test.decide_by(0.0), Decision::Continue);
    assert_eq!(test.decide_by(upper), Decision::AcceptH1);
}

#[test]
fn a_clean_score_decides() {
    for scale in SCALES {
        let test = test_of(scale, [0.0, 10.0]);
        assert_eq!(test.decide(Wdl::new(300, 0, 0)), Decision::AcceptH1, "{scale:?}");
        assert_eq!(test.decide(Wdl::new(0, 0, 300)), Decision::AcceptH0, "{scale:?}");
        assert_eq!(test.decide(Pairs::new([0, 0, 0, 0, 150])), Decision::AcceptH1, "{scale:?}");
        assert_eq!(test.decide(Pairs::new([150, 0, 0, 0, 0])), Decision::AcceptH0, "{scale:?}");
        assert_eq!(test.decide(Wdl::default()), Decision::Continue);
        assert_eq!(test.llr(Pairs::default()), 0.0);
        // Draws alone speak for neither of two hypotheses at equal distance.
        assert!(test_of(scale, [-5.0, 5.0]).llr(Wdl::new(0, 500, 0)).abs() < 1e-6, "{scale:?}");
    }
}

#[test]
fn unusable_tests_are_refused() {
    let make = |scale, hypotheses, alpha| SequentialTest::new(scale, hypotheses, alpha, 0.05);
    for hypotheses in [[5.0, 5.0], [5.0, 0.0], [f64::NAN, 1.0], [0.0, f64::INFINITY], [0.0, 1e4]] {
        for scale in SCALES {
            assert!(matches!(make(scale, hypotheses, 0.05), Err(TestError::Hypotheses { .. })));
        }
    }
    for alpha in [0.0, 0.5, -1.0, f64::NAN] {
        let error = make(EloScale::Logistic, [0.0, 5.0], alpha).unwrap_err();
        assert!(error.to_string().starts_with("alpha is"), "{error}");
    }
}

/// Draws a class from its share.
fn draw<const N: usize>(shares: &[f64; N], rng: &mut Rng) -> usize {
    let mut rest = rng.unit();
    for (class, share) in shares.iter().enumerate() {
        rest -= share;
        if rest < 0.0 {
            return class;
        }
    }
    N - 1
}

/// The share of simulated matches that end with each decision, and the mean number of units. Every
/// match ends: the cap is far beyond any that occurs.
fn simulate<const N: usize>(
    test: &SequentialTest,
    shares: [f64; N],
    sample: impl Fn([u64; N]) -> Decision,
    seed: u64,
) -> (f64, f64) {
    const MATCHES: u64 = 1000;
    let mut accepted = 0;
    let mut units = 0;
    for index in 0..MATCHES {
        let mut rng = Rng::stream(seed, index);
        let mut counts = [0; N];
        loop {
            counts[draw(&shares, &mut rng)] += 1;
            units += 1;
            match sample(counts) {
                Decision::Continue => {}
                Decision::AcceptH1 => {
                    accepted += 1;
                    break;
                }
                Decision::AcceptH0 => break,
            }
            assert!(counts.iter().sum::<u64>() < 100_000, "{test:?} does not end");
        }
    }
    (accepted as f64 / MATCHES as f64, units as f64 / MATCHES as f64)
}

/// Four standard deviations of a share of 5% in 1,000 matches.
const SLACK: f64 = 0.028;

#[test]
fn single_games_keep_the_promised_error_rates() {
    let test = test_of(EloScale::Logistic, [0.0, 60.0]);
    let decide = |[l, d, w]: [u64; 3]| test.decide(Wdl::new(w, d, l));
    // Shares of losses, draws and wins with 30% draws at each hypothesis.
    let at = |elo| {
        let win = score_of_elo(elo) - 0.15;
        [0.7 - win, 0.3, win]
    };
    let (wrong, _) = simulate(&test, at(0.0), decide, 1);
    assert!(wrong < 0.05 + SLACK, "elo0: {wrong} accepted elo1");
    let (right, _) = simulate(&test, at(60.0), decide, 2);
    assert!(right > 0.95 - SLACK, "elo1: only {right} accepted elo1");
}

#[test]
fn pairs_keep_the_promised_error_rates_on_the_normalised_scale() {
    let test = test_of(EloScale::Normalised, [0.0, 60.0]);
    let decide = |counts: [u64; 5]| test.decide(Pairs::new(counts));
    let even = [0.05, 0.2, 0.5, 0.2, 0.05];
    let (wrong, _) = simulate(&test, even, decide, 3);
    assert!(wrong < 0.05 + SLACK, "elo0: {wrong} accepted elo1");
    // The distribution nearest to the even one that is 60 normalised Elo better.
    let better = nearest_with_deviations(&even, 2f64.sqrt() * 60.0 / NORMALISED_UNIT);
    let (right, _) = simulate(&test, better, decide, 4);
    assert!(right > 0.95 - SLACK, "elo1: only {right} accepted elo1");
}

#[test]
fn a_match_between_unequal_players_ends_sooner() {
    let test = test_of(EloScale::Logistic, [0.0, 60.0]);
    let decide = |counts: [u64; 5]| test.decide(Pairs::new(counts));
    let (_, near) = simulate(&test, [0.05, 0.15, 0.5, 0.25, 0.05], decide, 5);
    let (right, far) = simulate(&test, [0.0, 0.05, 0.25, 0.3, 0.4], decide, 6);
    assert!(right > 0.99 && far < near / 2.0, "{far} against {near} pairs");
}

#[test]
fn a_class_that_is_hardly_observed_keeps_its_digits() {
    let counts = [EMPTY_CLASS, 713.0, 495.0, 506.0, 998.0];
    let total: f64 = counts.iter().sum();
    let shares = nearest_with_mean(&counts.map(|count| count / total), 0.1309234354574579);
    let mean: f64 = (0..5).map(|i| shares[i] * class_score::<5>(i)).sum();
    assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-12, "{shares:?}");
    assert!((mean - 0.1309234354574579).abs() < 1e-12, "{mean}");
}

proptest! {
    #[test]
    fn the_nearest_distribution_fulfils_its_constraint(
        counts in prop::array::uniform5(0u64..2000), deviations in -0.8f64..0.8, mean in 0.01f64..0.99
    ) {
        let counts = counts.map(|count| if count == 0 { EMPTY_CLASS } else { count as f64 });
        let total: f64 = counts.iter().sum();
        let observed = counts.map(|count| count / total);
        let moments = |p: [f64; 5]| {
            let mean: f64 = (0..5).map(|i| p[i] * class_score::<5>(i)).sum();
            let square: f64 = (0..5).map(|i| p[i] * (class_score::<5>(i) - mean).powi(2)).sum();
            (p.iter().sum::<f64>(), mean, square.sqrt())
        };
        let (sum, found, _) = moments(nearest_with_mean(&observed, mean));
        prop_assert!((sum - 1.0).abs() < 1e-9 && (found - mean).abs() < 1e-9);
        let (sum, found, deviation) = moments(nearest_with_deviations(&observed, deviations));
        prop_assert!((sum - 1.0).abs() < 1e-9);
        prop_assert!(((found - 0.5) / deviation - deviations).abs() < 1e-3);
    }

    #[test]
    fn the_opponents_test_is_the_mirror_image(
        counts in prop::array::uniform5(0u64..300), elo0 in -100.0f64..100.0, step in 0.5f64..90.0
    ) {
        let pairs = Pairs::new(counts);
        let games = Wdl::new(counts[0], counts[1], counts[2]);
        for scale in SCALES {
            let ours = test_of(scale, [elo0, elo0 + step]);
            let theirs = test_of(scale, [-elo0 - step, -elo0]);
            let near = |a: f64, b: f64| (a + b).abs() < 1e-6 * (1.0 + a.abs());
            prop_assert!(near(ours.llr(pairs), theirs.llr(pairs.reversed())));
            prop_assert!(near(ours.llr(games), theirs.llr(games.reversed())));
        }
    }
}
