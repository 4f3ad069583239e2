//! The commands of the protocol, read from a line.

use monteverde_banqi::{Colour, FILES, Face, PIECES, Piece, RANKS, SQUARES, Square};
use std::time::Duration;

/// The names of the commands, by their numbers.
pub const NAMES: [&str; 19] = [
    "protocol_version",
    "name",
    "version",
    "known_command",
    "list_commands",
    "quit",
    "boardsize",
    "reset_board",
    "num_repetition",
    "num_moves_to_draw",
    "move",
    "flip",
    "genmove",
    "game_over",
    "ready",
    "time_settings",
    "time_left",
    "showboard",
    "init_board",
];

/// The number of `quit`.
const QUIT: u32 = 5;

/// What the arena says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// Which version of the protocol is spoken.
    ProtocolVersion,
    /// What the engine is called.
    Name,
    /// Which version of the engine it is.
    Version,
    /// Whether there is a command of that name.
    KnownCommand(String),
    /// What commands there are.
    ListCommands,
    /// Ends the program.
    Quit,
    /// The usual board is played on.
    BoardSize,
    /// A new game begins.
    ResetBoard,
    /// Whether repetition draws.
    NumRepetition(Repeating),
    /// After so many plies without a capture or a flip the game is drawn.
    NumMovesToDraw(u16),
    /// A piece moved.
    Move {
        /// From that square.
        from: Square,
        /// To that square.
        to: Square,
    },
    /// A piece was turned up.
    Flip {
        /// On that square.
        square: Square,
        /// What showed.
        piece: Piece,
    },
    /// What would the engine play as that colour? `None` before the colours are known.
    GenMove(Option<Colour>),
    /// The game has ended.
    GameOver,
    /// Is the engine ready?
    Ready,
    /// So much time has each side for a game; `None` for no clock.
    TimeSettings(Option<Duration>),
    /// So much time has a side left.
    TimeLeft(Colour, Duration),
    /// Shows the board.
    ShowBoard,
    /// A new game begins from that board.
    InitBoard(Box<Layout>),
}

/// Whether the third occurrence of a position draws.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Repeating {
    /// It does.
    Draws,
    /// Nothing comes of it.
    Ignored,
}

/// A board from outside.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Layout {
    /// What lies on each square, by its number.
    pub faces: [Face; SQUARES],
    /// How many of each piece are covered, by its number.
    pub covered: [u8; PIECES],
}

/// What was wrong with a line.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CommandError {
    /// It does not begin with a number.
    #[error(
        "a line begins with the number of a command, 0 to 18, and its name, such as '12 genmove red'"
    )]
    NoNumber,
    /// There is no command of that number.
    #[error(
        "there is no command {0}; there are 0 to 18, which '4 list_commands' lists in their order"
    )]
    Unknown(u32),
    /// Its arguments are none.
    #[error("{name} takes {accepted}, not '{found}'")]
    Arguments {
        /// The command.
        name: &'static str,
        /// What it takes.
        accepted: &'static str,
        /// What was found.
        found: String,
    },
}

/// The number that a line begins with.
pub fn number(line: &str) -> Option<u32> {
    let word = line.split_whitespace().next()?;
    word.bytes().all(|byte| byte.is_ascii_digit()).then(|| word.parse().ok())?
}

/// Whether a line says that the program is to end.
pub fn is_quit(line: &str) -> bool {
    number(line) == Some(QUIT)
}

/// Reads a line: the number decides, the name after it is passed over.
pub fn parse(line: &str) -> Result<Command, CommandError> {
    let number = number(line).ok_or(CommandError::NoNumber)?;
    let name = *NAMES.get(number as usize).ok_or(CommandError::Unknown(number))?;
    let words: Vec<&str> = line.split_whitespace().skip(2).collect();
    let accept = |found: Option<Command>, accepted: &'static str| {
        found.ok_or_else(|| CommandError::Arguments { name, accepted, found: words.join(" ") })
    };
    match number {
        0 => Ok(Command::ProtocolVersion),
        1 => Ok(Command::Name),
        2 => Ok(Command::Version),
        3 => accept(known_command(&words), "the name of a command"),
        4 => Ok(Command::ListCommands),
        QUIT => Ok(Command::Quit),
        6 => accept(board_size(&words), "4 8, the board of 4 files and 8 ranks"),
        7 => Ok(Command::ResetBoard),
        8 => accept(num_repetition(&words), "3, or 0 for no draw by repetition"),
        9 => accept(num_moves_to_draw(&words), "a number of plies from 1 to 65535"),
        10 => accept(moved(&words), "two different squares, such as a1 a2"),
        11 => accept(flip(&words), "a square and a letter of KGMRNCP or kgmrncp, such as a1 K"),
        12 => accept(gen_move(&words), "red, black or unknown"),
        13 => Ok(Command::GameOver),
        14 => Ok(Command::Ready),
        15 => accept(time_settings(&words), "milliseconds, or 0 for no clock"),
        16 => accept(time_left(&words), "red or black and milliseconds"),
        17 => Ok(Command::ShowBoard),
        _ => accept(
            init_board(&words),
            "32 squares from a8 to d1 (X covered, - empty, or KGMRNCP, kgmrncp) and how many of K G M R N C P k g m r \
             n c p are covered",
        ),
    }
}

fn known_command(words: &[&str]) -> Option<Command> {
    let [name] = words else { return None };
    Some(Command::KnownCommand((*name).to_owned()))
}

fn board_size(words: &[&str]) -> Option<Command> {
    let [width, height] = words else { return None };
    let mut sizes: [u8; 2] = [width.parse().ok()?, height.parse().ok()?];
    sizes.sort_unstable();
    (sizes == [FILES, RANKS]).then_some(Command::BoardSize)
}

fn num_repetition(words: &[&str]) -> Option<Command> {
    match words {
        ["0"] => Some(Command::NumRepetition(Repeating::Ignored)),
        ["3"] => Some(Command::NumRepetition(Repeating::Draws)),
        _ => None,
    }
}

fn num_moves_to_draw(words: &[&str]) -> Option<Command> {
    let [plies] = words else { return None };
    plies.parse().ok().filter(|&plies| plies > 0).map(Command::NumMovesToDraw)
}

fn moved(words: &[&str]) -> Option<Command> {
    let [from, to] = words else { return None };
    let (from, to) = (from.parse().ok()?, to.parse().ok()?);
    (from != to).then_some(Command::Move { from, to })
}

fn flip(words: &[&str]) -> Option<Command> {
    let [square, piece] = words else { return None };
    Some(Command::Flip { square: square.parse().ok()?, piece: one_piece(piece)? })
}

fn gen_move(words: &[&str]) -> Option<Command> {
    match words {
        ["unknown"] => Some(Command::GenMove(None)),
        [word] => colour(word).map(|colour| Command::GenMove(Some(colour))),
        _ => None,
    }
}

fn time_settings(words: &[&str]) -> Option<Command> {
    let [time] = words else { return None };
    let time = milliseconds(time)?;
    Some(Command::TimeSettings(Some(time).filter(|time| !time.is_zero())))
}

fn time_left(words: &[&str]) -> Option<Command> {
    let [side, time] = words else { return None };
    Some(Command::TimeLeft(colour(side)?, milliseconds(time)?))
}

fn init_board(words: &[&str]) -> Option<Command> {
    let (squares, counts) = words.split_at_checked(words.len().checked_sub(COUNTS)?)?;
    let letters: Vec<char> = squares.iter().flat_map(|word| word.chars()).collect();
    if letters.len() != SQUARES {
        return None;
    }
    let mut faces = [Face::Empty; SQUARES];
    for (letter, number) in letters.into_iter().zip(0..) {
        let square = Square::at(number % FILES, RANKS - 1 - number / FILES);
        faces[square.index()] = match letter {
            'X' => Face::Covered,
            '-' => Face::Empty,
            letter => Face::Up(Piece::from_letter(letter)?),
        };
    }
    let mut covered = [0; PIECES];
    for (piece, count) in Piece::all().zip(counts) {
        // No board has more squares.
        let count = count.parse().ok().filter(|&count| usize::from(count) <= SQUARES);
        covered[piece.index()] = count?;
    }
    Some(Command::InitBoard(Box::new(Layout { faces, covered })))
}

/// How many counts of covered pieces there are, one for each piece.
const COUNTS: usize = 14;

fn colour(word: &str) -> Option<Colour> {
    match word {
        "red" => Some(Colour::Red),
        "black" => Some(Colour::Black),
        _ => None,
    }
}

fn one_piece(word: &str) -> Option<Piece> {
    let mut letters = word.chars();
    let piece = Piece::from_letter(letters.next()?)?;
    letters.next().is_none().then_some(piece)
}

fn milliseconds(word: &str) -> Option<Duration> {
    word.parse().ok().map(Duration::from_millis)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(line: &str) -> String {
        parse(line).expect_err("not a command").to_string()
    }

    #[test]
    fn the_number_decides() {
        assert_eq!(parse("15 time_setting 900000"), parse("15 time_settings 900000"));
        assert_eq!(parse("7"), Ok(Command::ResetBoard));
        assert_eq!(parse(" 5\tanything\r"), Ok(Command::Quit));
        assert_eq!(parse("genmove red"), Err(CommandError::NoNumber));
        assert_eq!(parse("-1 name"), Err(CommandError::NoNumber));
        assert_eq!(parse("+1 name"), Err(CommandError::NoNumber));
        assert_eq!(parse("19 undo"), Err(CommandError::Unknown(19)));
        assert_eq!(parse("99999999999 x"), Err(CommandError::NoNumber));
    }

    #[test]
    fn arguments_are_checked() {
        let a1 = Square::at(0, 0);
        assert_eq!(parse("10 move a1 a2"), Ok(Command::Move { from: a1, to: Square::at(0, 1) }));
        assert_eq!(
            refusal("10 move a1 a1"),
            "move takes two different squares, such as a1 a2, not 'a1 a1'"
        );
        assert_eq!(parse("12 genmove unknown"), Ok(Command::GenMove(None)));
        assert_eq!(refusal("12 genmove white"), "genmove takes red, black or unknown, not 'white'");
        assert_eq!(refusal("12"), "genmove takes red, black or unknown, not ''");
        assert_eq!(parse("15 time_settings 0"), Ok(Command::TimeSettings(None)));
        for line in [
            "10 move e1 a2",
            "11 flip a1",
            "11 flip a1 KK",
            "11 flip a1 x",
            "16 time_left red -1",
            "16 time_left unknown 5",
            "9 num_moves_to_draw 0",
            "9 num_moves_to_draw 65536",
            "8 num_repetition 2",
            "6 boardsize 8 8",
            "3 known_command",
            "18 init_board X",
            "18 init_board",
        ] {
            assert!(matches!(parse(line), Err(CommandError::Arguments { .. })), "{line}");
        }
        assert_eq!(parse("6 boardsize 4 8"), parse("6 boardsize 8 4"));
    }

    #[test]
    fn a_board_is_read_from_a8_on() {
        let squares = format!("K{}p{}", "-".repeat(30), "");
        let spread: Vec<String> = squares.chars().map(|letter| letter.to_string()).collect();
        let counts = "0 0 0 0 0 0 0 0 0 0 0 0 0 0";
        let line = format!("18 init_board {squares} {counts}");
        let Ok(Command::InitBoard(layout)) = parse(&line) else { panic!("{line}") };
        assert_eq!(
            Some(layout.faces[Square::at(0, 7).index()]),
            Piece::from_letter('K').map(Face::Up)
        );
        assert_eq!(
            Some(layout.faces[Square::at(3, 0).index()]),
            Piece::from_letter('p').map(Face::Up)
        );
        assert_eq!(parse(&format!("18 init_board {} {counts}", spread.join(" "))), parse(&line));
        assert!(parse(&format!("18 init_board {squares} {counts} 0")).is_err());
        assert!(parse(&format!("18 init_board {squares} {}", counts.replace('0', "99"))).is_err());
    }
}
