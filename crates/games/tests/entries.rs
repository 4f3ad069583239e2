//! What every entry keeps to, whatever its game.

use monteverde_game::{Game, Notation, Rng};
use monteverde_games::games;
use monteverde_players::face::{BoardView, MarkKind, MoveKind, square_name};
use monteverde_players::transcript::{Transcript, TranscriptStep};
use monteverde_players::{AnyGame, AnyState, AnyStep, Spec};

/// A random game, and what was played.
fn play(game: AnyGame, seed: u64, mut seen: impl FnMut(&AnyState, &[AnyStep])) -> Transcript {
    let mut rng = Rng::new(seed);
    let mut state = game.start();
    let start = state.state_text();
    let mut record = Transcript { game: game.name().to_owned(), start, ..Transcript::default() };
    while state.outcome().is_none() {
        let mut moves = Vec::new();
        state.moves(&mut moves);
        seen(&state, &moves);
        let mv = moves[rng.below(moves.len() as u32) as usize];
        record.push_move(state.move_text(mv));
        state.play(mv);
        if state.is_pending() {
            let event = state.sample_event(&mut rng);
            let text = state.event_text(event);
            record.steps.push(TranscriptStep { text, chance: true, ..TranscriptStep::default() });
            state.settle(event);
        }
    }
    seen(&state, &[]);
    record.outcome = state.outcome();
    record
}

#[test]
fn every_named_player_is_printed_as_it_is_read() {
    for game in games().iter() {
        for name in game.player_names() {
            let spec = Spec::read(game, name).unwrap_or_else(|error| panic!("{name}: {error}"));
            assert_eq!(spec.to_string(), name);
            assert_eq!(Spec::read(game, &spec.to_string()), Ok(spec));
        }
        assert!(game.player_names().contains(&game.strongest()), "{}", game.name());
    }
}

#[test]
fn boards_have_their_pieces_marks_and_moves_on_squares() {
    for game in games().iter() {
        play(game, 1, |state, moves| {
            let Some(board) = state.board() else { return };
            let names = squares(&board);
            let is_square = |square: &str| names.iter().any(|name| name == square);
            for (index, piece) in board.pieces.iter().enumerate() {
                assert!(is_square(&piece.square), "{game:?}: {piece:?}");
                let stands = |other: usize| board.pieces[other].square == piece.square;
                assert!(!(0..index).any(stands), "{game:?}: two pieces on {}", piece.square);
                assert!(!piece.name.is_empty() && !piece.look.letter.is_empty());
            }
            assert!(board.marks.iter().all(|mark| is_square(&mark.square)), "{game:?}");
            for &mv in moves {
                let view = state.move_view(mv);
                let companion = view.companion.iter().flat_map(|it| [&it.from, &it.to]);
                let all = [&view.from, &view.to, &view.captured].into_iter().flatten();
                for square in all.chain(companion) {
                    assert!(is_square(square), "{game:?}: {}", state.move_text(mv));
                }
                let is_there =
                    |square: &String| board.pieces.iter().any(|piece| piece.square == *square);
                assert!(view.from.iter().chain(&view.captured).all(is_there), "{game:?}");
                assert_eq!(
                    view.from.is_none(),
                    matches!(view.kind, MoveKind::Place | MoveKind::Pass)
                );
            }
        });
    }
}

#[test]
fn every_board_lists_its_pieces() {
    for (game, expected) in [
        ("chess", Some((8, 8, 32))),
        ("loa", Some((8, 8, 24))),
        ("banqi", Some((4, 8, 32))),
        ("tic-tac-toe", Some((3, 3, 0))),
        ("dice-race", None),
    ] {
        let board = games().game(game).expect("a game").start().board();
        let found = board.map(|board| (board.files, board.ranks, board.pieces.len()));
        assert_eq!(found, expected, "{game}");
    }
    let dark = games().game("banqi").expect("a game").start();
    assert_eq!(dark.sides().map(|side| side.name), ["First", "Second"]);
    assert_eq!(dark.board().expect("a board").pool.pieces.len(), 14);
}

#[test]
fn special_moves_of_chess_name_their_squares() {
    let chess = games().game("chess").expect("a game");
    let state = |text: &str| chess.parse_state(text).expect("a state");
    let view = |text: &str, mv: &str| {
        let state = state(text);
        state.move_view(state.parse_move(mv).expect("a move"))
    };
    let long = view("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1c1");
    let rook = long.companion.expect("a rook");
    assert_eq!((long.to.as_deref(), &*rook.from, &*rook.to), (Some("c1"), "a1", "d1"));
    let passing = view("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6");
    assert_eq!(passing.captured.as_deref(), Some("d5"));
    let promoting = view("1r2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7b8n");
    assert_eq!(promoting.promotion.kind.as_deref(), Some("knight"));
    let checked = state("4k3/8/8/8/8/8/8/4RK2 b - - 0 1").board().expect("a board");
    let marks: Vec<_> = checked.marks.iter().map(|mark| (&*mark.square, mark.kind)).collect();
    assert_eq!(marks, [("e8", MarkKind::Check)]);
}

#[test]
fn a_won_line_of_crosses_is_marked() {
    let game = games().game("tic-tac-toe").expect("a game");
    let board = game.parse_state("xxx oo. ...").expect("a state").board().expect("a board");
    let won: Vec<_> = board.marks.iter().map(|mark| &*mark.square).collect();
    assert_eq!(won, ["a3", "b3", "c3"]);
    assert!(board.pieces.iter().all(|piece| ["cross", "ring"].contains(&&*piece.look.glyph)));
}

#[test]
fn records_are_read_as_they_are_written() {
    for game in games().iter() {
        for seed in 0..3 {
            let record = play(game, seed, |_, _| {});
            let text = game.write_record(&record).expect("a record");
            assert!(game.is_record(&text), "{game:?}: {text}");
            let read = game.read_records(&text).expect("a record");
            assert_eq!(read.len(), 1, "{game:?}");
            assert_eq!((&read[0].game, &read[0].start), (&record.game, &record.start));
            assert_eq!(read[0].steps, record.steps, "{game:?}");
        }
    }
}

#[test]
fn endings_and_sides_have_words() {
    for game in games().iter() {
        play(game, 2, |state, _| {
            assert!(state.sides().iter().all(|side| !side.name.is_empty()));
            let words = state.ending().map(|ending| game.ending_words(ending));
            assert_ne!(words, Some(""), "{game:?}");
        });
    }
}

/// The names of all squares.
fn squares(board: &BoardView) -> Vec<String> {
    let files = move |rank| (0..board.files).map(move |file| square_name(file, rank));
    (0..board.ranks).flat_map(files).collect()
}

/// A game's own states and those without its type are written alike.
#[test]
fn states_are_written_as_the_game_writes_them() {
    let state = monteverde_game::fixtures::TicTacToe::start();
    let any = games().game("tic-tac-toe").expect("a game").start();
    assert_eq!((any.state_text(), any.picture()), (state.state_text(), state.picture()));
}
