//! Specs: what they accept, how they are printed, and what they say of mistakes.

use monteverde_game::fixtures::{DiceRace, TicTacToe};
use monteverde_game::{Greed, Measure, Ties};
use monteverde_mcts::playout::{
    AlphaBeta, DecidedRoot, Greedy, Heavy, Killers, Look, Mixed, Playouts, Strategy, Then,
};
use monteverde_mcts::{
    Bias, Choose, Count, Fpu, Imb, Influence, Mode, Quality, Rave, Threshold, Uct, Untried, Widen,
};
use monteverde_players::setting::Setting;
use monteverde_players::{
    AnyGame, Entry, Games, Overrides, Preset, Settings, Spec, SpecError, build, field, presets,
};
use proptest::prelude::{Strategy as _, *};

struct Crosses;

impl Entry for Crosses {
    type Game = TicTacToe;
}

/// A game with a player and a setting of its own.
struct Race;

impl Entry for Race {
    type Game = DiceRace;

    fn players(&self) -> &'static [Preset] {
        &[presets::UCT, Preset { name: "gambler", about: "Plays.", settings: Settings::default }]
    }
    fn own_settings(&self) -> &'static [Setting<Settings>] {
        const { &[Setting::<Settings>::whole("luck", 0..=9, field!(Luck: drops)).after("c")] }
    }
}

#[derive(Clone, PartialEq, Debug, Default)]
struct Luck {
    drops: u32,
}

fn game(name: &str) -> AnyGame {
    Games::new().with(Crosses).with(Race).game(name).expect("a game")
}

fn parse(text: &str) -> Result<Spec, SpecError> {
    Spec::read(game("tic-tac-toe"), text)
}

/// Reads the spec and compares its canonical form.
fn check(text: &str, canonical: &str) -> Settings {
    let spec = parse(text).unwrap_or_else(|error| panic!("'{text}': {error}"));
    assert_eq!(spec.to_string(), canonical, "'{text}'");
    assert_eq!(parse(canonical), Ok(spec.clone()), "'{canonical}'");
    spec.settings().expect("a player that searches by Monte-Carlo").clone()
}

#[test]
fn a_bare_name_has_the_settings_of_the_appendix() {
    let settings = check("uct", "uct");
    assert_eq!(settings.config.uct, Uct::Ucb1 { c: 1.0 });
    assert_eq!(settings.config.choose, Choose::Visits);
    assert_eq!(settings.config.threads, 1);
    assert_eq!(settings.fraction, 30);
}

#[test]
fn settings_are_printed_where_they_differ_in_one_order() {
    check("uct:c=1", "uct");
    check("uct:seed=7,c=0.50", "uct:c=0.5,seed=7");
    check(" uct : threads = 2 , uct = signed ", "uct:uct=signed,threads=2");
    check("uct:memory=1024MiB", "uct");
    check("uct:memory=65536", "uct:memory=64KiB");
    check("uct:no-fresh", "uct");
    check("uct:fraction=1000,fresh", "uct:fraction=1000,fresh");
    check("uct:clock-share=2.5,soft-stop=1", "uct:soft-stop=1,clock-share=2.5");
    check("uct:soft-stop=off,choose=mean,clock-share=2", "uct:choose=mean,clock-share=2");
    check("uct:seed=18446744073709551615", "uct:seed=18446744073709551615");
}

#[test]
fn a_formula_keeps_its_constant() {
    assert_eq!(check("uct:c=3,uct=ratio", "uct:uct=ratio,c=3").config.uct, Uct::Ratio { c: 3.0 });
    assert_eq!(check("uct:uct=signed", "uct:uct=signed").config.uct, Uct::Signed { c: 1.0 });
}

#[test]
fn the_secure_constant_goes_with_the_secure_choice() {
    assert_eq!(
        check("uct:a=0.25,choose=secure", "uct:choose=secure,a=0.25").config.choose,
        Choose::Secure { a: 0.25 }
    );
    check("uct:choose=secure,a=1", "uct:choose=secure");
    assert_eq!(parse("uct:a=1"), Err(SpecError::Needs { key: "a", needs: "choose=secure" }));
    assert!(parse("uct:choose=mean,a=1").is_err());
}

#[test]
fn minimax_scores_have_a_weight_or_one_that_fades() {
    assert_eq!(check("uct:imb=0.30", "uct:imb=0.3").config.imb, Some(Imb::Fixed(0.3)));
    assert_eq!(check("uct:imb=dynamic", "uct:imb=dynamic").config.imb, Some(Imb::DYNAMIC));
    check("uct:imb=off", "uct");
    check("uct:imb-cc=0.25,imb-cs=20,imb=dynamic,imb-cn=8", "uct:imb=dynamic");
    assert_eq!(
        check("uct:imb=dynamic,imb-cc=0,imb-cn=2", "uct:imb=dynamic,imb-cc=0,imb-cn=2").config.imb,
        Some(Imb::Dynamic { c_c: 0.0, c_s: 20.0, c_n: 2.0 })
    );
    assert_eq!(
        parse("uct:imb=0.3,imb-cc=0.5"),
        Err(SpecError::Needs { key: "imb-cc", needs: "imb=dynamic" })
    );
    let error = parse("uct:imb=1.5").expect_err("no weight").to_string();
    assert!(error.contains("a number from 0 to 1, or off or dynamic"), "{error}");
}

#[test]
fn rewards_may_go_by_quality() {
    let quality = check("uct:sl", "uct:sl").config.quality;
    assert_eq!(quality, Quality { length: Some(Influence { a: 0.25, k: 7.0 }), terminal: None });
    let quality = check("uct:tsq-k=5,tsq,sl,sl-a=1", "uct:sl,sl-a=1,tsq,tsq-k=5").config.quality;
    assert_eq!(quality.length, Some(Influence { a: 1.0, k: 7.0 }));
    assert_eq!(quality.terminal, Some(Influence { a: 0.3, k: 5.0 }));
    check("uct:no-sl,no-tsq", "uct");
    assert_eq!(parse("uct:sl-a=0.5"), Err(SpecError::Needs { key: "sl-a", needs: "sl" }));
}

#[test]
fn playouts_go_by_their_strategy() {
    let settings = check("uct:epsilon=0.25,playout=see", "uct:playout=see,epsilon=0.25");
    let greed = Greed { measure: Measure::Gain, ties: Ties::First };
    let strategy = Strategy::Greedy(Heavy { greed, epsilon: 0.25 });
    assert_eq!(settings.config.playout, Playouts { strategy, ..Playouts::default() });
    check("uct:playout=eval,epsilon=0.6", "uct:playout=eval");
    check("uct:playout=eval,ties=random,epsilon=0", "uct:playout=eval,epsilon=0,ties=random");
    check("uct:playout=mixed,least-weight=0.01,spread=50", "uct:playout=mixed,spread=50");
    check("uct:playout=categories", "uct:playout=categories");
    let text = "uct:playout=mixed,spread=0,considered=7,cutoff=700,cutoff-every=1";
    let greedy = Greedy { considered: Some(7), ties: Ties::First };
    let mixed = Mixed { spread: None, then: Then::Greedy(greedy), ..Mixed::default() };
    assert_eq!(check(text, text).config.playout.strategy, Strategy::Mixed(mixed));
    let text = "uct:playout=alphabeta,corrective=0,ab-width=6,ab-replies=4,ab-look=both";
    let searched =
        AlphaBeta { width: 6, replies: 4, look: Look::Everywhere, ..AlphaBeta::default() };
    let mixed = Mixed { corrective: 0, then: Then::AlphaBeta(searched), ..Mixed::default() };
    assert_eq!(check(text, text).config.playout.strategy, Strategy::Mixed(mixed));
    check("uct:ab-replies=5,playout=alphabeta,ab-width=7,ab-look=root", "uct:playout=alphabeta");
    let text = "uct:playout=alphabeta,ab-plies=3,ab-killers=off";
    let searched = AlphaBeta { plies: 3, killers: Killers::Off, ..AlphaBeta::default() };
    let mixed = Mixed { then: Then::AlphaBeta(searched), ..Mixed::default() };
    assert_eq!(check(text, text).config.playout.strategy, Strategy::Mixed(mixed));
    check("uct:ab-killers=on,ab-plies=2,playout=alphabeta", "uct:playout=alphabeta");
    check("uct:cutoff-every=1,cutoff=700", "uct:cutoff=700,cutoff-every=1");
    let text = "uct:cutoff=700,cutoff-root=play-on";
    let cutoff = check(text, text).config.playout.cutoff.expect("a cutoff");
    assert_eq!(cutoff.decided_root, DecidedRoot::PlaysOn);
    check("uct:truncate=0,redraw=6,draw-weight=0.5", "uct:truncate=0,redraw=6,draw-weight=0.5");
    check("uct:truncate=off,redraw=off,draw-weight=off,cutoff=off,most-plies=off", "uct");
    for (text, key) in [
        ("uct:epsilon=0.5", "epsilon"),
        ("uct:playout=mixed,epsilon=0.5", "epsilon"),
        ("uct:ties=random", "ties"),
        ("uct:cutoff-every=3", "cutoff-every"),
        ("uct:cutoff-root=play-on", "cutoff-root"),
        ("uct:playout=see,spread=1", "spread"),
        ("uct:playout=alphabeta,considered=7", "considered"),
        ("uct:playout=alphabeta,ties=random", "ties"),
        ("uct:playout=mixed,ab-width=7", "ab-width"),
        ("uct:playout=mixed,ab-plies=3", "ab-plies"),
        ("uct:ab-killers=off", "ab-killers"),
    ] {
        let error = parse(text).expect_err(text);
        assert!(matches!(error, SpecError::Needs { key: found, .. } if found == key), "{error}");
    }
    for (item, accepted) in [
        ("ab-plies=1", "a whole number from 2 to 4"),
        ("ab-plies=9", "a whole number from 2 to 4"),
        ("ab-killers=maybe", "on, off"),
    ] {
        let error = parse(&format!("uct:playout=alphabeta,{item}")).expect_err(item).to_string();
        let (key, value) = item.split_once('=').expect("a value");
        assert!([key, value, accepted].iter().all(|part| error.contains(part)), "{error}");
    }
}

#[test]
fn the_techniques_of_selection_have_settings() {
    let config = |text: &str, canonical: &str| check(text, canonical).config;
    assert_eq!(
        config("uct:bias=0.001", "uct:bias=0.001").bias,
        Some(Bias { weight: 0.001, count: Count::Visits })
    );
    assert_eq!(
        config("uct:bias-count=sqrt-l,bias=10", "uct:bias=10,bias-count=sqrt-l").bias,
        Some(Bias { weight: 10.0, count: Count::RootLosses })
    );
    assert_eq!(config("uct:bias=off", "uct").bias, None);
    assert_eq!(config("uct:fpu=fixed", "uct:fpu=fixed").fpu, Some(Fpu::Fixed(1.1)));
    assert_eq!(
        config("uct:urgency=0.2,fpu=reduced", "uct:fpu=reduced,urgency=0.2").fpu,
        Some(Fpu::Reduced(0.2))
    );
    let chaslot = Widen { mode: Mode::Unprune, first: 5, scale: 50.0, base: 1.3 };
    assert_eq!(config("uct:widen=unprune", "uct:widen=unprune").widen, Some(chaslot));
    let text = "uct:widen=widen,widen-after=7,widen-first=2,widen-scale=40,widen-base=1.4";
    let (mode, first, scale, base) = (Mode::Widen { after: 7 }, 2, 40.0, 1.4);
    assert_eq!(config(text, text).widen, Some(Widen { mode, first, scale, base }));
    assert_eq!(
        config("uct:uct=puct,c=2,temperature=50", "uct:uct=puct,c=2,temperature=50").uct,
        Uct::Puct { c: 2.0, temperature: 50.0 }
    );
    assert!(config("uct:transpositions", "uct:transpositions").graph.is_some());
    let error = parse("uct:solver=wins,transpositions").expect_err("no proofs in a graph");
    assert_eq!(
        error.to_string(),
        "the settings solver and transpositions exclude each other: a proof holds on the path that led to a \
         state, and transpositions share states between paths; write 'solver=off' or 'no-transpositions'"
    );
    assert!(parse("uct:transpositions,solver=wins,leaf-check").is_err());
    assert!(parse("uct:transpositions,solver=off").is_ok());
    let threshold = |visits, untried| Some(Threshold { visits, untried });
    let sampled = |text: &str| config(text, text).threshold;
    assert_eq!(sampled("uct:threshold=50"), threshold(50, Untried::Selected));
    assert_eq!(sampled("uct:threshold=5,untried=ignored"), threshold(5, Untried::Ignored));
    assert_eq!(config("uct:rave=1000", "uct:rave=1000").rave, Some(Rave { k: 1000.0 }));
    for text in ["untried=ignored", "bias-count=n", "urgency=1", "widen-first=1", "temperature=1"] {
        assert!(matches!(parse(&format!("uct:{text}")), Err(SpecError::Needs { .. })), "{text}");
    }
    let after = SpecError::Needs { key: "widen-after", needs: "widen=widen" };
    assert_eq!(parse("uct:widen=unprune,widen-after=1"), Err(after));
}

/// Every kind of mistake, and a part of what is said about it.
#[test]
fn mistakes_are_named_with_what_is_accepted() {
    for (text, part) in [
        ("", "the player's spec is empty; a spec is a name and, after a colon, settings"),
        (":c=1", "players of tic-tac-toe: uct"),
        ("uc", "tic-tac-toe has no player 'uc' (perhaps 'uct'?); its players: uct"),
        ("mcc\n", "tic-tac-toe has no player 'mcc'; its players: uct"),
        ("uct:", "a setting is missing after ':' or ','"),
        ("uct:c=1,", "a setting is missing after ':' or ','"),
        (
            "uct:thread=2",
            "a player has no setting 'thread' (perhaps 'threads'?); settings: uct, c,",
        ),
        ("uct:zażółć=1", "a player has no setting 'zażółć'; settings: uct, c, temperature"),
        ("uct:c=loud", "'loud' is no value for the setting c, which takes a number from 0 to 100"),
        ("uct:c=-1", "'-1' is no value for the setting c"),
        ("uct:c=inf", "'inf' is no value for the setting c"),
        ("uct:c=", "'' is no value for the setting c"),
        ("uct:c=1=2", "'1=2' is no value for the setting c"),
        ("uct:threads=0", "takes a whole number from 1 to 1024"),
        ("uct:threads=+2", "'+2' is no value for the setting threads"),
        ("uct:seed=18446744073709551616", "from 0 to 18446744073709551615"),
        ("uct:memory=1KiB", "KiB, MiB or GiB from 64KiB to 64GiB, such as 256MiB"),
        ("uct:memory=1TiB", "'1TiB' is no value for the setting memory"),
        ("uct:choose=best", "which takes visits, mean, secure"),
        ("uct:c=1,c=1", "the setting c is given twice"),
        ("uct:fresh,no-fresh", "the setting fresh is given twice"),
        ("uct:fresh=yes", "fresh is a flag and takes no value ('yes' was given)"),
        ("uct:c", "the setting c needs a value: write 'c=...' with a number from 0 to 100"),
        ("uct:no-c", "a player has no setting 'no-c'"),
        ("uct:a=1", "the setting a means nothing without 'choose=secure'"),
        ("uct:choose=mean,soft-stop=1", "soft-stop means nothing without 'choose=visits'"),
    ] {
        let error = parse(text).expect_err(text).to_string();
        assert!(error.contains(part), "'{text}' says: {error}");
    }
}

#[test]
fn a_front_end_overrides_the_spec() {
    let overrides = Overrides {
        threads: Some(3),
        memory: Some(1 << 20),
        seed: Some(9),
        ..Overrides::default()
    };
    let spec =
        Spec::read(game("dice-race"), "uct:threads=8,c=2").and_then(|spec| spec.with(&overrides));
    assert_eq!(spec.expect("a spec").to_string(), "uct:c=2,memory=1MiB,threads=3,seed=9");
    let none = Overrides { threads: Some(0), ..Overrides::default() };
    assert!(matches!(
        build(game("tic-tac-toe"), "uct", &none).err(),
        Some(SpecError::BadValue { key: "threads", .. })
    ));
}

#[test]
fn a_game_has_settings_of_its_own() {
    let race = game("dice-race");
    let spec = Spec::read(race, "gambler:seed=2,luck=7,c=2").expect("a spec");
    assert_eq!(spec.to_string(), "gambler:c=2,luck=7,seed=2");
    let settings = spec.settings().expect("a player that searches by Monte-Carlo");
    assert_eq!(settings.own::<Luck>(), Luck { drops: 7 });
    assert_eq!(Spec::read(race, "uct:luck=0"), Spec::read(race, "uct"));
    let names: Vec<_> = race.settings().iter().map(|setting| setting.name).collect();
    assert_eq!(names[..4], ["uct", "c", "luck", "temperature"]);
    assert!(game("tic-tac-toe").settings().iter().all(|setting| setting.name != "luck"));
}

#[test]
fn what_another_game_has_is_said_to_be_its() {
    for (text, part) in [
        (
            "uct:luck=7",
            "a player has no setting 'luck' (that is one of dice-race); settings: uct, c,",
        ),
        (
            "gambler",
            "tic-tac-toe has no player 'gambler' (that is one of dice-race); its players: uct",
        ),
    ] {
        let error = parse(text).expect_err(text).to_string();
        assert!(error.contains(part), "'{text}' says: {error}");
    }
}

fn item() -> impl proptest::strategy::Strategy<Value = String> {
    prop_oneof![
        prop_oneof![Just("ucb1"), Just("signed"), Just("ratio")].prop_map(|v| format!("uct={v}")),
        (0.0..=100.0).prop_map(|c: f64| format!("c={c}")),
        prop_oneof![Just("visits"), Just("mean"), Just("secure")]
            .prop_map(|v| format!("choose={v}")),
        (0.0..=100.0).prop_map(|a: f64| format!("a={a:e}")),
        (65_536u64..1 << 36).prop_map(|bytes| format!("memory={bytes}")),
        (64u64..1 << 26).prop_map(|kib| format!("memory={kib}KiB")),
        (1..=1024u32).prop_map(|threads| format!("threads={threads}")),
        any::<u64>().prop_map(|seed| format!("seed={seed}")),
        (1..=1000u32).prop_map(|fraction| format!("fraction={fraction}")),
        prop_oneof![Just("soft-stop=0.5"), Just("soft-stop=off"), Just("clock-share=2")]
            .prop_map(str::to_owned),
        prop_oneof![Just("fresh".to_owned()), Just("no-fresh".to_owned())],
        prop_oneof![Just("uniform"), Just("eval"), Just("see"), Just("mixed"), Just("alphabeta")]
            .prop_map(|v| format!("playout={v}")),
        (0.0..=1.0).prop_map(|epsilon: f64| format!("epsilon={epsilon}")),
        (0.0..=1e6).prop_map(|cutoff: f64| format!("cutoff={cutoff}")),
        (0.0..=1.0).prop_map(|weight: f64| format!("least-weight={weight}")),
        (0.0..=9.0).prop_map(|spread: f64| format!("spread={spread}")),
        (0..=9u32).prop_map(|most| format!("considered={most}")),
        (1..=9u32).prop_map(|width| format!("ab-width={width}")),
        prop_oneof![Just("ab-plies=3"), Just("ab-killers=off"), Just("ab-killers=on")]
            .prop_map(str::to_owned),
        prop_oneof![Just("redraw=off"), Just("redraw=7"), Just("truncate=0"), Just("truncate=9")]
            .prop_map(str::to_owned),
        prop_oneof![Just("sl"), Just("sl-k=3"), Just("tsq"), Just("no-tsq"), Just("tsq-a=0.5")]
            .prop_map(str::to_owned),
        prop_oneof![Just("imb=off"), Just("imb=0.3"), Just("imb=dynamic"), Just("imb-cs=5")]
            .prop_map(str::to_owned),
        "[a-z=,é -]{0,8}",
    ]
}

proptest! {
    #[test]
    fn no_text_makes_it_panic(text in any::<String>()) {
        if let Err(error) = parse(&text) {
            prop_assert!(!error.to_string().is_empty());
        }
        if let Err(error) = parse(&format!("uct:{text}")) {
            prop_assert!(!error.to_string().contains('\n'));
        }
    }

    /// Whatever is accepted is printed so that it reads back equal, whatever the order it came in.
    #[test]
    fn what_is_printed_reads_back(items in prop::collection::vec(item(), 1..6)) {
        let text = format!("uct:{}", items.join(","));
        if let Ok(spec) = parse(&text) {
            let printed = spec.to_string();
            prop_assert_eq!(parse(&printed), Ok(spec.clone()));
            prop_assert_eq!(parse(&printed).map(|again| again.to_string()), Ok(printed));
            let mut backwards = items;
            backwards.reverse();
            prop_assert_eq!(parse(&format!("uct:{}", backwards.join(","))), Ok(spec));
        }
    }
}
