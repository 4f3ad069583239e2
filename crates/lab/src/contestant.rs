//! Who takes part in a contest.

use crate::duration_text::DurationText;
use crate::pace::Pace;
use crate::words::{self, WordsError};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A player of our own or an engine behind UCI or xboard, with its limit.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Contestant {
    /// Its name in tables, which no other contestant of the contest has.
    pub name: String,
    /// What it is.
    pub kind: ContestantKind,
    /// How much it may think.
    pub pace: Pace,
    /// How much later than its time allows a move may come before the game is lost on time.
    pub margin: DurationText,
    /// Whether it thinks in its opponent's time.
    #[serde(default, skip_serializing_if = "Ponder::is_off")]
    pub ponder: Ponder,
}

/// Whether a contestant thinks in its opponent's time.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ponder {
    /// It waits.
    #[default]
    Off,
    /// It thinks on.
    On,
}

impl Ponder {
    // The signature is what serde asks for.
    fn is_off(&self) -> bool {
        *self == Ponder::Off
    }
}

impl From<bool> for Ponder {
    fn from(is_on: bool) -> Ponder {
        if is_on { Ponder::On } else { Ponder::Off }
    }
}

/// What a contestant is.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ContestantKind {
    /// A player of our own, by its spec.
    Spec(String),
    /// A program that speaks UCI or xboard.
    Engine(EngineSpec),
}

/// What a program speaks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Protocol {
    /// The universal chess interface.
    #[default]
    Uci,
    /// The protocol of xboard, also called CECP.
    Xboard,
}

impl Protocol {
    // The signature is what serde asks for.
    fn is_uci(&self) -> bool {
        *self == Protocol::Uci
    }
}

/// How a program is started and treated.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct EngineSpec {
    /// The program, a path or a name that the system finds.
    pub command: String,
    /// Its arguments.
    pub args: Vec<String>,
    /// The directory that it runs in; ours if there is none.
    pub dir: Option<String>,
    /// What is set after the start, by name.
    pub options: BTreeMap<String, String>,
    /// How long it may be silent, once its time is up or where no time was set, before it counts
    /// as stalled.
    pub patience: DurationText,
    /// What it speaks.
    #[serde(default, skip_serializing_if = "Protocol::is_uci")]
    pub protocol: Protocol,
    /// What the program was when the contest began; `None` before that, and in older stores.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub identity: Option<EngineIdentity>,
}

/// What tells the program of an engine from another that is started by the same command: one that
/// was replaced or mended is another contestant.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct EngineIdentity {
    /// The name by which it introduces itself; empty if it has none, or does not start.
    pub name: String,
    /// A hash of its file, and of the first of its arguments that is a file: the script that an
    /// interpreter runs.
    pub digest: String,
}

impl Contestant {
    /// The margin where nobody asked for another: what a loaded system may take to wake a process.
    pub const MARGIN: DurationText = DurationText::ms(100);

    /// A player of our own, named by its spec.
    pub fn spec(spec: &str, pace: Pace) -> Contestant {
        Contestant::new(spec.to_owned(), ContestantKind::Spec(spec.to_owned()), pace)
    }

    /// An engine, named by its program's file name.
    pub fn engine(engine: EngineSpec, pace: Pace) -> Contestant {
        let file = engine.command.rsplit(['/', '\\']).next().unwrap_or_default();
        let name = if file.is_empty() { "engine" } else { file }.to_owned();
        Contestant::new(name, ContestantKind::Engine(engine), pace)
    }

    fn new(name: String, kind: ContestantKind, pace: Pace) -> Contestant {
        Contestant { name, kind, pace, margin: Contestant::MARGIN, ponder: Ponder::Off }
    }

    /// A contestant as a command line gives it: `uci:COMMAND ARGS` and `xboard:COMMAND ARGS` are
    /// engines, all else is a spec.
    ///
    /// The words of the command are separated by blanks, and may be quoted, see [`words::split`].
    /// Those of the form `option.NAME=VALUE` are options of the engine rather than arguments.
    pub fn from_words(text: &str, pace: Pace) -> Result<Contestant, ContestantTextError> {
        let (protocol, line) = match text.split_once(':') {
            Some(("uci", line)) => (Protocol::Uci, line),
            Some(("xboard", line)) => (Protocol::Xboard, line),
            _ => return Ok(Contestant::spec(text, pace)),
        };
        let mut words = words::split(line)?.into_iter();
        let command = words.next().unwrap_or_default();
        let mut engine = EngineSpec { protocol, ..EngineSpec::new(&command) };
        for word in words {
            let Some(option) = word.strip_prefix(OPTION) else {
                engine.args.push(word);
                continue;
            };
            let pair = option.split_once('=').filter(|(name, _)| !name.trim().is_empty());
            let Some((name, value)) = pair else { return Err(ContestantTextError::Option(word)) };
            let before = engine.options.insert(name.trim().to_owned(), value.trim().to_owned());
            if before.is_some() {
                return Err(ContestantTextError::Twice(name.trim().to_owned()));
            }
        }
        Ok(Contestant::engine(engine, pace))
    }

    /// The same contestant, whatever its program is.
    pub fn without_identity(&self) -> Contestant {
        let kind = match self.kind.clone() {
            ContestantKind::Engine(spec) => {
                ContestantKind::Engine(EngineSpec { identity: None, ..spec })
            }
            spec => spec,
        };
        Contestant { kind, ..self.clone() }
    }

    /// Everything about it that may influence a game, in a form that is the same whenever it is the
    /// same contestant.
    pub fn text(&self) -> String {
        serde_json::to_string(self).expect("a contestant is plain data")
    }
}

/// What the words that are options begin with.
pub(crate) const OPTION: &str = "option.";

/// Why a text names no contestant.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ContestantTextError {
    /// The words of a command cannot be told apart.
    #[error(transparent)]
    Words(#[from] WordsError),
    /// An option without a name or a value.
    #[error(
        "'{0}' is no option of an engine; accepted is option.NAME=VALUE, such as option.Hash=16, or \
         'option.Skill Level=3' in quotes where the name has blanks"
    )]
    Option(String),
    /// An option that is set twice.
    #[error("the option '{0}' of an engine is set twice; accepted is once")]
    Twice(String),
}

impl EngineSpec {
    /// The patience where nobody asked for another.
    pub const PATIENCE: DurationText = DurationText::ms(20_000);

    /// A program without arguments and options.
    pub fn new(command: &str) -> EngineSpec {
        EngineSpec {
            command: command.to_owned(),
            args: Vec::new(),
            dir: None,
            options: BTreeMap::new(),
            patience: EngineSpec::PATIENCE,
            protocol: Protocol::Uci,
            identity: None,
        }
    }

    /// The command, its arguments and its options as [`Contestant::from_words`] reads them, less
    /// the protocol.
    pub fn command_words(&self) -> String {
        let options = self.options.iter().map(|(name, value)| format!("{OPTION}{name}={value}"));
        let words = [&self.command].into_iter().chain(&self.args).cloned();
        words::join(words.chain(options))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PACE: Pace = Pace::Iterations(200);

    #[test]
    fn words_make_players_and_engines() {
        let player = Contestant::from_words("mcc:c=0.5", PACE).unwrap();
        assert_eq!(player.kind, ContestantKind::Spec("mcc:c=0.5".to_owned()));
        let engine = Contestant::from_words("uci:/usr/games/gnuchess --uci", PACE).unwrap();
        assert_eq!(engine.name, "gnuchess");
        let ContestantKind::Engine(spec) = engine.kind else { panic!("an engine") };
        assert_eq!(
            (spec.command.as_str(), spec.args),
            ("/usr/games/gnuchess", vec!["--uci".into()])
        );
        let phalanx = Contestant::from_words("xboard:phalanx", PACE).unwrap();
        let ContestantKind::Engine(spec) = phalanx.kind else { panic!("an engine") };
        assert_eq!((spec.command.as_str(), spec.protocol), ("phalanx", Protocol::Xboard));
    }

    #[test]
    fn paths_with_blanks_are_quoted() {
        let text = r#"uci:"/opt/my engines/sf 16" --file 'it is'.bin"#;
        let engine = Contestant::from_words(text, PACE).unwrap();
        assert_eq!(engine.name, "sf 16");
        let ContestantKind::Engine(spec) = engine.kind else { panic!("an engine") };
        assert_eq!(spec.command, "/opt/my engines/sf 16");
        assert_eq!(spec.args, ["--file", "it is.bin"]);
        assert_eq!(spec.command_words(), "'/opt/my engines/sf 16' --file 'it is.bin'");
        assert!(Contestant::from_words("uci:'/opt/my engine", PACE).is_err());
        // A spec has no quotes to balance; what is wrong with it the game says.
        assert!(Contestant::from_words("mcc'", PACE).is_ok());
    }

    #[test]
    fn options_of_engines_stand_among_the_words() {
        let text = r#"uci:stockfish --quiet option.Hash=16 "option.Skill Level=3" option.Book="#;
        let engine = Contestant::from_words(text, PACE).unwrap();
        let ContestantKind::Engine(spec) = engine.kind else { panic!("an engine") };
        assert_eq!(spec.args, ["--quiet"]);
        let options: Vec<_> = spec.options.iter().map(|(n, v)| (n.as_str(), v.as_str())).collect();
        assert_eq!(options, [("Book", ""), ("Hash", "16"), ("Skill Level", "3")]);
        let again = Contestant::from_words(&format!("uci:{}", spec.command_words()), PACE).unwrap();
        assert_eq!(again.kind, ContestantKind::Engine(spec));
        for (text, error) in [
            (
                "uci:sf option.Hash",
                "'option.Hash' is no option of an engine; accepted is option.NAME",
            ),
            ("uci:sf option.=3", "'option.=3' is no option"),
            ("uci:sf option.Hash=1 option.Hash=2", "the option 'Hash' of an engine is set twice"),
        ] {
            let found = Contestant::from_words(text, PACE).unwrap_err().to_string();
            assert!(found.starts_with(error), "{found}");
        }
    }

    #[test]
    fn what_the_program_is_belongs_to_the_text() {
        let engine = Contestant::from_words("uci:sf", PACE).unwrap();
        let before = engine.text();
        assert!(!before.contains("identity"), "stores of older programs have none: {before}");
        let with = |name: &str, digest: &str| {
            let ContestantKind::Engine(spec) = engine.kind.clone() else { panic!("an engine") };
            let (name, digest) = (name.to_owned(), digest.to_owned());
            let spec = EngineSpec { identity: Some(EngineIdentity { name, digest }), ..spec };
            Contestant { kind: ContestantKind::Engine(spec), ..engine.clone() }.text()
        };
        let texts = [before, with("SF", "1"), with("SF", "2"), with("SF 2", "1")];
        for (number, text) in texts.iter().enumerate() {
            assert!(!texts[..number].contains(text), "{text}");
            assert_eq!(serde_json::from_str::<Contestant>(text).unwrap().text(), *text);
        }
    }

    #[test]
    fn the_text_is_canonical() {
        let text = Contestant::spec("mcc", PACE).text();
        assert_eq!(
            text,
            r#"{"name":"mcc","kind":{"spec":"mcc"},"pace":"iterations=200","margin":"100ms"}"#
        );
        let read: Contestant = serde_json::from_str(&text).unwrap();
        assert_eq!(read.text(), text);
    }

    #[test]
    fn who_ponders_is_another_contestant() {
        let waits = Contestant::spec("best", "time=1s".parse().unwrap());
        let ponders = Contestant { ponder: Ponder::On, ..waits.clone() };
        assert!(
            ponders.text().ends_with(r#""margin":"100ms","ponder":"on"}"#),
            "{}",
            ponders.text()
        );
        assert!(!waits.text().contains("ponder"), "stores of older programs have nothing of it");
        let read: Contestant = serde_json::from_str(&ponders.text()).unwrap();
        assert_eq!(read, ponders);
    }
}
