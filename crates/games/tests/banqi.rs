//! The players of Chinese dark chess.

use monteverde_banqi::Banqi;
use monteverde_game::{Game, Knowledge, Notation, Oracle, Outcome, Proof, Rng, Side};
use monteverde_games::banqi::endgames::BanqiEndgames;
use monteverde_games::games;
use monteverde_knowledge::banqi::{BanqiKnowledge, MoveEval};
use monteverde_mcts::playout::End;
use monteverde_mcts::{Bias, Control, Count, Limit, NoClock, Playouter, Signal, Uct};
use monteverde_players::{AnyGame, Settings, Spec, SpecError};
use std::time::Duration;

fn banqi() -> AnyGame {
    games().game("banqi").expect("the game")
}

fn parse(text: &str) -> Result<Spec, SpecError> {
    Spec::read(banqi(), text)
}

fn settings(spec: &str) -> Settings {
    let spec = parse(spec).unwrap_or_else(|error| panic!("'{spec}': {error}"));
    spec.settings().expect("a player that searches by Monte-Carlo").clone()
}

fn knowledge(settings: &Settings) -> BanqiKnowledge {
    settings.own()
}

fn oracle(settings: &Settings) -> BanqiEndgames {
    BanqiEndgames { pieces: settings.pieces, least_root: settings.tables_root }
}

fn state(text: &str) -> Banqi {
    Banqi::parse_state(text).unwrap_or_else(|error| panic!("'{text}': {error}"))
}

/// The mean plies of playouts from the initial board.
fn mean_plies(spec: &str, count: u32) -> f64 {
    let settings = settings(spec);
    let (knowledge, oracle) = (knowledge(&settings), oracle(&settings));
    let start = Banqi::start();
    let mut playouter = Playouter::new(settings.config.playout, &knowledge, &oracle, &start);
    let (mut state, mut rng) = (start.clone(), Rng::new(1));
    let play = |_| {
        state.clone_from(&start);
        playouter.play(&mut state, &mut rng).plies
    };
    f64::from((0..count).map(play).sum::<u32>()) / f64::from(count)
}

/// Known: 147.2 plies, and 209.5 by uniform moves; the paper's playouts take 148.4. With the likely
/// wins and losses alone 98.5 are known; likely draws end some sooner. The paper has 101.7.
#[test]
fn playouts_are_as_long_as_is_known() {
    // The standard errors are 0.3 plies.
    for (spec, known, tolerance) in [
        ("dark-knight", 147.2, 1.5),
        ("dark-knight:playout=uniform", 209.5, 1.5),
        ("dark-knight:ept", 98.5, 4.0),
    ] {
        let mean = mean_plies(spec, 20_000);
        assert!((mean - known).abs() < tolerance, "{spec}: {mean} plies");
    }
}

/// Playouts by the loop of the rules are those that go move by move, which recording them forces.
#[test]
fn quick_playouts_are_those_that_go_move_by_move() {
    for spec in [
        "dark-knight",
        "dark-knight:other-weight=5",
        "dark-knight:ept",
        "dark-knight:ept,ept-error=0.5",
    ] {
        let settings = settings(spec);
        let (knowledge, oracle) = (knowledge(&settings), oracle(&settings));
        let root = Banqi::start();
        let mut playouter = Playouter::new(settings.config.playout, &knowledge, &oracle, &root);
        let (mut rng, mut slow_rng) = (Rng::new(1), Rng::new(1));
        for plies in 0..200 {
            let mut quick = after(plies);
            let (mut slow, mut record) = (quick.clone(), Vec::new());
            let found = playouter.play(&mut quick, &mut rng);
            let expected = playouter.play_recorded(&mut slow, &mut slow_rng, &mut record);
            assert_eq!((found, &rng), (expected, &slow_rng), "{spec}");
            assert_eq!(record.len(), found.plies as usize);
        }
    }
}

/// A random game after so many plies, or at its end.
fn after(plies: u64) -> Banqi {
    let (mut state, mut rng) = (Banqi::start(), Rng::new(plies));
    for _ in 0..plies {
        let Ok(mv) = state.sample(&mut rng) else { break };
        state.play(mv);
        if state.is_pending() {
            state.settle(state.sample_event(&mut rng));
        }
    }
    state
}

/// Two guards beat two ministers: the playout ends where it begins, and counts as a loss as often
/// as it is told to.
#[test]
fn a_likely_outcome_ends_a_playout() {
    let won = state("GG2/4/4/4/4/4/4/2mm b - 0");
    for (spec, share) in [("dark-knight:ept", 1.0), ("dark-knight:ept,ept-error=0.25", 0.75)] {
        let settings = settings(spec);
        let (knowledge, oracle) = (knowledge(&settings), oracle(&settings));
        let root = Banqi::start();
        let mut playouter = Playouter::new(settings.config.playout, &knowledge, &oracle, &root);
        let mut rng = Rng::new(1);
        let mut wins = 0;
        for _ in 0..10_000 {
            let result = playouter.play(&mut won.clone(), &mut rng);
            assert_eq!((result.plies, result.ended_by), (0, End::Verdict));
            wins += u32::from(result.outcome() == Outcome::Win(Side::First));
        }
        // The standard error is 0.0043.
        assert!((f64::from(wins) / 10_000.0 - share).abs() < 0.015, "{spec}: {wins}");
        // In a search from there nothing would be told apart: the playouts go on.
        let mut playouter = Playouter::new(settings.config.playout, &knowledge, &oracle, &won);
        assert_eq!(playouter.play(&mut won.clone(), &mut rng).ended_by, End::Rules);
    }
}

/// Pieces weigh as in Table 1, covered or not, for the side to move; Red is a guard ahead.
#[test]
fn the_evaluation_is_the_balance_of_material() {
    let settings = settings("dark-knight");
    let knowledge = knowledge(&settings);
    let eval = |text: &str| knowledge.eval(&state(text));
    assert_eq!(knowledge.eval(&Banqi::start()), Some(0.0));
    assert_eq!(eval("K3/4/4/4/4/4/4/XX1k r Gp 0"), Some(42.0));
    assert_eq!(eval("K3/4/4/4/4/4/4/XX1k b Gp 0"), Some(-42.0));
    let ahead = "KG2/4/4/4/4/4/4/3k r - 0";
    let expectation = knowledge.expectation(&state(ahead)).expect("it is known");
    // The odds are e to 1.
    let expected = (1f32.exp() - 1.0) / (1f32.exp() + 1.0);
    assert!((expectation - expected).abs() < 1e-6, "{expectation}");
}

/// Formula 9: the winner has K, G and a covered P, so 3 + 0.02 (55 + 50 + 8); that is 5.26.
#[test]
fn quality_is_what_the_winner_has_left() {
    let settings = settings("dark-knight");
    let knowledge = knowledge(&settings);
    let won = state("KG2/X3/4/4/4/4/4/4 b P 0");
    assert_eq!(won.outcome(), Some(Outcome::Win(Side::First)));
    let quality = knowledge.quality(&won, Side::First).expect("a won game has one");
    let expected = 2.0 / (1.0 + (-5.26f32 / 10.0).exp()) - 1.0;
    assert!((quality - expected).abs() < 1e-6, "{quality}");
    assert_eq!(knowledge.quality(&Banqi::start(), Side::First), None);
}

/// Formula 1 with Q in -1..1; the techniques are flags, and the settings of progressive bias
/// override what they set.
#[test]
fn flags_switch_techniques_on() {
    let base = settings("dark-knight");
    assert_eq!(base.config.uct, Uct::Signed { c: 1.0 });
    assert_eq!((base.config.bias, knowledge(&base).moves), (None, None));
    let paper = Some(Bias { weight: 0.1, count: Count::RootVisits });
    let flips = MoveEval::Flips { curb: 1.0 / 4.0, flip: 1.0 / 12.0 };
    for (flag, moves) in [
        ("pb", MoveEval::Captures),
        ("pb-curb", MoveEval::Curbs { curb: 1.0 / 4.0 }),
        ("pb-curb-flip", flips),
    ] {
        let settings = settings(&format!("dark-knight:{flag}"));
        assert_eq!(
            (settings.config.bias, knowledge(&settings).moves),
            (paper, Some(moves)),
            "{flag}"
        );
    }
    for (text, canonical) in [
        ("bias-count=sqrt-l,pb,bias=0.05", "dark-knight:pb,bias=0.05,bias-count=sqrt-l"),
        ("pb-curb,curb=0.5,pb", "dark-knight:pb-curb,curb=0.5"),
        ("pb-curb-flip,flip=0.25,ept", "dark-knight:pb-curb-flip,flip=0.25,ept"),
        ("pb,no-pb-curb,no-ept", "dark-knight:pb"),
        ("other-weight=2,material-scale=50", "dark-knight"),
    ] {
        let spec = parse(&format!("dark-knight:{text}")).expect("a spec");
        assert_eq!(spec.to_string(), canonical);
        assert_eq!(parse(canonical), Ok(spec));
    }
    assert!(parse("dark-knight:pb,flip=0.5").is_err());
}

/// The guard can take a minister. With the prior of that it has more visits, and where priors order
/// the moves it is tried first, though the game lists others before.
#[test]
fn progressive_bias_leads_to_what_looks_better() {
    let any = banqi().parse_state("4/4/m3/G3/4/P1P1/4/p2g r - 0").expect("a state");
    let visits = |spec: &str, iterations: u64| {
        let mut player = parse(spec).expect("a spec").make(&any);
        let control = Control {
            clock: &NoClock,
            signal: &Signal::default(),
            every: Duration::MAX,
            observe: &mut |_| {},
        };
        let report = player.think(&Limit::iterations(iterations), control);
        let capture = any.parse_move("a5-a6").expect("a legal move");
        report.moves.iter().find(|entry| entry.mv == capture).map_or(0, |entry| entry.visits)
    };
    let (plain, biased) = (visits("dark-knight", 100), visits("dark-knight:pb", 100));
    assert!(biased > plain + 10, "{plain} and {biased} visits");
    assert_eq!((visits("dark-knight:pb", 1), visits("dark-knight:pb,order=prior", 1)), (0, 1));
}

/// The guard beside a pawn takes it; farther away, one piece that runs from one catches it or not
/// by whose turn it is. All is known where three pieces are face up, and nothing where one is
/// covered or there are more.
#[test]
fn endgames_are_known_where_all_is_face_up() {
    let settings = settings("dark-knight:tables,solver=wins,tree-oracle");
    assert_eq!((settings.pieces, banqi().note(&settings)), (3, None));
    let oracle = oracle(&settings);
    assert_eq!(oracle.probe(&state("4/4/4/4/4/4/4/Gp2 r - 0")), Proof::Win(1));
    assert_eq!(oracle.probe(&state("4/4/4/4/4/4/4/Gp2 r - 0 plies=1")), Proof::Win(1));
    assert_eq!(oracle.probe(&state("4/4/4/4/4/mm2/4/G3 b - 0")), Proof::Draw);
    assert!(oracle.probe(&state("4/4/2k1/4/4/4/4/KG2 r - 0")).is_proven());
    assert_eq!(oracle.probe(&state("4/4/2k1/4/4/4/4/KG2 r - 39")), Proof::Open, "too late");
    assert_eq!(oracle.probe(&state("4/4/2X1/4/4/4/4/KG2 r k 0")), Proof::Open);
    assert_eq!(oracle.probe(&state("4/4/mm2/4/4/4/4/KG2 r - 0")), Proof::Open);
    assert!(oracle.is_useful_at(&Banqi::start()));
    let won = state("4/4/4/4/4/mm2/4/G3 b - 0");
    let knowledge = knowledge(&settings);
    let mut playouter = Playouter::new(settings.config.playout, &knowledge, &oracle, &won);
    let result = playouter.play(&mut won.clone(), &mut Rng::new(1));
    assert_eq!((result.plies, result.ended_by, result.reward), (0, End::Tables, 0));
}

/// The best players are others with settings that anybody can write.
#[test]
fn the_best_players_are_made_of_settings() {
    let spec = "dark-knight:ept,imb=0.3,sl,tsq,pb-curb-flip,c=0.25,truncate=30";
    assert_eq!(settings("best-playouts"), settings(spec));
    let spec = "uct:uct=puct,c=1,temperature=1,fpu=reduced,urgency=0.05,truncate=0,network=own";
    assert_eq!(settings("best"), settings(spec));
}
