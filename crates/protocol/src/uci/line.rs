//! The position to think about: where the game started and what was played since.

use monteverde_chess::fen::FenError;
use monteverde_chess::uci::{self, UciError};
use monteverde_chess::{Chess, Move, Variant, fen};
use monteverde_game::{Game, Notation};

/// A line of play.
#[derive(Clone, Debug)]
pub struct Line {
    /// Where it starts, as text: equal states have equal texts.
    start: String,
    moves: Vec<Move>,
    state: Chess,
}

/// What was wrong with a position.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum LineError {
    /// The FEN is none.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// A move is none.
    #[error("move {number}: {error}")]
    Move {
        /// Its number in the list, from 1.
        number: usize,
        /// What is wrong with it.
        error: UciError,
    },
}

impl Line {
    /// The initial state, no move played.
    pub fn start() -> Line {
        Line::from(Chess::start())
    }

    /// Reads a line of play: a FEN, or `None` for the initial state, and moves. With `Some` variant the
    /// state is of it; with `None` the FEN decides.
    pub fn parse(
        text: Option<&str>,
        moves: &[String],
        variant: Option<Variant>,
    ) -> Result<Line, LineError> {
        let text = text.unwrap_or(fen::START);
        let board = match variant {
            Some(variant) => fen::parse_as(text, variant)?,
            None => fen::parse(text)?,
        };
        let mut line = Line::from(Chess::new(board));
        for (text, number) in moves.iter().zip(1..) {
            let mv = uci::parse(line.state.board(), text)
                .map_err(|error| LineError::Move { number, error })?;
            line.state.play(mv);
            line.moves.push(mv);
        }
        Ok(line)
    }

    /// The state that it leads to.
    pub fn state(&self) -> &Chess {
        &self.state
    }

    /// The moves by which it goes on from where `earlier` ends; `None` if it does not.
    pub fn since(&self, earlier: &Line) -> Option<&[Move]> {
        let same_game = self.start == earlier.start
            && self.state.board().variant() == earlier.state.board().variant();
        if same_game { self.moves.strip_prefix(&earlier.moves[..]) } else { None }
    }
}

impl From<Chess> for Line {
    fn from(state: Chess) -> Line {
        Line { start: state.state_text(), moves: Vec::new(), state }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(fen: Option<&str>, moves: &str) -> Result<Line, LineError> {
        let moves: Vec<String> = moves.split_whitespace().map(str::to_owned).collect();
        Line::parse(fen, &moves, None)
    }

    #[test]
    fn a_line_goes_on_from_an_earlier_one_or_not() {
        let get = |moves| line(None, moves).expect("a line of the test");
        let since = |later: &Line, earlier: &Line| later.since(earlier).map(<[Move]>::len);
        assert_eq!(since(&get("e2e4 e7e5"), &get("e2e4")), Some(1));
        assert_eq!(since(&get("e2e4"), &get("e2e4")), Some(0));
        assert_eq!(since(&get("e2e4"), &get("d2d4")), None);
        assert_eq!(since(&get("e2e4"), &get("e2e4 e7e5")), None);
        assert_eq!(since(&get("e2e4"), &Line::start()), Some(1));
        let other = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1";
        assert_eq!(since(&line(Some(other), "e7e5").expect("a line"), &Line::start()), None);
    }

    #[test]
    fn mistakes_say_which_move() {
        let error = line(None, "e2e4 e7e4").expect_err("the move is not legal");
        assert_eq!(
            error.to_string(),
            "move 2: 'e7e4' is not legal in \
             'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1'"
        );
        assert!(matches!(line(Some("8/8"), ""), Err(LineError::Fen(_))));
        // SAN is not UCI.
        assert!(line(None, "Nf3").is_err());
    }

    #[test]
    fn the_variant_decides_how_castling_is_written() {
        let fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        let texts = |variant| {
            let line = Line::parse(Some(fen), &[], variant).expect("a line of the test");
            let mut moves = Vec::new();
            line.state().moves(&mut moves);
            moves.retain(|mv| mv.is_castling());
            let mut texts: Vec<_> = moves.iter().map(|&mv| line.state().move_text(mv)).collect();
            texts.sort();
            texts
        };
        assert_eq!(texts(None), ["e1c1", "e1g1"]);
        assert_eq!(texts(Some(Variant::Chess960)), ["e1a1", "e1h1"]);
    }
}
