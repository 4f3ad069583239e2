//! Chess and Chess960.

mod epd;
mod face;
mod levels;
mod openings;
mod players;
mod presentation;
mod record;
mod settings;
mod signature;
mod starts;
mod study;
mod tablebase;
pub mod tables;
mod tune;

use crate::tables::note;
use monteverde_chess::{Chess, Move, Variant, fen, san, uci};
use monteverde_game::{NotationError, Rng};
use monteverde_knowledge::chess::ChessFeatures;
use monteverde_network::Features;
use monteverde_players::alphabeta::AlphaBetaPlayers;
use monteverde_players::face::{BoardView, MoveView, PieceColour, SideView};
use monteverde_players::setting::Setting;
use monteverde_players::{
    Entry, GameCommand, Level, OwnNetwork, Presentation, Preset, Puzzle, RecordError, RecordFormat,
    Searcher, Settings, SignatureCase, StartKind, StrengthScale, Transcript, UciReading, UciWords,
    search_with,
};
use monteverde_tablebase::Syzygy;
use settings::OwnChess;
use std::path::{Path, PathBuf};
use study::{Rules, StudySearcher};
use tables::{ChessTables, Edition};

/// The network of `best`; how it came to be stands in its card (`monteverde network info chess`).
static NETWORK: OwnNetwork = OwnNetwork::new(include_bytes!("../networks/chess.net"));

/// Chess.
#[derive(Clone, Copy, Debug)]
pub struct ChessEntry;

impl Entry for ChessEntry {
    type Game = Chess;

    fn title(&self) -> &'static str {
        "Chess"
    }
    fn about(&self) -> &'static str {
        "chess, Chess960 included"
    }
    fn sides(&self, _: &Chess) -> [SideView; 2] {
        [("White", PieceColour::White), ("Black", PieceColour::Black)]
            .map(|(name, colour)| SideView { name: name.into(), colour: Some(colour) })
    }
    fn ending_words(&self, ending: &str) -> Option<&'static str> {
        Some(match ending {
            "fifty-moves" => "fifty moves of both sides without a capture or a pawn move",
            "insufficient-material" => "neither side can mate any more",
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
    fn strength(&self) -> Option<StrengthScale> {
        Some(levels::SCALE)
    }
    fn own_settings(&self) -> &'static [Setting<Settings>] {
        settings::TABLE
    }
    fn searcher(&self, settings: &Settings) -> Box<dyn Searcher<Chess>> {
        let oracle = ChessTables {
            pieces: settings.pieces,
            least_root: settings.tables_root,
            in_tree: settings.in_tree(),
            // Where they cannot be used `note` says so.
            syzygy: settings.syzygy.as_deref().and_then(|dir| Syzygy::open(dir).ok()),
            edition: Edition::latest(),
        };
        let OwnChess { knowledge, rules } = settings.own();
        match rules {
            Rules::Chess => search_with(settings, knowledge, oracle, ChessFeatures),
            Rules::Study => Box::new(StudySearcher::new(knowledge, oracle)),
        }
    }
    fn alphabeta(&self) -> Option<AlphaBetaPlayers<Chess>> {
        Some(players::ALPHA_BETA)
    }
    fn note(&self, settings: &Settings) -> Option<String> {
        let failed = |dir: &PathBuf| Syzygy::open(dir).err();
        if let Some(error) = settings.syzygy.as_ref().and_then(failed) {
            return Some(format!("it does without Syzygy files: {error}"));
        }
        note(settings, tables::missing)
    }
    fn missing_tables(&self, pieces: u32) -> Option<String> {
        tables::missing(pieces)
    }
    fn tables_digest(&self, pieces: u32) -> String {
        tables::digest(pieces)
    }
    fn build_tables(&self) -> Result<bool, String> {
        tables::build_small()
    }
    fn tables_edition(&self) -> usize {
        Edition::latest().number()
    }
    fn is_news(&self, note: &str) -> bool {
        tables::is_news(note)
    }
    fn network(&self) -> Option<&'static OwnNetwork> {
        Some(&NETWORK)
    }
    fn features(&self) -> Option<&'static dyn Features<Chess>> {
        Some(&ChessFeatures)
    }
    /// In check, or about to take or promote.
    fn is_loud(&self, state: &Chess, best: Move) -> bool {
        let board = state.board();
        let takes =
            best.is_en_passant() || !best.is_castling() && board.piece_at(best.to()).is_some();
        board.in_check() || takes || best.promotion().is_some()
    }
    fn starts(&self) -> &'static [StartKind<Chess>] {
        starts::KINDS
    }
    fn recorded_signature(&self) -> &'static str {
        crate::SIGNATURE
    }
    fn signature(&self) -> &'static [SignatureCase] {
        signature::CASES
    }
    fn scatter(&self, pieces: &str, rng: &mut Rng) -> Option<Chess> {
        tables::scatter(pieces.parse().ok()?, rng)
    }

    fn board(&self, state: &Chess) -> Option<BoardView> {
        Some(face::board(state.board()))
    }
    fn presentation(&self) -> Presentation {
        presentation::presentation()
    }
    fn move_view(&self, state: &Chess, mv: Move) -> MoveView {
        face::move_view(state.board(), mv)
    }
    fn label(&self, state: &Chess, mv: Move) -> String {
        san::write(state.board(), mv)
    }

    fn record_format(&self) -> RecordFormat {
        RecordFormat { name: "pgn", extension: "pgn", about: "PGN" }
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
        text.starts_with('[') || text.starts_with("1.")
    }
    fn read_line(&self, line: &str) -> Result<Puzzle, String> {
        epd::read(line)
    }

    fn uci(&self) -> Option<UciWords> {
        Some(UciWords {
            title: "Monteverde is a chess engine for programs that speak the Universal Chess Interface.",
            player: "best",
            chess960: true,
            syzygy: true,
            xboard: true,
        })
    }
    /// As Chess960 every state is one of that; otherwise the FEN decides.
    fn uci_state(&self, text: Option<&str>, reading: UciReading) -> Result<Chess, NotationError> {
        let text = text.unwrap_or(fen::START);
        let board = match reading {
            UciReading::Chess960 => fen::parse_as(text, Variant::Chess960),
            UciReading::AsWritten => fen::parse(text),
        };
        board.map(Chess::new).map_err(|error| NotationError::new(error.to_string()))
    }
    /// SAN is not UCI.
    fn uci_move(&self, state: &Chess, text: &str) -> Result<Move, NotationError> {
        uci::parse(state.board(), text).map_err(|error| NotationError::new(error.to_string()))
    }
    fn is_written_like(&self, state: &Chess, other: &Chess) -> bool {
        state.board().variant() == other.board().variant()
    }
    /// The evaluation of chess counts centipawns.
    fn centipawns(&self, eval: f32) -> Option<i32> {
        Some(eval.round() as i32)
    }
    fn check_syzygy(&self, folder: &Path) -> Result<(), String> {
        Syzygy::check(folder).map(drop).map_err(|error| error.to_string())
    }
    fn commands(&self) -> Vec<GameCommand> {
        vec![tablebase::COMMAND, tune::COMMAND]
    }
}
