//! Draws by history and the table.

use monteverde_game::limit::Limit;
use monteverde_game::{Game, Never, NoKnowledge, Outcome, Proof, Side, Step};
use monteverde_minimax::{Config, Search};

/// A graph of six places; whoever comes to a place for the second time has a draw. First moves from
/// the root to `a` or `b`; from both Second can go to `x`, where First may go on to `a` or give up.
///
/// By `a`, going back there from `x` draws; by `b` it does not, because there Second goes on to
/// `won`.
#[derive(Clone, Debug)]
struct Loop {
    past: Vec<u8>,
    place: u8,
}

const ROOT: u8 = 0;
const A: u8 = 1;
const B: u8 = 2;
const X: u8 = 3;
const WON: u8 = 4;
const LOST: u8 = 5;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct To(u8);

impl Step for To {
    fn to_bits(self) -> u32 {
        u32::from(self.0)
    }
    fn from_bits(bits: u32) -> Self {
        To(bits as u8)
    }
}

impl Game for Loop {
    type Move = To;
    type Event = Never;
    const NAME: &'static str = "loop";

    fn turn(&self) -> Side {
        if self.past.len().is_multiple_of(2) { Side::First } else { Side::Second }
    }
    fn outcome(&self) -> Option<Outcome> {
        if matches!(self.place, WON | LOST) {
            return Some(Outcome::Win(Side::Second));
        }
        self.is_drawn_by_history().then_some(Outcome::Draw)
    }
    fn ending(&self) -> Option<&'static str> {
        self.outcome().map(|_| "end")
    }
    fn moves(&self, buffer: &mut Vec<To>) {
        let places: &[u8] = match self.place {
            ROOT => &[A, B],
            A => &[X, WON],
            B => &[X],
            X => &[A, LOST],
            _ => &[],
        };
        buffer.extend(places.iter().map(|&place| To(place)));
    }
    fn play(&mut self, mv: To) {
        self.past.push(self.place);
        self.place = mv.0;
    }
    fn key(&self) -> u64 {
        // The table takes its index from the high bits.
        u64::from(self.place).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
    fn recomputed_key(&self) -> u64 {
        self.key()
    }
    fn is_drawn_by_history(&self) -> bool {
        self.past.contains(&self.place)
    }
}

#[test]
fn a_draw_by_history_does_not_get_into_the_table() {
    for table in [None, Some(1 << 16)] {
        for depth in [5, 6, 7, 20] {
            let config = Config { depth: Some(depth), table, ..Config::PLAIN };
            let state = Loop { past: Vec::new(), place: ROOT };
            let report = Search::new(config, NoKnowledge).run(&state, &Limit::none());
            // By `b`, `x` and `a` to `won`: four plies.
            assert_eq!(report.proof, Proof::Loss(4), "table {table:?}, depth {depth}");
        }
    }
}
