//! Levels of play of chess, and how a wanted rating is played.

use monteverde_players::{Level, Rung, StrengthScale};

/// The strongest player with more and more iterations. The weaker levels also draw their moves, the
/// more at random the weaker they are; with few iterations alone the same mistakes would come again
/// and again. Ratings are measured against Stockfish limited by `UCI_Elo`, those of the two weakest
/// against the third: `experiments/strength-chess`. All explore as `best` did then, and the first
/// five play without a network, as they did. Each of the last three met Stockfish at two ratings,
/// and has the mean of both results.
pub(super) const LEVELS: &[Level] = &[
    Level {
        number: 1,
        spec: "best:temperature=1,c-deviation=off,network=none,choose-temperature=2",
        iterations: 8,
        elo: Some(900),
    },
    Level {
        number: 2,
        spec: "best:temperature=1,c-deviation=off,network=none,choose-temperature=1",
        iterations: 12,
        elo: Some(1050),
    },
    Level {
        number: 3,
        spec: "best:temperature=1,c-deviation=off,network=none,choose-temperature=0.7",
        iterations: 18,
        elo: Some(1300),
    },
    Level {
        number: 4,
        spec: "best:temperature=1,c-deviation=off,network=none,choose-temperature=0.45",
        iterations: 48,
        elo: Some(1630),
    },
    Level {
        number: 5,
        spec: "best:temperature=1,c-deviation=off,network=none",
        iterations: 300,
        elo: Some(1880),
    },
    Level {
        number: 6,
        spec: "best:temperature=1,c-deviation=off",
        iterations: 3_000,
        elo: Some(2130),
    },
    Level {
        number: 7,
        spec: "best:temperature=1,c-deviation=off",
        iterations: 24_000,
        elo: Some(2150),
    },
    Level {
        number: 8,
        spec: "best:temperature=1,c-deviation=off",
        iterations: 100_000,
        elo: Some(2180),
    },
];

/// What ratings come to, on the scale of Stockfish's `UCI_Elo` (`experiments/strength-chess`). At
/// 1400, 1600, 1800, 2000, 2100 and 2200 it met Stockfish limited to the same rating, and was
/// within 150 of it. That scale is no ruler: each of its last hundreds takes five times the
/// iterations.
pub(super) const SCALE: StrengthScale = StrengthScale {
    player: "best:temperature=1,c-deviation=off",
    rungs: &[
        Rung { elo: 1_070, iterations: 16, temperature: 6.0 },
        Rung { elo: 1_170, iterations: 16, temperature: 3.0 },
        Rung { elo: 1_570, iterations: 18, temperature: 0.7 },
        Rung { elo: 1_760, iterations: 48, temperature: 0.45 },
        Rung { elo: 1_900, iterations: 300, temperature: 0.0 },
        Rung { elo: 2_000, iterations: 2_000, temperature: 0.0 },
        Rung { elo: 2_100, iterations: 10_000, temperature: 0.0 },
        Rung { elo: 2_200, iterations: 64_000, temperature: 0.0 },
    ],
};
