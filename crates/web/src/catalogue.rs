//! Games, players and settings, as the page needs them to draw its controls.

use crate::files;
use monteverde_banqi::Banqi;
use monteverde_chess::Chess;
use monteverde_game::{Game, Never};
use monteverde_loa::Loa;
use monteverde_players::setting::{self, Described, Kind, Setting};
use monteverde_players::{
    AlphaBeta, GAMES, Playable, Preset, Settings, Spec, SpecError, Visitor, visit,
};
use serde_json::{Map, Value, json};
use std::any::TypeId;

/// The games that have a board of their own, in the order of the page.
pub(crate) const WITH_BOARD: [&str; 3] = [Chess::NAME, Loa::NAME, Banqi::NAME];

/// Everything there is to choose from.
pub(crate) fn games() -> Value {
    let others = GAMES.iter().map(|entry| entry.name).filter(|name| !WITH_BOARD.contains(name));
    let games: Vec<Value> = WITH_BOARD
        .into_iter()
        .chain(others)
        .filter_map(|name| visit(name, DescribeGame).ok())
        .collect();
    json!({
        "games": games,
        "settings": {
            "search": describe_settings::<Settings>(),
            "alphabeta": describe_settings::<AlphaBeta>(),
        },
    })
}

/// What a spec comes to.
pub(crate) fn spec<G: Playable>(text: &str) -> Result<Value, SpecError> {
    let spec = Spec::parse::<G>(text)?;
    let (kind, settings, changed) = match (spec.settings(), spec.alphabeta()) {
        (Some(settings), _) => {
            ("search", values(settings), changed(G::PLAYERS, spec.name(), settings))
        }
        (_, Some(settings)) => {
            let presets = G::ALPHA_BETA.map_or(&[][..], |players| players.presets);
            ("alphabeta", values(settings), changed(presets, spec.name(), settings))
        }
        (None, None) => ("other", Map::new(), Vec::new()),
    };
    Ok(json!({
        "spec": spec.to_string(),
        "name": spec.name(),
        "kind": kind,
        "settings": settings,
        "changed": changed,
        "note": spec.note::<G>(),
    }))
}

/// The player that the page offers as an opponent: our strongest where there is one.
pub(crate) fn strongest<G: Playable>() -> &'static str {
    const OURS: &str = "best";
    let named = |name: &str| G::PLAYERS.iter().find(|player| player.name == name);
    named(OURS).or(G::PLAYERS.first()).map_or("", |player| player.name)
}

/// What a game is called on the page, and what the first and the second side are called in it.
pub(crate) fn titles(game: &str) -> (&str, [&'static str; 2]) {
    match game {
        Chess::NAME => ("Chess", ["White", "Black"]),
        Loa::NAME => ("Lines of Action", ["Black", "White"]),
        Banqi::NAME => ("Chinese dark chess", ["First", "Second"]),
        other => (other, ["First", "Second"]),
    }
}

struct DescribeGame;

impl Visitor for DescribeGame {
    type Output = Value;

    fn visit<G: Playable>(self) -> Value {
        let (title, sides) = titles(G::NAME);
        let searching = G::PLAYERS.iter().map(|player| describe_player(player, "search"));
        let presets = G::ALPHA_BETA.map_or(&[][..], |players| players.presets);
        let others = presets.iter().map(|player| describe_player(player, "alphabeta"));
        json!({
            "name": G::NAME,
            "title": title,
            "about": G::ABOUT,
            "sides": sides,
            "start": G::start().state_text(),
            "has_board": WITH_BOARD.contains(&G::NAME),
            "has_chance": TypeId::of::<G::Event>() != TypeId::of::<Never>(),
            "export": export_format(G::NAME),
            "default_player": G::PLAYERS.first().map(|player| player.name),
            "strongest": strongest::<G>(),
            "players": searching.chain(others).collect::<Vec<_>>(),
        })
    }
}

/// What whole games of that name are written as.
pub(crate) fn export_format(game: &str) -> &'static str {
    match game {
        Chess::NAME => "pgn",
        Loa::NAME => "sgf",
        _ => "text",
    }
}

fn describe_player<S: Described>(player: &Preset<S>, kind: &str) -> Value {
    json!({
        "name": player.name,
        "kind": kind,
        "about": player.about,
        "settings": values(&(player.settings)()),
    })
}

fn values<S: Described>(settings: &S) -> Map<String, Value> {
    let value =
        |setting: &Setting<S>| Some((setting.name.to_owned(), setting.value(settings)?.into()));
    S::TABLE.iter().filter_map(value).collect()
}

/// The settings that differ from the named player's.
fn changed<S: Described>(presets: &[Preset<S>], name: &str, settings: &S) -> Vec<&'static str> {
    let Some(preset) = presets.iter().find(|preset| preset.name == name) else { return Vec::new() };
    let base = (preset.settings)();
    let differs = |setting: &&Setting<S>| setting.value(&base) != setting.value(settings);
    S::TABLE.iter().filter(differs).map(|setting| setting.name).collect()
}

fn describe_settings<S: Described + Default>() -> Vec<Value> {
    let describe = |setting: &Setting<S>| {
        let (kind, words, min, max) = accepted(&setting.kind);
        json!({
            "name": setting.name,
            "kind": kind,
            "words": words,
            "min": min,
            "max": max,
            "default": default(setting),
            "accepts": setting.accepted(),
            "meaning": setting.meaning,
            "needs": setting.needs,
            "page": technique(setting.name).map(|id| format!("/docs/techniques/{id}.html")),
        })
    };
    S::TABLE.iter().map(describe).collect()
}

/// The kind of a setting, its words, and its range.
fn accepted<S>(kind: &Kind<S>) -> (&'static str, Value, Value, Value) {
    let none = Value::Null;
    match kind {
        Kind::Word { words, .. } | Kind::Choice { words, .. } => {
            ("word", json!(words), none.clone(), none)
        }
        Kind::Real { range, .. } => ("real", none, json!(range.start()), json!(range.end())),
        Kind::Whole { range, .. } => ("whole", none, json!(range.start()), json!(range.end())),
        Kind::RealOrOff { range, .. } => {
            ("real-or-off", none, json!(range.start()), json!(range.end()))
        }
        Kind::RealOrWord { range, words, .. } => {
            ("real-or-word", json!(words), json!(range.start()), json!(range.end()))
        }
        Kind::WholeOrOff { range, .. } => {
            ("whole-or-off", none, json!(range.start()), json!(range.end()))
        }
        Kind::Bytes { range, .. } => ("bytes", none, json!(range.start()), json!(range.end())),
        Kind::Flag { .. } => ("flag", none.clone(), none.clone(), none),
    }
}

/// A setting's default; where it means nothing without another, that other is given first.
fn default<S: Described + Default>(setting: &Setting<S>) -> Option<String> {
    let mut settings = S::default();
    if let Some(needs) = setting.needs {
        setting::parse(S::TABLE, needs, &mut settings).ok()?;
    }
    setting.value(&settings)
}

/// The page under `docs/techniques/` that explains a setting: the one of its name, of the beginning of its name, or one that
/// is named here.
fn technique(setting: &str) -> Option<&str> {
    let beginning = setting.split('-').next().unwrap_or(setting);
    let named = PAGES
        .iter()
        .find(|(name, _)| *name == setting || *name == beginning)
        .map(|&(_, page)| page);
    let own = [setting, beginning].into_iter();
    own.chain(named).find(|id| files::has_technique(id))
}

/// Settings, or beginnings of settings, whose page has another name.
const PAGES: &[(&str, &str)] = &[
    ("c", "uct"),
    ("temperature", "puct"),
    ("urgency", "fpu"),
    ("widen", "widening"),
    ("untried", "threshold"),
    ("playout", "heavy"),
    ("epsilon", "heavy"),
    ("ties", "heavy"),
    ("corrective", "categories"),
    ("least", "categories"),
    ("spread", "categories"),
    ("considered", "categories"),
    ("ab", "alphabeta"),
    ("most", "cutoff"),
    ("draw", "redraw"),
    ("leaf-check", "solver"),
    ("leaf", "truncate"),
    ("tables", "tablebase"),
    ("pieces", "tablebase"),
    ("tree", "tablebase"),
    ("choose", "secure"),
    ("a", "secure"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_is_listed_with_its_page() {
        let all = games();
        assert_eq!(all["games"][0]["name"], "chess");
        assert_eq!(all["games"][2]["has_chance"], true);
        for setting in all["settings"]["search"].as_array().unwrap() {
            assert!(setting["meaning"].as_str().is_some_and(|text| text.len() > 10), "{setting}");
        }
        assert_eq!(technique("c"), Some("uct"));
        assert_eq!(technique("bias-count"), Some("bias"));
        assert_eq!(technique("leaf-check"), Some("solver"));
        assert_eq!(technique("seed"), None);
        for (_, page) in PAGES {
            assert!(files::has_technique(page), "{page}");
        }
    }

    #[test]
    fn a_spec_is_read_with_what_it_changes() {
        let read = spec::<Chess>("mcc: c=0.50").unwrap();
        assert_eq!(
            (read["spec"].as_str(), read["changed"][0].as_str()),
            (Some("mcc:c=0.5"), Some("c"))
        );
        assert!(spec::<Chess>("mcx").unwrap_err().to_string().contains("perhaps"));
        assert_eq!(spec::<Loa>("mia").unwrap()["kind"], "alphabeta");
    }
}
