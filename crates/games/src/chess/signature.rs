//! The signature of chess.

use monteverde_players::SignatureCase as Case;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
/// Captures, castling, checks and promotions for both sides.
const SHARP: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
/// Chess960 in the middle of a game.
const SHUFFLED: &str = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9";
/// White mates in two.
const MATE: &str = "r1bq2r1/b4pk1/p1pp1p2/1p2pP2/1P2P1PB/3P4/1PPQ2P1/R3K2R w - - 0 1";
/// Rooks and pawns, few moves.
const ROOKS: &str = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1";
/// Pawns that race.
const PAWNS: &str = "8/6p1/k1P2p1p/7K/8/8/8/8 w - - 0 1";
/// Promotions with captures, Black to move.
const PROMOTIONS: &str = "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1";
/// A king and a rook mate.
const ROOK: &str = "8/8/8/8/8/2k5/7R/K7 w - - 0 1";
/// The same in two moves.
const ROOK_MATES: &str = "8/8/8/8/8/1K6/7R/1k6 w - - 0 1";
/// A capture from a table of three pieces.
const ENDING: &str = "8/8/8/8/3k4/8/1p2R3/2K5 w - - 0 1";
/// Stalemate, a capture or a promotion: every game is drawn.
const DRAWN: &str = "8/8/8/8/1k6/8/p7/K7 b - - 0 1";
/// The fifty-move rule draws in two plies.
const FIFTY: &str = "8/8/8/4k3/8/8/4r3/K7 w - - 98 100";

const PHASES: &[&str] = &[START, SHARP, ROOKS];
const SMALL: &[&str] = &[ROOKS, PAWNS, MATE];

pub(super) const CASES: &[Case] = &[
    Case::named("mcc", 250, &[START, SHARP, ROOKS, SHUFFLED]),
    Case::named("mcc-hp-eval", 60, PHASES),
    Case::named("mcc-hp-see", 250, PHASES),
    Case::named("mcc-decisive", 250, PHASES),
    Case::named("mcc-bias", 250, PHASES),
    Case::named("mcc-redraw", 100, PHASES),
    Case::named("mcc-gtb:pieces=3", 250, &[SHARP, PROMOTIONS]),
    Case::named("mcc-combined:pieces=3", 250, &[SHARP, ENDING]),
    Case::new(
        "best:pieces=3",
        1_000,
        &[START, SHARP, MATE, ENDING],
        &["", "network-prior=0.5", "network=none", "network=none,no-shorten"],
    ),
    Case::named("mcc-solver", 300, &[SHARP, MATE, FIFTY]),
    Case::named("krk", 500, &[ROOK]),
    Case::named("ab", 5_000, &[START, SHARP, ENDING]),
    Case::named("greedy", 2_000, &[START, SHARP, ENDING]),
    // Formulas, statistics and the order of moves.
    Case::new(
        "mcc:no-fresh",
        250,
        SMALL,
        &[
            "",
            "uct=signed",
            "uct=ratio",
            "uct=puct",
            "uct=puct,temperature=30",
            "uct=puct,c-base=50",
            "uct=puct,c-deviation=0.5",
            "uct=puct,c-deviation=0.5,usual-deviation=0.7",
            "uct=puct,temperature=30,root-temperature=200",
            "uct=puct,temperature=30,even-share=0.2",
            "c=0.3",
            "seed=2",
            "order=prior",
            "fpu=fixed",
            "fpu=fixed,urgency=0.9",
            "fpu=reduced",
            "fpu=reduced,urgency=-0.3",
            "widen=unprune,widen-first=2,widen-scale=4",
            "widen=unprune,widen-first=3,widen-scale=4,widen-base=1.6",
            "widen=widen,widen-after=20,widen-first=2,widen-scale=4",
            "widen=widen,widen-after=35,widen-first=2,widen-scale=4",
            "threshold=5",
            "threshold=5,untried=ignored",
            "root=visited",
            "tree-ties=random",
            "rave=50",
            "rave=500",
            "transpositions",
            "imb=0.3",
            "imb=dynamic",
            "choose=secure",
            "choose=secure,a=5",
            "draw-weight=0.3",
            "draw-value=-0.5",
            "redraw=3",
            "sl",
            "transpositions,rave=50",
            "transpositions,imb=0.4",
            "transpositions,uct=puct,fpu=reduced",
            "rave=50,imb=0.4,bias=0.001,bias-count=l,draw-weight=0.4",
            "sl,bias=0.001,bias-count=sqrt-l",
        ],
    ),
    // What progressive bias is divided by.
    Case::new(
        "mcc:no-fresh,bias=0.02",
        250,
        &[ROOKS, PAWNS],
        &[
            "",
            "bias-count=n+1",
            "bias-count=sqrt-n",
            "bias-count=ln-n+1",
            "bias-count=l",
            "bias-count=sqrt-l+1",
            "bias-count=sqrt-l",
            "bias-count=ln-l+1",
        ],
    ),
    // Playouts.
    Case::new(
        "mcc",
        60,
        SMALL,
        &[
            "choose=mean",
            "playout=by-piece",
            "playout=eval",
            "playout=eval,epsilon=0.2",
            "playout=eval,ties=last",
            "playout=eval,ties=random",
            "playout=see",
            "playout=see,ties=last",
            "playout=see,ties=random",
            "playout=mixed",
            "decisive=wins",
            "decisive=anti",
            "truncate=10",
            "truncate=10,leaf=quiet",
            "most-plies=40",
            "repetition=first",
            "cutoff=300",
        ],
    ),
    Case::new("mcc", 15, SMALL, &["playout=alphabeta"]),
    Case::new(
        "krk",
        500,
        &[ROOK, ROOK_MATES],
        &[
            "playout=uniform",
            "threshold=10",
            "walk=ends",
            "root=unvisited",
            "tree-ties=order",
            "rules=chess",
        ],
    ),
    // Endgame tables of three pieces.
    Case::new(
        "mcc-solver:no-fresh",
        250,
        &[ENDING, ROOK],
        &["", "tables", "tables,tables-root=4", "tree-oracle", "tables,tree-oracle"],
    ),
    // Proofs, and the final move.
    Case::new(
        "mcc:no-fresh,uct=puct,fpu=reduced,truncate=0",
        1_000,
        &[MATE, DRAWN, FIFTY],
        &[
            "",
            "leaf=quiet",
            "leaf=quiet,correction=0.5",
            "solver=wins",
            "solver=wins,leaf-check",
            "solver=draws",
            "solver=draws,leaf-check",
            "solver=draws,imb=0.3",
            "solver=wins,rave=50",
            "solver=wins,threshold=5",
            "imb=0.2",
        ],
    ),
    // A tree that fills its memory, and one that is kept for a whole game.
    Case {
        searches: 4,
        ..Case::new(
            "mcc:truncate=0,order=prior",
            1_500,
            &[SHARP, ROOKS],
            &[
                "",
                "no-fresh",
                "no-fresh,transpositions",
                "no-fresh,memory=64KiB",
                "no-fresh,memory=64KiB,transpositions",
                "no-fresh,memory=64KiB,solver=draws,leaf-check,imb=0.3",
                "no-fresh,memory=64KiB,rave=50,bias=0.001,sl,draw-weight=0.5",
            ],
        )
    },
    // Alpha-beta, part by part.
    Case::new(
        "ab",
        6_000,
        &[SHARP, ROOKS],
        &[
            "depth=2",
            "eval=material",
            "no-table",
            "memory=64KiB",
            "no-pvs",
            "no-aspiration",
            "no-gains",
            "no-killers",
            "history=off",
            "history=relative",
            "no-null",
            "no-lmr",
            "multicut",
            "etc",
            "no-quiescence",
            "no-extension",
            "ties=last",
            "ties=random",
            "noise=20",
            "noise=20,seed=2",
        ],
    ),
    Case::new("ab:depth=2", 10_000, &[SHARP, ROOKS], &["no-deepening"]),
    Case::new("greedy", 10_000, &[START, SHARP], &["seed=2"]),
];
