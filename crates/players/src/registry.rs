//! The games that have players, and the way from a game's name to code that is compiled for it.

use crate::alphabeta::{self, AlphaBeta, AlphaBetaPlayers};
use crate::endgames::{self, BanqiEndgames};
pub use crate::entry::Gauge;
pub use crate::games::UnknownGame;
use crate::presets::{self, Preset};
use crate::settings::Settings;
use crate::tables::{self, ChessTables};
use crate::text::nearest;
use monteverde_banqi::Banqi;
use monteverde_chess::Chess;
use monteverde_game::fixtures::{DiceRace, TicTacToe};
use monteverde_game::{Game, Knowledge, NoKnowledge, NoOracle, Notation, Oracle, Rng};
use monteverde_knowledge::banqi::BanqiKnowledge;
use monteverde_knowledge::chess::ChessKnowledge;
use monteverde_knowledge::loa::LoaKnowledge;
use monteverde_loa::Loa;
use monteverde_mcts::playout::Tables;
use monteverde_mcts::solver::InTree;
use monteverde_tablebase::Syzygy;
use std::path::PathBuf;

/// A game that has named players.
pub trait Playable: Notation {
    /// The game in a few words.
    const ABOUT: &'static str;
    /// Its players; the first is the default.
    const PLAYERS: &'static [Preset];
    /// What its players know beyond the rules.
    type Knowledge: Knowledge<Self> + 'static;
    /// What its players know for certain.
    type Oracle: Oracle<Self> + 'static;
    /// The knowledge of a player.
    fn knowledge(settings: &Settings) -> Self::Knowledge;
    /// The oracle of a player.
    fn oracle(settings: &Settings) -> Self::Oracle;
    /// What such a player has to do without here, as a sentence about it; `None` where nothing is missing.
    fn note(settings: &Settings) -> Option<String> {
        let _ = settings;
        None
    }
    /// What is missing of its endgame tables of up to so many pieces, as a sentence; `None` where nothing is.
    fn missing_tables(pieces: u32) -> Option<String> {
        let _ = pieces;
        Some(format!("{} has none", Self::NAME))
    }
    /// The digest of its endgame tables of up to so many pieces that may differ from folder to
    /// folder; `None` where there are none.
    fn tables_digest(pieces: u32) -> Option<String> {
        let _ = pieces;
        None
    }
    /// A state with these pieces and no others on random squares; `None` where the squares that were drawn make no
    /// legal state, or the game has no such pieces.
    fn scatter(pieces: &str, rng: &mut Rng) -> Option<Self> {
        let _ = (pieces, rng);
        None
    }
    /// What may be counted in its states beside their moves.
    const GAUGES: &'static [Gauge<Self>] = &[];
    /// Its players that search by alpha-beta.
    const ALPHA_BETA: Option<AlphaBetaPlayers<Self>> = None;
}

impl Playable for Chess {
    const ABOUT: &'static str = "chess, Chess960 included";
    const PLAYERS: &'static [Preset] = &[
        presets::MCC,
        presets::MCC_HP_EVAL,
        presets::MCC_HP_SEE,
        presets::MCC_DECISIVE,
        presets::MCC_BIAS,
        presets::MCC_REDRAW,
        presets::MCC_GTB,
        presets::MCC_COMBINED,
        presets::BEST,
        presets::MCC_SOLVER,
        presets::KRK,
    ];
    type Knowledge = ChessKnowledge;
    type Oracle = ChessTables;
    fn knowledge(settings: &Settings) -> ChessKnowledge {
        ChessKnowledge { leaf: settings.leaf }
    }
    fn oracle(settings: &Settings) -> ChessTables {
        ChessTables {
            pieces: settings.pieces,
            least_root: settings.tables_root,
            in_tree: in_tree(settings),
            // Where they cannot be used `note` says so.
            syzygy: settings.syzygy.as_deref().and_then(|dir| Syzygy::open(dir).ok()),
        }
    }
    fn note(settings: &Settings) -> Option<String> {
        let failed = |dir: &PathBuf| Syzygy::open(dir).err();
        if let Some(error) = settings.syzygy.as_ref().and_then(failed) {
            return Some(format!("it does without Syzygy files: {error}"));
        }
        tables_note::<Chess>(settings)
    }
    fn missing_tables(pieces: u32) -> Option<String> {
        tables::missing(pieces)
    }
    fn tables_digest(pieces: u32) -> Option<String> {
        tables::digest(pieces)
    }
    fn scatter(pieces: &str, rng: &mut Rng) -> Option<Chess> {
        tables::scatter(pieces.parse().ok()?, rng)
    }
    const ALPHA_BETA: Option<AlphaBetaPlayers<Chess>> = Some(alphabeta::CHESS);
}

/// Whether the player's tree asks its oracle.
fn in_tree(settings: &Settings) -> InTree {
    settings.config.solver.map_or(InTree::Ignored, |solver| solver.oracle)
}

/// Whether the player asks endgame tables, in its tree or in playouts.
pub(crate) fn asks(settings: &Settings) -> bool {
    in_tree(settings) == InTree::Asked || settings.config.playout.tables == Tables::Probe
}

/// What is missing of the endgame tables that the player asks, as a sentence about it.
fn tables_note<G: Playable>(settings: &Settings) -> Option<String> {
    let missing = if asks(settings) { G::missing_tables(settings.pieces) } else { None };
    missing.map(|missing| format!("it does without some endgame tables: {missing}"))
}

impl Playable for Loa {
    const ABOUT: &'static str = "Lines of Action";
    const PLAYERS: &'static [Preset] = &[
        presets::MC_LOA_2008,
        presets::MC_LOA_2008_NOSOLVER,
        presets::MC_LOA,
        presets::MC_LOA_AB,
        presets::BEST_LOA,
        presets::UCT,
    ];
    type Knowledge = LoaKnowledge;
    type Oracle = NoOracle;
    fn knowledge(settings: &Settings) -> LoaKnowledge {
        let Settings { evaluator, leaf, foresight, .. } = *settings;
        LoaKnowledge { evaluator, leaf, foresight }
    }
    fn oracle(_: &Settings) -> NoOracle {
        NoOracle
    }
    const ALPHA_BETA: Option<AlphaBetaPlayers<Loa>> = Some(alphabeta::LOA);
}

impl Playable for Banqi {
    const ABOUT: &'static str = "Chinese dark chess";
    const PLAYERS: &'static [Preset] = &[presets::DARK_KNIGHT, presets::BEST_BANQI, presets::UCT];
    type Knowledge = BanqiKnowledge;
    type Oracle = BanqiEndgames;
    fn knowledge(settings: &Settings) -> BanqiKnowledge {
        settings.banqi
    }
    fn oracle(settings: &Settings) -> BanqiEndgames {
        BanqiEndgames { pieces: settings.pieces, least_root: settings.tables_root }
    }
    fn note(settings: &Settings) -> Option<String> {
        tables_note::<Banqi>(settings)
    }
    fn missing_tables(pieces: u32) -> Option<String> {
        let too_many = pieces > endgames::MOST_PIECES;
        too_many.then(|| format!("only those of up to {} pieces are solved", endgames::MOST_PIECES))
    }
    const GAUGES: &'static [Gauge<Banqi>] =
        &[Gauge { name: "revealed", read: |state| state.board().face_up().count_ones() }];
}

impl Playable for TicTacToe {
    const ABOUT: &'static str = "tic-tac-toe";
    const PLAYERS: &'static [Preset] = &[presets::UCT];
    type Knowledge = NoKnowledge;
    type Oracle = NoOracle;
    fn knowledge(_: &Settings) -> NoKnowledge {
        NoKnowledge
    }
    fn oracle(_: &Settings) -> NoOracle {
        NoOracle
    }
}

impl Playable for DiceRace {
    const ABOUT: &'static str = "a race of two pieces with a loaded die";
    const PLAYERS: &'static [Preset] = &[presets::UCT];
    type Knowledge = NoKnowledge;
    type Oracle = NoOracle;
    fn knowledge(_: &Settings) -> NoKnowledge {
        NoKnowledge
    }
    fn oracle(_: &Settings) -> NoOracle {
        NoOracle
    }
}

/// Code that works for every game.
pub trait Visitor {
    /// What it gives back.
    type Output;
    /// Does its work for the game `G`.
    fn visit<G: Playable>(self) -> Self::Output;
}

/// What is to be known of a game without its type.
#[derive(Debug)]
pub struct Entry {
    /// Its name on the command line.
    pub name: &'static str,
    /// The game in a few words.
    pub about: &'static str,
    /// Its players; the first is the default.
    pub players: &'static [Preset],
    /// Its players that search by alpha-beta.
    pub alphabeta: &'static [Preset<AlphaBeta>],
}

impl Entry {
    /// The names of all its players.
    pub fn names(&self) -> Vec<&'static str> {
        let others = self.alphabeta.iter().map(|preset| preset.name);
        self.players.iter().map(|preset| preset.name).chain(others).collect()
    }
}

macro_rules! games {
    ($($game:ty),+ $(,)?) => {
        /// Every game; the first is the default.
        pub const GAMES: &[Entry] = &[$(Entry {
            name: <$game as Game>::NAME,
            about: <$game as Playable>::ABOUT,
            players: <$game as Playable>::PLAYERS,
            alphabeta: match <$game as Playable>::ALPHA_BETA {
                Some(players) => players.presets,
                None => &[],
            },
        }),+];

        /// Runs the visitor's code for the game of that name.
        pub fn visit<V: Visitor>(name: &str, visitor: V) -> Result<V::Output, UnknownGame> {
            match name {
                $(<$game as Game>::NAME => Ok(visitor.visit::<$game>()),)+
                _ => Err(unknown_game(name)),
            }
        }
    };
}

games![Chess, Loa, Banqi, TicTacToe, DiceRace];

/// The game of that name.
pub fn game(name: &str) -> Result<&'static Entry, UnknownGame> {
    GAMES.iter().find(|entry| entry.name == name).ok_or_else(|| unknown_game(name))
}

fn unknown_game(name: &str) -> UnknownGame {
    let known: Vec<_> = GAMES.iter().map(|entry| entry.name).collect();
    UnknownGame { name: name.to_owned(), nearest: nearest(name, &known), known }
}
