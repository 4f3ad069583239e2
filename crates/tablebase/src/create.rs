//! Building the tables of a folder, one after another.

use crate::error::TableError;
use crate::file::{self, Packed};
use crate::flat::Flat;
use crate::layout::Layout;
use crate::{Material, build, tables};
use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How the building of tables goes.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// The table at hand.
    pub material: Material,
    /// How many plies from mate it has come.
    pub ply: u32,
    /// How many entries the finished tables have.
    pub done: u64,
    /// How many entries all tables to be built have.
    pub total: u64,
}

/// A table that was built.
#[derive(Clone, Copy, Debug)]
pub struct Built {
    /// The table.
    pub material: Material,
    /// The length of its file in bytes.
    pub bytes: u64,
    /// How long it took, its file included.
    pub time: Duration,
}

/// The tables that are to be built in the folder to have the wanted ones, in that order: what
/// captures and promotions lead to comes first, and what is there already is left out, unless it is
/// [`damaged`]. The folder need not exist.
pub fn plan(dir: &Path, wanted: &[Material]) -> Result<Vec<Material>, TableError> {
    let stored = if dir.exists() { tables::stored(dir)? } else { Vec::new() };
    let mut order = Vec::new();
    for &material in wanted {
        add(material, &mut order);
    }
    let damaged = damaged(dir, &order)?;
    order.retain(|material| !stored.contains(material) || damaged.contains(material));
    Ok(order)
}

/// Those of the tables whose files are there and cannot be opened: cut short, of another version,
/// or with a damaged head. Blocks are not read. A file that the system does not let us open is an
/// error.
pub fn damaged(dir: &Path, materials: &[Material]) -> Result<Vec<Material>, TableError> {
    let mut damaged = Vec::new();
    for &material in materials {
        let path = file::path(dir, material);
        if path.exists() {
            match Packed::open(&path, &Layout::new(material)) {
                Ok(_) => {}
                Err(error @ TableError::Io { .. }) => return Err(error),
                Err(_) => damaged.push(material),
            }
        }
    }
    Ok(damaged)
}

/// Appends what the material leads to, then the material itself, unless they are there.
fn add(material: Material, order: &mut Vec<Material>) {
    if order.contains(&material) {
        return;
    }
    for next in material.successors() {
        add(next, order);
    }
    order.push(material);
}

/// Builds tables in the order of a [`plan`], on so many threads, and stores each as soon as it is
/// done. `on_progress` hears of every ply, and of every table when it is stored.
///
/// # Panics
/// If there are no threads.
pub fn build_tables(
    dir: &Path,
    plan: &[Material],
    threads: usize,
    mut on_progress: impl FnMut(Progress) + Send,
    mut on_built: impl FnMut(Built) + Send,
) -> Result<(), TableError> {
    assert!(threads > 0, "at least one thread is needed");
    std::fs::create_dir_all(dir).map_err(TableError::io(dir, "make the folder"))?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.map_err(|error| TableError::Threads { threads, reason: error.to_string() })?;
    let entries = |material: Material| 2 * Layout::new(material).entries() as u64;
    let total = plan.iter().map(|&material| entries(material)).sum();
    let mut done = 0;
    let mut built = TableSet { dir, kept: HashMap::new() };
    pool.install(|| {
        for &material in plan {
            let start = Instant::now();
            let at_ply = |ply| on_progress(Progress { material, ply, done, total });
            let flat = build::build(material, |material| built.take(material), at_ply)?;
            let bytes = file::write(dir, &flat)?;
            built.keep(flat);
            done += entries(material);
            on_built(Built { material, bytes, time: start.elapsed() });
        }
        Ok(())
    })
}

/// Tables in memory, for the building of others.
struct TableSet<'a> {
    dir: &'a Path,
    kept: HashMap<Material, Arc<Flat>>,
}

impl TableSet<'_> {
    /// Larger tables than this are read again whenever they are needed: kept together they would
    /// not fit into memory.
    const KEPT_PIECES: usize = 4;

    fn take(&mut self, material: Material) -> Result<Arc<Flat>, TableError> {
        // What is given out and not kept may still be in use for another move into the same table.
        if let Some(flat) = self.kept.get(&material) {
            return Ok(Arc::clone(flat));
        }
        let layout = Layout::new(material);
        let path = file::path(self.dir, material);
        if !path.exists() {
            return Err(TableError::Missing(material));
        }
        let flat = Packed::open(&path, &layout)?.flat(layout)?;
        let flat = Arc::new(flat);
        self.kept.insert(material, Arc::clone(&flat));
        Ok(flat)
    }

    /// Keeps a table that has been built, if it is small, and lets go of those that are not.
    fn keep(&mut self, flat: Flat) {
        self.kept.insert(flat.layout.material, Arc::new(flat));
        self.kept.retain(|material, _| material.pieces() <= TableSet::KEPT_PIECES);
    }
}

/// Stores tables that are in memory.
pub(crate) fn store(dir: &Path, flats: &[Flat]) -> Result<(), TableError> {
    std::fs::create_dir_all(dir).map_err(TableError::io(dir, "make the folder"))?;
    flats.iter().try_for_each(|flat| file::write(dir, flat).map(|_| ()))
}

/// Builds all tables of up to so many pieces in memory.
pub(crate) fn in_memory(pieces: usize) -> Vec<Flat> {
    let mut kept: HashMap<Material, Arc<Flat>> = HashMap::new();
    let mut order = Vec::new();
    for material in (3..=pieces).flat_map(Material::all) {
        add(material, &mut order);
    }
    for &material in &order {
        let take = |next| kept.get(&next).cloned().ok_or(TableError::Missing(next));
        let flat = build::build(material, take, |_| ());
        kept.insert(
            material,
            Arc::new(flat.expect("the order has every table before it is needed")),
        );
    }
    kept.into_values().filter_map(Arc::into_inner).collect()
}
