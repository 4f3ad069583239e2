//! Players: a text spec becomes a typed configuration becomes an agent that chooses moves.
//!
//! A spec is `name:key=value,flag,...`: a named player ([`presets`]) and what differs from it
//! ([`spec`]). The settings are declared once each, in a table for each kind of player: those that
//! all players have in [`settings`] and [`alphabeta`], those of a game with the game. No game is
//! named here: a game brings an [`Entry`], and a program the [`Games`] that it plays. [`Player`] is
//! the one dynamic seam of the project, called once per played move; below it everything is
//! compiled for its game.

pub mod alphabeta;
pub mod arguments;
pub mod chinese;
pub mod clock;
pub mod command;
pub mod duration_text;
pub mod entry;
pub mod erased;
pub mod exact;
pub mod face;
pub mod games;
pub mod level;
pub mod lines;
pub mod network_file;
pub mod own;
pub mod pace;
pub mod player;
pub mod presentation;
pub mod presets;
pub mod puzzle;
pub mod setting;
pub mod settings;
pub mod shorten;
pub mod signature;
pub mod spec;
pub mod text;
pub mod text_file;
pub mod transcript;

pub use alphabeta::{AlphaBeta, AlphaBetaPlayer, AlphaBetaPlayers};
pub use clock::{Budget, ClockUse, WallClock};
pub use command::{Bar, CommandFailure, Console, GameCommand};
pub use duration_text::DurationText;
pub use entry::{
    Entry, Gauge, PlayOne, RecordError, RecordFormat, SearchWith, Searcher, StartKind, UciReading,
    UciWords, search_with,
};
pub use erased::{
    AnyFeatures, AnyGame, AnySearcher, AnyState, AnyStep, FeatureBatch, ReplayError, ReplayRows,
    ReplayStep,
};
pub use games::{Games, UnknownGame};
pub use level::{Level, Rung, Strength, StrengthScale};
pub use monteverde_minimax::forced;
pub use network_file::{NetworkFile, OwnNetwork};
pub use pace::{Pace, Timer};
pub use player::{Player, SearchPlayer};
pub use presentation::Presentation;
pub use presets::Preset;
pub use puzzle::{Aim, Puzzle};
pub use settings::Settings;
pub use signature::{SignatureCase, SignatureLine};
pub use spec::{MemoryError, Overrides, Spec, SpecError, build};
pub use transcript::{Transcript, TranscriptStep};
