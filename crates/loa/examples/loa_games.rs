//! Random games as text, for comparisons with other programs.
//!
//! `games COUNT SEED [RULES]` prints for each state of each game one line: the legal moves, then `>` and the move that
//! is played. A game's last line is `over` with `first`, `second` or `draw`, and how it ended.

#![allow(clippy::print_stdout)] // Its whole purpose.

use monteverde_game::{Game, Notation, Outcome, Rng, Side};
use monteverde_loa::{Board, Loa, Rules};
use std::env;
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = env::args().skip(1).collect();
    let [count, seed, rules @ ..] = &args[..] else {
        return Err("usage: games COUNT SEED [RULES]".into());
    };
    let rules: Rules = rules.first().map_or(Ok(Rules::default()), |text| text.parse())?;
    let seed = seed.parse()?;
    for index in 0..count.parse()? {
        print_game(Loa::new(Board::start().with_rules(rules)), &mut Rng::stream(seed, index));
    }
    Ok(())
}

fn print_game(mut state: Loa, rng: &mut Rng) {
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
        println!("{} > {}", texts.join(" "), texts[index]);
        state.play(moves[index]);
    }
}
