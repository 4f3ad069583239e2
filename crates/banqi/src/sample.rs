//! Moves and playouts by the weight of what a move captures, and the pieces that flips show.
//!
//! Moves are counted, not listed: flips, steps to empty squares, of which the squares in each
//! direction are one shifted set, and captures, for which own pieces beside enemies are looked at
//! one by one. One random number then falls into one of these, and into a move of it.

use crate::attacks::NEIGHBOURS;
use crate::scene::{Draw, Drawn, FromTo, Scene, Steps, nth_step, onto, steps};
use crate::{Board, Piece, Square, Weights, bits};
use monteverde_game::Rng;
use monteverde_game::isa::Isa;

/// Moves are as likely as their weights say.
#[derive(Clone, Copy)]
pub(crate) struct Weighted<'a>(pub(crate) &'a Weights);

impl Draw for Weighted<'_> {
    #[inline(always)]
    fn draw<I: Isa, const OWN: usize>(
        self,
        isa: I,
        scene: &Scene<'_>,
        rng: &mut Rng,
    ) -> Option<Drawn> {
        let Weighted(weights) = self;
        let (own, enemy) = (scene.armies[OWN], scene.armies[1 - OWN]);
        let reach = steps(own);
        let quiet = onto(reach, scene.squares & !scene.covered & !own & !enemy);
        let (flips, upright) = (scene.covered.count_ones(), quiet[0].count_ones());
        let others = flips + upright + quiet[1].count_ones();
        let contacts = onto(reach, enemy);
        let captures = by_step(scene, weights, contacts) + by_jump::<I, OWN>(isa, scene, weights);
        let total = captures + others * weights.others();
        if total == 0 {
            return None;
        }
        let drawn = rng.below(total);
        if drawn < captures {
            return Some(Drawn::Capture(capture::<I, OWN>(isa, scene, weights, drawn)));
        }
        let index = weights.other(drawn - captures);
        if index < flips {
            return Some(Drawn::Flip(Square::wrap(isa.nth(u64::from(scene.covered), index))));
        }
        Some(Drawn::Step(FromTo::of(nth_step(isa, quiet, upright, index - flips))))
    }
}

/// The weight of all captures by steps, of which `contacts` are those onto enemies, whether the
/// piece takes them or not.
#[inline(always)]
fn by_step(scene: &Scene<'_>, weights: &Weights, contacts: Steps) -> u32 {
    let [mut upright, mut sideways] = contacts;
    let mut weight = 0;
    // Most often there is no more than one of each, so that the end of the loop is foreseen. Where
    // there is none, the square is none either, and no piece lies there.
    loop {
        let [vertical, level] =
            [upright & upright.wrapping_neg(), sideways & sideways.wrapping_neg()];
        for way in [FromTo::of([vertical, 0]), FromTo::of([0, level])] {
            weight += weights.step(scene.face(way.from), scene.face(way.to));
        }
        (upright, sideways) = (upright ^ vertical, sideways ^ level);
        if upright | sideways == 0 {
            return weight;
        }
    }
}

/// The weight of all captures by cannons.
#[inline(always)]
fn by_jump<I: Isa, const OWN: usize>(isa: I, scene: &Scene<'_>, weights: &Weights) -> u32 {
    let mut weight = 0;
    for cannon in bits(scene.cannons[OWN]) {
        let targets = scene.jumps::<I, OWN>(isa, cannon);
        // Most often there is no more than one.
        let first = targets & targets.wrapping_neg();
        weight += weights.capture_of(scene.face(first));
        for to in bits(targets ^ first) {
            weight += weights.capture_of(scene.at[to.index()]);
        }
    }
    weight
}

/// The capture into which a number below the weight of all falls: first those by steps, by the
/// enemy and then by the own piece, then those by cannons.
#[inline(always)]
fn capture<I: Isa, const OWN: usize>(
    isa: I,
    scene: &Scene<'_>,
    weights: &Weights,
    mut rest: u32,
) -> FromTo {
    let own = scene.armies[OWN];
    for to in bits(targets(steps(own)) & scene.armies[1 - OWN]) {
        for from in bits(NEIGHBOURS[to.index()] & own) {
            let weight = weights.step(scene.at[from.index()], scene.at[to.index()]);
            if rest < weight {
                return FromTo { from: from.bit(), to: to.bit() };
            }
            rest -= weight;
        }
    }
    for cannon in bits(scene.cannons[OWN]) {
        for to in bits(scene.jumps::<I, OWN>(isa, cannon)) {
            let weight = weights.capture_of(scene.at[to.index()]);
            if rest < weight {
                return FromTo { from: cannon.bit(), to: to.bit() };
            }
            rest -= weight;
        }
    }
    unreachable!("the weights of all captures add up")
}

/// The squares that steps end on.
#[inline(always)]
fn targets(steps: Steps) -> u32 {
    let all = steps[0] | steps[1];
    (all | all >> 32) as u32
}

/// A random covered piece of a board that has some.
#[inline(always)]
pub(crate) fn sample_event(board: &Board, rng: &mut Rng) -> Piece {
    sample_piece(board.pools(), board.covered().count_ones(), rng)
}

/// A random piece of `count` covered ones, of which the pools of red and black hold so many of each
/// kind as a byte says.
#[inline(always)]
pub(crate) fn sample_piece(pools: [u64; 2], count: u32, rng: &mut Rng) -> Piece {
    // Each byte of a product holds the sum of the counts up to its kind, at most 32.
    let (red, black) = (pools[0].wrapping_mul(EACH_BYTE), pools[1].wrapping_mul(EACH_BYTE));
    let drawn = u64::from(rng.below(count));
    let reds = red >> 56;
    let (colour, sums, rest) =
        if drawn < reds { (0, red, drawn) } else { (8, black, drawn - reds) };
    // The first sum above the rest is the first byte that reaches 128.
    let above = sums.wrapping_add((127 - rest).wrapping_mul(EACH_BYTE)) & (EACH_BYTE << 7);
    Piece::wrap(colour + (above.trailing_zeros() / 8) as u8)
}

const EACH_BYTE: u64 = 0x0101_0101_0101_0101;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::tests::by_moves;
    use crate::{Banqi, Likely};
    use monteverde_game::{Game, Notation, Side};

    /// Paper 004, table 1, and 2 for every other move.
    const PAPER: Weights = Weights::new([55, 50, 25, 10, 8, 30, 8], 2);

    /// A weighted playout is the loop over weighted moves.
    #[test]
    fn weighted_playouts_are_loops_over_weighted_moves() {
        for seed in 0..100 {
            let (mut whole, mut looped) = (Banqi::start(), Banqi::start());
            let (mut rng, mut loop_rng) = (Rng::new(seed), Rng::new(seed));
            let found = whole.playout_weighted(&PAPER, |_| Likely::Unknown, &mut rng).playout;
            let expected = by_moves(&mut looped, &mut loop_rng, |state, rng| {
                state.sample_weighted(&PAPER, rng)
            });
            assert_eq!((found.outcome, found.plies), expected);
            assert_eq!((whole.ending(), rng), (looped.ending(), loop_rng));
        }
    }

    /// As others have counted: they take 147.2 plies.
    #[test]
    fn playouts_are_as_long_as_is_known() {
        const GAMES: u32 = 20_000;
        let mut rng = Rng::new(2);
        let (mut plies, mut firsts) = (0, 0);
        for _ in 0..GAMES {
            let mut state = Banqi::start();
            let playout = state.playout_weighted(&PAPER, |_| Likely::Unknown, &mut rng).playout;
            plies += playout.plies;
            firsts += playout.outcome.value_for(Side::First);
        }
        // The standard error is 0.3 plies.
        let mean = f64::from(plies) / f64::from(GAMES);
        assert!((mean - 147.2).abs() < 1.5, "mean {mean}");
        assert!(f64::from(firsts.abs()) / f64::from(GAMES) < 0.03, "an even game: {firsts}");
    }
}
