//! Compares the table of likely outcomes of Chinese dark chess with every endgame of up to four
//! pieces, all of them face up.
//!
//! Prints, for what is likely won by Red and likely drawn, how many placements with Red to move end
//! so, and the combinations where less than nine in ten do. Takes a few minutes and 2 GB of memory.

#![allow(clippy::print_stdout)] // Its whole purpose.

use monteverde_banqi::combination::{SETS, set};
use monteverde_banqi::endgame::{Endgames, MOST_PIECES};
use monteverde_banqi::{Colour, Piece};
use monteverde_knowledge::banqi::{Likely, likely};

fn main() {
    let size = |number: u32| set(number).iter().map(|&count| usize::from(count)).sum::<usize>();
    let sets: Vec<u32> = (0..SETS).filter(|&set| (1..MOST_PIECES).contains(&size(set))).collect();
    let pairs = sets.iter().flat_map(|&red| sets.iter().map(move |&black| (red, black)));
    let mut endgames = Endgames::default();
    let mut found = [(0u32, 0.0, Vec::new()), (0, 0.0, Vec::new())];
    for (red, black) in pairs.filter(|&(red, black)| size(red) + size(black) <= MOST_PIECES) {
        let guess = likely(red * SETS + black);
        // What is likely won by Black is likely won by Red with the colours swapped.
        if matches!(guess, Likely::Unknown | Likely::Win(Colour::Black)) {
            continue;
        }
        let text = letters(red, black);
        let material = text.parse().expect("an endgame");
        endgames.add(material);
        let counts = endgames.counts(material).expect("it was added");
        let all = (counts.wins + counts.draws + counts.losses) as f64;
        let right = if guess == Likely::Draw { counts.draws } else { counts.wins };
        let (number, shares, exceptions) = &mut found[usize::from(guess == Likely::Draw)];
        *number += 1;
        *shares += right as f64 / all;
        if (right as f64) < 0.9 * all {
            exceptions.push((right as f64 / all, text));
        }
    }
    for (name, (number, shares, mut exceptions)) in ["won", "drawn"].into_iter().zip(found) {
        exceptions.sort_by(|a, b| a.0.total_cmp(&b.0));
        println!(
            "likely {name}: {number} combinations, {:.2}% of placements",
            100.0 * shares / f64::from(number)
        );
        println!("  below 90%: {}", exceptions.len());
        for (share, text) in exceptions {
            println!("  {text} {:.1}%", 100.0 * share);
        }
    }
}

/// The letters of a combination.
fn letters(red: u32, black: u32) -> String {
    let sets = [set(red), set(black)];
    let count = |piece: Piece| sets[piece.colour() as usize][piece.kind() as usize];
    Piece::all().flat_map(|piece| (0..count(piece)).map(move |_| piece.letter())).collect()
}
