//! What a table's win is worth in a game: tables know nothing of fifty moves and repetitions.
//!
//! Along a win the distance falls with every ply, whatever the loser does. So no state occurs twice
//! after the present one, and the only repetition that may draw is of a state that occurred twice
//! already and lies nearer to the mate. A win is certain if it is over before fifty moves are, and
//! if the winner can avoid those states without losing a ply.
//!
//! A draw of the tables is certain in any case: rules that draw take nothing from either side.

use monteverde_chess::{Board, Chess};
use monteverde_game::{Game, Proof};

/// After so many states the winner's ways round are left to the search.
const MOST_PROBES: u32 = 1_000;

/// No more states than plies can have occurred twice before fifty moves are over.
const MOST_REPEATED: usize = 100;

/// What is certain about a game, where `probe` knows positions without their past.
pub fn certain(state: &Chess, probe: impl Fn(&Board) -> Proof) -> Proof {
    let proof = probe(state.board());
    let Some(plies) = proof.plies() else { return proof };
    if u32::from(plies) > state.plies_left() {
        return Proof::Open;
    }
    if !state.has_repeated() {
        return proof;
    }
    let mut way = WayToMate {
        probe,
        drawn: [0; MOST_REPEATED],
        count: 0,
        nearest: plies,
        probes_left: MOST_PROBES,
    };
    state.for_each_repeated(|board| way.note(board, plies));
    if way.keeps(state.board(), proof) { proof } else { Proof::Open }
}

/// The winner's way to the mate, round the states that draw.
struct WayToMate<P> {
    probe: P,
    /// The keys of the states that draw, if they occur again, and lie nearer to the mate.
    drawn: [u64; MOST_REPEATED],
    count: usize,
    /// The least distance of those states; without any, the distance of the present one.
    nearest: u16,
    probes_left: u32,
}

impl<P: Fn(&Board) -> Proof> WayToMate<P> {
    /// Notes a state that draws if it occurs again, where the present one is so far from the mate.
    fn note(&mut self, board: &Board, present: u16) {
        let plies = match (self.probe)(board) {
            // Nobody who wins goes there.
            Proof::Draw => return,
            Proof::Win(plies) | Proof::Loss(plies) => plies,
            // It might lie anywhere: the table is damaged.
            Proof::Open => 0,
        };
        if plies < present {
            self.drawn[self.count] = board.key();
            self.count += 1;
            self.nearest = self.nearest.min(plies);
        }
    }

    /// Whether the winner mates from here as soon as the tables say without coming to a state that
    /// draws. Takes it for no where that takes too long to find out.
    fn keeps(&mut self, board: &Board, proof: Proof) -> bool {
        let Some(plies) = proof.plies() else { return false };
        if self.count == 0 || plies <= self.nearest {
            return true;
        }
        let wins = matches!(proof, Proof::Win(_));
        // This is rare enough for a list to be made.
        let mut moves = Vec::new();
        board.legal_moves(&mut moves);
        let mut follows = |&mv: &monteverde_chess::Move| {
            let mut after = *board;
            after.play(mv);
            let Some(left) = self.probes_left.checked_sub(1) else { return false };
            self.probes_left = left;
            let found = (self.probe)(&after);
            // The loser may choose a way that is shorter; the winner takes the shortest.
            let is_on_the_way = !wins || found == Proof::Loss(plies - 1);
            is_on_the_way && !self.is_drawn(&after) && self.keeps(&after, found)
        };
        if wins { moves.iter().any(&mut follows) } else { moves.iter().all(&mut follows) }
    }

    fn is_drawn(&self, board: &Board) -> bool {
        self.drawn[..self.count].contains(&board.key())
    }
}
