//! The named players of Chinese dark chess.

use super::Preset;
use crate::settings::Settings;
use monteverde_mcts::playout::{Playouts, Strategy};
use monteverde_mcts::{Config, Uct};

/// The base player of *An Analysis for Strength Improvement of an MCTS-Based Program Playing Chinese Dark Chess*.
pub const DARK_KNIGHT: Preset = Preset {
    name: "dark-knight",
    about: "The base player of the study of Chinese dark chess: Q + C sqrt(ln N / n) with Q in -1..1 and C=1 (ours: the \
            paper prints neither), one new edge an iteration in generation order, flips as chance nodes; playouts \
            that draw captures by the weight of what they take and other moves by weight 2 (ours), to the end of \
            the game; the most visited move.",
    settings: || {
        let playout = Playouts { strategy: Strategy::Categories, ..Playouts::default() };
        let config = Config { uct: Uct::Signed { c: C * C }, playout, ..Config::default() };
        Settings { config, ..Settings::default() }
    },
};

/// The exploration constant of formula 1, which the paper does not print, for means in -1..1.
const C: f64 = 1.0;
