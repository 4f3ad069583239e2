//! The signature of the small games.

use monteverde_players::SignatureCase as Case;

const BOARDS: &[&str] = &["... ... ...", "xo. .x. ..o", "x.. oo. x.."];
const RACES: &[&str] = &["0 0 first", "3 5 second", "9 6 first"];

pub(super) const TIC_TAC_TOE: &[Case] = &[
    Case::named("uct", 1_000, BOARDS),
    Case::new(
        "uct",
        400,
        BOARDS,
        &[
            "solver=wins",
            "solver=draws",
            "solver=draws,leaf-check",
            "transpositions",
            "rave=50",
            "rave=50,transpositions",
            "threshold=5",
            "threshold=5,untried=ignored",
            "decisive=wins",
            "decisive=anti",
            "draw-value=1",
            "draw-weight=0",
            "redraw=4",
            "fpu=reduced",
            "choose-temperature=1",
            "sl",
            "fresh",
        ],
    ),
];

pub(super) const DICE_RACE: &[Case] = &[
    Case::named("uct", 1_000, RACES),
    Case::new(
        "uct",
        400,
        RACES,
        &[
            "solver=wins",
            "solver=wins,leaf-check",
            "transpositions",
            "rave=50",
            "threshold=5",
            "sl",
            "fresh",
        ],
    ),
];
