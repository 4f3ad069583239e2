use super::state::{Label, Start, Study};
use super::*;
use monteverde_game::Notation;

fn study(text: &str, start: Start) -> Study {
    let state = Chess::parse_state(text).expect("a state of the test");
    Study::new(state.board(), start).expect("a lone king")
}

fn play(study: &mut Study, moves: &str) {
    for text in moves.split_whitespace() {
        let state = study.chess();
        study.play(state.parse_move(text).expect("a legal move"));
    }
}

#[test]
fn labels_are_the_first_that_holds() {
    let label = |text: &str| study(text, Start::Forgotten).label();
    assert_eq!(label("8/8/8/3k4/8/8/1R6/2K5 w - - 0 1"), Label::Normal);
    assert_eq!(label("k6R/8/K7/8/8/8/8/8 b - - 0 1"), Label::Mate);
    assert_eq!(label("k7/1R6/K7/8/8/8/8/8 b - - 0 1"), Label::Stalemate, "the rook is protected");
    assert_eq!(label("8/8/8/8/8/1k6/2R5/4K3 b - - 0 1"), Label::Hanging);
    assert_eq!(label("8/8/8/8/8/1k6/2R5/4K3 w - - 0 1"), Label::Normal, "White is to move");
}

/// A stalemate is one whoever is to move: here White could mate at once.
#[test]
fn a_stalemate_with_the_other_to_move_is_one() {
    let mut game = study("1R6/8/8/8/8/K7/8/1k6 b - - 0 1", Start::Counted);
    play(&mut game, "b1a1");
    assert_eq!(game.label(), Label::Stalemate);
    assert_eq!(game.outcome(), Some(Outcome::Win(Side::Second)));
    assert_eq!(game.game_outcome(), game.outcome());
}

#[test]
fn a_hanging_rook_ends_a_line_but_not_the_game() {
    let mut game = study("8/8/8/8/8/1k6/7R/4K3 w - - 0 1", Start::Counted);
    play(&mut game, "h2b2");
    assert_eq!(game.label(), Label::Hanging);
    assert_eq!((game.outcome(), game.game_outcome()), (Some(Outcome::Win(Side::Second)), None));
    play(&mut game, "b3b2");
    assert_eq!((game.label(), game.game_outcome()), (Label::Normal, None), "two kings play on");
}

/// The rook goes to and fro, and so does the lone king.
#[test]
fn the_third_placement_draws_the_game_before_the_tree() {
    let text = "8/8/3k4/8/8/8/8/KR6 w - - 0 1";
    let (mut game, mut tree) = (study(text, Start::Counted), study(text, Start::Forgotten));
    for _ in 0..2 {
        assert_eq!(game.game_outcome(), None);
        play(&mut game, "b1b2 d6d5 b2b1 d5d6");
        play(&mut tree, "b1b2 d6d5 b2b1 d5d6");
    }
    assert_eq!(game.game_outcome(), Some(Outcome::Win(Side::Second)), "the start counts");
    assert_eq!((tree.game_outcome(), tree.label()), (None, Label::Normal));
    play(&mut tree, "b1b2");
    assert_eq!(tree.label(), Label::Repetition);
}

/// Kings and rook walk so that nothing comes up three times.
#[test]
fn a_hundred_plies_are_too_many() {
    let mut game = study("8/8/8/3k4/8/8/1R6/2K5 w - - 0 1", Start::Counted);
    let mut rng = Rng::new(4);
    let mut tries = 0;
    while game.plies_left() > 0 {
        let mut moves = Vec::new();
        game.moves(&mut moves);
        let mut after = game.clone();
        after.play(moves[rng.below(moves.len() as u32) as usize]);
        tries += 1;
        assert!(tries < 100_000);
        if after.label() == Label::Normal || after.plies_left() == 0 {
            game = after;
        }
    }
    assert!(game.outcome().is_some() && game.game_outcome() == Some(Outcome::Win(Side::Second)));
}
