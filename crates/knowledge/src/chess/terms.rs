//! The terms of the evaluation by name, and their places in the table of weights.

use super::score::Score;

/// A group of terms that belong together, such as the squares of the knight.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Group {
    /// Its name in the table of weights.
    pub name: &'static str,
    /// What its terms count.
    pub about: &'static str,
    /// The number of its first term.
    pub start: usize,
    /// How many terms it has.
    pub len: usize,
}

macro_rules! terms {
    ($($(#[doc = $about:literal])+ $name:ident: $len:expr;)+) => {
        terms!(@place 0; $($name: $len;)+);

        /// Every group, in the order of the table.
        pub const GROUPS: &[Group] = &[$(Group {
            name: stringify!($name),
            about: concat!($($about),+),
            start: $name,
            len: $len,
        }),+];
    };
    (@place $start:expr; $name:ident: $len:expr; $($rest:tt)*) => {
        pub(crate) const $name: usize = $start;
        terms!(@place $start + $len; $($rest)*);
    };
    (@place $start:expr;) => {
        /// How many terms there are.
        pub const TERMS: usize = $start;
    };
}

terms! {
    /// A pawn, by square: rank by rank from the own side, files a (or h) to d (or e).
    PAWN: 32;
    /// A knight, by square.
    KNIGHT: 32;
    /// A bishop, by square.
    BISHOP: 32;
    /// A rook, by square.
    ROOK: 32;
    /// A queen, by square.
    QUEEN: 32;
    /// The king, by square.
    KING: 32;
    /// A knight, by the safe squares it attacks: no own piece there, no enemy pawn's attack.
    KNIGHT_MOBILITY: 9;
    /// A bishop, by the safe squares it attacks.
    BISHOP_MOBILITY: 14;
    /// A rook, by the safe squares it attacks.
    ROOK_MOBILITY: 15;
    /// A queen, by the safe squares it attacks.
    QUEEN_MOBILITY: 28;
    /// Two bishops or more.
    BISHOP_PAIR: 1;
    /// Own pawns on squares of a bishop's colour, each.
    BISHOP_PAWNS: 1;
    /// A knight on ranks 4 to 6, held by a pawn, that no enemy pawn can ever drive away.
    KNIGHT_OUTPOST: 1;
    /// The same for a bishop.
    BISHOP_OUTPOST: 1;
    /// A rook on a file without pawns.
    ROOK_OPEN: 1;
    /// A rook on a file without own pawns.
    ROOK_HALF_OPEN: 1;
    /// A pawn without own pawns on the files beside it, an enemy pawn on its file.
    ISOLATED: 1;
    /// The same, no enemy pawn on its file.
    ISOLATED_OPEN: 1;
    /// A pawn with an own pawn behind it.
    DOUBLED: 1;
    /// A pawn whose next square an enemy pawn attacks and no own pawn can ever hold.
    BACKWARD: 1;
    /// A pawn that another holds or stands beside, by rank, from the second.
    CONNECTED: 6;
    /// A passed pawn, by rank, from the second.
    PASSED: 6;
    /// A passed pawn whose next square is empty and not attacked, by rank.
    PASSED_FREE: 6;
    /// A passed pawn whose next square the own side attacks, by rank.
    PASSED_BACKED: 6;
    /// A passed pawn from the fourth rank on, by the own king's distance to its next square.
    PASSED_OWN_KING: 8;
    /// The same by the enemy king's distance.
    PASSED_ENEMY_KING: 8;
    /// A passed pawn that a lone king cannot catch.
    UNSTOPPABLE: 1;
    /// The own pawn nearest before the king on its file, by rank; 0 for none.
    SHELTER: 7;
    /// The same on each file beside.
    SHELTER_BESIDE: 7;
    /// The enemy pawn nearest before the king on its file or beside, by rank; 0 for none.
    STORM: 7;
    /// How much is aimed at the own king, in steps (see `king.rs`).
    DANGER: 24;
    /// Enemy pawn, knight, bishop, rook, queen that can be taken at a profit: by something cheaper,
    /// or because nothing holds it. When the enemy is to move.
    THREAT_LATER: 5;
    /// The same when it is the own turn.
    THREAT_NOW: 5;
    /// To be on move.
    TEMPO: 1;
}

/// A weight for each term.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Weights(pub(crate) [Score; TERMS]);

impl Weights {
    /// The weights of these values, each for the middlegame and for the ending, in centipawns.
    pub const fn new(values: &[(i16, i16); TERMS]) -> Weights {
        let mut scores = [Score::new(0, 0); TERMS];
        let mut term = 0;
        while term < TERMS {
            scores[term] = Score::new(values[term].0, values[term].1);
            term += 1;
        }
        Weights(scores)
    }

    /// The values, each for the middlegame and for the ending.
    pub fn values(&self) -> [(i16, i16); TERMS] {
        self.0.map(|score| (score.midgame() as i16, score.endgame() as i16))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_fill_the_table() {
        let mut next = 0;
        for group in GROUPS {
            assert_eq!(group.start, next, "{}", group.name);
            next += group.len;
        }
        assert_eq!(next, TERMS);
    }
}
