//! What was measured, as tables for pages and terminals.

use super::result::{Data, NamedTally, NamedWaits, ResultFile, TestResult};
use monteverde_lab::calibration::Calibration;
use monteverde_report::{Column, Counts, Interval, Table, count_text, interval_text};
use monteverde_statistics::{Decision, score};

impl ResultFile {
    /// Everything that was measured, without the paper's numbers.
    pub fn tables(&self) -> Vec<Table> {
        let mut tables: Vec<Table> = self.calibration.iter().map(Calibration::table).collect();
        tables.extend(self.test.iter().map(TestResult::table));
        match &self.data {
            Data::Playouts(tallies) => tables.push(tally_table(tallies)),
            Data::Tournament(counts) => tables.push(ratings_table(counts)),
            Data::Sweep(sweep) => tables.push(sweep.table()),
            Data::Until(waits) => tables.push(waits_table(waits)),
            Data::Mating(cells) => tables.push(super::mating::table(cells)),
            Data::Endings(cells) => tables.push(super::endings::table(cells)),
            Data::Shape(shape) => tables.push(super::shape::table(shape)),
            Data::Prediction(ranks) => tables.push(super::prediction::table(ranks)),
            Data::Suite(suites) => tables.extend(
                suites.iter().map(|named| named.result.table(&format!("Solved by {}", named.name))),
            ),
        }
        tables
    }
}

impl TestResult {
    /// What the test says, in words.
    pub fn sentence(&self) -> String {
        let [low, high] = self.elos;
        match self.decision {
            Decision::Continue => format!("not decided between {low} and {high} Elo"),
            Decision::AcceptH0 => format!("{low} Elo is accepted against {high}"),
            Decision::AcceptH1 => format!("{high} Elo is accepted against {low}"),
        }
    }

    /// The numbers of the test.
    pub fn table(&self) -> Table {
        let [low, high] = self.bounds;
        Table {
            caption: "Sequential test".to_owned(),
            columns: vec![
                text("verdict"),
                number("games"),
                number("LLR"),
                number("bounds"),
                number("Elo (95%)"),
            ],
            rows: vec![vec![
                self.sentence(),
                count_text(self.games),
                format!("{:.2}", self.llr),
                format!("{low:.2} to {high:.2}"),
                interval_text(self.elo, 1),
            ]],
        }
    }
}

fn ratings_table(counts: &Counts) -> Table {
    let (table, ratings) = (counts.crosstable(), counts.ratings());
    let mut order: Vec<usize> = (0..counts.names.len()).collect();
    order.sort_by(|&one, &two| ratings.unscaled(two).total_cmp(&ratings.unscaled(one)));
    let failed = |name: &String| {
        let own = counts.failures.iter().filter(|failure| failure.player == *name);
        own.map(|failure| failure.games).sum()
    };
    let row = |&player: &usize| {
        let games = table.total(player);
        let share = score(games).map(Interval::from).unwrap_or_default();
        vec![
            counts.names[player].clone(),
            interval_text(ratings.elo(player).into(), 0),
            count_text(games.games()),
            interval_text(share.times(100.0), 1),
            count_text(games.draws),
            count_text(failed(&counts.names[player])),
        ]
    };
    Table {
        caption: "Ratings".to_owned(),
        columns: vec![
            text("player"),
            number("Elo (95%)"),
            number("games"),
            number("score %"),
            number("draws"),
            number("failed"),
        ],
        rows: order.iter().map(row).collect(),
    }
}

fn waits_table(all: &[NamedWaits]) -> Table {
    let row = |named: &NamedWaits| {
        let waits = &named.waits;
        let median = |median: Interval, decimals| match median.value {
            None => "not found".to_owned(),
            Some(_) => interval_text(median, decimals),
        };
        vec![
            named.name.clone(),
            format!("{} of {}", waits.found(), waits.hits.len()),
            median(waits.iterations(), 0),
            median(waits.seconds(), 3),
            count_text(waits.limit),
        ]
    };
    Table {
        caption: "Until the move is chosen for good".to_owned(),
        columns: vec![
            text("player"),
            number("found"),
            number("median iterations (95%)"),
            number("median seconds (95%)"),
            number("limit"),
        ],
        rows: all.iter().map(row).collect(),
    }
}

fn tally_table(tallies: &[NamedTally]) -> Table {
    let share = |part: u64, whole: u64| match whole {
        0 => "\u{2013}".to_owned(),
        _ => format!("{:.2}%", 100.0 * part as f64 / whole as f64),
    };
    let row = |named: &NamedTally| {
        let tally = &named.tally;
        let endings = tally.endings.iter();
        let endings = endings.map(|(name, count)| format!("{name} {}", share(*count, tally.count)));
        vec![
            named.name.clone(),
            count_text(tally.count),
            share(tally.first, tally.count),
            share(tally.draw, tally.count),
            share(tally.second, tally.count),
            interval_text(tally.mean_plies(), 1),
            endings.collect::<Vec<_>>().join(", "),
        ]
    };
    Table {
        caption: "All playouts".to_owned(),
        columns: vec![
            text("Position"),
            number("Playouts"),
            number("First side wins"),
            number("Draws"),
            number("Second side wins"),
            number("Plies"),
            text("Endings"),
        ],
        rows: tallies.iter().map(row).collect(),
    }
}

fn text(title: &str) -> Column {
    Column::Text(title.to_owned())
}

fn number(title: &str) -> Column {
    Column::Number(title.to_owned())
}
