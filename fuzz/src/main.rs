//! The program that libFuzzer drives: one target, which the environment names.
#![no_main]
#![allow(clippy::print_stderr)] // nobody else tells what a wrong name is answered with

use libfuzzer_sys::fuzz_target;
use monteverde_fuzz::{TARGETS, Target, target};
use std::sync::LazyLock;

/// The variable that holds the name of the target.
const VARIABLE: &str = "FUZZ_TARGET";

static CHOSEN: LazyLock<&Target> = LazyLock::new(|| {
    let name = std::env::var(VARIABLE).unwrap_or_default();
    target(&name).unwrap_or_else(|| {
        let known = TARGETS.map(|target| target.name).join(", ");
        eprintln!("{VARIABLE} is '{name}', which is no target; accepted are {known}");
        std::process::exit(2)
    })
});

fuzz_target!(|data: &[u8]| (CHOSEN.read)(data));
