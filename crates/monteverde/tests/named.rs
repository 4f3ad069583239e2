//! No test is forgotten: crates with several files of tests compile them into one program, which
//! names them one by one, and crates without examples in comments do not have them looked for.

use std::fs;
use std::path::{Path, PathBuf};

#[test]
fn every_file_of_tests_is_part_of_a_program() {
    let mut forgotten = Vec::new();
    let mut programs = 0;
    for folder in members() {
        let manifest = fs::read_to_string(folder.join("Cargo.toml")).expect("a crate's manifest");
        if !manifest.contains("autotests = false") {
            continue;
        }
        programs += 1;
        let tests = folder.join("tests");
        let all = fs::read_to_string(tests.join("all.rs")).expect("its program of tests");
        forgotten.extend(unnamed(&manifest, &all, &stems(&tests)).map(|stem| tests.join(stem)));
    }
    assert!(programs > 5, "only {programs} programs of several files");
    assert!(forgotten.is_empty(), "no program holds these tests: {forgotten:?}");
}

#[test]
fn crates_whose_tests_are_not_looked_for_have_none() {
    let mut forgotten = Vec::new();
    for folder in members() {
        let manifest = fs::read_to_string(folder.join("Cargo.toml")).expect("a crate's manifest");
        let lib = section(&manifest, "[lib]");
        for path in sources(&folder.join("src")) {
            let text = fs::read_to_string(&path).expect("a source file is text");
            let has = |start: &str| text.lines().any(|line| line.trim_start().starts_with(start));
            let has_examples = has("/// ```") || has("//! ```");
            let has_tests = has("#[test]") || has("proptest!");
            if has_examples && lib.contains("doctest = false")
                || has_tests && lib.contains("\ntest = false")
            {
                forgotten.push(path);
            }
        }
    }
    assert!(forgotten.is_empty(), "the manifests leave out the tests of {forgotten:?}");
}

#[test]
fn a_section_of_a_manifest_ends_at_the_next() {
    let manifest = "[package]\nname = \"a\"\n\n[lib]\ndoctest = false\n\n[[test]]\ntest = false\n";
    assert_eq!(section(manifest, "[lib]"), "\ndoctest = false\n");
    assert_eq!(section(manifest, "[features]"), "");
}

#[test]
fn a_file_that_neither_names_is_found() {
    let manifest = "autotests = false\n\n[[test]]\nname = \"all\"\n\n[[test]]\nname = \"alone\"\n";
    let stems = ["all", "alone", "rules", "rules_of_peers"].map(String::from);
    let found: Vec<&String> = unnamed(manifest, "//! Tests.\n\nmod rules;\n", &stems).collect();
    assert_eq!(found, ["rules_of_peers"]);
}

/// Those of the files that are neither programs of their own nor part of the one of all.
fn unnamed<'a>(
    manifest: &'a str,
    all: &'a str,
    stems: &'a [String],
) -> impl Iterator<Item = &'a String> {
    let is_program = |stem: &str| manifest.lines().any(|line| line == format!("name = \"{stem}\""));
    let is_part = |stem: &str| all.lines().any(|line| line == format!("mod {stem};"));
    stems.iter().filter(move |stem| !is_program(stem) && !is_part(stem))
}

/// What stands below that heading.
fn section<'a>(manifest: &'a str, heading: &str) -> &'a str {
    let rest = manifest.split_once(heading).map_or("", |(_, rest)| rest);
    rest.split_once("\n[").map_or(rest, |(section, _)| section)
}

/// The Rust files of a folder and the folders in it.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            files.extend(sources(&path));
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            files.push(path);
        }
    }
    files
}

/// The folders of all crates.
fn members() -> Vec<PathBuf> {
    let crates = fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/..")).expect("the crates");
    let folders = crates.map(|entry| entry.expect("an entry").path());
    folders.filter(|path| path.join("Cargo.toml").is_file()).collect()
}

/// The names of the Rust files in a folder, and of the folders with tests of their own in it.
fn stems(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("the folder of tests");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let is_tests = |path: &PathBuf| {
        path.extension().is_some_and(|ending| ending == "rs") || path.join("main.rs").is_file()
    };
    let stem = |path: PathBuf| path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    paths.filter(is_tests).filter_map(stem).collect()
}
