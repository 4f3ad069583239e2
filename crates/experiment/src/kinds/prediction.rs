//! Experiments that ask how well what players know of moves in advance predicts what a target
//! player chooses.

use super::players::{self, NamedPlayer};
use crate::ExperimentError;
use crate::file::Compare;
use crate::result::{Measured, ResultData};
use crate::work::{
    Earlier, Measurement, PartKind, Session, Source, Work, WorkKind, WorkResult, check_all,
};
use monteverde_lab::keys::{FileError, only, optional, required};
use monteverde_lab::measure::{GameLengths, Probe, ProbeKind, Ranks};
use monteverde_players::AnyGame;
use monteverde_report::{
    Axis, AxisScale, Column, DotPlot, Interval, Plot, Point, ReportTable, Series, count_text,
    interval_text,
};
use serde::{Deserialize, Serialize};
use toml::Table;

/// Shares of moves within a rank.
pub(crate) const KIND: WorkKind = WorkKind {
    name: "prediction",
    unit: "games",
    read: |table, source| Ok(Box::new(Prediction::read(table, source)?)),
    measures: |_| &["within-N", "plies"],
    dots: DotPlot::Left,
    parts: PartKind::Piece,
};

/// A target, and those who predict it.
#[derive(Clone, PartialEq, Debug)]
struct Prediction {
    game: AnyGame,
    target: String,
    seed: u64,
    iterations: u64,
    games: u64,
    players: Vec<NamedPlayer>,
}

/// The ranks that a player gives to the target's moves.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct NamedRanks {
    /// The player's name.
    pub name: String,
    /// Its spec.
    pub spec: String,
    /// What was found.
    #[serde(flatten)]
    pub ranks: Ranks,
}

impl Prediction {
    fn read(table: &Table, source: Source<'_>) -> Result<Prediction, FileError> {
        const PLACE: &str = "the table 'prediction'";
        only(PLACE, table, &["game", "target", "seed", "iterations", "games", "player"])?;
        Ok(Prediction {
            game: source.game(PLACE, table)?,
            target: required(PLACE, table, "target")?,
            seed: optional(PLACE, table, "seed")?.unwrap_or(1),
            iterations: required(PLACE, table, "iterations")?,
            games: required(PLACE, table, "games")?,
            players: players::read(PLACE, table, &["name", "spec"])?,
        })
    }

    /// The one measurement: all players predict the same moves.
    fn probe(&self, build: &str) -> Probe {
        Probe {
            game: self.game,
            state: "startpos".to_owned(),
            moves: Vec::new(),
            kind: ProbeKind::Prediction {
                target: self.target.clone(),
                iterations: self.iterations,
                count: self.games,
                players: self.players.iter().map(|player| player.spec.clone()).collect(),
            },
            seed: self.seed,
            build: build.to_owned(),
        }
    }

    /// What was found, with the names of the players.
    fn named(&self, all: Vec<Ranks>) -> Vec<NamedRanks> {
        let named = |(player, ranks): (&NamedPlayer, Ranks)| NamedRanks {
            name: player.name.clone(),
            spec: player.spec.clone(),
            ranks,
        };
        self.players.iter().zip(all).map(named).collect()
    }
}

impl Work for Prediction {
    fn check(&self) -> Result<(), ExperimentError> {
        check_all(&[self.probe("")])
    }

    fn parts(&self) -> Vec<String> {
        Vec::new()
    }

    fn only(&mut self, _: usize, _: &Earlier<'_>) -> Result<(), ExperimentError> {
        Ok(())
    }

    fn run(&self, session: &mut Session<'_, '_>) -> Result<WorkResult, ExperimentError> {
        let found = session.measure_one(self.probe(session.machine.build))?;
        Ok(ResultData::Prediction(self.named(found)).into())
    }
}

impl Measurement for Vec<NamedRanks> {
    fn unit(&self) -> &str {
        "moves"
    }

    /// All players rank the same moves.
    fn sample(&self) -> u64 {
        self.first().map_or(0, |one| one.ranks.moves)
    }

    fn check(&self) -> Result<(), String> {
        let counted = |one: &NamedRanks| {
            one.ranks.counts.iter().try_fold(0, |sum: u64, &count| sum.checked_add(count))
        };
        match self.iter().find(|one| counted(one).is_none_or(|sum| sum > one.ranks.moves)) {
            Some(one) => Err(format!(
                "the counts of '{}' add up to more than its {} moves",
                one.name, one.ranks.moves
            )),
            None => Ok(()),
        }
    }

    fn measured(&self, compare: &Compare) -> Vec<Measured> {
        measured(self, compare)
    }

    fn range(&self, compare: &Compare) -> Option<[f64; 2]> {
        let least = if compare.base.is_some() { -1.0 } else { 0.0 };
        (compare.measure != "plies").then_some([least, 1.0])
    }

    fn tables(&self) -> Vec<ReportTable> {
        vec![table(self)]
    }

    fn figures(&self) -> Vec<Plot> {
        vec![plot(self)]
    }
}

/// The share of moves, in 0..=1, within a rank (`within-3`); with a base player, how much larger it
/// is than that player's. Or the mean length of the target's games (`plies`), where it is known.
fn measured(all: &[NamedRanks], compare: &Compare) -> Vec<Measured> {
    if compare.measure == "plies" {
        let games = all.first().and_then(|one| one.ranks.games);
        let of = |games: GameLengths| Measured {
            name: "a game".to_owned(),
            value: games.mean(),
            sample: games.count,
        };
        return games.map(of).into_iter().collect();
    }
    let rank = compare.measure.strip_prefix("within-").and_then(|rank| rank.parse().ok());
    let base = compare.base.as_ref().map(|base| all.iter().find(|one| one.name == *base));
    let one = |named: &NamedRanks| {
        let value = match (rank, base) {
            (Some(rank), None) => named.ranks.within(rank),
            (Some(rank), Some(Some(base))) => {
                difference(named.ranks.within(rank), base.ranks.within(rank))
            }
            _ => Interval::default(),
        };
        Measured { name: named.name.clone(), value, sample: named.ranks.moves }
    };
    all.iter().map(one).collect()
}

/// The difference of two shares as if they had been measured apart. Both are of the same moves,
/// which makes the true interval narrower.
fn difference(one: Interval, two: Interval) -> Interval {
    let both = || {
        let value = one.value? - two.value?;
        let below = (one.value? - one.low?).hypot(two.high? - two.value?);
        let above = (one.high? - one.value?).hypot(two.value? - two.low?);
        Some(Interval { value: Some(value), low: Some(value - below), high: Some(value + above) })
    };
    both().unwrap_or_default()
}

/// The ranks that tables and plots show.
const RANKS: usize = 20;

/// The share of moves within each rank, a line for each player.
fn plot(all: &[NamedRanks]) -> Plot {
    let series = |named: &NamedRanks| {
        let point =
            |rank: usize| Point { x: rank as f64, y: named.ranks.within(rank).times(PERCENT) };
        Series { name: named.name.clone(), points: (1..=RANKS).map(point).collect() }
    };
    Plot {
        caption: "Moves of the target within a rank".to_owned(),
        x: Axis { label: "rank".to_owned(), scale: AxisScale::Linear },
        y: Axis { label: "%".to_owned(), scale: AxisScale::Linear },
        series: all.iter().map(series).collect(),
        reference: None,
    }
}

const PERCENT: f64 = 100.0;

/// The share of moves within some ranks.
fn table(all: &[NamedRanks]) -> ReportTable {
    const SHOWN: [usize; 5] = [1, 2, 3, 5, 10];
    let row = |named: &NamedRanks| {
        let mut row = vec![named.name.clone(), count_text(named.ranks.moves)];
        row.extend(SHOWN.map(|rank| interval_text(named.ranks.within(rank).times(PERCENT), 1)));
        row
    };
    let mut columns = vec![Column::Text("player".to_owned()), Column::Number("moves".to_owned())];
    columns.extend(SHOWN.map(|rank| Column::Number(format!("% within {rank}"))));
    ReportTable {
        caption: "Prediction of the target's moves".to_owned(),
        columns,
        rows: all.iter().map(row).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ResultFile;

    fn predict(target: &str, iterations: u64) -> Ranks {
        let text = format!(
            "game = 'chess'\ntarget = '{target}'\niterations = {iterations}\ngames = 2\n\
             player = [{{ name = 'prior', spec = 'mcc-bias' }}]"
        );
        let work = Prediction::read(&text.parse::<Table>().unwrap(), Source::of_test()).unwrap();
        let probe = work.probe("test");
        probe.check().unwrap();
        let found = probe.run(2, &|_| ()).unwrap();
        assert_eq!(found, probe.run(1, &|_| ()).unwrap(), "threads change nothing");
        work.named(found.try_into().unwrap()).remove(0).ranks
    }

    /// A player that looks one ply ahead by the same evaluation plays what the prior has first, but
    /// for draws by repetition and among equals; one that tries the first moves of a list does not.
    #[test]
    fn a_prior_predicts_who_plays_by_it() {
        let first = |ranks: Ranks| {
            assert_eq!(ranks.counts.iter().sum::<u64>(), ranks.moves);
            let games = ranks.games.unwrap();
            assert_eq!((games.count, games.sum), (2, ranks.moves));
            ranks.within(1).value.unwrap()
        };
        let greedy = first(predict("greedy:eval=tuned", 10_000));
        let random = first(predict("mcc:memory=1MiB", 2));
        assert!(greedy > 0.8 && random < 0.4, "{greedy} and {random}");
    }

    #[test]
    fn differences_are_relative_to_the_base() {
        let named = |name: &str, first: u64| NamedRanks {
            name: name.to_owned(),
            spec: "mcc".to_owned(),
            ranks: Ranks { moves: 1000, counts: vec![first, 1000 - first], games: None },
        };
        let all = [named("one", 300), named("two", 500)];
        let mut compare = Compare {
            claim: String::new(),
            quantity: String::new(),
            measure: "within-1".to_owned(),
            base: Some("one".to_owned()),
            factor: 1.0,
            decimals: 1,
            resolution: 1.0,
            only: None,
            values: Vec::new(),
        };
        let found = measured(&all, &compare);
        assert!((found[1].value.value.unwrap() - 0.2).abs() < 1e-9);
        assert!(found[1].value.low.unwrap() > 0.1);
        compare.base = None;
        assert_eq!(measured(&all, &compare)[1].value.value, Some(0.5));
        compare.base = Some("nobody".to_owned());
        assert_eq!(measured(&all, &compare)[1].value, Interval::default());
        assert_eq!(table(&all).rows[1][..3], ["two", "1000", "50.0 \u{b1} 3.1"]);
    }

    /// A file of results whose counts contradict each other used to panic where it was shown.
    #[test]
    fn more_ranks_than_moves_are_refused() {
        let with = |moves: u64, counts: &str| {
            let text = format!(
                r#"{{"experiment":"a","scale":"quick","work":"","build":"","data":{{"prediction":[{{"name":"one",
                "spec":"mcc","moves":{moves},"counts":{counts}}}]}}}}"#
            );
            ResultFile::parse(&text)
        };
        assert_eq!(with(5, "[3, 2]").unwrap().tables().len(), 1);
        for counts in ["[3, 3]", "[18446744073709551615, 18446744073709551615]"] {
            let error = with(5, counts).unwrap_err();
            assert_eq!(error, "the counts of 'one' add up to more than its 5 moves");
        }
    }

    #[test]
    fn a_player_that_knows_nothing_of_moves_predicts_none() {
        let text = "game = 'banqi'\ntarget = 'uct'\niterations = 2\ngames = 1\nplayer = [{ spec = 'uct' }]";
        let work = Prediction::read(&text.parse::<Table>().unwrap(), Source::of_test()).unwrap();
        let error = work.probe("test").check();
        assert!(error.is_err_and(|error| error.to_string().contains("'uct'")));
    }
}
