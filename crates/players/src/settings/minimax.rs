//! Settings of implicit minimax backups.

use super::Settings;
use crate::setting::{Kind, RealOrWord, Setting};
use monteverde_mcts::Imb;

/// The words beside a fixed weight.
const OFF: &str = "off";
const DYNAMIC: &str = "dynamic";

/// The study of Chinese dark chess does not print how far it varied the coefficients of its formula 3; what counts is the
/// ratio of the last two.
const MOST_COEFFICIENT: f64 = 1e6;

pub(super) const IMB: Setting<Settings> = Setting {
    name: "imb",
    meaning: "Implicit minimax backups: the selection goes by (1 - a) Q + a m, with Q the mean of a move and m the \
              minimax score of evaluations below it; a is this number, or dynamic: it falls with the visits.",
    needs: None,
    kind: Kind::RealOrWord {
        range: 0.0..=1.0,
        words: &[OFF, DYNAMIC],
        read: |settings| match settings.config.imb {
            None => RealOrWord::Word(OFF),
            Some(Imb::Fixed(alpha)) => RealOrWord::Real(alpha),
            Some(Imb::Dynamic { .. }) => RealOrWord::Word(DYNAMIC),
        },
        write: |settings, value| {
            settings.config.imb = match (value, settings.config.imb) {
                (RealOrWord::Real(alpha), _) => Some(Imb::Fixed(alpha)),
                (RealOrWord::Word(DYNAMIC), Some(dynamic @ Imb::Dynamic { .. })) => Some(dynamic),
                (RealOrWord::Word(DYNAMIC), _) => Some(Imb::DYNAMIC),
                (RealOrWord::Word(_), _) => None,
            };
        },
    },
};

pub(super) const IMB_CC: Setting<Settings> = Setting {
    name: "imb-cc",
    meaning: "What the weight a of imb=dynamic falls to: a is (1 - cc) sqrt(cs / (cs + cn n)) + cc after n visits of \
              the state.",
    needs: Some("imb=dynamic"),
    kind: Kind::Real {
        range: 0.0..=1.0,
        read: |settings| dynamic(settings).map(|(c_c, _, _)| c_c),
        write: |settings, value| {
            if let Some(Imb::Dynamic { c_c, .. }) = &mut settings.config.imb {
                *c_c = value;
            }
        },
    },
};

pub(super) const IMB_CS: Setting<Settings> = Setting {
    name: "imb-cs",
    meaning: "How long the weight of imb=dynamic stays near 1.",
    needs: Some("imb=dynamic"),
    kind: Kind::Real {
        range: 1e-6..=MOST_COEFFICIENT,
        read: |settings| dynamic(settings).map(|(_, c_s, _)| c_s),
        write: |settings, value| {
            if let Some(Imb::Dynamic { c_s, .. }) = &mut settings.config.imb {
                *c_s = value;
            }
        },
    },
};

pub(super) const IMB_CN: Setting<Settings> = Setting {
    name: "imb-cn",
    meaning: "How fast the weight of imb=dynamic falls with the visits.",
    needs: Some("imb=dynamic"),
    kind: Kind::Real {
        range: 0.0..=MOST_COEFFICIENT,
        read: |settings| dynamic(settings).map(|(_, _, c_n)| c_n),
        write: |settings, value| {
            if let Some(Imb::Dynamic { c_n, .. }) = &mut settings.config.imb {
                *c_n = value;
            }
        },
    },
};

fn dynamic(settings: &Settings) -> Option<(f64, f64, f64)> {
    match settings.config.imb? {
        Imb::Fixed(_) => None,
        Imb::Dynamic { c_c, c_s, c_n } => Some((c_c, c_s, c_n)),
    }
}
