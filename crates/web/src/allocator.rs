//! What the allocator keeps for itself of memory that nobody has any longer.
#![allow(unsafe_code)] // Calling `mallopt` of the C library.

/// Lets the allocator give back what is freed, always.
///
/// The GNU C library does so of its own accord only at first. Whenever a mapping of at most 32 MiB
/// is freed (a table of alpha-beta has 16 MiB), later allocations up to that size come from the
/// arenas, and each arena keeps twice as much at its end. There are several arenas a core, so that
/// a server that has had many clients keeps far more than it uses. Other allocators are left as
/// they are, and so are thresholds that the environment sets (mallopt(3), glibc's tunables).
///
/// To be called before there are threads, if possible.
pub(crate) fn give_back_freed() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    if !gnu::are_chosen(|name| std::env::var(name).ok()) {
        gnu::fix_thresholds();
    }
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

    /// Whether whoever started the program has set a threshold by these variables.
    pub(super) fn are_chosen(variable: impl Fn(&str) -> Option<String>) -> bool {
        let own = ["MALLOC_MMAP_THRESHOLD_", "MALLOC_TRIM_THRESHOLD_"];
        let tunables = ["glibc.malloc.mmap_threshold", "glibc.malloc.trim_threshold"];
        let has_tunable = |text: String| tunables.iter().any(|name| text.contains(name));
        own.iter().any(|name| variable(name).is_some())
            || variable("GLIBC_TUNABLES").is_some_and(has_tunable)
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
        fn what_the_environment_sets_is_kept() {
            let only = |set: &'static str, to: &'static str| {
                are_chosen(|name| (name == set).then(|| to.to_owned()))
            };
            assert!(only("MALLOC_TRIM_THRESHOLD_", "1000000"));
            assert!(only("MALLOC_MMAP_THRESHOLD_", "1000000"));
            assert!(only("GLIBC_TUNABLES", "a.b=1:glibc.malloc.mmap_threshold=1000000"));
            assert!(!only("GLIBC_TUNABLES", "glibc.malloc.arena_max=2"));
            assert!(!only("PATH", "/bin"));
        }

        #[test]
        fn large_allocations_are_mapped_after_larger_ones_were_freed() {
            fix_thresholds();
            drop(std::hint::black_box(vec![1_u8; 24 << 20]));
            let large: Vec<_> = (0..64).map(|_| vec![1_u8; 1 << 20]).collect();
            assert!(large.iter().all(|one| one.as_ptr().addr() % 4096 == IN_MAPPING));
        }
    }
}
