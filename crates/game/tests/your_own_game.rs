//! The code on the page `docs/your-own-game.md` is the code that is compiled and tested: each of
//! its blocks names a file after the word `rust`, and the blocks of a file, put together with an
//! empty line between them, are that file, byte for byte.

use std::collections::BTreeMap;
use std::path::Path;

/// What the page promises in its first paragraph.
const LINES_OF_THE_GAME: usize = 150;

#[test]
fn the_page_is_the_code() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let read = |path: &str| {
        std::fs::read_to_string(root.join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
    };
    let page = read("docs/your-own-game.md");
    let files = files_of(&page);
    for (path, text) in &files {
        let file = read(path);
        if let Some(line) = first_difference(text, &file) {
            panic!("docs/your-own-game.md differs from {path} at line {line} of the file");
        }
    }
    let game = &files["crates/game/src/fixtures/tic_tac_toe.rs"];
    assert!(game.lines().count() < LINES_OF_THE_GAME, "{} lines", game.lines().count());
    assert!(files.contains_key("crates/game/tests/tic_tac_toe.rs"));
}

#[test]
fn blocks_are_put_together_by_file() {
    let page =
        "a\n```rust x\none\n```\nb\n```text\nno\n```\n```rust y\ntwo\n```\n```rust x\nthree\n```\n";
    let files = files_of(page);
    assert_eq!(files["x"], "one\n\nthree\n");
    assert_eq!(files["y"], "two\n");
    assert_eq!(first_difference("a\nb\n", "a\nc\n"), Some(2));
    assert_eq!(first_difference("a\nb\n", "a\nb"), Some(3));
    assert_eq!(first_difference("a\n", "a\n"), None);
}

/// The text of each file that the page's blocks name.
fn files_of(page: &str) -> BTreeMap<&str, String> {
    let mut files: BTreeMap<&str, String> = BTreeMap::new();
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        let Some(language) = line.strip_prefix("```") else { continue };
        let block = lines.by_ref().take_while(|line| *line != "```");
        let block: String = block.map(|line| format!("{line}\n")).collect();
        if let Some(path) = language.strip_prefix("rust") {
            let path = path.trim();
            assert!(!path.is_empty(), "this block names no file:\n{block}");
            let file = files.entry(path).or_default();
            if !file.is_empty() {
                file.push('\n');
            }
            file.push_str(&block);
        }
    }
    files
}

/// The number of the first line that differs, counted from 1.
fn first_difference(left: &str, right: &str) -> Option<usize> {
    if left == right {
        return None;
    }
    let alike = left.split('\n').zip(right.split('\n')).take_while(|(left, right)| left == right);
    Some(alike.count() + 1)
}
