//! Categories of moves, and how likely a move of each is played.
//!
//! As in *Monte-Carlo Tree Search Solver* (2008), section 3.1: whether a move captures, the region
//! it comes from, the region it goes to, and how many squares nearer to the own centre of mass it
//! gets. The papers do not say how the last is measured; here the centre of mass is rounded to a
//! square and distances are those of a king, with which the games of the archive show as many
//! categories as the papers name, 277.

use super::mass::{Mass, king_steps};
use super::transitions::TRANSITIONS;
use monteverde_loa::{Board, Move, Square};

/// The category of a move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Category(u16);

/// How many regions the board has: corners, the rest of the edge, the rims of the inner 6x6 and 4x4
/// squares, the centre.
pub const REGIONS: usize = 5;

/// A move gets at most so many squares nearer to the centre of mass, or away from it.
pub const FARTHEST: i8 = 7;

/// The approaches from so many squares away to so many nearer.
const APPROACHES: usize = 2 * FARTHEST as usize + 1;

/// What a category says of its moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Parts {
    /// Whether they take a piece.
    pub taking: Taking,
    /// The region they come from, 0 for the corners to 4 for the centre.
    pub from: u8,
    /// The region they go to.
    pub to: u8,
    /// How many squares nearer to the centre of mass of the own pieces they get; negative for away
    /// from it.
    pub towards: i8,
}

/// Whether a move takes a piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Taking {
    /// It goes to an empty square.
    Nothing,
    /// It takes a piece.
    Piece,
}

impl Category {
    /// How many categories can be thought of; most of them cannot occur.
    pub const COUNT: usize = 2 * REGIONS * REGIONS * APPROACHES;

    /// The category of a legal move; of a pass there is none.
    pub fn of(board: &Board, mv: Move) -> Option<Category> {
        (!mv.is_pass()).then(|| View::of(board).category(mv))
    }

    /// The category that says this.
    ///
    /// # Panics
    /// If a region is above 4 or the approach beyond [`FARTHEST`].
    pub const fn new(parts: Parts) -> Category {
        assert!((parts.from as usize) < REGIONS && (parts.to as usize) < REGIONS);
        assert!(-FARTHEST <= parts.towards && parts.towards <= FARTHEST);
        let regions = parts.from as usize * REGIONS + parts.to as usize;
        let kinds = parts.taking as usize * REGIONS * REGIONS + regions;
        Category((kinds * APPROACHES) as u16 + (parts.towards + FARTHEST) as u16)
    }

    /// The category of that number.
    ///
    /// # Panics
    /// If the number is not below [`Category::COUNT`].
    pub const fn numbered(index: usize) -> Category {
        assert!(index < Category::COUNT);
        Category(index as u16)
    }

    /// What it says.
    pub const fn parts(self) -> Parts {
        let number = self.0 as usize;
        let (kind, approach) = (number / APPROACHES, number % APPROACHES);
        let taking = kind / (REGIONS * REGIONS);
        Parts {
            taking: if taking == 0 { Taking::Nothing } else { Taking::Piece },
            from: (kind / REGIONS % REGIONS) as u8,
            to: (kind % REGIONS) as u8,
            towards: approach as i8 - FARTHEST,
        }
    }

    /// Its number, below [`Category::COUNT`].
    #[inline(always)]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// How likely a move of it is played where there is one, above 0 and at most 1: from the
    /// archive's games, at least [`LEAST_PROBABILITY`].
    #[inline(always)]
    pub fn probability(self) -> f32 {
        PROBABILITIES[self.index()]
    }

    /// A number that orders categories as their probabilities do.
    #[inline(always)]
    pub(super) fn rank(self) -> u8 {
        RANKS[self.index()]
    }

    /// The same in bits: minus the logarithm to base 2 of the probability.
    #[inline(always)]
    pub fn surprise(self) -> f32 {
        SURPRISES[self.index()]
    }
}

/// The probability of a category that was never played: about that of the rarest that were. With 0
/// a playout could never play such a move, and some states have no other.
pub const LEAST_PROBABILITY: f32 = 0.001;

/// What the categories of all moves of a state have in common.
#[derive(Clone, Copy, Debug)]
pub struct View {
    enemy: u64,
    /// By square, what it adds to the number of a category.
    parts: &'static [SquareParts; 64],
}

/// What a square adds to the number of a category.
#[derive(Clone, Copy, Debug)]
struct SquareParts {
    /// As the one that a move comes from.
    from: u16,
    /// As the one it goes to.
    to: u16,
}

impl View {
    /// Of the side to move.
    #[inline(always)]
    pub fn of(board: &Board) -> View {
        let side = board.turn();
        View::from(Mass::of(board.pieces(side)).square(), board.pieces(side.other()))
    }

    /// Of a side with that centre of mass.
    #[inline(always)]
    pub(super) fn from(centre: Square, enemy: u64) -> View {
        View { enemy, parts: &PARTS[centre.index()] }
    }

    /// The category of a move, which must not be a pass.
    #[inline(always)]
    pub fn category(&self, mv: Move) -> Category {
        let (from, to) = (mv.from().index(), mv.to().index());
        let takes = (self.enemy >> to & 1) as u16;
        Category(takes * TAKING_WEIGHT + self.parts[from].from + self.parts[to].to)
    }
}

const TAKING_WEIGHT: u16 = (REGIONS * REGIONS * APPROACHES) as u16;
/// By centre of mass.
static PARTS: [[SquareParts; 64]; 64] = square_parts();

const fn square_parts() -> [[SquareParts; 64]; 64] {
    let mut table = [[SquareParts { from: 0, to: 0 }; 64]; 64];
    let mut centre = 0;
    while centre < 64 {
        let mut square = 0;
        while square < 64 {
            let region = region(Square::new(square)) as u16 * APPROACHES as u16;
            let distance = king_steps(centre, square) as u16;
            table[centre as usize][square as usize] = SquareParts {
                from: region * REGIONS as u16 + distance,
                to: region + FARTHEST as u16 - distance,
            };
            square += 1;
        }
        centre += 1;
    }
    table
}

/// The region of a square: 0 a corner, 1 another square of the edge, 2 the rim of the inner 6x6
/// squares, 3 that of the inner 4x4, 4 the centre.
pub const fn region(square: Square) -> u8 {
    let [file, rank] = [from_edge(square.file()), from_edge(square.rank())];
    match (file, rank) {
        (0, 0) => 0,
        (0, _) | (_, 0) => 1,
        _ if file < rank => file + 1,
        _ => rank + 1,
    }
}

const fn from_edge(coordinate: u8) -> u8 {
    if coordinate < 4 { coordinate } else { 7 - coordinate }
}

static PROBABILITIES: [f32; Category::COUNT] = probabilities();

const fn probabilities() -> [f32; Category::COUNT] {
    let mut table = [LEAST_PROBABILITY; Category::COUNT];
    let mut row = 0;
    while row < TRANSITIONS.len() {
        let (taking, from, to, towards, available, played) = TRANSITIONS[row];
        let taking = if taking == 0 { Taking::Nothing } else { Taking::Piece };
        let share = played as f32 / available as f32;
        if share > LEAST_PROBABILITY {
            table[Category::new(Parts { taking, from, to, towards }).index()] = share;
        }
        row += 1;
    }
    table
}

static RANKS: [u8; Category::COUNT] = ranks();

/// How many different probabilities are lower.
const fn ranks() -> [u8; Category::COUNT] {
    let probabilities = probabilities();
    let mut table = [0; Category::COUNT];
    let mut limit = LEAST_PROBABILITY;
    // From one probability to the next higher one.
    loop {
        let mut next = f32::MAX;
        let mut category = 0;
        while category < Category::COUNT {
            if probabilities[category] > limit {
                table[category] += 1;
                next = if probabilities[category] < next { probabilities[category] } else { next };
            }
            category += 1;
        }
        if next == f32::MAX {
            return table;
        }
        limit = next;
    }
}

/// Written out at the first use: a constant function has no logarithm.
static SURPRISES: std::sync::LazyLock<[f32; Category::COUNT]> =
    std::sync::LazyLock::new(|| PROBABILITIES.map(|share| -libm::log2(f64::from(share)) as f32));
