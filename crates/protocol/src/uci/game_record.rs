//! The position to think about: where the game started and what was played since.

use super::options::Options;
use monteverde_game::{Game, NotationError};
use monteverde_players::{AnyGame, AnyState, AnyStep};

/// A game so far.
#[derive(Clone, Debug)]
pub struct GameRecord {
    /// Where it starts, as text: equal states have equal texts.
    start: String,
    moves: Vec<AnyStep>,
    state: AnyState,
}

/// What was wrong with a position.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PositionError {
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

impl GameRecord {
    /// The initial state, no move played.
    pub fn start(game: AnyGame) -> GameRecord {
        GameRecord::at(game.start())
    }

    /// Reads a game: a state, or `None` for the initial one, and moves.
    pub fn parse(
        game: AnyGame,
        text: Option<&str>,
        moves: &[String],
        options: &Options,
    ) -> Result<GameRecord, PositionError> {
        let state = game.uci_state(text, options.reading()).map_err(PositionError::State)?;
        let mut record = GameRecord::at(state);
        for (text, number) in moves.iter().zip(1..) {
            let mv = record.state.uci_move(text);
            let mv = mv.map_err(|error| PositionError::Move { number, error })?;
            record.state.play(mv);
            record.moves.push(mv);
        }
        Ok(record)
    }

    /// The state that it leads to.
    pub fn state(&self) -> &AnyState {
        &self.state
    }

    /// The moves by which it goes on from where `earlier` ends; `None` if it does not.
    pub fn since(&self, earlier: &GameRecord) -> Option<&[AnyStep]> {
        let same_game = self.start == earlier.start && self.state.is_written_like(&earlier.state);
        if same_game { self.moves.strip_prefix(&earlier.moves[..]) } else { None }
    }

    fn at(state: AnyState) -> GameRecord {
        GameRecord { start: state.state_text(), moves: Vec::new(), state }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use monteverde_chess::Move;
    use monteverde_game::Step;
    use monteverde_games::games;

    fn game(name: &str) -> AnyGame {
        games().game(name).expect("a game of ours")
    }

    fn record(name: &str, state: Option<&str>, moves: &str) -> Result<GameRecord, PositionError> {
        let moves: Vec<String> = moves.split_whitespace().map(str::to_owned).collect();
        GameRecord::parse(game(name), state, &moves, &Options::new(game(name)))
    }

    #[test]
    fn a_record_goes_on_from_an_earlier_one_or_not() {
        let get = |moves| record("chess", None, moves).expect("a record of the test");
        let since =
            |later: &GameRecord, earlier: &GameRecord| later.since(earlier).map(<[AnyStep]>::len);
        assert_eq!(since(&get("e2e4 e7e5"), &get("e2e4")), Some(1));
        assert_eq!(since(&get("e2e4"), &get("e2e4")), Some(0));
        assert_eq!(since(&get("e2e4"), &get("d2d4")), None);
        assert_eq!(since(&get("e2e4"), &get("e2e4 e7e5")), None);
        let start = GameRecord::start(game("chess"));
        assert_eq!(since(&get("e2e4"), &start), Some(1));
        let other = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1";
        let other = record("chess", Some(other), "e7e5").expect("a record");
        assert_eq!(since(&other, &start), None);
    }

    #[test]
    fn mistakes_say_which_move() {
        let error = record("chess", None, "e2e4 e7e4").expect_err("the move is not legal");
        assert_eq!(
            error.to_string(),
            "move 2: 'e7e4' is not legal in \
             'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1'"
        );
        assert!(matches!(record("chess", Some("8/8"), ""), Err(PositionError::State(_))));
        // SAN is not UCI.
        assert!(record("chess", None, "Nf3").is_err());
    }

    #[test]
    fn the_variant_decides_how_castling_is_written() {
        let fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        let texts = |chess960| {
            let mut options = Options::new(game("chess"));
            options.chess960 = chess960;
            let record = GameRecord::parse(game("chess"), Some(fen), &[], &options)
                .expect("a record of the test");
            let mut moves = Vec::new();
            record.state().moves(&mut moves);
            moves.retain(|mv| Move::from_bits(mv.to_bits()).is_castling());
            let mut texts: Vec<_> = moves.iter().map(|&mv| record.state().move_text(mv)).collect();
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
        let after = record("loa", None, moves).expect("a record of the test");
        assert_eq!(after.state().state_text(), "1x1xxxx1/o6o/x6o/o6o/2o3oo/x1x4o/7o/1x1x1xx1 b");
        let stuck = "xo4ox/oo4oo/8/8/8/8/oo4oo/xo4ox b";
        assert!(record("loa", Some(stuck), "pass").is_ok());
        let error = record("loa", None, "c1c3 pass").expect_err("White has moves").to_string();
        assert!(error.starts_with("move 2: 'pass' is not legal in '"), "{error}");
    }
}
