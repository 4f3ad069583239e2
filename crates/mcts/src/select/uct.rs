//! The formulas of selection as the papers print them.

/// The selection formulas. `n` is the visits of the node, `n_i` those of an edge.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Uct {
    /// `w + C sqrt(2 ln n / n_i)`, w the share of points in 0..1 (*Monte Carlo Chess*, formula 1; C
    /// = 1).
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
    /// `v + C P_i sqrt(n) / (1 + n_i)`, v the mean in -1..1 and P_i the share that knowledge gives
    /// the move, see [`crate::select::puct`]. Ours, after AlphaZero's formula, without a network.
    Puct {
        /// The exploration constant C.
        c: f64,
        /// In the unit of the priors: one that is larger by this much makes the share e times as
        /// large.
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
