//! Experiments that let players play a tournament.

use crate::ExperimentError;
use crate::file::Compare;
use crate::result::{Measured, ResultData, TestResult};
use crate::work::{Earlier, Measurement, PartKind, Session, Source, Work, WorkKind, WorkResult};
use monteverde_lab::calibration::Calibration;
use monteverde_lab::contest::{ContestPlan, Format};
use monteverde_lab::keys::{FileError, only};
use monteverde_lab::pace::Pace;
use monteverde_lab::progress::Watch;
use monteverde_lab::reached::{CountedGame, KnownEndings};
use monteverde_lab::shard::ShardDone;
use monteverde_lab::tournament::{PLACE, Tournament, table_pieces};
use monteverde_report::{
    Column, ContestReport, Counts, DotPlot, Interval, ReportTable, count_text, interval_text,
};
use monteverde_statistics::score;
use toml::Table;

/// Ratings relative to a player, shares of the points, of all or of those against a player, speeds,
/// and, where they are looked for, shares of games that came to an ending.
pub(crate) const KIND: WorkKind = WorkKind {
    name: "tournament",
    unit: "games",
    read: |table, source| Ok(Box::new(Contest::read(table, source)?)),
    measures: |table| match table.contains_key("endings") {
        true => &["elo", "score", "against", "meeting", "los", "speed", "endings"],
        false => &["elo", "score", "against", "meeting", "los", "speed"],
    },
    dots: DotPlot::Drawn,
    parts: PartKind::Meeting,
};

/// A contest, and what is looked for in its games.
#[derive(Clone, PartialEq, Debug)]
struct Contest {
    plan: ContestPlan,
    /// Games that came to what endgame tables of so many pieces know are counted. That plays all
    /// games again, so nobody does it unasked.
    endings: Option<u32>,
}

impl Contest {
    fn read(table: &Table, source: Source<'_>) -> Result<Contest, FileError> {
        let known: Vec<&'static str> = Tournament::KEYS.into_iter().chain(["endings"]).collect();
        only(PLACE, table, &known)?;
        let endings = table_pieces(PLACE, table, "endings")?;
        let mut table = table.clone();
        table.remove("endings");
        let Tournament { plan, .. } =
            Tournament::from_table(source.games, &table, source.folder, source.build)?;
        if endings.is_some() && plan.test.is_some() {
            return Err(FileError::Value {
                place: format!("the key 'endings' of {PLACE}"),
                problem: "games that a 'test' may stop are not looked at; give one of the two"
                    .to_owned(),
            });
        }
        Ok(Contest { plan, endings })
    }
}

impl Work for Contest {
    fn check(&self) -> Result<(), ExperimentError> {
        if let Some(pieces) = self.endings {
            KnownEndings::check(self.plan.game, pieces)?;
        }
        Ok(self.plan.check()?)
    }

    fn parts(&self) -> Vec<String> {
        let players = &self.plan.contestants;
        let name = |(one, two): (usize, usize)| {
            format!("{} against {}", players[one].name, players[two].name)
        };
        self.plan.pairings().into_iter().map(name).collect()
    }

    /// Two that think equally long get the iterations that they had, where results of the same work
    /// say it.
    fn only(&mut self, number: usize, earlier: &Earlier<'_>) -> Result<(), ExperimentError> {
        only_meeting(&mut self.plan, number, earlier()?.as_ref());
        Ok(())
    }

    fn run(&self, session: &mut Session<'_, '_>) -> Result<WorkResult, ExperimentError> {
        let plan = &self.plan;
        let mut watch = Watch::new(1, plan.total(), session.observe);
        let hands = session.machine.hands;
        if let Some(shard) = hands.shard {
            // A pair more or less does not matter to a bar.
            watch.only(1, plan.total().div_ceil(shard.count().into()));
        }
        // A shard finds the games, the run that has all shards looks at them.
        let endings = self.endings.filter(|_| hands.shard.is_none());
        // Before anything is played, so that missing tables are told at once.
        let endings = endings.map(|pieces| KnownEndings::new(plan.game, pieces)).transpose()?;
        let mut games = Vec::new();
        let held = plan.clone().hold(session.store, hands, &mut |finished, _| {
            if endings.is_some() && !finished.reason.is_void() {
                games.push(CountedGame::from(finished.task));
            }
            match finished.played {
                Some(_) => watch.done(1),
                None => watch.found(1),
            };
        })?;
        watch.part_done();
        if let Some(shard) = hands.shard {
            return Err(ShardDone(shard).into());
        }
        let mut counts = Counts::from(&held.standings);
        if let Some(endings) = endings {
            counts.reached = Some(endings.count(&games, &counts.names, session.store)?);
        }
        Ok(WorkResult {
            data: ResultData::Tournament(counts),
            calibration: held.calibration,
            test: plan.test.map(|test| TestResult::new(&test, &held.standings)),
        })
    }

    fn contest(&self) -> Option<&ContestPlan> {
        Some(&self.plan)
    }

    fn matches(&self) -> Vec<(usize, &ContestPlan, (usize, usize))> {
        let plan = &self.plan;
        plan.pairings().into_iter().enumerate().map(|(number, two)| (number, plan, two)).collect()
    }
}

fn only_meeting(plan: &mut ContestPlan, number: usize, calibration: Option<&Calibration>) {
    let (one, two) = plan.pairings()[number];
    if let Some(mut equal) = plan.equal_time.take() {
        match calibration {
            Some(calibration) => {
                for (&taker, player) in equal.takers.iter().zip(&calibration.players) {
                    plan.contestants[taker].pace = Pace::Iterations(player.iterations);
                }
            }
            None => {
                let place = |taker: &usize| [one, two].iter().position(|number| number == taker);
                equal.takers = equal.takers.iter().filter_map(place).collect();
                plan.equal_time = Some(equal);
            }
        }
    }
    plan.games = plan.games_of((one, two));
    plan.contestants = vec![plan.contestants[one].clone(), plan.contestants[two].clone()];
    plan.format = Format::RoundRobin;
}

impl Measurement for Counts {
    fn unit(&self) -> &str {
        "games"
    }

    fn sample(&self) -> u64 {
        self.games.iter().map(|cell| cell.games.games()).sum()
    }

    fn check(&self) -> Result<(), String> {
        Counts::check(self).map_err(|error| error.to_string())
    }

    /// Ratings relative to the base player, or shares of the points, of all or of those against the
    /// base player; of two players, the share of the points (`meeting`, of `one against two`) or
    /// the likelihood of superiority (`los`, of `one over two`); the share of a player's games
    /// that came to an ending that endgame tables know (`endings`), where they were looked for.
    /// A base that did not play leaves ratings without a value: those relative to the mean
    /// would be other numbers than the ones asked for.
    fn measured(&self, compare: &Compare) -> Vec<Measured> {
        match compare.measure.as_str() {
            "meeting" => {
                return of_two(self, "against", |one, two| {
                    score(self.sample(one, two)).map(Into::into).unwrap_or_default()
                });
            }
            "los" => {
                let ratings = self.ratings();
                return of_two(self, "over", |one, two| ratings.los_interval(one, two));
            }
            "endings" => return of_endings(self),
            _ => {}
        }
        let (table, ratings) = (self.crosstable(), self.ratings());
        let base = compare.base.as_ref().and_then(|base| self.names.iter().position(|n| n == base));
        let one = |(player, name): (usize, &String)| {
            let (share, games) = match (compare.measure.as_str(), base) {
                ("against", Some(base)) => {
                    let sample = self.sample(player, base);
                    (score(sample), sample.games())
                }
                _ => (self.total_score(player), table.total(player).games()),
            };
            let value = match (compare.measure.as_str(), base) {
                ("elo", Some(base)) if base == player => Interval::around(0.0, 0.0),
                ("elo", Some(base)) => ratings.difference(player, base).into(),
                ("elo", None) if compare.base.is_none() => ratings.elo(player).into(),
                ("score", _) | ("against", Some(_)) => share.map(Into::into).unwrap_or_default(),
                _ => Interval::default(),
            };
            Measured { name: name.clone(), value, sample: games }
        };
        self.names.iter().enumerate().map(one).collect()
    }

    fn range(&self, compare: &Compare) -> Option<[f64; 2]> {
        const SHARES: [&str; 5] = ["score", "against", "meeting", "los", "endings"];
        let is_share = SHARES.contains(&compare.measure.as_str());
        is_share.then_some([0.0, 1.0])
    }

    fn tables(&self) -> Vec<ReportTable> {
        vec![ratings_table(self)]
    }

    fn contest(&self) -> Option<ContestReport> {
        Some(Counts::contest(self))
    }
}

/// A number of every two players, in either order; none where they have not met.
fn of_two(counts: &Counts, joint: &str, value: impl Fn(usize, usize) -> Interval) -> Vec<Measured> {
    let players = || 0..counts.names.len();
    let two = players().flat_map(|one| players().map(move |two| (one, two)));
    let met = two.filter(|&(one, two)| one != two && counts.sample(one, two).games() > 0);
    let measured = met.map(|(one, two)| Measured {
        name: format!("{} {joint} {}", counts.names[one], counts.names[two]),
        value: value(one, two),
        sample: counts.sample(one, two).games(),
    });
    measured.collect()
}

/// The share of each player's games that came to an ending; nothing where nobody looked for them.
fn of_endings(counts: &Counts) -> Vec<Measured> {
    let one = |(player, name): (usize, &String)| {
        let sample = counts.reached_sample(player)?;
        let value = score(sample).map(Into::into).unwrap_or_default();
        Some(Measured { name: name.clone(), value, sample: sample.games() })
    };
    counts.names.iter().enumerate().filter_map(one).collect()
}

fn ratings_table(counts: &Counts) -> ReportTable {
    let (table, ratings) = (counts.crosstable(), counts.ratings());
    let has_failures = !counts.failures.is_empty();
    let failed = |name: &String| {
        let own = counts.failures.iter().filter(|failure| failure.player == *name);
        own.map(|failure| failure.games).sum()
    };
    let row = |&player: &usize| {
        let games = table.total(player);
        let share = counts.total_score(player).map(Interval::from).unwrap_or_default();
        let mut cells = vec![
            counts.names[player].clone(),
            interval_text(ratings.elo(player).into(), 0),
            count_text(games.games()),
            interval_text(share.times(100.0), 1),
            count_text(games.draws),
        ];
        cells.extend(has_failures.then(|| count_text(failed(&counts.names[player]))));
        cells.extend(counts.reached_games(player).map(count_text));
        cells
    };
    let mut columns = vec![
        Column::text("player"),
        Column::number("Elo (95%)"),
        Column::number("games"),
        Column::number("score %"),
        Column::number("draws"),
    ];
    columns.extend(has_failures.then(|| Column::number("failed")));
    let pieces = counts.reached.as_ref().map(|reached| reached.pieces);
    columns.extend(pieces.map(|pieces| Column::number(&format!("endings of {pieces} pieces"))));
    let caption = counts.ratings_caption(&ratings).to_owned();
    ReportTable { caption, columns, rows: counts.ranked(&ratings).iter().map(row).collect() }
}
