//! Whole dialogues with the engine, through pipes.

mod dialogue;
mod garbage;
mod loa;
mod pipes;
mod syzygy;

use dialogue::{Dialogue, number_after, word_after};
use monteverde_chess::Chess;
use monteverde_game::{Game, Notation};
use std::time::{Duration, Instant};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

fn ms(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

/// Asserts that the moves are legal one after the other from the state.
fn assert_line_is_legal<'a>(fen: &str, moves: impl Iterator<Item = &'a str>) {
    let mut state = Chess::parse_state(fen).expect("a FEN of the test");
    for text in moves {
        let mv = state.parse_move(text).expect("a legal move");
        state.play(mv);
    }
}

fn pv(info: &str) -> impl Iterator<Item = &str> {
    info.split(' ').skip_while(|&word| word != "pv").skip(1)
}

#[test]
fn introduces_itself() {
    let mut engine = Dialogue::start();
    let replies = engine.ask("uci");
    assert!(replies[0].starts_with("id name Monteverde "), "{replies:?}");
    assert!(replies[1].starts_with("id author "), "{replies:?}");
    assert_eq!(replies.last().map(String::as_str), Some("uciok"));
    let options = replies.iter().filter(|line| line.starts_with("option name ")).count();
    assert_eq!(options, 15);
    assert_eq!(engine.quit(), [""; 0]);
}

#[test]
fn white_space_and_line_ends_do_not_matter() {
    let mut engine = Dialogue::start();
    engine.send_bytes(b"\r\n\n   \t\r\n \t isready \t\r\n");
    assert_eq!(engine.reply(), "readyok");
    engine.send_bytes(b"position\tstartpos   moves\te2e4\r\n");
    assert_eq!(engine.fen(), "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
    engine.quit();
}

#[test]
fn garbage_is_remarked_on_and_changes_nothing() {
    let mut engine = Dialogue::start();
    let fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 5 39";
    engine.send(&format!("position fen {fen}"));
    let check = |engine: &mut Dialogue, line: &str, expected: &str| {
        let replies = engine.ask(line);
        assert_eq!(replies.len(), 1, "{line:?} was answered by {replies:?}");
        assert!(replies[0].starts_with("info string "), "{}", replies[0]);
        assert!(replies[0].contains(expected), "{line:?} was answered by {}", replies[0]);
        assert_eq!(engine.fen(), fen, "after {line:?}");
    };
    check(&mut engine, "hello there", "unknown command 'hello there'");
    check(&mut engine, "\0\u{1}\u{7f}", "unknown command");
    check(&mut engine, "position startpos moves e2e5", "move 1: 'e2e5' is not legal in");
    check(&mut engine, "position startpos moves e2e4 0000", "move 2: '0000' is a null move");
    check(&mut engine, "position startpos moves Nf3", "'Nf3' is not a move");
    check(&mut engine, "position fen 8/8/8/8/8/8/8/8 w - - 0 1", "breaks the rules");
    check(&mut engine, "position fen rubbish", "a FEN has 4 to 6 fields");
    check(&mut engine, "position", "lacks 'startpos' or 'fen'");
    check(&mut engine, "setoption name Hash value -1", "accepted is a whole number from 1");
    check(&mut engine, "setoption name Nonsense value 1", "there are Hash, Threads, MultiPV");
    check(&mut engine, "setoption name Player value nobody", "chess has no player 'nobody'");
    check(&mut engine, "setoption name Player value", "spec is empty");
    check(&mut engine, "debug perhaps", "'debug on|off'");
    engine.send_bytes(b"\xff\xfe\x00go\xff\n");
    assert!(engine.reply().starts_with("info string unknown command"));
    let (_, best) = engine.search("go nodes 20");
    assert_line_is_legal(fen, [best.as_str()].into_iter());
    engine.quit();
}

#[test]
fn long_lines_are_refused_in_bounded_memory() {
    let mut engine = Dialogue::start();
    engine.send_bytes(&vec![b'x'; 3 << 20]);
    engine.send_bytes(b"\n");
    assert_eq!(engine.reply(), "info string a line may have at most 1048576 bytes");
    engine.send(&format!("position fen {}", "x".repeat(1 << 19)));
    let remark = engine.reply();
    assert!(remark.starts_with("info string ") && remark.len() < 2000, "{}", remark.len());
    assert_eq!(engine.fen(), START);
    engine.quit();
}

#[test]
fn long_games_are_read() {
    let mut engine = Dialogue::start();
    let shuffle = " g1f3 g8f6 f3g1 f6g8".repeat(2000);
    engine.send(&format!("position startpos moves{shuffle}"));
    assert_eq!(engine.fen(), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 8000 4001");
    let (_, best) = engine.search("go nodes 50");
    assert_line_is_legal(START, [best.as_str()].into_iter());
    engine.quit();
}

#[test]
fn every_limit_ends_in_a_legal_move() {
    let mut engine = Dialogue::start();
    for go in [
        "go nodes 0",
        "go nodes 1",
        "go nodes 500",
        "go depth 0",
        "go depth 3",
        "go mate 1",
        "go movetime 30",
        "go wtime 300 btime 300 winc 10 binc 10 movestogo 20",
        "go btime 300 wtime 1",
        "go wtime -5 btime -5",
        "go winc 10 binc 10",
        "go nodes 100 depth 50 mate 9 movetime 60000 wtime 600000 btime 600000 searchmoves e2e4 d2d4",
    ] {
        let (info, best) = engine.search(go);
        assert_line_is_legal(START, [best.as_str()].into_iter());
        assert_line_is_legal(START, pv(&info));
        assert_eq!(pv(&info).next(), Some(best.as_str()), "{go}");
    }
    let (info, _) = engine.search("ucinewgame\ngo nodes 500");
    assert_eq!(number_after(&info, "nodes"), 500);
    let (info, _) = engine.search("ucinewgame\ngo depth 4");
    assert!(number_after(&info, "seldepth") >= 4, "{info}");
    // One that proves mates would look for this one until it is told to stop.
    let (_, best) = engine.search("setoption name Player value mcc\ngo mate 2");
    assert_line_is_legal(START, [best.as_str()].into_iter());
    engine.quit();
}

#[test]
fn time_is_kept() {
    let mut engine = Dialogue::start();
    engine.ask("isready");
    let start = Instant::now();
    engine.search("go movetime 300");
    let taken = start.elapsed();
    assert!((ms(250)..ms(2000)).contains(&taken), "{taken:?} for 300 ms");
    // With a soft stop a settled choice would be played sooner.
    engine.send("setoption name Player value best:soft-stop=off");
    engine.ask("isready");
    let start = Instant::now();
    engine.search("go wtime 6000 btime 6000");
    let taken = start.elapsed();
    assert!((ms(250)..ms(2000)).contains(&taken), "{taken:?} for an 18th of 6 s");
    engine.quit();
}

/// Only one move takes the queen back.
#[test]
fn a_settled_choice_is_played_early_on_a_clock_alone() {
    let mut engine = Dialogue::start();
    engine.send("setoption name Player value best:soft-stop=0.25");
    let moves = "e2e4 e7e5 d1h5 b8c6 h5h7";
    engine.ask("isready");
    let start = Instant::now();
    let (_, best) =
        engine.search(&format!("position startpos moves {moves}\ngo wtime 120000 btime 120000"));
    let taken = start.elapsed();
    assert_eq!(best, "h8h7");
    assert!(taken < ms(3000), "{taken:?} of 7 s");
    let start = Instant::now();
    engine.search("go movetime 500");
    assert!(start.elapsed() > ms(450), "a fixed time is used up");
    engine.quit();
}

#[test]
fn a_forced_move_is_played_at_once() {
    let mut engine = Dialogue::start();
    let fen = "7k/8/8/8/8/8/6qP/7K w - - 0 1";
    let start = Instant::now();
    let (_, best) = engine.search(&format!("position fen {fen}\ngo wtime 600000 btime 600000"));
    assert_eq!(best, "h1g2");
    assert!(start.elapsed() < ms(5000), "an 18th of ten minutes would be 33 s");
    engine.quit();
}

#[test]
fn stop_and_isready_are_answered_at_once() {
    let mut engine = Dialogue::start();
    engine.send("isready\ngo infinite");
    assert_eq!(engine.reply(), "readyok");
    let mut slowest = Duration::ZERO;
    for _ in 0..5 {
        std::thread::sleep(ms(60));
        let start = Instant::now();
        engine.send("isready");
        engine.until("readyok");
        assert!(start.elapsed() < ms(1000));
        let start = Instant::now();
        engine.send("stop");
        engine.until("bestmove");
        slowest = slowest.max(start.elapsed());
        engine.send("go infinite");
    }
    assert!(slowest < ms(1000), "{slowest:?}");
    engine.quit();
}

#[test]
fn a_search_that_is_stopped_at_once_has_searched() {
    let mut engine = Dialogue::start();
    let (info, best) = engine.search("go infinite\nstop");
    assert!(number_after(&info, "nodes") > 0, "{info}");
    assert_line_is_legal(START, [best.as_str()].into_iter());
    let (info, _) = engine.search("go nodes 0");
    assert_eq!(number_after(&info, "nodes"), 0);
    engine.quit();
}

#[test]
fn reports_come_early_and_then_twice_a_second() {
    let mut engine = Dialogue::start();
    let start = Instant::now();
    engine.send("go movetime 1500");
    let first = engine.reply();
    assert!(first.starts_with("info depth "), "{first}");
    assert!(start.elapsed() < ms(1200), "the first report came after {:?}", start.elapsed());
    let replies = engine.until("bestmove");
    assert!(replies.len() >= 3, "{replies:?}");
    for info in &replies[..replies.len() - 1] {
        for word in ["depth", "seldepth", "multipv", "cp", "nodes", "nps", "hashfull", "time"] {
            number_after(info, word);
        }
        assert!(number_after(info, "hashfull") <= 1000);
        assert_line_is_legal(START, pv(info));
    }
    let best = &replies[replies.len() - 1];
    assert_eq!(pv(&replies[replies.len() - 2]).next(), Some(word_after(best, "bestmove")));
    assert_line_is_legal(
        START,
        [word_after(best, "bestmove"), word_after(best, "ponder")].into_iter(),
    );
    engine.quit();
}

#[test]
fn endless_searches_wait_for_stop_even_when_they_are_done() {
    let mut engine = Dialogue::start();
    for go in ["go infinite", "go", "go infinite nodes 10", "go ponder nodes 10", "go ponder"] {
        engine.send(go);
        engine.assert_no_best_move(ms(150));
        engine.search("stop");
    }
    // A mated side has nothing to search, and still waits.
    engine.send("position fen 7k/5KQ1/8/8/8/8/8/8 b - - 0 1\ngo infinite");
    engine.assert_silent(ms(150));
    assert_eq!(engine.search("stop").1, "(none)");
    engine.quit();
}

#[test]
fn pondering_gets_its_time_from_the_hit() {
    let mut engine = Dialogue::start();
    engine.send("setoption name Ponder value true\nposition startpos moves e2e4 e7e5");
    engine.send("go ponder wtime 3000 btime 3000");
    engine.assert_no_best_move(ms(400));
    let start = Instant::now();
    engine.send("ponderhit");
    engine.until("bestmove");
    let taken = start.elapsed();
    assert!((ms(50)..ms(1500)).contains(&taken), "{taken:?} for a thirtieth of 3 s");
    // The result was there already.
    engine.send("go ponder nodes 10");
    engine.assert_no_best_move(ms(150));
    engine.search("ponderhit");
    // Without a limit the search goes on after the hit.
    engine.send("go ponder\nponderhit");
    engine.assert_no_best_move(ms(150));
    engine.search("stop");
    // Another move was played.
    engine.send("go ponder wtime 3000 btime 3000");
    engine.search("stop\nposition startpos moves e2e4 c7c5\ngo nodes 10");
    engine.until("bestmove");
    assert_eq!(engine.ask("ponderhit\nstop"), [""; 0]);
    engine.quit();
}

#[test]
fn only_the_moves_asked_for_are_searched() {
    let mut engine = Dialogue::start();
    engine.send("setoption name MultiPV value 10");
    let replies = {
        engine.send("go nodes 300 searchmoves a2a3 h2h4");
        engine.until("bestmove")
    };
    // On a busy machine there may be reports on the way.
    let mut firsts: Vec<_> = replies.iter().filter_map(|info| pv(info).next()).collect();
    firsts.sort_unstable();
    firsts.dedup();
    assert_eq!(firsts, ["a2a3", "h2h4"]);
    engine.quit();
}

#[test]
fn each_of_the_best_moves_has_a_line() {
    let mut engine = Dialogue::start();
    engine.send(
        "setoption name MultiPV value 4\nsetoption name UCI_ShowWDL value true\ngo nodes 2000",
    );
    let replies = engine.until("bestmove");
    let last: Vec<_> = replies[replies.len() - 5..replies.len() - 1].iter().collect();
    let mut firsts = Vec::new();
    for (info, rank) in last.iter().zip(1..) {
        assert_eq!(number_after(info, "multipv"), rank);
        let shares: Vec<i64> = info
            .split(' ')
            .skip_while(|&word| word != "wdl")
            .skip(1)
            .take(3)
            .map(|word| word.parse().expect("a share"))
            .collect();
        assert_eq!(shares.iter().sum::<i64>(), 1000, "{info}");
        assert_line_is_legal(START, pv(info));
        firsts.push(pv(info).next().expect("a move"));
    }
    firsts.sort_unstable();
    firsts.dedup();
    assert_eq!(firsts.len(), 4);
    engine.quit();
}

/// A mate in one ends the search before any other move is looked at, and `best` tries most moves
/// late.
#[test]
fn there_are_as_many_lines_as_moves_even_where_a_mate_is_proven() {
    let mut engine = Dialogue::start();
    engine.send("setoption name MultiPV value 256");
    for fen in [
        "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1",
        "7k/8/5K2/8/8/8/8/6Q1 w - - 0 1",
        "7k/5Q2/8/8/8/8/8/K7 b - - 0 1",
        START,
    ] {
        for go in ["go nodes 40", "go infinite\nstop"] {
            engine.send(&format!("position fen {fen}\n{go}"));
            let replies = engine.until("bestmove");
            let state = Chess::parse_state(fen).expect("a FEN of the test");
            let mut moves = Vec::new();
            state.moves(&mut moves);
            let mut lines: Vec<&String> = replies.iter().rev().skip(1).take(moves.len()).collect();
            lines.reverse();
            let ranks: Vec<i64> = lines.iter().map(|line| number_after(line, "multipv")).collect();
            assert_eq!(ranks, (1..=moves.len() as i64).collect::<Vec<_>>(), "{fen} {go}");
            let mut firsts: Vec<_> = lines.iter().filter_map(|line| pv(line).next()).collect();
            for line in &lines {
                assert_line_is_legal(fen, pv(line));
            }
            firsts.sort_unstable();
            firsts.dedup();
            assert_eq!(firsts.len(), moves.len(), "{fen} {go}");
        }
    }
    engine.quit();
}

#[test]
fn a_move_that_was_not_searched_is_told_with_what_it_leads_to() {
    let mut engine = Dialogue::start();
    engine.send("setoption name MultiPV value 256");
    // Every move mates, stalemates or wins slowly.
    engine.send("position fen 7k/8/5K2/8/8/8/8/6Q1 w - - 0 1\ngo nodes 1");
    let replies = engine.until("bestmove");
    let line = |mv: &str| replies.iter().rev().find(|line| pv(line).next() == Some(mv));
    assert!(line("g1g7").expect("a line").contains("score mate 1 "));
    assert!(line("g1g6").expect("a stalemate").contains("score cp 0 "));
    engine.quit();
}

/// An interface that analyses shows what it is told, and waits with `stop` until it has seen
/// enough.
#[test]
fn a_proven_root_is_told_at_once_and_its_move_waits_for_stop() {
    let mut engine = Dialogue::start();
    engine.send("position fen 6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1\ngo infinite");
    let info = engine.until("info depth").pop().expect("a line");
    assert!(info.contains("score mate 1 ") && info.ends_with("pv d1d8"), "{info}");
    engine.assert_no_best_move(ms(150));
    assert_eq!(engine.ask("debug off"), [""; 0], "it goes on answering");
    assert_eq!(engine.search("stop").1, "d1d8");
    engine.quit();
}

#[test]
fn limited_play_searches_as_little_as_its_rating_allows() {
    let mut engine = Dialogue::start();
    let mut nodes = |elo: u32| {
        engine.send("setoption name UCI_LimitStrength value true\nucinewgame\nposition startpos");
        let (info, best) = engine
            .search(&format!("setoption name UCI_Elo value {elo}\ngo wtime 600000 btime 600000"));
        assert_line_is_legal(START, [best.as_str()].into_iter());
        number_after(&info, "nodes")
    };
    let found = [1400, 1600, 1800].map(&mut nodes);
    assert!(found.is_sorted() && found[0] < found[2], "{found:?}");
    assert!(nodes(1400) == found[0], "as often as it is asked");
    let (info, _) =
        engine.search("setoption name UCI_LimitStrength value false\nucinewgame\ngo nodes 30000");
    assert_eq!(number_after(&info, "nodes"), 30_000);
    let replies = engine.ask("setoption name UCI_Elo value 1");
    assert!(replies[0].contains("accepted is a whole number from "), "{replies:?}");
    engine.quit();
}

/// How many visits the next search of 100 iterations keeps after the lines.
fn kept(engine: &mut Dialogue, lines: &str) -> i64 {
    engine.send(&format!("debug on\n{lines}\ngo nodes 100"));
    let replies = engine.until("bestmove");
    let remark = replies.iter().find(|line| line.contains("kept from before")).expect("a remark");
    number_after(remark, "iterations,")
}

#[test]
fn the_tree_is_kept_while_a_game_goes_on() {
    let mut engine = Dialogue::start();
    assert_eq!(kept(&mut engine, "position startpos"), 0);
    assert_eq!(kept(&mut engine, ""), 100);
    engine.search("go nodes 5000");
    let later = kept(&mut engine, "position startpos moves e2e4 e7e5");
    assert!((1..5200).contains(&later), "{later}");
    assert_eq!(kept(&mut engine, "position startpos moves e2e4 e7e5"), later + 100);
    assert_eq!(kept(&mut engine, "position startpos moves d2d4"), 0, "another line");
    assert_eq!(kept(&mut engine, "ucinewgame"), 0, "another game");
    assert_eq!(kept(&mut engine, "position startpos moves d2d4"), 100);
    assert_eq!(kept(&mut engine, "setoption name Clear Hash"), 0, "all is forgotten");
    assert_eq!(kept(&mut engine, "setoption name Seed value 5"), 0, "another player");
    assert_eq!(kept(&mut engine, "setoption name Seed value 5"), 100, "the same player");
    assert_eq!(kept(&mut engine, "position startpos moves d2d5"), 200, "a mistake");
    assert_eq!(kept(&mut engine, "setoption name Player value mcc:fresh"), 0, "a forgetful player");
    assert_eq!(kept(&mut engine, ""), 0, "a forgetful player");
    engine.quit();
}

#[test]
fn a_new_game_with_the_same_seed_is_the_same() {
    let mut engine = Dialogue::start();
    // The default player leaves nothing to chance.
    engine.send("setoption name Player value mcc");
    let strip = |info: String| info.split(" nodes ").next().map(str::to_owned);
    let mut game = |lines: &str| {
        let (info, best) =
            engine.search(&format!("{lines}\nucinewgame\nposition startpos\ngo nodes 3000"));
        (strip(info), best)
    };
    let first = game("setoption name Seed value 7");
    assert_eq!(game(""), first);
    let other = game("setoption name Seed value 8");
    assert_ne!(other, first);
    assert_eq!(game("setoption name Seed value 7"), first);
    engine.quit();
}

#[test]
fn chess960_castling_is_written_as_the_option_says() {
    let mut engine = Dialogue::start();
    let castling = |engine: &mut Dialogue, lines: &str, mv: &str| {
        let (info, best) = engine.search(&format!("{lines}\ngo nodes 20 searchmoves {mv}"));
        assert_eq!(pv(&info).next(), Some(best.as_str()));
        best
    };
    let standard = "position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    assert_eq!(castling(&mut engine, standard, "e1g1"), "e1g1");
    assert_eq!(castling(&mut engine, standard, "e1h1"), "e1g1");
    let on = "setoption name UCI_Chess960 value true\n";
    assert_eq!(castling(&mut engine, &format!("{on}{standard}"), "e1h1"), "e1h1");
    let shredder = "position fen 1r3k1r/8/8/8/8/8/8/1R3K1R w HBhb - 0 1";
    assert_eq!(castling(&mut engine, shredder, "f1b1"), "f1b1");
    engine.send(&format!("{shredder} moves f1b1 f8h8"));
    assert_eq!(engine.fen(), "1r3rk1/8/8/8/8/8/8/2KR3R w - - 2 2");
    let off = "setoption name UCI_Chess960 value false\n";
    assert_eq!(castling(&mut engine, &format!("{off}{standard}"), "e1c1"), "e1c1");
    engine.quit();
}

#[test]
fn finished_games_are_answered() {
    let mut engine = Dialogue::start();
    for fen in ["7k/5KQ1/8/8/8/8/8/8 b - - 0 1", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"] {
        engine.send(&format!("position fen {fen}\ngo nodes 100"));
        assert_eq!(engine.reply(), "bestmove (none)");
        engine.send("go wtime 1000 btime 1000");
        assert_eq!(engine.reply(), "bestmove (none)");
    }
    for fen in ["8/8/4k3/8/8/3K4/8/8 w - - 0 1", "4k3/8/8/8/8/8/4P3/R3K3 w - - 120 90"] {
        let (_, best) = engine.search(&format!("position fen {fen}\ngo nodes 100"));
        assert_line_is_legal(fen, [best.as_str()].into_iter());
    }
    let repetition = "position startpos moves g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8";
    let (_, best) = engine.search(&format!("{repetition}\ngo nodes 100"));
    assert_line_is_legal(START, [best.as_str()].into_iter());
    engine.quit();
}

#[test]
fn a_mate_in_one_is_found_and_scored() {
    let mut engine = Dialogue::start();
    let back_rank = "position fen 6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1";
    let (info, best) = engine.search(&format!("{back_rank}\ngo mate 1"));
    assert_eq!((best.as_str(), number_after(&info, "mate")), ("a1a8", 1));
    let (info, best) = engine.search("go nodes 3000");
    assert_eq!((best.as_str(), number_after(&info, "mate")), ("a1a8", 1));
    // Where there is none the answer is another move.
    let (info, best) = engine.search("position startpos\ngo mate 1");
    assert!(info.contains(" score cp "), "{info}");
    assert_line_is_legal(START, [best.as_str()].into_iter());
    engine.quit();
}

#[test]
fn a_player_with_the_solver_proves_mates_for_and_against_it() {
    let mut engine = Dialogue::start();
    engine.send("setoption name Player value mcc-solver");
    // Morphy's problem: 1.Ra6.
    let (info, best) = engine.search("position fen kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1\ngo mate 2");
    assert_eq!((best.as_str(), number_after(&info, "mate")), ("a1a6", 2));
    let (info, _) = engine.search("position fen kbK5/pp6/RP6/8/8/8/8/8 b - - 0 1\ngo nodes 50000");
    assert_eq!(number_after(&info, "mate"), -1);
    assert!(number_after(&info, "nodes") < 50_000, "a proven root ends the search");
    // A result is held back until it is asked for.
    engine.send("go infinite");
    let (info, _) = engine.search("stop");
    assert_eq!(number_after(&info, "mate"), -1);
    engine.quit();
}

#[test]
fn a_mate_that_is_asked_for_is_proven_refuted_or_left_undecided() {
    for player in ["best:pieces=3", "mcc", "ab"] {
        let mut engine = Dialogue::start();
        engine.send(&format!("setoption name Player value {player}"));
        let mut ask = |position: &str, go: &str| {
            engine.send(&format!("position {position}\n{go}"));
            let replies = engine.until("bestmove");
            let said = replies.iter().find(|line| line.starts_with("info string"));
            let info = replies[replies.len() - 2].clone();
            let best = word_after(&replies[replies.len() - 1], "bestmove").to_owned();
            (said.cloned(), info, best)
        };
        // Morphy's problem.
        let morphy = "fen kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1";
        for go in ["go mate 2", "go mate 3", "go mate 2 nodes 5000"] {
            let (said, info, best) = ask(morphy, go);
            assert_eq!((said, best.as_str()), (None, "a1a6"), "{player}");
            assert_eq!(number_after(&info, "mate"), 2, "{player}");
            let line = info.split_once(" pv ").expect("a line").1;
            assert_eq!(line.split(' ').count(), 3, "{player}: {line}");
        }
        let (said, _, best) = ask("startpos", "go mate 2");
        assert_eq!(said.as_deref(), Some("info string there is no mate in 2"), "{player}");
        assert_line_is_legal(START, [best.as_str()].into_iter());
        let (said, _, best) = ask("startpos", "go mate 30 nodes 3000");
        let undecided = "info string a mate in 30 is neither proven nor refuted within the limit";
        assert_eq!(said.as_deref(), Some(undecided), "{player}");
        assert_line_is_legal(START, [best.as_str()].into_iter());
        // Who is mated has no mate.
        let (said, ..) = ask("fen kbK5/pp6/RP6/8/8/8/8/8 b - - 0 1", "go mate 3");
        assert_eq!(said.as_deref(), Some("info string there is no mate in 3"), "{player}");
        engine.quit();
    }
}

/// The queen has gone to and fro: Qf4 would let the king go back to e7 for the third time.
#[test]
fn a_table_win_through_a_third_occurrence_is_not_played() {
    let mut engine = Dialogue::start();
    engine.send("setoption name Player value best:pieces=3");
    let fen = "position fen 2K5/4k3/8/8/5Q2/8/8/8 w - - 0 1";
    let (_, best) =
        engine.search(&format!("{fen} moves f4d2 e7e6 d2f4 e6e7 f4d2 e7e6\ngo nodes 3000"));
    assert_ne!(best, "d2f4");
    engine.quit();
}

/// Hardly anybody has the tables of five pieces.
#[test]
fn what_a_player_does_without_is_said_once() {
    let mut engine = Dialogue::start();
    let replies = engine.ask("setoption name Player value best:pieces=5");
    assert!(replies.iter().all(|line| line.contains("without some endgame tables")), "{replies:?}");
    assert!(replies.len() <= 1, "{replies:?}");
    for option in ["Seed value 2", "Hash value 8", "Player value mcc", "Player value best:pieces=5"]
    {
        assert_eq!(engine.ask(&format!("setoption name {option}")), [""; 0], "{option}");
    }
    engine.quit();
}

#[test]
fn a_running_search_is_not_disturbed() {
    let mut engine = Dialogue::start();
    engine.send("go infinite");
    engine.send("setoption name Hash value 32\nsetoption name MultiPV value 3\nucinewgame");
    engine.send("position fen 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
    let (_, best) = engine.search("stop");
    assert_line_is_legal(START, [best.as_str()].into_iter());
    engine.send("go nodes 200");
    let replies = engine.until("bestmove");
    assert_eq!(replies.iter().filter(|line| line.contains(" pv ")).count(), 3);
    assert_line_is_legal(
        "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
        [word_after(&replies[replies.len() - 1], "bestmove")].into_iter(),
    );
    engine.quit();
}

#[test]
fn every_option_is_obeyed_by_the_next_search() {
    let mut engine = Dialogue::start();
    for option in [
        "Hash value 1",
        "Threads value 2",
        "MultiPV value 2",
        "Ponder value true",
        "UCI_ShowWDL value true",
        "UCI_AnalyseMode value true",
        "Move Overhead value 100",
        "Player value mcc:c=0.5,choose=secure",
        "Seed value 123456789012345678",
        "UCI_Chess960 value true",
    ] {
        assert_eq!(engine.ask(&format!("setoption name {option}")), [""; 0], "{option}");
    }
    engine.send("position startpos\ngo nodes 20000");
    let replies = engine.until("bestmove");
    let info = &replies[replies.len() - 3];
    assert!(number_after(info, "hashfull") > 500, "20,000 iterations fill 1 MiB: {info}");
    assert!(info.contains(" wdl "), "{info}");
    assert_eq!(number_after(info, "multipv"), 1);
    engine.quit();
}

#[test]
fn the_end_of_input_finishes_limited_searches_and_stops_the_others() {
    for (go, is_limited) in [
        ("go nodes 2000", true),
        ("go movetime 200", true),
        ("go infinite", false),
        ("go ponder wtime 1 btime 1", false),
    ] {
        let mut engine = Dialogue::start();
        engine.send(&format!("position startpos moves e2e4\n{go}"));
        engine.close_input();
        let replies = engine.finish();
        let best = &replies[replies.len() - 1];
        assert!(best.starts_with("bestmove "), "{go}: {replies:?}");
        if is_limited && go.contains("nodes") {
            assert_eq!(number_after(&replies[replies.len() - 2], "nodes"), 2000);
        }
    }
    let mut engine = Dialogue::start();
    engine.send_bytes(b"isready");
    engine.close_input();
    assert_eq!(engine.finish(), ["readyok"]);
}

#[test]
fn quit_ends_a_search_at_once() {
    for go in ["go infinite", "go nodes 1000000000", "go ponder", ""] {
        let mut engine = Dialogue::start();
        engine.ask(go);
        let start = Instant::now();
        engine.quit();
        assert!(start.elapsed() < ms(2000), "{go}");
    }
}

#[test]
fn other_commands_are_answered() {
    let mut engine = Dialogue::start();
    assert_eq!(
        engine.ask("register later\nregister name X code Y\ndebug on\ndebug off\nstop"),
        [""; 0]
    );
    let replies = engine.ask("help");
    assert!(replies.len() > 3 && replies.iter().all(|line| line.starts_with("info string ")));
    let replies = engine.ask("d");
    assert!(replies.len() > 8, "{replies:?}");
    assert_eq!(engine.fen(), START);
    engine.quit();
}

#[test]
fn a_player_of_another_kind_tells_centipawns_depth_and_mates() {
    let mut engine = Dialogue::start();
    assert_eq!(engine.ask("setoption name Player value ab"), [""; 0]);
    engine.send("position startpos");
    let info = last_info(&mut engine, "go depth 4");
    assert!(number_after(&info, "cp").abs() < 200, "{info}");
    assert_eq!(number_after(&info, "depth"), 4);
    assert_line_is_legal(START, pv(&info));
    let fen = "r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1";
    engine.send(&format!("position fen {fen}"));
    let info = last_info(&mut engine, "go nodes 100000");
    assert_eq!(number_after(&info, "mate"), 3, "{info}");
    assert_line_is_legal(fen, pv(&info));
    engine.quit();
}

/// The last line of information before the best move.
fn last_info(engine: &mut Dialogue, go: &str) -> String {
    engine.send(go);
    let mut info = String::new();
    loop {
        let line = engine.reply();
        if line.starts_with("bestmove") {
            return info;
        }
        info = line;
    }
}
