//! The conformance suite can fail: each flaw that a game may have is built into the dice race, and
//! the suite must name the rule that it breaks.

use monteverde_game::conformance::{Suite, Violation, playthrough};
use monteverde_game::fixtures::DiceRace;
use monteverde_game::fixtures::dice::{Choice, Face};
use monteverde_game::{Game, Notation, NotationError, Outcome, Playout, Rng, Side, Step};
use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// What is wrong with a [`Flawed`] race.
type Flaw = u32;

thread_local! {
    /// The flaw of all races of a test. With a type a flaw the suite would be compiled for each.
    static FLAW: Cell<Flaw> = const { Cell::new(NONE) };
}

fn flaw() -> Flaw {
    FLAW.get()
}

const NONE: Flaw = 0;
const STALE_KEY: Flaw = 1;
const DOUBLED_MOVE: Flaw = 2;
const UNSTABLE_MOVES: Flaw = 3;
const CLEARED_BUFFER: Flaw = 4;
const LOST_BITS: Flaw = 5;
const EARLY_ENDING: Flaw = 6;
const NO_MOVES: Flaw = 7;
const WEIGHT_ZERO: Flaw = 8;
const WRONG_SUM: Flaw = 9;
const DOUBLED_EVENT: Flaw = 10;
const EVENTS_ALWAYS: Flaw = 11;
const MOVES_WHILE_PENDING: Flaw = 12;
const TURN_WHILE_PENDING: Flaw = 13;
const SHARED_COPY: Flaw = 14;
const STATE_TEXT: Flaw = 15;
const MOVE_TEXT: Flaw = 16;
const EVENT_TEXT: Flaw = 17;
const LINE_BREAK: Flaw = 18;
const READER_PANICS: Flaw = 19;
const READER_TOO_KIND: Flaw = 20;
const BIASED_SAMPLE: Flaw = 21;
const SLIGHTLY_BIASED_SAMPLE: Flaw = 22;
const ALWAYS_STEPS: Flaw = 23;
const UNLISTED_SAMPLE: Flaw = 24;
const SAMPLE_GIVES_UP: Flaw = 25;
const FLAT_EVENTS: Flaw = 26;
const PLAYOUT_MISCOUNTS: Flaw = 27;
const PLAYOUT_DRAWS_MORE: Flaw = 28;
const PLAYOUT_LEAVES_STATE: Flaw = 29;
const ENDLESS: Flaw = 30;
const PICTURE: Flaw = 31;
const CONSTANT_KEY: Flaw = 32;
const SAMPLE_PLAYS_ON: Flaw = 33;
const PLAYOUT_NEVER_OVER: Flaw = 34;
const ADVANCE_GOES_ASTRAY: Flaw = 35;
const BLIND_TO_WINS: Flaw = 36;
const SEES_LATER_WIN: Flaw = 37;
const UNLISTED_BY_PIECE: Flaw = 38;
const MISCOUNTED_PAST: Flaw = 39;

/// Checks that the suite finds the flaw, names its rule, and says where.
fn finds(flaw: Flaw, rule: &str, detail: &str) {
    let violation = suite(flaw).result().expect_err("the suite must find the flaw");
    assert_eq!(violation.rule, rule, "{violation}");
    assert!(violation.detail.contains(detail), "{violation}");
    let message = violation.to_string();
    let start = format!("flawed-race breaks the rule '{rule}' in state '{}': ", violation.state);
    assert!(message.starts_with(&start), "{message}");
}

/// A suite for races with that flaw, on this thread.
fn suite(flaw: Flaw) -> Suite<Flawed> {
    FLAW.set(flaw);
    Suite::new().games(40)
}

#[test]
fn a_game_without_flaw_passes() {
    suite(NONE).check();
    assert_eq!(suite(NONE).seed(2).result(), Ok(()));
}

#[test]
#[should_panic(expected = "flawed-race breaks the rule 'no move is listed twice' in state \
                           '0 0 first': Step is number 0 and 2")]
fn check_panics_with_the_violation() {
    suite(DOUBLED_MOVE).check();
}

#[test]
fn flaws_of_the_rules() {
    finds(STALE_KEY, "the key equals the recomputed key", "after 'step' in '0 0 first'");
    finds(DOUBLED_MOVE, "no move is listed twice", "Step is number 0 and 2");
    finds(UNSTABLE_MOVES, "moves are appended in a fixed order", "[Throw, Step]");
    finds(CLEARED_BUFFER, "moves are appended in a fixed order", "the second []");
    finds(LOST_BITS, "the bits of a move give it back", "Throw became Step");
    finds(EARLY_ENDING, "a game has an ending when it is over", "the outcome is None");
    finds(NO_MOVES, "a game that is not over has moves", "no move, no outcome");
    finds(CONSTANT_KEY, "different states have different keys", "the key of '0 0 first' too");
    finds(SHARED_COPY, "a step on a copy leaves the original alone", "key");
    finds(ENDLESS, "a playout ends", "after 100000 steps");
}

#[test]
fn flaws_of_chance() {
    finds(WEIGHT_ZERO, "the weights of events are positive", "event '6' has weight 0");
    finds(WRONG_SUM, "the weights add up to event_weight", "they add up to 6, not 7");
    finds(DOUBLED_EVENT, "no event is listed twice", "is number 0 and 3");
    finds(EVENTS_ALWAYS, "only a pending state has events", "3 events are listed");
    finds(MOVES_WHILE_PENDING, "a pending state has no moves and no outcome", "2 moves");
    finds(TURN_WHILE_PENDING, "a pending state is the mover's turn", "First played 'throw'");
}

#[test]
fn flaws_of_the_notation() {
    finds(STATE_TEXT, "a state can be written and read", "was read as");
    finds(MOVE_TEXT, "a move can be written and read", "is written 'go'");
    finds(EVENT_TEXT, "an event can be written and read", "is written '7'");
    finds(LINE_BREAK, "a text is one line without spaces around it", "\\n");
    finds(READER_PANICS, "no state text makes it panic", "makes it panic");
    finds(READER_TOO_KIND, "only legal moves are read", "which is not listed");
    finds(PICTURE, "a picture is made of whole lines", "the picture is");
}

#[test]
fn flaws_of_the_samplers() {
    finds(BIASED_SAMPLE, "sample draws all moves alike", "chi-square is");
    finds(SLIGHTLY_BIASED_SAMPLE, "the draws of all states together are fair", "chi-square is");
    finds(ALWAYS_STEPS, "sample draws all moves alike", "number 1 was never drawn");
    finds(UNLISTED_SAMPLE, "sample draws only listed moves", "it drew Throw");
    finds(SAMPLE_GIVES_UP, "sample knows the outcome", "it says Draw, the outcome is None");
    finds(SAMPLE_PLAYS_ON, "sample stops where the game is over", "it drew");
    finds(FLAT_EVENTS, "sample_event draws by weight", "[\"1\", \"3\", \"6\"] were drawn");
    finds(PLAYOUT_MISCOUNTS, "playout is the loop over sample", "the loop Playout");
    finds(PLAYOUT_DRAWS_MORE, "playout draws as the loop over sample", "generator");
    finds(PLAYOUT_LEAVES_STATE, "playout ends as the loop over sample", "its ending is None");
}

#[test]
fn flaws_of_what_playouts_use() {
    finds(PLAYOUT_NEVER_OVER, "playout_outcome is what sample heeds", "it is None");
    finds(ADVANCE_GOES_ASTRAY, "advance leads where play leads", "advance to");
    finds(BLIND_TO_WINS, "winning_move is the first that wins at once", "it is none, not step");
    finds(SEES_LATER_WIN, "winning_move is the first that wins at once", "not none");
    let rule = "sample_by_piece draws a listed move or knows the outcome";
    finds(UNLISTED_BY_PIECE, rule, "it gives Ok(Throw)");
    finds(MISCOUNTED_PAST, "reversible_plies counts from 0 on", "it is 1 after Some(1)");
}

#[test]
fn wrong_data_shows() {
    let found = |suite: Suite<Flawed>| suite.result().expect_err("wrong data").to_string();
    assert_eq!(
        found(suite(NONE).perft(&[("startpos", 2, 5), ("4 4 first", 3, 12)])),
        "flawed-race breaks the rule 'perft counts as recorded' in state '4 4 first': \
         11 paths of depth 3, not 12"
    );
    assert!(found(suite(NONE).states(&["4 4"])).contains("states of the data can be read"));
    assert!(found(suite(NONE).playthrough("game chess\n")).contains("a recorded game"));
    let of_another_race = playthrough::record(&DiceRace::start(), 1);
    let Violation { detail, .. } =
        suite(NONE).playthrough(&of_another_race).result().expect_err("another game's record");
    assert_eq!(detail, "line 1 is recorded as 'game dice-race', now it is 'game flawed-race'");
}

/// The dice race with a flaw.
#[derive(Clone, Debug)]
struct Flawed {
    race: DiceRace,
    /// The key that a game with an incremental key would keep.
    key: u64,
    /// Counts calls, and copies made of the state share it.
    shared: Arc<AtomicU64>,
}

impl Flawed {
    fn of(race: DiceRace) -> Self {
        let key = race.key();
        Flawed { race, key, shared: Arc::default() }
    }

    fn after_step(&mut self) {
        if flaw() != STALE_KEY {
            self.key = self.race.key();
        }
        self.shared.fetch_add(1, Ordering::Relaxed);
    }
}

/// A choice whose bits may be lost.
#[derive(Clone, Copy, PartialEq, Eq)]
struct FlawedChoice(Choice);

impl std::fmt::Debug for FlawedChoice {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(formatter)
    }
}

impl Step for FlawedChoice {
    fn to_bits(self) -> u32 {
        if flaw() == LOST_BITS { 0 } else { self.0.to_bits() }
    }
    fn from_bits(bits: u32) -> Self {
        FlawedChoice(Choice::from_bits(bits))
    }
}

impl Game for Flawed {
    type Move = FlawedChoice;
    type Event = Face;

    const NAME: &'static str = "flawed-race";

    fn turn(&self) -> Side {
        let turn = self.race.turn();
        if flaw() == TURN_WHILE_PENDING && self.is_pending() { turn.other() } else { turn }
    }

    fn outcome(&self) -> Option<Outcome> {
        if flaw() == ENDLESS { None } else { self.race.outcome() }
    }

    fn ending(&self) -> Option<&'static str> {
        match flaw() {
            EARLY_ENDING => Some("home alone"),
            ENDLESS => None,
            _ => self.race.ending(),
        }
    }

    fn moves(&self, buffer: &mut Vec<Self::Move>) {
        let calls = self.shared.fetch_add(1, Ordering::Relaxed);
        if flaw() == CLEARED_BUFFER {
            buffer.clear();
        }
        let mut moves = Vec::new();
        self.race.moves(&mut moves);
        match flaw() {
            DOUBLED_MOVE if !moves.is_empty() => moves.push(Choice::Step),
            UNSTABLE_MOVES if calls % 2 == 1 => moves.reverse(),
            UNLISTED_SAMPLE => moves.truncate(1),
            NO_MOVES if self.turn() == Side::Second => moves.clear(),
            MOVES_WHILE_PENDING if self.is_pending() => moves = vec![Choice::Step, Choice::Throw],
            ENDLESS if moves.is_empty() && !self.is_pending() => moves.push(Choice::Throw),
            _ => {}
        }
        buffer.extend(moves.into_iter().map(FlawedChoice));
    }

    fn play(&mut self, mv: Self::Move) {
        // Without end, a race that is over begins anew.
        if matches!(flaw(), ENDLESS | SAMPLE_PLAYS_ON) && self.race.outcome().is_some() {
            self.race = DiceRace::start();
        }
        self.race.play(mv.0);
        self.after_step();
    }

    fn key(&self) -> u64 {
        // Copies that share what they keep change one another.
        match flaw() {
            SHARED_COPY => self.shared.load(Ordering::Relaxed),
            CONSTANT_KEY => 0,
            _ => self.key,
        }
    }

    fn recomputed_key(&self) -> u64 {
        match flaw() {
            SHARED_COPY | CONSTANT_KEY => self.key(),
            _ => self.race.recomputed_key(),
        }
    }

    fn is_pending(&self) -> bool {
        self.race.is_pending()
    }

    fn events(&self, buffer: &mut Vec<(Face, u32)>) {
        let mut events = Vec::new();
        self.race.events(&mut events);
        match flaw() {
            WEIGHT_ZERO if self.is_pending() => events[2].1 = 0,
            DOUBLED_EVENT if self.is_pending() => events.push(events[0]),
            EVENTS_ALWAYS => events = monteverde_game::fixtures::dice::DIE.to_vec(),
            _ => {}
        }
        buffer.extend(events);
    }

    fn event_weight(&self) -> u32 {
        self.race.event_weight() + u32::from(flaw() == WRONG_SUM)
    }

    fn settle(&mut self, event: Face) {
        self.race.settle(event);
        self.after_step();
    }

    fn sample(&self, rng: &mut Rng) -> Result<Self::Move, Outcome> {
        if flaw() == SAMPLE_GIVES_UP {
            return Err(Outcome::Draw);
        }
        // Where it plays on after the end it does so now and then, so that playouts end.
        let plays_on = flaw() == SAMPLE_PLAYS_ON && rng.below(2) == 0;
        if let Some(outcome) = self.outcome().filter(|_| !plays_on) {
            return Err(outcome);
        }
        let (throws, of) = match flaw() {
            BIASED_SAMPLE => (1, 4),
            SLIGHTLY_BIASED_SAMPLE => (9, 20),
            ALWAYS_STEPS => (0, 1),
            _ => (1, 2),
        };
        let choice = if rng.below(of) < throws { Choice::Throw } else { Choice::Step };
        Ok(FlawedChoice(choice))
    }

    fn sample_event(&self, rng: &mut Rng) -> Face {
        if flaw() == FLAT_EVENTS {
            return monteverde_game::fixtures::dice::DIE[rng.below(3) as usize].0;
        }
        self.race.sample_event(rng)
    }

    fn sample_by_piece(&self, rng: &mut Rng) -> Result<Self::Move, Outcome> {
        if flaw() == UNLISTED_BY_PIECE { Ok(FlawedChoice(Choice::Throw)) } else { self.sample(rng) }
    }

    fn playout_outcome(&self) -> Option<Outcome> {
        if flaw() == PLAYOUT_NEVER_OVER { None } else { self.outcome() }
    }

    fn advance(&mut self, mv: Self::Move) {
        let other = FlawedChoice(Choice::Step);
        self.play(if flaw() == ADVANCE_GOES_ASTRAY { other } else { mv });
    }

    fn reversible_plies(&self) -> Option<u32> {
        (flaw() == MISCOUNTED_PAST).then_some(u32::from(!self.is_pending()))
    }

    fn winning_move(&self, buffer: &mut Vec<Self::Move>) -> Option<Self::Move> {
        buffer.clear();
        self.moves(buffer);
        match flaw() {
            BLIND_TO_WINS => None,
            SEES_LATER_WIN => buffer.first().copied(),
            _ => buffer.iter().copied().find(|&mv| {
                let mut after = self.clone();
                after.play(mv);
                after.outcome() == Some(Outcome::Win(self.turn()))
            }),
        }
    }

    fn playout(&mut self, rng: &mut Rng) -> Playout {
        let before = self.clone();
        let mut playout = loop_over_sample(self, rng);
        match flaw() {
            PLAYOUT_MISCOUNTS => playout.plies += 1,
            PLAYOUT_DRAWS_MORE => drop(rng.next_u64()),
            PLAYOUT_LEAVES_STATE => *self = before,
            _ => {}
        }
        playout
    }
}

fn loop_over_sample<G: Game>(state: &mut G, rng: &mut Rng) -> Playout {
    let mut plies = 0;
    loop {
        if state.is_pending() {
            let event = state.sample_event(rng);
            state.settle(event);
            continue;
        }
        match state.sample(rng) {
            Ok(mv) => state.play(mv),
            Err(outcome) => return Playout { outcome, plies },
        }
        plies += 1;
    }
}

impl Notation for Flawed {
    fn start() -> Self {
        Self::of(DiceRace::start())
    }

    fn parse_state(text: &str) -> Result<Self, NotationError> {
        if flaw() == READER_PANICS {
            assert!(text.is_char_boundary(1), "a reader that cuts at bytes");
        }
        if flaw() == STATE_TEXT {
            // Forgets that the die is in the air.
            return DiceRace::parse_state(text.trim_end_matches(" throws")).map(Self::of);
        }
        DiceRace::parse_state(text).map(Self::of)
    }

    fn state_text(&self) -> String {
        let text = self.race.state_text();
        if flaw() == LINE_BREAK { text + "\n" } else { text }
    }

    fn parse_move(&self, text: &str) -> Result<Self::Move, NotationError> {
        if flaw() == READER_TOO_KIND {
            let known = [("step", Choice::Step), ("throw", Choice::Throw)];
            let found = known.into_iter().find(|&(name, _)| name == text);
            let choice = found.map_or(Choice::Step, |(_, choice)| choice);
            return Ok(FlawedChoice(choice));
        }
        self.race.parse_move(text).map(FlawedChoice)
    }

    fn move_text(&self, mv: Self::Move) -> String {
        if flaw() == MOVE_TEXT { "go".to_owned() } else { self.race.move_text(mv.0) }
    }

    fn parse_event(&self, text: &str) -> Result<Face, NotationError> {
        self.race.parse_event(text)
    }

    fn event_text(&self, event: Face) -> String {
        if flaw() == EVENT_TEXT { "7".to_owned() } else { self.race.event_text(event) }
    }

    fn picture(&self) -> String {
        let picture = self.race.picture();
        if flaw() == PICTURE { picture.trim_end().to_owned() } else { picture }
    }
}
