//! Games of a player against itself, with its own score of every state.

use crate::data::{GameData, StepData, StepKind, score_of};
use crate::error::DataError;
use crate::opening::{Opening, Openings, settle};
use crate::produce::Make;
use monteverde_game::limit::{Limit, NoClock, Signal};
use monteverde_game::report::{Control, Report};
use monteverde_game::rng::stream_seed;
use monteverde_game::{Game, Outcome, Rng};
use monteverde_lab::adjudication::{Adjudication, Referee};
use monteverde_lab::record::MoveRecord;
use monteverde_players::player::Player;
use monteverde_players::{AnyGame, AnyState, AnyStep, Overrides, Spec};
use std::time::Duration;

/// How games are played.
#[derive(Clone, Debug)]
pub struct SelfPlay {
    /// The game.
    pub game: AnyGame,
    /// How long the player thinks about a move.
    pub limit: Limit<AnyStep>,
    /// Where the random numbers start; a game has those of its own number.
    pub seed: u64,
    /// How games begin.
    pub openings: Openings,
    /// When games are ended that the rules would let go on.
    pub adjudication: Adjudication,
    /// So many moves after the opening are drawn by their visits, in place of the best.
    pub drawn_plies: u32,
    /// Whether the shares of visits are kept.
    pub keeps_shares: bool,
}

/// Makes a player with that seed, at a state.
pub type MakePlayer<'a> = dyn Fn(u64, &AnyState) -> Box<dyn Player<AnyState>> + Sync + 'a;

/// A maker of players by their spec.
pub fn players_of(spec: &Spec) -> impl Fn(u64, &AnyState) -> Box<dyn Player<AnyState>> + Sync + '_ {
    |seed, state| {
        let overrides = Overrides { seed: Some(seed), ..Overrides::default() };
        let seeded = spec.clone().with(&overrides).expect("any number is a seed");
        seeded.make(state)
    }
}

/// The games of a player.
pub struct OwnGames<'a> {
    /// How they are played.
    pub how: &'a SelfPlay,
    /// Who plays.
    pub player: &'a MakePlayer<'a>,
}

impl Make for OwnGames<'_> {
    fn make(&self, number: u32) -> Result<GameData, DataError> {
        self.how.play(number, self.player, &Signal::default())
    }
}

/// The seed of players is another than that of openings and chance.
const PLAYER_STREAM: u64 = 0x706c_6179;

impl SelfPlay {
    /// Plays the game of that number, which depends on nothing else, unless it is stopped.
    pub fn play(
        &self,
        number: u32,
        player: &MakePlayer<'_>,
        stop: &Signal,
    ) -> Result<GameData, DataError> {
        let mut rng = Rng::stream(self.seed, u64::from(number));
        let Opening { start, mut steps, first, last: mut state } =
            self.openings.draw(self.game, &mut rng)?;
        let mut referee = Referee::new(self.adjudication);
        let opening_plies = steps.iter().filter(|step| step.kind != StepKind::Event);
        for step in opening_plies {
            let StepKind::Move(side) = step.kind else { continue };
            referee.see(side, &MoveRecord::default());
        }
        let seed = stream_seed(self.seed ^ PLAYER_STREAM, u64::from(number));
        let mut player = player(seed, &state);
        // What has happened counts: repetitions of states of the opening.
        follow(&mut *player, &first, &steps);
        let mut moves = Vec::new();
        let mut own_plies = 0;
        let outcome = loop {
            settle(&mut state, &mut rng, &mut steps, |event| player.settle(event));
            if let Some(outcome) = state.outcome() {
                break outcome;
            }
            let report = think(&mut *player, &self.limit, stop);
            if stop.is_stopped() {
                return Err(DataError::Stopped);
            }
            moves.clear();
            state.moves(&mut moves);
            let best = report.best.expect("there are moves where the game is not over");
            let place = |mv| moves.iter().position(|&known| known == mv).expect("it is legal");
            let is_drawn = own_plies < self.drawn_plies;
            let mv = if is_drawn { draw(&report, &mut rng).unwrap_or(best) } else { best };
            own_plies += 1;
            let side = state.turn();
            let shares = if self.keeps_shares { shares(&report, &moves) } else { Vec::new() };
            let score = Some(score_of(report.mean));
            let (index, best) = (place(mv) as u16, place(best) as u16);
            let best = Some(best).filter(|&best| best != index);
            let kind = StepKind::Move(side);
            steps.push(StepData { kind, index, score, best, shares });
            state.play(mv);
            player.play(mv);
            let said = MoveRecord { mean: Some(report.mean), ..MoveRecord::default() };
            let ruling = referee.see(side, &said);
            if let (Some((result, _)), None) = (ruling, over(&state)) {
                break Outcome::from(result);
            }
        };
        Ok(GameData { number, start, steps, outcome: Some(outcome) })
    }
}

/// How the game has ended by its rules; a pending state is not over.
fn over(state: &AnyState) -> Option<Outcome> {
    if state.is_pending() { None } else { state.outcome() }
}

/// Puts a player where some steps lead to.
pub(crate) fn follow(player: &mut dyn Player<AnyState>, first: &AnyState, steps: &[StepData]) {
    player.begin(first);
    let (mut moves, mut events) = (Vec::new(), Vec::new());
    for step in steps {
        let index = usize::from(step.index);
        if step.kind == StepKind::Event {
            events.clear();
            player.state().events(&mut events);
            player.settle(events[index].0);
        } else {
            moves.clear();
            player.state().moves(&mut moves);
            player.play(moves[index]);
        }
    }
}

/// Lets a player think without a clock.
pub(crate) fn think(
    player: &mut dyn Player<AnyState>,
    limit: &Limit<AnyStep>,
    stop: &Signal,
) -> Report<AnyState> {
    let control =
        Control { clock: &NoClock, signal: stop, every: Duration::MAX, observe: &mut |_| {} };
    player.think(limit, control)
}

/// The visits of each legal move, as parts of the most.
pub(crate) fn shares(report: &Report<AnyState>, moves: &[AnyStep]) -> Vec<u8> {
    let most = report.moves.iter().map(|entry| entry.visits).max().unwrap_or(0).max(1);
    let mut shares = vec![0; moves.len()];
    for entry in &report.moves {
        if let Some(place) = moves.iter().position(|&mv| mv == entry.mv) {
            let share = f64::from(entry.visits) / f64::from(most);
            shares[place] = (share * f64::from(u8::MAX)).round() as u8;
        }
    }
    shares
}

/// A move drawn by its visits.
fn draw(report: &Report<AnyState>, rng: &mut Rng) -> Option<AnyStep> {
    let all: u32 = report.moves.iter().map(|entry| entry.visits).sum();
    let mut rest = rng.below(all);
    for entry in &report.moves {
        if rest < entry.visits {
            return Some(entry.mv);
        }
        rest -= entry.visits;
    }
    None
}
