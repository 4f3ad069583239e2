//! The settings of endgame tables and of what is known of leaves and moves.

use super::Settings;
use crate::setting::{Kind, Setting, Switch};
use monteverde_knowledge::Leaf;
use monteverde_mcts::playout::Tables;

/// The most pieces of a table that can be built.
const MOST_PIECES: u64 = monteverde_tablebase::MOST_PIECES as u64;

pub(super) const TABLES: Setting<Settings> = Setting {
    name: "tables",
    meaning: "A playout ends where the endgame tables know the result.",
    needs: None,
    kind: Kind::Flag {
        read: |settings| match settings.config.playout.tables {
            Tables::Probe => Some(Switch::On),
            Tables::Ignore => Some(Switch::Off),
        },
        write: |settings, switch| {
            settings.config.playout.tables = match switch {
                Switch::On => Tables::Probe,
                Switch::Off => Tables::Ignore,
            };
        },
    },
};

pub(super) const PIECES: Setting<Settings> = Setting {
    name: "pieces",
    meaning: "The endgame tables are asked about states with at most so many pieces, kings included. Those of Chinese \
              dark chess go up to 4, all face up, and are made when they are first asked for.",
    needs: None,
    kind: Kind::Whole {
        range: 3..=MOST_PIECES,
        read: |settings| Some(u64::from(settings.pieces)),
        write: |settings, pieces| settings.pieces = pieces as u32,
    },
};

pub(super) const TABLES_ROOT: Setting<Settings> = Setting {
    name: "tables-root",
    meaning: "Playouts ignore the endgame tables while the root has fewer pieces than this; the thesis \
              takes 8, so that tables are measured by what they do for playouts.",
    needs: None,
    kind: Kind::Whole {
        range: 0..=32,
        read: |settings| Some(u64::from(settings.tables_root)),
        write: |settings, pieces| settings.tables_root = pieces as u32,
    },
};

pub(super) const LEAF: Setting<Settings> = Setting {
    name: "leaf",
    meaning: "How the state at the end of a truncated playout is evaluated: as it stands (static), or after \
              captures have been played out (quiet), in Lines of Action those that make or break connections.",
    needs: None,
    kind: Kind::Word {
        words: &["static", "quiet"],
        read: |settings| match settings.leaf {
            Leaf::Static => "static",
            Leaf::Quiet => "quiet",
        },
        write: |settings, word| {
            settings.leaf = if word == "quiet" { Leaf::Quiet } else { Leaf::Static };
        },
    },
};

pub(super) const FORESIGHT: Setting<Settings> = Setting {
    name: "foresight",
    meaning: "Lines of Action: how much the logarithm of a move's prior, of which uct=puct makes shares, grows for each \
              200 points of the evaluation after the move; 0 leaves its category alone.",
    needs: None,
    kind: Kind::Real {
        range: 0.0..=100.0,
        read: |settings| Some(f64::from(settings.foresight)),
        write: |settings, weight| settings.foresight = weight as f32,
    },
};
