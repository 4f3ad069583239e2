//! How the server is reached, and what is said when it is not.

use async_nats::jetstream::{self, Context};
use async_nats::{Client, ConnectError, ConnectErrorKind, ConnectOptions, Event, ServerAddr};
use monteverde_players::text_file;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

/// How the server is reached.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Server {
    /// Its address, `nats://host:port` or `tls://host:port`; several are separated by commas.
    pub url: String,
    /// Who one is.
    pub login: Login,
    /// Whether the connection must be encrypted.
    pub tls: bool,
    /// Certificates that are trusted besides those of the system.
    pub ca: Option<PathBuf>,
    /// The certificate and the key of this side.
    pub certificate: Option<(PathBuf, PathBuf)>,
}

/// Who one is. Shown without its secrets.
#[derive(Clone, PartialEq, Eq, Default)]
pub enum Login {
    /// Nobody asks.
    #[default]
    Anybody,
    /// A token.
    Token(String),
    /// A user and a password.
    User(String, String),
    /// A file with the seed of an nkey.
    Nkey(PathBuf),
    /// A file with credentials, as `nsc` writes them.
    Credentials(PathBuf),
}

impl std::fmt::Debug for Login {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Login::Anybody => "Anybody",
            Login::Token(_) => "Token",
            Login::User(..) => "User",
            Login::Nkey(_) => "Nkey",
            Login::Credentials(_) => "Credentials",
        })
    }
}

/// Says something to people.
pub type Say = Arc<dyn Fn(&str) + Send + Sync>;

/// Why a server cannot be used.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ClusterError {
    /// It cannot be reached, now.
    #[error(
        "the NATS server at '{url}' cannot be reached: {problem}; start one with 'nats-server -js', or give the address of \
         one with --nats"
    )]
    Unreachable {
        /// Its address.
        url: String,
        /// What went wrong.
        problem: String,
    },
    /// What was given about it is wrong.
    #[error("{0}")]
    Input(String),
    /// It does not let us in.
    #[error(
        "the NATS server at '{url}' refuses the credentials: {problem}; accepted are --nats-token, --nats-user with \
         --nats-password, --nats-nkey and --nats-creds, as the server asks for"
    )]
    Refused {
        /// Its address.
        url: String,
        /// What it says.
        problem: String,
    },
    /// It keeps no streams.
    #[error(
        "the NATS server at '{url}' has no JetStream for us ({problem}); start nats-server with -js, and give the account \
         permission to use it"
    )]
    NoJetStream {
        /// Its address.
        url: String,
        /// What it says.
        problem: String,
    },
    /// Another coordinator has the run.
    #[error(
        "the run '{run}' has a coordinator already: {other}; wait for it to end, or name this one with --run"
    )]
    Taken {
        /// The run.
        run: String,
        /// Who has it.
        other: String,
    },
    /// The server refuses something.
    #[error("the NATS server refuses {what}: {problem}")]
    Server {
        /// What was asked for.
        what: String,
        /// What it says.
        problem: String,
    },
}

/// How long a connection may take to come about.
const CONNECT: Duration = Duration::from_secs(5);

/// How long an answer of the server may take.
pub(crate) const ANSWER: Duration = Duration::from_secs(5);

/// How long is waited between two attempts to connect again.
const AGAIN: Duration = Duration::from_secs(1);

/// A connection to a server that has JetStream.
#[derive(Clone, Debug)]
pub(crate) struct Link {
    pub(crate) client: Client,
    pub(crate) js: Context,
    pub(crate) url: String,
}

impl Server {
    /// Connects once.
    pub(crate) async fn connect(&self, name: &str, say: &Say) -> Result<Link, ClusterError> {
        let url = self.shown_url();
        let addresses = self.addresses()?;
        let options = self.options(name, say).await?;
        let client = options.connect(addresses).await.map_err(|error| self.failure(&error))?;
        let mut js = jetstream::new(client.clone());
        js.set_timeout(ANSWER);
        // The library's own question does not understand answers of servers before 2.10.
        let asked = js.request::<_, _, serde_json::Value>("INFO", &serde_json::json!({})).await;
        let problem = match asked {
            Ok(answer) => answer.get("error").map(|error| error["description"].to_string()),
            Err(error) => Some(error.to_string()),
        };
        match problem {
            None => Ok(Link { client, js, url }),
            Some(problem) => Err(ClusterError::NoJetStream { url, problem }),
        }
    }

    /// Connects, however long it takes the server to be there. What a longer wait cannot mend is an
    /// error.
    pub(crate) async fn connect_at_last(
        &self,
        name: &str,
        say: &Say,
    ) -> Result<Link, ClusterError> {
        const LONGEST: u32 = 10;
        let mut tries = 0;
        loop {
            match self.connect(name, say).await {
                Err(error @ ClusterError::Unreachable { .. }) => {
                    if tries == 0 {
                        say(&format!("{error}; trying again until it is there"));
                    }
                    tries = (tries + 1).min(LONGEST);
                    tokio::time::sleep(AGAIN * tries).await;
                }
                connected => return connected,
            }
        }
    }

    /// The address without a password that stands in it.
    pub fn shown_url(&self) -> String {
        let shown = |address: &str| match (address.find("://"), address.rfind('@')) {
            (Some(start), Some(end)) if start < end => {
                format!("{}{}", &address[..start + 3], &address[end + 1..])
            }
            (None, Some(end)) => address[end + 1..].to_owned(),
            _ => address.to_owned(),
        };
        self.url.split(',').map(shown).collect::<Vec<_>>().join(",")
    }

    fn addresses(&self) -> Result<Vec<ServerAddr>, ClusterError> {
        let read = |text: &str| {
            ServerAddr::from_str(text.trim()).map_err(|error| {
                ClusterError::Input(format!(
                    "--nats: '{}' is no address of a server ({error}); accepted is nats://HOST:PORT, several \
                     separated by commas",
                    self.shown_url().escape_debug()
                ))
            })
        };
        self.url.split(',').map(read).collect()
    }

    async fn options(&self, name: &str, say: &Say) -> Result<ConnectOptions, ClusterError> {
        let (say, url) = (say.clone(), self.shown_url());
        let told = move |event: Event| {
            let (say, url) = (say.clone(), url.clone());
            async move {
                match event {
                    Event::Disconnected => {
                        say(&format!(
                            "the NATS server at '{url}' is gone; trying again until it is back"
                        ));
                    }
                    Event::Connected => say(&format!("connected to the NATS server at '{url}'")),
                    Event::ServerError(error) => say(&format!("the NATS server says: {error}")),
                    _ => {}
                }
            }
        };
        let mut options = ConnectOptions::new()
            .name(name)
            .connection_timeout(CONNECT)
            .request_timeout(Some(ANSWER))
            .reconnect_delay_callback(|_| AGAIN)
            .event_callback(told)
            .require_tls(self.tls || self.ca.is_some() || self.certificate.is_some());
        if let Some(ca) = &self.ca {
            read("--nats-ca", ca)?;
            options = options.add_root_certificates(ca.clone());
        }
        if let Some((certificate, key)) = &self.certificate {
            read("--nats-cert", certificate)?;
            read("--nats-key", key)?;
            options = options.add_client_certificate(certificate.clone(), key.clone());
        }
        Ok(match &self.login {
            Login::Anybody => options,
            Login::Token(token) => options.token(token.clone()),
            Login::User(user, password) => {
                options.user_and_password(user.clone(), password.clone())
            }
            Login::Nkey(path) => {
                let text = read("--nats-nkey", path)?;
                // Tools write a seed alone, or between lines of dashes and comments.
                let seed = text.split_whitespace().find(|word| word.starts_with('S'));
                let seed = seed.ok_or_else(|| {
                    ClusterError::Input(format!(
                        "--nats-nkey: '{}' holds no seed of an nkey, which begins with S",
                        path.display()
                    ))
                })?;
                options.nkey(seed.to_owned())
            }
            Login::Credentials(path) => {
                let text = read("--nats-creds", path)?;
                options.credentials(&text).map_err(|error| {
                    ClusterError::Input(format!("--nats-creds: '{}': {error}", path.display()))
                })?
            }
        })
    }

    fn failure(&self, error: &ConnectError) -> ClusterError {
        let (url, problem) = (self.shown_url(), error.to_string());
        match error.kind() {
            ConnectErrorKind::AuthorizationViolation | ConnectErrorKind::Authentication => {
                ClusterError::Refused { url, problem }
            }
            ConnectErrorKind::ServerParse => ClusterError::Input(format!("--nats: {problem}")),
            // The library calls a certificate that nobody vouches for an error of the system.
            kind if kind == ConnectErrorKind::Tls || problem.contains("certificate") => {
                ClusterError::Input(format!(
                    "no encrypted connection to '{url}' came about: {problem}; --nats-ca names the certificate that signed \
                 the server's"
                ))
            }
            _ => ClusterError::Unreachable { url, problem },
        }
    }
}

/// A file that was named on the command line.
fn read(option: &str, path: &Path) -> Result<String, ClusterError> {
    text_file::read(path, text_file::SETTINGS).map_err(|error| {
        ClusterError::Input(format!("{option}: '{}' cannot be read: {error}", path.display()))
    })
}

/// The machine and the process, by which people tell members of a cluster apart.
pub(crate) fn own_name() -> String {
    format!("{}-{}", host(), std::process::id())
}

/// The name of the machine.
pub fn host() -> String {
    let named = std::fs::read_to_string("/proc/sys/kernel/hostname").ok();
    let named = named.or_else(|| std::env::var("COMPUTERNAME").ok());
    let named = named.or_else(|| std::env::var("HOSTNAME").ok());
    named
        .map(|name| name.trim().to_owned())
        .filter(|name| !name.is_empty())
        .unwrap_or_else(|| "host".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_shown_without_passwords() {
        for (url, shown) in [
            ("nats://a:secret@host:4222", "nats://host:4222"),
            ("a:secret@host", "host"),
            ("nats://one:1,tls://u:p@two:2", "nats://one:1,tls://two:2"),
            ("localhost", "localhost"),
        ] {
            let server = Server { url: url.to_owned(), ..Server::default() };
            assert_eq!(server.shown_url(), shown);
        }
        let login = Login::User("me".to_owned(), "secret".to_owned());
        assert!(!format!("{login:?}").contains("secret"));
    }
}
