//! Settings of quality-based rewards.

use super::Settings;
use crate::setting::Setting;
use crate::{field, switch};
use monteverde_mcts::Quality;

type S = Setting<Settings>;

/// The study of Chinese dark chess goes up to 11; beyond this the sigmoid function is as good as a
/// step.
const MOST_K: f64 = 1000.0;

pub(super) const TABLE: &[S] = &[
    S::flag("sl", switch!(config.quality.length or Quality::LENGTH)).means(
        "Quality-based rewards by simulation length: a win counts for more the sooner it comes, compared with \
         others of that side in this search.",
    ),
    S::real("sl-a", 0.0..=1.0, field!(config.quality.length?.a))
        .needs("sl")
        .means("The most that the length of a playout adds to its reward or takes from it."),
    S::real("sl-k", 0.0..=MOST_K, field!(config.quality.length?.k)).needs("sl").means(
        "How steeply the reward changes with the length: the constant of the sigmoid function.",
    ),
    S::flag("tsq", switch!(config.quality.terminal or Quality::TERMINAL)).means(
        "Quality-based rewards by the final state: a win counts for more the more convincing it is, compared \
         with others of that side in this search.",
    ),
    S::real("tsq-a", 0.0..=1.0, field!(config.quality.terminal?.a)).needs("tsq").means(
        "The most that the quality of its final state adds to the reward of a playout or takes from it.",
    ),
    S::real("tsq-k", 0.0..=MOST_K, field!(config.quality.terminal?.k))
        .needs("tsq")
        .means("How steeply the reward changes with that quality."),
];
