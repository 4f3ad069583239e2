//! By which lines of the signature results know their players.

use crate::player_hashes;
use monteverde_games::games;

/// The lines by which results of players of a game are known.
fn lines_of(game: &str, specs: &[&str]) -> Vec<String> {
    let table = toml::from_str(&format!("game = '{game}'\nplayer = {specs:?}")).unwrap();
    let hashes = player_hashes::of(&games(), &table);
    assert!(player_hashes::is_current(&games(), &table, &hashes));
    let recorded = games().game(game).unwrap().recorded_signature();
    for (spec, hash) in &hashes {
        assert!(recorded.contains(&format!("{game} {spec} {hash}").as_str()), "{spec} {hash}");
    }
    hashes.into_keys().collect()
}

/// A player is known by the first line of its name, whatever settings that has. Players with a
/// network are left out, which change with every network, and so are their lines.
#[test]
fn players_are_known_by_the_first_line_of_their_name_without_a_network() {
    let with_network = ["best", "best:temperature=1"];
    assert_eq!(lines_of("loa", &with_network), [""; 0]);
    assert_eq!(
        lines_of("loa", &["best", "best:network=none", "mia:evaluator=2000"]),
        ["best:network=none", "mia:memory=1MiB", "mia:memory=1MiB,evaluator=2000"]
    );
    assert_eq!(
        lines_of("chess", &["best", "mcc-gtb", "mcc-combined:pieces=4"]),
        ["mcc-combined:pieces=3", "mcc-gtb:pieces=3"]
    );
}

/// Another search of a technique changes its lines, and not that of the player without it.
#[test]
fn players_are_known_by_the_lines_of_their_settings() {
    let own = lines_of("banqi", &["dark-knight:sl,imb=0.3,c=0.7"]);
    assert_eq!(own, ["dark-knight", "dark-knight:imb=0.3", "dark-knight:sl"]);
    let table = toml::toml! {
        game = "banqi"
        player = "dark-knight:sl,imb=0.3,c=0.7"
    };
    let is_current = |spec: &str, hash: &str| {
        let mut hashes = player_hashes::of(&games(), &table);
        hashes.insert(spec.to_owned(), hash.to_owned());
        player_hashes::is_current(&games(), &table, &hashes)
    };
    assert!(!is_current("dark-knight:imb=0.3", "0123456789abcdef"));
    assert!(!is_current("dark-knight:imb=0.4", "0123456789abcdef"), "it has no line");
    // Files may hold fewer lines than are kept now.
    let mut hashes = player_hashes::of(&games(), &table);
    hashes.remove("dark-knight:imb=0.3");
    assert!(player_hashes::is_current(&games(), &table, &hashes));
}
