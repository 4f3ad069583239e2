//! Lines of Action.

mod face;
mod levels;
mod players;
mod presentation;
mod record;
mod settings;
mod signature;
mod tune;

use monteverde_game::{NoOracle, NotationError};
use monteverde_knowledge::loa::{LoaFeatures, LoaKnowledge};
use monteverde_loa::{Loa, Move};
use monteverde_network::Features;
use monteverde_players::alphabeta::AlphaBetaPlayers;
use monteverde_players::face::{BoardView, MoveView, PieceColour, SideView};
use monteverde_players::setting::Setting;
use monteverde_players::{
    Entry, GameCommand, Level, OwnNetwork, Presentation, Preset, RecordError, RecordFormat,
    Searcher, Settings, SignatureCase, Transcript, UciWords, search_with,
};

/// The network of `best`; how it came to be stands in its card (`monteverde network info loa`).
static NETWORK: OwnNetwork = OwnNetwork::new(include_bytes!("../networks/loa.net"));

/// Lines of Action.
#[derive(Clone, Copy, Debug)]
pub struct LoaEntry;

impl Entry for LoaEntry {
    type Game = Loa;

    fn title(&self) -> &'static str {
        "Lines of Action"
    }
    fn rules(&self) -> Option<&'static str> {
        Some("/docs/lines-of-action.html")
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
        players::PLAYERS
    }
    fn levels(&self) -> &'static [Level] {
        levels::LEVELS
    }
    fn own_settings(&self) -> &'static [Setting<Settings>] {
        settings::TABLE
    }
    fn searcher(&self, settings: &Settings) -> Box<dyn Searcher<Loa>> {
        let knowledge = settings.own::<LoaKnowledge>();
        search_with(settings, knowledge, NoOracle, LoaFeatures)
    }
    fn alphabeta(&self) -> Option<AlphaBetaPlayers<Loa>> {
        Some(players::ALPHA_BETA)
    }
    fn network(&self) -> Option<&'static OwnNetwork> {
        Some(&NETWORK)
    }
    fn features(&self) -> Option<&'static dyn Features<Loa>> {
        Some(&LoaFeatures)
    }
    /// About to take.
    fn is_loud(&self, state: &Loa, best: Move) -> bool {
        state.board().is_capture(best)
    }
    fn recorded_signature(&self) -> &'static str {
        crate::SIGNATURE
    }
    fn signature(&self) -> &'static [SignatureCase] {
        signature::CASES
    }

    fn board(&self, state: &Loa) -> Option<BoardView> {
        Some(face::board(state.board()))
    }
    fn presentation(&self) -> Presentation {
        presentation::presentation()
    }
    fn move_view(&self, state: &Loa, mv: Move) -> MoveView {
        face::move_view(state.board(), mv)
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
    fn read_record(&self, text: &str) -> Option<Result<Transcript, RecordError>> {
        record::read_first(text)
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
