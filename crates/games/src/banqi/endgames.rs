//! The endgames that players of Chinese dark chess ask.
//!
//! All players of a process share them. An endgame is solved when it is first asked for: one of
//! three pieces takes a few milliseconds and 64 KiB, one of four a tenth of a second and 2 MiB; of
//! these there are a thousand.

use monteverde_banqi::endgame::{Endgames, Material};
use monteverde_banqi::{Banqi, Board, Colour};
use monteverde_game::{Oracle, Proof};
use std::sync::{LazyLock, PoisonError, RwLock};

/// The most pieces of an endgame that can be solved.
pub(super) const MOST_PIECES: u32 = monteverde_banqi::endgame::MOST_PIECES as u32;

/// The endgames as a player asks them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BanqiEndgames {
    /// Boards with more pieces than this are left open, and so are those with a covered piece.
    pub pieces: u32,
    /// Playouts of a search whose root has fewer pieces than this do without.
    pub least_root: u32,
}

impl Oracle<Banqi> for BanqiEndgames {
    #[inline(always)]
    fn probe(&self, state: &Banqi) -> Proof {
        let board = state.board();
        let is_asked = board.covered() == 0
            && count(board) <= self.pieces.min(MOST_PIECES)
            && board.squares() == u32::MAX;
        if is_asked { shared(state) } else { Proof::Open }
    }

    /// As [`Endgames`] does.
    fn prove(&self, state: &Banqi) -> Proof {
        match self.probe(state) {
            Proof::Win(_) | Proof::Loss(_) if state.has_repeated() => Proof::Open,
            proof => proof,
        }
    }

    fn is_useful_at(&self, root: &Banqi) -> bool {
        count(root.board()) >= self.least_root
    }
}

/// How many pieces are in the game.
#[inline(always)]
fn count(board: &Board) -> u32 {
    u32::from(board.left(Colour::Red)) + u32::from(board.left(Colour::Black))
}

/// What the shared endgames say, after the one in question has been solved.
fn shared(state: &Banqi) -> Proof {
    static SHARED: LazyLock<RwLock<Endgames>> = LazyLock::new(RwLock::default);
    let material = Material::of(state.board());
    // A thread that panicked while it solved an endgame has not added it.
    let endgames = SHARED.read().unwrap_or_else(PoisonError::into_inner);
    if endgames.knows(material) {
        return endgames.probe(state);
    }
    drop(endgames);
    let mut endgames = SHARED.write().unwrap_or_else(PoisonError::into_inner);
    endgames.add(material);
    endgames.probe(state)
}
