//! What is known of Chinese dark chess, against what is solved.

use monteverde_banqi::combination::{COMBINATIONS, SETS, number, set};
use monteverde_banqi::endgame::Endgames;
use monteverde_banqi::{Colour, PIECES, Piece};
use monteverde_knowledge::banqi::{DRAWS, Likely, likely};

/// The number of the combination with these pieces.
fn combination(text: &str) -> u32 {
    let mut material = [0; PIECES];
    for letter in text.chars() {
        material[Piece::from_letter(letter).expect("a piece").index()] += 1;
    }
    number(&material).expect("a combination")
}

/// The letters of a combination, red ones first.
fn letters(combination: u32) -> String {
    let sets = [set(combination / SETS), set(combination % SETS)];
    let of = |piece: Piece| sets[piece.colour() as usize][piece.kind() as usize];
    Piece::all().flat_map(|piece| (0..of(piece)).map(move |_| piece.letter())).collect()
}

/// Paper 004, section 3.1.2: 750,174 wins and as many losses.
#[test]
fn the_table_has_as_many_entries_of_each_kind_as_is_known() {
    let mut counts = [0u32; 3];
    for combination in 0..COMBINATIONS {
        match likely(combination) {
            Likely::Win(Colour::Red) => counts[0] += 1,
            Likely::Win(Colour::Black) => counts[1] += 1,
            Likely::Draw => counts[2] += 1,
            Likely::Unknown => {}
        }
    }
    assert_eq!(counts, [750_174, 750_174, DRAWS]);
}

/// The paper's examples; its `Ccccp` has a cannon too many and must be `CCccp`.
#[test]
fn the_examples_of_the_paper_end_as_it_says() {
    for text in ["KGmm", "KGk", "KGggm"] {
        assert_eq!(likely(combination(text)), Likely::Win(Colour::Red), "{text}");
    }
    for text in ["Gmm", "CCccp", "KPggm"] {
        assert_eq!(likely(combination(text)), Likely::Draw, "{text}");
    }
    assert_eq!(likely(combination("KGkg")), Likely::Unknown);
}

/// Endgames of three pieces, and some of four, end as is likely in most placements of each, and in nearly all of all.
/// `cargo run --release -p monteverde-knowledge --example likely` looks at all of four.
#[test]
fn solved_endgames_end_as_is_likely() {
    let of_three = (1..COMBINATIONS).map(letters).filter(|text| {
        let reds = text.chars().filter(char::is_ascii_uppercase).count();
        text.len() <= 3 && (1..text.len()).contains(&reds)
    });
    let of_four = ["KGmm", "GCpp", "Knnc", "RRmc", "CCcp", "GPkm", "MMrp", "Mrcp"];
    let mut endgames = Endgames::default();
    let (mut checked, mut shares) = (0, 0.0);
    for text in of_three.chain(of_four.map(str::to_owned)) {
        let guess = likely(combination(&text));
        if guess == Likely::Unknown {
            continue;
        }
        let material = text.parse().expect("an endgame");
        endgames.add(material);
        let counts = endgames.counts(material).expect("it was added");
        let right = match guess {
            Likely::Win(Colour::Red) => counts.wins,
            Likely::Win(Colour::Black) => counts.losses,
            _ => counts.draws,
        };
        let share = right as f64 / (counts.wins + counts.draws + counts.losses) as f64;
        assert!(share > 0.7, "{text}: {share}");
        shares += share;
        checked += 1;
    }
    assert!(checked > 100, "{checked}");
    assert!(shares / f64::from(checked) > 0.94, "{}", shares / f64::from(checked));
}
