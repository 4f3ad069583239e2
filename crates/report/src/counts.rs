//! The counted results of a contest, as they are kept in files, and the contest that a report
//! shows.

use super::data::{Contender, ContestReport, FailureCount, Meeting};
use monteverde_statistics::{
    Crosstable, Pairs, Ratings, Sample, Score, Wdl, elo, los, normalised_elo, rate_own, score,
    total_score,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Counted results between numbered players: everything that the tables of a contest are made of.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Counts {
    /// The players' names.
    pub names: Vec<String>,
    /// Games by who had the first move, counted for that player.
    pub games: Vec<GamesCell>,
    /// Complete pairs of games by players, counted for the first named.
    pub pairs: Vec<PairCell>,
    /// How games ended, with counts.
    pub endings: BTreeMap<String, u64>,
    /// Games that ended because a player failed.
    pub failures: Vec<FailureCount>,
    /// The digests of the games of two players, where they are known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub digests: Vec<DigestCell>,
}

/// The digest of the games of two players.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct DigestCell {
    /// The player with the smaller number.
    pub player: usize,
    /// The other.
    pub opponent: usize,
    /// The digits.
    pub digest: String,
}

/// The games in which one player had the first move against another.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct GamesCell {
    /// Who had the first move.
    pub first: usize,
    /// The opponent.
    pub second: usize,
    /// The games, counted for the first.
    #[serde(flatten)]
    pub games: Wdl,
}

/// The pairs of games of two players.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PairCell {
    /// The player the counts speak for.
    pub player: usize,
    /// The opponent.
    pub opponent: usize,
    /// Pairs by half points, 0 to 4.
    pub counts: Pairs,
}

/// Counts that no contest can have.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the results name the players {0} and {1}, but there must be two different ones of {2}")]
pub struct CountsError(usize, usize, usize);

impl Counts {
    /// Checks that every number names a player: counts may come from a file.
    pub fn check(&self) -> Result<(), CountsError> {
        let players = self.names.len();
        let cells = self.games.iter().map(|cell| (cell.first, cell.second));
        let pairs = self.pairs.iter().map(|cell| (cell.player, cell.opponent));
        match cells.chain(pairs).find(|&(one, two)| one == two || one.max(two) >= players) {
            Some((one, two)) => Err(CountsError(one, two, players)),
            None => Ok(()),
        }
    }

    /// The results as the rating model takes them.
    ///
    /// # Panics
    /// If [`Counts::check`] fails.
    pub fn crosstable(&self) -> Crosstable {
        let mut table = Crosstable::new(self.names.len());
        for cell in &self.games {
            table.add(cell.first, cell.second, cell.games);
        }
        table
    }

    /// Ratings by BayesElo's model with the parameters that these games show.
    ///
    /// # Panics
    /// If [`Counts::check`] fails.
    pub fn ratings(&self) -> Ratings {
        let pairs = self.pairs.iter().map(|cell| (cell.player, cell.opponent, cell.counts));
        rate_own(&self.crosstable(), &pairs.collect::<Vec<_>>())
    }

    /// What statistics of two players are to be made of: their complete pairs, and the games that
    /// belong to none.
    pub fn sample(&self, player: usize, opponent: usize) -> Sample {
        let games = self.crosstable().between(player, opponent);
        Sample::of(games, self.pairs_of(player, opponent))
    }

    /// The score of a player in all its games; `None` without any.
    pub fn total_score(&self, player: usize) -> Option<Score> {
        let opponents = (0..self.names.len()).filter(|&opponent| opponent != player);
        total_score(opponents.map(|opponent| self.sample(player, opponent)))
    }

    /// The tables of a report, the best player first.
    ///
    /// # Panics
    /// If [`Counts::check`] fails.
    pub fn contest(&self) -> ContestReport {
        let (table, ratings) = (self.crosstable(), self.ratings());
        let mut order: Vec<usize> = (0..self.names.len()).collect();
        order.sort_by(|&one, &two| ratings.unscaled(two).total_cmp(&ratings.unscaled(one)));
        let contender = |&player: &usize| Contender {
            name: self.names[player].clone(),
            spec: String::new(),
            rating: ratings.elo(player).into(),
            games: table.total(player),
        };
        let between = |one: usize, two: usize| {
            let games = table.between(one, two);
            (one != two && games.games() > 0).then_some(games)
        };
        let row = |&one: &usize| order.iter().map(|&two| between(one, two)).collect();
        let chances = |&one: &usize| order.iter().map(|&two| ratings.los(one, two)).collect();
        let mut endings: Vec<_> = self.endings.clone().into_iter().collect();
        endings.sort_by(|one, two| two.1.cmp(&one.1).then_with(|| one.0.cmp(&two.0)));
        ContestReport {
            facts: Vec::new(),
            parameters: Some([ratings.model().advantage, ratings.model().draw]),
            players: order.iter().map(contender).collect(),
            results: order.iter().map(row).collect(),
            los: order.iter().map(chances).collect(),
            meetings: self.meetings(&order, between),
            endings,
            failures: self.failures.clone(),
            commands: Vec::new(),
        }
    }

    fn meetings(
        &self,
        order: &[usize],
        between: impl Fn(usize, usize) -> Option<Wdl>,
    ) -> Vec<Meeting> {
        let mut meetings = Vec::new();
        for (player, &one) in order.iter().enumerate() {
            for (opponent, &two) in order.iter().enumerate().skip(player + 1) {
                let Some(games) = between(one, two) else { continue };
                let pairs = self.pairs_of(one, two);
                let sample = Sample::of(games, pairs);
                meetings.push(Meeting {
                    player,
                    opponent,
                    games,
                    pairs: pairs.map(|pairs| pairs.0),
                    score: score(sample).map(Into::into).unwrap_or_default(),
                    elo: elo(sample).into(),
                    normalised_elo: normalised_elo(sample).into(),
                    los: Some(los(sample)),
                    digest: self.digest(one, two),
                });
            }
        }
        meetings
    }

    /// The digest of two players' games.
    fn digest(&self, player: usize, opponent: usize) -> Option<String> {
        let (low, high) = (player.min(opponent), player.max(opponent));
        let found = self.digests.iter().find(|cell| (cell.player, cell.opponent) == (low, high));
        found.map(|cell| cell.digest.clone())
    }

    /// The pairs of two players, counted for the first.
    fn pairs_of(&self, player: usize, opponent: usize) -> Option<Pairs> {
        self.pairs.iter().find_map(|cell| match (cell.player, cell.opponent) {
            two if two == (player, opponent) => Some(cell.counts),
            two if two == (opponent, player) => Some(cell.counts.reversed()),
            _ => None,
        })
    }
}
