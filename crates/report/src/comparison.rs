//! The table that sets a paper's numbers beside ours.

use super::blocks::{Cell, ColumnKind, Grid, Head};
use super::data::Comparison;
use super::number;

/// The caption of its figure.
pub(super) fn caption(comparison: &Comparison) -> String {
    format!("{}: {}", comparison.caption, comparison.quantity)
}

pub(super) fn grid(comparison: &Comparison) -> Grid {
    let show = |interval| Cell::Text(number::interval(interval, comparison.decimals));
    let rows = comparison.rows.iter().map(|row| {
        vec![
            Cell::Name(row.name.clone()),
            show(row.paper),
            show(row.ours),
            match row.sample {
                0 => Cell::Text("\u{2013}".to_owned()),
                sample => Cell::Text(number::count(sample)),
            },
            Cell::Verdict(row.verdict),
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
        note: match comparison.source.as_str() {
            "" => String::new(),
            source => format!("The paper's numbers: {source}."),
        },
    }
}
