//! A NATS server of the tests' own, programs that are killed, and somebody who means harm.
#![allow(clippy::print_stderr)] // what programs said is shown when a test fails

mod hostile;
mod raw;
mod wire;

pub(crate) use hostile::Hostile;
pub(crate) use raw::RawClient;
pub(crate) use wire::CutWire;

use serde_json::json;
use std::fs::OpenOptions;
use std::io::{BufRead, BufReader, Read};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::sync::{Arc, Mutex, Weak};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// A server with a folder of its own. It ends with the test. Should it end by itself, it is started
/// again, as a service would be, and what it said is shown.
pub(crate) struct Server {
    kept: Arc<KeptServer>,
    _folder: TempDir,
}

/// What is needed to start a server again.
struct KeptServer {
    port: u16,
    name: String,
    folder: PathBuf,
    words: Vec<String>,
    /// `None` while it is meant to be gone.
    child: Mutex<Option<Child>>,
}

impl Server {
    pub(crate) fn start() -> Server {
        Server::start_with(&[])
    }

    /// With more words on its command line.
    pub(crate) fn start_with(words: &[&str]) -> Server {
        let mut all = vec!["-js"];
        all.extend(words);
        Server::run(&all)
    }

    /// Without JetStream.
    pub(crate) fn start_plain() -> Server {
        Server::run(&[])
    }

    fn run(words: &[&str]) -> Server {
        let folder = tempfile::tempdir().unwrap();
        for _ in 0..10 {
            let free = TcpListener::bind("127.0.0.1:0").unwrap();
            let port = free.local_addr().unwrap().port();
            drop(free);
            let kept = Arc::new(KeptServer {
                port,
                // One that no other test's server has on this port.
                name: format!("test-{}-{:?}", std::process::id(), std::thread::current().id()),
                folder: folder.path().to_owned(),
                words: words.iter().map(|&word| word.to_owned()).collect(),
                child: Mutex::default(),
            });
            if kept.start() {
                let weak = Arc::downgrade(&kept);
                std::thread::spawn(move || keep(&weak));
                return Server { kept, _folder: folder };
            }
        }
        panic!("nats-server does not listen on any of ten ports");
    }

    pub(crate) fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port())
    }

    pub(crate) fn port(&self) -> u16 {
        self.kept.port
    }

    pub(crate) fn kill(&mut self) {
        self.kept.end();
    }

    pub(crate) fn go_on(&mut self) {
        assert!(self.kept.start(), "nats-server does not listen again");
    }

    /// The names of its streams.
    pub(crate) fn streams(&self) -> Vec<String> {
        let names = RawClient::connect(self).ask("$JS.API.STREAM.NAMES", &json!({}));
        let names = names["streams"].as_array().cloned().unwrap_or_default();
        names.iter().map(|name| name.as_str().unwrap().to_owned()).collect()
    }
}

impl KeptServer {
    fn spawn(&self) -> Child {
        let mut command = Command::new("nats-server");
        command.args(["-a", "127.0.0.1", "-p", &self.port.to_string(), "-n", &self.name, "-sd"]);
        command.arg(&self.folder);
        let log = OpenOptions::new().create(true).append(true).open(self.log()).unwrap();
        command.args(&self.words).stdout(Stdio::null()).stderr(log);
        command.spawn().expect("nats-server is needed; on Debian: apt-get install nats-server")
    }

    fn log(&self) -> PathBuf {
        self.folder.join("server.log")
    }

    fn said(&self) -> String {
        std::fs::read_to_string(self.log()).unwrap_or_default()
    }

    /// Starts it; whether it listens, in the end. Another test may have taken the port in between:
    /// then it is that one's server who greets, by another name, and ours ends.
    fn start(&self) -> bool {
        let mut child = self.spawn();
        let started = Instant::now();
        let name = format!("\"server_name\":\"{}\"", self.name);
        while started.elapsed() < Duration::from_secs(20) && child.try_wait().unwrap().is_none() {
            let greeting = TcpStream::connect(("127.0.0.1", self.port)).and_then(|stream| {
                stream.set_read_timeout(Some(Duration::from_secs(5)))?;
                let mut line = String::new();
                BufReader::new(stream).read_line(&mut line).map(|_| line)
            });
            if greeting.is_ok_and(|line| line.contains(&name)) {
                *self.child.lock().unwrap() = Some(child);
                return true;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        let _ = child.kill();
        let _ = child.wait();
        false
    }

    fn end(&self) {
        if let Some(mut child) = self.child.lock().unwrap().take() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// Starts a server again that has ended by itself, as long as there is a test that needs it.
fn keep(server: &Weak<KeptServer>) {
    while let Some(server) = server.upgrade() {
        if let Some(child) = &mut *server.child.lock().unwrap()
            && let Some(status) = child.try_wait().unwrap()
        {
            eprintln!("nats-server has ended by itself ({status}). It said:\n{}", server.said());
            *child = server.spawn();
        }
        drop(server);
        std::thread::sleep(Duration::from_millis(100));
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("the NATS server said:\n{}", self.kept.said());
        }
        self.kept.end();
    }
}

/// A program that runs meanwhile, and what it has said. It ends with the test.
pub(crate) struct Running {
    child: Child,
    readers: Vec<JoinHandle<()>>,
    said: [Arc<Mutex<Vec<u8>>>; 2],
}

impl Running {
    pub(crate) fn start(mut command: Command) -> Running {
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let said: [Arc<Mutex<Vec<u8>>>; 2] = Default::default();
        let mut readers = Vec::new();
        let pipes: [Box<dyn Read + Send>; 2] =
            [Box::new(child.stdout.take().unwrap()), Box::new(child.stderr.take().unwrap())];
        for (mut pipe, said) in pipes.into_iter().zip(&said) {
            let said = said.clone();
            readers.push(std::thread::spawn(move || {
                let mut buffer = [0; 4096];
                while let Ok(count @ 1..) = pipe.read(&mut buffer) {
                    said.lock().unwrap().extend(&buffer[..count]);
                }
            }));
        }
        Running { child, readers, said }
    }

    /// As kill -9 does.
    pub(crate) fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Waits until it has said something on standard error.
    #[track_caller]
    pub(crate) fn wait_to_say(&mut self, sentence: &str, patience: Duration) {
        let started = Instant::now();
        loop {
            let said = String::from_utf8_lossy(&self.said[1].lock().unwrap()).into_owned();
            if said.contains(sentence) {
                return;
            }
            let ended = self.child.try_wait().unwrap().is_some();
            assert!(!ended && started.elapsed() < patience, "no '{sentence}' in: {said}");
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Waits for its end.
    #[track_caller]
    pub(crate) fn finish(mut self, patience: Duration) -> Output {
        let started = Instant::now();
        let status = loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                break status;
            }
            if started.elapsed() > patience {
                let said = String::from_utf8_lossy(&self.said[1].lock().unwrap()).into_owned();
                panic!("it does not end: {said}");
            }
            std::thread::sleep(Duration::from_millis(20));
        };
        self.output(status)
    }

    /// As Ctrl-C does.
    #[track_caller]
    pub(crate) fn interrupt(self, patience: Duration) -> Output {
        let id = self.child.id().to_string();
        let sent = Command::new("kill").args(["-INT", &id]).status().unwrap();
        assert!(sent.success());
        self.finish(patience)
    }

    fn output(&mut self, status: ExitStatus) -> Output {
        for reader in self.readers.drain(..) {
            reader.join().unwrap();
        }
        let [stdout, stderr] = [0, 1].map(|index| self.said[index].lock().unwrap().clone());
        Output { status, stdout, stderr }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        if std::thread::panicking() {
            let said = String::from_utf8_lossy(&self.said[1].lock().unwrap()).into_owned();
            eprintln!("process {} said:\n{said}", self.child.id());
        }
    }
}
