//! Levels of play.

use monteverde_game::limit::{Limit, NoClock, Signal};
use monteverde_game::report::Control;
use monteverde_games::games;
use monteverde_players::{Pace, Spec};
use std::collections::BTreeSet;
use std::time::Duration;

#[test]
fn every_large_game_has_eight_levels_that_grow() {
    for game in games().iter().filter(|game| game.player_names().contains(&"best")) {
        let levels = game.levels();
        let numbers: Vec<u8> = levels.iter().map(|level| level.number).collect();
        assert_eq!(numbers, [1, 2, 3, 4, 5, 6, 7, 8], "{}", game.name());
        for pair in levels.windows(2) {
            assert!(pair[0].iterations <= pair[1].iterations, "{pair:?}");
            assert!(pair[0] != pair[1]);
            if let (Some(weak), Some(strong)) = (pair[0].elo, pair[1].elo) {
                assert!(weak < strong, "{pair:?}");
            }
        }
        for level in levels {
            let spec = Spec::read(game, level.spec).expect("a level's spec is read");
            assert_eq!(spec.to_string(), level.spec, "it is canonical");
            assert_eq!(level.pace(), Pace::Iterations(level.iterations));
        }
    }
}

/// A scale may be extended by its data alone: whatever is put there must be in order and readable.
#[test]
fn a_scale_of_strengths_grows_and_its_players_are_read() {
    let mut scales = 0;
    for game in games().iter() {
        let Some(scale) = game.strength() else { continue };
        scales += 1;
        assert!(scale.rungs.len() >= 2, "{}", game.name());
        for pair in scale.rungs.windows(2) {
            assert!(pair[0].elo < pair[1].elo, "{pair:?}");
            assert!(pair[0].iterations <= pair[1].iterations, "{pair:?}");
            assert!(pair[0].temperature >= pair[1].temperature, "{pair:?}");
        }
        for elo in scale.range().step_by(50) {
            Spec::read(game, &scale.at(elo).spec).expect("a rating's spec is read");
        }
    }
    assert!(scales > 0);
}

#[test]
fn a_game_without_levels_has_none() {
    let games = games();
    assert!(games.game("tic-tac-toe").expect("a game").levels().is_empty());
}

/// The weakest level does not play the same moves in every game, and plays alike with the same
/// seed.
#[test]
fn the_weakest_level_varies_with_its_seed_alone() {
    for game in games().iter().filter(|game| !game.levels().is_empty()) {
        let level = game.levels()[0];
        let first_move = |seed: u64| {
            let text = format!("{},seed={seed}", level.spec);
            let spec = Spec::read(game, &text).expect("a spec");
            let state = game.start();
            let control = Control {
                clock: &NoClock,
                signal: &Signal::default(),
                every: Duration::MAX,
                observe: &mut |_| {},
            };
            let report = spec.make(&state).think(&Limit::iterations(level.iterations), control);
            state.move_text(report.best.expect("a move"))
        };
        let played: BTreeSet<String> = (0..12).map(first_move).collect();
        assert!(played.len() > 2, "{} always plays {played:?}", game.name());
        assert_eq!(first_move(3), first_move(3));
    }
}
