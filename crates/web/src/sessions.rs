//! Sessions: what a browser comes back to after a reload.

use monteverde_desk::{Code, Fault, Session};
use monteverde_players::Games;
use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::watch;
use tokio::time::sleep;

/// A session that nobody comes back to for so long is forgotten.
const KEPT: Duration = Duration::from_secs(24 * 3600);
/// So often those are looked for.
const LOOKED_EVERY: Duration = Duration::from_secs(60);
/// So many sessions are kept, the connected ones included.
const MOST_KEPT: usize = 256;

/// All sessions.
pub(crate) struct Sessions {
    by_id: Mutex<HashMap<String, Arc<KeptSession>>>,
    /// What those that nobody is connected to may take together, in bytes.
    most_bytes: usize,
}

/// One session.
pub(crate) struct KeptSession {
    pub(crate) id: String,
    /// Locked by the connection that has the session.
    pub(crate) session: Arc<tokio::sync::Mutex<Session>>,
    /// Grows with every connection that wants the session: all but the latest give way.
    pub(crate) claims: watch::Sender<u64>,
    used: Mutex<Instant>,
    /// What its game took when it was left.
    bytes: AtomicUsize,
}

/// Whether a session was there before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SessionAge {
    Old,
    New,
}

impl Sessions {
    /// None yet. Those that nobody is connected to may take so many bytes together.
    pub(crate) fn new(most_bytes: usize) -> Sessions {
        Sessions { by_id: Mutex::default(), most_bytes }
    }

    /// The session of that name, or a new one that may have any of these games.
    pub(crate) fn find(
        &self,
        id: Option<&str>,
        games: &Games,
    ) -> Result<(Arc<KeptSession>, SessionAge), Fault> {
        let mut by_id = self.lock();
        if let Some(session) = id.and_then(|id| by_id.get(id)) {
            session.touch();
            return Ok((session.clone(), SessionAge::Old));
        }
        while by_id.len() >= MOST_KEPT {
            let idle = by_id.values().filter(|session| !session.is_in_use());
            let Some(oldest) =
                idle.min_by_key(|session| session.used()).map(|session| session.id.clone())
            else {
                return Err(Fault::new(
                    Code::Limit,
                    "there are too many sessions; try again later",
                ));
            };
            by_id.remove(&oldest);
        }
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes).map_err(|error| {
            Fault::new(
                Code::Failed,
                format!("the system has no random numbers for a session: {error}"),
            )
        })?;
        let id: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        let session = Arc::new(KeptSession {
            id: id.clone(),
            session: Arc::new(tokio::sync::Mutex::new(Session::new(games.clone()))),
            claims: watch::Sender::new(0),
            used: Mutex::new(Instant::now()),
            bytes: AtomicUsize::new(0),
        });
        by_id.insert(id, session.clone());
        Ok((session, SessionAge::New))
    }

    /// A session was left with a game of so many bytes: it is kept, and the oldest make room.
    pub(crate) fn leave(&self, session: &KeptSession, bytes: usize) {
        session.bytes.store(bytes, Relaxed);
        session.touch();
        let mut by_id = self.lock();
        let mut idle: Vec<_> = by_id.values().filter(|one| !one.is_in_use()).cloned().collect();
        // Each is asked once: a browser that comes back meanwhile would change the order.
        idle.sort_by_cached_key(|one| Reverse(one.used()));
        let mut bytes = 0;
        for one in idle {
            bytes += one.bytes.load(Relaxed);
            if bytes > self.most_bytes {
                by_id.remove(&one.id);
            }
        }
    }

    /// Forgets sessions when it is time to, for ever: where nobody comes any more, too.
    pub(crate) async fn forget_in_time(&self) {
        loop {
            sleep(LOOKED_EVERY).await;
            self.forget(Instant::now());
        }
    }

    /// Forgets the sessions that nobody has come back to for too long.
    fn forget(&self, now: Instant) {
        let is_new = |session: &KeptSession| now.saturating_duration_since(session.used()) < KEPT;
        self.lock().retain(|_, session| session.is_in_use() || is_new(session));
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, Arc<KeptSession>>> {
        lock(&self.by_id)
    }
}

impl std::fmt::Debug for Sessions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} sessions", self.lock().len())
    }
}

impl KeptSession {
    fn is_in_use(&self) -> bool {
        self.session.try_lock().is_err()
    }

    /// When somebody had it last.
    fn used(&self) -> Instant {
        *lock(&self.used)
    }

    /// The session was used just now.
    pub(crate) fn touch(&self) {
        *lock(&self.used) = Instant::now();
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_games_make_room() {
        let (sessions, games) = (Sessions::new(1000), monteverde_games::games());
        let kept: Vec<_> = (0..4).map(|_| sessions.find(None, &games).unwrap().0).collect();
        let connected = kept[0].session.clone().try_lock_owned().unwrap();
        for session in &kept {
            sessions.leave(session, 400);
        }
        let is_kept = |index: usize| {
            let id = &kept[index].id;
            sessions.find(Some(id), &games).unwrap().1 == SessionAge::Old
        };
        // Two games fit; the one that somebody has is not counted.
        assert_eq!([0, 1, 2, 3].map(is_kept), [true, false, true, true]);
        drop(connected);
    }

    #[test]
    fn sessions_are_forgotten_though_nobody_comes() {
        let (sessions, games) = (Sessions::new(1000), monteverde_games::games());
        let kept: Vec<_> = (0..2).map(|_| sessions.find(None, &games).unwrap().0).collect();
        let connected = kept[0].session.clone().try_lock_owned().unwrap();
        let left = kept[1].used();
        sessions.forget(left + KEPT - Duration::from_secs(1));
        assert_eq!(sessions.lock().len(), 2);
        sessions.forget(left + KEPT);
        assert_eq!(sessions.lock().keys().collect::<Vec<_>>(), [&kept[0].id]);
        drop(connected);
    }

    #[test]
    fn sessions_may_be_used_while_others_are_left() {
        let (sessions, games) = (Sessions::new(usize::MAX), monteverde_games::games());
        let kept: Vec<_> = (0..200).map(|_| sessions.find(None, &games).unwrap().0).collect();
        std::thread::scope(|scope| {
            let leaving = scope.spawn(|| {
                for session in kept.iter().cycle().take(2000) {
                    sessions.leave(session, 1);
                }
            });
            while !leaving.is_finished() {
                kept.iter().for_each(|session| session.touch());
            }
        });
        assert_eq!(sessions.lock().len(), kept.len());
    }
}
