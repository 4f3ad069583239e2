//! Dialogues with the engine of Chinese dark chess.

use monteverde_banqi::{Banqi, Rules};
use monteverde_game::{Game, Notation, Rng};
use monteverde_games::banqi::tcga::{Options, command::NAMES, run};
use monteverde_games::games;
use monteverde_players::Spec;
use proptest::prelude::*;
use std::io::{BufRead, BufReader, Cursor, Write};
use std::thread;
use std::time::{Duration, Instant};

/// A quick player with a small tree.
fn options() -> Options {
    let game = games().game(Banqi::NAME).expect("a game of ours");
    Options {
        player: Spec::read(game, "uct:memory=4MiB").expect("a spec of the test"),
        rules: Rules::ARENA,
        time: Duration::from_millis(5),
        overhead: Duration::ZERO,
    }
}

/// The replies to some bytes, and what was logged.
fn talk_bytes(bytes: &[u8]) -> (Vec<String>, String) {
    let (mut replies, mut log) = (Vec::new(), Vec::new());
    run(options(), Cursor::new(bytes.to_vec()), &mut replies, &mut log).expect("memory is written");
    let text = |bytes| String::from_utf8(bytes).expect("the engine writes text");
    (text(replies).lines().map(str::to_owned).collect(), text(log))
}

fn talk(lines: &str) -> Vec<String> {
    talk_bytes(lines.as_bytes()).0
}

/// The state that the engine has after some lines, as its log shows it.
fn state(lines: &str) -> String {
    let (_, log) = talk_bytes(format!("{lines}\n17 showboard\n").as_bytes());
    log.lines().last().expect("a state").to_owned()
}

const EMPTY: &str = "0 0 0 0 0 0 0 0 0 0 0 0 0 0";

#[test]
fn the_engine_introduces_itself() {
    let replies = talk(
        "0 protocol_version\n1 name\n2 version\n3 known_command flip\n3 known_command fly\n4 list_commands",
    );
    assert_eq!(replies[..2], ["=0 1.1.0", "=1 Monteverde"]);
    assert_eq!(replies[2], format!("=2 {}", env!("CARGO_PKG_VERSION")));
    assert_eq!(replies[3..5], ["=3 true", "=3 false"]);
    assert_eq!(replies[5], "=4 protocol_version");
    assert_eq!(replies[6..], NAMES[1..]);
    // As recorded traffic begins and ends.
    let replies =
        talk("1 name\n2 version\n7 reset_board\n15 time_setting 900000\n14 ready\n5 quit\n1 name");
    assert_eq!(replies[2..], ["=7", "=15", "=14", "=5"]);
}

#[test]
fn a_move_is_played_only_when_it_comes_back() {
    let replies = talk("12 genmove unknown\n12 genmove unknown");
    for reply in &replies {
        let squares: Vec<&str> = reply.split(' ').collect();
        assert_eq!((squares[0], squares[1]), ("=12", squares[2]), "only a flip is legal: {reply}");
    }
    assert_eq!(state("12 genmove unknown"), Banqi::parse_state(&start()).unwrap().state_text());
    let after = state("12 genmove unknown\n11 flip b2 k\n11 flip b3 P");
    assert_eq!(
        after,
        "XXXX/XXXX/XXXX/XXXX/XXXX/XPXX/XkXX/XXXX b KGGMMRRNNCCPPPPggmmrrnnccppppp 0 first=b,plies=60,repetition=cycle"
    );
}

fn start() -> String {
    format!("{} plies=60,repetition=cycle", Banqi::start().state_text())
}

#[test]
fn what_is_refused_changes_nothing() {
    let game = "11 flip b2 K\n11 flip b3 p\n";
    let before = state(game);
    for (line, start) in [
        ("10 move b2 b3", "?10 'b2-b3' is not legal in 'XXXX/"),
        ("10 move b3 b4", "?10 'b3-b4' is not legal"),
        ("10 move b2 b2", "?10 move takes two different squares"),
        ("11 flip b2 P", "?11 'b2' is not legal"),
        ("11 flip a1 K", "?11 'K' cannot show, none is covered"),
        ("12 genmove black", "?12 red is to move, not black"),
        ("12 genmove unknown", "?12 the colours are known"),
        ("12 genmove", "?12 genmove takes red, black or unknown, not ''"),
        ("18 init_board XX", "?18 init_board takes 32 squares"),
        ("99 perft 3", "?99 there is no command 99"),
        ("genmove red", "? a line begins with the number"),
        ("99999999999999999999 name", "? a line begins with the number"),
        ("\u{7} \u{1b}[2J", "? a line begins with the number"),
    ] {
        let replies = talk(&format!("{game}{line}"));
        assert_eq!(replies.len(), 3, "{replies:?}");
        assert!(replies[2].starts_with(start), "{line}: {}", replies[2]);
        assert_eq!(state(&format!("{game}{line}")), before, "{line}");
    }
    let two_more = format!("18 init_board {}X {EMPTY}", "-".repeat(31));
    assert!(
        talk(&two_more)[0].starts_with("?18 the board breaks the rules: 1 squares are covered")
    );
    let long = format!("17 {}\n1 name\n", "x".repeat(1 << 20));
    assert_eq!(talk(&long)[..], ["?17 a line may have at most 1048576 bytes", "=1 Monteverde"]);
}

#[test]
fn a_board_from_outside_is_played_on() {
    // The red king at a8 takes the guard beside it, and nothing else wins at once.
    let board = format!("7 reset_board\n18 init_board Kg{} {EMPTY}\n", "-".repeat(30));
    assert_eq!(talk(&format!("{board}12 genmove red"))[2], "=12 a8 b8");
    let replies =
        talk(&format!("{board}12 genmove red\n10 move a8 b8\n12 genmove black\n13 game_over red"));
    assert!(replies[4].starts_with("?12 there is no legal move"), "{replies:?}");
    assert_eq!(replies[5], "=13");
    // The other side may be to move too.
    assert_eq!(
        talk(&format!("{board}12 genmove black\n12 genmove red"))[3],
        "?12 black is to move, not red"
    );
}

#[test]
fn rules_are_set() {
    let lines = "8 num_repetition 0\n9 num_moves_to_draw 180\n7 reset_board";
    assert!(state(lines).ends_with(" 0 plies=180,repetition=off"));
    assert!(
        state(&format!("{lines}\n8 num_repetition 3")).ends_with(" 0 plies=180,repetition=cycle")
    );
}

#[test]
fn the_clock_decides_how_long_a_move_takes() {
    // The input stays open until the move is there: at its end no clock would count.
    let took = |lines: &str| {
        let (input, mut arena) = std::io::pipe().expect("a pipe");
        let (replies, output) = std::io::pipe().expect("a pipe");
        let began = Instant::now();
        let engine =
            thread::spawn(|| run(options(), BufReader::new(input), output, std::io::sink()));
        arena.write_all(format!("{lines}\n").as_bytes()).expect("the engine reads");
        let mut replies = BufReader::new(replies).lines().map(|line| line.expect("text"));
        assert!(replies.any(|reply| reply.starts_with("=12")), "{lines}");
        let took = began.elapsed();
        drop(arena);
        engine.join().expect("no panic").expect("the pipe is read");
        took
    };
    // A thirtieth of 30 seconds, against next to nothing.
    let long = took("15 time_settings 30000\n12 genmove unknown");
    assert!(long > Duration::from_millis(900), "{long:?}");
    let short =
        took("15 time_settings 30000\n11 flip a1 K\n16 time_left black 30\n12 genmove black");
    assert!(short < long / 2, "{short:?} after {long:?}");
    let none = took("15 time_settings 30000\n11 flip a1 K\n16 time_left black 0\n12 genmove black");
    assert!(none < long / 2, "{none:?} after {long:?}");
}

/// Else an arena would wait for the end of a long thought. Empty lines before it, more than are
/// read ahead, hid it.
#[test]
fn quit_ends_a_thought() {
    let (input, mut arena) = std::io::pipe().expect("a pipe");
    let options = Options { time: Duration::from_secs(600), ..options() };
    let engine = thread::spawn(move || {
        let mut replies = Vec::new();
        run(options, BufReader::new(input), &mut replies, std::io::sink()).map(|()| replies)
    });
    arena.write_all(b"12 genmove unknown\n").expect("the engine reads");
    thread::sleep(Duration::from_millis(50));
    arena.write_all(&[b'\n'; 1000]).expect("the engine reads");
    arena.write_all(b"5 quit\n").expect("the engine reads");
    let replies = engine.join().expect("no panic").expect("memory is written");
    let replies = String::from_utf8(replies).expect("text");
    assert!(replies.starts_with("=12 ") && replies.ends_with("\n=5\n"), "{replies}");
}

/// Else an engine whose arena is gone would think on for a part of its clock.
#[test]
fn the_end_of_input_ends_a_thought() {
    let (input, mut arena) = std::io::pipe().expect("a pipe");
    let engine = thread::spawn(move || {
        let mut replies = Vec::new();
        run(options(), BufReader::new(input), &mut replies, std::io::sink()).map(|()| replies)
    });
    // A thirtieth of an hour and forty minutes, twice.
    let lines = b"15 time_settings 6000000\n12 genmove unknown\n12 genmove unknown\n";
    arena.write_all(lines).expect("the engine reads");
    thread::sleep(Duration::from_millis(50));
    let began = Instant::now();
    drop(arena);
    let replies = engine.join().expect("no panic").expect("memory is written");
    assert!(began.elapsed() < Duration::from_secs(30), "{:?}", began.elapsed());
    let replies = String::from_utf8(replies).expect("text");
    assert_eq!(replies.matches("=12 ").count(), 2, "{replies}");
}

/// Random games through the protocol end in the states that the rules lead to.
#[test]
fn whole_games_are_followed() {
    for seed in 0..20 {
        let mut rng = Rng::new(seed);
        let mut game = Banqi::parse_state(&start()).expect("a start");
        let mut lines = "7 reset_board\n".to_owned();
        while let (None, Ok(mv)) = (game.outcome(), game.sample(&mut rng)) {
            game.play(mv);
            if game.is_pending() {
                let piece = game.sample_event(&mut rng);
                game.settle(piece);
                lines += &format!("11 flip {} {}\n", mv.from(), piece.letter());
            } else {
                lines += &format!("10 move {} {}\n", mv.from(), mv.to());
            }
        }
        let replies = talk(&lines);
        assert!(replies.iter().all(|reply| reply.starts_with('=')), "{seed}: {replies:?}");
        assert_eq!(state(&lines), game.state_text());
    }
}

/// Lines of the protocol's own words in any order.
fn words() -> impl Strategy<Value = String> {
    let word = prop::sample::select(vec![
        "0", "3", "4", "6", "7", "8", "9", "10", "11", "12", "13", "14", "15", "16", "17", "18",
        "19", "move", "flip", "genmove", "a1", "a2", "d8", "e9", "K", "k", "P", "red", "black",
        "unknown", "X", "-", "1", "2", "\n", "\n",
    ]);
    prop::collection::vec(word, 0..60).prop_map(|words| words.join(" "))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Every line that says something is answered once; nothing panics.
    #[test]
    fn garbage_is_answered_line_by_line(text in prop_oneof![words(), any::<String>()]) {
        // A list of commands has more than one line, a pause is long, and `quit` ends it all.
        let is_plain = |line: &&str| !["4", "5", "12"].iter().any(|id| line.trim().starts_with(id));
        let lines: Vec<&str> = text.split('\n').filter(is_plain).collect();
        let replies = talk(&lines.join("\n"));
        let asked = lines.iter().filter(|line| !line.trim().is_empty()).count();
        prop_assert_eq!(replies.len(), asked, "{:?}", replies);
        prop_assert!(replies.iter().all(|reply| reply.starts_with(['=', '?'])));
    }
}
