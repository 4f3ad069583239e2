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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reward::ONE;
    use std::sync::atomic::Ordering::Relaxed;

    fn edge(visits: u32, mean: f64) -> Edge {
        let edge = Edge::default();
        edge.visits_cell().store(visits, Relaxed);
        edge.total_cell().store((mean * f64::from(visits) * ONE as f64) as i64, Relaxed);
        edge
    }

    #[test]
    fn the_three_rules_choose_differently_where_they_should() {
        // An untried edge, the most visited, the highest mean, and one that is good for its few visits.
        let edges = [edge(0, 0.0), edge(900, 0.30), edge(400, 0.40), edge(4, 0.20)];
        assert_eq!(Choose::Visits.choose(&edges), Some(1));
        assert_eq!(Choose::Mean.choose(&edges), Some(2));
        assert_eq!(Choose::Secure { a: 1.0 }.choose(&edges), Some(3));
        assert_eq!(Choose::Secure { a: 0.0 }.choose(&edges), Some(2));
        assert_eq!(Choose::Visits.choose(&edges[..1]), None);
    }

    #[test]
    fn of_equal_visits_the_higher_mean_and_of_equals_the_earlier() {
        let edges = [edge(10, 0.1), edge(10, 0.2), edge(10, 0.2)];
        assert_eq!(Choose::Visits.choose(&edges), Some(1));
    }
}
