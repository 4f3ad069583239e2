//! The signature of Lines of Action.

use monteverde_players::SignatureCase as Case;

const START: &str = "1xxxxxx1/o6o/o6o/o6o/o6o/o6o/o6o/1xxxxxx1 b";
/// Black connects at once.
const WON: &str = "1xxxxxx1/o3x2o/o3x2o/o7/o6o/8/o6o/2o1xoo1 b";
/// The middle of a game.
const MIDDLE: &str = "8/2o5/3xo3/2xo1xo1/o2oxo2/2x1o2x/x4x2/1x4x1 b";
/// Few moves, both nearly connected.
const NEAR: &str = "8/8/1x6/ooxoo3/oxoxx3/ox1xo3/1oo5/2x5 b";
/// A move connects both sides.
const BOTH: &str = "8/8/o2o4/o7/ox1oo3/1oo5/2ooxx2/2xx1xx1 w";
/// A side that must pass.
const PASS: &str = "xo4ox/oo4oo/8/8/8/8/oo4oo/xo4ox b";
/// A game of few plies, which may end as a draw.
const SHORT: &str = "8/8/8/3x4/2o1x3/5o2/x1o5/8 b plies=8";

const STATES: &[&str] = &[MIDDLE, NEAR, WON];

pub(super) const CASES: &[Case] = &[
    Case::named("mc-loa-2008", 600, &[START, MIDDLE, NEAR, WON, PASS]),
    Case::named("mc-loa-2008-nosolver", 500, &[START, MIDDLE, NEAR, WON]),
    Case::named("mc-loa", 300, &[START, MIDDLE, NEAR, WON]),
    Case::named("mc-loa-ab", 100, &[START, MIDDLE, NEAR, WON]),
    Case::new("best", 1_000, &[START, MIDDLE, NEAR, BOTH], &["", "network=none"]),
    Case::named("uct", 200, &[START, MIDDLE, NEAR]),
    Case::named("mia:memory=1MiB", 6_000, &[START, MIDDLE, NEAR, BOTH]),
    Case::new(
        "mc-loa-2008",
        400,
        STATES,
        &[
            "evaluator=2000",
            "evaluator=2002",
            "solver=draws",
            "no-leaf-check",
            "threshold=20",
            "threshold=20,untried=ignored",
            "bias=20",
            "a=1",
            "cutoff=off",
            "cutoff=500",
            "cutoff-every=1",
            "cutoff=300,cutoff-root=play-on",
            "most-plies=20",
            "playout=uniform",
            "imb=0.3",
            "rave=100",
            "order=prior",
        ],
    ),
    Case::new("mc-loa-2008-nosolver", 500, STATES, &["transpositions", "sl", "tsq"]),
    Case::new(
        "mc-loa",
        200,
        STATES,
        &[
            "corrective=0",
            "corrective=4",
            "least-weight=0.5",
            "spread=100",
            "considered=2",
            "considered=0",
            "noise=0",
            "noise=0,ties=random",
            "unit=1",
            "threshold=20,corrective=0",
            "rave=100",
            "imb=0.3",
            "evaluator=monte-carlo",
            "evaluator=non-negative",
        ],
    ),
    Case::new(
        "mc-loa-ab",
        40,
        STATES,
        &[
            "ab-width=3",
            "ab-replies=2",
            "ab-look=none",
            "ab-look=both",
            "ab-plies=3",
            "ab-killers=off",
            "corrective=1",
            "no-tree-corrective",
            "noise=0",
        ],
    ),
    Case::new("best", 600, STATES, &["network-prior=1", "temperature=1"]),
    Case::new(
        "best:network=none",
        600,
        STATES,
        &[
            "evaluator=2000",
            "evaluator=2002",
            "leaf=static",
            "foresight=0",
            "temperature=1",
            "c=0.5",
            "imb=0.2",
            "solver=off",
            "solver=off,transpositions",
        ],
    ),
    Case::new("uct", 150, &[SHORT, NEAR], &["solver=wins", "solver=draws", "redraw=3", "c=0.3"]),
    Case::new(
        "mia:memory=1MiB",
        4_000,
        &[MIDDLE, NEAR],
        &[
            "evaluator=2000",
            "evaluator=2002",
            "evaluator=monte-carlo",
            "evaluator=non-negative",
            "eval=material",
            "no-pvs",
            "no-aspiration",
            "no-gains",
            "no-killers",
            "history=plain",
            "no-null",
            "lmr",
            "no-realization",
            "bits=1",
            "full=2",
            "no-multicut",
            "no-quiescence",
            "noise=off",
            "seed=2",
            "depth=2",
        ],
    ),
    Case::new("mia:memory=1MiB", 20_000, &[MIDDLE, START], &["no-etc"]),
    Case::new("mia", 2_000, &[NEAR], &["no-table"]),
];
