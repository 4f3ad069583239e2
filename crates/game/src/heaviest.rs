//! The moves with the highest weight, without sorting all of them.

use crate::{Game, Knowledge};

/// Some moves, heaviest first. Keeps its room, so that filling it does not allocate.
#[derive(Debug)]
pub struct Heaviest<M> {
    /// The moves, heaviest first.
    pub moves: Vec<M>,
    /// Scratch space for the weights of all moves.
    weights: Vec<f32>,
    /// Scratch space for where more than [`FEW`] are taken.
    keys: Vec<f64>,
}

/// Up to so many moves are kept in order by comparisons without a branch, which could not be
/// foreseen.
const FEW: usize = 8;

impl<M> Default for Heaviest<M> {
    fn default() -> Self {
        Heaviest {
            moves: Vec::with_capacity(64),
            weights: Vec::with_capacity(256),
            keys: Vec::with_capacity(256),
        }
    }
}

impl<M: Copy> Heaviest<M> {
    /// Takes the `most` heaviest of a state's moves by [`Knowledge::weights`]; of equals those that
    /// come first.
    pub fn weigh<G: Game<Move = M>, K: Knowledge<G> + ?Sized>(
        &mut self,
        knowledge: &K,
        state: &G,
        moves: &[M],
        most: usize,
    ) {
        let mut weights = std::mem::take(&mut self.weights);
        weights.clear();
        knowledge.weights(state, moves, &mut weights);
        self.take(most, moves, &weights);
        self.weights = weights;
    }

    /// Takes the `most` heaviest of the moves that have these weights, none of them negative; of
    /// equals those that come first.
    #[inline]
    fn take(&mut self, most: usize, moves: &[M], weights: &[f32]) {
        let keys = weights.iter().enumerate().map(|(index, &weight)| key(weight, index));
        let most = most.min(moves.len());
        self.moves.clear();
        if most <= FEW {
            let mut heaviest = [0.0; FEW];
            keys.for_each(|key| insert(&mut heaviest, key));
            self.moves.extend(heaviest[..most].iter().map(|&key| moves[index(key)]));
        } else {
            self.keys.clear();
            self.keys.extend(keys);
            self.keys.sort_unstable_by(|a, b| b.total_cmp(a));
            self.moves.extend(self.keys[..most].iter().map(|&key| moves[index(key)]));
        }
    }
}

/// The bits that a number of single precision leaves unused in one of double precision.
const UNUSED: u64 = (1 << 29) - 1;

/// A number that is larger for a heavier move and, among equals, for one that comes first: the
/// weight with the place of the move in the bits that it leaves.
#[inline(always)]
fn key(weight: f32, index: usize) -> f64 {
    f64::from_bits(f64::from(weight).to_bits() | (!(index as u64) & UNUSED))
}

/// The place of the move with that key.
#[inline(always)]
fn index(key: f64) -> usize {
    (!key.to_bits() & UNUSED) as usize
}

/// Puts a key in its place among keys that fall; the last is lost.
#[inline(always)]
fn insert(sorted: &mut [f64; FEW], key: f64) {
    let before = *sorted;
    sorted[0] = larger(key, before[0]);
    for place in 1..FEW {
        sorted[place] = larger(smaller(key, before[place - 1]), before[place]);
    }
}

/// Not [`f64::max`], which is slower since it must heed what is not a number.
#[inline(always)]
fn larger(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

#[inline(always)]
fn smaller(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rng;

    #[test]
    fn the_heaviest_are_those_that_sorting_puts_first() {
        let mut rng = Rng::new(3);
        let mut heaviest = Heaviest::default();
        for _ in 0..2_000 {
            let count = rng.below(12);
            let moves: Vec<u32> = (0..count).collect();
            let weights: Vec<f32> = moves.iter().map(|_| rng.below(5) as f32).collect();
            let mut sorted = moves.clone();
            sorted.sort_by(|&a, &b| weights[b as usize].total_cmp(&weights[a as usize]));
            for most in 0..14 {
                heaviest.take(most, &moves, &weights);
                assert_eq!(heaviest.moves, &sorted[..most.min(sorted.len())], "{weights:?}");
            }
        }
    }
}
