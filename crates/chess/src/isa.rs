//! Instruction sets: slider attacks and bit selection with and without BMI2, chosen at run time.
//!
//! Hot code is generic over [`Isa`] and marked `inline(always)`; it runs inside a [`Task`], so that it
//! is compiled once for each instruction set as a whole. A value of an instruction set's type proves
//! that the machine has it. Both give equal results, so the choice shows in nothing but speed.
//!
//! Without BMI2 sliders are worked out by arithmetic on their lines: it needs no large table, so it
//! suits WebAssembly too.

#![allow(unsafe_code)] // Calling functions compiled for instructions that this machine is known to have.

use crate::tables;

/// An instruction set that the machine has.
pub(crate) trait Isa: Copy {
    /// What a rook on the square attacks, the first occupied square of each line included.
    fn rook(self, square: usize, occupied: u64) -> u64;
    /// What a bishop on the square attacks, the first occupied square of each line included.
    fn bishop(self, square: usize, occupied: u64) -> u64;
    /// The number of the `n`-th lowest bit that is set, counting from 0; there must be so many.
    fn nth(self, set: u64, n: u32) -> u32;
    /// Runs a task out of line, compiled for this instruction set.
    fn enter<T: Task>(self, task: T) -> T::Output;
}

/// Something to do on either instruction set. Implementations mark `run` with `inline(always)`.
pub(crate) trait Task {
    /// What comes of it.
    type Output;
    /// Does it.
    fn run<I: Isa>(self, isa: I) -> Self::Output;
}

/// Runs a task on the best instruction set of this machine.
#[inline(always)]
pub(crate) fn run<T: Task>(task: T) -> T::Output {
    #[cfg(target_arch = "x86_64")]
    if let Some(bmi2) = Bmi2::detect() {
        return bmi2.enter(task);
    }
    Portable.enter(task)
}

/// What every machine has.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Portable;

impl Isa for Portable {
    #[inline(always)]
    fn rook(self, square: usize, occupied: u64) -> u64 {
        let shift = square & 56;
        let row = (occupied >> shift) as usize >> 1 & 63;
        let rank = u64::from(tables::RANK_ATTACKS[row][square & 7]) << shift;
        rank | line_attacks(square, occupied, tables::ABOUT[square].file)
    }

    #[inline(always)]
    fn bishop(self, square: usize, occupied: u64) -> u64 {
        line_attacks(square, occupied, tables::DIAGONALS[square])
            | line_attacks(square, occupied, tables::ANTIDIAGONALS[square])
    }

    #[inline(always)]
    fn nth(self, mut set: u64, n: u32) -> u32 {
        for _ in 0..n {
            set &= set.wrapping_sub(1);
        }
        set.trailing_zeros()
    }

    #[inline(never)]
    fn enter<T: Task>(self, task: T) -> T::Output {
        task.run(self)
    }
}

/// The attacks along a line with at most one square per rank. Subtracting the slider's bit from the
/// occupied squares of the line carries up to the first one above it; with the bytes reversed the same
/// goes down.
#[inline(always)]
fn line_attacks(square: usize, occupied: u64, line: u64) -> u64 {
    let bit = 1u64 << square;
    let blockers = occupied & line;
    let up = blockers.wrapping_sub(bit);
    let down = blockers.swap_bytes().wrapping_sub(bit.swap_bytes()).swap_bytes();
    (up ^ down) & line
}

#[cfg(target_arch = "x86_64")]
pub(crate) use x86::Bmi2;

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::{Isa, Task};
    use crate::tables;
    use std::arch::x86_64::{__cpuid, _pdep_u64, _pext_u64};
    use std::sync::LazyLock;

    /// BMI2 with PEXT and PDEP in hardware.
    #[derive(Clone, Copy, Debug)]
    pub(crate) struct Bmi2 {
        /// Private, so that only [`Bmi2::detect`] makes one.
        _proof: (),
    }

    impl Bmi2 {
        /// The proof, on a machine where these instructions are there and fast.
        #[inline(always)]
        pub(crate) fn detect() -> Option<Bmi2> {
            static DETECTED: LazyLock<bool> = LazyLock::new(|| {
                is_x86_feature_detected!("bmi1")
                    && is_x86_feature_detected!("bmi2")
                    && is_x86_feature_detected!("lzcnt")
                    && is_x86_feature_detected!("popcnt")
                    && !has_slow_pext()
            });
            DETECTED.then_some(Bmi2 { _proof: () })
        }
    }

    /// Whether the machine works PEXT out bit by bit in microcode: AMD's before Zen 3, family 0x19, and
    /// Hygon's, which descend from the first Zen.
    fn has_slow_pext() -> bool {
        let leaf = __cpuid(0);
        let vendor = [leaf.ebx, leaf.edx, leaf.ecx].map(u32::to_le_bytes).concat();
        let version = __cpuid(1).eax;
        let family = (version >> 8 & 15) + (version >> 20 & 255);
        vendor == b"HygonGenuine" || vendor == b"AuthenticAMD" && family < 0x19
    }

    impl Isa for Bmi2 {
        #[inline(always)]
        fn rook(self, square: usize, occupied: u64) -> u64 {
            super::Portable.rook(square, occupied)
        }

        #[inline(always)]
        fn bishop(self, square: usize, occupied: u64) -> u64 {
            let about = &tables::ABOUT[square];
            // SAFETY: a `Bmi2` exists only where BMI2 was detected.
            let index = unsafe { _pext_u64(occupied, about.bishop_mask) } + about.bishop_offset;
            // SAFETY: PEXT numbers the subsets of the mask, and the table has an entry for each.
            unsafe { *tables::BISHOP_ATTACKS.get_unchecked(index as usize) }
        }

        #[inline(always)]
        fn nth(self, set: u64, n: u32) -> u32 {
            // SAFETY: a `Bmi2` exists only where BMI2 was detected.
            unsafe { _pdep_u64(1 << n, set) }.trailing_zeros()
        }

        #[inline(always)]
        fn enter<T: Task>(self, task: T) -> T::Output {
            // SAFETY: a `Bmi2` exists only where all of these features were detected.
            unsafe { enter(self, task) }
        }
    }

    #[target_feature(enable = "bmi1,bmi2,lzcnt,popcnt")]
    #[inline(never)]
    fn enter<T: Task>(bmi2: Bmi2, task: T) -> T::Output {
        task.run(bmi2)
    }
}
