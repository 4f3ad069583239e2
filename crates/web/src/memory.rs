//! Memory, shared by sessions, a match, and answers.
//!
//! Three quarters of it are for the trees of sessions. Half of that is set aside in equal parts,
//! one for every player that there can be, so that nobody is ever refused. The other half goes to
//! who comes first, each getting at most half of what is left: few players have large trees, many
//! have small ones, and all together never have more than there is. An eighth is for the players of
//! a match, and an eighth for games that are kept and for answers that are being given.

use std::sync::{Arc, Mutex, PoisonError};

/// So many players a session can have at once: two that play, two that analyse.
const PLAYERS_A_SESSION: usize = 4;
/// One tree gets at most one part in so many of all memory, and so does a match.
const PARTS: usize = 8;
/// The least that a player accepts.
const LEAST: usize = 64 << 10;
/// What a replay takes while it is answered: its steps, two parts of its answer as values and as
/// text, and what waits in the socket.
const REPLAY: usize = 1 << 20;
/// So many replays are answered at once at most, however much memory there is.
const MOST_REPLAYS: usize = 256;

/// All the memory that there is.
#[derive(Debug)]
pub(crate) struct Memory {
    all: usize,
    /// What every player gets in any case.
    share: usize,
    /// The most that a player gets.
    most: usize,
    /// What is left of the common half.
    common: Mutex<usize>,
}

/// The right to some of it, given back when it is dropped.
#[derive(Debug)]
pub(crate) struct Grant {
    memory: Arc<Memory>,
    bytes: usize,
    /// How much of that is of the common half.
    common: usize,
}

impl Memory {
    /// So much memory for so many sessions, or why that is too little.
    pub(crate) fn new(all: usize, sessions: usize) -> Result<Arc<Memory>, String> {
        let half = all / 8 * 3;
        let players = sessions.saturating_mul(PLAYERS_A_SESSION).max(1);
        let share = half / players;
        if share < LEAST {
            let least =
                players.saturating_mul(LEAST).saturating_mul(8).div_ceil(3).div_ceil(1 << 20);
            return Err(format!(
                "{} MiB of memory are too little for {sessions} sessions, which need at least {least} MiB; \
                 ask for more memory or fewer sessions",
                all >> 20
            ));
        }
        let most = (all / PARTS).max(share);
        Ok(Arc::new(Memory { all, share, most, common: Mutex::new(half) }))
    }

    /// What each player of a match gets, where so many have their turns at once: whole mebibytes,
    /// if there are any.
    pub(crate) fn for_match(&self, players: usize) -> usize {
        let part = (self.all / PARTS / players.max(1)).max(LEAST);
        if part < 1 << 20 { part } else { part >> 20 << 20 }
    }

    /// What the games of sessions that nobody is connected to may take together.
    pub(crate) fn for_games(&self) -> usize {
        self.all / PARTS / 2
    }

    /// How many replays may be answered at once.
    pub(crate) fn replays(&self) -> usize {
        (self.all / PARTS / 2 / REPLAY).clamp(1, MOST_REPLAYS)
    }

    /// The most that one tree gets.
    pub(crate) fn most(&self) -> usize {
        self.most
    }

    /// As much of what is wanted as there is.
    pub(crate) fn grant(self: &Arc<Self>, wanted: usize) -> Grant {
        let mut left = self.common.lock().unwrap_or_else(PoisonError::into_inner);
        let bytes = wanted.min(self.most).min(self.share + *left / 2);
        let common = bytes.saturating_sub(self.share);
        *left -= common;
        Grant { memory: self.clone(), bytes, common }
    }
}

impl Grant {
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }
}

impl Drop for Grant {
    fn drop(&mut self) {
        *self.memory.common.lock().unwrap_or_else(PoisonError::into_inner) += self.common;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everybody_gets_some_and_all_together_no_more_than_there_is() {
        let memory = Memory::new(64 << 20, 16).unwrap();
        assert_eq!(memory.grant(4 << 10).bytes(), 4 << 10);
        let grants: Vec<_> = (0..64).map(|_| memory.grant(usize::MAX)).collect();
        assert_eq!((grants[0].bytes(), grants[1].bytes()), (8 << 20, 8 << 20));
        assert!(grants.iter().all(|grant| grant.bytes() >= 384 << 10));
        let granted: usize = grants.iter().map(Grant::bytes).sum();
        assert!(granted <= 48 << 20 && granted > 44 << 20, "{granted}");
        for players in [2, 4, 64] {
            let rest = players * memory.for_match(players)
                + memory.for_games()
                + memory.replays() * REPLAY;
            assert!(granted + rest <= 64 << 20, "{players} players");
        }
        drop(grants);
        assert_eq!(*memory.common.lock().unwrap(), 24 << 20);
    }

    #[test]
    fn too_little_is_refused() {
        let refused = Memory::new(16 << 20, 64).unwrap_err();
        assert!(refused.contains("64 sessions, which need at least 43 MiB"), "{refused}");
        assert!(Memory::new(43 << 20, 64).is_ok());
    }
}
