//! Games that are accepted can be written and read back; from then on nothing changes.
#![no_main]

use libfuzzer_sys::fuzz_target;
use monteverde_loa::sgf;

fuzz_target!(|text: &str| {
    for game in sgf::parse(text).flatten() {
        let written = sgf::write(&game);
        let mut games = sgf::parse(&written);
        let again = games.next().expect("a game").expect("what was written is accepted");
        assert!(games.next().is_none(), "{written}");
        assert_eq!((&again.start, again.outcome), (&game.start, game.outcome), "{written}");
        assert!(
            again
                .moves
                .iter()
                .map(|played| played.mv)
                .eq(game.moves.iter().map(|played| played.mv))
        );
        assert_eq!(sgf::write(&again), written);
    }
});
