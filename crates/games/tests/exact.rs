//! Wins that an exact search confirms and refutes.

use monteverde_chess::Chess;
use monteverde_game::Notation;
use monteverde_games::games;
use monteverde_loa::Loa;
use monteverde_players::exact::{Check, check};

fn check_in(game: &str, state: &str, mv: &str, plies: u16) -> Check {
    let state = games().game(game).unwrap().parse_state(state).unwrap();
    state.exact_win(state.parse_move(mv).unwrap(), plies, 10_000_000)
}

#[test]
fn mates_of_chess_are_confirmed_and_others_refuted() {
    // Morphy's problem: 1.Ra6 mates in two moves, 1.Bg7 or a check does not.
    let morphy = "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1";
    assert_eq!(check_in("chess", morphy, "a1a6", 3), Check::Holds);
    assert_eq!(check_in("chess", morphy, "a1a6", 5), Check::Holds);
    assert_eq!(check_in("chess", morphy, "a1a6", 1), Check::Fails);
    assert_eq!(check_in("chess", morphy, "b6a7", 3), Check::Fails);
    let back_rank = "6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1";
    assert_eq!(check_in("chess", back_rank, "a1a8", 1), Check::Holds);
    assert_eq!(check_in("chess", back_rank, "a1a7", 3), Check::Fails);
}

/// Wins in three plies whose moves were found by another program.
#[test]
fn wins_of_lines_of_action_are_confirmed_and_shorter_ones_refuted() {
    for (state, mv) in [
        ("3xx3/5o2/4o3/3ooo1o/1x1x3o/2xoo1x1/2xoo3/1x1xx3 w", "e2-c4"),
        ("6x1/5o2/1xo1ooxx/oo2ox2/o3ox2/o3xx2/8/1x6 w", "a3-d3"),
        ("8/2x5/3oo3/1xooxoxo/4oxx1/2o5/8/8 w", "c3-d3"),
    ] {
        assert_eq!(check_in("loa", state, mv, 3), Check::Holds, "{state}");
        assert_eq!(check_in("loa", state, mv, 1), Check::Fails, "{state}");
    }
    assert_eq!(check_in("loa", "8/8/8/2oo4/2o5/4o3/x6x/8 w", "e3-d3", 1), Check::Holds);
    assert_eq!(check_in("loa", "8/8/8/2oo4/2o5/4o3/x6x/8 w", "e3-f3", 1), Check::Fails);
}

/// A forced win in seven plies and its move, which another program found.
#[test]
fn a_longer_win_is_confirmed_at_its_length_alone() {
    let (state, mv) = ("8/8/3x2x1/3o4/4ox2/1xx1x3/o3x3/6x1 w", "a2-a3");
    assert_eq!(check_in("loa", state, mv, 7), Check::Holds);
    assert_eq!(check_in("loa", state, mv, 5), Check::Fails);
}

#[test]
fn a_search_that_is_too_long_is_given_up() {
    let start = games().game("loa").unwrap().start();
    let mv = start.parse_move("c1-c3").unwrap();
    assert_eq!(start.exact_win(mv, 9, 1000), Check::GivenUp);
}

#[test]
fn wins_from_our_games_take_as_many_plies_as_is_stated() {
    let text = include_str!("../../../data/loa/wins-of-mia.jsonl");
    assert_eq!(text.lines().count(), 454);
    for line in text.lines() {
        let win: serde_json::Value = serde_json::from_str(line).unwrap();
        let plies = u16::try_from(win["win_in_plies"].as_u64().unwrap()).unwrap();
        let state = Loa::parse_state(win["state"].as_str().unwrap()).unwrap();
        assert_win(&state, win["move"].as_str().unwrap(), plies);
    }
}

#[test]
fn mates_from_our_games_take_as_many_moves_as_is_stated() {
    let text = include_str!("../../../data/chess/mates-of-best.epd");
    assert_eq!(text.lines().count(), 620);
    for line in text.lines() {
        let (state, distance) = line.trim_end_matches(';').split_once(" dm ").unwrap();
        let moves: i32 = distance.parse().unwrap();
        let plies = if moves > 0 { 2 * moves - 1 } else { -2 * moves } as u16;
        match state.trim_end_matches(';').split_once(" bm ") {
            Some((state, mv)) => assert_win(&Chess::parse_state(state).unwrap(), mv, plies),
            None => assert_loss(&Chess::parse_state(state).unwrap(), plies),
        }
    }
}

/// The move wins in so many plies, and none sooner.
fn assert_win<G: Notation>(state: &G, mv: &str, plies: u16) {
    let mv = state.parse_move(mv).unwrap();
    assert_eq!(check(state, mv, plies, NODES), Check::Holds, "{}", state.state_text());
    assert!(!wins_within(state, plies.saturating_sub(2)), "{}", state.state_text());
}

/// Every move loses within so many plies, and one no sooner.
fn assert_loss<G: Notation>(state: &G, plies: u16) {
    let mut moves = Vec::new();
    state.moves(&mut moves);
    let after = |&mv: &G::Move| {
        let mut after = state.clone();
        after.play(mv);
        after
    };
    let after: Vec<G> = moves.iter().map(after).collect();
    assert!(after.iter().all(|one| wins_within(one, plies - 1)), "{}", state.state_text());
    let is_late = |one: &G| !wins_within(one, plies.saturating_sub(3));
    assert!(after.iter().any(is_late), "{}", state.state_text());
}

fn wins_within<G: Notation>(state: &G, plies: u16) -> bool {
    let mut moves = Vec::new();
    state.moves(&mut moves);
    let wins = |&mv: &G::Move| {
        let found = check(state, mv, plies, NODES);
        assert_ne!(found, Check::GivenUp, "{}", state.state_text());
        found == Check::Holds
    };
    plies > 0 && moves.iter().any(wins)
}

const NODES: u64 = 100_000_000;
