//! The settings of players that ask endgame tables, whatever their game.

use monteverde_mcts::playout::Tables;
use monteverde_mcts::solver::InTree;
use monteverde_players::setting::Setting;
use monteverde_players::{Settings, field, switch};

type S = Setting<Settings>;

/// The most pieces of a table that can be built.
const MOST_PIECES: u64 = monteverde_tablebase::MOST_PIECES as u64;

pub(crate) const TABLES: S =
    S::flag("tables", switch!(config.playout.tables: Tables::Probe, Tables::Ignore))
        .after("tsq-k")
        .means("A playout ends where the endgame tables know the result.");

pub(crate) const PIECES: S =
    S::whole("pieces", 3..=MOST_PIECES, field!(pieces)).after("tsq-k").means(
        "The endgame tables are asked about states with at most so many pieces, kings included.",
    );

pub(crate) const TABLES_ROOT: S =
    S::whole("tables-root", 0..=32, field!(tables_root)).after("tsq-k").means(
        "Playouts ignore the endgame tables while the root has fewer pieces than this; the thesis \
         takes 8, so that tables are measured by what they do for playouts.",
    );

pub(crate) const TREE_ORACLE: S =
    S::flag("tree-oracle", switch!(config.solver?.oracle: InTree::Asked, InTree::Ignored))
        .after("leaf-check")
        .needs("solver=wins")
        .means("New leaves are asked of the endgame tables, where the player has them.");

/// What is missing of the endgame tables that the player asks, as a sentence about it; `missing`
/// says what is of those of up to so many pieces.
pub(crate) fn note(settings: &Settings, missing: fn(u32) -> Option<String>) -> Option<String> {
    let missing = if settings.asks_tables() { missing(settings.pieces) } else { None };
    missing.map(|missing| format!("it does without some endgame tables: {missing}"))
}
