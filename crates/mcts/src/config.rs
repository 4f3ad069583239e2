//! Every setting of the search as plain data. A technique that is off is `None`, or its plainest
//! variant, and leaves no trace in the tree.

use crate::choose::Choose;
use crate::graph::{Graph, GraphBounds};
use crate::playout::Playouts;
use crate::quality::Quality;
use crate::select::{
    bias::Bias, deviation::Deviation, fpu::Fpu, imb::Imb, rave::Rave, threshold::Threshold,
    threshold::Walk, widen::Widen,
};
use crate::solver::Solver;
use crate::tree::columns::Needs;

pub use crate::select::uct::Uct;

/// The configuration of a search.
#[derive(Clone, PartialEq, Debug)]
pub struct Config {
    /// The formula that selects in the tree.
    pub uct: Uct,
    /// In [`Uct::Puct`], exploration grows with the logarithm of a node's visits counted in so
    /// many; see [`crate::select::puct`].
    pub c_base: Option<f64>,
    /// In [`Uct::Puct`], exploration by how much the rewards of a node differ.
    pub c_deviation: Option<Deviation>,
    /// In [`Uct::Puct`], the temperature of the moves at the root, in place of that of all others.
    pub root_temperature: Option<f64>,
    /// In [`Uct::Puct`], so much of the shares is divided equally among all moves, in 0..=1.
    pub even_share: Option<f64>,
    /// How playouts go.
    pub playout: Playouts,
    /// What is expected of a new state is corrected by so much of the error in states that look
    /// like it, in 0..=1; see [`crate::correction`]. Where playouts play moves it changes nothing.
    pub correction: Option<f64>,
    /// A drawn playout counts as so much of a visit in the selection formula, in 0..=1.
    pub draw_weight: Option<f64>,
    /// What a draw counts for the side to move at the root, in -1..=1; 0 where it is off.
    pub draw_value: Option<f64>,
    /// What a win or loss counts by how it came about.
    pub quality: Quality,
    /// Below some visits a node's move is sampled by the playout strategy.
    pub threshold: Option<Threshold>,
    /// What becomes of a walk below the threshold that comes to the end of the game.
    pub walk: Walk,
    /// How often the root of an empty tree counts as visited.
    pub empty_root: EmptyRoot,
    /// Which of equals is selected and chosen.
    pub ties: TreeTies,
    /// Progressive bias.
    pub bias: Option<Bias>,
    /// In which order untried moves are tried.
    pub order: Order,
    /// When a node lists its moves.
    pub expand: Expand,
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
    /// Bounds of values in a graph, for games with chance; without effect in others.
    pub graph_bounds: Option<GraphBounds>,
    /// What is proven in the tree; `None` proves nothing and heeds no proof.
    pub solver: Option<Solver>,
    /// How the final move is chosen.
    pub choose: Choose,
    /// The move is drawn by visits^(1/temperature) rather than chosen, above 0: for weaker play.
    pub choose_temperature: Option<f64>,
    /// On a game clock: the search ends when no other move can catch up with the most visited, or,
    /// below 1, could do so only by more than this part of what can still be done.
    pub soft_stop: Option<f64>,
    /// On a game clock: a move takes up to so many times its usual time while few visits go to the
    /// chosen one, and as much less where nearly all do; at least 1.
    pub clock_share: Option<f64>,
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
            c_base: None,
            c_deviation: None,
            root_temperature: None,
            even_share: None,
            playout: Playouts::default(),
            correction: None,
            draw_weight: None,
            draw_value: None,
            quality: Quality::default(),
            threshold: None,
            walk: Walk::Ends,
            empty_root: EmptyRoot::Unvisited,
            ties: TreeTies::InOrder,
            bias: None,
            order: Order::Generation,
            expand: Expand::SecondVisit,
            fpu: None,
            widen: None,
            rave: None,
            imb: None,
            graph: None,
            graph_bounds: None,
            solver: None,
            choose: Choose::Visits,
            choose_temperature: None,
            soft_stop: None,
            clock_share: None,
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
            squares: self.keeps_squares(),
            first_value: self.correction().is_some(),
            score: self.imb.is_some(),
            outcomes: self.quality.is_on()
                && self.bias.is_some_and(|bias| bias.count.is_of_losses()),
            draws: self.draw_weight.is_some(),
            drawn_by_history: self.graph.is_some(),
            joints: self.graph.is_some(),
            // Those depend on the game, too: see [`crate::bounds`].
            interval: false,
            weight: false,
            is_reversible: false,
            node_bounds: false,
            extensions: false,
        }
    }

    /// How much of their error corrects values, where those of new states are rewards.
    pub(crate) fn correction(&self) -> Option<f64> {
        let is_static = self.playout.truncate.is_some_and(|truncate| truncate.plies == 0);
        self.correction.filter(|_| is_static)
    }

    /// Whether the squares of rewards are added up.
    pub(crate) fn keeps_squares(&self) -> bool {
        self.c_deviation.is_some() && self.uct.temperature().is_some()
    }
}

/// How often the root of an empty tree counts as visited.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EmptyRoot {
    /// Not at all.
    Unvisited,
    /// Once, without a reward: in the published program of the king-and-rook study a root is made
    /// with a visit, every other node without. So the threshold and the formula see one more.
    Visited,
}

/// Which of several equally good edges is taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TreeTies {
    /// The selection takes the last (*Monte Carlo Chess*, algorithm 7.2); the choice of a move the
    /// one with the higher mean, of equals again the first.
    InOrder,
    /// Each with equal probability, in the selection and in the choice of a move by
    /// [`Choose::Visits`] (the published program of the king-and-rook study).
    Random,
}

/// When a node lists its moves. The search finds the same either way; most edges are visited once,
/// and moves that nobody will look at cost time and memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Expand {
    /// When its edge is visited for the second time.
    SecondVisit,
    /// When its edge is new, as where one call of a network gives value and policy. Without effect
    /// with a graph or a threshold.
    FirstVisit,
}

/// In which order untried moves are tried. Where moves are widened, or shares decide (PUCT), those
/// that look better come first anyway.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    /// As the game lists them (*Monte Carlo Chess*, algorithm 7.2).
    Generation,
    /// Those with a higher [`monteverde_game::Knowledge::prior`] first. Ours: papers on progressive
    /// bias say nothing of moves without visits, for which its term has no value.
    Prior,
}
