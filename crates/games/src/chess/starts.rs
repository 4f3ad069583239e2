//! What games of chess for training may begin with, so that a network sees more than the usual
//! openings lead to.

use monteverde_chess::{Board, Chess, Color, Piece, Setup, Wing};
use monteverde_game::Rng;
use monteverde_players::StartKind;

/// All of them.
pub(super) const KINDS: &[StartKind<Chess>] = &[
    StartKind {
        name: "shuffled",
        about: "the pieces of each side in an order of Chess960 of its own",
        draw: |rng| legal(|| shuffled(rng)),
    },
    StartKind {
        name: "odd",
        about: "the initial position without up to six pieces of each side",
        draw: |rng| legal(|| odd(rng)),
    },
];

/// Draws until a position is legal.
fn legal(mut draw: impl FnMut() -> Option<Setup>) -> Chess {
    loop {
        if let Some(board) = draw().and_then(|setup| Board::from_setup(&setup).ok()) {
            return Chess::new(board);
        }
    }
}

/// How many orders of Chess960 there are.
const ORDERS: u32 = 960;

fn shuffled(rng: &mut Rng) -> Option<Setup> {
    let mut order = || Setup::chess960(rng.below(ORDERS) as u16);
    let (mut setup, other) = (order()?, order()?);
    let half = setup.pieces.len() / 2;
    setup.pieces[half..].copy_from_slice(&other.pieces[half..]);
    let black = Color::Black.index();
    setup.castling[black] = other.castling[black];
    Some(setup)
}

/// The most pieces that a side does without.
const MOST_MISSING: u32 = 6;
/// The most pawns that one side is ahead by: most of what is further off is decided.
const MOST_AHEAD: i32 = 3;

fn odd(rng: &mut Rng) -> Option<Setup> {
    let mut setup = Setup::from(&Board::start());
    let mut ahead = 0;
    for color in Color::ALL {
        let is_own = |place: &Option<(Color, Piece)>| {
            place.is_some_and(|(owner, piece)| owner == color && piece != Piece::King)
        };
        for _ in 0..rng.below(MOST_MISSING + 1) {
            let count = setup.pieces.iter().filter(|place| is_own(place)).count();
            let number = rng.below(count as u32) as usize;
            let place = setup.pieces.iter_mut().filter(|place| is_own(place)).nth(number)?;
            let (_, piece) = place.take()?;
            ahead += pawns(piece) * if color == Color::White { -1 } else { 1 };
        }
        for wing in Wing::ALL {
            let right = &mut setup.castling[color.index()][wing.index()];
            *right = right.filter(|rook| setup.pieces[rook.index()].is_some());
        }
    }
    (ahead.abs() <= MOST_AHEAD).then_some(setup)
}

fn pawns(piece: Piece) -> i32 {
    match piece {
        Piece::Pawn => 1,
        Piece::Knight | Piece::Bishop => 3,
        Piece::Rook => 5,
        Piece::Queen => 9,
        Piece::King => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use monteverde_game::{Game, Notation};
    use std::collections::HashSet;

    #[test]
    fn starts_differ_and_are_read_back() {
        for kind in KINDS {
            let rng = &mut Rng::new(1);
            let starts: Vec<Chess> = (0..200).map(|_| (kind.draw)(rng)).collect();
            let texts: HashSet<String> = starts.iter().map(Notation::state_text).collect();
            assert!(texts.len() > 150, "{}: {} of 200", kind.name, texts.len());
            for start in starts {
                let read = Chess::parse_state(&start.state_text()).unwrap();
                assert_eq!((read.key(), read.outcome()), (start.key(), start.outcome()));
                let list = |state: &Chess| {
                    let mut moves = Vec::new();
                    state.moves(&mut moves);
                    moves
                };
                assert_eq!(list(&read), list(&start), "moves are known by their place in the list");
            }
        }
    }
}
