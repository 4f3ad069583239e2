//! Whole dialogues with the engine, about each game that is played by UCI.
#![no_main]

use libfuzzer_sys::fuzz_target;
use monteverde_games::games;
use monteverde_protocol::uci::{self, command::Command};
use std::io::{self, Cursor};

fuzz_target!(|data: &[u8]| {
    let mut input = b"setoption name Hash value 1\n".to_vec();
    for line in data.split(|&byte| byte == b'\n') {
        input.extend_from_slice(line);
        // The end of the input stops a search only if it is endless.
        if let Ok(Command::Go(_)) = String::from_utf8_lossy(line).parse() {
            input.extend_from_slice(b" infinite");
        }
        input.push(b'\n');
    }
    for game in games().iter().filter(|game| game.uci().is_some()) {
        uci::run(game, Cursor::new(input.clone()), io::sink()).expect("nothing can go wrong with a sink");
    }
});
