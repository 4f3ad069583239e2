//! The protocol of NATS as far as the tests need it: it is plain text.

use super::Server;
use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

/// A connection.
pub(crate) struct RawClient {
    reader: BufReader<TcpStream>,
    writer: TcpStream,
    asked: u32,
}

/// A message that came in.
#[derive(Debug)]
pub(crate) struct RawMessage {
    pub(crate) subject: String,
    pub(crate) reply: Option<String>,
    /// Without its headers.
    pub(crate) body: Vec<u8>,
}

impl RawClient {
    pub(crate) fn connect(server: &Server) -> RawClient {
        RawClient::connect_to(server.port()).unwrap()
    }

    pub(crate) fn connect_to(port: u16) -> std::io::Result<RawClient> {
        let writer = TcpStream::connect(("127.0.0.1", port))?;
        writer.set_read_timeout(Some(Duration::from_millis(200)))?;
        let reader = BufReader::new(writer.try_clone()?);
        let mut client = RawClient { reader, writer, asked: 0 };
        client.write(b"CONNECT {\"verbose\":false,\"headers\":true,\"lang\":\"raw\"}\r\n")?;
        Ok(client)
    }

    pub(crate) fn write(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        self.writer.write_all(bytes)
    }

    pub(crate) fn subscribe(&mut self, subject: &str, id: u32) -> std::io::Result<()> {
        self.write(format!("SUB {subject} {id}\r\n").as_bytes())
    }

    pub(crate) fn publish(
        &mut self,
        subject: &str,
        reply: Option<&str>,
        body: &[u8],
    ) -> std::io::Result<()> {
        let reply = reply.map_or(String::new(), |reply| format!("{reply} "));
        let mut bytes = format!("PUB {subject} {reply}{}\r\n", body.len()).into_bytes();
        bytes.extend(body);
        bytes.extend(b"\r\n");
        self.write(&bytes)
    }

    /// The next message; `None` if none comes for a moment.
    pub(crate) fn next(&mut self) -> std::io::Result<Option<RawMessage>> {
        loop {
            let mut line = String::new();
            match self.reader.read_line(&mut line) {
                Ok(0) => return Err(std::io::ErrorKind::UnexpectedEof.into()),
                Ok(_) => {}
                // The tests write whole lines at once, so does the server.
                Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => return Ok(None),
                Err(error) => return Err(error),
            }
            let words: Vec<&str> = line.split_whitespace().collect();
            let (reply, head, total) = match words.as_slice() {
                ["PING"] => {
                    self.write(b"PONG\r\n")?;
                    continue;
                }
                ["MSG", _, _, total] => (None, "0", total),
                ["MSG", _, _, reply, total] => (Some(*reply), "0", total),
                ["HMSG", _, _, head, total] => (None, *head, total),
                ["HMSG", _, _, reply, head, total] => (Some(*reply), *head, total),
                ["-ERR", ..] => return Err(std::io::Error::other(line.trim().to_owned())),
                _ => continue,
            };
            let (subject, reply) = (words[1].to_owned(), reply.map(str::to_owned));
            let (head, total): (usize, usize) = (head.parse().unwrap(), total.parse().unwrap());
            let mut body = vec![0; total + 2];
            self.writer.set_read_timeout(Some(Duration::from_secs(5)))?;
            let read = self.reader.read_exact(&mut body);
            self.writer.set_read_timeout(Some(Duration::from_millis(200)))?;
            read?;
            body.truncate(total);
            body.drain(..head);
            return Ok(Some(RawMessage { subject, reply, body }));
        }
    }

    /// Asks and waits for the answer.
    pub(crate) fn ask(&mut self, subject: &str, question: &Value) -> Value {
        self.asked += 1;
        let inbox = format!("_INBOX.raw.{}", self.asked);
        let id = 1000 + self.asked;
        self.subscribe(&inbox, id).unwrap();
        self.publish(subject, Some(&inbox), question.to_string().as_bytes()).unwrap();
        for _ in 0..50 {
            if let Some(message) = self.next().unwrap()
                && message.subject == inbox
            {
                let answer: Value = serde_json::from_slice(&message.body).unwrap();
                assert_eq!(answer.get("error"), None, "{subject}");
                return answer;
            }
        }
        panic!("{subject} is not answered");
    }
}
