//! The position to think about: where the game started and what was played since.

use super::Dialect;
use super::options::Options;
use monteverde_game::NotationError;

/// A line of play.
#[derive(Clone, Debug)]
pub struct Line<G: Dialect> {
    /// Where it starts, as text: equal states have equal texts.
    start: String,
    moves: Vec<G::Move>,
    state: G,
}

/// What was wrong with a position.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum LineError {
    /// The text of the state is none.
    #[error(transparent)]
    State(NotationError),
    /// A move is none.
    #[error("move {number}: {error}")]
    Move {
        /// Its number in the list, from 1.
        number: usize,
        /// What is wrong with it.
        error: NotationError,
    },
}

impl<G: Dialect> Line<G> {
    /// The initial state, no move played.
    pub fn start() -> Line<G> {
        Line::at(G::start())
    }

    /// Reads a line of play: a state, or `None` for the initial one, and moves.
    pub fn parse(
        text: Option<&str>,
        moves: &[String],
        options: &Options,
    ) -> Result<Line<G>, LineError> {
        let mut line = Line::at(G::read_state(text, options).map_err(LineError::State)?);
        for (text, number) in moves.iter().zip(1..) {
            let mv =
                line.state.read_move(text).map_err(|error| LineError::Move { number, error })?;
            line.state.play(mv);
            line.moves.push(mv);
        }
        Ok(line)
    }

    /// The state that it leads to.
    pub fn state(&self) -> &G {
        &self.state
    }

    /// The moves by which it goes on from where `earlier` ends; `None` if it does not.
    pub fn since(&self, earlier: &Line<G>) -> Option<&[G::Move]> {
        let same_game = self.start == earlier.start && self.state.is_written_like(&earlier.state);
        if same_game { self.moves.strip_prefix(&earlier.moves[..]) } else { None }
    }

    fn at(state: G) -> Line<G> {
        Line { start: state.state_text(), moves: Vec::new(), state }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use monteverde_chess::{Chess, Move};
    use monteverde_game::{Game, Notation};
    use monteverde_loa::Loa;

    fn line<G: Dialect>(state: Option<&str>, moves: &str) -> Result<Line<G>, LineError> {
        let moves: Vec<String> = moves.split_whitespace().map(str::to_owned).collect();
        Line::parse(state, &moves, &Options::new::<G>())
    }

    #[test]
    fn a_line_goes_on_from_an_earlier_one_or_not() {
        let get = |moves| line::<Chess>(None, moves).expect("a line of the test");
        let since =
            |later: &Line<Chess>, earlier: &Line<Chess>| later.since(earlier).map(<[Move]>::len);
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
        let error = line::<Chess>(None, "e2e4 e7e4").expect_err("the move is not legal");
        assert_eq!(
            error.to_string(),
            "move 2: 'e7e4' is not legal in \
             'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1'"
        );
        assert!(matches!(line::<Chess>(Some("8/8"), ""), Err(LineError::State(_))));
        // SAN is not UCI.
        assert!(line::<Chess>(None, "Nf3").is_err());
    }

    #[test]
    fn the_variant_decides_how_castling_is_written() {
        let fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        let texts = |chess960| {
            let mut options = Options::new::<Chess>();
            options.chess960 = chess960;
            let line = Line::<Chess>::parse(Some(fen), &[], &options).expect("a line of the test");
            let mut moves = Vec::new();
            line.state().moves(&mut moves);
            moves.retain(|mv| mv.is_castling());
            let mut texts: Vec<_> = moves.iter().map(|&mv| line.state().move_text(mv)).collect();
            texts.sort();
            texts
        };
        assert_eq!(texts(false), ["e1c1", "e1g1"]);
        assert_eq!(texts(true), ["e1a1", "e1h1"]);
    }

    #[test]
    fn lines_of_action_has_its_own_moves() {
        // Marks of captures are read, and not needed.
        let moves = "c1a3 a2-c4 c8xa6 a4-d4 e1c3 d4g4";
        let after = line::<Loa>(None, moves).expect("a line of the test");
        assert_eq!(after.state().state_text(), "1x1xxxx1/o6o/x6o/o6o/2o3oo/x1x4o/7o/1x1x1xx1 b");
        let stuck = "xo4ox/oo4oo/8/8/8/8/oo4oo/xo4ox b";
        assert!(line::<Loa>(Some(stuck), "pass").is_ok());
        let error = line::<Loa>(None, "c1c3 pass").expect_err("White has moves").to_string();
        assert!(error.starts_with("move 2: 'pass' is not legal in '"), "{error}");
    }
}
