//! A player of our own that thinks in its opponent's time.

use monteverde_game::limit::{Limit, Signal};
use monteverde_mcts::Control;
use monteverde_players::{AnyState, Player, WallClock};
use std::any::Any;
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// A player that thinks on a thread of its own until it is called back. What it keeps of that when
/// a move is played is the player's business: a tree below the move, or a table.
pub(crate) struct Pondering {
    signal: Arc<Signal>,
    /// `None` once it has come back.
    thread: Option<JoinHandle<Box<dyn Player<AnyState>>>>,
}

impl Pondering {
    /// Lets a player think about the state that it is at, without a limit.
    pub(crate) fn begin(mut player: Box<dyn Player<AnyState>>) -> Pondering {
        let signal = Arc::new(Signal::default());
        let seen = signal.clone();
        let thread = thread::spawn(move || {
            let control = Control {
                clock: &WallClock::start(),
                signal: &seen,
                every: Duration::MAX,
                observe: &mut |_| {},
            };
            player.think(&Limit::none(), control);
            player
        });
        Pondering { signal, thread: Some(thread) }
    }

    /// The player, which ends its thoughts; or what it said when it panicked.
    ///
    /// # Panics
    /// If it has come back before.
    pub(crate) fn end(&mut self) -> Result<Box<dyn Player<AnyState>>, Box<dyn Any + Send>> {
        self.signal.stop();
        self.thread.take().expect("a player comes back once").join()
    }
}

impl Drop for Pondering {
    /// The game is over, and so are its thoughts.
    fn drop(&mut self) {
        self.signal.stop();
        if let Some(thread) = self.thread.take() {
            // Nobody asks any more what it said.
            let _ = thread.join();
        }
    }
}
