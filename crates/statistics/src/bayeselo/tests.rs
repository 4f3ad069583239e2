use super::*;
use crate::score_of_elo;
use monteverde_game::Rng;
use proptest::prelude::*;

/// The table of the golden values; players A, B, C, D.
fn golden() -> Crosstable {
    let cells = [
        (0, 1, [7, 6, 4]),
        (1, 0, [5, 7, 5]),
        (0, 2, [8, 4, 5]),
        (2, 0, [6, 5, 6]),
        (1, 2, [6, 6, 5]),
        (2, 1, [6, 5, 6]),
        (0, 3, [9, 3, 4]),
        (3, 0, [4, 5, 7]),
    ];
    let mut table = Crosstable::new(4);
    for (first, second, [wins, draws, losses]) in cells {
        table.add(first, second, Wdl::new(wins, draws, losses));
    }
    table
}

fn rated(table: &Crosstable) -> Ratings {
    rate(table, Model::default(), Fit::Nothing, Precision::AsBayesElo).expect("a model in range")
}

fn rated_exactly(table: &Crosstable) -> Ratings {
    rate(table, Model::default(), Fit::Nothing, Precision::Exact).expect("a model in range")
}

fn fitted(table: &Crosstable, fit: Fit, precision: Precision) -> Model {
    rate(table, Model::default(), fit, precision).expect("a model in range").model()
}

#[test]
fn ratings_and_errors_are_those_of_bayeselo() {
    for ratings in [rated(&golden()), rated_exactly(&golden())] {
        let texts: Vec<String> =
            (0..4).map(|player| format!("{:.0}", ratings.elo(player))).collect();
        assert_eq!(texts, ["36 ± 43", "10 ± 57", "3 ± 58", "-49 ± 84"]);
    }
}

#[test]
fn likelihoods_of_superiority_are_those_of_bayeselo() {
    // The digits are cut off, not rounded.
    let known =
        [(0, 1, 74356), (0, 2, 78989), (0, 3, 94892), (1, 2, 56665), (1, 3, 81681), (2, 3, 78644)];
    let (ratings, exact) = (rated(&golden()), rated_exactly(&golden()));
    for (i, j, digits) in known {
        let los = ratings.los(i, j).unwrap();
        assert_eq!((1e5 * los) as u32, digits, "{i} over {j}");
        assert_eq!(ratings.los_percent(i, j), Some(digits / 1000));
        assert_eq!(ratings.los_percent(j, i), Some(99 - digits / 1000));
        assert!((exact.los(i, j).unwrap() - los).abs() < 5e-5);
    }
    assert_eq!(ratings.los(2, 2), None);
}

#[test]
fn the_fitted_parameters_are_those_of_bayeselo() {
    let both = fitted(&golden(), Fit::Both, Precision::AsBayesElo);
    assert_eq!(format!("{:.4} {:.3}", both.advantage, both.draw), "27.0953 120.904");
    let exact = fitted(&golden(), Fit::Both, Precision::Exact);
    assert_eq!(format!("{:.4} {:.3}", exact.advantage, exact.draw), "27.0969 120.904");
    let advantage = fitted(&golden(), Fit::Advantage, Precision::AsBayesElo);
    assert!((advantage.advantage - 27.0).abs() < 3.0 && advantage.draw == 97.3);
    let draw = fitted(&golden(), Fit::Draw, Precision::AsBayesElo);
    assert!((draw.draw - 120.9).abs() < 1.0 && draw.advantage == 32.8);
}

#[test]
fn the_exact_ratings_are_at_the_maximum() {
    // Any step away from them, in any one rating, makes the games less likely.
    let table = golden();
    let ratings = rated_exactly(&table);
    let likelihood = |elo: &[f64]| -> f64 {
        let mut sum = 0.0;
        for (i, j) in [(0, 1), (0, 2), (1, 2), (0, 3)] {
            // The prior: each player's two draws, half with either first move.
            let together = table.between(i, j).games() as f64;
            let share = |player: usize| together / table.total(player).games() as f64;
            let draws = 0.5 * (share(i) + share(j));
            for (first, second) in [(i, j), (j, i)] {
                let games = table.cells[&(first, second)];
                let difference = elo[first] - elo[second] + 32.8;
                let win = score_of_elo(difference - 97.3);
                let loss = score_of_elo(-difference - 97.3);
                sum += games.wins as f64 * win.ln()
                    + (games.draws as f64 + draws) * (1.0 - win - loss).ln()
                    + games.losses as f64 * loss.ln();
            }
        }
        sum
    };
    let top: Vec<f64> = (0..4).map(|player| ratings.unscaled(player)).collect();
    for player in 0..4 {
        for step in [-0.01, 0.01] {
            let mut aside = top.clone();
            aside[player] += step;
            assert!(likelihood(&aside) < likelihood(&top), "player {player}, step {step}");
        }
    }
}

/// Table 7 of the thesis on Monte-Carlo chess: 25 games a pair, half points of the first named,
/// with the draws that it leaves out. The first move is shared as evenly as each kind of result
/// allows.
fn thesis(draws: [u64; 6]) -> Ratings {
    let half_points = [
        ((0, 1), 50),
        ((0, 2), 48),
        ((0, 3), 50),
        ((0, 4), 50),
        ((1, 2), 33),
        ((1, 3), 43),
        ((1, 4), 42),
        ((2, 3), 33),
        ((2, 4), 41),
        ((3, 4), 33),
    ];
    let draws = [0; 4].into_iter().chain(draws);
    let mut table = Crosstable::new(5);
    for (((player, opponent), half_points), draws) in half_points.into_iter().zip(draws) {
        let wins = (half_points - draws) / 2;
        let losses = 25 - draws - wins;
        let moving_first = Wdl::new(wins / 2, draws.div_ceil(2), losses / 2);
        let moving_second = Wdl::new(wins.div_ceil(2), draws / 2, losses.div_ceil(2));
        table.add(player, opponent, moving_first);
        table.add(opponent, player, moving_second.reversed());
    }
    rated(&table)
}

#[test]
fn the_ratings_of_the_thesis_are_among_those_that_its_points_allow() {
    let table_8 = [864.0, 336.0, 229.0, 85.0];
    let above_last = |ratings: &Ratings, player| ratings.difference(player, 4).value().unwrap();
    let fewest = thesis([1, 1, 0, 1, 1, 1]);
    let most = thesis([17, 7, 8, 17, 9, 17]);
    let fitting = thesis([1, 1, 4, 3, 3, 7]);
    for (player, printed) in table_8.into_iter().enumerate() {
        assert!(above_last(&fewest, player) > printed && printed > above_last(&most, player));
        assert!((above_last(&fitting, player) - printed).abs() < 1.0, "player {player}");
    }
}

#[test]
fn tables_without_a_rating_are_said_to_have_none() {
    assert_eq!(rated(&Crosstable::new(0)).players(), 0);
    assert_eq!(rated(&Crosstable::new(1)).elo(0), Estimate::Unknown);
    let mut table = Crosstable::new(6);
    table.add(0, 1, Wdl::new(3, 1, 0));
    table.add(3, 2, Wdl::new(0, 0, 5));
    table.add(4, 5, Wdl::default());
    let ratings = rated_exactly(&table);
    assert!(ratings.los(0, 1).unwrap() > 0.8 && ratings.los(2, 3).unwrap() > 0.8);
    assert_eq!(ratings.los(0, 2), None);
    assert_eq!(ratings.difference(0, 2), Estimate::Unknown);
    assert_eq!(ratings.elo(4), Estimate::Unknown);
    assert_eq!(ratings.los(4, 5), None);
    assert!((ratings.unscaled(0) + ratings.unscaled(1)).abs() < 1e-9, "a group has the mean 0");
    let fitted = fitted(&Crosstable::new(2), Fit::Both, Precision::AsBayesElo);
    assert_eq!(fitted, Model::default(), "nothing to fit");
}

#[test]
fn a_group_is_rated_as_if_alone() {
    let alone = rated_exactly(&golden());
    let mut table = Crosstable::new(7);
    for (&(first, second), &games) in &golden().cells {
        table.add(first + 2, second + 2, games);
    }
    table.add(0, 1, Wdl::new(40, 3, 2));
    let ratings = rated_exactly(&table);
    for player in 0..4 {
        assert!((ratings.unscaled(player + 2) - alone.unscaled(player)).abs() < 1e-6);
        let errors = (ratings.elo(player + 2).error().unwrap(), alone.elo(player).error().unwrap());
        assert!((errors.0 - errors.1).abs() < 1e-6);
    }
}

#[test]
fn clean_scores_and_one_sided_tables_stay_finite() {
    // A player who wins everything, one who loses everything, and first movers who always win.
    for (wins, losses) in [(1000, 0), (0, 1000)] {
        let mut table = Crosstable::new(3);
        for (first, second) in [(0, 1), (0, 2), (1, 2)] {
            table.add(first, second, Wdl::new(wins, 0, losses));
            table.add(second, first, Wdl::new(wins / 2, 0, losses / 2));
        }
        for fit in [Fit::Nothing, Fit::Advantage, Fit::Draw, Fit::Both] {
            for precision in [Precision::AsBayesElo, Precision::Exact] {
                let ratings = rate(&table, Model::default(), fit, precision).unwrap();
                for player in 0..3 {
                    assert!(ratings.elo(player).error().unwrap().is_finite(), "{fit:?}");
                }
            }
        }
    }
    let mut clean = Crosstable::new(2);
    clean.add(0, 1, Wdl::new(1000, 0, 0));
    let ratings = rated(&clean);
    let difference = ratings.difference(0, 1).value().unwrap();
    assert!((500.0..3000.0).contains(&difference), "{difference}");
    let mut drawn = Crosstable::new(2);
    drawn.add(0, 1, Wdl::new(0, 500, 0));
    let model = fitted(&drawn, Fit::Both, Precision::Exact);
    assert!(model.draw <= LIMIT && model.draw > 500.0, "{model:?}");
}

#[test]
fn a_model_out_of_range_is_refused() {
    let table = golden();
    let refused = |model| rate(&table, model, Fit::Nothing, Precision::AsBayesElo).unwrap_err();
    let error = refused(Model { prior: 0.0, ..Model::default() });
    assert_eq!(
        error.to_string(),
        "the prior of a rating model is 0, but more than 0, up to 1000 is accepted"
    );
    assert_eq!(refused(Model { draw: -1.0, ..Model::default() }).name, "draw");
    assert_eq!(refused(Model { advantage: f64::NAN, ..Model::default() }).name, "advantage");
}

/// Plays games by the model itself.
fn simulate(table: &mut Crosstable, pair: (usize, usize), elo: &[f64], rng: &mut Rng) {
    let Model { advantage, draw, .. } = Model::default();
    let difference = elo[pair.0] - elo[pair.1] + advantage;
    let number = rng.unit();
    let (win, loss) = (score_of_elo(difference - draw), score_of_elo(-difference - draw));
    let game = if number < win {
        Wdl::new(1, 0, 0)
    } else if number < win + loss {
        Wdl::new(0, 0, 1)
    } else {
        Wdl::new(0, 1, 0)
    };
    table.add(pair.0, pair.1, game);
}

#[test]
fn true_ratings_lie_in_the_interval_as_often_as_promised() {
    let elo = [150.0, 60.0, 0.0, -50.0, -160.0];
    let (mut inside, mut total) = (0, 0);
    for index in 0..200 {
        let mut rng = Rng::stream(7, index);
        let mut table = Crosstable::new(5);
        for i in 0..5 {
            for j in (0..5).filter(|&j| j != i) {
                for _ in 0..30 {
                    simulate(&mut table, (i, j), &elo, &mut rng);
                }
            }
        }
        let ratings = rated(&table);
        for (player, elo) in elo.iter().enumerate() {
            let estimate = ratings.elo(player);
            let truth = elo * ratings.scale();
            let covers = estimate.low().unwrap() < truth && truth < estimate.high().unwrap();
            inside += u32::from(covers);
            total += 1;
        }
    }
    let share = f64::from(inside) / f64::from(total);
    assert!((0.92..0.98).contains(&share), "{share} of the intervals hold the true rating");
}

#[test]
fn hundreds_of_players_are_rated_in_a_round_robin_and_in_a_chain() {
    const PLAYERS: usize = 300;
    let elo: Vec<f64> = (0..PLAYERS).map(|player| 2.0 * player as f64).collect();
    let mut rng = Rng::new(11);
    let mut round_robin = Crosstable::new(PLAYERS);
    let mut chain = Crosstable::new(PLAYERS);
    for i in 0..PLAYERS {
        for j in 0..PLAYERS {
            if i != j {
                simulate(&mut round_robin, (i, j), &elo, &mut rng);
            }
            if i.abs_diff(j) == 1 {
                for _ in 0..50 {
                    simulate(&mut chain, (i, j), &elo, &mut rng);
                }
            }
        }
    }
    let ratings = rated(&round_robin);
    let ends = ratings.unscaled(PLAYERS - 1) - ratings.unscaled(0);
    assert!((ends - 598.0).abs() < 150.0, "{ends}");
    assert_eq!(ratings.los_percent(PLAYERS - 1, 0), Some(100));
    // In a chain only neighbours have met: each difference is that of a match of two, up to the
    // prior.
    let ratings = rated_exactly(&chain);
    for player in [1, 150, 298] {
        let mut alone = Crosstable::new(2);
        alone.add(0, 1, chain.cells[&(player, player + 1)]);
        alone.add(1, 0, chain.cells[&(player + 1, player)]);
        let expected = rated_exactly(&alone).unscaled(0) * 2.0;
        let difference = ratings.unscaled(player) - ratings.unscaled(player + 1);
        assert!((difference - expected).abs() < 2.0, "{difference} against {expected}");
    }
}

proptest! {
    #[test]
    fn names_do_not_matter(
        counts in prop::collection::vec(0u64..12, 4 * 3 * 3), shift in 1usize..4
    ) {
        let mut table = Crosstable::new(4);
        let mut renamed = Crosstable::new(4);
        let orders = (0..4).flat_map(|i| (0..4).map(move |j| (i, j))).filter(|(i, j)| i != j);
        for ((i, j), counts) in orders.zip(counts.chunks_exact(3)) {
            let games = Wdl::new(counts[0], counts[1], counts[2]);
            table.add(i, j, games);
            renamed.add((i + shift) % 4, (j + shift) % 4, games);
        }
        let (ratings, others) = (rated_exactly(&table), rated_exactly(&renamed));
        let new = |player: usize| (player + shift) % 4;
        for i in 0..4 {
            prop_assert!((ratings.unscaled(i) - others.unscaled(new(i))).abs() < 1e-6);
            for j in (0..4).filter(|&j| j != i) {
                let los = ratings.los(i, j);
                prop_assert_eq!(los.is_some(), others.los(new(i), new(j)).is_some());
                if let (Some(los), Some(complement)) = (los, ratings.los(j, i)) {
                    prop_assert!((los + complement - 1.0).abs() < 1e-12);
                    prop_assert!((los - others.los(new(i), new(j)).unwrap()).abs() < 1e-6);
                }
            }
        }
        // A rating's mean is 0 within each group, so the whole sums to 0.
        prop_assert!((0..4).map(|i| ratings.unscaled(i)).sum::<f64>().abs() < 1e-6);
    }

    #[test]
    fn swapped_results_negate_the_ratings(counts in prop::collection::vec(0u64..12, 3 * 3)) {
        // The advantage goes with the first move, so the games are reversed with their order kept
        // and the advantage negated.
        let mut table = Crosstable::new(3);
        let mut reversed = Crosstable::new(3);
        for ((i, j), counts) in [(0, 1), (1, 2), (2, 0)].into_iter().zip(counts.chunks_exact(3)) {
            let games = Wdl::new(counts[0], counts[1], counts[2]);
            table.add(i, j, games);
            reversed.add(i, j, games.reversed());
        }
        let mirrored = Model { advantage: -32.8, ..Model::default() };
        let ratings = rated_exactly(&table);
        let others = rate(&reversed, mirrored, Fit::Nothing, Precision::Exact).unwrap();
        for player in 0..3 {
            prop_assert!((ratings.unscaled(player) + others.unscaled(player)).abs() < 1e-6);
        }
    }
}
