//! The settings that players of Chinese dark chess have of their own.

use super::NETWORK;
use crate::network::{MEANING, NETWORK_PRIOR, network};
use crate::tables::{PIECES, TABLES, TABLES_ROOT, TREE_ORACLE};
use monteverde_banqi::{Banqi, Weights};
use monteverde_knowledge::banqi::{BanqiFeatures, BanqiKnowledge, CURB, FLIP, MoveEval};
use monteverde_mcts::{Bias, Count};
use monteverde_players::setting::{Setting, Switch, by};
use monteverde_players::{Settings, field};
use std::mem::discriminant;

/// c_p and the count of paper 004, section 4.1.4.
pub(super) const BIAS: Bias = Bias { weight: 0.1, count: Count::RootVisits };

type S = Setting<Settings>;

pub(super) const TABLE: &[S] = &[
    S::flag(
        "pb",
        by(
            |settings| Some(matches!(moves(settings), Some(MoveEval::Captures)).into()),
            |settings, switch| set(settings, switch, MoveEval::Captures),
        ),
    )
    .after("temperature")
    .means("Progressive bias of Chinese dark chess by captures, escapes and suicides: bias=0.1, bias-count=sqrt-n."),
    S::flag(
        "pb-curb",
        by(
            |settings| Some(matches!(moves(settings), Some(MoveEval::Curbs { .. })).into()),
            |settings, switch| set(settings, switch, MoveEval::Curbs { curb: CURB }),
        ),
    )
    .after("temperature")
    .means("The same by curbs too: moves that put a piece diagonally beside an enemy that it takes."),
    S::flag(
        "pb-curb-flip",
        by(
            |settings| Some(matches!(moves(settings), Some(MoveEval::Flips { .. })).into()),
            |settings, switch| set(settings, switch, MoveEval::Flips { curb: CURB, flip: FLIP }),
        ),
    )
    .after("temperature")
    .means("The same by curbs and by what a flip may show."),
    S::real(
        "curb",
        0.0..=100.0,
        by(
            |settings| match moves(settings)? {
                MoveEval::Captures => None,
                MoveEval::Curbs { curb } | MoveEval::Flips { curb, .. } => Some(curb),
            },
            |settings, part| match &mut settings.own_mut::<BanqiKnowledge>().moves {
                Some(MoveEval::Curbs { curb } | MoveEval::Flips { curb, .. }) => *curb = part,
                Some(MoveEval::Captures) | None => {}
            },
        ),
    )
    .after("temperature")
    .needs("pb-curb")
    .means("What part of a curbed piece's weight counts."),
    S::real(
        "flip",
        0.0..=100.0,
        by(
            |settings| match moves(settings)? {
                MoveEval::Captures | MoveEval::Curbs { .. } => None,
                MoveEval::Flips { flip, .. } => Some(flip),
            },
            |settings, part| {
                let known = settings.own_mut::<BanqiKnowledge>();
                if let Some(MoveEval::Flips { flip, .. }) = &mut known.moves {
                    *flip = part;
                }
            },
        ),
    )
    .after("temperature")
    .needs("pb-curb-flip")
    .means("What part of a piece's weight counts that a flip threatens."),
    S::whole(
        "other-weight",
        1..=Weights::MOST as u64,
        by(
            |settings| Some(u64::from(settings.own::<BanqiKnowledge>().weights.others())),
            |settings, weight| {
                let weights = BanqiKnowledge::playout_weights(weight as u32);
                settings.own_mut::<BanqiKnowledge>().weights = weights;
            },
        ),
    )
    .after("tsq-k")
    .means(
        "How likely playout=categories plays each move of Chinese dark chess that captures nothing, where the \
         capture of a pawn has weight 8 and that of a king 55.",
    ),
    S::real("material-scale", 1.0..=1e6, field!(BanqiKnowledge: scale)).after("tsq-k").means(
        "How much more material makes the odds e to 1 in Chinese dark chess, where a guard weighs 50.",
    ),
    S::real("tsq-cw", 0.0..=100.0, field!(BanqiKnowledge: quality_weight)).after("tsq-k").means(
        "How much the weights of the winner's pieces count beside their number in the quality of a result of \
         Chinese dark chess.",
    ),
    TABLES,
    PIECES.means(
        "The endgame tables are asked about states with at most so many pieces, kings included. They go up to 4, \
         all face up, and are made when they are first asked for.",
    ),
    TABLES_ROOT,
    TREE_ORACLE,
    network!(Settings, Banqi: BanqiFeatures, Some(&NETWORK)).after("tsq-k").means(MEANING),
    NETWORK_PRIOR,
];

fn moves(settings: &Settings) -> Option<MoveEval> {
    settings.own::<BanqiKnowledge>().moves
}

/// Switches an evaluation of moves on, with the bias that goes with it; or off, if it is the one in
/// force.
fn set(settings: &mut Settings, switch: Switch, moves: MoveEval) {
    let known = settings.own_mut::<BanqiKnowledge>();
    let same = |now: MoveEval| discriminant(&now) == discriminant(&moves);
    match switch {
        Switch::On => {
            known.moves = Some(moves);
            settings.config.bias = Some(BIAS);
        }
        Switch::Off if known.moves.is_some_and(same) => {
            known.moves = None;
            settings.config.bias = None;
        }
        Switch::Off => {}
    }
}
