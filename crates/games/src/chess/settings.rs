//! The settings that players of chess have of their own.

use crate::leaf;
use crate::tables::{PIECES, TABLES, TABLES_ROOT, TREE_ORACLE};
use monteverde_knowledge::chess::ChessKnowledge;
use monteverde_players::Settings;
use monteverde_players::setting::Setting;

pub(super) const TABLE: &[Setting<Settings>] =
    &[leaf!(ChessKnowledge), TABLES, PIECES, TABLES_ROOT, TREE_ORACLE];
