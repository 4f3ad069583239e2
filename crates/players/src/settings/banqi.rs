//! The settings of what players of Chinese dark chess know.

use super::Settings;
use crate::setting::{Kind, Setting};
use monteverde_banqi::Weights;
use monteverde_knowledge::banqi::BanqiKnowledge;

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
