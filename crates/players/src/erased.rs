//! A game without its type: what the lab, protocols and the page speak to.
//!
//! An [`AnyState`] is itself a [`Game`] whose moves are the bits of the real ones, so that reports, limits, players and
//! whatever else is written for a game take it as they are. Nothing here runs inside a search: a call through it costs
//! some allocations, once a move of a real game.

use crate::alphabeta::{self, AlphaBeta};
use crate::command::GameCommand;
use crate::entry::{Entry, PlayOne, RecordError, RecordFormat, Searcher, UciReading, UciWords};
use crate::face::{BoardView, MoveView, SideView};
use crate::games::Siblings;
use crate::player::Player;
use crate::presets::Preset;
use crate::puzzle::Puzzle;
use crate::setting::{self, Setting};
use crate::settings::{self, Settings};
use crate::signature::SignatureCase;
use crate::transcript::Transcript;
use monteverde_game::limit::Limit;
use monteverde_game::report::{Control, Report, RootMove};
use monteverde_game::{
    Game, Never, Notation, NotationError, Outcome, Playout, Proof, Rng, Side, Step, perft,
};
use monteverde_mcts::Explore;
use std::any::{Any, TypeId};
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

/// A state of any game.
pub struct AnyState(Box<dyn ErasedState>);

/// What a player of any game knows.
pub struct AnySearcher(Box<dyn ErasedSearcher>);

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
    /// Every setting of its players that search by Monte-Carlo tree search, in the order in which a spec prints them.
    pub fn settings(self) -> &'static [Setting<Settings>] {
        self.0.settings()
    }
    /// Those of them that not all games have.
    pub fn own_settings(self) -> &'static [Setting<Settings>] {
        self.0.own_settings()
    }
    /// Every setting of its players that search by alpha-beta, in the order in which a spec prints them.
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
    /// What such a player has to do without here, as a sentence about it; `None` where nothing is missing.
    pub fn note(self, settings: &Settings) -> Option<String> {
        self.0.note(settings)
    }
    /// What is missing of its endgame tables of up to so many pieces, as a sentence; `None` where nothing is.
    pub fn missing_tables(self, pieces: u32) -> Option<String> {
        self.0.missing_tables(pieces)
    }
    /// What tells apart the endgame tables of up to so many pieces that its players find here.
    pub fn tables_digest(self, pieces: u32) -> String {
        self.0.tables_digest(pieces)
    }

    /// The searches that its signature is made of.
    pub fn signature(self) -> &'static [SignatureCase] {
        self.0.signature()
    }

    /// The lines of the signature that its players are known to have; none for a game that records none.
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

    /// The letters of the first and the second side in the clocks of engine protocols; `None` for a game that engines
    /// do not play.
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

impl AnyState {
    /// Its game.
    pub fn game(&self) -> AnyGame {
        self.0.game()
    }
    /// The state as [`AnyGame::parse_state`] reads it.
    pub fn state_text(&self) -> String {
        self.0.state_text()
    }
    /// A picture of the state for a terminal.
    pub fn picture(&self) -> String {
        self.0.picture()
    }
    /// Reads a legal move of this state.
    pub fn parse_move(&self, text: &str) -> Result<AnyStep, NotationError> {
        self.0.parse_move(text)
    }
    /// A legal move of this state as [`AnyState::parse_move`] reads it.
    pub fn move_text(&self, mv: AnyStep) -> String {
        self.0.move_text(mv)
    }
    /// A legal move as engine protocols write it.
    pub fn engine_text(&self, mv: AnyStep) -> String {
        self.0.engine_text(mv)
    }
    /// Reads a legal move as the Universal Chess Interface writes it.
    pub fn uci_move(&self, text: &str) -> Result<AnyStep, NotationError> {
        self.0.uci_move(text)
    }
    /// Whether a line of play may go on from this state to the other, so far as notation goes.
    pub fn is_written_like(&self, other: &AnyState) -> bool {
        self.0.is_written_like(other)
    }
    /// Reads an event of this pending state.
    pub fn parse_event(&self, text: &str) -> Result<AnyStep, NotationError> {
        self.0.parse_event(text)
    }
    /// An event as [`AnyState::parse_event`] reads it.
    pub fn event_text(&self, event: AnyStep) -> String {
        self.0.event_text(event)
    }
    /// What an event of this pending state shows, in words; `None` where its text says it.
    pub fn event_name(&self, event: AnyStep) -> Option<String> {
        self.0.event_name(event)
    }
    /// How people write a legal move.
    pub fn label(&self, mv: AnyStep) -> String {
        self.0.label(mv)
    }
    /// What people call the first and the second side here, and their colours.
    pub fn sides(&self) -> [SideView; 2] {
        self.0.sides()
    }
    /// The state as a board.
    pub fn board(&self) -> Option<BoardView> {
        self.0.board()
    }
    /// What a legal move looks like on that board.
    pub fn move_view(&self, mv: AnyStep) -> MoveView {
        self.0.move_view(mv)
    }
    /// The numbers of the state that its game counts, in the order of [`AnyGame::gauges`].
    pub fn gauges(&self) -> Vec<u32> {
        self.0.gauges()
    }
    /// The paths of so many steps by their first step, see [`perft::divide`].
    pub fn divide(&self, depth: u32, counted: &mut dyn FnMut(usize, usize)) -> Vec<(String, u64)> {
        self.0.divide(depth, counted)
    }
    /// Does some work on the state with its type, which the caller must know.
    pub fn downcast<G: Game>(&self) -> Option<&G> {
        self.0.state().downcast_ref()
    }
    /// Whether `mv` wins by force within so many plies, by an exact search.
    pub fn exact_win(&self, mv: AnyStep, plies: u16, most_nodes: u64) -> crate::exact::Check {
        self.0.exact_win(mv, plies, most_nodes)
    }
}

impl AnySearcher {
    /// Plays playouts from a state.
    pub fn playouts<'a>(&'a self, settings: &Settings, state: &AnyState) -> Box<dyn PlayOne + 'a> {
        self.0.playouts(settings, state)
    }
    /// What is known of each of some moves in advance; `None` where nothing is known of any.
    pub fn priors(&self, state: &AnyState, moves: &[AnyStep]) -> Option<Vec<f32>> {
        self.0.priors(state, moves)
    }
    /// What is certain about a state.
    pub fn probe(&self, state: &AnyState) -> Proof {
        self.0.probe(state)
    }
}

/// The erased form of an [`Entry`].
trait ErasedGame: Send + Sync {
    fn name(&self) -> &'static str;
    fn title(&self) -> &'static str;
    fn about(&self) -> &'static str;
    fn has_chance(&self) -> bool;
    fn ending_words(&self, ending: &str) -> Option<&'static str>;
    fn start(&'static self) -> AnyState;
    fn parse_state(&'static self, text: &str) -> Result<AnyState, NotationError>;
    fn players(&self) -> &'static [Preset];
    fn alphabeta(&self) -> &'static [Preset<AlphaBeta>];
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
    fn tables_digest(&self, pieces: u32) -> String;
    fn recorded_signature(&self) -> &'static str;
    fn scatter(&'static self, pieces: &str, rng: &mut Rng) -> Option<AnyState>;
    fn gauges(&self) -> Vec<&'static str>;
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

/// The erased form of a state.
trait ErasedState: Send + Sync {
    fn duplicate(&self) -> Box<dyn ErasedState>;
    fn state(&self) -> &dyn Any;
    fn debug(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result;
    fn game(&self) -> AnyGame;
    fn turn(&self) -> Side;
    fn outcome(&self) -> Option<Outcome>;
    fn ending(&self) -> Option<&'static str>;
    fn moves(&self, buffer: &mut Vec<AnyStep>);
    fn play(&mut self, mv: AnyStep);
    fn key(&self) -> u64;
    fn recomputed_key(&self) -> u64;
    fn is_pending(&self) -> bool;
    fn events(&self, buffer: &mut Vec<(AnyStep, u32)>);
    fn event_weight(&self) -> u32;
    fn settle(&mut self, event: AnyStep);
    fn sample(&self, rng: &mut Rng) -> Result<AnyStep, Outcome>;
    fn sample_event(&self, rng: &mut Rng) -> AnyStep;
    fn sample_by_piece(&self, rng: &mut Rng) -> Result<AnyStep, Outcome>;
    fn playout(&mut self, rng: &mut Rng) -> Playout;
    fn playout_outcome(&self) -> Option<Outcome>;
    fn advance(&mut self, mv: AnyStep);
    fn is_legal_at_a_glance(&self, mv: AnyStep) -> Option<bool>;
    fn winning_move(&self) -> Option<AnyStep>;
    fn is_drawn_by_history(&self) -> bool;
    fn plies_left(&self) -> u32;
    fn perft(&self, depth: u32) -> u64;
    fn divide(&self, depth: u32, counted: &mut dyn FnMut(usize, usize)) -> Vec<(String, u64)>;
    fn state_text(&self) -> String;
    fn picture(&self) -> String;
    fn parse_move(&self, text: &str) -> Result<AnyStep, NotationError>;
    fn move_text(&self, mv: AnyStep) -> String;
    fn engine_text(&self, mv: AnyStep) -> String;
    fn uci_move(&self, text: &str) -> Result<AnyStep, NotationError>;
    fn is_written_like(&self, other: &AnyState) -> bool;
    fn parse_event(&self, text: &str) -> Result<AnyStep, NotationError>;
    fn event_text(&self, event: AnyStep) -> String;
    fn event_name(&self, event: AnyStep) -> Option<String>;
    fn label(&self, mv: AnyStep) -> String;
    fn sides(&self) -> [SideView; 2];
    fn board(&self) -> Option<BoardView>;
    fn move_view(&self, mv: AnyStep) -> MoveView;
    fn gauges(&self) -> Vec<u32>;
    fn exact_win(&self, mv: AnyStep, plies: u16, most_nodes: u64) -> crate::exact::Check;
}

/// The erased form of a [`Searcher`].
trait ErasedSearcher: Send + Sync {
    fn playouts<'a>(&'a self, settings: &Settings, state: &AnyState) -> Box<dyn PlayOne + 'a>;
    fn priors(&self, state: &AnyState, moves: &[AnyStep]) -> Option<Vec<f32>>;
    fn probe(&self, state: &AnyState) -> Proof;
}

/// A game with its type.
struct Erased<E> {
    entry: E,
    settings: Vec<Setting<Settings>>,
    alphabeta: Vec<Setting<AlphaBeta>>,
    siblings: Siblings,
}

/// A state with its type and its game.
struct Typed<E: Entry> {
    game: &'static Erased<E>,
    state: E::Game,
}

impl<E: Entry> Typed<E> {
    fn any(game: &'static Erased<E>, state: E::Game) -> AnyState {
        AnyState(Box::new(Typed { game, state }))
    }
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
        E::Game::NAME
    }
    fn title(&self) -> &'static str {
        self.entry.title()
    }
    fn about(&self) -> &'static str {
        self.entry.about()
    }
    fn has_chance(&self) -> bool {
        TypeId::of::<<E::Game as Game>::Event>() != TypeId::of::<Never>()
    }
    fn ending_words(&self, ending: &str) -> Option<&'static str> {
        self.entry.ending_words(ending)
    }
    fn start(&'static self) -> AnyState {
        Typed::any(self, E::Game::start())
    }
    fn parse_state(&'static self, text: &str) -> Result<AnyState, NotationError> {
        Ok(Typed::any(self, E::Game::parse_state(text)?))
    }
    fn players(&self) -> &'static [Preset] {
        self.entry.players()
    }
    fn alphabeta(&self) -> &'static [Preset<AlphaBeta>] {
        self.entry.alphabeta().map_or(&[], |players| players.presets)
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
    fn tables_digest(&self, pieces: u32) -> String {
        self.entry.tables_digest(pieces)
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

impl<E: Entry> ErasedState for Typed<E> {
    fn duplicate(&self) -> Box<dyn ErasedState> {
        Box::new(Typed { game: self.game, state: self.state.clone() })
    }
    fn state(&self) -> &dyn Any {
        &self.state
    }
    fn debug(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.state, f)
    }
    fn game(&self) -> AnyGame {
        AnyGame(self.game)
    }
    fn turn(&self) -> Side {
        self.state.turn()
    }
    fn outcome(&self) -> Option<Outcome> {
        self.state.outcome()
    }
    fn ending(&self) -> Option<&'static str> {
        self.state.ending()
    }
    fn moves(&self, buffer: &mut Vec<AnyStep>) {
        let mut moves = Vec::new();
        self.state.moves(&mut moves);
        buffer.extend(moves.into_iter().map(any));
    }
    fn play(&mut self, mv: AnyStep) {
        self.state.play(real(mv));
    }
    fn key(&self) -> u64 {
        self.state.key()
    }
    fn recomputed_key(&self) -> u64 {
        self.state.recomputed_key()
    }
    fn is_pending(&self) -> bool {
        self.state.is_pending()
    }
    fn events(&self, buffer: &mut Vec<(AnyStep, u32)>) {
        let mut events = Vec::new();
        self.state.events(&mut events);
        buffer.extend(events.into_iter().map(|(event, weight)| (any(event), weight)));
    }
    fn event_weight(&self) -> u32 {
        self.state.event_weight()
    }
    fn settle(&mut self, event: AnyStep) {
        self.state.settle(real(event));
    }
    fn sample(&self, rng: &mut Rng) -> Result<AnyStep, Outcome> {
        self.state.sample(rng).map(any)
    }
    fn sample_event(&self, rng: &mut Rng) -> AnyStep {
        any(self.state.sample_event(rng))
    }
    fn sample_by_piece(&self, rng: &mut Rng) -> Result<AnyStep, Outcome> {
        self.state.sample_by_piece(rng).map(any)
    }
    fn playout(&mut self, rng: &mut Rng) -> Playout {
        self.state.playout(rng)
    }
    fn playout_outcome(&self) -> Option<Outcome> {
        self.state.playout_outcome()
    }
    fn advance(&mut self, mv: AnyStep) {
        self.state.advance(real(mv));
    }
    fn is_legal_at_a_glance(&self, mv: AnyStep) -> Option<bool> {
        self.state.is_legal_at_a_glance(real(mv))
    }
    fn winning_move(&self) -> Option<AnyStep> {
        self.state.winning_move(&mut Vec::new()).map(any)
    }
    fn is_drawn_by_history(&self) -> bool {
        self.state.is_drawn_by_history()
    }
    fn plies_left(&self) -> u32 {
        self.state.plies_left()
    }
    fn perft(&self, depth: u32) -> u64 {
        self.state.perft(depth)
    }
    fn divide(&self, depth: u32, counted: &mut dyn FnMut(usize, usize)) -> Vec<(String, u64)> {
        perft::divide(&self.state, depth, counted)
    }
    fn state_text(&self) -> String {
        self.state.state_text()
    }
    fn picture(&self) -> String {
        self.state.picture()
    }
    fn parse_move(&self, text: &str) -> Result<AnyStep, NotationError> {
        self.state.parse_move(text).map(any)
    }
    fn move_text(&self, mv: AnyStep) -> String {
        self.state.move_text(real(mv))
    }
    fn engine_text(&self, mv: AnyStep) -> String {
        self.state.engine_text(real(mv))
    }
    fn uci_move(&self, text: &str) -> Result<AnyStep, NotationError> {
        self.game.entry.uci_move(&self.state, text).map(any)
    }
    fn is_written_like(&self, other: &AnyState) -> bool {
        self.game.entry.is_written_like(&self.state, typed(other))
    }
    fn parse_event(&self, text: &str) -> Result<AnyStep, NotationError> {
        self.state.parse_event(text).map(any)
    }
    fn event_text(&self, event: AnyStep) -> String {
        self.state.event_text(real(event))
    }
    fn label(&self, mv: AnyStep) -> String {
        self.game.entry.label(&self.state, real(mv))
    }
    fn event_name(&self, event: AnyStep) -> Option<String> {
        self.game.entry.event_name(real(event))
    }
    fn sides(&self) -> [SideView; 2] {
        self.game.entry.sides(&self.state)
    }
    fn board(&self) -> Option<BoardView> {
        self.game.entry.board(&self.state)
    }
    fn move_view(&self, mv: AnyStep) -> MoveView {
        self.game.entry.move_view(&self.state, real(mv))
    }
    fn gauges(&self) -> Vec<u32> {
        self.game.entry.gauges().iter().map(|gauge| (gauge.read)(&self.state)).collect()
    }
    fn exact_win(&self, mv: AnyStep, plies: u16, most_nodes: u64) -> crate::exact::Check {
        crate::exact::check(&self.state, real(mv), plies, most_nodes)
    }
}

impl<G: Game> ErasedSearcher for Box<dyn Searcher<G>> {
    fn playouts<'a>(&'a self, settings: &Settings, state: &AnyState) -> Box<dyn PlayOne + 'a> {
        (**self).playouts(settings, typed(state))
    }
    fn priors(&self, state: &AnyState, moves: &[AnyStep]) -> Option<Vec<f32>> {
        let moves: Vec<G::Move> = moves.iter().map(|&mv| real(mv)).collect();
        (**self).priors(typed(state), &moves)
    }
    fn probe(&self, state: &AnyState) -> Proof {
        (**self).probe(typed(state))
    }
}

impl Clone for AnyState {
    fn clone(&self) -> Self {
        AnyState(self.0.duplicate())
    }
}

impl fmt::Debug for AnyState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.debug(f)
    }
}

impl Game for AnyState {
    type Move = AnyStep;
    type Event = AnyStep;

    /// Of no game: ask [`AnyState::game`].
    const NAME: &'static str = "any";

    fn turn(&self) -> Side {
        self.0.turn()
    }
    fn outcome(&self) -> Option<Outcome> {
        self.0.outcome()
    }
    fn ending(&self) -> Option<&'static str> {
        self.0.ending()
    }
    fn moves(&self, buffer: &mut Vec<AnyStep>) {
        self.0.moves(buffer);
    }
    fn play(&mut self, mv: AnyStep) {
        self.0.play(mv);
    }
    fn key(&self) -> u64 {
        self.0.key()
    }
    fn recomputed_key(&self) -> u64 {
        self.0.recomputed_key()
    }
    fn is_pending(&self) -> bool {
        self.0.is_pending()
    }
    fn events(&self, buffer: &mut Vec<(AnyStep, u32)>) {
        self.0.events(buffer);
    }
    fn event_weight(&self) -> u32 {
        self.0.event_weight()
    }
    fn settle(&mut self, event: AnyStep) {
        self.0.settle(event);
    }
    fn sample(&self, rng: &mut Rng) -> Result<AnyStep, Outcome> {
        self.0.sample(rng)
    }
    fn sample_event(&self, rng: &mut Rng) -> AnyStep {
        self.0.sample_event(rng)
    }
    fn sample_by_piece(&self, rng: &mut Rng) -> Result<AnyStep, Outcome> {
        self.0.sample_by_piece(rng)
    }
    fn playout(&mut self, rng: &mut Rng) -> Playout {
        self.0.playout(rng)
    }
    fn playout_outcome(&self) -> Option<Outcome> {
        self.0.playout_outcome()
    }
    fn advance(&mut self, mv: AnyStep) {
        self.0.advance(mv);
    }
    fn is_legal_at_a_glance(&self, mv: AnyStep) -> Option<bool> {
        self.0.is_legal_at_a_glance(mv)
    }
    fn winning_move(&self, _: &mut Vec<AnyStep>) -> Option<AnyStep> {
        self.0.winning_move()
    }
    fn is_drawn_by_history(&self) -> bool {
        self.0.is_drawn_by_history()
    }
    fn plies_left(&self) -> u32 {
        self.0.plies_left()
    }
    fn perft(&self, depth: u32) -> u64 {
        self.0.perft(depth)
    }
}

/// A player of a real game behind the moves of any.
struct ErasedPlayer<E: Entry> {
    game: &'static Erased<E>,
    player: Box<dyn Player<E::Game>>,
    /// The player's own state, in the form that is asked for.
    state: AnyState,
}

impl<E: Entry> Player<AnyState> for ErasedPlayer<E> {
    fn begin(&mut self, state: &AnyState) {
        self.player.begin(typed(state));
        self.state = state.clone();
    }
    fn jump(&mut self, state: &AnyState) {
        self.player.jump(typed(state));
        self.state = state.clone();
    }
    fn play(&mut self, mv: AnyStep) {
        self.player.play(real(mv));
        self.state.play(mv);
    }
    fn settle(&mut self, event: AnyStep) {
        self.player.settle(real(event));
        self.state.settle(event);
    }
    fn think(
        &mut self,
        limit: &Limit<AnyStep>,
        control: Control<'_, AnyState>,
    ) -> Report<AnyState> {
        self.think_openly(limit, control, &mut |_| {})
    }
    fn think_openly(
        &mut self,
        limit: &Limit<AnyStep>,
        control: Control<'_, AnyState>,
        look: &mut dyn FnMut(&dyn Explore),
    ) -> Report<AnyState> {
        self.thought(limit, control, &mut |player, limit, control| {
            player.think_openly(limit, control, look)
        })
    }
    fn think_on(
        &mut self,
        limit: &Limit<AnyStep>,
        control: Control<'_, AnyState>,
        look: &mut dyn FnMut(&dyn Explore),
    ) -> Report<AnyState> {
        self.thought(limit, control, &mut |player, limit, control| {
            player.think_on(limit, control, look)
        })
    }
    fn explore(&self, look: &mut dyn FnMut(&dyn Explore)) {
        self.player.explore(look);
    }
    fn state(&self) -> &AnyState {
        debug_assert!(self.state.game() == AnyGame(self.game), "a player plays one game");
        &self.state
    }
}

/// A way in which a player thinks.
type Think<'a, G> =
    dyn FnMut(&mut dyn Player<G>, &Limit<<G as Game>::Move>, Control<'_, G>) -> Report<G> + 'a;

impl<E: Entry> ErasedPlayer<E> {
    /// Lets the player think in its own moves, and tells of it in those of any game.
    fn thought(
        &mut self,
        limit: &Limit<AnyStep>,
        control: Control<'_, AnyState>,
        think: &mut Think<'_, E::Game>,
    ) -> Report<AnyState> {
        let limit = Limit {
            iterations: limit.iterations,
            nodes: limit.nodes,
            time: limit.time,
            depth: limit.depth,
            mate: limit.mate,
            only: limit.only.iter().map(|&mv| real(mv)).collect(),
        };
        let Control { clock, signal, every, observe } = control;
        let observe = &mut |report: &Report<E::Game>| observe(&erase(report));
        let control = Control { clock, signal, every, observe };
        erase(&think(&mut *self.player, &limit, control))
    }
}

/// A report with the moves of any game.
fn erase<G: Game>(report: &Report<G>) -> Report<AnyState> {
    let line = |moves: &[G::Move]| moves.iter().map(|&mv| any(mv)).collect();
    let root_move = |entry: &RootMove<G>| RootMove {
        mv: any(entry.mv),
        visits: entry.visits,
        mean: entry.mean,
        eval: entry.eval,
        prior: entry.prior,
        proof: entry.proof,
        bounds: entry.bounds,
        pv: line(&entry.pv),
    };
    Report {
        best: report.best.map(any),
        moves: report.moves.iter().map(root_move).collect(),
        pv: line(&report.pv),
        mean: report.mean,
        proof: report.proof,
        bounds: report.bounds,
        figures: report.figures,
        nodes: report.nodes,
        edges: report.edges,
        tree_bytes: report.tree_bytes,
        tree_limit: report.tree_limit,
        fullness: report.fullness,
    }
}
