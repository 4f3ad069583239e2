//! The settings that players of Lines of Action have of their own.

use super::NETWORK;
use crate::leaf;
use crate::network::{EVAL_MEANING, MEANING, NETWORK_PRIOR, network};
use monteverde_knowledge::loa::{Evaluator, LoaFeatures, LoaKnowledge, Unit};
use monteverde_loa::Loa;
use monteverde_players::setting::{Setting, by};
use monteverde_players::{AlphaBeta, Settings, field, words};

type S = Setting<Settings>;

/// Which evaluation values states, for either kind of player.
macro_rules! evaluator {
    ($setting:ty) => {
        <$setting>::word(
            "evaluator",
            words!(LoaKnowledge: evaluator {
                "2000" => Evaluator::Mia2000,
                "2002" => Evaluator::Mia2002,
                "2006" => Evaluator::Mia2006,
                "monte-carlo" => Evaluator::MonteCarlo,
                "non-negative" => Evaluator::NonNegative,
            }),
        )
        .means(
            "Which evaluation of Lines of Action values states: the one with the features of 2000, of 2002, or \
             all nine of 2006; or all nine with weights fitted to games of Monte-Carlo players alone (monte-carlo), \
             none of them negative (non-negative).",
        )
    };
}

pub(super) const TABLE: &[S] = &[
    leaf!(LoaKnowledge: leaf).means(
        "How the state at the end of a truncated playout is evaluated: as it stands (static), or after captures \
         that make or break connections have been played out (quiet).",
    ),
    evaluator!(S).after("tsq-k"),
    S::real("foresight", 0.0..=100.0, field!(LoaKnowledge: foresight)).after("tsq-k").means(
        "Lines of Action: how much the logarithm of a move's prior, of which uct=puct makes shares, grows for each \
         200 points of the evaluation after the move; 0 leaves its category alone.",
    ),
    S::real(
        "unit",
        0.01..=100.0,
        by(
            |settings| Some(round(settings.own::<LoaKnowledge>().unit.0)),
            |settings, unit| settings.own_mut::<LoaKnowledge>().unit = Unit(unit as f32),
        ),
    )
    .after("tsq-k")
    .means(
        "Lines of Action: what the points of evals in playouts are multiplied with, for cutoffs that papers print in \
         the points of their own programs.",
    ),
    network!(Settings, Loa: LoaFeatures, Some(&NETWORK)).after("tsq-k").means(MEANING),
    NETWORK_PRIOR,
];

/// The number with the digits that the smaller type has: 1.4, not 1.399999976158142.
fn round(value: f32) -> f64 {
    value.to_string().parse().unwrap_or(f64::from(value))
}

/// Those that its players that search by alpha-beta have.
pub(super) const ALPHA_BETA: &[Setting<AlphaBeta>] = &[
    evaluator!(Setting<AlphaBeta>).after("eval"),
    network!(AlphaBeta, Loa: LoaFeatures, Some(&NETWORK)).after("eval").means(EVAL_MEANING),
];
