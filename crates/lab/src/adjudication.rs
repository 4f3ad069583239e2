//! Ending games that the rules would let go on. Off unless asked for.

use crate::record::{GameResult, MoveRecord, Ruling};
use monteverde_game::{Game, Outcome, Proof, Side};
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;

/// When games are ended early; all `None` for never.
///
/// Values are in -1..1, 1 a certain win. An engine's eval counts as the expected score of that many
/// Elo points: `2 / (1 + 10^(-centipawns / 400)) - 1`.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Adjudication {
    /// A game in which both players see equality is drawn.
    pub draw: Option<DrawRule>,
    /// A game in which both players see the same one lost is lost.
    pub resign: Option<ResignRule>,
    /// A game of so many plies, opening included, is drawn.
    pub length: Option<u32>,
    /// A state that endgame tables of up to so many pieces know ends the game with what they say,
    /// unless a rule that counts plies might draw it before the mate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tables: Option<u32>,
}

/// The most pieces that tables may be asked for.
pub const TABLES: RangeInclusive<u32> = 3..=5;

/// When equality is a draw.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DrawRule {
    /// Not before this ply.
    pub from: u32,
    /// So many moves of each player in a row.
    pub moves: u32,
    /// Values at most that far from 0.
    pub within: f64,
}

/// When a lost game is lost.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ResignRule {
    /// So many moves of each player in a row.
    pub moves: u32,
    /// Values at least that far from 0, with opposite signs.
    pub beyond: f64,
    /// Who has to see it.
    #[serde(default, skip_serializing_if = "ResignSides::is_both")]
    pub sides: ResignSides,
}

/// Who has to see that a game is lost.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ResignSides {
    /// Both players.
    #[default]
    Both,
    /// The one that loses, alone.
    Loser,
}

impl ResignSides {
    // The signature is what serde asks for. What was written before there was a choice is read.
    fn is_both(&self) -> bool {
        *self == ResignSides::Both
    }
}

/// The largest score of a rule, in hundredths of a pawn: beyond it all values are 1.
pub const MOST_SCORE: f64 = 100_000.0;

/// The value of an eval in hundredths of a pawn.
pub fn value_of_centipawns(eval: f64) -> f64 {
    2.0 / (1.0 + 10f64.powf(-eval / 400.0)) - 1.0
}

impl Adjudication {
    /// The settings as text; the same settings have the same text. Without tables it is what it was
    /// before there were any, so that games played then are found again.
    pub fn text(&self) -> String {
        serde_json::to_string(self).expect("rules are plain data")
    }
}

/// Watches one game.
#[derive(Debug)]
pub struct Referee {
    rules: Adjudication,
    plies: u32,
    equal: u32,
    /// How many moves in a row saw that side lost.
    lost: [u32; 2],
}

impl Referee {
    /// A referee of a game that begins.
    pub fn new(rules: Adjudication) -> Referee {
        Referee { rules, plies: 0, equal: 0, lost: [0; 2] }
    }

    /// Sees a move that `side` has played, or the opening has for it, and says whether the game is
    /// over.
    pub fn see(&mut self, side: Side, step: &MoveRecord) -> Option<(GameResult, Ruling)> {
        self.plies += 1;
        let value = value(step).map(|value| if side == Side::First { value } else { -value });
        if let Some(rule) = self.rules.resign {
            let needed = match rule.sides {
                ResignSides::Both => {
                    self.lost = match value {
                        Some(value) if value >= rule.beyond => [0, self.lost[1] + 1],
                        Some(value) if value <= -rule.beyond => [self.lost[0] + 1, 0],
                        _ => [0, 0],
                    };
                    2 * rule.moves
                }
                ResignSides::Loser => {
                    let own = value.map(|value| if side == Side::First { value } else { -value });
                    let is_lost = own.is_some_and(|own| own <= -rule.beyond);
                    let lost = &mut self.lost[side as usize];
                    *lost = if is_lost { *lost + 1 } else { 0 };
                    rule.moves
                }
            };
            for side in [Side::First, Side::Second] {
                if self.lost[side as usize] >= needed {
                    return Some((GameResult::win(side.other()), Ruling::Resign));
                }
            }
        }
        if let Some(rule) = self.rules.draw {
            let equal = value.is_some_and(|value| value.abs() <= rule.within);
            self.equal = if equal { self.equal + 1 } else { 0 };
            if self.plies >= rule.from && self.equal >= 2 * rule.moves {
                return Some((GameResult::Draw, Ruling::Draw));
            }
        }
        let too_long = self.rules.length.is_some_and(|length| self.plies >= length);
        too_long.then_some((GameResult::Draw, Ruling::Length))
    }
}

/// What a proof about a state, for the side to move, decides there; `None` while the mate may come
/// too late.
pub(crate) fn decided<G: Game>(proof: Proof, state: &G) -> Option<(GameResult, Ruling)> {
    let in_time = |plies: u16| u32::from(plies) <= state.plies_left();
    let outcome = match proof {
        Proof::Win(plies) if in_time(plies) => Outcome::Win(state.turn()),
        Proof::Loss(plies) if in_time(plies) => Outcome::Win(state.turn().other()),
        Proof::Draw => Outcome::Draw,
        Proof::Open | Proof::Win(_) | Proof::Loss(_) => return None,
    };
    Some((outcome.into(), Ruling::Tables))
}

/// What the mover thinks of its move, in -1..1.
fn value(step: &MoveRecord) -> Option<f64> {
    let by_mate = step.mate.map(|mate| if mate > 0 { 1.0 } else { -1.0 });
    let by_pawns = step.centipawns.map(|eval| value_of_centipawns(f64::from(eval)));
    by_mate.or(by_pawns).or(step.mean)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(mean: f64) -> MoveRecord {
        MoveRecord { mean: Some(mean), ..MoveRecord::default() }
    }

    fn watch(rules: Adjudication, means: &[f64]) -> Option<(usize, GameResult, Ruling)> {
        let mut referee = Referee::new(rules);
        let mut side = Side::First;
        for (ply, &mean) in means.iter().enumerate() {
            if let Some((result, ruling)) = referee.see(side, &said(mean)) {
                return Some((ply + 1, result, ruling));
            }
            side = side.other();
        }
        None
    }

    #[test]
    fn off_never_ends_a_game() {
        assert_eq!(watch(Adjudication::default(), &[0.0; 500]), None);
    }

    #[test]
    fn both_must_see_the_loss_in_a_row() {
        let resign = Some(ResignRule { moves: 2, beyond: 0.9, sides: ResignSides::Both });
        let rules = Adjudication { resign, ..Adjudication::default() };
        let end = Some((4, GameResult::Second, Ruling::Resign));
        assert_eq!(watch(rules, &[-0.95, 0.95, -0.99, 0.9]), end);
        assert_eq!(watch(rules, &[-0.95, 0.95, -0.99, 0.8, -0.99, 0.99, -0.99]), None);
        // Both see themselves lost: nobody is.
        assert_eq!(watch(rules, &[-0.95; 20]), None);
    }

    #[test]
    fn one_alone_may_give_up_where_that_is_the_rule() {
        let resign = Some(ResignRule { moves: 3, beyond: 0.9, sides: ResignSides::Loser });
        let rules = Adjudication { resign, ..Adjudication::default() };
        let end = Some((5, GameResult::Second, Ruling::Resign));
        assert_eq!(watch(rules, &[-0.95, 0.0, -0.99, 0.0, -0.9, 0.0]), end);
        let end = Some((6, GameResult::First, Ruling::Resign));
        assert_eq!(watch(rules, &[0.0, -0.95, 0.0, -0.99, 0.0, -0.9]), end);
        assert_eq!(watch(rules, &[-0.95, 0.0, -0.99, 0.0, -0.8, 0.0, -0.9, 0.0]), None);
        let both = ResignRule { moves: 3, beyond: 0.9, sides: ResignSides::Both };
        assert_eq!(serde_json::to_string(&both).unwrap(), r#"{"moves":3,"beyond":0.9}"#);
    }

    #[test]
    fn draws_wait_for_their_ply() {
        let draw = Some(DrawRule { from: 10, moves: 2, within: 0.05 });
        let rules = Adjudication { draw, ..Adjudication::default() };
        assert_eq!(watch(rules, &[0.01; 20]), Some((10, GameResult::Draw, Ruling::Draw)));
        assert_eq!(watch(rules, &[0.1; 20]), None);
    }

    #[test]
    fn long_games_are_drawn() {
        let rules = Adjudication { length: Some(7), ..Adjudication::default() };
        assert_eq!(watch(rules, &[1.0; 20]), Some((7, GameResult::Draw, Ruling::Length)));
    }

    #[test]
    fn tables_decide_what_ends_before_the_fifty_move_rule() {
        use monteverde_chess::Chess;
        use monteverde_game::Notation;
        let state = |plies: u32| {
            let text = format!("8/8/2R5/3k4/8/8/8/1K6 b - - {plies} 90");
            Chess::parse_state(&text).expect("a state")
        };
        let first = Some((GameResult::First, Ruling::Tables));
        assert_eq!(decided(Proof::Loss(30), &state(70)), first);
        assert_eq!(decided(Proof::Loss(30), &state(71)), None, "the rule may come first");
        assert_eq!(decided(Proof::Win(29), &state(0)), Some((GameResult::Second, Ruling::Tables)));
        assert_eq!(decided(Proof::Draw, &state(99)), Some((GameResult::Draw, Ruling::Tables)));
        assert_eq!(decided(Proof::Open, &state(0)), None);
    }

    #[test]
    fn without_tables_the_text_is_what_it_was() {
        let text = Adjudication::default().text();
        assert_eq!(text, r#"{"draw":null,"resign":null,"length":null}"#);
        assert!(
            Adjudication { tables: Some(4), ..Adjudication::default() }.text().contains("tables")
        );
    }

    #[test]
    fn engines_speak_in_pawns_and_mates() {
        let mut step = MoveRecord { centipawns: Some(400), ..MoveRecord::default() };
        assert!((value(&step).unwrap() - 9.0 / 11.0).abs() < 1e-12);
        step.mate = Some(-3);
        assert_eq!(value(&step), Some(-1.0));
        assert_eq!(value(&MoveRecord::default()), None);
    }
}
