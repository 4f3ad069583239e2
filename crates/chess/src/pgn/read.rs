//! Reading games.

use super::{PgnError, PgnGame, PgnProblem, parse_outcome, tag_value};
use crate::{Board, Variant, fen, san};
use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// Reads the games of a text one by one. After an error it goes on with the next tag section that
/// follows an empty line.
pub fn parse(text: &str) -> Games<'_> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    Games { text, at: 0, last_brace: text.rfind('}'), counted: (0, 1) }
}

/// The games of a text; see [`parse`].
#[derive(Clone, Debug)]
pub struct Games<'a> {
    text: &'a str,
    at: usize,
    /// Where the last comment closes. Kept, so that a file full of comments that never close is
    /// not searched to its end for each of them.
    last_brace: Option<usize>,
    /// A byte up to which lines have been counted, and the number of its line: each error goes on
    /// from the one before, for which a file with many would otherwise take quadratic time.
    counted: (usize, usize),
}

/// A problem and the byte where it is.
type Located = (usize, PgnProblem);

enum Token<'a> {
    Word(&'a str),
    Glyph(u8),
    Comment(&'a str),
    Open,
    Close,
    /// The end of the text, or the tag section of another game.
    End,
}

impl Iterator for Games<'_> {
    type Item = Result<PgnGame, PgnError>;

    fn next(&mut self) -> Option<Self::Item> {
        match self.game() {
            Ok(game) => game.map(Ok),
            Err((at, problem)) => {
                // What a variation without its end has swallowed is not read again, for the same
                // reason as lines are not counted again.
                let swallowed = matches!(problem, PgnProblem::UnclosedVariation);
                self.skip_game(if swallowed { self.at } else { at });
                Some(Err(self.error(at, problem)))
            }
        }
    }
}

impl<'a> Games<'a> {
    /// The error at a byte that is not before that of the last error.
    fn error(&mut self, at: usize, problem: PgnProblem) -> PgnError {
        let (from, line) = self.counted;
        let new_lines = self.text[from..at].bytes().filter(|&byte| byte == b'\n').count();
        self.counted = (at, line + new_lines);
        let column = 1 + self.text[self.line_start(at)..at].chars().count();
        PgnError { line: line + new_lines, column, problem }
    }

    /// The next game; `None` if nothing but blanks and comments is left.
    fn game(&mut self) -> Result<Option<PgnGame>, Located> {
        let (mut game, any_tags) = self.tag_section()?;
        let mut board = game.start;
        loop {
            self.skip_blanks();
            let at = self.at;
            match self.token()? {
                // A comment above the tags of a game belongs to the file.
                Token::End if !any_tags && game.moves.is_empty() => {
                    return if self.rest().is_empty() { Ok(None) } else { self.game() };
                }
                Token::End => return Ok(Some(game)),
                Token::Word(word) => {
                    if let Some(outcome) = parse_outcome(word) {
                        game.outcome = outcome;
                        return Ok(Some(game));
                    }
                    let is_number = word.bytes().all(|byte| byte.is_ascii_digit());
                    if !is_number && word != "e.p." {
                        let mv = san::parse(&board, word).map_err(|error| (at, error.into()))?;
                        game.push(mv, "");
                        board.play(mv);
                    }
                }
                Token::Glyph(glyph) => {
                    if let Some(last) = game.moves.last_mut() {
                        last.glyphs.push(glyph);
                    }
                }
                Token::Comment(said) => {
                    let last = game.moves.last_mut();
                    let comment = last.map_or(&mut game.comment, |last| &mut last.comment);
                    for word in said.split_whitespace() {
                        if !comment.is_empty() {
                            comment.push(' ');
                        }
                        comment.push_str(word);
                    }
                }
                Token::Open => self.skip_variation(at)?,
                Token::Close => return Err((at, PgnProblem::UnopenedVariation)),
            }
        }
    }

    /// Reads the tags, and says whether there were any.
    fn tag_section(&mut self) -> Result<(PgnGame, bool), Located> {
        let mut game = PgnGame::new(Board::start());
        let mut fen = None;
        let mut any_tags = false;
        let mut variant = None;
        // Where each tag is kept, since a section may have any number of them.
        let mut places: HashMap<&str, usize> = HashMap::new();
        loop {
            self.skip_blanks();
            if !self.rest().starts_with('[') {
                break;
            }
            any_tags = true;
            let (name, value_at, value) = self.tag()?;
            match name {
                "Result" => game.outcome = parse_outcome(&value).flatten(),
                "SetUp" => {}
                "FEN" => fen = Some((value_at, value)),
                "Variant" => variant = Some(parse_variant(value).map_err(|bad| (value_at, bad))?),
                _ => match places.entry(name) {
                    Entry::Occupied(place) => game.tags[*place.get()].1 = tag_value(&value),
                    Entry::Vacant(place) => {
                        place.insert(game.tags.len());
                        game.tags.push((name.to_owned(), tag_value(&value)));
                    }
                },
            }
        }
        game.start = match (fen, variant) {
            (None, None | Some(Variant::Standard)) => Board::start(),
            (None, Some(Variant::Chess960)) => fen::parse_as(fen::START, Variant::Chess960)
                .expect("the start of chess is one of the 960"),
            (Some((at, fen)), variant) => variant
                .map_or_else(|| fen::parse(&fen), |variant| fen::parse_as(&fen, variant))
                .map_err(|error| (at, error.into()))?,
        };
        Ok((game, any_tags))
    }

    /// A tag's name, the byte where its value begins, and the value.
    fn tag(&mut self) -> Result<(&'a str, usize, String), Located> {
        self.at += 1;
        self.skip_inline_blanks();
        let name = self.take_while(|c| c.is_ascii_alphanumeric() || c == '_');
        if name.is_empty() {
            return Err((self.at, PgnProblem::Tag("a name of letters, digits and _ belongs here")));
        }
        self.skip_inline_blanks();
        if !self.rest().starts_with('"') {
            return Err((self.at, PgnProblem::Tag("a value in double quotes belongs here")));
        }
        let value_at = self.at;
        self.at += 1;
        let value = self.quoted().ok_or((
            value_at,
            PgnProblem::Tag("the value that begins here has no closing quote"),
        ))?;
        self.skip_inline_blanks();
        if !self.rest().starts_with(']') {
            return Err((self.at, PgnProblem::Tag("a closing bracket belongs here")));
        }
        self.at += 1;
        Ok((name, value_at, value))
    }

    /// The rest of a quoted value with its escapes resolved; `None` if the line ends first.
    fn quoted(&mut self) -> Option<String> {
        let mut value = String::new();
        let mut rest = self.rest().char_indices();
        while let Some((offset, c)) = rest.next() {
            match c {
                '"' => {
                    self.at += offset + 1;
                    return Some(value);
                }
                '\n' => return None,
                // Only quotes and backslashes are escaped; before anything else a backslash is
                // itself.
                '\\' if rest.as_str().starts_with(['"', '\\']) => {
                    value.extend(rest.next().map(|(_, c)| c))
                }
                _ => value.push(c),
            }
        }
        None
    }

    /// The next token of the moves; blanks before it must have been skipped.
    fn token(&mut self) -> Result<Token<'a>, Located> {
        let at = self.at;
        let Some(first) = self.rest().chars().next() else { return Ok(Token::End) };
        match first {
            '[' => Ok(Token::End),
            '(' | ')' | '*' | '{' => {
                self.at += 1;
                match first {
                    '(' => Ok(Token::Open),
                    ')' => Ok(Token::Close),
                    '*' => Ok(Token::Word("*")),
                    _ => {
                        let closes = self.last_brace.is_some_and(|last| last > at);
                        let end = if closes { self.rest().find('}') } else { None };
                        let end = end.ok_or((at, PgnProblem::UnclosedComment))?;
                        self.at += end + 1;
                        Ok(Token::Comment(&self.text[at + 1..at + 1 + end]))
                    }
                }
            }
            ';' => Ok(Token::Comment(&self.take_while(|c| c != '\n')[1..])),
            '$' | '!' | '?' => {
                let text = if first == '$' {
                    self.at += 1;
                    self.take_while(|c| c.is_ascii_digit());
                    &self.text[at..self.at]
                } else {
                    self.take_while(|c| matches!(c, '!' | '?'))
                };
                let glyph = parse_glyph(text).ok_or((at, PgnProblem::Glyph(text.to_owned())))?;
                Ok(Token::Glyph(glyph))
            }
            // The dots after a move number are blanks, those of `e.p.` are not.
            '0'..='9' => Ok(Token::Word(self.take_while(is_move_character))),
            'A'..='Z' | 'a'..='z' | '-' => {
                Ok(Token::Word(self.take_while(|c| is_move_character(c) || c == '.')))
            }
            _ => Err((at, PgnProblem::UnexpectedCharacter(first))),
        }
    }

    /// Skips what is left of a variation, with all that is nested in it. `open` is where it began.
    fn skip_variation(&mut self, open: usize) -> Result<(), Located> {
        let mut depth = 1;
        while depth > 0 {
            self.skip_blanks();
            match self.token()? {
                Token::Open => depth += 1,
                Token::Close => depth -= 1,
                Token::End => return Err((open, PgnProblem::UnclosedVariation)),
                Token::Word(_) | Token::Glyph(_) | Token::Comment(_) => {}
            }
        }
        Ok(())
    }

    /// After an error at byte `at`, goes to the next line that opens a tag after an empty line;
    /// `at` itself may open it.
    fn skip_game(&mut self, at: usize) {
        // From the start of a line, since the rest of one may be empty where the line is not, and
        // from the line before if that is where it is already.
        self.at = self.line_start(at);
        if self.at == at && at > 0 {
            self.at = self.line_start(at - 1);
        }
        loop {
            let line = self.take_while(|c| c != '\n');
            let after_empty = line.trim().is_empty();
            if self.rest().is_empty() {
                return;
            }
            self.at += 1;
            if after_empty && self.at >= at && self.rest().starts_with('[') {
                return;
            }
        }
    }

    /// Where the line of a byte begins.
    fn line_start(&self, at: usize) -> usize {
        self.text[..at].rfind('\n').map_or(0, |end| end + 1)
    }

    /// Skips blanks, the dots of move numbers, and escaped lines, which begin with a percent sign.
    fn skip_blanks(&mut self) {
        loop {
            self.take_while(|c| c.is_whitespace() || c == '.');
            let at_line_start = self.at == 0 || self.text.as_bytes()[self.at - 1] == b'\n';
            if !(at_line_start && self.rest().starts_with('%')) {
                return;
            }
            self.take_while(|c| c != '\n');
        }
    }

    fn skip_inline_blanks(&mut self) {
        self.take_while(|c| c == ' ' || c == '\t');
    }

    fn take_while(&mut self, mut wanted: impl FnMut(char) -> bool) -> &'a str {
        let rest = self.rest();
        let taken = &rest[..rest.find(|c| !wanted(c)).unwrap_or(rest.len())];
        self.at += taken.len();
        taken
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }
}

fn is_move_character(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '+' | '#' | '=' | ':' | '-' | '/' | '_')
}

fn parse_glyph(text: &str) -> Option<u8> {
    const SUFFIXES: [&str; 6] = ["!", "?", "!!", "??", "!?", "?!"];
    match text.strip_prefix('$') {
        Some(number) => number.parse().ok(),
        None => SUFFIXES.iter().position(|&suffix| suffix == text).map(|index| index as u8 + 1),
    }
}

fn parse_variant(name: String) -> Result<Variant, PgnProblem> {
    let plain: String = name.chars().filter(char::is_ascii_alphanumeric).collect();
    match plain.to_ascii_lowercase().as_str() {
        "standard" | "chess" | "normal" | "fromposition" => Ok(Variant::Standard),
        "chess960" | "fischerandom" | "fischerrandom" => Ok(Variant::Chess960),
        _ => Err(PgnProblem::Variant(name)),
    }
}
