//! The settings of the players that search, in their typed form and as the one table that describes them.

pub(crate) mod banqi;
mod minimax;
pub mod playouts;
mod quality;
mod select;
mod tables;

use crate::setting::{Described, Kind, Setting, Switch};
use crate::spec::SpecError;
use monteverde_knowledge::Leaf;
use monteverde_knowledge::banqi::BanqiKnowledge;
use monteverde_knowledge::loa::Evaluator;
use monteverde_mcts::solver::{Draws, InTree, LeafCheck, Solver};
use monteverde_mcts::{Choose, Config, Uct};
use std::path::PathBuf;

/// The setting of Lines of Action that every kind of player has.
macro_rules! evaluator {
    () => {
        Setting {
            name: "evaluator",
            meaning: "Which evaluation of Lines of Action values states: the one with the features of 2000, of 2002, or \
                      all nine of 2006.",
            needs: None,
            kind: Kind::Word {
                words: &["2000", "2002", "2006"],
                read: |settings| match settings.evaluator {
                    Evaluator::Mia2000 => "2000",
                    Evaluator::Mia2002 => "2002",
                    Evaluator::Mia2006 => "2006",
                },
                write: |settings, word| {
                    settings.evaluator = match word {
                        "2000" => Evaluator::Mia2000,
                        "2002" => Evaluator::Mia2002,
                        _ => Evaluator::Mia2006,
                    };
                },
            },
        }
    };
}
pub(crate) use evaluator;

/// What a player that searches is made of.
#[derive(Clone, PartialEq, Debug)]
pub struct Settings {
    /// The search.
    pub config: Config,
    /// A move gets one part in so many of the remaining clock time, see [`crate::Budget`].
    pub fraction: u32,
    /// What becomes of the tree between two moves.
    pub reuse: Reuse,
    /// Endgame tables are asked about states with at most so many pieces.
    pub pieces: u32,
    /// Playouts ignore the tables while the root has fewer pieces than this.
    pub tables_root: u32,
    /// How the end of a truncated playout is evaluated.
    pub leaf: Leaf,
    /// A folder of Syzygy files to ask where the tables do not know. It belongs to a machine rather than to a player,
    /// so a front end sets it ([`crate::Overrides`]) and no spec does.
    pub syzygy: Option<PathBuf>,
    /// What values states of Lines of Action.
    pub evaluator: Evaluator,
    /// How much the logarithm of a move's prior grows for each unit of the evaluation after it, in Lines of Action.
    pub foresight: f32,
    /// What is known of Chinese dark chess.
    pub banqi: BanqiKnowledge,
}

/// What becomes of the tree between two moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reuse {
    /// What is known of the state reached is kept.
    Keep,
    /// Every move starts with an empty tree.
    Forget,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            config: Config::default(),
            fraction: FRACTION,
            reuse: Reuse::Keep,
            pieces: PIECES,
            tables_root: 0,
            leaf: Leaf::Static,
            syzygy: None,
            evaluator: Evaluator::default(),
            foresight: 0.0,
            banqi: BanqiKnowledge::default(),
        }
    }
}

/// *Monte Carlo Chess* gives each move "a fixed fraction of the remaining clock time" (section 4.1) and
/// does not print which. A thirtieth is our choice: it leaves time for games of well over a hundred moves.
pub(crate) const FRACTION: u32 = 30;

/// The tables of three pieces are always there.
const PIECES: u32 = 3;

/// The constant A of *Monte-Carlo Tree Search Solver*, section 4.3.
const SECURE_A: f64 = 1.0;

/// The king-and-rook study goes up to 500; beyond it selection is as good as by turns.
const MOST_EXPLORATION: f64 = 1000.0;

/// Below this a chess tree has hardly room for two plies.
const LEAST_MEMORY: u64 = 64 << 10;

/// The tree's links have 32 bits, which is good for some 112 GiB; this is the whole power of two below.
const MOST_MEMORY: u64 = 64 << 30;

impl Described for Settings {
    const TABLE: &'static [Setting<Settings>] = SETTINGS;

    fn check(&self) -> Result<(), SpecError> {
        if self.config.solver.is_some() && self.config.graph.is_some() {
            return Err(SpecError::Conflict {
                one: "solver",
                other: "transpositions",
                reason: "a proof holds on the path that led to a state, and transpositions share states \
                         between paths",
                remedy: "'solver=off' or 'no-transpositions'",
            });
        }
        Ok(())
    }
}

/// Every setting, those that others need first. A technique adds its entry here.
pub const SETTINGS: &[Setting<Settings>] = &[
    Setting {
        name: "uct",
        meaning: "The selection formula: ucb1 is w + c sqrt(2 ln n / n_i) with w in 0..1, signed is \
                  v + sqrt(c ln n / n_i) with v in -1..1, ratio is w + c sqrt(ln n / n_i), puct is \
                  v + c P sqrt(n) / (1 + n_i) with P the share that knowledge gives the move.",
        needs: None,
        kind: Kind::Word {
            words: &["ucb1", "signed", "ratio", "puct"],
            read: |settings| match settings.config.uct {
                Uct::Ucb1 { .. } => "ucb1",
                Uct::Signed { .. } => "signed",
                Uct::Ratio { .. } => "ratio",
                Uct::Puct { .. } => "puct",
            },
            write: |settings, word| {
                let c = exploration(&settings.config);
                settings.config.uct = match word {
                    "signed" => Uct::Signed { c },
                    "ratio" => Uct::Ratio { c },
                    "puct" => Uct::Puct { c, temperature: select::temperature(&settings.config) },
                    _ => Uct::Ucb1 { c },
                };
            },
        },
    },
    Setting {
        name: "c",
        meaning: "The exploration constant of the selection formula: more of it spreads the visits.",
        needs: None,
        kind: Kind::Real {
            range: 0.0..=MOST_EXPLORATION,
            read: |settings| Some(exploration(&settings.config)),
            write: |settings, value| match &mut settings.config.uct {
                Uct::Ucb1 { c } | Uct::Signed { c } | Uct::Ratio { c } | Uct::Puct { c, .. } => {
                    *c = value
                }
            },
        },
    },
    select::TEMPERATURE,
    banqi::PB,
    banqi::PB_CURB,
    banqi::PB_CURB_FLIP,
    banqi::CURB_PART,
    banqi::FLIP_PART,
    select::BIAS,
    select::BIAS_COUNT,
    select::ORDER,
    select::FPU,
    select::URGENCY,
    select::WIDEN,
    select::WIDEN_AFTER,
    select::WIDEN_FIRST,
    select::WIDEN_SCALE,
    select::WIDEN_BASE,
    select::THRESHOLD,
    select::UNTRIED,
    select::RAVE,
    minimax::IMB,
    minimax::IMB_CC,
    minimax::IMB_CS,
    minimax::IMB_CN,
    select::TRANSPOSITIONS,
    playouts::PLAYOUT,
    playouts::EPSILON,
    playouts::TIES,
    playouts::CORRECTIVE,
    playouts::LEAST_WEIGHT,
    playouts::SPREAD,
    playouts::CONSIDERED,
    playouts::AB_WIDTH,
    playouts::AB_REPLIES,
    playouts::AB_LOOK,
    playouts::DECISIVE,
    playouts::EPT,
    playouts::EPT_ERROR,
    playouts::CUTOFF,
    playouts::CUTOFF_EVERY,
    playouts::CUTOFF_ROOT,
    playouts::MOST_PLIES,
    playouts::TRUNCATE,
    playouts::REDRAW,
    playouts::DRAW_WEIGHT,
    playouts::DRAW_VALUE,
    quality::SL,
    quality::SL_A,
    quality::SL_K,
    quality::TSQ,
    quality::TSQ_A,
    quality::TSQ_K,
    tables::LEAF,
    evaluator!(),
    tables::FORESIGHT,
    banqi::OTHER_WEIGHT,
    banqi::MATERIAL_SCALE,
    banqi::QUALITY_WEIGHT,
    tables::TABLES,
    tables::PIECES,
    tables::TABLES_ROOT,
    Setting {
        name: "solver",
        meaning: "What is proven in the tree: nothing (off), wins and losses with their distance (wins), \
                  draws too (draws). It cannot be had together with transpositions.",
        needs: None,
        kind: Kind::Word {
            words: &["off", "wins", "draws"],
            read: |settings| match settings.config.solver {
                None => "off",
                Some(Solver { draws: Draws::Open, .. }) => "wins",
                Some(Solver { draws: Draws::Proven, .. }) => "draws",
            },
            write: |settings, word| {
                let solver = settings.config.solver.unwrap_or(Solver::THESIS);
                settings.config.solver = match word {
                    "wins" => Some(Solver { draws: Draws::Open, ..solver }),
                    "draws" => Some(Solver { draws: Draws::Proven, ..solver }),
                    _ => None,
                };
            },
        },
    },
    Setting {
        name: "leaf-check",
        meaning: "A new leaf is searched for a move that wins at once.",
        needs: Some("solver=wins"),
        kind: Kind::Flag {
            read: |settings| {
                settings.config.solver.map(|solver| match solver.leaf {
                    LeafCheck::On => Switch::On,
                    LeafCheck::Off => Switch::Off,
                })
            },
            write: |settings, switch| {
                if let Some(solver) = &mut settings.config.solver {
                    solver.leaf = match switch {
                        Switch::On => LeafCheck::On,
                        Switch::Off => LeafCheck::Off,
                    };
                }
            },
        },
    },
    Setting {
        name: "tree-oracle",
        meaning: "New leaves are asked of the endgame tables, where the player has them.",
        needs: Some("solver=wins"),
        kind: Kind::Flag {
            read: |settings| {
                settings.config.solver.map(|solver| match solver.oracle {
                    InTree::Asked => Switch::On,
                    InTree::Ignored => Switch::Off,
                })
            },
            write: |settings, switch| {
                if let Some(solver) = &mut settings.config.solver {
                    solver.oracle = match switch {
                        Switch::On => InTree::Asked,
                        Switch::Off => InTree::Ignored,
                    };
                }
            },
        },
    },
    Setting {
        name: "choose",
        meaning: "How the final move is chosen: the most visits, the highest mean, or the highest \
                  mean + a / sqrt(visits).",
        needs: None,
        kind: Kind::Word {
            words: &["visits", "mean", "secure"],
            read: |settings| match settings.config.choose {
                Choose::Visits => "visits",
                Choose::Mean => "mean",
                Choose::Secure { .. } => "secure",
            },
            write: |settings, word| {
                let a = secure(&settings.config).unwrap_or(SECURE_A);
                settings.config.choose = match word {
                    "mean" => Choose::Mean,
                    "secure" => Choose::Secure { a },
                    _ => Choose::Visits,
                };
            },
        },
    },
    Setting {
        name: "a",
        meaning: "The constant of choose=secure: below 0 a bound that little visited moves fall short of, above 0 one \
                  that they gain by.",
        needs: Some("choose=secure"),
        kind: Kind::Real {
            range: -100.0..=100.0,
            read: |settings| secure(&settings.config),
            write: |settings, a| settings.config.choose = Choose::Secure { a },
        },
    },
    Setting {
        name: "memory",
        meaning: "The most memory that the tree may take; it is claimed only as the tree grows.",
        needs: None,
        kind: Kind::Bytes {
            range: LEAST_MEMORY..=MOST_MEMORY,
            read: |settings| Some(settings.config.memory as u64),
            write: |settings, bytes| {
                settings.config.memory = usize::try_from(bytes).unwrap_or(usize::MAX);
            },
        },
    },
    Setting {
        name: "threads",
        meaning: "How many threads search the one tree; with one, results depend on the seed alone.",
        needs: None,
        kind: Kind::Whole {
            range: 1..=1024,
            read: |settings| Some(settings.config.threads as u64),
            write: |settings, threads| settings.config.threads = threads as usize,
        },
    },
    Setting {
        name: "seed",
        meaning: "Where the random numbers start.",
        needs: None,
        kind: Kind::Whole {
            range: 0..=u64::MAX,
            read: |settings| Some(settings.config.seed),
            write: |settings, seed| settings.config.seed = seed,
        },
    },
    Setting {
        name: "fraction",
        meaning: "A move gets one part in so many of the remaining clock time; the thesis that does \
                  so does not print its own value.",
        needs: None,
        kind: Kind::Whole {
            range: 1..=1000,
            read: |settings| Some(u64::from(settings.fraction)),
            write: |settings, fraction| settings.fraction = fraction as u32,
        },
    },
    Setting {
        name: "fresh",
        meaning: "Every move starts with an empty tree, as in the thesis; without it what is known \
                  of the state reached is kept.",
        needs: None,
        kind: Kind::Flag {
            read: |settings| {
                Some(match settings.reuse {
                    Reuse::Forget => Switch::On,
                    Reuse::Keep => Switch::Off,
                })
            },
            write: |settings, switch| {
                settings.reuse = match switch {
                    Switch::On => Reuse::Forget,
                    Switch::Off => Reuse::Keep,
                };
            },
        },
    },
];

fn exploration(config: &Config) -> f64 {
    match config.uct {
        Uct::Ucb1 { c } | Uct::Signed { c } | Uct::Ratio { c } | Uct::Puct { c, .. } => c,
    }
}

fn secure(config: &Config) -> Option<f64> {
    match config.choose {
        Choose::Secure { a } => Some(a),
        Choose::Visits | Choose::Mean => None,
    }
}
