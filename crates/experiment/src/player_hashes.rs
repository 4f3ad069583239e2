//! How the players of an experiment search, as hashes of lines of the signature, so that results of
//! players that have changed since are known as such.

use monteverde_lab::behaviour::signature_lines;
use monteverde_players::signature::{hash_of, spec_of};
use monteverde_players::{AnyGame, Games, Spec};
use std::collections::{BTreeMap, BTreeSet};
use toml::{Table, Value};

/// Hashes of lines of the signature, by the specs of the lines.
pub(crate) type PlayerHashes = BTreeMap<String, String>;

/// The lines that say how the players that the work of a table may ask for search in this program:
/// of each the line of the named player, and those that add nothing but settings that it has.
/// Players with a network are left out: they change with every network, and what they did is of its
/// day. So are games whose signature is not recorded.
pub(crate) fn of(games: &Games, work: &Table) -> PlayerHashes {
    let recorded = |game: &AnyGame| !game.recorded_signature().is_empty();
    let Some(game) = game_of(games, work).filter(recorded) else { return PlayerHashes::new() };
    let texts = signature_lines(game);
    let lines: Vec<PlayerLine<'_>> =
        texts.iter().filter_map(|text| PlayerLine::read(game, text)).collect();
    let mut texts = Vec::new();
    work.values().for_each(|value| collect(value, &mut texts));
    let specs = texts.into_iter().filter_map(|text| Spec::read_without_files(game, text).ok());
    let players = specs.filter(|spec| spec.network().is_none());
    players.flat_map(|spec| lines_of(&spec, &lines)).collect()
}

/// Whether the recorded signature still has all of these lines.
pub(crate) fn is_current(games: &Games, work: &Table, then: &PlayerHashes) -> bool {
    let recorded = game_of(games, work).map(AnyGame::recorded_signature).unwrap_or_default();
    let now: BTreeMap<_, _> =
        recorded.iter().filter_map(|line| Some((spec_of(line)?, hash_of(line)?))).collect();
    then.iter().all(|(spec, hash)| now.get(spec.as_str()) == Some(&hash.as_str()))
}

fn game_of(games: &Games, work: &Table) -> Option<AnyGame> {
    let name = work.get("game").and_then(Value::as_str)?;
    games.game(name).ok()
}

/// The line of a player without a network.
struct PlayerLine<'a> {
    text: &'a str,
    hash: &'a str,
    name: &'static str,
    settings: BTreeSet<String>,
}

impl<'a> PlayerLine<'a> {
    fn read(game: AnyGame, line: &'a str) -> Option<PlayerLine<'a>> {
        let (text, hash) = (spec_of(line)?, hash_of(line)?);
        let spec = Spec::read(game, text).ok().filter(|spec| spec.network().is_none())?;
        Some(PlayerLine { text, hash, name: spec.name(), settings: settings(&spec) })
    }
}

/// The first line of a player stands for it even with settings that only keep it small or the same
/// everywhere. Lines that follow may have them, too.
fn lines_of(player: &Spec, lines: &[PlayerLine<'_>]) -> PlayerHashes {
    let own: Vec<&PlayerLine<'_>> =
        lines.iter().filter(|line| line.name == player.name()).collect();
    let mut settings = settings(player);
    settings.extend(own.first().into_iter().flat_map(|line| line.settings.clone()));
    let own = own.into_iter().filter(|line| line.settings.is_subset(&settings));
    own.map(|line| (line.text.to_owned(), line.hash.to_owned())).collect()
}

/// What a spec changes of the named player.
fn settings(spec: &Spec) -> BTreeSet<String> {
    let text = spec.to_string();
    let settings = text.split_once(':').map_or("", |(_, settings)| settings);
    settings.split(',').filter(|setting| !setting.is_empty()).map(str::to_owned).collect()
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
