//! What differs between the games that are played by UCI.

use super::options::{Name, Options};
use monteverde_chess::{Chess, Variant, fen, uci};
use monteverde_game::NotationError;
use monteverde_loa::Loa;
use monteverde_players::Playable;

/// A game that is played by UCI, and its own words in that protocol.
pub trait Dialect: Playable + 'static {
    /// What the engine is, in a sentence.
    const TITLE: &'static str;
    /// The player that plays unless another is set: the strongest, which is what an interface wants.
    const PLAYER: &'static str;
    /// What may be set, in the order in which it is declared.
    const OPTIONS: &'static [Name];

    /// Reads the state that a line of play begins with, `None` for the initial one.
    fn read_state(text: Option<&str>, options: &Options) -> Result<Self, NotationError> {
        let _ = options;
        text.map_or_else(|| Ok(Self::start()), Self::parse_state)
    }

    /// Reads a legal move of this state.
    fn read_move(&self, text: &str) -> Result<Self::Move, NotationError> {
        self.parse_move(text)
    }

    /// Whether a line of play may go on from this state to the other, so far as the way in which moves are written
    /// goes.
    fn is_written_like(&self, other: &Self) -> bool {
        let _ = other;
        true
    }

    /// A value of the game's evaluation on the scale of pawns; `None` where that scale has nothing to do with it.
    fn centipawns(eval: f32) -> Option<i32>;
}

impl Dialect for Chess {
    const TITLE: &'static str =
        "Monteverde is a chess engine for programs that speak the Universal Chess Interface.";
    const PLAYER: &'static str = "best";
    const OPTIONS: &'static [Name] = &[
        Name::Hash,
        Name::Threads,
        Name::MultiPv,
        Name::Ponder,
        Name::Chess960,
        Name::ShowWdl,
        Name::AnalyseMode,
        Name::MoveOverhead,
        Name::Player,
        Name::Seed,
        Name::SyzygyPath,
    ];

    /// With `UCI_Chess960` every state is one of Chess960; without it the FEN decides.
    fn read_state(text: Option<&str>, options: &Options) -> Result<Chess, NotationError> {
        let text = text.unwrap_or(fen::START);
        let board = match options.chess960 {
            true => fen::parse_as(text, Variant::Chess960),
            false => fen::parse(text),
        };
        board.map(Chess::new).map_err(|error| NotationError::new(error.to_string()))
    }

    /// SAN is not UCI.
    fn read_move(&self, text: &str) -> Result<Self::Move, NotationError> {
        uci::parse(self.board(), text).map_err(|error| NotationError::new(error.to_string()))
    }

    fn is_written_like(&self, other: &Chess) -> bool {
        self.board().variant() == other.board().variant()
    }

    /// The evaluation of chess counts centipawns.
    fn centipawns(eval: f32) -> Option<i32> {
        Some(eval.round() as i32)
    }
}

impl Dialect for Loa {
    const TITLE: &'static str =
        "Monteverde plays Lines of Action in a dialect of the Universal Chess Interface.";
    const PLAYER: &'static str = "best";
    const OPTIONS: &'static [Name] = &[
        Name::Hash,
        Name::Threads,
        Name::MultiPv,
        Name::Ponder,
        Name::ShowWdl,
        Name::AnalyseMode,
        Name::MoveOverhead,
        Name::Player,
        Name::Seed,
    ];

    /// The game has no pawns: scores come from the share of points that is expected.
    fn centipawns(_: f32) -> Option<i32> {
        None
    }
}
