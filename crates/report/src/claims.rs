//! The table of everything that a paper says.

use super::blocks::{Cell, ColumnKind, Grid, Head};
use super::data::Claim;

pub(super) fn grid(claims: &[Claim]) -> Grid {
    let row = |claim: &Claim| {
        vec![
            Cell::Text(claim.claim.clone()),
            Cell::Name(claim.name.clone()),
            Cell::Text(claim.paper.clone()),
            Cell::Text(claim.ours.clone()),
            Cell::Text(claim.sample.clone()),
            Cell::Text(claim.scale.clone()),
            Cell::Standing(claim.standing),
            Cell::Link(claim.section.clone()),
        ]
    };
    let head = [
        ("What the paper says", ColumnKind::Claim),
        ("Of", ColumnKind::Text),
        ("Paper", ColumnKind::Number),
        ("Ours (95%)", ColumnKind::Number),
        ("Sample", ColumnKind::Number),
        ("Scale", ColumnKind::Text),
        ("Verdict", ColumnKind::Text),
        ("Experiment", ColumnKind::Text),
    ];
    Grid {
        caption: "The paper's numbers and ours".to_owned(),
        head: head.into_iter().map(|(title, kind)| Head::new(title, kind)).collect(),
        rows: claims.iter().map(row).collect(),
        note: String::new(),
    }
}
