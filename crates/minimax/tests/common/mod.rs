//! Games made for the tests.

use monteverde_game::rng::stream_seed;
use monteverde_game::{Game, Knowledge, Never, Outcome, Side, Step};
use monteverde_minimax::Tactics;

/// A game that a seed makes up: layers of a few states each, so that paths meet again, with ends,
/// sides that move twice, loud moves and evals scattered at random.
#[derive(Clone, Debug)]
pub(crate) struct Scattered {
    seed: u64,
    layer: u64,
    place: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Branch(pub(crate) u32);

impl Step for Branch {
    fn to_bits(self) -> u32 {
        self.0
    }
    fn from_bits(bits: u32) -> Self {
        Branch(bits)
    }
}

/// Layers below the root.
const LAYERS: u64 = 9;
/// States in a layer.
const PLACES: u64 = 12;

impl Scattered {
    pub(crate) fn new(seed: u64) -> Self {
        Scattered { seed, layer: 0, place: 0 }
    }

    /// A number that depends on the state and on what it is for.
    fn draw(&self, what: u64) -> u64 {
        stream_seed(stream_seed(self.seed, self.layer * PLACES + self.place), what)
    }
}

impl Game for Scattered {
    type Move = Branch;
    type Event = Never;
    const NAME: &'static str = "scattered";

    fn turn(&self) -> Side {
        if self.draw(1).is_multiple_of(5) == self.layer.is_multiple_of(2) {
            Side::Second
        } else {
            Side::First
        }
    }
    fn outcome(&self) -> Option<Outcome> {
        match self.draw(2) % 16 {
            _ if self.layer == 0 => None,
            0 => Some(Outcome::Win(Side::First)),
            1 => Some(Outcome::Win(Side::Second)),
            2 => Some(Outcome::Draw),
            _ => (self.layer == LAYERS).then_some(Outcome::Draw),
        }
    }
    fn ending(&self) -> Option<&'static str> {
        self.outcome().map(|_| "end")
    }
    fn moves(&self, buffer: &mut Vec<Branch>) {
        if self.layer < LAYERS {
            buffer.extend((0..1 + (self.draw(3) % 4) as u32).map(Branch));
        }
    }
    fn play(&mut self, mv: Branch) {
        self.place = self.draw(100 + u64::from(mv.0)) % PLACES;
        self.layer += 1;
    }
    fn key(&self) -> u64 {
        self.draw(0)
    }
    fn recomputed_key(&self) -> u64 {
        self.key()
    }
}

/// Evals that are now and then equal, and some loud moves.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Guesses;

impl Knowledge<Scattered> for Guesses {
    fn eval(&self, state: &Scattered) -> Option<f32> {
        Some((state.draw(4) % 21) as f32 - 10.0)
    }
}

impl Tactics<Scattered> for Guesses {
    fn loud(&self, state: &Scattered, mv: Branch) -> Option<i32> {
        let draw = state.draw(200 + u64::from(mv.0));
        draw.is_multiple_of(3).then_some((draw >> 8) as i32 % 7 - 2)
    }
    fn surprise(&self, state: &Scattered, mv: Branch) -> Option<f32> {
        let draw = state.draw(300 + u64::from(mv.0));
        (!draw.is_multiple_of(5)).then_some((draw >> 8) as u8 as f32 / 32.0)
    }
    fn is_urgent(&self, state: &Scattered) -> bool {
        state.draw(5).is_multiple_of(6)
    }
}
