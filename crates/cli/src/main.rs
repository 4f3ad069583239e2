//! The monteverde program.
fn main() {}
