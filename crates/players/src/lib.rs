//! Player specs, named players and their registry
