//! A NATS server of the tests' own, programs that are killed, and somebody who means harm.
#![allow(clippy::print_stderr)] // what programs said is shown when a test fails

mod hostile;
mod raw;

pub(crate) use hostile::Hostile;
pub(crate) use raw::RawClient;

use serde_json::json;
use std::io::{BufRead, BufReader, Read};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// A server with a folder of its own. It ends with the test.
pub(crate) struct Server {
    child: Child,
    port: u16,
    folder: TempDir,
    words: Vec<String>,
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
        let words: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
        for _ in 0..10 {
            let free = TcpListener::bind("127.0.0.1:0").unwrap();
            let port = free.local_addr().unwrap().port();
            drop(free);
            let mut child = spawn(port, &folder, &words);
            if listens(&mut child, port) {
                return Server { child, port, folder, words };
            }
            let _ = child.kill();
            let _ = child.wait();
        }
        panic!("nats-server does not listen on any of ten ports");
    }

    pub(crate) fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    pub(crate) fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    pub(crate) fn go_on(&mut self) {
        self.child = spawn(self.port, &self.folder, &self.words);
        assert!(listens(&mut self.child, self.port), "nats-server does not listen again");
    }

    /// The names of its streams.
    pub(crate) fn streams(&self) -> Vec<String> {
        let names = RawClient::connect(self).ask("$JS.API.STREAM.NAMES", &json!({}));
        let names = names["streams"].as_array().cloned().unwrap_or_default();
        names.iter().map(|name| name.as_str().unwrap().to_owned()).collect()
    }
}

/// Whether this server listens, in the end. Another test may have taken the port in between: then it
/// is that one's server who greets, by another name, and ours ends.
fn listens(child: &mut Child, port: u16) -> bool {
    let started = Instant::now();
    let name = format!("\"server_name\":\"{}\"", server_name(port));
    while started.elapsed() < Duration::from_secs(20) && child.try_wait().unwrap().is_none() {
        let greeting = TcpStream::connect(("127.0.0.1", port)).and_then(|stream| {
            stream.set_read_timeout(Some(Duration::from_secs(5)))?;
            let mut line = String::new();
            BufReader::new(stream).read_line(&mut line).map(|_| line)
        });
        if greeting.is_ok_and(|line| line.contains(&name)) {
            return true;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    false
}

/// A name that no other test's server has on this port.
fn server_name(port: u16) -> String {
    format!("test-{}-{:?}-{port}", std::process::id(), std::thread::current().id())
}

fn spawn(port: u16, folder: &TempDir, words: &[String]) -> Child {
    let mut command = Command::new("nats-server");
    command.args(["-a", "127.0.0.1", "-p", &port.to_string(), "-n", &server_name(port), "-sd"]);
    command.arg(folder.path());
    command.args(words).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().expect("nats-server is needed; on Debian: apt-get install nats-server")
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
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
