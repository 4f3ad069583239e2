//! What threads write often, apart from what they only read.

use std::ops::Deref;

/// A value with cache lines of its own, two of them, since processors fetch them in pairs: whoever
/// writes it does not take from other threads what happens to lie beside it.
#[derive(Debug, Default)]
#[repr(align(128))]
pub(crate) struct Padded<T>(pub(crate) T);

impl<T> Deref for Padded<T> {
    type Target = T;

    #[inline(always)]
    fn deref(&self) -> &T {
        &self.0
    }
}
