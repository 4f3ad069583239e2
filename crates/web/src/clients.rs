//! What one client may have at once, where the server is open to other machines than this one.

use monteverde_desk::{Code, Fault};
use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// A client may have one session in so many that there are.
const PART: usize = 4;
/// So many connections a client may have beside those of its sessions: a browser opens six.
const CONNECTIONS: usize = 16;
/// So many requests of a client may be in flight.
const REQUESTS: usize = 12;
/// So many matches a client may start within [`HOUR`].
const MATCHES: usize = 10;
const HOUR: Duration = Duration::from_secs(3600);

/// What every client has.
#[derive(Debug)]
pub(crate) struct Clients {
    /// By [`ShareKind`]; nothing is counted where there are no limits.
    limits: Option<[usize; 3]>,
    counts: Mutex<HashMap<IpAddr, ClientCounts>>,
}

/// What can be counted at any moment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ShareKind {
    Connection,
    Session,
    Request,
}

#[derive(Debug, Default)]
struct ClientCounts {
    held: [usize; 3],
    /// When its latest matches were started.
    matches: Vec<Instant>,
}

/// One thing that a client has, until this is dropped.
#[derive(Debug)]
pub(crate) struct ClientShare {
    clients: Arc<Clients>,
    client: IpAddr,
    kind: ShareKind,
}

impl Clients {
    /// No limits: who can reach the server is at this machine.
    pub(crate) fn unlimited() -> Arc<Clients> {
        Arc::new(Clients { limits: None, counts: Mutex::default() })
    }

    /// The limits of an open server with so many sessions.
    pub(crate) fn limited(sessions: usize) -> Arc<Clients> {
        let sessions = (sessions / PART).max(1);
        let limits = [sessions.saturating_add(CONNECTIONS), sessions, REQUESTS];
        Arc::new(Clients { limits: Some(limits), counts: Mutex::default() })
    }

    /// One more of a kind for a client, unless it has as many as it may.
    pub(crate) fn take(
        self: &Arc<Self>,
        client: IpAddr,
        kind: ShareKind,
    ) -> Result<ClientShare, Fault> {
        let client = key(client);
        if let Some(limits) = self.limits {
            let most = limits[kind as usize];
            let mut counts = self.lock();
            let held = &mut counts.entry(client).or_default().held[kind as usize];
            if *held >= most {
                let message =
                    format!("a client of this server has at most {most} {} at once", kind.name());
                return Err(Fault::new(Code::Limit, message));
            }
            *held += 1;
        }
        Ok(ClientShare { clients: self.clone(), client, kind })
    }

    /// Counts a match that a client is about to start, unless it has started many lately.
    pub(crate) fn start_match(&self, client: IpAddr) -> Result<(), Fault> {
        if self.limits.is_none() {
            return Ok(());
        }
        let mut counts = self.lock();
        let started = &mut counts.entry(key(client)).or_default().matches;
        started.retain(|start| start.elapsed() < HOUR);
        if started.len() >= MATCHES {
            let message =
                format!("a client of this server starts at most {MATCHES} matches an hour");
            return Err(Fault::new(Code::Limit, message));
        }
        started.push(Instant::now());
        Ok(())
    }

    /// Whether a client may stop what another has started.
    pub(crate) fn may_stop(&self, client: IpAddr, owner: IpAddr) -> bool {
        self.limits.is_none() || key(client) == key(owner)
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<IpAddr, ClientCounts>> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for ClientShare {
    fn drop(&mut self) {
        if self.clients.limits.is_none() {
            return;
        }
        let mut counts = self.clients.lock();
        if let Some(own) = counts.get_mut(&self.client) {
            own.held[self.kind as usize] -= 1;
            own.matches.retain(|start| start.elapsed() < HOUR);
            if own.held == [0; 3] && own.matches.is_empty() {
                counts.remove(&self.client);
            }
        }
    }
}

impl ShareKind {
    fn name(self) -> &'static str {
        match self {
            ShareKind::Connection => "connections",
            ShareKind::Session => "sessions",
            ShareKind::Request => "requests",
        }
    }
}

/// What tells clients apart: an address, of the longer kind its first half, since the other half is
/// the client's to choose.
fn key(client: IpAddr) -> IpAddr {
    match client.to_canonical() {
        IpAddr::V4(address) => address.into(),
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0).into()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_client_has_its_own_and_gives_it_back() {
        let clients = Clients::limited(8);
        let [one, two]: [IpAddr; 2] = ["192.0.2.1", "192.0.2.2"].map(|text| text.parse().unwrap());
        let take = |client| clients.take(client, ShareKind::Session);
        let held: Vec<_> = (0..2).map(|_| take(one).unwrap()).collect();
        let refused = take(one).unwrap_err().to_string();
        assert!(refused.contains("at most 2 sessions"), "{refused}");
        assert!(take("::ffff:192.0.2.1".parse().unwrap()).is_err(), "the same address");
        assert!(take(two).is_ok() && clients.take(one, ShareKind::Request).is_ok());
        drop(held);
        assert!(take(one).is_ok());
        assert!(clients.lock().is_empty(), "nothing is kept of who has nothing");
    }

    #[test]
    fn addresses_of_one_network_of_the_longer_kind_are_one_client() {
        let clients = Clients::limited(4);
        let take = |text: &str| clients.take(text.parse().unwrap(), ShareKind::Session);
        let _held = take("2001:db8::1").unwrap();
        assert!(take("2001:db8::2").is_err());
        assert!(take("2001:db8:0:1::2").is_ok());
    }

    #[test]
    fn a_loopback_server_counts_nothing() {
        let clients = Clients::unlimited();
        let local = IpAddr::from([127, 0, 0, 1]);
        let held: Vec<_> = (0..100).map(|_| clients.take(local, ShareKind::Session)).collect();
        assert!(held.iter().all(Result::is_ok) && clients.lock().is_empty());
        assert!((0..100).all(|_| clients.start_match(local).is_ok()));
    }
}
