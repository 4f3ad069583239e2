//! The table that sets a paper's numbers beside ours.

use super::blocks::{Cell, ColumnKind, Grid, Head};
use super::data::{Comparison, PaperError, Standing};
use super::number;

/// The caption of its figure.
pub(super) fn caption(comparison: &Comparison) -> String {
    match comparison.caption.as_str() {
        "" => comparison.quantity.clone(),
        caption => format!("{caption}: {}", comparison.quantity),
    }
}

pub(super) fn grid(comparison: &Comparison) -> Grid {
    let decimals = comparison.decimals;
    let rows = comparison.rows.iter().map(|row| {
        vec![
            Cell::Name(row.name.clone()),
            Cell::Text(number::of_paper(row.paper, row.error, decimals)),
            Cell::Text(number::interval(row.ours, decimals)),
            match row.sample {
                0 => Cell::Text("\u{2013}".to_owned()),
                sample => Cell::Text(number::count(sample)),
            },
            match row.is_measured() {
                true => Cell::Verdict(row.verdict),
                false => Cell::Standing(Standing::Open),
            },
        ]
    });
    let head = [
        (comparison.quantity.as_str(), ColumnKind::Text),
        ("Paper", ColumnKind::Number),
        ("Ours (95%)", ColumnKind::Number),
        (comparison.sample.as_str(), ColumnKind::Number),
        ("Verdict", ColumnKind::Text),
    ];
    Grid {
        caption: comparison.caption.clone(),
        head: head.into_iter().map(|(title, kind)| Head::new(title, kind)).collect(),
        rows: rows.collect(),
        note: note(comparison),
    }
}

/// Where the paper's numbers stand, and what is to be known of some of them.
fn note(comparison: &Comparison) -> String {
    let mut sentences = Vec::new();
    if !comparison.source.is_empty() {
        sentences.push(format!("The paper's numbers: {}.", comparison.source));
    }
    if comparison.rows.iter().any(|row| row.error == PaperError::Rounding) {
        sentences.push(ROUNDED.to_owned());
    }
    let mut reasons: Vec<&str> = Vec::new();
    for row in comparison.rows.iter().filter(|row| !row.reason.is_empty()) {
        if !reasons.contains(&row.reason.as_str()) {
            reasons.push(&row.reason);
        }
    }
    sentences.extend(reasons.iter().map(|reason| format!("Not counted: {reason}.")));
    sentences.join(" ")
}

/// What the mark behind a number without an error says.
const ROUNDED: &str = "A number marked 'as printed' has no error in the paper; it stands for all \
                       numbers that round to it.";
