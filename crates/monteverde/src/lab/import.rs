//! `monteverde import`.

use super::experiment::{ScaleArg, failure};
use super::store_failure;
use crate::failure::bad_input;
use crate::progress::{bar, note};
use anyhow::Context;
use monteverde_experiment::find;
use monteverde_lab::store::{Due, ImportError, ImportFile, Imported, Merged, Store};
use monteverde_players::Games;
use monteverde_players::arguments::grouped;
use serde_json::{Value, json};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Puts the files of shards, or other stores, into a store
///
/// This puts together what --shard I/N --out FILE has made on other machines; the same command
/// without --shard then finds all of it and reports. Importing a file twice, or files in another
/// order, changes nothing. A file that is damaged, cut off, of another program, or contradicts the
/// store is refused as a whole; the others are imported. A shard that was stopped can be imported,
/// and the output says what it lacks.
#[derive(clap::Args)]
#[command(
    group = clap::ArgGroup::new("into").args(["store", "experiment"]).required(true),
    after_help = "\
Examples:
  monteverde import part*.mvs --store a.db
  monteverde import part*.mvs --experiment mcc-mating --scale paper"
)]
pub(crate) struct Args {
    /// The files
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// The store; it is made if it does not exist
    #[arg(long, value_name = "FILE")]
    store: Option<PathBuf>,
    /// The experiment whose store it is: experiments/ID/SCALE.db
    #[arg(long, value_name = "ID")]
    experiment: Option<String>,
    /// The scale of the experiment: quick, standard or paper
    #[arg(
        long,
        value_enum,
        value_name = "SCALE",
        conflicts_with = "store",
        default_value_if("experiment", clap::builder::ArgPredicate::IsPresent, "quick")
    )]
    scale: Option<ScaleArg>,
    /// The folder of the experiments
    #[arg(long, value_name = "DIR", default_value = "experiments", conflicts_with = "store")]
    dir: PathBuf,
    /// Prints one JSON document
    #[arg(long)]
    json: bool,
}

/// Imports and says what came of each file.
pub(crate) fn run(games: &Games, args: &Args, out: &mut dyn Write) -> anyhow::Result<()> {
    let path = path(games, args)?;
    // Opened for the first file that is sound, so that a word that is no file makes no store.
    let mut store = None;
    let mut documents = Vec::new();
    let mut refused = 0;
    for file in &args.files {
        match import(&path, &mut store, file)? {
            Ok(imported) if args.json => documents.push(document(file, &imported)),
            Ok(imported) => write(file, &imported, out)?,
            Err(error) => {
                refused += 1;
                documents.push(
                    json!({ "file": file.display().to_string(), "refused": error.to_string() }),
                );
                note(&format!("refused: {error}"));
            }
        }
        out.flush()?;
    }
    if args.json {
        let document = json!({ "store": path.display().to_string(), "files": documents });
        writeln!(out, "{document:#}")?;
    }
    match refused {
        0 => Ok(()),
        count => Err(bad_input("import", format!("refused {count} of {} files", args.files.len()))),
    }
}

/// Where everything goes.
fn path(games: &Games, args: &Args) -> anyhow::Result<PathBuf> {
    let (Some(id), Some(scale)) = (&args.experiment, args.scale) else {
        return Ok(args.store.clone().unwrap_or_default());
    };
    let experiment = find(games, &args.dir, id).map_err(failure)?;
    let path = experiment.store_path(scale.scale());
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)
            .with_context(|| format!("'{}' cannot be made", folder.display()))?;
    }
    Ok(path)
}

/// Imports a file. What is wrong with the file stands inside, what is wrong with the store outside.
fn import(
    path: &Path,
    store: &mut Option<Store>,
    file: &Path,
) -> anyhow::Result<Result<Imported, ImportError>> {
    let source = match ImportFile::open(file) {
        Ok(source) => source,
        Err(error) => return Ok(Err(error)),
    };
    let store = match store {
        Some(store) => store,
        None => store.insert(Store::open(path).map_err(store_failure)?),
    };
    let bar = bar(source.rows(), "importing");
    let imported = store.import(&source, &mut |rows| bar.set_position(rows));
    bar.finish_and_clear();
    match imported {
        Err(ImportError::Store(error)) => Err(store_failure(error)),
        other => Ok(other),
    }
}

fn write(file: &Path, imported: &Imported, out: &mut dyn Write) -> anyhow::Result<()> {
    let Imported { shard, games, void, replaced, findings, due } = imported;
    let shard = shard.map_or(String::new(), |shard| format!(" (shard {shard})"));
    let count = |Merged { new, known }: &Merged, what| {
        format!("{} {what} new, {} known", grouped(*new), grouped(*known))
    };
    write!(out, "{}{shard}: {}", file.display(), count(games, "games"))?;
    writeln!(out, "; {} void; {}", grouped(*void), count(findings, "measurements"))?;
    if *replaced > 0 {
        writeln!(out, "  they take the place of {} void games of the store", grouped(*replaced))?;
    }
    if let Some(Due { pieces, missing: missing @ 1.. }) = due {
        writeln!(
            out,
            "  {} of its {} pieces are missing. The command that made it goes on with it; if a file of the \
             same name with -wal behind it lies beside it there, it belongs to it",
            grouped(*missing),
            grouped(*pieces)
        )?;
    }
    Ok(())
}

fn document(file: &Path, imported: &Imported) -> Value {
    let Imported { shard, games, void, replaced, findings, due } = imported;
    json!({
        "file": file.display().to_string(),
        "shard": shard.map(|shard| shard.to_string()),
        "games": { "new": games.new, "known": games.known, "void": void, "replaced_void": replaced },
        "measurements": { "new": findings.new, "known": findings.known },
        "pieces": due.map(|due| due.pieces),
        "missing": due.map(|due| due.missing),
    })
}
