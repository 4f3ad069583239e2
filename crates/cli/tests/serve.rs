//! How the server ends: at once, whatever its clients do.
#![cfg(unix)]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// How long the server may take, by what it promises.
const LONGEST: Duration = Duration::from_secs(2);

/// A server and its address.
fn start(lab: &std::path::Path) -> (Child, String) {
    let mut server = Command::new(assert_cmd::cargo::cargo_bin!("monteverde"))
        .args(["serve", "--port", "0", "--lab"])
        .arg(lab)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut line = String::new();
    BufReader::new(server.stdout.take().expect("a pipe")).read_line(&mut line).expect("it writes");
    let address = line.split("http://").nth(1).and_then(|rest| rest.split('/').next());
    (server, address.expect("an address").to_owned())
}

/// Requests that are never finished, answers that are never taken, a session whose search has no
/// end, and a match.
fn be_a_nuisance(address: &str) -> Vec<TcpStream> {
    let connect = |text: &str| {
        let mut stream = TcpStream::connect(address).expect("it listens");
        stream.write_all(text.as_bytes()).expect("it reads");
        stream
    };
    let post = |path: &str, body: &str| {
        let length = body.len();
        connect(&format!(
            "POST {path} HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\n\
             Content-Length: {length}\r\n\r\n{body}"
        ))
    };
    let mut streams = vec![connect(""), connect("GET / HTTP/1.1\r\nHo")];
    streams.push(connect(&format!(
        "POST /api/lab/matches HTTP/1.1\r\nHost: {address}\r\nContent-Length: 900\r\n\r\n{{"
    )));
    let round = ["\"g1f3\"", "\"g8f6\"", "\"f3g1\"", "\"f6g8\""].join(",");
    let steps = format!("{{\"steps\":[{}]}}", [round.as_str(); 500].join(","));
    for _ in 0..8 {
        streams.push(post("/api/games/chess/replay", &steps));
    }
    let mut started = post(
        "/api/lab/matches",
        r#"{"game": "tic-tac-toe", "a": "uct", "b": "uct:c=0.3", "games": 9, "pace": "time=1h"}"#,
    );
    let mut head = [0; 12];
    started.read_exact(&mut head).expect("an answer");
    assert_eq!(&head, b"HTTP/1.1 201");
    streams.push(started);
    let mut session = connect(&format!(
        "GET /ws HTTP/1.1\r\nHost: {address}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
         Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    ));
    session.read_exact(&mut head).expect("an answer");
    assert_eq!(&head, b"HTTP/1.1 101");
    for text in
        [r#"{"type": "new", "game": "banqi"}"#, r#"{"type": "analyse", "specs": ["uct", "best"]}"#]
    {
        // A frame of text under the mask 0, which leaves it as it is.
        let mut frame = vec![0x81, 0x80 | text.len() as u8, 0, 0, 0, 0];
        frame.extend(text.bytes());
        session.write_all(&frame).expect("it reads");
    }
    streams.push(session);
    streams
}

/// Waits for the end of the server, and tells how it ended and what it said.
fn end(mut server: Child, signal: &str) -> (ExitStatus, Duration, String) {
    let start = Instant::now();
    let pid = server.id().to_string();
    assert!(Command::new("kill").args([signal, &pid]).status().expect("kill runs").success());
    let status = loop {
        if let Some(status) = server.try_wait().expect("it is our child") {
            break status;
        }
        if start.elapsed() > 10 * LONGEST {
            server.kill().expect("it runs");
            panic!("{signal} has not ended it");
        }
        std::thread::sleep(Duration::from_millis(10));
    };
    let took = start.elapsed();
    let mut said = String::new();
    server.stderr.take().expect("a pipe").read_to_string(&mut said).expect("it writes text");
    (status, took, said)
}

#[test]
fn an_interrupt_ends_the_server_whatever_its_clients_do() {
    for signal in ["-INT", "-TERM"] {
        let folder = tempfile::tempdir().expect("a folder");
        let (server, address) = start(folder.path());
        let streams = be_a_nuisance(&address);
        std::thread::sleep(Duration::from_millis(300));
        let (status, took, said) = end(server, signal);
        assert!(status.success(), "{signal}: {status}, {said}");
        assert!(took < LONGEST, "{signal} took {took:?}");
        assert_eq!(said, "", "{signal}");
        drop(streams);
    }
}
