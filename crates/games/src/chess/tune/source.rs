//! The table of weights as the Rust file that the evaluation is compiled with.

use monteverde_knowledge::chess::{Curve, GROUPS, Weights};
use std::fmt::Write;

/// The text of `crates/knowledge/src/chess/weights.rs`: `about` in sentences says where the weights
/// come from and becomes the head of the file.
pub(super) fn source(weights: &Weights, curve: Curve, about: &str) -> String {
    let values = weights.values();
    let mut text =
        String::from("//! The weights of the evaluation, written by `monteverde tune`.\n//!\n");
    for line in about.lines() {
        let _ = writeln!(text, "//! {line}");
    }
    let Curve { midgame, endgame } = curve;
    let _ = write!(
        text,
        "\nuse super::{{Curve, TERMS, Weights}};

/// The weights of the evaluation.
pub static TUNED: Weights = Weights::new(&VALUES);

/// How the expected result grows with the value.
pub const CURVE: Curve = Curve {{ midgame: {midgame:.1}, endgame: {endgame:.1} }};

/// Centipawns in the middlegame and in the ending, by the groups of `terms.rs`.
#[rustfmt::skip]
const VALUES: [(i16, i16); TERMS] = [
"
    );
    for group in GROUPS {
        let _ = writeln!(text, "    // {}", group.name);
        for row in values[group.start..group.start + group.len].chunks(PER_LINE) {
            let row: Vec<String> = row.iter().map(|(m, e)| format!("({m}, {e}),")).collect();
            let _ = writeln!(text, "    {}", row.join(" "));
        }
    }
    text.push_str("];\n");
    text
}

/// So many weights on a line: a rank of the left half of the board twice.
const PER_LINE: usize = 8;
