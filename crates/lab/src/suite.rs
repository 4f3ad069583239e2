//! Suites: many states, each with a question that one search answers.
//!
//! A question is a mate or win of stated length that is to be proven, a move that is to be found or
//! avoided, or, where the file says nothing, any proof at all. Each answer goes into the store
//! under a key of its own. Where a win is asked for, whatever a player claims is checked by an
//! exact search.

mod read;
mod table;

pub use table::{Row, Spent, SuiteResult};

use crate::behaviour::{Asked, behaviour};
use crate::crew::{self, Crew, CrewError, Piece, Product};
use crate::digest::beginning;
use crate::hands::Hands;
use crate::progress::{Observer, Watch};
use crate::shard::{Shard, ShardDone};
use crate::store::{Store, StoreError};
use crate::task::Key;
use monteverde_game::{NotationError, Proof, Rng};
use monteverde_mcts::{Control, Limit, Report, Signal};
use monteverde_players::exact::Check;
use monteverde_players::{
    Aim, AnyGame, AnyState, Overrides, Puzzle, Spec, SpecError, WallClock, text_file,
};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

/// The questions of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Suite {
    /// The game.
    pub game: AnyGame,
    /// The questions, in the order of the file.
    pub questions: Vec<Puzzle>,
}

/// Who is to answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Solver {
    /// The player's spec; its seed is used for every question.
    pub player: String,
    /// The most that a question gets.
    pub most: Spend,
    /// The program that searches.
    pub build: String,
}

/// One question, and who is to answer it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Question {
    /// The game.
    pub game: AnyGame,
    /// Who is to answer.
    pub solver: Solver,
    /// What is asked.
    pub puzzle: Puzzle,
}

/// What is spent on a question.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Spend {
    /// Iterations.
    Iterations(u64),
    /// Nodes, see [`monteverde_game::report::Figures::nodes`].
    Nodes(u64),
}

/// What a search came to.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Answer {
    /// What is proven for the side to move: `open`, `win`, `draw` or `loss`.
    pub proof: String,
    /// In how many plies.
    pub plies: Option<u16>,
    /// The move that was chosen.
    pub best: String,
    /// Iterations that were spent.
    pub iterations: u64,
    /// Nodes that were spent, where they were counted.
    pub nodes: Option<u64>,
    /// The time that was spent, in microseconds.
    pub micros: u64,
    /// What an exact search says of the win that is claimed, where one was asked for and one is
    /// claimed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub check: Option<Check>,
}

/// How an answer fits its question.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mark {
    /// It does.
    Right,
    /// A mate is proven, but a longer one than is stated.
    Longer,
    /// Nothing is proven, or another move was chosen.
    Open,
    /// A win is claimed that an exact search could neither confirm nor refute in the time it had.
    Unchecked,
    /// What is proven contradicts what is stated, or the exact search.
    Wrong,
}

/// Why a suite cannot be read or solved.
#[derive(Debug, thiserror::Error)]
pub enum SuiteError {
    /// There is no such player.
    #[error(transparent)]
    Player(#[from] SpecError),
    /// The file cannot be read.
    #[error("the suite '{}' cannot be read: {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// A line is no question.
    #[error("the suite '{}', line {line}: {problem}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line's number, from 1.
        line: usize,
        /// What is wrong with it.
        problem: String,
    },
    /// There is nothing to solve.
    #[error("the suite '{}' holds no state that can be searched", .0.display())]
    Empty(PathBuf),
    /// A state of a question cannot be read.
    #[error(transparent)]
    Notation(#[from] NotationError),
    /// The store fails.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The workers on other machines cannot go on.
    #[error(transparent)]
    Crew(#[from] CrewError),
    /// Only a shard was to be answered, and was.
    #[error(transparent)]
    Shard(#[from] ShardDone),
}

/// How often a search is asked whether its root is proven.
const EVERY: Duration = Duration::from_millis(10);

/// An exact search of a claim is given up after so many nodes: a few times what a plain search
/// needs from the root for the hardest win in nine plies that we have seen, 12 million.
const MOST_CHECKED: u64 = 50_000_000;

impl Suite {
    /// Reads a file: for chess EPD, with the operations `bm`, `am`, `dm` and `id`, where `bm #3`
    /// asks for a mate in 3; for other games a state a line. A file whose name ends in `.jsonl` has
    /// an object a line, with a `state` and, where they are known, an `id` and `win_in_plies`.
    pub fn read(game: AnyGame, path: &Path) -> Result<Suite, SuiteError> {
        let text = text_file::read(path, text_file::DATA)
            .map_err(|error| SuiteError::File { path: path.to_owned(), error })?;
        read::suite(game, path, &text)
    }

    /// At most `limit` of the questions, in the order of the file: the first ones, or, with a seed,
    /// some that are drawn by it.
    pub fn sample(mut self, limit: usize, seed: Option<u64>) -> Suite {
        if let Some(seed) = seed
            && limit < self.questions.len()
        {
            let mut rng = Rng::new(seed);
            let mut numbers: Vec<usize> = (0..self.questions.len()).collect();
            for index in 0..limit {
                let other = index + rng.below((numbers.len() - index) as u32) as usize;
                numbers.swap(index, other);
            }
            let mut chosen = numbers[..limit].to_vec();
            chosen.sort_unstable();
            self.questions = chosen.into_iter().map(|at| self.questions[at].clone()).collect();
        }
        self.questions.truncate(limit);
        self
    }
}

impl Solver {
    /// Checks that there is such a player.
    pub fn check(&self, game: AnyGame) -> Result<(), SuiteError> {
        Spec::read(game, &self.player)?;
        Ok(())
    }

    /// Answers every question that the store does not know the answer to, so many at a time, each
    /// on one thread of its own; equal questions are searched once. The answers are in the order of
    /// the questions. A shard answers its share, and ends in [`SuiteError::Shard`].
    pub fn solve(
        &self,
        suite: &Suite,
        store: &mut Store,
        hands: impl Into<Hands>,
        observe: &mut Observer<'_>,
    ) -> Result<Vec<Answer>, SuiteError> {
        let hands = hands.into();
        self.check(suite.game)?;
        let questions = self.distinct(suite, hands.shard);
        if hands.shard.is_some() {
            store.note_due(questions.iter().map(|one| one.key))?;
        }
        let watch = Watch::new(1, questions.iter().map(DistinctQuestion::count).sum(), observe);
        let shared = Mutex::new((store, watch));
        let answers = SuiteRunner { questions, shared }.solve(&hands)?;
        match hands.shard {
            None => Ok(answers),
            Some(shard) => Err(ShardDone(shard).into()),
        }
    }

    /// Notes in the file of a shard which questions it is to answer.
    pub fn note_due(
        &self,
        suite: &Suite,
        store: &mut Store,
        shard: Shard,
    ) -> Result<(), SuiteError> {
        store.note_due(self.distinct(suite, Some(shard)).iter().map(|one| one.key))?;
        Ok(())
    }

    /// The questions of a suite without their repetitions, or those of them that fall to a shard.
    /// Another player's are dealt from another shard on.
    fn distinct(&self, suite: &Suite, shard: Option<Shard>) -> Vec<DistinctQuestion> {
        let mut all: Vec<DistinctQuestion> = Vec::new();
        let mut places: HashMap<Key, usize> = HashMap::new();
        for (number, puzzle) in suite.questions.iter().enumerate() {
            let puzzle = puzzle.clone();
            let question = Question { game: suite.game, solver: self.clone(), puzzle };
            let key = question.key();
            let place = *places.entry(key).or_insert(all.len());
            if place == all.len() {
                all.push(DistinctQuestion { question, key, numbers: Vec::new() });
            }
            all[place].numbers.push(number);
        }
        let work = beginning(blake3::hash(self.player.as_bytes()));
        let is_own = |place: u64| shard.is_none_or(|shard| shard.takes(work, place));
        (0..).zip(all).filter(|(place, _)| is_own(*place)).map(|(_, one)| one).collect()
    }
}

impl Question {
    /// The hash of everything that may influence the answer.
    pub fn key(&self) -> Key {
        Key(*blake3::hash(self.text().as_bytes()).as_bytes())
    }

    /// Everything that may influence the answer.
    fn text(&self) -> String {
        let Question { game, solver: Solver { player, most, build }, puzzle } = self;
        let behaviour = behaviour(build, *game, &Asked::by(*game, [player.as_str()]));
        serde_json::json!({
            "suite": puzzle.state, "aim": puzzle.aim, "game": game, "player": player,
            "most": most, "behaviour": behaviour,
        })
        .to_string()
    }

    /// Answers it, on one thread: questions are answered side by side.
    pub fn answer(&self) -> Result<Answer, SuiteError> {
        let spec = Spec::read(self.game, &self.solver.player)?;
        let spec = spec.with(&Overrides { threads: Some(1), ..Overrides::default() })?;
        search(self.game, &spec, &self.puzzle, self.solver.most)
    }
}

/// A question of a suite, which may ask it more than once.
struct DistinctQuestion {
    question: Question,
    key: Key,
    /// The numbers of the questions of the suite that it stands for, at least one.
    numbers: Vec<usize>,
}

impl DistinctQuestion {
    /// How often the suite asks it.
    fn count(&self) -> u64 {
        self.numbers.len() as u64
    }
}

/// Answers the questions of a suite on several threads, which share this.
struct SuiteRunner<'a, 'o> {
    /// The questions that are to be answered. No two of them are equal: of two searches side by
    /// side, each with a time of its own, the store would keep one.
    questions: Vec<DistinctQuestion>,
    shared: Mutex<(&'a mut Store, Watch<'a, 'o>)>,
}

impl SuiteRunner<'_, '_> {
    /// The answers, repetitions included, in the order of the suite.
    fn solve(&self, hands: &Hands) -> Result<Vec<Answer>, SuiteError> {
        let answers = match &hands.crew {
            None => self.solve_here(hands.concurrency)?,
            Some(crew) => self.solve_with(&**crew)?,
        };
        let answered = self.questions.iter().zip(&answers);
        let mut all: Vec<(usize, &Answer)> = answered
            .flat_map(|(one, answer)| one.numbers.iter().map(move |&number| (number, answer)))
            .collect();
        all.sort_by_key(|(number, _)| *number);
        Ok(all.into_iter().map(|(_, answer)| answer.clone()).collect())
    }

    /// An answer to each of the questions.
    fn solve_here(&self, concurrency: usize) -> Result<Vec<Answer>, SuiteError> {
        let next = AtomicUsize::new(0);
        let work = || {
            let mut answers = Vec::new();
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                let Some(one) = self.questions.get(index) else { return Ok(answers) };
                answers.push((index, self.answer(one)?));
            }
        };
        let all: Result<Vec<_>, SuiteError> = thread::scope(|scope| {
            let threads: Vec<_> = (0..concurrency).map(|_| scope.spawn(work)).collect();
            threads.into_iter().map(|one| one.join().expect("a search does not panic")).collect()
        });
        let mut all: Vec<(usize, Answer)> = all?.into_iter().flatten().collect();
        all.sort_by_key(|(index, _)| *index);
        Ok(all.into_iter().map(|(_, answer)| answer).collect())
    }

    /// As `solve_here`, by workers on other machines.
    fn solve_with(&self, crew: &dyn Crew) -> Result<Vec<Answer>, SuiteError> {
        let known: Result<Vec<_>, _> = self.questions.iter().map(|one| self.known(one)).collect();
        let mut answers: Vec<Option<Answer>> = known?;
        let missing: Vec<usize> =
            (0..answers.len()).filter(|&index| answers[index].is_none()).collect();
        let missing = missing
            .into_iter()
            .map(|index| (Piece::question(self.questions[index].question.clone()), index));
        crew::do_all(crew, missing, |_, index, product| {
            let one = &self.questions[index];
            let answer = match product {
                Ok(Product::Answer(answer)) => answer.clone(),
                _ => one.question.answer()?,
            };
            self.keep(one, &answer)?;
            answers[index] = Some(answer);
            Ok::<_, SuiteError>(())
        })?;
        Ok(answers.into_iter().map(|answer| answer.expect("all were answered")).collect())
    }

    fn answer(&self, one: &DistinctQuestion) -> Result<Answer, SuiteError> {
        if let Some(known) = self.known(one)? {
            return Ok(known);
        }
        let answer = one.question.answer()?;
        self.keep(one, &answer)?;
        Ok(answer)
    }

    /// What the store holds of a question.
    fn known(&self, one: &DistinctQuestion) -> Result<Option<Answer>, SuiteError> {
        let mut shared = self.shared.lock().expect("no thread panics here");
        let known = shared.0.findings(&one.key)?;
        if known.is_some() {
            shared.1.found(one.count());
        }
        Ok(known)
    }

    fn keep(&self, one: &DistinctQuestion, answer: &Answer) -> Result<(), SuiteError> {
        let mut shared = self.shared.lock().expect("no thread panics here");
        let found = serde_json::to_string(answer).expect("an answer is plain data");
        shared.0.keep_findings(&one.key, &one.question.text(), &found)?;
        shared.1.done(one.count());
        Ok(())
    }
}

/// Searches until the root is proven or the most is spent, and checks what is claimed.
fn search(
    game: AnyGame,
    spec: &Spec,
    question: &Puzzle,
    most: Spend,
) -> Result<Answer, SuiteError> {
    let state = game.parse_state(&question.state)?;
    let signal = Signal::default();
    let mut observe = |report: &Report<AnyState>| {
        if report.proof.is_proven() {
            signal.stop();
        }
    };
    let control = Control {
        clock: &WallClock::start(),
        signal: &signal,
        every: EVERY,
        observe: &mut observe,
    };
    let limit = match most {
        Spend::Iterations(iterations) => Limit::iterations(iterations),
        Spend::Nodes(nodes) => Limit::nodes(nodes),
    };
    // Any proof will do, however long the way.
    let limit = Limit { mate: Some(u32::MAX), ..limit };
    let report = spec.make(&state).think(&limit, control);
    let proof = match report.proof {
        Proof::Open => "open",
        Proof::Win(_) => "win",
        Proof::Draw => "draw",
        Proof::Loss(_) => "loss",
    };
    let check = match (report.proof, report.best, &question.aim) {
        (Proof::Win(plies), Some(best), Aim::Win(_)) => {
            Some(state.exact_win(best, plies, MOST_CHECKED))
        }
        _ => None,
    };
    Ok(Answer {
        proof: proof.to_owned(),
        plies: report.proof.plies(),
        best: report.best.map_or(String::new(), |mv| state.move_text(mv)),
        iterations: report.figures.iterations,
        nodes: report.figures.nodes,
        check,
        micros: report.figures.elapsed.as_micros() as u64,
    })
}

impl Mark {
    /// How an answer fits its question.
    pub fn of(question: &Puzzle, answer: &Answer) -> Mark {
        let right = |right| if right { Mark::Right } else { Mark::Open };
        match &question.aim {
            Aim::Best(moves) => right(moves.contains(&answer.best)),
            Aim::Avoid(moves) => right(!moves.contains(&answer.best)),
            Aim::Proof => right(answer.proof != "open"),
            Aim::Win(plies) => match (answer.proof.as_str(), answer.plies, answer.check) {
                ("open", ..) => Mark::Open,
                ("win", Some(found), Some(Check::Holds)) if found == *plies => Mark::Right,
                ("win", Some(found), Some(Check::Holds)) if found > *plies => Mark::Longer,
                ("win", Some(found), Some(Check::GivenUp)) if found >= *plies => Mark::Unchecked,
                _ => Mark::Wrong,
            },
            Aim::Mate(moves) => {
                let expected = if *moves > 0 { "win" } else { "loss" };
                let plies = mate_plies(*moves);
                match answer.plies.map(u32::from) {
                    _ if answer.proof == "open" => Mark::Open,
                    Some(found) if answer.proof == expected && found == plies => Mark::Right,
                    Some(found) if answer.proof == expected && found > plies => Mark::Longer,
                    _ => Mark::Wrong,
                }
            }
        }
    }
}

/// The plies to a mate in so many moves: the side to move needs one fewer to mate than to be mated.
fn mate_plies(moves: i32) -> u32 {
    let plies = moves.unsigned_abs().saturating_mul(2);
    if moves > 0 { plies - 1 } else { plies }
}

impl Mark {
    /// Whether the question is answered.
    pub fn is_solved(self) -> bool {
        matches!(self, Mark::Right | Mark::Longer)
    }

    /// The word.
    pub fn name(self) -> &'static str {
        match self {
            Mark::Right => "right",
            Mark::Longer => "longer",
            Mark::Open => "open",
            Mark::Unchecked => "unchecked",
            Mark::Wrong => "wrong",
        }
    }
}

#[cfg(test)]
mod tests;
