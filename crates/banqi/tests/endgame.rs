//! Endgames with all pieces face up: what is known of them by other means, and what the rules say.

use monteverde_banqi::Banqi;
use monteverde_banqi::endgame::{Counts, Endgames, Material};
use monteverde_game::{Game, Notation, Oracle, Proof, Rng};

/// Wins, draws and losses of Red to move.
const COUNTS: [(&str, [u64; 3]); 8] = [
    ("Kk", [512, 0, 480]),
    ("Kg", [512, 480, 0]),
    ("KGk", [29_752, 0, 8]),
    ("KPg", [29_752, 8, 0]),
    ("Gmm", [2_904, 26_856, 0]),
    ("KGmm", [863_040, 0, 0]),
    ("KGkg", [367_272, 388_396, 107_372]),
    ("CCcp", [0, 863_040, 0]),
];

fn material(text: &str) -> Material {
    text.parse().unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn endgames_have_their_known_counts() {
    let mut endgames = Endgames::default();
    for (text, [wins, draws, losses]) in COUNTS {
        endgames.add(material(text));
        assert_eq!(endgames.counts(material(text)), Some(Counts { wins, draws, losses }), "{text}");
    }
}

/// The proof of a state is what the proofs after its moves make it, whichever colour moves.
#[test]
fn proofs_follow_from_the_moves() {
    let mut endgames = Endgames::default();
    endgames.add(material("KCpp"));
    endgames.add(material("GPc"));
    let mut rng = Rng::new(1);
    let mut wins = 0;
    for texts in
        [["K", "C", "p", "p"], ["k", "c", "P", "P"], ["G", "P", "c", ""], ["g", "p", "C", ""]]
    {
        for _ in 0..2_000 {
            let state = random_state(&texts, &mut rng);
            let mut moves = Vec::new();
            state.moves(&mut moves);
            let after = moves.iter().map(|&mv| {
                let mut next = state.clone();
                next.play(mv);
                endgames.probe_board(next.board()).before()
            });
            let expected = after.max_by_key(|&proof| wish(proof)).unwrap_or(Proof::Loss(0));
            let found = endgames.probe_board(state.board());
            assert_eq!(found, expected, "{state:?}");
            wins += u32::from(matches!(found, Proof::Win(_)));
        }
    }
    assert!(wins > 1_000, "only {wins} were won");
}

/// How much the side to move wants a proof, larger is more.
fn wish(proof: Proof) -> i32 {
    match proof {
        Proof::Win(plies) => 1000 - i32::from(plies),
        Proof::Draw => 0,
        Proof::Loss(plies) => i32::from(plies) - 1000,
        Proof::Open => panic!("the endgame is not there"),
    }
}

/// Those pieces on random squares, either colour to move.
fn random_state(letters: &[&str; 4], rng: &mut Rng) -> Banqi {
    let mut squares = [["1"; 4]; 8];
    for letter in letters.iter().filter(|letter| !letter.is_empty()) {
        loop {
            let square = &mut squares[rng.below(8) as usize][rng.below(4) as usize];
            if *square == "1" {
                *square = letter;
                break;
            }
        }
    }
    let turn = ["r", "b"][rng.below(2) as usize];
    let text = format!("{} {turn} - 0", squares.map(|rank| rank.concat()).join("/"));
    Banqi::parse_state(&text).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn the_oracle_claims_no_more_than_the_quiet_plies_allow() {
    let mut endgames = Endgames::default();
    endgames.add(material("KGk"));
    let probe = |text: &str| {
        endgames.probe(&Banqi::parse_state(text).unwrap_or_else(|error| panic!("{error}")))
    };
    let Proof::Win(plies) = probe("K3/G3/4/4/4/4/4/3k r - 0") else { panic!("a win") };
    assert!(plies < 40, "{plies}");
    let with = |quiet: u16| probe(&format!("K3/G3/4/4/4/4/4/3k r - {quiet}"));
    assert_eq!(with(40 - plies), Proof::Win(plies));
    assert_eq!(with(41 - plies), Proof::Open);
    // Not in the tables: other pieces, a covered piece, a smaller board.
    assert_eq!(probe("K3/M3/4/4/4/4/4/3k r - 0"), Proof::Open);
    assert_eq!(probe("K3/X3/4/4/4/4/4/3k r G 0"), Proof::Open);
    assert_eq!(probe("K3/G3/3k r - 0"), Proof::Open);
}

#[test]
fn errors_say_what_is_accepted() {
    let error = |text: &str| text.parse::<Material>().expect_err("no material").to_string();
    assert_eq!(error("Kx"), "'x' is no piece; pieces are KGMRNCP and kgmrncp");
    let count = |text: &str| {
        format!(
            "an endgame has at least one piece of each colour and at most 4 in all, not '{text}'"
        )
    };
    for text in ["KG", "k", "", "KGMkg"] {
        assert_eq!(error(text), count(text));
    }
    assert_eq!(material("gPKk").to_string(), "KPkg");
}
