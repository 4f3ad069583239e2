//! Lines of Action.

mod record;
mod tune;

use monteverde_game::NotationError;
use monteverde_loa::Loa;
use monteverde_players::alphabeta::AlphaBetaPlayers;
use monteverde_players::face::{PieceColour, SideView};
use monteverde_players::{
    Entry, GameCommand, Playable, Preset, RecordError, RecordFormat, SearchWith, Searcher,
    Settings, Transcript, UciWords,
};

/// Lines of Action.
#[derive(Clone, Copy, Debug)]
pub struct LoaEntry;

impl Entry for LoaEntry {
    type Game = Loa;

    fn title(&self) -> &'static str {
        "Lines of Action"
    }
    fn sides(&self, _: &Loa) -> [SideView; 2] {
        [("Black", PieceColour::Black), ("White", PieceColour::White)]
            .map(|(name, colour)| SideView { name: name.into(), colour: Some(colour) })
    }
    fn ending_words(&self, ending: &str) -> Option<&'static str> {
        Some(match ending {
            "connection" => "all its pieces are connected",
            "both connected" => "both sides are connected at once",
            "repetition" => "the same position occurred again and again",
            "no move" => "the other side cannot move",
            "length" => "the game has become too long",
            _ => return None,
        })
    }

    fn players(&self) -> &'static [Preset] {
        Loa::PLAYERS
    }
    fn searcher(&self, settings: &Settings) -> Box<dyn Searcher<Loa>> {
        let (knowledge, oracle) = (Loa::knowledge(settings), Loa::oracle(settings));
        Box::new(SearchWith { knowledge, oracle })
    }
    fn alphabeta(&self) -> Option<AlphaBetaPlayers<Loa>> {
        Loa::ALPHA_BETA
    }

    fn record_format(&self) -> RecordFormat {
        RecordFormat { name: "sgf", extension: "sgf", about: "SGF" }
    }
    fn write_record(&self, game: &Transcript) -> Result<String, NotationError> {
        record::write(game)
    }
    fn read_records(&self, text: &str) -> Result<Vec<Transcript>, RecordError> {
        record::read(text)
    }
    fn is_record(&self, text: &str) -> bool {
        text.starts_with('(')
    }

    fn uci(&self) -> Option<UciWords> {
        Some(UciWords {
            title: "Monteverde plays Lines of Action in a dialect of the Universal Chess Interface.",
            player: "best",
            chess960: false,
            syzygy: false,
            xboard: false,
        })
    }
    fn commands(&self) -> Vec<GameCommand> {
        vec![tune::COMMAND]
    }
}
