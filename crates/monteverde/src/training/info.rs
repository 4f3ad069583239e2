//! `monteverde data`.

use crate::failure::bad_input;
use crate::{progress, table};
use monteverde_players::Games;
use monteverde_players::arguments::grouped;
use monteverde_training::{Damage, DataFile, Summary};
use serde_json::{Value, json};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Says what files of training games hold, and whether they are sound
///
/// Checks every game's checksum, names damaged games, and fails where there are any, or where
/// scores and results do not speak for the same side.
#[derive(clap::Args)]
#[command(after_help = "Example: monteverde data chess.mvd more.mvd --json")]
pub(crate) struct Args {
    /// The files
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Prints one JSON document a file
    #[arg(long)]
    json: bool,
}

/// Reads and prints.
pub(crate) fn run(games: &Games, args: &Args, out: &mut dyn Write) -> anyhow::Result<()> {
    let mut checked = Ok(());
    for path in &args.files {
        let file = DataFile::read(path).map_err(|error| bad_input("FILE", error))?;
        note_damage(&file);
        let header = file.header();
        games.game(&header.game).map_err(|error| bad_input("FILE", error))?;
        let summary = Summary::of(&file);
        print(path, &summary, file.damage(), args.json, out)?;
        if !args.json {
            let arguments = Value::Object(header.arguments.clone());
            writeln!(
                out,
                "{} by {} ({} {}), seed {}, {arguments}",
                header.made_by, header.player, header.game, header.build, header.seed
            )?;
        }
        checked = checked.and_then(|()| check(&file, &summary));
    }
    checked
}

/// Whether a file is sound.
fn check(file: &DataFile, summary: &Summary) -> anyhow::Result<()> {
    summary.check()?;
    let is_whole = file.damage().is_empty();
    anyhow::ensure!(is_whole, "{} is damaged; only the other games count", file.path().display());
    Ok(())
}

/// Says which games are damaged.
pub(super) fn note_damage(file: &DataFile) {
    for damage in file.damage() {
        progress::note(&format!("{}: {damage}; it is left out", file.path().display()));
    }
}

/// What a file holds, in a table or as JSON.
pub(super) fn print(
    path: &Path,
    summary: &Summary,
    damage: &[Damage],
    json: bool,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let bytes = std::fs::metadata(path).map_or(0, |file| file.len());
    if json {
        return Ok(writeln!(out, "{:#}", document(path, summary, damage, bytes))?);
    }
    let games = summary.games.max(1) as f64;
    let share = |count: u64| format!("{} ({:.1} %)", grouped(count), 100.0 * count as f64 / games);
    let number =
        |number: Option<f64>| number.map_or("none".to_owned(), |value| format!("{value:.3}"));
    let (shortest, longest) = summary.lengths.unwrap_or((0, 0));
    let scored = summary.scored.max(1) as f64;
    let mut table = table::figures([path.display().to_string(), String::new()], 1..2);
    let rows = [
        ("games", grouped(summary.games)),
        ("won by the first side", share(summary.first)),
        ("won by the second side", share(summary.second)),
        ("drawn", share(summary.draws)),
        ("of unknown result", share(summary.unknown)),
        ("plies: mean", format!("{:.1}", summary.plies as f64 / games)),
        ("plies: least and most", format!("{shortest} to {longest}")),
        ("positions with a score", grouped(summary.scored)),
        ("of these with shares of visits", grouped(summary.shared)),
        ("mean score of the side to move", format!("{:.3}", summary.score_sum / scored)),
        ("correlation of the signs of score and result", number(summary.correlation())),
        ("the first side to move", number(summary.signs[0].correlation())),
        ("the second side to move", number(summary.signs[1].correlation())),
        ("bytes a position", format!("{:.2}", bytes as f64 / scored)),
    ];
    for (name, value) in rows {
        table.add_row([name.to_owned(), value]);
    }
    Ok(writeln!(out, "{table}")?)
}

fn document(path: &Path, summary: &Summary, damage: &[Damage], bytes: u64) -> Value {
    let (shortest, longest) = summary.lengths.unwrap_or((0, 0));
    json!({
        "file": path.display().to_string(),
        "damaged": damage.iter().map(Damage::to_string).collect::<Vec<_>>(),
        "games": summary.games,
        "first": summary.first,
        "second": summary.second,
        "draws": summary.draws,
        "unknown": summary.unknown,
        "plies": summary.plies,
        "shortest": shortest,
        "longest": longest,
        "positions": summary.scored,
        "with_shares": summary.shared,
        "correlation": summary.correlation(),
        "correlation_by_side": summary.signs.map(|signs| signs.correlation()),
        "bytes": bytes,
    })
}
