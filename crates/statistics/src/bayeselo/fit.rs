//! Finding the most likely ratings, and how sure they are.

use super::{Crosstable, Fit, LIMIT, Model, Precision, Ratings};
use crate::linear::{Cholesky, Matrix};
use std::collections::BTreeSet;
use std::f64::consts::LN_10;

/// The most likely ratings for a model that has been checked.
pub(super) fn rate(table: &Crosstable, model: Model, fit: Fit, precision: Precision) -> Ratings {
    let players = table.players();
    let mut search = LikelihoodSearch::new(table, model);
    // Without games there is nothing to fit.
    let fit = if search.cells.is_empty() { Fit::Nothing } else { fit };
    search.climb(fit, precision);
    let fitted = |free: [Fit; 2], value: f64, given: f64| {
        if free.contains(&fit) { elo_of(value) } else { given }
    };
    let model = Model {
        advantage: fitted([Fit::Advantage, Fit::Both], search.advantage, model.advantage),
        draw: fitted([Fit::Draw, Fit::Both], search.draw, model.draw),
        prior: model.prior,
    };
    let group = groups(players, &search.cells);
    let mut covariance = Matrix::zero(players);
    for name in group.iter().copied().collect::<BTreeSet<_>>() {
        let members: Vec<usize> = (0..players).filter(|&player| group[player] == name).collect();
        if precision == Precision::Exact {
            search.polish(&members);
        }
        search.centre(&members);
        let information = search.information(&members);
        spread_covariance(&information, &members, &mut covariance);
    }
    Ratings {
        model,
        elo: search.strengths.iter().copied().map(elo_of).collect(),
        covariance,
        group,
        games: games_of_players(table),
    }
}

/// Games with `first` having the first move, counted for it; the prior's draws make them fractions.
struct Cell {
    first: usize,
    second: usize,
    wins: f64,
    draws: f64,
    losses: f64,
}

/// Every pair that has met, in both orders, with the prior's draws: those of a player are shared
/// out over its opponents in proportion to the games against them, half with each order.
fn cells_with_prior(table: &Crosstable, prior: f64) -> Vec<Cell> {
    let games = games_of_players(table);
    let orders: BTreeSet<(usize, usize)> =
        table.cells.keys().flat_map(|&(i, j)| [(i, j), (j, i)]).collect();
    orders
        .into_iter()
        .map(|(first, second)| {
            let cell = table.cells.get(&(first, second)).copied().unwrap_or_default();
            let together = table.between(first, second).games() as f64;
            let share = |player: usize| together / games[player] as f64;
            let virtual_draws = prior / 4.0 * (share(first) + share(second));
            Cell {
                first,
                second,
                wins: cell.wins as f64,
                draws: cell.draws as f64 + virtual_draws,
                losses: cell.losses as f64,
            }
        })
        .collect()
}

/// How many games each player has, in one pass over the table.
fn games_of_players(table: &Crosstable) -> Vec<u64> {
    let mut games = vec![0; table.players()];
    for (&(first, second), cell) in &table.cells {
        games[first] += cell.games();
        games[second] += cell.games();
    }
    games
}

/// The state of the search for the most likely parameters, all as powers `10^(elo/400)`.
struct LikelihoodSearch {
    cells: Vec<Cell>,
    /// The cells that each player takes part in.
    cells_of: Vec<Vec<usize>>,
    strengths: Vec<f64>,
    advantage: f64,
    draw: f64,
}

/// What a cell's games are divided by to get expected successes: those that the first side did not
/// lose, and those that it did not win.
struct Denominators {
    not_lost: f64,
    not_won: f64,
}

/// The games that a player did not lose, and the sum that its strength is multiplied with to give
/// the number expected.
struct Successes {
    actual: f64,
    per_strength: f64,
}

impl LikelihoodSearch {
    fn new(table: &Crosstable, model: Model) -> LikelihoodSearch {
        let cells = cells_with_prior(table, model.prior);
        let mut cells_of = vec![Vec::new(); table.players()];
        for (index, cell) in cells.iter().enumerate() {
            cells_of[cell.first].push(index);
            cells_of[cell.second].push(index);
        }
        LikelihoodSearch {
            cells,
            cells_of,
            strengths: vec![1.0; table.players()],
            advantage: power(model.advantage),
            draw: power(model.draw),
        }
    }

    /// Minorisation-maximisation: each update maximises a lower bound of the likelihood that
    /// touches it at the present parameters, so that the likelihood never falls.
    fn climb(&mut self, fit: Fit, precision: Precision) {
        const ROUNDS: usize = 10_000;
        let settled = match precision {
            Precision::AsBayesElo => 1e-5,
            Precision::Exact => 1e-11,
        };
        for _ in 0..ROUNDS {
            let mut change = self.update_strengths();
            if matches!(fit, Fit::Advantage | Fit::Both) {
                change = change.max(self.update_advantage());
            }
            if matches!(fit, Fit::Draw | Fit::Both) {
                change = change.max(self.update_draw());
            }
            if change < settled {
                break;
            }
        }
    }

    fn denominators(&self, cell: &Cell) -> Denominators {
        let (first, second) = (self.strengths[cell.first], self.strengths[cell.second]);
        Denominators {
            not_lost: self.advantage * first + self.draw * second,
            not_won: self.draw * self.advantage * first + second,
        }
    }

    fn successes(&self, player: usize) -> Successes {
        let mut sums = Successes { actual: 0.0, per_strength: 0.0 };
        for &index in &self.cells_of[player] {
            let cell = &self.cells[index];
            let divide = self.denominators(cell);
            let not_lost = (cell.wins + cell.draws) / divide.not_lost;
            let not_won = (cell.losses + cell.draws) / divide.not_won;
            if cell.first == player {
                sums.actual += cell.wins + cell.draws;
                sums.per_strength += self.advantage * (not_lost + self.draw * not_won);
            } else {
                sums.actual += cell.losses + cell.draws;
                sums.per_strength += self.draw * not_lost + not_won;
            }
        }
        sums
    }

    /// Updates one player after the other, each with the strengths found just before. BayesElo goes
    /// from the last player to the first, and where it stops depends on that order in the sixth
    /// digit.
    fn update_strengths(&mut self) -> f64 {
        let mut change = 0.0;
        for player in (0..self.strengths.len()).rev() {
            let Successes { actual, per_strength } = self.successes(player);
            // Only a player without games has no sum.
            if per_strength > 0.0 {
                let next = actual / per_strength;
                change = f64::max(change, relative_change(self.strengths[player], next));
                self.strengths[player] = next;
            }
        }
        change
    }

    fn update_advantage(&mut self) -> f64 {
        let (mut actual, mut per_advantage) = (0.0, 0.0);
        for cell in &self.cells {
            let divide = self.denominators(cell);
            let first = self.strengths[cell.first];
            actual += cell.wins + cell.draws;
            per_advantage += (cell.wins + cell.draws) * first / divide.not_lost
                + (cell.losses + cell.draws) * self.draw * first / divide.not_won;
        }
        let next = if per_advantage > 0.0 { actual / per_advantage } else { self.advantage };
        let next = next.clamp(power(-LIMIT), power(LIMIT));
        let change = relative_change(self.advantage, next);
        self.advantage = next;
        change
    }

    fn update_draw(&mut self) -> f64 {
        let (mut actual, mut per_draw) = (0.0, 0.0);
        for cell in &self.cells {
            let divide = self.denominators(cell);
            let (first, second) = (self.strengths[cell.first], self.strengths[cell.second]);
            actual += cell.draws;
            per_draw += (cell.wins + cell.draws) * second / divide.not_lost
                + (cell.losses + cell.draws) * self.advantage * first / divide.not_won;
        }
        let next = if per_draw > 0.0 {
            let ratio = actual / per_draw;
            ratio + (ratio * ratio + 1.0).sqrt()
        } else {
            self.draw
        };
        let next = next.clamp(1.0, power(LIMIT));
        let change = relative_change(self.draw, next);
        self.draw = next;
        change
    }

    /// Brings the ratings of one group to the very top by Newton's method. In a long chain of
    /// players minorisation-maximisation creeps, and the smallness of its last change means little.
    fn polish(&mut self, members: &[usize]) {
        const STEPS: usize = 50;
        const SETTLED: f64 = 1e-9;
        const LONGEST: f64 = 100.0;
        let moving = &members[..members.len() - 1];
        for _ in 0..STEPS {
            let mut step: Vec<f64> = moving
                .iter()
                .map(|&player| {
                    let Successes { actual, per_strength } = self.successes(player);
                    LN_10 / 400.0 * (actual - self.strengths[player] * per_strength)
                })
                .collect();
            self.information(members).solve(&mut step);
            let length = step.iter().fold(0.0, |longest, step| f64::max(longest, step.abs()));
            let damping = if length > LONGEST { LONGEST / length } else { 1.0 };
            for (&player, step) in moving.iter().zip(&step) {
                self.strengths[player] *= power(damping * step);
            }
            if length < SETTLED {
                break;
            }
        }
    }

    fn centre(&mut self, members: &[usize]) {
        let sum: f64 = members.iter().map(|&player| self.strengths[player].ln()).sum();
        let mean = (sum / members.len() as f64).exp();
        for &player in members {
            self.strengths[player] /= mean;
        }
    }

    /// The negative second derivatives of the log-likelihood by the ratings of all members but the
    /// last.
    fn information(&self, members: &[usize]) -> Cholesky {
        let mut place = vec![usize::MAX; self.strengths.len()];
        for (index, &player) in members.iter().enumerate() {
            place[player] = index;
        }
        let kept = members.len() - 1;
        let mut matrix = Matrix::zero(kept);
        for cell in self.cells.iter().filter(|cell| place[cell.first] != usize::MAX) {
            let divide = self.denominators(cell);
            let curvature = (LN_10 / 400.0).powi(2)
                * self.strengths[cell.first]
                * self.strengths[cell.second]
                * self.draw
                * self.advantage
                * ((cell.wins + cell.draws) / divide.not_lost.powi(2)
                    + (cell.losses + cell.draws) / divide.not_won.powi(2));
            let (i, j) = (place[cell.first], place[cell.second]);
            for (i, j) in [(i, j), (j, i)] {
                if i < kept {
                    *matrix.at_mut(i, i) += curvature;
                    if j < kept {
                        *matrix.at_mut(i, j) -= curvature;
                    }
                }
            }
        }
        Cholesky::new(matrix).expect("linked players with a prior have definite information")
    }
}

/// Writes the covariance of a group's centred ratings into the whole matrix: the inverse
/// information with a row and column of 0 for the last member, then each row and column less its
/// mean.
fn spread_covariance(information: &Cholesky, members: &[usize], whole: &mut Matrix) {
    let inverse = information.inverse();
    let count = members.len() as f64;
    let means: Vec<f64> = (0..members.len())
        .map(|i| if i < inverse.size() { inverse.row(i).iter().sum::<f64>() / count } else { 0.0 })
        .collect();
    let grand_mean = means.iter().sum::<f64>() / count;
    for (i, &player) in members.iter().enumerate() {
        for (j, &opponent) in members.iter().enumerate() {
            let inside = i < inverse.size() && j < inverse.size();
            let value = if inside { inverse.at(i, j) } else { 0.0 };
            *whole.at_mut(player, opponent) = value - means[i] - means[j] + grand_mean;
        }
    }
}

/// The group of every player, named by its lowest member: players linked by a chain of games.
fn groups(players: usize, cells: &[Cell]) -> Vec<usize> {
    fn root(parent: &mut [usize], mut player: usize) -> usize {
        while parent[player] != player {
            parent[player] = parent[parent[player]];
            player = parent[player];
        }
        player
    }
    let mut parent: Vec<usize> = (0..players).collect();
    for cell in cells {
        let (a, b) = (root(&mut parent, cell.first), root(&mut parent, cell.second));
        parent[a.max(b)] = a.min(b);
    }
    (0..players).map(|player| root(&mut parent, player)).collect()
}

fn relative_change(old: f64, new: f64) -> f64 {
    (new - old).abs() / (new + old)
}

fn power(elo: f64) -> f64 {
    10f64.powf(elo / 400.0)
}

fn elo_of(power: f64) -> f64 {
    400.0 * power.log10()
}
