//! The selection formula with all that a configuration adds to it.

use super::bias::Bias;
use super::deviation::Deviation;
use super::fpu::Fpu;
use super::imb::{self, Imb};
use super::puct;
use super::rave::Rave;
use super::threshold::Untried;
use super::uct::{Exploration, Normalised};
use super::widen::Widths;
use crate::config::{Config, TreeTies};
use crate::draws;
use crate::news::News;
use crate::path::Counted;
use crate::proof_use::ProofUse;
use crate::reward::{self, ONE};
use crate::sharing::Sharing;
use crate::tree::{ROOT, Tree, listed::Listed};
use monteverde_game::Rng;
use std::hint::select_unpredictable;

/// Where there was no room to list the other moves of a node, that is tried again each time that
/// its visits are a multiple of this.
const LIST_AGAIN: u32 = 16;

/// The formula, made ready once for a search.
#[derive(Clone, Debug)]
pub(crate) struct Formula {
    uct: Normalised,
    c_base: Option<f64>,
    deviation: Option<Deviation>,
    /// Whether PUCT's constant is the same in all nodes.
    is_constant: bool,
    /// Whether nothing but minimax scores changes the bound that UCB1 gives an edge.
    is_plain: bool,
    /// Whether nothing changes the bound that PUCT gives an edge.
    is_plain_puct: bool,
    bias: Option<Bias>,
    /// Whether the losses that it is divided by follow from a total of their own.
    has_outcomes: bool,
    fpu: Option<Fpu>,
    widths: Option<Widths>,
    rave: Option<Rave>,
    imb: Option<Imb>,
    /// Where moves are tried by sampling: what becomes of those that were not sampled.
    sampled: Option<Untried>,
    /// By how much a drawn playout counts less than a visit.
    discount: Option<f64>,
    ties: TreeTies,
}

/// A node as selection sees it.
#[derive(Clone, Copy)]
pub(crate) struct NodeView<'a> {
    pub(crate) node: u32,
    /// Its edges, as they were found listed.
    pub(crate) edges: Listed<'a>,
    /// The edge that led there.
    pub(crate) edge: u32,
    /// Its visits before this iteration that the node's edges know of, and the one before them.
    pub(crate) visits: u32,
    /// Whether it counts this iteration already.
    pub(crate) counted: Counted,
    /// 1 where that edge holds the statistics of the side to move, -1 where they are the
    /// opponent's.
    pub(crate) sign: f64,
    /// What the selection makes of proofs.
    pub(crate) proof_use: ProofUse,
    /// What the side to move has for certain, where bounds are kept and heeded.
    pub(crate) floor: Option<i32>,
    /// The nodes that the path may not come to, where bounds are kept in a graph.
    pub(crate) closed: &'a [u32],
    /// What the thread knows of edges, and has not told the others.
    pub(crate) news: &'a News,
}

impl NodeView<'_> {
    /// Whether bounds say that the edge need not be selected any more, or it may not be now.
    #[inline(always)]
    pub(crate) fn is_settled(&self, tree: &Tree, edge: u32) -> bool {
        let Some(floor) = self.floor else { return false };
        tree.columns.interval.get(edge).is_settled(floor)
            || !self.closed.is_empty()
                && tree.node(edge).is_some_and(|node| self.closed.contains(&node))
    }

    /// Whether that is so of all edges.
    pub(crate) fn is_dead_end(&self, tree: &Tree) -> bool {
        let (first, edges) = tree.edges(self.node);
        (first..first + edges.len() as u32).all(|edge| self.is_settled(tree, edge))
    }
}

impl Formula {
    pub(crate) fn new(config: &Config) -> Formula {
        let discount = config.draw_weight.map(|weight| 1.0 - weight).filter(|&less| less > 0.0);
        let is_bare = config.bias.is_none() && config.rave.is_none() && discount.is_none();
        let has_shares = config.uct.temperature().is_some();
        Formula {
            uct: config.uct.normalised(),
            c_base: config.c_base,
            deviation: config.c_deviation.filter(|_| config.keeps_squares()),
            is_constant: config.c_base.is_none() && config.c_deviation.is_none(),
            is_plain: is_bare && !has_shares,
            is_plain_puct: is_bare && has_shares && config.imb.is_none(),
            bias: config.bias,
            has_outcomes: config.needs().outcomes,
            // In PUCT an untried move competes with its prior from the start.
            fpu: config.fpu.or(config.uct.temperature().map(|_| puct::UNTRIED)),
            widths: config.widen.map(Widths::new),
            rave: config.rave,
            imb: config.imb,
            sampled: config.threshold.map(|threshold| threshold.untried),
            discount,
            ties: config.ties,
        }
    }

    /// Whether nothing but shares and statistics of tried edges decide, so that others need not be
    /// listed.
    #[inline(always)]
    pub(crate) fn goes_by_shares(&self) -> bool {
        self.is_plain_puct && self.ties == TreeTies::InOrder
    }

    /// The index of the edge to follow; `None` where the next untried one is to be tried first.
    #[inline(always)]
    pub(crate) fn select<S: Sharing>(
        &self,
        tree: &Tree,
        view: &NodeView<'_>,
        rng: &mut Rng,
    ) -> Option<usize> {
        let edges = view.edges;
        if let Some(untried) = self.sampled {
            return self.select_sampled::<S>(tree, untried, view, rng);
        }
        let tried = tree.tried(view.node, edges);
        let width = match &self.widths {
            None => edges.len(),
            Some(widths) => widths.width(view.visits, edges.len()),
        };
        if tried < width && self.fpu.is_none() {
            return None;
        }
        if tried >= edges.len() && !edges.is_whole() {
            // Before anything competes with the next one, it has to be listed. In a full tree there
            // may be no room for that; then it is tried again now and then.
            if !tree.is_recycled() || view.visits.is_multiple_of(LIST_AGAIN) {
                return None;
            }
        }
        if view.proof_use == ProofUse::Distances {
            return self.select_shorter::<S>(tree, (tried, width), view, rng);
        }
        self.select_tried::<S>(tree, (tried, width), view, rng)
    }

    /// The same where the root is proven, and the selection looks for a shorter proof.
    #[cold]
    fn select_shorter<S: Sharing>(
        &self,
        tree: &Tree,
        (tried, width): (usize, usize),
        view: &NodeView<'_>,
        rng: &mut Rng,
    ) -> Option<usize> {
        let edges = view.edges;
        if tried < edges.len() && view.edge == ROOT {
            return None; // Before the proof counts, every move is looked at.
        }
        let mut view = *view;
        if let Some(won) = ProofUse::soonest_win(edges) {
            // A shorter way leads through the soonest win or past it: by turns.
            if view.visits.is_multiple_of(2) && tree.node(edges.number(won)).is_some() {
                return Some(won);
            }
            view.proof_use = ProofUse::Alternatives;
        }
        self.select_tried::<S>(tree, (tried, width), &view, rng)
    }

    /// The same where some have been tried, the first so many of `width`.
    #[inline(always)]
    fn select_tried<S: Sharing>(
        &self,
        tree: &Tree,
        (tried, width): (usize, usize),
        view: &NodeView<'_>,
        rng: &mut Rng,
    ) -> Option<usize> {
        let edges = view.edges;
        let explore = self.explore::<S>(tree, view);
        let parts = edges.up_to(tried.min(width));
        let (best, highest) = self.best_of::<S>(tree, parts, (view, explore), rng);
        if tried < width && self.urgency::<S>(tree, edges.number(tried), (view, explore)) >= highest
        {
            return None;
        }
        if best.is_some() {
            return best;
        }
        if tried < edges.len() {
            return None; // What has been tried is lost or drawn.
        }
        Some(self.any_of::<S>(tree, parts, (view, explore), rng))
    }

    /// What is selected where proofs leave no edge, or another thread is about to enter each for
    /// the first time: any will do. Where every move is lost, and a shorter proof is looked for,
    /// the one that takes longest decides how long the loss takes.
    #[cold]
    fn any_of<S: Sharing>(
        &self,
        tree: &Tree,
        parts: [(u32, usize); 2],
        (view, explore): (&NodeView<'_>, f64),
        rng: &mut Rng,
    ) -> usize {
        let is_latest = view.proof_use == ProofUse::Distances;
        let latest = is_latest.then(|| ProofUse::latest_loss(view.edges)).flatten();
        let any = NodeView { proof_use: ProofUse::Ignored, floor: None, closed: &[], ..*view };
        latest
            .or_else(|| self.best_of::<S>(tree, parts, (&any, explore), rng).0)
            .unwrap_or_default()
    }

    /// The same where moves are tried by sampling, in any order; `None` where all are proven, so
    /// that one is sampled.
    fn select_sampled<S: Sharing>(
        &self,
        tree: &Tree,
        untried: Untried,
        view: &NodeView<'_>,
        rng: &mut Rng,
    ) -> Option<usize> {
        let (first, edges) = tree.edges(view.node);
        let best = |rng| {
            let explore = self.explore::<S>(tree, view);
            (self.best::<S>(tree, (first, edges.len()), (view, explore), rng), explore)
        };
        if untried == Untried::Ignored {
            return best(rng).0.0;
        }
        let prior =
            |index: usize| self.bias.map_or(0.0, |_| tree.columns.prior.get(first + index as u32));
        let mut next: Option<usize> = None;
        for (index, edge) in edges.iter().enumerate() {
            let is_untried = edge.visits() == 0 && !view.proof_use.sets_aside(edge);
            if is_untried && next.is_none_or(|next| prior(index) > prior(next)) {
                next = Some(index);
            }
        }
        let Some(next) = next else { return best(rng).0.0 };
        if self.fpu.is_none() {
            return Some(next);
        }
        let bias = self.bias.map_or(0.0, |bias| bias.first_term(prior(next)));
        let ((best, highest), explore) = best(rng);
        let urgency = self.urgency::<S>(tree, first + next as u32, (view, explore)) + bias;
        if urgency >= highest { Some(next) } else { best }
    }

    /// The index of the edge with the highest bound, and its bound, where edges may lie in two
    /// places: where they begin, and how many there are.
    #[inline(always)]
    fn best_of<S: Sharing>(
        &self,
        tree: &Tree,
        parts: [(u32, usize); 2],
        (view, explore): (&NodeView<'_>, f64),
        rng: &mut Rng,
    ) -> (Option<usize>, f64) {
        // Intervals set edges aside too, which that loop does not look at.
        if self.goes_by_shares() && view.floor.is_none() && view.closed.is_empty() {
            return self.best_by_share::<S>(tree, parts, (view, explore));
        }
        // Nothing else selects among edges in two places.
        self.best::<S>(tree, parts[0], (view, explore), rng)
    }

    /// The edge with the highest bound among `count` from `first` on, and its bound; `None` where
    /// proofs leave none. Of equals the last one, as in the appendix of *Monte Carlo Chess*
    /// (algorithm 7.2), or a random one.
    #[inline(always)]
    fn best<S: Sharing>(
        &self,
        tree: &Tree,
        (first, count): (u32, usize),
        (view, explore): (&NodeView<'_>, f64),
        rng: &mut Rng,
    ) -> (Option<usize>, f64) {
        if self.ties == TreeTies::Random {
            return self.best_at_random::<S>(tree, (first, count), (view, explore), rng);
        }
        let uct = self.uct;
        let alpha = self.imb.map(|imb| imb.alpha(view.visits));
        let scale = uct.scale / ONE as f64;
        let mut best = None;
        let mut highest = f64::NEG_INFINITY;
        for (index, edge) in tree.edges_from(first, count).iter().enumerate() {
            let number = first + index as u32;
            let (visits, total) = S::statistics((edge, number), view.news);
            if visits == 0 {
                continue; // Another thread is about to enter it.
            }
            if view.proof_use.sets_aside(edge) || view.is_settled(tree, number) {
                continue;
            }
            // One test an edge for all that the configuration may add.
            let bound = if self.is_plain {
                let share = 1.0 / f64::from(visits);
                let mut value = uct.offset + scale * total as f64 * share;
                if let Some(alpha) = alpha {
                    value = imb::blend(alpha, value, uct, tree.columns.score.get(number));
                }
                value + (explore * share).sqrt()
            } else {
                self.bound(tree, (number, visits, total), explore, alpha)
            };
            if bound >= highest {
                highest = bound;
                best = Some(index);
            }
        }
        (best, highest)
    }

    /// The same, of equals each with equal probability. Means are quotients here and not products
    /// with a reciprocal, so that equal shares of different visits are equal numbers.
    fn best_at_random<S: Sharing>(
        &self,
        tree: &Tree,
        (first, count): (u32, usize),
        (view, explore): (&NodeView<'_>, f64),
        rng: &mut Rng,
    ) -> (Option<usize>, f64) {
        let alpha = self.imb.map(|imb| imb.alpha(view.visits));
        let (mut best, mut highest, mut equals) = (None, f64::NEG_INFINITY, 0);
        for (index, edge) in tree.edges_from(first, count).iter().enumerate() {
            let number = first + index as u32;
            let (visits, total) = S::statistics((edge, number), view.news);
            if visits == 0 || view.proof_use.sets_aside(edge) || view.is_settled(tree, number) {
                continue;
            }
            let bound = if self.is_plain && alpha.is_none() {
                let mean = total as f64 / (f64::from(visits) * ONE as f64);
                let explore = explore / f64::from(visits);
                self.uct.offset + self.uct.scale * mean + explore.sqrt()
            } else {
                self.bound(tree, (number, visits, total), explore, alpha)
            };
            equals = if bound > highest { 1 } else { equals + u32::from(bound == highest) };
            if bound > highest || bound == highest && rng.below(equals) == 0 {
                (best, highest) = (Some(index), bound);
            }
        }
        (best, highest)
    }

    /// The same where nothing is added to PUCT. Its players do no playouts, so that most of their
    /// time passes in this loop.
    #[inline(always)]
    fn best_by_share<S: Sharing>(
        &self,
        tree: &Tree,
        parts: [(u32, usize); 2],
        (view, explore): (&NodeView<'_>, f64),
    ) -> (Option<usize>, f64) {
        let (offset, scale) = (self.uct.offset, self.uct.scale / ONE as f64);
        let (mut best, mut index) = (usize::MAX, 0);
        let mut highest = f64::NEG_INFINITY;
        for (first, count) in parts {
            let edges = (first..).zip(tree.edges_from(first, count));
            for ((number, edge), share) in edges.zip(tree.columns.share.values(first, count)) {
                let (visits, total) = S::statistics((edge, number), view.news);
                // Both are seldom so. No visits: another thread is about to enter it.
                if visits != 0 && !view.proof_use.sets_aside(edge) {
                    let value = offset + scale * total as f64 * (1.0 / f64::from(visits));
                    let bound = value + explore * puct::part(share, visits);
                    // Nobody can guess which edge is the best so far, so that a jump would cost
                    // more than the arithmetic.
                    best = select_unpredictable(bound >= highest, index, best);
                    highest = if bound > highest { bound } else { highest };
                }
                index += 1;
            }
        }
        ((best != usize::MAX).then_some(best), highest)
    }

    /// The bound of an edge that has been visited, with everything: its number, visits and total.
    /// `explore` and `alpha` are those of its node.
    fn bound(
        &self,
        tree: &Tree,
        (number, visits, total): (u32, u32, i64),
        explore: f64,
        alpha: Option<f64>,
    ) -> f64 {
        let uct = self.uct;
        let share = 1.0 / self.count(tree, number, visits);
        let mut value = uct.offset + uct.scale / ONE as f64 * total as f64 * share;
        if let Some(rave) = self.rave {
            value = rave.blend(value, visits, uct, tree.columns.rave.cell(number));
        }
        if let Some(alpha) = alpha {
            value = imb::blend(alpha, value, uct, tree.columns.score.get(number));
        }
        let bound = match uct.exploration {
            Exploration::Log => value + (explore * share).sqrt(),
            Exploration::Prior => {
                value + explore * puct::part(tree.columns.share.get(number), visits)
            }
        };
        let Some(bias) = self.bias else { return bound };
        let total = if self.has_outcomes { tree.columns.outcomes.get(number) } else { total };
        bound + bias.term(tree.columns.prior.get(number), total, visits)
    }

    /// What exploration is the same for all edges of a node.
    #[inline(always)]
    fn explore<S: Sharing>(&self, tree: &Tree, view: &NodeView<'_>) -> f64 {
        let visits = self.count(tree, view.edge, view.visits.max(1));
        match self.uct.exploration {
            Exploration::Log => self.uct.factor * libm::log(visits),
            Exploration::Prior => {
                let explore = self.uct.factor * visits.sqrt();
                if self.is_constant { explore } else { explore * self.change::<S>(tree, view) }
            }
        }
    }

    /// What the constant of PUCT is multiplied by in a node.
    fn change<S: Sharing>(&self, tree: &Tree, view: &NodeView<'_>) -> f64 {
        let visits = self.count(tree, view.edge, view.visits.max(1));
        let by_visits = self.c_base.map_or(1.0, |it| puct::growth(visits, it));
        let by_deviation = self.deviation.map_or(1.0, |it| {
            let squares = S::squares(tree, (view.node, view.edge), view.news);
            let known = match tree.is_graph() {
                true => tree.joints.node(view.node).known(),
                false => self.known_above::<S>(tree, view),
            };
            it.factor(squares, known)
        });
        by_visits * by_deviation
    }

    /// What an edge's visits count as.
    #[inline(always)]
    fn count(&self, tree: &Tree, edge: u32, visits: u32) -> f64 {
        match self.discount {
            None => f64::from(visits),
            Some(discount) => draws::weighted(tree, edge, visits, discount),
        }
    }

    /// The visits and the mean of the edge that led to the node, without the visit that this
    /// iteration has counted there and its virtual reward: with those every node that few have
    /// visited would look better to the side to move than it is, and the tree of several threads
    /// would be wider than that of one.
    #[inline(always)]
    fn known_above<S: Sharing>(&self, tree: &Tree, view: &NodeView<'_>) -> (u32, f64) {
        let (visits, total) = S::statistics((tree.edge(view.edge), view.edge), view.news);
        let own = view.counted.visits();
        let visits = visits.saturating_sub(own);
        (visits, reward::mean(total - view.counted.virtual_reward(), visits.max(1)))
    }

    /// What competes with the bounds for an untried edge.
    #[inline(always)]
    fn urgency<S: Sharing>(
        &self,
        tree: &Tree,
        edge: u32,
        (view, explore): (&NodeView<'_>, f64),
    ) -> f64 {
        let Some(fpu) = self.fpu else { return f64::INFINITY };
        let mean = view.sign * self.known_above::<S>(tree, view).1;
        let urgency = fpu.urgency(self.uct.offset + self.uct.scale * mean);
        match self.uct.exploration {
            Exploration::Log => urgency,
            Exploration::Prior => urgency + explore * puct::part(tree.columns.share.get(edge), 0),
        }
    }
}
