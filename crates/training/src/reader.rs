//! Reading files of games.

use crate::data::GameData;
use crate::error::DataError;
use crate::format::{At, FRAME, FrameAt, Header, MOST_BYTES, frame_at};
use std::fmt;
use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};

/// A file of games, whole in memory, compressed as it is on the disk.
#[derive(Debug)]
pub struct DataFile {
    path: PathBuf,
    header: Header,
    bytes: Vec<u8>,
    frames: Vec<FrameAt>,
    damage: Vec<Damage>,
}

/// A part of a file that holds no game that could be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Damage {
    /// The number that the game had, where that can still be told.
    pub number: Option<u32>,
    /// The game before it.
    pub after: Option<u32>,
    /// Where it begins.
    pub from: usize,
    /// Where it ends.
    pub to: usize,
    /// Whether the file ends there: whoever wrote it was killed.
    pub is_end: bool,
}

/// What games are unpacked with; one a thread, since making one takes longer than a game.
pub struct Unpacker(zstd::bulk::Decompressor<'static>);

impl Default for Unpacker {
    fn default() -> Self {
        Unpacker(zstd::bulk::Decompressor::new().expect("memory for a small context"))
    }
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.number, self.after) {
            (Some(number), _) => write!(f, "game {number} is damaged")?,
            (None, Some(after)) => write!(f, "what follows game {after} is damaged")?,
            (None, None) => write!(f, "the first game is damaged")?,
        }
        write!(f, " (bytes {} to {})", self.from, self.to)?;
        if self.is_end { write!(f, ", and the file ends there") } else { Ok(()) }
    }
}

/// Folders, and devices that give bytes without an end or take them for nothing, hold no games.
pub(crate) fn check_is_file(path: &Path, found: &Metadata) -> Result<(), DataError> {
    if found.is_file() {
        return Ok(());
    }
    let problem = "it is a folder or a device".to_owned();
    Err(DataError::NotData { path: path.to_owned(), problem })
}

impl DataFile {
    /// Reads a file and checks every game's checksum. What is damaged is left out, see
    /// [`DataFile::damage`].
    pub fn read(path: &Path) -> Result<DataFile, DataError> {
        let failed = |error| DataError::Io { path: path.to_owned(), error };
        check_is_file(path, &fs::metadata(path).map_err(failed)?)?;
        let bytes = fs::read(path).map_err(failed)?;
        let (header, from) = Header::read(&bytes)
            .map_err(|problem| DataError::NotData { path: path.to_owned(), problem })?;
        let (frames, damage) = find_frames(&bytes, from);
        let mut file = DataFile { path: path.to_owned(), header, bytes, frames, damage };
        file.leave_out_unreadable();
        Ok(file)
    }

    /// Where it came from.
    pub fn path(&self) -> &Path {
        &self.path
    }
    /// What it says of itself.
    pub fn header(&self) -> &Header {
        &self.header
    }
    /// What could not be read.
    pub fn damage(&self) -> &[Damage] {
        &self.damage
    }
    /// How many games it has.
    pub fn len(&self) -> usize {
        self.frames.len()
    }
    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.frames.is_empty()
    }
    /// What tells it from other files: BLAKE3 of its bytes, in hexadecimal digits.
    pub fn digest(&self) -> String {
        blake3::hash(&self.bytes).to_hex().to_string()
    }
    /// How many bytes the file has.
    pub fn bytes(&self) -> usize {
        self.bytes.len()
    }
    /// The number of a game at a place.
    pub fn number(&self, place: usize) -> u32 {
        self.frames[place].number
    }
    /// The game at a place.
    pub fn game(&self, place: usize, unpacker: &mut Unpacker) -> GameData {
        let frame = self.frames[place];
        self.unpack(frame, unpacker).expect("every game was read once")
    }
    /// All games in their order in the file.
    pub fn games(&self) -> impl Iterator<Item = GameData> + '_ {
        let mut unpacker = Unpacker::default();
        (0..self.len()).map(move |place| self.game(place, &mut unpacker))
    }

    /// The frames as they are, for the writer.
    pub(crate) fn frames(&self) -> impl Iterator<Item = (u32, &[u8])> + '_ {
        self.frames.iter().map(|frame| (frame.number, &self.bytes[frame.from..frame.to]))
    }

    fn unpack(&self, frame: FrameAt, unpacker: &mut Unpacker) -> Option<GameData> {
        let packed = &self.bytes[frame.from + FRAME..frame.to];
        let columns = unpacker.0.decompress(packed, most_unpacked(packed)?).ok()?;
        GameData::decode(frame.number, &columns)
    }

    /// A checksum that fits says that the bytes are those that were written. They may still be none
    /// of a game where another program wrote them.
    fn leave_out_unreadable(&mut self) {
        let mut unpacker = Unpacker::default();
        let (whole, unreadable): (Vec<FrameAt>, Vec<FrameAt>) =
            self.frames.iter().partition(|&&frame| self.unpack(frame, &mut unpacker).is_some());
        let damage = |frame: FrameAt| Damage {
            number: Some(frame.number),
            after: None,
            from: frame.from,
            to: frame.to,
            is_end: frame.to == self.bytes.len(),
        };
        self.damage.extend(unreadable.into_iter().map(damage));
        self.frames = whole;
    }
}

/// What a compressed game says of its size.
fn most_unpacked(packed: &[u8]) -> Option<usize> {
    let size = zstd::zstd_safe::get_frame_content_size(packed).ok()??;
    usize::try_from(size).ok().filter(|&size| size <= MOST_BYTES)
}

/// So many times the bytes of a file are looked at in search of games behind a damaged one. By
/// chance a place looks like a game once in 64 kB, and its length then leads out of the file; a
/// file in which many places do and none is whole was made to take for ever.
const MOST_LOOKS: usize = 16;

/// All frames from a place on, and what lies between them.
fn find_frames(bytes: &[u8], mut at: usize) -> (Vec<FrameAt>, Vec<Damage>) {
    let (mut frames, mut damage) = (Vec::<FrameAt>::new(), Vec::new());
    let mut looks = bytes.len().saturating_mul(MOST_LOOKS);
    let is_whole = |at: usize, looks: &mut usize| match frame_at(bytes, at) {
        At::Whole(_) => true,
        At::Damaged(frame) if frame.to <= bytes.len() => {
            *looks = looks.saturating_sub(frame.to - frame.from);
            false
        }
        _ => false,
    };
    while at < bytes.len() {
        let found = frame_at(bytes, at);
        if let At::Whole(frame) = found {
            at = frame.to;
            frames.push(frame);
            continue;
        }
        let mut next = None;
        for place in at + 1..bytes.len() {
            if is_whole(place, &mut looks) {
                next = Some(place);
            }
            if next.is_some() || looks == 0 {
                break;
            }
        }
        let to = next.unwrap_or(bytes.len());
        // Its number can be trusted where its length leads to the next game.
        let number = match found {
            At::Damaged(frame) if frame.to == to || next.is_none() => Some(frame.number),
            _ => None,
        };
        let after = frames.last().map(|frame| frame.number);
        damage.push(Damage { number, after, from: at, to, is_end: next.is_none() });
        at = to;
    }
    (frames, damage)
}
