//! One game as training sees it, and its bytes.
//!
//! The bytes are columns, each with what is alike in all steps, since those compress well:
//! `docs/networks.md` lists them. Nothing in them depends on what a network sees of a state.

use crate::format::frame;
use monteverde_game::{Outcome, Side};

/// A game with what is known of its states.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameData {
    /// Its number among the games of its run.
    pub number: u32,
    /// The state text of its start; empty for the initial state.
    pub start: String,
    /// Everything that was played.
    pub steps: Vec<StepData>,
    /// How it ended; `None` where nobody knows.
    pub outcome: Option<Outcome>,
}

/// A move or an event, with what is known of the state in which it was played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StepData {
    /// Who took it.
    pub kind: StepKind,
    /// Its place in the list of legal moves, or of events, in generation order.
    pub index: u16,
    /// What the state is worth to the side to move, from -10,000 for a certain loss to 10,000 for
    /// a certain win; `None` where nobody has searched it.
    pub score: Option<i16>,
    /// The best move where that is not the one that was played, by its place in the list.
    pub best: Option<u16>,
    /// How often each legal move was searched, as parts of the most that one was, which has 255;
    /// empty where that is not known.
    pub shares: Vec<u8>,
}

/// Who took a step.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum StepKind {
    /// A move of that side.
    Move(Side),
    /// Chance.
    Event,
}

/// The score of a certain win.
pub const CERTAIN: f64 = 10_000.0;

/// A mean in -1..1 as a score.
pub fn score_of(mean: f64) -> i16 {
    (mean.clamp(-1.0, 1.0) * CERTAIN).round() as i16
}

impl StepData {
    /// A step of which nothing more is known.
    pub fn bare(kind: StepKind, index: u16) -> StepData {
        StepData { kind, index, score: None, best: None, shares: Vec::new() }
    }

    /// The score in -1..1 for the side to move.
    pub fn expectation(&self) -> Option<f64> {
        self.score.map(|score| f64::from(score) / CERTAIN)
    }
}

/// A game, and its frame in a file.
pub(crate) struct PackedGame {
    pub(crate) game: GameData,
    pub(crate) frame: Vec<u8>,
}

impl From<GameData> for PackedGame {
    fn from(game: GameData) -> PackedGame {
        let frame = frame(game.number, &game.encode());
        PackedGame { game, frame }
    }
}

impl GameData {
    /// How many states have a score.
    pub fn scored(&self) -> usize {
        self.steps.iter().filter(|step| step.score.is_some()).count()
    }

    /// Its columns.
    pub(crate) fn encode(&self) -> Vec<u8> {
        let steps = &self.steps;
        let scored = || steps.iter().filter(|step| step.score.is_some());
        let is_wide = steps.iter().any(|step| step.index.max(step.best.unwrap_or(0)) > 255);
        let has_best = steps.iter().any(|step| step.best.is_some());
        let has_shares = steps.iter().any(|step| !step.shares.is_empty());
        let kinds: Vec<u8> = steps.iter().map(kind_byte).collect();
        let regular = Regular::of(&kinds);
        let flag = |is_set: bool, flag: u8| if is_set { flag } else { 0 };
        let flags = flag(is_wide, WIDE)
            | flag(has_best, BEST)
            | flag(has_shares, SHARES)
            | flag(regular.is_some(), REGULAR);
        let mut bytes = vec![flags, outcome_byte(self.outcome)];
        write_number(&mut bytes, self.start.len());
        bytes.extend_from_slice(self.start.as_bytes());
        write_number(&mut bytes, steps.len());
        match regular {
            Some(Regular { first, unscored, .. }) => {
                bytes.push(first);
                write_number(&mut bytes, unscored);
            }
            None => bytes.extend(kinds),
        }
        let wide = |bytes: &mut Vec<u8>, numbers: &mut dyn Iterator<Item = u16>| {
            let numbers: Vec<u16> = numbers.collect();
            bytes.extend(numbers.iter().map(|&number| number as u8));
            if is_wide {
                bytes.extend(numbers.iter().map(|&number| (number >> 8) as u8));
            }
        };
        wide(&mut bytes, &mut steps.iter().map(|step| step.index));
        let surprises = surprises(scored());
        bytes.extend(surprises.iter().map(|&number| (number >> 8) as u8));
        bytes.extend(surprises.iter().map(|&number| number as u8));
        if has_best {
            wide(&mut bytes, &mut scored().map(|step| step.best.unwrap_or(step.index)));
        }
        if has_shares {
            for step in scored() {
                write_number(&mut bytes, step.shares.len());
                bytes.extend_from_slice(&step.shares);
            }
        }
        bytes
    }

    /// Reads columns; `None` where they are none.
    pub(crate) fn decode(number: u32, bytes: &[u8]) -> Option<GameData> {
        let mut rest = Columns(bytes);
        let &[flags, outcome] = rest.take(2)? else { return None };
        let outcome = read_outcome(outcome)?;
        let length = rest.number()?;
        let start = std::str::from_utf8(rest.take(length)?).ok()?.to_owned();
        let count = rest.number()?;
        let kinds = if flags & REGULAR != 0 {
            let first = rest.take(1)?[0];
            // No more steps than there are bytes, whatever the length says.
            let count = Some(count).filter(|&count| count <= rest.0.len())?;
            Regular { first, unscored: rest.number()?, count }.kinds()
        } else {
            rest.take(count)?.to_vec()
        };
        let indices = rest.wide(count, flags)?;
        let mut steps = Vec::with_capacity(count);
        for (kind, index) in kinds.into_iter().zip(indices) {
            let mut step = StepData::bare(read_kind(kind)?, index);
            step.score = (kind & SCORED != 0).then_some(0);
            steps.push(step);
        }
        let scored = steps.iter().filter(|step| step.score.is_some()).count();
        let (high, low) = (rest.take(scored)?, rest.take(scored)?);
        let best = if flags & BEST != 0 { rest.wide(scored, flags)? } else { Vec::new() };
        let mut last = Last::default();
        let wanted = steps.iter_mut().filter(|step| step.score.is_some());
        for (place, step) in wanted.enumerate() {
            let surprise = u16::from_be_bytes([high[place], low[place]]);
            step.score = Some(last.read(step.kind, surprise)?);
            step.best = best.get(place).copied().filter(|&best| best != step.index);
            if flags & SHARES != 0 {
                let length = rest.number()?;
                step.shares = rest.take(length)?.to_vec();
            }
        }
        rest.0.is_empty().then_some(GameData { number, start, steps, outcome })
    }
}

/// Some index takes two bytes.
const WIDE: u8 = 1;
/// There is a column of best moves.
const BEST: u8 = 2;
/// There is a column of shares of visits.
const SHARES: u8 = 4;
/// The sides move in turn, and from some step on every state has a score.
const REGULAR: u8 = 8;
/// A bit of a step's kind: the state has a score.
const SCORED: u8 = 4;

/// The kinds of the steps of most games, in short.
#[derive(Clone, Copy, Debug)]
struct Regular {
    /// Who takes the first step: 0 or 1.
    first: u8,
    /// How many states have no score.
    unscored: usize,
    count: usize,
}

impl Regular {
    fn of(kinds: &[u8]) -> Option<Regular> {
        let first = kinds.first()? & !SCORED;
        let unscored = kinds.iter().take_while(|&kind| kind & SCORED == 0).count();
        let regular = Regular { first, unscored, count: kinds.len() };
        (first < 2 && regular.kinds() == kinds).then_some(regular)
    }

    fn kinds(self) -> Vec<u8> {
        let kind = |step: usize| {
            let who = self.first ^ (step % 2) as u8;
            who | if step < self.unscored { 0 } else { SCORED }
        };
        (0..self.count).map(kind).collect()
    }
}

fn kind_byte(step: &StepData) -> u8 {
    let who = match step.kind {
        StepKind::Move(Side::First) => 0,
        StepKind::Move(Side::Second) => 1,
        StepKind::Event => 2,
    };
    who | if step.score.is_some() { SCORED } else { 0 }
}

fn read_kind(byte: u8) -> Option<StepKind> {
    match byte & !SCORED {
        0 => Some(StepKind::Move(Side::First)),
        1 => Some(StepKind::Move(Side::Second)),
        2 => Some(StepKind::Event),
        _ => None,
    }
}

fn outcome_byte(outcome: Option<Outcome>) -> u8 {
    match outcome {
        Some(Outcome::Win(Side::First)) => 0,
        Some(Outcome::Win(Side::Second)) => 1,
        Some(Outcome::Draw) => 2,
        None => 3,
    }
}

fn read_outcome(byte: u8) -> Option<Option<Outcome>> {
    match byte {
        0 => Some(Some(Outcome::Win(Side::First))),
        1 => Some(Some(Outcome::Win(Side::Second))),
        2 => Some(Some(Outcome::Draw)),
        3 => Some(None),
        _ => None,
    }
}

/// How much each score differs from the one before it, seen from the same side; signs in the lowest
/// bit, so that small differences have a high byte of 0.
fn surprises<'a>(scored: impl Iterator<Item = &'a StepData>) -> Vec<u16> {
    let mut last = Last::default();
    scored.filter_map(|step| Some(last.write(step.kind, step.score?))).collect()
}

/// The last score, for the first side.
#[derive(Default)]
struct Last(i32);

impl Last {
    fn sign(kind: StepKind) -> i32 {
        if kind == StepKind::Move(Side::Second) { -1 } else { 1 }
    }

    fn write(&mut self, kind: StepKind, score: i16) -> u16 {
        let score = i32::from(score) * Last::sign(kind);
        let surprise = score - self.0;
        self.0 = score;
        ((surprise << 1) ^ (surprise >> 31)) as u16
    }

    fn read(&mut self, kind: StepKind, surprise: u16) -> Option<i16> {
        let surprise = i32::from(surprise >> 1) ^ -i32::from(surprise & 1);
        self.0 += surprise;
        (f64::from(self.0.abs()) <= CERTAIN).then_some((self.0 * Last::sign(kind)) as i16)
    }
}

/// Seven bits a byte, the lowest first; the highest bit says that more follow.
fn write_number(bytes: &mut Vec<u8>, mut number: usize) {
    while number >= 128 {
        bytes.push(number as u8 | 128);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// What is left to read.
struct Columns<'a>(&'a [u8]);

impl<'a> Columns<'a> {
    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    fn number(&mut self) -> Option<usize> {
        let mut number = 0;
        for shift in (0..28).step_by(7) {
            let byte = self.take(1)?[0];
            number |= usize::from(byte & 127) << shift;
            if byte < 128 {
                return Some(number);
            }
        }
        None
    }

    fn wide(&mut self, count: usize, flags: u8) -> Option<Vec<u16>> {
        let mut numbers: Vec<u16> = self.take(count)?.iter().map(|&low| u16::from(low)).collect();
        if flags & WIDE != 0 {
            let high = self.take(count)?;
            numbers
                .iter_mut()
                .zip(high)
                .for_each(|(number, &high)| *number |= u16::from(high) << 8);
        }
        Some(numbers)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use monteverde_game::Rng;

    /// A game of random numbers, with whatever a game may have.
    fn random(rng: &mut Rng) -> GameData {
        let (most, has_best, has_shares) = (rng.below(600) + 1, rng.below(2), rng.below(2));
        let (is_regular, opening) = (rng.below(2) == 0, rng.below(9) as usize);
        let step = |number: usize, rng: &mut Rng| {
            let is_first = if is_regular { number % 2 == opening % 2 } else { rng.below(2) == 0 };
            let side = if is_first { Side::First } else { Side::Second };
            let is_event = !is_regular && rng.below(5) == 0;
            let kind = if is_event { StepKind::Event } else { StepKind::Move(side) };
            let mut step = StepData::bare(kind, rng.below(most) as u16);
            let is_scored = if is_regular { number >= opening } else { rng.below(4) > 0 };
            if !is_event && is_scored {
                step.score = Some(rng.below(20_001) as i16 - 10_000);
                let best = rng.below(most) as u16;
                step.best = (has_best == 1 && best != step.index).then_some(best);
                if has_shares == 1 {
                    step.shares = (0..rng.below(200)).map(|_| rng.below(256) as u8).collect();
                }
            }
            step
        };
        let outcomes = [
            Some(Outcome::Win(Side::First)),
            Some(Outcome::Win(Side::Second)),
            Some(Outcome::Draw),
            None,
        ];
        GameData {
            number: rng.below(1000),
            start: ["", "a start"][rng.below(2) as usize].to_owned(),
            steps: (0..rng.below(300) as usize).map(|number| step(number, rng)).collect(),
            outcome: outcomes[rng.below(4) as usize],
        }
    }

    #[test]
    fn columns_give_back_what_was_written() {
        let rng = &mut Rng::new(1);
        for _ in 0..200 {
            let game = random(rng);
            assert_eq!(GameData::decode(game.number, &game.encode()), Some(game));
        }
    }

    #[test]
    fn anything_may_be_read_and_nothing_panics() {
        let rng = &mut Rng::new(2);
        for _ in 0..200 {
            let mut bytes = random(rng).encode();
            for cut in 0..bytes.len().min(50) {
                assert_eq!(GameData::decode(0, &bytes[..cut]), None, "a part is no game");
            }
            for _ in 0..20 {
                let place = rng.below(bytes.len() as u32) as usize;
                bytes[place] = rng.below(256) as u8;
                let _ = GameData::decode(0, &bytes);
            }
        }
    }

    #[test]
    fn scores_are_hundredths_of_a_percent() {
        for (mean, score) in [(0.0, 0), (1.0, 10_000), (-1.5, -10_000), (0.12345, 1_235)] {
            assert_eq!(score_of(mean), score);
        }
    }
}
