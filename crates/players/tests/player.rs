//! Players at work, and the way from a game's name to them.

use monteverde_game::Game;
use monteverde_game::fixtures::{DiceRace, TicTacToe};
use monteverde_mcts::{Control, Limit, NoClock, Report, Signal};
use monteverde_players::{AnyGame, Entry, Games, Overrides, Player, Spec, build};
use std::time::Duration;

struct Crosses;

impl Entry for Crosses {
    type Game = TicTacToe;
}

struct Race;

impl Entry for Race {
    type Game = DiceRace;
}

fn games() -> Games {
    Games::new().with(Crosses).with(Race)
}

fn crosses() -> AnyGame {
    games().game("tic-tac-toe").expect("the game")
}

fn think<G: Game>(player: &mut dyn Player<G>, iterations: u64) -> Report<G> {
    let control = Control {
        clock: &NoClock,
        signal: &Signal::default(),
        every: Duration::MAX,
        observe: &mut |_| {},
    };
    player.think(&Limit::iterations(iterations), control)
}

fn visits<G: Game>(report: &Report<G>) -> Vec<u32> {
    report.moves.iter().map(|entry| entry.visits).collect()
}

#[test]
fn a_built_player_finds_the_winning_move() {
    let state = crosses().parse_state("xx. oo. ...").expect("a state");
    let mut player = Spec::read(crosses(), "uct").expect("a spec").make(&state);
    let report = think(&mut *player, 2_000);
    assert_eq!(report.best.map(|mv| state.move_text(mv)).as_deref(), Some("c3"));
}

#[test]
fn the_seed_decides() {
    let race = games().game("dice-race").expect("the game");
    let with_seed = |seed| {
        let overrides = Overrides { seed: Some(seed), ..Overrides::default() };
        let mut player = build(race, "uct", &overrides).expect("a player");
        visits(&think(&mut *player, 1_000))
    };
    assert_eq!(with_seed(1), with_seed(1));
    assert_ne!(with_seed(1), with_seed(2));
}

#[test]
fn a_fresh_player_forgets_between_moves() {
    for (spec, keeps) in [("uct", true), ("uct:fresh", false)] {
        let mut player = build(crosses(), spec, &Overrides::default()).expect("a player");
        let best = think(&mut *player, 1_000).best.expect("a move");
        player.play(best);
        let report = think(&mut *player, 1_000);
        assert_eq!(report.figures.kept > 0, keeps, "{spec}");
    }
}

#[test]
fn a_new_game_starts_the_random_numbers_anew() {
    let mut player = build(crosses(), "uct", &Overrides::default()).expect("a player");
    let first = visits(&think(&mut *player, 1_000));
    player.jump(&crosses().start());
    assert_ne!(visits(&think(&mut *player, 1_000)), first);
    player.begin(&crosses().start());
    assert_eq!(visits(&think(&mut *player, 1_000)), first);
}

#[test]
fn games_are_found_by_name() {
    for name in ["dice-race", "tic-tac-toe"] {
        let game = games().game(name).expect("the game");
        assert_eq!((game.name(), game.players()[0].name), (name, "uct"));
    }
    let error = games().game("tictactoe").expect_err("no such game");
    assert_eq!(error.nearest, Some("tic-tac-toe"));
    let said = error.to_string();
    assert!(said.starts_with("there is no game 'tictactoe' (perhaps 'tic-tac-toe'?); games: "));
}
