//! The player of the king-and-rook study against figures of its published program.
//!
//! The program itself and a model of it, which had its move sets and labels on 60,042 boards,
//! played from the study's start against an optimal defence whose ties were drawn at random. Ours
//! is a third rebuild, so that its figures must lie where two samples of one thing may. `KRK_GAMES`
//! sets the games of each setting; `KRK_TABLE` asks for the larger table at the study's own
//! iterations, with so many games a cell.
#![allow(clippy::print_stdout)] // A run by hand wants the figures.

use monteverde_chess::Chess;
use monteverde_game::{Game, Notation};
use monteverde_games::games;
use monteverde_lab::measure::{
    DefenceTies, Findings, Hunt, MatingEnd, MatingLimit, MatingRules, Probe, ProbeKind,
};

/// Kc1, Rb2, Kd5: mate in 15 moves.
const START: &str = "8/8/8/3k4/8/8/1R6/2K5 w - - 0 1";

/// Ties of the defence, C, T, and the model's mean length of 24 games (± 1.1 to 3.2; C 500, T 300:
/// ± 4.6).
const TABLE: [(DefenceTies, f64, u32, f64); 17] = [
    (DefenceTies::Random, 0.0, 30, 30.7),
    (DefenceTies::Random, 0.75, 30, 25.9),
    (DefenceTies::Random, 5.0, 5, 29.7),
    (DefenceTies::Random, 5.0, 30, 24.5),
    (DefenceTies::Random, 5.0, 300, 24.2),
    (DefenceTies::Random, 10.0, 30, 23.9),
    (DefenceTies::Random, 100.0, 30, 26.2),
    (DefenceTies::Random, 500.0, 300, 35.6),
    (DefenceTies::First, 0.0, 30, 33.3),
    (DefenceTies::First, 0.75, 30, 31.4),
    (DefenceTies::First, 5.0, 5, 34.2),
    (DefenceTies::First, 5.0, 30, 26.0),
    (DefenceTies::First, 5.0, 300, 27.2),
    (DefenceTies::First, 10.0, 30, 28.5),
    (DefenceTies::First, 500.0, 30, 30.4),
    (DefenceTies::Last, 0.75, 30, 22.2),
    (DefenceTies::Last, 5.0, 30, 20.9),
];

fn hunts(player: String, thought: MatingLimit, ties: DefenceTies, count: u64) -> Vec<Hunt> {
    let rules = MatingRules { ties, ends: MatingEnd::PlayersRules };
    let probe = Probe {
        game: games().game("chess").expect("chess is there"),
        state: START.to_owned(),
        moves: Vec::new(),
        kind: ProbeKind::Mating { player, thought, rules, count },
        seed: 1,
        build: "test".to_owned(),
    };
    match probe.run(2, &|_| ()).expect("it can be measured") {
        Findings::Mating(hunts) => hunts,
        other => panic!("{other:?}"),
    }
}

/// What some games came to.
#[derive(Debug)]
struct Figures {
    length: f64,
    /// Half of its 95% interval.
    error: f64,
    difference: f64,
    collapses: f64,
    mated: f64,
}

impl Figures {
    fn of(hunts: &[Hunt]) -> Figures {
        let count = hunts.len() as f64;
        let mean = |of: &dyn Fn(&Hunt) -> f64| hunts.iter().map(of).sum::<f64>() / count;
        let length = mean(&|hunt| f64::from(hunt.moves));
        let squares = mean(&|hunt| (f64::from(hunt.moves) - length).powi(2));
        Figures {
            length,
            error: 1.96 * (squares / (count - 1.0)).sqrt(),
            difference: mean(&|hunt| f64::from(hunt.difference)) / length,
            collapses: mean(&|hunt| f64::from(hunt.collapses)),
            mated: mean(&|hunt| f64::from(hunt.mated)),
        }
    }
}

/// What `first` and `last` mean for a lone king: target squares from a1 on, rank by rank.
#[test]
fn a_lone_kings_moves_are_listed_by_square() {
    for text in [START.replace('w', "b"), "8/8/8/8/8/1k6/7R/3K4 b - - 0 1".to_owned()] {
        let state = Chess::parse_state(&text).expect("a state of the test");
        let mut moves = Vec::new();
        state.moves(&mut moves);
        assert!(moves.len() > 4 && moves.is_sorted_by_key(|mv| mv.to().index()), "{moves:?}");
    }
}

fn asked(variable: &str) -> Option<u64> {
    std::env::var(variable).ok().map(|text| text.parse().expect("a number"))
}

/// The model's figures are of 200 games. A difference is allowed that two such samples have once in
/// some hundreds of pairs.
#[test]
fn games_are_as_long_and_as_good_as_the_published_programs() {
    let thought = MatingLimit { before: 500, iterations: 200 };
    let count = asked("KRK_GAMES").unwrap_or(200);
    for (setting, length, difference, collapses, mated) in [
        ("c=1,threshold=10", (30.4, 1.2), 0.527, 10.9, 187.0 / 200.0),
        ("c=0.5,threshold=100", (29.3, 1.1), 0.494, 10.5, 196.0 / 200.0),
    ] {
        let hunts = hunts(format!("krk:{setting}"), thought, DefenceTies::Random, count);
        let ours = Figures::of(&hunts);
        println!("{setting}: {ours:?}; the model: {length:?} {difference} {collapses} {mated}");
        let allowed = 1.5 * f64::hypot(length.1, ours.error);
        assert!((ours.length - length.0).abs() < allowed, "{setting}: {ours:?}");
        assert!((ours.difference - difference).abs() < 0.06, "{setting}: {ours:?}");
        assert!((ours.collapses - collapses).abs() < 1.5, "{setting}: {ours:?}");
        assert!((ours.mated - mated).abs() < 0.06, "{setting}: {ours:?}");
    }
}

/// Prints the model's table beside ours, if it is asked for: it takes long.
#[test]
fn the_table_at_the_studys_iterations() {
    let Some(count) = asked("KRK_TABLE") else { return };
    let thought = MatingLimit { before: 10_000, iterations: 3000 };
    for (ties, c, threshold, length) in TABLE {
        let player = format!("krk:c={c},threshold={threshold}");
        let ours = Figures::of(&hunts(player, thought, ties, count));
        println!("{ties:?} C {c} T {threshold}: model {length}, ours {ours:?}");
        assert!((ours.length - length).abs() < 7.0, "C {c} T {threshold}: {ours:?}");
    }
}
