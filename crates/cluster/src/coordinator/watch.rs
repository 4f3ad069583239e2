//! Knows who works for the run, and tells what people should know of it.

use super::Shared;
use crate::message::{Status, WorkerStatus};
use crate::status::ask;
use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// How often everybody is asked.
const EVERY: Duration = Duration::from_secs(5);

/// How long answers are gathered.
const GATHER: Duration = Duration::from_millis(500);

/// After so long without a worker one is asked for.
const PATIENCE: Duration = Duration::from_secs(10);

/// Machines whose speeds differ by more than this play otherwise by the clock.
const SIMILAR: f64 = 1.25;

pub(super) async fn watch_workers(shared: Arc<Shared>) {
    let mut told = HashSet::new();
    let mut last_seen = Instant::now();
    let mut tell = |shared: &Shared, line: String| {
        if told.insert(line.clone()) {
            (shared.say)(&line);
        }
    };
    loop {
        let statuses = ask(&shared.link.client, GATHER).await;
        let workers: Vec<WorkerStatus> = statuses
            .into_iter()
            .filter_map(|status| match status {
                Status::Worker(worker) => Some(worker),
                Status::Run(_) => None,
            })
            .collect();
        let run = shared.run.to_string();
        let refusal = |worker: &WorkerStatus| {
            let refused = worker.refused.iter().find(|(refused, _)| *refused == run);
            refused.map(|(_, problem)| problem.clone())
        };
        let mut cores = 0usize;
        let mut speeds = Vec::new();
        for worker in &workers {
            match refusal(worker) {
                Some(problem) => {
                    tell(&shared, format!("the worker {} takes nothing: {problem}", worker.name));
                }
                None => {
                    cores = cores.saturating_add(worker.cores);
                    speeds.extend((worker.speed > 0.0).then_some(worker.speed));
                }
            }
        }
        shared.cores.store(cores, Ordering::Relaxed);
        if cores > 0 {
            last_seen = Instant::now();
        } else if last_seen.elapsed() > PATIENCE && !shared.out().is_empty() {
            last_seen = Instant::now();
            tell(
                &shared,
                format!(
                    "no worker is there for the run '{run}'; start some: monteverde worker --nats {}",
                    shared.link.url
                ),
            );
        }
        let by_clock = super::lock(&shared.needs).iter().any(|needs| needs.by_clock);
        if by_clock && differ(&speeds) {
            tell(
                &shared,
                "players are limited by the clock, and the workers are not equally fast: a player is stronger on a faster \
                 machine; limits in iterations, or --equal-time, do not depend on it"
                    .to_owned(),
            );
        }
        tokio::time::sleep(EVERY).await;
    }
}

/// Whether machines of these speeds differ too much to play by the clock.
fn differ(speeds: &[f64]) -> bool {
    let slowest = speeds.iter().copied().fold(f64::INFINITY, f64::min);
    let fastest = speeds.iter().copied().fold(0.0, f64::max);
    fastest > SIMILAR * slowest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn machines_that_are_not_equally_fast_are_told_apart() {
        for (speeds, expected) in [
            (&[][..], false),
            (&[7.0], false),
            (&[100.0, 110.0, 120.0], false),
            (&[100.0, 130.0, 110.0], true),
        ] {
            assert_eq!(differ(speeds), expected, "{speeds:?}");
        }
    }
}
