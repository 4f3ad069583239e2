//! Who sits at the two sides of the board.

use crate::fault::{Code, Fault};
use crate::request::{SeatRequest, pace};
use crate::search::PlayerSpec;
use monteverde_players::{AnyGame, DurationText, Pace, Timer};
use serde_json::{Value, json};

/// How long an engine thinks where nobody says it.
const PACE: Pace = Pace::Time(DurationText::ms(1000));

/// Who sits at a side.
#[derive(Clone, Debug)]
pub(super) enum Occupant {
    /// A person, perhaps with a clock.
    Human(Option<Pace>),
    /// A player and its pace.
    Engine(Box<PlayerSpec>, Pace),
}

impl Occupant {
    /// A person against our strongest player.
    pub(super) fn usual(game: AnyGame) -> Result<[Occupant; 2], Fault> {
        let strongest = Box::new(PlayerSpec::read(game, game.strongest())?);
        Ok([Occupant::Human(None), Occupant::Engine(strongest, PACE)])
    }

    pub(super) fn read(game: AnyGame, request: &SeatRequest) -> Result<Occupant, Fault> {
        let pace = request.pace.as_deref().map(pace).transpose()?;
        match (request.player.as_str(), pace) {
            ("human", None) => Ok(Occupant::Human(None)),
            ("human", Some(clock @ Pace::Clock(_))) => Ok(Occupant::Human(Some(clock))),
            ("human", Some(other)) => Err(Fault::new(
                Code::BadPace,
                format!(
                    "a human cannot be held to '{other}'; accepted is a clock such as clock=5m+3s, or no pace"
                ),
            )),
            (spec, pace) => {
                Ok(Occupant::Engine(Box::new(PlayerSpec::read(game, spec)?), pace.unwrap_or(PACE)))
            }
        }
    }

    pub(super) fn pace(&self) -> Option<Pace> {
        match self {
            Occupant::Human(pace) => *pace,
            Occupant::Engine(_, pace) => Some(*pace),
        }
    }

    pub(super) fn timer(&self) -> Option<Timer> {
        self.pace().and_then(Pace::timer)
    }

    pub(super) fn is_human(&self) -> bool {
        matches!(self, Occupant::Human(_))
    }

    pub(super) fn name(&self) -> &str {
        match self {
            Occupant::Human(_) => "human",
            Occupant::Engine(asked, _) => &asked.text,
        }
    }

    pub(super) fn json(&self, game: AnyGame) -> Value {
        let note = match self {
            Occupant::Human(_) => None,
            Occupant::Engine(asked, _) => asked.spec.missing(game),
        };
        json!({ "player": self.name(), "pace": self.pace().map(|pace| pace.to_string()), "note": note })
    }
}
