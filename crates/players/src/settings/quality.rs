//! Settings of quality-based rewards.

use super::Settings;
use crate::setting::{Kind, Setting, Switch};
use monteverde_mcts::{Influence, Quality};

/// The study of Chinese dark chess goes up to 11; beyond this the sigmoid function is as good as a step.
const MOST_K: f64 = 1000.0;

pub(super) const SL: Setting<Settings> = Setting {
    name: "sl",
    meaning: "Quality-based rewards by simulation length: a win counts for more the sooner it comes, compared with \
              others of that side in this search.",
    needs: None,
    kind: Kind::Flag {
        read: |settings| Some(position(settings.config.quality.length)),
        write: |settings, switch| {
            let now = settings.config.quality.length.unwrap_or(Quality::LENGTH);
            settings.config.quality.length = (switch == Switch::On).then_some(now);
        },
    },
};

pub(super) const SL_A: Setting<Settings> = Setting {
    name: "sl-a",
    meaning: "The most that the length of a playout adds to its reward or takes from it.",
    needs: Some("sl"),
    kind: Kind::Real {
        range: 0.0..=1.0,
        read: |settings| settings.config.quality.length.map(|influence| influence.a),
        write: |settings, value| {
            if let Some(influence) = &mut settings.config.quality.length {
                influence.a = value;
            }
        },
    },
};

pub(super) const SL_K: Setting<Settings> = Setting {
    name: "sl-k",
    meaning: "How steeply the reward changes with the length: the constant of the sigmoid function.",
    needs: Some("sl"),
    kind: Kind::Real {
        range: 0.0..=MOST_K,
        read: |settings| settings.config.quality.length.map(|influence| influence.k),
        write: |settings, value| {
            if let Some(influence) = &mut settings.config.quality.length {
                influence.k = value;
            }
        },
    },
};

pub(super) const TSQ: Setting<Settings> = Setting {
    name: "tsq",
    meaning: "Quality-based rewards by the final state: a win counts for more the more convincing it is, compared \
              with others of that side in this search.",
    needs: None,
    kind: Kind::Flag {
        read: |settings| Some(position(settings.config.quality.terminal)),
        write: |settings, switch| {
            let now = settings.config.quality.terminal.unwrap_or(Quality::TERMINAL);
            settings.config.quality.terminal = (switch == Switch::On).then_some(now);
        },
    },
};

pub(super) const TSQ_A: Setting<Settings> = Setting {
    name: "tsq-a",
    meaning: "The most that the quality of its final state adds to the reward of a playout or takes from it.",
    needs: Some("tsq"),
    kind: Kind::Real {
        range: 0.0..=1.0,
        read: |settings| settings.config.quality.terminal.map(|influence| influence.a),
        write: |settings, value| {
            if let Some(influence) = &mut settings.config.quality.terminal {
                influence.a = value;
            }
        },
    },
};

pub(super) const TSQ_K: Setting<Settings> = Setting {
    name: "tsq-k",
    meaning: "How steeply the reward changes with that quality.",
    needs: Some("tsq"),
    kind: Kind::Real {
        range: 0.0..=MOST_K,
        read: |settings| settings.config.quality.terminal.map(|influence| influence.k),
        write: |settings, value| {
            if let Some(influence) = &mut settings.config.quality.terminal {
                influence.k = value;
            }
        },
    },
};

fn position(influence: Option<Influence>) -> Switch {
    if influence.is_some() { Switch::On } else { Switch::Off }
}
