//! A game without its type: what the lab, protocols and the page speak to.
//!
//! An [`AnyState`] is itself a [`Game`] whose moves are the bits of the real ones, so that reports,
//! limits, players and whatever else is written for a game take it as they are. Nothing here runs
//! inside a search: a call through it costs some allocations, once a move of a real game.

mod features;
mod player;
mod replay;
mod searcher;
mod state;

pub use features::{AnyFeatures, FeatureBatch};
pub use replay::{ReplayError, ReplayRows, ReplayStep};
pub use searcher::AnySearcher;
pub use state::AnyState;

use crate::alphabeta::{self, AlphaBeta};
use crate::command::GameCommand;
use crate::entry::{Entry, RecordError, RecordFormat, UciReading, UciWords};
use crate::games::Siblings;
use crate::level::{Level, StrengthScale};
use crate::network_file::OwnNetwork;
use crate::player::Player;
use crate::presentation::Presentation;
use crate::presets::Preset;
use crate::puzzle::Puzzle;
use crate::setting::{self, Setting};
use crate::settings::{self, Settings};
use crate::signature::SignatureCase;
use crate::transcript::Transcript;
use features::ErasedFeatures;
use monteverde_game::{Game, Never, Notation, NotationError, Rng, Step};
use player::ErasedPlayer;
use searcher::ErasedSearcher;
use state::Typed;
use std::any::TypeId;
use std::fmt;
use std::path::Path;

/// A move or an event of any game, by its bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct AnyStep(u32);

impl Step for AnyStep {
    fn to_bits(self) -> u32 {
        self.0
    }
    fn from_bits(bits: u32) -> Self {
        AnyStep(bits)
    }
}

/// One of the games that a program plays.
#[derive(Clone, Copy)]
pub struct AnyGame(&'static dyn ErasedGame);

impl AnyGame {
    /// A game by its entry, which stays for as long as the program runs.
    pub(crate) fn new<E: Entry>(entry: E, siblings: Siblings) -> AnyGame {
        let own = entry.alphabeta().map_or(&[][..], |players| players.settings);
        let alphabeta = setting::merged(alphabeta::TABLE.to_vec(), own);
        let settings = setting::merged(settings::shared(), entry.own_settings());
        AnyGame(Box::leak(Box::new(Erased { entry, settings, alphabeta, siblings })))
    }

    /// All games of its program, itself included.
    pub(crate) fn siblings(self) -> Vec<AnyGame> {
        self.0.siblings()
    }

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        self.0.name()
    }
    /// Its name for people.
    pub fn title(self) -> &'static str {
        self.0.title()
    }
    /// The game in a few words.
    pub fn about(self) -> &'static str {
        self.0.about()
    }
    /// Where people can read the rules, as an address.
    pub fn rules(self) -> Option<&'static str> {
        self.0.rules()
    }
    /// Whether chance plays a part.
    pub fn has_chance(self) -> bool {
        self.0.has_chance()
    }
    /// What an ending means, as the end of the sentence "White wins: ...".
    pub fn ending_words(self, ending: &str) -> &str {
        self.0.ending_words(ending).unwrap_or(ending)
    }

    /// The initial state.
    pub fn start(self) -> AnyState {
        self.0.start()
    }
    /// Reads a state; `startpos` is the caller's business.
    pub fn parse_state(self, text: &str) -> Result<AnyState, NotationError> {
        self.0.parse_state(text)
    }
    /// Reads a state; `startpos` is the initial one.
    pub fn read_state(self, text: &str) -> Result<AnyState, NotationError> {
        match text.trim() {
            "startpos" => Ok(self.start()),
            text => self.parse_state(text),
        }
    }

    /// Its players that search by Monte-Carlo tree search; the first is the default.
    pub fn players(self) -> &'static [Preset] {
        self.0.players()
    }
    /// Its players that search by alpha-beta.
    pub fn alphabeta(self) -> &'static [Preset<AlphaBeta>] {
        self.0.alphabeta()
    }
    /// Every setting of its players that search by Monte-Carlo tree search, in the order in which a
    /// spec prints them.
    pub fn settings(self) -> &'static [Setting<Settings>] {
        self.0.settings()
    }
    /// Those of them that not all games have.
    pub fn own_settings(self) -> &'static [Setting<Settings>] {
        self.0.own_settings()
    }
    /// Every setting of its players that search by alpha-beta, in the order in which a spec prints
    /// them.
    pub fn alphabeta_settings(self) -> &'static [Setting<AlphaBeta>] {
        self.0.alphabeta_settings()
    }
    /// Those of them that not all games have.
    pub fn own_alphabeta_settings(self) -> &'static [Setting<AlphaBeta>] {
        self.0.own_alphabeta_settings()
    }
    /// The names of all its players.
    pub fn player_names(self) -> Vec<&'static str> {
        let others = self.alphabeta().iter().map(|preset| preset.name);
        self.players().iter().map(|preset| preset.name).chain(others).collect()
    }
    /// The name of its default player.
    pub fn default_player(self) -> &'static str {
        self.player_names().first().copied().unwrap_or_default()
    }
    /// The name of its strongest player: `best` where there is one, else the default.
    pub fn strongest(self) -> &'static str {
        let names = self.player_names();
        names.iter().find(|name| **name == "best").or(names.first()).copied().unwrap_or_default()
    }
    /// How strongly it can be played, the weakest level first; maybe none.
    pub fn levels(self) -> &'static [Level] {
        self.0.levels()
    }
    /// How a wanted rating is played; `None` where no ratings were measured.
    pub fn strength(self) -> Option<StrengthScale> {
        self.0.strength()
    }
    /// What a player with these settings knows.
    pub fn searcher(self, settings: &Settings) -> AnySearcher {
        AnySearcher(self.0.searcher(settings))
    }
    /// A player with these settings, at a state.
    pub fn search_player(self, settings: &Settings, state: &AnyState) -> Box<dyn Player<AnyState>> {
        self.0.search_player(settings, state)
    }
    /// An alpha-beta player with these settings, at a state.
    ///
    /// # Panics
    /// If the game has no such players.
    pub fn alphabeta_player(
        self,
        settings: &AlphaBeta,
        state: &AnyState,
    ) -> Box<dyn Player<AnyState>> {
        self.0.alphabeta_player(settings, state)
    }
    /// What such a player has to do without here, as a sentence about it; `None` where nothing is
    /// missing.
    pub fn note(self, settings: &Settings) -> Option<String> {
        self.0.note(settings)
    }
    /// What is missing of its endgame tables of up to so many pieces, as a sentence; `None` where
    /// nothing is.
    pub fn missing_tables(self, pieces: u32) -> Option<String> {
        self.0.missing_tables(pieces)
    }
    /// What tells apart rules of the same name that the program was not built with; empty for a
    /// game that is compiled.
    pub fn source_digest(self) -> String {
        self.0.source_digest()
    }
    /// What tells apart the endgame tables of up to so many pieces that its players find here.
    pub fn tables_digest(self, pieces: u32) -> String {
        self.0.tables_digest(pieces)
    }
    /// What a learned network sees of it; `None` for a game without networks.
    pub fn features(self) -> Option<AnyFeatures> {
        self.0.features().map(AnyFeatures)
    }
    /// The network that it brings.
    pub fn network(self) -> Option<&'static OwnNetwork> {
        self.0.network()
    }

    /// Plays a game again, a step after the other by its place in the list of legal moves or
    /// events, and appends what a network sees of the states that are wanted. It runs below the
    /// seam, so that a game costs no more than its rules.
    ///
    /// # Panics
    /// If the game has no features.
    pub fn replay(
        self,
        start: Option<&str>,
        steps: &[ReplayStep],
        rows: &mut ReplayRows,
    ) -> Result<(), ReplayError> {
        self.0.replay(start, steps, rows)
    }
    /// The kinds of states that games for training may begin with beside the initial one: names and
    /// what they are.
    pub fn start_kinds(self) -> Vec<(&'static str, &'static str)> {
        self.0.start_kinds()
    }
    /// A random state of such a kind; `None` where there is no kind of that name.
    pub fn draw_start(self, kind: &str, rng: &mut Rng) -> Option<AnyState> {
        self.0.draw_start(kind, rng)
    }

    /// Builds the small endgame tables that its players lack here, see [`Entry::build_tables`].
    pub fn build_tables(self) -> Result<bool, String> {
        self.0.build_tables()
    }
    /// A number that changes when players that are made from now on ask other tables.
    pub fn tables_edition(self) -> usize {
        self.0.tables_edition()
    }
    /// Whether a [`AnyGame::note`] has not been said before on this machine.
    pub fn is_news(self, note: &str) -> bool {
        self.0.is_news(note)
    }

    /// The searches that its signature is made of.
    pub fn signature(self) -> &'static [SignatureCase] {
        self.0.signature()
    }

    /// The lines of the signature that its players are known to have; none for a game that records
    /// none.
    pub fn recorded_signature(self) -> Vec<&'static str> {
        let is_own = |line: &&str| line.split(' ').next() == Some(self.name());
        self.0.recorded_signature().lines().filter(is_own).collect()
    }

    /// A state with these pieces and no others on random squares, see [`Entry::scatter`].
    pub fn scatter(self, pieces: &str, rng: &mut Rng) -> Option<AnyState> {
        self.0.scatter(pieces, rng)
    }
    /// The names of what may be counted in its states beside their moves.
    pub fn gauges(self) -> Vec<&'static str> {
        self.0.gauges()
    }

    /// What a page is told of it beside its states.
    pub fn presentation(self) -> Presentation {
        self.0.presentation()
    }

    /// What whole games are written as.
    pub fn record_format(self) -> RecordFormat {
        self.0.record_format()
    }
    /// Writes a whole game.
    pub fn write_record(self, game: &Transcript) -> Result<String, NotationError> {
        self.0.write_record(game)
    }
    /// Reads the games of a text.
    pub fn read_records(self, text: &str) -> Result<Vec<Transcript>, RecordError> {
        self.0.read_records(text)
    }
    /// Reads the first game of a text; `None` where there is none.
    pub fn read_record(self, text: &str) -> Option<Result<Transcript, RecordError>> {
        self.0.read_record(text)
    }
    /// Whether a text looks like a record of this game.
    pub fn is_record(self, text: &str) -> bool {
        self.0.is_record(text)
    }
    /// Reads a line of a file of states.
    pub fn read_line(self, line: &str) -> Result<Puzzle, String> {
        self.0.read_line(line)
    }

    /// The letters of the first and the second side in the clocks of engine protocols; `None` for a
    /// game that engines do not play.
    pub fn engine_sides(self) -> Option<[char; 2]> {
        self.0.engine_sides()
    }
    /// Its words in the Universal Chess Interface.
    pub fn uci(self) -> Option<UciWords> {
        self.0.uci()
    }
    /// Reads the state that a line of play begins with, `None` for the initial one.
    pub fn uci_state(
        self,
        text: Option<&str>,
        reading: UciReading,
    ) -> Result<AnyState, NotationError> {
        self.0.uci_state(text, reading)
    }
    /// A value of the game's evaluation on the scale of pawns.
    pub fn centipawns(self, eval: f32) -> Option<i32> {
        self.0.centipawns(eval)
    }
    /// Whether a folder holds Syzygy files that its players can ask; a sentence where it does not.
    pub fn check_syzygy(self, folder: &Path) -> Result<(), String> {
        self.0.check_syzygy(folder)
    }
    /// Commands of the program that are about this game alone.
    pub fn commands(self) -> Vec<GameCommand> {
        self.0.commands()
    }
}

impl PartialEq for AnyGame {
    /// Games of one program differ by name.
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
    }
}

impl Eq for AnyGame {}

impl serde::Serialize for AnyGame {
    /// Its name.
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl fmt::Debug for AnyGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The erased form of an [`Entry`].
trait ErasedGame: Send + Sync {
    fn name(&self) -> &'static str;
    fn title(&self) -> &'static str;
    fn about(&self) -> &'static str;
    fn rules(&self) -> Option<&'static str>;
    fn has_chance(&self) -> bool;
    fn ending_words(&self, ending: &str) -> Option<&'static str>;
    fn start(&'static self) -> AnyState;
    fn parse_state(&'static self, text: &str) -> Result<AnyState, NotationError>;
    fn players(&self) -> &'static [Preset];
    fn alphabeta(&self) -> &'static [Preset<AlphaBeta>];
    fn levels(&self) -> &'static [Level];
    fn strength(&self) -> Option<StrengthScale>;
    fn siblings(&self) -> Vec<AnyGame>;
    fn settings(&'static self) -> &'static [Setting<Settings>];
    fn own_settings(&self) -> &'static [Setting<Settings>];
    fn alphabeta_settings(&'static self) -> &'static [Setting<AlphaBeta>];
    fn own_alphabeta_settings(&self) -> &'static [Setting<AlphaBeta>];
    fn signature(&self) -> &'static [SignatureCase];
    fn searcher(&'static self, settings: &Settings) -> Box<dyn ErasedSearcher>;
    fn search_player(
        &'static self,
        settings: &Settings,
        state: &AnyState,
    ) -> Box<dyn Player<AnyState>>;
    fn alphabeta_player(
        &'static self,
        settings: &AlphaBeta,
        state: &AnyState,
    ) -> Box<dyn Player<AnyState>>;
    fn note(&self, settings: &Settings) -> Option<String>;
    fn missing_tables(&self, pieces: u32) -> Option<String>;
    fn build_tables(&self) -> Result<bool, String>;
    fn tables_edition(&self) -> usize;
    fn is_news(&self, note: &str) -> bool;
    fn source_digest(&self) -> String;
    fn tables_digest(&self, pieces: u32) -> String;
    fn features(&self) -> Option<Box<dyn ErasedFeatures>>;
    fn network(&self) -> Option<&'static OwnNetwork>;
    fn replay(
        &'static self,
        start: Option<&str>,
        steps: &[ReplayStep],
        rows: &mut ReplayRows,
    ) -> Result<(), ReplayError>;
    fn start_kinds(&self) -> Vec<(&'static str, &'static str)>;
    fn draw_start(&'static self, kind: &str, rng: &mut Rng) -> Option<AnyState>;
    fn recorded_signature(&self) -> &'static str;
    fn scatter(&'static self, pieces: &str, rng: &mut Rng) -> Option<AnyState>;
    fn gauges(&self) -> Vec<&'static str>;
    fn presentation(&self) -> Presentation;
    fn record_format(&self) -> RecordFormat;
    fn write_record(&self, game: &Transcript) -> Result<String, NotationError>;
    fn read_records(&self, text: &str) -> Result<Vec<Transcript>, RecordError>;
    fn read_record(&self, text: &str) -> Option<Result<Transcript, RecordError>>;
    fn is_record(&self, text: &str) -> bool;
    fn read_line(&self, line: &str) -> Result<Puzzle, String>;
    fn engine_sides(&self) -> Option<[char; 2]>;
    fn uci(&self) -> Option<UciWords>;
    fn uci_state(
        &'static self,
        text: Option<&str>,
        reading: UciReading,
    ) -> Result<AnyState, NotationError>;
    fn centipawns(&self, eval: f32) -> Option<i32>;
    fn check_syzygy(&self, folder: &Path) -> Result<(), String>;
    fn commands(&self) -> Vec<GameCommand>;
}

/// A game with its type.
struct Erased<E> {
    entry: E,
    settings: Vec<Setting<Settings>>,
    alphabeta: Vec<Setting<AlphaBeta>>,
    siblings: Siblings,
}

/// The state of a game whose type is known.
///
/// # Panics
/// If it is one of another game, which would be a mistake of ours.
fn typed<G: Game>(state: &AnyState) -> &G {
    state.0.state().downcast_ref().expect("a state is asked of its own game")
}

/// A step of the real game.
fn real<S: Step>(step: AnyStep) -> S {
    S::from_bits(step.0)
}

/// A step without its type.
fn any<S: Step>(step: S) -> AnyStep {
    AnyStep(step.to_bits())
}

impl<E: Entry> ErasedGame for Erased<E> {
    fn name(&self) -> &'static str {
        self.entry.name()
    }
    fn title(&self) -> &'static str {
        self.entry.title()
    }
    fn about(&self) -> &'static str {
        self.entry.about()
    }
    fn rules(&self) -> Option<&'static str> {
        self.entry.rules()
    }
    fn has_chance(&self) -> bool {
        TypeId::of::<<E::Game as Game>::Event>() != TypeId::of::<Never>()
    }
    fn ending_words(&self, ending: &str) -> Option<&'static str> {
        self.entry.ending_words(ending)
    }
    fn start(&'static self) -> AnyState {
        Typed::any(self, self.entry.start())
    }
    fn parse_state(&'static self, text: &str) -> Result<AnyState, NotationError> {
        Ok(Typed::any(self, self.entry.parse_state(text)?))
    }
    fn players(&self) -> &'static [Preset] {
        self.entry.players()
    }
    fn alphabeta(&self) -> &'static [Preset<AlphaBeta>] {
        self.entry.alphabeta().map_or(&[], |players| players.presets)
    }
    fn levels(&self) -> &'static [Level] {
        self.entry.levels()
    }
    fn strength(&self) -> Option<StrengthScale> {
        self.entry.strength()
    }
    fn siblings(&self) -> Vec<AnyGame> {
        self.siblings.all()
    }
    fn settings(&'static self) -> &'static [Setting<Settings>] {
        &self.settings
    }
    fn own_settings(&self) -> &'static [Setting<Settings>] {
        self.entry.own_settings()
    }
    fn alphabeta_settings(&'static self) -> &'static [Setting<AlphaBeta>] {
        &self.alphabeta
    }
    fn own_alphabeta_settings(&self) -> &'static [Setting<AlphaBeta>] {
        self.entry.alphabeta().map_or(&[], |players| players.settings)
    }
    fn signature(&self) -> &'static [SignatureCase] {
        self.entry.signature()
    }
    fn searcher(&'static self, settings: &Settings) -> Box<dyn ErasedSearcher> {
        Box::new(self.entry.searcher(settings))
    }
    fn search_player(
        &'static self,
        settings: &Settings,
        state: &AnyState,
    ) -> Box<dyn Player<AnyState>> {
        let player =
            self.entry.searcher(settings).player(settings, typed::<E::Game>(state).clone());
        Box::new(ErasedPlayer { game: self, player, state: state.clone() })
    }
    fn alphabeta_player(
        &'static self,
        settings: &AlphaBeta,
        state: &AnyState,
    ) -> Box<dyn Player<AnyState>> {
        let players = self.entry.alphabeta().expect("only such players are asked for as there are");
        let player = (players.player)(settings, typed::<E::Game>(state).clone());
        Box::new(ErasedPlayer { game: self, player, state: state.clone() })
    }
    fn note(&self, settings: &Settings) -> Option<String> {
        self.entry.note(settings)
    }
    fn missing_tables(&self, pieces: u32) -> Option<String> {
        self.entry.missing_tables(pieces)
    }
    fn build_tables(&self) -> Result<bool, String> {
        self.entry.build_tables()
    }
    fn tables_edition(&self) -> usize {
        self.entry.tables_edition()
    }
    fn is_news(&self, note: &str) -> bool {
        self.entry.is_news(note)
    }
    fn source_digest(&self) -> String {
        self.entry.source_digest()
    }
    fn tables_digest(&self, pieces: u32) -> String {
        self.entry.tables_digest(pieces)
    }
    fn network(&self) -> Option<&'static OwnNetwork> {
        self.entry.network()
    }
    fn features(&self) -> Option<Box<dyn ErasedFeatures>> {
        self.entry.features().map(|features| Box::new(features) as Box<dyn ErasedFeatures>)
    }
    fn replay(
        &'static self,
        start: Option<&str>,
        steps: &[ReplayStep],
        rows: &mut ReplayRows,
    ) -> Result<(), ReplayError> {
        replay::replay(&self.entry, start, steps, rows)
    }
    fn start_kinds(&self) -> Vec<(&'static str, &'static str)> {
        self.entry.starts().iter().map(|kind| (kind.name, kind.about)).collect()
    }
    fn draw_start(&'static self, kind: &str, rng: &mut Rng) -> Option<AnyState> {
        let kind = self.entry.starts().iter().find(|known| known.name == kind)?;
        Some(Typed::any(self, (kind.draw)(rng)))
    }
    fn recorded_signature(&self) -> &'static str {
        self.entry.recorded_signature()
    }
    fn scatter(&'static self, pieces: &str, rng: &mut Rng) -> Option<AnyState> {
        Some(Typed::any(self, self.entry.scatter(pieces, rng)?))
    }
    fn gauges(&self) -> Vec<&'static str> {
        self.entry.gauges().iter().map(|gauge| gauge.name).collect()
    }
    fn presentation(&self) -> Presentation {
        self.entry.presentation()
    }
    fn record_format(&self) -> RecordFormat {
        self.entry.record_format()
    }
    fn write_record(&self, game: &Transcript) -> Result<String, NotationError> {
        self.entry.write_record(game)
    }
    fn read_records(&self, text: &str) -> Result<Vec<Transcript>, RecordError> {
        self.entry.read_records(text)
    }
    fn read_record(&self, text: &str) -> Option<Result<Transcript, RecordError>> {
        self.entry.read_record(text)
    }
    fn is_record(&self, text: &str) -> bool {
        self.entry.is_record(text)
    }
    fn read_line(&self, line: &str) -> Result<Puzzle, String> {
        self.entry.read_line(line)
    }
    fn engine_sides(&self) -> Option<[char; 2]> {
        E::Game::ENGINE_SIDES
    }
    fn uci(&self) -> Option<UciWords> {
        self.entry.uci()
    }
    fn uci_state(
        &'static self,
        text: Option<&str>,
        reading: UciReading,
    ) -> Result<AnyState, NotationError> {
        Ok(Typed::any(self, self.entry.uci_state(text, reading)?))
    }
    fn centipawns(&self, eval: f32) -> Option<i32> {
        self.entry.centipawns(eval)
    }
    fn check_syzygy(&self, folder: &Path) -> Result<(), String> {
        self.entry.check_syzygy(folder)
    }
    fn commands(&self) -> Vec<GameCommand> {
        self.entry.commands()
    }
}
