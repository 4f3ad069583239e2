//! Ratings with parameters of the games' own, and errors that heed pairs.

use super::{Crosstable, Fit, Model, Precision, Ratings, rate};
use crate::{Pairs, Sample};

/// Rates the players of a table with the advantage of the first move and the margin of draws that
/// its own games show: those of chess, which BayesElo has as defaults, are wrong for other games.
/// Fewer than [`FEWEST`] games do not show them, and have the defaults.
///
/// The model takes games for independent, but the two games of a pair share an opening. Where pairs
/// vary more than two independent games would, all errors are widened by as much
/// ([`pair_effect`]). `pairs` are the complete ones, counted for the player named first.
pub fn rate_own(table: &Crosstable, pairs: &[(usize, usize, Pairs)]) -> Ratings {
    let games: u64 = table.cells.values().map(|cell| cell.games()).sum();
    let fit = if games >= FEWEST { Fit::Both } else { Fit::Nothing };
    let mut ratings = rate(table, Model::default(), fit, Precision::default())
        .expect("the default model is in range");
    ratings.covariance.scale(pair_effect(table, pairs).max(1.0));
    ratings
}

/// How many games it takes to fit the two parameters: of a dozen draws the virtual ones that the
/// prior adds would be a large part.
pub const FEWEST: u64 = 100;

/// How many times the variance of two independent games the variance of a pair is, over all
/// meetings together: 1 where games of a pair are independent and where nothing is known.
///
/// What either side's advantage explains is no dependence: a pair is compared with a game as first
/// and one as second of the same meeting.
pub fn pair_effect(table: &Crosstable, pairs: &[(usize, usize, Pairs)]) -> f64 {
    let (mut observed, mut expected) = (0.0, 0.0);
    for &(player, opponent, pairs) in pairs {
        let variance = |first, second| {
            let cell = table.cells.get(&(first, second)).copied().unwrap_or_default();
            Sample::from(cell).moments().variance
        };
        let count = pairs.pairs() as f64;
        // The score of a pair is half its points, so that its points vary four times as much.
        observed += count * 4.0 * Sample::from(pairs).moments().variance;
        expected += count * (variance(player, opponent) + variance(opponent, player));
    }
    if expected > 0.0 { observed / expected } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Wdl;

    fn table(as_first: Wdl, as_second: Wdl) -> Crosstable {
        let mut table = Crosstable::new(2);
        table.add(0, 1, as_first);
        table.add(1, 0, as_second.reversed());
        table
    }

    /// Both players used to be rated as if half of the draws of chess were to be expected.
    #[test]
    fn each_game_has_its_own_draws_and_its_own_first_move() {
        // No draws at all, and whoever moves first wins four times of five.
        let sharp = table(Wdl::new(400, 0, 100), Wdl::new(150, 0, 350));
        let fitted = rate_own(&sharp, &[]).model();
        assert!(fitted.draw < 5.0 && fitted.advantage > 150.0, "{fitted:?}");
        let calm = table(Wdl::new(60, 400, 40), Wdl::new(50, 400, 50));
        let fitted = rate_own(&calm, &[]).model();
        assert!(fitted.draw > 300.0 && fitted.advantage.abs() < 40.0, "{fitted:?}");
        // A few games have the defaults.
        let few = table(Wdl::new(1, 8, 1), Wdl::new(0, 9, 1));
        assert_eq!(rate_own(&few, &[]).model(), Model::default());
        // The sharp games are 241 Elo as first and -147 as second, 47 in the mean; the score of the
        // calm ones is 51%, 7 Elo.
        let elo = |table| rate_own(table, &[]).difference(0, 1).value().unwrap();
        assert!((elo(&sharp) - 47.0).abs() < 2.0, "{}", elo(&sharp));
        assert!((elo(&calm) - 7.0).abs() < 2.0, "{}", elo(&calm));
    }

    /// Games of a pair used to be taken for independent in ratings.
    #[test]
    fn pairs_that_go_together_widen_the_errors() {
        let games = table(Wdl::new(100, 0, 100), Wdl::new(100, 0, 100));
        // Both games of a pair always end alike: 200 pairs are worth 200 games, not 400.
        let alike = [(0, 1, Pairs::new([100, 0, 0, 0, 100]))];
        assert!((pair_effect(&games, &alike) - 2.0).abs() < 1e-12);
        let error = |pairs: &[_]| {
            let found = rate_own(&games, pairs).difference(0, 1);
            found.high().unwrap() - found.value().unwrap()
        };
        assert!((error(&alike) / error(&[]) - 2f64.sqrt()).abs() < 1e-9);
        // A win and a loss in every pair is no reason to be surer than the model is.
        let split = [(0, 1, Pairs::new([0, 0, 200, 0, 0]))];
        assert_eq!(error(&split), error(&[]));
        assert_eq!(pair_effect(&games, &[]), 1.0);
    }
}
