//! Somebody who sees everything at a server and means harm.

use super::{RawClient, Server};
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;

/// What was sent, by kind.
pub(crate) type Sent = BTreeMap<&'static str, u64>;

/// A thread that does harm until it is ended.
pub(crate) struct Hostile {
    stop: Arc<AtomicBool>,
    thread: JoinHandle<Sent>,
}

impl Hostile {
    /// Begins with the run of that name.
    pub(crate) fn start(server: &Server, run: &'static str) -> Hostile {
        let stop = Arc::new(AtomicBool::new(false));
        let mut enemy = Enemy {
            port: server.port(),
            run,
            stop: stop.clone(),
            sent: Sent::new(),
            keys: Vec::new(),
        };
        let thread = std::thread::spawn(move || {
            while !enemy.stop.load(Ordering::Relaxed) {
                // A server closes a connection that goes too far.
                let _ = enemy.harm();
            }
            enemy.sent
        });
        Hostile { stop, thread }
    }

    pub(crate) fn end(self) -> Sent {
        self.stop.store(true, Ordering::Relaxed);
        self.thread.join().unwrap()
    }
}

struct Enemy {
    port: u16,
    run: &'static str,
    stop: Arc<AtomicBool>,
    sent: Sent,
    /// Of tasks that were seen.
    keys: Vec<String>,
}

impl Enemy {
    fn count(&mut self, kind: &'static str) {
        *self.sent.entry(kind).or_default() += 1;
    }

    fn harm(&mut self) -> std::io::Result<()> {
        let run = self.run;
        let mut client = RawClient::connect_to(self.port)?;
        client.subscribe(&format!("monteverde.task.{run}.*"), 1)?;
        client.subscribe(&format!("monteverde.result.{run}.*"), 2)?;
        client.subscribe("monteverde.who", 3)?;
        client.subscribe("_INBOX.enemy", 4)?;
        while !self.stop.load(Ordering::Relaxed) {
            let Some(message) = client.next()? else { continue };
            let result = |key: &str| format!("monteverde.result.{run}.{key}");
            let key = message.subject.rsplit('.').next().unwrap().to_owned();
            let words: Vec<&str> = message.subject.split('.').collect();
            let acknowledge = message.reply.as_ref().filter(|to| to.starts_with("$JS.ACK"));
            match words[..] {
                // A task that was asked for.
                _ if acknowledge.is_some() => {
                    client.publish(acknowledge.unwrap(), None, b"+ACK")?;
                    self.count("stolen");
                }
                ["monteverde", "task", ..] if !self.keys.contains(&key) && key.len() == 64 => {
                    self.keys.push(key.clone());
                    match self.keys.len() % 4 {
                        0 => {
                            client.publish(&result(&key), None, b"garbage")?;
                            client.publish(&result(&key), None, b"")?;
                            client.publish(&result("no-key"), None, b"{}")?;
                            self.count("garbage");
                        }
                        1 => {
                            let text = br#"{"worker":"e","product":{"Err":"it cannot be done"}}"#;
                            let packed = zstd::bulk::compress(text, 3).unwrap();
                            client.publish(&result(&key), None, &packed)?;
                            self.count("garbage");
                        }
                        2 => {
                            let other = format!("monteverde.task.{run}.{}", "7".repeat(64));
                            client.publish(&other, None, b"{\"key\":1}")?;
                            client.publish(&format!("monteverde.task.{run}.x"), None, b"x")?;
                            self.count("tasks");
                        }
                        _ if self.keys.len() % 16 == 3 => {
                            // Takes a task and acknowledges it without a result.
                            let next =
                                format!("$JS.API.CONSUMER.MSG.NEXT.monteverde-tasks-{run}.workers");
                            client.publish(&next, Some("_INBOX.enemy"), b"1")?;
                        }
                        _ => {}
                    }
                }
                ["monteverde", "result", ..] if key.len() == 64 => {
                    // Copies are seen as well, so there must be an end.
                    const MOST: u64 = 300;
                    let so_far = self.sent.get("forged").copied().unwrap_or(0);
                    let forged = if so_far < MOST { forge(&message.body) } else { None };
                    let Some(forged) = forged else { continue };
                    client.publish(&result(&key), None, &forged)?;
                    self.count("forged");
                    if self.sent["forged"] == MOST / 2 {
                        self.count("oversized");
                        // Ends the connection.
                        client.publish(&result(&key), None, &vec![b'x'; 3 << 20])?;
                    }
                    if self.sent["forged"].is_multiple_of(3) {
                        client.publish(&message.subject, None, &message.body)?;
                        self.count("doubled");
                    }
                    if let Some(other) = self.keys.iter().find(|other| **other != key) {
                        let other = other.clone();
                        client.publish(&result(&other), None, &message.body)?;
                        self.count("foreign");
                    }
                }
                ["monteverde", "who"] => {
                    let Some(reply) = message.reply else { continue };
                    client.publish(&reply, None, b"[[[[")?;
                    let lie =
                        br#"{"worker":{"name":"\u001b[2Jx","cores":0,"build":"","speed":1e300,
                        "held":0,"done":0,"seconds":0,"refused":[]}}"#;
                    client.publish(&reply, None, lie)?;
                }
                _ => {}
            }
        }
        Ok(())
    }
}

/// An honest result with another winner, or with half of its games; `None` if it is no honest one,
/// or forged already.
fn forge(body: &[u8]) -> Option<Vec<u8>> {
    let text = zstd::bulk::decompress(body, 1 << 22).ok()?;
    let mut result: Value = serde_json::from_slice(&text).ok()?;
    if result["worker"] == "enemy" {
        return None;
    }
    result["worker"] = "enemy".into();
    let product = &mut result["product"]["Ok"];
    if let Some(game) = product.get_mut("game") {
        game["result"] = if game["result"] == "draw" { "first" } else { "draw" }.into();
    } else {
        let text = product.get_mut("custom")?;
        *text = text.as_str()?[..text.as_str()?.len() / 2].into();
    }
    zstd::bulk::compress(result.to_string().as_bytes(), 3).ok()
}
