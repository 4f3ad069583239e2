//! A player in words: `name:key=value,flag,...`, a named player and what differs from it.

use crate::alphabeta::AlphaBeta;
use crate::entry::Entry;
use crate::erased::{AnyGame, AnyState};
use crate::player::{Player, SearchPlayer};
use crate::presets::Preset;
use crate::registry::Playable;
use crate::setting::{self, Described};
use crate::settings::{Reuse, Settings};
use crate::text::nearest;
use monteverde_game::Game;
use std::fmt;
use std::path::PathBuf;

/// A player of one game, read from a spec.
///
/// Its `Display` form is canonical: the name and only the settings that differ from the named player's, in
/// a fixed order. Reading it again gives an equal spec.
#[derive(Clone, PartialEq, Debug)]
pub struct Spec {
    game: &'static str,
    kind: Kind,
}

/// The kinds of players.
#[derive(Clone, PartialEq, Debug)]
enum Kind {
    Search(Box<Made<Settings>>),
    AlphaBeta(Made<AlphaBeta>),
}

/// A named player and its settings.
#[derive(Clone, PartialEq, Debug)]
struct Made<S: 'static> {
    preset: &'static Preset<S>,
    settings: S,
}

impl<S: Described> Made<S> {
    /// The preset of that name, with the settings of a text.
    fn parse(
        presets: &'static [Preset<S>],
        name: &str,
        settings: Option<&str>,
    ) -> Option<Result<Made<S>, SpecError>> {
        let preset = presets.iter().find(|preset| preset.name == name)?;
        let mut made = Made { preset, settings: (preset.settings)() };
        let result =
            settings.map_or(Ok(()), |text| setting::parse(S::TABLE, text, &mut made.settings));
        Some(result.and_then(|()| made.settings.check()).map(|()| made))
    }

    fn set(&mut self, key: &str, value: u64) -> Result<(), SpecError> {
        setting::set(S::TABLE, key, &value.to_string(), &mut self.settings)
    }
}

impl<S: Described> fmt::Display for Made<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let settings = setting::print(S::TABLE, &(self.preset.settings)(), &self.settings);
        let colon = if settings.is_empty() { "" } else { ":" };
        write!(f, "{}{colon}{settings}", self.preset.name)
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
    /// A folder of Syzygy files, which players of chess ask that search by Monte-Carlo tree search.
    pub syzygy: Option<PathBuf>,
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
        name.escape_debug(), perhaps(nearest), known.join(", ")
    )]
    UnknownPlayer {
        /// The game.
        game: &'static str,
        /// What was given.
        name: String,
        /// The name most like it.
        nearest: Option<&'static str>,
        /// The names of its players.
        known: Vec<&'static str>,
    },
    /// There is no setting of that name.
    #[error(
        "a player has no setting '{}'{}; settings: {}",
        key.escape_debug(), perhaps(nearest), known.join(", ")
    )]
    UnknownKey {
        /// What was given.
        key: String,
        /// The name most like it.
        nearest: Option<&'static str>,
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

/// A player by its spec, with a front end's own settings, at the start of the game. For access to the
/// settings, or another state, take the steps one by one: [`Spec::parse`], [`Spec::with`],
/// [`Spec::player`].
pub fn build<G: Playable>(
    spec: &str,
    overrides: &Overrides,
) -> Result<Box<dyn Player<G>>, SpecError> {
    Ok(Spec::parse::<G>(spec)?.with(overrides)?.player(G::start()))
}

impl Spec {
    /// Reads a spec of a player of a game. Spaces around names, commas and signs do no harm.
    pub fn read(game: AnyGame, text: &str) -> Result<Spec, SpecError> {
        let (name, settings) = match text.split_once(':') {
            Some((name, settings)) => (name.trim(), Some(settings)),
            None => (text.trim(), None),
        };
        let kind = if let Some(made) = Made::parse(game.players(), name, settings) {
            Kind::Search(Box::new(made?))
        } else if let Some(made) = Made::parse(game.alphabeta(), name, settings) {
            Kind::AlphaBeta(made?)
        } else {
            return Err(no_player(game.name(), name, game.player_names()));
        };
        Ok(Spec { game: game.name(), kind })
    }

    /// The player itself, at a state.
    ///
    /// # Panics
    /// If the spec was read for another game.
    pub fn make(&self, state: &AnyState) -> Box<dyn Player<AnyState>> {
        let game = state.game();
        assert_eq!(self.game, game.name(), "a spec makes players of the game it was read for");
        match &self.kind {
            Kind::Search(made) => game.search_player(&made.settings, state),
            Kind::AlphaBeta(made) => game.alphabeta_player(&made.settings, state),
        }
    }

    /// The player itself with its game's type, for what a game brings that is about it alone.
    ///
    /// # Panics
    /// If the spec was read for another game.
    pub fn make_typed<E: Entry>(&self, entry: &E, state: E::Game) -> Box<dyn Player<E::Game>> {
        let name = <E::Game as Game>::NAME;
        assert_eq!(self.game, name, "a spec makes players of the game it was read for");
        match &self.kind {
            Kind::Search(made) => entry.searcher(&made.settings).player(&made.settings, state),
            Kind::AlphaBeta(made) => {
                let players = entry.alphabeta().expect("the spec names one of these players");
                (players.player)(&made.settings, state)
            }
        }
    }

    /// What the player has to do without here, such as endgame tables, as a sentence; `None` where nothing is
    /// missing.
    ///
    /// # Panics
    /// If the spec was read for another game.
    pub fn missing(&self, game: AnyGame) -> Option<String> {
        assert_eq!(self.game, game.name(), "a spec speaks of players of the game it was read for");
        match &self.kind {
            Kind::Search(made) => game.note(&made.settings),
            Kind::AlphaBeta(_) => None,
        }
    }

    /// Reads a spec of a player of the game `G`. Spaces around names, commas and signs do no harm.
    pub fn parse<G: Playable>(text: &str) -> Result<Spec, SpecError> {
        let (name, settings) = match text.split_once(':') {
            Some((name, settings)) => (name.trim(), Some(settings)),
            None => (text.trim(), None),
        };
        let kind = if let Some(made) = Made::parse(G::PLAYERS, name, settings) {
            Kind::Search(Box::new(made?))
        } else if let Some(made) = Made::parse(alphabeta::<G>(), name, settings) {
            Kind::AlphaBeta(made?)
        } else {
            return Err(unknown_player::<G>(name));
        };
        Ok(Spec { game: G::NAME, kind })
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
                    Kind::Search(made) => made.set(key, value)?,
                    // It has one thread, which need not be said but may be.
                    Kind::AlphaBeta(_) if (key, value) == ("threads", 1) => {}
                    Kind::AlphaBeta(made) => made.set(key, value)?,
                }
            }
        }
        if let (Kind::Search(made), Some(dir)) = (&mut self.kind, &overrides.syzygy) {
            made.settings.syzygy = Some(dir.clone());
        }
        Ok(self)
    }

    /// The same player, which keeps what it knows of a state whenever it goes on thinking about it.
    pub fn keeping(mut self) -> Spec {
        if let Kind::Search(made) = &mut self.kind {
            made.settings.reuse = Reuse::Keep;
        }
        self
    }

    /// The name of the game that it plays.
    pub fn game(&self) -> &'static str {
        self.game
    }

    /// The name of the player that it starts from.
    pub fn name(&self) -> &'static str {
        match &self.kind {
            Kind::Search(made) => made.preset.name,
            Kind::AlphaBeta(made) => made.preset.name,
        }
    }

    /// Whether the player proves mates of any length as it searches, so that it can be asked for one.
    pub fn proves_mates(&self) -> bool {
        self.settings().is_some_and(|settings| settings.config.solver.is_some())
    }

    /// Every setting of a player that searches by Monte-Carlo tree search, typed; `None` for another kind.
    pub fn settings(&self) -> Option<&Settings> {
        match &self.kind {
            Kind::Search(made) => Some(&made.settings),
            Kind::AlphaBeta(_) => None,
        }
    }

    /// Every setting of a player that searches by alpha-beta, typed; `None` for another kind.
    pub fn alphabeta(&self) -> Option<&AlphaBeta> {
        match &self.kind {
            Kind::Search(_) => None,
            Kind::AlphaBeta(made) => Some(&made.settings),
        }
    }

    /// A move gets one part in so many of the remaining clock time, see [`crate::Budget`].
    pub fn fraction(&self) -> u32 {
        match &self.kind {
            Kind::Search(made) => made.settings.fraction,
            Kind::AlphaBeta(made) => made.settings.fraction,
        }
    }

    /// What the player has to do without here, such as endgame tables, as a sentence; `None` where nothing is
    /// missing.
    ///
    /// # Panics
    /// If the spec was read for another game.
    pub fn note<G: Playable>(&self) -> Option<String> {
        assert_eq!(self.game, G::NAME, "a spec speaks of players of the game it was read for");
        match &self.kind {
            Kind::Search(made) => G::note(&made.settings),
            Kind::AlphaBeta(_) => None,
        }
    }

    /// The most bytes that its tree or table may take.
    pub fn memory(&self) -> usize {
        match &self.kind {
            Kind::Search(made) => made.settings.config.memory,
            Kind::AlphaBeta(made) => made.settings.config.table.unwrap_or(0),
        }
    }

    /// Whether the system has so much memory: it is asked for, and given back. The players take it for granted that they
    /// get theirs.
    pub fn fits_in_memory(&self) -> bool {
        Vec::<u8>::new().try_reserve_exact(self.memory()).is_ok()
    }

    /// Where its random numbers start.
    pub fn seed(&self) -> u64 {
        match &self.kind {
            Kind::Search(made) => made.settings.config.seed,
            Kind::AlphaBeta(made) => made.settings.config.seed,
        }
    }

    /// The player itself, at a state.
    ///
    /// # Panics
    /// If the spec was read for another game.
    pub fn player<G: Playable>(&self, state: G) -> Box<dyn Player<G>> {
        assert_eq!(self.game, G::NAME, "a spec builds players of the game it was read for");
        match &self.kind {
            Kind::Search(made) => {
                let settings = &made.settings;
                let (knowledge, oracle) = (G::knowledge(settings), G::oracle(settings));
                Box::new(SearchPlayer::new(settings, state, knowledge, oracle))
            }
            Kind::AlphaBeta(made) => {
                let players = G::ALPHA_BETA.expect("the spec names one of these players");
                (players.player)(&made.settings, state)
            }
        }
    }
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            Kind::Search(made) => made.fmt(f),
            Kind::AlphaBeta(made) => made.fmt(f),
        }
    }
}

fn alphabeta<G: Playable>() -> &'static [Preset<AlphaBeta>] {
    G::ALPHA_BETA.map_or(&[], |players| players.presets)
}

fn unknown_player<G: Playable>(name: &str) -> SpecError {
    let others = alphabeta::<G>().iter().map(|preset| preset.name);
    let known: Vec<_> = G::PLAYERS.iter().map(|preset| preset.name).chain(others).collect();
    no_player(G::NAME, name, known)
}

fn no_player(game: &'static str, name: &str, known: Vec<&'static str>) -> SpecError {
    if name.is_empty() {
        return SpecError::Empty { game, known };
    }
    let nearest = nearest(name, &known);
    SpecError::UnknownPlayer { game, name: name.to_owned(), nearest, known }
}

fn perhaps(nearest: &Option<&'static str>) -> String {
    nearest.map_or(String::new(), |name| format!(" (perhaps '{name}'?)"))
}
