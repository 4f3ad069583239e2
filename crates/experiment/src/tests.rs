mod player_hashes;
mod verdicts;

use super::*;
use crate::kinds::until::NamedWaits;
use crate::work::Measurement;
use monteverde_games::games;
use monteverde_lab::hands::Hands;
use monteverde_lab::progress::Observer;
use monteverde_lab::store::Store;
use monteverde_report::{Column, Compared, Counts, ReachedCell, ReachedEndings, Verdict};
use monteverde_report::{html, markdown};
use std::fs;
use std::path::Path;

/// Runs it on two threads, with a program that is known by its name alone.
fn run_with(
    (experiment, scale): (&Experiment, Scale),
    store: &mut Store,
    observe: &mut Observer<'_>,
) -> Result<ResultFile, ExperimentError> {
    let machine = Machine { build: "test", hands: &Hands::from(2) };
    experiment.run(scale, store, machine, observe)
}

const HEAD: &str = "
title = 'A title'
question = 'Does it?'
[paper]
title = 'A paper'
place = 'Table 1'
setup = 'some games'
";

/// The values are the exact ones of random tic-tac-toe, and one that is wrong.
const PLAYOUTS: &str = "
value = [
  { name = 'start', number = 58.492 },
  { name = 'corner', number = 90, error = 1 },
]
[compare]
quantity = 'wins in percent'
measure = 'first'
factor = 100
resolution = 1
[playouts]
game = 'tic-tac-toe'
seed = 2
position = [{ name = 'start' }, { name = 'corner', moves = ['a1'] }]
[scale.quick]
count = 500
[scale.paper]
count = 20_000
";

const TOURNAMENT: &str = "
value = [{ name = 'strong', number = 100, error = 50 }, { name = 'weak', number = 0 }]
[compare]
quantity = 'Elo above weak'
measure = 'elo'
base = 'weak'
resolution = 60
[tournament]
game = 'tic-tac-toe'
format = 'round-robin'
games = 2
openings = { random = 2 }
player = [
  { name = 'strong', spec = 'uct', pace = 'iterations=60' },
  { name = 'other', spec = 'uct:c=0.5', pace = 'iterations=20' },
  { name = 'weak', spec = 'uct', pace = 'iterations=2' },
]
[scale.quick]
games = 20
";

/// Games of two plies from an ending of three pieces and from the initial state, a pair each.
const ENDINGS: &str = "
value = [{ name = 'mcc', number = 50, games = 100 }]
[compare]
quantity = 'games in a hundred'
measure = 'endings'
factor = 100
resolution = 50
[tournament]
endings = 3
game = 'chess'
format = 'round-robin'
pace = 'iterations=1'
openings = { file = 'starts.epd' }
adjudication = { length = 2 }
player = [
  { spec = 'mcc:memory=1MiB', name = 'mcc' },
  { spec = 'mcc:c=2,memory=1MiB', name = 'two' },
]
[scale.quick]
games = 4
";

const SWEEP: &str = "
value = [{ name = 'c=1', number = 0.5, error = 0.1 }]
[compare]
quantity = 'score'
measure = 'score'
resolution = 0.5
[sweep]
title = 'C'
game = 'tic-tac-toe'
kind = 'match'
player = 'uct'
opponent = 'uct'
pace = 'iterations=10'
openings = { random = 2 }
games = 10
grid = { c = [0.5, 1] }
[scale.quick]
";

fn experiment(folder: &Path, rest: &str) -> Experiment {
    let path = folder.join("test.toml");
    let text = format!("{HEAD}{rest}");
    fs::write(&path, &text).expect("a folder of the test");
    Experiment::parse(&games(), &path, &text).expect("an experiment of the test")
}

fn run(experiment: &Experiment, scale: Scale) -> ResultFile {
    let mut store = Store::memory().unwrap();
    let results = run_with((experiment, scale), &mut store, &mut |_| ()).unwrap();
    let again = run_with((experiment, scale), &mut store, &mut |progress| {
        assert_eq!(progress.found, progress.done, "everything was in the store");
    });
    assert_eq!(again.unwrap(), results);
    assert_eq!(ResultFile::parse(&results.text()).as_ref(), Ok(&results));
    results
}

/// The lines of the first comparison.
fn compared(experiment: &Experiment, results: &ResultFile) -> Vec<Compared> {
    experiment.comparisons(results).remove(0).rows
}

fn save(experiment: &Experiment, results: &ResultFile) {
    let path = experiment.results_path(results.scale);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, results.text()).unwrap();
}

#[test]
fn playouts_agree_with_what_is_right_and_differ_from_what_is_wrong() {
    let folder = tempfile::tempdir().unwrap();
    let experiment = experiment(folder.path(), PLAYOUTS);
    experiment.check().unwrap();
    assert_eq!(experiment.state(Scale::Quick).unwrap(), State::Open);
    let rows = compared(&experiment, &run(&experiment, Scale::Paper));
    assert_eq!([rows[0].verdict, rows[1].verdict], [Verdict::Agrees, Verdict::Differs]);
    assert_eq!(rows[0].sample, 20_000);
    let quick = run(&experiment, Scale::Quick);
    let rows = compared(&experiment, &quick);
    assert_eq!(rows[0].verdict, Verdict::Undecided, "500 playouts are not enough");
    save(&experiment, &quick);
    assert_eq!(experiment.state(Scale::Quick).unwrap(), State::Done(Verdict::Differs));
}

#[test]
fn smaller_scales_stand_below_the_largest() {
    let folder = tempfile::tempdir().unwrap();
    let text = PLAYOUTS.to_owned() + "[scale.standard]\ncount = 2000\n";
    let experiment = experiment(folder.path(), &text);
    for scale in Scale::ALL {
        save(&experiment, &run(&experiment, scale));
    }
    let report = report(&[experiment]).unwrap();
    let page = markdown(&report);
    let large = page.find("| 20,000 | agrees |").expect("the largest scale");
    let small = page.find("**The same at scale standard**").expect("the smaller scale");
    assert!(large < small && page[small..].contains("| 2000 |"), "{page}");
    assert!(!page.contains("scale quick"), "{page}");
    assert_eq!(html(&report).matches("<figure>").count(), 1, "the largest scale is drawn");
}

#[test]
fn a_paper_without_numbers_has_no_verdict() {
    let folder = tempfile::tempdir().unwrap();
    let without = &PLAYOUTS[PLAYOUTS.find("[playouts]").unwrap()..];
    let experiment = experiment(folder.path(), without);
    let results = run(&experiment, Scale::Quick);
    assert_eq!((experiment.comparisons(&results).len(), experiment.verdict(&results)), (0, None));
    save(&experiment, &results);
    assert_eq!(experiment.state(Scale::Quick).unwrap(), State::Measured);
    let page = markdown(&report(&[experiment]).unwrap());
    assert!(
        page.contains("The paper (Table 1): some games.") && !page.contains("Verdict at"),
        "{page}"
    );
}

#[test]
fn a_round_robin_is_an_experiment() {
    let folder = tempfile::tempdir().unwrap();
    let experiment = experiment(folder.path(), TOURNAMENT);
    experiment.check().unwrap();
    let results = run(&experiment, Scale::Quick);
    let ResultData::Tournament(counts) = &results.data else { panic!("a tournament") };
    assert_eq!(counts.crosstable().total(0).games(), 40);
    let rows = compared(&experiment, &results);
    assert!(rows[0].ours.value > Some(0.0), "{rows:?}");
    assert_eq!(rows[1].ours.value, Some(0.0), "the base");
    save(&experiment, &results);
    let report = report(&[experiment]).unwrap();
    let page = html(&report);
    for part in ["Cross table", "Likelihood of superiority", "monteverde experiment run test"] {
        assert!(page.contains(part), "no {part}");
    }
}

#[test]
fn games_that_come_to_an_ending_are_counted_where_that_is_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let starts = "8/8/8/3k4/8/8/7R/2K5 w - -\n\
                  rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -\n";
    fs::write(folder.path().join("starts.epd"), starts).unwrap();
    let counting = experiment(folder.path(), ENDINGS);
    counting.check().unwrap();
    let results = run(&counting, Scale::Quick);
    let ResultData::Tournament(counts) = &results.data else { panic!("a tournament") };
    let cell = ReachedCell { player: 0, opponent: 1, games: 2, pairs: [1, 0, 1] };
    assert_eq!(counts.reached, Some(ReachedEndings { pieces: 3, cells: vec![cell] }));
    let row = compared(&counting, &results).remove(0);
    assert_eq!((row.ours.value, row.sample), (Some(50.0), 4));
    let table = results.tables().remove(0);
    assert_eq!(table.columns.last(), Some(&Column::number("endings of 3 pieces")));
    assert!(table.rows.iter().all(|row| row.last().unwrap() == "2"), "{table:?}");
    // Unasked nothing is counted, and the games are the same.
    let own = ENDINGS.split_once("[tournament]\nendings = 3").unwrap().1;
    let own = format!("title = 'a'\nquestion = 'b'\n[tournament]{own}");
    let plain = run(&own_question(folder.path(), &own), Scale::Quick);
    let ResultData::Tournament(uncounted) = plain.data else { panic!("a tournament") };
    assert_eq!(uncounted, Counts { reached: None, ..counts.clone() });
}

#[test]
fn endings_that_cannot_be_counted_are_told_at_once() {
    let read = |text: &str| {
        let read = Experiment::parse(&games(), Path::new("x.toml"), &format!("{HEAD}{text}"));
        read.map_err(|error| error.to_string())
    };
    let check = |text: &str| read(text)?.check().map_err(|error| error.to_string());
    let from_start = ENDINGS.replace("file = 'starts.epd'", "random = 2");
    assert_eq!(check(&from_start), Ok(()));
    const KEY: &str = "the key 'endings' of a tournament: ";
    for (from, to, said) in [
        (
            "endings = 3",
            "endings = 2",
            format!("{KEY}2 is not accepted; whole numbers from 3 to 5 are"),
        ),
        (
            "endings = 3",
            "endings = 6",
            format!("{KEY}6 is not accepted; whole numbers from 3 to 5 are"),
        ),
        ("endings = 3", "endings = 'all'", KEY.to_owned()),
        (
            "endings = 3",
            "endings = 3\ntest = { elo0 = 0, elo1 = 9 }",
            format!("{KEY}games that a 'test'"),
        ),
        ("endings = 3", "ending = 3", "no key 'ending' (perhaps 'endings'?)".to_owned()),
        ("endings = 3", "", "'endings' is not measured by 'tournament'".to_owned()),
        ("game = 'chess'", "game = 'tic-tac-toe'", "tic-tac-toe has none".to_owned()),
    ] {
        let text = from_start.replace(from, to).replace(
            "measure = 'endings'",
            match to {
                "ending = 3" => "measure = 'score'",
                _ => "measure = 'endings'",
            },
        );
        let text = if to.contains("tic") { text.replace("mcc", "uct") } else { text };
        let error = check(&text).unwrap_err();
        assert!(error.contains(&said), "{error}");
    }
}

#[test]
fn a_base_that_did_not_play_gives_no_numbers() {
    let folder = tempfile::tempdir().unwrap();
    let text = TOURNAMENT.replace("base = 'weak'", "base = 'waek'");
    let experiment = experiment(folder.path(), &text);
    let rows = compared(&experiment, &run(&experiment, Scale::Quick));
    assert_eq!(rows[0].ours, monteverde_report::Interval::default());
    assert_eq!(rows[0].verdict, Verdict::Undecided);
}

#[test]
fn a_sweep_is_an_experiment() {
    let folder = tempfile::tempdir().unwrap();
    let experiment = experiment(folder.path(), SWEEP);
    experiment.check().unwrap();
    let results = run(&experiment, Scale::Quick);
    let rows = compared(&experiment, &results);
    assert_eq!((rows[0].name.as_str(), rows[0].sample), ("c=1", 10));
    save(&experiment, &results);
    assert!(html(&report(&[experiment]).unwrap()).contains("<svg class=\"plot\""));
}

const EQUAL_TIME: &str = "
title = 'At equal time'
question = 'Which?'
[tournament]
game = 'tic-tac-toe'
format = 'round-robin'
games = 4000
openings = { random = 2 }
equal-time = { reference = 'uct', iterations = 60, speeds = { strong = 1000, weak = 50, uct = 1000 } }
test = { elo0 = 0, elo1 = 50 }
player = [{ name = 'strong', spec = 'uct' }, { name = 'weak', spec = 'uct:c=0.9' }]
[scale.quick]
";

const UNTIL: &str = "
title = 'A winning move'
question = 'When?'
[until]
game = 'tic-tac-toe'
moves = ['a1', 'b2', 'a2', 'c3']
move = 'a3'
limit = 1000
count = 8
player = [{ spec = 'uct' }, { name = 'other', spec = 'uct:c=0.5', part = 0.5 }]
[scale.quick]
";

/// An experiment without a paper measures, and says nothing of anybody's numbers.
fn own_question(folder: &Path, text: &str) -> Experiment {
    let path = folder.join("own.toml");
    let experiment =
        Experiment::parse(&games(), &path, text).unwrap_or_else(|error| panic!("{error}"));
    experiment.check().unwrap();
    experiment
}

#[test]
fn a_test_at_equal_time_is_an_experiment() {
    let folder = tempfile::tempdir().unwrap();
    let experiment = own_question(folder.path(), EQUAL_TIME);
    let results = run(&experiment, Scale::Quick);
    let calibration = results.calibration.as_ref().expect("speeds");
    let shares: Vec<u64> = calibration.players.iter().map(|player| player.iterations).collect();
    assert_eq!(shares, [60, 3]);
    let test = results.test.as_ref().expect("a test");
    assert_eq!(test.decision, monteverde_statistics::Decision::AcceptH1);
    assert!(test.llr >= test.bounds[1] && test.games < 4000, "{test:?}");
    assert_eq!((experiment.comparisons(&results).len(), experiment.verdict(&results)), (0, None));
    save(&experiment, &results);
    assert_eq!(experiment.state(Scale::Quick).unwrap(), State::Measured);
    let page = markdown(&report(&[experiment]).unwrap());
    for part in ["iterations a move", "50 Elo is accepted against 0", "papers leave open"] {
        assert!(page.contains(part), "no {part}: {page}");
    }
}

#[test]
fn a_search_for_a_move_is_an_experiment() {
    let folder = tempfile::tempdir().unwrap();
    let experiment = own_question(folder.path(), UNTIL);
    let results = run(&experiment, Scale::Quick);
    let ResultData::Until(waits) = &results.data else { panic!("waits") };
    assert_eq!((waits[0].name.as_str(), waits[1].name.as_str()), ("uct", "other"));
    assert_eq!(waits[0].waits.found(), 8, "a move that wins at once is found");
    assert!(waits[0].waits.iterations().high < Some(1000.0), "{waits:?}");
    let table = &results.tables()[0];
    assert_eq!((table.rows.len(), table.rows[0][1].as_str()), (2, "8 of 8"));
    assert_eq!([waits[0].waits.limit, waits[1].waits.limit], [1000, 500]);
    let absent = UNTIL.replace("move = 'a3'", "move = 'a1'");
    let taken = Experiment::parse(&games(), &folder.path().join("x.toml"), &absent).unwrap();
    assert!(matches!(taken.check(), Err(ExperimentError::Measure(_))), "the square is taken");
}

#[test]
fn a_suite_is_an_experiment() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("s.txt"), "xx. oo. ...\n... ... ...\n").unwrap();
    let text = "
title = 'Wins at once'
question = 'Are they proven?'
[suite]
game = 'tic-tac-toe'
file = 's.txt'
iterations = 40
player = [{ spec = 'uct' }]
[scale.quick]
";
    let experiment = own_question(folder.path(), text);
    let results = run(&experiment, Scale::Quick);
    let ResultData::Suite(suites) = &results.data else { panic!("a suite") };
    assert_eq!((suites[0].result.positions(), suites[0].result.solved()), (2, 1));
    // A suite that is kept elsewhere is missed only when it is to be solved.
    let elsewhere = own_question(folder.path(), &text.replace("s.txt", "nowhere.txt"));
    let mut store = Store::memory().unwrap();
    let error = run_with((&elsewhere, Scale::Quick), &mut store, &mut |_| ()).unwrap_err();
    assert!(error.to_string().contains("nowhere.txt"), "{error}");
}

#[test]
fn a_position_may_have_a_player_of_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let text = "
title = 'Short'
question = 'How short?'
[playouts]
game = 'tic-tac-toe'
player = 'uct'
position = [{ name = 'whole' }, { name = 'short', player = 'uct:most-plies=4' }]
[scale.quick]
count = 200
";
    let results = run(&own_question(folder.path(), text), Scale::Quick);
    let ResultData::Playouts(tallies) = &results.data else { panic!("tallies") };
    assert!(tallies[0].tally.mean_plies().value > Some(5.0));
    assert_eq!(tallies[1].tally.mean_plies().value, Some(4.0));
}

/// The flips of the first plies, and which of three evaluations has a player's moves first.
#[test]
fn shapes_and_predictions_are_experiments() {
    let folder = tempfile::tempdir().unwrap();
    let shape = "
value = [{ name = 'moves', number = 32 }, { name = 'revealed', number = 40 }]
[compare]
quantity = 'most'
measure = 'peak'
resolution = 10
[shape]
game = 'banqi'
player = 'dark-knight:memory=1MiB'
iterations = 10
[scale.quick]
games = 3
";
    let experiment = experiment(folder.path(), shape);
    experiment.check().unwrap();
    let results = run(&experiment, Scale::Quick);
    let verdicts: Vec<Verdict> =
        compared(&experiment, &results).iter().map(|row| row.verdict).collect();
    assert_eq!(verdicts, [Verdict::Agrees, Verdict::Differs]);
    save(&experiment, &results);
    assert!(html(&report(&[experiment]).unwrap()).contains("<svg class=\"plot\""));
    let prediction = "
title = 'Prediction'
question = 'Which?'
[prediction]
game = 'banqi'
target = 'dark-knight:pb-curb-flip,memory=1MiB'
iterations = 40
player = [{ spec = 'dark-knight:pb' }, { name = 'own', spec = 'dark-knight:pb-curb-flip' }]
[scale.quick]
games = 2
";
    let experiment = own_question(folder.path(), prediction);
    let results = run(&experiment, Scale::Quick);
    let ResultData::Prediction(ranks) = &results.data else { panic!("ranks") };
    assert_eq!((ranks[0].name.as_str(), ranks[1].name.as_str()), ("dark-knight:pb", "own"));
    assert_eq!(ranks[0].ranks.moves, ranks[1].ranks.moves, "both rank the same moves");
    assert!(ranks[1].ranks.within(1).value > ranks[0].ranks.within(1).value, "{ranks:?}");
    assert_eq!(ranks[0].ranks.within(100).value, Some(1.0));
    save(&experiment, &results);
    assert!(html(&report(&[experiment]).unwrap()).contains("<svg class=\"plot\""));
}

/// Seeds are those of the whole, whatever else is left out.
#[test]
fn a_part_by_itself_is_as_in_the_whole() {
    let folder = tempfile::tempdir().unwrap();
    let part = |experiment: &Experiment, name: &str| {
        let only = experiment.clone().only(Scale::Quick, name).unwrap();
        run(&only, Scale::Quick).data
    };
    let playouts = experiment(folder.path(), PLAYOUTS);
    let (ResultData::Playouts(all), ResultData::Playouts(one)) =
        (run(&playouts, Scale::Quick).data, part(&playouts, "corner"))
    else {
        panic!("playouts")
    };
    assert_eq!(one, all[1..]);
    let until = own_question(folder.path(), UNTIL);
    let (ResultData::Until(all), ResultData::Until(one)) =
        (run(&until, Scale::Quick).data, part(&until, "other"))
    else {
        panic!("waits")
    };
    let hits = |waits: &NamedWaits| -> Vec<_> {
        waits.waits.hits.iter().map(|hit| hit.map(|hit| hit.iterations)).collect()
    };
    assert_eq!((one.len(), hits(&one[0])), (1, hits(&all[1])));
    let sweep = experiment(folder.path(), SWEEP);
    let (ResultData::Sweep(all), ResultData::Sweep(one)) =
        (run(&sweep, Scale::Quick).data, part(&sweep, "c=1"))
    else {
        panic!("a sweep")
    };
    assert_eq!(one.cells, all.cells[1..]);
    let mating = "
title = 'Mates'
question = 'How soon?'
[mating]
game = 'chess'
state = '8/8/8/8/8/5K2/R7/7k w - - 0 1'
player = 'krk:memory=1MiB'
c = [1, 2]
threshold = [5]
iterations = [40]
games = 2
[scale.quick]
";
    let mating = own_question(folder.path(), mating);
    let name = "c=2, threshold=5, iterations=40";
    let (ResultData::Mating(all), ResultData::Mating(one)) =
        (run(&mating, Scale::Quick).data, part(&mating, name))
    else {
        panic!("mates")
    };
    assert_eq!(one, all[1..]);
    let error = mating.only(Scale::Quick, "c=3").unwrap_err().to_string();
    assert!(error.contains("has no part 'c=3'") && error.contains(&format!("'{name}'")), "{error}");
}

#[test]
fn a_meeting_by_itself_is_as_in_the_tournament() {
    let folder = tempfile::tempdir().unwrap();
    let tournament = experiment(folder.path(), TOURNAMENT);
    let whole = run(&tournament, Scale::Quick);
    let digests = |results: &ResultFile| match &results.data {
        ResultData::Tournament(counts) => counts.digests.clone(),
        _ => panic!("a tournament"),
    };
    let all = digests(&whole);
    assert_eq!(all.len(), 3);
    for name in ["strong against other", "strong against weak", "other against weak"] {
        let only = tournament.clone().only(Scale::Quick, name).unwrap();
        let one = digests(&run(&only, Scale::Quick)).remove(0).digest;
        let number = tournament.parts(Scale::Quick).unwrap().iter().position(|part| part == name);
        assert_eq!(one, all[number.unwrap()].digest, "{name}");
    }
    // At equal time the iterations are those of the results.
    let equal = "equal-time = { reference = 'uct', iterations = 60, speeds = { strong = 1000, weak = 50, uct = 1000 } }";
    let text = EQUAL_TIME.replace("test = { elo0 = 0, elo1 = 50 }\n", "").replace("4000", "20");
    let timed = own_question(folder.path(), &text);
    let whole = run(&timed, Scale::Quick);
    save(&timed, &whole);
    let changed = whole.clone();
    assert!(text.contains(equal));
    let only = timed.only(Scale::Quick, "strong against weak").unwrap();
    let part = run(&only, Scale::Quick);
    assert_eq!((digests(&part), part.calibration), (digests(&changed), None));
}

/// The part of a tournament that lists its meetings has the games of that meeting.
#[test]
fn a_listed_meeting_by_itself_has_its_own_games() {
    let folder = tempfile::tempdir().unwrap();
    let listed = "format = 'meetings'\nmeeting = [{ players = ['weak', 'strong'], games = 6 }, \
                  { players = ['other', 'weak'] }]";
    let listed = experiment(folder.path(), &TOURNAMENT.replace("format = 'round-robin'", listed));
    let counts = |experiment: &Experiment| match run(experiment, Scale::Quick).data {
        ResultData::Tournament(counts) => counts,
        _ => panic!("a tournament"),
    };
    let whole = counts(&listed);
    let digest = |counts: &Counts, one: &str, two: &str| {
        let named = |number: usize| counts.names[number].as_str();
        let mut digests = counts.digests.iter();
        digests
            .find(|of| [named(of.player), named(of.opponent)] == [one, two])
            .unwrap()
            .digest
            .clone()
    };
    assert_eq!(Measurement::sample(&whole), 26);
    let parts = ["strong against weak", "other against weak"];
    assert_eq!(listed.parts(Scale::Quick).unwrap(), parts);
    for (part, one, games) in [(parts[0], "strong", 6), (parts[1], "other", 20)] {
        let only = counts(&listed.clone().only(Scale::Quick, part).unwrap());
        assert_eq!(Measurement::sample(&only), games, "{part}");
        assert_eq!(digest(&only, one, "weak"), digest(&whole, one, "weak"), "{part}");
    }
}

/// Pages are made from the files alone.
#[test]
fn reports_are_the_same_byte_for_byte() {
    let folder = tempfile::tempdir().unwrap();
    let written = experiment(folder.path(), PLAYOUTS);
    save(&written, &run(&written, Scale::Quick));
    let read = || read_all(&games(), folder.path()).unwrap();
    assert_eq!(site(&read(), "docs").unwrap(), site(&read(), "docs").unwrap());
    assert_eq!(details(&read()).unwrap(), details(&read()).unwrap());
    let Site { pages, summary } = site(&read(), "docs").unwrap();
    let names: Vec<&str> = pages.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["README.md", "a-paper.md", "a-paper/test.svg"]);
    assert!(pages[1].1.contains("| start | 58.5, as printed | "), "{}", pages[1].1);
    let details = details(&read()).unwrap().pages;
    assert!(details[0].1.contains("Wins in percent."), "{}", details[0].1);
    assert!(
        summary.contains("| [A paper](docs/a-paper.md) | 2 | 0 | 1 | 1 | 0 | 0 |"),
        "{summary}"
    );
    assert!(summary.contains("| in all | 2 | 0 | 1 | 1 | 0 | 0 |"), "{summary}");
}

/// What a file says in words is not the work, and what it claims and found stands on the page.
#[test]
fn words_do_not_make_results_stale() {
    let folder = tempfile::tempdir().unwrap();
    let before = experiment(folder.path(), PLAYOUTS);
    save(&before, &run(&before, Scale::Quick));
    let text = format!("findings = ['It is so.']\n{HEAD}page = 'one-paper'\n{PLAYOUTS}");
    let text = text.replace("[compare]", "[compare]\nclaim = 'Who begins wins.'");
    let path = folder.path().join("test.toml");
    let written = Experiment::parse(&games(), &path, &text).unwrap();
    assert!(matches!(written.state(Scale::Quick).unwrap(), State::Done(_)));
    let pages = details(&[written]).unwrap().pages;
    let page = &pages.iter().find(|(name, _)| name == "one-paper.md").unwrap().1;
    for part in ["Who begins wins. Compared: wins in percent.", "> **Found:** It is so."] {
        assert!(page.contains(part), "no {part} in {page}");
    }
    let wrong = Experiment::parse(&games(), &path, &text.replace("one-paper", "One/paper"));
    let error = wrong.unwrap_err().to_string();
    assert!(error.contains("'One/paper' is no name of a page"), "{error}");
}

/// A read-me has the questions that are meant for it, the index of pages all of them.
#[test]
fn a_read_me_shows_the_questions_that_are_meant_for_it() {
    let folder = tempfile::tempdir().unwrap();
    let headlines = "headline = [\n\
                     { question = 'How often does the first side win? %', name = 'start' },\n\
                     { question = '... from a corner? %', front = 'Is a corner good?', name = 'corner' },\n\
                     ]\n";
    let path = folder.path().join("test.toml");
    let text = format!("{headlines}{HEAD}{PLAYOUTS}");
    let written = Experiment::parse(&games(), &path, &text).unwrap();
    save(&written, &run(&written, Scale::Quick));
    let Site { pages, summary } = site(&[written], "docs").unwrap();
    let rows = |text: &str| text.lines().filter(|line| line.contains("#test)")).count();
    assert!(summary.contains("| [Is a corner good?](docs/a-paper.md#test) | 90"), "{summary}");
    assert_eq!(rows(&summary), 1, "{summary}");
    assert!(summary.contains("Of the 2 numbers in 1 papers"), "{summary}");
    let index = &pages[0].1;
    assert!(index.contains("| [... from a corner? %](a-paper.md#test) | 90"), "{index}");
    assert!(index.contains("| in all | 2 |"), "{index}");
}

/// A number that has not been measured yet, or of other work, is neither right nor wrong.
#[test]
fn open_numbers_are_counted_as_such() {
    let folder = tempfile::tempdir().unwrap();
    let before = experiment(folder.path(), PLAYOUTS);
    let summary =
        |experiment: &Experiment| site(std::slice::from_ref(experiment), "docs").unwrap().summary;
    assert!(summary(&before).contains("| in all | 2 | 0 | 0 | 0 | 0 | 2 |"));
    save(&before, &run(&before, Scale::Quick));
    assert!(summary(&before).contains("| in all | 2 | 0 | 1 | 1 | 0 | 0 |"));
    let other = experiment(folder.path(), &PLAYOUTS.replace("count = 500", "count = 600"));
    assert!(summary(&other).contains("| in all | 2 | 0 | 0 | 0 | 0 | 2 |"));
}

#[test]
fn changed_work_makes_results_stale() {
    let folder = tempfile::tempdir().unwrap();
    let before = experiment(folder.path(), PLAYOUTS);
    save(&before, &run(&before, Scale::Quick));
    let other_words = experiment(folder.path(), &PLAYOUTS.replace("wins in", "victories in"));
    assert!(matches!(other_words.state(Scale::Quick).unwrap(), State::Done(_)));
    let other_work = experiment(folder.path(), &PLAYOUTS.replace("count = 500", "count = 600"));
    assert_eq!(other_work.state(Scale::Quick).unwrap(), State::Stale);
    let page = markdown(&report(&[other_work]).unwrap());
    assert!(page.contains("out of date"), "{page}");
}

#[test]
fn changed_players_make_results_stale() {
    let folder = tempfile::tempdir().unwrap();
    let experiment = experiment(folder.path(), TOURNAMENT);
    let mut results = run(&experiment, Scale::Quick);
    assert_eq!(results.players.keys().collect::<Vec<_>>(), ["uct"]);
    assert!(experiment.is_current(&results));
    let hash = results.players.insert("uct".to_owned(), "0123456789abcdef".to_owned());
    assert!(!experiment.is_current(&results));
    results.players = [("gone".to_owned(), hash.unwrap())].into();
    assert!(!experiment.is_current(&results), "the program has no such player any more");
    results.players.clear();
    assert!(experiment.is_current(&results), "of older files nothing is known");
}

#[test]
fn errors_are_exact() {
    let parse = |text: &str| {
        let text = format!("{HEAD}{text}");
        Experiment::parse(&games(), Path::new("x.toml"), &text)
            .expect_err("not accepted")
            .to_string()
    };
    for (from, to, said) in [
        ("[playouts]", "[playout]", "no key 'playout' (perhaps 'playouts'?)"),
        ("[scale.quick]", "[scale.quik]", "no key 'quik' (perhaps 'quick'?)"),
        ("measure =", "mesure =", "no key 'mesure' (perhaps 'measure'?)"),
        (
            "measure = 'first'",
            "measure = 'frist'",
            "the key 'measure' of the table 'compare': 'frist' is not measured by 'playouts' (perhaps 'first'?); \
             measures: score, first, draws, second, plies, ending-NAME",
        ),
        ("resolution = 1", "", "the table 'compare' needs the key 'resolution'"),
        ("number = 90", "nubmer = 90", "a value of the paper has no key 'nubmer'"),
        ("[scale.quick]", "[sweep]\n[scale.quick]", "exactly one of the tables"),
        ("[compare]", "[other]", "no key 'other'"),
        (
            "[compare]\nquantity = 'wins in percent'\nmeasure = 'first'\nfactor = 100\nresolution = 1\n",
            "",
            "needs the key 'compare'",
        ),
    ] {
        let error = parse(&PLAYOUTS.replacen(from, to, 1));
        assert!(error.contains(said), "{error}");
    }
    let folder = tempfile::tempdir().unwrap();
    let written = experiment(folder.path(), PLAYOUTS);
    let unknown = find(&games(), folder.path(), "tset").unwrap_err().to_string();
    assert!(unknown.contains("no experiment 'tset' (perhaps 'test'?)"), "{unknown}");
    let missing = written.work(Scale::Standard).unwrap_err().to_string();
    assert!(missing.contains("has no scale standard; scales: quick, paper"), "{missing}");
    fs::create_dir_all(folder.path().join("test")).unwrap();
    fs::write(written.results_path(Scale::Quick), "{}").unwrap();
    assert!(matches!(written.state(Scale::Quick), Err(ExperimentError::Results { .. })));
    assert!(matches!(
        read_all(&games(), Path::new("/nowhere")),
        Err(ExperimentError::System { .. })
    ));
}

/// The experiments of this project can be run, all of them.
#[test]
fn the_projects_experiments_are_in_order() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../experiments");
    let all = read_all(&games(), Path::new(folder)).unwrap();
    assert!(all.iter().any(|experiment| experiment.id == "mcc-kqk-playouts"));
    for experiment in all {
        experiment.check().unwrap_or_else(|error| panic!("{}: {error}", experiment.id));
        assert_eq!(experiment.scales.len(), Scale::ALL.len(), "{}", experiment.id);
    }
}
