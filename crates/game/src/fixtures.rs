//! Two tiny games.
