//! `monteverde players`.

use crate::failure::bad_input;
use crate::table;
use comfy_table::Table;
use monteverde_players::setting::{self, Described, Setting};
use monteverde_players::{AlphaBeta, AnyGame, Games, Preset, Settings};
use serde_json::{Value, json};
use std::io::Write;

/// Lists every named player and what it is made of, and every setting
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  monteverde players
  monteverde players --game chess --json")]
pub(crate) struct Args {
    /// Only the players of this game: {games}
    #[arg(long, value_name = "G")]
    game: Option<String>,
    /// Prints one JSON document
    #[arg(long)]
    json: bool,
}

/// Prints the lists.
pub(crate) fn run(games: &Games, args: &Args, out: &mut dyn Write) -> anyhow::Result<()> {
    let games: Vec<AnyGame> = match &args.game {
        Some(name) => vec![games.game(name).map_err(|error| bad_input("--game", error))?],
        None => games.iter().collect(),
    };
    if args.json {
        return Ok(writeln!(out, "{:#}", document(&games))?);
    }
    for game in &games {
        writeln!(out, "Players of {} ({}); the first is the default.", game.name(), game.about())?;
        let mut table = table::sentences(["player", "what it is made of", "settings"]);
        for player in game.players() {
            table.add_row([player.name, player.about, &changes(player)]);
        }
        for player in game.alphabeta() {
            table.add_row([player.name, player.about, &changes(player)]);
        }
        writeln!(out, "{table}\n")?;
    }
    writeln!(out, "A spec is a player and its settings: name:key=value,flag,...\n")?;
    writeln!(out, "{}", settings_table::<Settings>())?;
    if games.iter().any(|game| !game.alphabeta().is_empty()) {
        let names: Vec<_> = games.iter().flat_map(|game| game.alphabeta()).collect();
        let names: Vec<_> = names.iter().map(|player| player.name).collect();
        writeln!(
            out,
            "\nThe players that search by alpha-beta ({}) have these:\n",
            names.join(", ")
        )?;
        writeln!(out, "{}", settings_table::<AlphaBeta>())?;
    }
    Ok(())
}

fn settings_table<S: Described + Default>() -> Table {
    let mut table = table::sentences(["setting", "accepts", "default", "meaning"]);
    for setting in S::TABLE {
        table.add_row([
            setting.name,
            &setting.accepted(),
            &default(setting).unwrap_or_default(),
            setting.meaning,
        ]);
    }
    table
}

/// The settings in which a player differs from the defaults of its kind.
fn changes<S: Described + Default>(player: &Preset<S>) -> String {
    match setting::print(S::TABLE, &S::default(), &(player.settings)()) {
        none if none.is_empty() => "all default".to_owned(),
        changes => changes,
    }
}

/// A setting's default; where it means nothing without another, that other is given first.
fn default<S: Described + Default>(setting: &Setting<S>) -> Option<String> {
    let mut settings = S::default();
    if let Some(needs) = setting.needs {
        setting::parse(S::TABLE, needs, &mut settings).expect("the table names its own settings");
    }
    setting.value(&settings)
}

fn document(games: &[AnyGame]) -> Value {
    let entry = |game: &AnyGame| {
        let players = game.players().iter().map(describe_player);
        json!({
            "name": game.name(),
            "about": game.about(),
            "players": players.chain(game.alphabeta().iter().map(describe_player)).collect::<Vec<_>>(),
        })
    };
    json!({
        "games": games.iter().map(entry).collect::<Vec<_>>(),
        "settings": describe_settings::<Settings>(),
        "alphabeta_settings": describe_settings::<AlphaBeta>(),
    })
}

fn describe_player<S: Described>(player: &Preset<S>) -> Value {
    let settings = (player.settings)();
    let values = S::TABLE.iter().filter_map(|setting| {
        Some((setting.name.to_owned(), Value::from(setting.value(&settings)?)))
    });
    json!({
        "name": player.name,
        "about": player.about,
        "settings": values.collect::<serde_json::Map<_, _>>(),
    })
}

fn describe_settings<S: Described + Default>() -> Vec<Value> {
    let describe = |setting: &Setting<S>| {
        json!({
            "name": setting.name,
            "meaning": setting.meaning,
            "accepts": setting.accepted(),
            "default": default(setting),
            "needs": setting.needs,
        })
    };
    S::TABLE.iter().map(describe).collect()
}
