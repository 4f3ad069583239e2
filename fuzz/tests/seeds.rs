//! Every target reads its seeds, and what a few random edits make of them, without a fuzzer: so
//! `./test` notices a target that no longer fits, and a seed that breaks something.
#![allow(clippy::print_stdout)] // a panic is preceded by the name of its seed

use monteverde_fuzz::{TARGETS, target};
use monteverde_game::Rng;
use std::fs;
use std::path::{Path, PathBuf};

/// So often each seed is edited.
const ROUNDS: u64 = 16;

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("seeds").join(name)
}

/// The seeds of a target, in the order of their names.
fn seeds(name: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let Ok(found) = folder(name).read_dir() else { return Vec::new() };
    let mut paths: Vec<PathBuf> = found.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    let read = |path: PathBuf| (path.clone(), fs::read(path).expect("a seed is a file"));
    paths.into_iter().map(read).collect()
}

#[test]
fn every_target_has_seeds_and_every_seed_a_target() {
    for target in TARGETS {
        assert!(!seeds(target.name).is_empty(), "{} has no seeds", target.name);
    }
    for entry in folder("").read_dir().expect("the folder of seeds") {
        let name = entry.expect("an entry").file_name().into_string().expect("a plain name");
        assert!(target(&name).is_some(), "there is no target '{name}'");
    }
}

#[test]
fn every_seed_is_read() {
    for target in TARGETS {
        for (path, bytes) in seeds(target.name) {
            // Named before it is read: a panic says which it was.
            println!("{}", path.display());
            (target.read)(&bytes);
        }
    }
}

#[test]
fn edited_seeds_are_read() {
    for target in TARGETS {
        for (number, (path, bytes)) in seeds(target.name).into_iter().enumerate() {
            for round in 0..ROUNDS {
                println!("{} with the edits of round {round}", path.display());
                (target.read)(&edited(&bytes, &mut Rng::stream(number as u64, round)));
            }
        }
    }
}

/// A few edits: bytes changed, cut out, written twice.
fn edited(bytes: &[u8], rng: &mut Rng) -> Vec<u8> {
    let mut edited = bytes.to_vec();
    for _ in 0..=rng.below(3) {
        let len = edited.len() as u32;
        if len == 0 {
            break;
        }
        let from = rng.below(len) as usize;
        let to = (from + 1 + rng.below(8) as usize).min(edited.len());
        match rng.below(4) {
            0 => edited[from] = rng.below(256) as u8,
            // A digit or a letter is rarely out of place.
            1 => edited[from] = b"09aKx/- "[rng.below(8) as usize],
            2 => drop(edited.drain(from..to)),
            _ => edited = [&edited[..to], &edited[from..]].concat(),
        }
    }
    edited
}
