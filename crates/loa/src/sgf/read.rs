//! Reading games.

use super::{SgfError, SgfGame, SgfProblem, is_property, parse_outcome};
use crate::{Board, Loa, Move, Rules, Square};
use monteverde_game::{Game, Notation, NotationError, Outcome, Side};
use std::collections::HashSet;

/// Reads the games of a text one by one. After an error it goes on with what follows the game's
/// closing parenthesis.
pub fn parse(text: &str) -> Games<'_> {
    Games { text, at: 0, depth: 0, counted: (0, 1) }
}

/// The games of a text; see [`parse`].
#[derive(Clone, Debug)]
pub struct Games<'a> {
    text: &'a str,
    at: usize,
    /// How many parentheses are open.
    depth: usize,
    /// A byte up to which lines have been counted, and the number of its line: each error goes on
    /// from the one before, for which a file with many would otherwise take quadratic time.
    counted: (usize, usize),
}

/// A problem and the byte where it is.
type Located = (usize, SgfProblem);

/// A value in brackets and the byte where it begins.
type Value = (usize, String);

impl Iterator for Games<'_> {
    type Item = Result<SgfGame, SgfError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.find_game()?;
        let begin = self.at;
        let game = self.game();
        let closed = self.skip_to_end();
        let found = match game {
            Ok(_) if !closed => Err((begin, SgfProblem::UnclosedGame)),
            found => found,
        };
        Some(found.map_err(|(at, problem)| self.error(at, problem)))
    }
}

impl Games<'_> {
    /// The error at a byte that is not before that of the last error.
    fn error(&mut self, at: usize, problem: SgfProblem) -> SgfError {
        let (from, line) = self.counted;
        let new_lines = self.text[from..at].bytes().filter(|&byte| byte == b'\n').count();
        self.counted = (at, line + new_lines);
        let line_start = self.text[..at].rfind('\n').map_or(0, |end| end + 1);
        let column = 1 + self.text[line_start..at].chars().count();
        SgfError { line: line + new_lines, column, problem }
    }

    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn skip_blanks(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
    }

    /// Goes to the next parenthesis before a semicolon, which is how a game begins.
    fn find_game(&mut self) -> Option<()> {
        loop {
            let open = self.rest().find('(')?;
            self.at += open;
            if self.rest()[1..].trim_start().starts_with(';') {
                return Some(());
            }
            self.at += 1;
        }
    }

    /// Reads the main line: up to the first closing parenthesis, since the first variation of a
    /// node goes on with it.
    fn game(&mut self) -> Result<SgfGame, Located> {
        let mut reader = Reader::default();
        self.depth = 0;
        loop {
            self.skip_blanks();
            match self.peek() {
                None => break,
                Some('(') => self.open(),
                Some(')') => break,
                Some(';') => self.at += 1,
                Some(c) if c.is_ascii_alphabetic() => self.property(&mut reader)?,
                Some(c) => return Err((self.at, SgfProblem::UnexpectedCharacter(c))),
            }
        }
        reader.finish()
    }

    fn open(&mut self) {
        self.depth += 1;
        self.at += 1;
    }

    fn property(&mut self, reader: &mut Reader) -> Result<(), Located> {
        let begin = self.at;
        let end = self.rest().find(|c: char| !c.is_ascii_alphabetic());
        self.at += end.unwrap_or(self.rest().len());
        let written = &self.text[begin..self.at];
        let capitals: String = written.chars().filter(char::is_ascii_uppercase).collect();
        let name = if capitals.is_empty() { written.to_ascii_uppercase() } else { capitals };
        self.skip_blanks();
        if self.peek() != Some('[') {
            let written = self.text[begin..begin + end.unwrap_or_default()].to_owned();
            return Err((begin, SgfProblem::NoValue(written)));
        }
        let mut values = Vec::new();
        while self.peek() == Some('[') {
            values.push(self.value()?);
            self.skip_blanks();
        }
        reader.property(&name, values)
    }

    /// A value with its escapes resolved.
    fn value(&mut self) -> Result<Value, Located> {
        let begin = self.at;
        let mut value = String::new();
        let mut rest = self.text[begin + 1..].char_indices();
        while let Some((offset, c)) = rest.next() {
            match c {
                ']' => {
                    self.at = begin + 1 + offset + 1;
                    return Ok((begin + 1, value));
                }
                // Before a line end it joins two lines, before anything else it makes that
                // ordinary.
                '\\' => match rest.next() {
                    Some((_, '\n' | '\r')) => {}
                    Some((_, c)) => value.push(c),
                    None => break,
                },
                c => value.push(c),
            }
        }
        self.at = self.text.len();
        Err((begin, SgfProblem::UnclosedValue))
    }

    /// Goes behind the parenthesis that closes the game; says whether there is one.
    fn skip_to_end(&mut self) -> bool {
        while let Some(c) = self.peek() {
            match c {
                '(' => self.depth += 1,
                ')' if self.depth <= 1 => {
                    self.at += 1;
                    return true;
                }
                ')' => self.depth -= 1,
                // Parentheses in a value are none.
                '[' => {
                    if self.value().is_err() {
                        return false;
                    }
                    continue;
                }
                _ => {}
            }
            self.at += c.len_utf8();
        }
        false
    }
}

/// What has been read of a game.
#[derive(Default)]
struct Reader {
    setup: Setup,
    /// From the first move on.
    begun: Option<(SgfGame, Loa)>,
    /// Where the first value of the setup is.
    setup_at: usize,
    comment: String,
    properties: Vec<(String, String)>,
    /// Those of the properties, since a game may have any number of them.
    names: HashSet<String>,
    /// What `RE`, or else a resignation, says.
    result: Option<Option<Outcome>>,
}

/// The start of a game.
#[derive(Default)]
struct Setup {
    /// By side, if any are given.
    pieces: Option<[u64; 2]>,
    turn: Option<Side>,
    rules: Rules,
}

impl Reader {
    fn property(&mut self, name: &str, values: Vec<Value>) -> Result<(), Located> {
        let (at, text) = values[0].clone();
        let problem = |problem| Err((at, problem));
        let known = text.trim();
        match name {
            "B" => self.play(Side::First, at, known)?,
            "W" => self.play(Side::Second, at, known)?,
            "C" => self.say(&text),
            "RE" => self.result = Some(parse_outcome(known)),
            // What follows says how the game begins, or describes it: all of it stands before the
            // first move.
            _ if self.begun.is_some() => {}
            "GM" if !is_this_game(known) => return problem(SgfProblem::Game(known.to_owned())),
            "SZ" if known != "8" => return problem(SgfProblem::Size(known.to_owned())),
            "SU" if !known.eq_ignore_ascii_case("standard") && !known.is_empty() => {
                return problem(SgfProblem::Setup(known.to_owned()));
            }
            "AB" => self.add(Side::First, values)?,
            "AW" => self.add(Side::Second, values)?,
            "PL" => {
                let side = side_of(known);
                self.setup.turn =
                    Some(side.ok_or_else(|| (at, SgfProblem::Turn(known.to_owned())))?);
            }
            "RU" => self.setup.rules = known.parse().unwrap_or_default(),
            // What is said twice counts once.
            _ if is_property(name) && self.names.insert(name.to_owned()) => {
                self.properties.push((name.to_owned(), text.replace(char::is_control, " ")));
            }
            _ => {}
        }
        Ok(())
    }

    /// Appends to what is said where the game stands.
    fn say(&mut self, said: &str) {
        let comment = match &mut self.begun {
            Some((game, _)) => game.moves.last_mut().map(|last| &mut last.comment),
            None => Some(&mut self.comment),
        };
        let Some(comment) = comment else { return };
        for word in said.split_whitespace() {
            if !comment.is_empty() {
                comment.push(' ');
            }
            comment.push_str(word);
        }
    }

    fn add(&mut self, side: Side, values: Vec<Value>) -> Result<(), Located> {
        self.setup_at = values[0].0;
        let pieces = self.setup.pieces.get_or_insert_default();
        for (at, text) in values {
            let square = text.trim().to_ascii_lowercase().parse::<Square>();
            let square = square.map_err(|_| (at, SgfProblem::Square(text)))?;
            pieces[side as usize] |= square.bit();
        }
        Ok(())
    }

    fn play(&mut self, side: Side, at: usize, text: &str) -> Result<(), Located> {
        if self.begun.is_none() {
            // Whoever moves first is to move, unless the setup has said so.
            self.setup.turn.get_or_insert(side);
            let game = self.start()?;
            let state = Loa::new(game.start);
            self.begun = Some((game, state));
        }
        let Some((game, state)) = &mut self.begun else { return Ok(()) };
        match text.to_ascii_lowercase().as_str() {
            "resign" | "forfeit" => {
                self.result.get_or_insert(Some(Outcome::Win(side.other())));
                return Ok(());
            }
            "draw" | "acceptdraw" => {
                self.result.get_or_insert(Some(Outcome::Draw));
                return Ok(());
            }
            "offerdraw" | "declinedraw" | "start" | "edit" => return Ok(()),
            _ => {}
        }
        let mut legal = Vec::new();
        state.moves(&mut legal);
        if side != state.turn() && legal == [Move::PASS] {
            game.push(Move::PASS, "");
            state.play(Move::PASS);
        }
        if side != state.turn() {
            return Err((at, SgfProblem::WrongSide { text: text.to_owned(), side }));
        }
        let mv = match squares(text) {
            Some([from, to]) => state.parse_move(&format!("{from}-{to}")),
            None if text.eq_ignore_ascii_case("pass") => state.parse_move("pass"),
            None => Err(NotationError::new(format!(
                "'{text}' is not a move; accepted are two squares such as c1-c3, c1:a3 or c1 a3, pass, resign and draw"
            ))),
        };
        let mv = mv.map_err(|error| (at, error.into()))?;
        game.push(mv, "");
        state.play(mv);
        Ok(())
    }

    /// The game before its first move.
    fn start(&mut self) -> Result<SgfGame, Located> {
        let usual = [Side::First, Side::Second].map(|side| Board::start().pieces(side));
        let Setup { pieces, turn, rules } = &self.setup;
        let board = Board::new(pieces.unwrap_or(usual), turn.unwrap_or(Side::First), *rules);
        let mut game = SgfGame::new(board.map_err(|error| (self.setup_at, error.into()))?);
        game.comment = std::mem::take(&mut self.comment);
        game.properties = std::mem::take(&mut self.properties);
        Ok(game)
    }

    /// The whole game. Where no result is recorded it is that of the last state.
    fn finish(mut self) -> Result<SgfGame, Located> {
        let (mut game, state) = match self.begun.take() {
            Some(begun) => begun,
            None => {
                let game = self.start()?;
                let state = Loa::new(game.start);
                (game, state)
            }
        };
        game.outcome = self.result.unwrap_or_else(|| state.outcome());
        Ok(game)
    }
}

fn is_this_game(text: &str) -> bool {
    text.split(|c: char| !c.is_ascii_digit()).next() == Some("9")
        || ["loa", "lines of action"].iter().any(|name| text.eq_ignore_ascii_case(name))
}

fn side_of(text: &str) -> Option<Side> {
    match text.as_bytes().first()? {
        b'B' | b'b' | b'1' => Some(Side::First),
        b'W' | b'w' | b'2' => Some(Side::Second),
        _ => None,
    }
}

/// The two squares of a move, with what may stand between and behind them.
fn squares(text: &str) -> Option<[Square; 2]> {
    let text = text.to_ascii_lowercase();
    let square = |text: &str| text.get(..2)?.parse::<Square>().ok();
    let from = square(&text)?;
    let rest = text[2..].trim_start_matches(|c: char| c.is_whitespace() || "-:x".contains(c));
    let to = square(rest)?;
    // Signs of praise and blame, but nothing that might be another square.
    let is_sign = |c: char| !c.is_ascii_alphanumeric();
    (from != to && rest[2..].chars().all(is_sign)).then_some([from, to])
}
