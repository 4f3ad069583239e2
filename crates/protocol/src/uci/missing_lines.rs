//! Lines of moves that a search has not looked at, where more lines are asked for than it gives: a
//! proof ends it early, and priors keep moves from being tried for long.

use monteverde_game::limit::{Limit, NoClock, Signal};
use monteverde_game::report::{Control, Report, RootMove};
use monteverde_game::{Game, Outcome, Proof};
use monteverde_players::{AnyState, AnyStep, Overrides, Spec};
use std::collections::HashMap;
use std::time::Duration;

/// The iterations that such a move gets: little, since there may be two hundred of them while a
/// clock runs.
const ITERATIONS: u64 = 24;
/// That is little to remember, too.
const MEMORY: usize = 1 << 20;

/// Sees to it that a report has a value and a variation for as many moves as are asked for.
pub(crate) struct MissingLines {
    spec: Spec,
    state: AnyState,
    /// The moves that may be searched.
    moves: Vec<AnyStep>,
    /// So many lines are wanted, the first included.
    wanted: usize,
    /// What was found out before in this search.
    known: HashMap<AnyStep, RootMove<AnyState>>,
}

impl MissingLines {
    /// For searches of a state by that player, among `only` those moves unless it is empty.
    pub(crate) fn new(spec: &Spec, state: &AnyState, only: &[AnyStep], lines: usize) -> Self {
        let mut moves = Vec::new();
        state.moves(&mut moves);
        moves.retain(|mv| only.is_empty() || only.contains(mv));
        let wanted = lines.min(moves.len());
        let memory = Some(MEMORY);
        // A player that has no memory to set needs none.
        let small = spec.clone().with(&Overrides { memory, ..Overrides::default() });
        let spec = small.unwrap_or_else(|_| spec.clone());
        MissingLines { spec, state: state.clone(), moves, wanted, known: HashMap::new() }
    }

    /// Looks at as many moves as the report lacks.
    pub(crate) fn add_to(&mut self, report: &mut Report<AnyState>) {
        if self.wanted < 2 {
            return;
        }
        let best = report.best;
        report.moves.retain(|entry| entry.visits > 0 || Some(entry.mv) == best);
        let mut count = report.moves.len();
        if !report.moves.iter().any(|entry| Some(entry.mv) == best) {
            count += usize::from(best.is_some());
        }
        for index in 0..self.moves.len() {
            let mv = self.moves[index];
            let has_line = Some(mv) == best || report.moves.iter().any(|entry| entry.mv == mv);
            if count < self.wanted && !has_line {
                report.moves.push(self.look_at(mv));
                count += 1;
            }
        }
    }

    fn look_at(&mut self, mv: AnyStep) -> RootMove<AnyState> {
        if let Some(known) = self.known.get(&mv) {
            return known.clone();
        }
        let mut after = self.state.clone();
        after.play(mv);
        let found = match after.outcome() {
            Some(outcome) => self.ended(mv, outcome),
            None => self.searched(mv, &after),
        };
        self.known.insert(mv, found.clone());
        found
    }

    fn ended(&self, mv: AnyStep, outcome: Outcome) -> RootMove<AnyState> {
        let (mean, proof) = match outcome {
            Outcome::Win(side) if side == self.state.turn() => (1.0, Proof::Win(1)),
            Outcome::Win(_) => (-1.0, Proof::Loss(1)),
            Outcome::Draw => (0.0, Proof::Draw),
        };
        RootMove {
            mv,
            visits: 1,
            mean,
            eval: None,
            prior: None,
            policy: None,
            proof,
            bounds: None,
            pv: vec![mv],
        }
    }

    fn searched(&self, mv: AnyStep, after: &AnyState) -> RootMove<AnyState> {
        let control = Control {
            clock: &NoClock,
            signal: &Signal::default(),
            every: Duration::MAX,
            observe: &mut |_| {},
        };
        let report = self.spec.make(after).think(&Limit::iterations(ITERATIONS), control);
        let eval = report.best_move().and_then(|entry| entry.eval);
        let is_same_side = after.turn() == self.state.turn();
        let sign = if is_same_side { 1.0 } else { -1.0 };
        let proof = match report.proof {
            Proof::Win(plies) if is_same_side => Proof::Win(plies.saturating_add(1)),
            Proof::Loss(plies) if is_same_side => Proof::Loss(plies.saturating_add(1)),
            Proof::Win(plies) => Proof::Loss(plies.saturating_add(1)),
            Proof::Loss(plies) => Proof::Win(plies.saturating_add(1)),
            other => other,
        };
        RootMove {
            mv,
            visits: u32::try_from(report.figures.iterations.max(1)).unwrap_or(u32::MAX),
            mean: sign * report.mean,
            eval: eval.map(|eval| sign as f32 * eval),
            prior: None,
            policy: None,
            proof,
            bounds: None,
            pv: [mv].into_iter().chain(report.pv).collect(),
        }
    }
}
