//! Batches: every state once an epoch, in an order of the seed, as the game's features say.

use monteverde_game::limit::Limit;
use monteverde_game::{Game, Outcome};
use monteverde_lab::adjudication::Adjudication;
use monteverde_players::{AnyGame, Games, Spec};
use monteverde_training::batches::DataSet;
use monteverde_training::opening::Openings;
use monteverde_training::selfplay::{OwnGames, SelfPlay, players_of};
use monteverde_training::{
    Amount, Batch, BatchOptions, Batches, DataFile, Header, Makers, Part, Production, StepKind,
    Writer,
};
use serde_json::Map;
use std::path::Path;
use std::sync::{Arc, OnceLock};

fn games() -> &'static Games {
    static GAMES: OnceLock<Games> = OnceLock::new();
    GAMES.get_or_init(monteverde_games::games)
}

fn game(name: &str) -> AnyGame {
    games().game(name).unwrap()
}

/// Plays some games of a player into a file.
fn play(path: &Path, name: &str, spec: &str, count: u32) {
    let how = SelfPlay {
        game: game(name),
        limit: Limit::iterations(40),
        seed: 3,
        openings: Openings { plies: 0..=4, starts: Vec::new() },
        adjudication: Adjudication { length: Some(40), ..Adjudication::default() },
        drawn_plies: 3,
        keeps_shares: !spec.starts_with("ab"),
    };
    let header = Header {
        game: name.to_owned(),
        made_by: "selfplay".to_owned(),
        build: "a test".to_owned(),
        player: spec.to_owned(),
        seed: how.seed,
        arguments: Map::new(),
    };
    let spec = Spec::read(how.game, spec).unwrap();
    let make = &OwnGames { how: &how, player: &players_of(&spec) };
    let (writer, held) = Writer::open(path, header).unwrap();
    let amount = Amount::Games(count);
    let production =
        Production { make, amount, shard: None, makers: Makers::Threads(2), is_over: &|| false };
    production.run(writer, held, &mut |_| {}).unwrap();
}

fn small() -> BatchOptions {
    BatchOptions { batch: 50, pool: 200, ..BatchOptions::default() }
}

fn all(data: &Arc<DataSet>, options: BatchOptions) -> Vec<Batch> {
    Batches::new(data.clone(), options).collect::<Result<_, _>>().unwrap()
}

/// A row of a batch as one value that can be sorted: inputs, legal moves, best, then values.
type Row = (Vec<u16>, Vec<u16>, u16, Vec<i32>);

fn rows(batches: &[Batch]) -> Vec<Row> {
    let whole = |number: f32| (number * 10_000.0).round() as i32;
    let mut rows = Vec::new();
    for batch in batches {
        for row in 0..batch.score.len() {
            let range = |offsets: &[u32]| offsets[row] as usize..offsets[row + 1] as usize;
            let (inputs, moves) = (range(&batch.offsets), range(&batch.legal_offsets));
            let mut values = vec![whole(batch.score[row]), whole(batch.result[row])];
            values.extend(batch.shares[moves.clone()].iter().map(|&share| whole(share)));
            let legal = batch.legal[moves].to_vec();
            rows.push((batch.inputs[inputs].to_vec(), legal, batch.best[row], values));
        }
    }
    rows
}

/// The same rows, straight from the states.
fn expected(path: &Path) -> Vec<Row> {
    let file = DataFile::read(path).unwrap();
    let game = game(&file.header().game);
    let features = game.features().unwrap();
    let mut rows = Vec::new();
    for data in file.games() {
        let mut state = game.start();
        let (mut moves, mut events) = (Vec::new(), Vec::new());
        for step in &data.steps {
            let StepKind::Move(side) = step.kind else {
                events.clear();
                state.events(&mut events);
                state.settle(events[usize::from(step.index)].0);
                continue;
            };
            moves.clear();
            state.moves(&mut moves);
            if let Some(score) = step.score {
                let (mut inputs, mut legal) = (Vec::new(), Vec::new());
                features.write(&state, &mut inputs);
                features.write_moves(&state, &mut legal);
                let best = usize::from(step.best.unwrap_or(step.index));
                let result = match data.outcome.unwrap() {
                    Outcome::Draw => 0,
                    Outcome::Win(winner) if winner == side => 10_000,
                    Outcome::Win(_) => -10_000,
                };
                let mut values = vec![i32::from(score), result];
                let sum: f32 = step.shares.iter().map(|&share| f32::from(share)).sum();
                values.extend((0..moves.len()).map(|place| match step.shares.get(place) {
                    Some(&share) => (f32::from(share) / sum * 10_000.0).round() as i32,
                    None => {
                        if place == best {
                            10_000
                        } else {
                            0
                        }
                    }
                }));
                let best = legal[best];
                rows.push((inputs, legal, best, values));
            }
            state.play(moves[usize::from(step.index)]);
        }
    }
    rows
}

#[test]
fn every_state_comes_once_as_its_features_say() {
    let folder = tempfile::tempdir().unwrap();
    let cases = [
        ("chess", "ab:memory=64KiB"),
        ("chess", "best:memory=1MiB"),
        ("loa", "mia:memory=64KiB"),
        ("banqi", "best:memory=1MiB"),
    ];
    for (number, (name, spec)) in cases.into_iter().enumerate() {
        let path = folder.path().join(number.to_string());
        play(&path, name, spec, 15);
        let data = Arc::new(DataSet::read(games(), &[&path]).unwrap());
        let batches = all(&data, small());
        assert!(batches.len() > 4 && batches.iter().all(|batch| batch.score.len() <= 50));
        let last = batches.last().unwrap();
        assert!((last.epochs_done - 1.0).abs() < 1e-9, "{}", last.epochs_done);
        let found = rows(&batches);
        let (mut sorted, mut wanted) = (found.clone(), expected(&path));
        assert_ne!(found, wanted, "in another order");
        sorted.sort();
        wanted.sort();
        assert!(sorted == wanted, "{name} by {spec}: {} and {} rows", sorted.len(), wanted.len());
    }
}

#[test]
fn the_order_depends_on_the_seed_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a");
    play(&path, "chess", "ab:memory=64KiB", 20);
    let data = Arc::new(DataSet::read(games(), &[&path]).unwrap());
    let with = |threads, seed| all(&data, BatchOptions { threads, seed, ..small() });
    assert!(with(1, 1) == with(3, 1));
    assert!(with(1, 1) != with(1, 2));
    let twice = rows(&all(&data, BatchOptions { epochs: Some(2), ..small() }));
    let (first, second) = twice.split_at(twice.len() / 2);
    assert!(first != second, "each epoch has its own order");
    let sorted = |rows: &[Row]| {
        let mut rows = rows.to_vec();
        rows.sort();
        rows
    };
    assert!(sorted(first) == sorted(second));
}

#[test]
fn held_out_games_are_not_trained_on() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a");
    play(&path, "chess", "ab:memory=64KiB", 30);
    let data = Arc::new(DataSet::read(games(), &[&path]).unwrap());
    let part = |part, seed| {
        let options = BatchOptions { held_out: 0.3, part, seed, ..small() };
        let mut rows = rows(&all(&data, options));
        rows.sort();
        rows
    };
    let (training, held) = (part(Part::Training, 1), part(Part::HeldOut, 1));
    assert!(!held.is_empty() && held.len() < training.len());
    assert!(held == part(Part::HeldOut, 2), "they are the same whatever the seed");
    let mut both = [training, held].concat();
    both.sort();
    let mut wanted = expected(&path);
    wanted.sort();
    assert!(both == wanted);
}

#[test]
fn files_come_as_often_as_their_weights_say() {
    let folder = tempfile::tempdir().unwrap();
    let [one, two] = ["one", "two"].map(|name| folder.path().join(name));
    play(&one, "chess", "ab:memory=64KiB", 12);
    play(&two, "chess", "ab:memory=64KiB", 8);
    let data = Arc::new(DataSet::read(games(), &[&one, &two]).unwrap());
    let weighted = |weights: &[f64], epochs| {
        let options = BatchOptions { weights: weights.to_vec(), epochs: Some(epochs), ..small() };
        rows(&all(&data, options))
    };
    let sorted = |mut rows: Vec<Row>| {
        rows.sort();
        rows
    };
    let [first, second] = [&one, &two].map(|path| expected(path));
    assert!(weighted(&[], 1) == weighted(&[1.0, 1.0], 1));
    assert!(sorted(weighted(&[0.0, 1.0], 1)) == sorted(second.clone()));
    let thrice = [&first[..], &second, &second, &second].concat();
    assert!(sorted(weighted(&[1.0, 3.0], 1)) == sorted(thrice));
    let halves = weighted(&[0.5, 0.0], 20).len() as f64;
    let share = halves / 20.0 / first.len() as f64;
    assert!((0.3..0.7).contains(&share), "{share}");
    assert!(weighted(&[0.0, 0.0], 3).is_empty());
}

#[test]
fn what_is_not_wanted_is_left_out() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a");
    play(&path, "chess", "ab:memory=64KiB", 20);
    let data = Arc::new(DataSet::read(games(), &[&path]).unwrap());
    let whole = rows(&all(&data, small()));
    let quiet = rows(&all(&data, BatchOptions { quiet_only: true, ..small() }));
    assert!(quiet.len() < whole.len() && quiet.len() > whole.len() / 3, "{}", quiet.len());
    assert!(quiet.iter().all(|row| whole.contains(row)));
    let bare = all(&data, BatchOptions { policy: false, known: true, ..small() });
    for batch in &bare {
        assert!(batch.legal.is_empty() && batch.shares.is_empty());
        assert_eq!(batch.known.len(), batch.score.len());
        assert!(batch.known.iter().all(|known| (-1.0..=1.0).contains(known)));
    }
    // What is known without a search speaks for the side to move, as the score does.
    let pairs = bare.iter().flat_map(|batch| batch.known.iter().zip(&batch.score));
    let agreement: f32 = pairs.map(|(known, score)| known.signum() * score.signum()).sum();
    assert!(agreement > 0.3 * whole.len() as f32, "{agreement} of {}", whole.len());
}

#[test]
fn files_of_different_games_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let [one, two] = ["one", "two"].map(|name| folder.path().join(name));
    play(&one, "chess", "ab:memory=64KiB", 2);
    play(&two, "loa", "mia:memory=64KiB", 2);
    let error = DataSet::read(games(), &[&one, &two]).unwrap_err();
    assert!(error.to_string().contains("give files of one game"), "{error}");
    let none: [&Path; 0] = [];
    assert!(DataSet::read(games(), &none).is_err());
}
