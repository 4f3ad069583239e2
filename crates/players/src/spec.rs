//! A player in words: `name:key=value,flag,...`, a named player and what differs from it.

use crate::player::{Player, SearchPlayer};
use crate::presets::Preset;
use crate::registry::Playable;
use crate::setting;
use crate::settings::{SETTINGS, Settings};
use crate::text::nearest;
use std::fmt;

/// A player of one game, read from a spec.
///
/// Its `Display` form is canonical: the name and only the settings that differ from the named player's, in
/// a fixed order. Reading it again gives an equal spec.
#[derive(Clone, PartialEq, Debug)]
pub struct Spec {
    game: &'static str,
    preset: &'static Preset,
    settings: Settings,
}

/// Settings that a front end has of its own and that override those of the spec.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Overrides {
    /// How many threads search.
    pub threads: Option<usize>,
    /// The most bytes the tree may take.
    pub memory: Option<usize>,
    /// Where the random numbers start.
    pub seed: Option<u64>,
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
    /// Reads a spec of a player of the game `G`. Spaces around names, commas and signs do no harm.
    pub fn parse<G: Playable>(text: &str) -> Result<Spec, SpecError> {
        let (name, settings) = match text.split_once(':') {
            Some((name, settings)) => (name.trim(), Some(settings)),
            None => (text.trim(), None),
        };
        let preset = G::PLAYERS.iter().find(|preset| preset.name == name);
        let preset = preset.ok_or_else(|| unknown_player::<G>(name))?;
        let mut spec = Spec { game: G::NAME, preset, settings: (preset.settings)() };
        if let Some(settings) = settings {
            setting::parse(SETTINGS, settings, &mut spec.settings)?;
        }
        Ok(spec)
    }

    /// The same player with a front end's own settings.
    pub fn with(mut self, overrides: &Overrides) -> Result<Spec, SpecError> {
        for (key, value) in [
            ("threads", overrides.threads.map(|threads| threads as u64)),
            ("memory", overrides.memory.map(|memory| memory as u64)),
            ("seed", overrides.seed),
        ] {
            if let Some(value) = value {
                setting::set(SETTINGS, key, &value.to_string(), &mut self.settings)?;
            }
        }
        Ok(self)
    }

    /// The name of the game that it plays.
    pub fn game(&self) -> &'static str {
        self.game
    }

    /// The named player that it starts from.
    pub fn preset(&self) -> &'static Preset {
        self.preset
    }

    /// Every setting, typed.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The player itself, at a state.
    ///
    /// # Panics
    /// If the spec was read for another game.
    pub fn player<G: Playable>(&self, state: G) -> Box<dyn Player<G>> {
        assert_eq!(self.game, G::NAME, "a spec builds players of the game it was read for");
        let settings = &self.settings;
        Box::new(SearchPlayer::new(settings, state, G::knowledge(settings), G::oracle(settings)))
    }
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let settings = setting::print(SETTINGS, &(self.preset.settings)(), &self.settings);
        let colon = if settings.is_empty() { "" } else { ":" };
        write!(f, "{}{colon}{settings}", self.preset.name)
    }
}

fn unknown_player<G: Playable>(name: &str) -> SpecError {
    let known: Vec<_> = G::PLAYERS.iter().map(|preset| preset.name).collect();
    if name.is_empty() {
        return SpecError::Empty { game: G::NAME, known };
    }
    let nearest = nearest(name, &known);
    SpecError::UnknownPlayer { game: G::NAME, name: name.to_owned(), nearest, known }
}

fn perhaps(nearest: &Option<&'static str>) -> String {
    nearest.map_or(String::new(), |name| format!(" (perhaps '{name}'?)"))
}
