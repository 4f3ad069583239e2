//! Players: a text spec becomes a typed configuration becomes an agent that chooses moves.
//!
//! A spec is `name:key=value,flag,...`: a named player ([`presets`]) and what differs from it
//! ([`spec`]). [`Player`] is the one dynamic seam of the project, called once per played move; below it
//! everything is compiled for its game.

pub mod clock;
pub mod player;

pub use clock::{Budget, WallClock};
pub use player::{Player, SearchPlayer};
