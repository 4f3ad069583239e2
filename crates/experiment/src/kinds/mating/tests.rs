use super::*;

fn cell(
    (c, threshold, iterations): (f64, u64, u64),
    difference: f64,
    collapses: f64,
) -> MatingCell {
    let around = |value: f64| Interval::around(value, 0.1);
    MatingCell {
        c,
        threshold,
        iterations,
        games: 100,
        mated: 99,
        difference: around(difference),
        length: around(20.0 + 10.0 * difference),
        collapses: around(collapses),
        visits_deviation: around(1.0),
        mates_deviation: around(1.0),
        mates_share: around(0.5),
        first_moves: Vec::new(),
    }
}

/// A bowl with its bottom at C = 5 and T = 30, or at C = 10 with more iterations.
fn bowl() -> Vec<MatingCell> {
    let mut cells = Vec::new();
    for (iterations, bottom) in [(3000, 5.0), (6000, 10.0)] {
        for c in [1.0, 5.0, 10.0, 100.0] {
            for threshold in [10, 30, 100] {
                let steep = f64::ln(c / bottom).abs() + (threshold as f64 / 30.0).ln().abs();
                cells.push(cell((c, threshold, iterations), steep, 2.0 * steep + 1.0));
            }
        }
    }
    cells
}

#[test]
fn the_claims_are_numbers() {
    let cells = bowl();
    let best: Vec<_> = measured(&cells, "best-c").into_iter().map(|m| (m.name, m.value)).collect();
    assert_eq!(
        best[0],
        ("3000".to_owned(), Interval { value: Some(5.0), low: Some(5.0), high: Some(5.0) })
    );
    assert_eq!(best[1].1.value, Some(10.0));
    assert_eq!(measured(&cells, "best-t")[0].value.value, Some(30.0));
    let relation = measured(&cells, "collapses")[0].value;
    assert!(relation.value > Some(0.999) && relation.low > Some(0.99), "{relation:?}");
    let lengths = measured(&cells, "length");
    assert_eq!(lengths[0].value.value, Some(20.0));
    assert!(lengths[1].value.value > lengths[0].value.value);
    let means: Vec<_> = lengths[2..].iter().map(|one| (one.name.as_str(), one.sample)).collect();
    let names = ["shortest of a C", "longest of a C", "shortest of a T", "longest of a T"];
    assert_eq!(means, [(names[0], 300), (names[1], 300), (names[2], 400), (names[3], 400)]);
    for (one, expected) in lengths[2..].iter().zip([27.675, 57.632, 33.246, 45.286]) {
        let (value, error) = (one.value.value.unwrap(), one.value.high.unwrap());
        assert!((value - expected).abs() < 0.001, "{one:?}");
        // Of so many means with an error of 0.1 each.
        assert!((error - value - 0.1 / (one.sample as f64 / 100.0).sqrt()).abs() < 1e-9);
    }
    assert_eq!(measured(&cells, "nothing").len(), 0);
}

/// With wide errors the best constant is not known.
#[test]
fn what_is_not_worse_for_certain_may_be_the_best() {
    let mut cells = bowl();
    for cell in &mut cells {
        cell.difference = Interval::around(cell.difference.value.unwrap(), 10.0);
    }
    let best = measured(&cells, "best-c")[0].value;
    assert_eq!((best.low, best.high), (Some(1.0), Some(100.0)));
}

/// By hand: x 1 2 3 4, y 2 1 4 3 have a correlation of 0.6.
#[test]
fn correlations_are_pearsons() {
    let value = correlation(&[(1.0, 2.0), (2.0, 1.0), (3.0, 4.0), (4.0, 3.0)]);
    assert_eq!(value.value, Some(0.6));
    assert!(value.low < Some(-0.8) && value.high > Some(0.98), "{value:?}");
    assert_eq!(correlation(&[(1.0, 1.0), (2.0, 2.0)]), Interval::default());
}

#[test]
fn the_figures_are_those_of_the_study() {
    let plots = figures(&bowl());
    let numbers: Vec<&str> = plots.iter().map(|plot| &plot.caption[..3]).collect();
    assert_eq!(
        numbers,
        ["4.2", "4.3", "4.4", "4.5", "4.6", "4.6", "4.6", "4.6", "4.7", "4.8", "4.8"]
    );
    assert_eq!((plots[8].series.len(), plots[8].series[0].points.len()), (2, 4));
    let unit = plots[4].series[0].points.iter().filter_map(|point| point.y.value);
    assert_eq!(unit.fold(0.0, f64::max), 1.0);
}

/// Two games: 10 moves that put the mate off by 5, and 30 that put it off by 25. The mean over
/// moves is 30 / 40, the mean of the games' means would be (0.5 + 0.8333) / 2.
#[test]
fn differences_are_pooled_over_all_moves() {
    let hunt = |moves, difference| Hunt { moves, difference, ..Hunt::default() };
    let games = [hunt(10, 5), hunt(30, 25)];
    let cell = MatingCell::new((1.0, 10, 3000), &games);
    assert_eq!(cell.difference.value, Some(0.75));
    // By hand: both games lie 2.5 moves from what 0.75 a move gives them.
    let error = Z95 * (2.0 * 2.5_f64.powi(2) * 2.0).sqrt() / 40.0;
    assert!((cell.difference.high.unwrap() - 0.75 - error).abs() < 1e-3, "{cell:?}");
    assert_eq!(cell.length.value, Some(20.0));
}

/// Games with one, two, three and four moves in the tree when they begin.
#[test]
fn moves_in_the_tree_at_the_first_move_are_counted() {
    let hunt = |moves: usize| Hunt { first: vec![(5, 1); moves], moves: 9, ..Hunt::default() };
    let games = |moves: &[usize]| moves.iter().map(|&count| hunt(count)).collect::<Vec<_>>();
    let cell = |moves: &[usize]| MatingCell::new((1.0, 10, 3000), &games(moves));
    let cells = vec![cell(&[1, 2, 2, 3]), cell(&[4, 3, 3, 3])];
    assert_eq!(cells[0].first_moves, [0, 1, 2, 1]);
    assert_eq!(cells[1].first_moves, [0, 0, 0, 3, 1]);
    let found = measured(&cells, "first-moves").remove(0);
    assert_eq!((found.name.as_str(), found.sample), ("2 or 3", 8));
    assert_eq!(found.value, share(6, 8));
    let rows = table(&cells).rows;
    assert_eq!(rows.iter().map(|row| row[6].as_str()).collect::<Vec<_>>(), ["3 of 4", "3 of 4"]);
    // All of them, and none: the ends of the exact interval, of which one is that of the scale.
    let all = measured(&[cell(&[2; 40])], "first-moves")[0].value;
    assert_eq!((all.value, all.high), (Some(1.0), Some(1.0)));
    assert!((all.low.unwrap() - 0.911903).abs() < 1e-6, "{all:?}");
    let none = measured(&[cell(&[1; 40])], "first-moves")[0].value;
    assert_eq!((none.value, none.low), (Some(0.0), Some(0.0)));
    assert!((none.high.unwrap() - 0.088097).abs() < 1e-6, "{none:?}");
}

/// No games claim nothing, nor do games in which nobody counted.
#[test]
fn what_was_not_counted_says_nothing_of_first_moves() {
    assert_eq!(measured(&[], "first-moves"), []);
    assert_eq!(measured(&[MatingCell::new((1.0, 10, 3000), &[])], "first-moves"), []);
    let old = bowl();
    assert_eq!(measured(&old, "first-moves"), []);
    assert_eq!(table(&old).columns.len(), 6);
    let text = serde_json::to_string(&old).unwrap();
    assert!(!text.contains("first_moves"), "it is written as it was: {text}");
    assert_eq!(serde_json::from_str::<Vec<MatingCell>>(&text).unwrap(), old);
}

#[test]
fn first_moves_that_are_not_those_of_the_games_are_refused() {
    let of = |first_moves: Vec<u64>| {
        let cell = MatingCell { first_moves, ..bowl().remove(0) };
        Measurement::check(&vec![cell])
    };
    assert_eq!((of(vec![]), of(vec![0, 1, 99])), (Ok(()), Ok(())));
    for wrong in [vec![0, 1, 100], vec![0, 99], vec![u64::MAX, 2]] {
        assert!(of(wrong).unwrap_err().contains("in 100 games"));
    }
}

/// Ties and ends are read, and what they may be is said.
#[test]
fn ties_and_ends_are_settings() {
    let base = "
game = 'chess'
state = '8/8/8/3k4/8/8/1R6/2K5 w - - 0 1'
player = 'krk'
c = [1]
threshold = [10]
iterations = [20]
games = 3
";
    let read = |more: &str| {
        let table = format!("{base}{more}").parse::<Table>().unwrap();
        Mating::read(&table, Source::of_test())
    };
    assert_eq!(read("").unwrap().rules, MatingRules::default());
    let games = |more: &str| {
        let probe = &read(more).unwrap().probes("test")[0];
        Vec::<Hunt>::try_from(probe.run(1, &|_| ()).unwrap()).unwrap()
    };
    let all = ["", "ties = 'first'", "ties = 'last'"].map(games);
    assert!(all[0] != all[1] && all[1] != all[2] && all[2] != all[0], "{all:?}");
    // Without its rules of thumb the player loses the rook, and by its rules plays on without it.
    let base = base.replace("'krk'", "'krk:playout=uniform'").replace("games = 3", "games = 20");
    let lost = |ends: &str| {
        let table = format!("{base}ends = '{ends}'").parse::<Table>().unwrap();
        let probe = &Mating::read(&table, Source::of_test()).unwrap().probes("test")[0];
        let games = Vec::<Hunt>::try_from(probe.run(1, &|_| ()).unwrap()).unwrap();
        games.into_iter().filter(|game| game.given_away > 0).collect::<Vec<_>>()
    };
    let (gone, on) = (lost("win-gone"), lost("players-rules"));
    assert!(!gone.is_empty() && gone.iter().all(|game| game.moves == game.judged + 1), "{gone:?}");
    assert!(on.iter().any(|game| game.moves > game.judged + 1), "{on:?}");
    let error = read("ties = 'lowest'").unwrap_err().to_string();
    assert!(error.contains("lowest") && error.contains("`first`"), "{error}");
}

/// King and rook from a mate in two, by a player that finds it: nothing is put off.
#[test]
fn a_short_mate_is_found() {
    let table = "
game = 'chess'
state = '8/8/8/8/8/1K6/7R/1k6 w - - 0 1'
player = 'krk'
before = 500
c = [1]
threshold = [10, 30]
iterations = [500]
games = 4
"
    .parse::<Table>()
    .unwrap();
    let work = Mating::read(&table, Source::of_test()).unwrap();
    let probes = work.probes("test");
    assert!(probes.iter().all(|probe| probe.check().is_ok()));
    let found = |threads| {
        let games = |probe: &Probe| probe.run(threads, &|_| ()).unwrap().try_into().unwrap();
        probes.iter().map(games).collect()
    };
    let cells = work.cells(found(2));
    assert_eq!(cells, work.cells(found(1)), "threads change nothing");
    assert_eq!(cells.len(), 2);
    for cell in cells {
        assert_eq!((cell.games, cell.mated), (4, 4), "{cell:?}");
        assert_eq!(cell.difference.value, Some(0.0), "{cell:?}");
    }
    let lost = Probe { state: "8/8/8/8/8/1K6/8/1k6 w - - 0 1".to_owned(), ..probes[0].clone() };
    assert!(lost.run(1, &|_| ()).is_err());
}
