//! The settings of what players of Chinese dark chess know.

use super::Settings;
use crate::setting::{Kind, Setting, Switch};
use monteverde_banqi::Weights;
use monteverde_knowledge::banqi::{BanqiKnowledge, CURB, FLIP, MoveEval};
use monteverde_mcts::{Bias, Count};
use std::mem::discriminant;

/// c_p and the count of paper 004, section 4.1.4.
pub(crate) const BIAS: Bias = Bias { weight: 0.1, count: Count::RootVisits };

pub(super) const PB: Setting<Settings> = Setting {
    name: "pb",
    meaning: "Progressive bias of Chinese dark chess by captures, escapes and suicides: bias=0.1, bias-count=sqrt-n.",
    needs: None,
    kind: Kind::Flag {
        read: |settings| Some(switch(matches!(settings.banqi.moves, Some(MoveEval::Captures)))),
        write: |settings, switch| set(settings, switch, MoveEval::Captures),
    },
};

pub(super) const PB_CURB: Setting<Settings> = Setting {
    name: "pb-curb",
    meaning: "The same by curbs too: moves that put a piece diagonally beside an enemy that it takes.",
    needs: None,
    kind: Kind::Flag {
        read: |settings| Some(switch(matches!(settings.banqi.moves, Some(MoveEval::Curbs { .. })))),
        write: |settings, switch| set(settings, switch, MoveEval::Curbs { curb: CURB }),
    },
};

pub(super) const PB_CURB_FLIP: Setting<Settings> = Setting {
    name: "pb-curb-flip",
    meaning: "The same by curbs and by what a flip may show.",
    needs: None,
    kind: Kind::Flag {
        read: |settings| Some(switch(matches!(settings.banqi.moves, Some(MoveEval::Flips { .. })))),
        write: |settings, switch| {
            set(settings, switch, MoveEval::Flips { curb: CURB, flip: FLIP });
        },
    },
};

pub(super) const CURB_PART: Setting<Settings> = Setting {
    name: "curb",
    meaning: "What part of a curbed piece's weight counts.",
    needs: Some("pb-curb"),
    kind: Kind::Real {
        range: 0.0..=100.0,
        read: |settings| match settings.banqi.moves? {
            MoveEval::Captures => None,
            MoveEval::Curbs { curb } | MoveEval::Flips { curb, .. } => Some(curb),
        },
        write: |settings, part| match &mut settings.banqi.moves {
            Some(MoveEval::Curbs { curb } | MoveEval::Flips { curb, .. }) => *curb = part,
            Some(MoveEval::Captures) | None => {}
        },
    },
};

pub(super) const FLIP_PART: Setting<Settings> = Setting {
    name: "flip",
    meaning: "What part of a piece's weight counts that a flip threatens.",
    needs: Some("pb-curb-flip"),
    kind: Kind::Real {
        range: 0.0..=100.0,
        read: |settings| match settings.banqi.moves? {
            MoveEval::Captures | MoveEval::Curbs { .. } => None,
            MoveEval::Flips { flip, .. } => Some(flip),
        },
        write: |settings, part| {
            if let Some(MoveEval::Flips { flip, .. }) = &mut settings.banqi.moves {
                *flip = part;
            }
        },
    },
};

fn switch(on: bool) -> Switch {
    if on { Switch::On } else { Switch::Off }
}

/// Switches an evaluation of moves on, with the bias that goes with it; or off, if it is the one in force.
fn set(settings: &mut Settings, switch: Switch, moves: MoveEval) {
    let same = |now: MoveEval| discriminant(&now) == discriminant(&moves);
    match switch {
        Switch::On => {
            settings.banqi.moves = Some(moves);
            settings.config.bias = Some(BIAS);
        }
        Switch::Off if settings.banqi.moves.is_some_and(same) => {
            settings.banqi.moves = None;
            settings.config.bias = None;
        }
        Switch::Off => {}
    }
}

pub(super) const OTHER_WEIGHT: Setting<Settings> = Setting {
    name: "other-weight",
    meaning: "How likely playout=categories plays each move of Chinese dark chess that captures nothing, where the \
              capture of a pawn has weight 8 and that of a king 55.",
    needs: None,
    kind: Kind::Whole {
        range: 1..=Weights::MOST as u64,
        read: |settings| Some(u64::from(settings.banqi.weights.others())),
        write: |settings, weight| {
            settings.banqi.weights = BanqiKnowledge::playout_weights(weight as u32);
        },
    },
};

pub(super) const QUALITY_WEIGHT: Setting<Settings> = Setting {
    name: "tsq-cw",
    meaning: "How much the weights of the winner's pieces count beside their number in the quality of a result of \
              Chinese dark chess.",
    needs: None,
    kind: Kind::Real {
        range: 0.0..=100.0,
        read: |settings| Some(settings.banqi.quality_weight),
        write: |settings, weight| settings.banqi.quality_weight = weight,
    },
};

pub(super) const MATERIAL_SCALE: Setting<Settings> = Setting {
    name: "material-scale",
    meaning: "How much more material makes the odds e to 1 in Chinese dark chess, where a guard weighs 50.",
    needs: None,
    kind: Kind::Real {
        range: 1.0..=1e6,
        read: |settings| Some(settings.banqi.scale),
        write: |settings, scale| settings.banqi.scale = scale,
    },
};
