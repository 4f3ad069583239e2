//! Large arrays of zeros that the system hands out page by page, as they are first touched, and
//! gets back whole when they are dropped: an allocator would keep them for itself.
#![allow(unsafe_code)] // Seeing a private mapping as records of atomics, and prefetches.

use super::cell::{AtomicF32, AtomicInterval, Joint, NodeBounds, RewardSum};
use super::edge::{Edge, Extension, Node};
use bytemuck::Zeroable;
use std::ops::Deref;
use std::ptr::NonNull;

/// An array of zeroed elements.
#[derive(Debug)]
pub(super) struct Zeroed<T> {
    first: NonNull<T>,
    length: usize,
    /// Where they lie.
    _memory: Memory<T>,
}

#[derive(Debug)]
#[expect(dead_code, reason = "what they hold is only dropped")]
enum Memory<T> {
    /// With the allocator: few elements, or where there are no mappings.
    Allocated(Allocated<T>),
    #[cfg(not(target_family = "wasm"))]
    Mapped(memmap2::MmapRaw),
}

/// What a box held. The box itself must not stay: while it is there, nobody else may keep a pointer
/// to its elements.
#[derive(Debug)]
struct Allocated<T>(NonNull<[T]>);

impl<T> Drop for Allocated<T> {
    fn drop(&mut self) {
        // SAFETY: the pointer came out of a box, and goes back into one only here.
        drop(unsafe { Box::from_raw(self.0.as_ptr()) });
    }
}

/// Below so many bytes the allocator will do.
#[cfg(not(target_family = "wasm"))]
const LEAST_MAPPED: usize = 64 << 10;

impl<T: Zeroable> Zeroed<T> {
    /// So many elements.
    pub(super) fn new(length: usize) -> Zeroed<T> {
        #[cfg(not(target_family = "wasm"))]
        if let Some(mapped) = Zeroed::mapped(length) {
            return mapped;
        }
        let elements = NonNull::from(Box::leak(bytemuck::zeroed_slice_box(length)));
        Zeroed { first: elements.cast(), length, _memory: Memory::Allocated(Allocated(elements)) }
    }

    /// The same in pages of their own; `None` where they are few, or the system refuses.
    #[cfg(not(target_family = "wasm"))]
    fn mapped(length: usize) -> Option<Zeroed<T>> {
        let bytes = length.checked_mul(size_of::<T>()).filter(|&bytes| bytes >= LEAST_MAPPED)?;
        let map = memmap2::MmapOptions::new().len(bytes).map_anon().ok()?;
        let map = memmap2::MmapRaw::from(map);
        let first = NonNull::new(map.as_mut_ptr().cast())?;
        Some(Zeroed { first, length, _memory: Memory::Mapped(map) })
    }
}

impl<T> Zeroed<T> {
    /// Asks the processor to have an element at hand soon. Says nothing of whether there is one.
    #[inline(always)]
    pub(super) fn prefetch(&self, index: u32) {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            let element = self.first.as_ptr().wrapping_add(index as usize);
            // SAFETY: a prefetch reads nothing and faults nowhere, and every such processor has it.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(element.cast()) };
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = index;
    }
}

impl<T> Deref for Zeroed<T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        // SAFETY: there are so many elements from the first on, either in the box or in a mapping
        // that begins at a page and was zeroed, which is a valid value of each; both live as long
        // as `self` and are seen through this slice alone.
        unsafe { std::slice::from_raw_parts(self.first.as_ptr(), self.length) }
    }
}

// SAFETY: it owns its elements, as a box does.
unsafe impl<T: Send> Send for Zeroed<T> {}
// SAFETY: it hands out shared references alone, as a box behind a reference does.
unsafe impl<T: Sync> Sync for Zeroed<T> {}

// SAFETY: every field is an atomic integer, for which all bits zero is a valid value.
unsafe impl Zeroable for Edge {}
// SAFETY: every field is an atomic integer, for which all bits zero is a valid value.
unsafe impl Zeroable for Node {}
// SAFETY: every field is an atomic integer, for which all bits zero is a valid value.
unsafe impl Zeroable for Extension {}
// SAFETY: every field is an atomic integer, for which all bits zero is a valid value.
unsafe impl Zeroable for AtomicF32 {}
// SAFETY: every field is an atomic integer, for which all bits zero is a valid value.
unsafe impl Zeroable for RewardSum {}
// SAFETY: every field is an atomic integer, for which all bits zero is a valid value.
unsafe impl Zeroable for AtomicInterval {}
// SAFETY: every field is an atomic integer, for which all bits zero is a valid value.
unsafe impl Zeroable for Joint {}
// SAFETY: every field is an atomic integer, for which all bits zero is a valid value.
unsafe impl Zeroable for NodeBounds {}
