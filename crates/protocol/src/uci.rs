//! The Universal Chess Interface: the engine as graphical interfaces and tournament programs use
//! it. What is said of games other than chess differs by their words in it
//! ([`monteverde_players::UciWords`]).
//!
//! One thread reads lines ([`lines`]), one answers ([`run`], `engine.rs`), and each search has its
//! own (`search.rs`); they talk through one channel, so that everything happens one after the other
//! and only one thread writes. A line becomes a typed [`command`], `position` a [`game_record`],
//! `go` a [`plan`], a report [`info`] lines.
//!
//! What the protocol leaves open is settled thus:
//!
//! - A line that is not understood, an illegal move, a bad FEN or value is answered by `info
//!   string` and changes nothing: the position and the options stay. Words before the first command
//!   of a line are passed over, as the protocol prescribes.
//! - Every `go` has exactly one `bestmove`. Arguments that cannot be read and illegal moves among
//!   `searchmoves` are named by `info string` and left out; if no limit is left then, the search is
//!   brief, except after `infinite`.
//! - Options set and positions given during a search are for the next one. A `go` during a search
//!   waits until that has been answered, and so does what follows it (`queue.rs`); its time begins
//!   when it is its turn. `isready` is answered at once. What follows `stop` waits until that is
//!   answered.
//! - When a position goes on from the last one that was searched, the player keeps its tree, if it
//!   is one that keeps trees. `ucinewgame` forgets it, and the random numbers start anew.
//! - `nodes` are iterations. `depth` ends the search when the tree is that deep somewhere. `mate n`
//!   ends when a mate within n moves is proven or refuted, by an exact search and, where the player
//!   proves mates, by the player, or at another limit; `info string` says if it was refuted or left
//!   undecided. `go` without a limit is `go infinite`.
//! - A forced move is answered after a short search where a clock runs, unless `UCI_AnalyseMode` is
//!   set.
//! - A state without a legal move is answered by `bestmove (none)`; one that is drawn by a rule and
//!   still has moves is searched and answered like any other.
//! - `Hash`, `Threads` and `Seed` go before what the spec in `Player` says, once they have been
//!   set. Without either the tree has at most 256 MiB.
//! - With `UCI_LimitStrength` the player and its iterations follow from `UCI_Elo`, and `Player`
//!   does not count; a clock or another limit that is reached sooner ends the search all the same.
//! - With `MultiPV` there are as many lines as there are moves: one that the search has not looked
//!   at gets a short search of its own (`missing_lines.rs`).
//! - What an endless search or a pondering one has found when it ends by itself, by a proof, is
//!   told at once; the move waits for `stop` or `ponderhit`.
//! - In chess, with `UCI_Chess960` every position is read as one of Chess960 and castling is
//!   written as the king taking its rook. Without it the FEN decides.
//! - A search that is stopped before its first iteration still makes a few, for a better move than
//!   any.
//! - At the end of the input a search with a limit is finished and answered; one without is stopped
//!   and answered. `quit` stops what is running, which is answered before the program ends.

pub mod command;
mod engine;
pub mod game_record;
pub mod info;
mod missing_lines;
pub mod options;
pub mod plan;
mod queue;
mod search;

use engine::{Engine, Flow};
use monteverde_game::report::Report;
use monteverde_players::lines;
use monteverde_players::{AnyGame, AnyState};
use queue::{Input, InputQueue};
use search::SeatedPlayer;
use std::io::{self, BufRead, Write};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

/// So many lines are read ahead.
const READ_AHEAD: usize = 64;

/// Plays the engine's part in a dialogue about a game until `quit` or the end of the input. An
/// error is one of writing; when reading fails, the input has ended.
///
/// # Panics
/// If the game has no words in this protocol, or a search panics, which would be a mistake in it.
pub fn run(
    game: AnyGame,
    input: impl BufRead + Send + 'static,
    output: impl Write + Send + 'static,
) -> io::Result<()> {
    let (sender, events) = sync_channel::<Event>(READ_AHEAD);
    let reader = sender.clone();
    // After `quit` the thread may still wait for input; it ends with the next line or the program.
    thread::spawn(move || read(input, &reader));
    let mut engine = Engine::new(game, output, sender);
    let mut queue = InputQueue::default();
    let result = loop {
        match step(&mut engine, &mut queue, &events) {
            Ok(Flow::Continue) => {}
            Ok(Flow::End) => break Ok(()),
            Err(error) => break Err(error),
        }
    };
    // Without a receiver no search can be kept waiting when it sends its result.
    drop(events);
    engine.close();
    result
}

/// Does the next thing that can be done, or waits until something happens.
fn step<W: Write>(
    engine: &mut Engine<W>,
    queue: &mut InputQueue,
    events: &Receiver<Event>,
) -> io::Result<Flow> {
    if let Some(input) = queue.pop(engine) {
        let flow = engine.read(input)?;
        // What waits behind a `go` may be its `stop`.
        queue.hurry(engine)?;
        return Ok(flow);
    }
    match events.recv().expect("the engine holds a sender") {
        Event::Read(input) => queue.push(input, engine).map(|()| Flow::Continue),
        Event::Search(event) => engine.hear(event),
    }
}

/// What may happen.
enum Event {
    /// The interface said something.
    Read(Input),
    /// A search has something to tell.
    Search(SearchEvent),
}

/// What a search tells.
enum SearchEvent {
    /// What it has found so far.
    Progress(Box<Report<AnyState>>),
    /// Something to say in words.
    Remark(String),
    /// It has ended, and gives the player back; or it has panicked.
    Finished(thread::Result<Box<(SeatedPlayer, Report<AnyState>)>>),
}

fn read(mut input: impl BufRead, events: &SyncSender<Event>) {
    while let Ok(Some(line)) = lines::next_line(&mut input) {
        let Some(said) = Input::of_line(line) else { continue };
        if events.send(Event::Read(said)).is_err() {
            return;
        }
    }
    // Nobody listens any more after `quit`.
    let _ = events.send(Event::Read(Input::End));
}
