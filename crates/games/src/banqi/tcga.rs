//! The numbered text protocol of the arenas of Chinese dark chess: the engine as they and graphical
//! boards use it.
//!
//! A line is `ID NAME [ARGUMENTS]`, its reply `=ID [TEXT]`, or `?ID SENTENCE` where it is refused.
//! One thread reads lines ([`lines`]), one answers them in their order ([`run`], `engine.rs`). A
//! line becomes a typed [`command`]; what was played is kept by `arena_game.rs`, the time by
//! `clocks.rs`; `arguments.rs` is the command of the program.
//!
//! What the protocol leaves open is settled thus:
//!
//! - The number decides what a command is; its name is passed over, since a known server writes `15
//!   time_setting`.
//! - A line that is refused changes nothing. One without a number is answered by `?` alone and the
//!   sentence. An empty line is passed over.
//! - `genmove` changes nothing but the clock: the move has been played once it comes back by `move`
//!   or `flip`. A colour that is not to move is refused. Before the first flip every colour will
//!   do. Where there is no legal move the answer is a refusal; where a draw is due by a rule there
//!   still is one.
//! - `boardsize` accepts the usual board, as 4 by 8 or 8 by 4.
//! - `num_repetition 3` draws by repetition as the rules that were chosen say, `0` never. With
//!   `num_moves_to_draw` it may come at any time, also in the midst of a game, whose past then
//!   counts.
//! - `init_board` does not say who is to move: the next `genmove` or `move` does.
//! - `time_settings` gives each side so much for the whole game, 0 for no clock, also for the games
//!   to come. Between two `time_left` the engine counts its own time. Without a clock each move has
//!   a fixed time.
//! - `showboard` shows the board on the log, since its reply has no text.
//! - While the engine thinks other commands wait; `quit` alone ends the thought early, which is
//!   still answered. At the end of the input no clock runs any more: what is still to be answered
//!   has at most the fixed time, and then the program ends.

mod arena_game;
mod arguments;
mod clocks;
pub mod command;
mod engine;

pub(super) use arguments::COMMAND;

use engine::{Engine, Flow, ThoughtEnd};
use monteverde_banqi::Rules;
use monteverde_game::limit::Signal;
use monteverde_players::Spec;
use monteverde_players::lines::{self, ReceivedLine};
use std::io::{self, BufRead, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread;
use std::time::Duration;

/// So many lines are read ahead, empty ones not counted.
const READ_AHEAD: usize = 64;

/// How the engine plays.
#[derive(Clone, PartialEq, Debug)]
pub struct Options {
    /// The player.
    pub player: Spec,
    /// The rules of draws until the arena says otherwise.
    pub rules: Rules,
    /// How long a move is thought about where no clock runs.
    pub time: Duration,
    /// What is lost between the engine and the clock with each move.
    pub overhead: Duration,
}

/// Plays the engine's part in a dialogue until `quit` or the end of the input. Replies go to
/// `output`, what only people read to `log`. An error is one of writing; when reading fails, the
/// input has ended.
///
/// # Panics
/// If a search panics, which would be a mistake in it.
pub fn run(
    options: Options,
    input: impl BufRead + Send + 'static,
    output: impl Write,
    log: impl Write,
) -> io::Result<()> {
    let (sender, received) = sync_channel(READ_AHEAD);
    let signal = Arc::new(Signal::default());
    let ended = Arc::new(AtomicBool::new(false));
    let (stop, end) = (Arc::clone(&signal), Arc::clone(&ended));
    // After `quit` the thread may still wait for input; it ends with the next line or the program.
    thread::spawn(move || {
        read(input, &sender, &stop);
        end.store(true, Ordering::Relaxed);
    });
    let mut engine = Engine::new(options, output, log, ThoughtEnd { signal, ended });
    for line in received {
        if engine.handle(&line)? == Flow::End {
            break;
        }
    }
    Ok(())
}

/// Hands the lines on, but for empty ones, and stops whatever is being thought about when one of
/// them is `quit`.
fn read(mut input: impl BufRead, received: &SyncSender<ReceivedLine>, stop: &Signal) {
    while let Ok(Some(line)) = lines::next_line(&mut input) {
        let (ReceivedLine::Text(text) | ReceivedLine::TooLong(text)) = &line;
        if text.trim().is_empty() {
            continue;
        }
        if matches!(&line, ReceivedLine::Text(text) if command::is_quit(text)) {
            stop.stop();
        }
        // Nobody listens any more after `quit`.
        if received.send(line).is_err() {
            return;
        }
    }
}
