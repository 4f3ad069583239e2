//! The settings of playouts. Each technique has its page in `docs/techniques`.

use super::Settings;
use crate::setting::{Kind, Setting, Switch};
use monteverde_game::{Greed, Measure, Ties};
use monteverde_mcts::playout::{
    AlphaBeta, Cutoff, DecidedRoot, Decisive, Greedy, Heavy, Look, Mixed, Strategy, Then, Truncate,
};
use std::mem::discriminant;

/// The best epsilon of *Monte Carlo Chess*, Table 1, by evaluation.
pub const EVAL_EPSILON: f64 = 0.6;
/// The epsilon that *Monte Carlo Chess* takes from its Table 3, by exchange evaluation.
pub const SEE_EPSILON: f64 = 0.4;

/// A playout of so many plies is longer than any game.
const LONGEST: u64 = u32::MAX as u64;

pub(super) const PLAYOUT: Setting<Settings> = Setting {
    name: "playout",
    meaning: "Which moves playouts play: uniform is each legal move with equal probability, by-piece first \
              a piece and then one of its moves, categories each move in proportion to the weight that the \
              game's knowledge gives it, eval and see the best by evaluation or by exchanges (random ones with \
              probability epsilon), mixed corrective moves and then the best by evaluation, alphabeta \
              corrective moves and then those of a search of two plies, filtered those that rules of thumb \
              leave (chess: for mating a lone king).",
    needs: None,
    kind: Kind::Word {
        words: &[
            "uniform",
            "by-piece",
            "categories",
            "eval",
            "see",
            "mixed",
            "alphabeta",
            "filtered",
        ],
        read: |settings| match settings.config.playout.strategy {
            Strategy::Uniform => "uniform",
            Strategy::ByPiece => "by-piece",
            Strategy::Greedy(Heavy { greed: Greed { measure: Measure::Eval, .. }, .. }) => "eval",
            Strategy::Greedy(Heavy { greed: Greed { measure: Measure::Gain, .. }, .. }) => "see",
            Strategy::Categories => "categories",
            Strategy::Mixed(Mixed { then: Then::Greedy(_), .. }) => "mixed",
            Strategy::Mixed(Mixed { then: Then::AlphaBeta(_), .. }) => "alphabeta",
            Strategy::Filtered => "filtered",
        },
        write: |settings, word| {
            let strategy = &mut settings.config.playout.strategy;
            *strategy = match word {
                "by-piece" => Strategy::ByPiece,
                "filtered" => Strategy::Filtered,
                "eval" => heavy(*strategy, Measure::Eval, EVAL_EPSILON),
                "see" => heavy(*strategy, Measure::Gain, SEE_EPSILON),
                "categories" => Strategy::Categories,
                "mixed" => mixed_then(*strategy, Mixed::default().then),
                "alphabeta" => mixed_then(*strategy, Then::AlphaBeta(AlphaBeta::default())),
                _ => Strategy::Uniform,
            };
        },
    },
};

pub(super) const EPSILON: Setting<Settings> = Setting {
    name: "epsilon",
    meaning: "The probability of a uniformly random move in playouts by evaluation or exchanges: 1 makes \
              them uniform playouts, 0 leaves nothing to chance; the thesis does best with 0.6 by \
              evaluation and 0.4 by exchanges.",
    needs: Some("playout=see"),
    kind: Kind::Real {
        range: 0.0..=1.0,
        read: |settings| match settings.config.playout.strategy {
            Strategy::Greedy(heavy) => Some(heavy.epsilon),
            _ => None,
        },
        write: |settings, epsilon| {
            if let Strategy::Greedy(heavy) = &mut settings.config.playout.strategy {
                heavy.epsilon = epsilon;
            }
        },
    },
};

pub(super) const TIES: Setting<Settings> = Setting {
    name: "ties",
    meaning: "Which of equally good moves a greedy playout plays: the first in generation order, or a \
              random one.",
    needs: Some("playout=see"),
    kind: Kind::Choice {
        words: &["first", "random"],
        read: |settings| match ties(&mut settings.config.playout.strategy.clone())? {
            Ties::First => Some("first"),
            Ties::Random => Some("random"),
        },
        write: |settings, word| {
            if let Some(ties) = ties(&mut settings.config.playout.strategy) {
                *ties = if word == "random" { Ties::Random } else { Ties::First };
            }
        },
    },
};

pub(super) const CORRECTIVE: Setting<Settings> = Setting {
    name: "corrective",
    meaning: "How many plies of a mixed or alphabeta playout are corrective: moves that lower the eval are all \
              but left out, the others are drawn by their weight and by how much they raise it; with at \
              least 1, so are the moves that threshold samples in the tree.",
    needs: Some("playout=mixed"),
    kind: Kind::Whole {
        range: 0..=LONGEST,
        read: |settings| mixed(settings).map(|mixed| u64::from(mixed.corrective)),
        write: |settings, plies| change_mixed(settings, |mixed| mixed.corrective = plies as u32),
    },
};

pub(super) const LEAST_WEIGHT: Setting<Settings> = Setting {
    name: "least-weight",
    meaning: "The weight of a corrective move that lowers the eval; one that keeps it has the weight that the \
              game's knowledge gives it, or 1.",
    needs: Some("playout=mixed"),
    kind: Kind::Real {
        range: 0.0..=1.0,
        read: |settings| mixed(settings).map(|mixed| decimal(mixed.least_weight)),
        write: |settings, weight| {
            change_mixed(settings, |mixed| mixed.least_weight = weight as f32);
        },
    },
};

pub(super) const SPREAD: Setting<Settings> = Setting {
    name: "spread",
    meaning: "By how much a corrective move must raise the eval to be twice as likely as one of the same weight \
              that keeps it; 0 draws by the weight alone.",
    needs: Some("playout=mixed"),
    kind: Kind::Real {
        range: 0.0..=1e6,
        read: |settings| mixed(settings).map(|mixed| decimal(mixed.spread.unwrap_or(0.0))),
        write: |settings, spread| {
            let spread = Some(spread as f32).filter(|&spread| spread > 0.0);
            change_mixed(settings, |mixed| mixed.spread = spread);
        },
    },
};

pub(super) const CONSIDERED: Setting<Settings> = Setting {
    name: "considered",
    meaning: "How many moves, those with the highest weight, are evaluated for a greedy move of a mixed playout, \
              while the others are only looked at for an immediate win; 0 evaluates all of them.",
    needs: Some("playout=mixed"),
    kind: Kind::Whole {
        range: 0..=LONGEST,
        read: |settings| greedy(settings).map(|greedy| u64::from(greedy.considered.unwrap_or(0))),
        write: |settings, most| {
            change_mixed(settings, |mixed| {
                if let Then::Greedy(greedy) = &mut mixed.then {
                    greedy.considered = Some(most as u32).filter(|&most| most > 0);
                }
            });
        },
    },
};

pub(super) const AB_WIDTH: Setting<Settings> = Setting {
    name: "ab-width",
    meaning: "How many moves the search of an alphabeta playout looks at; its window is that of cutoff.",
    needs: Some("playout=alphabeta"),
    kind: Kind::Whole {
        range: 1..=LONGEST,
        read: |settings| alphabeta(settings).map(|alphabeta| u64::from(alphabeta.width)),
        write: |settings, width| change_alphabeta(settings, |to| to.width = width as u32),
    },
};

pub(super) const AB_REPLIES: Setting<Settings> = Setting {
    name: "ab-replies",
    meaning: "How many replies to each move the search of an alphabeta playout evaluates.",
    needs: Some("playout=alphabeta"),
    kind: Kind::Whole {
        range: 1..=LONGEST,
        read: |settings| alphabeta(settings).map(|alphabeta| u64::from(alphabeta.replies)),
        write: |settings, replies| change_alphabeta(settings, |to| to.replies = replies as u32),
    },
};

pub(super) const AB_LOOK: Setting<Settings> = Setting {
    name: "ab-look",
    meaning: "Which moves beyond its width the search of an alphabeta playout looks at for an immediate win: \
              none, those at the root, or replies too (both).",
    needs: Some("playout=alphabeta"),
    kind: Kind::Choice {
        words: &["none", "root", "both"],
        read: |settings| match alphabeta(settings)?.look {
            Look::Nowhere => Some("none"),
            Look::Root => Some("root"),
            Look::Everywhere => Some("both"),
        },
        write: |settings, word| {
            let look = match word {
                "none" => Look::Nowhere,
                "both" => Look::Everywhere,
                _ => Look::Root,
            };
            change_alphabeta(settings, |alphabeta| alphabeta.look = look);
        },
    },
};

pub(super) const DECISIVE: Setting<Settings> = Setting {
    name: "decisive",
    meaning: "Whether a playout plays a move that wins at once (wins), and also avoids moves after which the \
              opponent can do so (anti).",
    needs: None,
    kind: Kind::Word {
        words: &["off", "wins", "anti"],
        read: |settings| match settings.config.playout.decisive {
            Decisive::Off => "off",
            Decisive::Wins => "wins",
            Decisive::Anti => "anti",
        },
        write: |settings, word| {
            settings.config.playout.decisive = match word {
                "wins" => Decisive::Wins,
                "anti" => Decisive::Anti,
                _ => Decisive::Off,
            };
        },
    },
};

pub(super) const EPT: Setting<Settings> = Setting {
    name: "ept",
    meaning: "Early playout termination: a playout ends where the game's knowledge guesses the outcome (Chinese dark \
              chess: by the material; chess and Lines of Action: by an evaluation beyond 1,000 and 700).",
    needs: None,
    kind: Kind::Flag {
        read: |settings| match settings.config.playout.verdict {
            Some(_) => Some(Switch::On),
            None => Some(Switch::Off),
        },
        write: |settings, switch| {
            let verdict = &mut settings.config.playout.verdict;
            *verdict = (switch == Switch::On).then(|| verdict.unwrap_or_default());
        },
    },
};

pub(super) const EPT_ERROR: Setting<Settings> = Setting {
    name: "ept-error",
    meaning: "The probability that a guessed win counts as a loss, and a guessed loss as a win.",
    needs: Some("ept"),
    kind: Kind::Real {
        range: 0.0..=1.0,
        read: |settings| settings.config.playout.verdict.map(|verdict| verdict.error),
        write: |settings, error| {
            if let Some(verdict) = &mut settings.config.playout.verdict {
                verdict.error = error;
            }
        },
    },
};

pub(super) const CUTOFF: Setting<Settings> = Setting {
    name: "cutoff",
    meaning: "The eval beyond which a playout ends as a win of the side ahead, in the unit of the game's \
              evaluation (in chess hundredths of a pawn).",
    needs: None,
    kind: Kind::RealOrOff {
        range: 0.0..=1e6,
        read: |settings| settings.config.playout.cutoff.map(|cutoff| decimal(cutoff.threshold)),
        write: |settings, threshold| {
            let cutoff = &mut settings.config.playout.cutoff;
            let base = cutoff.unwrap_or_default();
            *cutoff = threshold.map(|threshold| Cutoff { threshold: threshold as f32, ..base });
        },
    },
};

pub(super) const CUTOFF_EVERY: Setting<Settings> = Setting {
    name: "cutoff-every",
    meaning: "The eval is compared with the cutoff after every so many plies.",
    needs: Some("cutoff=1000"),
    kind: Kind::Whole {
        range: 1..=LONGEST,
        read: |settings| settings.config.playout.cutoff.map(|cutoff| u64::from(cutoff.every)),
        write: |settings, plies| {
            if let Some(cutoff) = &mut settings.config.playout.cutoff {
                cutoff.every = plies as u32;
            }
        },
    },
};

pub(super) const CUTOFF_ROOT: Setting<Settings> = Setting {
    name: "cutoff-root",
    meaning: "What the cutoff does in a search whose root is beyond it already: playouts end all the same (cut-off), or go \
              on to the end of the game, so that a lead is turned into a win (play-on).",
    needs: Some("cutoff=1000"),
    kind: Kind::Choice {
        words: &["cut-off", "play-on"],
        read: |settings| match settings.config.playout.cutoff?.decided_root {
            DecidedRoot::CutsOff => Some("cut-off"),
            DecidedRoot::PlaysOn => Some("play-on"),
        },
        write: |settings, word| {
            if let Some(cutoff) = &mut settings.config.playout.cutoff {
                let plays_on = word == "play-on";
                cutoff.decided_root =
                    if plays_on { DecidedRoot::PlaysOn } else { DecidedRoot::CutsOff };
            }
        },
    },
};

pub(super) const MOST_PLIES: Setting<Settings> = Setting {
    name: "most-plies",
    meaning: "A playout of so many plies ends as a draw.",
    needs: None,
    kind: Kind::WholeOrOff {
        range: 1..=LONGEST,
        read: |settings| settings.config.playout.most_plies.map(u64::from),
        write: |settings, plies| {
            settings.config.playout.most_plies = plies.map(|plies| plies as u32);
        },
    },
};

pub(super) const TRUNCATE: Setting<Settings> = Setting {
    name: "truncate",
    meaning: "A playout of so many plies ends, and what the evaluation expects of the state is its reward; \
              with 0 nothing is played.",
    needs: None,
    kind: Kind::WholeOrOff {
        range: 0..=LONGEST,
        read: |settings| settings.config.playout.truncate.map(|truncate| u64::from(truncate.plies)),
        write: |settings, plies| {
            let truncate = plies.map(|plies| Truncate { plies: plies as u32 });
            settings.config.playout.truncate = truncate;
        },
    },
};

pub(super) const REDRAW: Setting<Settings> = Setting {
    name: "redraw",
    meaning: "A drawn playout is discarded and repeated until so many have been played in all; the thesis \
              takes 6.",
    needs: None,
    kind: Kind::WholeOrOff {
        range: 2..=1000,
        read: |settings| settings.config.playout.redraw.map(u64::from),
        write: |settings, most| settings.config.playout.redraw = most.map(|most| most as u32),
    },
};

pub(super) const DRAW_WEIGHT: Setting<Settings> = Setting {
    name: "draw-weight",
    meaning: "A drawn playout counts as so much of a visit in the selection formula.",
    needs: None,
    kind: Kind::RealOrOff {
        range: 0.0..=1.0,
        read: |settings| settings.config.draw_weight,
        write: |settings, weight| settings.config.draw_weight = weight,
    },
};

pub(super) const DRAW_VALUE: Setting<Settings> = Setting {
    name: "draw-value",
    meaning: "What a draw counts for the side to move at the root, where a win is 1 and a loss -1; with -1 the \
              share of points is that of wins.",
    needs: None,
    kind: Kind::RealOrOff {
        range: -1.0..=1.0,
        read: |settings| settings.config.draw_value,
        write: |settings, value| settings.config.draw_value = value,
    },
};

/// Greedy playouts by a measure, with what `before` says of them already.
fn heavy(before: Strategy, measure: Measure, epsilon: f64) -> Strategy {
    Strategy::Greedy(match before {
        Strategy::Greedy(Heavy { greed, epsilon }) => {
            Heavy { greed: Greed { measure, ..greed }, epsilon }
        }
        _ => Heavy { greed: Greed { measure, ties: Ties::First }, epsilon },
    })
}

/// Corrective moves and then others, with what `before` says of them already.
fn mixed_then(before: Strategy, then: Then) -> Strategy {
    Strategy::Mixed(match before {
        Strategy::Mixed(mixed) if discriminant(&mixed.then) == discriminant(&then) => mixed,
        Strategy::Mixed(mixed) => Mixed { then, ..mixed },
        _ => Mixed { then, ..Mixed::default() },
    })
}

/// Where it is said which of equally good moves is played.
fn ties(strategy: &mut Strategy) -> Option<&mut Ties> {
    match strategy {
        Strategy::Greedy(Heavy { greed: Greed { ties, .. }, .. })
        | Strategy::Mixed(Mixed { then: Then::Greedy(Greedy { ties, .. }), .. }) => Some(ties),
        _ => None,
    }
}

fn greedy(settings: &Settings) -> Option<Greedy> {
    match mixed(settings)?.then {
        Then::Greedy(greedy) => Some(greedy),
        Then::AlphaBeta(_) => None,
    }
}

fn alphabeta(settings: &Settings) -> Option<AlphaBeta> {
    match mixed(settings)?.then {
        Then::Greedy(_) => None,
        Then::AlphaBeta(alphabeta) => Some(alphabeta),
    }
}

fn change_alphabeta(settings: &mut Settings, change: impl FnOnce(&mut AlphaBeta)) {
    change_mixed(settings, |mixed| {
        if let Then::AlphaBeta(alphabeta) = &mut mixed.then {
            change(alphabeta);
        }
    });
}

fn mixed(settings: &Settings) -> Option<Mixed> {
    match settings.config.playout.strategy {
        Strategy::Mixed(mixed) => Some(mixed),
        _ => None,
    }
}

fn change_mixed(settings: &mut Settings, change: impl FnOnce(&mut Mixed)) {
    if let Strategy::Mixed(mixed) = &mut settings.config.playout.strategy {
        change(mixed);
    }
}

/// The number with the digits that the smaller type has: 0.01, not 0.009999999776482582.
fn decimal(value: f32) -> f64 {
    value.to_string().parse().unwrap_or(f64::from(value))
}
