//! Players that are accepted can be written and read back.
#![no_main]

use libfuzzer_sys::fuzz_target;
use monteverde_chess::Chess;
use monteverde_players::Spec;

fuzz_target!(|text: &str| {
    let Ok(spec) = Spec::parse::<Chess>(text) else { return };
    let written = spec.to_string();
    assert_eq!(Spec::parse::<Chess>(&written), Ok(spec), "{written}");
});
