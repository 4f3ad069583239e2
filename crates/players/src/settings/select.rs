//! Settings of the techniques of selection.

use super::Settings;
use crate::setting::{Kind, Setting, Switch};
use monteverde_mcts::{
    Bias, Config, Count, Fpu, Graph, Mode, Order, Rave, Threshold, Uct, Untried, Widen,
};

/// In centipawns, which chess gives its priors in: a pawn more makes the share e times as large. Ours, not
/// tuned.
const DEFAULT_TEMPERATURE: f64 = 100.0;

/// Chaslot and others (2008) begin with 5 moves and add one more at 50 visits, then each 1.3 times later.
const CHASLOT: Widen = Widen { mode: Mode::Unprune, first: 5, scale: 50.0, base: 1.3 };

/// Coulom (2007) has pruning begin at a number of visits; as many as one more move takes above is our choice.
const DEFAULT_AFTER: u32 = 50;

/// The words for the counts.
const COUNTS: [(&str, Count); 8] = [
    ("n", Count::Visits),
    ("n+1", Count::VisitsPlusOne),
    ("sqrt-n", Count::RootVisits),
    ("ln-n+1", Count::LogVisits),
    ("l", Count::Losses),
    ("sqrt-l+1", Count::RootLossesPlusOne),
    ("sqrt-l", Count::RootLosses),
    ("ln-l+1", Count::LogLosses),
];

pub(super) const TEMPERATURE: Setting<Settings> = Setting {
    name: "temperature",
    meaning: "What difference of priors makes a share e times as large, in their unit (chess: \
              centipawns).",
    needs: Some("uct=puct"),
    kind: Kind::Real {
        range: 1e-3..=1e6,
        read: |settings| match settings.config.uct {
            Uct::Puct { temperature, .. } => Some(temperature),
            _ => None,
        },
        write: |settings, value| {
            if let Uct::Puct { temperature, .. } = &mut settings.config.uct {
                *temperature = value;
            }
        },
    },
};

/// The temperature in force, or the default.
pub(super) fn temperature(config: &Config) -> f64 {
    match config.uct {
        Uct::Puct { temperature, .. } => temperature,
        _ => DEFAULT_TEMPERATURE,
    }
}

pub(super) const BIAS: Setting<Settings> = Setting {
    name: "bias",
    meaning: "Progressive bias: so much of what knowledge says of a move, divided by a count, is added \
              to its bound.",
    needs: None,
    kind: Kind::RealOrOff {
        range: 0.0..=10_000.0,
        read: |settings| settings.config.bias.map(|bias| bias.weight),
        write: |settings, weight| {
            let count = settings.config.bias.map_or(Count::Visits, |bias| bias.count);
            settings.config.bias = weight.map(|weight| Bias { weight, count });
        },
    },
};

pub(super) const BIAS_COUNT: Setting<Settings> = Setting {
    name: "bias-count",
    meaning: "What progressive bias is divided by: n the visits of the move, l its losses, a draw being \
              half a loss.",
    needs: Some("bias=0.001"),
    kind: Kind::Choice {
        words: &["n", "n+1", "sqrt-n", "ln-n+1", "l", "sqrt-l+1", "sqrt-l", "ln-l+1"],
        read: |settings| {
            let count = settings.config.bias?.count;
            COUNTS.iter().find(|entry| entry.1 == count).map(|entry| entry.0)
        },
        write: |settings, word| {
            let count = COUNTS.iter().find(|entry| entry.0 == word).map(|entry| entry.1);
            if let (Some(bias), Some(count)) = (&mut settings.config.bias, count) {
                bias.count = count;
            }
        },
    },
};

pub(super) const ORDER: Setting<Settings> = Setting {
    name: "order",
    meaning: "In which order untried moves are tried: as the game lists them (moves), or those first that look better \
              to knowledge (prior).",
    needs: None,
    kind: Kind::Word {
        words: &["moves", "prior"],
        read: |settings| match settings.config.order {
            Order::Generation => "moves",
            Order::Prior => "prior",
        },
        write: |settings, word| {
            settings.config.order = if word == "prior" { Order::Prior } else { Order::Generation };
        },
    },
};

pub(super) const FPU: Setting<Settings> = Setting {
    name: "fpu",
    meaning: "First-play urgency: an untried move counts as a fixed number, or as the value of its state \
              less a number; off tries every move before any a second time.",
    needs: None,
    kind: Kind::Word {
        words: &["off", "fixed", "reduced"],
        read: |settings| match settings.config.fpu {
            None => "off",
            Some(Fpu::Fixed(_)) => "fixed",
            Some(Fpu::Reduced(_)) => "reduced",
        },
        write: |settings, word| {
            settings.config.fpu = match (word, settings.config.fpu) {
                ("fixed", Some(Fpu::Fixed(urgency))) => Some(Fpu::Fixed(urgency)),
                // Gelly and Wang (2006) find 1.1 best in Go.
                ("fixed", _) => Some(Fpu::Fixed(1.1)),
                ("reduced", Some(Fpu::Reduced(less))) => Some(Fpu::Reduced(less)),
                ("reduced", _) => Some(Fpu::Reduced(0.0)),
                _ => None,
            };
        },
    },
};

pub(super) const URGENCY: Setting<Settings> = Setting {
    name: "urgency",
    meaning: "The number of fpu, in the unit of the selection formula.",
    needs: Some("fpu=fixed"),
    kind: Kind::Real {
        range: -1000.0..=1000.0,
        read: |settings| match settings.config.fpu? {
            Fpu::Fixed(urgency) | Fpu::Reduced(urgency) => Some(urgency),
        },
        write: |settings, value| {
            if let Some(Fpu::Fixed(urgency) | Fpu::Reduced(urgency)) = &mut settings.config.fpu {
                *urgency = value;
            }
        },
    },
};

pub(super) const WIDEN: Setting<Settings> = Setting {
    name: "widen",
    meaning: "Moves that look worse take part later, the more visits a state has: unprune leaves them \
              out from the start, widen only after some visits.",
    needs: None,
    kind: Kind::Word {
        words: &["off", "unprune", "widen"],
        read: |settings| match settings.config.widen.map(|widen| widen.mode) {
            None => "off",
            Some(Mode::Unprune) => "unprune",
            Some(Mode::Widen { .. }) => "widen",
        },
        write: |settings, word| {
            let now = settings.config.widen.unwrap_or(CHASLOT);
            let after = after(settings).unwrap_or(DEFAULT_AFTER);
            settings.config.widen = match word {
                "unprune" => Some(Widen { mode: Mode::Unprune, ..now }),
                "widen" => Some(Widen { mode: Mode::Widen { after }, ..now }),
                _ => None,
            };
        },
    },
};

pub(super) const WIDEN_AFTER: Setting<Settings> = Setting {
    name: "widen-after",
    meaning: "The visits of a state from which on widen leaves moves out.",
    needs: Some("widen=widen"),
    kind: Kind::Whole {
        range: 0..=u32::MAX as u64,
        read: |settings| after(settings).map(u64::from),
        write: |settings, visits| {
            if let Some(widen) = &mut settings.config.widen {
                widen.mode = Mode::Widen { after: visits as u32 };
            }
        },
    },
};

pub(super) const WIDEN_FIRST: Setting<Settings> = Setting {
    name: "widen-first",
    meaning: "How many moves always take part.",
    needs: Some("widen=unprune"),
    kind: Kind::Whole {
        range: 1..=1000,
        read: |settings| Some(u64::from(settings.config.widen?.first)),
        write: |settings, first| {
            if let Some(widen) = &mut settings.config.widen {
                widen.first = first as u32;
            }
        },
    },
};

pub(super) const WIDEN_SCALE: Setting<Settings> = Setting {
    name: "widen-scale",
    meaning: "The visits at which one more move takes part.",
    needs: Some("widen=unprune"),
    kind: Kind::Real {
        range: 1.0..=1e9,
        read: |settings| Some(settings.config.widen?.scale),
        write: |settings, scale| {
            if let Some(widen) = &mut settings.config.widen {
                widen.scale = scale;
            }
        },
    },
};

pub(super) const WIDEN_BASE: Setting<Settings> = Setting {
    name: "widen-base",
    meaning: "By what factor the visits grow for each further move.",
    needs: Some("widen=unprune"),
    kind: Kind::Real {
        range: 1.001..=1000.0,
        read: |settings| Some(settings.config.widen?.base),
        write: |settings, base| {
            if let Some(widen) = &mut settings.config.widen {
                widen.base = base;
            }
        },
    },
};

pub(super) const THRESHOLD: Setting<Settings> = Setting {
    name: "threshold",
    meaning: "In a state with fewer visits the move is sampled as in playouts; from then on it is selected.",
    needs: None,
    kind: Kind::WholeOrOff {
        range: 1..=u32::MAX as u64,
        read: |settings| settings.config.threshold.map(|threshold| u64::from(threshold.visits)),
        write: |settings, visits| {
            let threshold = &mut settings.config.threshold;
            let untried = threshold.map_or(Untried::Selected, |threshold| threshold.untried);
            *threshold = visits.map(|visits| Threshold { visits: visits as u32, untried });
        },
    },
};

pub(super) const UNTRIED: Setting<Settings> = Setting {
    name: "untried",
    meaning: "Whether moves that were never sampled are selected once a state has had the visits of threshold \
              (selected: they come first, or compete with fpu), or are not considered any more (ignored).",
    needs: Some("threshold=50"),
    kind: Kind::Choice {
        words: &["selected", "ignored"],
        read: |settings| match settings.config.threshold?.untried {
            Untried::Selected => Some("selected"),
            Untried::Ignored => Some("ignored"),
        },
        write: |settings, word| {
            if let Some(threshold) = &mut settings.config.threshold {
                let ignored = word == "ignored";
                threshold.untried = if ignored { Untried::Ignored } else { Untried::Selected };
            }
        },
    },
};

pub(super) const RAVE: Setting<Settings> = Setting {
    name: "rave",
    meaning: "RAVE: iterations that played a move later than here count too, at so many visits of the move \
              as much as its own.",
    needs: None,
    kind: Kind::RealOrOff {
        range: 1e-3..=1e9,
        read: |settings| settings.config.rave.map(|rave| rave.k),
        write: |settings, k| settings.config.rave = k.map(|k| Rave { k }),
    },
};

pub(super) const TRANSPOSITIONS: Setting<Settings> = Setting {
    name: "transpositions",
    meaning: "States that are reached in several ways share what is known of them.",
    needs: None,
    kind: Kind::Flag {
        read: |settings| match settings.config.graph {
            Some(Graph) => Some(Switch::On),
            None => Some(Switch::Off),
        },
        write: |settings, switch| settings.config.graph = (switch == Switch::On).then_some(Graph),
    },
};

fn after(settings: &Settings) -> Option<u32> {
    match settings.config.widen?.mode {
        Mode::Widen { after } => Some(after),
        Mode::Unprune => None,
    }
}
