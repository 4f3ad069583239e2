//! Files of the lab: tournaments, sweeps, experiments, their results, and stores.

use crate::games;
use monteverde_experiment::{Experiment, ResultFile};
use monteverde_lab::export::{Form, export};
use monteverde_lab::report::of_store;
use monteverde_lab::store::{Store, StoreError};
use monteverde_lab::sweep::Sweep;
use monteverde_lab::tournament::Tournament;
use monteverde_report::{html, markdown};
use std::io::sink;
use std::path::Path;

/// Tournaments, sweeps and experiments, read and checked. Nothing is played, and no engine runs.
pub(crate) fn toml(text: &str) {
    // Openings may stand in any file: devices never end, and listing every long line takes a while.
    if ["/dev", "/proc", "/sys", "every"].iter().any(|word| text.contains(word)) {
        return;
    }
    let (games, folder) = (games(), Path::new("/nowhere"));
    if let Ok(tournament) = Tournament::parse(games, text, folder, "fuzz") {
        let _ = tournament.plan.check();
    }
    if let Ok(sweep) = Sweep::parse(games, text, folder, "fuzz") {
        assert_eq!(sweep.names().len(), sweep.cells());
        let _ = sweep.total();
    }
    if let Ok(experiment) = Experiment::parse(games, &folder.join("fuzz.toml"), text) {
        let _ = experiment.check();
    }
}

/// Results of experiments: once written, nothing changes any more.
pub(crate) fn results(text: &str) {
    // Counts that add up to more than 64 bits hold do not come about.
    let digits = text.split(|letter: char| !letter.is_ascii_digit()).map(str::len).max();
    if digits.is_some_and(|digits| digits > 15) {
        return;
    }
    let Ok(results) = ResultFile::parse(text) else { return };
    let _ = (results.tables(), results.data.sample());
    let written = results.text();
    let again = ResultFile::parse(&written).expect("what was written is accepted");
    assert_eq!(again.text(), written);
}

/// The bytes of a store: reading it, its report and its exports; then opening it to write.
pub(crate) fn store(data: &[u8]) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.db");
    std::fs::write(&path, data).expect("the folder is ours");
    if let Ok(store) = Store::read(&path) {
        show(&store);
    }
    if let Ok(store) = Store::open(&path) {
        show(&store);
    }
}

/// Everything that is done with a store that somebody brings. Errors may come at any point.
fn show(store: &Store) {
    if let Ok(report) = of_store(store) {
        assert!(!html(&report).is_empty() && !markdown(&report).is_empty());
    }
    let _ = (store.entrants(), store.runs(), store.count(None));
    for line in store.lines(None, 0, 50).unwrap_or_default().0 {
        let _ = store.record(&line.key);
    }
    let _ = store.records(None, |_| Ok::<_, StoreError>(()));
    let games = games();
    for name in Form::names(games) {
        let _ = export(games, store, None, &Form::of_name(name), &mut sink());
    }
}
