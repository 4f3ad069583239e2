//! Memory for the decoded entries of a table, in large pages where the system has them: a random
//! entry among all tables of four pieces then takes half as long to fetch.

#![allow(unsafe_code)] // Seeing a private mapping as atomic bytes.

#[cfg(not(target_family = "wasm"))]
pub(crate) use mapped::Pages;
#[cfg(target_family = "wasm")]
pub(crate) use plain::Pages;

/// The size of a large page: what touching one byte may claim.
pub(crate) const PAGE: usize = 2 << 20;

/// Pages of the system.
#[cfg(not(target_family = "wasm"))]
mod mapped {
    use super::PAGE;
    use memmap2::{MmapOptions, MmapRaw};
    use std::sync::atomic::AtomicU8;

    /// Zeroed bytes that take memory only where they are touched.
    pub(crate) struct Pages {
        map: MmapRaw,
        /// Where they begin: the first large page of the mapping, or its start if there are too
        /// few for one.
        start: usize,
        bytes: usize,
    }

    impl Pages {
        /// So many bytes; `None` if the system refuses.
        pub(crate) fn new(bytes: usize) -> Option<Pages> {
            // The system makes large pages of whole ones alone, and mappings need not begin with
            // one. What lies before and behind is never touched.
            let is_large = bytes >= PAGE;
            let len = if is_large { bytes.next_multiple_of(PAGE) + PAGE } else { bytes };
            let map = MmapRaw::from(MmapOptions::new().len(len).map_anon().ok()?);
            let start = if is_large { map.as_ptr().align_offset(PAGE) } else { 0 };
            // A wish; without it probing is slower, and nothing else changes.
            #[cfg(target_os = "linux")]
            let _ = map.advise(memmap2::Advice::HugePage);
            (start.checked_add(bytes)? <= len).then_some(Pages { map, start, bytes })
        }

        /// The bytes.
        #[inline(always)]
        pub(crate) fn bytes(&self) -> &[AtomicU8] {
            // SAFETY: `start` and `bytes` lie within the mapping, as `new` has seen to; it lives as
            // long as `self`, starts out as zeros, which are valid atomic bytes, and is seen
            // through this slice alone.
            unsafe {
                let first = self.map.as_ptr().add(self.start).cast::<AtomicU8>();
                std::slice::from_raw_parts(first, self.bytes)
            }
        }
    }
}

/// Where there are no mappings: memory of the allocator.
#[cfg(target_family = "wasm")]
mod plain {
    use std::sync::atomic::AtomicU8;

    /// Zeroed bytes.
    pub(crate) struct Pages(Vec<AtomicU8>);

    impl Pages {
        /// So many bytes; `None` if there is no room.
        pub(crate) fn new(bytes: usize) -> Option<Pages> {
            let mut all = Vec::new();
            all.try_reserve_exact(bytes).ok()?;
            all.resize_with(bytes, AtomicU8::default);
            Some(Pages(all))
        }

        /// The bytes.
        pub(crate) fn bytes(&self) -> &[AtomicU8] {
            &self.0
        }
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
        assert_eq!(bytes.as_ptr().align_offset(PAGE), 0, "it begins with a large page");
        let few = Pages::new(100).expect("little memory");
        few.bytes()[99].store(3, Ordering::Relaxed);
        assert_eq!((few.bytes().len(), few.bytes()[98].load(Ordering::Relaxed)), (100, 0));
    }
}
