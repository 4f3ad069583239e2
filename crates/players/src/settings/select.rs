//! Settings of the techniques of selection.

use super::Settings;
use crate::setting::{RealOrWord, Setting, SettingKind, among, by};
use crate::{field, field_or_off, switch, words};
use monteverde_mcts::{
    Bias, Config, Count, Deviation, EmptyRoot, Expand, Fpu, Graph, GraphBounds, Imb, Mode, Order,
    Rave, Threshold, TreeTies, Uct, Untried, Walk, Widen,
};

type S = Setting<Settings>;

/// Where a coefficient of a weight is kept that falls with the visits.
macro_rules! dynamic {
    ($coefficient:ident) => {
        by(
            |settings| match settings.config.imb? {
                Imb::Dynamic { $coefficient, .. } => Some($coefficient),
                Imb::Fixed(_) => None,
            },
            |settings, value| {
                if let Some(Imb::Dynamic { $coefficient, .. }) = &mut settings.config.imb {
                    *$coefficient = value;
                }
            },
        )
    };
}

pub(super) const TABLE: &[S] = &[
    S::word(
        "uct",
        among(
            &["ucb1", "signed", "ratio", "puct"],
            |settings| {
                Some(match settings.config.uct {
                    Uct::Ucb1 { .. } => "ucb1",
                    Uct::Signed { .. } => "signed",
                    Uct::Ratio { .. } => "ratio",
                    Uct::Puct { .. } => "puct",
                })
            },
            |settings, word| {
                let c = exploration(&settings.config);
                settings.config.uct = match word {
                    "signed" => Uct::Signed { c },
                    "ratio" => Uct::Ratio { c },
                    "puct" => Uct::Puct { c, temperature: temperature(&settings.config) },
                    _ => Uct::Ucb1 { c },
                };
            },
        ),
    )
    .means(
        "The selection formula: ucb1 is w + c sqrt(2 ln n / n_i) with w in 0..1, signed is \
         v + sqrt(c ln n / n_i) with v in -1..1, ratio is w + c sqrt(ln n / n_i), puct is \
         v + c P sqrt(n) / (1 + n_i) with P the share that knowledge gives the move.",
    ),
    S::real(
        "c",
        0.0..=MOST_EXPLORATION,
        by(
            |settings| Some(exploration(&settings.config)),
            |settings, value| match &mut settings.config.uct {
                Uct::Ucb1 { c } | Uct::Signed { c } | Uct::Ratio { c } | Uct::Puct { c, .. } => {
                    *c = value;
                }
            },
        ),
    )
    .means("The exploration constant of the selection formula: more of it spreads the visits."),
    S::real(
        "temperature",
        1e-3..=1e6,
        by(
            |settings| match settings.config.uct {
                Uct::Puct { temperature, .. } => Some(temperature),
                _ => None,
            },
            |settings, value| {
                if let Uct::Puct { temperature, .. } = &mut settings.config.uct {
                    *temperature = value;
                }
            },
        ),
    )
    .needs("uct=puct")
    .means(
        "What difference of priors makes a share e times as large, in their unit.",
    ),
    S::real_or_off("c-base", 1.0..=1e9, field_or_off!(config.c_base))
        .needs("uct=puct")
        .means(
            "Exploration grows with the visits: c is multiplied by 1 + ln(1 + n / base), n the visits \
             of the state.",
        ),
    S::real_or_off(
        "c-deviation",
        0.0..=1.0,
        by(
            |settings| settings.config.c_deviation.map(|it| it.weight),
            |settings, weight| {
                let usual = settings.config.c_deviation.map_or(USUAL_DEVIATION, |it| it.usual);
                settings.config.c_deviation = weight.map(|weight| Deviation { weight, usual });
            },
        ),
    )
    .needs("uct=puct")
    .means(
        "Exploration by how much the rewards of a state differ: c is multiplied by 1 - w + w s / u, where s is \
         their standard deviation, and u what is usual.",
    ),
    S::real("usual-deviation", 1e-3..=2.0, field!(config.c_deviation?.usual))
        .needs("c-deviation=0.5")
        .means("The standard deviation of rewards in -1..1 that leaves c as it is."),
    S::real_or_off("root-temperature", 1e-3..=1e6, field_or_off!(config.root_temperature))
        .needs("uct=puct")
        .means("The temperature of the moves at the root, in place of that of all others."),
    S::real_or_off("even-share", 0.0..=1.0, field_or_off!(config.even_share))
        .needs("uct=puct")
        .means(
            "So much of the shares is divided equally among all moves of a state, so that none is \
             overlooked.",
        ),
    S::real_or_off(
        "bias",
        0.0..=10_000.0,
        by(
            |settings| settings.config.bias.map(|bias| bias.weight),
            |settings, weight| {
                let count = settings.config.bias.map_or(Count::Visits, |bias| bias.count);
                settings.config.bias = weight.map(|weight| Bias { weight, count });
            },
        ),
    )
    .means(
        "Progressive bias: so much of what knowledge says of a move, divided by a count, is added \
         to its bound.",
    ),
    S::word(
        "bias-count",
        words!(config.bias?.count {
            "n" => Count::Visits,
            "n+1" => Count::VisitsPlusOne,
            "sqrt-n" => Count::RootVisits,
            "ln-n+1" => Count::LogVisits,
            "l" => Count::Losses,
            "sqrt-l+1" => Count::RootLossesPlusOne,
            "sqrt-l" => Count::RootLosses,
            "ln-l+1" => Count::LogLosses,
        }),
    )
    .needs("bias=0.001")
    .means(
        "What progressive bias is divided by: n the visits of the move, l its losses, a draw being \
         half a loss.",
    ),
    S::word(
        "order",
        words!(config.order { "moves" => Order::Generation, "prior" => Order::Prior }),
    )
    .means(
        "In which order untried moves are tried: as the game lists them (moves), or those first that look better \
         to knowledge (prior).",
    ),
    S::word(
        "expand",
        words!(config.expand {
            "second-visit" => Expand::SecondVisit,
            "first-visit" => Expand::FirstVisit,
        }),
    )
    .means(
        "When a node lists its moves: when its edge is visited for the second time (second-visit), or at once \
         (first-visit), which finds the same in more time.",
    ),
    S::word(
        "fpu",
        among(
            &["off", "fixed", "reduced"],
            |settings| {
                Some(match settings.config.fpu {
                    None => "off",
                    Some(Fpu::Fixed(_)) => "fixed",
                    Some(Fpu::Reduced(_)) => "reduced",
                })
            },
            |settings, word| {
                settings.config.fpu = match (word, settings.config.fpu) {
                    ("fixed", Some(Fpu::Fixed(urgency))) => Some(Fpu::Fixed(urgency)),
                    // Gelly and Wang (2006) find 1.1 best in Go.
                    ("fixed", _) => Some(Fpu::Fixed(1.1)),
                    ("reduced", Some(Fpu::Reduced(less))) => Some(Fpu::Reduced(less)),
                    ("reduced", _) => Some(Fpu::Reduced(0.0)),
                    _ => None,
                };
            },
        ),
    )
    .means(
        "First-play urgency: an untried move counts as a fixed number, or as the value of its state \
         less a number; off tries every move before any a second time.",
    ),
    S::real(
        "urgency",
        -1000.0..=1000.0,
        by(
            |settings| match settings.config.fpu? {
                Fpu::Fixed(urgency) | Fpu::Reduced(urgency) => Some(urgency),
            },
            |settings, value| {
                if let Some(Fpu::Fixed(urgency) | Fpu::Reduced(urgency)) = &mut settings.config.fpu
                {
                    *urgency = value;
                }
            },
        ),
    )
    .needs("fpu=fixed")
    .means("The number of fpu, in the unit of the selection formula."),
    S::word(
        "widen",
        among(
            &["off", "unprune", "widen"],
            |settings| {
                Some(match settings.config.widen.map(|widen| widen.mode) {
                    None => "off",
                    Some(Mode::Unprune) => "unprune",
                    Some(Mode::Widen { .. }) => "widen",
                })
            },
            |settings, word| {
                let now = settings.config.widen.unwrap_or(CHASLOT);
                let after = after(settings).unwrap_or(DEFAULT_AFTER);
                settings.config.widen = match word {
                    "unprune" => Some(Widen { mode: Mode::Unprune, ..now }),
                    "widen" => Some(Widen { mode: Mode::Widen { after }, ..now }),
                    _ => None,
                };
            },
        ),
    )
    .means(
        "Moves that look worse take part later, the more visits a state has: unprune leaves them \
         out from the start, widen only after some visits.",
    ),
    S::whole(
        "widen-after",
        0..=u32::MAX as u64,
        by(
            |settings| after(settings).map(u64::from),
            |settings, visits| {
                if let Some(widen) = &mut settings.config.widen {
                    widen.mode = Mode::Widen { after: visits as u32 };
                }
            },
        ),
    )
    .needs("widen=widen")
    .means("The visits of a state from which on widen leaves moves out."),
    S::whole("widen-first", 1..=1000, field!(config.widen?.first))
        .needs("widen=unprune")
        .means("How many moves always take part."),
    S::real("widen-scale", 1.0..=1e9, field!(config.widen?.scale))
        .needs("widen=unprune")
        .means("The visits at which one more move takes part."),
    S::real("widen-base", 1.001..=1000.0, field!(config.widen?.base))
        .needs("widen=unprune")
        .means("By what factor the visits grow for each further move."),
    S::whole_or_off(
        "threshold",
        1..=u32::MAX as u64,
        by(
            |settings| settings.config.threshold.map(|threshold| u64::from(threshold.visits)),
            |settings, visits| {
                let threshold = &mut settings.config.threshold;
                let untried = threshold.map_or(Untried::Selected, |threshold| threshold.untried);
                *threshold = visits.map(|visits| Threshold { visits: visits as u32, untried });
            },
        ),
    )
    .means("In a state with fewer visits the move is sampled as in playouts; from then on it is selected."),
    S::word(
        "untried",
        words!(config.threshold?.untried {
            "selected" => Untried::Selected,
            "ignored" => Untried::Ignored,
        }),
    )
    .needs("threshold=50")
    .means(
        "Whether moves that were never sampled are selected once a state has had the visits of threshold \
         (selected: they come first, or compete with fpu), or are not considered any more (ignored).",
    ),
    S::word(
        "walk",
        among(
            &["ends", "restarts"],
            |settings| {
                settings.config.threshold?;
                Some(match settings.config.walk {
                    Walk::Ends => "ends",
                    Walk::Restarts => "restarts",
                })
            },
            |settings, word| {
                settings.config.walk = if word == "ends" { Walk::Ends } else { Walk::Restarts };
            },
        ),
    )
    .needs("threshold=50")
    .means(
        "What becomes of sampled moves in the tree that come to the end of the game: its result counts (ends), \
         or a playout begins anew where the sampling did (restarts).",
    ),
    S::word(
        "root",
        words!(config.empty_root {
            "unvisited" => EmptyRoot::Unvisited,
            "visited" => EmptyRoot::Visited,
        }),
    )
    .means(
        "Whether the root of an empty tree counts as visited once.",
    ),
    S::word(
        "tree-ties",
        words!(config.ties { "order" => TreeTies::InOrder, "random" => TreeTies::Random }),
    )
    .means(
        "Which of equals is selected in the tree and chosen by most visits: in their order, or a random one.",
    ),
    S::real_or_off(
        "rave",
        1e-3..=1e9,
        by(
            |settings| settings.config.rave.map(|rave| rave.k),
            |settings, k| settings.config.rave = k.map(|k| Rave { k }),
        ),
    )
    .means(
        "RAVE: iterations that played a move later than here count too, at so many visits of the move \
         as much as its own.",
    ),
    S::new(
        "imb",
        SettingKind::RealOrWord {
            range: 0.0..=1.0,
            words: &["off", "dynamic"],
            access: by(
                |settings| {
                    Some(match settings.config.imb {
                        None => RealOrWord::Word("off"),
                        Some(Imb::Fixed(alpha)) => RealOrWord::Real(alpha),
                        Some(Imb::Dynamic { .. }) => RealOrWord::Word("dynamic"),
                    })
                },
                |settings, value| {
                    settings.config.imb = match (value, settings.config.imb) {
                        (RealOrWord::Real(alpha), _) => Some(Imb::Fixed(alpha)),
                        (RealOrWord::Word("dynamic"), Some(now @ Imb::Dynamic { .. })) => Some(now),
                        (RealOrWord::Word("dynamic"), _) => Some(Imb::DYNAMIC),
                        (RealOrWord::Word(_), _) => None,
                    };
                },
            ),
        },
    )
    .means(
        "Implicit minimax backups: the selection goes by (1 - a) Q + a m, with Q the mean of a move and m the \
         minimax score of evaluations below it; a is this number, or dynamic: it falls with the visits.",
    ),
    S::real("imb-cc", 0.0..=1.0, dynamic!(c_c)).needs("imb=dynamic").means(
        "What the weight a of imb=dynamic falls to: a is (1 - cc) sqrt(cs / (cs + cn n)) + cc after n visits of \
         the state.",
    ),
    S::real("imb-cs", 1e-6..=MOST_COEFFICIENT, dynamic!(c_s))
        .needs("imb=dynamic")
        .means("How long the weight of imb=dynamic stays near 1."),
    S::real("imb-cn", 0.0..=MOST_COEFFICIENT, dynamic!(c_n))
        .needs("imb=dynamic")
        .means("How fast the weight of imb=dynamic falls with the visits."),
    S::flag("transpositions", switch!(config.graph = Graph))
        .means("States that are reached in several ways share what is known of them."),
    S::flag("graph-bounds", switch!(config.graph_bounds = GraphBounds))
        .needs("transpositions")
        .means(
            "Shared states keep bounds of their values in games with chance, events count by their probabilities, \
             and lines that go round in circles are solved.",
        ),
];

/// The king-and-rook study goes up to 500; beyond it selection is as good as by turns.
const MOST_EXPLORATION: f64 = 1000.0;

/// In centipawns, which chess gives its priors in: a pawn more makes the share e times as large.
/// Ours, not tuned.
const DEFAULT_TEMPERATURE: f64 = 100.0;

/// What is usual in nodes of ten visits and more, in searches of `best` of chess: the mean over two
/// games at 5,000 iterations a move.
pub const USUAL_DEVIATION: f64 = 0.13;

/// Chaslot and others (2008) begin with 5 moves and add one more at 50 visits, then each 1.3 times
/// later.
const CHASLOT: Widen = Widen { mode: Mode::Unprune, first: 5, scale: 50.0, base: 1.3 };

/// Coulom (2007) has pruning begin at a number of visits; as many as one more move takes above is
/// our choice.
const DEFAULT_AFTER: u32 = 50;

/// The study of Chinese dark chess does not print how far it varied the coefficients of its formula
/// 3; what counts is the ratio of the last two.
const MOST_COEFFICIENT: f64 = 1e6;

fn exploration(config: &Config) -> f64 {
    match config.uct {
        Uct::Ucb1 { c } | Uct::Signed { c } | Uct::Ratio { c } | Uct::Puct { c, .. } => c,
    }
}

/// The temperature in force, or the default.
fn temperature(config: &Config) -> f64 {
    match config.uct {
        Uct::Puct { temperature, .. } => temperature,
        _ => DEFAULT_TEMPERATURE,
    }
}

fn after(settings: &Settings) -> Option<u32> {
    match settings.config.widen?.mode {
        Mode::Widen { after } => Some(after),
        Mode::Unprune => None,
    }
}
