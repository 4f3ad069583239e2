//! Says in `MONTEVERDE_TREE` whether the sources are those of a commit, whose signature is
//! recorded, or `changed`.
#![allow(clippy::print_stdout)] // that is how a build script speaks

use std::fs;
use std::path::Path;
use std::process::Command;

/// What decides how players search, as git names it.
const SOURCES: [&str; 4] =
    [":(glob)crates/*/src/**", ":(glob)crates/*/Cargo.toml", "Cargo.toml", "Cargo.lock"];

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let git = |words: &[&str]| {
        let command = &mut Command::new("git");
        command.arg("-C").arg(&root).args(words).arg("--").args(SOURCES).output().ok()
    };
    let watch = |path: &Path| {
        if path.exists() {
            println!("cargo::rerun-if-changed={}", path.display());
        }
    };
    watch(&root.join("Cargo.toml"));
    watch(&root.join("Cargo.lock"));
    for crate_folder in fs::read_dir(root.join("crates")).into_iter().flatten().flatten() {
        watch(&crate_folder.path().join("src"));
        watch(&crate_folder.path().join("Cargo.toml"));
    }
    // The same sources are changed or not after a commit, or on another branch: the log sees both.
    let log = Command::new("git").args(["rev-parse", "--git-path", "logs/HEAD"]).output();
    if let Ok(log) = log.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned())
        && !log.is_empty()
    {
        watch(Path::new(&log));
    }
    // Without git or a repository nobody has changed anything.
    let differs = git(&["diff", "--quiet", "HEAD"]).is_some_and(|git| git.status.code() == Some(1));
    let adds = git(&["ls-files", "--others", "--exclude-standard"])
        .is_some_and(|git| git.status.success() && !git.stdout.is_empty());
    let tree = if differs || adds { "changed" } else { "committed" };
    println!("cargo::rustc-env=MONTEVERDE_TREE={tree}");
}
