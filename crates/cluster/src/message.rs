//! What travels besides tasks and results: what a run asks for, and what everybody says of
//! themselves.

use crate::names::RunName;
use monteverde_lab::crew::{Needs, shown};
use serde::{Deserialize, Serialize};
use std::str::FromStr;

/// The largest message of a task or a result. A server takes messages of 1 MiB unless it is told
/// otherwise.
pub(crate) const LARGEST_MESSAGE: i32 = 1 << 20;

/// What a run asks of workers.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct About {
    /// The machine of its coordinator.
    pub(crate) host: String,
    /// The program of its coordinator.
    pub(crate) build: String,
    /// What a worker must have.
    pub(crate) needs: Vec<Needs>,
}

/// What somebody says of itself.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Status {
    /// A worker.
    Worker(WorkerStatus),
    /// A coordinator.
    Run(RunStatus),
}

/// What a worker says of itself.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct WorkerStatus {
    /// Its name: the machine and the number of its process.
    pub name: String,
    /// How many pieces it does at a time.
    pub cores: usize,
    /// Its program.
    pub build: String,
    /// Iterations a second of a plain search on one core, by which machines are compared.
    pub speed: f64,
    /// How many pieces it has in work.
    pub held: usize,
    /// How many it has done.
    pub done: u64,
    /// For how long it has been at work, in seconds.
    pub seconds: u64,
    /// The runs that it takes nothing of, each with the reason.
    pub refused: Vec<(String, String)>,
}

impl WorkerStatus {
    /// How many pieces it does an hour.
    pub fn per_hour(&self) -> f64 {
        self.done as f64 * 3600.0 / (self.seconds.max(1) as f64)
    }
}

/// What a coordinator says of its run.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct RunStatus {
    /// The run.
    pub run: String,
    /// The machine and the process of the coordinator.
    pub name: String,
    /// How many pieces are out.
    pub out: usize,
    /// How many have been brought back and kept.
    pub kept: u64,
    /// How many results were refused.
    pub refused: u64,
}

impl Status {
    pub(crate) fn pack(&self) -> Vec<u8> {
        serde_json::to_vec(self).expect("a status is plain data")
    }

    /// Reads a message, which may be anything: what is shown to people is cut and plain.
    pub(crate) fn unpack(body: &[u8]) -> Option<Status> {
        const LONGEST: usize = 1 << 16;
        if body.len() > LONGEST {
            return None;
        }
        Some(match serde_json::from_slice(body).ok()? {
            Status::Worker(worker) => Status::Worker(WorkerStatus {
                name: shown(&worker.name),
                build: shown(&worker.build),
                speed: if worker.speed.is_finite() { worker.speed.max(0.0) } else { 0.0 },
                refused: worker
                    .refused
                    .iter()
                    .map(|(run, problem)| (shown(run), shown(problem)))
                    .collect(),
                ..worker
            }),
            Status::Run(run) => {
                RunName::from_str(&run.run).ok()?;
                Status::Run(RunStatus { name: shown(&run.name), ..run })
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_others_say_is_shown_without_tricks() {
        let status = RunStatus {
            run: "a".to_owned(),
            name: format!("\u{1b}[2J{}", "x".repeat(1000)),
            out: 1,
            kept: 2,
            refused: 3,
        };
        let Some(Status::Run(read)) = Status::unpack(&Status::Run(status.clone()).pack()) else {
            panic!("a run")
        };
        assert_eq!((read.name.starts_with("[2J"), read.name.chars().count()), (true, 401));
        let other = RunStatus { run: "a.*".to_owned(), ..status };
        assert_eq!(Status::unpack(&Status::Run(other).pack()), None);
        assert_eq!(Status::unpack(b"[]"), None);
    }
}
