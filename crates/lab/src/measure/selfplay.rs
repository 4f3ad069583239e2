//! Games of a player against itself, looked at move by move.

use monteverde_game::rng::stream_seed;
use monteverde_game::{Game, Rng, Side};
use monteverde_mcts::{Control, Limit, NoClock, Signal};
use monteverde_players::{AnyState, AnyStep, Overrides, Player, Spec};
use std::time::Duration;

/// A state in a game, and what was played there.
pub(super) struct Moment<'a> {
    pub(super) state: &'a AnyState,
    /// All legal moves.
    pub(super) moves: &'a [AnyStep],
    pub(super) played: AnyStep,
}

/// Random numbers for chance, apart from those of both sides.
const CHANCE: u64 = 2;

/// Plays a game from a state, each side with so many iterations a move and a tree of its own, and
/// shows every moment of it.
pub(super) fn play(
    spec: &Spec,
    start: &AnyState,
    (iterations, seed): (u64, u64),
    mut see: impl FnMut(Moment<'_>),
) {
    let side = |side: Side| {
        let seed = Some(stream_seed(seed, side as u64));
        let overrides = Overrides { seed, ..Overrides::default() };
        spec.clone().with(&overrides).expect("every seed is accepted").make(start)
    };
    let mut players: [Box<dyn Player<AnyState>>; 2] = [side(Side::First), side(Side::Second)];
    let mut chance = Rng::stream(seed, CHANCE);
    let mut state = start.clone();
    let mut moves = Vec::new();
    while state.outcome().is_none() {
        let control = Control {
            clock: &NoClock,
            signal: &Signal::default(),
            every: Duration::MAX,
            observe: &mut |_| (),
        };
        let limit = Limit::iterations(iterations);
        let report = players[state.turn() as usize].think(&limit, control);
        let played = report.best.expect("a state that is not over has a move");
        moves.clear();
        state.moves(&mut moves);
        see(Moment { state: &state, moves: &moves, played });
        state.play(played);
        players.iter_mut().for_each(|player| player.play(played));
        while state.is_pending() {
            let event = state.sample_event(&mut chance);
            state.settle(event);
            players.iter_mut().for_each(|player| player.settle(event));
        }
    }
}
