//! Games made by workers on other machines.
//!
//! A piece is a few games in a row, by their numbers. A game depends on its number and the
//! arguments alone, so that the file is that of one machine; it is written by this program alone,
//! from the columns that travel, and says what is done: after a kill the pieces with a game that is
//! missing are handed out again, and a game that comes twice is kept once.

mod check;
mod labels;
mod own;

pub use labels::LabelPieces;
pub use own::OwnPieces;

use crate::data::GameData;
use crate::error::DataError;
use crate::produce::{Amount, Collected, Production};
use crate::writer::Writer;
use monteverde_lab::behaviour::{Asked, behaviour};
use monteverde_lab::build::build;
use monteverde_lab::crew::{Arrival, Crew, CustomKind, CustomWork, Outstanding, Piece, Product};
use std::fmt::Write;
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

/// The kinds of work that a worker must know to make such games.
pub const KINDS: [CustomKind; 2] = [own::KIND, labels::KIND];

/// Work on games in a row.
pub trait Pieces: Sync {
    /// The work on the games of these numbers.
    fn work(&self, numbers: Range<u32>) -> Arc<dyn CustomWork>;
}

/// Games that are made elsewhere.
#[derive(Clone, Copy)]
pub struct RemoteGames<'a> {
    /// The workers.
    pub crew: &'a dyn Crew,
    /// What they are given.
    pub pieces: &'a dyn Pieces,
}

/// So many games are a piece. A game of quick searches takes a thirtieth of a second and a
/// coordinator takes in some 2,000 results a second, which is then enough for 250 cores; a game of
/// slow searches takes seconds, and a worker that is killed loses a piece.
const GAMES: u32 = 4;

/// A piece that is longer as a text is made here: it may not fit into a message.
const LONGEST_TEXT: usize = 1 << 19;

/// How often it is looked whether the time is over.
const WAIT: Duration = Duration::from_millis(100);

impl RemoteGames<'_> {
    /// Has the games made that are missing.
    pub(crate) fn make(
        &self,
        run: &Production<'_>,
        writer: &mut Writer,
        collected: &mut Collected<'_>,
    ) -> Result<(), DataError> {
        assert!(run.shard.is_none(), "workers make all games");
        let mut out = Outstanding::new(self.crew);
        let made = self.make_all(run, &mut out, (writer, collected));
        // Games beyond the last one that is wanted, or that nobody has time for.
        if !out.is_empty() {
            out.recall();
        }
        made
    }

    fn make_all(
        &self,
        run: &Production<'_>,
        out: &mut Outstanding<'_, Range<u32>>,
        (writer, collected): (&mut Writer, &mut Collected<'_>),
    ) -> Result<(), DataError> {
        let mut missing = Blocks::new(run.amount);
        let mut plays = None;
        while !collected.is_done() && !(run.is_over)() {
            while !out.is_full()
                && let Some(numbers) = missing.next(collected)
            {
                let work = self.pieces.work(numbers.clone());
                let plays = plays.get_or_insert_with(|| behaviour_of(&*work));
                let piece = Piece::custom(work, plays.clone());
                match piece.text().len() <= LONGEST_TEXT {
                    true => out.send(piece, numbers)?,
                    false => make_here(run, numbers, writer, collected)?,
                }
            }
            if out.is_empty() {
                return Ok(());
            }
            let Some(Arrival { jobs, delivery, .. }) = out.next(WAIT)? else { continue };
            match &delivery.product {
                // It has been checked.
                Ok(Product::Custom(text)) => {
                    for game in games_of(text).unwrap_or_default() {
                        collected.keep(&game.into(), writer)?;
                    }
                }
                // The word of a worker alone ends no run.
                _ => {
                    for numbers in jobs {
                        make_here(run, numbers, writer, collected)?;
                    }
                }
            }
            out.kept(&delivery);
        }
        Ok(())
    }
}

/// What the players of some work play here.
fn behaviour_of(work: &dyn CustomWork) -> String {
    behaviour(build(), work.game(), &Asked::by(work.game(), work.players()))
}

/// Makes games on this machine.
fn make_here(
    run: &Production<'_>,
    numbers: Range<u32>,
    writer: &mut Writer,
    collected: &mut Collected<'_>,
) -> Result<(), DataError> {
    for number in numbers {
        if !collected.has(number) {
            collected.keep(&run.make.make(number)?.into(), writer)?;
        }
    }
    Ok(())
}

/// The games of a run, some in a row at a time, from the first on.
struct Blocks {
    next: u32,
    end: u32,
}

impl Blocks {
    fn new(amount: Amount) -> Blocks {
        let end = match amount {
            Amount::Games(count) => count,
            Amount::States(_) => u32::MAX,
        };
        Blocks { next: 0, end }
    }

    /// The next of which one is missing. A piece that is lost for a while is waited for, and not
    /// overtaken without end.
    fn next(&mut self, collected: &Collected<'_>) -> Option<Range<u32>> {
        while self.next < self.end && !collected.is_enough_before(self.next) {
            let block = self.next..self.next.saturating_add(GAMES).min(self.end);
            self.next = block.end;
            if block.clone().any(|number| !collected.has(number)) {
                return Some(block);
            }
        }
        None
    }
}

/// Games as a text: a line each, the number and the columns in hexadecimal digits.
fn text_of(games: &[GameData]) -> String {
    let mut text = String::new();
    for game in games {
        let _ = write!(text, "{} ", game.number);
        for byte in game.encode() {
            let _ = write!(text, "{byte:02x}");
        }
        text.push('\n');
    }
    text
}

/// Reads such a text, which may be anything.
fn games_of(text: &str) -> Result<Vec<GameData>, String> {
    let game = |line: &str| {
        let (number, digits) = line.split_once(' ')?;
        GameData::decode(number.parse().ok()?, &bytes_of(digits)?)
    };
    let games: Option<Vec<GameData>> = text.lines().map(game).collect();
    games.ok_or_else(|| "it holds something that is no game".to_owned())
}

fn bytes_of(digits: &str) -> Option<Vec<u8>> {
    let digit = |byte: u8| char::from(byte).to_digit(16);
    let (pairs, rest) = digits.as_bytes().as_chunks::<2>();
    let byte = |&[high, low]: &[u8; 2]| Some((digit(high)? << 4 | digit(low)?) as u8);
    if rest.is_empty() { pairs.iter().map(byte).collect() } else { None }
}

/// Checks that a text holds the games of these numbers, each of which fits.
fn check_games(
    text: &str,
    numbers: impl IntoIterator<Item = u32>,
    check: impl Fn(&GameData) -> Result<(), String>,
) -> Result<(), String> {
    let games = games_of(text)?;
    if !games.iter().map(|game| game.number).eq(numbers) {
        return Err("its games are not those that were asked for".to_owned());
    }
    games.iter().try_for_each(|game| {
        check(game).map_err(|problem| format!("game {}: {problem}", game.number))
    })
}
