//! Whether a command can be run as shards.

use super::{Args, TaskValues, added_words, plain_text};
use crate::failure::bad_input;
use monteverde_players::Games;
use std::path::Path;

/// Refuses a command that cannot be run as shards, so that nobody waits in a queue to be told.
pub(super) fn check_command(games: &Games, args: &Args) -> anyhow::Result<()> {
    plain_text("--out", &args.out)?;
    for word in &args.command {
        let option = word.split('=').next().unwrap_or_default();
        let problem = match option {
            "--shard" | "--out" | "--store" => "is set by the script; leave it out",
            "--nats" => "is for runs that share their work out themselves; leave it out",
            "--pgn" => {
                "would let all tasks write to one file; leave it out, and write the games with 'monteverde export' \
                 after the import"
            }
            _ => {
                plain_text("the command", Path::new(word))?;
                continue;
            }
        };
        return Err(bad_input("the command", format!("{option} {problem}")));
    }
    let values = TaskValues { shard: "1/1", file: "file", cores: "1" };
    let added = added_words(&args.command, values);
    let words = ["monteverde"].into_iter().map(str::to_owned);
    let words = words.chain(args.command.iter().cloned()).chain(added);
    crate::cli::parse(games, words).map(drop).map_err(|error| {
        let (reason, mut with_shards) = (reason(&error), commands_with_shards(games));
        let is_known = with_shards.iter().any(|name| args.command.join(" ").starts_with(name));
        let advice = match is_known {
            true => String::new(),
            false => {
                let last = with_shards.pop().unwrap_or_default();
                format!("; commands that can: {} and {last}", with_shards.join(", "))
            }
        };
        bad_input("the command", format!("it cannot be run as shards: {reason}{advice}"))
    })
}

/// What an error of clap's says is wrong, in a line: its first paragraph.
fn reason(error: &clap::Error) -> String {
    let text = error.to_string();
    let mut lines = text.lines().map(str::trim).take_while(|line| !line.is_empty());
    let first = lines.next().unwrap_or_default();
    let first = first.strip_prefix("error: ").unwrap_or(first);
    let more = lines.collect::<Vec<_>>().join(", ");
    format!("{first} {more}").trim_end().to_owned()
}

/// The commands that take --shard, as they are called.
pub(super) fn commands_with_shards(games: &Games) -> Vec<String> {
    fn add(command: &clap::Command, before: &str, found: &mut Vec<String>) {
        for command in command.get_subcommands() {
            let name = format!("{before}{}", command.get_name());
            add(command, &format!("{name} "), found);
            if command.get_arguments().any(|arg| arg.get_long() == Some("shard")) {
                found.push(name);
            }
        }
    }
    let mut found = Vec::new();
    add(&crate::cli::command(games), "", &mut found);
    found
}
