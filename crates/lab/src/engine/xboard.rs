//! The protocol of xboard, also called CECP.
//!
//! For every move the engine is told the whole game anew, so that nothing has to be remembered
//! between two questions and an engine without `undo` or clean ends of games will do.

use super::{
    Engine, EngineAnswer, EngineQuestion, GameVariant, LINES_OF_CHATTER, MOST_OPTIONS, Wait,
};
use crate::contestant::EngineSpec;
use crate::pace::{Pace, TimeControl, Timer};
use crate::process::{OutputLine, Silence};
use crate::record::Failure;
use crate::seat::Failed;
use std::time::{Duration, Instant};

/// What an engine said that it can do.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Features {
    setboard: bool,
    usermove: bool,
    ping: bool,
    chess960: bool,
}

/// What changes nothing for an engine that waits, and for one that has not begun to think. Phalanx
/// ends a search at any line, so one that thinks is left alone.
pub(super) const WHILE_IT_WAITS: &str = "force";
pub(super) const WHILE_IT_THINKS: &str = "post";

/// The pauses after which a silent engine is told so grow from this to that.
const FIRST_POKE: Duration = Duration::from_millis(200);
const LAST_POKE: Duration = Duration::from_secs(2);

/// What xboard calls Chess960.
const CHESS960: &str = "fischerandom";

/// How long features are waited for: the protocol's own number. Older engines send none.
const FEATURES_WITHIN: Duration = Duration::from_secs(2);

impl Engine {
    pub(super) fn greet_xboard(&mut self, spec: &EngineSpec) -> Result<(), Failed> {
        self.process.send("xboard");
        self.process.send("protover 2");
        let known = self.read_features()?;
        for (name, value) in &spec.options {
            if !known.iter().any(|known| known.eq_ignore_ascii_case(name)) {
                let detail = format!("it has no option '{name}'; options: {}", known.join(", "));
                return Err(Failed::new(Failure::NoStart, detail));
            }
            self.process.send(&format!("option {name}={value}"));
        }
        self.begin_xboard()
    }

    /// The next line. An engine that is silent is told again and again what it knows already: GNU
    /// Chess sleeps over lines that come in quick succession, and wakes up at a later one.
    pub(super) fn line_or_poke(
        &mut self,
        until: Instant,
        poke: Option<&str>,
    ) -> Result<OutputLine, Silence> {
        let mut pause = FIRST_POKE;
        while let Some(word) = poke {
            let next = Instant::now() + pause;
            if next >= until {
                break;
            }
            match self.process.line(next) {
                Err(Silence::Late) => self.process.send(word),
                heard => return heard,
            }
            pause = (2 * pause).min(LAST_POKE);
        }
        self.process.line(until)
    }

    /// Reads features until they are complete, and gives the names of the options.
    fn read_features(&mut self) -> Result<Vec<String>, Failed> {
        let mut known = Vec::new();
        let mut until = Instant::now() + FEATURES_WITHIN;
        loop {
            let line = match self.line_or_poke(until, Some(WHILE_IT_WAITS)) {
                Ok(line) => line,
                Err(Silence::Late) => return Ok(known),
                Err(Silence::Closed) => return Err(self.crash()),
            };
            let Some(text) = line.text.trim().strip_prefix("feature ") else { continue };
            for (name, value) in pairs(text) {
                match (name, value) {
                    ("setboard", value) => self.features.setboard = value == "1",
                    ("usermove", value) => self.features.usermove = value == "1",
                    ("ping", value) => self.features.ping = value == "1",
                    ("variants", value) => {
                        self.features.chess960 = value.split(',').any(|it| it.trim() == CHESS960);
                    }
                    ("myname", value) => self.name = value.trim().to_owned(),
                    ("option", value) if known.len() < MOST_OPTIONS => {
                        known.push(value.split(" -").next().unwrap_or(value).to_owned());
                    }
                    ("done", "1") => return Ok(known),
                    // It asks for more time.
                    ("done", "0") => until = Instant::now() + self.patience,
                    _ => {}
                }
            }
        }
    }

    /// Waits until everything that was sent has been done, where the engine can tell.
    pub(super) fn begin_xboard(&mut self) -> Result<(), Failed> {
        if self.variant == GameVariant::Chess960 && !self.features.chess960 {
            let detail =
                format!("it has no variant {CHESS960}, and the opening is one of Chess960");
            return Err(Failed::new(Failure::NoStart, detail));
        }
        self.process.send("new");
        self.process.send("force");
        self.synchronise()
    }

    /// Waits until the engine has done what it was told, where it can say so.
    fn synchronise(&mut self) -> Result<(), Failed> {
        if !self.features.ping {
            return Ok(());
        }
        // Another number each time, since GNU Chess answers twice.
        self.pings += 1;
        let number = self.pings;
        self.process.send(&format!("ping {number}"));
        let mut refusal = None;
        self.wait_for(&format!("pong {number}"), |text| {
            refusal = refusal.take().or_else(|| not_understood(text));
        })?;
        refusal.map_or(Ok(()), Err)
    }

    pub(super) fn think_xboard(
        &mut self,
        question: &EngineQuestion<'_>,
    ) -> Result<EngineAnswer, Failed> {
        self.drain();
        self.set_up(question)?;
        let mut wait = Wait::new(question, self.patience);
        let mut answer = EngineAnswer::default();
        let mut chatter = 0;
        loop {
            let line = self.hear(&mut wait, "?")?;
            let text = line.text.trim();
            if let Some(mv) = move_of(text) {
                // It would go on by itself with the opponent's move.
                self.process.send("force");
                answer.mv = mv.trim().to_owned();
                answer.elapsed = line.at.saturating_duration_since(wait.started);
                return Ok(answer);
            }
            if let Some(failed) = not_understood(text) {
                return Err(failed);
            }
            if text == "resign" || ["1-0", "0-1"].iter().any(|end| text.starts_with(end)) {
                let detail = format!("it gave up the game: '{text}'");
                return Err(Failed::new(Failure::Garbage, detail));
            }
            match answer.note_thinking(text) {
                true => wait.thinks = true,
                false => chatter += 1,
            }
            if chatter > LINES_OF_CHATTER {
                let detail = format!("it answers what is no move, such as '{text}'");
                return Err(Failed::new(Failure::Garbage, detail));
            }
        }
    }

    /// Tells the game so far, the pace, and that it is to move.
    fn set_up(&mut self, question: &EngineQuestion<'_>) -> Result<(), Failed> {
        let (start, moves) =
            question.position.split_once(" moves ").unwrap_or((question.position, ""));
        self.process.send("new");
        if self.variant == GameVariant::Chess960 {
            self.process.send(&format!("variant {CHESS960}"));
        }
        for word in ["force", "easy", "post"] {
            self.process.send(word);
        }
        if let Some(fen) = start.strip_prefix("fen ") {
            if !self.features.setboard {
                let detail = "it cannot set up a position; openings of moves are all it takes";
                return Err(Failed::new(Failure::NoStart, detail));
            }
            self.process.send(&format!("setboard {fen}"));
        }
        let prefix = if self.features.usermove { "usermove " } else { "" };
        for mv in moves.split_whitespace() {
            self.process.send(&format!("{prefix}{mv}"));
        }
        for line in pace(question) {
            self.process.send(&line);
        }
        // GNU Chess loses a 'go' that comes while it takes in a game.
        self.synchronise()?;
        self.process.send("go");
        Ok(())
    }
}

/// The move of a line that tells one. GNU Chess writes `My move is : e7e5`, others without the
/// first blank.
fn move_of(text: &str) -> Option<&str> {
    let spoken = || text.strip_prefix("My move is")?.trim_start().strip_prefix(':');
    text.strip_prefix("move ").or_else(spoken)
}

/// The failure of an engine that says so of a command about its limit.
fn not_understood(text: &str) -> Option<Failed> {
    let told = refused(text)?;
    let detail = format!("it does not understand '{told}', which limits its search: '{text}'");
    Some(Failed::new(Failure::NoStart, detail))
}

/// The command about its limit that an engine says it does not understand. Without that limit it
/// would think as long as it likes, so that nobody could say what was measured.
fn refused(text: &str) -> Option<&str> {
    let complaint = text
        .strip_prefix("Invalid move:")
        .or_else(|| text.strip_prefix("Illegal move:"))
        .or_else(|| text.strip_prefix("Error (")?.split_once("):").map(|(_, command)| command))?;
    let command = complaint.trim();
    let is_limit = |word: &str| ["sd", "st", "level"].contains(&word);
    command.split_whitespace().next().is_some_and(is_limit).then_some(command)
}

/// Whether an engine behind xboard can be given that pace: the protocol has no word for nodes.
pub(crate) fn accepts(pace: Pace) -> bool {
    matches!(pace, Pace::Time(_) | Pace::Clock(_) | Pace::Depth(_))
}

fn pace(question: &EngineQuestion<'_>) -> Vec<String> {
    match question.pace {
        Pace::Depth(plies) => vec![format!("sd {plies}")],
        Pace::Time(span) => vec![format!("st {}", span.0.as_secs_f64())],
        Pace::Clock(control) => {
            let own = question.timers[question.side as usize];
            let other = question.timers[question.side.other() as usize].or(own);
            let centis =
                |timer: Option<Timer>| timer.map_or(0, |timer| timer.remaining.as_millis() / 10);
            let time = format!("time {}", centis(own));
            vec![level(control), time, format!("otim {}", centis(other))]
        }
        Pace::Iterations(_) | Pace::Nodes(_) => Vec::new(),
    }
}

fn level(TimeControl { moves, time, increment }: TimeControl) -> String {
    let seconds = time.0.as_secs().max(1);
    format!(
        "level {} {}:{:02} {}",
        moves.unwrap_or(0),
        seconds / 60,
        seconds % 60,
        increment.0.as_secs_f64()
    )
}

/// The pairs `name=value` of a line of features; values may stand in quotes.
fn pairs(text: &str) -> Vec<(&str, &str)> {
    let mut pairs = Vec::new();
    let mut rest = text.trim();
    while let Some((name, after)) = rest.split_once('=') {
        let (value, after) = match after.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
            None => after.split_once(' ').unwrap_or((after, "")),
        };
        pairs.push((name.trim(), value));
        rest = after.trim_start();
    }
    pairs
}

impl EngineAnswer {
    /// Notes a line of thinking, `ply score time nodes pv`, and says whether it was one.
    fn note_thinking(&mut self, text: &str) -> bool {
        let mut words = text.split_whitespace();
        let mut next = || words.next().and_then(|word| word.parse::<i64>().ok());
        let (Some(depth), Some(score), Some(_), Some(nodes)) = (next(), next(), next(), next())
        else {
            return false;
        };
        self.depth = u32::try_from(depth).ok().or(self.depth);
        self.centipawns = i32::try_from(score).ok().or(self.centipawns);
        self.nodes = u64::try_from(nodes).ok().or(self.nodes);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use monteverde_game::Side;

    #[test]
    fn features_are_read() {
        let line = "analyze=1 setboard=1 option=\"Randomizer (0-50) -slider 0 0 50\" ping=1 ";
        let found = pairs(line);
        assert_eq!(found[1], ("setboard", "1"));
        assert_eq!(found[2], ("option", "Randomizer (0-50) -slider 0 0 50"));
        assert_eq!(found[3], ("ping", "1"));
        assert_eq!(found.len(), 4);
        assert_eq!(pairs("myname=\"cut"), [("myname", "cut")]);
    }

    #[test]
    fn the_pace_is_told() {
        let told = |text: &str| {
            let pace: Pace = text.parse().unwrap();
            let timer = match pace {
                Pace::Clock(control) => Some(Timer::new(control)),
                _ => None,
            };
            let timers = [timer, None];
            let letters = ['w', 'b'];
            let side = Side::First;
            super::pace(&EngineQuestion {
                position: "",
                side,
                letters,
                pace,
                timers,
                allowed: None,
            })
        };
        assert_eq!(told("depth=3"), ["sd 3"]);
        assert_eq!(told("time=100ms"), ["st 0.1"]);
        assert_eq!(told("time=2s"), ["st 2"]);
        assert_eq!(told("clock=40/90s+0.5s"), ["level 40 1:30 0.5", "time 9000", "otim 9000"]);
        assert!(!accepts("nodes=5".parse().unwrap()) && accepts("depth=1".parse().unwrap()));
    }

    #[test]
    fn moves_are_told_in_three_ways() {
        let told = |text| move_of(text).map(str::trim);
        for text in ["move b8c6", "My move is: b8c6", "My move is : b8c6", "My move is :b8c6"] {
            assert_eq!(told(text), Some("b8c6"), "{text}");
        }
        assert_eq!(told("1. ... b8c6"), None);
    }

    #[test]
    fn a_limit_that_is_not_understood_is_noticed() {
        assert_eq!(refused("Invalid move: sd 3"), Some("sd 3"));
        assert_eq!(refused("Error (unknown command): st 0.1"), Some("st 0.1"));
        assert_eq!(refused("Error (unknown command): easy"), None);
        assert_eq!(refused("Illegal move: e2e5"), None);
    }

    #[test]
    fn thinking_is_noted() {
        let mut answer = EngineAnswer::default();
        assert!(answer.note_thinking("  7    -32     5    16119  Bf1-c4  Bf8-c5"));
        assert!(!answer.note_thinking("tellics whisper depth=7"));
        assert_eq!(
            (answer.depth, answer.centipawns, answer.nodes),
            (Some(7), Some(-32), Some(16119))
        );
    }
}
