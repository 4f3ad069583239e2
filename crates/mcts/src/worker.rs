//! What a thread keeps.

use crate::news::News;
use crate::path::{Ending, Secured, Visit};
use crate::proof::StepKind;
use crate::proof_use::ProofUse;
use crate::quality::RewardStatistics;
use crate::region::Region;
use crate::select::rave::Played;
use crate::sharing::Sharing;
use crate::tree::{Tree, stock::Stock};
use monteverde_game::{Game, Proof, Rng, Side};

/// What a thread needs for its iterations; kept, so that iterations do not allocate.
pub(crate) struct Worker<G: Game> {
    pub(crate) rng: Rng,
    pub(crate) state: G,
    pub(crate) path: Vec<Visit>,
    pub(crate) moves: Vec<G::Move>,
    pub(crate) events: Vec<(G::Event, u32)>,
    /// The steps of a state, as a node lists them.
    pub(crate) steps: Vec<u32>,
    /// What knowledge says of `moves`, and the order that follows from it.
    pub(crate) priors: Vec<f32>,
    pub(crate) order: Vec<usize>,
    /// Scratch space for both.
    pub(crate) exponentials: Vec<f64>,
    pub(crate) ranks: Vec<u64>,
    /// What knowledge says of `steps`, for progressive bias where moves are sampled.
    pub(crate) biases: Vec<f32>,
    /// An edge whose state is known, and its visits before: in a graph one that has just been
    /// given a node that was there already, or one whose move was sampled.
    pub(crate) joined: Option<(u32, u32)>,
    /// How the iteration ended.
    pub(crate) ending: Ending,
    /// Where bounds are kept in a graph: the region that the path is in.
    pub(crate) region: Region,
    /// The moves of the iteration, for RAVE.
    pub(crate) played: Played<G>,
    /// What selections make of proofs.
    pub(crate) proof_use: ProofUse,
    /// What is proven about the root, as far as the thread knows.
    pub(crate) root: Proof,
    /// Whether its value is known to it though it is not proven.
    pub(crate) is_exact: bool,
    /// What it has done since that was last added up.
    pub(crate) tally: Tally,
    /// What is usual in the present search, for quality-based rewards.
    pub(crate) statistics: RewardStatistics,
    /// Its room in the tree.
    pub(crate) stock: Stock,
    /// What the other threads do not know yet.
    pub(crate) news: News,
}

/// What a thread has done.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tally {
    /// How many moves of new leaves were looked at; `None` where they are not counted.
    pub(crate) looked: Option<u64>,
    pub(crate) depth_sum: u64,
    /// In all the time.
    pub(crate) deepest: u32,
    /// How many iterations in a row have made the tree neither larger nor deeper.
    pub(crate) stuck: u32,
}

/// Whether an iteration added an edge to the tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Grown {
    Yes,
    No,
}

impl<G: Game> Worker<G> {
    /// A worker that has the tree for itself.
    pub(crate) fn new(state: &G, rng: Rng, stock: Stock) -> Self {
        Worker {
            rng,
            state: state.clone(),
            path: Vec::with_capacity(256),
            moves: Vec::with_capacity(256),
            events: Vec::with_capacity(64),
            steps: Vec::with_capacity(256),
            priors: Vec::new(),
            order: Vec::new(),
            exponentials: Vec::new(),
            ranks: Vec::new(),
            biases: Vec::new(),
            joined: None,
            ending: Ending::Shared,
            region: Region::default(),
            played: Played::new(),
            proof_use: ProofUse::Ignored,
            root: Proof::Open,
            is_exact: false,
            tally: Tally::default(),
            statistics: RewardStatistics::default(),
            stock,
            news: News::alone(),
        }
    }

    /// Begins an iteration at the root.
    #[inline(always)]
    pub(crate) fn begin(&mut self, root: &G) {
        self.path.clear();
        self.ending = Ending::Shared;
        self.region.begin();
        self.played.playout.clear();
        self.state.clone_from(root);
    }

    /// Enters an edge whose statistics belong to `side` and notes it. Returns its visits before.
    #[inline(always)]
    pub(crate) fn enter<S: Sharing>(
        &mut self,
        tree: &Tree,
        edge: u32,
        side: Side,
        kind: StepKind,
    ) -> u32 {
        let entered = tree.edge(edge);
        let (visits, counted) = match tree.is_graph() {
            true => S::enter_joint(entered),
            false => S::enter((entered, edge), &self.news),
        };
        self.path.push(Visit { edge, side, kind, secured: Secured::Nothing, counted });
        visits
    }

    /// Notes that the side that plays the last edge could have drawn.
    pub(crate) fn secure_draw(&mut self) {
        self.path.last_mut().expect("an edge has been entered").secured = Secured::Draw;
    }

    /// The last edge of the path.
    pub(crate) fn last(&self) -> Visit {
        *self.path.last().expect("the root edge is entered first")
    }

    /// How many moves the path has; events are none, nor is what led to the root.
    pub(crate) fn plies(&self) -> u32 {
        self.path.iter().skip(1).filter(|visit| visit.kind == StepKind::Move).count() as u32
    }

    /// Notes how deep the iteration went in the tree, and whether it added to it.
    #[inline(always)]
    pub(crate) fn note_depth(&mut self, grown: Grown) {
        let depth = self.path.len() as u32 - 1;
        let tally = &mut self.tally;
        let is_larger = grown == Grown::Yes && !self.stock.recycles();
        let is_stuck = !is_larger && depth <= tally.deepest;
        tally.stuck = if is_stuck { tally.stuck.saturating_add(1) } else { 0 };
        tally.deepest = tally.deepest.max(depth);
        tally.depth_sum += u64::from(depth);
    }
}
