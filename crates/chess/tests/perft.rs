//! Counts of move paths, against published ones and the peer.

use crate::common::board;

/// Positions with the known number of paths of 1, 2, 3, ... moves.
const KNOWN: [(&str, &[u64]); 6] = [
    (
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        &[20, 400, 8_902, 197_281, 4_865_609],
    ),
    (
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        &[48, 2_039, 97_862, 4_085_603],
    ),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", &[14, 191, 2_812, 43_238, 674_624]),
    ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", &[6, 264, 9_467, 422_333]),
    ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", &[44, 1_486, 62_379, 2_103_487]),
    (
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        &[46, 2_079, 89_890, 3_894_594],
    ),
];

#[test]
fn known_positions() {
    for (fen, counts) in KNOWN {
        check(fen, counts);
    }
}

fn check(fen: &str, counts: &[u64]) {
    let board = board(fen);
    for (depth, &count) in (1..).zip(counts) {
        assert_eq!(board.perft(depth), count, "{fen} to depth {depth}");
    }
}

/// Starts of Chess960 after some moves, with odd rooks and kings.
const CHESS960: [(&str, &[u64]); 4] = [
    (
        "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
        &[21, 528, 12_189, 326_672],
    ),
    ("2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 1 9", &[21, 807, 18_002, 667_366]),
    ("b1q1rrkb/pppppppp/3nn3/8/P7/1PPP4/4PPPP/BQNNRKRB w GE - 1 9", &[20, 479, 10_471, 273_318]),
    ("qbbnnrkr/2pp2pp/p7/1p2pp2/8/P3PP2/1PPP1KPP/QBBNNR1R w hf - 0 9", &[22, 593, 13_440, 382_958]),
];

#[test]
fn known_positions_of_chess960() {
    for (fen, counts) in CHESS960 {
        check(fen, counts);
    }
}

#[test]
fn standard_suite() {
    check_suite(include_str!("../../../data/chess/perft.tsv"), 126, 702);
}

#[test]
fn chess960_suite() {
    check_suite(include_str!("../../../data/chess/perft-960.tsv"), 960, 3_857);
}

/// Counts every line of a suite, a state and its numbers of paths of 1, 2, 3, ... moves; it has so
/// many states and numbers.
fn check_suite(suite: &str, states: usize, numbers: usize) {
    let (mut states_seen, mut numbers_seen) = (0, 0);
    for line in suite.lines() {
        let mut fields = line.split('\t');
        let fen = fields.next().unwrap_or_default();
        let counts: Vec<u64> = fields
            .map(|count| count.parse().unwrap_or_else(|_| panic!("'{count}' in '{line}'")))
            .collect();
        check(fen, &counts);
        states_seen += 1;
        numbers_seen += counts.len();
    }
    assert_eq!((states_seen, numbers_seen), (states, numbers));
}
