//! What no client can do: keep the server from answering others, hold it up for ever, or keep it
//! from ending.

use crate::common::{self, Running, humans};
use monteverde_web::{MESSAGE_BYTES, Options};
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::{IpAddr, SocketAddr, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// The knights go out and back, so many times.
fn dance(steps: usize) -> String {
    let round = ["g1f3", "g8f6", "f3g1", "f6g8"];
    json!({ "steps": (0..steps).map(|step| round[step % 4]).collect::<Vec<_>>() }).to_string()
}

fn post(path: &str, host: SocketAddr, body: &str) -> String {
    format!(
        "POST {path} HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    )
}

/// The status of the answer to a request that comes from that address of this machine.
fn status_from(client: [u8; 4], server: SocketAddr, request: &str) -> u16 {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let stream = runtime.block_on(async {
        let socket = tokio::net::TcpSocket::new_v4().unwrap();
        socket.bind((IpAddr::from(client), 0).into()).unwrap();
        socket.connect(server).await.unwrap().into_std().unwrap()
    });
    stream.set_nonblocking(false).unwrap();
    answer(stream, request)
}

fn answer(mut stream: TcpStream, request: &str) -> u16 {
    stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    stream.write_all(request.as_bytes()).unwrap();
    let mut head = [0; 12];
    stream.read_exact(&mut head).unwrap();
    String::from_utf8_lossy(&head[9..]).parse().unwrap()
}

/// A hundred long replays are much work, and `/api/about` none: it does not wait for them.
#[test]
fn about_answers_while_replays_are_computed() {
    let server = Running::with(Options { cores: 2, ..Options::default() });
    let request = post("/api/games/chess/replay", server.address, &dance(2000));
    let start = Instant::now();
    let (status, _, body) = server.raw(&request);
    let one = start.elapsed();
    assert_eq!((status, body.matches("\"turn_name\"").count()), (200, 2001));
    let (over, done) = (AtomicBool::new(false), AtomicUsize::new(0));
    std::thread::scope(|scope| {
        for _ in 0..100 {
            let mut stream = TcpStream::connect(server.address).unwrap();
            stream.write_all(request.as_bytes()).unwrap();
            let (over, done) = (&over, &done);
            scope.spawn(move || {
                let mut bytes = vec![0; 1 << 16];
                while !over.load(Relaxed) {
                    if matches!(stream.read(&mut bytes), Ok(0) | Err(_)) {
                        done.fetch_add(1, Relaxed);
                        break;
                    }
                }
            });
        }
        let start = Instant::now();
        for _ in 0..10 {
            server.get_json("/api/about");
        }
        let (ten, done) = (start.elapsed(), done.load(Relaxed));
        over.store(true, Relaxed);
        // All of them would take a hundred times as long as one, on two cores fifty times.
        assert!(done < 50 && ten < 10 * one, "{ten:?} for ten answers, one replay takes {one:?}");
    });
}

/// Half a request, and one that comes a byte a second, end within half a minute.
#[test]
fn a_request_that_never_comes_ends() {
    let server = Running::start();
    let head = format!("GET /api/about HTTP/1.1\r\nHost: {}\r\n", server.address);
    let whole = post("/api/games/chess/replay", server.address, &dance(100));
    let body = &whole[..whole.len() - 10];
    let start = Instant::now();
    std::thread::scope(|scope| {
        for (request, wanted) in [("", ""), (head.as_str(), ""), (body, "408")] {
            scope.spawn(move || {
                let mut stream = TcpStream::connect(server.address).unwrap();
                stream.write_all(request.as_bytes()).unwrap();
                stream.set_read_timeout(Some(Duration::from_millis(1000))).unwrap();
                let mut answer = Vec::new();
                loop {
                    assert!(start.elapsed() < Duration::from_secs(30), "it was waited for");
                    let mut bytes = [0; 1000];
                    match stream.read(&mut bytes) {
                        Ok(0) => break,
                        Ok(count) => answer.extend_from_slice(&bytes[..count]),
                        Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => {
                            // Another byte of a header that never ends.
                            if !request.is_empty() && wanted.is_empty() {
                                let _ = stream.write_all(b"x");
                            }
                        }
                        Err(_) => break,
                    }
                }
                let answer = String::from_utf8_lossy(&answer);
                assert!(answer.contains(wanted), "{answer}");
            });
        }
    });
}

/// So many connections there may be, and one more is told so.
#[test]
fn connections_are_counted() {
    let server = Running::with(Options { sessions: 1, ..Options::default() });
    let mut idle = Vec::new();
    let refused = (0..2000).any(|_| {
        let stream = TcpStream::connect(server.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_millis(20))).unwrap();
        let mut head = [0; 12];
        let is_refused = matches!((&stream).read(&mut head), Ok(12)) && head.ends_with(b"503");
        idle.push(stream);
        is_refused
    });
    assert!(refused, "{} connections at once", idle.len());
    drop(idle);
    wait_for_room(&server);
}

/// Closed connections make room, as soon as the server has seen it.
fn wait_for_room(server: &Running) {
    let start = Instant::now();
    while server.try_get("/api/about").is_none_or(|(status, ..)| status != 200) {
        assert!(start.elapsed() < Duration::from_secs(20), "closed connections make room");
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// Whatever clients do, a server that is to end has ended within two seconds.
#[test]
fn the_server_ends_in_time_whatever_clients_do() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::with(Options { lab: folder.path().to_owned(), ..Options::default() });
    let mut halves = Vec::new();
    for request in ["", "GET / HTT", "POST /api/lab/matches HTTP/1.1\r\nContent-Length: 9\r\n\r\n"]
    {
        let mut stream = TcpStream::connect(server.address).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        halves.push(stream);
    }
    let mut client = server.client();
    let engine = json!({ "player": "uct", "pace": "time=1h" });
    client.ask(json!({ "type": "new", "game": "banqi", "seats": [engine, engine] }));
    client.ask(json!({ "type": "analyse", "specs": ["uct", "uct:c=0.3"] }));
    let wanted = json!({ "game": "tic-tac-toe", "a": "uct", "b": "uct:c=0.3", "games": 10, "pace": "time=1h" });
    assert_eq!(server.send("POST", "/api/lab/matches", &wanted.to_string()).0, 201);
    // Answers that nobody takes.
    let line = dance(2000);
    for _ in 0..4 {
        let mut stream = TcpStream::connect(server.address).unwrap();
        let request = post("/api/games/chess/replay", server.address, &line);
        stream.write_all(request.as_bytes()).unwrap();
        halves.push(stream);
    }
    std::thread::sleep(Duration::from_millis(300));
    let start = Instant::now();
    drop(server);
    let took = start.elapsed();
    assert!(took < Duration::from_secs(2), "{took:?}");
}

#[test]
fn paces_are_bounded() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::with(Options { lab: folder.path().to_owned(), ..Options::default() });
    let mut client = server.client();
    client.ask(json!({ "type": "new", "game": "tic-tac-toe", "seats": humans() }));
    for pace in ["time=25h", "iterations=5000000000", "nodes=5000000000", "depth=1001"] {
        let bad = |answer: &Value, message: &Value| {
            assert_eq!(answer["code"], "bad-pace", "{message}: {answer}");
            assert!(answer["message"].as_str().unwrap().contains("at most"), "{answer}");
        };
        let engine = json!({ "player": "uct", "pace": pace });
        for message in [
            json!({ "type": "seats", "seats": [engine, { "player": "human" }] }),
            json!({ "type": "analyse", "specs": ["uct"], "pace": pace }),
            json!({ "type": "hint", "pace": pace }),
        ] {
            bad(&client.ask(message.clone()), &message);
        }
        let wanted =
            json!({ "game": "tic-tac-toe", "a": "uct", "b": "uct", "games": 2, "pace": pace });
        let (status, answer) = server.send("POST", "/api/lab/matches", &wanted.to_string());
        assert_eq!(status, 400, "{answer}");
        bad(&answer["error"], &wanted);
    }
    for clock in ["clock=25h", "clock=5m+25h", "clock=1001/5m"] {
        let seat = json!({ "player": "human", "pace": clock });
        let answer = client.ask(json!({ "type": "seats", "seats": [seat, seat] }));
        assert_eq!(answer["code"], "bad-pace", "{clock}: {answer}");
    }
}

#[test]
fn a_second_host_is_refused_and_so_is_none() {
    let server = Running::start();
    let host = format!("Host: {}\r\n", server.address);
    let ask = |hosts: &str, target: &str| {
        server.raw(&format!("GET {target} HTTP/1.1\r\n{hosts}Connection: close\r\n\r\n"))
    };
    assert_eq!(ask(&host, "/api/about").0, 200);
    for hosts in ["", &format!("{host}{host}"), &format!("{host}Host: evil.example\r\n")] {
        let (status, _, body) = ask(hosts, "/api/about");
        assert_eq!(status, 400, "{hosts}: {body}");
    }
    let named = |name: &str| ask(&host, &format!("http://{name}/api/about")).0;
    assert_eq!((named(&server.address.to_string()), named("evil.example")), (200, 400));
    let origin = format!("Origin: http://{}\r\n", server.address);
    assert_eq!(ask(&format!("{host}{origin}{origin}"), "/api/about").0, 403);
}

#[test]
fn what_is_too_large_is_answered_so() {
    let server = Running::start();
    let long = " ".repeat(MESSAGE_BYTES + 1);
    for path in ["/api/games/chess/replay", "/api/lab/matches"] {
        let (status, answer) = server.send("POST", path, &long);
        assert_eq!((status, answer["error"]["code"].as_str()), (413, Some("too-large")), "{path}");
    }
    let (status, answer) = server.send("POST", "/api/games/chess/replay", &dance(2001));
    assert_eq!((status, answer["error"]["code"].as_str()), (413, Some("too-large")), "{answer}");
    assert!(answer["error"]["message"].as_str().unwrap().contains("2000"), "{answer}");
    assert_eq!(server.get(&format!("/{}", "x".repeat(100_000))).0, 431);
}

/// A server that is open to others gives nobody all of it.
#[test]
fn on_an_open_server_a_client_gets_its_part() {
    let open = || {
        let folder = tempfile::tempdir().unwrap();
        let host = IpAddr::from([0, 0, 0, 0]);
        let lab = folder.path().to_owned();
        (Running::with(Options { host, lab, sessions: 16, ..Options::default() }), folder)
    };
    let (server, _folder) = open();
    let address = SocketAddr::from(([127, 0, 0, 1], server.address.port()));
    let about = format!("GET /api/about HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    // Sessions.
    let sessions: Vec<_> = (0..4).map(|_| server.client()).collect();
    let refused = common::Client::connect(&server, None).err().unwrap();
    assert!(refused.contains("at most 4"), "{refused}");
    assert_eq!(status_from([127, 0, 0, 2], address, &about), 200);
    drop(sessions);
    // Connections.
    let mut idle = Vec::new();
    let refused = (0..200).find(|_| {
        let stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(Duration::from_millis(20))).unwrap();
        let mut head = [0; 12];
        let is_refused = matches!((&stream).read(&mut head), Ok(12)) && head.ends_with(b"429");
        idle.push(stream);
        is_refused
    });
    assert!(refused.is_some_and(|count| count < 64), "{refused:?}");
    assert_eq!(status_from([127, 0, 0, 2], address, &about), 200, "others are served");
    drop(idle);
    wait_for_room(&server);
    // Matches: another client cannot stop them, and nobody starts them for ever.
    let wanted = json!({ "game": "tic-tac-toe", "a": "uct", "b": "uct:c=0.3", "games": 2, "pace": "time=1h" });
    let (status, started) = server.send("POST", "/api/lab/matches", &wanted.to_string());
    assert_eq!(status, 201, "{started}");
    let path = format!("/api/lab/matches/{}", started["id"]);
    let delete = format!("DELETE {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    assert_eq!(status_from([127, 0, 0, 2], address, &delete), 403);
    let mut statuses = Vec::new();
    for _ in 0..20 {
        server.send("DELETE", &format!("/api/lab/matches/{}", statuses.len() + 1), "");
        let start = Instant::now();
        while server.get_json("/api/lab/matches")["matches"]
            .as_array()
            .is_some_and(|all| all.iter().any(|one| one["state"] == "running"))
        {
            assert!(start.elapsed() < Duration::from_secs(20), "it is stopped");
            std::thread::sleep(Duration::from_millis(10));
        }
        statuses.push(server.send("POST", "/api/lab/matches", &wanted.to_string()).0);
        if statuses.last() == Some(&429) {
            break;
        }
    }
    assert_eq!(statuses.last(), Some(&429), "{statuses:?}");
}
