//! The named players.

use crate::settings::Settings;

/// A named player of a game, of the kind that has settings `S`.
#[derive(Debug)]
pub struct Preset<S = Settings> {
    /// Its name in a spec.
    pub name: &'static str,
    /// What it is made of, in a sentence or two.
    pub about: &'static str,
    /// Its settings.
    pub settings: fn() -> S,
}

impl<S> PartialEq for Preset<S> {
    /// Presets of one game differ by name.
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

/// Plain Monte-Carlo tree search, for a game that no paper has named players for.
pub const UCT: Preset = Preset {
    name: "uct",
    about: "Plain UCT: UCB1 with factor 2 and c=1, one new edge an iteration in generation order, \
            uniform playouts to the end of the game, the most visited move.",
    settings: Settings::default,
};
