//! An interface at the other end of the engine's pipes.

use monteverde_games::games;
use std::io::{BufRead, BufReader, PipeWriter, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// No reply of these tests takes that long, however busy the machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// A dialogue with an engine.
pub(crate) struct Dialogue {
    to_engine: Option<PipeWriter>,
    from_engine: Receiver<String>,
    engine: Option<JoinHandle<std::io::Result<()>>>,
}

impl Dialogue {
    /// Starts an engine of chess with a small tree.
    pub(crate) fn start() -> Dialogue {
        Dialogue::about("chess")
    }

    /// Starts an engine of any game with a small tree.
    pub(crate) fn about(game: &str) -> Dialogue {
        let game = games().game(game).expect("a game of ours");
        let (input, to_engine) = std::io::pipe().expect("a pipe");
        let (from_engine, output) = std::io::pipe().expect("a pipe");
        let engine = thread::spawn(move || {
            monteverde_protocol::uci::run(game, BufReader::new(input), output)
        });
        let (sender, replies) = channel();
        thread::spawn(move || {
            for line in BufReader::new(from_engine).lines() {
                let line = line.expect("the engine writes text");
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        let mut dialogue =
            Dialogue { to_engine: Some(to_engine), from_engine: replies, engine: Some(engine) };
        // What the player has to do without differs from machine to machine, and is said once.
        dialogue.ask("setoption name Hash value 16");
        dialogue
    }

    /// Sends lines.
    pub(crate) fn send(&mut self, lines: &str) {
        self.send_bytes(format!("{lines}\n").as_bytes());
    }

    /// Sends bytes as they are.
    pub(crate) fn send_bytes(&mut self, bytes: &[u8]) {
        let pipe = self.to_engine.as_mut().expect("the input is open");
        pipe.write_all(bytes).expect("the engine reads");
    }

    /// Closes the engine's input.
    pub(crate) fn close_input(&mut self) {
        self.to_engine = None;
    }

    /// The next reply.
    pub(crate) fn reply(&mut self) -> String {
        self.from_engine.recv_timeout(PATIENCE).expect("a reply")
    }

    /// All replies up to the first that begins with the words, that one included.
    pub(crate) fn until(&mut self, words: &str) -> Vec<String> {
        let mut replies = Vec::new();
        loop {
            let reply = self.reply();
            let is_last = reply.starts_with(words);
            replies.push(reply);
            if is_last {
                return replies;
            }
        }
    }

    /// All replies to the lines, found by asking whether the engine is ready; the answer to that is
    /// left out.
    pub(crate) fn ask(&mut self, lines: &str) -> Vec<String> {
        self.send(lines);
        self.send("isready");
        let mut replies = self.until("readyok");
        replies.pop();
        replies
    }

    /// Reads past everything that the engine has to say to what was sent so far.
    pub(crate) fn catch_up(&mut self) {
        self.send("catching-up");
        self.until("info string unknown command 'catching-up'");
    }

    /// Asserts that nothing is said for a while.
    pub(crate) fn assert_silent(&mut self, time: Duration) {
        match self.from_engine.recv_timeout(time) {
            Err(RecvTimeoutError::Timeout) => {}
            other => panic!("expected silence, not {other:?}"),
        }
    }

    /// Asserts that no move is told for a while.
    pub(crate) fn assert_no_best_move(&mut self, time: Duration) {
        let end = Instant::now() + time;
        while let Ok(reply) =
            self.from_engine.recv_timeout(end.saturating_duration_since(Instant::now()))
        {
            assert!(!reply.starts_with("bestmove"), "{reply} came too early");
        }
    }

    /// Sends lines that end in a search; its last `info` line and its move.
    pub(crate) fn search(&mut self, lines: &str) -> (String, String) {
        self.send(lines);
        let replies = self.until("bestmove");
        let best = word_after(&replies[replies.len() - 1], "bestmove").to_owned();
        let is_info =
            |line: &&String| line.starts_with("info depth") && line.contains("multipv 1 ");
        (replies.iter().rfind(is_info).cloned().unwrap_or_default(), best)
    }

    /// The FEN of the engine's position.
    pub(crate) fn fen(&mut self) -> String {
        let replies = self.ask("d");
        let fen = replies.iter().find_map(|line| line.strip_prefix("Fen: "));
        fen.expect("'d' shows the FEN").to_owned()
    }

    /// Says `quit`, waits for the engine to end, and asserts that it ended well. Replies that were
    /// not read are returned.
    pub(crate) fn quit(mut self) -> Vec<String> {
        self.send("quit");
        self.finish()
    }

    /// Waits for the engine to end, and asserts that it ended well. Replies that were not read are
    /// returned.
    pub(crate) fn finish(mut self) -> Vec<String> {
        let rest: Vec<String> =
            std::iter::from_fn(|| match self.from_engine.recv_timeout(PATIENCE) {
                Ok(reply) => Some(reply),
                Err(RecvTimeoutError::Disconnected) => None,
                Err(RecvTimeoutError::Timeout) => panic!("the engine does not end"),
            })
            .collect();
        let engine = self.engine.take().expect("the engine is waited for once");
        engine.join().expect("the engine does not panic").expect("the engine can write");
        rest
    }
}

/// The word after another in a line, empty if there is none.
pub(crate) fn word_after<'a>(line: &'a str, word: &str) -> &'a str {
    line.split(' ').skip_while(|&other| other != word).nth(1).unwrap_or_default()
}

/// The number after a word in a line.
pub(crate) fn number_after(line: &str, word: &str) -> i64 {
    word_after(line, word)
        .parse()
        .unwrap_or_else(|_| panic!("no number after '{word}' in '{line}'"))
}
