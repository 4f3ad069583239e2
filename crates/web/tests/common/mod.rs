//! A server to test, and clients for it.
#![allow(dead_code)] // each test uses its part

use monteverde_web::{Options, Server, serve};
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};
use tokio::sync::oneshot;
use tungstenite::client::IntoClientRequest;
use tungstenite::{Message, WebSocket};

/// How long a test waits for what must come.
const PATIENCE: Duration = Duration::from_secs(30);

/// A server that ends with the test.
pub(crate) struct Running {
    pub(crate) address: SocketAddr,
    end: Option<oneshot::Sender<()>>,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl Running {
    pub(crate) fn start() -> Running {
        Running::with(Options::default())
    }

    pub(crate) fn with(options: Options) -> Running {
        let (end, ended) = oneshot::channel();
        let (tell, told) = std::sync::mpsc::channel();
        let thread = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
            runtime.block_on(async {
                let options = Options { port: Some(0), ..options };
                let server = Server::bind(monteverde_games::games(), options).await.unwrap();
                tell.send(server.address().unwrap()).unwrap();
                server.run(async { drop(ended.await) }).await.unwrap();
            });
        });
        let address = told.recv().unwrap();
        Running { address, end: Some(end), thread: Some(thread) }
    }

    /// The server as the program runs it, which ends with the process.
    pub(crate) fn as_program(options: Options) -> Running {
        let (tell, told) = std::sync::mpsc::channel();
        let options = Options { port: Some(0), ..options };
        std::thread::spawn(move || {
            serve(monteverde_games::games(), options, |address| tell.send(address).unwrap())
        });
        Running { address: told.recv().unwrap(), end: None, thread: None }
    }

    /// Sends a request as it is written and gives back the status, the head and the body.
    pub(crate) fn raw(&self, request: &str) -> (u16, String, String) {
        self.try_raw(request).expect("there is an answer")
    }

    fn try_raw(&self, request: &str) -> Option<(u16, String, String)> {
        let mut stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(10 * PATIENCE)).unwrap();
        // A request that is refused may not be read to its end.
        let _ = stream.write_all(request.as_bytes());
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        let answer = String::from_utf8_lossy(&answer).into_owned();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
        let status = head.split(' ').nth(1)?.parse().ok()?;
        let head = head.to_lowercase();
        let is_chunked = head.contains("transfer-encoding: chunked");
        let body = if is_chunked { joined(body) } else { body.to_owned() };
        Some((status, head, body))
    }

    /// As [`Running::get`], where the connection may be refused.
    pub(crate) fn try_get(&self, path: &str) -> Option<(u16, String, String)> {
        let address = self.address;
        self.try_raw(&format!(
            "GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n"
        ))
    }

    pub(crate) fn get(&self, path: &str) -> (u16, String, String) {
        self.raw(&format!(
            "GET {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n",
            self.address
        ))
    }

    pub(crate) fn get_json(&self, path: &str) -> Value {
        let (status, _, body) = self.get(path);
        assert_eq!(status, 200, "{path}: {body}");
        serde_json::from_str(&body).unwrap()
    }

    /// Sends JSON by a method.
    pub(crate) fn send(&self, method: &str, path: &str, body: &str) -> (u16, Value) {
        let (host, length) = (self.address, body.len());
        let (status, _, body) = self.raw(&format!(
            "{method} {path} HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nContent-Type: application/json\r\n\
             Content-Length: {length}\r\nConnection: close\r\n\r\n{body}"
        ));
        (status, serde_json::from_str(&body).unwrap_or(Value::Null))
    }

    pub(crate) fn client(&self) -> Client {
        Client::connect(self, None).unwrap()
    }

    /// As [`Running::client`], but asks again where it is refused, as the page does.
    pub(crate) fn patient_client(&self) -> Client {
        let start = Instant::now();
        loop {
            match Client::connect(self, None) {
                Ok(client) => return client,
                Err(refusal) => assert!(start.elapsed() < PATIENCE, "{refusal}"),
            }
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Waits until the server says that there are so many searches.
    pub(crate) fn wait_for_searches(&self, wanted: u64) {
        let start = Instant::now();
        while self.get_json("/api/about")["searches"] != wanted {
            assert!(start.elapsed() < PATIENCE, "there never were {wanted} searches");
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.end.take();
        if let Some(thread) = self.thread.take() {
            let joined = thread.join();
            assert!(std::thread::panicking() || joined.is_ok(), "the server panicked");
        }
    }
}

/// A client of the WebSocket.
pub(crate) struct Client {
    pub(crate) socket: WebSocket<TcpStream>,
    pub(crate) session: String,
    pub(crate) resumed: bool,
    /// How many messages were answered.
    asked: u64,
}

impl Client {
    /// Connects, to a session if one is named, and reads the greeting.
    pub(crate) fn connect(server: &Running, session: Option<&str>) -> Result<Client, String> {
        let query = session.map_or(String::new(), |id| format!("?session={id}"));
        let request = format!("ws://{}/ws{query}", server.address).into_client_request().unwrap();
        let stream = TcpStream::connect(server.address).map_err(|error| error.to_string())?;
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let (socket, _) =
            tungstenite::client(request, stream).map_err(|error| error.to_string())?;
        let mut client = Client { socket, session: String::new(), resumed: false, asked: 0 };
        let hello = client.try_read().ok_or("the connection was closed")?;
        if hello["type"] != "session" {
            return Err(hello.to_string());
        }
        client.session = hello["id"].as_str().unwrap().to_owned();
        client.resumed = hello["resumed"].as_bool().unwrap();
        Ok(client)
    }

    pub(crate) fn send(&mut self, message: Value) {
        self.send_text(&message.to_string());
    }

    pub(crate) fn send_text(&mut self, text: &str) {
        self.socket.send(Message::text(text.to_owned())).unwrap();
    }

    /// The next message, `None` where the connection has ended.
    pub(crate) fn try_read(&mut self) -> Option<Value> {
        let start = Instant::now();
        loop {
            match self.socket.read() {
                Ok(Message::Text(text)) => return Some(serde_json::from_str(&text).unwrap()),
                Ok(Message::Close(_)) | Err(_) => return None,
                // The server asks whether we are there.
                Ok(_) => assert!(start.elapsed() < PATIENCE, "no message ever came"),
            }
        }
    }

    pub(crate) fn read(&mut self) -> Value {
        self.try_read().expect("the connection is open")
    }

    /// The next message of which this is true.
    pub(crate) fn wait(&mut self, wanted: impl Fn(&Value) -> bool) -> Value {
        let start = Instant::now();
        loop {
            let message = self.read();
            if wanted(&message) {
                return message;
            }
            assert!(start.elapsed() < PATIENCE, "the message never came; the last was {message}");
        }
    }

    pub(crate) fn wait_for(&mut self, kind: &str) -> Value {
        self.wait(|message| message["type"] == kind)
    }

    /// Sends a message and waits for its answer.
    pub(crate) fn ask(&mut self, mut message: Value) -> Value {
        self.asked += 1;
        let tag = self.asked;
        message["tag"] = json!(tag);
        self.send(message);
        self.wait(|answer| answer["tag"] == json!(tag))
    }
}

/// A body that came in chunks, each after its length.
fn joined(mut chunks: &str) -> String {
    let mut body = String::new();
    while let Some((length, rest)) = chunks.split_once("\r\n") {
        let length = usize::from_str_radix(length, 16).unwrap();
        body += &rest[..length];
        chunks = rest[length..].strip_prefix("\r\n").unwrap_or_default();
    }
    body
}

/// Seats for two people.
pub(crate) fn humans() -> Value {
    json!([{ "player": "human" }, { "player": "human" }])
}

/// The bytes of memory that the process has.
pub(crate) fn resident() -> usize {
    const PAGE: usize = 4096;
    let text = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    text.split(' ').nth(1).and_then(|pages| pages.parse::<usize>().ok()).unwrap_or(0) * PAGE
}
