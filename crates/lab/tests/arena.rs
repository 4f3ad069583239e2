//! One game at a time, with players that the lab's own contests never have.

use monteverde_game::Side;
use monteverde_lab::adjudication::Adjudication;
use monteverde_lab::arena;
use monteverde_lab::contestant::Contestant;
use monteverde_lab::duration_text::DurationText;
use monteverde_lab::opening::Book;
use monteverde_lab::record::{Failure, GameRecord, GameResult, MoveRecord, Reason};
use monteverde_lab::seat::{Absent, Failed, GameSeat, PlayerSeat, Thought, Turn};
use monteverde_lab::task::Task;
use monteverde_mcts::{Control, Limit, Report, Signal};
use monteverde_players::{AnyGame, AnyState, AnyStep, ClockUse, Player, Settings};
use std::sync::Arc;
use std::time::Duration;

fn task(pace: &str) -> Task {
    let contestant = |name: &str| {
        let mut contestant = Contestant::spec(name, pace.parse().unwrap());
        // So much that a busy machine loses no game on time.
        contestant.margin = DurationText::ms(60_000);
        Arc::new(contestant)
    };
    Task {
        game: game().name().to_owned(),
        first: contestant("one"),
        second: contestant("two"),
        opening: Book::Start.opening(0, 0),
        pair: 1,
        seed: 1,
        adjudication: Adjudication::default(),
        behaviour: "test".to_owned(),
        build: "test".to_owned(),
    }
}

fn game() -> AnyGame {
    monteverde_games::games().game("tic-tac-toe").unwrap()
}

fn player() -> Box<dyn Player<AnyState>> {
    game().search_player(&Settings::default(), &game().start())
}

fn seat() -> PlayerSeat {
    PlayerSeat::new(player(), ClockUse::fixed(30))
}

fn play(task: &Task, second: &mut dyn GameSeat) -> GameRecord {
    arena::play(game(), task, [&mut seat(), second]).unwrap()
}

/// A player that panics at its second move.
struct Fragile(Box<dyn Player<AnyState>>, u32);

impl Player<AnyState> for Fragile {
    fn begin(&mut self, state: &AnyState) {
        self.0.begin(state);
    }
    fn jump(&mut self, state: &AnyState) {
        self.0.jump(state);
    }
    fn play(&mut self, mv: AnyStep) {
        self.0.play(mv);
    }
    fn settle(&mut self, event: AnyStep) {
        self.0.settle(event);
    }
    fn think(
        &mut self,
        limit: &Limit<AnyStep>,
        control: Control<'_, AnyState>,
    ) -> Report<AnyState> {
        self.1 += 1;
        assert!(self.1 < 2, "out of ideas");
        self.0.think(limit, control)
    }
    fn state(&self) -> &AnyState {
        self.0.state()
    }
}

#[test]
fn a_panic_loses_the_game_and_nothing_else() {
    let mut fragile = PlayerSeat::new(Box::new(Fragile(player(), 0)), ClockUse::fixed(30));
    let record = play(&task("iterations=10"), &mut fragile);
    assert_eq!(record.reason, Reason::Failed(Failure::Crash));
    assert_eq!((record.result, record.moves.len()), (GameResult::First, 3));
    assert_eq!(record.detail, "it panicked: out of ideas");
}

#[test]
fn nobody_there_loses_before_the_first_move() {
    let mut absent = Absent(Failed::new(Failure::NoStart, "no such file"));
    let record = play(&task("iterations=10"), &mut absent);
    assert_eq!(record.reason, Reason::Failed(Failure::NoStart));
    assert_eq!((record.result, record.moves.len()), (GameResult::First, 0));
}

/// Says that each of its moves took that long.
struct Slow(PlayerSeat, Duration);

impl GameSeat for Slow {
    fn begin(
        &mut self,
        start: &AnyState,
        moves: &[MoveRecord],
        state: &AnyState,
    ) -> Result<(), Failed> {
        self.0.begin(start, moves, state)
    }
    fn think(&mut self, turn: &Turn<'_>) -> Result<Thought, Failed> {
        Ok(Thought { elapsed: self.1, ..self.0.think(turn)? })
    }
    fn play(&mut self, mv: AnyStep) {
        self.0.play(mv);
    }
    fn settle(&mut self, event: AnyStep) {
        self.0.settle(event);
    }
}

#[test]
fn a_late_move_is_not_played() {
    let mut late = Slow(seat(), Duration::from_millis(60_021));
    let record = play(&task("time=20ms"), &mut late);
    assert_eq!(record.reason, Reason::Failed(Failure::TimeLoss));
    assert_eq!((record.result, record.moves.len()), (GameResult::First, 1));
    assert_eq!(record.detail, "60021ms for a move with 20ms left");
}

#[test]
fn the_margin_is_the_last_moment() {
    let mut just = Slow(seat(), Duration::from_millis(60_020));
    let record = play(&task("time=20ms"), &mut just);
    assert!(matches!(record.reason, Reason::Rule(_)), "{}", record.reason);
}

#[test]
fn clocks_run_down_and_are_noted() {
    let mut slow = Slow(seat(), Duration::from_millis(30));
    let record = play(&task("clock=100ms+10ms"), &mut slow);
    let seconds = record.moves.iter().skip(1).step_by(2);
    let clocks: Vec<_> = seconds.map(|step| step.clock_ms.unwrap()).collect();
    assert_eq!(clocks[..2], [80.0, 60.0]);
}

/// The signal that stops a run is that of all its games.
#[test]
fn the_time_of_one_player_is_not_that_of_another() {
    const ITERATIONS: u64 = 2_000_000;
    let (stop, state) = (Arc::<Signal>::default(), game().start());
    let [mut hasty, mut thorough] = [(); 2].map(|()| seat().stopped_by(stop.clone()));
    let turn = |pace: &str| Turn {
        state: &state,
        side: Side::First,
        pace: pace.parse().unwrap(),
        timers: [None; 2],
        margin: DurationText::ms(60_000),
    };
    let few = hasty.think(&turn("time=1ms")).unwrap().record.iterations;
    assert!(few < Some(ITERATIONS), "{few:?}");
    let many = turn(&format!("iterations={ITERATIONS}"));
    assert_eq!(thorough.think(&many).unwrap().record.iterations, Some(ITERATIONS));
    stop.stop();
    assert_eq!(thorough.think(&many).unwrap_err().failure, Failure::Stall);
}

#[test]
fn both_sides_have_seeds_of_their_own() {
    let task = task("iterations=10");
    assert_ne!(task.seat_seed(Side::First), task.seat_seed(Side::Second));
    assert_ne!(task.seat_seed(Side::First), task.chance_seed());
}
