//! The Python package `monteverde`: states, players and searches, the lab, and games that are
//! written in Python, over the layer that knows no game by type.
//!
//! Each file holds a class or a few functions of the module `monteverde._monteverde`; what is
//! easier said in Python stands in `python/monteverde`. Long work releases the interpreter, and
//! looks after Ctrl-C from the thread that called it.

mod codes;
mod convert;
mod features;
mod game;
mod lab;
mod limit;
mod line;
mod network;
mod own;
mod perft;
mod player;
mod record;
mod registry;
mod result;
mod search;
mod session;
mod state;
mod store;
mod training;
mod tree;

use monteverde_lab::behaviour::{self, Tree};
use pyo3::prelude::*;

/// The part of the package that is written in Rust.
#[pymodule]
mod _monteverde {
    #[pymodule_export]
    use crate::features::features;
    #[pymodule_export]
    use crate::game::{Game, game, games};
    #[pymodule_export]
    use crate::lab::{contest, read_toml, sweep};
    #[pymodule_export]
    use crate::network::{Network, network, restore_network};
    #[pymodule_export]
    use crate::own::{conformance, register};
    #[pymodule_export]
    use crate::player::{Player, player};
    #[pymodule_export]
    use crate::record::Record;
    #[pymodule_export]
    use crate::result::{SearchResult, restore_result};
    #[pymodule_export]
    use crate::session::Session;
    #[pymodule_export]
    use crate::state::{State, restore_state};
    #[pymodule_export]
    use crate::store::{Store, loaded_from};
    #[pymodule_export]
    use crate::training::{Batches, DataSet, checksum};
    #[pymodule_export]
    use crate::tree::Node;
    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        super::say_tree();
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}

/// Says whether the recorded signature is that of these sources.
fn say_tree() {
    behaviour::built_from(match env!("MONTEVERDE_TREE") {
        "changed" => Tree::Changed,
        _ => Tree::Committed,
    });
}
