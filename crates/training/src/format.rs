//! The file: a header, then a frame a game.
//!
//! A frame can be found without the one before it, so that damage costs the games that it hits and
//! no others.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// How a file begins.
pub(crate) const MAGIC: &[u8; 8] = b"MVDATA1\n";
/// How a frame begins.
pub(crate) const MARK: [u8; 2] = [0xd5, 0x4d];
/// Mark, number, length and checksum.
pub(crate) const FRAME: usize = 14;
/// The most bytes of a game's columns.
pub(crate) const MOST_BYTES: usize = 1 << 24;
/// The most bytes of a header.
pub(crate) const MOST_HEADER: usize = 1 << 20;
/// How hard games are compressed: they are small, and playing them takes far longer.
const LEVEL: i32 = 19;

/// The argument that names the file of what was labelled.
pub(crate) const OF: &str = "of";
/// The argument that tells these games from others. Older files have none.
pub(crate) const OF_DIGEST: &str = "of_digest";

/// What a file says of itself.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Header {
    /// The game.
    pub game: String,
    /// What made it: `selfplay` or `label`.
    pub made_by: String,
    /// The program.
    pub build: String,
    /// Whose scores they are, as a canonical spec.
    pub player: String,
    /// Where the random numbers started.
    pub seed: u64,
    /// What else follows from the command line: how long the player thinks, openings and so on.
    pub arguments: Map<String, Value>,
}

impl Header {
    /// The first field in which another header differs, with both values. A digest of what was
    /// labelled counts only if this one has it.
    pub(crate) fn difference(&self, other: &Header) -> Option<(String, String, String)> {
        let fields = |header: &Header| match serde_json::to_value(header) {
            Ok(Value::Object(mut fields)) => {
                let arguments = fields.remove("arguments");
                fields.extend(
                    arguments.and_then(|value| value.as_object().cloned()).unwrap_or_default(),
                );
                fields
            }
            _ => Map::new(),
        };
        let (own, others) = (fields(self), fields(other));
        let text = |value: Option<&Value>| value.map_or("nothing".to_owned(), Value::to_string);
        let names = own.keys().chain(others.keys());
        names
            .map(|name| (name.clone(), text(own.get(name)), text(others.get(name))))
            .filter(|(name, ..)| name != OF_DIGEST || own.contains_key(name))
            .find(|(_, was, is)| was != is)
    }

    /// The bytes with which a file begins.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        let text = serde_json::to_vec(self).expect("a header is plain data");
        let mut bytes = MAGIC.to_vec();
        bytes.extend((text.len() as u32).to_le_bytes());
        bytes.extend(&text);
        bytes.extend(checksum(&[&text]));
        bytes
    }

    /// Reads the beginning of a file: the header and its length in bytes, or what is wrong.
    pub(crate) fn read(bytes: &[u8]) -> Result<(Header, usize), String> {
        let rest = bytes.strip_prefix(MAGIC).ok_or("it begins otherwise")?;
        let cut = || "it ends within its header".to_owned();
        let (length, rest) = rest.split_first_chunk::<4>().ok_or_else(cut)?;
        let length = u32::from_le_bytes(*length) as usize;
        if length > MOST_HEADER {
            return Err("its header is damaged".to_owned());
        }
        let (text, rest) = rest.split_at_checked(length).ok_or_else(cut)?;
        let sum = rest.get(..4).ok_or_else(cut)?;
        if sum != checksum(&[text]) {
            return Err("its header is damaged".to_owned());
        }
        let header =
            serde_json::from_slice(text).map_err(|error| format!("its header: {error}"))?;
        Ok((header, MAGIC.len() + 4 + length + 4))
    }
}

/// The first bytes of a hash of some parts.
pub(crate) fn checksum(parts: &[&[u8]]) -> [u8; 4] {
    let mut hasher = blake3::Hasher::new();
    for part in parts {
        hasher.update(part);
    }
    *hasher.finalize().as_bytes().first_chunk().expect("a hash is longer")
}

/// A game's frame.
pub(crate) fn frame(number: u32, columns: &[u8]) -> Vec<u8> {
    let packed = zstd::bulk::compress(columns, LEVEL).expect("memory is compressed into memory");
    let (number, length) = (number.to_le_bytes(), (packed.len() as u32).to_le_bytes());
    let mut bytes = Vec::with_capacity(FRAME + packed.len());
    bytes.extend(MARK);
    bytes.extend(number);
    bytes.extend(length);
    bytes.extend(checksum(&[&number, &packed]));
    bytes.extend(packed);
    bytes
}

/// Where a frame lies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct FrameAt {
    /// The game's number.
    pub(crate) number: u32,
    /// Where it begins.
    pub(crate) from: usize,
    /// Where it ends.
    pub(crate) to: usize,
}

/// What stands at a place.
pub(crate) enum At {
    /// A frame that is whole.
    Whole(FrameAt),
    /// Something that looks like one and is damaged, or is cut off.
    Damaged(FrameAt),
    /// Something else.
    Nothing,
}

/// Looks for a frame at a place.
pub(crate) fn frame_at(bytes: &[u8], from: usize) -> At {
    let Some(head) = bytes.get(from..from + FRAME).filter(|head| head.starts_with(&MARK)) else {
        return At::Nothing;
    };
    let word = |at: usize| head[at..at + 4].try_into().expect("four bytes");
    let number = u32::from_le_bytes(word(2));
    let length = u32::from_le_bytes(word(6)) as usize;
    let found = FrameAt { number, from, to: from + FRAME + length };
    match bytes.get(from + FRAME..found.to) {
        Some(packed) if checksum(&[&head[2..6], packed]) == word(10) => At::Whole(found),
        _ => At::Damaged(found),
    }
}
