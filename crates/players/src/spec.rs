//! A player in words: `name:key=value,flag,...`, a named player and what differs from it.

use crate::alphabeta::AlphaBeta;
use crate::clock::ClockUse;
use crate::entry::Entry;
use crate::erased::{AnyGame, AnyState};
use crate::network_file::NetworkFile;
use crate::player::Player;
use crate::presets::Preset;
use crate::setting::{self, Checked, Setting};
use crate::settings::{Reuse, Settings};
use crate::text::{self, nearest};
use monteverde_game::Game;
use std::fmt;
use std::path::PathBuf;

/// A player of one game, read from a spec.
///
/// Its `Display` form is canonical: the name and only the settings that differ from the named
/// player's, in a fixed order. Reading it again gives an equal spec.
#[derive(Clone, PartialEq, Debug)]
pub struct Spec {
    game: AnyGame,
    kind: PlayerKind,
}

/// The kinds of players.
#[derive(Clone, PartialEq, Debug)]
enum PlayerKind {
    Search(Box<Made<Settings>>),
    AlphaBeta(Box<Made<AlphaBeta>>),
}

/// A named player and its settings.
#[derive(Clone, PartialEq, Debug)]
struct Made<S: 'static> {
    preset: &'static Preset<S>,
    settings: S,
}

impl<S: Checked> Made<S> {
    /// The preset of that name, with the settings of a text.
    fn parse(
        presets: &'static [Preset<S>],
        table: &'static [Setting<S>],
        name: &str,
        settings: Option<&str>,
    ) -> Option<Result<Box<Made<S>>, SpecError>> {
        let preset = presets.iter().find(|preset| preset.name == name)?;
        let mut made = Box::new(Made { preset, settings: (preset.settings)() });
        let result =
            settings.map_or(Ok(()), |text| setting::parse(table, text, &mut made.settings));
        Some(result.and_then(|()| made.settings.check()).map(|()| made))
    }

    fn set(
        &mut self,
        table: &'static [Setting<S>],
        key: &str,
        value: u64,
    ) -> Result<(), SpecError> {
        setting::set(table, key, &value.to_string(), &mut self.settings)
    }

    /// The settings that differ from those of the named player.
    fn changes(&self, table: &'static [Setting<S>]) -> String {
        setting::print(table, &(self.preset.settings)(), &self.settings)
    }
}

/// Settings that a front end has of its own and that override those of the spec.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Overrides {
    /// How many threads search.
    pub threads: Option<usize>,
    /// The most bytes the tree may take.
    pub memory: Option<usize>,
    /// Where the random numbers start.
    pub seed: Option<u64>,
    /// A folder of Syzygy files, which players ask that search by Monte-Carlo tree search, where
    /// their game has such.
    pub syzygy: Option<PathBuf>,
    /// The network that it plays with, as the setting of that name has it.
    pub network: Option<String>,
}

/// What is wrong with a spec, and what is accepted.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SpecError {
    /// There is no name.
    #[error(
        "the player's spec is empty; a spec is a name and, after a colon, settings, such as \
         'mcc:c=0.5,threads=2'; players of {game}: {}", known.join(", ")
    )]
    Empty {
        /// The game.
        game: &'static str,
        /// The names of its players.
        known: Vec<&'static str>,
    },
    /// The game has no player of that name.
    #[error(
        "{game} has no player '{}'{}; its players: {}",
        name.escape_debug(), hint(owners, *nearest), known.join(", ")
    )]
    UnknownPlayer {
        /// The game.
        game: &'static str,
        /// What was given.
        name: String,
        /// The name most like it.
        nearest: Option<&'static str>,
        /// The games that have a player of that name.
        owners: Vec<&'static str>,
        /// The names of its players.
        known: Vec<&'static str>,
    },
    /// There is no setting of that name.
    #[error(
        "a player has no setting '{}'{}; settings: {}",
        key.escape_debug(), hint(owners, *nearest), known.join(", ")
    )]
    UnknownKey {
        /// What was given.
        key: String,
        /// The name most like it.
        nearest: Option<&'static str>,
        /// The games whose players have such a setting of their own.
        owners: Vec<&'static str>,
        /// The names of all settings.
        known: Vec<&'static str>,
    },
    /// A setting does not accept the value.
    #[error("'{}' is no value for the setting {key}, which takes {accepted}", value.escape_debug())]
    BadValue {
        /// The setting.
        key: &'static str,
        /// What was given.
        value: String,
        /// What is accepted.
        accepted: String,
    },
    /// A file does not hold the network that it should.
    #[error(
        "'{}' is no value for the setting {key}: {problem}; it takes {accepted}", value.escape_debug()
    )]
    BadNetwork {
        /// The setting.
        key: &'static str,
        /// What was given.
        value: String,
        /// What is wrong with the file.
        problem: String,
        /// What is accepted.
        accepted: String,
    },
    /// Files may not be named.
    #[error("the setting {key} names a file, which is not accepted here; leave it out")]
    NoFiles {
        /// The setting.
        key: &'static str,
    },
    /// A setting is given twice.
    #[error("the setting {key} is given twice; give it once")]
    Duplicate {
        /// The setting.
        key: &'static str,
    },
    /// A flag is given a value.
    #[error(
        "{key} is a flag and takes no value ('{}' was given); write '{key}' or 'no-{key}'",
        value.escape_debug()
    )]
    ValueForFlag {
        /// The flag.
        key: &'static str,
        /// What was given.
        value: String,
    },
    /// A setting has no value.
    #[error("the setting {key} needs a value: write '{key}=...' with {accepted}")]
    MissingValue {
        /// The setting.
        key: &'static str,
        /// What is accepted.
        accepted: String,
    },
    /// There is nothing where a setting should be.
    #[error("a setting is missing after ':' or ','; settings are written 'key=value,flag,...'")]
    EmptySetting,
    /// Two settings exclude each other.
    #[error("the settings {one} and {other} exclude each other: {reason}; write {remedy}")]
    Conflict {
        /// One of them.
        one: &'static str,
        /// The other.
        other: &'static str,
        /// Why.
        reason: &'static str,
        /// What to write instead.
        remedy: &'static str,
    },
    /// A setting means nothing without another.
    #[error("the setting {key} means nothing without '{needs}'; give that too")]
    Needs {
        /// The setting.
        key: &'static str,
        /// What is missing, as written in a spec.
        needs: &'static str,
    },
}

/// A player by its spec, with a front end's own settings, at the start of the game. For access to
/// the settings, or another state, take the steps one by one: [`Spec::read`], [`Spec::with`],
/// [`Spec::make`].
pub fn build(
    game: AnyGame,
    spec: &str,
    overrides: &Overrides,
) -> Result<Box<dyn Player<AnyState>>, SpecError> {
    Ok(Spec::read(game, spec)?.with(overrides)?.make(&game.start()))
}

/// Why a player does not get its memory.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum MemoryError {
    /// It asks for more than is lent.
    #[error(
        "'{player}' takes {} of memory, and at most {most} can be had here; {player}:memory={most} is accepted",
        text::bytes(*wanted as u64), most = text::bytes(*most as u64)
    )]
    AboveLimit {
        /// Its name.
        player: String,
        /// What it asks for.
        wanted: usize,
        /// What can be had.
        most: usize,
    },
    /// The system has less.
    #[error(
        "the system does not give the tree {}; less can be asked for, such as --player {player}:memory=256MiB",
        text::bytes(*wanted as u64)
    )]
    NotGiven {
        /// Its name.
        player: String,
        /// What it asks for.
        wanted: usize,
    },
}

impl Spec {
    /// Reads a spec of a player of a game. Spaces around names, commas and signs do no harm.
    pub fn read(game: AnyGame, text: &str) -> Result<Spec, SpecError> {
        let (name, settings) = match text.split_once(':') {
            Some((name, settings)) => (name.trim(), Some(settings)),
            None => (text.trim(), None),
        };
        let (search, alphabeta) = (game.settings(), game.alphabeta_settings());
        let kind = if let Some(made) = Made::parse(game.players(), search, name, settings) {
            made.map(PlayerKind::Search).map_err(|error| {
                error.owned_by(game, |other, key| is_own(other.own_settings(), key))
            })?
        } else if let Some(made) = Made::parse(game.alphabeta(), alphabeta, name, settings) {
            made.map(PlayerKind::AlphaBeta).map_err(|error| {
                error.owned_by(game, |other, key| is_own(other.own_alphabeta_settings(), key))
            })?
        } else {
            return Err(no_player(game, name));
        };
        Ok(Spec { game, kind })
    }

    /// As [`Spec::read`], for a text from somebody who may not choose which files are read: a spec
    /// that names one is refused, whether the file is there or not.
    pub fn read_without_files(game: AnyGame, text: &str) -> Result<Spec, SpecError> {
        let settings = text.split_once(':').map_or("", |(_, settings)| settings);
        let named = setting::file_named(game.settings(), settings);
        let named = named.or_else(|| setting::file_named(game.alphabeta_settings(), settings));
        named.map_or_else(|| Spec::read(game, text), |key| Err(SpecError::NoFiles { key }))
    }

    /// The player itself, at a state.
    ///
    /// # Panics
    /// If the spec was read for another game.
    pub fn make(&self, state: &AnyState) -> Box<dyn Player<AnyState>> {
        let game = state.game();
        assert_eq!(self.game, game, "a spec makes players of the game it was read for");
        match &self.kind {
            PlayerKind::Search(made) => game.search_player(&made.settings, state),
            PlayerKind::AlphaBeta(made) => game.alphabeta_player(&made.settings, state),
        }
    }

    /// The player itself with its game's type, for what a game brings that is about it alone.
    ///
    /// # Panics
    /// If the spec was read for another game.
    pub fn make_typed<E: Entry>(&self, entry: &E, state: E::Game) -> Box<dyn Player<E::Game>> {
        let name = <E::Game as Game>::NAME;
        assert_eq!(self.game.name(), name, "a spec makes players of the game it was read for");
        match &self.kind {
            PlayerKind::Search(made) => {
                entry.searcher(&made.settings).player(&made.settings, state)
            }
            PlayerKind::AlphaBeta(made) => {
                let players = entry.alphabeta().expect("the spec names one of these players");
                (players.player)(&made.settings, state)
            }
        }
    }

    /// What the player has to do without here, such as endgame tables, as a sentence; `None` where
    /// nothing is missing.
    ///
    /// # Panics
    /// If the spec was read for another game.
    pub fn missing(&self, game: AnyGame) -> Option<String> {
        assert_eq!(self.game, game, "a spec speaks of players of the game it was read for");
        match &self.kind {
            PlayerKind::Search(made) => game.note(&made.settings),
            PlayerKind::AlphaBeta(_) => None,
        }
    }

    /// The same player with a front end's own settings.
    pub fn with(mut self, overrides: &Overrides) -> Result<Spec, SpecError> {
        for (key, value) in [
            ("threads", overrides.threads.map(|threads| threads as u64)),
            ("memory", overrides.memory.map(|memory| memory as u64)),
            ("seed", overrides.seed),
        ] {
            if let Some(value) = value {
                match &mut self.kind {
                    PlayerKind::Search(made) => made.set(self.game.settings(), key, value)?,
                    // It has one thread, which need not be said but may be.
                    PlayerKind::AlphaBeta(_) if (key, value) == ("threads", 1) => {}
                    PlayerKind::AlphaBeta(made) => {
                        made.set(self.game.alphabeta_settings(), key, value)?;
                    }
                }
            }
        }
        if let Some(file) = &overrides.network {
            match &mut self.kind {
                PlayerKind::Search(made) => {
                    setting::set(self.game.settings(), "network", file, &mut made.settings)?;
                    made.settings.check()?;
                }
                PlayerKind::AlphaBeta(made) => {
                    let table = self.game.alphabeta_settings();
                    setting::set(table, "network", file, &mut made.settings)?;
                    made.settings.check()?;
                }
            }
        }
        if let (PlayerKind::Search(made), Some(dir)) = (&mut self.kind, &overrides.syzygy) {
            made.settings.syzygy = Some(dir.clone());
        }
        Ok(self)
    }

    /// The same player, which keeps what it knows of a state whenever it goes on thinking about it.
    pub fn keeping(mut self) -> Spec {
        if let PlayerKind::Search(made) = &mut self.kind {
            made.settings.reuse = Reuse::Keep;
        }
        self
    }

    /// The name of the game that it plays.
    pub fn game(&self) -> &'static str {
        self.game.name()
    }

    /// The name of the player that it starts from.
    pub fn name(&self) -> &'static str {
        match &self.kind {
            PlayerKind::Search(made) => made.preset.name,
            PlayerKind::AlphaBeta(made) => made.preset.name,
        }
    }

    /// Whether the player proves mates of any length as it searches, so that it can be asked for
    /// one.
    pub fn proves_mates(&self) -> bool {
        self.settings().is_some_and(|settings| settings.config.solver.is_some())
    }

    /// Every setting of a player that searches by Monte-Carlo tree search, typed; `None` for
    /// another kind.
    pub fn settings(&self) -> Option<&Settings> {
        match &self.kind {
            PlayerKind::Search(made) => Some(&made.settings),
            PlayerKind::AlphaBeta(_) => None,
        }
    }

    /// Every setting of a player that searches by alpha-beta, typed; `None` for another kind.
    pub fn alphabeta(&self) -> Option<&AlphaBeta> {
        match &self.kind {
            PlayerKind::Search(_) => None,
            PlayerKind::AlphaBeta(made) => Some(&made.settings),
        }
    }

    /// How it spends a game clock, see [`crate::Budget`].
    pub fn clock_use(&self) -> ClockUse {
        match &self.kind {
            PlayerKind::Search(made) => ClockUse {
                fraction: made.settings.fraction,
                stretch: made.settings.config.clock_share.unwrap_or(1.0),
            },
            PlayerKind::AlphaBeta(made) => ClockUse::fixed(made.settings.fraction),
        }
    }

    /// The most pieces that it asks endgame tables about, 0 if it asks none.
    pub fn pieces_asked(&self) -> u32 {
        let asks = |settings: &&Settings| settings.asks_tables();
        self.settings().filter(asks).map_or(0, |settings| settings.pieces)
    }

    /// The network that it plays with.
    pub fn network(&self) -> Option<&NetworkFile> {
        match &self.kind {
            PlayerKind::Search(made) => made.settings.network.as_ref(),
            PlayerKind::AlphaBeta(made) => made.settings.network.as_ref(),
        }
    }

    /// The most bytes that its tree or table may take.
    pub fn memory(&self) -> usize {
        match &self.kind {
            PlayerKind::Search(made) => made.settings.config.memory,
            PlayerKind::AlphaBeta(made) => made.settings.config.table.unwrap_or(0),
        }
    }

    /// Whether the system has so much memory: it is asked for, and given back. The players take it
    /// for granted that they get theirs.
    pub fn fits_in_memory(&self) -> bool {
        Vec::<u8>::new().try_reserve_exact(self.memory()).is_ok()
    }

    /// Refuses a player that takes more than so much memory, or than the system has.
    pub fn check_memory(&self, most: usize) -> Result<(), MemoryError> {
        let (player, wanted) = (self.name().to_owned(), self.memory());
        if wanted > most {
            return Err(MemoryError::AboveLimit { player, wanted, most });
        }
        if self.fits_in_memory() { Ok(()) } else { Err(MemoryError::NotGiven { player, wanted }) }
    }

    /// Where its random numbers start.
    pub fn seed(&self) -> u64 {
        match &self.kind {
            PlayerKind::Search(made) => made.settings.config.seed,
            PlayerKind::AlphaBeta(made) => made.settings.config.seed,
        }
    }
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let changes = match &self.kind {
            PlayerKind::Search(made) => made.changes(self.game.settings()),
            PlayerKind::AlphaBeta(made) => made.changes(self.game.alphabeta_settings()),
        };
        let colon = if changes.is_empty() { "" } else { ":" };
        write!(f, "{}{colon}{changes}", self.name())
    }
}

impl SpecError {
    /// The same, with the other games that have the setting that this one does not have.
    fn owned_by(mut self, game: AnyGame, has: impl Fn(AnyGame, &str) -> bool) -> SpecError {
        if let SpecError::UnknownKey { key, owners, .. } = &mut self {
            let others = game.siblings().into_iter();
            *owners = others.filter(|&other| has(other, key)).map(AnyGame::name).collect();
        }
        self
    }
}

/// Whether a setting is among those of a game's own, or a flag of them switched off.
fn is_own<S>(own: &[Setting<S>], key: &str) -> bool {
    let bare = key.strip_prefix("no-").unwrap_or(key);
    own.iter().any(|setting| setting.name == key || setting.name == bare)
}

fn no_player(game: AnyGame, name: &str) -> SpecError {
    let known = game.player_names();
    if name.is_empty() {
        return SpecError::Empty { game: game.name(), known };
    }
    let nearest = nearest(name, &known);
    let has = |other: &AnyGame| other.player_names().contains(&name);
    let owners = game.siblings().into_iter().filter(has).map(AnyGame::name).collect();
    SpecError::UnknownPlayer { game: game.name(), name: name.to_owned(), nearest, owners, known }
}

/// Where the name is known, or what is most like it.
fn hint(owners: &[&str], nearest: Option<&str>) -> String {
    match (owners, nearest) {
        ([], None) => String::new(),
        ([], Some(name)) => format!(" (perhaps '{name}'?)"),
        (owners, _) => format!(" (that is one of {})", owners.join(" and ")),
    }
}
