//! What the allocator keeps for itself of memory that nobody has any longer.
#![allow(unsafe_code)] // Calling `mallopt` of the C library.

/// Lets the allocator give back what is freed, always.
///
/// The GNU C library does so of its own accord only at first. Whenever a mapping of at most 32 MiB
/// is freed (a table of alpha-beta has 16 MiB), later allocations up to that size come from the
/// arenas, and each arena keeps twice as much at its end. There are eight arenas a core: after some
/// minutes of fifty clients on two cores they kept 330 MiB, of which 6 MiB were in use. Other
/// allocators are left as they are.
///
/// To be called before there are threads, if possible.
pub(crate) fn give_back_freed() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    gnu::fix_thresholds();
}

#[cfg(all(target_os = "linux", target_env = "gnu"))]
mod gnu {
    use std::ffi::c_int;

    /// Names of `malloc.h`.
    const M_TRIM_THRESHOLD: c_int = -1;
    const M_MMAP_THRESHOLD: c_int = -3;
    /// What both thresholds are at first, in bytes: mallopt(3).
    const AT_FIRST: c_int = 128 << 10;

    unsafe extern "C" {
        fn mallopt(parameter: c_int, value: c_int) -> c_int;
    }

    /// Thresholds that were set stay as they are.
    pub(super) fn fix_thresholds() {
        for threshold in [M_MMAP_THRESHOLD, M_TRIM_THRESHOLD] {
            // SAFETY: the function is that of the C library, with its signature. It sets one word
            // under a lock of the allocator; a thread that reads the word meanwhile finds the old
            // threshold or the new one, and each will do. If it refuses, nothing has changed.
            unsafe { mallopt(threshold, AT_FIRST) };
        }
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        /// Where an allocation begins in its page: after a head of 16 bytes, if it is a mapping.
        const IN_MAPPING: usize = 16;

        #[test]
        fn large_allocations_are_mapped_after_larger_ones_were_freed() {
            fix_thresholds();
            drop(std::hint::black_box(vec![1_u8; 24 << 20]));
            let large: Vec<_> = (0..64).map(|_| vec![1_u8; 1 << 20]).collect();
            assert!(large.iter().all(|one| one.as_ptr().addr() % 4096 == IN_MAPPING));
        }
    }
}
