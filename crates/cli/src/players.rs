//! `monteverde players`.

use crate::failure::bad_input;
use crate::table;
use monteverde_players::registry::Entry;
use monteverde_players::setting::{self, Setting};
use monteverde_players::{GAMES, Preset, SETTINGS, Settings, game};
use serde_json::{Value, json};
use std::io::Write;

/// Lists every named player and what it is made of, and every setting
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  monteverde players
  monteverde players --game chess --json")]
pub(crate) struct Args {
    /// Only the players of this game: chess, tic-tac-toe or dice-race
    #[arg(long, value_name = "G")]
    game: Option<String>,
    /// Prints one JSON document
    #[arg(long)]
    json: bool,
}

/// Prints the lists.
pub(crate) fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<()> {
    let games: Vec<&Entry> = match &args.game {
        Some(name) => vec![game(name).map_err(|error| bad_input("--game", error))?],
        None => GAMES.iter().collect(),
    };
    if args.json {
        return Ok(writeln!(out, "{:#}", document(&games))?);
    }
    for entry in &games {
        writeln!(out, "Players of {} ({}); the first is the default.", entry.name, entry.about)?;
        let mut table = table::sentences(["player", "what it is made of", "settings"]);
        for player in entry.players {
            table.add_row([player.name, player.about, &changes(player)]);
        }
        writeln!(out, "{table}\n")?;
    }
    writeln!(out, "A spec is a player and its settings: name:key=value,flag,...\n")?;
    let mut table = table::sentences(["setting", "accepts", "default", "meaning"]);
    for setting in SETTINGS {
        table.add_row([
            setting.name,
            &setting.accepted(),
            &default(setting).unwrap_or_default(),
            setting.meaning,
        ]);
    }
    Ok(writeln!(out, "{table}")?)
}

/// The settings in which a player differs from the defaults.
fn changes(player: &Preset) -> String {
    match setting::print(SETTINGS, &Settings::default(), &(player.settings)()) {
        none if none.is_empty() => "all default".to_owned(),
        changes => changes,
    }
}

/// A setting's default; where it means nothing without another, that other is given first.
fn default(setting: &Setting<Settings>) -> Option<String> {
    let mut settings = Settings::default();
    if let Some(needs) = setting.needs {
        setting::parse(SETTINGS, needs, &mut settings).expect("the table names its own settings");
    }
    setting.value(&settings)
}

fn document(games: &[&Entry]) -> Value {
    let player = |player: &Preset| {
        let settings = (player.settings)();
        let values = SETTINGS.iter().filter_map(|setting| {
            Some((setting.name.to_owned(), Value::from(setting.value(&settings)?)))
        });
        json!({
            "name": player.name,
            "about": player.about,
            "settings": values.collect::<serde_json::Map<_, _>>(),
        })
    };
    let setting = |setting: &Setting<Settings>| {
        json!({
            "name": setting.name,
            "meaning": setting.meaning,
            "accepts": setting.accepted(),
            "default": default(setting),
            "needs": setting.needs,
        })
    };
    let entry = |entry: &&Entry| {
        json!({
            "name": entry.name,
            "about": entry.about,
            "players": entry.players.iter().map(player).collect::<Vec<_>>(),
        })
    };
    json!({
        "games": games.iter().map(entry).collect::<Vec<_>>(),
        "settings": SETTINGS.iter().map(setting).collect::<Vec<_>>(),
    })
}
