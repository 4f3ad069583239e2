//! Chinese dark chess.

pub mod tcga;

use monteverde_banqi::{Banqi, Colour};
use monteverde_players::entry::Gauge;
use monteverde_players::face::{PieceColour, SideView};
use monteverde_players::{Entry, GameCommand, Playable, Preset, SearchWith, Searcher, Settings};

/// Chinese dark chess.
#[derive(Clone, Copy, Debug)]
pub struct BanqiEntry;

impl Entry for BanqiEntry {
    type Game = Banqi;

    fn title(&self) -> &'static str {
        "Chinese dark chess"
    }
    /// The first flip decides on the colours.
    fn sides(&self, state: &Banqi) -> [SideView; 2] {
        let red = ("Red", Some(PieceColour::Red));
        let black = ("Black", Some(PieceColour::Black));
        let sides = match state.board().colours() {
            Some(colours) if colours.first == Colour::Red => [red, black],
            Some(_) => [black, red],
            None => [("First", None), ("Second", None)],
        };
        sides.map(|(name, colour)| SideView { name: name.into(), colour })
    }
    fn ending_words(&self, ending: &str) -> Option<&'static str> {
        Some(match ending {
            "all captured" => "the other side has lost all its pieces",
            "no move" => "the other side cannot move",
            "quiet plies" => "too many plies without a capture or a flip",
            "repetition" => "the same position occurred again and again",
            _ => return None,
        })
    }

    fn players(&self) -> &'static [Preset] {
        Banqi::PLAYERS
    }
    fn searcher(&self, settings: &Settings) -> Box<dyn Searcher<Banqi>> {
        let (knowledge, oracle) = (Banqi::knowledge(settings), Banqi::oracle(settings));
        Box::new(SearchWith { knowledge, oracle })
    }
    fn note(&self, settings: &Settings) -> Option<String> {
        Banqi::note(settings)
    }
    fn missing_tables(&self, pieces: u32) -> Option<String> {
        Banqi::missing_tables(pieces)
    }
    fn gauges(&self) -> &'static [Gauge<Banqi>] {
        Banqi::GAUGES
    }

    fn commands(&self) -> Vec<GameCommand> {
        vec![tcga::COMMAND]
    }
}
