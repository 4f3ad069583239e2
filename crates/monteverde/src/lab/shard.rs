//! `--shard I/N --out FILE`: a part of the work, kept in a file of its own.

use super::figures::calibration_text;
use super::{open, store_failure};
use crate::failure::bad_input;
use crate::nats::{CrewArgs, Workforce};
use monteverde_lab::build::build;
use monteverde_lab::calibration::{CalibrationError, take_speeds};
use monteverde_lab::command::line;
use monteverde_lab::contest::ContestPlan;
use monteverde_lab::hands::Hands;
use monteverde_lab::shard::Shard;
use monteverde_lab::standings::Standings;
use monteverde_lab::store::{Due, RunNote, Store};
use monteverde_players::arguments::grouped;
use serde_json::{Value, json};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Which part of the work is done.
#[derive(clap::Args)]
pub(crate) struct ShardArgs {
    /// Does only the I-th of N equal parts, such as 2/4, and keeps it in the file of --out;
    /// 'monteverde import' puts the parts together
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,
}

/// Equal time on several machines.
#[derive(clap::Args)]
pub(crate) struct SpeedArgs {
    /// Measures the speeds of players that think equally long, keeps them in the store, and plays
    /// nothing; shards take them from there
    #[arg(long)]
    pub(super) calibrate: bool,
    /// The store with the speeds that all shards use, made by --calibrate
    #[arg(long, value_name = "FILE")]
    speeds_from: Option<PathBuf>,
}

impl SpeedArgs {
    /// Copies the speeds into the file of a shard.
    pub(super) fn take(&self, keeping: &mut Keeping) -> anyhow::Result<()> {
        let Some(path) = &self.speeds_from else { return Ok(()) };
        if keeping.workforce.hands.shard.is_none() {
            let accepted = "it is for a shard and needs --shard I/N; a store has its own speeds";
            return Err(bad_input("--speeds-from", accepted));
        }
        let from = Store::read(path).map_err(|error| store_failure_of("--speeds-from", error))?;
        let taken = take_speeds(&mut keeping.store, &from);
        let count = taken.map_err(|error| match error {
            CalibrationError::Store(error) => store_failure_of("--speeds-from", error),
            error => bad_input("--speeds-from", error),
        })?;
        match count {
            0 => {
                let problem =
                    format!("'{}' holds no speeds; --calibrate measures them", path.display());
                Err(bad_input("--speeds-from", problem))
            }
            _ => Ok(()),
        }
    }

    /// Whether speeds are to be measured and nothing else, which needs a store and no shard.
    pub(super) fn is_calibration(
        &self,
        shard: &ShardArgs,
        store: Option<&Path>,
    ) -> anyhow::Result<bool> {
        match (self.calibrate, shard.is_some(), store) {
            (false, ..) => Ok(false),
            (true, false, Some(_)) => Ok(true),
            (true, true, _) => {
                let problem = "speeds are measured once for all shards; leave out --shard and --out, and give a \
                               --store";
                Err(bad_input("--calibrate", problem))
            }
            (true, false, None) => {
                Err(bad_input("--calibrate", "it keeps the speeds in a --store; give one"))
            }
        }
    }
}

/// Measures the speeds of a contest, and keeps and prints them, as text or as one JSON document.
pub(super) fn calibrate(
    plan: ContestPlan,
    store: &Path,
    json: bool,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    if plan.equal_time.is_none() {
        return Err(bad_input(
            "--calibrate",
            "nobody thinks equally long here, so no speed is needed",
        ));
    }
    let mut store = open(store)?;
    let (_, calibration) = plan.equalised(&mut store).map_err(super::contest_failure)?;
    match json {
        true => writeln!(out, "{:#}", json!({ "calibration": calibration }))?,
        false => write!(out, "{}", calibration_text(calibration.as_ref()))?,
    }
    Ok(())
}

/// Where a part of the work goes.
#[derive(clap::Args)]
pub(crate) struct OutArg {
    /// The file of --shard; the same command goes on with it
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
}

/// Where finished work goes, and which part of the work is done.
pub(crate) struct Keeping {
    pub(crate) store: Store,
    pub(crate) workforce: Workforce,
}

/// Who does the work: workers elsewhere, where they are asked for, or so many threads.
pub(crate) type Workers<'a> = (Option<&'a CrewArgs>, usize);

impl ShardArgs {
    /// Opens what keeps the work: the file of a shard, a store, or nothing but memory.
    pub(crate) fn keeping(
        &self,
        out: Option<&Path>,
        place: Option<&Path>,
        (crew, concurrency): Workers<'_>,
    ) -> anyhow::Result<Keeping> {
        let crew = crew.filter(|crew| crew.is_asked_for());
        if self.shard.is_some() && crew.is_some() {
            let problem =
                "a run with --nats shares its work out itself; leave out --shard and --out";
            return Err(bad_input("--shard", problem));
        }
        let store = match (self.shard, out, place) {
            (Some(_), _, Some(_)) => {
                return Err(bad_input(
                    "--store",
                    "a shard goes into the file of --out, and from there into a store by 'monteverde import'; \
                     leave out --store",
                ));
            }
            (Some(_), None, None) => {
                let accepted = "a shard is kept in a file of its own; give one with --out FILE";
                return Err(bad_input("--shard", accepted));
            }
            (Some(shard), Some(path), None) => {
                let mut store = Store::open_shard(path, shard)
                    .map_err(|error| store_failure_of("--out", error))?;
                let command = super::command_line();
                store.note_run(&RunNote { command, build: build().to_owned() })?;
                store
            }
            (None, Some(_), _) => {
                let accepted = "it is the file of a shard, and needs --shard I/N";
                return Err(bad_input("--out", accepted));
            }
            (None, None, Some(path)) => open(path)?,
            (None, None, None) => Store::memory()?,
        };
        let mut workforce = match crew {
            Some(crew) => crew.workforce(concurrency, place)?,
            None => Workforce::from(Hands::from(concurrency)),
        };
        workforce.hands.shard = self.shard;
        Ok(Keeping { store, workforce })
    }

    /// Whether only a part of the work is done.
    pub(super) fn is_some(&self) -> bool {
        self.shard.is_some()
    }
}

/// A shard that is done, for people and scripts.
pub(crate) struct ShardText {
    shard: Shard,
    path: PathBuf,
    due: Due,
    /// Won, drawn and lost games of those who met, and their digests.
    meetings: Vec<Meeting>,
    /// The words by which it is imported.
    into: Vec<String>,
}

struct Meeting {
    names: [String; 2],
    games: [u64; 3],
    digest: Option<String>,
}

impl ShardText {
    /// A shard of a contest with the tally of its games; `None` where all of it was played.
    pub(super) fn of_contest(
        keeping: &Keeping,
        standings: &Standings,
    ) -> anyhow::Result<Option<ShardText>> {
        if keeping.workforce.hands.shard.is_none() {
            return Ok(None);
        }
        let text = ShardText::of(keeping)?;
        Ok(Some(ShardText { meetings: meetings(standings), ..text }))
    }

    /// What a shard holds, which is complete in its file from here on.
    ///
    /// # Panics
    /// If all of the work was done.
    pub(crate) fn of(keeping: &Keeping) -> anyhow::Result<ShardText> {
        let Keeping { store, workforce } = keeping;
        let shard = workforce.hands.shard.expect("a shard was done");
        let due = store.due().map_err(store_failure)?.unwrap_or(Due { pieces: 0, missing: 0 });
        store.seal().map_err(store_failure)?;
        let (path, into) =
            (store.path().to_owned(), ["--store", "STORE"].map(str::to_owned).to_vec());
        Ok(ShardText { shard, path, due, meetings: Vec::new(), into })
    }

    /// A shard of an experiment, which has a store of its own: these words of `import` name it.
    pub(super) fn into_experiment(self, into: Vec<String>) -> ShardText {
        ShardText { into, ..self }
    }

    /// Writes it, as text or as one JSON document.
    pub(crate) fn write(&self, json: bool, out: &mut dyn Write) -> anyhow::Result<()> {
        if json {
            return Ok(writeln!(out, "{:#}", self.document())?);
        }
        let ShardText { shard, path, due, meetings, .. } = self;
        let held = match due {
            Due { pieces: 0, .. } => {
                "nothing falls to it, as there are more shards than pieces".to_owned()
            }
            Due { pieces, missing: 0 } => {
                format!("all of its {} pieces are there", grouped(*pieces))
            }
            Due { pieces, missing } => {
                format!("{} of its {} pieces are missing", grouped(*missing), grouped(*pieces))
            }
        };
        writeln!(out, "shard {shard} in {}: {held}", path.display())?;
        for Meeting { names: [one, two], games: [won, drawn, lost], .. } in meetings {
            writeln!(
                out,
                "  {one} against {two}, of this shard alone: won {won}, drawn {drawn}, lost {lost}"
            )?;
        }
        writeln!(
            out,
            "There are results once all {} shards are imported:\n  {}\n  {}",
            shard.count(),
            line(["import", "FILES"].into_iter().chain(self.into.iter().map(String::as_str))),
            line(whole_words(std::env::args().skip(1)))
        )?;
        Ok(())
    }

    fn document(&self) -> Value {
        let meeting =
            |Meeting { names: [one, two], games: [won, drawn, lost], digest }: &Meeting| {
                json!({
                    "player": one, "against": two, "won": won, "drawn": drawn, "lost": lost, "digest": digest,
                })
            };
        json!({
            "shard": self.shard.to_string(),
            "out": self.path.display().to_string(),
            "pieces": self.due.pieces,
            "missing": self.due.missing,
            "meetings": self.meetings.iter().map(meeting).collect::<Vec<_>>(),
        })
    }
}

fn meetings(standings: &Standings) -> Vec<Meeting> {
    let names = standings.names();
    let all = (0..names.len()).flat_map(|one| (one + 1..names.len()).map(move |two| (one, two)));
    let met = all.filter(|&(one, two)| standings.between(one, two).games() > 0);
    let meeting = |(one, two): (usize, usize)| {
        let games = standings.between(one, two);
        Meeting {
            names: [names[one].clone(), names[two].clone()],
            games: [games.wins, games.draws, games.losses],
            digest: standings.digest(one, two).map(|digest| digest.to_string()),
        }
    };
    met.map(meeting).collect()
}

/// The words of a command without the options of a shard, and with a store where it takes one.
fn whole_words(words: impl IntoIterator<Item = String>) -> Vec<String> {
    const OPTIONS: [&str; 3] = ["--shard", "--out", "--speeds-from"];
    let mut whole = Vec::new();
    let mut words = words.into_iter();
    while let Some(word) = words.next() {
        if OPTIONS.contains(&word.as_str()) {
            words.next();
        } else if !OPTIONS.iter().any(|option| word.starts_with(&format!("{option}="))) {
            whole.push(word);
        }
    }
    if whole.first().is_none_or(|command| command != "experiment") {
        whole.extend(["--store".to_owned(), "STORE".to_owned()]);
    }
    whole
}

/// As [`store_failure`], for a file that another option has named.
pub(super) fn store_failure_of(
    option: &str,
    error: monteverde_lab::store::StoreError,
) -> anyhow::Error {
    use monteverde_lab::store::StoreError::{Damaged, Database, System};
    match error {
        System { .. } | Database { .. } | Damaged { .. } => error.into(),
        _ => bad_input(option, error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_whole_is_the_same_command_with_a_store() {
        let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let whole = |text: &str| whole_words(words(text)).join(" ");
        assert_eq!(
            whole("match a b --shard 1/3 --games 4 --out=f.mvs --speeds-from s.db --json"),
            "match a b --games 4 --json --store STORE"
        );
        assert_eq!(whole("experiment run x --shard=1/3 --out f"), "experiment run x");
    }
}
