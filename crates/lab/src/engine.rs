//! A program behind UCI or xboard as a player. What both have in common is here, with UCI.

mod find;
mod identity;
mod xboard;

pub(crate) use find::{advice, program};
pub(crate) use identity::Identities;
pub(crate) use xboard::accepts;

use crate::contestant::{EngineSpec, Ponder, Protocol};
use crate::duration_text::DurationText;
use crate::pace::{Pace, Timer};
use crate::process::{Hearing, OutputLine, Process, Silence};
use crate::record::{Failure, PV_PLIES};
use crate::seat::Failed;
use monteverde_game::Side;
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

/// A running engine that has said it is ready.
#[derive(Debug)]
pub struct Engine {
    process: Process,
    patience: Duration,
    protocol: Protocol,
    features: xboard::Features,
    name: String,
    /// Whether it has the option `UCI_Chess960`.
    has_chess960: bool,
    /// What it was last told to play.
    variant: GameVariant,
    /// Whether it has the option `Ponder`.
    has_ponder: bool,
    /// What it was last told about that.
    ponder: Ponder,
    /// The argument of `position` that it ponders on, until it is told whether that came about.
    pondered: Option<String>,
    /// How often an engine behind xboard was asked whether it is ready.
    pings: u32,
}

/// What a game is to an engine, which must be told.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum GameVariant {
    /// The game as its initial state has it.
    #[default]
    Usual,
    /// Chess960: castling is written as the king taking its rook.
    Chess960,
}

/// What an engine is asked.
#[derive(Clone, Copy, Debug)]
pub struct EngineQuestion<'a> {
    /// The argument of `position`.
    pub position: &'a str,
    /// Whose turn it is.
    pub side: Side,
    /// The letters of the first and the second side, `w` and `b` in the order of the game.
    pub letters: [char; 2],
    /// How much it may think.
    pub pace: Pace,
    /// The clocks of both sides, where they have one.
    pub timers: [Option<Timer>; 2],
    /// When it is told to stop, if its time is limited.
    pub allowed: Option<Duration>,
}

/// What an engine answers. Values speak for the side to move.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct EngineAnswer {
    /// The move.
    pub mv: String,
    /// The reply that it expects and would ponder on.
    pub expected: Option<String>,
    /// How long it took.
    pub elapsed: Duration,
    /// The depth that it last told.
    pub depth: Option<u32>,
    /// The nodes that it last told.
    pub nodes: Option<u64>,
    /// The eval that it last told, in hundredths of a pawn.
    pub centipawns: Option<i32>,
    /// The distance to mate that it last told, in moves.
    pub mate: Option<i32>,
    /// The principal variation that it last told.
    pub pv: Vec<String>,
}

/// The option by which an engine behind UCI is told that Chess960 is played.
const CHESS960: &str = "UCI_Chess960";

/// The option by which it is told that it may be asked to ponder.
const PONDER: &str = "Ponder";

/// So many lines that are no UCI are ignored in one answer, as the protocol asks for.
const LINES_OF_CHATTER: u32 = 1000;

/// No engine has more options than this; one that goes on telling them is not to fill our memory.
const MOST_OPTIONS: usize = 1000;

/// An engine that talks but never answers is given up after so many times its patience.
const PATIENCE_WITH_TALKERS: u32 = 30;

impl Engine {
    /// Starts an engine, sets its options and waits until it is ready.
    pub fn start(spec: &EngineSpec) -> Result<Engine, Failed> {
        let found = program(spec).unwrap_or_else(|| PathBuf::from(&spec.command));
        let mut command = Command::new(found);
        command.args(&spec.args);
        if let Some(dir) = &spec.dir {
            command.current_dir(dir);
        }
        let process = Process::start(&mut command).map_err(|error| {
            Failed::new(Failure::NoStart, format!("'{}' cannot be started: {error}", spec.command))
        })?;
        let mut engine = Engine {
            process,
            patience: spec.patience.0,
            protocol: spec.protocol,
            features: xboard::Features::default(),
            name: String::new(),
            has_chess960: false,
            variant: GameVariant::Usual,
            has_ponder: false,
            ponder: Ponder::Off,
            pondered: None,
            pings: 0,
        };
        let greeting = match spec.protocol {
            Protocol::Uci => engine.greet(spec),
            Protocol::Xboard => engine.greet_xboard(spec),
        };
        // Whatever goes wrong before the first game, it is a failure to start.
        greeting.map_err(|failed| Failed { failure: Failure::NoStart, ..failed })?;
        Ok(engine)
    }

    fn greet(&mut self, spec: &EngineSpec) -> Result<(), Failed> {
        let mut known: Vec<String> = Vec::new();
        let mut own = String::new();
        self.process.send("uci");
        self.wait_for("uciok", |line| {
            if let Some(name) = line.strip_prefix("id name ") {
                own = name.trim().to_owned();
            }
            if let Some(name) = line.strip_prefix("option name ")
                && known.len() < MOST_OPTIONS
            {
                known.push(name.split(" type ").next().unwrap_or(name).to_owned());
            }
        })?;
        self.name = own;
        let has = |name: &str| known.iter().any(|known| known.eq_ignore_ascii_case(name));
        (self.has_chess960, self.has_ponder) = (has(CHESS960), has(PONDER));
        if spec.options.iter().any(|(name, value)| {
            name.eq_ignore_ascii_case(CHESS960) && value.eq_ignore_ascii_case("true")
        }) {
            self.variant = GameVariant::Chess960;
        }
        for (name, value) in &spec.options {
            if !known.iter().any(|known| known.eq_ignore_ascii_case(name)) {
                let detail = format!("it has no option '{name}'; options: {}", known.join(", "));
                return Err(Failed::new(Failure::NoStart, detail));
            }
            self.process.send(&format!("setoption name {name} value {value}"));
        }
        self.process.send("isready");
        self.wait_for("readyok", |_| {})
    }

    /// The name by which it introduced itself; empty if it did not.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Prepares for a new game of that kind, in which it may be asked to ponder or not.
    pub fn begin(&mut self, variant: GameVariant, ponder: Ponder) -> Result<(), Failed> {
        if self.protocol == Protocol::Xboard {
            self.variant = variant;
            return self.begin_xboard();
        }
        if variant == GameVariant::Chess960 && !self.has_chess960 {
            let detail = format!("it has no option {CHESS960}, and the opening is one of Chess960");
            return Err(Failed::new(Failure::NoStart, detail));
        }
        if variant != self.variant {
            let is_on = variant == GameVariant::Chess960;
            self.process.send(&format!("setoption name {CHESS960} value {is_on}"));
            self.variant = variant;
        }
        if ponder == Ponder::On && !self.has_ponder {
            let detail = format!("it has no option {PONDER}, and its player is to ponder");
            return Err(Failed::new(Failure::NoStart, detail));
        }
        if ponder != self.ponder {
            let is_on = ponder == Ponder::On;
            self.process.send(&format!("setoption name {PONDER} value {is_on}"));
            self.ponder = ponder;
        }
        self.process.send("ucinewgame");
        self.process.send("isready");
        self.wait_for("readyok", |_| {})
    }

    /// Asks for a move. An answer that comes too late, but comes, is no failure here: the caller
    /// sees it by `elapsed`.
    pub fn think(&mut self, question: &EngineQuestion<'_>) -> Result<EngineAnswer, Failed> {
        if self.protocol == Protocol::Xboard {
            return self.think_xboard(question);
        }
        let mut wait = Wait::new(question, self.patience);
        if self.pondered.as_deref() == Some(question.position) {
            self.pondered = None;
            self.process.hear_thoughts(Hearing::Heard);
            self.process.send("ponderhit");
        } else {
            self.stop_pondering()?;
            self.drain();
            self.process.send(&format!("position {}", question.position));
            self.process.send(&go(question, "go"));
        }
        let mut answer = EngineAnswer::default();
        let mut chatter = 0;
        loop {
            let line = self.hear(&mut wait, "stop")?;
            let mut words = line.text.split_whitespace();
            match words.next() {
                Some("bestmove") => {
                    answer.mv = words.next().unwrap_or_default().to_owned();
                    answer.expected = words.nth(1).map(str::to_owned);
                    answer.elapsed = line.at.saturating_duration_since(wait.started);
                    return Ok(answer);
                }
                Some("info") => answer.note(words),
                _ => chatter += 1,
            }
            if chatter > LINES_OF_CHATTER {
                let detail = format!("it answers what is no UCI, such as '{}'", line.text);
                return Err(Failed::new(Failure::Garbage, detail));
            }
        }
    }

    /// Lets it think about what is to be asked next if its opponent replies as it expects.
    pub fn ponder(&mut self, question: &EngineQuestion<'_>) {
        self.process.hear_thoughts(Hearing::Skipped);
        self.process.send(&format!("position {}", question.position));
        self.process.send(&go(question, "go ponder"));
        self.pondered = Some(question.position.to_owned());
    }

    /// Ends its pondering, if it does so, and throws away what it found. As in a game between
    /// people the time that this takes is its own.
    pub fn stop_pondering(&mut self) -> Result<(), Failed> {
        if self.pondered.take().is_none() {
            return Ok(());
        }
        self.process.send("stop");
        let until = Instant::now() + self.patience;
        let answered = loop {
            match self.process.line(until) {
                Ok(line) if line.text.starts_with("bestmove") => break Ok(()),
                Ok(_) => {}
                Err(Silence::Closed) => break Err(self.crash()),
                Err(Silence::Late) => {
                    let patience = DurationText(self.patience);
                    let detail =
                        format!("no 'bestmove' within {patience} after 'go ponder' and 'stop'");
                    break Err(Failed::new(Failure::Stall, detail));
                }
            }
        };
        self.process.hear_thoughts(Hearing::Heard);
        answered
    }

    /// Lets the engine end in its own way.
    pub fn quit(self) {
        self.process.quit("quit");
    }

    /// Throws away what it said unasked: a second answer to the last question is none to the next.
    fn drain(&mut self) {
        for _ in 0..LINES_OF_CHATTER {
            if self.process.line_at_hand().is_none() {
                return;
            }
        }
    }

    /// The next line of an engine that thinks. When its time is up it is told once to stop.
    fn hear(&mut self, wait: &mut Wait, stop: &str) -> Result<OutputLine, Failed> {
        loop {
            let may_sleep = self.protocol == Protocol::Xboard && !wait.thinks;
            let poke = may_sleep.then_some(xboard::WHILE_IT_THINKS);
            match self.line_or_poke(wait.until(), poke) {
                Ok(line) => {
                    wait.heard = line.at;
                    return Ok(line);
                }
                Err(Silence::Closed) => return Err(self.crash()),
                Err(Silence::Late) if !wait.stopped && wait.allowed.is_some() => {
                    self.process.send(stop);
                    wait.stopped = true;
                }
                Err(Silence::Late) => {
                    let seconds = wait.started.elapsed().as_secs_f64();
                    let detail = format!("no answer after {seconds:.1} s");
                    return Err(Failed::new(Failure::Stall, detail));
                }
            }
        }
    }

    fn wait_for(&mut self, word: &str, mut each: impl FnMut(&str)) -> Result<(), Failed> {
        let until = Instant::now() + self.patience;
        let poke = (self.protocol == Protocol::Xboard).then_some(xboard::WHILE_IT_WAITS);
        loop {
            match self.line_or_poke(until, poke) {
                Ok(line) if line.text.trim() == word => return Ok(()),
                Ok(line) => each(line.text.trim()),
                Err(Silence::Closed) => return Err(self.crash()),
                Err(Silence::Late) => {
                    let detail = format!("no '{word}' within {}", DurationText(self.patience));
                    return Err(Failed::new(Failure::Stall, detail));
                }
            }
        }
    }

    fn crash(&mut self) -> Failed {
        let detail = match self.process.exit_status() {
            Some(status) => status.to_string(),
            None => "it closed its output".to_owned(),
        };
        Failed::new(Failure::Crash, detail)
    }
}

/// How long an answer is waited for.
struct Wait {
    started: Instant,
    /// The time it may take, margin included, if there is such a limit.
    allowed: Option<Duration>,
    patience: Duration,
    /// When it last said something.
    heard: Instant,
    /// Whether it has told what it thinks, so that it is awake.
    thinks: bool,
    stopped: bool,
}

impl Wait {
    fn new(question: &EngineQuestion<'_>, patience: Duration) -> Wait {
        let started = Instant::now();
        Wait {
            started,
            allowed: question.allowed,
            patience,
            heard: started,
            thinks: false,
            stopped: false,
        }
    }

    /// Until when the next line is waited for: with a time limit, until it is up and then as long
    /// as patience lasts; without one, as long as patience lasts since the last line.
    fn until(&self) -> Instant {
        match self.allowed {
            Some(allowed) if self.stopped => self.started + allowed + self.patience,
            Some(allowed) => self.started + allowed,
            None => {
                let last = self.started + self.patience * PATIENCE_WITH_TALKERS;
                (self.heard + self.patience).min(last)
            }
        }
    }
}

/// The command that asks for a move, which begins with `go` or `go ponder`.
fn go(question: &EngineQuestion<'_>, go: &str) -> String {
    match question.pace {
        Pace::Iterations(count) | Pace::Nodes(count) => format!("{go} nodes {count}"),
        Pace::Depth(plies) => format!("{go} depth {plies}"),
        Pace::Time(span) => format!("{go} movetime {}", span.0.as_millis()),
        Pace::Clock(_) => {
            let own = question.timers[question.side as usize];
            let mut line = go.to_owned();
            for color in ['w', 'b'] {
                let index = usize::from(question.letters[1] == color);
                // An opponent without a clock is shown with ours.
                if let Some(timer) = question.timers[index].or(own) {
                    let left = timer.remaining.as_millis();
                    let increment = timer.increment().as_millis();
                    line += &format!(" {color}time {left} {color}inc {increment}");
                }
            }
            if let Some(moves) = own.and_then(|timer| timer.moves_to_go) {
                line += &format!(" movestogo {moves}");
            }
            line
        }
    }
}

impl EngineAnswer {
    /// Notes the words of an info line. What cannot be read is left out: it is not what counts.
    fn note<'a>(&mut self, mut words: impl Iterator<Item = &'a str>) {
        fn next<'a, T: std::str::FromStr>(words: &mut impl Iterator<Item = &'a str>) -> Option<T> {
            words.next()?.parse().ok()
        }
        while let Some(word) = words.next() {
            match word {
                "depth" => self.depth = next(&mut words).or(self.depth),
                "nodes" => self.nodes = next(&mut words).or(self.nodes),
                "score" => match words.next() {
                    Some("cp") => {
                        self.centipawns = next(&mut words).or(self.centipawns);
                        self.mate = None;
                    }
                    Some("mate") => self.mate = next(&mut words).or(self.mate),
                    _ => {}
                },
                "pv" => {
                    self.pv = words.by_ref().take(PV_PLIES).map(str::to_owned).collect();
                    return;
                }
                "string" => return,
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_word_counts() {
        let mut answer = EngineAnswer::default();
        for line in [
            "depth 3 seldepth 5 score cp 31 nodes 200 nps 1000 pv e2e4 e7e5",
            "string pv is not a variation here",
            "depth 4 score mate -2 nodes 900 pv e2e3",
            "depth x nodes",
        ] {
            answer.note(line.split_whitespace());
        }
        assert_eq!((answer.depth, answer.nodes), (Some(4), Some(900)));
        assert_eq!((answer.centipawns, answer.mate), (Some(31), Some(-2)));
        assert_eq!(answer.pv, ["e2e3"]);
    }

    #[test]
    fn go_says_what_the_pace_says() {
        let question = |pace: &str| {
            let pace: Pace = pace.parse().unwrap();
            let timer = match pace {
                Pace::Clock(control) => Some(Timer::new(control)),
                _ => None,
            };
            let timers = [None, timer];
            let (side, letters) = (Side::Second, ['w', 'b']);
            let question =
                EngineQuestion { position: "", side, letters, pace, timers, allowed: None };
            go(&question, "go")
        };
        assert_eq!(question("iterations=7"), "go nodes 7");
        assert_eq!(question("nodes=7"), "go nodes 7");
        assert_eq!(question("depth=7"), "go depth 7");
        assert_eq!(question("time=1.5s"), "go movetime 1500");
        assert_eq!(
            question("clock=40/60s+0.1s"),
            "go wtime 60000 winc 100 btime 60000 binc 100 movestogo 40"
        );
    }

    #[test]
    fn clocks_go_by_the_colours_of_the_game() {
        let pace: Pace = "clock=60s".parse().unwrap();
        let Pace::Clock(control) = pace else { panic!("a clock") };
        let mut timers = [Some(Timer::new(control)); 2];
        timers[1].as_mut().unwrap().spend(Duration::from_secs(20));
        let line = |letters| {
            let side = Side::First;
            let question =
                EngineQuestion { position: "", side, letters, pace, timers, allowed: None };
            go(&question, "go ponder")
        };
        assert_eq!(line(['w', 'b']), "go ponder wtime 60000 winc 0 btime 40000 binc 0");
        assert_eq!(line(['b', 'w']), "go ponder wtime 40000 winc 0 btime 60000 binc 0");
    }
}
