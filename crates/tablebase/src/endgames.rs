//! Which tables a player asks: a choice as plain data, and what it opens.

use crate::error::TableError;
use crate::syzygy::{Syzygy, Wdl};
use crate::tables::Tables;
use monteverde_chess::{Board, Chess};
use monteverde_game::{Oracle, Proof};
use std::path::PathBuf;

/// Where tables with the distance to mate come from.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum TableSource {
    /// There are none.
    #[default]
    None,
    /// Those of three pieces, which need no files; see [`Tables::three_pieces`].
    ThreePieces,
    /// Those of a folder.
    Folder(PathBuf),
}

/// Which tables a player asks. The default is none at all.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct EndgameChoice {
    /// Those with the distance to mate.
    pub tables: TableSource,
    /// A folder of Syzygy files beside them, for win, draw and loss where the tables do not know.
    pub syzygy: Option<PathBuf>,
}

impl EndgameChoice {
    /// Opens what is chosen.
    pub fn open(&self) -> Result<Endgames, TableError> {
        let tables = match &self.tables {
            TableSource::None => None,
            TableSource::ThreePieces => Some(Tables::three_pieces(Tables::cache_dir().as_deref())),
            TableSource::Folder(dir) => Some(Tables::open(dir)?),
        };
        let syzygy = self.syzygy.as_deref().map(Syzygy::open).transpose()?;
        Ok(Endgames { tables, syzygy })
    }
}

/// The tables that a player asks. As an [`Oracle`] it gives proofs with their distance, from its
/// own tables alone.
#[derive(Debug, Default)]
pub struct Endgames {
    /// Those with the distance to mate.
    pub tables: Option<Tables>,
    /// Win, draw and loss.
    pub syzygy: Option<Syzygy>,
}

impl Endgames {
    /// Win, draw or loss for the side to move, from whichever table knows; `None` if none does.
    pub fn wdl(&self, board: &Board) -> Option<Wdl> {
        let proof = self.tables.as_ref().map_or(Proof::Open, |tables| tables.probe(board));
        Wdl::of(proof).or_else(|| self.syzygy.as_ref()?.wdl(board))
    }
}

impl Oracle<Chess> for Endgames {
    fn probe(&self, state: &Chess) -> Proof {
        self.tables.as_ref().map_or(Proof::Open, |tables| tables.probe(state.board()))
    }

    fn prove(&self, state: &Chess) -> Proof {
        self.tables.as_ref().map_or(Proof::Open, |tables| tables.prove(state))
    }
}
