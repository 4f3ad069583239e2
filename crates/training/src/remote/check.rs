//! Whether a game may be one that was asked for. It comes from another machine: whatever the rules
//! and the arguments decide is compared. What a search found cannot be checked without searching
//! again.

use crate::data::{GameData, StepData, StepKind};
use crate::label::first_state;
use crate::opening::Opening;
use crate::selfplay::SelfPlay;
use monteverde_game::{Game, Outcome, Rng};
use monteverde_players::{AnyGame, AnyState, AnyStep};

/// Checks a game of self-play.
pub(super) fn own_game(how: &SelfPlay, game: &GameData) -> Result<(), String> {
    let mut rng = Rng::stream(how.seed, u64::from(game.number));
    let drawn = how.openings.draw(how.game, &mut rng).map_err(|error| error.to_string())?;
    let Opening { start, steps: opening, last: state, .. } = drawn;
    if game.start != start || !game.steps.starts_with(&opening) {
        return Err("it begins otherwise than the game of its number".to_owned());
    }
    let mut replay = Replay::new(state, how.keeps_shares);
    // Moves that are drawn take random numbers, and nobody but the player knows how many.
    let mut chance = Some(rng);
    let mut own_plies = 0;
    for step in &game.steps[opening.len()..] {
        if replay.state.is_pending() {
            replay.settle(step, chance.as_mut())?;
        } else {
            if own_plies < how.drawn_plies {
                chance = None;
            }
            own_plies += 1;
            replay.play(step)?;
        }
    }
    let plies = opening.iter().filter(|step| step.kind != StepKind::Event).count();
    let plies = u32::try_from(plies).unwrap_or(u32::MAX).saturating_add(own_plies);
    check_end(how, game.outcome, (replay.outcome(), plies, own_plies))
}

/// Checks how a game of self-play has ended: by the rules, or where it may be ended early.
fn check_end(
    how: &SelfPlay,
    told: Option<Outcome>,
    (by_rules, plies, own_plies): (Option<Outcome>, u32, u32),
) -> Result<(), String> {
    let rules = how.adjudication;
    if rules.length.is_some_and(|length| plies > length.max(plies - own_plies + 1)) {
        return Err("it is longer than games may be".to_owned());
    }
    let is_fitting = match (by_rules, told) {
        (Some(outcome), told) => told == Some(outcome),
        (None, Some(Outcome::Draw)) => {
            rules.draw.is_some() || rules.length.is_some_and(|length| plies >= length)
        }
        (None, Some(Outcome::Win(_))) => rules.resign.is_some(),
        (None, None) => false,
    };
    match is_fitting && own_plies > 0 {
        true => Ok(()),
        false => Err("it does not end as games end".to_owned()),
    }
}

/// Checks the scores of a game that is known.
pub(super) fn labelled_game(
    game: AnyGame,
    old: &GameData,
    new: &GameData,
    keeps_shares: bool,
) -> Result<(), String> {
    let mut replay = Replay::new(first_state(game, old)?, keeps_shares);
    for (number, step) in new.steps.iter().enumerate() {
        // A state alone has one step, the best.
        let is_same = match old.steps.get(number) {
            Some(known) => (known.kind, known.index) == (step.kind, step.index),
            None => old.steps.is_empty() && number == 0 && step.best.is_none(),
        };
        if !is_same {
            return Err("its steps are not those of the game".to_owned());
        }
        match replay.state.is_pending() {
            true => replay.settle(step, None)?,
            false => replay.play(step)?,
        }
    }
    // What follows the end of a game is left out.
    let is_whole = new.steps.len() == old.steps.len().max(1) || replay.outcome().is_some();
    let by_rules = replay.outcome().filter(|_| !old.steps.is_empty());
    match is_whole && old.start == new.start && new.outcome == old.outcome.or(by_rules) {
        true => Ok(()),
        false => Err("its start, length or result is not that of the game".to_owned()),
    }
}

/// Plays a game again.
struct Replay {
    state: AnyState,
    keeps_shares: bool,
    moves: Vec<AnyStep>,
    events: Vec<(<AnyState as Game>::Event, u32)>,
}

impl Replay {
    fn new(state: AnyState, keeps_shares: bool) -> Replay {
        Replay { state, keeps_shares, moves: Vec::new(), events: Vec::new() }
    }

    /// How it has ended by its rules.
    fn outcome(&self) -> Option<Outcome> {
        if self.state.is_pending() { None } else { self.state.outcome() }
    }

    /// An event, which is the one that these random numbers give.
    fn settle(&mut self, step: &StepData, chance: Option<&mut Rng>) -> Result<(), String> {
        self.events.clear();
        self.state.events(&mut self.events);
        let event = self.events.get(usize::from(step.index)).map(|&(event, _)| event);
        let wanted = chance.map(|rng| self.state.sample_event(rng));
        let event = event.filter(|&event| wanted.is_none_or(|wanted| wanted == event));
        match event {
            Some(event) if *step == StepData::bare(StepKind::Event, step.index) => {
                self.state.settle(event);
                Ok(())
            }
            _ => Err("chance decides otherwise".to_owned()),
        }
    }

    /// A move of which everything is known.
    fn play(&mut self, step: &StepData) -> Result<(), String> {
        if self.state.outcome().is_some() {
            return Err("it goes on behind its end".to_owned());
        }
        self.moves.clear();
        self.state.moves(&mut self.moves);
        let count = self.moves.len();
        let shares = if self.keeps_shares { count } else { 0 };
        let is_legal = |index: u16| usize::from(index) < count;
        if step.kind != StepKind::Move(self.state.turn())
            || !is_legal(step.index)
            || !step.best.is_none_or(is_legal)
        {
            return Err("a move is not legal".to_owned());
        }
        if step.score.is_none() || step.shares.len() != shares {
            return Err("a state has no score, or shares of other moves than it has".to_owned());
        }
        self.state.play(self.moves[usize::from(step.index)]);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::opening::Openings;
    use crate::selfplay::players_of;
    use monteverde_game::Side;
    use monteverde_game::limit::{Limit, Signal};
    use monteverde_lab::adjudication::Adjudication;
    use monteverde_players::Spec;

    fn how(name: &str, adjudication: Adjudication) -> SelfPlay {
        SelfPlay {
            game: monteverde_games::games().game(name).unwrap(),
            limit: Limit::iterations(20),
            seed: 5,
            openings: Openings { plies: 1..=2, starts: Vec::new() },
            adjudication,
            drawn_plies: 0,
            keeps_shares: true,
        }
    }

    fn played(how: &SelfPlay) -> GameData {
        let name = if how.game.name() == "chess" { "mcc" } else { "uct" };
        let spec = Spec::read(how.game, &format!("{name}:memory=1MiB")).unwrap();
        how.play(3, &players_of(&spec), &Signal::default()).unwrap()
    }

    /// Every way to change a game of which the rules or the arguments say that it is wrong.
    fn forgeries(game: &GameData) -> Vec<(&'static str, GameData)> {
        let last = game.steps.iter().rposition(|step| step.score.is_some()).unwrap();
        let with = |change: &dyn Fn(&mut GameData)| {
            let mut forged = game.clone();
            change(&mut forged);
            forged
        };
        let mut all = vec![
            ("another start", with(&|game| game.start = "x".to_owned())),
            ("no result", with(&|game| game.outcome = None)),
            (
                "another result",
                with(&|game| {
                    let is_won = game.outcome == Some(Outcome::Win(Side::First));
                    let other = if is_won { Side::Second } else { Side::First };
                    game.outcome = Some(Outcome::Win(other));
                }),
            ),
            ("another opening", with(&|game| game.steps[0].index ^= 1)),
            ("no end", with(&|game| drop(game.steps.pop()))),
            ("too long", with(&|game| game.steps.push(game.steps[last].clone()))),
            ("no move", with(&|game| game.steps[last].index = 500)),
            ("no best move", with(&|game| game.steps[last].best = Some(500))),
            ("no score", with(&|game| game.steps[last].score = None)),
            ("other shares", with(&|game| game.steps[last].shares.push(1))),
            (
                "the other side",
                with(&|game| {
                    let is_first = game.steps[last].kind == StepKind::Move(Side::First);
                    let other = if is_first { Side::Second } else { Side::First };
                    game.steps[last].kind = StepKind::Move(other);
                }),
            ),
        ];
        if let Some(event) = game.steps.iter().rposition(|step| step.kind == StepKind::Event) {
            let changed = with(&|game| game.steps[event].index ^= 1);
            all.push(("another event", changed));
        }
        all
    }

    #[test]
    fn whatever_the_rules_decide_is_compared() {
        for (name, adjudication) in [
            ("tic-tac-toe", Adjudication::default()),
            ("dice-race", Adjudication::default()),
            ("chess", Adjudication { length: Some(12), ..Adjudication::default() }),
        ] {
            let how = how(name, adjudication);
            let game = played(&how);
            own_game(&how, &game).unwrap();
            for (what, forged) in forgeries(&game) {
                assert!(own_game(&how, &forged).is_err(), "{name}: {what}");
            }
        }
    }

    #[test]
    fn scores_belong_to_the_game_that_was_sent() {
        for name in ["tic-tac-toe", "dice-race"] {
            let how = how(name, Adjudication::default());
            let mut game = played(&how);
            // Random moves are scored, too; here by nobody in particular.
            let mut replay = Replay::new(how.game.start(), true);
            for step in &mut game.steps {
                if replay.state.is_pending() {
                    replay.settle(step, None).unwrap();
                    continue;
                }
                let mut moves = Vec::new();
                replay.state.moves(&mut moves);
                step.score = step.score.or(Some(0));
                step.shares = vec![1; moves.len()];
                replay.play(step).unwrap();
            }
            labelled_game(how.game, &game, &game, true).unwrap();
            for (what, forged) in forgeries(&game) {
                assert!(labelled_game(how.game, &game, &forged, true).is_err(), "{name}: {what}");
            }
        }
    }
}
