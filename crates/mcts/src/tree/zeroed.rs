//! Large arrays of zeros that the system hands out page by page, as they are first touched.
#![allow(unsafe_code)]

use super::cell::{AtomicF32, AtomicInterval, Joint, NodeBounds, RewardSum};
use super::edge::{Edge, Node};
use bytemuck::Zeroable;

/// A slice of zeroed elements.
pub(super) fn slice<T: Zeroable>(length: usize) -> Box<[T]> {
    bytemuck::zeroed_slice_box(length)
}

// SAFETY: every field is an atomic integer, for which all bits zero is a valid value.
unsafe impl Zeroable for Edge {}
// SAFETY: every field is an atomic integer, for which all bits zero is a valid value.
unsafe impl Zeroable for Node {}
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
