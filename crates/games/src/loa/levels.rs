//! Levels of play of Lines of Action.

use monteverde_players::Level;

/// The strongest player with more and more iterations. The weaker levels also draw their moves, the
/// more at random the weaker they are; with few iterations alone the same mistakes would come again
/// and again. In a round robin of the first five, ten games a meeting with seed 2026, they scored
/// 7.5%, 22.5%, 45%, 80% and 95%; they play without a network, as they did then. Nobody else's
/// ratings are at hand to measure them by.
pub(super) const LEVELS: &[Level] = &[
    Level { number: 1, spec: "best:network=none,choose-temperature=2", iterations: 8, elo: None },
    Level { number: 2, spec: "best:network=none,choose-temperature=1", iterations: 16, elo: None },
    Level {
        number: 3,
        spec: "best:network=none,choose-temperature=0.7",
        iterations: 40,
        elo: None,
    },
    Level {
        number: 4,
        spec: "best:network=none,choose-temperature=0.5",
        iterations: 120,
        elo: None,
    },
    Level { number: 5, spec: "best:network=none", iterations: 400, elo: None },
    Level { number: 6, spec: "best", iterations: 1_500, elo: None },
    Level { number: 7, spec: "best", iterations: 6_000, elo: None },
    Level { number: 8, spec: "best", iterations: 30_000, elo: None },
];
