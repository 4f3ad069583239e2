use super::*;
use monteverde_games::games;
use std::time::Duration;

const MATCH: &str = "
title = 'Exploration'
game = 'tic-tac-toe'
kind = 'match'
player = 'uct'
opponent = 'uct'
pace = 'iterations=20'
games = 4
openings = { random = 2 }
[grid]
c = [0.5, 1, 2]
pace = ['iterations=10', 'iterations=30']
";

fn sweep(text: &str) -> Sweep {
    Sweep::parse(&games(), text, Path::new("."), "test").expect("a sweep of the test")
}

fn error(text: &str) -> String {
    Sweep::parse(&games(), text, Path::new("."), "test").expect_err("not accepted").to_string()
}

#[test]
fn a_grid_of_matches_is_played_once() {
    let sweep = sweep(MATCH);
    assert_eq!((sweep.cells(), sweep.total(), sweep.unit()), (6, 24, "games"));
    let mut store = Store::memory().unwrap();
    let mut last = None;
    let first = sweep.run(&mut store, 2, &mut |progress| last = Some(*progress)).unwrap();
    let progress = last.expect("there were games");
    assert_eq!((progress.done, progress.total, progress.found), (24, 24, 0));
    assert_eq!((progress.parts_done, progress.parts), (6, 6));
    assert_eq!(progress.remaining(), Some(Duration::ZERO));
    assert_eq!(store.count(None).unwrap(), 24);
    let again = sweep.run(&mut store, 1, &mut |progress| last = Some(*progress)).unwrap();
    assert_eq!(last.map(|progress| (progress.done, progress.found)), Some((24, 24)));
    assert_eq!(last.and_then(|progress| progress.remaining()), None);
    assert_eq!(first, again);
    let cell = &first.cells[1];
    let owned = |(key, value): (&str, &str)| (key.to_owned(), value.to_owned());
    assert_eq!(cell.labels, [("c", "0.5"), ("pace", "iterations=30")].map(owned));
    assert_eq!(cell.sample, 4);
}

#[test]
fn results_are_tables_and_plots() {
    let mut store = Store::memory().unwrap();
    let result = sweep(MATCH).run(&mut store, 1, &mut |_| ()).unwrap();
    let csv = result.csv();
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!(lines.len(), 7);
    assert!(lines[0].starts_with("c,pace,games,score,score_low,score_high,elo,"), "{}", lines[0]);
    assert!(lines[1].starts_with("0.5,iterations=10,4,"), "{}", lines[1]);
    let plot = result.plot();
    assert_eq!(plot.series.len(), 2);
    assert_eq!(plot.series[0].name, "pace=iterations=10");
    assert_eq!(plot.series[0].points.len(), 3);
    assert_eq!(result.json()["cells"][0]["cell"]["c"], "0.5");
    let page = monteverde_report::html(&result.report(monteverde_report::Reproduce::default()));
    assert!(page.contains("<svg") && !page.contains("NaN"));
}

#[test]
fn a_limit_as_x_is_a_number() {
    let text = format!("{MATCH}[plot]\nx = 'pace'\ny = 'elo'\n");
    let mut store = Store::memory().unwrap();
    let plot = sweep(&text).run(&mut store, 1, &mut |_| ()).unwrap().plot();
    assert_eq!(plot.x.label, "iterations");
    assert_eq!(plot.series[0].points.iter().map(|point| point.x).collect::<Vec<_>>(), [10.0, 30.0]);
}

#[test]
fn playouts_searches_and_self_play_are_cells_too() {
    for (kind, keys, units) in [
        ("playouts", "count = 100", 200),
        ("search", "player = 'uct'\npace = 'nodes=20'\ncount = 3\nmove = 'b2'", 6),
        ("self-play", "player = 'uct'\npace = 'nodes=20'\ngames = 2", 4),
    ] {
        let grid =
            if kind == "self-play" { "c = [1, 2]" } else { "state = ['startpos', 'xo. ... ...']" };
        let text = format!("title='t'\ngame='tic-tac-toe'\nkind='{kind}'\n{keys}\n[grid]\n{grid}");
        let sweep = sweep(&text);
        assert_eq!(sweep.total(), units, "{kind}");
        let mut store = Store::memory().unwrap();
        let first = sweep.run(&mut store, 2, &mut |_| ()).unwrap();
        let mut found = 0;
        let again = sweep.run(&mut store, 1, &mut |progress| found = progress.found).unwrap();
        assert_eq!((first, found), (again, units), "{kind}");
    }
}

/// A move that nobody can play was found in 0 of all searches.
#[test]
fn the_move_to_be_found_is_one_of_the_state() {
    let with = |mv: &str| {
        format!(
            "title='t'\ngame='chess'\nkind='search'\nplayer='mcc'\npace='nodes=20'\ncount=3\nmove='{mv}'\n\
             [grid]\nc=[1]"
        )
    };
    let wrong = error(&with("e2e5"));
    assert!(wrong.starts_with("the cell c=1: 'e2e5' is not legal in 'rnbq"), "{wrong}");
    assert!(error(&with("zzz")).starts_with("the cell c=1: 'zzz' "));
    assert!(error(&with("e2e4").replace("[grid]", "moves=['e2e4']\n[grid]")).contains("'e2e4'"));
    assert_eq!(sweep(&with("e2e4")).cells[0].answer, "e2e4");
    assert_eq!(sweep(&with("Nf3")).cells[0].answer, "g1f3");
}

#[test]
fn flags_and_the_opponents_settings_span_a_grid() {
    let text = MATCH.replace("c = [0.5, 1, 2]", "fresh = [true, false]\n'opponent.c' = [1, 2]");
    let sweep = sweep(&text);
    assert_eq!(sweep.cells(), 8);
    let CellWork::Contest(plan) = &sweep.cells[0].work else { panic!() };
    assert_eq!(plan.contestants[0].name, "uct:fresh");
    assert_eq!(plan.contestants[1].name, "uct:c=1");
}

#[test]
fn errors_are_exact() {
    let with = |from: &str, to: &str| error(&MATCH.replace(from, to));
    assert!(with("title", "titel").contains("no key 'titel' (perhaps 'title'?)"));
    assert!(with("games = 4", "game-s = 4").contains("(perhaps 'games'?)"));
    assert!(with("games = 4", "games = 'x'").contains(": the key 'games' of a sweep: "));
    assert!(with("'match'", "'macth'").contains("(perhaps 'match'?)"));
    assert!(with("c = [", "paec = [").contains("no key 'paec' (perhaps 'pace'?)"));
    assert!(with("c = [", "'opponent.d' = [").contains("no key 'opponent.d'"));
    assert!(with("c = [0.5, 1, 2]", "c = []").contains("'c' has no values"));
    assert!(with("c = [0.5, 1, 2]", "c = 1").contains("needs a list"));
    assert!(with("c = [0.5, 1, 2]", "c = [1, 1]").contains("the value 1 twice"));
    let wrong = with("c = [0.5, 1, 2]", "c = [-5]");
    assert!(wrong.starts_with("the cell c=-5, pace=iterations=10: '-5' is no value"), "{wrong}");
    assert!(with("iterations=10", "iteration=10").contains("(perhaps 'iterations'?)"));
    assert!(with("tic-tac-toe", "tictactoe").contains("(perhaps 'tic-tac-toe'?)"));
    let values: Vec<String> = (1..=5_001).map(|value| value.to_string()).collect();
    let large = with("c = [0.5, 1, 2]", &format!("games = [{}]", values.join(",")));
    assert!(large.contains("10002 cells; at most 10000"), "{large}");
    assert!(
        error("title='t'\ngame='chess'\nkind='playouts'\ncount=1\n[grid]").contains("is empty")
    );
    let plot = |plot: &str| error(&format!("{MATCH}[plot]\n{plot}"));
    assert!(plot("x = 'd'").contains("keys: c, pace"));
    assert!(plot("y = 'length'").contains("measures: score, elo, draws"));
}
