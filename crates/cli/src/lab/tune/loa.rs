//! `monteverde tune --game loa`.

use super::Args;
use crate::failure::bad_input;
use crate::lab::command_line;
use crate::text::grouped;
use anyhow::Context;
use monteverde_lab::tune::loa::{Record, count, likeness, read_records, transitions_source};
use serde_json::json;
use std::io::Write;
use std::path::Path;

/// Counts the categories of the moves in the records, and writes what came out.
pub(super) fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<()> {
    let Some(path) = &args.records else {
        let reason =
            "Lines of Action is tuned on records of games: name their file, one JSON object a line";
        return Err(bad_input("--records", reason));
    };
    let records = read(path)?;
    categories(args, &records, out)
}

fn read(path: &Path) -> anyhow::Result<Vec<Record>> {
    let text = std::fs::read_to_string(path).map_err(|error| {
        bad_input("--records", format!("cannot read {}: {error}", path.display()))
    })?;
    read_records(&text).map_err(|error| bad_input("--records", error))
}

fn categories(args: &Args, records: &[Record], out: &mut dyn Write) -> anyhow::Result<()> {
    let states: usize = records.iter().map(|record| record.moves.len()).sum();
    let counts = count(records);
    let categories = counts.rows().count();
    if let Some(path) = &args.out {
        let about = format!(
            "Command: {}\nData: {} games, {} states, {} categories.",
            command_line(),
            grouped(records.len() as u64),
            grouped(states as u64),
            grouped(categories as u64)
        );
        std::fs::write(path, transitions_source(&counts, &about))
            .with_context(|| format!("cannot write {}", path.display()))?;
    }
    let alike = likeness(&counts);
    if args.json {
        let document = json!({
            "game": "loa", "games": records.len(), "states": states, "categories": categories,
            "correlation": alike,
        });
        return Ok(writeln!(out, "{document:#}")?);
    }
    writeln!(
        out,
        "{} games, {} states, {categories} categories of moves",
        grouped(records.len() as u64),
        grouped(states as u64)
    )?;
    if let Some(alike) = alike {
        writeln!(out, "correlation with the probabilities compiled in: {alike:.4}")?;
    }
    Ok(())
}
