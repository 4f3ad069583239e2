//! The choice of the move that is finally played.

use crate::proof_use::ProofUse;
use crate::reward;
use crate::tree::{Edge, listed::Listed};
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
    pub(crate) fn choose(self, edges: Listed<'_>, proof_use: ProofUse) -> Option<usize> {
        self.choose_among(edges, proof_use, |_| true)
    }

    /// The same among those edges alone whose index is a candidate.
    pub(crate) fn choose_among(
        self,
        edges: Listed<'_>,
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
        edges: Listed<'_>,
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

    /// Draws one of the visited edges by visits^(1/temperature), so that the more a move was
    /// visited the likelier it is played. A proven win or loss that the rule has chosen is
    /// played, and a proven loss is not drawn.
    pub(crate) fn drawn(
        edges: Listed<'_>,
        proof_use: ProofUse,
        chosen: usize,
        (temperature, mut rng): (f64, Rng),
    ) -> usize {
        let proof = |edge: &Edge| match proof_use {
            ProofUse::Ignored => Proof::Open,
            _ => edge.status().proof(),
        };
        if !matches!(proof(&edges[chosen]), Proof::Open | Proof::Draw) {
            return chosen;
        }
        let most = edges.iter().map(Edge::visits).max().unwrap_or(0);
        // Other threads may still add visits, which must not make a share larger than 1.
        let weight = |edge: &Edge| match proof(edge) {
            Proof::Loss(_) => 0.0,
            _ => {
                let share = (f64::from(edge.visits()) / f64::from(most)).min(1.0);
                libm::pow(share, 1.0 / temperature)
            }
        };
        let weights: Vec<f64> = edges.iter().map(weight).collect();
        let mut left = rng.unit() * weights.iter().sum::<f64>();
        let is_drawn = |weight: &f64| {
            left -= weight;
            left < 0.0
        };
        weights.iter().position(is_drawn).unwrap_or(chosen)
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
pub(crate) mod tests {
    use super::*;
    use crate::proof::Status;
    use crate::reward::ONE;
    use std::sync::atomic::Ordering::Relaxed;

    /// An edge with so many visits and that mean.
    pub(crate) fn edge(visits: u32, mean: f64) -> Edge {
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
        assert_eq!(Choose::Visits.choose(Listed::whole(&edges), ProofUse::Ignored), Some(1));
        assert_eq!(Choose::Mean.choose(Listed::whole(&edges), ProofUse::Ignored), Some(2));
        assert_eq!(
            Choose::Secure { a: 1.0 }.choose(Listed::whole(&edges), ProofUse::Ignored),
            Some(3)
        );
        assert_eq!(
            Choose::Secure { a: 0.0 }.choose(Listed::whole(&edges), ProofUse::Ignored),
            Some(2)
        );
        assert_eq!(
            Choose::Secure { a: -8.0 }.choose(Listed::whole(&edges), ProofUse::Ignored),
            Some(1)
        );
        assert_eq!(Choose::Visits.choose(Listed::whole(&edges[..1]), ProofUse::Ignored), None);
    }

    #[test]
    fn the_colder_a_draw_the_likelier_is_the_most_visited_move() {
        let edges = [edge(0, 0.0), edge(60, 0.1), edge(30, 0.4), edge(10, 0.9)];
        let counts = |temperature: f64| {
            let mut counts = [0; 4];
            for index in 0..4_000 {
                let draw = (temperature, Rng::stream(7, index));
                counts[Choose::drawn(Listed::whole(&edges), ProofUse::Ignored, 1, draw)] += 1;
            }
            counts
        };
        let near = |count: i32, expected: i32| (count - expected).abs() < 150;
        let [untried, most, some, few] = counts(1.0);
        assert!(untried == 0 && near(most, 2_400) && near(some, 1_200) && near(few, 400));
        let [_, most, some, few] = counts(0.5);
        assert!(near(most, 3_130) && near(some, 783) && near(few, 87));
        assert_eq!(counts(0.01), [0, 4_000, 0, 0]);
    }

    #[test]
    fn a_draw_heeds_proofs() {
        let draw = |edges: &[Edge], chosen| {
            (0..200)
                .map(|index| {
                    Choose::drawn(
                        Listed::whole(edges),
                        ProofUse::Results,
                        chosen,
                        (4.0, Rng::stream(7, index)),
                    )
                })
                .collect::<std::collections::BTreeSet<_>>()
        };
        let won = [edge(99, 0.5), proven(1, 0.0, Proof::Win(3))];
        assert_eq!(draw(&won, 1), [1].into(), "a win is played");
        let lost = [proven(99, 0.5, Proof::Loss(2)), edge(1, 0.0), edge(1, -0.9)];
        assert_eq!(draw(&lost, 1), [1, 2].into(), "a loss is not drawn");
        let all_lost = [proven(99, 0.5, Proof::Loss(2)), proven(1, 0.5, Proof::Loss(4))];
        assert_eq!(draw(&all_lost, 1), [1].into(), "the longest resistance");
    }

    #[test]
    fn of_equal_visits_the_higher_mean_and_of_equals_the_earlier() {
        let edges = [edge(10, 0.1), edge(10, 0.2), edge(10, 0.2)];
        assert_eq!(Choose::Visits.choose(Listed::whole(&edges), ProofUse::Ignored), Some(1));
    }
    fn proven(visits: u32, mean: f64, proof: Proof) -> Edge {
        let edge = edge(visits, mean);
        edge.set_status(Status::of(proof));
        edge
    }

    #[test]
    fn proofs_come_first_where_they_are_heeded() {
        let heed = |edges: &[Edge]| Choose::Visits.choose(Listed::whole(edges), ProofUse::Results);
        let lost = || [proven(90, 0.9, Proof::Loss(2)), proven(9, 0.1, Proof::Loss(6))];
        assert_eq!(heed(&lost()), Some(1), "the longest resistance");
        let [a, b] = lost();
        assert_eq!(heed(&[a, edge(1, -0.9), b]), Some(1), "anything but a loss");
        let won = [edge(99, 0.5), proven(9, -0.5, Proof::Win(5)), proven(2, 0.0, Proof::Win(3))];
        assert_eq!(heed(&won), Some(2), "the soonest win");
        assert_eq!(Choose::Visits.choose(Listed::whole(&won), ProofUse::Ignored), Some(0));
        let drawn = [proven(99, 0.9, Proof::Draw), edge(9, 0.1)];
        assert_eq!(
            Choose::Mean.choose(Listed::whole(&drawn), ProofUse::Results),
            Some(1),
            "a draw is worth 0"
        );
        let worse = [edge(99, -0.1), proven(9, 0.1, Proof::Draw)];
        assert_eq!(heed(&worse), Some(1), "a draw is better than an expected loss");
    }
}
