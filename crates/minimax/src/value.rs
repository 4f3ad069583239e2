//! Values: whole numbers for the side to move, evals in the middle and wins and losses with their
//! distance at the ends.

use monteverde_game::Proof;
use std::ops::BitOr;

/// A value for the side to move. A side that has won where it stands has [`WIN`]; each ply until
/// then takes one off.
pub type Value = i32;

/// A win that has been reached.
pub const WIN: Value = 1_000_000;
/// Beyond every value.
pub const INFINITE: Value = WIN + 1;
/// The most plies from the root that are searched.
pub const MOST_PLIES: usize = 256;
/// The least value that is a win.
pub const LEAST_WIN: Value = WIN - 2 * MOST_PLIES as Value;

/// The depth that is left, in parts of a ply.
pub type Depth = i32;
/// A ply of depth.
pub const PLY: Depth = 16;

/// An eval as a value: rounded, and kept out of the wins and losses.
#[inline]
pub fn of_eval(eval: f32) -> Value {
    // Truncation after adding a half needs no call. The conversion of something that is no number
    // gives 0.
    ((eval + 0.5_f32.copysign(eval)) as Value).clamp(1 - LEAST_WIN, LEAST_WIN - 1)
}

/// Whether the value is a win or a loss.
#[inline]
pub fn is_decided(value: Value) -> bool {
    value.abs() >= LEAST_WIN
}

/// What an exact value says for certain.
pub fn proof(value: Value, basis: Basis) -> Proof {
    let plies = |value: Value| (WIN - value) as u16;
    if value >= LEAST_WIN {
        Proof::Win(plies(value))
    } else if value <= -LEAST_WIN {
        Proof::Loss(plies(-value))
    } else if value == 0 && !basis.contains(Basis::HORIZON) {
        Proof::Draw
    } else {
        Proof::Open
    }
}

/// A value that is reckoned from the root as it is reckoned from the state at that ply, for the
/// table.
pub(crate) fn from_here(value: Value, ply: usize) -> Value {
    shift(value, ply as Value)
}

/// The inverse of [`from_here`].
pub(crate) fn from_root(value: Value, ply: usize) -> Value {
    shift(value, -(ply as Value))
}

#[inline]
fn shift(value: Value, plies: Value) -> Value {
    if !is_decided(value) { value } else { value + plies * value.signum() }
}

/// What a value rests on, besides the rules and the state itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Basis(u8);

impl Basis {
    /// On the rules and the state alone.
    pub const RULES: Basis = Basis(0);
    /// On a draw by the history of the game: it holds on this path only.
    pub const HISTORY: Basis = Basis(1);
    /// On a guess: an eval, or a part that leaves out moves.
    pub const HORIZON: Basis = Basis(2);

    /// Whether it rests on all of `other`.
    pub fn contains(self, other: Basis) -> bool {
        self.0 & other.0 == other.0
    }
}

impl BitOr for Basis {
    type Output = Basis;
    fn bitor(self, other: Basis) -> Basis {
        Basis(self.0 | other.0)
    }
}

/// A value that a search has found, and what it rests on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct FoundValue {
    pub(crate) value: Value,
    pub(crate) basis: Basis,
}

/// The values that make a difference.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Window {
    pub(crate) alpha: Value,
    pub(crate) beta: Value,
}

impl Window {
    /// Tells only whether a value is above alpha.
    #[inline]
    pub(crate) fn empty(alpha: Value) -> Window {
        Window { alpha, beta: alpha + 1 }
    }

    /// For the other side.
    #[inline]
    pub(crate) fn turned(self) -> Window {
        Window { alpha: -self.beta, beta: -self.alpha }
    }

    #[inline]
    pub(crate) fn is_empty(self) -> bool {
        self.beta - self.alpha <= 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn proofs_count_plies() {
        assert_eq!(proof(WIN - 3, Basis::HORIZON), Proof::Win(3));
        assert_eq!(proof(2 - WIN, Basis::HORIZON), Proof::Loss(2));
        assert_eq!(proof(0, Basis::RULES), Proof::Draw);
        assert_eq!(proof(0, Basis::HISTORY), Proof::Draw);
        assert_eq!(proof(0, Basis::HORIZON), Proof::Open);
        assert_eq!(proof(of_eval(f32::INFINITY), Basis::HORIZON), Proof::Open);
        assert_eq!(proof(of_eval(f32::NEG_INFINITY), Basis::HORIZON), Proof::Open);
        assert_eq!(of_eval(f32::NAN), 0);
        assert_eq!((of_eval(12.5), of_eval(-12.4)), (13, -12));
    }

    #[test]
    fn distances_are_reckoned_from_either_end() {
        for value in [WIN - 9, 9 - WIN, 0, 123, -123] {
            assert_eq!(from_root(from_here(value, 7), 7), value);
        }
        assert_eq!(from_here(WIN - 9, 7), WIN - 2);
        assert_eq!(from_here(9 - WIN, 7), 2 - WIN);
    }
}
