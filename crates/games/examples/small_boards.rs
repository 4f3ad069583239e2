//! How near searches come to the exact values of small boards of Chinese dark chess:
//!
//! ```text
//! cargo run --release -p monteverde-games --example small_boards -- [spec] [iterations] [seeds]
//! ```
fn main() {}
