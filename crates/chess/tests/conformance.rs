//! Chess passes the suite that every game passes.

use monteverde_chess::Chess;
use monteverde_game::conformance::Suite;

#[test]
fn conforms() {
    Suite::<Chess>::new()
        .perft(&[
            ("startpos", 4, 197_281),
            ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 3, 97_862),
            ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 4, 43_238),
            ("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", 3, 12_189),
        ])
        .playthrough(include_str!("chess.playthrough.txt"))
        .states(&[
            // Promotions, a forced king, en passant that would expose the king, Chess960 castling.
            "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
            "6k1/5ppp/8/8/8/8/8/4K2r w - - 0 1",
            "8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1",
            "1r1k2r1/8/8/8/8/8/8/1R1K2R1 w GBgb - 0 1",
            // One ply before the fifty-move rule.
            "4k3/8/8/8/8/8/8/R3K3 w - - 99 80",
        ])
        .check();
}
