//! A little noise in the evaluations of a playout.

use monteverde_game::Rng;
use monteverde_game::playout_knowledge::{LOST, WON};

/// Puts each eval off by at most `most` points either way; what is won or lost stays so. Without
/// noise nothing is drawn.
#[inline(always)]
pub(super) fn add(most: Option<u32>, evals: &mut [f32], rng: &mut Rng) {
    let Some(most) = most else { return };
    for eval in evals.iter_mut().filter(|eval| **eval != WON && **eval != LOST) {
        *eval += rng.below(2 * most + 1) as f32 - most as f32;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_stays_within_its_bounds_and_leaves_results_alone() {
        let mut rng = Rng::new(1);
        let before = rng.clone();
        let mut evals = [WON, LOST, 5.0];
        add(None, &mut evals, &mut rng);
        assert_eq!((evals, &rng), ([WON, LOST, 5.0], &before), "nothing is drawn");
        let (mut least, mut most) = (f32::MAX, f32::MIN);
        for _ in 0..500 {
            let mut evals = [WON, LOST, 5.0];
            add(Some(3), &mut evals, &mut rng);
            assert_eq!(evals[..2], [WON, LOST]);
            (least, most) = (least.min(evals[2]), most.max(evals[2]));
        }
        assert_eq!((least, most), (2.0, 8.0));
    }
}
