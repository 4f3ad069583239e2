//! Targets of fuzzing: each feeds bytes to something that reads outside input, and asserts that
//! what is accepted can be written, read back and used. Errors are fine; panics, hangs and answers
//! that contradict each other are not.
//!
//! `main.rs` has libFuzzer choose the bytes. `tests/seeds.rs` needs no fuzzer: it goes through
//! `seeds/`, and through what a few random edits make of them.

mod dialogues;
mod files;
mod lab;
mod machines;
mod page;
mod rules;

use monteverde_players::Games;
use std::sync::OnceLock;

/// Our games. A registry is made once a process and never freed.
fn games() -> &'static Games {
    static GAMES: OnceLock<Games> = OnceLock::new();
    GAMES.get_or_init(monteverde_games::games)
}

/// Something that reads outside input.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// Its name, which is that of its folder in `seeds`.
    pub name: &'static str,
    /// Reads the bytes.
    ///
    /// # Panics
    /// If the program is wrong, whatever the bytes are.
    pub read: fn(&[u8]),
}

/// Every target.
pub const TARGETS: [Target; 21] = [
    Target { name: "banqi", read: |data| text(data, rules::banqi) },
    Target { name: "desk", read: |data| text(data, page::desk) },
    Target { name: "epd", read: files::suites },
    Target { name: "fen", read: |data| text(data, rules::fen) },
    Target { name: "loa", read: |data| text(data, rules::loa) },
    Target { name: "network", read: machines::network },
    Target { name: "openings", read: |data| text(data, files::openings) },
    Target { name: "pgn", read: |data| text(data, rules::pgn) },
    Target { name: "products", read: machines::products },
    Target { name: "records", read: |data| text(data, files::records) },
    Target { name: "results", read: |data| text(data, lab::results) },
    Target { name: "sgf", read: |data| text(data, rules::sgf) },
    Target { name: "shard", read: machines::shard },
    Target { name: "spec", read: |data| text(data, dialogues::spec) },
    Target { name: "store", read: lab::store },
    Target { name: "tablebase", read: files::tablebase },
    Target { name: "tasks", read: machines::tasks },
    Target { name: "tcga", read: dialogues::tcga },
    Target { name: "toml", read: |data| text(data, lab::toml) },
    Target { name: "training", read: machines::training },
    Target { name: "uci", read: dialogues::uci },
];

/// The target of that name.
pub fn target(name: &str) -> Option<&'static Target> {
    TARGETS.iter().find(|target| target.name == name)
}

/// Bytes that are no text never reach what reads text.
fn text(data: &[u8], read: fn(&str)) {
    if let Ok(text) = std::str::from_utf8(data) {
        read(text);
    }
}
