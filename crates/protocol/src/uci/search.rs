//! A search on a thread of its own.

use super::game_record::GameRecord;
use super::info::InfoStyle;
use super::missing_lines::MissingLines;
use super::plan::{ResultHold, SearchPlan};
use super::{Event, SearchEvent};
use monteverde_game::Proof;
use monteverde_game::limit::{Clock, Limit, Signal};
use monteverde_game::report::{Control, Report};
use monteverde_players::forced::{Answer, Budget};
use monteverde_players::{AnyState, AnyStep, Player, Spec, WallClock};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::SyncSender;
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// Reports are told about so often, except for the first, which comes sooner.
const BETWEEN_REPORTS: Duration = Duration::from_millis(500);
/// How often the search is looked at.
const LOOK: Duration = Duration::from_millis(100);
/// What the exact search and the player get at their first turn, where a mate is asked for.
const FIRST_SHARE: u64 = 1_000;
/// The iterations of a search that was stopped before it began, or was asked for without any limit
/// that could be read: some milliseconds.
pub(crate) const BRIEF: u64 = 64;

/// A player and where it stands.
pub(crate) struct SeatedPlayer {
    spec: Spec,
    record: GameRecord,
    player: Box<dyn Player<AnyState>>,
    /// The endgame tables that it asks.
    edition: usize,
}

impl SeatedPlayer {
    /// A new player at the end of a record.
    pub(crate) fn new(spec: Spec, record: &GameRecord) -> SeatedPlayer {
        let edition = record.state().game().tables_edition();
        let player = spec.make(record.state());
        SeatedPlayer { spec, record: record.clone(), player, edition }
    }

    /// Which endgame tables it asks.
    pub(crate) fn edition(&self) -> usize {
        self.edition
    }

    /// What the player was made from.
    pub(crate) fn spec(&self) -> &Spec {
        &self.spec
    }

    /// Whether it is the player of that spec.
    pub(crate) fn is(&self, spec: &Spec) -> bool {
        self.spec == *spec
    }

    /// Begins a new game at the end of a record.
    pub(crate) fn begin(&mut self, record: &GameRecord) {
        self.player.begin(record.state());
        self.record = record.clone();
    }

    /// Goes to the end of a record; what is known is kept where it goes on from the last one.
    pub(crate) fn follow(&mut self, record: &GameRecord) {
        match record.since(&self.record) {
            Some(moves) => moves.iter().for_each(|&mv| self.player.play(mv)),
            None => self.player.jump(record.state()),
        }
        self.record = record.clone();
    }
}

/// A search that is running, or whose result is held back.
pub(crate) struct RunningSearch {
    /// What is searched.
    pub(crate) state: AnyState,
    /// How its reports are written.
    pub(crate) style: InfoStyle,
    /// What has to happen before the result may be told.
    pub(crate) hold: ResultHold,
    /// The result, once there is one.
    pub(crate) result: Option<Report<AnyState>>,
    /// Whether nothing but a proof ends it.
    pub(crate) until_proof: bool,
    endless: bool,
    time: Option<Duration>,
    clock: WallClock,
    signal: Arc<Signal>,
    thread: JoinHandle<()>,
}

impl RunningSearch {
    /// Starts a search, whose time counts from the start of `clock`.
    pub(crate) fn start(
        seated: SeatedPlayer,
        plan: SearchPlan,
        style: InfoStyle,
        clock: WallClock,
        events: SyncSender<Event>,
    ) -> RunningSearch {
        let signal = Arc::new(Signal::default());
        let SearchPlan { limit, time, hold, mate, endless, until_proof } = plan;
        if hold != ResultHold::UntilPonderHit
            && let Some(time) = time
        {
            signal.set_deadline(time);
        }
        let state = seated.record.state().clone();
        let proves_mates = seated.spec.proves_mates();
        let to_job = Arc::clone(&signal);
        let lines = MissingLines::new(&seated.spec, &state, &limit.only, style.multi_pv);
        let job =
            SearchJob { seated, limit, mate, proves_mates, lines, clock, signal: to_job, events };
        let thread = thread::spawn(move || job.run());
        RunningSearch {
            state,
            style,
            hold,
            result: None,
            until_proof,
            endless,
            time,
            clock,
            signal,
            thread,
        }
    }

    /// Ends the search, whose result may then be told.
    pub(crate) fn stop(&mut self) {
        self.signal.stop();
        self.hold = ResultHold::Free;
    }

    /// Whether it has been told to stop and its result may be told. A search that has found its
    /// mate stops by itself, and then may still wait for `stop` or `ponderhit`.
    pub(crate) fn is_stopping(&self) -> bool {
        self.hold == ResultHold::Free && self.signal.is_stopped()
    }

    /// The move on which the search ponders was played: its time begins now.
    pub(crate) fn ponder_hit(&mut self) {
        if self.hold != ResultHold::UntilPonderHit {
            return;
        }
        self.hold = if self.endless { ResultHold::UntilStop } else { ResultHold::Free };
        if let Some(time) = self.time {
            self.signal.set_deadline(self.clock.elapsed().saturating_add(time));
        }
    }

    /// Waits for the thread, which must have been told to stop. Whatever it sends meanwhile must
    /// have somewhere to go.
    pub(crate) fn join(self) {
        // A panic of the thread has been sent as its result.
        let _ = self.thread.join();
    }
}

/// What the thread has to do.
struct SearchJob {
    seated: SeatedPlayer,
    limit: Limit<AnyStep>,
    mate: Option<u32>,
    /// Whether the player proves mates as it searches.
    proves_mates: bool,
    lines: MissingLines,
    clock: WallClock,
    signal: Arc<Signal>,
    events: SyncSender<Event>,
}

/// How a player begins to think.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Thought {
    /// As at any move.
    Anew,
    /// With what the last thought about the same state has left.
    On,
}

impl SearchJob {
    fn run(mut self) {
        let limit = self.limit.clone();
        let result = catch_unwind(AssertUnwindSafe(|| {
            let report = match self.mate {
                None => self.think(&limit, Thought::Anew),
                Some(plies) => self.look_for_mate(&limit, plies),
            };
            let came_too_late = report.figures.iterations == 0 && self.signal.is_stopped();
            let mut report = if came_too_late { self.think_briefly(&limit) } else { report };
            self.lines.add_to(&mut report);
            report
        }));
        let seated = self.seated;
        let finished = result.map(|report| Box::new((seated, report)));
        // Nobody listens any more after `quit`.
        let _ = self.events.send(Event::Search(SearchEvent::Finished(finished)));
    }

    fn think(&mut self, limit: &Limit<AnyStep>, thought: Thought) -> Report<AnyState> {
        let mut next = Duration::ZERO;
        let (signal, events, mate) = (&self.signal, &self.events, self.mate);
        let lines = &mut self.lines;
        let mut observe = |report: &Report<AnyState>| {
            // A win that is near enough, or a proof that there is none.
            let is_settled = |most: u32| match report.proof {
                Proof::Open => false,
                Proof::Win(plies) => u32::from(plies) <= most,
                Proof::Draw | Proof::Loss(_) => true,
            };
            if mate.is_some_and(is_settled) {
                signal.stop();
            }
            if report.figures.elapsed >= next {
                next = report.figures.elapsed + BETWEEN_REPORTS;
                let mut report = report.clone();
                lines.add_to(&mut report);
                // If nobody has time to read the report, the next one will do.
                let _ = events.try_send(Event::Search(SearchEvent::Progress(Box::new(report))));
            }
        };
        let control = Control { clock: &self.clock, signal, every: LOOK, observe: &mut observe };
        match thought {
            Thought::Anew => self.seated.player.think(limit, control),
            Thought::On => self.seated.player.think_on(limit, control, &mut |_| {}),
        }
    }

    /// A few iterations that cannot be stopped.
    fn think_briefly(&mut self, limit: &Limit<AnyStep>) -> Report<AnyState> {
        self.signal = Arc::new(Signal::default());
        let iterations = limit.iterations.unwrap_or(u64::MAX).min(BRIEF);
        self.think(&Limit { iterations: Some(iterations), ..limit.clone() }, Thought::Anew)
    }

    /// Proves or refutes a mate within so many plies, and says which, or that the limit left it
    /// undecided. First searches a little, for a move to answer with in any case. Then an exact
    /// search, which alone can refute, and the player, if it proves mates, which finds longer ones
    /// sooner, take turns, each time twice as long.
    fn look_for_mate(&mut self, limit: &Limit<AnyStep>, plies: u32) -> Report<AnyState> {
        let state = self.seated.record.state().clone();
        let moves = plies.div_ceil(2);
        let mut left = limit.iterations.unwrap_or(u64::MAX);
        let brief = Limit { iterations: Some(left.min(BRIEF)), depth: None, ..limit.clone() };
        let mut report = self.think(&brief, Thought::Anew);
        left -= report.figures.iterations.min(left);
        if report.best.is_none() {
            return report;
        }
        let mut share = FIRST_SHARE;
        let verdict = loop {
            if let Some(verdict) = verdict(report.proof, plies) {
                break verdict;
            }
            let nodes = left.min(share);
            let mut budget = Budget { nodes, clock: &self.clock, signal: &self.signal };
            let asked = plies.min(limit.depth.unwrap_or(u32::MAX));
            let asked_plies = u16::try_from(asked).unwrap_or(u16::MAX);
            let answer = state.forced_win(asked_plies, &limit.only, &mut budget);
            left -= nodes - budget.nodes;
            report.figures.iterations += nodes - budget.nodes;
            match answer {
                Answer::Won { plies, line } => {
                    take_line(&mut report, Proof::Win(plies), line);
                    break MateVerdict::Proven;
                }
                Answer::Refuted if asked == plies => break MateVerdict::Refuted,
                Answer::Refuted => break MateVerdict::Undecided,
                Answer::Undecided => {}
            }
            let is_due = self.signal.is_stopped() || self.signal.is_due(self.clock.elapsed());
            if is_due || left == 0 {
                break MateVerdict::Undecided;
            }
            if self.proves_mates {
                let before = report.figures;
                let limit = Limit { iterations: Some(left.min(share)), ..limit.clone() };
                report = self.think(&limit, Thought::On);
                left -= report.figures.iterations.min(left);
                report.figures.iterations += before.iterations;
                report.figures.kept = before.kept;
            }
            share = share.saturating_mul(2);
        };
        let text = match verdict {
            MateVerdict::Proven => None,
            MateVerdict::Refuted => Some(format!("there is no mate in {moves}")),
            MateVerdict::Undecided => {
                Some(format!("a mate in {moves} is neither proven nor refuted within the limit"))
            }
        };
        if let Some(text) = text {
            // Nobody listens any more after `quit`.
            let _ = self.events.send(Event::Search(SearchEvent::Remark(text)));
        }
        choose_shortest_win(&mut report);
        report.figures.elapsed = self.clock.elapsed();
        report
    }
}

/// What has become of a mate that was asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum MateVerdict {
    Proven,
    Refuted,
    Undecided,
}

/// What a proof says of a mate within so many plies.
fn verdict(proof: Proof, plies: u32) -> Option<MateVerdict> {
    match proof {
        Proof::Win(found) if u32::from(found) <= plies => Some(MateVerdict::Proven),
        Proof::Draw | Proof::Loss(_) => Some(MateVerdict::Refuted),
        Proof::Open | Proof::Win(_) => None,
    }
}

/// Puts a line that wins into a report.
fn take_line(report: &mut Report<AnyState>, proof: Proof, line: Vec<AnyStep>) {
    (report.proof, report.best) = (proof, line.first().copied());
    let best = report.moves.iter_mut().find(|entry| Some(entry.mv) == report.best);
    if let Some(entry) = best {
        entry.proof = proof;
        entry.pv.clone_from(&line);
    }
    report.pv = line;
}

/// Where a win is proven, the report's choice becomes the shortest.
fn choose_shortest_win(report: &mut Report<AnyState>) {
    let wins = report.moves.iter().filter_map(|found| match found.proof {
        Proof::Win(plies) => Some((plies, found)),
        _ => None,
    });
    if let Some((_, found)) = wins.min_by_key(|&(plies, _)| plies) {
        report.best = Some(found.mv);
        report.pv.clone_from(&found.pv);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use monteverde_games::games;
    use std::sync::mpsc::sync_channel;

    /// Else `stop` and `ponderhit` would wait for the result that waits for them.
    #[test]
    fn a_search_that_stops_by_itself_still_hears_what_its_result_waits_for() {
        let chess = games().game("chess").expect("a game of ours");
        for hold in [ResultHold::UntilStop, ResultHold::UntilPonderHit] {
            let spec = Spec::read(chess, "mcc:memory=1MiB").expect("a spec of the test");
            let limit = Limit::none();
            let plan = SearchPlan {
                limit,
                time: None,
                hold,
                mate: Some(1),
                endless: false,
                until_proof: false,
            };
            let style = InfoStyle { multi_pv: 1, show_wdl: false };
            let (sender, events) = sync_channel(64);
            let seated = SeatedPlayer::new(spec, &GameRecord::start(chess));
            let mut running = RunningSearch::start(seated, plan, style, WallClock::start(), sender);
            running.signal.stop();
            assert!(!running.is_stopping());
            running.stop();
            assert!(running.is_stopping());
            drop(events);
            running.join();
        }
    }
}
