//! The search from the root: deepening, windows, limits.

use crate::config::Config;
use crate::node::Try;
use crate::order::{Order, Ranked, bring_best};
use crate::report::{self, Standing};
use crate::run::{Frame, Run, Watch, table_key};
use crate::table::Table;
use crate::tactics::Tactics;
use crate::value::{
    Basis, Depth, FoundValue, INFINITE, LEAST_WIN, MOST_PLIES, PLY, Value, WIN, Window, is_decided,
};
use monteverde_game::limit::{Limit, NoClock, Signal};
use monteverde_game::report::{Control, Report};
use monteverde_game::{Game, Never, Rng, Ties};
use std::time::Duration;

/// A search with what it has learnt, which stays from move to move.
#[derive(Debug)]
pub struct Search<G: Game, T> {
    config: Config,
    tactics: T,
    table: Option<Table<G::Move>>,
    order: Order<G::Move>,
    frames: Vec<Frame<G>>,
    /// How many searches have been run; numbers the streams of random numbers.
    runs: u64,
}

impl<G: Game<Event = Never>, T: Tactics<G>> Search<G, T> {
    /// A search. Games with chance are refused by the compiler: alpha-beta has no rule for chance.
    pub fn new(config: Config, tactics: T) -> Self {
        let table = config.table.map(Table::new);
        let order = Order::new(&config);
        Search { config, tactics, table, order, frames: Vec::new(), runs: 0 }
    }

    /// The configuration.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// Forgets what it has learnt.
    pub fn forget(&mut self) {
        self.order.clear();
        if let Some(table) = &mut self.table {
            table.clear();
        }
    }

    /// Begins anew: as [`Search::forget`], and the random numbers start where they did at first.
    pub fn restart(&mut self) {
        self.forget();
        self.runs = 0;
    }

    /// Searches a state until a limit is reached; see [`Search::watch`].
    pub fn run(&mut self, state: &G, limit: &Limit<G::Move>) -> Report<G> {
        let control = Control {
            clock: &NoClock,
            signal: &Signal::default(),
            every: Duration::MAX,
            observe: &mut |_| {},
        };
        self.watch(state, limit, control)
    }

    /// Searches a state until a limit is reached, the signal says stop, or all is known. Limits in
    /// iterations count nodes. The state is searched even if a rule has ended the game, as long as
    /// it has moves. A win within [`Limit::mate`] plies ends it at once; without that it goes on
    /// until none can be nearer.
    ///
    /// In the report the best move's value is exact for its depth, the others' are upper bounds;
    /// visits are nodes. Observers see the last iteration that was finished.
    pub fn watch(
        &mut self,
        state: &G,
        limit: &Limit<G::Move>,
        control: Control<'_, G>,
    ) -> Report<G> {
        let Control { clock, signal, every, observe } = control;
        if let Some(time) = limit.time {
            signal.set_deadline(time);
        }
        self.order.begin();
        if let Some(table) = &mut self.table {
            table.begin();
        }
        match self.frames.first_mut() {
            Some(root) => root.state.clone_from(state),
            None => self.frames.push(Frame::new(state)),
        }
        let mut run = Run {
            config: &self.config,
            tactics: &self.tactics,
            table: self.table.as_mut(),
            order: &mut self.order,
            frames: &mut self.frames,
            list: Vec::new(),
            watch: Watch {
                clock,
                signal,
                most_nodes: limit
                    .iterations
                    .unwrap_or(u64::MAX)
                    .min(limit.nodes.unwrap_or(u64::MAX)),
                enough: enough(limit),
            },
            nodes: 0,
            depth: 0,
            deepest: 0,
            is_stopped: false,
        };
        let mut standing = Standing::new(root_moves(&mut run, limit));
        let mut next = every;
        let most = most_depth(&self.config, limit);
        let first = if self.config.deepening { 1 } else { most };
        for depth in first..=most {
            if standing.moves.is_empty() || !deepen(&mut run, &mut standing, depth) {
                break;
            }
            let elapsed = clock.elapsed();
            if elapsed >= next {
                next = elapsed.saturating_add(every);
                observe(&report::report(state, &standing, &run, elapsed));
            }
            if is_settled(&standing) || standing.found.value.abs() >= run.watch.enough {
                break;
            }
        }
        if self.config.ties == Ties::Random {
            standing.draw_lots(&mut Rng::stream(self.config.seed, self.runs));
        }
        self.runs += 1;
        report::report(state, &standing, &run, clock.elapsed())
    }
}

/// How deep a search goes that has no other limit; deeper, its plies could not be counted.
pub const MOST_DEPTH: u32 = MOST_PLIES as u32 / 2;

fn most_depth<M>(config: &Config, limit: &Limit<M>) -> u32 {
    [config.depth, limit.depth].into_iter().flatten().fold(MOST_DEPTH, u32::min).max(1)
}

/// The value of a win that is near enough to end the search.
fn enough<M>(limit: &Limit<M>) -> Value {
    match limit.mate {
        Some(plies) => WIN - plies.min((WIN - LEAST_WIN) as u32) as Value,
        None => INFINITE,
    }
}

/// The moves that are to be searched at the root, the likely best first.
fn root_moves<G: Game<Event = Never>, T: Tactics<G>>(
    run: &mut Run<'_, G, T>,
    limit: &Limit<G::Move>,
) -> Vec<Ranked<G::Move>> {
    let key = table_key(&run.frames[0].state);
    let known = run.table.as_ref().and_then(|table| table.probe(key)).and_then(|entry| entry.mv);
    run.list_moves(0, known);
    let mut moves = run.frames[0].moves.clone();
    for index in 0..moves.len() {
        bring_best(&mut moves, index);
    }
    if !limit.only.is_empty() {
        moves.retain(|ranked| limit.only.contains(&ranked.mv));
    }
    moves
}

/// Whether looking further cannot change anything: every line was followed to the end of the game,
/// or the win or loss is nearer than the search has looked.
fn is_settled<G: Game>(standing: &Standing<G>) -> bool {
    let FoundValue { value, basis } = standing.found;
    let is_near = is_decided(value) && WIN - value.abs() <= standing.depth as Value;
    is_near || !basis.contains(Basis::HORIZON)
}

/// One iteration to a depth; `false` if it was stopped. What it found until then is kept if it is
/// better than nothing.
fn deepen<G: Game<Event = Never>, T: Tactics<G>>(
    run: &mut Run<'_, G, T>,
    standing: &mut Standing<G>,
    depth: u32,
) -> bool {
    run.depth = depth as Depth * PLY;
    let last = standing.found.value;
    let mut window = match run.config.aspiration {
        Some(width) if standing.depth > 0 && !is_decided(last) => {
            Window { alpha: last - width, beta: last + width }
        }
        _ => UNDECIDED,
    };
    loop {
        let found = search_root(run, standing, window);
        if run.is_stopped {
            return false;
        }
        // At first only whether it is won or lost is asked, and then how fast, which costs many
        // times as much.
        if found.value <= window.alpha {
            window.alpha = if window.alpha > UNDECIDED.alpha { UNDECIDED.alpha } else { -INFINITE };
        } else if found.value >= window.beta {
            window.beta = if window.beta < UNDECIDED.beta { UNDECIDED.beta } else { INFINITE };
        } else {
            standing.depth = depth;
            return true;
        }
    }
}

/// Tells a win from a loss and both from anything else.
const UNDECIDED: Window = Window { alpha: -LEAST_WIN, beta: LEAST_WIN };

/// Searches every move of the root within the window.
fn search_root<G: Game<Event = Never>, T: Tactics<G>>(
    run: &mut Run<'_, G, T>,
    standing: &mut Standing<G>,
    window: Window,
) -> FoundValue {
    let is_urgent = run.needs_urgency() && run.tactics.is_urgent(&run.frames[0].state);
    let mut best = FoundValue { value: -INFINITE, basis: Basis::RULES };
    for index in 0..standing.moves.len() {
        let alpha = match run.config.ties {
            // Equals must be told from worse ones.
            Ties::Random | Ties::Last => window.alpha.max(best.value - 1),
            Ties::First => window.alpha.max(best.value),
        };
        let before = run.nodes;
        let attempt = Try { ranked: standing.moves[index].ranked, index, is_urgent };
        let open = Window { alpha, beta: window.beta };
        let found = run.child(0, run.depth, open, attempt);
        let entry = &mut standing.moves[index];
        entry.nodes += run.nodes - before;
        if run.is_stopped {
            return best;
        }
        entry.found = found;
        let is_last = run.config.ties == Ties::Last && found.value == best.value;
        let is_better = found.value > best.value || is_last;
        if is_better || found.value > alpha {
            entry.pv.clear();
            entry.pv.push(attempt.ranked.mv);
            entry.pv.extend_from_slice(&run.frames[1].pv);
        }
        best.value = best.value.max(found.value);
        best.basis = best.basis | found.basis;
        if is_better && found.value > window.alpha {
            standing.lead(index, best);
        }
        if best.value >= run.watch.enough {
            run.is_stopped = true;
        }
        if best.value >= window.beta || run.is_stopped {
            return best;
        }
    }
    // With every move searched the value rests on all of them.
    if best.value > window.alpha {
        standing.found = best;
    }
    best
}
