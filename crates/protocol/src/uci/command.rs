//! A line from the interface as a typed command.

use std::iter::Peekable;
use std::str::FromStr;
use std::time::Duration;

/// What the interface may say.
#[derive(Clone, PartialEq, Debug)]
pub enum Command {
    /// `uci`: who are you, and what can be set?
    Uci,
    /// `isready`: answer when everything before is done.
    IsReady,
    /// `ucinewgame`: the next search belongs to another game.
    NewGame,
    /// `debug on|off`.
    Debug(Debug),
    /// `register ...`: nothing here needs to be registered.
    Register,
    /// `setoption name NAME [value VALUE]`.
    SetOption {
        /// The words of the name, one blank between them.
        name: String,
        /// The words of the value likewise, empty if there are none.
        value: String,
    },
    /// `position startpos|fen FEN [moves MOVE...]`.
    Position {
        /// The FEN, `None` for `startpos`.
        fen: Option<String>,
        /// The moves from there, not yet understood.
        moves: Vec<String>,
    },
    /// `go ...`.
    Go(Box<Go>),
    /// `stop`.
    Stop,
    /// `ponderhit`: the expected move was played.
    PonderHit,
    /// `d`: show the board.
    Display,
    /// `help`.
    Help,
    /// `quit`.
    Quit,
}

/// Whether further remarks are wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Debug {
    /// They are.
    On,
    /// They are not.
    Off,
}

/// The arguments of `go`. Times below zero, which some interfaces send for a clock that has just
/// run out, are zero here.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Go {
    /// White's time and Black's.
    pub time: [Option<Duration>; 2],
    /// White's increment and Black's.
    pub increment: [Option<Duration>; 2],
    /// Moves until the next time control.
    pub moves_to_go: Option<u32>,
    /// Exactly so much time.
    pub move_time: Option<Duration>,
    /// So many iterations.
    pub nodes: Option<u64>,
    /// So many plies.
    pub depth: Option<u32>,
    /// A mate in so many moves.
    pub mate: Option<u32>,
    /// No answer before `stop`.
    pub infinite: bool,
    /// The opponent is still thinking; no answer before `ponderhit` or `stop`.
    pub ponder: bool,
    /// Only these moves, not yet understood; all of them if it is empty.
    pub search_moves: Vec<String>,
    /// What was wrong with the line. Such arguments are left out, since whoever says `go` waits
    /// for an answer whatever else the line says.
    pub faults: Vec<CommandError>,
}

impl Go {
    /// Whether anything but `stop` ends the search.
    pub fn is_limited(&self) -> bool {
        let clock = self.time.iter().chain(&self.increment).any(Option::is_some);
        let counted = self.nodes.is_some() || self.depth.is_some() || self.mate.is_some();
        clock || self.moves_to_go.is_some() || self.move_time.is_some() || counted
    }
}

/// What was wrong with a line, and what is accepted.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CommandError {
    /// No word of the line is a command.
    #[error("unknown command '{line}'; 'help' lists the commands")]
    Unknown {
        /// The line.
        line: String,
    },
    /// The line stops too early.
    #[error("'{command}' lacks {lacks}; its form is '{form}'")]
    Incomplete {
        /// The command.
        command: &'static str,
        /// What is missing.
        lacks: &'static str,
        /// How the command is written.
        form: &'static str,
    },
    /// A word that does not belong there.
    #[error("'{word}' is not understood after '{command}'; its form is '{form}'")]
    Word {
        /// The command.
        command: &'static str,
        /// The word.
        word: String,
        /// How the command is written.
        form: &'static str,
    },
    /// The argument of `go` needs a number and has none.
    #[error("'{word}' is no number for 'go {argument}'; accepted is a whole number{}", .least.text())]
    Number {
        /// The argument.
        argument: String,
        /// What stands in place of the number.
        word: String,
        /// The least number that is accepted.
        least: Least,
    },
}

/// The least number that an argument accepts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Least {
    /// Negative numbers too.
    Any,
    /// Zero and above.
    Zero,
    /// One and above.
    One,
}

impl Least {
    fn text(self) -> &'static str {
        match self {
            Least::Any => "",
            Least::Zero => ", 0 or more",
            Least::One => ", 1 or more",
        }
    }
}

/// How the commands with arguments are written.
const SET_OPTION: &str = "setoption name NAME [value VALUE]";
const POSITION: &str = "position startpos|fen FEN [moves MOVE...]";
const DEBUG: &str = "debug on|off";
const GO: &str = "go [wtime MS] [btime MS] [winc MS] [binc MS] [movestogo N] [movetime MS] [nodes N] \
                  [depth N] [mate N] [infinite] [ponder] [searchmoves MOVE...]";

impl FromStr for Command {
    type Err = CommandError;

    /// Reads a line. As the protocol prescribes, words before the first one that is a command are
    /// passed over. Commands without arguments do not mind further words.
    fn from_str(line: &str) -> Result<Command, CommandError> {
        let mut words = line.split_whitespace();
        while let Some(word) = words.next() {
            return match word {
                "uci" => Ok(Command::Uci),
                "isready" => Ok(Command::IsReady),
                "ucinewgame" => Ok(Command::NewGame),
                "debug" => debug(words),
                "register" => Ok(Command::Register),
                "setoption" => set_option(words),
                "position" => position(words),
                "go" => Ok(Command::Go(Box::new(go(words)))),
                "stop" => Ok(Command::Stop),
                "ponderhit" => Ok(Command::PonderHit),
                "d" => Ok(Command::Display),
                "help" => Ok(Command::Help),
                "quit" => Ok(Command::Quit),
                _ => continue,
            };
        }
        Err(CommandError::Unknown { line: line.trim().to_owned() })
    }
}

fn debug<'a>(mut words: impl Iterator<Item = &'a str>) -> Result<Command, CommandError> {
    match words.next() {
        Some("on") => Ok(Command::Debug(Debug::On)),
        Some("off") => Ok(Command::Debug(Debug::Off)),
        Some(word) => Err(misplaced("debug", word, DEBUG)),
        None => Err(incomplete("debug", "'on' or 'off'", DEBUG)),
    }
}

fn set_option<'a>(mut words: impl Iterator<Item = &'a str>) -> Result<Command, CommandError> {
    match words.next() {
        Some("name") => {}
        Some(word) => return Err(misplaced("setoption", word, SET_OPTION)),
        None => return Err(incomplete("setoption", "'name'", SET_OPTION)),
    }
    let name = joined(words.by_ref().take_while(|&word| word != "value"));
    if name.is_empty() {
        return Err(incomplete("setoption", "a name", SET_OPTION));
    }
    Ok(Command::SetOption { name, value: joined(words) })
}

fn position<'a>(mut words: impl Iterator<Item = &'a str>) -> Result<Command, CommandError> {
    let fen = match words.next() {
        Some("startpos") => {
            match words.next() {
                Some("moves") | None => {}
                Some(word) => return Err(misplaced("position startpos", word, POSITION)),
            }
            None
        }
        Some("fen") => {
            let fen = joined(words.by_ref().take_while(|&word| word != "moves"));
            if fen.is_empty() {
                return Err(incomplete("position fen", "a FEN", POSITION));
            }
            Some(fen)
        }
        Some(word) => return Err(misplaced("position", word, POSITION)),
        None => return Err(incomplete("position", "'startpos' or 'fen'", POSITION)),
    };
    Ok(Command::Position { fen, moves: words.map(str::to_owned).collect() })
}

/// Reads the arguments of `go`; those that are wrong are named and left out.
fn go<'a>(words: impl Iterator<Item = &'a str>) -> Go {
    let mut go = Go::default();
    let mut words = words.peekable();
    while let Some(word) = words.next() {
        if let Err(fault) = argument(&mut go, word, &mut words) {
            go.faults.push(fault);
        }
    }
    go
}

/// Reads an argument of `go` that begins with `word`.
fn argument<'a>(
    go: &mut Go,
    word: &str,
    words: &mut Peekable<impl Iterator<Item = &'a str>>,
) -> Result<(), CommandError> {
    // A word that begins the next argument is not taken for the number of this one.
    let mut number = |least| number(word, words.next_if(|next| !is_argument(next)), least);
    match word {
        // Interfaces count on below zero when the time is over.
        "wtime" => go.time[0] = Some(milliseconds(number(Least::Any)?)),
        "btime" => go.time[1] = Some(milliseconds(number(Least::Any)?)),
        "winc" => go.increment[0] = Some(milliseconds(number(Least::Any)?)),
        "binc" => go.increment[1] = Some(milliseconds(number(Least::Any)?)),
        "movetime" => go.move_time = Some(milliseconds(number(Least::Zero)?)),
        // Zero is what some interfaces send where there is no next time control.
        "movestogo" => {
            go.moves_to_go = Some(narrow(number(Least::Zero)?)).filter(|&moves| moves > 0);
        }
        "nodes" => go.nodes = Some(number(Least::Zero)? as u64),
        "depth" => go.depth = Some(narrow(number(Least::Zero)?)),
        "mate" => go.mate = Some(narrow(number(Least::One)?)),
        "infinite" => go.infinite = true,
        "ponder" => go.ponder = true,
        "searchmoves" => {
            let before = go.search_moves.len();
            while let Some(mv) = words.next_if(|word| !is_argument(word)) {
                go.search_moves.push(mv.to_owned());
            }
            if go.search_moves.len() == before {
                return Err(incomplete("go searchmoves", "a move", GO));
            }
        }
        _ => return Err(misplaced("go", word, GO)),
    }
    Ok(())
}

/// Whether the word begins the next argument of `go`, and so ends a list of moves.
fn is_argument(word: &str) -> bool {
    matches!(
        word,
        "wtime" | "btime" | "winc" | "binc" | "movestogo" | "movetime" | "nodes" | "depth" | "mate"
    ) || matches!(word, "infinite" | "ponder" | "searchmoves")
}

/// Reads a whole number; one that is too large for 64 bits counts as the largest that is not.
fn number(argument: &str, word: Option<&str>, least: Least) -> Result<i64, CommandError> {
    let word = word.unwrap_or_default();
    let digits = word.strip_prefix(['-', '+']).unwrap_or(word);
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    let largest = if word.starts_with('-') { i64::MIN } else { i64::MAX };
    let value = is_number.then(|| word.parse().unwrap_or(largest));
    let in_range = |&value: &i64| match least {
        Least::Any => true,
        Least::Zero => value >= 0,
        Least::One => value >= 1,
    };
    value.filter(in_range).ok_or_else(|| CommandError::Number {
        argument: argument.to_owned(),
        word: word.to_owned(),
        least,
    })
}

fn milliseconds(number: i64) -> Duration {
    Duration::from_millis(number.max(0) as u64)
}

fn narrow(number: i64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

fn joined<'a>(words: impl Iterator<Item = &'a str>) -> String {
    words.collect::<Vec<_>>().join(" ")
}

fn misplaced(command: &'static str, word: &str, form: &'static str) -> CommandError {
    CommandError::Word { command, word: word.to_owned(), form }
}

fn incomplete(command: &'static str, lacks: &'static str, form: &'static str) -> CommandError {
    CommandError::Incomplete { command, lacks, form }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, expected: Command) {
        assert_eq!(line.parse(), Ok(expected), "{line:?}");
    }

    fn check_error(line: &str, expected: &str) {
        let error = line.parse::<Command>().expect_err(line);
        assert_eq!(error.to_string(), expected, "{line:?}");
    }

    fn go(line: &str) -> Go {
        match line.parse() {
            Ok(Command::Go(go)) => *go,
            other => panic!("{line:?} became {other:?}"),
        }
    }

    #[test]
    fn commands_without_arguments() {
        check("uci", Command::Uci);
        check("  isready\t", Command::IsReady);
        check("ucinewgame\r", Command::NewGame);
        check("stop now", Command::Stop);
        check("ponderhit", Command::PonderHit);
        check("register later", Command::Register);
        check("d", Command::Display);
        check("help", Command::Help);
        check("quit", Command::Quit);
        check("debug on", Command::Debug(Debug::On));
        check("debug  off", Command::Debug(Debug::Off));
    }

    #[test]
    fn words_before_a_command_are_passed_over() {
        check("joho debug on", Command::Debug(Debug::On));
        check("\u{feff} isready", Command::IsReady);
        check_error("UCI", "unknown command 'UCI'; 'help' lists the commands");
        check_error(" a\0b ", "unknown command 'a\0b'; 'help' lists the commands");
    }

    #[test]
    fn options() {
        let set = |name: &str, value: &str| Command::SetOption {
            name: name.to_owned(),
            value: value.to_owned(),
        };
        check("setoption name Hash value 16", set("Hash", "16"));
        check("setoption  name Move  Overhead value\t30", set("Move Overhead", "30"));
        check("setoption name Clear Hash", set("Clear Hash", ""));
        check("setoption name X value", set("X", ""));
        check("setoption name X value a value b", set("X", "a value b"));
        check_error(
            "setoption",
            "'setoption' lacks 'name'; its form is 'setoption name NAME [value VALUE]'",
        );
        check_error(
            "setoption name value 3",
            "'setoption' lacks a name; its form is 'setoption name NAME [value VALUE]'",
        );
        check_error(
            "setoption Hash 3",
            "'Hash' is not understood after 'setoption'; \
             its form is 'setoption name NAME [value VALUE]'",
        );
    }

    #[test]
    fn positions() {
        let position = |fen: Option<&str>, moves: &[&str]| Command::Position {
            fen: fen.map(str::to_owned),
            moves: moves.iter().map(|&mv| mv.to_owned()).collect(),
        };
        check("position startpos", position(None, &[]));
        check("position startpos moves", position(None, &[]));
        check("position startpos moves e2e4 e7e5", position(None, &["e2e4", "e7e5"]));
        check("position fen 8/8 w  - -", position(Some("8/8 w - -"), &[]));
        check("position fen 8/8 w - - 0 1 moves a1a2", position(Some("8/8 w - - 0 1"), &["a1a2"]));
        let form = "its form is 'position startpos|fen FEN [moves MOVE...]'";
        check_error("position", &format!("'position' lacks 'startpos' or 'fen'; {form}"));
        check_error("position fen", &format!("'position fen' lacks a FEN; {form}"));
        check_error("position fen moves e2e4", &format!("'position fen' lacks a FEN; {form}"));
        check_error(
            "position startpos e2e4",
            &format!("'e2e4' is not understood after 'position startpos'; {form}"),
        );
        check_error("position 8/8", &format!("'8/8' is not understood after 'position'; {form}"));
    }

    #[test]
    fn arguments_of_go_come_in_any_order() {
        let ms = |ms| Some(Duration::from_millis(ms));
        let all =
            go("go binc 4 searchmoves e2e4 g1f3 depth 7 wtime 1 ponder mate 3 btime 2 winc 3 \
                      movestogo 5 movetime 6 infinite nodes 8 searchmoves d2d4");
        let expected = Go {
            time: [ms(1), ms(2)],
            increment: [ms(3), ms(4)],
            moves_to_go: Some(5),
            move_time: ms(6),
            nodes: Some(8),
            depth: Some(7),
            mate: Some(3),
            infinite: true,
            ponder: true,
            search_moves: ["e2e4", "g1f3", "d2d4"].map(str::to_owned).to_vec(),
            faults: Vec::new(),
        };
        assert_eq!(all, expected);
        assert_eq!(go("go"), Go::default());
    }

    #[test]
    fn strange_numbers() {
        assert_eq!(go("go wtime -250").time[0], Some(Duration::ZERO));
        assert_eq!(go("go movestogo 0").moves_to_go, None);
        assert_eq!(go("go nodes 99999999999999999999999").nodes, Some(i64::MAX as u64));
        assert_eq!(go("go depth 99999999999").depth, Some(u32::MAX));
        assert_eq!(go("go wtime -99999999999999999999999").time[0], Some(Duration::ZERO));
    }

    fn check_fault(line: &str, expected: &str) -> Go {
        let go = go(line);
        let faults: Vec<_> = go.faults.iter().map(ToString::to_string).collect();
        assert_eq!(faults, [expected], "{line:?}");
        go
    }

    /// Whoever says `go` waits for an answer.
    #[test]
    fn what_is_wrong_with_go_is_named_and_left_out() {
        let error = "is no number for 'go nodes'; accepted is a whole number, 0 or more";
        for word in ["many", "-5", "1.5", "1e9", "+", "0x10"] {
            let go = check_fault(&format!("go nodes {word} depth 3"), &format!("'{word}' {error}"));
            assert_eq!((go.nodes, go.depth), (None, Some(3)), "{word}");
        }
        assert!(!check_fault("go nodes", &format!("'' {error}")).is_limited());
        let other = check_fault("go nodes depth 5", &format!("'' {error}"));
        assert_eq!(other.depth, Some(5));
        let least = |argument: &str, word: &str, least: &str| {
            let number = format!("'{word}' is no number for 'go {argument}'");
            format!("{number}; accepted is a whole number{least}")
        };
        check_fault("go movetime -5", &least("movetime", "-5", ", 0 or more"));
        check_fault("go depth", &least("depth", "", ", 0 or more"));
        check_fault("go mate 0", &least("mate", "0", ", 1 or more"));
        let clock = check_fault("go wtime soon btime 9", &least("wtime", "soon", ""));
        assert!(clock.is_limited());
        let form = format!("its form is '{GO}'");
        check_fault("go fast", &format!("'fast' is not understood after 'go'; {form}"));
        check_fault("go searchmoves", &format!("'go searchmoves' lacks a move; {form}"));
        let both = go("go fast nodes x infinite");
        assert_eq!((both.faults.len(), both.infinite), (2, true));
    }
}
