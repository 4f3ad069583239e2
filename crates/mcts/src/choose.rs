//! The choice of the move that is finally played.

use crate::reward;
use crate::tree::Edge;

/// How the final move is chosen among the root's edges.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Choose {
    /// The most visits; of equals the higher mean, of equals again the earlier in generation order.
    Visits,
    /// The highest mean.
    Mean,
    /// The highest `mean + A / sqrt(visits)`, as printed in *Monte-Carlo Tree Search Solver*, section 4.3
    /// (there A = 1 and means lie in -1..1).
    Secure {
        /// The constant A.
        a: f64,
    },
}

impl Choose {
    /// The index of the chosen edge among those that have been visited; `None` if none has.
    pub(crate) fn choose(self, edges: &[Edge]) -> Option<usize> {
        let mut best: Option<(usize, (f64, f64))> = None;
        for (index, edge) in edges.iter().enumerate() {
            let visits = edge.visits();
            if visits == 0 {
                continue;
            }
            let worth = self.worth(edge.total(), visits);
            if best.is_none_or(|(_, most)| worth > most) {
                best = Some((index, worth));
            }
        }
        best.map(|(index, _)| index)
    }

    /// What is compared: first, and where that is equal, second.
    pub(crate) fn worth(self, total: i64, visits: u32) -> (f64, f64) {
        let mean = reward::mean(total, visits);
        match self {
            Choose::Visits => (f64::from(visits), mean),
            Choose::Mean => (mean, f64::from(visits)),
            Choose::Secure { a } => (mean + a / f64::from(visits).sqrt(), mean),
        }
    }
}
