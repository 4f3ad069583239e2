//! How a combination of material is likely to end, whoever is to move and wherever the pieces lie,
//! covered or not: the table behind early playout termination (paper 004, section 3.1.2).
//!
//! - **Red wins** if Black has nothing left; if Black has one piece and Red, with at least two, one
//!   that takes it; or if Black has more, at most one of them a cannon, and Red has two pieces that
//!   each take every black one, one of them safe from all of those. That gives the 750,174 wins and
//!   as many losses that the paper counts; the rule is inferred.
//! - **A draw** is where neither side can win. The paper counts 108,136 and does not print its
//!   rule; ours gives [`DRAWS`], with its examples among them. A side cannot win
//!   - if no piece of it takes any enemy by a step, unless it has three or more against a lone
//!     cannon;
//!   - else, if some enemy is out of reach of all its pieces, or two enemies are out of reach of
//!     all but one. One piece alone catches nobody who runs away. A cannon reaches everything,
//!     since it helps others to catch; but one cannon is busy running away itself where two enemies
//!     take cannons.
//!
//! `crates/knowledge/tests/banqi.rs` compares it with endgames of four pieces that are solved.

use monteverde_banqi::combination::{COMBINATIONS, SETS, set};
use monteverde_banqi::{Board, Colour, KINDS, Kind, Likely};
use monteverde_game::Outcome;
use std::sync::LazyLock;

/// How many combinations are likely draws.
pub const DRAWS: u32 = 82_012;

/// How the combination of that number (see [`monteverde_banqi::combination`]) is likely to end.
///
/// # Panics
/// If there is no such combination.
pub fn likely(combination: u32) -> Likely {
    table().look_up(combination)
}

/// How the game is likely to end on that board; `None` where nobody can tell.
pub(super) fn verdict(board: &Board) -> Option<Outcome> {
    match guesses(board)(board.combination()?) {
        Likely::Unknown => None,
        Likely::Draw => Some(Outcome::Draw),
        Likely::Win(colour) => board.side(colour).map(Outcome::Win),
    }
}

/// How combinations are likely to end in a game on that board: all are unknown if it is not the
/// whole one.
#[inline(always)]
pub(super) fn guesses(board: &Board) -> impl Fn(u32) -> Likely + use<> {
    let table = (board.squares() == u32::MAX).then(table);
    move |combination| table.map_or(Likely::Unknown, |table| table.look_up(combination))
}

/// The table, made at first use in a tenth of a second.
#[inline(always)]
fn table() -> &'static Table {
    static TABLE: LazyLock<Table> = LazyLock::new(Table::new);
    &TABLE
}

/// Two bits for each combination.
struct Table {
    bits: Box<[u8]>,
    /// By the block of the red set, the blocks of black sets with which something is known. Most
    /// combinations on the way from the start are settled here, without a look at the table, which
    /// does not fit into fast memory.
    blocks: [u64; BLOCKS],
}

/// So many sets that follow each other differ in their knights, cannons and pawns alone.
const BLOCK: u32 = 54;
const BLOCKS: usize = (SETS / BLOCK) as usize;

/// How many entries a byte holds.
const A_BYTE: u32 = 4;

const UNKNOWN: u8 = 0;
const RED_WINS: u8 = 1;
const BLACK_WINS: u8 = 2;
const DRAW: u8 = 3;

impl Table {
    fn new() -> Table {
        let sets: Vec<Set> = (0..SETS).map(|number| Set::new(set(number))).collect();
        let mut bits = vec![0; COMBINATIONS.div_ceil(A_BYTE) as usize];
        let mut blocks = [0; BLOCKS];
        let mut number = 0;
        for red in &sets {
            for black in &sets {
                let entry = entry(red, black);
                bits[(number / A_BYTE) as usize] |= entry << (number % A_BYTE * 2);
                if entry != UNKNOWN {
                    blocks[(number / SETS / BLOCK) as usize] |= 1 << (number % SETS / BLOCK);
                }
                number += 1;
            }
        }
        Table { bits: bits.into(), blocks }
    }

    #[inline(always)]
    fn look_up(&self, combination: u32) -> Likely {
        let (red, black) = (combination / SETS / BLOCK, combination % SETS / BLOCK);
        if self.blocks[red as usize] >> black & 1 == 0 {
            return Likely::Unknown;
        }
        match self.bits[(combination / A_BYTE) as usize] >> (combination % A_BYTE * 2) & 3 {
            RED_WINS => Likely::Win(Colour::Red),
            BLACK_WINS => Likely::Win(Colour::Black),
            DRAW => Likely::Draw,
            _ => Likely::Unknown,
        }
    }
}

fn entry(red: &Set, black: &Set) -> u8 {
    if red.size + black.size == 0 {
        UNKNOWN // Not a game.
    } else if red.beats(black) {
        RED_WINS
    } else if black.beats(red) {
        BLACK_WINS
    } else if red.cannot_beat(black) && black.cannot_beat(red) {
        DRAW
    } else {
        UNKNOWN
    }
}

/// Kinds of pieces, a bit each.
type Kinds = u8;

/// The pieces of a side as the rules ask about them.
struct Set {
    size: u8,
    /// The kinds that it has.
    kinds: Kinds,
    /// The kinds of which it has two or more.
    doubles: Kinds,
    /// The kinds that its pieces take by a step.
    prey: Kinds,
    /// The kinds that nothing of it reaches, and those that at most one piece reaches; with all
    /// its cannons, and with one of them busy.
    out_of_reach: [[Kinds; 2]; 2],
    /// How many pieces of it take a cannon.
    cannon_takers: u8,
}

const CANNON: Kinds = 1 << Kind::Cannon as u8;

impl Set {
    fn new(counts: [u8; KINDS]) -> Set {
        let kinds_where = |test: &dyn Fn(Kind) -> bool| {
            Kind::ALL.into_iter().filter(|&kind| test(kind)).fold(0, |set, kind| set | bit(kind))
        };
        let takers = |prey: Kind| -> u8 {
            let takers = Kind::ALL.into_iter().filter(|kind| kind.takes(prey));
            takers.map(|kind| counts[kind as usize]).sum()
        };
        let cannons = counts[Kind::Cannon as usize];
        let reached_by =
            |cannons: u8, most: u8| kinds_where(&|kind| takers(kind) + cannons <= most);
        let out_of_reach = |cannons| [reached_by(cannons, 0), reached_by(cannons, 1)];
        Set {
            size: counts.iter().sum(),
            kinds: kinds_where(&|kind| counts[kind as usize] > 0),
            doubles: kinds_where(&|kind| counts[kind as usize] > 1),
            prey: kinds_where(&|kind| takers(kind) > 0),
            out_of_reach: [out_of_reach(cannons), out_of_reach(cannons.saturating_sub(1))],
            cannon_takers: takers(Kind::Cannon),
        }
    }

    fn beats(&self, enemy: &Set) -> bool {
        match enemy.size {
            0 => true,
            1 => self.size >= 2 && self.prey & enemy.kinds != 0,
            _ if enemy.doubles & CANNON != 0 => false,
            _ => {
                let strong = TAKE_ALL[enemy.kinds as usize];
                self.has_two(strong) && self.kinds & strong & !enemy.prey != 0
            }
        }
    }

    fn cannot_beat(&self, enemy: &Set) -> bool {
        if self.prey & enemy.kinds == 0 {
            let lone_cannon = enemy.size == 1 && enemy.kinds == CANNON;
            return !lone_cannon || self.size <= 2;
        }
        let [nobody, one] = self.out_of_reach[usize::from(enemy.cannon_takers >= 2)];
        enemy.kinds & nobody != 0 || enemy.has_two(one)
    }

    /// Whether it has two pieces of these kinds.
    fn has_two(&self, kinds: Kinds) -> bool {
        self.doubles & kinds != 0 || (self.kinds & kinds).count_ones() >= 2
    }
}

/// By kinds, the kinds that take all of them by a step.
static TAKE_ALL: [Kinds; 1 << KINDS] = take_all();

const fn take_all() -> [Kinds; 1 << KINDS] {
    let mut table = [0; 1 << KINDS];
    let mut prey = 0;
    while prey < table.len() {
        let mut hunter = 0;
        while hunter < KINDS {
            let (mut takes_all, mut kind) = (true, 0);
            while kind < KINDS {
                takes_all &= prey >> kind & 1 == 0 || Kind::ALL[hunter].takes(Kind::ALL[kind]);
                kind += 1;
            }
            table[prey] |= (takes_all as Kinds) << hunter;
            hunter += 1;
        }
        prey += 1;
    }
    table
}

const fn bit(kind: Kind) -> Kinds {
    1 << kind as u8
}
