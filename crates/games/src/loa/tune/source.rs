//! The weights as the Rust file that the evaluators are compiled with.

use super::fit::{Fitted, rounded};
use monteverde_knowledge::loa::{Evaluator, NAMES};
use std::fmt::Write;

/// The text of `crates/knowledge/src/loa/fitted.rs`: `about` in sentences says where the weights
/// come from and becomes the head of the file.
pub(super) fn weights_source(fitted: &[(Evaluator, Fitted)], about: &str) -> String {
    let mut text =
        String::from("//! The weights of the evaluators, written by `monteverde tune`.\n//!\n");
    for line in about.lines() {
        let _ = writeln!(text, "//! {line}");
    }
    text.push_str("\nuse super::weights::Weights;\n");
    for (evaluator, fitted) in fitted {
        let name = match evaluator {
            Evaluator::Mia2000 => "MIA_2000",
            Evaluator::Mia2002 => "MIA_2002",
            Evaluator::Mia2006 | Evaluator::MonteCarlo | Evaluator::NonNegative => "MIA_2006",
        };
        let _ = write!(
            text,
            "\n#[rustfmt::skip]\npub(super) static {name}: Weights = Weights::new([\n"
        );
        for (name, weight) in NAMES.iter().zip(rounded(&fitted.weights)) {
            let _ = writeln!(text, "    {weight}, // {name}");
        }
        text.push_str("]);\n");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(file: &str, evaluators: &[Evaluator]) {
        let about: Vec<&str> =
            file.lines().skip(2).map_while(|line| line.strip_prefix("//! ")).collect();
        assert!(!about.is_empty());
        let fitted = evaluators.iter().map(|&evaluator| {
            let fineness = f64::from(monteverde_knowledge::loa::FINENESS);
            let weights = evaluator.weights().values().map(|part| f64::from(part) / fineness);
            (evaluator, Fitted { weights, loss: 0.0 })
        });
        assert_eq!(weights_source(&fitted.collect::<Vec<_>>(), &about.join("\n")), file);
    }

    /// What the evaluators are compiled with is what the tuner writes.
    #[test]
    fn the_compiled_weights_are_written_files() {
        check(include_str!("../../../../knowledge/src/loa/fitted.rs"), &Evaluator::BY_YEAR);
        let monte_carlo = include_str!("../../../../knowledge/src/loa/fitted_monte_carlo.rs");
        check(monte_carlo, &[Evaluator::MonteCarlo]);
        let non_negative = include_str!("../../../../knowledge/src/loa/fitted_non_negative.rs");
        check(non_negative, &[Evaluator::NonNegative]);
    }
}
