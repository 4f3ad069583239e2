//! What a game brings to have players, a command line, a lab, a protocol and a page: one
//! implementation of [`Entry`].

use crate::alphabeta::AlphaBetaPlayers;
use crate::command::GameCommand;
use crate::face::{BoardView, MoveView, SideView};
use crate::level::{Level, StrengthScale};
use crate::network_file::OwnNetwork;
use crate::player::{Player, SearchPlayer};
use crate::presentation::Presentation;
use crate::presets::{self, Preset};
use crate::puzzle::Puzzle;
use crate::setting::Setting;
use crate::settings::Settings;
use crate::signature::SignatureCase;
use crate::transcript::{self, Transcript};
use monteverde_game::{
    Game, NoKnowledge, NoOracle, Notation, NotationError, Oracle, PlayoutKnowledge, Proof, Rng,
};
use monteverde_mcts::{PlayoutResult, Playouter};
use monteverde_network::{Features, Learned};
use std::path::Path;

/// A game as the program knows it. Everything but the game itself has a default, so that `impl
/// Entry for Nim { type Game = Nim; }` is enough to play it, search it, hold matches in it and see
/// it on the page.
///
/// The implementing type is a marker, often the game's own type: it holds no state.
pub trait Entry: Send + Sync + 'static {
    /// The rules.
    type Game: Notation;

    // What it is called.

    /// The name on the command line. Only an entry whose games are made at run time has another
    /// than the one of its type.
    fn name(&self) -> &'static str {
        Self::Game::NAME
    }
    /// The name for people.
    fn title(&self) -> &'static str {
        self.name()
    }
    /// The game in a few words.
    fn about(&self) -> &'static str {
        self.title()
    }
    /// Where people can read the rules: an address that the page links to, such as
    /// `/docs/NAME.html` for a page of this documentation.
    fn rules(&self) -> Option<&'static str> {
        None
    }
    /// What people call the first and the second side in this state, and their colours.
    fn sides(&self, state: &Self::Game) -> [SideView; 2] {
        let _ = state;
        ["First", "Second"].map(|name| SideView { name: name.into(), colour: None })
    }
    /// What an ending ([`Game::ending`]) means, as the end of the sentence "White wins: ...";
    /// `None` where its name says it.
    fn ending_words(&self, ending: &str) -> Option<&'static str> {
        let _ = ending;
        None
    }

    // Where it begins, for games that are made at run time: one type stands for many of them.

    /// The initial state.
    fn start(&self) -> Self::Game {
        Self::Game::start()
    }
    /// Reads a state.
    fn parse_state(&self, text: &str) -> Result<Self::Game, NotationError> {
        Self::Game::parse_state(text)
    }
    /// What tells apart rules of the same name that the program was not built with, for the keys of
    /// what is played; empty for a game that is compiled.
    fn source_digest(&self) -> String {
        String::new()
    }

    // Its players.

    /// Its players that search by Monte-Carlo tree search; the first is the default.
    fn players(&self) -> &'static [Preset] {
        &[presets::UCT]
    }
    /// The settings that these players have beside those of all games, see [`Setting::after`].
    /// Where a player of this game has them they are in [`Settings::own`].
    fn own_settings(&self) -> &'static [Setting<Settings>] {
        &[]
    }
    /// What a player with these settings knows.
    fn searcher(&self, settings: &Settings) -> Box<dyn Searcher<Self::Game>> {
        let _ = settings;
        Box::new(SearchWith { knowledge: NoKnowledge, oracle: NoOracle })
    }
    /// Its players that search by alpha-beta.
    fn alphabeta(&self) -> Option<AlphaBetaPlayers<Self::Game>> {
        None
    }
    /// How strongly it can be played, the weakest level first; none where nobody has made any, and
    /// people then choose among its players.
    fn levels(&self) -> &'static [Level] {
        &[]
    }
    /// How a wanted rating is played; `None` where no ratings were measured.
    fn strength(&self) -> Option<StrengthScale> {
        None
    }
    /// What such a player has to do without here, as a sentence about it; `None` where nothing is
    /// missing.
    fn note(&self, settings: &Settings) -> Option<String> {
        let _ = settings;
        None
    }
    /// What is missing of its endgame tables of up to so many pieces, as a sentence; `None` where
    /// nothing is.
    fn missing_tables(&self, pieces: u32) -> Option<String> {
        let _ = pieces;
        Some(format!("{} has none", self.name()))
    }
    /// What tells apart the endgame tables of up to so many pieces that its players find here;
    /// empty where there are none but those that the program makes itself.
    fn tables_digest(&self, pieces: u32) -> String {
        let _ = pieces;
        String::new()
    }
    /// Builds the endgame tables that its players lack here, where they are small enough to be
    /// built unasked; `false` where there was nothing to build. Players that are made
    /// afterwards ask them. It takes a core for some seconds, so a front end that people use
    /// does it on a thread of its own, and no other does it.
    fn build_tables(&self) -> Result<bool, String> {
        Ok(false)
    }
    /// A number that changes when players that are made from now on ask other tables.
    fn tables_edition(&self) -> usize {
        0
    }
    /// Whether a [`Entry::note`] has not been said before on this machine.
    fn is_news(&self, note: &str) -> bool {
        let _ = note;
        true
    }
    /// What a learned network sees of it; `None` for a game without networks.
    fn features(&self) -> Option<&'static dyn Features<Self::Game>> {
        None
    }
    /// The network that it brings, which its players may have without a file.
    fn network(&self) -> Option<&'static OwnNetwork> {
        None
    }
    /// Whether the value of a state in which this is the best move hangs on what happens at once,
    /// so that a network that values states at rest may do without it: checks and captures of
    /// chess.
    fn is_loud(&self, state: &Self::Game, best: <Self::Game as Game>::Move) -> bool {
        let _ = (state, best);
        false
    }
    /// What games for training may begin with in place of the initial state.
    fn starts(&self) -> &'static [StartKind<Self::Game>] {
        &[]
    }
    /// The searches whose results tell whether its players search as they did, see
    /// [`crate::signature`].
    fn signature(&self) -> &'static [SignatureCase] {
        &[]
    }

    /// The lines of the signature that its players are known to have, among them maybe those of
    /// other games; empty for a game that records none.
    fn recorded_signature(&self) -> &'static str {
        ""
    }

    // What is measured of it.

    /// A state with these pieces and no others on random squares; `None` where the squares that
    /// were drawn make no legal state, or the game has no such pieces.
    fn scatter(&self, pieces: &str, rng: &mut Rng) -> Option<Self::Game> {
        let _ = (pieces, rng);
        None
    }
    /// What may be counted in its states beside their moves.
    fn gauges(&self) -> &'static [Gauge<Self::Game>] {
        &[]
    }

    // How it looks.

    /// The state as a board; `None` for a game that is shown by its picture and a list of moves.
    fn board(&self, state: &Self::Game) -> Option<BoardView> {
        let _ = state;
        None
    }
    /// What a legal move looks like on that board; by default what the squares in its text say.
    fn move_view(&self, state: &Self::Game, mv: <Self::Game as Game>::Move) -> MoveView {
        match self.board(state) {
            Some(board) => MoveView::of_text(&state.move_text(mv), &board),
            None => MoveView::default(),
        }
    }
    /// How people write a legal move.
    fn label(&self, state: &Self::Game, mv: <Self::Game as Game>::Move) -> String {
        state.move_text(mv)
    }
    /// What an event shows, in words; `None` where its text says it.
    fn event_name(&self, event: <Self::Game as Game>::Event) -> Option<String> {
        let _ = event;
        None
    }

    /// What a page is told of the game beside its states.
    fn presentation(&self) -> Presentation {
        Presentation::default()
    }

    // Its files.

    /// What whole games are written as.
    fn record_format(&self) -> RecordFormat {
        RecordFormat::TEXT
    }
    /// Writes a whole game.
    fn write_record(&self, game: &Transcript) -> Result<String, NotationError> {
        Ok(transcript::write(game))
    }
    /// Reads the games of a text, those before the first that is none.
    fn read_records(&self, text: &str) -> Result<Vec<Transcript>, RecordError> {
        let start = || self.start().state_text();
        Ok(transcript::read(self.name(), start, text).into_iter().collect())
    }
    /// Reads the first game of a text; `None` where there is none.
    fn read_record(&self, text: &str) -> Option<Result<Transcript, RecordError>> {
        self.read_records(text).map(|games| games.into_iter().next()).transpose()
    }
    /// Whether a text looks like a record of this game rather than of another.
    fn is_record(&self, text: &str) -> bool {
        transcript::tag(text, "Game").is_some_and(|name| name == self.name())
    }
    /// Reads a line of a file of states: the state, with a name and what is asked of it if the line
    /// says so.
    fn read_line(&self, line: &str) -> Result<Puzzle, String> {
        Ok(Puzzle::of_state(line))
    }

    // Its protocols and commands.

    /// Its words in the Universal Chess Interface; `None` where it is not played by that.
    fn uci(&self) -> Option<UciWords> {
        None
    }
    /// Reads the state that a line of play begins with, `None` for the initial one.
    fn uci_state(
        &self,
        text: Option<&str>,
        reading: UciReading,
    ) -> Result<Self::Game, NotationError> {
        let _ = reading;
        text.map_or_else(|| Ok(self.start()), |text| self.parse_state(text))
    }
    /// Reads a legal move as that protocol writes it.
    fn uci_move(
        &self,
        state: &Self::Game,
        text: &str,
    ) -> Result<<Self::Game as Game>::Move, NotationError> {
        state.parse_move(text)
    }
    /// Whether a line of play may go on from one state to the other, so far as the way in which
    /// moves are written goes.
    fn is_written_like(&self, state: &Self::Game, other: &Self::Game) -> bool {
        let _ = (state, other);
        true
    }
    /// A value of the game's evaluation on the scale of pawns; `None` where that scale has nothing
    /// to do with it.
    fn centipawns(&self, eval: f32) -> Option<i32> {
        let _ = eval;
        None
    }
    /// Whether a folder holds Syzygy files that its players can ask; a sentence where it does not.
    fn check_syzygy(&self, folder: &Path) -> Result<(), String> {
        let _ = folder;
        Err(format!("{} has no use for Syzygy files", self.name()))
    }
    /// Commands of the program that are about this game alone.
    fn commands(&self) -> Vec<GameCommand> {
        Vec::new()
    }
}

/// What whole games are written as.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RecordFormat {
    /// Its short name, such as `pgn`.
    pub name: &'static str,
    /// The ending of its files.
    pub extension: &'static str,
    /// What it is, for the sentence that says what is accepted.
    pub about: &'static str,
}

impl RecordFormat {
    /// Our own, for any game.
    pub const TEXT: RecordFormat = RecordFormat {
        name: "text",
        extension: "txt",
        about: "tags such as [Start \"...\"] followed by numbered moves",
    };
}

/// A text is no record.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{problem}")]
pub struct RecordError {
    /// The line of the text, from 1.
    pub line: usize,
    /// What is wrong, with the line where the format has lines.
    pub problem: String,
    /// What is wrong, without the line.
    pub bare: String,
}

/// A game's words in the Universal Chess Interface.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UciWords {
    /// What the engine is, in a sentence.
    pub title: &'static str,
    /// The player that plays unless another is set: the strongest, which is what an interface
    /// wants.
    pub player: &'static str,
    /// Whether `UCI_Chess960` means anything.
    pub chess960: bool,
    /// Whether a folder of Syzygy files means anything.
    pub syzygy: bool,
    /// Whether engines behind xboard play it too.
    pub xboard: bool,
}

/// How states are to be read that a protocol gives.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum UciReading {
    /// As they are written.
    #[default]
    AsWritten,
    /// As those of Chess960.
    Chess960,
}

/// A kind of states that games for training may begin with.
#[derive(Clone, Copy, Debug)]
pub struct StartKind<G> {
    /// What it is called on the command line.
    pub name: &'static str,
    /// What it is, in a few words.
    pub about: &'static str,
    /// Draws one.
    pub draw: fn(&mut Rng) -> G,
}

/// A number that a state has.
#[derive(Clone, Copy, Debug)]
pub struct Gauge<G> {
    /// What it is called in tables.
    pub name: &'static str,
    /// Counts it.
    pub read: fn(&G) -> u32,
}

/// What a player's search is made with besides its configuration: makes players, plays playouts,
/// and answers what the player knows of states and moves.
pub trait Searcher<G: Game>: Send + Sync {
    /// A player with these settings, at a state.
    fn player(self: Box<Self>, settings: &Settings, state: G) -> Box<dyn Player<G>>;
    /// Plays playouts from a state.
    fn playouts<'a>(&'a self, settings: &Settings, state: &G) -> Box<dyn PlayOne + 'a>;
    /// What is known of each of some moves in advance, 0 where nothing is; `None` where nothing is
    /// known of any.
    fn priors(&self, state: &G, moves: &[G::Move]) -> Option<Vec<f32>>;
    /// What is certain about a state.
    fn probe(&self, state: &G) -> Proof;
    /// What it expects of a state without a search, in -1..1 for the side to move; `None` where
    /// nothing is known.
    fn expectation(&self, state: &G) -> Option<f32> {
        let _ = state;
        None
    }
}

/// Plays playouts from one state.
pub trait PlayOne: Send {
    /// One of them: what it came to, and the name of its ending.
    fn play(&mut self, rng: &mut Rng) -> (PlayoutResult, &'static str);
}

/// A search with knowledge and an oracle.
#[derive(Clone, Copy, Debug)]
pub struct SearchWith<K, O> {
    /// What it guesses.
    pub knowledge: K,
    /// What it is certain of.
    pub oracle: O,
}

impl<G: Game, K: PlayoutKnowledge<G> + 'static, O: Oracle<G> + 'static> Searcher<G>
    for SearchWith<K, O>
{
    fn player(self: Box<Self>, settings: &Settings, state: G) -> Box<dyn Player<G>> {
        Box::new(SearchPlayer::new(settings, state, self.knowledge, self.oracle))
    }

    fn playouts<'a>(&'a self, settings: &Settings, state: &G) -> Box<dyn PlayOne + 'a> {
        let SearchWith { knowledge, oracle } = self;
        let playouter = Playouter::new(settings.config.playout, knowledge, oracle, state);
        Box::new(FromState { playouter, state: state.clone() })
    }

    fn priors(&self, state: &G, moves: &[G::Move]) -> Option<Vec<f32>> {
        moves.iter().find_map(|&mv| self.knowledge.prior(state, mv))?;
        let mut priors = Vec::with_capacity(moves.len());
        self.knowledge.priors(state, moves, &mut priors);
        Some(priors)
    }

    fn probe(&self, state: &G) -> Proof {
        self.oracle.probe(state)
    }

    fn expectation(&self, state: &G) -> Option<f32> {
        self.knowledge.expectation(state)
    }
}

/// A search with knowledge and an oracle, and with the network of its settings if they have one.
pub fn search_with<G, K, O, F>(
    settings: &Settings,
    knowledge: K,
    oracle: O,
    features: F,
) -> Box<dyn Searcher<G>>
where
    G: Game,
    K: PlayoutKnowledge<G> + 'static,
    O: Oracle<G> + 'static,
    F: Features<G> + 'static,
{
    let Some(file) = &settings.network else {
        return Box::new(SearchWith { knowledge, oracle });
    };
    let knowledge = Learned {
        known: knowledge,
        features,
        network: file.network().clone(),
        known_priors: settings.network_prior as f32,
        captures: settings.network_captures,
    };
    Box::new(SearchWith { knowledge, oracle })
}

/// Playouts from a state.
struct FromState<'a, G: Game, K, O> {
    playouter: Playouter<'a, G, K, O>,
    state: G,
}

impl<G: Game, K: PlayoutKnowledge<G>, O: Oracle<G>> PlayOne for FromState<'_, G, K, O> {
    fn play(&mut self, rng: &mut Rng) -> (PlayoutResult, &'static str) {
        let mut game = self.state.clone();
        let result = self.playouter.play(&mut game, rng);
        let ending = result.ended_by.name().or_else(|| game.ending());
        (result, ending.unwrap_or("unknown"))
    }
}
