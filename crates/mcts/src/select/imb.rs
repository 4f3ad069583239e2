//! Implicit minimax backups: beside its mean every edge has a minimax score, made of evaluations,
//! and the selection goes by a mixture of both.
//!
//! A new leaf is scored by what knowledge expects of its state, or by its outcome where the game is
//! over or decided. After every iteration the scores along its path are set right, from the last
//! edge to the first: where a side decides, a state is worth the best of the moves that have been
//! tried there; where chance does, the mean of the events, weighted by how often each was drawn.
//!
//! Lanctot, Winands, Pepels and Sturtevant, *Monte Carlo Tree Search with Heuristic Evaluations
//! using Implicit Minimax Backups* (2014); the study of Chinese dark chess, section 3.2, for chance
//! and for the weight that fades.

use super::uct::Normalised;
use crate::chance;
use crate::path::Visit;
use crate::proof::{Ends, StepKind};
use crate::reward::ONE;
use crate::tree::{Edge, ROOT, Tree, columns::UNSCORED};
use crate::worker::Worker;
use monteverde_game::{Game, Knowledge, Outcome, Side};

/// The mean Q of an edge, in -1..1, is replaced by `(1 - alpha) Q + alpha m` in the selection
/// formula, where m is its minimax score (the study of Chinese dark chess, formula 2).
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Imb {
    /// This alpha, in 0..=1; the study finds 0.3 best. With 0 the search is as without scores.
    Fixed(f64),
    /// `(1 - c_c) sqrt(c_s / (c_s + c_n N)) + c_c` with N the visits of the node (formula 3): the
    /// more is known by playouts, the less the scores count.
    Dynamic {
        /// What alpha falls to, in 0..=1.
        c_c: f64,
        /// How long it stays near 1, positive.
        c_s: f64,
        /// How fast it falls, at least 0.
        c_n: f64,
    },
}

impl Imb {
    /// Formula 3 with the numbers that the study of Chinese dark chess finds best (section 4.1.2,
    /// Figure 7).
    pub const DYNAMIC: Imb = Imb::Dynamic { c_c: 0.25, c_s: 20.0, c_n: 8.0 };

    /// The alpha in a node of so many visits.
    #[inline(always)]
    pub(crate) fn alpha(self, visits: u32) -> f64 {
        match self {
            Imb::Fixed(alpha) => alpha,
            Imb::Dynamic { c_c, c_s, c_n } => {
                (1.0 - c_c) * (c_s / (c_s + c_n * f64::from(visits))).sqrt() + c_c
            }
        }
    }
}

/// The value of an edge with that score, where by its rewards it is `value`, both in the unit of
/// the formula. An edge that another thread has entered and not yet scored counts as lost, as its
/// visit does.
#[inline(always)]
pub(crate) fn blend(alpha: f64, value: f64, uct: Normalised, score: f32) -> f64 {
    (1.0 - alpha) * value + alpha * (uct.offset + uct.scale * f64::from(score))
}

/// Scores the last edge of the path where that has not been done: it leads to `worker.state`. A
/// draw is worth `draw` to the first side.
pub(crate) fn score_leaf<G: Game, K: Knowledge<G>>(
    tree: &Tree,
    knowledge: &K,
    worker: &Worker<G>,
    draw: i64,
) {
    let last = worker.last();
    if last.edge == ROOT || tree.columns.score.get(last.edge) != UNSCORED {
        return;
    }
    let score = certain(tree, last, draw).unwrap_or_else(|| {
        // Where nothing is expected nobody is ahead.
        let expected = expectation(knowledge, &worker.state).unwrap_or(0.0);
        expected.clamp(-1.0, 1.0) * sign(worker.state.turn(), last.side)
    });
    tree.columns.score.set(last.edge, score);
}

/// What is expected of a state; where chance decides and knowledge wants that, of all that may
/// come of it.
fn expectation<G: Game, K: Knowledge<G>>(knowledge: &K, state: &G) -> Option<f32> {
    if !state.is_pending() || !knowledge.averages_events() {
        return knowledge.expectation(state);
    }
    let (mut events, mut after) = (Vec::new(), state.clone());
    state.events(&mut events);
    let expected = chance::average(knowledge, state, &events, &mut after)?;
    Some(expected as f32)
}

/// Sets the scores along the path right, whose visits have been counted. Nobody asks for that of
/// the root edge.
pub(crate) fn backup(tree: &Tree, path: &[Visit], draw: i64) {
    for pair in path.windows(2).skip(1).rev() {
        let (above, below) = (pair[0], pair[1]);
        let score = certain(tree, above, draw).unwrap_or_else(|| {
            let (first, edges) = tree.edges_under(above.edge);
            let scores = tree.columns.score.values(first, edges.len());
            let score = match below.kind {
                StepKind::Move => {
                    scores.fold(UNSCORED, |best, score| if score > best { score } else { best })
                }
                StepKind::Event => drawn_mean(tree, (first, edges), scores),
            };
            score * sign(below.side, above.side)
        });
        // Most scores stay as they are. Other threads read them, and what lies beside them.
        if tree.columns.score.get(above.edge) != score {
            tree.columns.score.set(above.edge, score);
        }
    }
}

/// The mean score of events, weighted by their visits: those that were not drawn have none. In a
/// graph with bounds they are not drawn in proportion to their weights, which then count.
fn drawn_mean(
    tree: &Tree,
    (first, edges): (u32, &[Edge]),
    scores: impl Iterator<Item = f32>,
) -> f32 {
    let has_bounds = tree.joints.have_bounds();
    let (mut total, mut all) = (0.0, 0.0);
    for ((number, edge), score) in (first..).zip(edges).zip(scores) {
        let visits = edge.visits();
        let count = if has_bounds && visits > 0 { tree.columns.weight.get(number) } else { visits };
        total += f64::from(count) * f64::from(score);
        all += f64::from(count);
    }
    (total / all) as f32
}

/// The score of an edge that ends the game or is proven.
fn certain(tree: &Tree, visit: Visit, draw: i64) -> Option<f32> {
    let outcome = tree.edge(visit.edge).status().outcome(visit.side, Ends::PROVEN)?;
    Some(match outcome {
        Outcome::Win(_) => outcome.value_for(visit.side) as f32,
        Outcome::Draw => {
            let value = (draw as f64 / ONE as f64) as f32;
            value * sign(Side::First, visit.side)
        }
    })
}

/// 1 where what is for one side is for the same, -1 where it is for the other.
#[inline(always)]
fn sign(one: Side, other: Side) -> f32 {
    if one == other { 1.0 } else { -1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Bias, Config, Count, Graph, Limit, Search, Solver, Threshold, Untried};
    use monteverde_game::fixtures::{DiceRace, TicTacToe};
    use monteverde_game::{Notation, PlayoutKnowledge, Step};

    /// Expects something else of every state.
    struct Noise;

    impl<G: Game> Knowledge<G> for Noise {
        fn expectation(&self, state: &G) -> Option<f32> {
            Some((state.key() % 1999) as f32 / 999.0 - 1.0)
        }
        fn prior(&self, state: &G, mv: G::Move) -> Option<f32> {
            Some(((state.key() ^ u64::from(mv.to_bits())) % 7) as f32)
        }
    }

    impl<G: Game> PlayoutKnowledge<G> for Noise {}

    /// Knows nothing of a state where chance decides, as networks do.
    struct AfterEvents;

    impl<G: Game> Knowledge<G> for AfterEvents {
        fn expectation(&self, state: &G) -> Option<f32> {
            assert!(!state.is_pending(), "it was asked about {state:?}");
            Some((state.key() % 1999) as f32 / 999.0 - 1.0)
        }
        fn averages_events(&self) -> bool {
            true
        }
    }

    impl<G: Game> PlayoutKnowledge<G> for AfterEvents {}

    #[test]
    fn the_score_of_a_pending_state_is_what_may_come_of_it() {
        let mut search = Search::with_knowledge(config(), DiceRace::start(), AfterEvents);
        search.run(&Limit::iterations(2_000));
    }

    fn config() -> Config {
        Config { imb: Some(Imb::DYNAMIC), memory: 1 << 20, ..Config::default() }
    }

    #[test]
    fn alpha_falls_from_one_to_its_floor() {
        assert_eq!(Imb::Fixed(0.3).alpha(1_000), 0.3);
        assert_eq!(Imb::DYNAMIC.alpha(0), 1.0);
        // 0.75 sqrt(20 / (20 + 8 * 10)) + 0.25 = 0.75 sqrt(0.2) + 0.25
        assert!((Imb::DYNAMIC.alpha(10) - 0.585_410_196_624_968_5).abs() < 1e-15);
        // 20 / (20 + 8 * 40) = 1 / 17
        assert!((Imb::DYNAMIC.alpha(40) - (0.75 / 17f64.sqrt() + 0.25)).abs() < 1e-15);
        assert!((0.25..0.2503).contains(&Imb::DYNAMIC.alpha(1 << 26)));
    }

    #[test]
    fn values_and_scores_are_mixed_in_the_unit_of_the_formula() {
        let signed = crate::Uct::Signed { c: 1.0 }.normalised();
        let points = crate::Uct::Ucb1 { c: 1.0 }.normalised();
        // 0.7 * 0.5 + 0.3 * (-0.4), and the same as a share of points: half of it and a half.
        assert!((blend(0.3, 0.5, signed, -0.4) - 0.23).abs() < 1e-7);
        assert!((blend(0.3, 0.75, points, -0.4) - 0.615).abs() < 1e-7);
        assert_eq!(blend(0.0, 0.75, points, -0.4), 0.75);
        assert_eq!(blend(1.0, 0.75, points, UNSCORED), 0.0);
    }

    /// Every score follows from those below it, and those of leaves from the state. Returns how
    /// many were compared.
    fn check<G: Game>(search: &Search<G, Noise>) -> usize {
        let tree = search.tree();
        let mut open = vec![(ROOT, search.state().clone())];
        let mut compared = 0;
        while let Some((edge, state)) = open.pop() {
            let (first, edges) = tree.edges_under(edge);
            let kind = if state.is_pending() { StepKind::Event } else { StepKind::Move };
            for (number, edge) in (first..).zip(edges) {
                let score = tree.columns.score.get(number);
                if edge.visits() == 0 {
                    assert_eq!(score, UNSCORED);
                    continue;
                }
                let mut after = state.clone();
                match kind {
                    StepKind::Move => after.play(G::Move::from_bits(edge.step())),
                    StepKind::Event => after.settle(G::Event::from_bits(edge.step())),
                }
                let (below, events) = tree.edges_under(number);
                let scored: Vec<(u32, f32)> = (below..)
                    .zip(events)
                    .map(|(number, edge)| (edge.visits(), tree.columns.score.get(number)))
                    .filter(|(visits, _)| *visits > 0)
                    .collect();
                let sum = |scored: &[(u32, f32)]| -> f64 {
                    scored.iter().map(|&(visits, m)| f64::from(visits) * f64::from(m)).sum()
                };
                let visits: f64 = scored.iter().map(|&(visits, _)| f64::from(visits)).sum();
                let best = scored.iter().map(|&(_, m)| m).fold(UNSCORED, f32::max);
                let turned = sign(after.turn(), state.turn());
                let outcome = edge.status().outcome(state.turn(), Ends::PROVEN);
                let expected = match outcome {
                    Some(outcome) => outcome.value_for(state.turn()) as f32,
                    // Below it nodes may have made way for others; what they said is kept.
                    None if scored.is_empty() => score,
                    None if after.is_pending() => (sum(&scored) / visits) as f32 * turned,
                    None => best * turned,
                };
                assert_eq!(score, expected, "{after:?}");
                assert!((-1.0..=1.0).contains(&score));
                compared += usize::from(!scored.is_empty());
                open.push((number, after));
            }
        }
        compared
    }

    /// Plays a game, with a tree that is kept, and compares more than so many scores.
    fn play<G: Game>(config: Config, start: G, least: usize) {
        let mut search = Search::with_knowledge(config, start, Noise);
        let mut compared = 0;
        while search.state().outcome().is_none() {
            if search.state().is_pending() {
                let mut events = Vec::new();
                search.state().events(&mut events);
                search.settle(events[0].0);
                continue;
            }
            let report = search.run(&Limit::iterations(1_500));
            compared += check(&search);
            search.play(report.best.expect("a move"));
        }
        assert!(compared > least, "{compared} scores compared");
    }

    #[test]
    fn scores_are_minimax_values_of_the_tree() {
        play(config(), TicTacToe::start(), 1_000);
        play(config(), DiceRace::start(), 1_000);
        // Nodes make way again and again.
        play(Config { memory: 20_000, ..config() }, DiceRace::start(), 300);
        let threshold = Some(Threshold { visits: 5, untried: Untried::Selected });
        let bias = Some(Bias { weight: 0.01, count: Count::RootVisits });
        let solver = Some(Solver::FULL);
        play(Config { threshold, bias, ..config() }, TicTacToe::start(), 1_000);
        play(Config { threshold, bias, solver, ..config() }, DiceRace::start(), 1_000);
    }

    #[test]
    fn threads_and_transpositions_share_scores() {
        for (threads, graph) in [(3, None), (1, Some(Graph)), (3, Some(Graph))] {
            let config = Config { threads, graph, ..config() };
            let state = TicTacToe::parse_state("xx. oo. ...").expect("a state of the test");
            let mut search = Search::with_knowledge(config, state, Noise);
            let report = search.run(&Limit::iterations(3_000));
            let best = report.best.expect("a move");
            assert_eq!(search.state().move_text(best), "c3");
            let first = search.tree().edges_under(ROOT).0;
            let scores = (first..).zip(search.tree().edges_under(ROOT).1);
            for (number, edge) in scores.filter(|(_, edge)| edge.visits() > 0) {
                let score = search.tree().columns.score.get(number);
                let wins = edge.step() == best.to_bits();
                assert!(if wins { score == 1.0 } else { (-1.0..=1.0).contains(&score) });
            }
        }
    }

    #[test]
    fn what_is_off_takes_no_memory() {
        let bytes =
            |imb| Search::new(Config { imb, ..config() }, TicTacToe::start()).tree().bytes();
        assert_eq!(bytes(Some(Imb::DYNAMIC)), bytes(None) + size_of::<f32>());
    }
}
