//! One iteration of the search, whole: select, expand, playout, backup.

use crate::bounds;
use crate::context::Context;
use crate::draws;
use crate::expand::expand;
use crate::leaf::Leaf;
use crate::path::{BackupValue, Ending};
use crate::playout::{self, PlayoutResult, Playouter};
use crate::proof::StepKind;
use crate::quality;
use crate::retreat;
use crate::reward;
use crate::select::{deviation, imb, select};
use crate::sharing::Sharing;
use crate::solver::{self, ProofScope};
use crate::tree::ROOT;
use crate::worker::{Grown, Worker};
use monteverde_game::{Game, Knowledge, Oracle, Outcome, PlayoutKnowledge};

/// One iteration.
#[inline(always)]
pub(crate) fn iterate<G: Game, K: PlayoutKnowledge<G>, O: Oracle<G>, S: Sharing>(
    context: &Context<G, K, O>,
    worker: &mut Worker<G>,
    playouter: &mut Playouter<'_, G, K, O>,
) {
    let Context { config, tree, .. } = context;
    worker.begin(&context.state);
    if config.threshold.is_some() {
        playouter.forget();
    }
    // 1. Select: follow the tree to where it grows.
    let visits = worker.enter::<S>(tree, ROOT, context.mover, StepKind::Move);
    let leaf = select::<G, K, O, S>(context, (ROOT, visits), worker);
    // 2. Expand: try one more move, and see what is certain of it.
    let end = grow::<G, K, O, S>(context, leaf, worker, playouter);
    worker.note_depth(end.grown);
    let certain = certain_reward(context, &end, worker);
    if config.imb.is_some() {
        imb::score_leaf(tree, &context.knowledge, worker, context.draw_reward());
    }
    // 3. Playout: play on to the end of the game, unless the reward is certain.
    let (reward, result) = match certain {
        Some(reward) => (reward, end.result(context)),
        None => play_out::<G, K, O, S>(context, worker, playouter),
    };
    let reward = by_quality(context, worker, (reward, result));
    // 4. Backup: tell every edge on the way.
    if config.rave.is_some() {
        worker.played.update(tree, &worker.path, reward);
    }
    if tree.squares.is_kept() {
        deviation::note::<S>(tree, &worker.path, reward, &mut worker.news);
    }
    let value = BackupValue { reward, ending: worker.ending };
    context.backup.run::<S>(tree, &worker.path, (value, context.plies), &mut worker.news);
    if let Some(corrections) = &context.corrections {
        corrections.learn::<S>(tree, &worker.path, &worker.news);
    }
    if tree.joints.have_bounds() && worker.ending == Ending::ByHistory {
        retreat::solve_drawn(context, worker);
    }
    if config.imb.is_some() {
        imb::backup(tree, &worker.path, context.draw_reward());
    }
}

/// Where an iteration has come to in the tree.
struct End {
    /// The outcome, where the game is over or as good as over.
    over: Option<Outcome>,
    /// The reward, where it is known though it is no single outcome.
    exact: Option<i64>,
    grown: Grown,
}

impl End {
    /// Where the game is over in the tree it has ended as if by a playout without plies. What the
    /// solver knows, ends of the game among it, counts as proven and not by its quality.
    fn result<G: Game, K, O>(&self, context: &Context<G, K, O>) -> Option<PlayoutResult> {
        let over = self.over.filter(|_| context.solver().is_none())?;
        Some(PlayoutResult::of_outcome(over, 0))
    }
}

/// Lets the tree grow from a leaf. Where the state that this leads to is known already, the
/// selection goes on.
#[inline(always)]
fn grow<G: Game, K: PlayoutKnowledge<G>, O: Oracle<G>, S: Sharing>(
    context: &Context<G, K, O>,
    mut leaf: Leaf,
    worker: &mut Worker<G>,
    playouter: &mut Playouter<'_, G, K, O>,
) -> End {
    let (steps, is_new) = (worker.path.len(), matches!(leaf, Leaf::New(_)));
    let mut over = expand::<G, K, O, S>(context, leaf, worker, playouter);
    while let Some(edge) = worker.joined.take() {
        leaf = select::<G, K, O, S>(context, edge, worker);
        over = expand::<G, K, O, S>(context, leaf, worker, playouter);
    }
    let grown = if is_new || worker.path.len() > steps { Grown::Yes } else { Grown::No };
    End { over, exact: leaf.exact(), grown }
}

/// The reward that no playout can change; what it proves is proven in the tree.
#[inline(always)]
fn certain_reward<G: Game, K, O: Oracle<G>>(
    context: &Context<G, K, O>,
    end: &End,
    worker: &mut Worker<G>,
) -> Option<i64> {
    let known = end.over.map(|outcome| match outcome {
        Outcome::Draw => context.draw_reward(),
        Outcome::Win(_) => reward::of_outcome(outcome),
    });
    let known = known.or(end.exact);
    let (Some(solver), Grown::Yes) = (context.solver(), end.grown) else { return known };
    let proven =
        solver::prove((solver, end.over), &context.tree, &context.oracle, worker).map(|proven| {
            if proven.scope == ProofScope::RootMove {
                context.look_at_root(worker);
            }
            if proven.reward == 0 { context.draw_reward() } else { proven.reward }
        });
    if bounds::are_kept::<G>(&context.tree) {
        bounds::climb(&context.tree, &worker.path);
    }
    proven.or(known)
}

/// Plays out `worker.state`. Returns the reward and what it was made of.
#[inline(always)]
fn play_out<G: Game, K: PlayoutKnowledge<G>, O: Oracle<G>, S: Sharing>(
    context: &Context<G, K, O>,
    worker: &mut Worker<G>,
    playouter: &mut Playouter<'_, G, K, O>,
) -> (i64, Option<PlayoutResult>) {
    let (state, rng) = (&mut worker.state, &mut worker.rng);
    let result = match context.config.rave {
        None => playouter.play(state, rng),
        Some(_) => playouter.play_recorded(state, rng, &mut worker.played.playout),
    };
    if let Some(corrections) = &context.corrections
        && result.ended_by == playout::End::Truncated
        && let Some(likeness) = context.knowledge.likeness(&worker.state)
    {
        let edge = worker.last().edge;
        let reward = corrections.correct(&context.tree, edge, result.reward, likeness);
        return (reward, Some(result));
    }
    if context.config.draw_weight.is_some() && result.is_drawn() {
        draws::count::<S>(&context.tree, &worker.path);
    }
    (if result.is_drawn() { context.draw_reward() } else { result.reward }, Some(result))
}

/// The reward by how the iteration came to it, where that counts.
#[inline(always)]
fn by_quality<G: Game, K: Knowledge<G>, O>(
    context: &Context<G, K, O>,
    worker: &mut Worker<G>,
    (reward, result): (i64, Option<PlayoutResult>),
) -> i64 {
    let quality = context.config.quality;
    if !quality.is_on() {
        return reward;
    }
    if context.tree.columns.outcomes.is_kept() {
        quality::note_outcome(&context.tree, &worker.path, reward);
    }
    let convincing = |result| {
        let length = worker.plies();
        let (knowledge, state) = (&context.knowledge, &worker.state);
        worker.statistics.reward(quality, knowledge, (state, length), result)
    };
    result.and_then(convincing).unwrap_or(reward)
}
