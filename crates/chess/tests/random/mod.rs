//! Random games and mutated texts for the tests of the notations.
#![allow(dead_code)] // each test file uses its own part

use monteverde_chess::{Board, Move, fen};
use monteverde_game::Rng;

/// Starting positions that reach castling, promotion and en passant soon, of both variants.
pub(crate) const STARTS: [&str; 9] = [
    fen::START,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    "rkr5/pppppppp/8/8/8/8/PPPPPPPP/RKR5 w KQkq - 0 1",
    "1r2k1r1/pbppnp1p/1b3P2/8/Q7/B1PB1q2/P4PPP/3R2K1 w - - 1 0",
    "8/PPPPPPPP/8/6k1/8/K7/pppppppp/8 w - - 99 120",
];

/// Calls `visit` with every board of `games` random games and the move that is played there.
pub(crate) fn random_games(games: u64, mut visit: impl FnMut(&Board, Move)) {
    for index in 0..games {
        let mut rng = Rng::stream(0x6e6f_7461, index);
        let start = STARTS[index as usize % STARTS.len()];
        random_game(fen::parse(start).unwrap(), &mut rng, &mut visit);
    }
}

/// Plays random moves until there is none, or 200 have been played.
pub(crate) fn random_game(mut board: Board, rng: &mut Rng, mut visit: impl FnMut(&Board, Move)) {
    let mut moves = Vec::new();
    for _ in 0..200 {
        moves.clear();
        board.legal_moves(&mut moves);
        if moves.is_empty() {
            return;
        }
        let mv = moves[rng.below(moves.len() as u32) as usize];
        visit(&board, mv);
        board.play(mv);
    }
}

/// The board read back with its own variant.
pub(crate) fn reread(board: &Board) -> Board {
    fen::parse_as(&fen::write(board), board.variant()).unwrap()
}

/// The text with a few characters replaced, inserted, removed or doubled.
pub(crate) fn mutated(text: &str, alphabet: &str, rng: &mut Rng) -> String {
    let alphabet: Vec<char> = alphabet.chars().collect();
    let mut chars: Vec<char> = text.chars().collect();
    for _ in 0..=rng.below(3) {
        let at = rng.below(chars.len() as u32 + 1) as usize;
        let any = alphabet[rng.below(alphabet.len() as u32) as usize];
        match rng.below(4) {
            0 if at < chars.len() => chars[at] = any,
            1 if at < chars.len() => drop(chars.remove(at)),
            2 if at < chars.len() => chars.insert(at, chars[at]),
            _ => chars.insert(at, any),
        }
    }
    chars.into_iter().collect()
}
