//! The promises of [`Game::reversible_plies`](crate::Game::reversible_plies).

use super::{Violation, require};
use crate::Notation;
use std::collections::HashSet;

/// The keys of a game's states so far.
#[derive(Default)]
pub(super) struct Past {
    /// Those since the last step that cannot be taken back.
    recent: Vec<u64>,
    /// Those before it.
    gone: HashSet<u64>,
    /// What the last state said.
    plies: Option<u32>,
}

impl Past {
    /// Checks the next state of the game.
    pub(super) fn check<G: Notation>(&mut self, state: &G) -> Result<(), Violation> {
        let (before, now) = (self.plies, state.reversible_plies());
        self.plies = now;
        let Some(plies) = now else { return Ok(()) };
        let follows = plies == 0 || self.recent.is_empty() || before == Some(plies - 1);
        require(state, "reversible_plies counts from 0 on", follows, || {
            format!("it is {plies} after {before:?}")
        })?;
        if plies == 0 {
            self.gone.extend(self.recent.drain(..));
            let drawn = state.is_drawn_by_history();
            require(state, "without reversible plies no past draws", !drawn, String::new)?;
        }
        require(
            state,
            "a pending state has no reversible plies",
            plies == 0 || !state.is_pending(),
            || format!("it has {plies}"),
        )?;
        let is_back = self.gone.contains(&state.key());
        require(state, "what reversible_plies leaves behind is gone", !is_back, String::new)?;
        self.recent.push(state.key());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::DiceRace;
    use crate::fixtures::dice::Choice;
    use crate::{Game, Notation};

    #[test]
    fn a_state_that_comes_back_shows() {
        let start = DiceRace::start();
        let mut later = start.clone();
        later.play(Choice::Step);
        let mut past = Past::default();
        assert!(past.check(&start).is_ok() && past.check(&later).is_ok());
        let violation = past.check(&start).expect_err("it was there before");
        assert_eq!(violation.rule, "what reversible_plies leaves behind is gone");
    }
}
