//! Levels of play of Chinese dark chess.

use monteverde_players::Level;

/// The strongest player with more and more iterations. The weaker levels also draw their moves, the
/// more at random the weaker they are; with few iterations alone the same mistakes would come again
/// and again. In a round robin of the first five, ten games a meeting with seed 2026, they scored
/// 6%, 30%, 49%, 79% and 86%; they play without a network, as they did then. Nobody else's ratings
/// are at hand to measure them by.
pub(super) const LEVELS: &[Level] = &[
    Level { number: 1, spec: "best-playouts:choose-temperature=2", iterations: 40, elo: None },
    Level { number: 2, spec: "best-playouts:choose-temperature=1", iterations: 80, elo: None },
    Level { number: 3, spec: "best-playouts:choose-temperature=0.7", iterations: 160, elo: None },
    Level { number: 4, spec: "best-playouts:choose-temperature=0.5", iterations: 320, elo: None },
    Level { number: 5, spec: "best-playouts", iterations: 800, elo: None },
    Level { number: 6, spec: "best", iterations: 2_500, elo: None },
    Level { number: 7, spec: "best", iterations: 10_000, elo: None },
    Level { number: 8, spec: "best", iterations: 40_000, elo: None },
];
