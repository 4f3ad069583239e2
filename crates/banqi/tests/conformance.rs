//! Chinese dark chess passes the suite that every game passes.

use monteverde_banqi::Banqi;
use monteverde_game::conformance::Suite;

#[test]
fn conforms() {
    Suite::<Banqi>::new()
        // By hand: 32 flips of 14 pieces; 31 flips follow, of 13 pieces if a king shows and of 14 else.
        .perft(&[
            ("startpos", 1, 32),
            ("startpos", 2, 32 * 14),
            ("startpos", 3, 32 * 14 * 31),
            ("startpos", 4, 32 * 31 * (2 * 13 + 12 * 14)),
        ])
        .playthrough(include_str!("banqi.playthrough.txt"))
        .states(&[
            // Small boards, all covered.
            "XX/XX - KPkp 0",
            "XX/XX - GCgc 0",
            "XXX/XXX - KGPkgp 0",
            "XXXX - KkKk 0",
            "X/X/X/X/X/X/X/X - CCPPccpp 0",
            // All of one colour: the first flip wins.
            "XX - KP 0",
            // Few pieces, face up.
            "K3/4/4/4/4/4/4/3k r - 0",
            "C2p/4/4/1P2/4/4/2c1/4 b - 12",
            // Shut in, and nothing left.
            "kP/PG b - 0",
            "K3/4 b - 0",
            // Other rules, and Black moved first.
            "XXXX/XXXX/XXXX/XXXX/XXXX/XXXX/XXXX/XXXX - KGGMMRRNNCCPPPPPkggmmrrnnccppppp 0 plies=60,repetition=cycle",
            "G2m/4/4/4/4/4/4/m3 b - 3 first=b,plies=180,repetition=off",
            // A piece is being turned up.
            "XX/X? - KPkp 0",
        ])
        .check();
}
