//! Small boards with everything covered, solved: what they are worth was worked out by other means.

use monteverde_banqi::Banqi;
use monteverde_game::{Game, Notation, Side};
use std::collections::HashMap;

/// A state, and what it is worth to who moves first where play without end is a draw.
const VALUES: [(&str, f64); 7] = [
    ("XX/XX - KPkp 0", -1.0),
    ("XX/XX - KGkg 0", -1.0),
    ("XX/XX - PPpp 0", -1.0),
    ("XX/XX - GCgc 0", -1.0 / 3.0),
    ("XX/XX/XX - KGPkgp 0", 0.325),
    ("XX/XX/XX - KPPkpp 0", 1.0 / 3.0),
    ("XXX/XXX - KGMkgm 0", 0.288889),
];

#[test]
fn small_boards_have_their_known_values() {
    for (text, value) in VALUES {
        // No rule may draw before the values are stable; play without end is judged by the solver.
        let start = Banqi::parse_state(&format!("{text} plies=65535,repetition=off"));
        let found = Solver::default().value(&start.expect("a state of the test"));
        assert!((found - value).abs() < 5e-7, "{text}: {found}, not {value}");
    }
}

/// Values for [`Side::First`] by the key of the state.
#[derive(Default)]
struct Solver {
    known: HashMap<u64, f64>,
}

impl Solver {
    fn value(&mut self, state: &Banqi) -> f64 {
        if let Some(outcome) = state.outcome() {
            return f64::from(outcome.value_for(Side::First));
        }
        if !state.is_pending() {
            if !self.known.contains_key(&state.key()) {
                self.solve(state);
            }
            return self.known[&state.key()];
        }
        let mut events = Vec::new();
        state.events(&mut events);
        let mut total = 0.0;
        for (event, weight) in events {
            let mut next = state.clone();
            next.settle(event);
            total += f64::from(weight) * self.value(&next);
        }
        total / f64::from(state.event_weight())
    }

    /// Solves all states that quiet moves lead to. Captures and flips leave them for ever, so what
    /// those are worth is known first. Among quiet moves, the value of the game that is drawn after
    /// n plies is worked out for n = 0, 1, 2 and so on: a side that can force more than a draw can
    /// do so in a limited time, so the values become those of the game without end.
    fn solve(&mut self, start: &Banqi) {
        let layer = Layer::of(start);
        let exits: Vec<Vec<f64>> = layer
            .exits
            .iter()
            .map(|exits| exits.iter().map(|exit| self.value(exit)).collect())
            .collect();
        let mut values = vec![0.0; layer.states.len()];
        loop {
            let best = |index: usize| {
                let inside = layer.quiet[index].iter().map(|&next| values[next]);
                let all = exits[index].iter().copied().chain(inside);
                match (layer.states[index].outcome(), layer.states[index].turn()) {
                    (Some(outcome), _) => f64::from(outcome.value_for(Side::First)),
                    (None, Side::First) => all.fold(f64::NEG_INFINITY, f64::max),
                    (None, Side::Second) => all.fold(f64::INFINITY, f64::min),
                }
            };
            let after: Vec<f64> = (0..values.len()).map(best).collect();
            if after == values {
                break;
            }
            values = after;
        }
        self.known.extend(layer.states.iter().map(Game::key).zip(values));
    }
}

/// All states that quiet moves lead to.
#[derive(Default)]
struct Layer {
    states: Vec<Banqi>,
    /// Where quiet moves lead, as numbers of states.
    quiet: Vec<Vec<usize>>,
    /// Where captures and flips lead.
    exits: Vec<Vec<Banqi>>,
}

impl Layer {
    fn of(start: &Banqi) -> Layer {
        let mut layer = Layer { states: vec![start.clone()], ..Layer::default() };
        let mut numbers = HashMap::from([(start.key(), 0)]);
        let mut moves = Vec::new();
        while let Some(state) = layer.states.get(layer.quiet.len()).cloned() {
            let (mut quiet, mut exits) = (Vec::new(), Vec::new());
            moves.clear();
            state.moves(&mut moves);
            for &mv in &moves {
                let mut next = state.clone();
                next.play(mv);
                if mv.is_flip() || state.board().is_capture(mv) {
                    exits.push(next);
                    continue;
                }
                let number = *numbers.entry(next.key()).or_insert_with(|| {
                    layer.states.push(Banqi::new(*next.board()));
                    layer.states.len() - 1
                });
                quiet.push(number);
            }
            layer.quiet.push(quiet);
            layer.exits.push(exits);
        }
        layer
    }
}
