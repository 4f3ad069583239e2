//! Weights set by hand, by simple rules: where tuning begins.

use super::terms::*;

/// Weights by hand: material in round numbers, centre, activity, a shelter for the king. Good
/// enough to play the games from which better ones are tuned.
pub fn plain() -> Weights {
    let mut values = [(0, 0); TERMS];
    for (group, midgame, endgame) in MATERIAL {
        for square in 0..32 {
            let (rank, file) = (square as i16 / 4, square as i16 % 4);
            // 0 at the corners to 6 in the centre.
            let centre = rank.min(7 - rank) + file;
            values[group + square] = match group {
                PAWN => (midgame + 4 * file * i16::from(rank > 1) + 2 * rank, endgame + 4 * rank),
                KNIGHT => (midgame - 30 + 8 * centre, endgame - 20 + 6 * centre),
                BISHOP => (midgame - 10 + 3 * centre, endgame - 9 + 3 * centre),
                ROOK => (midgame + 2 * file + 15 * i16::from(rank == 6), endgame + 2 * rank),
                QUEEN => (midgame + centre, endgame - 12 + 4 * centre),
                _ => (20 - 8 * file - 20 * rank.min(4), -30 + 12 * centre),
            };
        }
    }
    let mut ramp = |group: usize, len: usize, values_at: &dyn Fn(i16) -> (i16, i16)| {
        for step in 0..len {
            values[group + step] = values_at(step as i16);
        }
    };
    ramp(KNIGHT_MOBILITY, 9, &|n| (5 * (n - 4), 5 * (n - 4)));
    ramp(BISHOP_MOBILITY, 14, &|n| (4 * (n - 6), 4 * (n - 6)));
    ramp(ROOK_MOBILITY, 15, &|n| (2 * (n - 7), 4 * (n - 7)));
    ramp(QUEEN_MOBILITY, 28, &|n| (n - 14, 2 * (n - 14)));
    ramp(CONNECTED, 6, &|n| (4 + 3 * n, 2 + 3 * n));
    ramp(PASSED, 6, &|n| (2 * n * n, 10 + 5 * n * n));
    ramp(PASSED_FREE, 6, &|n| (n * n / 2, 2 * n * n));
    ramp(PASSED_BACKED, 6, &|n| (n, n * n));
    ramp(PASSED_OWN_KING, 8, &|n| (0, 5 * (4 - n)));
    ramp(PASSED_ENEMY_KING, 8, &|n| (0, 8 * (n - 4)));
    ramp(SHELTER, 7, &|rank| (if rank == 0 { -25 } else { 16 - 6 * rank }, 0));
    ramp(SHELTER_BESIDE, 7, &|rank| (if rank == 0 { -20 } else { 16 - 6 * rank }, 0));
    ramp(STORM, 7, &|rank| (if rank == 0 { 0 } else { 4 * (rank - 5).min(0) }, 0));
    ramp(DANGER, 24, &|step| (-(step * step).min(400), -2 * step));
    for (threats, tenths) in [(THREAT_LATER, 2), (THREAT_NOW, 5)] {
        for (step, (_, midgame, endgame)) in MATERIAL[..5].iter().enumerate() {
            values[threats + step] = (midgame / 10 * tenths, endgame / 10 * tenths);
        }
    }
    for (term, value) in SINGLE {
        values[term] = value;
    }
    Weights::new(&values)
}

/// A piece's group with its worth in the middlegame and in the ending.
const MATERIAL: [(usize, i16, i16); 6] = [
    (PAWN, 80, 90),
    (KNIGHT, 330, 310),
    (BISHOP, 340, 330),
    (ROOK, 480, 540),
    (QUEEN, 980, 1000),
    (KING, 0, 0),
];

const SINGLE: [(usize, (i16, i16)); 12] = [
    (BISHOP_PAIR, (30, 50)),
    (BISHOP_PAWNS, (-3, -5)),
    (KNIGHT_OUTPOST, (25, 15)),
    (BISHOP_OUTPOST, (15, 5)),
    (ROOK_OPEN, (30, 10)),
    (ROOK_HALF_OPEN, (15, 10)),
    (ISOLATED, (-10, -10)),
    (ISOLATED_OPEN, (-18, -15)),
    (DOUBLED, (-8, -20)),
    (BACKWARD, (-10, -8)),
    (UNSTOPPABLE, (0, 500)),
    (TEMPO, (20, 15)),
];
