//! States as text: `XXXX/XXXX/XXXX/XXXX/XXXX/XXXX/XXXX/XXXX - KGGMMRRNNCCPPPPPkggmmrrnnccppppp 0`.
//!
//! Ranks from the highest to the first, each from the a-file on: `X` for a covered piece, `?` for
//! one that is being turned up, KGMRNCP for a red piece, kgmrncp for a black one and a digit for so
//! many empty squares; then `r` or `b` for the side to move, or `-` before the first flip; then the
//! covered pieces, or `-`; then the plies since the last capture or flip. A fifth field says what
//! is not usual, with commas between: `first=b` where Black moved first, and the rules as [`Rules`]
//! writes them.

use crate::{
    Board, Colour, Colours, FILES, Face, PIECES, Piece, RANKS, Rules, SQUARES, Setup, SetupError,
    Square,
};
use monteverde_game::switches::SwitchError;

/// The start of the game.
pub const START: &str =
    "XXXX/XXXX/XXXX/XXXX/XXXX/XXXX/XXXX/XXXX - KGGMMRRNNCCPPPPPkggmmrrnnccppppp 0";

/// Why a text is not a state.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum StateError {
    /// Too few or too many fields.
    #[error(
        "a state has 4 or 5 fields (squares, side, covered pieces, quiet plies, and rules if any), but '{text}' has \
         {found}"
    )]
    Fields {
        /// What was read.
        text: String,
        /// How many fields it has.
        found: usize,
    },
    /// Too few or too many ranks.
    #[error("the squares are 1 to 8 ranks with '/' between them, but '{field}' has {found}")]
    Ranks {
        /// The field of the squares.
        field: String,
        /// How many ranks it has.
        found: usize,
    },
    /// A character that is neither a piece nor a number of empty squares.
    #[error("'{character}' on rank {rank} is not one of X, ?, KGMRNCP, kgmrncp or 1 to 4")]
    Character {
        /// The rank.
        rank: u8,
        /// The character.
        character: char,
    },
    /// A rank that is too long, or of another length than the highest rank.
    #[error("rank {rank} must have {expected} squares, but '{text}' has {found}")]
    Squares {
        /// The rank.
        rank: u8,
        /// The rank as it was read.
        text: String,
        /// How many squares it must have.
        expected: String,
        /// How many squares it has.
        found: u32,
    },
    /// Neither side to move.
    #[error("the side to move is r, b, or - before the first flip, not '{0}'")]
    Turn(String),
    /// Covered pieces that are none.
    #[error("the covered pieces are letters of KGMRNCP and kgmrncp, or - for none, not '{0}'")]
    Covered(String),
    /// Plies that are no number.
    #[error("the plies since the last capture or flip are a number from 0 to 65534, not '{0}'")]
    Quiet(String),
    /// A first side that is none.
    #[error(
        "'{0}' is no side that moved first; accepted are first=r and first=b, once the side to move is r or b"
    )]
    First(String),
    /// Rules that are none.
    #[error(transparent)]
    Rules(#[from] SwitchError),
    /// Well written, but against the rules.
    #[error("'{text}' breaks the rules: {error}")]
    Setup {
        /// What was read.
        text: String,
        /// Which rule.
        error: SetupError,
    },
}

/// Reads a state. Where the text does not tell, Red moved first.
pub fn parse(text: &str) -> Result<Board, StateError> {
    let fields: Vec<&str> = text.split_whitespace().collect();
    let (squares, turn, covered, quiet, options) = match fields[..] {
        [squares, turn, covered, quiet] => (squares, turn, covered, quiet, None),
        [squares, turn, covered, quiet, options] => (squares, turn, covered, quiet, Some(options)),
        _ => return Err(StateError::Fields { text: text.to_owned(), found: fields.len() }),
    };
    let (files, ranks, faces) = parse_squares(squares)?;
    let mover = match turn {
        "r" => Some(Colour::Red),
        "b" => Some(Colour::Black),
        "-" => None,
        other => return Err(StateError::Turn(other.to_owned())),
    };
    let (first, rules) = parse_options(options, mover)?;
    let setup = Setup {
        files,
        ranks,
        faces,
        covered: parse_covered(covered)?,
        colours: mover.map(|mover| Colours { first, mover }),
        quiet: parse_quiet(quiet)?,
        rules,
    };
    Board::new(&setup).map_err(|error| StateError::Setup { text: text.to_owned(), error })
}

/// The state as [`parse`] reads it.
pub fn write(board: &Board) -> String {
    let ranks: Vec<String> = (0..board.ranks()).rev().map(|rank| rank_text(board, rank)).collect();
    let colours = board.colours();
    let turn = colours.map_or('-', |colours| letter(colours.mover));
    let mut covered = String::new();
    for piece in Piece::all() {
        covered.extend((0..board.pool(piece)).map(|_| piece.letter()));
    }
    if covered.is_empty() {
        covered.push('-');
    }
    let mut text = format!("{} {turn} {covered} {}", ranks.join("/"), board.quiet());
    let black_first = colours.is_some_and(|colours| colours.first == Colour::Black);
    let first = black_first.then(|| "first=b".to_owned());
    let rules = Some(board.rules().to_string()).filter(|rules| !rules.is_empty());
    let options: Vec<String> = first.into_iter().chain(rules).collect();
    if !options.is_empty() {
        text += " ";
        text += &options.join(",");
    }
    text
}

fn letter(colour: Colour) -> char {
    match colour {
        Colour::Red => 'r',
        Colour::Black => 'b',
    }
}

type Squares = (u8, u8, [Face; SQUARES]);

fn parse_squares(field: &str) -> Result<Squares, StateError> {
    let ranks: Vec<&str> = field.split('/').collect();
    if ranks.len() > usize::from(RANKS) {
        return Err(StateError::Ranks { field: field.to_owned(), found: ranks.len() });
    }
    let mut faces = [Face::Empty; SQUARES];
    let mut files = None;
    for (rank, &text) in (0..ranks.len() as u8).rev().zip(&ranks) {
        let mut file = 0u32;
        for character in text.chars() {
            let face = match character {
                'X' => Face::Covered,
                '?' => Face::Turning,
                '1'..='4' => {
                    file += character as u32 - '0' as u32;
                    continue;
                }
                _ => match Piece::from_letter(character) {
                    Some(piece) => Face::Up(piece),
                    None => return Err(StateError::Character { rank: rank + 1, character }),
                },
            };
            // Beyond the last file a piece is counted, not placed.
            if file < u32::from(FILES) {
                faces[Square::at(file as u8, rank).index()] = face;
            }
            file += 1;
        }
        let expected = files.map_or(1..=u32::from(FILES), |files| files..=files);
        if !expected.contains(&file) {
            let expected = files.map_or("1 to 4".to_owned(), |files| files.to_string());
            let text = text.to_owned();
            return Err(StateError::Squares { rank: rank + 1, text, expected, found: file });
        }
        files = Some(file);
    }
    Ok((files.unwrap_or_default() as u8, ranks.len() as u8, faces))
}

fn parse_covered(field: &str) -> Result<[u8; PIECES], StateError> {
    let mut covered = [0; PIECES];
    if field == "-" {
        return Ok(covered);
    }
    let wrong = || StateError::Covered(field.to_owned());
    // No board has more squares, and the counts must not overflow.
    if field.chars().count() > SQUARES {
        return Err(wrong());
    }
    for letter in field.chars() {
        covered[Piece::from_letter(letter).ok_or_else(wrong)?.index()] += 1;
    }
    Ok(covered)
}

fn parse_quiet(field: &str) -> Result<u16, StateError> {
    // Room for one more ply must be left.
    let plies = field.parse().ok().filter(|&plies| plies < u16::MAX);
    plies.ok_or_else(|| StateError::Quiet(field.to_owned()))
}

/// The colour of the side that moved first, and the rules.
fn parse_options(
    field: Option<&str>,
    mover: Option<Colour>,
) -> Result<(Colour, Rules), StateError> {
    let Some(field) = field else { return Ok((Colour::Red, Rules::default())) };
    let Some(rest) = field.strip_prefix("first=") else { return Ok((Colour::Red, field.parse()?)) };
    let (first, rules) = match rest.split_once(',') {
        Some((first, rules)) => (first, rules.parse()?),
        None => (rest, Rules::default()),
    };
    match (first, mover) {
        ("r", Some(_)) => Ok((Colour::Red, rules)),
        ("b", Some(_)) => Ok((Colour::Black, rules)),
        _ => Err(StateError::First(format!("first={first}"))),
    }
}

fn rank_text(board: &Board, rank: u8) -> String {
    let mut text = String::new();
    let mut empty = 0;
    for file in 0..board.files() {
        let square = Square::at(file, rank);
        let letter = match board.piece(square) {
            Some(piece) => piece.letter(),
            None if board.pending() == Some(square) => '?',
            None if board.covered() & square.bit() != 0 => 'X',
            None => {
                empty += 1;
                continue;
            }
        };
        flush(&mut empty, &mut text);
        text.push(letter);
    }
    flush(&mut empty, &mut text);
    text
}

fn flush(empty: &mut u8, text: &mut String) {
    if *empty > 0 {
        text.push((b'0' + *empty) as char);
    }
    *empty = 0;
}
