//! Lines of play, counted so that Ctrl-C ends it.

use monteverde_game::Game as _;
use monteverde_players::AnyState;
use pyo3::prelude::*;

/// The deepest that lines are counted, as the command line has it.
pub(crate) const MOST_DEPTH: u64 = 99;

/// Lines of so many steps are counted in one go; Ctrl-C waits for that long.
const AT_ONCE: u32 = 3;

/// The number of lines; called without the interpreter, which is asked for Ctrl-C now and then.
pub(crate) fn count(state: &AnyState, depth: u32) -> PyResult<u64> {
    // A state without lines of one step is asked, since its game says which lines end here.
    if depth <= AT_ONCE || state.perft(1) == 0 {
        return Ok(state.perft(depth));
    }
    Python::attach(|py| py.check_signals())?;
    let (mut moves, mut events, mut sum) = (Vec::new(), Vec::new(), 0);
    state.moves(&mut moves);
    state.events(&mut events);
    for mv in moves {
        let mut next = state.clone();
        next.play(mv);
        sum += count(&next, depth - 1)?;
    }
    for (event, _) in events {
        let mut next = state.clone();
        next.settle(event);
        sum += count(&next, depth - 1)?;
    }
    Ok(sum)
}
