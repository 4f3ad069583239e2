//! Levels of play of chess.

use monteverde_players::{Level, Rung, StrengthScale};

/// The strongest player with more and more iterations. The weaker levels also draw their moves, the
/// more at random the weaker they are; with few iterations alone the same mistakes would come again
/// and again.
pub(super) const LEVELS: &[Level] = &[
    Level { number: 1, spec: "best:choose-temperature=2", iterations: 8, elo: None },
    Level { number: 2, spec: "best:choose-temperature=1", iterations: 16, elo: None },
    Level { number: 3, spec: "best:choose-temperature=0.7", iterations: 40, elo: None },
    Level { number: 4, spec: "best:choose-temperature=0.5", iterations: 120, elo: None },
    Level { number: 5, spec: "best", iterations: 400, elo: None },
    Level { number: 6, spec: "best", iterations: 2_000, elo: None },
    Level { number: 7, spec: "best", iterations: 10_000, elo: None },
    Level { number: 8, spec: "best", iterations: 50_000, elo: None },
];

/// What ratings come to, on the scale of Stockfish's `UCI_Elo`.
pub(super) const SCALE: StrengthScale = StrengthScale {
    player: "best",
    rungs: &[
        Rung { elo: 1_000, iterations: 10, temperature: 1.0 },
        Rung { elo: 2_400, iterations: 20_000, temperature: 0.0 },
    ],
};
