//! `monteverde tune --game loa`.

use super::Args;
use crate::failure::bad_input;
use crate::lab::command_line;
use anyhow::Context;
use monteverde_lab::tune::loa::{
    Beyond, Evaluator, Fit, Record, count, likeness, read_records, transitions_source,
    weights_source,
};
use monteverde_players::arguments::grouped;
use serde_json::json;
use std::io::Write;
use std::path::Path;

/// Fits the weights of all evaluators to the records, or counts the categories of their moves, and writes what came out.
pub(super) fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<()> {
    if args.records.is_empty() {
        let reason =
            "Lines of Action is tuned on records of games: name their file, one JSON object a line";
        return Err(bad_input("--records", reason));
    }
    let files = args.records.iter().map(|path| read(path));
    let records = files.collect::<anyhow::Result<Vec<_>>>()?.concat();
    if args.categories { categories(args, &records, out) } else { weights(args, &records, out) }
}

fn read(path: &Path) -> anyhow::Result<Vec<Record>> {
    let text = std::fs::read_to_string(path).map_err(|error| {
        bad_input("--records", format!("cannot read {}: {error}", path.display()))
    })?;
    read_records(&text).map_err(|error| bad_input("--records", error))
}

fn weights(args: &Args, records: &[Record], out: &mut dyn Write) -> anyhow::Result<()> {
    let fit = Fit::new(records, OPENING);
    let fitted = Evaluator::ALL.map(|evaluator| (evaluator, fit.weights(evaluator)));
    let [states, held_back] = fit.states();
    let mut about = format!(
        "Command: {}\n\
         Data: {} games that ended, {} states fitted, {} of other games held back, from ply {OPENING} on.\n\
         Method: logistic loss by the game's result, Newton's method, one game in ten held back.\n",
        command_line(),
        grouped(records.iter().filter(|record| record.outcome.is_some()).count() as u64),
        grouped(states as u64),
        grouped(held_back as u64)
    );
    let mut rows = Vec::new();
    for (evaluator, fitted) in &fitted {
        let year = format!("{evaluator:?}").replace("Mia", "");
        about.push_str(&format!("{year}: loss there {:.5}; the side ahead by", fitted.loss));
        let mut sure = Vec::new();
        for points in AS_GOOD_AS_WON {
            let Beyond { states, won } = fit.beyond(&fitted.weights, points);
            about.push_str(&format!(" {points} won {:.1}% ({states}),", 100.0 * won));
            sure.push(json!({ "points": points, "states": states, "won": won }));
        }
        about.pop();
        about.push_str(".\n");
        rows.push(json!({
            "evaluator": year, "loss": fitted.loss, "weights": fitted.weights, "beyond": sure,
        }));
    }
    if let Some(path) = &args.out {
        std::fs::write(path, weights_source(&fitted, &about))
            .with_context(|| format!("cannot write {}", path.display()))?;
    }
    if args.json {
        let document = json!({
            "game": "loa", "fitted": states, "held_back": held_back, "evaluators": rows,
        });
        return Ok(writeln!(out, "{document:#}")?);
    }
    Ok(write!(out, "{about}")?)
}

/// The first plies are much alike in all games and say little of their result.
const OPENING: usize = 8;

/// The thresholds of the papers, in points.
const AS_GOOD_AS_WON: [f64; 3] = [600.0, 700.0, 1000.0];

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
