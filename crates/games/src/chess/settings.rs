//! The settings that players of chess have of their own.

use super::NETWORK;
use super::study::Rules;
use crate::leaf;
use crate::network::{EVAL_MEANING, MEANING, NETWORK_CAPTURES, NETWORK_PRIOR, network};
use crate::tables::{PIECES, TABLES, TABLES_ROOT, TREE_ORACLE};
use monteverde_chess::Chess;
use monteverde_knowledge::chess::{ChessFeatures, ChessKnowledge};
use monteverde_mcts::playout::Repetition;
use monteverde_players::setting::Setting;
use monteverde_players::{AlphaBeta, Settings, words};

/// What players of chess have of their own.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct OwnChess {
    /// What they know.
    pub(super) knowledge: ChessKnowledge,
    /// By whose rules they search.
    pub(super) rules: Rules,
}

pub(super) const TABLE: &[Setting<Settings>] = &[
    REPETITION,
    leaf!(OwnChess: knowledge.leaf),
    TABLES,
    PIECES,
    TABLES_ROOT,
    RULES,
    TREE_ORACLE,
    network!(Settings, Chess: ChessFeatures, Some(&NETWORK)).after("tsq-k").means(MEANING),
    NETWORK_CAPTURES,
    NETWORK_PRIOR,
];

/// What players that search by alpha-beta have.
pub(super) const ALPHA_BETA: &[Setting<AlphaBeta>] =
    &[network!(AlphaBeta, Chess: ChessFeatures, Some(&NETWORK)).after("eval").means(EVAL_MEANING)];

const REPETITION: Setting<Settings> = Setting::<Settings>::word(
    "repetition",
    words!(config.playout.repetition {
        "ignored" => Repetition::ByGame,
        "first" => Repetition::First,
    }),
)
.after("most-plies")
.means(
    "What playouts make of a position that has occurred before: nothing (ignored), or a draw (first), as engines \
     have it in their search. The thesis of Monte Carlo Chess does not say which it had.",
);

const RULES: Setting<Settings> = Setting::<Settings>::word(
    "rules",
    words!(OwnChess: rules { "chess" => Rules::Chess, "study" => Rules::Study }),
)
.after("tsq-k")
.means(
    "By whose rules games and playouts against a lone king end: those of chess, or those of the king-and-rook \
     study's program (study), in which all but a mate within a hundred plies is lost, an officer that can be \
     taken included.",
);
