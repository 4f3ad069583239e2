//! Games, players and settings, as the page needs them to draw its controls.

use crate::fault::{Code, Fault};
use monteverde_players::chinese;
use monteverde_players::presentation::{Presentation, Subject, Translation};
use monteverde_players::setting::{Checked, Setting, SettingKind};
use monteverde_players::{AnyGame, Games, Level, Preset, Spec};
use serde_json::{Map, Value, json};

/// Whether there is a page about a technique of that name, `docs/techniques/NAME.md`.
pub type HasPage<'a> = &'a dyn Fn(&str) -> bool;

/// Everything there is to choose from: the answer to `/api/games`.
pub fn games(games: &Games, has_page: HasPage<'_>) -> Value {
    let mut games: Vec<Value> = games.iter().map(|game| describe_game(game, has_page)).collect();
    games.sort_by_key(|game| game["has_board"] != true);
    json!({ "games": games })
}

/// What players and settings are and what is wrong with a state or move, in another language: the
/// answer to `/api/texts/<language>`. `None` if nothing is said in that language.
pub fn texts(games: &Games, language: &str) -> Option<Value> {
    let own = |game: AnyGame| {
        let presentation = game.presentation();
        let about = |subject| table(presentation.words, language, subject);
        let texts = json!({
            "players": about(Subject::Players),
            "settings": about(Subject::Settings),
            "mistakes": about(Subject::Mistakes),
        });
        (game.name().to_owned(), texts)
    };
    let shared = json!({
        "players": object(chinese::PLAYERS),
        "search": object(chinese::SEARCH),
        "alphabeta": object(chinese::ALPHABETA),
    });
    let games: Map<String, Value> = games.iter().map(own).collect();
    (language == chinese::LANGUAGE).then(|| json!({ "shared": shared, "games": games }))
}

/// What a spec of a game comes to: the answer to `/api/games/<game>/spec`.
pub fn spec(games: &Games, game: &str, text: &str) -> Result<Value, Fault> {
    let game = games.game(game).map_err(|error| Fault::new(Code::UnknownGame, error))?;
    let spec = Spec::read_without_files(game, text);
    let spec = spec.map_err(|error| Fault::new(Code::BadSpec, error))?;
    let (kind, settings, changed) = match (spec.settings(), spec.alphabeta()) {
        (Some(settings), _) => {
            let table = game.settings();
            ("search", values(table, settings), changed(table, game.players(), &spec, settings))
        }
        (_, Some(settings)) => {
            let (table, presets) = (game.alphabeta_settings(), game.alphabeta());
            ("alphabeta", values(table, settings), changed(table, presets, &spec, settings))
        }
        (None, None) => ("other", Map::new(), Vec::new()),
    };
    Ok(json!({
        "spec": spec.to_string(),
        "name": spec.name(),
        "kind": kind,
        "settings": settings,
        "changed": changed,
        "note": spec.missing(game),
    }))
}

fn describe_game(game: AnyGame, has_page: HasPage<'_>) -> Value {
    let start = game.start();
    let (search, alphabeta) = (game.settings(), game.alphabeta_settings());
    let presentation = game.presentation();
    let searching = game.players().iter().map(|player| describe_player(player, search, "search"));
    let others = game.alphabeta().iter();
    let others = others.map(|player| describe_player(player, alphabeta, "alphabeta"));
    json!({
        "name": game.name(),
        "title": game.title(),
        "about": game.about(),
        "rules": game.rules(),
        "sides": start.sides().map(|side| side.name),
        "start": start.state_text(),
        "has_board": start.board().is_some(),
        "has_chance": game.has_chance(),
        "export": game.record_format().name,
        "default_player": game.players().first().map(|player| player.name),
        "strongest": game.strongest(),
        "forced_win": presentation.forced_win,
        "editor": presentation.editor,
        "openings": presentation.openings,
        "words": words(&presentation),
        "levels": game.levels().iter().map(describe_level).collect::<Vec<_>>(),
        "players": searching.chain(others).collect::<Vec<_>>(),
        "settings": {
            "search": describe_settings(search, has_page),
            "alphabeta": describe_settings(alphabeta, has_page),
        },
    })
}

/// The words of a game by language.
fn words(presentation: &Presentation) -> Map<String, Value> {
    let languages = presentation.words.iter().map(|part| part.language);
    let words = |language: &str| table(presentation.words, language, Subject::Words).into();
    languages.map(|language| (language.to_owned(), words(language))).collect()
}

/// What is said about a subject in a language, as an object.
fn table(parts: &[Translation], language: &str, subject: Subject) -> Map<String, Value> {
    let wanted = |part: &&Translation| part.language == language && part.subject == subject;
    parts.iter().filter(wanted).flat_map(|part| object(part.words)).collect()
}

fn object(words: &[(&str, &str)]) -> Map<String, Value> {
    words.iter().map(|&(key, said)| (key.to_owned(), said.into())).collect()
}

fn describe_level(level: &Level) -> Value {
    json!({
        "number": level.number,
        "spec": level.spec,
        "pace": level.pace().to_string(),
        "elo": level.elo,
    })
}

/// The pages about techniques that explain settings of another name.
pub fn named_pages() -> impl Iterator<Item = &'static str> {
    PAGES.iter().map(|&(_, page)| page)
}

fn describe_player<S: Checked>(
    player: &Preset<S>,
    table: &'static [Setting<S>],
    kind: &str,
) -> Value {
    json!({
        "name": player.name,
        "kind": kind,
        "about": player.about,
        "settings": values(table, &(player.settings)()),
    })
}

fn values<S: Checked>(table: &'static [Setting<S>], settings: &S) -> Map<String, Value> {
    let value =
        |setting: &Setting<S>| Some((setting.name.to_owned(), setting.value(settings)?.into()));
    table.iter().filter_map(value).collect()
}

/// The settings that differ from the named player's.
fn changed<S: Checked>(
    table: &'static [Setting<S>],
    presets: &[Preset<S>],
    spec: &Spec,
    settings: &S,
) -> Vec<&'static str> {
    let preset = presets.iter().find(|preset| preset.name == spec.name());
    let Some(preset) = preset else { return Vec::new() };
    let base = (preset.settings)();
    let differs = |setting: &&Setting<S>| setting.value(&base) != setting.value(settings);
    table.iter().filter(differs).map(|setting| setting.name).collect()
}

fn describe_settings<S: Checked + Default>(
    table: &'static [Setting<S>],
    has_page: HasPage<'_>,
) -> Vec<Value> {
    let describe = |setting: &Setting<S>| {
        let (kind, words, min, max) = accepted(&setting.kind);
        let mut described = json!({
            "name": setting.name,
            "kind": kind,
            "words": words,
            "min": min,
            "max": max,
            "default": setting.default(table),
            "accepts": setting.accepted(),
            "meaning": setting.meaning,
            "needs": setting.needs,
            "page": technique(setting.name, has_page).map(|id| format!("/docs/techniques/{id}.html")),
        });
        // Most settings lack most of it, in every game.
        described.as_object_mut().expect("an object").retain(|_, value| !value.is_null());
        described
    };
    // Files are not chosen from the page, see `Spec::read_without_files`.
    let is_offered = |setting: &&Setting<S>| !matches!(setting.kind, SettingKind::Network { .. });
    table.iter().filter(is_offered).map(describe).collect()
}

/// The kind of a setting, its words, and its range.
fn accepted<S>(kind: &SettingKind<S>) -> (&'static str, Value, Value, Value) {
    let none = Value::Null;
    match kind {
        SettingKind::Word { words, .. } => ("word", json!(words), none.clone(), none),
        SettingKind::Real { range, .. } => ("real", none, json!(range.start()), json!(range.end())),
        SettingKind::Whole { range, .. } => {
            ("whole", none, json!(range.start()), json!(range.end()))
        }
        SettingKind::RealOrOff { range, .. } => {
            ("real-or-off", none, json!(range.start()), json!(range.end()))
        }
        SettingKind::RealOrWord { range, words, .. } => {
            ("real-or-word", json!(words), json!(range.start()), json!(range.end()))
        }
        SettingKind::WholeOrOff { range, .. } => {
            ("whole-or-off", none, json!(range.start()), json!(range.end()))
        }
        SettingKind::Bytes { range, .. } => {
            ("bytes", none, json!(range.start()), json!(range.end()))
        }
        SettingKind::Flag { .. } => ("flag", none.clone(), none.clone(), none),
        SettingKind::Network { .. } => ("network", none.clone(), none.clone(), none),
    }
}

/// The page that explains a setting: the one of its name, of the beginning of its name, or one that
/// is named here.
fn technique<'a>(setting: &'a str, has_page: HasPage<'_>) -> Option<&'a str> {
    let beginning = setting.split('-').next().unwrap_or(setting);
    let named = |name| PAGES.iter().find(|(known, _)| *known == name).map(|&(_, page)| page);
    let own = [setting, beginning].into_iter();
    own.clone().chain(own.filter_map(named)).find(|id| has_page(id))
}

/// Settings, or beginnings of settings, whose page has another name.
const PAGES: &[(&str, &str)] = &[
    ("c", "uct"),
    ("temperature", "puct"),
    ("c-base", "puct"),
    ("c-deviation", "puct"),
    ("usual-deviation", "puct"),
    ("root-temperature", "puct"),
    ("even-share", "puct"),
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
    ("choose-temperature", "secure"),
    ("fraction", "clock"),
    ("soft-stop", "clock"),
    ("clock-share", "clock"),
];

#[cfg(test)]
mod tests {
    use super::*;
    use monteverde_games::games as all_games;

    #[test]
    fn everything_is_listed() {
        let all = games(&all_games(), &|_| true);
        assert_eq!(all["games"][0]["name"], "chess");
        assert_eq!(all["games"][3]["has_board"], true);
        assert_eq!(all["games"][4]["has_board"], false);
        assert_eq!(all["games"][2]["has_chance"], true);
        assert_eq!(all["games"][0]["levels"].as_array().map(Vec::len), Some(8));
        assert_eq!(all["games"][0]["levels"][7]["number"], 8);
        assert!(all["games"][0]["levels"][0]["pace"].as_str().unwrap().starts_with("iterations="));
        assert_eq!(all["games"][3]["levels"], json!([]), "a game without levels has an empty list");
        for setting in all["games"][0]["settings"]["search"].as_array().unwrap() {
            assert!(setting["meaning"].as_str().is_some_and(|text| text.len() > 10), "{setting}");
        }
    }

    #[test]
    fn players_and_settings_are_explained_in_chinese_too() {
        let all = games(&all_games(), &|_| true);
        let texts = texts(&all_games(), chinese::LANGUAGE).expect("a language that is spoken");
        for game in all["games"].as_array().unwrap() {
            let own = &texts["games"][game["name"].as_str().unwrap()];
            let lists = [
                (&game["players"], "players", "players"),
                (&game["settings"]["search"], "settings", "search"),
                (&game["settings"]["alphabeta"], "settings", "alphabeta"),
            ];
            for (list, subject, shared) in lists {
                for thing in list.as_array().unwrap() {
                    let name = thing["name"].as_str().unwrap();
                    let said =
                        own[subject][name].as_str().or(texts["shared"][shared][name].as_str());
                    assert!(
                        said.is_some_and(|said| said.ends_with('。')),
                        "{}: {name}",
                        game["name"]
                    );
                }
            }
        }
        assert_eq!(super::texts(&all_games(), "tlh"), None);
    }

    #[test]
    fn settings_of_a_game_speak_of_no_other() {
        let all = games(&all_games(), &|_| true);
        let all = all["games"].as_array().unwrap();
        let titles: Vec<&str> = all.iter().map(|game| game["title"].as_str().unwrap()).collect();
        for game in all {
            let own = game["title"].as_str().unwrap();
            for setting in ["search", "alphabeta"].map(|kind| &game["settings"][kind]) {
                for setting in setting.as_array().unwrap() {
                    let text = setting["meaning"].as_str().unwrap().replace(own, "");
                    let names = |title: &&&str| {
                        text.to_lowercase().contains(&title.to_lowercase()) && **title != own
                    };
                    let other = titles.iter().find(names);
                    assert_eq!(other, None, "{own}, {}: {text}", setting["name"]);
                }
            }
        }
    }

    #[test]
    fn a_setting_of_puct_leads_to_its_page_whatever_it_begins_with() {
        let has_page = |page: &str| ["uct", "puct"].contains(&page);
        for setting in
            ["c-base", "c-deviation", "usual-deviation", "root-temperature", "even-share"]
        {
            assert_eq!(technique(setting, &has_page), Some("puct"), "{setting}");
        }
        assert_eq!(technique("c", &has_page), Some("uct"));
    }

    #[test]
    fn a_spec_is_read_with_what_it_changes() {
        let read = spec(&all_games(), "chess", "mcc: c=0.50").unwrap();
        assert_eq!(
            (read["spec"].as_str(), read["changed"][0].as_str()),
            (Some("mcc:c=0.5"), Some("c"))
        );
        assert!(spec(&all_games(), "chess", "mcx").unwrap_err().to_string().contains("perhaps"));
        assert_eq!(spec(&all_games(), "loa", "mia").unwrap()["kind"], "alphabeta");
    }
}
