//! Prints openings of a game, a line each: `openings loa 3 100 2008` draws 100 of all that lead to
//! different states after three plies, in the order that the seed 2008 gives them.
#![allow(clippy::print_stdout)] // It is a program.

use monteverde_games::games;
use monteverde_lab::opening::Book;
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [game, plies, count, seed] = &words[..] else {
        return Err("a game, the plies, how many, and a seed are wanted: loa 3 100 2008".into());
    };
    let book = Book::every(games().game(game)?, plies.parse()?, seed.parse()?)?;
    let Book::Lines(lines) = book else { return Err("the game has no openings".into()) };
    for line in lines.iter().take(count.parse()?) {
        println!("{}", line.moves.join(" "));
    }
    Ok(())
}
