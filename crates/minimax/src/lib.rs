//! Alpha-beta search for any [`Game`](monteverde_game::Game) without chance.
//!
//! One search with switchable parts ([`Config`]): with all of them off it is plain fail-soft
//! alpha-beta to a fixed depth. `search.rs` deepens the search ply by ply and looks after the root;
//! `node.rs` is the recursion, `prune.rs` the ways to do without it, `run.rs` what they stand on;
//! the table, the order of moves and the values have a file each. What a part must know of the game
//! (the ranks of moves, passing, urgent states) it asks of [`Tactics`].
//!
//! **Values** are whole numbers for the side to move: the eval of a state rounded to its unit, and
//! beyond all evals the wins and losses with their distance in plies. A win or loss that is
//! reported is true whatever parts are on, because no part returns such a value without a proof. It
//! is also the fastest win or the slowest loss, unless null moves, reductions, realization
//! probabilities, multi-cut or extensions are on, which may overlook a faster one.
//!
//! **Draws by history** (repetition, a count of plies) are facts about the path, not about the
//! state. Every value carries on what it rests, see [`Basis`](value::Basis), and one that rests on
//! such a draw is never stored in the table; and values do not outlive the search that found them,
//! because a later one has another past. What remains, as in every such search: within one search a
//! value from the table does not see that on this path a repetition would come in between.
//!
//! **Forced wins** of a given length are proven or refuted by a search of another kind, which knows
//! no eval: `forced.rs`.
//!
//! Same configuration, same state, same limit in nodes or depth: same result on every machine.

pub mod config;
pub mod forced;
mod node;
mod order;
mod prune;
mod report;
mod run;
pub mod search;
pub mod table;
pub mod tactics;
pub mod value;

pub use config::{Config, History, MultiCut, Null, Realization, Reductions};
pub use search::Search;
pub use tactics::{Rank, Tactics};
