//! What is known of Chinese dark chess, against what is solved.

use monteverde_banqi::combination::{COMBINATIONS, SETS, number, set};
use monteverde_banqi::endgame::Endgames;
use monteverde_banqi::{Banqi, Colour, PIECES, Piece};
use monteverde_game::{Game, Notation};
use monteverde_knowledge::banqi::{CURB, DRAWS, FLIP, Likely, MoveEval, likely};

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

/// Endgames of three pieces, and some of four, end as is likely in most placements of each, and in
/// nearly all of all. `cargo run --release -p monteverde-knowledge --example likely` looks at all
/// of four.
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

/// Reads a state, one of its moves and what its three evaluations are.
fn check(text: &str, mv: &str, expected: [f64; 3]) {
    let state = Banqi::parse_state(text).unwrap_or_else(|error| panic!("'{text}': {error}"));
    let legal = state.parse_move(mv).unwrap_or_else(|error| panic!("'{mv}': {error}"));
    let evals = [
        MoveEval::Captures,
        MoveEval::Curbs { curb: CURB },
        MoveEval::Flips { curb: CURB, flip: FLIP },
    ];
    for (eval, expected) in evals.into_iter().zip(expected) {
        let found = f64::from(eval.eval(state.board(), legal));
        assert!((found - expected).abs() < 1e-5, "{text} {mv} {eval:?}: {found}, not {expected}");
    }
}

/// Paper 004, section 3.4.2, the first evaluation. The files are a to d, the text begins with rank
/// 8.
#[test]
fn captures_and_escapes_add_and_suicides_subtract() {
    // The minister takes a rook, and nobody can take it back.
    check("4/4/4/4/4/4/Mr2/4 r - 0", "a2-b2", [10.0; 3]);
    // It takes the rook and is beside a guard then.
    check("4/4/4/4/4/1g2/Mr2/4 r - 0", "a2-b2", [10.0 - 25.0; 3]);
    // It was beside one already: neither an escape nor a suicide.
    check("4/4/4/4/4/gg2/Mr2/4 r - 0", "a2-b2", [10.0; 3]);
    // It takes the guard's rook and escapes.
    check("4/4/4/4/4/g3/Mr2/4 r - 0", "a2-b2", [10.0 + 25.0; 3]);
    // It runs away from the guard.
    check("4/4/4/4/g3/M3/4/4 r - 0", "a3-a2", [25.0; 3]);
    // It goes beside it, though diagonally beside a pawn: a suicide curbs nothing.
    check("4/4/4/gp2/4/M3/4/4 r - 0", "a3-a4", [-25.0; 3]);
    // A cannon hits over one piece, face up or down: the king leaves its line, or closes it.
    check("4/4/K2c/4/4/4/4/4 r - 0", "a6-a5", [0.0; 3]);
    check("4/4/KX1c/4/4/4/4/4 r p 0", "a6-a5", [55.0; 3]);
    check("4/4/1X1c/K3/4/4/4/4 r p 0", "a5-a6", [-55.0; 3]);
    // A step that does nothing, and a pawn that takes a king.
    check("3p/4/4/4/4/4/M3/4 r - 0", "a2-b2", [0.0; 3]);
    check("4/4/4/4/4/4/Pk2/4 r - 0", "a2-b2", [55.0; 3]);
}

/// The second evaluation, as in Figure 2: the guard goes diagonally beside a rook, which can then
/// move neither right nor down.
#[test]
fn curbs_add_a_part_of_the_heaviest_piece() {
    check("4/4/4/r3/2G1/4/4/4 r - 0", "c4-b4", [0.0, 2.5, 2.5]);
    // Two at once: the heavier counts.
    check("4/4/4/r1m1/3G/1G2/4/4 r - 0", "b3-b4", [0.0, 25.0 / 4.0, 25.0 / 4.0]);
    // A king does not take a pawn, a cannon takes nothing by a step.
    check("4/4/4/p3/2K1/4/4/4 r - 0", "c4-b4", [0.0; 3]);
    check("4/4/4/r3/2C1/4/4/4 r - 0", "c4-b4", [0.0; 3]);
}

/// The third evaluation. The square that is flipped is b4; what may show stands in the third field.
#[test]
fn flips_count_by_what_may_show() {
    let part = 1.0 / 12.0;
    // First case: an own minister beside a guard; it is one of two covered pieces.
    check("4/4/4/1g2/1X2/4/4/X3 r Mk 0", "b4", [0.0, 0.0, -25.0 / 2.0]);
    // Second case: an own minister beside a rook.
    check("4/4/4/1r2/1X2/4/4/X3 r Mk 0", "b4", [0.0, 0.0, part * 10.0 / 2.0]);
    // Third case: an enemy minister beside a rook and a knight.
    check("4/4/4/1R2/1XN1/4/4/X3 r mK 0", "b4", [0.0, 0.0, -10.0 / 2.0]);
    // Fourth case: an enemy minister beside a guard.
    check("4/4/4/1G2/1X2/4/4/X3 r mK 0", "b4", [0.0, 0.0, part * 25.0 / 2.0]);
    // Cannons: an own one would hit the knight over the rook, an enemy's the rook over the knight.
    check("4/4/1n2/1R2/1X2/4/4/X3 r CK 0", "b4", [0.0, 0.0, part * 8.0 / 2.0]);
    check("4/4/1R2/1n2/1X2/4/4/X3 r cK 0", "b4", [0.0, 0.0, -10.0 / 2.0 + part * 8.0 / 2.0]);
    // Nothing is near; and before the first flip nobody knows whose a piece would be.
    check("4/4/4/4/1X2/4/4/X2g r MK 0", "b4", [0.0; 3]);
    let start = Banqi::start();
    let mut moves = Vec::new();
    start.moves(&mut moves);
    let eval = MoveEval::Flips { curb: CURB, flip: FLIP };
    assert!(moves.iter().all(|&mv| eval.eval(start.board(), mv) == 0.0));
}
