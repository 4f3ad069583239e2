//! How commands reach a NATS server: the options that they share, and the workers behind it.

use crate::failure::bad_input;
use crate::progress::note;
use monteverde_cluster::{
    ClusterError, Coordinator, CoordinatorOptions, Login, RunName, Say, Server, Watcher, host,
};
use monteverde_lab::hands::Hands;
use monteverde_players::arguments::{parse_time, parse_within};
use monteverde_web::ClusterView;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// The heading of these options in help texts.
const HEADING: &str = "Many machines";

/// Who one is to the server. What is secret may come from the environment or from a file, so that
/// no list of processes shows it.
#[derive(clap::Args)]
#[command(next_help_heading = HEADING)]
pub(crate) struct LoginArgs {
    /// The server's token; MONTEVERDE_NATS_TOKEN in the environment does the same
    #[arg(
        long, value_name = "TOKEN", requires = "nats",
        conflicts_with_all = ["nats_user", "nats_nkey", "nats_creds"]
    )]
    nats_token: Option<String>,
    /// The user at the server; MONTEVERDE_NATS_USER does the same
    #[arg(
        long, value_name = "NAME", requires = "nats",
        conflicts_with_all = ["nats_nkey", "nats_creds"]
    )]
    nats_user: Option<String>,
    /// The user's password; MONTEVERDE_NATS_PASSWORD does the same
    #[arg(long, value_name = "WORD", requires = "nats")]
    nats_password: Option<String>,
    /// A file with the seed of an nkey
    #[arg(long, value_name = "FILE", requires = "nats", conflicts_with = "nats_creds")]
    nats_nkey: Option<PathBuf>,
    /// A file with credentials, as nsc writes them
    #[arg(long, value_name = "FILE", requires = "nats")]
    nats_creds: Option<PathBuf>,
    /// Insists on an encrypted connection, as tls://HOST:PORT does
    #[arg(long, requires = "nats")]
    nats_tls: bool,
    /// A certificate to trust besides those of the system; asks for an encrypted connection
    #[arg(long, value_name = "FILE", requires = "nats")]
    nats_ca: Option<PathBuf>,
    /// The certificate of this side, if the server asks for one
    #[arg(long, value_name = "FILE", requires = "nats", requires = "nats_key")]
    nats_cert: Option<PathBuf>,
    /// The key of that certificate
    #[arg(long, value_name = "FILE", requires = "nats_cert")]
    nats_key: Option<PathBuf>,
}

/// The options whose values are no part of a stored command line: where work is done changes
/// nothing, and some of them are secret.
const OPTIONS: [&str; 12] = [
    "--nats",
    "--run",
    "--ack-wait",
    "--queue",
    "--nats-key",
    "--nats-token",
    "--nats-user",
    "--nats-password",
    "--nats-nkey",
    "--nats-creds",
    "--nats-ca",
    "--nats-cert",
];

impl LoginArgs {
    /// The server at that address.
    pub(crate) fn server(&self, url: &str) -> anyhow::Result<Server> {
        check_url(url)?;
        Ok(Server {
            url: url.to_owned(),
            login: self.login()?,
            tls: self.nats_tls,
            ca: self.nats_ca.clone(),
            certificate: self.nats_cert.clone().zip(self.nats_key.clone()),
        })
    }

    /// What the command line says goes before what the environment says.
    fn login(&self) -> anyhow::Result<Login> {
        let told = |name: &str| std::env::var(name).ok().filter(|word| !word.is_empty());
        if let Some(token) = &self.nats_token {
            return Ok(Login::Token(token.clone()));
        }
        if let Some(path) = &self.nats_nkey {
            return Ok(Login::Nkey(path.clone()));
        }
        if let Some(path) = &self.nats_creds {
            return Ok(Login::Credentials(path.clone()));
        }
        let user = self.nats_user.clone().or_else(|| told("MONTEVERDE_NATS_USER"));
        let password = self.nats_password.clone().or_else(|| told("MONTEVERDE_NATS_PASSWORD"));
        match (user, password) {
            (Some(user), Some(password)) => Ok(Login::User(user, password)),
            (None, None) => Ok(told("MONTEVERDE_NATS_TOKEN").map_or(Login::Anybody, Login::Token)),
            _ => Err(bad_input(
                "the NATS server",
                "a user needs a password and a password a user; accepted are --nats-user with --nats-password, or \
                 MONTEVERDE_NATS_USER with MONTEVERDE_NATS_PASSWORD in the environment",
            )),
        }
    }
}

/// Refuses a user or password in the address of a server: clients leave them out, and a script
/// would show them.
pub(crate) fn check_url(url: &str) -> anyhow::Result<()> {
    let accepted = "no user, password or token is accepted in it; accepted are --nats-user with --nats-password, \
                    --nats-token, and MONTEVERDE_NATS_USER with MONTEVERDE_NATS_PASSWORD, or \
                    MONTEVERDE_NATS_TOKEN, in the environment";
    match url.contains('@') {
        true => Err(bad_input("--nats", accepted)),
        false => Ok(()),
    }
}

/// The options of commands whose work others may do.
#[derive(clap::Args)]
#[command(next_help_heading = HEADING)]
pub(crate) struct CrewArgs {
    /// Leaves the work to workers at this NATS server, nats://HOST:PORT ('monteverde worker'
    /// starts one; docs/many-machines.md)
    #[arg(long, value_name = "URL", conflicts_with = "concurrency")]
    nats: Option<String>,
    /// The name of the run at the server; by default it follows from the store and the command
    #[arg(long, value_name = "NAME", requires = "nats")]
    run: Option<RunName>,
    /// How long a worker may be silent before its work goes to others
    #[arg(
        long, value_name = "T", requires = "nats", default_value = "30s",
        value_parser = parse_time
    )]
    ack_wait: Duration,
    /// How many pieces of work are at the server at a time; by default 16 for each core of the
    /// workers, at least 1000
    #[arg(
        long, value_name = "N", requires = "nats",
        value_parser = |text: &str| parse_within(text, 1..=100_000)
    )]
    queue: Option<u64>,
    #[command(flatten)]
    login: LoginArgs,
}

/// Who does the work of a command.
pub(crate) struct Workforce {
    pub(crate) hands: Hands,
    coordinator: Option<Arc<Coordinator>>,
}

impl CrewArgs {
    /// Whether the work is left to others.
    pub(crate) fn is_asked_for(&self) -> bool {
        self.nats.is_some()
    }

    /// Refuses an address before anything is made for the run.
    pub(crate) fn check_address(&self) -> anyhow::Result<()> {
        self.nats.as_deref().map_or(Ok(()), check_url)
    }

    /// Who does the work of a run that keeps it in this store: so many threads, or workers
    /// elsewhere.
    pub(crate) fn workforce(
        &self,
        concurrency: usize,
        store: Option<&Path>,
    ) -> anyhow::Result<Workforce> {
        let hands = Hands::from(concurrency);
        let Some(url) = &self.nats else { return Ok(Workforce { hands, coordinator: None }) };
        let run = self.run.clone().unwrap_or_else(|| run_name(store));
        let server = self.login.server(url)?;
        let ack_wait = self.ack_wait;
        let room = self.queue.map(|queue| queue as usize);
        let options = CoordinatorOptions { server, run, ack_wait, room };
        let coordinator = Coordinator::start(options, say()).map_err(failure)?;
        let coordinator = Arc::new(coordinator);
        note(&format!("the run '{}' waits for workers at the NATS server", coordinator.run()));
        let hands = Hands { crew: Some(coordinator.clone()), ..hands };
        Ok(Workforce { hands, coordinator: Some(coordinator) })
    }
}

impl From<Hands> for Workforce {
    fn from(hands: Hands) -> Workforce {
        Workforce { hands, coordinator: None }
    }
}

impl Workforce {
    /// The work is done.
    pub(crate) fn finish(self) {
        let Some(coordinator) = self.coordinator else { return };
        let refused = coordinator.refused();
        if refused > 0 {
            note(&format!("{refused} results were dropped because they did not fit their tasks"));
        }
        coordinator.finish();
    }
}

/// The name of a run. A store has one writer, and the same command with the same store goes on; a
/// run without a store begins anew.
fn run_name(store: Option<&Path>) -> RunName {
    let command = crate::lab::command_line();
    let place = match store {
        Some(path) => {
            std::path::absolute(path).unwrap_or(path.to_owned()).to_string_lossy().into_owned()
        }
        None => std::process::id().to_string(),
    };
    RunName::of([host().as_str(), &place, &command])
}

/// The workers and runs at a server, for the page. It is connected to when somebody looks.
pub(crate) fn cluster_view(server: Server) -> ClusterView {
    let quiet: Say = Arc::new(|_: &str| {});
    let mut watcher = None;
    ClusterView::new(move || {
        let current = match watcher.take() {
            Some(current) => current,
            None => Watcher::start(&server, &quiet).map_err(|error| error.to_string())?,
        };
        let current = watcher.insert(current);
        let picture = current.look().map_err(|error| error.to_string())?;
        serde_json::to_value(picture).map_err(|error| error.to_string())
    })
}

/// Says something on standard error.
pub(crate) fn say() -> Say {
    Arc::new(|line: &str| note(line))
}

/// What was given wrongly is bad input; a server that is not there is a failure.
pub(crate) fn failure(error: ClusterError) -> anyhow::Error {
    match error {
        ClusterError::Input(sentence) => bad_input("the NATS server", sentence),
        ClusterError::Taken { .. } => bad_input("--run", error),
        error => error.into(),
    }
}

/// The words of a command line without those that say where the work is done.
pub(crate) fn without_server(words: impl IntoIterator<Item = String>) -> Vec<String> {
    let mut kept = Vec::new();
    let mut words = words.into_iter();
    while let Some(word) = words.next() {
        let name = word.split('=').next().unwrap_or_default();
        match OPTIONS.contains(&name) || name == "--nats-tls" {
            false => kept.push(word),
            true if word.contains('=') || name == "--nats-tls" => {}
            // Its value is the next word.
            true => drop(words.next()),
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stored_command_lines_tell_no_secrets() {
        let words = "match a b --nats nats://u:secret@h --nats-token secret --games 4 \
                     --nats-password=secret --nats-tls --nats-key secret --run x --store s.db";
        let kept = without_server(words.split_whitespace().map(str::to_owned));
        assert_eq!(kept.join(" "), "match a b --games 4 --store s.db");
    }

    #[test]
    fn an_address_tells_no_secrets() {
        for url in ["nats://u:secret@host:4222", "secret@host", "nats://a:1,tls://u:secret@b:2"] {
            let error = check_url(url).unwrap_err().to_string();
            assert!(error.contains("MONTEVERDE_NATS_PASSWORD"), "{error}");
            assert!(error.contains("--nats-password") && !error.contains("secret"), "{error}");
        }
        assert!(check_url("nats://one:4222,tls://two").is_ok());
    }
}
