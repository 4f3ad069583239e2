//! The named players of Chinese dark chess.

use super::NETWORK;
use super::settings::BIAS;
use monteverde_knowledge::banqi::{BanqiKnowledge, CURB, FLIP, MoveEval};
use monteverde_mcts::playout::{Playouts, Strategy, Truncate, Verdict};
use monteverde_mcts::{Config, Fpu, Imb, Quality, Uct};
use monteverde_players::own::OwnSettings;
use monteverde_players::{NetworkFile, Preset, Settings, presets};

/// All of them; the first is the default.
pub(super) const PLAYERS: &[Preset] = &[DARK_KNIGHT, BEST_BANQI, BEST_PLAYOUTS, presets::UCT];

/// The base player of *An Analysis for Strength Improvement of an MCTS-Based Program Playing
/// Chinese Dark Chess*.
const DARK_KNIGHT: Preset = Preset {
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

/// Our strongest player of Chinese dark chess.
const BEST_BANQI: Preset = Preset {
    name: "best",
    about: "Our strongest: no playouts but what a learned network expects, on average over what may appear at a flip; \
            exploration by what it says of each move; the tree is kept from move to move. Without a network best-playouts \
            is the strongest.",
    settings: || {
        let config = Config {
            uct: Uct::Puct { c: BEST_C, temperature: BEST_TEMPERATURE },
            fpu: Some(Fpu::Reduced(BEST_URGENCY)),
            playout: Playouts { truncate: Some(Truncate { plies: 0 }), ..Playouts::default() },
            ..Config::default()
        };
        let network = Some(NetworkFile::from(&NETWORK));
        Settings { config, network, ..Settings::default() }
    },
};

/// Our strongest player of Chinese dark chess without a network.
const BEST_PLAYOUTS: Preset = Preset {
    name: "best-playouts",
    about: "Our strongest without a network: dark-knight with all techniques of the study (ept, imb=0.3, sl, tsq, \
            pb-curb-flip), less exploration, and playouts of at most 30 plies that are valued by their material; the \
            tree is kept from move to move.",
    settings: || {
        let playout = Playouts {
            strategy: Strategy::Categories,
            verdict: Some(Verdict { error: 0.0 }),
            truncate: Some(Truncate { plies: PLAYOUT_PLIES }),
            ..Playouts::default()
        };
        let config = Config {
            uct: Uct::Signed { c: PLAYOUT_C * PLAYOUT_C },
            playout,
            imb: Some(Imb::Fixed(PLAYOUT_ALPHA)),
            quality: Quality { length: Some(Quality::LENGTH), terminal: Some(Quality::TERMINAL) },
            bias: Some(BIAS),
            ..Config::default()
        };
        let moves = Some(MoveEval::Flips { curb: CURB, flip: FLIP });
        let own = OwnSettings::new(BanqiKnowledge { moves, ..BanqiKnowledge::default() });
        Settings { config, own, ..Settings::default() }
    },
};

/// As in chess.
const BEST_C: f64 = 1.0;
const BEST_TEMPERATURE: f64 = 1.0;
const BEST_URGENCY: f64 = 0.05;

/// The best weight of Figure 6 of the study.
const PLAYOUT_ALPHA: f64 = 0.3;

/// `experiments/best-cdc-exploration.toml`: 74 Elo (25 to 126) over C = 1.
const PLAYOUT_C: f64 = 0.5;

/// `experiments/best-cdc-truncate.toml`: 65 Elo (18 to 115) at equal time over whole playouts.
const PLAYOUT_PLIES: u32 = 30;
