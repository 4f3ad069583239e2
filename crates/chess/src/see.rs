//! Static exchange evaluation: what a move wins or loses if both sides go on capturing on its
//! square.
//!
//! The value is exact: it is that of the game in which the sides take turns, may only capture on
//! the square, only with legal moves, and may stop at any time. Taking with the least valuable
//! piece first is not always best there, because a piece that leaves its square may open a line: to
//! the square for either side, to the own king (then it was pinned and may not leave), or to the
//! enemy king (then only that king may still capture). So the search below tries every capture that
//! could matter. It still visits few nodes: pieces on no such line are interchangeable except for
//! their value, of them only the cheapest is tried, and what is left is cut by alpha-beta. In
//! positions from games that makes about two nodes for a move that can be answered. Boards made to
//! have ten queens a side aim at one square, which no game reaches, would take many thousands:
//! after `MOST_NODES` of them each side takes with the cheapest piece that may, or stops, and the
//! value is no longer exact.
//!
//! Whether a capture on the square is legal does not depend on which pieces have captured there
//! before, since the capture removes the last of them. Hence the set of squares that are still
//! occupied is all that the search has to carry along.

use crate::army::{Army, Black, White};
use crate::isa::{self, Isa, Task};
use crate::position::{Position, bits};
use crate::tables::{BETWEEN, BISHOP, ROOK};
use crate::{Bitboard, Board, Color, Move, Piece, Square};
use std::cell::Cell;

/// What a legal move wins for the side that plays it, negative if it loses: a pawn counts 100,
/// knights and bishops 300, a rook 500, a queen 900, a promotion the difference. Between -900 and
/// 1700; never positive for a move that neither captures nor promotes, and 0 for castling.
///
/// Only captures on the square that the move goes to are looked at, so a pawn that may be captured
/// en passant is not in danger by that. The value is exact but for boards with far more attackers
/// of one square than games have.
///
/// # Panics
/// May panic, or return a meaningless value, if the move is not legal.
pub fn see(board: &Board, mv: Move) -> i32 {
    isa::run(See { position: &board.position, mv })
}

/// Whether [`see`] is at least `threshold`, found faster than the value. Where [`see`] is not
/// exact, this may still be.
///
/// # Panics
/// As [`see`].
pub fn see_at_least(board: &Board, mv: Move, threshold: i32) -> bool {
    isa::run(SeeAtLeast { position: &board.position, mv, threshold })
}

/// Calls `take` with whether the [`see`] of each of these legal moves is at least 0, in their
/// order. What holds for all of them is looked at once, so that it is several times as fast as
/// [`see_at_least`].
///
/// # Panics
/// As [`see`].
pub fn for_each_sound(board: &Board, moves: &[Move], take: impl FnMut(bool)) {
    isa::run(EachSound { position: &board.position, moves, take });
}

struct EachSound<'a, F> {
    position: &'a Position,
    moves: &'a [Move],
    take: F,
}

impl<F: FnMut(bool)> Task for EachSound<'_, F> {
    type Output = ();

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) {
        let EachSound { position, moves, mut take } = self;
        let dangers = match position.turn {
            Color::White => Dangers::of::<I, Black>(isa, position),
            Color::Black => Dangers::of::<I, White>(isa, position),
        };
        for &mv in moves {
            take(match dangers.is_sound(position, mv) {
                Some(is_sound) => is_sound,
                None => isa.enter(SeeAtLeast { position, mv, threshold: 0 }),
            });
        }
    }
}

/// Where the enemy may capture what has just moved.
struct Dangers {
    /// The squares that it attacks, or will when one of our pieces has moved away.
    attacked: u64,
    /// Those where a pawn can capture whatever comes there.
    by_pawns: u64,
}

impl Dangers {
    /// Those that the army `A`, whose turn it is not, is to the other.
    #[inline(always)]
    fn of<I: Isa, A: Army>(isa: I, position: &Position) -> Dangers {
        let (ours, theirs) = (position.colors[A::THEM], position.colors[A::US]);
        let occupied = position.occupied();
        let of = |piece: Piece| position.pieces[piece.index()] & theirs;
        let pawns = A::west(of(Piece::Pawn)) | A::east(of(Piece::Pawn));
        let king = position.king(A::US);
        let mut attacked = pawns | isa.king(king);
        bits(of(Piece::Knight)).for_each(|square| attacked |= isa.knight(square));
        // Behind the first of our pieces a line goes on, should that be the one that moves.
        for square in bits(position.diagonals() & theirs) {
            let seen = isa.bishop(square, occupied);
            attacked |= seen | isa.bishop(square, occupied & !(seen & ours));
        }
        for square in bits(position.orthogonals() & theirs) {
            let seen = isa.rook(square, occupied);
            attacked |= seen | isa.rook(square, occupied & !(seen & ours));
        }
        // A pawn may be held back by a slider behind it and behind the piece that moves.
        let snipers =
            (position.diagonals() & BISHOP[king] | position.orthogonals() & ROOK[king]) & ours;
        let may_hold = |sniper: usize| (BETWEEN[king][sniper] & occupied).count_ones() <= 2;
        let by_pawns = if bits(snipers).any(may_hold) { 0 } else { pawns };
        Dangers { attacked, by_pawns }
    }

    /// Whether the [`see`] of a legal move is at least 0, where that is plain.
    #[inline(always)]
    fn is_sound(&self, position: &Position, mv: Move) -> Option<bool> {
        let is_in = |set: u64| set >> mv.to().index() & 1 != 0;
        // A pawn that is captured en passant opens a line as well.
        if mv.piece() == Piece::King || !is_in(self.attacked) && !mv.is_en_passant() {
            return Some(true);
        }
        let (gain, exposed) = stakes(position, mv);
        let loses = is_in(self.by_pawns) && gain < exposed - WORTH[Piece::Pawn.index()];
        loses.then_some(false)
    }
}

struct See<'a> {
    position: &'a Position,
    mv: Move,
}

impl Task for See<'_> {
    type Output = i32;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> i32 {
        let (gain, exposed) = stakes(self.position, self.mv);
        match Exchange::after(isa, self.position, self.mv) {
            Some(exchange) => {
                gain - exchange.answer(exposed, Window { low: 0, high: exposed + PROMOTION })
            }
            None => gain,
        }
    }
}

struct SeeAtLeast<'a> {
    position: &'a Position,
    mv: Move,
    threshold: i32,
}

impl Task for SeeAtLeast<'_> {
    type Output = bool;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> bool {
        let (gain, exposed) = stakes(self.position, self.mv);
        // The answer is worth nothing at least and may cost no more than this.
        let allowed = gain - self.threshold;
        let most = if is_last_rank(self.mv.to()) { exposed + PROMOTION } else { exposed };
        allowed >= most
            || allowed >= 0
                && Exchange::after(isa, self.position, self.mv).is_none_or(|exchange| {
                    let window = Window { low: allowed, high: allowed + 1 };
                    exchange.answer(exposed, window) <= allowed
                })
    }
}

/// Gives the value of a legal move if it is above the floor, which its gain is.
pub(crate) struct SeeAbove<'a> {
    pub(crate) position: &'a Position,
    pub(crate) mv: Move,
    /// The move's, see [`stakes`].
    pub(crate) stakes: (i32, i32),
    pub(crate) floor: i32,
}

impl Task for SeeAbove<'_> {
    type Output = Option<i32>;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Option<i32> {
        let SeeAbove { position, mv, stakes: (gain, exposed), floor } = self;
        let Some(exchange) = Exchange::after(isa, position, mv) else { return Some(gain) };
        let window = Window { low: 0, high: (gain - floor).min(exposed + PROMOTION) };
        let value = gain - exchange.answer(exposed, window);
        (value > floor).then_some(value)
    }
}

/// The worth of a pawn, knight, bishop, rook and queen, in the order of [`Piece::index`]. A king is
/// never captured.
const WORTH: [i32; 6] = [100, 300, 300, 500, 900, 0];

/// How many nodes of an exchange are searched in full, for a bound on the time that any board may
/// take.
const MOST_NODES: u32 = 2_000;

/// What a pawn gains by becoming a queen. To become less is never better in an exchange: what is
/// lost when it is recaptured shrinks by no more than what is gained.
const PROMOTION: i32 = WORTH[Piece::Queen.index()] - WORTH[Piece::Pawn.index()];

/// Whether pawns of either side promote there.
#[inline(always)]
fn is_last_rank(square: Square) -> bool {
    matches!(square.rank(), 0 | 7)
}

/// What a move gains at once, and the worth of the piece that then stands on its square.
#[inline(always)]
pub(crate) fn stakes(position: &Position, mv: Move) -> (i32, i32) {
    let pawn = WORTH[Piece::Pawn.index()];
    if mv.is_castling() {
        return (0, 0);
    }
    // By arithmetic, since what is captured would often be guessed wrong.
    let is_on = |pieces: u64| (pieces >> mv.to().index() & 1) as i32;
    let captured: i32 =
        position.pieces.iter().zip(WORTH).map(|(&set, worth)| is_on(set) * worth).sum();
    let captured = captured + i32::from(mv.is_en_passant()) * pawn;
    match mv.promotion() {
        Some(piece) => (captured + WORTH[piece.index()] - pawn, WORTH[piece.index()]),
        None => (captured, WORTH[mv.piece().index()]),
    }
}

/// Captures on one square, after a first move to it. Sets of squares leave the square itself out.
struct Exchange<'a> {
    position: &'a Position,
    target: Square,
    /// The squares that are occupied after the first move, the target among them.
    occupied: u64,
    /// Who answers the first move.
    answering: Color,
    /// The pieces that attack the target.
    direct: u64,
    /// The sliders that will attack it when all pieces before them have captured there.
    hidden: u64,
    /// For the king of each colour the enemy sliders that attack it, or will if pieces leave for
    /// the target.
    snipers: [u64; 2],
    /// Squares that change more than their own piece when they are left: those between a slider
    /// and the target or a king, and those from which a sniper pins.
    hinges: u64,
    /// How many nodes have been searched.
    nodes: Cell<u32>,
}

/// The values that matter to a search: what is at most `low` or at least `high` need not be exact.
#[derive(Clone, Copy)]
struct Window {
    low: i32,
    high: i32,
}

impl<'a> Exchange<'a> {
    /// The exchange that a move begins, `None` if no enemy piece attacks its square.
    #[inline(always)]
    fn after<I: Isa>(isa: I, position: &'a Position, mv: Move) -> Option<Exchange<'a>> {
        // A king moves only where nothing can capture it.
        if mv.piece() == Piece::King {
            return None;
        }
        let target = mv.to();
        let square = target.index();
        let mut occupied = (position.occupied() ^ 1 << mv.from().index()) | 1 << square;
        if mv.is_en_passant() {
            occupied ^= 1 << Square::at(target.file(), mv.from().rank()).index();
        }
        let direct = position.attackers(isa, square, occupied) & occupied;
        let answering = position.turn.other();
        if direct & position.colors[answering.index()] == 0 {
            return None;
        }
        Some(Exchange::among(position, target, occupied, direct))
    }

    /// The exchange on the square that those pieces attack.
    fn among(position: &'a Position, target: Square, occupied: u64, direct: u64) -> Exchange<'a> {
        let square = target.index();
        let bit = 1 << square;
        let answering = position.turn.other();
        let diagonal = position.diagonals();
        let straight = position.orthogonals();
        let aligned = (diagonal & BISHOP[square] | straight & ROOK[square]) & occupied;

        // A piece that can never take part blocks its lines for ever.
        let hidden = unblocked(square, aligned & !direct, occupied & !direct & !aligned);
        let walls = occupied & !direct & !hidden;
        let mut hinges = spans(square, hidden);
        let snipers = Color::ALL.map(|color| {
            let king = position.king(color.index());
            let enemies = position.colors[color.other().index()] & occupied & !bit;
            let aligned = (diagonal & BISHOP[king] | straight & ROOK[king]) & enemies;
            let snipers = unblocked(king, aligned, walls);
            hinges |= spans(king, snipers) | snipers;
            snipers
        });
        let nodes = Cell::new(0);
        Exchange { position, target, occupied, answering, direct, hidden, snipers, hinges, nodes }
    }

    /// What the answering side wins by capturing a piece of worth `exposed`, or 0.
    fn answer(&self, exposed: i32, window: Window) -> i32 {
        self.search(self.occupied, self.answering, exposed, window)
    }

    /// What `side` wins, at least 0, with `occupied` still in place and a piece of worth `exposed`
    /// on the target.
    fn search(&self, occupied: u64, side: Color, exposed: i32, window: Window) -> i32 {
        let Window { low, high } = window;
        let mut best = low.max(0);
        let promotes = is_last_rank(self.target);
        let pawn_gain = if promotes { exposed + PROMOTION } else { exposed };
        if best >= high.min(pawn_gain) {
            return best;
        }
        let attackers = self.attackers(occupied, side);
        if attackers == 0 {
            return best;
        }
        self.nodes.set(self.nodes.get() + 1);
        let pawns = self.position.pieces[Piece::Pawn.index()];
        let mut untried = attackers;
        for piece in [Piece::Pawn, Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen] {
            let gain = if piece == Piece::Pawn { pawn_gain } else { exposed };
            let next = gain - exposed + WORTH[piece.index()];
            // The enemy may stop, so no capture is worth more than its gain.
            while gain > best && best < high {
                let candidates = self.position.pieces[piece.index()] & untried;
                if candidates == 0 {
                    break;
                }
                let from = candidates & candidates.wrapping_neg();
                untried ^= from;
                if from & self.hinges == 0 {
                    // Other free pieces do the same at no lower price; a promotion is a case of its
                    // own.
                    let rivals = if gain > exposed { pawns } else { !0 };
                    untried &= self.hinges | !rivals;
                }
                let rest = occupied ^ from;
                if self.is_checked(side, rest) {
                    continue;
                }
                let reply = Window { low: gain - high, high: gain - best };
                best = best.max(gain - self.search(rest, side.other(), next, reply));
                if self.nodes.get() >= MOST_NODES {
                    return best;
                }
            }
        }
        let king = self.position.king(side.index());
        let rest = occupied ^ 1 << king;
        let king_captures =
            exposed > best && attackers >> king & 1 != 0 && self.attackers(rest, side.other()) == 0;
        if king_captures { exposed } else { best }
    }

    /// The pieces of a side that attack the target, pinned or not.
    #[inline]
    fn attackers(&self, occupied: u64, side: Color) -> u64 {
        let own = self.position.colors[side.index()] & occupied;
        self.direct & own | unblocked(self.target.index(), self.hidden & own, occupied)
    }

    /// Whether a side's king is attacked by anything but a piece on the target.
    #[inline]
    fn is_checked(&self, side: Color, occupied: u64) -> bool {
        let snipers = self.snipers[side.index()] & occupied;
        unblocked(self.position.king(side.index()), snipers, occupied) != 0
    }
}

/// Those of the sliders, all in line with a square, between which and the square there is no
/// blocker.
#[inline(always)]
fn unblocked(square: usize, sliders: u64, blockers: u64) -> u64 {
    Bitboard(sliders)
        .filter(|slider| BETWEEN[square][slider.index()] & blockers == 0)
        .fold(0, |set, slider| set | 1 << slider.index())
}

/// All squares between a square and sliders in line with it.
#[inline(always)]
fn spans(square: usize, sliders: u64) -> u64 {
    Bitboard(sliders).fold(0, |set, slider| set | BETWEEN[square][slider.index()])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Setup;
    use monteverde_game::Rng;

    /// The most nodes that any of these moves takes.
    fn most_nodes(board: &Board) -> u32 {
        let mut moves = Vec::new();
        board.legal_moves(&mut moves);
        moves.iter().map(|&mv| nodes(board, mv)).max().unwrap_or(0)
    }

    fn nodes(board: &Board, mv: Move) -> u32 {
        let (_, exposed) = stakes(&board.position, mv);
        let Some(exchange) = Exchange::after(isa::Portable, &board.position, mv) else { return 0 };
        exchange.answer(exposed, Window { low: 0, high: exposed + PROMOTION });
        exchange.nodes.get()
    }

    #[test]
    fn exchanges_in_games_are_far_from_the_limit() {
        let mut rng = Rng::new(1);
        let mut moves = Vec::new();
        for number in (0..960).step_by(8) {
            let mut board = Board::chess960(number).expect("the number is in range");
            for _ in 0..200 {
                let most = most_nodes(&board);
                assert!(most * 10 < MOST_NODES, "{most} nodes in {board:?}");
                moves.clear();
                board.legal_moves(&mut moves);
                let Some(last) = moves.len().checked_sub(1) else { break };
                board.play(moves[rng.below(last as u32 + 1) as usize]);
            }
        }
    }

    /// Up to fifteen queens a side, of which some reach the limit.
    #[test]
    fn no_exchange_goes_far_beyond_the_limit() {
        /// One line of captures with every piece there is.
        const PIECES: u32 = 32;
        let mut rng = Rng::new(1);
        let mut most = 0;
        for _ in 0..3_000 {
            if let Some(board) = crowd_of_queens(&mut rng) {
                most = most.max(most_nodes(&board));
            }
        }
        assert!((MOST_NODES..=MOST_NODES + PIECES).contains(&most), "{most} nodes");
    }

    /// A board where it is one: the kings are far apart in corners, and seldom safe.
    fn crowd_of_queens(rng: &mut Rng) -> Option<Board> {
        let mut setup = Setup::empty();
        for _ in 0..15 {
            for color in Color::ALL {
                setup.pieces[rng.below(64) as usize] = Some((color, Piece::Queen));
            }
        }
        // Their own queens and pawns stand around them.
        for (square, color, piece) in [
            (0, Color::White, Piece::King),
            (1, Color::White, Piece::Queen),
            (8, Color::White, Piece::Queen),
            (9, Color::White, Piece::Pawn),
            (63, Color::Black, Piece::King),
            (62, Color::Black, Piece::Queen),
            (55, Color::Black, Piece::Queen),
            (54, Color::Black, Piece::Pawn),
        ] {
            setup.pieces[square] = Some((color, piece));
        }
        Board::from_setup(&setup).ok()
    }
}
