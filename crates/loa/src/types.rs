//! Squares and sets of squares. A set is a `u64`: bit `n` stands for the square of number `n`.

/// A square of the board: a1 is 0, b1 is 1, a2 is 8, h8 is 63.
pub type Square = monteverde_game::Square<8>;

/// The squares of a set, lowest first.
#[inline(always)]
pub fn bits(mut set: u64) -> impl Iterator<Item = Square> {
    std::iter::from_fn(move || {
        let lowest = (set != 0).then(|| Square::wrap(set.trailing_zeros()));
        set &= set.wrapping_sub(1);
        lowest
    })
}
