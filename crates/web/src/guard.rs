//! Who may talk to the server: requests that name it by its own address, and that no other site has
//! made; and what is taken of them.
//!
//! A page of another site can make a browser send requests here, and can let its own name point to
//! this machine (DNS rebinding). The first is told by `Origin`, the second by `Host`. A body is
//! read here, so that no handler waits for one that never comes.

use crate::clients::ShareKind;
use crate::connections::{Guest, REQUEST_TIME};
use crate::fault::HttpFault;
use crate::server::{App, MESSAGE_BYTES};
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::Uri;
use axum::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use futures_util::StreamExt;
use monteverde_desk::{Code, Fault};
use std::net::IpAddr;
use std::sync::Arc;
use tokio::time::timeout;

/// So much of a body that is too large is read and thrown away, so that the client has sent it and
/// sees the answer.
const THROWN_AWAY: usize = 1 << 20;

/// What every answer carries.
const HEADERS: [(HeaderName, &str); 5] = [
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'none'; \
         frame-ancestors 'none'",
    ),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

/// Refuses what comes from elsewhere, and adds the headers that keep browsers in bounds.
pub(crate) async fn guard(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let mut response = match admit(&app, request).await {
        Ok(request) => next.run(request).await,
        Err(fault) => fault.into_response(),
    };
    let headers = response.headers_mut();
    for (name, value) in HEADERS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

/// The request with its whole body, if it is to be answered.
async fn admit(app: &App, mut request: Request) -> Result<Request, HttpFault> {
    app.names.check(request.uri(), request.headers())?;
    if let Some(guest) = request.extensions().get::<Arc<Guest>>() {
        let share = app.clients.take(guest.client, ShareKind::Request)?;
        request.extensions_mut().insert(Arc::new(share));
    }
    let (parts, body) = request.into_parts();
    let slow = || {
        let seconds = REQUEST_TIME.as_secs();
        Fault::new(Code::TooSlow, format!("the request did not come within {seconds} seconds"))
    };
    let body = timeout(REQUEST_TIME, read(body)).await.map_err(|_| slow())??;
    Ok(Request::from_parts(parts, Body::from(body)))
}

/// The whole of a body, if it is not too large.
async fn read(body: Body) -> Result<Vec<u8>, HttpFault> {
    let (mut body, mut bytes, mut length) = (body.into_data_stream(), Vec::new(), 0);
    while let Some(part) = body.next().await {
        let part = part.map_err(|error| {
            HttpFault::new(Code::BadMessage, format!("the body of the request breaks off: {error}"))
        })?;
        length += part.len();
        if length <= MESSAGE_BYTES {
            bytes.extend_from_slice(&part);
        } else if length > THROWN_AWAY {
            break;
        }
    }
    if length > MESSAGE_BYTES {
        let message = format!("a request has at most {MESSAGE_BYTES} bytes");
        return Err(HttpFault::new(Code::TooLarge, message));
    }
    Ok(bytes)
}

/// The names by which the server may be called.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Names {
    /// Its port.
    pub(crate) port: u16,
    /// Whether it is open to other machines.
    pub(crate) reach: Reach,
    /// Further names.
    pub(crate) allowed: Vec<String>,
}

/// From where the server can be reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Reach {
    /// From this machine only.
    Loopback,
    /// From others too.
    Network,
}

impl Names {
    fn check(&self, uri: &Uri, headers: &HeaderMap) -> Result<(), HttpFault> {
        let mut hosts = headers.get_all(header::HOST).iter();
        let (Some(host), None) = (hosts.next(), hosts.next()) else {
            let message = "a request has exactly one header 'Host'";
            return Err(HttpFault::new(Code::BadMessage, message));
        };
        let host = host.to_str().unwrap_or_default();
        if uri.authority().is_some_and(|name| !name.as_str().eq_ignore_ascii_case(host)) {
            let message = "the address of the request names another server than its header 'Host'";
            return Err(HttpFault::new(Code::BadMessage, message));
        }
        if !self.is_ours(host) {
            return Err(HttpFault::new(
                Code::Refused,
                format!(
                    "the server does not answer to the name '{}'; accepted are {}",
                    host.escape_debug(),
                    self.accepted()
                ),
            ));
        }
        let is_same = |origin: &str| {
            let site = origin.strip_prefix("http://").or(origin.strip_prefix("https://"));
            site.is_some_and(|site| site.eq_ignore_ascii_case(host))
        };
        let mut origins = headers.get_all(header::ORIGIN).iter();
        let is_ours = match (origins.next(), origins.next()) {
            (None, _) => true,
            (Some(origin), None) => origin.to_str().is_ok_and(is_same),
            (Some(_), Some(_)) => false,
        };
        let message =
            "the request comes from another site; accepted are those of the server's own page";
        if is_ours { Ok(()) } else { Err(HttpFault::new(Code::Refused, message)) }
    }

    fn is_ours(&self, host: &str) -> bool {
        let name = match host.rsplit_once(':') {
            Some((name, port)) if !port.ends_with(']') => {
                if port.parse() != Ok(self.port) {
                    return false;
                }
                name
            }
            _ if self.port == HTTP_PORT => host,
            _ => return false,
        };
        let bare = name.trim_start_matches('[').trim_end_matches(']');
        if bare.eq_ignore_ascii_case("localhost")
            || self.allowed.iter().any(|known| known.eq_ignore_ascii_case(name))
        {
            return true;
        }
        // A name can be made to point here by its owner; an address cannot.
        match (bare.parse::<IpAddr>(), self.reach) {
            (Ok(address), Reach::Loopback) => address.is_loopback(),
            (Ok(_), Reach::Network) => true,
            (Err(_), _) => false,
        }
    }

    fn accepted(&self) -> String {
        let names = match self.reach {
            Reach::Loopback => "localhost and 127.0.0.1",
            Reach::Network => {
                "the addresses of this machine, localhost, and the names given by --allow"
            }
        };
        format!("{names}, with port {}", self.port)
    }
}

/// The port that browsers leave out of `Host`.
const HTTP_PORT: u16 = 80;

#[cfg(test)]
mod tests {
    use super::*;

    fn check(names: &Names, host: &str, origin: Option<&str>) -> bool {
        let mut headers = HeaderMap::new();
        headers.insert(header::HOST, host.parse().unwrap());
        if let Some(origin) = origin {
            headers.insert(header::ORIGIN, origin.parse().unwrap());
        }
        names.check(&Uri::from_static("/"), &headers).is_ok()
    }

    #[test]
    fn only_its_own_names_and_pages_are_let_in() {
        let local = Names { port: 8310, reach: Reach::Loopback, allowed: vec![] };
        for host in
            ["127.0.0.1:8310", "localhost:8310", "[::1]:8310", "LOCALHOST:8310", "127.0.0.2:8310"]
        {
            assert!(check(&local, host, None), "{host}");
            assert!(check(&local, host, Some(&format!("http://{host}"))), "{host}");
        }
        for host in [
            "",
            "127.0.0.1",
            "127.0.0.1:80",
            "evil.example:8310",
            "192.168.0.7:8310",
            "[::1]",
            "localhost:",
            ":8310",
        ] {
            assert!(!check(&local, host, None), "{host}");
        }
        for origin in [
            "null",
            "",
            "http://evil.example",
            "http://localhost:8311",
            "http://127.0.0.1:8310.evil.example",
        ] {
            assert!(!check(&local, "localhost:8310", Some(origin)), "{origin}");
        }
    }

    #[test]
    fn an_open_server_answers_to_addresses_and_given_names() {
        let open =
            Names { port: 80, reach: Reach::Network, allowed: vec!["lab.example".to_owned()] };
        for host in ["192.168.0.7", "192.168.0.7:80", "lab.example", "[2001:db8::1]"] {
            assert!(check(&open, host, Some(&format!("http://{host}"))), "{host}");
        }
        assert!(!check(&open, "evil.example", None));
    }
}
