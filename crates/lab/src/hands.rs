//! Who does the work of a run, and what stops it.

use crate::affinity::Affinity;
use crate::crew::Crew;
use crate::shard::Shard;
use monteverde_game::limit::Signal;
use std::sync::Arc;

/// Who does the work of a run, and what stops it. A number alone is so many threads that nobody
/// stops.
#[derive(Clone, Debug)]
pub struct Hands {
    /// So many pieces of work at a time, each on a thread of its own.
    pub concurrency: usize,
    /// Stops games within a move of our own players: those in progress are thrown away. Suites and
    /// measurements do not heed it.
    pub stop: Arc<Signal>,
    /// Workers on other machines, which do the work in place of threads.
    pub crew: Option<Arc<dyn Crew>>,
    /// The part of the work that is done here; all of it if there is none. A shard of measurements
    /// or of a sweep ends in [`crate::shard::ShardDone`], since it has no results.
    pub shard: Option<Shard>,
    /// Which cores games are played on.
    pub affinity: Affinity,
}

impl From<usize> for Hands {
    fn from(concurrency: usize) -> Hands {
        Hands {
            concurrency: concurrency.max(1),
            stop: Arc::default(),
            crew: None,
            shard: None,
            affinity: Affinity::Free,
        }
    }
}

impl From<&Hands> for Hands {
    fn from(hands: &Hands) -> Hands {
        hands.clone()
    }
}
