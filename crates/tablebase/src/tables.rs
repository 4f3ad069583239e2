//! All tables of a folder, and how a position is looked up in them.

use crate::error::TableError;
use crate::file::EXTENSION;
use crate::layout::{MOST_MEN, Man};
use crate::table::{Cache, Table};
use crate::{Material, code, create, history};
use monteverde_chess::{Board, Chess, Color};
use monteverde_game::{Oracle, Proof};
use std::cmp::Reverse;
use std::fmt;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Endgame tables: what is certain about positions with few pieces.
///
/// Distances are plies to mate with best play on both sides, the winner hurrying and the loser
/// delaying. The fifty-move rule and repetitions are not part of a table: a mate that takes longer
/// than the rule allows is still called a win. What is certain in a game is what
/// [`Oracle::prove`] says, see [`history`].
///
/// Probing takes no lock as long as the decoded blocks fit into the memory set aside for them.
pub struct Tables {
    tables: Vec<Table>,
    slots: Slots,
    /// The pieces of the largest table.
    pieces: u32,
}

impl Tables {
    /// How much memory decoded blocks may take unless [`Tables::open_within`] says otherwise: all
    /// tables of four pieces fit.
    pub const MEMORY: usize = 512 << 20;

    /// Opens every table in the folder. Blocks are read and decoded when they are first needed.
    pub fn open(dir: &Path) -> Result<Tables, TableError> {
        Tables::open_within(dir, Tables::MEMORY)
    }

    /// The same with so many bytes of memory for decoded blocks.
    pub fn open_within(dir: &Path, memory: usize) -> Result<Tables, TableError> {
        let materials = stored(dir)?;
        if materials.is_empty() {
            return Err(TableError::NoTables { path: dir.to_owned() });
        }
        let cache = Arc::new(Cache::new(memory));
        let open = |(number, material)| Table::open(dir, material, &cache, number);
        let tables: Result<Vec<_>, _> = materials.into_iter().enumerate().map(open).collect();
        Ok(Tables::new(tables?))
    }

    /// All tables of three pieces: from the folder if they are there, else built, which takes some
    /// hundredths of a second, and stored there. Where that cannot be done they stay in memory, so
    /// this never fails.
    pub fn three_pieces(cache_dir: Option<&Path>) -> Tables {
        const PIECES: usize = 3;
        let wanted = Material::all(PIECES);
        let open = |dir: &Path| {
            let cache = Arc::new(Cache::new(Tables::MEMORY));
            let tables: Result<Vec<_>, _> = wanted
                .iter()
                .enumerate()
                .map(|(number, &material)| Table::open(dir, material, &cache, number))
                .collect();
            tables.ok().map(Tables::new).filter(|tables| tables.check().is_ok())
        };
        if let Some(found) = cache_dir.and_then(open) {
            return found;
        }
        let flats = create::in_memory(PIECES);
        if let Some(dir) = cache_dir {
            // The next start is a little slower where this fails, and nothing else happens.
            let _ = create::store(dir, &flats);
        }
        Tables::new(flats.into_iter().map(Table::from).collect())
    }

    /// The user's folder for [`Tables::three_pieces`]: `monteverde/tablebase` in `XDG_CACHE_HOME`,
    /// or in `.cache` in the home folder; `None` if neither is known.
    pub fn cache_dir() -> Option<PathBuf> {
        let set =
            |name| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
        let base = set("XDG_CACHE_HOME").or_else(|| Some(set("HOME")?.join(".cache")));
        Some(base?.join("monteverde").join("tablebase"))
    }

    /// What is certain about the position, for the side to move; [`Proof::Open`] where the tables
    /// do not know: with castling rights, too many pieces, without the table, or if the table turns
    /// out to be damaged.
    #[inline]
    pub fn probe(&self, board: &Board) -> Proof {
        self.try_probe(board).unwrap_or(Proof::Open)
    }

    /// The same, but says so if a table turns out to be damaged.
    #[inline]
    pub fn try_probe(&self, board: &Board) -> Result<Proof, TableError> {
        if board.occupied().count() > self.pieces || !board.castling_rooks().is_empty() {
            return Ok(Proof::Open);
        }
        if board.en_passant().is_some() {
            return self.probe_en_passant(board);
        }
        self.look_up(board)
    }

    /// The materials of the tables, those with fewer pieces first.
    pub fn materials(&self) -> impl Iterator<Item = Material> {
        self.tables.iter().map(|table| table.layout.material)
    }

    /// How many bytes a table takes, on disk or in memory; 0 if it is not there.
    pub fn bytes(&self, material: Material) -> usize {
        self.table(material).map_or(0, Table::bytes)
    }

    /// What tells apart the tables of files with so many pieces: which there are, and what they
    /// contain. `None` where there are none.
    pub fn digest(&self, pieces: RangeInclusive<usize>) -> Option<String> {
        let mut hasher = blake3::Hasher::new();
        for table in &self.tables {
            let material = table.layout.material;
            let checksum = table.checksum().filter(|_| pieces.contains(&material.pieces()));
            if let Some(checksum) = checksum {
                hasher.update(material.to_string().as_bytes());
                hasher.update(checksum);
            }
        }
        (hasher.count() > 0).then(|| hasher.finalize().to_hex()[..32].to_owned())
    }

    /// Reads every block of every table and compares it with its checksum.
    pub fn check(&self) -> Result<(), TableError> {
        self.tables.iter().try_for_each(Table::check)
    }

    pub(crate) fn table(&self, material: Material) -> Option<&Table> {
        self.tables.iter().find(|table| table.layout.material == material)
    }

    fn new(mut tables: Vec<Table>) -> Tables {
        let key = |table: &Table| (table.layout.material.pieces(), Reverse(table.layout.material));
        tables.sort_by_key(key);
        let slots = Slots::new(&tables);
        let pieces = tables.iter().map(|table| table.layout.material.pieces() as u32).max();
        Tables { tables, slots, pieces: pieces.unwrap_or(0) }
    }

    #[inline]
    fn look_up(&self, board: &Board) -> Result<Proof, TableError> {
        let Some((table, is_flipped)) = self.slots.find(Material::code_of(board)) else {
            let is_dead = board.is_insufficient_material();
            return Ok(if is_dead { Proof::Draw } else { Proof::Open });
        };
        let table = &self.tables[table];
        // Where the colours are exchanged the board is turned upside down with them.
        let turned = if is_flipped { 56 } else { 0 };
        let color = |color: Color| if is_flipped { color.other() } else { color };
        let at = |square: monteverde_chess::Square| square.index() as u8 ^ turned;
        let kings = Color::ALL.map(|side| at(board.king(color(side))));
        let mut squares = [0; MOST_MEN];
        let mut left = board.occupied().0;
        for (place, &Man { color: side, piece }) in squares.iter_mut().zip(table.layout.men()) {
            let square = (board.pieces(piece) & board.color(color(side))).0 & left;
            // The next one of equal men is not the same one again.
            left &= !(square & square.wrapping_neg());
            *place = square.trailing_zeros() as u8 & 63 ^ turned;
        }
        Ok(code::proof(table.get(color(board.turn()), kings, &squares)?))
    }

    /// The tables know nothing of a capture en passant, so it is compared with what they say; and
    /// where it is the only move, what they say is about a position without moves.
    #[cold]
    fn probe_en_passant(&self, board: &Board) -> Result<Proof, TableError> {
        let mut captures = Vec::new();
        let mut has_others = false;
        board.for_each_move(|mv| match mv.is_en_passant() {
            true => captures.push(mv),
            false => has_others = true,
        });
        let mut best = if has_others { Some(self.look_up(board)?) } else { None };
        for mv in captures {
            let mut next = *board;
            next.play(mv);
            let found = self.look_up(&next)?.before();
            best = Some(best.map_or(found, |best| better(best, found)));
        }
        Ok(best.unwrap_or(Proof::Open))
    }
}

impl Oracle<Chess> for Tables {
    fn probe(&self, state: &Chess) -> Proof {
        Tables::probe(self, state.board())
    }

    fn prove(&self, state: &Chess) -> Proof {
        history::certain(state, |board| Tables::probe(self, board))
    }
}

impl fmt::Debug for Tables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.materials()).finish()
    }
}

/// The better of two proofs for the side to move; nothing is known if either is open.
fn better(a: Proof, b: Proof) -> Proof {
    match (code::of(a), code::of(b)) {
        (Some(a), Some(b)) => code::proof(code::better(a, b)),
        _ => Proof::Open,
    }
}

/// The materials that have a table in a folder, those with fewer pieces first.
pub(crate) fn stored(dir: &Path) -> Result<Vec<Material>, TableError> {
    if !dir.is_dir() {
        return Err(TableError::NoFolder { path: dir.to_owned() });
    }
    let list = || TableError::io(dir, "list it");
    let mut found = Vec::new();
    for entry in dir.read_dir().map_err(list())? {
        let path = entry.map_err(list())?.path();
        if path.extension().is_some_and(|extension| extension == EXTENSION) {
            let name = path.file_stem().and_then(|stem| stem.to_str());
            let material = name.and_then(|name| name.parse::<Material>().ok());
            match material.filter(|material| Some(material.to_string().as_str()) == name) {
                Some(material) => found.push(material),
                None => return Err(TableError::NotATable { path }),
            }
        }
    }
    found.sort_by(|a, b| (a.pieces(), b).cmp(&(b.pieces(), a)));
    Ok(found)
}

/// Finds a table by the code of a material, in either colour: a hash table with open addressing.
struct Slots(Box<[Slot; Slots::SIZE]>);

#[derive(Clone, Copy)]
struct Slot {
    code: u32,
    table: u16,
    is_flipped: bool,
}

impl Slots {
    /// A power of two, three times the tables of up to five pieces in both colours.
    const SIZE: usize = 1024;
    /// More than any code.
    const FREE: Slot = Slot { code: u32::MAX, table: 0, is_flipped: false };

    fn new(tables: &[Table]) -> Slots {
        let mut slots = Slots(Box::new([Slots::FREE; Slots::SIZE]));
        for (number, table) in tables.iter().enumerate() {
            let material = table.layout.material;
            for (material, is_flipped) in [(material, false), (material.flipped(), true)] {
                let code = material.code();
                if slots.find(code).is_none() {
                    let mut at = Slots::hash(code);
                    while slots.0[at].code != Slots::FREE.code {
                        at = (at + 1) % Slots::SIZE;
                    }
                    slots.0[at] = Slot { code, table: number as u16, is_flipped };
                }
            }
        }
        slots
    }

    #[inline(always)]
    fn find(&self, code: u32) -> Option<(usize, bool)> {
        let mut at = Slots::hash(code);
        loop {
            let slot = self.0[at];
            if slot.code == code {
                return Some((usize::from(slot.table), slot.is_flipped));
            }
            if slot.code == Slots::FREE.code {
                return None;
            }
            at = (at + 1) % Slots::SIZE;
        }
    }

    /// By multiplication with the golden ratio's bits.
    #[inline(always)]
    fn hash(code: u32) -> usize {
        (code.wrapping_mul(0x9e37_79b9) >> 22) as usize % Slots::SIZE
    }
}
