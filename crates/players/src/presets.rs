//! The named players.

use crate::settings::{Reuse, Settings};

/// A named player of a game.
#[derive(Debug)]
pub struct Preset {
    /// Its name in a spec.
    pub name: &'static str,
    /// What it is made of, in a sentence or two.
    pub about: &'static str,
    /// Its settings.
    pub settings: fn() -> Settings,
}

impl PartialEq for Preset {
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

/// The base player of *Monte Carlo Chess* (2012), section 4.1 and algorithms 7.1 to 7.5.
pub const MCC: Preset = Preset {
    name: "mcc",
    about: "The base player of Monte Carlo Chess (2012): UCB1 with factor 2 and c=1, one new edge an \
            iteration in generation order, uniform playouts to the end of the game, the most visited \
            move, a fixed fraction of the remaining clock time, an empty tree at every move (no-fresh \
            keeps what is known).",
    settings: || Settings { reuse: Reuse::Forget, ..Settings::default() },
};
