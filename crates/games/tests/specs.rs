//! Specs of the games' players, and their settings.

use monteverde_games::games;
use monteverde_players::setting::{Setting, SettingKind};
use monteverde_players::{AnyGame, Settings, Spec, setting};

fn chess() -> AnyGame {
    games().game("chess").expect("the game")
}

fn said(game: &str, text: &str) -> String {
    let game = games().game(game).expect("a game");
    Spec::read(game, text).expect_err(text).to_string()
}

#[test]
fn the_players_of_the_thesis_differ_from_mcc_by_one_technique() {
    let settings = |name| {
        let spec = Spec::read(chess(), name).expect("a player");
        spec.settings().expect("a player that searches by Monte-Carlo").clone()
    };
    for (name, same) in [
        ("mcc-hp-eval", "mcc:playout=eval,epsilon=0.6"),
        ("mcc-hp-see", "mcc:playout=see,epsilon=0.4"),
        ("mcc-decisive", "mcc:decisive=wins"),
        ("mcc-bias", "mcc:bias=0.001"),
        ("mcc-redraw", "mcc:redraw=6"),
    ] {
        assert_eq!(settings(name), settings(same), "{name}");
    }
}

#[test]
fn proofs_and_transpositions_exclude_each_other() {
    let error = Spec::read(chess(), "mcc-solver:transpositions").expect_err("no proofs in a graph");
    assert_eq!(
        error.to_string(),
        "the settings solver and transpositions exclude each other: a proof holds on the path that led to a \
         state, and transpositions share states between paths; write 'solver=off' or 'no-transpositions'"
    );
    assert!(Spec::read(chess(), "mcc-solver:transpositions,solver=off").is_ok());
}

#[test]
fn a_setting_of_another_game_is_said_to_be_its() {
    for (game, text, part) in [
        ("chess", "mcc:pb-curb", "a player has no setting 'pb-curb' (that is one of banqi)"),
        ("chess", "mcc:no-pb", "a player has no setting 'no-pb' (that is one of banqi)"),
        ("chess", "ab:evaluator=2000", "a player has no setting 'evaluator' (that is one of loa)"),
        ("tic-tac-toe", "uct:evaluator=2000", "no setting 'evaluator' (that is one of loa)"),
        ("tic-tac-toe", "uct:leaf=quiet", "no setting 'leaf' (that is one of chess and loa)"),
        ("tic-tac-toe", "uct:tables", "no setting 'tables' (that is one of chess and banqi)"),
        ("tic-tac-toe", "mcc:pb-curb", "tic-tac-toe has no player 'mcc' (that is one of chess)"),
        ("loa", "best:solver=wins,tree-oracle", "'tree-oracle' (that is one of chess and banqi)"),
    ] {
        let said = said(game, text);
        assert!(said.contains(part), "{game} {text}: {said}");
    }
}

/// Stored results are found by the text of their players: the order of settings is for ever.
#[test]
fn settings_are_printed_in_the_order_of_always() {
    for (game, text) in [
        (
            "chess",
            "mcc:uct=puct,c=2,temperature=3,bias=1,sl,tsq,tsq-k=2,leaf=quiet,tables,pieces=4,tables-root=8,solver=wins,leaf-check,tree-oracle,choose=mean,seed=2",
        ),
        (
            "loa",
            "uct:uct=puct,temperature=3,tsq,tsq-k=2,leaf=quiet,evaluator=2000,foresight=2,solver=wins,leaf-check,choose=mean",
        ),
        ("loa", "mia:depth=3,eval=material,evaluator=2000,no-deepening,memory=1MiB"),
        (
            "banqi",
            "uct:uct=puct,temperature=3,pb-curb-flip,curb=1,flip=2,bias=3,tsq,tsq-k=2,other-weight=5,material-scale=3,tsq-cw=5,tables,pieces=4,tables-root=3,solver=wins,leaf-check,tree-oracle,choose=mean",
        ),
    ] {
        let game = games().game(game).expect("a game");
        let spec = Spec::read(game, text).unwrap_or_else(|error| panic!("'{text}': {error}"));
        assert_eq!(spec.to_string(), text);
        let (name, items) = text.split_once(':').expect("settings");
        let backwards: Vec<_> = items.split(',').rev().collect();
        assert_eq!(Spec::read(game, &format!("{name}:{}", backwards.join(","))), Ok(spec));
    }
}

#[test]
fn every_named_player_has_settings_within_their_ranges() {
    for game in games().iter() {
        assert!(!game.players().is_empty(), "{game:?} has no player");
        for player in game.players() {
            let settings = (player.settings)();
            for setting in game.settings() {
                let Some(value) = setting.value(&settings) else { continue };
                let item = match (&setting.kind, value.as_str()) {
                    (SettingKind::Flag { .. }, "on") => setting.name.to_owned(),
                    (SettingKind::Flag { .. }, _) => format!("no-{}", setting.name),
                    _ => format!("{}={value}", setting.name),
                };
                let mut again = settings.clone();
                let read = setting::parse(game.settings(), &item, &mut again);
                assert_eq!(read, Ok(()), "{} of {game:?}", player.name);
                assert_eq!(again, settings);
            }
        }
    }
}

#[test]
fn settings_are_declared_once_and_described_in_sentences() {
    for game in games().iter() {
        are_described(game.settings());
        are_described(game.alphabeta_settings());
    }
}

fn are_described<S: Default>(table: &'static [Setting<S>]) {
    for (index, setting) in table.iter().enumerate() {
        assert!(table[..index].iter().all(|other| other.name != setting.name));
        assert!(setting.meaning.ends_with('.'), "{}", setting.name);
        assert!(setting.default(table).is_some(), "{}", setting.name);
    }
}

/// A game's players have what all have, and what is its own.
#[test]
fn settings_apply_to_their_game() {
    let own = |game: &str| -> Vec<&str> {
        let game = games().game(game).expect("a game");
        let all = game.settings().iter().map(|setting: &Setting<Settings>| setting.name);
        all.filter(|name| game.own_settings().iter().any(|own| own.name == *name)).collect()
    };
    let chess = [
        "repetition",
        "leaf",
        "tables",
        "pieces",
        "tables-root",
        "rules",
        "network",
        "network-captures",
        "network-prior",
        "tree-oracle",
    ];
    assert_eq!(own("chess"), chess);
    assert_eq!(own("loa"), ["leaf", "evaluator", "foresight", "unit", "network", "network-prior"]);
    assert_eq!(own("banqi").len(), 14);
    assert_eq!(own("tic-tac-toe"), [""; 0]);
}
