//! The moves with the highest weight, without sorting all of them.

/// Some moves, heaviest first. Keeps its room, so that filling it does not allocate.
#[derive(Debug)]
pub(super) struct Heaviest<M> {
    moves: Vec<M>,
    weights: Vec<f32>,
}

impl<M: Copy + PartialEq> Heaviest<M> {
    pub(super) fn new() -> Self {
        Heaviest { moves: Vec::with_capacity(64), weights: Vec::with_capacity(64) }
    }

    /// The moves, heaviest first.
    pub(super) fn moves(&self) -> &[M] {
        &self.moves
    }

    /// Takes the `most` heaviest of the moves that have these weights; of equals those that come first.
    pub(super) fn take(&mut self, most: usize, moves: &[M], weights: &[f32]) {
        self.moves.clear();
        self.weights.clear();
        for (&mv, &weight) in moves.iter().zip(weights) {
            let is_full = self.moves.len() == most;
            if is_full && self.weights.last().is_none_or(|&least| weight <= least) {
                continue;
            }
            if is_full {
                self.moves.pop();
                self.weights.pop();
            }
            let heavier = self.weights.iter().rposition(|&other| other >= weight);
            let place = heavier.map_or(0, |index| index + 1);
            self.moves.insert(place, mv);
            self.weights.insert(place, weight);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use monteverde_game::Rng;

    #[test]
    fn the_heaviest_are_those_that_sorting_puts_first() {
        let mut rng = Rng::new(3);
        let mut heaviest = Heaviest::new();
        for _ in 0..2_000 {
            let count = rng.below(12);
            let moves: Vec<u32> = (0..count).collect();
            let weights: Vec<f32> = moves.iter().map(|_| rng.below(5) as f32).collect();
            let mut sorted = moves.clone();
            sorted.sort_by(|&a, &b| weights[b as usize].total_cmp(&weights[a as usize]));
            for most in 0..14 {
                heaviest.take(most, &moves, &weights);
                assert_eq!(heaviest.moves(), &sorted[..most.min(sorted.len())], "{weights:?}");
            }
        }
    }
}
