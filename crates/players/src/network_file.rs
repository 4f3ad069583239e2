//! A player's network, and where it was read from.

use monteverde_network::{Description, Network};
use std::fmt;
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, SystemTime};

/// A network and the file that it was read from. As text it is the path and the beginning of the
/// digest, `nets/chess.net@0123456789abcdef`; with a digest only a file that has it is accepted, so
/// that a spec names one network for ever. A game may bring a network, whose path is [`OWN`].
#[derive(Clone)]
pub struct NetworkFile {
    path: String,
    network: Arc<Network>,
}

/// What a player has who plays without a network.
pub const NONE: &str = "none";

/// The network that a game brings.
pub const OWN: &str = "own";

/// A network that a game brings. It is read when it is first asked for.
#[derive(Debug)]
pub struct OwnNetwork {
    bytes: &'static [u8],
    read: OnceLock<Arc<Network>>,
}

impl OwnNetwork {
    /// The network with the contents of this file.
    pub const fn new(bytes: &'static [u8]) -> OwnNetwork {
        OwnNetwork { bytes, read: OnceLock::new() }
    }

    /// The network.
    ///
    /// # Panics
    /// If the contents are no network, which tests of the game rule out.
    pub fn network(&self) -> &Arc<Network> {
        let read = || Arc::new(Network::read(self.bytes).expect("a game's own network is whole"));
        self.read.get_or_init(read)
    }
}

impl From<&'static OwnNetwork> for NetworkFile {
    fn from(own: &'static OwnNetwork) -> NetworkFile {
        NetworkFile { path: OWN.to_owned(), network: own.network().clone() }
    }
}

/// How many digits of the digest are written.
const DIGITS: usize = 16;

impl NetworkFile {
    /// Reads a file, which must hold a network of the game for these features, or takes the one
    /// that the game brings.
    pub fn open(
        text: &str,
        game: &str,
        features: Description,
        own: Option<&'static OwnNetwork>,
    ) -> Result<NetworkFile, String> {
        let (path, digest) = match text.rsplit_once('@') {
            Some((path, digest)) if is_digest(digest) => (path, Some(digest)),
            _ => (text, None),
        };
        let network = match (path, own) {
            (OWN, Some(own)) => own.network().clone(),
            (OWN, None) => return Err(format!("{game} brings no network of its own")),
            _ => read(path).map_err(|error| error.to_string())?,
        };
        network.check(game, features).map_err(|error| error.to_string())?;
        let found = &network.digest()[..DIGITS];
        if let Some(digest) = digest.filter(|&digest| digest != found) {
            return Err(format!(
                "its digest is {found}, and a network of digest {digest} is wanted"
            ));
        }
        Ok(NetworkFile { path: path.to_owned(), network })
    }

    /// The network.
    pub fn network(&self) -> &Arc<Network> {
        &self.network
    }
}

fn is_digest(text: &str) -> bool {
    text.len() == DIGITS && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

impl fmt::Display for NetworkFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}@{}", self.path, &self.network.digest()[..DIGITS])
    }
}

impl fmt::Debug for NetworkFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

impl PartialEq for NetworkFile {
    fn eq(&self, other: &Self) -> bool {
        self.path == other.path && self.network.digest() == other.network.digest()
    }
}

/// A file that was read, as it then was.
struct ReadNetwork {
    path: String,
    length: u64,
    modified: SystemTime,
    network: Arc<Network>,
}

/// The networks that were read last: a spec is read once a game and more, and players of one
/// program share their weights.
static KNOWN: Mutex<Vec<ReadNetwork>> = Mutex::new(Vec::new());
/// How many are kept.
const MOST_KNOWN: usize = 8;
/// A file that was changed more recently may change again without looking newer.
const SETTLED: Duration = Duration::from_secs(2);

fn read(path: &str) -> Result<Arc<Network>, monteverde_network::NetworkError> {
    let about = std::fs::metadata(path).ok();
    let about = about.and_then(|about| Some((about.len(), about.modified().ok()?)));
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((length, modified)) = about {
        let is_it =
            |it: &&ReadNetwork| it.path == path && (it.length, it.modified) == (length, modified);
        if let Some(found) = known.iter().find(is_it) {
            return Ok(found.network.clone());
        }
    }
    let network = Arc::new(Network::open(Path::new(path))?);
    known.retain(|it| it.path != path);
    let is_settled =
        |modified: SystemTime| modified.elapsed().is_ok_and(|elapsed| elapsed >= SETTLED);
    if let Some((length, modified)) = about.filter(|&(_, modified)| is_settled(modified)) {
        known.truncate(MOST_KNOWN - 1);
        let network = network.clone();
        known.insert(0, ReadNetwork { path: path.to_owned(), length, modified, network });
    }
    Ok(network)
}
