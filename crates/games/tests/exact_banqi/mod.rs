//! Exact values of small boards of Chinese dark chess, by looking at everything.

#![allow(dead_code)] // Each of the tests uses its part.

use monteverde_banqi::Banqi;
use monteverde_game::{Game, Side};
use std::collections::HashMap;

/// Values for [`Side::First`] by key and by how many plies are left.
#[derive(Default)]
pub(crate) struct Exact(HashMap<(u64, u32), f64>);

impl Exact {
    /// For a side.
    pub(crate) fn value(&mut self, state: &Banqi, side: Side) -> f64 {
        let value = self.for_first(state);
        if side == Side::First { value } else { -value }
    }

    fn for_first(&mut self, state: &Banqi) -> f64 {
        if let Some(outcome) = state.outcome() {
            return f64::from(outcome.value_for(Side::First));
        }
        let key = (state.key(), state.plies_left());
        if let Some(&value) = self.0.get(&key) {
            return value;
        }
        let value = if state.is_pending() { self.mean(state) } else { self.best(state) };
        self.0.insert(key, value);
        value
    }

    fn mean(&mut self, state: &Banqi) -> f64 {
        let mut events = Vec::new();
        state.events(&mut events);
        let total: f64 = events
            .into_iter()
            .map(|(event, weight)| {
                let mut after = state.clone();
                after.settle(event);
                f64::from(weight) * self.for_first(&after)
            })
            .sum();
        total / f64::from(state.event_weight())
    }

    fn best(&mut self, state: &Banqi) -> f64 {
        let mut moves = Vec::new();
        state.moves(&mut moves);
        let values = moves.into_iter().map(|mv| {
            let mut after = state.clone();
            after.play(mv);
            self.for_first(&after)
        });
        match state.turn() {
            Side::First => values.fold(f64::NEG_INFINITY, f64::max),
            Side::Second => values.fold(f64::INFINITY, f64::min),
        }
    }
}

/// Values for [`Side::First`] with every rule on the past: only what has no past is remembered, by
/// its key and the plies that the rules allow.
#[derive(Default)]
pub(crate) struct WithPast(HashMap<(u64, u32), f64>);

impl WithPast {
    pub(crate) fn value(&mut self, state: &Banqi) -> f64 {
        if let Some(outcome) = state.outcome() {
            return f64::from(outcome.value_for(Side::First));
        }
        let key = (state.reversible_plies() == Some(0)).then(|| (state.key(), state.plies_left()));
        if let Some(&value) = key.and_then(|key| self.0.get(&key)) {
            return value;
        }
        let value = if state.is_pending() { self.mean(state) } else { self.best(state) };
        key.map(|key| self.0.insert(key, value));
        value
    }

    fn mean(&mut self, state: &Banqi) -> f64 {
        let mut events = Vec::new();
        state.events(&mut events);
        let mut total = 0.0;
        for (event, weight) in events {
            let mut after = state.clone();
            after.settle(event);
            total += f64::from(weight) * self.value(&after);
        }
        total / f64::from(state.event_weight())
    }

    fn best(&mut self, state: &Banqi) -> f64 {
        let mut moves = Vec::new();
        state.moves(&mut moves);
        let sign = if state.turn() == Side::First { 1.0 } else { -1.0 };
        let worth = |mv| {
            let mut after = state.clone();
            after.play(mv);
            sign * self.value(&after)
        };
        sign * moves.into_iter().map(worth).fold(f64::NEG_INFINITY, f64::max)
    }
}
