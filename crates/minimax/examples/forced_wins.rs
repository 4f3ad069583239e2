//! A suite out of games: states near their ends that one side wins by force, each with the plies
//! that it takes.
//!
//! ```text
//! forced_wins loa GAMES.jsonl > WINS.jsonl     wins of the side to move in 3, 5, 7 or 9 plies
//! forced_wins chess GAMES.jsonl > MATES.epd    mates in 1 to 4 moves, and against it in 1 to 3
//! ```
//!
//! GAMES.jsonl is what `monteverde export --format jsonl` writes. The suite depends on the games
//! alone, not on the order that they stand in. `data/README.md` has the commands of our own suites.
#![allow(clippy::print_stdout)] // It is a program.

use monteverde_chess::{Chess, Move, san};
use monteverde_game::limit::Limit;
use monteverde_game::{Game, Knowledge, Never, Notation, Outcome, Proof};
use monteverde_loa::Loa;
use monteverde_minimax::config::ETC_DEPTH;
use monteverde_minimax::{Config, History, Search, Tactics};
use serde_json::{Value, json};
use std::collections::HashSet;
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [game, path] = &arguments[..] else {
        return Err("two arguments are accepted: chess or loa, and a file of games".into());
    };
    let text = std::fs::read_to_string(path)?;
    match game.as_str() {
        Loa::NAME => {
            let found = suite::<Loa>(&text, &[3, 5, 7, 9])?;
            for (id, Found { state, plies, mv }) in found.iter().enumerate() {
                let line = json!({ "id": id, "state": state, "win_in_plies": plies, "move": mv });
                println!("{line}");
            }
        }
        Chess::NAME => {
            for found in suite::<Chess>(&text, &[1, 2, 3, 4, 5, 6, 7])? {
                let Found { state, plies, mv } = found;
                match plies % 2 {
                    0 => println!("{state} dm -{};", plies / 2),
                    _ => println!("{state} bm {mv}; dm {};", plies.div_ceil(2)),
                }
            }
        }
        other => return Err(format!("'{other}' is no game; chess and loa are").into()),
    }
    Ok(())
}

/// A state of a suite.
struct Found {
    state: String,
    /// From here to the end.
    plies: u16,
    /// The move that wins as soon, where the winner is to move.
    mv: String,
}

/// The states of the games from which the winner needs one of these numbers of plies: each once,
/// and of a game at most one of each length. The winner is to move where the number is odd.
fn suite<G: Written>(text: &str, lengths: &[u16]) -> Result<Vec<Found>, Box<dyn Error>> {
    let mut games: Vec<Vec<String>> =
        text.lines().map(|line| states::<G>(line)).collect::<Result<_, _>>()?;
    games.sort();
    let mut search = Search::new(exhaustive(), Nothing);
    let limit = Limit { depth: lengths.last().copied().map(u32::from), ..Limit::nodes(MOST_NODES) };
    let (mut seen, mut suite) = (HashSet::new(), Vec::new());
    for states in games {
        let mut wanted = lengths.to_vec();
        for (text, left) in states.into_iter().rev().zip(1_u32..) {
            let is_winner = left % 2 == 1;
            if !lengths.iter().any(|length| (length % 2 == 1) == is_winner) {
                continue;
            }
            // Read again, so that it has no history.
            let state = G::parse_state(&text)?;
            search.restart();
            let report = search.run(&state, &limit);
            let plies = match report.proof {
                Proof::Win(plies) if is_winner => plies,
                Proof::Loss(plies) if !is_winner => plies,
                // Before a state that is too far from its end others hardly are near.
                _ => break,
            };
            if let Some(at) = wanted.iter().position(|&length| length == plies)
                && seen.insert(text.clone())
            {
                wanted.swap_remove(at);
                let mv = report.best.map_or(String::new(), |mv| state.move_in(mv));
                suite.push(Found { state: text, plies, mv });
            }
        }
    }
    Ok(suite)
}

/// A search of one state is given up after so many nodes.
const MOST_NODES: u64 = 3_000_000;

/// The states of a game in which somebody moved, if it was won on the board; else none.
fn states<G: Written>(line: &str) -> Result<Vec<String>, Box<dyn Error>> {
    let record: Value = serde_json::from_str(line)?;
    let mut state = G::parse_state(record["start_state"].as_str().ok_or("no 'start_state'")?)?;
    let mut states = Vec::new();
    for mv in record["moves"].as_array().ok_or("no 'moves'")? {
        states.push(state.state());
        state.play(state.parse_move(mv["text"].as_str().ok_or("a move has no 'text'")?)?);
    }
    Ok(if matches!(state.outcome(), Some(Outcome::Win(_))) { states } else { Vec::new() })
}

/// A game as its suites write it.
trait Written: Notation<Event = Never> {
    fn state(&self) -> String {
        self.state_text()
    }
    fn move_in(&self, mv: Self::Move) -> String {
        self.move_text(mv)
    }
}

impl Written for Loa {}

/// EPD: states without counters, moves in SAN.
impl Written for Chess {
    fn state(&self) -> String {
        let text = self.state_text();
        text.split(' ').take(4).collect::<Vec<_>>().join(" ")
    }
    fn move_in(&self, mv: Move) -> String {
        san::write(self.board(), mv)
    }
}

/// Parts that order moves, and none that leaves any out.
fn exhaustive() -> Config {
    Config {
        deepening: true,
        table: Some(1 << 24),
        pvs: true,
        gains: true,
        killers: true,
        history: Some(History::Relative),
        etc: Some(ETC_DEPTH),
        ..Config::PLAIN
    }
}

/// No evaluation: every state that is not decided is worth the same.
struct Nothing;

impl<G: Game> Knowledge<G> for Nothing {}

impl<G: Game> Tactics<G> for Nothing {}
