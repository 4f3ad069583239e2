//! Experiments that let players play a tournament.

use crate::ExperimentError;
use crate::file::Compare;
use crate::result::{Measured, ResultData, TestResult};
use crate::work::{Earlier, Measurement, PartKind, Session, Work, WorkKind, WorkResult};
use monteverde_lab::calibration::Calibration;
use monteverde_lab::contest::{ContestPlan, Format};
use monteverde_lab::pace::Pace;
use monteverde_lab::progress::Watch;
use monteverde_lab::shard::ShardDone;
use monteverde_lab::tournament::Tournament;
use monteverde_report::{
    Column, ContestReport, Counts, DotPlot, Interval, ReportTable, count_text, interval_text,
};
use monteverde_statistics::score;

/// Ratings relative to a player, shares of the points, of all or of those against a player, and
/// speeds.
pub(crate) const KIND: WorkKind = WorkKind {
    name: "tournament",
    unit: "games",
    read: |table, source| {
        let tournament = Tournament::from_table(source.games, table, source.folder, source.build)?;
        Ok(Box::new(tournament.plan))
    },
    measures: |_| &["elo", "score", "against", "meeting", "los", "speed"],
    dots: DotPlot::Drawn,
    parts: PartKind::Meeting,
};

impl Work for ContestPlan {
    fn check(&self) -> Result<(), ExperimentError> {
        Ok(ContestPlan::check(self)?)
    }

    fn parts(&self) -> Vec<String> {
        let name = |(one, two): (usize, usize)| {
            format!("{} against {}", self.contestants[one].name, self.contestants[two].name)
        };
        self.pairings().into_iter().map(name).collect()
    }

    /// Two that think equally long get the iterations that they had, where results of the same work
    /// say it.
    fn only(&mut self, number: usize, earlier: &Earlier<'_>) -> Result<(), ExperimentError> {
        only_meeting(self, number, earlier()?.as_ref());
        Ok(())
    }

    fn run(&self, session: &mut Session<'_, '_>) -> Result<WorkResult, ExperimentError> {
        let mut watch = Watch::new(1, self.total(), session.observe);
        let hands = session.machine.hands;
        if let Some(shard) = hands.shard {
            // A pair more or less does not matter to a bar.
            watch.only(1, self.total().div_ceil(shard.count().into()));
        }
        let held = self.clone().hold(session.store, hands, &mut |finished, _| {
            match finished.played {
                Some(_) => watch.done(1),
                None => watch.found(1),
            };
        })?;
        watch.part_done();
        if let Some(shard) = hands.shard {
            return Err(ShardDone(shard).into());
        }
        Ok(WorkResult {
            data: ResultData::Tournament(Counts::from(&held.standings)),
            calibration: held.calibration,
            test: self.test.map(|test| TestResult::new(&test, &held.standings)),
        })
    }

    fn contest(&self) -> Option<&ContestPlan> {
        Some(self)
    }

    fn matches(&self) -> Vec<(usize, &ContestPlan, (usize, usize))> {
        self.pairings().into_iter().enumerate().map(|(number, two)| (number, self, two)).collect()
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
    /// base player; of two players, the share of the points (`meeting`, of `one against two`) or the
    /// likelihood of superiority (`los`, of `one over two`). A base that did not play leaves ratings
    /// without a value: those relative to the mean would be other numbers than the ones asked for.
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
        let is_share = ["score", "against", "meeting", "los"].contains(&compare.measure.as_str());
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

fn ratings_table(counts: &Counts) -> ReportTable {
    let (table, ratings) = (counts.crosstable(), counts.ratings());
    let mut order: Vec<usize> = (0..counts.names.len()).collect();
    order.sort_by(|&one, &two| ratings.unscaled(two).total_cmp(&ratings.unscaled(one)));
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
    ReportTable { caption: "Ratings".to_owned(), columns, rows: order.iter().map(row).collect() }
}
