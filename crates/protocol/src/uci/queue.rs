//! What has been read and waits for its turn.
//!
//! A `go` waits until the search before it has been answered, and so does whatever was read after
//! it: each `go` has exactly one `bestmove`, for the position and the options that were given
//! before it. `stop` and `quit` end the running search and those that wait before them; so does the
//! end of the input where a search would never end by itself.

use super::command::{Command, CommandError};
use super::engine::Engine;
use monteverde_players::WallClock;
use monteverde_players::lines::ReceivedLine;
use std::collections::VecDeque;
use std::io::{self, Write};

/// What the interface says.
pub(crate) enum Input {
    /// A command, or what was wrong with the line, with a clock that was started when it was read.
    Command(WallClock, Result<Command, CommandError>),
    /// A line that is too long to be read.
    TooLong,
    /// There will be no more lines.
    End,
}

impl Input {
    /// What a line says; `None` if it is blank.
    pub(crate) fn of_line(line: ReceivedLine) -> Option<Input> {
        match line {
            ReceivedLine::Text(text) if text.trim().is_empty() => None,
            ReceivedLine::Text(text) => Some(Input::Command(WallClock::start(), text.parse())),
            ReceivedLine::TooLong(_) => Some(Input::TooLong),
        }
    }

    fn command(&self) -> Option<&Command> {
        match self {
            Input::Command(_, Ok(command)) => Some(command),
            _ => None,
        }
    }
}

/// What waits, the first to be done in front.
#[derive(Default)]
pub(crate) struct InputQueue(VecDeque<QueuedInput>);

struct QueuedInput {
    input: Input,
    /// Whether it had to wait for a search that nobody had told to stop.
    behind_search: bool,
}

impl InputQueue {
    /// Takes in what was read. Some of it cannot wait: `isready` is answered during a search too,
    /// and a pondering search waits for its `ponderhit`.
    pub(crate) fn push<W: Write>(
        &mut self,
        input: Input,
        engine: &mut Engine<W>,
    ) -> io::Result<()> {
        let is_searching = engine.is_searching() && !engine.is_stopping();
        let is_urgent = match input.command() {
            Some(Command::IsReady) => is_searching,
            Some(Command::PonderHit) => engine.is_pondering(),
            _ => false,
        };
        if is_urgent {
            return engine.read(input).map(drop);
        }
        let behind_search = is_searching || self.0.iter().any(|queued| queued.behind_search);
        self.0.push_back(QueuedInput { input, behind_search });
        self.hurry(engine)
    }

    /// The next that can be done now, if there is one. The time of a `go` that had to wait begins
    /// when it is its turn.
    pub(crate) fn pop<W: Write>(&mut self, engine: &Engine<W>) -> Option<Input> {
        let is_go = matches!(self.0.front()?.input.command(), Some(Command::Go(_)));
        if engine.is_stopping() || (is_go && engine.is_searching()) {
            return None;
        }
        let QueuedInput { input, behind_search } = self.0.pop_front()?;
        Some(match input {
            Input::Command(_, command) if is_go && behind_search => {
                Input::Command(WallClock::start(), command)
            }
            input => input,
        })
    }

    /// Ends the running search if something that waits wants it to end.
    pub(crate) fn hurry<W: Write>(&self, engine: &mut Engine<W>) -> io::Result<()> {
        let ends = |queued: &QueuedInput| {
            matches!(queued.input.command(), Some(Command::Stop | Command::Quit))
        };
        if self.0.iter().any(ends) {
            return engine.stop();
        }
        match self.0.back() {
            Some(QueuedInput { input: Input::End, .. }) => engine.stop_if_endless(),
            _ => Ok(()),
        }
    }
}
