//! Whether a product is one of its piece. It comes from another machine, perhaps from somebody who
//! means harm: whatever the rules and the piece decide is compared, every move is played. What a
//! search chose cannot be checked without searching again; whoever may send products could forge
//! that.

use super::piece::{Piece, PieceWork, Product};
use crate::adjudication::{Referee, decided};
use crate::contestant::ContestantKind;
use crate::measure::{Findings, Probe, ProbeKind};
use crate::opening::{Opening, OpeningLine, Step};
use crate::pace::Pace;
use crate::record::{By, Failure, GameRecord, GameResult, MoveRecord, PV_PLIES, Reason, Ruling};
use crate::seat::LONGEST_DETAIL;
use crate::suite::{Answer, Question};
use crate::task::Task;
use monteverde_game::{Game, Rng, Side};
use monteverde_players::{Aim, AnyGame, AnySearcher, AnyState, Settings};

/// Counts and times above this are no counts: sums of them could not be told any more.
const MOST: u64 = 1 << 48;

impl Piece {
    /// Checks that a product may be one of this piece; the sentence says why it is not.
    pub fn check(&self, product: &Product) -> Result<(), String> {
        match (&self.work, product) {
            (PieceWork::Game(game, task), Product::Game(record)) => {
                GameCheck::new(*game, task, record)?.check()
            }
            (PieceWork::Question(question), Product::Answer(answer)) => {
                check_answer(question, answer)
            }
            (PieceWork::Probe { probe, units }, Product::Findings(findings)) => {
                check_findings(probe, units.end - units.start, findings)
            }
            (PieceWork::Custom(custom), Product::Custom(text)) => custom.work.check(text),
            _ => Err("it is of another kind than its piece".to_owned()),
        }
    }
}

/// Plays a game again, without its players.
struct GameCheck<'a> {
    task: &'a Task,
    record: &'a GameRecord,
    state: AnyState,
    /// The steps behind the opening.
    steps: std::slice::Iter<'a, MoveRecord>,
    referee: Referee,
    ruling: Option<(GameResult, Ruling)>,
    tables: Option<AnySearcher>,
}

impl<'a> GameCheck<'a> {
    /// Compares what the task says, and plays the opening.
    fn new(game: AnyGame, task: &'a Task, record: &'a GameRecord) -> Result<Self, String> {
        let told = [
            ("key", record.key == task.key().to_string()),
            ("game", record.game == task.game),
            ("players", record.first == task.first.name && record.second == task.second.name),
            ("players", record.contestants == [task.first.text(), task.second.text()]),
            ("pair", record.pair == task.pair),
            ("seed", record.seed == task.seed),
        ];
        if let Some((what, _)) = told.iter().find(|(_, fits)| !fits) {
            return Err(format!("the {what} of the game is not that of the task"));
        }
        let time_told = record.seconds.is_finite() && record.seconds >= 0.0;
        let is_short = record.detail.chars().count() <= LONGEST_DETAIL + 1
            && record.moves.iter().all(|step| step.pv.len() <= PV_PLIES);
        if !time_told || !is_short || record.started > MOST {
            return Err("a time or a text of the game is out of bounds".to_owned());
        }
        let line = opening(game, task, record)?;
        let wrong = |error: crate::opening::OpeningError| error.to_string();
        let start = line.first_state(game).map_err(wrong)?;
        if record.start_state != start.state_text() || record.opening != line.name {
            return Err("the opening is not that of the task".to_owned());
        }
        let mut steps = record.moves.iter();
        let mut referee = Referee::new(task.adjudication);
        let (mut ruling, mut fits, mut side) = (None, true, start.turn());
        let state = line.replay(game, |text, after, step| {
            let by = if matches!(step, Step::Event(_)) { By::Chance } else { By::Opening };
            fits &= steps.next().is_some_and(|told| told.text == text && told.by == by);
            if by == By::Opening {
                ruling = referee.see(side, &MoveRecord::default());
            }
            side = after.turn();
        });
        let state = state.map_err(wrong)?;
        if !fits {
            return Err("the moves of the opening are not those of the task".to_owned());
        }
        let tables = task.adjudication.tables;
        let tables =
            tables.map(|pieces| game.searcher(&Settings { pieces, ..Settings::default() }));
        Ok(GameCheck { task, record, state, steps, referee, ruling, tables })
    }

    fn check(mut self) -> Result<(), String> {
        if self.steps.len() == 0 && self.failed_before_a_move() {
            return Ok(());
        }
        let mut rng = Rng::new(self.task.chance_seed());
        loop {
            while self.state.is_pending() {
                let event = self.state.sample_event(&mut rng);
                let text = self.state.event_text(event);
                match self.steps.next() {
                    Some(step) if step.by == By::Chance && step.text == text => {}
                    _ => return Err("chance decided otherwise".to_owned()),
                }
                self.state.settle(event);
            }
            match self.steps.next() {
                Some(step) => self.play(step)?,
                None => return self.check_end(),
            }
        }
    }

    fn play(&mut self, step: &MoveRecord) -> Result<(), String> {
        if self.state.outcome().is_some() || self.ask_referee().is_some() {
            return Err("it goes on behind its end".to_owned());
        }
        let side = self.state.turn();
        let mv = self.state.parse_move(&step.text).map_err(|error| error.to_string())?;
        if step.by != By::Player || self.state.move_text(mv) != step.text {
            return Err(format!("'{}' is not how a move is written", step.text.escape_debug()));
        }
        self.state.play(mv);
        self.ruling = self.referee.see(side, step);
        Ok(())
    }

    fn ask_referee(&self) -> Option<(GameResult, Ruling)> {
        let asked = || decided(self.tables.as_ref()?.probe(&self.state), &self.state);
        self.ruling.or_else(asked)
    }

    fn check_end(&self) -> Result<(), String> {
        let outcome = self.state.outcome();
        let ruled = if outcome.is_none() { self.ask_referee() } else { None };
        let result = self.record.result;
        let fits = match (&self.record.reason, outcome, ruled) {
            (Reason::Rule(name), Some(outcome), _) => {
                result == outcome.into() && name == self.state.ending().unwrap_or("end of the game")
            }
            (Reason::Adjudicated(ruling), None, Some(ruled)) => (result, *ruling) == ruled,
            (Reason::Failed(failure), None, None) => {
                let side = self.state.turn();
                result == GameResult::win(side.other()) && self.may_fail(side, *failure)
            }
            _ => false,
        };
        match fits {
            true => Ok(()),
            false => Err(format!("the game does not end by '{}' there", self.record.reason)),
        }
    }

    /// Whether the game is void because a player was not ready for it.
    fn failed_before_a_move(&self) -> bool {
        let result = self.record.result;
        self.record.reason.is_void() && result != GameResult::Draw
    }

    /// Whether a player of that kind can fail like that.
    fn may_fail(&self, side: Side, failure: Failure) -> bool {
        let contestant = self.task.contestant(side);
        match failure {
            Failure::TimeLoss => matches!(contestant.pace, Pace::Time(_) | Pace::Clock(_)),
            Failure::IllegalMove => matches!(contestant.kind, ContestantKind::Engine(_)),
            Failure::NoStart | Failure::Crash | Failure::Stall | Failure::Garbage => true,
        }
    }
}

/// The line that the game is to begin with. A random one that a search has judged is taken from the
/// game itself, as long as it has the right length: to find it would take that search.
fn opening(game: AnyGame, task: &Task, record: &GameRecord) -> Result<OpeningLine, String> {
    let recipe = match &task.opening {
        Opening::Random(recipe) if recipe.balance.is_some() => recipe,
        known => {
            return known
                .line(game)
                .map(|line| OpeningLine::clone(&line))
                .map_err(|error| error.to_string());
        }
    };
    let mut state = game.start();
    let (mut texts, mut played) = (Vec::new(), 0);
    let mut steps = record.moves.iter();
    while played < recipe.plies || state.is_pending() {
        let Some(step) = steps.next() else { return Err("its opening is too short".to_owned()) };
        let parsed = match state.is_pending() {
            true => state.parse_event(&step.text).map(|event| state.settle(event)),
            false if state.outcome().is_some() => {
                return Err("its opening goes on behind the end of the game".to_owned());
            }
            false => state.parse_move(&step.text).map(|mv| {
                state.play(mv);
                played += 1;
            }),
        };
        parsed.map_err(|error| error.to_string())?;
        texts.push(step.text.clone());
    }
    Ok(OpeningLine::random(texts))
}

fn check_answer(question: &Question, answer: &Answer) -> Result<(), String> {
    let has_plies = match answer.proof.as_str() {
        "win" | "loss" => true,
        "open" | "draw" => false,
        other => return Err(format!("'{}' is no proof", other.escape_debug())),
    };
    let is_checked = matches!(question.puzzle.aim, Aim::Win(_)) && answer.proof == "win";
    if answer.plies.is_some() != has_plies || answer.check.is_some() != is_checked {
        return Err("what is proven does not fit its length or its check".to_owned());
    }
    let counts = [answer.iterations, answer.nodes.unwrap_or(0), answer.micros];
    if counts.iter().any(|&count| count > MOST) {
        return Err("a count of the answer is out of bounds".to_owned());
    }
    let state = question.game.parse_state(&question.puzzle.state);
    check_move(&state.map_err(|error| error.to_string())?, &answer.best)
}

fn check_move(state: &AnyState, text: &str) -> Result<(), String> {
    let mv = state.parse_move(text).map_err(|error| error.to_string())?;
    match state.move_text(mv) == text {
        true => Ok(()),
        false => Err(format!("'{}' is not how a move is written", text.escape_debug())),
    }
}

/// Compares how much was counted with the units that were asked for, and parts with their sums.
fn check_findings(probe: &Probe, count: u64, findings: &Findings) -> Result<(), String> {
    let fits = match (&probe.kind, findings) {
        (ProbeKind::Playouts { .. }, Findings::Playouts(tally)) => {
            let points = [tally.first, tally.draw, tally.second];
            tally.count == count
                && sum(points) == Some(count)
                && sum(tally.endings.values().copied()).is_some_and(|sum| sum <= count)
                && tally.plies <= MOST
        }
        (ProbeKind::Searches { .. }, Findings::Searches(choices)) => {
            let state = probe.state().map_err(|error| error.to_string())?;
            for text in choices.moves.keys() {
                check_move(&state, text)?;
            }
            choices.count == count && sum(choices.moves.values().copied()) == Some(count)
        }
        (ProbeKind::Until { limit, .. }, Findings::Until(waits)) => {
            let mut hits = waits.hits.iter().flatten();
            waits.limit == *limit
                && waits.hits.len() as u64 == count
                && hits.all(|hit| hit.iterations <= MOST && hit.micros <= MOST)
        }
        (ProbeKind::Mating { .. }, Findings::Mating(hunts)) => {
            /// No game has so many moves, and no state.
            const MANY: u32 = 1 << 20;
            let is_one = |hunt: &crate::measure::Hunt| {
                hunt.moves <= MANY && hunt.judged <= hunt.moves && hunt.difference <= MANY
            };
            hunts.len() as u64 == count && hunts.iter().all(is_one)
        }
        (ProbeKind::Endings { .. }, Findings::Endings(mates)) => mates.len() as u64 == count,
        (ProbeKind::Shape { .. }, Findings::Shape(shape)) => {
            let gauges = shape.gauges.len();
            let is_one = |ply: &crate::measure::PlySums| {
                let sums = ply.sums.iter().chain(&ply.squares);
                ply.games <= count
                    && ply.sums.len() == gauges
                    && ply.squares.len() == gauges
                    && sums.copied().all(|sum| sum <= MOST)
            };
            shape.games == count && shape.plies.iter().all(is_one)
        }
        (ProbeKind::Prediction { players, .. }, Findings::Prediction(ranks)) => {
            let is_one = |ranks: &crate::measure::Ranks| {
                ranks.moves <= MOST && sum(ranks.counts.iter().copied()) == Some(ranks.moves)
            };
            ranks.len() == players.len() && ranks.iter().all(is_one)
        }
        _ => return Err("the findings are of another kind than their measurement".to_owned()),
    };
    match fits {
        true => Ok(()),
        false => Err("the findings do not add up to their measurement".to_owned()),
    }
}

fn sum(counts: impl IntoIterator<Item = u64>) -> Option<u64> {
    counts.into_iter().try_fold(0u64, u64::checked_add)
}
