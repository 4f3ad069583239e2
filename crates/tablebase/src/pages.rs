//! Memory for the decoded entries of a table, in large pages where the system has them: a random entry among all
//! tables of four pieces then takes half as long to fetch.

#![allow(unsafe_code)] // Seeing a private mapping as atomic bytes.

use memmap2::{MmapOptions, MmapRaw};
use std::sync::atomic::AtomicU8;

/// The size of a large page: what touching one byte may claim.
pub(crate) const PAGE: usize = 2 << 20;

/// Zeroed bytes that take memory only where they are touched.
pub(crate) struct Pages(MmapRaw);

impl Pages {
    /// So many bytes; `None` if the system refuses.
    pub(crate) fn new(bytes: usize) -> Option<Pages> {
        let map = MmapRaw::from(MmapOptions::new().len(bytes).map_anon().ok()?);
        // A wish; without it probing is slower, and nothing else changes.
        #[cfg(target_os = "linux")]
        let _ = map.advise(memmap2::Advice::HugePage);
        Some(Pages(map))
    }

    /// The bytes.
    #[inline(always)]
    pub(crate) fn bytes(&self) -> &[AtomicU8] {
        // SAFETY: the mapping is as long as it says, lives as long as `self`, starts out as zeros, which are valid
        // atomic bytes, and is seen through this slice alone.
        unsafe { std::slice::from_raw_parts(self.0.as_ptr().cast::<AtomicU8>(), self.0.len()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::Ordering;

    #[test]
    fn bytes_are_zero_and_keep_what_is_stored() {
        let pages = Pages::new(PAGE + 5).expect("little memory");
        let bytes = pages.bytes();
        assert_eq!(bytes.len(), PAGE + 5);
        bytes[PAGE + 4].store(7, Ordering::Relaxed);
        assert_eq!([0, PAGE, PAGE + 4].map(|at| bytes[at].load(Ordering::Relaxed)), [0, 0, 7]);
    }
}
