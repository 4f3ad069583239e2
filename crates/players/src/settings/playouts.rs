//! The settings of playouts. Each technique has its page in `docs/techniques`.

use super::Settings;
use crate::setting::{Setting, Switch, among, by};
use crate::{field, field_or_off, switch, words};
use monteverde_game::{Greed, Measure, Ties};
use monteverde_mcts::playout::{
    AlphaBeta, Cutoff, DecidedRoot, Decisive, Greedy, Heavy, Killers, Look, Mixed, Strategy, Then,
    TreeMoves, Truncate, Verdict,
};
use std::mem::discriminant;

/// The best epsilon of *Monte Carlo Chess*, Table 1, by evaluation.
pub const EVAL_EPSILON: f64 = 0.6;
/// The epsilon that *Monte Carlo Chess* takes from its Table 3, by exchange evaluation.
pub const SEE_EPSILON: f64 = 0.4;

/// A search of more plies costs so much that no playout would pay for it.
const MOST_PLIES: u64 = 4;

/// A playout of so many plies is longer than any game.
const LONGEST: u64 = u32::MAX as u64;

type S = Setting<Settings>;

pub(super) const TABLE: &[S] = &[
    S::word(
        "playout",
        among(
            &[
                "uniform",
                "by-piece",
                "categories",
                "eval",
                "see",
                "mixed",
                "alphabeta",
                "filtered",
            ],
            |settings| Some(strategy_name(settings.config.playout.strategy)),
            |settings, word| {
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
        ),
    )
    .means(
        "Which moves playouts play: uniform is each legal move with equal probability, by-piece first \
         a piece and then one of its moves, categories each move in proportion to the weight that the \
         game's knowledge gives it, eval and see the best by evaluation or by exchanges (random ones with \
         probability epsilon), mixed corrective moves and then the best by evaluation, alphabeta \
         corrective moves and then those of a small search, filtered those that the game's rules \
         of thumb leave.",
    ),
    S::real(
        "epsilon",
        0.0..=1.0,
        by(
            |settings| match settings.config.playout.strategy {
                Strategy::Greedy(heavy) => Some(heavy.epsilon),
                _ => None,
            },
            |settings, epsilon| {
                if let Strategy::Greedy(heavy) = &mut settings.config.playout.strategy {
                    heavy.epsilon = epsilon;
                }
            },
        ),
    )
    .needs("playout=see")
    .means(
        "The probability of a uniformly random move in playouts by evaluation or exchanges: 1 makes \
         them uniform playouts, 0 leaves nothing to chance; the thesis does best with 0.6 by \
         evaluation and 0.4 by exchanges.",
    ),
    S::word(
        "ties",
        among(
            &["first", "last", "random"],
            |settings| match ties(&mut settings.config.playout.strategy.clone())? {
                Ties::First => Some("first"),
                Ties::Last => Some("last"),
                Ties::Random => Some("random"),
            },
            |settings, word| {
                if let Some(ties) = ties(&mut settings.config.playout.strategy) {
                    *ties = match word {
                        "last" => Ties::Last,
                        "random" => Ties::Random,
                        _ => Ties::First,
                    };
                }
            },
        ),
    )
    .needs("playout=see")
    .means(
        "Which of equally good moves a greedy playout plays: the first or the last in generation order, or a \
         random one.",
    ),
    S::whole(
        "corrective",
        0..=LONGEST,
        by(
            |settings| mixed(settings).map(|mixed| u64::from(mixed.corrective)),
            |settings, plies| change_mixed(settings, |mixed| mixed.corrective = plies as u32),
        ),
    )
    .needs("playout=mixed")
    .means(
        "How many plies of a mixed or alphabeta playout are corrective: moves that lower the eval are all \
         but left out, the others are drawn by their weight and by how much they raise it; with at \
         least 1, so are the moves that threshold samples in the tree.",
    ),
    S::flag(
        "tree-corrective",
        by(
            |settings| mixed(settings).map(|mixed| (mixed.tree == TreeMoves::Corrective).into()),
            |settings, switch| {
                let tree = match switch {
                    Switch::On => TreeMoves::Corrective,
                    Switch::Off => TreeMoves::AsFirstPly,
                };
                change_mixed(settings, |mixed| mixed.tree = tree);
            },
        ),
    )
    .needs("playout=mixed")
    .means("The moves that threshold samples in the tree are corrective, whatever playouts begin with."),
    S::whole(
        "noise",
        0..=10_000,
        by(
            |settings| mixed(settings).map(|mixed| u64::from(mixed.noise.unwrap_or(0))),
            |settings, most| {
                let noise = Some(most as u32).filter(|&most| most > 0);
                change_mixed(settings, |mixed| mixed.noise = noise);
            },
        ),
    )
    .needs("playout=mixed")
    .means(
        "Evals of mixed and alphabeta playouts are off by at most so many points, at random; 0 is none.",
    ),
    S::real(
        "least-weight",
        0.0..=1.0,
        by(
            |settings| mixed(settings).map(|mixed| decimal(mixed.least_weight)),
            |settings, weight| change_mixed(settings, |mixed| mixed.least_weight = weight as f32),
        ),
    )
    .needs("playout=mixed")
    .means(
        "The weight of a corrective move that lowers the eval; one that keeps it has the weight that the \
         game's knowledge gives it, or 1.",
    ),
    S::real(
        "spread",
        0.0..=1e6,
        by(
            |settings| mixed(settings).map(|mixed| decimal(mixed.spread.unwrap_or(0.0))),
            |settings, spread| {
                let spread = Some(spread as f32).filter(|&spread| spread > 0.0);
                change_mixed(settings, |mixed| mixed.spread = spread);
            },
        ),
    )
    .needs("playout=mixed")
    .means(
        "By how much a corrective move must raise the eval to be twice as likely as one of the same weight \
         that keeps it; 0 draws by the weight alone.",
    ),
    S::whole(
        "considered",
        0..=LONGEST,
        by(
            |settings| greedy(settings).map(|greedy| u64::from(greedy.considered.unwrap_or(0))),
            |settings, most| {
                change_mixed(settings, |mixed| {
                    if let Then::Greedy(greedy) = &mut mixed.then {
                        greedy.considered = Some(most as u32).filter(|&most| most > 0);
                    }
                });
            },
        ),
    )
    .needs("playout=mixed")
    .means(
        "How many moves, those with the highest weight, are evaluated for a greedy move of a mixed playout, \
         while the others are only looked at for an immediate win; 0 evaluates all of them.",
    ),
    S::whole(
        "ab-width",
        1..=LONGEST,
        by(
            |settings| alphabeta(settings).map(|alphabeta| u64::from(alphabeta.width)),
            |settings, width| change_alphabeta(settings, |to| to.width = width as u32),
        ),
    )
    .needs("playout=alphabeta")
    .means("How many moves the search of an alphabeta playout looks at; its window is that of cutoff."),
    S::whole(
        "ab-replies",
        1..=LONGEST,
        by(
            |settings| alphabeta(settings).map(|alphabeta| u64::from(alphabeta.replies)),
            |settings, replies| change_alphabeta(settings, |to| to.replies = replies as u32),
        ),
    )
    .needs("playout=alphabeta")
    .means(
        "How many replies to each move the search of an alphabeta playout evaluates, and how many moves it \
         looks at on every ply below the first.",
    ),
    S::word(
        "ab-look",
        among(
            &["none", "root", "both"],
            |settings| match alphabeta(settings)?.look {
                Look::Nowhere => Some("none"),
                Look::Root => Some("root"),
                Look::Everywhere => Some("both"),
            },
            |settings, word| {
                let look = match word {
                    "none" => Look::Nowhere,
                    "both" => Look::Everywhere,
                    _ => Look::Root,
                };
                change_alphabeta(settings, |alphabeta| alphabeta.look = look);
            },
        ),
    )
    .needs("playout=alphabeta")
    .means(
        "Which moves beyond its width the search of an alphabeta playout looks at for an immediate win: \
         none, those at the root, or replies too (both).",
    ),
    S::whole(
        "ab-plies",
        2..=MOST_PLIES,
        by(
            |settings| alphabeta(settings).map(|alphabeta| u64::from(alphabeta.plies)),
            |settings, plies| change_alphabeta(settings, |to| to.plies = plies as u32),
        ),
    )
    .needs("playout=alphabeta")
    .means("How many plies deep the search of an alphabeta playout is."),
    S::word(
        "ab-killers",
        among(
            &["on", "off"],
            |settings| match alphabeta(settings)?.killers {
                Killers::On => Some("on"),
                Killers::Off => Some("off"),
            },
            |settings, word| {
                let killers = if word == "off" { Killers::Off } else { Killers::On };
                change_alphabeta(settings, |alphabeta| alphabeta.killers = killers);
            },
        ),
    )
    .needs("playout=alphabeta")
    .means(
        "Whether the search of an alphabeta playout tries killers first, the last two moves that were good \
         at that ply of a playout, or moves by their weight alone (off).",
    ),
    S::word(
        "decisive",
        words!(config.playout.decisive {
            "off" => Decisive::Off,
            "wins" => Decisive::Wins,
            "anti" => Decisive::Anti,
        }),
    )
    .means(
        "Whether a playout plays a move that wins at once (wins), and also avoids moves after which the \
         opponent can do so (anti).",
    ),
    S::flag("ept", switch!(config.playout.verdict or Verdict::default())).means(
        "Early playout termination: a playout ends where the game's knowledge guesses the outcome: \
         by the material, or by an evaluation beyond a bound of the game.",
    ),
    S::real("ept-error", 0.0..=1.0, field!(config.playout.verdict?.error))
        .needs("ept")
        .means("The probability that a guessed win counts as a loss, and a guessed loss as a win."),
    S::real_or_off(
        "cutoff",
        0.0..=1e6,
        by(
            |settings| settings.config.playout.cutoff.map(|cutoff| decimal(cutoff.threshold)),
            |settings, threshold| {
                let cutoff = &mut settings.config.playout.cutoff;
                let base = cutoff.unwrap_or_default();
                *cutoff = threshold.map(|threshold| Cutoff { threshold: threshold as f32, ..base });
            },
        ),
    )
    .means(
        "The eval beyond which a playout ends as a win of the side ahead, in the unit of the game's \
         evaluation.",
    ),
    S::whole("cutoff-every", 1..=LONGEST, field!(config.playout.cutoff?.every))
        .needs("cutoff=1000")
        .means("The eval is compared with the cutoff after every so many plies."),
    S::word(
        "cutoff-root",
        words!(config.playout.cutoff?.decided_root {
            "cut-off" => DecidedRoot::CutsOff,
            "play-on" => DecidedRoot::PlaysOn,
        }),
    )
    .needs("cutoff=1000")
    .means(
        "What the cutoff does in a search whose root is beyond it already: playouts end all the same (cut-off), or go \
         on to the end of the game, so that a lead is turned into a win (play-on).",
    ),
    S::whole_or_off("most-plies", 1..=LONGEST, field_or_off!(config.playout.most_plies))
        .means("A playout of so many plies ends as a draw."),
    S::whole_or_off(
        "truncate",
        0..=LONGEST,
        by(
            |settings| settings.config.playout.truncate.map(|truncate| u64::from(truncate.plies)),
            |settings, plies| {
                let truncate = plies.map(|plies| Truncate { plies: plies as u32 });
                settings.config.playout.truncate = truncate;
            },
        ),
    )
    .means(
        "A playout of so many plies ends, and what the evaluation expects of the state is its reward; \
         with 0 nothing is played.",
    ),
    S::real_or_off("correction", 0.0..=1.0, field_or_off!(config.correction))
        .needs("truncate=0")
        .means(
            "What the evaluation expects of a new state is corrected by so much of its mean error in states that look \
             like it.",
        ),
    S::whole_or_off("redraw", 2..=1000, field_or_off!(config.playout.redraw)).means(
        "A drawn playout is discarded and repeated until so many have been played in all; the thesis \
         takes 6.",
    ),
    S::real_or_off("draw-weight", 0.0..=1.0, field_or_off!(config.draw_weight))
        .means("A drawn playout counts as so much of a visit in the selection formula."),
    S::real_or_off("draw-value", -1.0..=1.0, field_or_off!(config.draw_value)).means(
        "What a draw counts for the side to move at the root, where a win is 1 and a loss -1; with -1 the \
         share of points is that of wins.",
    ),
];

fn strategy_name(strategy: Strategy) -> &'static str {
    match strategy {
        Strategy::Uniform => "uniform",
        Strategy::ByPiece => "by-piece",
        Strategy::Greedy(Heavy { greed: Greed { measure: Measure::Eval, .. }, .. }) => "eval",
        Strategy::Greedy(Heavy { greed: Greed { measure: Measure::Gain, .. }, .. }) => "see",
        Strategy::Categories => "categories",
        Strategy::Mixed(Mixed { then: Then::Greedy(_), .. }) => "mixed",
        Strategy::Mixed(Mixed { then: Then::AlphaBeta(_), .. }) => "alphabeta",
        Strategy::Filtered => "filtered",
    }
}

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
