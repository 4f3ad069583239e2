//! Monte-Carlo tree search for any [`Game`](monteverde_game::Game), with or without chance.
//!
//! Each iteration takes four steps, which stand one after another in `iteration.rs`:
//!
//! 1. **select** (`select.rs`): from the root, follow the edge that UCB1 prefers, or the event that
//!    chance draws, as long as every move of the node has been tried;
//! 2. **expand** (`expand.rs`): try the next move in generation order, or those that look better
//!    first;
//! 3. **playout** (`playout.rs`): play on, at random to the end of the game unless a technique says
//!    otherwise;
//! 4. **backup** (`backup.rs`): add the reward to every edge that was followed. The sign flips here
//!    and nowhere else.
//!
//! The tree ([`tree`]) is an arena under a hard memory limit that stores no states: an iteration
//! replays its moves on a copy of the root. The formulas are those of Arenz, *Monte Carlo Chess*
//! (2012), of Winands, Björnsson and Saito, *Monte-Carlo Tree Search Solver* (2008), and of the
//! king-and-rook study; [`config::Uct`] has each of them as printed. With one thread and a seed, a
//! search gives the same tree on every machine: the random numbers are fixed, rewards are summed as
//! integers, and the only functions of real numbers are the exactly rounded ones and a logarithm
//! that this crate brings along.
//!
//! This crate names no concrete game, reads no clock of its own and starts no thread unless the
//! configuration asks for more than one.

pub mod backup;
pub(crate) mod bounds;
pub mod chance;
pub mod choose;
pub mod config;
mod context;
pub mod correction;
pub mod draws;
pub mod expand;
pub mod explore;
pub mod graph;
mod graph_bounds;
mod interval;
mod iteration;
mod leaf;
mod news;
mod padded;
mod path;
pub mod playout;
pub mod proof;
mod proof_use;
pub mod quality;
mod recycler;
mod region;
pub mod report;
mod retreat;
pub mod reward;
mod root;
mod run;
pub mod search;
pub mod select;
mod sharing;
mod soft_limit;
pub mod solver;
pub mod tree;
mod worker;

pub use monteverde_game::limit;

pub use choose::Choose;
pub use config::{Config, EmptyRoot, Expand, Order, TreeTies, Uct};
pub use explore::{Branch, Explore, Node};
pub use graph::{Graph, GraphBounds};
pub use limit::{Clock, Limit, MoveTime, NoClock, Signal};
pub use playout::{PlayoutResult, Playouter, Playouts};
pub use quality::{Influence, Quality};
pub use report::{Report, RootMove};
pub use search::{Control, Search};
pub use select::bias::{Bias, Count};
pub use select::deviation::Deviation;
pub use select::fpu::Fpu;
pub use select::imb::Imb;
pub use select::rave::Rave;
pub use select::threshold::{Threshold, Untried, Walk};
pub use select::widen::{Mode, Widen};
pub use solver::Solver;
