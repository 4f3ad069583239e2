//! `monteverde serve`.

use crate::failure::bad_input;
use crate::nats::{LoginArgs, cluster_view};
use anyhow::Context;
use monteverde_players::Games;
use monteverde_players::arguments::{parse_count, parse_threads};
use monteverde_web::Options;
use std::io::{ErrorKind, Write};
use std::net::IpAddr;
use std::path::PathBuf;

/// Serves the page: play, analyse, watch the tree grow, browse the lab
///
/// The page is at the address that is printed. It can be reached from this machine only, unless
/// --host opens it: then anybody who reaches this machine can use its cores and read the stores and
/// experiments of the lab's folder, each client up to its part of the sessions and requests.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  monteverde serve
  monteverde serve --port 8000 --lab results
  monteverde serve --host 0.0.0.0 --allow lab.example")]
pub(crate) struct Args {
    /// The port; by default 8310, or any free one if that is taken
    #[arg(long, value_name = "P")]
    port: Option<u16>,
    /// The address to listen at; 0.0.0.0 opens the server to the network
    #[arg(long, value_name = "H", default_value = "127.0.0.1")]
    host: IpAddr,
    /// A name by which browsers may call a server that is open to the network, without a port; may
    /// be given more than once
    #[arg(long, value_name = "NAME", value_parser = parse_host_name)]
    allow: Vec<String>,
    /// The folder of the lab, which must exist: its stores (*.db) and its experiments
    #[arg(long, value_name = "DIR", default_value = ".")]
    lab: PathBuf,
    /// How many sessions may be connected at once
    #[arg(long, value_name = "N", default_value = "64", value_parser = parse_count)]
    sessions: u64,
    /// The most memory for trees, matches and answers together, in MiB
    #[arg(long, value_name = "MIB", default_value = "2048", value_parser = parse_count)]
    memory: u64,
    /// How many cores searches share; by default all of them
    #[arg(long, value_name = "K", value_parser = parse_threads)]
    cores: Option<usize>,
    /// Shows workers and runs at this NATS server in the page's lab, nats://HOST:PORT
    #[arg(long, value_name = "URL", help_heading = "Many machines")]
    nats: Option<String>,
    #[command(flatten)]
    login: LoginArgs,
}

/// Serves until it is interrupted.
pub(crate) fn run(games: Games, args: &Args, out: &mut dyn Write) -> anyhow::Result<()> {
    if !args.lab.is_dir() {
        let problem = if args.lab.exists() { "is no folder" } else { "does not exist" };
        let reason = format!("'{}' {problem}; a folder is accepted", args.lab.display());
        return Err(bad_input("--lab", reason));
    }
    let plain = Options::default();
    let server = args.nats.as_ref().map(|url| args.login.server(url)).transpose()?;
    serve(
        games,
        Options {
            host: args.host,
            port: args.port,
            allow: args.allow.clone(),
            lab: args.lab.clone(),
            sessions: usize::try_from(args.sessions).unwrap_or(usize::MAX),
            memory: usize::try_from(args.memory).unwrap_or(usize::MAX).saturating_mul(1 << 20),
            cores: args.cores.unwrap_or(plain.cores),
            cluster: server.map(cluster_view),
        },
        out,
    )
}

/// Reads a name of hosts as browsers send it.
fn parse_host_name(text: &str) -> Result<String, String> {
    let is_part = |part: &str| {
        !part.is_empty()
            && part.chars().all(|letter| letter.is_ascii_alphanumeric() || "-_".contains(letter))
    };
    match text.split('.').all(is_part) {
        true => Ok(text.to_owned()),
        false => {
            let accepted = "letters, digits, '-' and '_' with '.' between, such as lab.example";
            Err(format!("'{}' is no name of a host; accepted: {accepted}", text.escape_debug()))
        }
    }
}

/// Serves as it does without arguments.
pub(crate) fn run_plain(games: Games, out: &mut dyn Write) -> anyhow::Result<()> {
    serve(games, Options::default(), out)
}

fn serve(games: Games, options: Options, out: &mut dyn Write) -> anyhow::Result<()> {
    games.iter().for_each(crate::uci::build_tables);
    let wanted = options.port.map_or(String::new(), |port| format!(", port {port}"));
    let place = format!("the server cannot listen at {}{wanted}", options.host);
    let served = monteverde_web::serve(games, options, |address| {
        // Nobody reads it where it cannot be written; the server serves all the same.
        let _ = writeln!(
            out,
            "Monteverde is at http://{address}/ (Ctrl-C ends it; 'monteverde --help' lists the commands)"
        );
        let _ = out.flush();
    });
    match served {
        Err(error) if error.kind() == ErrorKind::InvalidInput => Err(bad_input("--memory", error)),
        served => served.context(place),
    }
}
