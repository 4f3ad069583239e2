//! What the page asks for.

use crate::fault::{Code, Fault};
use monteverde_game::Side;
use monteverde_players::{DurationText, Pace, arguments};
use serde::Deserialize;
use serde_json::Value;

/// A message from a client, see `docs/web-protocol.md`.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) enum Request {
    /// A new game.
    New {
        game: String,
        #[serde(default)]
        state: Option<String>,
        #[serde(default)]
        seats: Option<[SeatRequest; 2]>,
        #[serde(default)]
        paused: bool,
        /// Lines of steps from that state; the last one is on the board.
        #[serde(default)]
        lines: Vec<Vec<String>>,
    },
    /// A move for the side to move.
    Play {
        #[serde(rename = "move")]
        mv: String,
        /// The node of the tree of moves that it is played in; the board's where it is left out.
        #[serde(default)]
        at: Option<u32>,
    },
    /// Puts the state of a node on the board.
    Go { node: u32 },
    /// Takes back.
    Undo {
        #[serde(default)]
        to: Option<usize>,
    },
    /// Gives up.
    Resign {
        #[serde(default)]
        side: Option<SideName>,
    },
    /// Changes who plays.
    Seats { seats: [SeatRequest; 2] },
    /// Engines stop moving.
    Pause {},
    /// Engines go on.
    Run {},
    /// The engine plays the best move so far.
    MoveNow {},
    /// A search that ends by itself.
    Hint {
        #[serde(default)]
        spec: Option<String>,
        #[serde(default)]
        pace: Option<String>,
    },
    /// Searches of one or two players.
    Analyse {
        specs: Vec<String>,
        #[serde(default)]
        pace: Option<String>,
    },
    /// Ends analysis.
    Stop {},
    /// Opens nodes of a tree.
    Tree {
        slot: Slot,
        paths: Vec<Vec<String>>,
        #[serde(default)]
        most: Option<usize>,
    },
    /// A position of the game's past or of a variation, which analysis is of from now on.
    Show {
        #[serde(default)]
        ply: Option<usize>,
        #[serde(default)]
        node: Option<u32>,
    },
    /// Searches every state of the line on the board, one after the other.
    Review {
        #[serde(default)]
        spec: Option<String>,
        #[serde(default)]
        pace: Option<String>,
    },
    /// The whole game as text.
    Export {},
    /// A whole game, or a state, from text.
    Import {
        text: String,
        #[serde(default)]
        game: Option<String>,
    },
    /// Is anybody there?
    Ping {},
}

/// Who is to sit at one side.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SeatRequest {
    /// `human`, or a spec.
    pub(crate) player: String,
    /// How long it may think.
    #[serde(default)]
    pub(crate) pace: Option<String>,
}

/// A side by its name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum SideName {
    First,
    Second,
}

/// One of the searches of a session.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Slot {
    /// The player whose turn it is.
    Game,
    /// Analysis.
    A,
    /// The other player of a comparison.
    B,
}

impl Slot {
    /// Its name in messages.
    pub fn name(self) -> &'static str {
        match self {
            Slot::Game => "game",
            Slot::A => "a",
            Slot::B => "b",
        }
    }
}

impl From<SideName> for Side {
    fn from(name: SideName) -> Side {
        match name {
            SideName::First => Side::First,
            SideName::Second => Side::Second,
        }
    }
}

/// The longest tag, as JSON text.
const LONGEST_TAG: usize = 66;

/// Reads a message: its tag, if it has one, and what it asks for.
pub(crate) fn read(text: &str) -> (Option<Value>, Result<Request, Fault>) {
    let bad = |message: String| {
        let list = "docs/web-protocol.md lists what is accepted";
        Fault::new(Code::BadMessage, format!("{message}; {list}"))
    };
    let mut value: Value = match serde_json::from_str(text) {
        Ok(value) => value,
        Err(error) => return (None, Err(bad(format!("the message is no JSON: {error}")))),
    };
    let Some(object) = value.as_object_mut() else {
        return (None, Err(bad("the message is no JSON object".to_owned())));
    };
    let tag = object.remove("tag");
    if let Some(tag) = &tag
        && !((tag.is_number() || tag.is_string()) && tag.to_string().len() <= LONGEST_TAG)
    {
        let message = "the key 'tag' takes a number or a text of at most 64 characters".to_owned();
        return (None, Err(bad(message)));
    }
    let request = serde_json::from_value(value);
    (tag, request.map_err(|error| bad(format!("the message is not understood: {error}"))))
}

/// A message with the tag of the request that it answers, if there is one.
pub(crate) fn tagged(mut message: Value, tag: Option<&Value>) -> Value {
    if let (Some(tag), Some(object)) = (tag, message.as_object_mut()) {
        object.insert("tag".to_owned(), tag.clone());
    }
    message
}

/// So many iterations or nodes a move may have: the tree counts visits in 32 bits.
const MOST_ITERATIONS: u64 = arguments::MOST;
/// So long a move or a clock may be.
const LONGEST: DurationText = DurationText::ms(24 * 60 * 60 * 1000);
/// So deep a move may be searched, and so many moves a clock may be for.
const MOST_MOVES: u32 = 1000;

/// Reads a pace that a page may ask for.
pub fn pace(text: &str) -> Result<Pace, Fault> {
    let pace: Pace = text.parse().map_err(|error| Fault::new(Code::BadPace, error))?;
    let is_bounded = match pace {
        Pace::Iterations(count) | Pace::Nodes(count) => count <= MOST_ITERATIONS,
        Pace::Depth(plies) => plies <= MOST_MOVES,
        Pace::Time(time) => time.0 <= LONGEST.0,
        Pace::Clock(clock) => {
            clock.time.0.max(clock.increment.0) <= LONGEST.0
                && clock.moves.is_none_or(|moves| moves <= MOST_MOVES)
        }
    };
    if is_bounded {
        return Ok(pace);
    }
    let message = format!(
        "'{pace}' is more than a page may ask for: at most {MOST_ITERATIONS} iterations or nodes, \
         {} of time and of increment, {MOST_MOVES} plies of depth and moves of a clock",
        LONGEST
    );
    Err(Fault::new(Code::BadPace, message))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_read() {
        let (tag, request) = read(r#"{"type": "play", "move": "e2e4", "tag": 2}"#);
        assert_eq!(
            (tag, request),
            (Some(2.into()), Ok(Request::Play { mv: "e2e4".to_owned(), at: None }))
        );
        assert_eq!(read(r#"{"type": "pause"}"#).1, Ok(Request::Pause {}));
        let tree = read(r#"{"type": "tree", "slot": "a", "paths": [[], ["e2e4"]]}"#).1;
        assert!(matches!(tree, Ok(Request::Tree { slot: Slot::A, .. })));
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (text, part) in [
            ("", "no JSON"),
            ("[1]", "no JSON object"),
            (r#"{"type": "fly"}"#, "unknown variant `fly`"),
            (r#"{"type": "play"}"#, "missing field `move`"),
            (r#"{"type": "play", "move": 7}"#, "expected a string"),
            (r#"{"type": "undo", "ply": 7}"#, "unknown field `ply`"),
            (r#"{"type": "ping", "tag": {}}"#, "'tag'"),
            (r#"{"type": "pause", "now": 1}"#, "unknown field `now`"),
        ] {
            let fault = read(text).1.unwrap_err();
            assert!(fault.message.contains(part), "{text}: {fault}");
        }
    }
}
