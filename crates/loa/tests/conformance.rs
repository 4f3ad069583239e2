//! Lines of Action passes the suite that every game passes.

use monteverde_game::conformance::Suite;
use monteverde_loa::Loa;

#[test]
fn conforms() {
    Suite::<Loa>::new()
        .perft(&[
            ("startpos", 4, 1_563_208),
            ("xo4ox/oo4oo/8/8/8/8/oo4oo/xo4ox b", 5, 11_888),
            ("8/8/o2o4/o7/ox1oo3/1oo5/2ooxx2/2xx1xx1 w", 3, 21_362),
            ("8/8/1x6/ooxoo3/oxoxx3/ox1xo3/1oo5/2x5 b", 3, 4_193),
        ])
        .playthrough(include_str!("loa.playthrough.txt"))
        .states(&[
            // A side that must pass, and boards on which a move connects both sides.
            "xo4ox/oo4oo/8/8/8/8/oo4oo/xo4ox b",
            "8/8/o2o4/o7/ox1oo3/1oo5/2ooxx2/2xx1xx1 w",
            "8/8/1x6/ooxoo3/oxoxx3/ox1xo3/1oo5/2x5 b",
            // Over at once: Black connected, White connected, both.
            "8/8/8/3x4/3x4/o7/7o/8 w",
            "8/8/8/3o4/3o4/x7/7x/8 w",
            "8/8/8/3o4/3o4/8/6x1/7x b",
            // Other rules.
            "1xxxxxx1/o6o/o6o/o6o/o6o/o6o/o6o/1xxxxxx1 b simultaneous=mover,repetition=2,nomove=loss",
            "8/8/o2o4/o7/ox1oo3/1oo5/2ooxx2/2xx1xx1 w simultaneous=mover",
            "xo4ox/oo4oo/8/8/8/8/oo4oo/xo4ox b nomove=loss",
            "1xxxxxx1/o6o/o6o/o6o/o6o/o6o/o6o/1xxxxxx1 b plies=30",
            // Both sides are shut in for ever.
            "xo4ox/oo4oo/8/8/8/8/oo4oo/xo4ox w repetition=off",
        ])
        .check();
}
