//! The answer to each command.

use super::Options;
use super::arena_game::{ArenaGame, ArenaGameError};
use super::clocks::Clocks;
use super::command::{self, Command, CommandError, NAMES};
use crate::banqi::BanqiEntry;
use monteverde_banqi::{Banqi, Colour, Move};
use monteverde_game::limit::{Clock, Limit, Signal};
use monteverde_game::report::Control;
use monteverde_game::{Game, Notation};
use monteverde_players::lines::{self, ReceivedLine, one_line};
use monteverde_players::{Budget, Player, WallClock};
use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// The version of the protocol.
const PROTOCOL: &str = "1.1.0";

/// Whether the dialogue goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Flow {
    Continue,
    End,
}

/// The engine. It alone writes.
pub(super) struct Engine<W, L> {
    options: Options,
    output: W,
    log: L,
    end: ThoughtEnd,
    game: ArenaGame,
    clocks: Clocks,
    /// The player, made when it is first needed.
    seated: Option<SeatedPlayer>,
}

/// What ends a thought before its time.
pub(super) struct ThoughtEnd {
    /// Stops a search early, and all that follow.
    pub(super) signal: Arc<Signal>,
    /// Whether the input has ended: then nobody counts the time, and perhaps nobody is there.
    pub(super) ended: Arc<AtomicBool>,
}

/// How often it is asked whether the input has ended.
const LOOK: Duration = Duration::from_millis(100);

/// A player and how far it has followed the game.
struct SeatedPlayer {
    player: Box<dyn Player<Banqi>>,
    edition: u64,
    steps: usize,
}

/// Why a command is refused.
#[derive(Debug, thiserror::Error)]
enum Refusal {
    #[error("a line may have at most {} bytes", lines::LONGEST)]
    TooLong,
    #[error(transparent)]
    Command(#[from] CommandError),
    #[error(transparent)]
    Game(#[from] ArenaGameError),
    #[error("there is no legal move in '{0}'")]
    NoMove(String),
}

impl<W: Write, L: Write> Engine<W, L> {
    pub(super) fn new(options: Options, output: W, log: L, end: ThoughtEnd) -> Self {
        let game = ArenaGame::new(options.rules);
        Engine { options, output, log, end, game, clocks: Clocks::default(), seated: None }
    }

    /// Answers a line.
    pub(super) fn handle(&mut self, line: &ReceivedLine) -> io::Result<Flow> {
        let (ReceivedLine::Text(text) | ReceivedLine::TooLong(text)) = line;
        let number = command::number(text).map_or(String::new(), |number| number.to_string());
        let (answer, flow) = match self.obey(line) {
            Ok((answer, flow)) => (format!("={number} {answer}"), flow),
            Err(refusal) => {
                (format!("?{number} {}", one_line(&refusal.to_string())), Flow::Continue)
            }
        };
        writeln!(self.output, "{}", answer.trim_end())?;
        self.output.flush()?;
        Ok(flow)
    }

    fn obey(&mut self, line: &ReceivedLine) -> Result<(String, Flow), Refusal> {
        let clock = WallClock::start();
        let command = match line {
            ReceivedLine::Text(text) => command::parse(text)?,
            ReceivedLine::TooLong(_) => return Err(Refusal::TooLong),
        };
        let mut answer = String::new();
        match command {
            Command::ProtocolVersion => answer += PROTOCOL,
            Command::Name => answer += "Monteverde",
            Command::Version => answer += env!("CARGO_PKG_VERSION"),
            Command::KnownCommand(name) => answer += &NAMES.contains(&name.as_str()).to_string(),
            Command::ListCommands => answer += &NAMES.join("\n"),
            Command::Quit => return Ok((answer, Flow::End)),
            Command::BoardSize | Command::GameOver => {}
            Command::ResetBoard => {
                self.game.reset();
                self.begin();
            }
            Command::InitBoard(layout) => {
                self.game.lay(&layout)?;
                self.begin();
            }
            Command::NumRepetition(repeating) => self.game.set_repeating(repeating),
            Command::NumMovesToDraw(plies) => self.game.set_plies(plies),
            Command::Move { from, to } => self.game.play(from, to)?,
            Command::Flip { square, piece } => {
                self.game.flip(square, piece)?;
            }
            Command::GenMove(colour) => {
                let mv = self.choose(colour, clock)?;
                answer = format!("{} {}", mv.from(), mv.to());
            }
            Command::Ready => drop(self.seated()),
            Command::TimeSettings(main) => self.clocks.set(main),
            Command::TimeLeft(colour, left) => self.clocks.tell(colour, left),
            Command::ShowBoard => self.show(),
        }
        Ok((answer, Flow::Continue))
    }

    /// A new game: the clocks are set back, and what the player has learnt is forgotten.
    fn begin(&mut self) {
        self.clocks.restart();
        if let Some(seated) = &mut self.seated {
            seated.player.begin(self.game.state());
            (seated.edition, seated.steps) = (self.game.edition(), self.game.steps().len());
        }
    }

    /// The move that the player would make as that colour.
    fn choose(&mut self, colour: Option<Colour>, clock: WallClock) -> Result<Move, Refusal> {
        self.game.set_mover(colour)?;
        let mut moves = Vec::new();
        self.game.state().moves(&mut moves);
        match moves[..] {
            [] => return Err(Refusal::NoMove(self.game.state().state_text())),
            [only] => return Ok(only),
            _ => {}
        }
        // Before the first flip a colour that is named has no meaning.
        let colour = colour.filter(|_| self.game.state().board().colours().is_some());
        let ThoughtEnd { signal, ended } = &self.end;
        let (signal, ended) = (Arc::clone(signal), Arc::clone(ended));
        let (limit, most) = (self.limit(colour), self.options.time);
        let has_ended = || ended.load(Ordering::Relaxed);
        let is_long = limit.time.is_some_and(|time| most < time);
        let limit = if has_ended() && is_long { Limit::time(most) } else { limit };
        let mut observe = |_: &_| {
            if has_ended() && is_long {
                signal.set_deadline(most);
            }
        };
        let control =
            Control { clock: &clock, signal: &signal, every: LOOK, observe: &mut observe };
        let report = self.seated().player.think(&limit, control);
        self.clocks.spend(colour, clock.elapsed() + self.options.overhead);
        let best = report.best.expect("a state with moves has a best one");
        assert!(moves.contains(&best), "the best move is legal");
        Ok(best)
    }

    /// How long the next move is thought about.
    fn limit(&self, colour: Option<Colour>) -> Limit<Move> {
        let Some(remaining) = self.clocks.left(colour) else {
            return Limit::time(self.options.time);
        };
        let budget = Budget { remaining, overhead: self.options.overhead, ..Budget::default() };
        Limit::clock(budget.move_time(self.options.player.clock_use()))
    }

    /// The player, where the game is. What it knows is kept where the game just went on.
    fn seated(&mut self) -> &mut SeatedPlayer {
        let (game, player) = (&self.game, &self.options.player);
        let seated = self.seated.get_or_insert_with(|| SeatedPlayer {
            player: player.make_typed(&BanqiEntry, game.state().clone()),
            edition: game.edition(),
            steps: game.steps().len(),
        });
        if seated.edition == game.edition() {
            for &(mv, event) in &game.steps()[seated.steps..] {
                seated.player.play(mv);
                event.into_iter().for_each(|piece| seated.player.settle(piece));
            }
        } else {
            seated.player.jump(game.state());
        }
        (seated.edition, seated.steps) = (game.edition(), game.steps().len());
        seated
    }

    /// A log that cannot be written to is nobody's loss.
    fn show(&mut self) {
        let state = self.game.state();
        let _ = writeln!(self.log, "{}{}", state.picture(), state.state_text());
        let _ = self.log.flush();
    }
}
