//! Asking for memory before it is needed.
#![allow(unsafe_code)] // A hint to the processor, which may be given for any address.

/// Bytes that come from memory together.
const LINE: usize = 64;
/// So many of them are asked for.
const LINES: usize = 4;

/// Asks for the beginning of a slice. Only a hint: nothing changes but the time that it takes to
/// read it later.
#[inline(always)]
pub(super) fn prefetch<T>(slice: &[T]) {
    #[cfg(target_arch = "x86_64")]
    for line in 0..LINES {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch reads nothing that the program could see, and never faults.
        unsafe { _mm_prefetch(slice.as_ptr().cast::<i8>().wrapping_add(line * LINE), _MM_HINT_T0) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (slice, LINE, LINES);
}
