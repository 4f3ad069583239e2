//! One table, ready to be asked: in memory as a whole, or in a file whose blocks are decoded as
//! they are needed.

use crate::Material;
use crate::error::TableError;
use crate::file::{self, BLOCK, Packed};
use crate::flat::Flat;
use crate::layout::{Layout, Squares};
use crate::pages::{PAGE, Pages};
use monteverde_chess::Color;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

/// A table.
pub(crate) struct Table {
    pub(crate) layout: Layout,
    source: Source,
}

enum Source {
    Memory([Vec<u8>; 2]),
    File(Box<Mapped>),
}

/// A table in a file. What is decoded lies where it lies in the table, so that a probe misses the
/// processor's caches once; pages that nothing was decoded into take no memory.
struct Mapped {
    packed: Packed,
    decoded: OnceLock<Option<Pages>>,
    /// By block.
    is_decoded: Box<[AtomicBool]>,
    /// By large page, whether memory has been set aside for it.
    is_claimed: Box<[AtomicBool]>,
    cache: Arc<Cache>,
    number: usize,
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
        let flags = |count| (0..count).map(|_| AtomicBool::new(false)).collect();
        let source = Source::File(Box::new(Mapped {
            decoded: OnceLock::new(),
            is_decoded: flags(packed.blocks()),
            is_claimed: flags((packed.blocks() * BLOCK).div_ceil(PAGE)),
            packed,
            cache: Arc::clone(cache),
            number,
        }));
        Ok(Table { layout, source })
    }

    /// How many bytes it takes, on disk or in memory.
    pub(crate) fn bytes(&self) -> usize {
        match &self.source {
            Source::Memory(entries) => entries.iter().map(Vec::len).sum(),
            Source::File(mapped) => mapped.packed.bytes(),
        }
    }

    /// What tells its contents apart from others; `None` for one that is in memory alone.
    pub(crate) fn checksum(&self) -> Option<&[u8]> {
        match &self.source {
            Source::Memory(_) => None,
            Source::File(mapped) => Some(mapped.packed.checksum()),
        }
    }

    /// Reads every block and compares it with its checksum.
    pub(crate) fn check(&self) -> Result<(), TableError> {
        let Source::File(mapped) = &self.source else { return Ok(()) };
        let packed = &mapped.packed;
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
            Source::File(mapped) => mapped.at(turn, index),
        }
    }
}

impl Mapped {
    #[inline(always)]
    fn at(&self, turn: Color, index: usize) -> Result<u8, TableError> {
        // Each side to move has blocks of its own, the last one of which may be shorter.
        let at = turn.index() * (self.is_decoded.len() / 2) * BLOCK + index;
        if self.is_decoded[at / BLOCK].load(Ordering::Acquire)
            && let Some(Some(decoded)) = self.decoded.get()
        {
            return Ok(decoded.bytes()[at].load(Ordering::Relaxed));
        }
        self.decode(at / BLOCK, at % BLOCK)
    }

    /// Decodes the block, and keeps it for as long as memory allows.
    #[cold]
    #[inline(never)]
    fn decode(&self, block: usize, offset: usize) -> Result<u8, TableError> {
        let Mapped { packed, cache, number, .. } = self;
        let entry = if let Some(decoded) = self.claim(block * BLOCK / PAGE) {
            let mut buffer = Vec::new();
            packed.decode(block, &mut buffer)?;
            let place = &decoded.bytes()[block * BLOCK..][..buffer.len()];
            // Another thread may be doing the same, with the same entries.
            for (place, &entry) in place.iter().zip(&buffer) {
                place.store(entry, Ordering::Relaxed);
            }
            self.is_decoded[block].store(true, Ordering::Release);
            buffer.get(offset).copied()
        } else {
            let mut spare = cache.spare(*number, block);
            if spare.holds != Some((*number, block)) {
                spare.holds = None;
                packed.decode(block, &mut spare.decoded)?;
                spare.holds = Some((*number, block));
            }
            spare.decoded.get(offset).copied()
        };
        entry.ok_or_else(|| packed.damaged(block))
    }

    /// The memory to decode into, if there is some left for that page of it.
    fn claim(&self, page: usize) -> Option<&Pages> {
        let pages = || Pages::new(self.is_decoded.len() * BLOCK);
        let decoded = self.decoded.get_or_init(pages).as_ref()?;
        if self.is_claimed[page].load(Ordering::Relaxed) {
            return Some(decoded);
        }
        if !self.cache.claim(PAGE) {
            return None;
        }
        if self.is_claimed[page].swap(true, Ordering::Relaxed) {
            // Another thread was faster.
            self.cache.give_back(PAGE);
        }
        Some(decoded)
    }
}

impl From<Flat> for Table {
    fn from(flat: Flat) -> Table {
        Table { layout: flat.layout, source: Source::Memory(flat.entries) }
    }
}

/// The memory that decoded blocks of several tables share. Blocks that fit into it stay; once it is
/// full, others pass through a fixed number of spare places.
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
        self.left.try_update(Ordering::Relaxed, Ordering::Relaxed, take).is_ok()
    }

    fn give_back(&self, bytes: usize) {
        self.left.fetch_add(bytes, Ordering::Relaxed);
    }

    fn spare(&self, table: usize, block: usize) -> std::sync::MutexGuard<'_, Spare> {
        let place = (table * 7919 + block) % self.spares.len();
        // A place whose last user panicked says what it holds only once that is decoded.
        self.spares[place].lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}
