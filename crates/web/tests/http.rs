//! Files, games and positions over HTTP, and who is refused.

use crate::common::Running;
use serde_json::json;
use tungstenite::HandshakeError;
use tungstenite::client::IntoClientRequest;

#[test]
fn the_page_is_served_with_its_headers() {
    let server = Running::start();
    let (status, head, body) = server.get("/");
    assert_eq!(status, 200);
    assert!(body.contains("<!doctype html>"), "{body}");
    for header in [
        "content-type: text/html",
        "content-security-policy: default-src 'self'",
        "x-content-type-options: nosniff",
        "cache-control: no-cache",
    ] {
        assert!(head.contains(header), "no {header} in {head}");
    }
    let tag = head.lines().find_map(|line| line.strip_prefix("etag: ")).unwrap();
    let again = format!(
        "GET / HTTP/1.1\r\nHost: {}\r\nIf-None-Match: {tag}\r\nConnection: close\r\n\r\n",
        server.address
    );
    assert_eq!(server.raw(&again).0, 304);
    assert!(server.get("/docs.css").1.contains("content-type: text/css"));
    for path in [
        "/nothing.html",
        "/../Cargo.toml",
        "/%2e%2e/Cargo.toml",
        "/docs/../Cargo.toml",
        "/api/nothing",
    ] {
        let (status, _, body) = server.get(path);
        assert_eq!(status, 404, "{path}: {body}");
    }
}

#[test]
fn techniques_are_explained() {
    let server = Running::start();
    let games = server.get_json("/api/games");
    let settings = games["games"][0]["settings"]["search"].as_array().unwrap();
    let pages: Vec<_> = settings.iter().filter_map(|setting| setting["page"].as_str()).collect();
    assert!(pages.len() > 20, "{pages:?}");
    for page in ["/docs/techniques/bias.html", "/docs/web-protocol.html", pages[0]] {
        let (status, _, body) = server.get(page);
        assert!(
            status == 200 && body.contains("<h1 id=") && body.contains("</table>"),
            "{page}: {body}"
        );
    }
    assert!(server.get("/docs/techniques/bias.md").2.starts_with("# Progressive bias"));
}

#[test]
fn specs_and_states_are_read() {
    let server = Running::start();
    let spec = server.get_json("/api/games/chess/spec?text=mcc:c=0.50,solver=wins");
    assert_eq!(spec["spec"], "mcc:c=0.5,solver=wins");
    assert_eq!(spec["changed"], json!(["c", "solver", "leaf-check", "tree-oracle", "shorten"]));
    let (status, _, body) = server.get("/api/games/chess/spec?text=mcx");
    assert!(status == 400 && body.contains("perhaps 'mcc'"), "{body}");
    let (status, _, body) = server.get("/api/games/ches/spec?text=mcc");
    assert!(status == 404 && body.contains("perhaps 'chess'"), "{body}");
    let state =
        server.get_json("/api/games/chess/state?text=4k3/8/8/8/8/8/8/4K2R%20w%20K%20-%200%201");
    assert_eq!((&state["turn_name"], &state["board"]["files"]), (&json!("White"), &json!(8)));
    assert_eq!(server.get("/api/games/chess/state?text=hello").0, 400);
}

#[test]
fn a_line_is_replayed() {
    let server = Running::start();
    let replay =
        |game: &str, body: &str| server.send("POST", &format!("/api/games/{game}/replay"), body);
    let (status, answer) = replay("chess", r#"{"steps": ["e2e4", "e7e5"]}"#);
    assert_eq!((status, answer["positions"].as_array().unwrap().len()), (200, 3));
    assert_eq!(
        answer["positions"][2]["last"],
        json!({ "from": "e7", "to": "e5", "captured": null })
    );
    let (_, dark) =
        replay("banqi", r#"{"state": "startpos", "steps": ["a1", "K", "a2"], "at": 2}"#);
    let pieces = dark["positions"][0]["board"]["pieces"].as_array().unwrap();
    assert!(pieces.iter().any(|piece| piece["square"] == "a1" && piece["kind"] == "king"));
    for (body, code) in [
        (r#"{"steps": ["e2e5"]}"#, "illegal-move"),
        (r#"{"state": "x", "steps": []}"#, "bad-state"),
        (r#"{"steps": 7}"#, "bad-message"),
        (r#"{"steps": ["e2e4", "e7e5"], "at": 3}"#, "bad-message"),
        ("", "bad-message"),
    ] {
        let (status, answer) = replay("chess", body);
        assert_eq!((status, answer["error"]["code"].as_str()), (400, Some(code)), "{body}");
    }
    let (_, beyond) = replay("chess", r#"{"steps": ["e2e4", "e7e5"], "at": 7}"#);
    assert!(beyond["error"]["message"].as_str().unwrap().contains("0 to 2"), "{beyond}");
    let long = json!({ "steps": vec!["e2e4"; 10_000] }).to_string();
    assert!([400, 413].contains(&replay("chess", &long).0));
}

#[test]
fn every_error_is_json() {
    let server = Running::start();
    for (method, path, status, code, parts) in [
        ("GET", "/api/lab/stores/x.db/games?offset=x", 400, "bad-message", ["offset", "count=N"]),
        ("GET", "/api/games/chess/state?text=a&text=b", 400, "bad-message", ["text", "text=TEXT"]),
        ("GET", "/api/lab/matches/abc", 400, "bad-message", ["'abc'", "whole number"]),
        ("DELETE", "/api/lab/matches/-1", 400, "bad-message", ["'-1'", "whole number"]),
        ("GET", "/api/lab/stores/%ff", 400, "bad-message", ["UTF-8", ""]),
        ("GET", "/ws", 400, "bad-message", ["upgrade", ""]),
        ("PUT", "/api/about", 405, "bad-method", ["PUT", "'Allow'"]),
        ("POST", "/index.html", 405, "bad-method", ["POST", ""]),
        ("PUT", "/api/nothing", 404, "not-found", ["no such route", ""]),
    ] {
        let (found, answer) = server.send(method, path, "");
        assert_eq!(
            (found, answer["error"]["code"].as_str()),
            (status, Some(code)),
            "{method} {path}: {answer}"
        );
        let message = answer["error"]["message"].as_str().unwrap();
        for part in parts {
            assert!(message.contains(part), "{method} {path} does not say '{part}': {message}");
        }
    }
    let host = server.address;
    let ask = |request: &str| server.raw(&format!("{request}\r\nConnection: close\r\n\r\n"));
    let (_, head, _) = ask(&format!("PUT /api/about HTTP/1.1\r\nHost: {host}"));
    assert!(head.contains("allow: get,head"), "{head}");
    let post =
        format!("POST /api/games/chess/replay HTTP/1.1\r\nHost: {host}\r\nContent-Length: 0");
    let (status, _, body) = ask(&post);
    assert!(status == 400 && body.contains("`Content-Type: application/json`"), "{body}");
}

#[test]
fn strangers_are_refused() {
    let server = Running::start();
    let port = server.address.port();
    let ask = |host: &str, more: &str| {
        server
            .raw(&format!(
                "GET /api/about HTTP/1.1\r\nHost: {host}\r\n{more}Connection: close\r\n\r\n"
            ))
            .0
    };
    assert_eq!(ask(&format!("localhost:{port}"), ""), 200);
    assert_eq!(ask(&format!("evil.example:{port}"), ""), 403);
    assert_eq!(ask("127.0.0.1", ""), 403);
    assert_eq!(ask(&format!("127.0.0.1:{port}"), "Origin: http://evil.example\r\n"), 403);
    assert_eq!(ask(&format!("127.0.0.1:{port}"), "Origin: null\r\n"), 403);
    let mut request = format!("ws://127.0.0.1:{port}/ws").into_client_request().unwrap();
    request.headers_mut().insert("Origin", "http://evil.example".parse().unwrap());
    let stream = std::net::TcpStream::connect(server.address).unwrap();
    match tungstenite::client(request, stream) {
        Err(HandshakeError::Failure(tungstenite::Error::Http(answer))) => {
            assert_eq!(answer.status(), 403)
        }
        other => panic!("{other:?}"),
    }
}
