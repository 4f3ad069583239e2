//! Instruction sets: hot code with and without the instructions that count and select bits, chosen
//! at run time.
//!
//! Hot code is generic over [`Isa`] and marked `inline(always)`; it runs inside a [`Task`], so that
//! it is compiled once for each instruction set as a whole. A value of an instruction set's type
//! proves that the machine has it. Both give equal results, so the choice shows in nothing but
//! speed.

#![allow(unsafe_code)] // Calling functions compiled for instructions that this machine is known to have.

/// An instruction set that the machine has.
pub trait Isa: Copy {
    /// The `n`-th lowest bit of a set, counting from 0, alone; 0 where there are not so many. Of
    /// `n` the lowest six bits count.
    fn nth_bit(self, set: u64, n: u32) -> u64;
    /// The number of the `n`-th lowest bit that is set, counting from 0; there must be so many.
    #[inline(always)]
    fn nth(self, set: u64, n: u32) -> u32 {
        self.nth_bit(set, n).trailing_zeros()
    }
    /// The bits of a set that a mask names, moved together to the lowest places; `None` where no
    /// instruction does it.
    fn gather(self, set: u32, mask: u32) -> Option<u32>;
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
    if let Some(bmi2) = x86::Bmi2::detect() {
        return bmi2.enter(task);
    }
    run_portably(task)
}

/// Runs a task on what every machine has, for tests that compare both.
#[inline(never)]
pub fn run_portably<T: Task>(task: T) -> T::Output {
    task.run(Portable)
}

/// What every machine has.
#[derive(Clone, Copy, Debug)]
pub struct Portable;

impl Isa for Portable {
    #[inline(always)]
    fn nth_bit(self, mut set: u64, n: u32) -> u64 {
        let mut before = n & 63;
        while before > 0 && set != 0 {
            set &= set - 1;
            before -= 1;
        }
        set & set.wrapping_neg()
    }

    #[inline(always)]
    fn gather(self, _: u32, _: u32) -> Option<u32> {
        None
    }
}

#[cfg(target_arch = "x86_64")]
pub use x86::Bmi2;

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::{Isa, Task};
    use std::arch::x86_64::{__cpuid, _pdep_u64, _pext_u32, _pext_u64};
    use std::sync::LazyLock;

    /// BMI2 with PDEP and PEXT in hardware, and the older instructions that come with it.
    #[derive(Clone, Copy, Debug)]
    pub struct Bmi2 {
        /// Private, so that only [`Bmi2::detect`] makes one.
        _proof: (),
    }

    impl Bmi2 {
        /// The proof, on a machine where these instructions are there and fast.
        #[inline(always)]
        pub fn detect() -> Option<Bmi2> {
            static DETECTED: LazyLock<bool> = LazyLock::new(|| {
                is_x86_feature_detected!("bmi1")
                    && is_x86_feature_detected!("bmi2")
                    && is_x86_feature_detected!("popcnt")
                    && is_x86_feature_detected!("lzcnt")
                    && !has_slow_pdep()
            });
            DETECTED.then_some(Bmi2 { _proof: () })
        }

        /// The bits of a set that a mask names, moved together to the lowest places.
        #[inline(always)]
        pub fn extract(self, set: u64, mask: u64) -> u64 {
            // SAFETY: a `Bmi2` exists only where BMI2 was detected.
            unsafe { _pext_u64(set, mask) }
        }

        #[inline(always)]
        pub(super) fn enter<T: Task>(self, task: T) -> T::Output {
            // SAFETY: a `Bmi2` exists only where all of these features were detected.
            unsafe { enter(self, task) }
        }
    }

    /// Whether the machine works PDEP out bit by bit in microcode: AMD's before Zen 3, family 0x19,
    /// and Hygon's, which descend from the first Zen.
    fn has_slow_pdep() -> bool {
        let leaf = __cpuid(0);
        let vendor = [leaf.ebx, leaf.edx, leaf.ecx].map(u32::to_le_bytes).concat();
        let version = __cpuid(1).eax;
        let family = (version >> 8 & 15) + (version >> 20 & 255);
        vendor == b"HygonGenuine" || vendor == b"AuthenticAMD" && family < 0x19
    }

    impl Isa for Bmi2 {
        #[inline(always)]
        fn nth_bit(self, set: u64, n: u32) -> u64 {
            // SAFETY: a `Bmi2` exists only where BMI2 was detected.
            unsafe { _pdep_u64(1 << (n & 63), set) }
        }

        #[inline(always)]
        fn gather(self, set: u32, mask: u32) -> Option<u32> {
            // SAFETY: a `Bmi2` exists only where BMI2 was detected.
            Some(unsafe { _pext_u32(set, mask) })
        }
    }

    #[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt")]
    #[inline(never)]
    fn enter<T: Task>(bmi2: Bmi2, task: T) -> T::Output {
        task.run(bmi2)
    }
}
