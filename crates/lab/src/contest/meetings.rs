//! Meetings that a plan lists one by one.

use std::collections::HashSet;

/// Two contestants that meet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Meeting {
    /// Their numbers, in any order: the first game of each pair is begun by the one whose number
    /// is smaller, as in the other formats, so that the games are the same.
    pub players: (usize, usize),
    /// How many games they play, if not as many as the plan says.
    pub games: Option<u64>,
}

impl Meeting {
    /// The numbers of the two, the smaller one first.
    pub fn pairing(&self) -> (usize, usize) {
        let (one, two) = self.players;
        (one.min(two), one.max(two))
    }
}

/// Why the meetings of a list cannot be held.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum MeetingError {
    /// The list is empty.
    #[error("the list of meetings is empty; at least one is needed")]
    Empty,
    /// A contestant that is not there.
    #[error("a meeting names player number {number}; there are {count}, and numbers begin at 0")]
    NoPlayer {
        /// Its number.
        number: usize,
        /// How many there are.
        count: usize,
    },
    /// Both are the same.
    #[error("'{name}' cannot meet itself; a meeting is of two different players")]
    Itself {
        /// Its name.
        name: String,
    },
    /// Two that are listed already.
    #[error("'{one}' and '{two}' are listed twice; list them once, with all their games")]
    Twice {
        /// The one of the smaller number.
        one: String,
        /// The other.
        two: String,
    },
    /// A meeting without games.
    #[error("'{one}' and '{two}' have 0 games; whole numbers from 1 are accepted")]
    NoGames {
        /// The one of the smaller number.
        one: String,
        /// The other.
        two: String,
    },
}

/// Checks that contestants of these names can hold the meetings of a list.
pub(crate) fn check(meetings: &[Meeting], names: &[&str]) -> Result<(), MeetingError> {
    if meetings.is_empty() {
        return Err(MeetingError::Empty);
    }
    let mut listed = HashSet::new();
    for meeting in meetings {
        let (one, two) = meeting.pairing();
        let count = names.len();
        if two >= count {
            return Err(MeetingError::NoPlayer { number: two, count });
        }
        let name = |number: usize| names[number].to_owned();
        if one == two {
            return Err(MeetingError::Itself { name: name(one) });
        }
        if !listed.insert((one, two)) {
            return Err(MeetingError::Twice { one: name(one), two: name(two) });
        }
        if meeting.games == Some(0) {
            return Err(MeetingError::NoGames { one: name(one), two: name(two) });
        }
    }
    Ok(())
}
