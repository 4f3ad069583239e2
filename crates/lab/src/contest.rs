//! Contests of every format: who plays whom, from which opening, with which seed.

mod meetings;

pub(crate) use meetings::check as check_meetings;
pub use meetings::{Meeting, MeetingError};

use crate::adjudication::Adjudication;
use crate::behaviour::{Asked, behaviour};
use crate::calibration::{self, Calibration, CalibrationError, EqualTime, Speeds};
use crate::contestant::{Contestant, ContestantKind, EngineSpec, Ponder, Protocol};
use crate::digest::beginning;
use crate::engine::{self, Identities};
use crate::hands::Hands;
use crate::opening::{self, Balance, Book, Opening, OpeningError};
use crate::pace::Pace;
use crate::rounds::{MOST_EXTRA_PAIRS, Pairing, Round, Schedule};
use crate::run::{self, Finished, RunError};
use crate::standings::{Counted, InOrder, Standings, make_unique};
use crate::store::Store;
use crate::task::Task;
use monteverde_game::Rng;
use monteverde_game::rng::stream_seed;
use monteverde_players::settings::Reuse;
use monteverde_players::{AnyGame, Spec, SpecError};
use monteverde_statistics::{Decision, SequentialTest};
use std::collections::HashMap;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;

/// Everything about a contest, as it is asked for.
#[derive(Clone, PartialEq, Debug)]
pub struct ContestPlan {
    /// The game.
    pub game: AnyGame,
    /// Who takes part.
    pub contestants: Vec<Contestant>,
    /// Who plays whom.
    pub format: Format,
    /// Games of each pairing that has no number of its own. Two games in a row are a pair: the
    /// same opening with the sides swapped.
    pub games: u64,
    /// Where games begin.
    pub openings: Openings,
    /// Where all random numbers come from.
    pub seed: u64,
    /// When games are ended early.
    pub adjudication: Adjudication,
    /// What stops a match before all games are played.
    pub test: Option<SequentialTest>,
    /// Whose pace follows from its speed; nobody's if it is left out.
    pub equal_time: Option<EqualTime>,
    /// The program that plays, [`crate::build::build`].
    pub build: String,
}

/// Who plays whom.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Format {
    /// Everyone plays everyone.
    RoundRobin,
    /// The first contestant plays each of the others.
    Gauntlet,
    /// Who loses a meeting is out, see [`crate::rounds`].
    Knockout,
    /// Rounds in which players with equally many points meet, nobody the same one twice.
    Swiss {
        /// So many.
        rounds: u32,
    },
    /// Only those meet that are listed, nobody the same one twice.
    Meetings(Vec<Meeting>),
}

/// Where games begin, before any file is read.
#[derive(Clone, PartialEq, Debug)]
pub enum Openings {
    /// The initial state.
    Start,
    /// Openings of a file, in an order drawn with the seed.
    File {
        /// The file.
        path: PathBuf,
        /// At most so many steps of each.
        plies: Option<usize>,
    },
    /// Random moves, others for each pair.
    Random {
        /// So many.
        plies: u32,
        /// Whether unequal states are thrown away.
        balance: Option<Balance>,
    },
    /// Every line of so many moves, in an order drawn with the seed.
    Every {
        /// So many.
        plies: u32,
    },
}

/// Why a contest cannot be held.
#[derive(Debug, thiserror::Error)]
pub enum ContestError {
    /// There is no such player.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// The openings cannot be used.
    #[error(transparent)]
    Opening(#[from] OpeningError),
    /// Too few contestants.
    #[error("a contest takes at least two contestants, not {0}")]
    TooFew(usize),
    /// An engine without a command.
    #[error(
        "an engine needs a command; on a command line write 'uci:COMMAND ARGS' or 'xboard:COMMAND ARGS'"
    )]
    NoCommand,
    /// An engine in a game that engines do not play.
    #[error(
        "'{name}' is an engine that cannot play {game}; behind UCI engines play chess and loa, behind xboard chess"
    )]
    NotForEngines {
        /// The engine.
        name: String,
        /// The game.
        game: &'static str,
    },
    /// An engine behind xboard with a pace that the protocol has no word for.
    #[error(
        "'{name}' speaks xboard, which cannot say '{pace}'; time=, clock= and depth= are accepted"
    )]
    NotForXboard {
        /// The engine.
        name: String,
        /// Its pace.
        pace: Pace,
    },
    /// A contestant that is to ponder, and whose thinking is not limited by time.
    #[error(
        "'{name}' is to ponder at '{pace}', which nothing in its opponent's time would count towards; with --ponder \
         accepted are time= and clock=, and no equal time"
    )]
    PonderPace {
        /// The contestant.
        name: String,
        /// Its pace.
        pace: Pace,
    },
    /// An engine behind xboard that is to ponder.
    #[error(
        "'{name}' speaks xboard, behind which engines do not ponder here, since they are told the whole game before \
         each move; engines behind UCI and players of our own do"
    )]
    PonderXboard {
        /// The engine.
        name: String,
    },
    /// A player that is to ponder and forgets what it found.
    #[error(
        "'{name}' is to ponder, but begins each move with an empty tree; give it the setting 'no-fresh'"
    )]
    PonderForgets {
        /// The player.
        name: String,
    },
    /// Contestants that ponder, on other machines.
    #[error(
        "workers on other machines play a game a core, so --ponder and --nats exclude each other"
    )]
    PonderRemote,
    /// An engine that is not there.
    #[error("the engine '{command}' is not there; {}", crate::engine::advice(command))]
    NoEngine {
        /// Its command.
        command: String,
    },
    /// Nothing to play.
    #[error("a contest needs at least one game a pairing")]
    NoGames,
    /// Meetings that cannot be held.
    #[error(transparent)]
    Meeting(#[from] MeetingError),
    /// A test of more than two.
    #[error("a sequential test needs exactly two contestants, not {0}")]
    TestOfMany(usize),
    /// A test of a tournament in rounds.
    #[error(
        "a knockout or Swiss tournament takes no sequential test: its meetings have all their games"
    )]
    TestOfRounds,
    /// More rounds than there are opponents.
    #[error("a Swiss tournament of {players} players takes 1 to {most} rounds, not {rounds}")]
    Rounds {
        /// How many players there are.
        players: usize,
        /// How many rounds they were to have.
        rounds: u32,
        /// How many they may have.
        most: usize,
    },
    /// A shard of a tournament in rounds.
    #[error(
        "a knockout or Swiss tournament has no shards, since each round follows from all games of the one before; \
         several machines play it with --nats, shards are for round-robin, gauntlet and meetings"
    )]
    ShardOfRounds,
    /// Tables that are to end games are not there.
    #[error("games cannot be ended by endgame tables of up to {pieces} pieces: {reason}")]
    NoTables {
        /// How many pieces they should have.
        pieces: u32,
        /// What is missing.
        reason: String,
    },
    /// Speeds are not to be had.
    #[error(transparent)]
    Calibration(#[from] CalibrationError),
    /// The contest was begun and failed.
    #[error(transparent)]
    Run(#[from] RunError),
}

/// So many cores are busy in a game in which somebody ponders.
const CORES_TO_PONDER: usize = 2;

/// Whether a contestant can ponder, if it is to.
fn check_ponder(game: AnyGame, contestant: &Contestant) -> Result<(), ContestError> {
    if contestant.ponder == Ponder::Off {
        return Ok(());
    }
    let (name, pace) = (contestant.name.clone(), contestant.pace);
    if !matches!(pace, Pace::Time(_) | Pace::Clock(_)) {
        return Err(ContestError::PonderPace { name, pace });
    }
    match &contestant.kind {
        ContestantKind::Engine(engine) if engine.protocol == Protocol::Xboard => {
            Err(ContestError::PonderXboard { name })
        }
        ContestantKind::Engine(_) => Ok(()),
        ContestantKind::Spec(text) => {
            let spec = Spec::read(game, text)?;
            let forgets = spec.settings().is_some_and(|it| it.reuse == Reuse::Forget);
            if forgets { Err(ContestError::PonderForgets { name }) } else { Ok(()) }
        }
    }
}

/// A contest that can be held: names, specs and openings are in order.
#[derive(Clone, Debug)]
pub struct Contest {
    plan: ContestPlan,
    contestants: Vec<Arc<Contestant>>,
    book: Book,
}

/// What a contest has come to.
#[derive(Clone, Debug)]
pub struct ContestProgress {
    /// The games that count. With a test these are the games, in the order of the tasks, up to the
    /// one that decided it; the number of threads has no influence on them.
    pub standings: Standings,
    /// What the test says.
    pub decision: Option<Decision>,
    /// The speeds that paces follow from.
    pub calibration: Option<Calibration>,
    /// How many games were found in the store.
    pub found: u64,
    /// How many games were played now.
    pub played: u64,
    /// The rounds, where the format has some.
    pub rounds: Vec<Round>,
}

/// What a contest has come to, and who sees it.
type Watched<'p, 'o> =
    (&'p mut ContestProgress, &'p mut (dyn FnMut(&Finished<'_>, &ContestProgress) + 'o));

impl ContestPlan {
    /// Who plays whom, by number, the smaller one first.
    pub fn pairings(&self) -> Vec<(usize, usize)> {
        let count = self.contestants.len();
        match &self.format {
            Format::RoundRobin => {
                (0..count).flat_map(|one| (one + 1..count).map(move |two| (one, two))).collect()
            }
            Format::Gauntlet => (1..count).map(|two| (0, two)).collect(),
            Format::Meetings(listed) => listed.iter().map(Meeting::pairing).collect(),
            // They follow from the results.
            Format::Knockout | Format::Swiss { .. } => Vec::new(),
        }
    }

    /// How many games two contestants have where they meet, in either order.
    pub fn games_of(&self, (one, two): (usize, usize)) -> u64 {
        let own = match &self.format {
            Format::Meetings(listed) => {
                let pairing = (one.min(two), one.max(two));
                listed.iter().find(|meeting| meeting.pairing() == pairing)
            }
            _ => None,
        };
        own.and_then(|meeting| meeting.games).unwrap_or(self.games)
    }

    /// Who plays whom, and how many games.
    fn meetings(&self) -> Vec<((usize, usize), u64)> {
        self.pairings().into_iter().map(|two| (two, self.games_of(two))).collect()
    }

    /// How rounds are made, where who meets whom follows from results.
    fn pairing(&self) -> Option<Pairing> {
        match self.format {
            Format::RoundRobin | Format::Gauntlet | Format::Meetings(_) => None,
            Format::Knockout => Some(Pairing::Knockout),
            Format::Swiss { rounds } => Some(Pairing::Swiss { rounds }),
        }
    }

    /// How many games there are in all, if no test stops them.
    pub fn total(&self) -> u64 {
        let players = self.contestants.len() as u64;
        let meetings = match self.pairing() {
            None => {
                let games = self.meetings().into_iter().map(|(_, games)| games);
                return games.fold(0, u64::saturating_add);
            }
            Some(Pairing::Knockout) => players.saturating_sub(1),
            Some(Pairing::Swiss { rounds }) => (players / 2).saturating_mul(rounds.into()),
        };
        self.games.saturating_mul(meetings)
    }

    /// Checks that the contest can be held, without holding it.
    pub fn check(&self) -> Result<(), ContestError> {
        if let Some(equal) = &self.equal_time {
            Spec::read(self.game, &equal.reference)?;
        }
        Contest::new(self.clone()).map(drop)
    }

    /// What the program plays where these contestants meet.
    fn behaviour<'c>(&self, contestants: impl IntoIterator<Item = &'c Contestant>) -> String {
        let specs = contestants.into_iter().filter_map(|one| match &one.kind {
            ContestantKind::Spec(spec) => Some(spec.as_str()),
            ContestantKind::Engine(_) => None,
        });
        let asked = Asked::by(self.game, specs);
        let asked = asked.or_tables(self.adjudication.tables.unwrap_or(0));
        behaviour(&self.build, self.game, &asked)
    }

    /// The plan with the paces that equal time comes to, where it is asked for. Speeds that the
    /// store does not hold are measured, where they may be, which takes some seconds a player; the
    /// machine should be idle.
    pub fn equalised<'s>(
        mut self,
        speeds: impl Into<Speeds<'s>>,
    ) -> Result<(ContestPlan, Option<Calibration>), ContestError> {
        let Some(equal) = self.equal_time.take() else { return Ok((self, None)) };
        // What cannot be played is not worth measuring.
        let Contest { plan, contestants, .. } = Contest::new(self)?;
        let mut contestants: Vec<Contestant> =
            contestants.iter().map(|one| Contestant::clone(one)).collect();
        let behaviour = plan.behaviour(&contestants);
        let found = calibration::equalise(plan.game, &equal, &mut contestants, speeds, &behaviour)?;
        Ok((ContestPlan { contestants, ..plan }, Some(found)))
    }

    /// Holds the contest: plays what the store does not hold yet. `observe` sees each game with
    /// where the contest stands after it.
    pub fn hold(
        self,
        store: &mut Store,
        hands: impl Into<Hands>,
        observe: &mut dyn FnMut(&Finished<'_>, &ContestProgress),
    ) -> Result<ContestProgress, ContestError> {
        let hands = hands.into();
        let speeds = match hands.shard {
            None => Speeds::Measured(store),
            Some(_) => Speeds::Known(store),
        };
        let (plan, calibration) = self.equalised(speeds)?;
        let held = Contest::new(plan)?.hold(store, hands, observe)?;
        Ok(ContestProgress { calibration, ..held })
    }
}

impl Contest {
    /// Checks a plan and reads its openings. Contestants that share a name are numbered, so that a
    /// player may meet itself.
    pub fn new(plan: ContestPlan) -> Result<Contest, ContestError> {
        let count = plan.contestants.len();
        if count < 2 {
            return Err(ContestError::TooFew(count));
        }
        if plan.games == 0 {
            return Err(ContestError::NoGames);
        }
        if plan.test.is_some() && plan.pairing().is_some() {
            return Err(ContestError::TestOfRounds);
        }
        if let Format::Swiss { rounds } = plan.format {
            // Of an odd number one has a bye in each round, which nobody has twice.
            let most = if count.is_multiple_of(2) { count - 1 } else { count };
            if !(1..=most).contains(&(rounds as usize)) {
                return Err(ContestError::Rounds { players: count, rounds, most });
            }
        }
        if let Format::Meetings(listed) = &plan.format {
            let names: Vec<&str> = plan.contestants.iter().map(|one| one.name.as_str()).collect();
            check_meetings(listed, &names)?;
        }
        if plan.test.is_some() && count != 2 {
            return Err(ContestError::TestOfMany(count));
        }
        if let Some(pieces) = plan.adjudication.tables
            && let Some(reason) = plan.game.missing_tables(pieces)
        {
            return Err(ContestError::NoTables { pieces, reason });
        }
        let mut contestants = Vec::with_capacity(count);
        for contestant in &plan.contestants {
            if let ContestantKind::Engine(engine) = &contestant.kind {
                let (name, game) = (contestant.name.clone(), plan.game.name());
                let is_known = match engine.protocol {
                    Protocol::Uci => plan.game.engine_sides().is_some(),
                    Protocol::Xboard => plan.game.uci().is_some_and(|words| words.xboard),
                };
                if !is_known {
                    return Err(ContestError::NotForEngines { name, game });
                }
                if engine.command.is_empty() {
                    return Err(ContestError::NoCommand);
                }
                let pace = contestant.pace;
                if engine.protocol == Protocol::Xboard && !engine::accepts(pace) {
                    return Err(ContestError::NotForXboard { name, pace });
                }
            }
            let contestant = run::canonical(plan.game, contestant.clone())?;
            check_ponder(plan.game, &contestant)?;
            contestants.push(contestant);
        }
        let mut names: Vec<_> = contestants.iter().map(|one| one.name.clone()).collect();
        make_unique(&mut names);
        let named = contestants.into_iter().zip(names);
        let contestants = named.map(|(one, name)| Arc::new(Contestant { name, ..one })).collect();
        let book = book(plan.game, &plan.openings, plan.seed)?;
        Ok(Contest { plan, contestants, book })
    }

    /// Every game to be played: pair after pair, in each all pairings that still have games.
    pub fn tasks(&self) -> impl Iterator<Item = Task> + '_ {
        self.tasks_of(self.plan.meetings(), 0)
    }

    /// The games of some meetings, of each from the number `first` on, which is even, up to the one
    /// that stands beside it.
    fn tasks_of(
        &self,
        meetings: Vec<((usize, usize), u64)>,
        first: u64,
    ) -> impl Iterator<Item = Task> + '_ {
        let most = meetings.iter().map(|&(_, end)| end).max().unwrap_or(0);
        (first / 2..most.div_ceil(2)).flat_map(move |pair| {
            let meetings = meetings.clone();
            let games = meetings.into_iter().flat_map(move |(two, end)| {
                let legs = end.saturating_sub(2 * pair).min(2);
                (0..legs).map(move |leg| (two, leg))
            });
            games.map(move |(two, leg)| self.task(two, pair, leg))
        })
    }

    /// The pair's seed comes from the contest's, the game's from the pair's.
    fn task(&self, (one, two): (usize, usize), pair: u64, leg: u64) -> Task {
        /// The stream of a pair's seed that its opening is drawn from; 0 and 1 are the games'.
        const OPENING: u64 = 2;
        let seed = stream_seed(self.plan.seed, pair);
        let (first, second) = if leg == 0 { (one, two) } else { (two, one) };
        let opening = self.book.opening(pair, stream_seed(seed, OPENING));
        let behaviour = self.plan.behaviour([&*self.contestants[one], &*self.contestants[two]]);
        Task {
            game: self.plan.game.name().to_owned(),
            first: self.contestants[first].clone(),
            second: self.contestants[second].clone(),
            pair: self.pair_number(&opening, seed, &behaviour),
            opening,
            seed: stream_seed(seed, leg),
            adjudication: self.plan.adjudication,
            behaviour,
            build: self.plan.build.clone(),
        }
    }

    /// The number of the pair with that seed. Another contest of the same players in the same store
    /// may have the same seed; as its openings, rules or behaviour are others, its pairs have other
    /// numbers.
    fn pair_number(&self, opening: &Opening, seed: u64, behaviour: &str) -> u64 {
        let rules = self.plan.adjudication.text();
        let text = [&opening.text(), &seed.to_string(), &rules, behaviour];
        beginning(blake3::hash(text.join("\n").as_bytes()))
    }

    /// As [`ContestPlan::hold`].
    pub fn hold(
        &self,
        store: &mut Store,
        hands: impl Into<Hands>,
        observe: &mut dyn FnMut(&Finished<'_>, &ContestProgress),
    ) -> Result<ContestProgress, ContestError> {
        self.clone().identified(&mut Identities::default())?.play(store, hands.into(), observe)
    }

    /// The contest with what the programs of its engines are, which belongs to the keys of its
    /// tasks. An engine that is not there is an error.
    pub(crate) fn identified(mut self, known: &mut Identities) -> Result<Contest, ContestError> {
        for contestant in &mut self.contestants {
            let ContestantKind::Engine(spec) = &contestant.kind else { continue };
            let identity = known.of(spec);
            if identity.is_none() {
                return Err(ContestError::NoEngine { command: spec.command.clone() });
            }
            let kind = ContestantKind::Engine(EngineSpec { identity, ..spec.clone() });
            *contestant = Arc::new(Contestant { kind, ..Contestant::clone(contestant) });
        }
        Ok(self)
    }

    fn play(
        &self,
        store: &mut Store,
        mut hands: Hands,
        observe: &mut dyn FnMut(&Finished<'_>, &ContestProgress),
    ) -> Result<ContestProgress, ContestError> {
        if self.contestants.iter().any(|one| one.ponder == Ponder::On) {
            if hands.crew.is_some() {
                return Err(ContestError::PonderRemote);
            }
            hands.concurrency = (hands.concurrency / CORES_TO_PONDER).max(1);
        }
        let names: Vec<_> = self.contestants.iter().map(|one| one.name.clone()).collect();
        let standings = Standings::new(names);
        // A shard does not know what the others find, so that its games decide nothing: all of them
        // are played, and the run that has all shards decides as if it had played them itself.
        let test = self.plan.test.filter(|_| hands.shard.is_none());
        let mut progress = ContestProgress {
            standings,
            decision: test.map(|_| Decision::Continue),
            calibration: None,
            found: 0,
            played: 0,
            rounds: Vec::new(),
        };
        if let Some(pairing) = self.plan.pairing() {
            self.play_rounds(pairing, store, &hands, (&mut progress, observe))?;
            return Ok(progress);
        }
        if let Some(shard) = hands.shard {
            shard.note_games(self.tasks(), store).map_err(RunError::from)?;
        }
        self.play_tasks(self.tasks(), store, hands, (&mut progress, observe))?;
        Ok(progress)
    }

    /// Plays round after round, until there are no more or the run is stopped.
    fn play_rounds(
        &self,
        pairing: Pairing,
        store: &mut Store,
        hands: &Hands,
        (progress, observe): Watched<'_, '_>,
    ) -> Result<(), ContestError> {
        if hands.shard.is_some() {
            return Err(ContestError::ShardOfRounds);
        }
        let games = self.plan.games;
        let mut schedule = Schedule::new(pairing, self.contestants.len(), games);
        while let Some(round) = schedule.next(&progress.standings) {
            progress.rounds.push(round.clone());
            let meetings = round.meetings.into_iter().map(|two| (two, games));
            let tasks = self.tasks_of(meetings.collect(), 0);
            self.play_tasks(tasks, store, hands.clone(), (&mut *progress, &mut *observe))?;
            for extra in 0..MOST_EXTRA_PAIRS {
                let undecided = schedule.undecided(&progress.standings);
                if undecided.is_empty() || hands.stop.is_stopped() {
                    break;
                }
                let first = 2 * (games.div_ceil(2) + extra);
                let meetings = undecided.into_iter().map(|two| (two, first + 2));
                let tasks = self.tasks_of(meetings.collect(), first);
                self.play_tasks(tasks, store, hands.clone(), (&mut *progress, &mut *observe))?;
            }
            if hands.stop.is_stopped() {
                break;
            }
        }
        Ok(())
    }

    /// Plays tasks and counts their games.
    fn play_tasks(
        &self,
        tasks: impl Iterator<Item = Task>,
        store: &mut Store,
        hands: Hands,
        (progress, observe): Watched<'_, '_>,
    ) -> Result<(), ContestError> {
        let names = self.contestants.iter().map(|one| one.name.clone());
        let numbers: HashMap<_, _> = names.zip(0..).collect();
        let mut order = InOrder::default();
        run::run(self.plan.game, tasks, store, hands, &mut |finished| {
            match finished.played {
                Some(_) => progress.played += 1,
                None => progress.found += 1,
            }
            let Finished { index, task, result, reason, digest, .. } = *finished;
            let digest = Some(digest);
            let [first, second] = [&task.first, &task.second].map(|one| numbers[&one.name]);
            if progress.decision.is_none() {
                progress.standings.count(&Counted {
                    first,
                    second,
                    pair: task.pair,
                    result,
                    reason,
                    digest,
                });
            } else {
                order.push(index, (first, second, task.pair, result, reason.clone(), digest));
                while progress.decision == Some(Decision::Continue)
                    && let Some((first, second, pair, result, reason, digest)) = order.pop()
                {
                    let counted = Counted { first, second, pair, result, reason: &reason, digest };
                    let pairs = progress.standings.pairs(0, 1).pairs();
                    progress.standings.count(&counted);
                    // Asked after each complete pair; a void game leaves its pair incomplete.
                    if progress.standings.pairs(0, 1).pairs() > pairs {
                        self.decide(progress);
                    }
                }
            }
            observe(finished, progress);
            match progress.decision {
                None | Some(Decision::Continue) => ControlFlow::Continue(()),
                Some(_) => ControlFlow::Break(()),
            }
        })?;
        Ok(())
    }

    fn decide(&self, progress: &mut ContestProgress) {
        if let Some(test) = &self.plan.test {
            progress.decision = Some(test.decide(progress.standings.pairs(0, 1)));
        }
    }
}

fn book(game: AnyGame, openings: &Openings, seed: u64) -> Result<Book, OpeningError> {
    match openings {
        Openings::Start => Ok(Book::Start),
        Openings::File { path, plies } => {
            let mut lines = opening::read(game, path, *plies)?;
            Rng::new(seed).shuffle(&mut lines);
            Ok(Book::Lines(lines))
        }
        &Openings::Random { plies, balance } => Ok(Book::Random { plies, balance }),
        &Openings::Every { plies } => Book::every(game, plies, seed),
    }
}
