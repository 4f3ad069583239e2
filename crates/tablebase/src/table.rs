//! One table, ready to be asked: in memory as a whole, or in a file whose blocks are decoded as they are needed.

use crate::Material;
use crate::error::TableError;
use crate::file::{self, BLOCK, Packed};
use crate::flat::Flat;
use crate::layout::{Layout, Squares};
use monteverde_chess::Color;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

/// A table.
pub(crate) struct Table {
    pub(crate) layout: Layout,
    source: Source,
}

enum Source {
    Memory([Vec<u8>; 2]),
    File { packed: Packed, blocks: Box<[OnceLock<Box<[u8]>>]>, cache: Arc<Cache>, number: usize },
}

impl Table {
    /// The table of a material in a folder, to be given a number of its own among those of a cache.
    pub(crate) fn open(
        dir: &Path,
        material: Material,
        cache: &Arc<Cache>,
        number: usize,
    ) -> Result<Table, TableError> {
        let layout = Layout::new(material);
        let packed = Packed::open(&file::path(dir, material), &layout)?;
        let blocks = (0..packed.blocks()).map(|_| OnceLock::new()).collect();
        let source = Source::File { packed, blocks, cache: Arc::clone(cache), number };
        Ok(Table { layout, source })
    }

    /// How many bytes it takes, on disk or in memory.
    pub(crate) fn bytes(&self) -> usize {
        match &self.source {
            Source::Memory(entries) => entries.iter().map(Vec::len).sum(),
            Source::File { packed, .. } => packed.bytes(),
        }
    }

    /// Reads every block and compares it with its checksum.
    pub(crate) fn check(&self) -> Result<(), TableError> {
        let Source::File { packed, .. } = &self.source else { return Ok(()) };
        let mut buffer = Vec::new();
        (0..packed.blocks()).try_for_each(|block| packed.decode(block, &mut buffer))
    }

    /// The entry of a position, whose men are in the order of the layout.
    #[inline(always)]
    pub(crate) fn get(
        &self,
        turn: Color,
        kings: [u8; 2],
        squares: &Squares,
    ) -> Result<u8, TableError> {
        let index = self.layout.index(kings, squares).expect("kings never touch");
        self.at(turn, index)
    }

    /// The entry at an index.
    #[inline(always)]
    pub(crate) fn at(&self, turn: Color, index: usize) -> Result<u8, TableError> {
        match &self.source {
            Source::Memory(entries) => Ok(entries[turn.index()][index]),
            Source::File { blocks, .. } => {
                let block = turn.index() * (blocks.len() / 2) + index / BLOCK;
                match blocks[block].get() {
                    Some(decoded) => Ok(decoded[index % BLOCK]),
                    None => self.at_undecoded(block, index % BLOCK),
                }
            }
        }
    }

    /// Decodes the block, and keeps it for as long as memory allows.
    #[cold]
    #[inline(never)]
    fn at_undecoded(&self, block: usize, offset: usize) -> Result<u8, TableError> {
        let Source::File { packed, blocks, cache, number } = &self.source else {
            unreachable!("what is in memory is decoded")
        };
        let read = |decoded: &[u8]| decoded.get(offset).copied();
        let entry = if cache.claim(BLOCK) {
            let mut decoded = Vec::new();
            packed.decode(block, &mut decoded)?;
            // Another thread may have been faster, with the same block.
            read(blocks[block].get_or_init(|| decoded.into_boxed_slice()))
        } else {
            let mut spare = cache.spare(*number, block);
            if spare.holds != Some((*number, block)) {
                spare.holds = None;
                packed.decode(block, &mut spare.decoded)?;
                spare.holds = Some((*number, block));
            }
            read(&spare.decoded)
        };
        entry.ok_or_else(|| packed.damaged(block))
    }
}

impl From<Flat> for Table {
    fn from(flat: Flat) -> Table {
        Table { layout: flat.layout, source: Source::Memory(flat.entries) }
    }
}

/// The memory that decoded blocks of several tables share. Blocks that fit into it stay; once it is full, others
/// pass through a fixed number of spare places.
pub(crate) struct Cache {
    left: AtomicUsize,
    spares: Vec<Mutex<Spare>>,
}

#[derive(Default)]
struct Spare {
    /// The table's number and the block.
    holds: Option<(usize, usize)>,
    decoded: Vec<u8>,
}

impl Cache {
    /// Spare places; 32 MiB of blocks.
    const SPARES: usize = 2048;

    pub(crate) fn new(bytes: usize) -> Cache {
        let spares = (0..Cache::SPARES).map(|_| Mutex::default()).collect();
        Cache { left: AtomicUsize::new(bytes), spares }
    }

    fn claim(&self, bytes: usize) -> bool {
        let take = |left: usize| left.checked_sub(bytes);
        self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take).is_ok()
    }

    fn spare(&self, table: usize, block: usize) -> std::sync::MutexGuard<'_, Spare> {
        let place = (table * 7919 + block) % self.spares.len();
        // A place whose last user panicked says what it holds only once that is decoded.
        self.spares[place].lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}
