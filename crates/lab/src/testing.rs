//! What the tests of this crate share.

use monteverde_players::AnyGame;

/// One of our games.
pub(crate) fn game(name: &str) -> AnyGame {
    monteverde_games::games().game(name).expect("a game of the tests")
}
