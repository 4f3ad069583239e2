//! Two games that are small enough to be solved outright, for the tests of everything that works on
//! games, and the solver that does it. [`TicTacToe`] is also what `docs/your-own-game.md` builds.

pub mod dice;
pub mod exact;
pub mod tic_tac_toe;

pub use dice::DiceRace;
pub use exact::{all_states, exact_proof, exact_value};
pub use tic_tac_toe::TicTacToe;
