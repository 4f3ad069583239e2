//! When a search on a game clock ends before its time is up, or takes longer than usual. What one
//! move saves stays on the clock for the others.
//!
//! - [`Config::soft_stop`]: it ends when the rest of its time could hardly change the choice. At
//!   the speed so far the other moves can still get so many visits; where the chosen one leads by
//!   more, none can catch up with it.
//! - [`Config::clock_share`]: the more of the visits go to the chosen move, the less time the
//!   search takes. With a factor F and a share s it takes F^(1 - 2s) times the usual time: F times
//!   where s is near 0, the usual time at a half, and one part in F where s is near 1.
//!
//! Both are ours; engines of this kind have similar rules.

use crate::choose::Choose;
use crate::config::Config;
use crate::context::Context;
use crate::limit::Signal;
use crate::proof::StepKind;
use crate::proof_use::ProofUse;
use crate::reward;
use crate::tree::{Edge, ROOT, listed::Listed};
use monteverde_game::limit::MoveTime;
use monteverde_game::{Game, Proof};
use std::time::Duration;

/// The moves are looked at about so often in the usual time.
const LOOKS: u32 = 64;
/// The speed is not taken for known before so many iterations, and one part in
/// [`PARTS_BEFORE_STOP`] of the usual time.
const ITERATIONS_BEFORE_STOP: u64 = 64;
/// See [`ITERATIONS_BEFORE_STOP`].
const PARTS_BEFORE_STOP: f64 = 16.0;

/// The rules of one search, and when they were last looked at.
#[derive(Clone, Debug)]
pub(crate) struct SoftLimit {
    time: MoveTime,
    soft_stop: Option<f64>,
    clock_share: Option<f64>,
    /// What the search's clock said when its iterations began.
    began: Duration,
    /// When the moves are looked at again.
    next: Duration,
}

impl SoftLimit {
    /// The rules of a search that begins now; `None` where it has none, or no game clock.
    pub(crate) fn new(config: &Config, clock: Option<MoveTime>, now: Duration) -> Option<Self> {
        let Config { soft_stop, clock_share, .. } = *config;
        let time = clock.filter(|_| soft_stop.is_some() || clock_share.is_some())?;
        Some(SoftLimit { time, soft_stop, clock_share, began: now, next: now })
    }

    /// Whether the search ends now, after so many iterations. Never does while no deadline is set,
    /// as in pondering.
    pub(crate) fn is_reached(
        &mut self,
        (elapsed, signal): (Duration, &Signal),
        iterations: u64,
        standing: impl FnOnce() -> Option<RootStanding>,
    ) -> bool {
        let Some(deadline) = signal.deadline().filter(|_| elapsed >= self.next) else {
            return false;
        };
        self.next = elapsed.saturating_add(self.time.usual / LOOKS);
        let clock_began = deadline.saturating_sub(self.time.most);
        let spent = elapsed.saturating_sub(clock_began).as_secs_f64();
        let usual = self.time.usual.as_secs_f64();
        let Some(standing) = standing() else { return spent >= usual };
        let wanted = usual * self.clock_share.map_or(1.0, |most| stretch(most, standing.share));
        let left = wanted.min(self.time.most.as_secs_f64()) - spent;
        let is_speed_known =
            iterations >= ITERATIONS_BEFORE_STOP && spent >= usual / PARTS_BEFORE_STOP;
        let speed = iterations as f64 / elapsed.saturating_sub(self.began).as_secs_f64();
        let can_stop = |part: f64| is_speed_known && standing.lead > part * speed * left;
        left <= 0.0 || self.soft_stop.is_some_and(can_stop)
    }
}

/// How many times the usual time a search takes whose chosen move has such a share of the visits.
fn stretch(most: f64, share: f64) -> f64 {
    libm::pow(most, 1.0 - 2.0 * share)
}

/// How the chosen move stands among the others.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct RootStanding {
    /// By how many visits it leads; infinite without a rival, below 0 where visits do not decide.
    lead: f64,
    /// Its part of all visits, and 0 while its rival has more of them or the higher mean.
    share: f64,
}

impl RootStanding {
    /// How the choice at the root stands; `None` where a proof decides, or chance.
    pub(crate) fn of<G: Game, K, O>(context: &Context<G, K, O>) -> Option<RootStanding> {
        if StepKind::next(&context.state) == StepKind::Event {
            return None;
        }
        let edges = context.tree.listed_under(ROOT);
        let Config { choose, choose_temperature, .. } = context.config;
        let standing = RootStanding::among(edges, choose, context.proof_use(Proof::Open))?;
        // A move that is drawn may be any.
        let lead = if choose_temperature.is_none() { standing.lead } else { -1.0 };
        Some(RootStanding { lead, ..standing })
    }

    fn among(edges: Listed<'_>, choose: Choose, proof_use: ProofUse) -> Option<RootStanding> {
        let proof = |edge: &Edge| match proof_use {
            ProofUse::Ignored => Proof::Open,
            _ => edge.status().proof(),
        };
        let index = choose.choose(edges, proof_use)?;
        let chosen = &edges[index];
        if proof(chosen).is_proven() {
            return None;
        }
        let others = || edges.iter().enumerate().filter(|&(other, _)| other != index);
        let is_loss = |edge: &Edge| matches!(proof(edge), Proof::Loss(_));
        let rival = others().map(|(_, edge)| edge).filter(|edge| !is_loss(edge));
        let rival = rival.max_by_key(|edge| edge.visits());
        // A proven draw is chosen as soon as all else looks worse, whatever its visits.
        let has_draw = edges.iter().any(|edge| proof(edge) == Proof::Draw);
        let visits = |edge: &Edge| f64::from(edge.visits());
        let mean = |edge: &Edge| reward::mean(edge.total(), edge.visits());
        let is_ahead = |rival: &Edge| {
            let has_more = rival.visits() > chosen.visits();
            has_more || rival.visits() > 0 && mean(rival) > mean(chosen)
        };
        let lead = match rival {
            _ if has_draw || choose != Choose::Visits => -1.0,
            Some(rival) => visits(chosen) - visits(rival),
            None => f64::INFINITY,
        };
        let all: f64 = edges.iter().map(visits).sum();
        let share = if rival.is_some_and(is_ahead) { 0.0 } else { visits(chosen) / all };
        Some(RootStanding { lead, share })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::choose::tests::edge;
    use crate::proof::Status;

    fn proven(visits: u32, proof: Proof) -> Edge {
        let edge = edge(visits, 0.0);
        edge.set_status(Status::of(proof));
        edge
    }

    fn standing(edges: &[Edge]) -> Option<(f64, f64)> {
        let standing =
            RootStanding::among(Listed::whole(edges), Choose::Visits, ProofUse::Results)?;
        Some((standing.lead, standing.share))
    }

    #[test]
    fn a_choice_stands_by_its_visits_and_by_what_is_proven() {
        assert_eq!(standing(&[edge(60, 0.2), edge(40, 0.1)]), Some((20.0, 0.6)));
        assert_eq!(standing(&[edge(60, 0.1), edge(40, 0.2)]), Some((20.0, 0.0)), "in doubt");
        assert_eq!(standing(&[edge(8, 0.1), edge(0, 0.0)]), Some((8.0, 1.0)));
        assert_eq!(standing(&[edge(8, 0.1)]), Some((f64::INFINITY, 1.0)), "a forced move");
        assert_eq!(standing(&[edge(0, 0.0)]), None);
        let lost = [edge(25, 0.1), proven(70, Proof::Loss(2)), edge(5, 0.0)];
        assert_eq!(standing(&lost), Some((20.0, 0.25)), "a lost move is no rival");
        let drawn = [edge(75, 0.1), proven(25, Proof::Draw)];
        assert_eq!(standing(&drawn), Some((-1.0, 0.75)), "a mean below 0 would change the choice");
        assert_eq!(standing(&[edge(9, 0.1), proven(1, Proof::Win(1))]), None);
    }

    #[test]
    fn visits_decide_only_where_they_choose() {
        let edges = [edge(90, 0.2), edge(10, 0.1)];
        for choose in [Choose::Mean, Choose::Secure { a: 1.0 }] {
            let standing = RootStanding::among(Listed::whole(&edges), choose, ProofUse::Ignored);
            assert!(standing.is_some_and(|standing| standing.lead < 0.0));
        }
    }

    fn limit(soft_stop: Option<f64>, clock_share: Option<f64>) -> SoftLimit {
        let config = Config { soft_stop, clock_share, ..Config::default() };
        let [usual, most] = [1, 3].map(Duration::from_secs);
        SoftLimit::new(&config, Some(MoveTime { usual, most }), Duration::ZERO).expect("rules")
    }

    /// When it ends if its moves stand like that all the time, in milliseconds, at 1,000 iterations
    /// a second, where its clock begins to run after some time.
    fn end(limit: &SoftLimit, standing: impl Fn(f64) -> RootStanding, pondered: u64) -> u64 {
        let (mut limit, signal) = (limit.clone(), Signal::default());
        for elapsed in 1.. {
            if elapsed == pondered + 1 {
                signal.set_deadline(limit.time.most + Duration::from_millis(pondered));
            }
            let standing = || Some(standing(elapsed as f64));
            let now = Duration::from_millis(elapsed);
            if limit.is_reached((now, &signal), elapsed, standing) {
                return elapsed;
            }
        }
        unreachable!("it has a deadline")
    }

    #[test]
    fn a_lead_that_nobody_can_catch_up_with_ends_the_search() {
        let lead = |part: f64| move |visits: f64| RootStanding { lead: part * visits, share: 0.5 };
        let near = |ended: u64, expected: u64| (expected..=expected + 16).contains(&ended);
        let [exact, half] = [1.0, 0.5].map(|part| limit(Some(part), None));
        assert!(near(end(&exact, lead(1.0), 0), 500));
        assert!(near(end(&exact, lead(0.25), 0), 800));
        assert!(near(end(&exact, lead(-1.0), 0), 1000));
        assert!(near(end(&half, lead(1.0), 0), 333));
        // What was found in pondering counts, and the clock runs from its end.
        assert!(near(end(&exact, lead(0.25), 1000), 1000 + 600));
        assert!(near(end(&exact, lead(1.0), 1000), 1000 + 63), "once the speed is known");
    }

    #[test]
    fn the_more_visits_go_to_the_choice_the_sooner_it_is_made() {
        let share = |share: f64| move |_| RootStanding { lead: 0.0, share };
        let near = |ended: u64, expected: u64| (expected..=expected + 16).contains(&ended);
        let rules = limit(None, Some(2.0));
        assert!(near(end(&rules, share(0.0), 0), 2000));
        assert!(near(end(&rules, share(0.5), 0), 1000));
        assert!(near(end(&rules, share(1.0), 0), 500));
        assert!(near(end(&rules, share(0.0), 700), 2700));
        assert!(near(end(&limit(None, Some(9.0)), share(0.0), 0), 3000), "never beyond the most");
    }

    #[test]
    fn without_a_rule_or_a_game_clock_there_is_no_soft_limit() {
        let rules = Config { soft_stop: Some(1.0), ..Config::default() };
        let time = Some(MoveTime::default());
        assert!(SoftLimit::new(&Config::default(), time, Duration::ZERO).is_none());
        assert!(SoftLimit::new(&rules, None, Duration::ZERO).is_none());
    }
}
