//! How the players of an experiment search, so that results of players that have changed since are
//! known as such.

use monteverde_players::signature::{hash_of, spec_of};
use monteverde_players::{AnyGame, Games, Spec};
use std::collections::BTreeMap;
use toml::{Table, Value};

/// The hashes of named players, as the signature has recorded them.
pub(crate) type Playing = BTreeMap<String, String>;

/// The named players that the work of a table may ask for, as they search now. Those with a network
/// are left out: they change with every network, and what they did is of its day.
pub(crate) fn of(games: &Games, work: &Table) -> Playing {
    let name = work.get("game").and_then(Value::as_str);
    let Some(game) = name.and_then(|name| games.game(name).ok()) else { return Playing::new() };
    let mut texts = Vec::new();
    work.values().for_each(|value| collect(value, &mut texts));
    let specs = texts.into_iter().filter_map(|text| Spec::read_without_files(game, text).ok());
    let named = specs.filter(|spec| spec.network().is_none()).map(|spec| spec.name());
    named.filter_map(|name| Some((name.to_owned(), recorded(game, name)?))).collect()
}

/// Whether all of them search as they did.
pub(crate) fn is_current(games: &Games, work: &Table, then: &Playing) -> bool {
    let now = of(games, work);
    then.iter().all(|(name, hash)| now.get(name) == Some(hash))
}

/// The hash in the line of a player without settings.
fn recorded(game: AnyGame, name: &str) -> Option<String> {
    let line = game.recorded_signature().into_iter().find(|line| spec_of(line) == Some(name))?;
    hash_of(line).map(str::to_owned)
}

/// All texts that a value holds.
fn collect<'a>(value: &'a Value, texts: &mut Vec<&'a str>) {
    match value {
        Value::String(text) => texts.push(text),
        Value::Array(values) => values.iter().for_each(|value| collect(value, texts)),
        Value::Table(table) => table.values().for_each(|value| collect(value, texts)),
        _ => {}
    }
}
