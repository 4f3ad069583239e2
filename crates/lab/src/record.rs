//! What is known of one finished game.

use monteverde_game::{Outcome, Side};
use serde::{Deserialize, Serialize};
use std::fmt;

/// One finished game: who played, what was played, how it ended and why.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GameRecord {
    /// The key of its task, 64 hexadecimal digits.
    pub key: String,
    /// The game's name.
    pub game: String,
    /// The name of the contestant that moved first.
    pub first: String,
    /// The name of the other contestant.
    pub second: String,
    /// Each contestant in full, as canonical text: [`crate::contestant::Contestant::text`].
    pub contestants: [String; 2],
    /// The name of the opening.
    pub opening: String,
    /// The number that both games of a pair share.
    pub pair: u64,
    /// The seed from which players and chance took theirs.
    pub seed: u64,
    /// The program that played it.
    pub build: String,
    /// The state that the first move was played in, opening moves included.
    pub start_state: String,
    /// Every step, in order: opening, moves, chance.
    pub moves: Vec<MoveRecord>,
    /// Who won; of a void game, who did not fail.
    pub result: GameResult,
    /// Why it ended.
    pub reason: Reason,
    /// More about the reason: the illegal move, the exit status. Empty for nothing.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub detail: String,
    /// When it began, in milliseconds since the beginning of 1970.
    pub started: u64,
    /// How long it took.
    pub seconds: f64,
}

impl GameRecord {
    /// The side whose player failed so that the game is void.
    pub fn voided_by(&self) -> Option<Side> {
        let failed = if self.result == GameResult::First { Side::Second } else { Side::First };
        self.reason.is_void().then_some(failed)
    }
}

/// One step of a game and what its player said about it. Values speak for the side that moved.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct MoveRecord {
    /// The move or event in the game's notation.
    pub text: String,
    /// Where the step came from.
    #[serde(default, skip_serializing_if = "By::is_player")]
    pub by: By,
    /// What is left on the player's clock after the move, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock_ms: Option<f64>,
    /// How long the player thought, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub elapsed_ms: Option<f64>,
    /// Iterations of a search of our own, nodes of an engine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub iterations: Option<u64>,
    /// Visits of the move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub visits: Option<u32>,
    /// The mean of the move, in -1..1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mean: Option<f64>,
    /// An engine's eval in hundredths of a pawn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub centipawns: Option<i32>,
    /// An engine's distance to mate in moves, negative if it is mated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mate: Option<i32>,
    /// How deep it looked, in plies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// How it expects the game to go on, this move first; at most [`PV_PLIES`] moves.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pv: Vec<String>,
}

/// How many moves of a principal variation are kept.
pub const PV_PLIES: usize = 8;

/// Where a step came from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum By {
    /// The player whose turn it was.
    #[default]
    Player,
    /// The opening.
    Opening,
    /// Chance.
    Chance,
}

impl By {
    fn is_player(&self) -> bool {
        *self == By::Player
    }
}

/// Who won a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GameResult {
    /// The side that moved first.
    First,
    /// The other side.
    Second,
    /// Nobody.
    Draw,
}

impl GameResult {
    /// What the result brings `side` in half points: 2, 1 or 0.
    pub fn half_points(self, side: Side) -> u64 {
        match Outcome::from(self).value_for(side) {
            1 => 2,
            0 => 1,
            _ => 0,
        }
    }

    /// The result in which `side` wins.
    pub fn win(side: Side) -> GameResult {
        Outcome::Win(side).into()
    }
}

impl From<Outcome> for GameResult {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Win(Side::First) => GameResult::First,
            Outcome::Win(Side::Second) => GameResult::Second,
            Outcome::Draw => GameResult::Draw,
        }
    }
}

impl From<GameResult> for Outcome {
    fn from(result: GameResult) -> Self {
        match result {
            GameResult::First => Outcome::Win(Side::First),
            GameResult::Second => Outcome::Win(Side::Second),
            GameResult::Draw => Outcome::Draw,
        }
    }
}

/// Why a game ended. Its text is the name of the rule, `adjudicated-draw` and the like, or the name
/// of the failure.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(into = "String", from = "String")]
pub enum Reason {
    /// By a rule of the game, with the name the game gives it.
    Rule(String),
    /// The lab ended it.
    Adjudicated(Ruling),
    /// A player failed, and lost, or the game is void.
    Failed(Failure),
}

impl Reason {
    /// Whether the game counts for nobody, [`Failure::voids`].
    pub fn is_void(&self) -> bool {
        matches!(self, Reason::Failed(failure) if failure.voids())
    }
}

/// Why the lab ended a game that the rules would have let go on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Ruling {
    /// Both players had seen equality for long enough.
    Draw,
    /// Both players had seen one of them lost for long enough.
    Resign,
    /// The game had become too long; it is drawn.
    Length,
    /// Endgame tables knew the result.
    Tables,
}

/// The ways in which a player can fail. Each is counted by itself.
///
/// A player that breaks the rules or comes too late has lost. One that did not start, crashed or
/// hung has not played: the game is void, see [`Failure::voids`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Failure {
    /// The program could not be started, or was not ready to play.
    NoStart,
    /// The program ended during the game.
    Crash,
    /// The program did not answer.
    Stall,
    /// The move is against the rules.
    IllegalMove,
    /// The answer is no move at all.
    Garbage,
    /// The move came too late.
    TimeLoss,
}

impl Ruling {
    const ALL: [Ruling; 4] = [Ruling::Draw, Ruling::Resign, Ruling::Length, Ruling::Tables];

    fn name(self) -> &'static str {
        match self {
            Ruling::Draw => "adjudicated-draw",
            Ruling::Resign => "adjudicated-resign",
            Ruling::Length => "adjudicated-length",
            Ruling::Tables => "adjudicated-tables",
        }
    }
}

impl Failure {
    /// Every failure, in the order of tables.
    pub const ALL: [Failure; 6] = [
        Failure::NoStart,
        Failure::Crash,
        Failure::Stall,
        Failure::IllegalMove,
        Failure::Garbage,
        Failure::TimeLoss,
    ];

    /// Whether the game counts for nobody. It says nothing about the players' strength; it is
    /// recorded, shown, and played again by the next run that has its task.
    pub fn voids(self) -> bool {
        match self {
            Failure::NoStart | Failure::Crash | Failure::Stall => true,
            Failure::IllegalMove | Failure::Garbage | Failure::TimeLoss => false,
        }
    }

    /// Its name in records and tables.
    pub fn name(self) -> &'static str {
        match self {
            Failure::NoStart => "no-start",
            Failure::Crash => "crash",
            Failure::Stall => "stall",
            Failure::IllegalMove => "illegal-move",
            Failure::Garbage => "garbage",
            Failure::TimeLoss => "time-loss",
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Reason::Rule(name) => name,
            Reason::Adjudicated(ruling) => ruling.name(),
            Reason::Failed(failure) => failure.name(),
        })
    }
}

impl From<Reason> for String {
    fn from(reason: Reason) -> String {
        reason.to_string()
    }
}

impl From<String> for Reason {
    fn from(text: String) -> Reason {
        let ruling = Ruling::ALL.into_iter().find(|ruling| ruling.name() == text);
        let failure = Failure::ALL.into_iter().find(|failure| failure.name() == text);
        match (ruling, failure) {
            (Some(ruling), _) => Reason::Adjudicated(ruling),
            (_, Some(failure)) => Reason::Failed(failure),
            _ => Reason::Rule(text),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_survive_their_text() {
        let rule = [Reason::Rule("checkmate".to_owned())];
        let rulings = Ruling::ALL.map(Reason::Adjudicated);
        let failures = Failure::ALL.map(Reason::Failed);
        for reason in rule.into_iter().chain(rulings).chain(failures) {
            assert_eq!(Reason::from(reason.to_string()), reason);
        }
    }

    #[test]
    fn half_points_add_up_to_a_game() {
        for result in [GameResult::First, GameResult::Second, GameResult::Draw] {
            assert_eq!(result.half_points(Side::First) + result.half_points(Side::Second), 2);
            assert_eq!(GameResult::from(Outcome::from(result)), result);
        }
        assert_eq!(GameResult::win(Side::Second).half_points(Side::Second), 2);
    }

    #[test]
    fn what_was_not_said_is_not_written() {
        let step = MoveRecord { text: "e2e4".to_owned(), ..MoveRecord::default() };
        let text = serde_json::to_string(&step).unwrap();
        assert_eq!(text, r#"{"text":"e2e4"}"#);
        assert_eq!(serde_json::from_str::<MoveRecord>(&text).unwrap(), step);
    }
}
