//! Every setting of the search as plain data. A technique that is off is `None`, or its plainest variant,
//! and leaves no trace in the tree.

use crate::choose::Choose;
use crate::playout::Playouts;
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
        Needs { draws: self.draw_weight.is_some(), ..Needs::default() }
    }

    /// The selection formula with what changes its counts.
    pub(crate) fn formula(&self) -> Normalised {
        let discount = self.draw_weight.map_or(0.0, |weight| 1.0 - weight);
        Normalised { discount, ..self.uct.normalised() }
    }
}

/// The selection formulas of the papers. `n` is the visits of the node, `n_i` those of an edge.
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
}

impl Uct {
    /// The formula brought to the one form `offset + scale * mean + sqrt(factor * ln n / n_i)`, mean in
    /// -1..1.
    pub(crate) fn normalised(self) -> Normalised {
        match self {
            Uct::Ucb1 { c } => {
                Normalised { offset: 0.5, scale: 0.5, factor: 2.0 * c * c, discount: 0.0 }
            }
            Uct::Signed { c } => Normalised { offset: 0.0, scale: 1.0, factor: c, discount: 0.0 },
            Uct::Ratio { c } => {
                Normalised { offset: 0.5, scale: 0.5, factor: c * c, discount: 0.0 }
            }
        }
    }
}

/// See [`Uct::normalised`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Normalised {
    pub(crate) offset: f64,
    pub(crate) scale: f64,
    pub(crate) factor: f64,
    /// By how much a drawn playout counts less than a visit.
    pub(crate) discount: f64,
}
