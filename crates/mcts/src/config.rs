//! Every setting of the search as plain data. A technique that is off is `None`, or its plainest variant,
//! and leaves no trace in the tree.

use crate::choose::Choose;
use crate::graph::Graph;
use crate::playout::Playouts;
use crate::quality::Quality;
use crate::select::{
    bias::Bias, fpu::Fpu, imb::Imb, rave::Rave, threshold::Threshold, widen::Widen,
};
use crate::solver::Solver;
use crate::tree::extra::Needs;

/// The configuration of a search.
#[derive(Clone, PartialEq, Debug)]
pub struct Config {
    /// The formula that selects in the tree.
    pub uct: Uct,
    /// How playouts go.
    pub playout: Playouts,
    /// A drawn playout counts as so much of a visit in the selection formula, in 0..=1.
    pub draw_weight: Option<f64>,
    /// What a draw counts for the side to move at the root, in -1..=1; 0 where it is off.
    pub draw_value: Option<f64>,
    /// What a win or loss counts by how it came about.
    pub quality: Quality,
    /// Below some visits a node's move is sampled by the playout strategy.
    pub threshold: Option<Threshold>,
    /// Progressive bias.
    pub bias: Option<Bias>,
    /// In which order untried moves are tried.
    pub order: Order,
    /// First-play urgency.
    pub fpu: Option<Fpu>,
    /// Progressive unpruning or widening.
    pub widen: Option<Widen>,
    /// RAVE.
    pub rave: Option<Rave>,
    /// Implicit minimax backups.
    pub imb: Option<Imb>,
    /// Nodes shared between transpositions.
    pub graph: Option<Graph>,
    /// What is proven in the tree; `None` proves nothing and heeds no proof.
    pub solver: Option<Solver>,
    /// How the final move is chosen.
    pub choose: Choose,
    /// The most bytes the tree may take.
    pub memory: usize,
    /// How many threads search the one shared tree; with one, results depend on the seed alone.
    pub threads: usize,
    /// Where the random numbers start.
    pub seed: u64,
}

impl Default for Config {
    /// Plain UCT as in the appendix of *Monte Carlo Chess*, on one thread, with a tree of 1 GiB.
    fn default() -> Self {
        Config {
            uct: Uct::Ucb1 { c: 1.0 },
            playout: Playouts::default(),
            draw_weight: None,
            draw_value: None,
            quality: Quality::default(),
            threshold: None,
            bias: None,
            order: Order::Generation,
            fpu: None,
            widen: None,
            rave: None,
            imb: None,
            graph: None,
            solver: None,
            choose: Choose::Visits,
            memory: 1 << 30,
            threads: 1,
            seed: 1,
        }
    }
}

impl Config {
    /// The statistics that its techniques need beside plain UCT's.
    pub(crate) fn needs(&self) -> Needs {
        Needs {
            prior: self.bias.is_some(),
            share: self.uct.temperature().is_some(),
            rave: self.rave.is_some(),
            score: self.imb.is_some(),
            outcomes: self.quality.is_on()
                && self.bias.is_some_and(|bias| bias.count.is_of_losses()),
            draws: self.draw_weight.is_some(),
            graph: self.graph.is_some(),
            // That depends on the game, too: see [`crate::bounds`].
            bounds: false,
        }
    }
}

/// In which order untried moves are tried. Where moves are widened, or shares decide (PUCT), those that look better
/// come first anyway.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    /// As the game lists them (*Monte Carlo Chess*, algorithm 7.2).
    Generation,
    /// Those with a higher [`monteverde_game::Knowledge::prior`] first. Ours: papers on progressive bias say nothing of
    /// moves without visits, for which its term has no value.
    Prior,
}

/// The selection formulas. `n` is the visits of the node, `n_i` those of an edge.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Uct {
    /// `w + C sqrt(2 ln n / n_i)`, w the share of points in 0..1 (*Monte Carlo Chess*, formula 1; C = 1).
    Ucb1 {
        /// The exploration constant C.
        c: f64,
    },
    /// `v + sqrt(C ln n / n_i)`, v the mean in -1..1 (*Monte-Carlo Tree Search Solver*, formula 1).
    Signed {
        /// The exploration constant C.
        c: f64,
    },
    /// `m/n_i + C sqrt(ln n / n_i)`, m/n_i the share of points in 0..1 (the king-and-rook study).
    Ratio {
        /// The exploration constant C.
        c: f64,
    },
    /// `v + C P_i sqrt(n) / (1 + n_i)`, v the mean in -1..1 and P_i the share that knowledge gives the move,
    /// see [`crate::select::puct`]. Ours, after AlphaZero's formula, without a network.
    Puct {
        /// The exploration constant C.
        c: f64,
        /// In the unit of the priors: one that is larger by this much makes the share e times as large.
        temperature: f64,
    },
}

impl Uct {
    /// The formula brought to the one form `offset + scale * mean + exploration`, mean in -1..1.
    pub(crate) fn normalised(self) -> Normalised {
        let (offset, scale, factor, exploration) = match self {
            Uct::Ucb1 { c } => (0.5, 0.5, 2.0 * c * c, Exploration::Log),
            Uct::Signed { c } => (0.0, 1.0, c, Exploration::Log),
            Uct::Ratio { c } => (0.5, 0.5, c * c, Exploration::Log),
            Uct::Puct { c, .. } => (0.0, 1.0, c, Exploration::Prior),
        };
        Normalised { offset, scale, factor, exploration }
    }

    /// The temperature, where the formula has one.
    pub(crate) fn temperature(self) -> Option<f64> {
        match self {
            Uct::Puct { temperature, .. } => Some(temperature),
            Uct::Ucb1 { .. } | Uct::Signed { .. } | Uct::Ratio { .. } => None,
        }
    }
}

/// See [`Uct::normalised`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Normalised {
    pub(crate) offset: f64,
    pub(crate) scale: f64,
    pub(crate) factor: f64,
    pub(crate) exploration: Exploration,
}

/// The part of a formula that little known edges gain by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Exploration {
    /// `sqrt(factor * ln n / n_i)`.
    Log,
    /// `factor * P_i * sqrt(n) / (1 + n_i)`.
    Prior,
}
