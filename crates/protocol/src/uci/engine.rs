//! The state behind the protocol, and the answer to each command.

use super::command::{Command, Debug, Go};
use super::game_record::GameRecord;
use super::info::{InfoStyle, best_move_line, info_lines};
use super::options::{OptionName, Options};
use super::plan::{EngineDefaults, ResultHold, SearchPlan};
use super::queue::Input;
use super::search::{BRIEF, RunningSearch, SeatedPlayer};
use super::{Event, SearchEvent};
use monteverde_game::report::Report;
use monteverde_players::lines::{self, one_line};
use monteverde_players::{AnyGame, AnyState, UciWords, WallClock};
use std::io::{self, Write};
use std::panic::resume_unwind;
use std::sync::mpsc::SyncSender;

/// Whether the dialogue goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Flow {
    Continue,
    End,
}

/// The engine. It alone writes to the output.
pub(crate) struct Engine<W> {
    game: AnyGame,
    words: UciWords,
    output: W,
    /// Where searches send what they find.
    events: SyncSender<Event>,
    options: Options,
    debug: Debug,
    /// What the next search is about.
    record: GameRecord,
    /// Whether the next search belongs to another game than the last.
    next_game: NextGame,
    /// The player, while it is not searching; made when it is first needed.
    seated: Option<SeatedPlayer>,
    running: Option<RunningSearch>,
    /// What was last said about what a player has to do without.
    noted: Option<String>,
    input: InputState,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum NextGame {
    Same,
    Another,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum InputState {
    Open,
    Ended,
}

/// What `help` says after the engine's title.
const HELP: &[&str] = &[
    "uci, isready, ucinewgame, debug on|off, register, quit",
    "setoption name NAME [value VALUE]    the options are listed by 'uci'",
    "position startpos|fen FEN [moves MOVE...]    d shows it",
    "go [wtime MS] [btime MS] [winc MS] [binc MS] [movestogo N] [movetime MS]",
    "   [nodes N] [depth N] [mate N] [infinite] [ponder] [searchmoves MOVE...]",
    "stop, ponderhit",
];

impl<W: Write> Engine<W> {
    /// # Panics
    /// If the game has no words in this protocol.
    pub(crate) fn new(game: AnyGame, output: W, events: SyncSender<Event>) -> Self {
        Engine {
            game,
            words: game.uci().expect("only games with words in this protocol are played by it"),
            output,
            events,
            options: Options::new(game),
            debug: Debug::Off,
            record: GameRecord::start(game),
            next_game: NextGame::Another,
            seated: None,
            running: None,
            noted: None,
            input: InputState::Open,
        }
    }

    /// Does what the interface says. A `go` must wait until no search is running.
    pub(crate) fn read(&mut self, input: Input) -> io::Result<Flow> {
        match input {
            Input::Command(_, Ok(Command::Quit)) => return Ok(Flow::End),
            Input::Command(clock, Ok(command)) => self.obey(command, clock)?,
            Input::Command(_, Err(error)) => self.say(&error.to_string())?,
            Input::TooLong => {
                self.say(&format!("a line may have at most {} bytes", lines::LONGEST))?;
            }
            Input::End => {
                self.input = InputState::Ended;
                self.stop_if_endless()?;
            }
        }
        self.answer()?;
        Ok(self.flow())
    }

    /// Takes in what a search tells.
    pub(crate) fn hear(&mut self, event: SearchEvent) -> io::Result<Flow> {
        match event {
            SearchEvent::Progress(report) => self.tell_progress(&report)?,
            SearchEvent::Remark(text) => self.say(&text)?,
            SearchEvent::Finished(Ok(finished)) => {
                let (seated, report) = *finished;
                self.seated = Some(seated);
                // Who waits for the result sees what was found: a proof ends a search early.
                if self.running.as_ref().is_some_and(|running| running.hold != ResultHold::Free) {
                    self.tell_progress(&report)?;
                }
                if let Some(running) = &mut self.running {
                    running.result = Some(report);
                }
            }
            SearchEvent::Finished(Err(panic)) => resume_unwind(panic),
        }
        self.answer()?;
        Ok(self.flow())
    }

    fn flow(&self) -> Flow {
        let is_over = self.input == InputState::Ended && self.running.is_none();
        if is_over { Flow::End } else { Flow::Continue }
    }

    /// Whether a search is running or has a result that is held back.
    pub(crate) fn is_searching(&self) -> bool {
        self.running.is_some()
    }

    /// Whether a search has been told to stop and has not yet answered.
    pub(crate) fn is_stopping(&self) -> bool {
        self.running.as_ref().is_some_and(RunningSearch::is_stopping)
    }

    /// Whether a result is held back until `ponderhit`.
    pub(crate) fn is_pondering(&self) -> bool {
        let hold = self.running.as_ref().map(|running| running.hold);
        hold == Some(ResultHold::UntilPonderHit)
    }

    /// Ends the search, if there is one; it is answered as soon as it has ended.
    pub(crate) fn stop(&mut self) -> io::Result<()> {
        if let Some(running) = &mut self.running {
            running.stop();
        }
        self.answer()
    }

    /// Ends the search if nothing but the interface would.
    pub(crate) fn stop_if_endless(&mut self) -> io::Result<()> {
        let is_endless =
            |running: &RunningSearch| running.hold != ResultHold::Free || running.until_proof;
        if self.running.as_ref().is_some_and(is_endless) { self.stop() } else { Ok(()) }
    }

    /// Ends a search that is still running. Call it when nobody receives events any more.
    pub(crate) fn close(self) {
        if let Some(mut running) = self.running {
            running.stop();
            running.join();
        }
    }

    fn obey(&mut self, command: Command, clock: WallClock) -> io::Result<()> {
        match command {
            Command::Uci => self.introduce(),
            Command::IsReady => {
                self.prepare()?;
                self.reply("readyok")
            }
            Command::NewGame => {
                self.next_game = NextGame::Another;
                Ok(())
            }
            Command::Debug(debug) => {
                self.debug = debug;
                Ok(())
            }
            // Only engines that are sold want to be registered; whoever calls this has seen to
            // `quit`.
            Command::Register | Command::Quit => Ok(()),
            Command::SetOption { name, value } => self.set_option(&name, &value),
            Command::Position { fen, moves } => self.set_position(fen.as_deref(), &moves),
            Command::Go(go) => self.go(*go, clock),
            Command::Stop => self.stop(),
            Command::PonderHit => {
                if let Some(running) = &mut self.running {
                    running.ponder_hit();
                }
                Ok(())
            }
            Command::Display => self.display(),
            Command::Help => {
                self.say(self.words.title)?;
                HELP.iter().try_for_each(|line| self.say(line))
            }
        }
    }

    fn introduce(&mut self) -> io::Result<()> {
        self.reply(concat!("id name Monteverde ", env!("CARGO_PKG_VERSION")))?;
        self.reply("id author the Monteverde authors")?;
        self.options.declarations().iter().try_for_each(|line| self.reply(line))?;
        self.reply("uciok")
    }

    /// A running search keeps the options that it began with.
    fn set_option(&mut self, name: &str, value: &str) -> io::Result<()> {
        match self.options.set(name, value) {
            Ok(()) if OptionName::ClearHash.is(name) => {
                self.next_game = NextGame::Another;
                Ok(())
            }
            Ok(()) if self.running.is_some() => self.remark("the option is for the next search"),
            Ok(()) => {
                // Another player will be made; this one's Syzygy files must be closed before others
                // are opened.
                let spec = self.options.spec().expect("options are checked when they are set");
                self.seated.take_if(|seated| !seated.is(&spec));
                Ok(())
            }
            Err(error) => self.say(&error.to_string()),
        }
    }

    fn set_position(&mut self, fen: Option<&str>, moves: &[String]) -> io::Result<()> {
        match GameRecord::parse(self.game, fen, moves, &self.options) {
            Ok(record) => {
                self.record = record;
                Ok(())
            }
            Err(error) => {
                let kept = self.record.state().state_text();
                self.say(&format!("{error}; the position stays '{kept}'"))
            }
        }
    }

    fn go(&mut self, go: Go, clock: WallClock) -> io::Result<()> {
        assert!(self.running.is_none(), "'go' waits its turn");
        let go = self.without_faults(go)?;
        let seated = self.take_seat()?;
        let spec = seated.spec();
        let defaults = EngineDefaults { clock_use: spec.clock_use() };
        let plan = SearchPlan::new(&go, self.record.state(), &self.options, defaults)
            .expect("illegal moves have been left out");
        let style = InfoStyle { multi_pv: self.options.multi_pv, show_wdl: self.options.show_wdl };
        let events = self.events.clone();
        self.running = Some(RunningSearch::start(seated, plan, style, clock, events));
        Ok(())
    }

    /// Says what is wrong with a `go` and leaves it out. If no limit is left, the search is brief:
    /// whoever did not ask for an endless one waits for an answer.
    fn without_faults(&mut self, mut go: Go) -> io::Result<Go> {
        let mut faults: Vec<String> = go.faults.drain(..).map(|fault| fault.to_string()).collect();
        let state = self.record.state();
        go.search_moves.retain(|text| match state.uci_move(text) {
            Ok(_) => true,
            Err(error) => {
                faults.push(format!("go searchmoves: {error}; it is left out"));
                false
            }
        });
        if !(faults.is_empty() || go.is_limited() || go.infinite) {
            go.nodes = Some(BRIEF);
        }
        faults.iter().try_for_each(|fault| self.say(fault))?;
        Ok(go)
    }

    /// Makes the player ready, unless it is searching.
    fn prepare(&mut self) -> io::Result<()> {
        if self.running.is_none() {
            self.seated = Some(self.take_seat()?);
        }
        Ok(())
    }

    /// The player that the options ask for, where it is to think. A new one says what it has to do
    /// without, unless that was said before, to anybody on this machine.
    fn take_seat(&mut self) -> io::Result<SeatedPlayer> {
        let spec = self.options.spec().expect("options are checked when they are set");
        let next_game = std::mem::replace(&mut self.next_game, NextGame::Same);
        // Tables that were built meanwhile are asked from the next game on.
        let edition = self.game.tables_edition();
        let stays = |seated: &SeatedPlayer| {
            seated.is(&spec) && (next_game == NextGame::Same || seated.edition() == edition)
        };
        match self.seated.take().filter(stays) {
            Some(mut seated) => {
                match next_game {
                    NextGame::Same => seated.follow(&self.record),
                    NextGame::Another => seated.begin(&self.record),
                }
                Ok(seated)
            }
            None => {
                if let Some(note) = spec.missing(self.game)
                    && self.noted.as_ref() != Some(&note)
                {
                    if self.game.is_news(&note) {
                        self.say(&note)?;
                    }
                    self.noted = Some(note);
                }
                Ok(SeatedPlayer::new(spec, &self.record))
            }
        }
    }

    fn tell_progress(&mut self, report: &Report<AnyState>) -> io::Result<()> {
        let Some(running) = &self.running else { return Ok(()) };
        let lines = info_lines(report, &running.state, running.style);
        lines.iter().try_for_each(|line| self.reply(line))
    }

    /// Tells the result of the search if there is one and nothing holds it back.
    fn answer(&mut self) -> io::Result<()> {
        let is_due = |running: &mut RunningSearch| {
            running.hold == ResultHold::Free && running.result.is_some()
        };
        let Some(mut running) = self.running.take_if(is_due) else { return Ok(()) };
        let report = running.result.take().expect("the result is there");
        let lines = info_lines(&report, &running.state, running.style);
        lines.iter().try_for_each(|line| self.reply(line))?;
        let figures = &report.figures;
        self.remark(&format!(
            "{} iterations, {} kept from before; {} nodes and {} edges in {} bytes",
            figures.iterations, figures.kept, report.nodes, report.edges, report.tree_bytes
        ))?;
        let best = best_move_line(report.best, &report.pv, &running.state);
        running.join();
        self.reply(&best)
    }

    fn display(&mut self) -> io::Result<()> {
        let state = self.record.state();
        let (picture, fen) = (state.picture(), state.state_text());
        picture.lines().try_for_each(|line| self.reply(line))?;
        self.reply(&format!("Fen: {fen}"))
    }

    /// A remark for whoever asked for remarks.
    fn remark(&mut self, text: &str) -> io::Result<()> {
        match self.debug {
            Debug::On => self.say(text),
            Debug::Off => Ok(()),
        }
    }

    fn say(&mut self, text: &str) -> io::Result<()> {
        self.reply(&format!("info string {}", one_line(text)))
    }

    fn reply(&mut self, line: &str) -> io::Result<()> {
        writeln!(self.output, "{line}")?;
        self.output.flush()
    }
}
