//! Verdicts on the counts of a tournament.

use super::{TOURNAMENT, compared, experiment};
use crate::ResultFile;
use monteverde_report::{Column, Compared, Verdict};

/// Two players whose games of a pair always end alike, and a third who lost to both of them.
const COUNTS: &str = r#"{"experiment":"test","scale":"quick","work":"","build":"","data":{"tournament":{
  "names":["strong","weak","third"],
  "games":[{"first":0,"second":1,"wins":24,"draws":0,"losses":16},
           {"first":1,"second":0,"wins":16,"draws":0,"losses":24},
           {"first":0,"second":2,"wins":20,"draws":0,"losses":0},
           {"first":2,"second":0,"wins":0,"draws":0,"losses":20}],
  "pairs":[{"player":0,"opponent":1,"counts":[16,0,0,0,24]},
           {"player":0,"opponent":2,"counts":[0,0,0,0,20]}],
  "endings":{},"failures":[]}}}"#;

fn of_counts(compare: &str) -> Vec<Compared> {
    of_text(compare, COUNTS)
}

fn of_text(compare: &str, results: &str) -> Vec<Compared> {
    let folder = tempfile::tempdir().unwrap();
    let text = TOURNAMENT.split_once("[compare]").unwrap().1.split_once("[tournament]").unwrap().1;
    let endings = if compare.contains("'endings'") { "endings = 4" } else { "" };
    let text = format!("[compare]\n{compare}\nquantity = 'it'\n[tournament]\n{endings}{text}");
    compared(&experiment(folder.path(), &text), &ResultFile::parse(results).unwrap())
}

/// Verdicts on scores used to take all games for independent, while meetings heeded pairs.
#[test]
fn verdicts_on_scores_heed_pairs_as_meetings_do() {
    let compare = "measure = 'against'\nbase = 'weak'\nfactor = 100\nresolution = 12
        value = [{ name = 'strong', number = 72.5, error = 0.1 }]";
    let row = of_counts(compare).remove(0);
    // 60% in 40 pairs that are as good as 40 games: 1.96 sqrt(0.24 / 40) = 15.2, not 10.7.
    let error = row.ours.high.unwrap() - row.ours.value.unwrap();
    assert!((error - 15.18).abs() < 0.01, "{error}");
    assert_eq!((row.sample, row.verdict), (80, Verdict::Undecided), "as games it would differ");
    // All games of a player: 40 pairs of one meeting, 20 of the other.
    let compare = "measure = 'score'\nfactor = 100\nresolution = 5
        value = [{ name = 'strong', number = 73.3 }]";
    let ours = of_counts(compare).remove(0).ours;
    // Within the one meeting 0.24 a pair, within the clean one as if 1 of 22 had been lost.
    let within =
        0.24 / 40.0 * (80.0f64 / 120.0).powi(2) + 21.0 / 484.0 / 20.0 * (40.0f64 / 120.0).powi(2);
    let expected = 100.0 * 1.959964 * within.sqrt();
    assert!((ours.high.unwrap() - ours.value.unwrap() - expected).abs() < 0.01, "{ours:?}");
}

/// 20 wins of 20 pairs were 86 to 100%, which left out what the exact interval holds.
#[test]
fn a_clean_score_has_the_exact_interval_of_its_pairs() {
    let compare = "measure = 'meeting'\nfactor = 100\nresolution = 10
        value = [{ name = 'strong against third', number = 85, error = 0.1 }]";
    let row = of_counts(compare).remove(0);
    assert!((row.ours.low.unwrap() - 83.16).abs() < 0.01, "{:?}", row.ours);
    assert_eq!((row.sample, row.verdict), (40, Verdict::Agrees));
}

#[test]
fn likelihoods_of_superiority_have_the_interval_of_a_repetition() {
    let compare = "measure = 'los'\nfactor = 100\nresolution = 10
        value = [{ name = 'strong over weak', number = 51 }, { name = 'weak over strong', number = 1 }]";
    let rows = of_counts(compare);
    let [low, high] = [rows[0].ours.low.unwrap(), rows[0].ours.high.unwrap()];
    assert!(low < 60.0 && high > 99.0, "{low} to {high}");
    let sum = rows[0].ours.value.unwrap() + rows[1].ours.value.unwrap();
    assert!((sum - 100.0).abs() < 1e-9, "{sum}");
}

/// What a file says cannot fail is shown, with the reason, and is in no count.
#[test]
fn what_is_not_counted_is_shown_with_its_reason() {
    let compare = "measure = 'against'\nbase = 'weak'\nfactor = 100\nresolution = 20
        value = [
          { name = 'strong', number = 10, error = 1, not-counted = 'it was used to set the weight' },
          { name = 'third', number = 10, error = 1, not-counted = 'they never met' }]";
    let rows = of_counts(compare);
    assert_eq!(rows[0].verdict, Verdict::NotCounted, "it would differ");
    assert_eq!(rows[0].reason, "it was used to set the weight");
    assert_eq!((rows[1].verdict, rows[1].is_measured()), (Verdict::Undecided, false));
}

const LOOKED_FOR: &str = "measure = 'endings'\nfactor = 100\nresolution = 30\nvalue = [
    { name = 'strong', number = 5, games = 100 },
    { name = 'weak', number = 40, error = 1 },
    { name = 'third', number = 5, games = 100 }]";

/// Games that came to an ending, of all games of a player, with pairs as units.
#[test]
fn games_that_came_to_an_ending_are_shares_of_a_players_games() {
    let cells = r#""reached":{"pieces":4,"cells":[
        {"player":0,"opponent":1,"games":10,"pairs":[34,2,4]},
        {"player":0,"opponent":2,"games":0,"pairs":[20,0,0]}]},"failures":"#;
    let rows = of_text(LOOKED_FOR, &COUNTS.replace(r#""failures":"#, cells));
    // 10 of 80 and 0 of 40 games, in 60 pairs.
    assert!((rows[0].ours.value.unwrap() - 1000.0 / 120.0).abs() < 1e-9, "{rows:?}");
    assert_eq!((rows[0].sample, rows[0].verdict), (120, Verdict::Agrees));
    // As if pairs were games: 5 of 60 have the exact interval of 2.8 to 18.4%.
    let [low, high] = [rows[0].ours.low.unwrap(), rows[0].ours.high.unwrap()];
    assert!((low - 2.76).abs() < 0.01 && (high - 18.39).abs() < 0.01, "{low} to {high}");
    assert_eq!((rows[1].ours.value, rows[1].verdict), (Some(12.5), Verdict::Differs));
    // None of 40 games in 20 pairs is 0 to 16.8%.
    assert_eq!((rows[2].ours.value, rows[2].ours.low), (Some(0.0), Some(0.0)));
    assert!((rows[2].ours.high.unwrap() - 16.84).abs() < 0.01, "{:?}", rows[2].ours);
}

/// Results in which nobody looked are read, and claim nothing; neither do no games at all.
#[test]
fn games_that_nobody_looked_at_say_nothing_of_endings() {
    let old = ResultFile::parse(COUNTS).unwrap();
    assert!(!old.text().contains("reached"), "it is written as it was");
    assert!(!old.tables()[0].columns.contains(&Column::number("endings of 4 pieces")));
    for rows in [of_text(LOOKED_FOR, COUNTS), of_text(LOOKED_FOR, &none_met())] {
        for row in rows {
            assert!(!row.is_measured() && row.verdict == Verdict::Undecided, "{row:?}");
        }
    }
}

/// The table of an experiment tells apart whom no chain of games links, as its page does.
#[test]
fn ratings_of_players_that_have_not_met_stand_apart() {
    let (before, rest) = COUNTS.split_once(r#""games""#).unwrap();
    let endings = &rest[rest.find(r#""endings""#).unwrap()..];
    let games = r#""games":[{"first":0,"second":2,"wins":9,"draws":0,"losses":6},
        {"first":2,"second":0,"wins":6,"draws":0,"losses":9},
        {"first":3,"second":1,"wins":90,"draws":0,"losses":1},
        {"first":1,"second":3,"wins":1,"draws":0,"losses":90}],"pairs":[],"#;
    let text = format!("{before}{games}{endings}").replace(r#""third""#, r#""third","fourth""#);
    let table = ResultFile::parse(&text).unwrap().tables().remove(0);
    let names: Vec<&str> = table.rows.iter().map(|row| row[0].as_str()).collect();
    assert_eq!(names, ["strong", "third", "fourth", "weak"]);
    assert!(table.caption.ends_with("are rated apart, each group around 0"), "{}", table.caption);
    assert_eq!(ResultFile::parse(COUNTS).unwrap().tables()[0].caption, "Ratings");
}

/// A contest of which no game counts.
fn none_met() -> String {
    let games = COUNTS.split_once(r#""games""#).unwrap().0;
    let rest = r#""games":[],"pairs":[],"endings":{},"failures":[],
        "reached":{"pieces":4,"cells":[]}}}}"#;
    format!("{games}{rest}")
}

#[test]
fn more_games_with_an_ending_than_games_are_refused() {
    let parse = |cell: &str| {
        let reached = format!(r#""reached":{{"pieces":4,"cells":[{cell}]}},"failures":"#);
        ResultFile::parse(&COUNTS.replace(r#""failures":"#, &reached)).map(drop)
    };
    let cell = |opponent: usize, games: u64, pairs: [u64; 3]| {
        let pairs = format!("{pairs:?}");
        parse(&format!(r#"{{"player":0,"opponent":{opponent},"games":{games},"pairs":{pairs}}}"#))
    };
    assert_eq!(cell(1, 80, [0, 0, 40]), Ok(()));
    assert_eq!(cell(1, 3, [0, 0, 0]), Ok(()));
    for (opponent, games, pairs) in [
        (1, 81, [0, 0, 40]),
        (1, 79, [0, 0, 40]),
        (1, 80, [1, 0, 40]),
        (1, 3, [0, 0, u64::MAX]),
        (1, 3, [u64::MAX, 1, 0]),
    ] {
        let error = cell(opponent, games, pairs).unwrap_err();
        assert!(error.contains("do not fit their 80 games"), "{error}");
    }
    assert!(cell(3, 0, [0, 0, 0]).unwrap_err().contains("the players 0 and 3"));
    assert!(cell(0, 0, [0, 0, 0]).unwrap_err().contains("the players 0 and 0"));
}

#[test]
fn a_comparison_may_hold_at_one_scale_only() {
    let compare =
        "measure = 'against'\nbase = 'weak'\nfactor = 100\nresolution = 20\nonly = 'paper'
        value = [{ name = 'strong', number = 10, error = 1 }]";
    assert!(!of_counts(compare)[0].is_measured(), "these are results of scale quick");
}

/// Shares of files that contradict themselves would not be shares.
#[test]
fn more_than_the_whole_is_refused() {
    let parse = |data: &str| {
        let head = r#""experiment":"test","scale":"quick","work":"","build":"""#;
        ResultFile::parse(&format!("{{{head},\"data\":{data}}}")).map(drop)
    };
    let playouts = |first: u64| {
        parse(&format!(
            r#"{{"playouts":[{{"name":"a","count":5,"first":{first},"draw":1,"second":0,"plies":9,
            "plies_squared":20,"endings":{{}}}}]}}"#
        ))
    };
    assert_eq!(playouts(4), Ok(()));
    assert!(playouts(5).unwrap_err().contains("'a' are more than its 5 playouts"));
    assert!(playouts(u64::MAX).is_err());
    let endings =
        r#"{"endings":[{"name":"KQK","starts":2,"mated":3,"exact":1,"mean":1.0,"longest":2}]}"#;
    assert!(parse(endings).unwrap_err().contains("'KQK' has more mates than its 2 starts"));
}
