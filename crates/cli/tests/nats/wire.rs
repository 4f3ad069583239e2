//! A wire to the server that is cut once.

use super::Server;
use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

/// Passes on what both sides say, until a client says the word at which the wire is cut. Who
/// connects again is not cut off a second time.
pub(crate) struct CutWire {
    port: u16,
}

impl CutWire {
    pub(crate) fn start(server: &Server, word: &'static [u8]) -> CutWire {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let server_port = server.port();
        let is_cut = Arc::new(AtomicBool::new(false));
        thread::spawn(move || {
            for client in listener.incoming() {
                let is_cut = is_cut.clone();
                let Ok(client) = client else { return };
                let Ok(server) = TcpStream::connect(("127.0.0.1", server_port)) else { return };
                thread::spawn(move || pass_on(client, server, word, &is_cut));
            }
        });
        CutWire { port }
    }

    pub(crate) fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }
}

fn pass_on(mut client: TcpStream, mut server: TcpStream, word: &[u8], is_cut: &AtomicBool) {
    let (mut from, mut to) = (server.try_clone().unwrap(), client.try_clone().unwrap());
    thread::spawn(move || std::io::copy(&mut from, &mut to));
    let mut buffer = [0; 1 << 16];
    while let Ok(count @ 1..) = client.read(&mut buffer) {
        let said = &buffer[..count];
        let has_word = said.windows(word.len()).any(|part| part == word);
        if has_word && !is_cut.swap(true, Ordering::Relaxed) {
            break;
        }
        if server.write_all(said).is_err() {
            break;
        }
    }
    for end in [client, server] {
        let _ = end.shutdown(Shutdown::Both);
    }
}
