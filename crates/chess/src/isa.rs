//! Instruction sets: slider attacks and bit selection with and without BMI2, chosen at run time.
//!
//! Hot code is generic over [`Isa`] and marked `inline(always)`; it runs inside a [`Task`], so that
//! it is compiled once for each instruction set as a whole. A value of an instruction set's type
//! proves that the machine has it. Both give equal results, so the choice shows in nothing but
//! speed.
//!
//! Other crates that look at attacks in their inner loops (an evaluation) run as a [`Task`] too.
//!
//! Without BMI2 sliders are worked out by arithmetic on their lines: it needs no large table, so it
//! suits WebAssembly too.

#![allow(unsafe_code)] // Calling functions compiled for instructions that this machine is known to have.

use crate::tables;
use monteverde_game::isa as base;

/// An instruction set that the machine has, as chess needs it.
pub trait Isa: base::Isa {
    /// Where a knight goes from the square, 0 to 63.
    #[inline(always)]
    fn knight(self, square: usize) -> u64 {
        tables::ABOUT[square].knight
    }

    /// Where a king goes from the square, 0 to 63.
    #[inline(always)]
    fn king(self, square: usize) -> u64 {
        tables::ABOUT[square].king
    }

    /// What a rook on the square attacks, the first occupied square of each line included. By a
    /// small table and arithmetic everywhere: tables for PEXT take 800 kB, and in playouts their
    /// cache misses cost more than the arithmetic.
    #[inline(always)]
    fn rook(self, square: usize, occupied: u64) -> u64 {
        let shift = square & 56;
        let row = (occupied >> shift) as usize & 0x7e;
        let rank = u64::from(tables::RANK_ATTACKS[row * 4 + (square & 7)]) << shift;
        rank | line_attacks(square, occupied, tables::ABOUT[square].file)
    }

    /// What a bishop on the square attacks, the first occupied square of each line included.
    fn bishop(self, square: usize, occupied: u64) -> u64;
    /// Runs a task out of line, compiled for this instruction set.
    fn enter<T: Task>(self, task: T) -> T::Output;
}

/// Something to do on either instruction set. Implementations mark `run` with `inline(always)`.
pub trait Task {
    /// What comes of it.
    type Output;
    /// Does it.
    fn run<I: Isa>(self, isa: I) -> Self::Output;
}

/// Runs a task on the best instruction set of this machine.
#[inline(always)]
pub fn run<T: Task>(task: T) -> T::Output {
    #[cfg(target_arch = "x86_64")]
    if let Some(bmi2) = Bmi2::detect() {
        return bmi2.enter(task);
    }
    Portable.enter(task)
}

pub(crate) use base::Portable;

impl Isa for Portable {
    #[inline(always)]
    fn bishop(self, square: usize, occupied: u64) -> u64 {
        line_attacks(square, occupied, tables::DIAGONALS[square])
            | line_attacks(square, occupied, tables::ANTIDIAGONALS[square])
    }

    #[inline(never)]
    fn enter<T: Task>(self, task: T) -> T::Output {
        task.run(self)
    }
}

/// The attacks along a line with at most one square per rank. Subtracting the slider's bit from the
/// occupied squares of the line carries up to the first one above it; with the bytes reversed the
/// same goes down.
#[inline(always)]
fn line_attacks(square: usize, occupied: u64, line: u64) -> u64 {
    let bit = 1u64 << square;
    let blockers = occupied & line;
    let up = blockers.wrapping_sub(bit);
    let down = blockers.swap_bytes().wrapping_sub(bit.swap_bytes()).swap_bytes();
    (up ^ down) & line
}

#[cfg(target_arch = "x86_64")]
pub(crate) use base::Bmi2;

#[cfg(target_arch = "x86_64")]
impl Isa for Bmi2 {
    #[inline(always)]
    fn bishop(self, square: usize, occupied: u64) -> u64 {
        let about = &tables::ABOUT[square];
        let index = self.extract(occupied, about.bishop_mask) + about.bishop_offset;
        // SAFETY: PEXT numbers the subsets of the mask, and the table has an entry for each.
        unsafe { *tables::BISHOP_ATTACKS.get_unchecked(index as usize) }
    }

    #[inline(always)]
    fn enter<T: Task>(self, task: T) -> T::Output {
        // SAFETY: a `Bmi2` exists only where all of these features were detected.
        unsafe { enter(self, task) }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "bmi1,bmi2,lzcnt,popcnt")]
#[inline(never)]
fn enter<T: Task>(bmi2: Bmi2, task: T) -> T::Output {
    task.run(bmi2)
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::*;
    use crate::generate::{Each, Generate};
    use crate::mate::Mating;
    use crate::sample::{Playout, Sample};
    use crate::{Board, Square};
    use monteverde_game::Rng;
    use monteverde_game::isa::Isa as _;

    /// Both instruction sets, if this machine has both.
    fn both() -> Option<(Portable, Bmi2)> {
        Bmi2::detect().map(|bmi2| (Portable, bmi2))
    }

    #[test]
    fn slider_attacks_are_equal_and_right() {
        let mut rng = Rng::new(1);
        for square in Square::all().map(Square::index) {
            for _ in 0..2_000 {
                let occupied = rng.next_u64() & rng.next_u64();
                let rook = slow_attacks(square, occupied, [(0, 1), (1, 0), (0, -1), (-1, 0)]);
                let bishop = slow_attacks(square, occupied, [(1, 1), (1, -1), (-1, -1), (-1, 1)]);
                assert_eq!(Portable.rook(square, occupied), rook, "rook on {square}");
                assert_eq!(Portable.bishop(square, occupied), bishop, "bishop on {square}");
                if let Some((_, bmi2)) = both() {
                    assert_eq!(bmi2.rook(square, occupied), rook, "rook on {square}");
                    assert_eq!(bmi2.bishop(square, occupied), bishop, "bishop on {square}");
                }
            }
        }
    }

    /// Square by square.
    fn slow_attacks(square: usize, occupied: u64, steps: [(i32, i32); 4]) -> u64 {
        let mut set = 0;
        for (east, north) in steps {
            let (mut file, mut rank) = (square as i32 % 8 + east, square as i32 / 8 + north);
            while (0..8).contains(&file) && (0..8).contains(&rank) {
                let bit = 1u64 << (rank * 8 + file);
                set |= bit;
                if occupied & bit != 0 {
                    break;
                }
                (file, rank) = (file + east, rank + north);
            }
        }
        set
    }

    #[test]
    fn the_nth_bit_is_equal() {
        let mut rng = Rng::new(2);
        let Some((portable, bmi2)) = both() else { return };
        for _ in 0..1_000 {
            let set = rng.next_u64() & rng.next_u64();
            for n in 0..set.count_ones() {
                assert_eq!(portable.nth(set, n), bmi2.nth(set, n), "{n} of {set:x}");
            }
        }
    }

    #[test]
    fn lists_mates_samples_and_playouts_are_equal() {
        let Some((portable, bmi2)) = both() else { return };
        for number in (0..960).step_by(7) {
            let mut rngs = [Rng::new(number.into()), Rng::new(number.into())];
            let mut position = Board::chess960(number).expect("the number is in range").position;
            let mut copy = position;
            for _ in 0..300 {
                assert_eq!(list(portable, &position), list(bmi2, &position));
                let mate = portable.enter(Mating { position: &position });
                assert_eq!(mate, bmi2.enter(Mating { position: &position }));
                let [rng, other] = &mut rngs;
                let mv = portable.enter(Sample { position: &position, rng });
                assert_eq!(mv, bmi2.enter(Sample { position: &position, rng: other }));
                let Ok(mv) = mv else { break };
                position.play(mv);
            }
            position = copy;
            let [rng, other] = &mut rngs;
            let playout = portable.enter(Playout { position: &mut position, rng });
            assert_eq!(playout, bmi2.enter(Playout { position: &mut copy, rng: other }));
            assert_eq!(position, copy);
            assert_eq!(rngs[0], rngs[1]);
        }
    }

    fn list<I: Isa>(isa: I, position: &crate::position::Position) -> Vec<crate::Move> {
        let mut moves = Vec::new();
        isa.enter(Generate { position, sink: &mut Each(|mv| moves.push(mv)) });
        moves
    }
}
