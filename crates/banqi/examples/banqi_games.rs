//! Random games as text, for comparisons with other programs.
//!
//! `games COUNT SEED [RULES]` prints for each state of each game one line: the legal moves, then `>` and the move that
//! is played, a flip with the piece that shows, such as `a1(K)`. A game's last line is `over` with `first`, `second` or
//! `draw`, and how it ended.

#![allow(clippy::print_stdout)] // Its whole purpose.

use monteverde_banqi::{Banqi, Rules};
use monteverde_game::{Game, Notation, Outcome, Rng, Side};
use std::env;
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = env::args().skip(1).collect();
    let [count, seed, rules @ ..] = &args[..] else {
        return Err("usage: games COUNT SEED [RULES]".into());
    };
    let rules: Rules = rules.first().map_or(Ok(Rules::default()), |text| text.parse())?;
    let start = Banqi::new(Banqi::start().board().with_rules(rules));
    let seed = seed.parse()?;
    for index in 0..count.parse()? {
        print_game(start.clone(), &mut Rng::stream(seed, index));
    }
    Ok(())
}

fn print_game(mut state: Banqi, rng: &mut Rng) {
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
