//! `monteverde players`.

use crate::failure::bad_input;
use crate::table;
use comfy_table::Table;
use monteverde_players::setting::{self, Setting};
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
        writeln!(out, "{}: {}.", game.name(), game.about())?;
        writeln!(out, "Its players; the first is the default.")?;
        let mut table = table::sentences(["player", "what it is made of", "settings"]);
        for player in game.players() {
            table.add_row([player.name, player.about, &changes(game.settings(), player)]);
        }
        for player in game.alphabeta() {
            table.add_row([player.name, player.about, &changes(game.alphabeta_settings(), player)]);
        }
        writeln!(out, "{table}\n")?;
    }
    writeln!(out, "A spec is a player and its settings: name:key=value,flag,...\n")?;
    write_settings(&searching(&games), out)?;
    let names: Vec<_> = games.iter().flat_map(|game| game.alphabeta()).collect();
    if !names.is_empty() {
        let names: Vec<_> = names.iter().map(|player| player.name).collect();
        writeln!(
            out,
            "\nThe players that search by alpha-beta ({}) have these:\n",
            names.join(", ")
        )?;
        write_settings(&alphabeta(&games), out)?;
    }
    Ok(())
}

/// A game and the settings of its players of one kind.
type OfGame<S> = (&'static str, &'static [Setting<S>]);

/// The settings of the players that search by Monte-Carlo tree search.
fn searching(games: &[AnyGame]) -> Vec<OfGame<Settings>> {
    games.iter().map(|game| (game.name(), game.settings())).collect()
}

/// Those of the players that search by alpha-beta, of the games that have some.
fn alphabeta(games: &[AnyGame]) -> Vec<OfGame<AlphaBeta>> {
    let having = games.iter().filter(|game| !game.alphabeta().is_empty());
    having.map(|game| (game.name(), game.alphabeta_settings())).collect()
}

/// A setting and the games whose players have it.
struct Listed<S: 'static> {
    setting: &'static Setting<S>,
    /// The table that it stands in.
    table: &'static [Setting<S>],
    games: Vec<&'static str>,
}

/// Every setting once.
fn listed<S>(games: &[OfGame<S>]) -> Vec<Listed<S>> {
    let mut all: Vec<Listed<S>> = Vec::new();
    for &(game, table) in games {
        for setting in table {
            let is_same = |other: &&mut Listed<S>| {
                let other = other.setting;
                other.name == setting.name && other.meaning == setting.meaning
            };
            match all.iter_mut().find(is_same) {
                Some(listed) => listed.games.push(game),
                None => all.push(Listed { setting, table, games: vec![game] }),
            }
        }
    }
    all
}

/// A table of what all the games have, and one for each group of games that have more.
fn write_settings<S: Default>(games: &[OfGame<S>], out: &mut dyn Write) -> anyhow::Result<()> {
    let listed = listed(games);
    let (shared, own): (Vec<_>, Vec<_>) =
        listed.iter().partition(|listed| listed.games.len() == games.len());
    writeln!(out, "{}", settings_table(&shared))?;
    let mut groups: Vec<&[&str]> = own.iter().map(|listed| &*listed.games).collect();
    groups.dedup();
    for group in groups {
        let own: Vec<_> = own.iter().copied().filter(|listed| listed.games == group).collect();
        writeln!(out, "\nPlayers of {} have these, too:\n", group.join(" and "))?;
        writeln!(out, "{}", settings_table(&own))?;
    }
    Ok(())
}

fn settings_table<S: Default>(settings: &[&Listed<S>]) -> Table {
    let mut table = table::sentences(["setting", "accepts", "default", "meaning"]);
    for listed in settings {
        table.add_row([
            listed.setting.name,
            &listed.setting.accepted(),
            &listed.default().unwrap_or_default(),
            listed.setting.meaning,
        ]);
    }
    table
}

/// The settings in which a player differs from the defaults of its kind.
fn changes<S: Default + Clone>(table: &'static [Setting<S>], player: &Preset<S>) -> String {
    match setting::print(table, &S::default(), &(player.settings)()) {
        none if none.is_empty() => "all default".to_owned(),
        changes => changes,
    }
}

impl<S: Default> Listed<S> {
    /// The setting's default; where it means nothing without another, that other is given first.
    fn default(&self) -> Option<String> {
        let mut settings = S::default();
        if let Some(needs) = self.setting.needs {
            setting::parse(self.table, needs, &mut settings)
                .expect("the table names its own settings");
        }
        self.setting.value(&settings)
    }
}

fn document(games: &[AnyGame]) -> Value {
    let entry = |game: &AnyGame| {
        let players = game.players().iter();
        let players = players.map(|player| describe_player(game.settings(), player));
        let others = game.alphabeta().iter();
        let others = others.map(|player| describe_player(game.alphabeta_settings(), player));
        json!({
            "name": game.name(),
            "about": game.about(),
            "players": players.chain(others).collect::<Vec<_>>(),
        })
    };
    json!({
        "games": games.iter().map(entry).collect::<Vec<_>>(),
        "settings": describe_settings(&searching(games)),
        "alphabeta_settings": describe_settings(&alphabeta(games)),
    })
}

fn describe_player<S>(table: &'static [Setting<S>], player: &Preset<S>) -> Value {
    let settings = (player.settings)();
    let values = table.iter().filter_map(|setting| {
        Some((setting.name.to_owned(), Value::from(setting.value(&settings)?)))
    });
    json!({
        "name": player.name,
        "about": player.about,
        "settings": values.collect::<serde_json::Map<_, _>>(),
    })
}

/// Every setting, with the games that have it.
fn describe_settings<S: Default>(games: &[OfGame<S>]) -> Vec<Value> {
    let describe = |listed: &Listed<S>| {
        json!({
            "name": listed.setting.name,
            "meaning": listed.setting.meaning,
            "accepts": listed.setting.accepted(),
            "default": listed.default(),
            "needs": listed.setting.needs,
            "games": listed.games,
        })
    };
    listed(games).iter().map(describe).collect()
}
