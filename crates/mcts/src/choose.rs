//! The choice of the move that is finally played.

use crate::proof_use::ProofUse;
use crate::reward;
use crate::tree::Edge;
use monteverde_game::{Proof, Rng};

/// How the final move is chosen among the root's edges.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Choose {
    /// The most visits; of equals the higher mean, of equals again the earlier in generation order.
    Visits,
    /// The highest mean.
    Mean,
    /// The highest `mean + A / sqrt(visits)`, as printed in *Monte-Carlo Tree Search Solver*,
    /// section 4.3 (there A = 1 and means lie in -1..1). With A below 0 it is a lower bound of the
    /// mean.
    Secure {
        /// The constant A.
        a: f64,
    },
}

impl Choose {
    /// The index of the chosen edge among those that have been visited; `None` if none has. Where
    /// proofs are heeded they come first: the soonest win, else what the rule says of moves that
    /// are not lost, unless that has a mean below 0 where another is a proven draw, else the latest
    /// loss.
    pub(crate) fn choose(self, edges: &[Edge], proof_use: ProofUse) -> Option<usize> {
        self.choose_among(edges, proof_use, |_| true)
    }

    /// The same among those edges alone whose index is a candidate.
    pub(crate) fn choose_among(
        self,
        edges: &[Edge],
        proof_use: ProofUse,
        is_candidate: impl Fn(usize) -> bool,
    ) -> Option<usize> {
        let mut best: Option<(usize, (f64, f64, f64))> = None;
        let mut drawn = None;
        for (index, edge) in edges.iter().enumerate() {
            let visits = edge.visits();
            if visits == 0 || !is_candidate(index) {
                continue;
            }
            let proof =
                if proof_use == ProofUse::Ignored { Proof::Open } else { edge.status().proof() };
            let worth = match proof {
                Proof::Win(plies) => (1.0, -f64::from(plies), 0.0),
                Proof::Loss(plies) => (-1.0, f64::from(plies), 0.0),
                Proof::Draw | Proof::Open => {
                    let total = if proof == Proof::Draw { 0 } else { edge.total() };
                    let (first, second) = self.worth(total, visits);
                    (0.0, first, second)
                }
            };
            if proof == Proof::Draw && drawn.is_none() {
                drawn = Some(index);
            }
            if best.is_none_or(|(_, most)| worth > most) {
                best = Some((index, worth));
            }
        }
        let chosen = best.map(|(index, _)| index)?;
        let is_guess = edges[chosen].status().proof() == Proof::Open;
        Some(drawn.filter(|_| is_guess && edges[chosen].total() < 0).unwrap_or(chosen))
    }

    /// Of the edges with as many visits as the chosen one, each with equal probability, where the
    /// rule goes by visits and proofs have no say.
    pub(crate) fn among_equals(
        self,
        edges: &[Edge],
        proof_use: ProofUse,
        chosen: usize,
        mut rng: Rng,
    ) -> usize {
        if self != Choose::Visits || proof_use != ProofUse::Ignored {
            return chosen;
        }
        let is_equal = |edge: &Edge| edge.visits() == edges[chosen].visits();
        let equals = || edges.iter().enumerate().filter(|(_, edge)| is_equal(edge));
        let drawn = rng.below(equals().count() as u32) as usize;
        equals().nth(drawn).map_or(chosen, |(index, _)| index)
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
    use crate::proof::Status;
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
        // An untried edge, the most visited, the highest mean, and one that is good for its few
        // visits.
        let edges = [edge(0, 0.0), edge(900, 0.30), edge(400, 0.40), edge(4, 0.20)];
        assert_eq!(Choose::Visits.choose(&edges, ProofUse::Ignored), Some(1));
        assert_eq!(Choose::Mean.choose(&edges, ProofUse::Ignored), Some(2));
        assert_eq!(Choose::Secure { a: 1.0 }.choose(&edges, ProofUse::Ignored), Some(3));
        assert_eq!(Choose::Secure { a: 0.0 }.choose(&edges, ProofUse::Ignored), Some(2));
        assert_eq!(Choose::Secure { a: -8.0 }.choose(&edges, ProofUse::Ignored), Some(1));
        assert_eq!(Choose::Visits.choose(&edges[..1], ProofUse::Ignored), None);
    }

    #[test]
    fn of_equal_visits_the_higher_mean_and_of_equals_the_earlier() {
        let edges = [edge(10, 0.1), edge(10, 0.2), edge(10, 0.2)];
        assert_eq!(Choose::Visits.choose(&edges, ProofUse::Ignored), Some(1));
    }
    fn proven(visits: u32, mean: f64, proof: Proof) -> Edge {
        let edge = edge(visits, mean);
        edge.set_status(Status::of(proof));
        edge
    }

    #[test]
    fn proofs_come_first_where_they_are_heeded() {
        let heed = |edges: &[Edge]| Choose::Visits.choose(edges, ProofUse::Results);
        let lost = || [proven(90, 0.9, Proof::Loss(2)), proven(9, 0.1, Proof::Loss(6))];
        assert_eq!(heed(&lost()), Some(1), "the longest resistance");
        let [a, b] = lost();
        assert_eq!(heed(&[a, edge(1, -0.9), b]), Some(1), "anything but a loss");
        let won = [edge(99, 0.5), proven(9, -0.5, Proof::Win(5)), proven(2, 0.0, Proof::Win(3))];
        assert_eq!(heed(&won), Some(2), "the soonest win");
        assert_eq!(Choose::Visits.choose(&won, ProofUse::Ignored), Some(0));
        let drawn = [proven(99, 0.9, Proof::Draw), edge(9, 0.1)];
        assert_eq!(Choose::Mean.choose(&drawn, ProofUse::Results), Some(1), "a draw is worth 0");
        let worse = [edge(99, -0.1), proven(9, 0.1, Proof::Draw)];
        assert_eq!(heed(&worse), Some(1), "a draw is better than an expected loss");
    }
}
