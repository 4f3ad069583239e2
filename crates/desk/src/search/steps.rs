//! A search that somebody else's thread runs, some iterations at a time.

use super::{EVERY, EndedSearch, HeldPlayer, NODES_EVERY, SearchJob, Teller, make};
use crate::host::{Host, HostClock};
use crate::report::{SearchKind, SearchReport};
use monteverde_game::limit::{Clock, Limit, Signal};
use monteverde_game::report::Control;
use monteverde_mcts::Explore;
use monteverde_players::AnyStep;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;

/// So long a player thinks at most in one go, if it cannot go on from one step to the next and
/// nobody limits it.
const LONGEST_STEP: Duration = Duration::from_secs(5);

/// A search in steps.
pub(super) struct Steps {
    job: SearchJob,
    host: Arc<dyn Host>,
    /// When the first step began.
    began: Option<Duration>,
    /// What the steps so far have come to, counted as one search.
    report: Option<SearchReport>,
    /// When the page was told last: of the search, and of the opened nodes.
    told: [Duration; 2],
    standing: Standing,
}

/// Whether more steps follow.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Standing {
    Running,
    Over,
    Failed,
}

impl Steps {
    pub(super) fn new(job: SearchJob, host: Arc<dyn Host>) -> Steps {
        let told = [host.now(); 2];
        Steps { job, host, began: None, report: None, told, standing: Standing::Running }
    }

    pub(super) fn is_over(&self) -> bool {
        self.standing != Standing::Running
    }

    /// Goes on for so many iterations.
    pub(super) fn step(&mut self, iterations: u64, signal: &Signal) {
        if self.is_over() {
            return;
        }
        // A panic is a fault of the player, of which the session is told; the program goes on.
        let done = catch_unwind(AssertUnwindSafe(|| self.think(iterations.max(1), signal)));
        self.standing = done.ok().flatten().unwrap_or(Standing::Failed);
    }

    /// What the search has come to, which the page is told; `None` where the player has failed.
    pub(super) fn finish(mut self) -> Option<EndedSearch> {
        let (held, report) = (self.job.held.take()?, self.report.take()?);
        if self.standing == Standing::Failed {
            return None;
        }
        Teller::new(&self.job, &*self.host).end(&self.job, &held, &report);
        Some(EndedSearch { held, report })
    }

    /// The player, whatever it has found.
    pub(super) fn abandon(mut self) -> Option<HeldPlayer> {
        if self.report.is_some() {
            return self.finish().map(|ended| ended.held);
        }
        self.job.held.take()
    }

    fn think(&mut self, iterations: u64, signal: &Signal) -> Option<Standing> {
        let mut held = match self.job.held.take() {
            Some(held) => held,
            None => make(&self.job, self.host.memory(self.job.asked.spec.memory()), 1)?,
        };
        let (before, now) = (self.report.take(), self.host.now());
        let clock = HostClock::since(&self.host, *self.began.get_or_insert(now));
        let limit = self.slice(iterations, before.as_ref());
        let teller = Teller::new(&self.job, &*self.host);
        let [mut told, mut told_nodes] = self.told;
        let (state, opened, host) = (&self.job.state, &self.job.opened, &self.host);
        let mut observe = |report: &SearchReport| {
            told = host.now();
            teller.report(state, &joined(before.as_ref(), report));
        };
        let control = Control { clock: &clock, signal, every: EVERY, observe: &mut observe };
        let mut look = |tree: &dyn Explore| {
            if host.now().saturating_sub(told_nodes) >= NODES_EVERY && teller.nodes(opened, tree) {
                told_nodes = host.now();
            }
        };
        let last = match before {
            None => held.player.think_openly(&limit, control, &mut look),
            Some(_) => held.player.think_on(&limit, control, &mut look),
        };
        let done = last.figures.iterations;
        let report = joined(before.as_ref(), &last);
        // A search that ends before it must has nothing more to find.
        let ended_early = limit.iterations.is_none_or(|most| done < most);
        let is_over = ended_early
            || signal.is_stopped()
            || self.job.limit.iterations.is_some_and(|most| report.figures.iterations >= most)
            || self.job.limit.time.is_some_and(|most| clock.elapsed() >= most);
        // Steps may be shorter than the time between two reports.
        if !is_over && host.now().saturating_sub(told) >= EVERY {
            told = host.now();
            teller.report(state, &report);
            if host.now().saturating_sub(told_nodes) >= NODES_EVERY {
                held.player.explore(&mut |tree| {
                    teller.nodes(opened, tree);
                });
                told_nodes = host.now();
            }
        }
        self.told = [told, told_nodes];
        self.job.held = Some(held);
        self.report = Some(report);
        Some(if is_over { Standing::Over } else { Standing::Running })
    }

    /// The limit of the next step.
    fn slice(&self, iterations: u64, before: Option<&SearchReport>) -> Limit<AnyStep> {
        let whole = &self.job.limit;
        if self.job.asked.kind() == SearchKind::AlphaBeta {
            let is_bounded = whole.iterations.is_some() || whole.time.is_some();
            let time = if is_bounded { whole.time } else { Some(LONGEST_STEP) };
            return Limit { time, ..whole.clone() };
        }
        let done = before.map_or(0, |report| report.figures.iterations);
        let left = whole.iterations.map_or(u64::MAX, |most| most.saturating_sub(done));
        Limit { iterations: Some(left.min(iterations)), ..whole.clone() }
    }
}

/// The report of a step with the figures of the whole search, whose clock goes on from step to
/// step.
fn joined(before: Option<&SearchReport>, step: &SearchReport) -> SearchReport {
    let mut report = step.clone();
    if let Some(before) = before {
        let figures = &mut report.figures;
        figures.iterations += before.figures.iterations;
        figures.kept = before.figures.kept;
    }
    report
}
