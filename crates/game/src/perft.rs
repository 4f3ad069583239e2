//! Counting move paths.

use crate::{Game, Notation};

/// How many paths of exactly `depth` steps lead on from the state. A move is a step and so is an
/// event; a finished game has no steps.
pub fn perft<G: Game>(state: &G, depth: u32) -> u64 {
    let mut buffers = vec![Buffers::<G>::default(); depth as usize];
    count(state, &mut buffers)
}

/// The same count split by the first step: each step's text with the paths that begin with it, in
/// generation order. The counts add up to [`Game::perft`]; at depth 0 there is no first step.
/// `counted` is told after each step how many are done, and of how many.
pub fn divide<G: Notation>(
    state: &G,
    depth: u32,
    mut counted: impl FnMut(usize, usize),
) -> Vec<(String, u64)> {
    // Asked first because it is the game's own convention that decides which paths end here.
    if depth == 0 || state.perft(1) == 0 {
        return Vec::new();
    }
    let (mut moves, mut events) = (Vec::new(), Vec::new());
    state.moves(&mut moves);
    state.events(&mut events);
    let all = moves.len() + events.len();
    let after_moves = moves.into_iter().map(|mv| {
        let mut next = state.clone();
        next.play(mv);
        (state.move_text(mv), next)
    });
    let after_events = events.into_iter().map(|(event, _)| {
        let mut next = state.clone();
        next.settle(event);
        (state.event_text(event), next)
    });
    let count = |(done, (text, next)): (usize, (String, G))| {
        let paths = next.perft(depth - 1);
        counted(done, all);
        (text, paths)
    };
    (1..).zip(after_moves.chain(after_events)).map(count).collect()
}

struct Buffers<G: Game> {
    moves: Vec<G::Move>,
    events: Vec<(G::Event, u32)>,
}

impl<G: Game> Default for Buffers<G> {
    fn default() -> Self {
        Buffers { moves: Vec::new(), events: Vec::new() }
    }
}

impl<G: Game> Clone for Buffers<G> {
    fn clone(&self) -> Self {
        Buffers { moves: self.moves.clone(), events: self.events.clone() }
    }
}

fn count<G: Game>(state: &G, buffers: &mut [Buffers<G>]) -> u64 {
    let Some((here, below)) = buffers.split_first_mut() else { return 1 };
    if state.outcome().is_some() {
        return 0;
    }
    here.moves.clear();
    here.events.clear();
    state.moves(&mut here.moves);
    state.events(&mut here.events);
    if below.is_empty() {
        return (here.moves.len() + here.events.len()) as u64;
    }
    let mut paths = 0;
    for &mv in &here.moves {
        let mut next = state.clone();
        next.play(mv);
        paths += count(&next, below);
    }
    for &(event, _) in &here.events {
        let mut next = state.clone();
        next.settle(event);
        paths += count(&next, below);
    }
    paths
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{DiceRace, TicTacToe};

    #[test]
    fn tic_tac_toe_counts() {
        let counts: Vec<u64> = (0..=10).map(|depth| perft(&TicTacToe::start(), depth)).collect();
        assert_eq!(
            counts,
            [1, 9, 72, 504, 3024, 15_120, 54_720, 148_176, 200_448, 127_872, 0],
            "paths of 0 to 10 moves"
        );
    }

    /// By hand: a step leaves 2 choices, a throw 3 events, and each event 2 choices again.
    #[test]
    fn dice_counts() {
        let count = |text: &str, depth| {
            perft(&DiceRace::parse_state(text).expect("a state of the test"), depth)
        };
        assert_eq!(count("0 0 first", 1), 2);
        assert_eq!(count("0 0 first", 2), 2 + 3);
        assert_eq!(count("0 0 first", 3), (2 + 3) + 3 * 2);
        assert_eq!(count("0 0 first throws", 1), 3);
        // First steps home (Second's step or throw follows) or throws 1, 3 or 6.
        assert_eq!(count("9 9 first", 2), 2 + 3);
        // Second steps home and it is over, or throws, and each face ends it.
        assert_eq!(count("10 9 second", 2), 3);
        assert_eq!(count("10 9 second", 3), 0);
    }

    #[test]
    fn division_adds_up() {
        let state = TicTacToe::start();
        let mut steps = Vec::new();
        let parts = divide(&state, 5, |done, all| steps.push((done, all)));
        assert_eq!(steps, (1..=9).map(|done| (done, 9)).collect::<Vec<_>>());
        assert_eq!(parts.len(), 9);
        assert_eq!(parts[0], ("a3".to_owned(), 1680));
        assert_eq!(parts.iter().map(|(_, count)| count).sum::<u64>(), 15_120);
        assert_eq!(divide(&state, 0, |_, _| ()), []);
    }

    #[test]
    fn division_names_moves_and_events() {
        let named = |text: &str, depth| {
            divide(&DiceRace::parse_state(text).expect("a state of the test"), depth, |_, _| ())
        };
        let owned = |(name, count): (&str, u64)| (name.to_owned(), count);
        assert_eq!(named("0 0 first", 2), [("step", 2), ("throw", 3)].map(owned));
        assert_eq!(named("0 9 second throws", 2), [("1", 0), ("3", 0), ("6", 0)].map(owned));
        assert_eq!(named("4 2 first throws", 2), [("1", 2), ("3", 2), ("6", 2)].map(owned));
        assert_eq!(named("10 2 first", 2), []);
    }
}
