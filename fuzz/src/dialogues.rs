//! Protocols of engines, and the players that they name.

use crate::games;
use monteverde_banqi::{Banqi, Rules};
use monteverde_game::Game;
use monteverde_games::banqi::tcga;
use monteverde_players::Spec;
use monteverde_protocol::uci::{self as protocol, command::Command};
use std::io::{Cursor, sink};
use std::time::Duration;

/// Whole dialogues about each game that is played by UCI.
pub(crate) fn uci(data: &[u8]) {
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
        let ended = protocol::run(game, Cursor::new(input.clone()), sink());
        ended.expect("nothing can go wrong with a sink");
    }
}

/// Whole dialogues with an arena of Chinese dark chess. The last line ends every thought early.
pub(crate) fn tcga(data: &[u8]) {
    let game = games().game(Banqi::NAME).expect("a game of ours");
    let options = tcga::Options {
        player: Spec::read(game, "uct:memory=1MiB").expect("a spec of ours"),
        rules: Rules::ARENA,
        time: Duration::from_millis(1),
        overhead: Duration::ZERO,
    };
    let input = [data, b"\n5 quit\n"].concat();
    tcga::run(options, Cursor::new(input), sink(), sink()).expect("nothing is wrong with a sink");
}

/// Players of every game: what is accepted is read again from what is written.
pub(crate) fn spec(text: &str) {
    for game in games().iter() {
        let Ok(spec) = Spec::read(game, text) else { continue };
        let written = spec.to_string();
        assert_eq!(Spec::read(game, &written), Ok(spec), "{}: {written}", game.name());
    }
}
