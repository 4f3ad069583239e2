//! The players of Lines of Action at work.

use monteverde_game::{Game, Outcome, Proof, Rng};
use monteverde_games::games;
use monteverde_knowledge::loa::{Evaluator, LoaKnowledge};
use monteverde_mcts::{Control, Limit, NoClock, Report, Signal};
use monteverde_players::{AnyGame, AnyState, Spec, SpecError};
use std::time::Duration;

fn loa() -> AnyGame {
    games().game("loa").expect("the game")
}

fn parse(text: &str) -> Result<Spec, SpecError> {
    Spec::read(loa(), text)
}

fn think(spec: &str, state: &AnyState, iterations: u64) -> Report<AnyState> {
    let control = Control {
        clock: &NoClock,
        signal: &Signal::default(),
        every: Duration::MAX,
        observe: &mut |_| {},
    };
    let mut player = parse(spec).expect("a spec").make(state);
    player.think(&Limit::iterations(iterations), control)
}

/// The state after the moves of the shortest game that Black wins, but for its last move.
fn won() -> AnyState {
    let mut state = loa().start();
    for text in "d1-b3 h5-g4 b1-b4 g4xg1 b4-e7 a3xc1 b3-e6 h3xf1".split(' ') {
        state.play(state.parse_move(text).expect("a legal move"));
    }
    state
}

#[test]
fn every_player_moves_and_connects_where_it_can() {
    let names = loa().player_names();
    for name in ["mc-loa-2008", "mc-loa-2008-nosolver", "mc-loa", "mc-loa-ab", "best", "mia"] {
        assert!(names.contains(&name), "{names:?}");
    }
    for name in names {
        let (start, won) = (loa().start(), won());
        let best = think(name, &start, 200).best.expect("a move");
        assert!(start.parse_move(&start.move_text(best)).is_ok(), "{name}");
        let mut after = won.clone();
        after.play(think(name, &won, 3_000).best.expect("a move"));
        assert_eq!(after.outcome(), Some(Outcome::Win(won.turn())), "{name}");
    }
}

#[test]
fn solvers_prove_the_win() {
    for name in ["mc-loa-2008", "mc-loa", "mc-loa-ab", "best", "mia"] {
        assert_eq!(think(name, &won(), 3_000).proof, Proof::Win(1), "{name}");
    }
}

#[test]
fn the_evaluator_is_a_setting_of_all_of_them() {
    for name in ["mc-loa-2008", "mc-loa", "mc-loa-ab", "best", "mia"] {
        let spec = |year: &str| parse(&format!("{name}:evaluator={year}"));
        let evaluator = |year: &str| {
            let spec = spec(year).expect("a spec");
            let searching = spec.settings().map(|settings| settings.own::<LoaKnowledge>());
            let known = searching.or(spec.alphabeta().map(|settings| settings.own()));
            known.map(|known| known.evaluator)
        };
        assert_eq!(evaluator("2000"), Some(Evaluator::Mia2000), "{name}");
        assert_eq!(evaluator("2002"), Some(Evaluator::Mia2002), "{name}");
        assert_eq!(evaluator("monte-carlo"), Some(Evaluator::MonteCarlo), "{name}");
        assert_eq!(evaluator("non-negative"), Some(Evaluator::NonNegative), "{name}");
        assert_eq!(spec("2006").expect("a spec").to_string(), name);
        let said = spec("2004").expect_err("no evaluator").to_string();
        assert!(said.contains("2000") && said.contains("2006"), "{said}");
    }
}

/// The evaluators are not the same player.
#[test]
fn evaluators_see_different_values() {
    let state = loa().start();
    let means = |spec: &str| -> Vec<f64> {
        think(spec, &state, 300).moves.iter().map(|entry| entry.mean).collect()
    };
    assert_ne!(means("best:network=none,evaluator=2000"), means("best:network=none"));
    assert_ne!(means("best:network=none,evaluator=2002"), means("best:network=none"));
}

/// Both settings change what is played in some states, and the words that say "off" are those that
/// hold without them.
#[test]
fn quiet_leaves_and_foresight_change_the_choice() {
    const PLAIN: &str = "best:network=none,leaf=static,foresight=0";
    let mut rng = Rng::new(6);
    let mut differing = [0; 2];
    for _ in 0..20 {
        let mut state = loa().start();
        for _ in 0..20 {
            state.play(state.sample(&mut rng).expect("no game is over so early"));
        }
        let best = |spec| think(spec, &state, 300).best;
        let plain = best(PLAIN);
        differing[0] += u32::from(best("best:network=none,leaf=quiet,foresight=0") != plain);
        differing[1] += u32::from(best("best:network=none,leaf=static,foresight=2") != plain);
    }
    assert!(differing.iter().all(|&states| states > 0), "{differing:?}");
    let base = parse("uct").expect("a spec");
    let off = parse("uct:leaf=static,foresight=0").expect("a spec");
    assert_eq!(base.settings(), off.settings());
}
