//! Tables as files.
//!
//! All numbers are little-endian. A file is
//!
//! | bytes | what |
//! |---|---|
//! | 8 | `MVERDTM` and a zero |
//! | 4 | the version of the format |
//! | 4 | how many entries a block has |
//! | 8 | the material, such as `KRPKR`, filled up with zeros |
//! | 8 | how many entries there are for one side to move |
//! | 16 a block | where it ends, counted from the first block's start, and a checksum of its compressed bytes |
//! | 16 | a checksum of everything so far |
//! | the rest | the blocks, each compressed by itself: those with White to move, then those with Black to move |
//!
//! Checksums are the first bytes of BLAKE3. Everything before the blocks is checked when the file
//! is opened, a block when it is first read.

#![allow(unsafe_code)] // Mapping a file into memory.

use crate::error::TableError;
use crate::flat::Flat;
use crate::layout::Layout;
use crate::pack;
use crate::{Material, code};
use memmap2::Mmap;
use rayon::prelude::*;
use std::fs::{self, File, TryLockError};
use std::io::{BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// What names of files end in.
pub(crate) const EXTENSION: &str = "dtm";

const MAGIC: [u8; 8] = *b"MVERDTM\0";
const VERSION: u32 = 1;
/// Entries in a block: small enough to be decoded in some ten microseconds, large enough to
/// compress well.
pub(crate) const BLOCK: usize = 1 << 14;
/// How many blocks are compressed before they are written, so that memory stays small.
const BATCH: usize = 1024;
const HEADER: usize = 32;
const INDEX_ENTRY: usize = 16;
const CHECKSUM: usize = 16;

/// Where the table of a material is in a folder.
pub(crate) fn path(dir: &Path, material: Material) -> PathBuf {
    dir.join(format!("{material}.{EXTENSION}"))
}

/// Writes a table under another name first, so that a file of its own name is always whole.
pub(crate) fn write(dir: &Path, flat: &Flat) -> Result<u64, TableError> {
    let path = path(dir, flat.layout.material);
    let part = path.with_extension("dtm.part");
    let io = |action| TableError::io(&part, action);
    let mut file = File::options()
        .create(true)
        .truncate(false)
        .write(true)
        .open(&part)
        .map_err(io("open it"))?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => return Err(TableError::Busy { path: part }),
        Err(TryLockError::Error(source)) => return Err(io("lock it")(source)),
    }
    file.set_len(0).map_err(io("empty it"))?;
    let length = write_to(&mut file, flat).map_err(io("write it"))?;
    file.sync_all().map_err(io("write it"))?;
    fs::rename(&part, &path).map_err(io("rename it"))?;
    Ok(length)
}

fn write_to(file: &mut File, flat: &Flat) -> std::io::Result<u64> {
    let blocks: Vec<&[u8]> =
        flat.entries.iter().flat_map(|entries| entries.chunks(BLOCK)).collect();
    let mut head = header(&flat.layout);
    let start = head.len() + blocks.len() * INDEX_ENTRY + CHECKSUM;
    file.seek(SeekFrom::Start(start as u64))?;
    let mut out = BufWriter::new(&mut *file);
    let mut end = 0;
    for batch in blocks.chunks(BATCH) {
        let packed: Result<Vec<_>, _> =
            batch.par_iter().map(|block| pack::compress(block)).collect();
        for packed in packed? {
            out.write_all(&packed)?;
            end += packed.len() as u64;
            head.extend(end.to_le_bytes());
            head.extend(checksum::<8>(&packed));
        }
    }
    out.flush()?;
    drop(out);
    head.extend(checksum::<CHECKSUM>(&head));
    file.seek(SeekFrom::Start(0))?;
    file.write_all(&head)?;
    Ok(start as u64 + end)
}

fn header(layout: &Layout) -> Vec<u8> {
    let mut head = MAGIC.to_vec();
    head.extend(VERSION.to_le_bytes());
    head.extend((BLOCK as u32).to_le_bytes());
    let mut name = layout.material.to_string().into_bytes();
    name.resize(8, 0);
    head.extend(name);
    head.extend((layout.entries() as u64).to_le_bytes());
    head
}

/// A table in a file.
pub(crate) struct Packed {
    path: PathBuf,
    map: Mmap,
    /// Where the blocks start.
    start: usize,
    blocks: usize,
    /// How many entries there are for one side to move.
    entries: usize,
}

impl Packed {
    /// Opens a file that should hold that table, and checks everything but the blocks.
    pub(crate) fn open(path: &Path, layout: &Layout) -> Result<Packed, TableError> {
        let file = File::open(path).map_err(TableError::io(path, "open it"))?;
        // SAFETY: the file is only read. Whoever changes it while it is mapped changes what is
        // read, which the blocks' checksums notice before anything is made of it; cutting it short
        // may end the process, as it would with any mapped file.
        let map = unsafe { Mmap::map(&file) }.map_err(TableError::io(path, "map it"))?;
        let path = path.to_owned();
        let entries = layout.entries();
        let blocks = 2 * entries.div_ceil(BLOCK);
        let start = HEADER + blocks * INDEX_ENTRY + CHECKSUM;
        let packed = Packed { path, map, start, blocks, entries };
        packed.check_head(layout)?;
        Ok(packed)
    }

    fn check_head(&self, layout: &Layout) -> Result<(), TableError> {
        let path = || self.path.clone();
        let found = self.map.len() as u64;
        if self.map.get(..8) != Some(&MAGIC) {
            return Err(TableError::NotATable { path: path() });
        }
        let short = TableError::Size { path: path(), found, expected: self.start as u64 };
        let Some(version) = self.map.get(8..12) else { return Err(short) };
        let version = u32::from_le_bytes(version.try_into().expect("four bytes"));
        if version != VERSION {
            return Err(TableError::Version { path: path(), found: version, known: VERSION });
        }
        match self.map.get(..HEADER) {
            None => return Err(short),
            Some(head) if *head != header(layout) => {
                return Err(TableError::Misnamed { path: path() });
            }
            Some(_) => {}
        }
        let sum_at = self.start - CHECKSUM;
        let Some(sum) = self.map.get(sum_at..self.start) else { return Err(short) };
        if checksum::<CHECKSUM>(&self.map[..sum_at]) != *sum {
            return Err(TableError::Damaged { path: path(), part: "its index".to_owned() });
        }
        let expected = self.end(self.blocks) as u64;
        if found != expected {
            return Err(TableError::Size { path: path(), found, expected });
        }
        Ok(())
    }

    /// How many blocks there are, of both sides to move together.
    pub(crate) fn blocks(&self) -> usize {
        self.blocks
    }

    /// The checksum of everything before the blocks, and so of theirs.
    pub(crate) fn checksum(&self) -> &[u8] {
        &self.map[self.start - CHECKSUM..self.start]
    }

    /// How long the file is.
    pub(crate) fn bytes(&self) -> usize {
        self.map.len()
    }

    /// Decodes a block into the buffer, whose old content goes.
    pub(crate) fn decode(&self, block: usize, buffer: &mut Vec<u8>) -> Result<(), TableError> {
        let damaged = || self.damaged(block);
        let packed = self.map.get(self.end(block)..self.end(block + 1)).ok_or_else(damaged)?;
        let sum_at = HEADER + block * INDEX_ENTRY + 8;
        if checksum::<8>(packed) != self.map[sum_at..sum_at + 8] {
            return Err(damaged());
        }
        buffer.clear();
        buffer.resize(BLOCK, code::DRAW);
        let len = pack::decompress(packed, &mut buffer[..]).map_err(|_| damaged())?;
        buffer.truncate(len);
        // The last block of each side to move is shorter than the others.
        let before = block % (self.blocks / 2) * BLOCK;
        if len != BLOCK.min(self.entries - before) {
            return Err(damaged());
        }
        Ok(())
    }

    /// The whole table.
    pub(crate) fn flat(&self, layout: Layout) -> Result<Flat, TableError> {
        let half = self.blocks / 2;
        let mut entries = [(); 2].map(|()| vec![code::DRAW; layout.entries()]);
        for (side, entries) in entries.iter_mut().enumerate() {
            entries.par_chunks_mut(BLOCK).enumerate().try_for_each_init(
                Vec::new,
                |buffer, (block, entries)| {
                    self.decode(side * half + block, buffer)?;
                    entries.copy_from_slice(buffer);
                    Ok(())
                },
            )?;
        }
        Ok(Flat { layout, entries })
    }

    /// Says that a block is not what it was.
    pub(crate) fn damaged(&self, block: usize) -> TableError {
        TableError::Damaged { path: self.path.clone(), part: format!("block {block}") }
    }

    /// Where so many blocks end in the file; beyond every file if the number is too large for one.
    fn end(&self, blocks: usize) -> usize {
        match blocks {
            0 => self.start,
            blocks => {
                let at = HEADER + (blocks - 1) * INDEX_ENTRY;
                let end = self.map[at..at + 8].try_into().expect("eight bytes");
                self.start.saturating_add(u64::from_le_bytes(end) as usize)
            }
        }
    }
}

fn checksum<const N: usize>(bytes: &[u8]) -> [u8; N] {
    let mut sum = [0; N];
    sum.copy_from_slice(&blake3::hash(bytes).as_bytes()[..N]);
    sum
}
