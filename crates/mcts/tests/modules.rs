//! How the modules of this crate depend on each other: one way, and on the search not at all.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The module graph: each file with the files that its `use` lines and paths name, tests aside.
type Graph = BTreeMap<String, BTreeSet<String>>;

#[test]
fn nothing_imports_the_search() {
    for (name, text) in sources() {
        let names = ["crate::search", "super::search"].iter().any(|path| text.contains(path));
        assert!(!names, "{name} names search.rs");
    }
}

#[test]
fn modules_form_no_cycle() {
    let graph = graph();
    assert!(graph["select/formula"].contains("tree"), "{graph:#?}");
    assert!(graph["search"].contains("context") && graph["config"].contains("select/bias"));
    let mut left = graph;
    // Whoever imports none of those that are left goes, until nobody is left.
    while !left.is_empty() {
        let open: BTreeSet<String> = left.keys().cloned().collect();
        left.retain(|_, imports| imports.iter().any(|import| open.contains(import)));
        assert!(left.len() < open.len(), "a cycle among {left:#?}");
    }
}

#[test]
fn paths_are_taken_apart() {
    let text = "use a::{self, b::{c, d}};\npub use super::e;\nlet x = crate::f::g::<u32>(1);";
    let all = ["a::self", "a::b::c", "a::b::d", "super::e", "crate::f::g"];
    assert_eq!(paths(text), all.map(str::to_owned));
}

fn graph() -> Graph {
    let sources = sources();
    let mut graph = Graph::new();
    for (name, text) in &sources {
        let code = text.split("#[cfg(test)]\nmod tests").next().unwrap_or(text);
        let code: String = code
            .lines()
            .filter(|line| !is_comment(line))
            .fold(String::new(), |code, line| code + line + "\n");
        let imports =
            paths(&code).iter().filter_map(|path| file_of(path, name, &sources)).collect();
        graph.insert(name.clone(), imports);
    }
    graph
}

fn is_comment(line: &str) -> bool {
    line.trim_start().starts_with("//")
}

/// The text of each file but `lib.rs`, by its path without the ending.
fn sources() -> BTreeMap<String, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut open: Vec<PathBuf> = vec![root.clone()];
    let mut sources = BTreeMap::new();
    while let Some(path) = open.pop() {
        if path.is_dir() {
            let entries = std::fs::read_dir(&path).expect("a folder of the crate");
            open.extend(entries.map(|entry| entry.expect("an entry").path()));
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            let name = path.strip_prefix(&root).expect("below the root").with_extension("");
            let text = std::fs::read_to_string(&path).expect("a file of the crate");
            sources.insert(name.to_string_lossy().replace('\\', "/"), text);
        }
    }
    sources.remove("lib");
    sources
}

/// The other file that a path leads to, seen from a file: that of its longest beginning that is
/// one.
fn file_of(path: &str, from: &str, sources: &BTreeMap<String, String>) -> Option<String> {
    let mut parts: Vec<&str> = path.split("::").collect();
    let mut at: Vec<&str> = match parts.remove(0) {
        "crate" => Vec::new(),
        "super" => from.split('/').rev().skip(1).collect::<Vec<_>>().into_iter().rev().collect(),
        // A module of one's own, in a folder of one's own name.
        name => from.split('/').chain([name]).collect(),
    };
    let start = at.len();
    for part in parts {
        at.push(part);
    }
    while !at.is_empty() && at.len() >= start {
        let name = at.join("/");
        if sources.contains_key(&name) {
            return (name != from).then_some(name);
        }
        at.pop();
    }
    None
}

/// Every path that a `use` line names, and every other that begins with `crate` or `super`.
fn paths(code: &str) -> Vec<String> {
    let mut found = Vec::new();
    for statement in code.split(';') {
        let Some(start) = statement.rfind("use ") else { continue };
        let before = statement[..start].rsplit('\n').next().unwrap_or_default().trim();
        if before.is_empty() || before.starts_with("pub") {
            expand("", &statement[start + 4..], &mut found);
        }
    }
    for line in code.lines().filter(|line| !line.contains("use ")) {
        for word in line.split(|c: char| !(c.is_alphanumeric() || c == ':' || c == '_')) {
            if word.starts_with("crate::") || word.starts_with("super::") {
                found.push(word.trim_end_matches(':').to_owned());
            }
        }
    }
    found
}

/// Takes the braces of an import apart.
fn expand(prefix: &str, text: &str, found: &mut Vec<String>) {
    let text = text.trim();
    let Some(open) = text.find('{') else {
        let path = text.split(" as ").next().unwrap_or(text);
        return found.push(format!("{prefix}{path}"));
    };
    let prefix = format!("{prefix}{}", &text[..open]);
    let (mut depth, mut start) = (0, open + 1);
    for (index, c) in text.char_indices().skip(open) {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 1 && c == ',' || depth == 0 {
            if !text[start..index].trim().is_empty() {
                expand(&prefix, &text[start..index], found);
            }
            start = index + 1;
        }
    }
}
