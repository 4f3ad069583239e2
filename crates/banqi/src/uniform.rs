//! Moves and playouts where every legal move is as likely as every other.
//!
//! Steps onto empty squares and onto enemies are counted together, as shifted sets. Whether a piece
//! may take the enemy it steps onto is asked only where such a step is drawn; if it may not, that
//! step is left out and another move drawn. The first legal one of moves in random order is any
//! legal move with equal probability.

use crate::scene::{Draw, Drawn, FromTo, Scene, nth_step, onto, steps};
use crate::{Kind, Square, bits};
use monteverde_game::Rng;
use monteverde_game::isa::Isa;

/// Every legal move is as likely as every other.
#[derive(Clone, Copy)]
pub(crate) struct Uniform;

impl Draw for Uniform {
    #[inline(always)]
    fn draw<I: Isa, const OWN: usize>(
        self,
        isa: I,
        scene: &Scene<'_>,
        rng: &mut Rng,
    ) -> Option<Drawn> {
        let (own, enemy) = (scene.armies[OWN], scene.armies[1 - OWN]);
        let mut words = onto(steps(own), scene.squares & !scene.covered & !own);
        let flips = scene.covered.count_ones();
        let cannons = bits(scene.cannons[OWN]);
        let far: u32 = cannons.map(|at| scene.jumps::<I, OWN>(isa, at).count_ones()).sum();
        loop {
            let upright = words[0].count_ones();
            let near = upright + words[1].count_ones();
            let total = near + flips + far;
            if total == 0 {
                return None;
            }
            let drawn = rng.below(total);
            if drawn >= near {
                return Some(flip_or_jump::<I, OWN>(isa, scene, drawn - near));
            }
            let step = nth_step(isa, words, upright, drawn);
            let way = FromTo::of(step);
            if enemy & way.to == 0 {
                return Some(Drawn::Step(way));
            }
            if is_capture(scene, way) {
                return Some(Drawn::Capture(way));
            }
            words = [words[0] ^ step[0], words[1] ^ step[1]];
        }
    }
}

#[inline(always)]
fn flip_or_jump<I: Isa, const OWN: usize>(isa: I, scene: &Scene<'_>, index: u32) -> Drawn {
    let flips = scene.covered.count_ones();
    if index < flips {
        return Drawn::Flip(Square::wrap(isa.nth(u64::from(scene.covered), index)));
    }
    let mut rest = index - flips;
    for cannon in bits(scene.cannons[OWN]) {
        let targets = scene.jumps::<I, OWN>(isa, cannon);
        if rest < targets.count_ones() {
            let to = isa.nth_bit(u64::from(targets), rest) as u32;
            return Drawn::Capture(FromTo { from: cannon.bit(), to });
        }
        rest -= targets.count_ones();
    }
    unreachable!("the jumps of all cannons add up")
}

/// Whether a step onto an enemy captures it.
#[inline(always)]
fn is_capture(scene: &Scene<'_>, way: FromTo) -> bool {
    let (hunter, prey) = (scene.at[way.from().index()], scene.at[way.to().index()]);
    TAKES[hunter.row()] >> prey.row() & 1 != 0
}

/// For each kind the kinds that it captures by stepping onto them, as bits; none for the number
/// that is no kind.
static TAKES: [u8; 8] = takes();

const fn takes() -> [u8; 8] {
    let mut takes = [0; 8];
    let mut hunter = 0;
    while hunter < Kind::ALL.len() {
        let mut prey = 0;
        while prey < Kind::ALL.len() {
            takes[hunter] |= (Kind::ALL[hunter].takes(Kind::ALL[prey]) as u8) << prey;
            prey += 1;
        }
        hunter += 1;
    }
    takes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::tests::by_moves;
    use crate::{Banqi, Colour, state};
    use monteverde_game::{Game, Notation, Outcome};

    /// A playout is the loop over sampled moves, by each rule of repetitions, and leaves the same
    /// state behind.
    #[test]
    fn playouts_are_loops_over_moves() {
        for rules in ["", " repetition=cycle", " repetition=off,plies=60"] {
            let start = Banqi::new(state::parse(&format!("{}{rules}", state::START)).unwrap());
            for seed in 0..200 {
                let (mut whole, mut looped) = (start.clone(), start.clone());
                let (mut rng, mut loop_rng) = (Rng::new(seed), Rng::new(seed));
                let found = whole.playout(&mut rng);
                let expected = by_moves(&mut looped, &mut loop_rng, Banqi::sample);
                assert_eq!((found.outcome, found.plies), expected);
                assert_eq!((whole.ending(), &rng), (looped.ending(), &loop_rng));
                let (board, expected) = (whole.board(), looped.board());
                assert_eq!(state::write(board), state::write(expected));
                assert_eq!((board.key(), board.key()), (expected.key(), whole.recomputed_key()));
                assert_eq!(board.material(), expected.material());
                assert_eq!(board.combination(), expected.combination());
                assert_eq!(
                    Colour::ALL.map(|colour| board.left(colour)),
                    Colour::ALL.map(|colour| expected.left(colour))
                );
            }
        }
    }

    /// Every legal move is drawn equally often, and no other, where pieces stand beside enemies
    /// that they may not take.
    #[test]
    fn moves_are_drawn_evenly() {
        const EACH: u32 = 4000;
        for text in [
            "1kP1/pKg1/1CpX/XnGc/2R1/4/4/4 r Pp 0",
            "P1KC/p1pP/4/cKgm/XXXX/4/4/4 b PPkk 3",
            "4/4/4/4/4/4/pp2/Kp2 r - 0",
        ] {
            let state = Banqi::new(state::parse(text).unwrap());
            let mut moves = Vec::new();
            state.moves(&mut moves);
            let mut counts = vec![0u32; moves.len()];
            let mut rng = Rng::new(5);
            for _ in 0..EACH * moves.len() as u32 {
                let Ok(mv) = state.sample(&mut rng) else {
                    assert!(moves.is_empty(), "{text}");
                    continue;
                };
                counts[moves.iter().position(|&legal| legal == mv).unwrap()] += 1;
            }
            // Five standard deviations, each the square root of the count.
            let most = 5 * EACH.isqrt();
            assert!(counts.iter().all(|count| count.abs_diff(EACH) < most), "{text}: {counts:?}");
        }
    }

    /// As others have counted: they take 209.5 plies, and 87% of them are drawn.
    #[test]
    fn playouts_are_as_long_as_is_known() {
        const GAMES: u32 = 20_000;
        let mut rng = Rng::new(2);
        let (mut plies, mut draws) = (0, 0);
        for _ in 0..GAMES {
            let playout = Banqi::start().playout(&mut rng);
            plies += playout.plies;
            draws += u32::from(playout.outcome == Outcome::Draw);
        }
        // The standard errors are 0.3 plies and 0.0024.
        let mean = |sum: u32| f64::from(sum) / f64::from(GAMES);
        assert!((mean(plies) - 209.5).abs() < 1.5, "mean {}", mean(plies));
        assert!((mean(draws) - 0.87).abs() < 0.012, "draws {}", mean(draws));
    }
}
