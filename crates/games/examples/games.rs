//! Random games as text, for comparisons with other programs.
//!
//! `games GAME COUNT SEED [RULES]` prints for each state of each game one line: the legal moves,
//! then `>` and the move that is played, where chance decides with the event, such as `a1(K)`. A
//! game's last line is `over` with `first`, `second` or `draw`, and how it ended.

#![allow(clippy::print_stdout)] // Its whole purpose.

use monteverde_game::{Game, Outcome, Rng, Side};
use monteverde_games::games;
use monteverde_players::AnyState;
use std::env;
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = env::args().skip(1).collect();
    let [game, count, seed, rules @ ..] = &args[..] else {
        return Err("usage: games GAME COUNT SEED [RULES]".into());
    };
    let (game, count, seed) = (games().game(game)?, count.parse::<u64>()?, seed.parse::<u64>()?);
    // What a state's text says behind the state.
    let rules = rules.first().map_or(String::new(), |rules| format!(" {rules}"));
    let start = game.parse_state(&format!("{}{rules}", game.start().state_text()))?;
    for index in 0..count {
        print_game(start.clone(), &mut Rng::stream(seed, index));
    }
    Ok(())
}

fn print_game(mut state: AnyState, rng: &mut Rng) {
    let mut moves = Vec::new();
    loop {
        if let Some((outcome, ending)) = state.outcome().zip(state.ending()) {
            let result = match outcome {
                Outcome::Win(Side::First) => "first",
                Outcome::Win(Side::Second) => "second",
                Outcome::Draw => "draw",
            };
            println!("over {result} {ending}");
            return;
        }
        moves.clear();
        state.moves(&mut moves);
        let texts: Vec<String> = moves.iter().map(|&mv| state.move_text(mv)).collect();
        let index = rng.below(moves.len() as u32) as usize;
        state.play(moves[index]);
        let mut played = texts[index].clone();
        if state.is_pending() {
            let event = state.sample_event(rng);
            played += &format!("({})", state.event_text(event));
            state.settle(event);
        }
        println!("{} > {played}", texts.join(" "));
    }
}
