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
    /// Games that came to an ending that endgame tables know, where they were looked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reached: Option<ReachedEndings>,
}

/// How often games came to an ending that endgame tables know.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ReachedEndings {
    /// The tables have up to so many pieces.
    pub pieces: u32,
    /// By who met, whether they came to one or not.
    pub cells: Vec<ReachedCell>,
}

/// How often the games of two players came to an ending that endgame tables know.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ReachedCell {
    /// The player with the smaller number.
    pub player: usize,
    /// The other.
    pub opponent: usize,
    /// The games that came to one.
    pub games: u64,
    /// Complete pairs by how many of their two games did.
    pub pairs: [u64; 3],
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
pub enum CountsError {
    /// A number that names no player.
    #[error(
        "the results name the players {0} and {1}, but there must be two different ones of {2}"
    )]
    Players(usize, usize, usize),
    /// More games than there are.
    #[error(
        "the games of the players {0} and {1} that came to an ending do not fit their {2} games"
    )]
    Reached(usize, usize, u64),
}

impl Counts {
    /// Checks that every number names a player and that games are not more than there are: counts
    /// may come from a file.
    pub fn check(&self) -> Result<(), CountsError> {
        let players = self.names.len();
        let cells = self.games.iter().map(|cell| (cell.first, cell.second));
        let pairs = self.pairs.iter().map(|cell| (cell.player, cell.opponent));
        let reached = || self.reached.iter().flat_map(|reached| &reached.cells);
        let looked_at = reached().map(|cell| (cell.player, cell.opponent));
        let mut all = cells.chain(pairs).chain(looked_at);
        if let Some((one, two)) = all.find(|&(one, two)| one == two || one.max(two) >= players) {
            return Err(CountsError::Players(one, two, players));
        }
        let table = self.crosstable();
        let games = |cell: &ReachedCell| table.between(cell.player, cell.opponent).games();
        match reached().find(|cell| !cell.fits(games(cell))) {
            Some(cell) => Err(CountsError::Reached(cell.player, cell.opponent, games(cell))),
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

    /// How many of a player's games came to an ending that endgame tables know; `None` where nobody
    /// looked for them.
    pub fn reached_games(&self, player: usize) -> Option<u64> {
        Some(self.reached.as_ref()?.of(player).map(|cell| cell.games).sum())
    }

    /// A player's games as a sample of which those that came to an ending that endgame tables know
    /// count as won; `None` where nobody looked for them. The two games of a pair share an opening,
    /// so that pairs are the units.
    ///
    /// # Panics
    /// If [`Counts::check`] fails.
    pub fn reached_sample(&self, player: usize) -> Option<Sample> {
        let own = self.reached.as_ref()?.of(player);
        let table = self.crosstable();
        let sample = |cell: &ReachedCell| {
            let others = table.between(cell.player, cell.opponent).games() - cell.games;
            let [none, one, both] = cell.pairs;
            let pairs = Pairs::new([none, 0, one, 0, both]);
            Sample::of(Wdl::new(cell.games, 0, others), Some(pairs))
        };
        Some(own.map(sample).fold(Wdl::default().into(), |all, cell| all + cell))
    }

    /// The players in the order of their ratings, the best first. Players that no chain of games
    /// links have no common order: they stand group by group, and those without games last.
    pub fn ranked(&self, ratings: &Ratings) -> Vec<usize> {
        let table = self.crosstable();
        let group = |player: usize| {
            let first = (0..self.names.len()).find(|&other| ratings.comparable(player, other));
            (table.total(player).games() == 0, first)
        };
        let mut order: Vec<usize> = (0..self.names.len()).collect();
        order.sort_by(|&one, &two| ratings.unscaled(two).total_cmp(&ratings.unscaled(one)));
        order.sort_by_key(|&player| group(player));
        order
    }

    /// What stands above a table of the ratings: whether all that have played can be compared.
    pub fn ratings_caption(&self, ratings: &Ratings) -> &'static str {
        let table = self.crosstable();
        let mut rated = (0..self.names.len()).filter(|&player| table.total(player).games() > 0);
        let first = rated.next();
        match first.is_none_or(|first| rated.all(|player| ratings.comparable(first, player))) {
            true => "Ratings",
            false => {
                "Ratings; players that no chain of games links are rated apart, each group around 0"
            }
        }
    }

    /// The tables of a report, with the players as in [`Counts::ranked`].
    ///
    /// # Panics
    /// If [`Counts::check`] fails.
    pub fn contest(&self) -> ContestReport {
        let (table, ratings) = (self.crosstable(), self.ratings());
        let order = self.ranked(&ratings);
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
            caption: self.ratings_caption(&ratings).to_owned(),
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

impl ReachedEndings {
    /// The meetings of a player.
    fn of(&self, player: usize) -> impl Iterator<Item = &ReachedCell> {
        self.cells.iter().filter(move |cell| [cell.player, cell.opponent].contains(&player))
    }
}

impl ReachedCell {
    /// Whether there can be so many among that many games.
    fn fits(&self, games: u64) -> bool {
        let [none, one, both] = self.pairs;
        let paired = one.saturating_add(both.saturating_mul(2));
        let others = none.saturating_mul(2).saturating_add(one);
        paired <= self.games && self.games <= games && others <= games - self.games
    }
}
