//! The signature of Chinese dark chess.

use monteverde_players::SignatureCase as Case;

const START: &str = "XXXX/XXXX/XXXX/XXXX/XXXX/XXXX/XXXX/XXXX - KGGMMRRNNCCPPPPPkggmmrrnnccppppp 0";
/// Captures, escapes, curbs and flips.
const MIDDLE: &str = "XGrX/1m1P/XK1c/p2X/1gXM/XX1p/N2r/1XCX r GPPkmnnpp 0";
/// Nearly all is face up.
const LATE: &str = "2K1/1g2/4/3X/p1M1/1r2/4/X2C b Pk 4";
/// Four pieces, of which one is about to be taken.
const ENDING: &str = "4/4/1g2/1P2/4/2R1/2c1/4 r - 0";
/// Two pieces each, far apart.
const FOUR: &str = "M3/4/4/1r2/4/4/3k/P3 b - 0";
/// A small board whose chance is looked through to the end of the game.
const TINY: &str = "XX/XX - KPkp 0 plies=6";
const SMALL: &str = "XXX/X1X - KGPkp 0 plies=12";
/// Two guards hunt two ministers.
const HUNT: &str = "GG2/4/4/4/m3/4/2m1/4 r - 0";

const STATES: &[&str] = &[MIDDLE, LATE];

pub(super) const CASES: &[Case] = &[
    Case::named("dark-knight", 500, &[START, MIDDLE, LATE, SMALL]),
    Case::named("best", 500, &[START, MIDDLE, LATE, SMALL]),
    Case::named("best-playouts", 500, &[START, MIDDLE, LATE, SMALL]),
    Case::named("uct", 500, &[START, MIDDLE, LATE, SMALL]),
    Case::new(
        "dark-knight",
        400,
        STATES,
        &[
            "pb",
            "pb-curb",
            "pb-curb,curb=1",
            "pb-curb-flip",
            "pb-curb-flip,flip=2",
            "pb,bias=1",
            "pb,bias-count=n+1",
            "pb,bias-count=sqrt-l+1,sl",
            "other-weight=5",
            "playout=uniform",
            "ept",
            "ept,ept-error=0.3",
            "imb=0.3",
            "imb=0.3,material-scale=300",
            "imb=dynamic",
            "imb=dynamic,imb-cc=0.3",
            "imb=dynamic,imb-cs=200",
            "imb=dynamic,imb-cn=3",
            "sl",
            "sl,sl-a=0.8",
            "sl,sl-k=20",
            "tsq",
            "tsq,tsq-a=0.8",
            "tsq,tsq-k=20",
            "tsq,tsq-cw=5",
            "sl,tsq",
            "truncate=10",
            "truncate=10,material-scale=300",
            "redraw=3",
            "draw-weight=0.2",
            "rave=50",
            "transpositions",
            "transpositions,imb=0.3",
            "transpositions,graph-bounds",
            "transpositions,graph-bounds,imb=0.3",
            "threshold=10",
            "threshold=10,untried=ignored",
            "fpu=reduced",
            "fpu=fixed",
            "widen=unprune,widen-first=3,widen-scale=5",
            "widen=widen,widen-after=20,widen-first=3,widen-scale=5",
            "uct=puct,temperature=20",
            "order=prior,pb",
            "c=0.25",
            "choose=mean",
            "fresh",
        ],
    ),
    Case::new("best", 400, STATES, &["imb=0.3", "truncate=4", "temperature=2", "solver=draws"]),
    // Proofs and bounds across chance.
    Case::new(
        "dark-knight",
        1_500,
        &[TINY, SMALL],
        &[
            "solver=draws",
            "solver=draws,leaf-check",
            "solver=draws,imb=0.3",
            "transpositions,graph-bounds,c=0.25",
        ],
    ),
    Case::new(
        "uct",
        500,
        &[HUNT, ENDING],
        &["decisive=wins", "decisive=anti", "solver=wins,leaf-check"],
    ),
    // Endgames, which are solved as they are asked for.
    Case::new(
        "dark-knight",
        400,
        &[ENDING, LATE],
        &[
            "tables",
            "solver=wins",
            "solver=wins,tree-oracle",
            "solver=draws,tree-oracle",
            "solver=draws,tables",
        ],
    ),
    Case::new("dark-knight:solver=draws,tree-oracle", 400, &[FOUR], &["pieces=4"]),
    Case {
        searches: 5,
        ..Case::new(
            "best-playouts:truncate=0",
            1_500,
            &[START],
            &["", "memory=64KiB", "memory=64KiB,transpositions"],
        )
    },
];
