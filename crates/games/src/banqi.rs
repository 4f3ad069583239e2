//! Chinese dark chess.

pub mod endgames;
mod face;
mod levels;
mod players;
mod presentation;
mod settings;
mod signature;
pub mod tcga;

use crate::tables;
use endgames::{BanqiEndgames, MOST_PIECES};
use monteverde_banqi::{Banqi, Move, Piece};
use monteverde_knowledge::banqi::{BanqiFeatures, BanqiKnowledge};
use monteverde_network::Features;
use monteverde_players::entry::Gauge;
use monteverde_players::face::{BoardView, MoveView, SideView};
use monteverde_players::setting::Setting;
use monteverde_players::{
    Entry, GameCommand, Level, OwnNetwork, Presentation, Preset, Searcher, Settings, SignatureCase,
    search_with,
};

/// The network of `best`; how it came to be stands in its card (`monteverde network info banqi`).
static NETWORK: OwnNetwork = OwnNetwork::new(include_bytes!("../networks/banqi.net"));

/// Chinese dark chess.
#[derive(Clone, Copy, Debug)]
pub struct BanqiEntry;

impl Entry for BanqiEntry {
    type Game = Banqi;

    fn title(&self) -> &'static str {
        "Chinese dark chess"
    }
    /// The first flip decides on the colours.
    fn rules(&self) -> Option<&'static str> {
        Some("/docs/dark-chess.html")
    }
    fn sides(&self, state: &Banqi) -> [SideView; 2] {
        face::sides(state.board())
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
        players::PLAYERS
    }
    fn levels(&self) -> &'static [Level] {
        levels::LEVELS
    }
    fn own_settings(&self) -> &'static [Setting<Settings>] {
        settings::TABLE
    }
    fn searcher(&self, settings: &Settings) -> Box<dyn Searcher<Banqi>> {
        let Settings { pieces, tables_root: least_root, .. } = *settings;
        let oracle = BanqiEndgames { pieces, least_root };
        search_with(settings, settings.own::<BanqiKnowledge>(), oracle, BanqiFeatures)
    }
    fn note(&self, settings: &Settings) -> Option<String> {
        tables::note(settings, missing_tables)
    }
    fn missing_tables(&self, pieces: u32) -> Option<String> {
        missing_tables(pieces)
    }
    fn network(&self) -> Option<&'static OwnNetwork> {
        Some(&NETWORK)
    }
    fn features(&self) -> Option<&'static dyn Features<Banqi>> {
        Some(&BanqiFeatures)
    }
    /// About to take.
    fn is_loud(&self, state: &Banqi, best: Move) -> bool {
        state.board().is_capture(best)
    }
    fn recorded_signature(&self) -> &'static str {
        crate::SIGNATURE
    }
    fn signature(&self) -> &'static [SignatureCase] {
        signature::CASES
    }
    fn board(&self, state: &Banqi) -> Option<BoardView> {
        Some(face::board(state.board()))
    }
    fn presentation(&self) -> Presentation {
        presentation::presentation()
    }
    fn move_view(&self, state: &Banqi, mv: Move) -> MoveView {
        face::move_view(state.board(), mv)
    }
    fn event_name(&self, event: Piece) -> Option<String> {
        Some(face::event_name(event))
    }

    fn gauges(&self) -> &'static [Gauge<Banqi>] {
        &[Gauge { name: "revealed", read: |state| state.board().face_up().count_ones() }]
    }

    fn commands(&self) -> Vec<GameCommand> {
        vec![tcga::COMMAND]
    }
}

fn missing_tables(pieces: u32) -> Option<String> {
    let too_many = pieces > MOST_PIECES;
    too_many.then(|| format!("only those of up to {MOST_PIECES} pieces are solved"))
}
