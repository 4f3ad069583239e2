//! The openings of Lines of Action that stand for those of the papers, which are lost.

use monteverde_game::Game;
use monteverde_games::games;
use monteverde_lab::opening::{self, Book};
use std::collections::HashSet;
use std::path::Path;

const PATH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/loa/openings.txt");

/// As `cargo run -p monteverde-lab --example openings -- loa 3 100 2008` prints them.
#[test]
fn a_hundred_openings_of_three_plies_follow_from_their_seed() {
    let game = games().game("loa").expect("a game of ours");
    let lines = opening::read(game, Path::new(PATH), None).expect("the file is ours");
    let states: HashSet<u64> =
        lines.iter().map(|line| line.replay(game, |_, _, _| {}).expect("a line").key()).collect();
    assert_eq!((lines.len(), states.len()), (100, 100));
    assert!(lines.iter().all(|line| line.moves.len() == 3));
    let Ok(Book::Lines(all)) = Book::every(game, 3, 2008) else { panic!("there are openings") };
    let drawn: Vec<_> = all.iter().take(100).map(|line| &line.moves).collect();
    assert_eq!(lines.iter().map(|line| &line.moves).collect::<Vec<_>>(), drawn);
}
