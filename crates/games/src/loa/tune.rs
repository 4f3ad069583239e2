//! `monteverde tune --game loa`: weights of the evaluators and probabilities of move categories,
//! from records of games.

mod fit;
mod records;
mod source;
mod transitions;

use clap::{ArgMatches, FromArgMatches};
use fit::{Beyond, Fit, Signs};
use monteverde_knowledge::loa::Evaluator;
use monteverde_players::arguments::grouped;
use monteverde_players::command::check_out;
use monteverde_players::{CommandFailure, Console, GameCommand, text_file};
use records::{Record, read_records};
use serde_json::json;
use source::weights_source;
use std::path::{Path, PathBuf};
use transitions::{count, likeness, transitions_source};

/// The command.
pub(super) const COMMAND: GameCommand = GameCommand {
    command: || <Args as clap::Args>::augment_args(clap::Command::new("tune")),
    run,
    overview: "",
};

/// Fits the weights of the evaluators to records of games
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  monteverde tune --game loa --records games.jsonl --out crates/knowledge/src/loa/fitted.rs
  monteverde tune --game loa --records games.jsonl --categories --out crates/knowledge/src/loa/transitions.rs")]
struct Args {
    /// Records of games to tune loa on, in one file or several: a JSON object a line with moves
    /// and result, or what `monteverde export --format jsonl` writes
    #[arg(long, value_name = "FILE")]
    records: Vec<PathBuf>,
    /// Counts how likely moves of each category are played in the records, instead of fitting
    /// weights
    #[arg(long, requires = "records")]
    categories: bool,
    /// Fits the newest evaluator alone
    #[arg(long, conflicts_with = "categories")]
    newest: bool,
    /// Finds weights of which none is negative
    #[arg(long, conflicts_with = "categories")]
    non_negative: bool,
    /// The file for the weights: Rust source, to be compiled in
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Prints one JSON document
    #[arg(long)]
    json: bool,
}

/// Fits the weights of all evaluators to the records, or counts the categories of their moves, and
/// writes what came out.
fn run(matches: &ArgMatches, console: &mut dyn Console) -> Result<(), CommandFailure> {
    let args = Args::from_arg_matches(matches)?;
    if args.records.is_empty() {
        let reason =
            "Lines of Action is tuned on records of games: name their file, one JSON object a line";
        return Err(CommandFailure::bad_input("--records", reason));
    }
    let files = args.records.iter().map(|path| read(path));
    let records = files.collect::<Result<Vec<_>, _>>()?.concat();
    if records.is_empty() {
        return Err(CommandFailure::bad_input("--records", "there are no games in it"));
    }
    check_out(args.out.as_deref())?;
    match args.categories {
        true => categories(&args, &records, console),
        false => weights(&args, &records, console),
    }
}

fn write(path: &Path, text: &str) -> Result<(), CommandFailure> {
    let failed = |error| format!("cannot write {}: {error}", path.display());
    Ok(std::fs::write(path, text).map_err(failed)?)
}

fn read(path: &Path) -> Result<Vec<Record>, CommandFailure> {
    let text = text_file::read(path, text_file::DATA).map_err(|error| {
        CommandFailure::bad_input("--records", format!("cannot read {}: {error}", path.display()))
    })?;
    read_records(&text).map_err(|error| CommandFailure::bad_input("--records", error))
}

fn weights(
    args: &Args,
    records: &[Record],
    console: &mut dyn Console,
) -> Result<(), CommandFailure> {
    let fit = Fit::new(records, OPENING);
    let [states, held_back] = fit.states();
    if states == 0 {
        let reason = format!(
            "there is nothing to fit: no game has a result and more than {OPENING} plies, but those \
             held back"
        );
        return Err(CommandFailure::bad_input("--records", reason));
    }
    let evaluators = match args.newest {
        true => &[Evaluator::Mia2006],
        false => Evaluator::BY_YEAR.as_slice(),
    };
    let signs = if args.non_negative { Signs::NonNegative } else { Signs::Any };
    let fitted: Vec<_> =
        evaluators.iter().map(|&evaluator| (evaluator, fit.weights(evaluator, signs))).collect();
    let mut about = format!(
        "Command: {}\n\
         Data: {} games that ended, {} states fitted, {} of other games held back, from ply {OPENING} on.\n\
         Method: logistic loss by the game's result, {}, one game in ten held back.\n",
        console.command_line(),
        grouped(records.iter().filter(|record| record.outcome.is_some()).count() as u64),
        grouped(states as u64),
        grouped(held_back as u64),
        match signs {
            Signs::Any => "Newton's method",
            Signs::NonNegative => "Newton's method among weights that are not negative",
        }
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
        write(path, &weights_source(&fitted, &about))?;
    }
    if args.json {
        let document = json!({
            "game": "loa", "fitted": states, "held_back": held_back, "evaluators": rows,
        });
        return Ok(writeln!(console.out(), "{document:#}")?);
    }
    Ok(write!(console.out(), "{about}")?)
}

/// The first plies are much alike in all games and say little of their result.
const OPENING: usize = 8;

/// The thresholds of the papers, in points.
const AS_GOOD_AS_WON: [f64; 3] = [600.0, 700.0, 1000.0];

fn categories(
    args: &Args,
    records: &[Record],
    console: &mut dyn Console,
) -> Result<(), CommandFailure> {
    let states: usize = records.iter().map(|record| record.moves.len()).sum();
    let counts = count(records);
    let categories = counts.rows().count();
    if let Some(path) = &args.out {
        let about = format!(
            "Command: {}\nData: {} games, {} states, {} categories.",
            console.command_line(),
            grouped(records.len() as u64),
            grouped(states as u64),
            grouped(categories as u64)
        );
        write(path, &transitions_source(&counts, &about))?;
    }
    let alike = likeness(&counts);
    if args.json {
        let document = json!({
            "game": "loa", "games": records.len(), "states": states, "categories": categories,
            "correlation": alike,
        });
        return Ok(writeln!(console.out(), "{document:#}")?);
    }
    let out = console.out();
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
