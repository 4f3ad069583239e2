//! The active inputs of a network, collected without jumps that nobody can guess.

/// Active inputs of a state, in a place that has room for one more than can be active at once. It
/// is lent, so that the count stays in a register.
pub(crate) struct ActiveInputs<'a, const ROOM: usize> {
    inputs: &'a mut [u16; ROOM],
    count: usize,
}

impl<'a, const ROOM: usize> ActiveInputs<'a, ROOM> {
    #[inline(always)]
    pub(crate) fn new(inputs: &'a mut [u16; ROOM]) -> Self {
        ActiveInputs { inputs, count: 0 }
    }

    #[inline(always)]
    pub(crate) fn push(&mut self, input: usize) {
        self.push_if(true, input);
    }

    /// Adds an input if it is active. One that is not is written, too, and the next takes its
    /// place.
    #[inline(always)]
    pub(crate) fn push_if(&mut self, is_active: bool, input: usize) {
        self.inputs[self.count] = input as u16;
        self.count += usize::from(is_active);
    }

    #[inline(always)]
    pub(crate) fn as_slice(&self) -> &[u16] {
        &self.inputs[..self.count]
    }
}
