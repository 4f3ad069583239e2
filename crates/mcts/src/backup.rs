//! The fourth step: every edge on the way gets the reward.

use crate::bounds;
use crate::config::Config;
use crate::graph;
use crate::graph_bounds::{self, Plies};
use crate::news::News;
use crate::path::{BackupValue, Visit};
use crate::reward;
use crate::sharing::Sharing;
use crate::tree::Tree;
use monteverde_game::Side;

/// How rewards are backed up, chosen once for a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Backup {
    /// Every edge adds the reward to its total.
    Sums,
    /// The same, with what is certain of values that depend on chance in its place, see [`bounds`].
    Bounds,
    /// An edge gets its visits times the mean of its node, which others share, see [`graph`]. No
    /// reward is more than `most`.
    Graph { most: i64 },
    /// The same with bounds, see [`graph_bounds`].
    GraphBounds,
}

impl Backup {
    pub(crate) fn new(config: &Config, tree: &Tree) -> Backup {
        let most = if config.quality.is_on() { reward::MOST } else { reward::ONE };
        match config.graph {
            Some(_) if tree.joints.have_bounds() => Backup::GraphBounds,
            Some(_) => Backup::Graph { most },
            None if tree.columns.interval.is_kept() => Backup::Bounds,
            None => Backup::Sums,
        }
    }

    /// Tells every edge of the path, or lets it be told later.
    #[inline(always)]
    pub(crate) fn run<S: Sharing>(
        self,
        tree: &Tree,
        path: &[Visit],
        (value, plies): (BackupValue, Plies),
        news: &mut News,
    ) {
        match self {
            Backup::Sums => add::<S>(tree, path, value.reward, news),
            Backup::Bounds => bounds::backup::<S>(tree, path, value.reward, news),
            Backup::GraphBounds => graph_bounds::backup::<S>(tree, path, value, plies),
            Backup::Graph { most } => graph::backup::<S>(tree, path, value, most),
        }
    }
}

/// Adds the reward, which is for [`Side::First`], to every edge of the path. This is the one place
/// where the sign flips. Above a node where a side could have drawn, it has lost nothing.
#[inline(always)]
pub(crate) fn add<S: Sharing>(tree: &Tree, path: &[Visit], mut reward: i64, news: &mut News) {
    for visit in path.iter().rev() {
        let sign = if visit.side == Side::First { 1 } else { -1 };
        S::leave(tree, *visit, sign * reward, news);
        reward = visit.secured.at_least(sign, reward);
    }
}
