//! The rules, one by one, and the texts of states and moves.

use monteverde_banqi::{Banqi, Colour, Kind, Likely, Move, Weights, bits};
use monteverde_game::playout_knowledge::EvalSource;
use monteverde_game::{Game, Notation, Outcome, Rng, Side, Step};

const FIRST_WINS: Option<Outcome> = Some(Outcome::Win(Side::First));

fn state(text: &str) -> Banqi {
    Banqi::parse_state(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Plays moves, and flips with what they show, such as `a1(K)`.
fn play(state: &mut Banqi, moves: &str) {
    for text in moves.split_whitespace() {
        let (mv, piece) = text.trim_end_matches(')').split_once('(').unwrap_or((text, ""));
        let mv = state.parse_move(mv).unwrap_or_else(|error| panic!("{error}"));
        state.play(mv);
        if state.is_pending() {
            let event = state.parse_event(piece).unwrap_or_else(|error| panic!("{error}"));
            state.settle(event);
        }
    }
}

fn moves(state: &Banqi) -> Vec<String> {
    let mut moves = Vec::new();
    state.moves(&mut moves);
    moves.into_iter().map(|mv| state.move_text(mv)).collect()
}

/// Rows capture columns, from the king to the pawn.
#[test]
fn who_takes_whom() {
    const TAKES: [&str; 7] =
        ["111111.", ".111111", "..11111", "...1111", "....111", ".......", "1.....1"];
    for (hunter, row) in Kind::ALL.into_iter().zip(TAKES) {
        for (prey, cell) in Kind::ALL.into_iter().zip(row.chars()) {
            assert_eq!(hunter.takes(prey), cell == '1', "{hunter:?} and {prey:?}");
        }
    }
}

/// The sets of prey and the sampler know the same captures.
#[test]
fn captures_on_the_board_are_those_of_the_kinds() {
    for hunter in Kind::ALL {
        for prey in Kind::ALL {
            let letter = |kind: Kind| b"KGMRNCP"[kind as usize] as char;
            let text = format!("{}{}/11 r - 0", letter(hunter), letter(prey).to_ascii_lowercase());
            let state = state(&text);
            assert_eq!(moves(&state).contains(&"a2-b2".to_owned()), hunter.takes(prey), "{text}");
            let board = state.board();
            assert_eq!(board.prey(Colour::Black, hunter) != 0, hunter.takes(prey), "{text}");
            assert_eq!(board.hunters(Colour::Red, prey) != 0, hunter.takes(prey), "{text}");
            let mut rng = Rng::new(1);
            let captures = |_| state.sample(&mut rng).is_ok_and(|mv| state.board().is_capture(mv));
            assert_eq!((0..100).any(captures), hunter.takes(prey), "{text}");
        }
    }
}

/// Who attacks a piece are those whose moves, were it their turn, go to it.
#[test]
fn attackers_are_those_that_can_capture() {
    let mut rng = Rng::new(4);
    let mut attacks = 0;
    for _ in 0..50 {
        let mut state = Banqi::start();
        while let Ok(mv) = state.sample(&mut rng) {
            state.play(mv);
            if state.is_pending() {
                let event = state.sample_event(&mut rng);
                state.settle(event);
            }
            let board = state.board();
            let mut moves = Vec::new();
            board.moves(&mut moves);
            let occupied = board.covered() | board.face_up();
            let mover = board.colours().expect("after the first flip").mover;
            for square in bits(board.of(mover.other())) {
                let piece = board.piece(square).expect("it is face up");
                let takers = moves.iter().filter(|mv| !mv.is_flip() && mv.to() == square);
                let expected = takers.fold(0, |set, mv| set | mv.from().bit());
                assert_eq!(board.attackers(square, piece, occupied), expected, "{state:?}");
                attacks += expected.count_ones();
            }
        }
    }
    assert!(attacks > 1_000, "only {attacks}");
}

#[test]
fn a_cannon_jumps_over_exactly_one_piece_of_any_kind() {
    // To the right: a covered piece, then an enemy. Upwards: an own piece, an empty square, then an
    // enemy.
    let far = state("k3/4/P3/4/CXpg r P 0");
    assert_eq!(moves(&far), ["a1-c1", "a1-a2", "a1-a5", "a3-a2", "a3-b3", "a3-a4", "b1"]);
    // Neither a neighbour, nor a covered piece, nor one behind two others.
    let near = state("1X2/1p2/pCpk/3X r Pp 0");
    assert_eq!(moves(&near), ["b2-b1", "b2-d2", "d1", "b4"]);
}

#[test]
fn the_first_flip_decides_the_colours() {
    for (piece, colours) in [("K", "b"), ("k", "r")] {
        let mut state = Banqi::start();
        assert_eq!(moves(&state).len(), 32);
        play(&mut state, &format!("c5({piece})"));
        assert_eq!(state.turn(), Side::Second);
        let text = state.state_text();
        assert_eq!(text.split(' ').nth(1), Some(colours), "{text}");
        assert_eq!(text.ends_with("first=b"), piece == "k", "{text}");
    }
}

#[test]
fn losing_all_pieces_loses_though_there_is_something_to_flip() {
    let mut state = state("Kk/XX r GG 0");
    play(&mut state, "a2-b2");
    assert_eq!((state.outcome(), state.ending()), (FIRST_WINS, Some("all captured")));
    assert_eq!(moves(&state), [""; 0]);
}

#[test]
fn no_move_loses_even_where_a_draw_is_due() {
    for quiet in [0, 39] {
        let mut state = state(&format!("k1/P1/1P b - {quiet}"));
        assert_eq!(state.outcome(), None);
        play(&mut state, "a3-b3");
        assert_eq!(state.is_drawn_by_history(), quiet == 39);
        let mut shut_in = self::state(&format!("kP/1P/2 r - {quiet}"));
        play(&mut shut_in, "b2-a2");
        assert_eq!((shut_in.outcome(), shut_in.ending()), (FIRST_WINS, Some("no move")));
        assert_eq!(shut_in.sample(&mut Rng::new(1)), Err(Outcome::Win(Side::First)));
    }
}

#[test]
fn quiet_plies_are_counted_and_a_flip_or_capture_starts_anew() {
    let mut state = state("K2X/4/4/k3 b n 38");
    play(&mut state, "a1-b1");
    assert_eq!((state.outcome(), state.plies_left()), (None, 1));
    let mut flipped = state.clone();
    play(&mut flipped, "d4(n)");
    assert_eq!(flipped.plies_left(), 40);
    play(&mut state, "a4-b4");
    assert_eq!((state.outcome(), state.ending()), (Some(Outcome::Draw), Some("quiet plies")));
    assert!(!moves(&state).is_empty(), "they are still listed");
}

#[test]
fn repetitions() {
    const THERE_AND_BACK: &str = "a4-b4 a1-b1 b4-a4 b1-a1";
    let ending = |rules: &str, moves: &[&str]| {
        let mut state = state(&format!("K3/4/4/k3 r - 0{rules}"));
        for (index, moves) in moves.iter().enumerate() {
            assert_eq!(state.outcome(), None, "before part {index}");
            play(&mut state, moves);
        }
        state.ending()
    };
    // The third occurrence.
    assert_eq!(ending("", &[THERE_AND_BACK; 2]), Some("repetition"));
    // Three cycles of four plies.
    assert_eq!(ending(" repetition=cycle", &[THERE_AND_BACK; 2]), None);
    assert_eq!(ending(" repetition=cycle", &[THERE_AND_BACK; 3]), Some("repetition"));
    let other = "a4-a3 a1-b1 a3-a4 b1-a1";
    let broken = [THERE_AND_BACK, THERE_AND_BACK, other, THERE_AND_BACK];
    assert_eq!(ending(" repetition=cycle", &broken), None);
    assert_eq!(ending(" repetition=off", &[THERE_AND_BACK; 4]), None);
}

/// Captures of weight 55 and 8, a jump of weight 50, and other moves of weight 2.
#[test]
fn weighted_moves_are_drawn_by_weight() {
    const WEIGHTS: Weights = Weights::new([55, 50, 25, 10, 8, 30, 8], 2);
    const DRAWS: u32 = 100_000;
    let state = state("Pk2/p3/CXg1/1p2 r P 0");
    let mut listed = Vec::new();
    state.moves(&mut listed);
    let weight = |mv: Move| match state.move_text(mv).as_str() {
        "a4-b4" => 55,
        "a4-a3" => 8,
        "a2-c2" => 50,
        _ => 2,
    };
    let total: u32 = listed.iter().map(|&mv| weight(mv)).sum();
    assert_eq!(total, 55 + 8 + 50 + 2 * 2, "two other moves: a step and a flip");
    let mut rng = Rng::new(5);
    let mut counts = vec![0; listed.len()];
    for _ in 0..DRAWS {
        let mv = state.sample_weighted(&WEIGHTS, &mut rng).expect("a move");
        counts[listed.iter().position(|&other| other == mv).expect("a listed move")] += 1;
    }
    for (&mv, &count) in listed.iter().zip(&counts) {
        let share = f64::from(weight(mv)) / f64::from(total);
        let deviation = (f64::from(DRAWS) * share * (1.0 - share)).sqrt();
        let off = (f64::from(count) - f64::from(DRAWS) * share).abs();
        assert!(off < 5.0 * deviation, "{mv:?}: {count} of {DRAWS}, expected {share}");
    }
}

#[test]
fn a_verdict_ends_a_weighted_playout_after_a_capture() {
    let mut state = Banqi::start();
    let weights = Weights::new([1; 7], 1);
    let mut asked = Vec::new();
    let verdict = |combination| {
        asked.push(combination);
        Likely::Win(Colour::Black)
    };
    let found = state.playout_weighted(&weights, verdict, &mut Rng::new(1));
    let winner = state.board().side(Colour::Black).expect("a side");
    assert_eq!((found.playout.outcome, found.source), (Outcome::Win(winner), EvalSource::Verdict));
    let left: u32 = state.board().material().iter().map(|&count| u32::from(count)).sum();
    assert_eq!(left, 31, "exactly one piece was captured");
    assert_eq!(asked, [state.board().combination().expect("a number")]);
}

/// Red's rook takes the knight, and then the black pawn between cannons cannot move.
#[test]
fn who_cannot_move_has_lost_whatever_is_likely() {
    let mut state = state("C1R/pCn r - 0");
    let weights = Weights::new([Weights::MOST; 7], 1);
    let found = state.playout_weighted(&weights, |_| Likely::Draw, &mut Rng::new(1));
    assert_eq!((Some(found.playout.outcome), found.playout.plies), (FIRST_WINS, 1));
    assert_eq!((state.ending(), found.source), (Some("no move"), EvalSource::Rules));
}

#[test]
fn errors_say_what_is_accepted() {
    let error = |text: &str| Banqi::parse_state(text).expect_err("no state").to_string();
    for (text, message) in [
        (
            "K3 r -",
            "a state has 4 or 5 fields (squares, side, covered pieces, quiet plies, and rules if any), but 'K3 r -' has 3",
        ),
        (
            "1/1/1/1/1/1/1/1/1 r - 0",
            "the squares are 1 to 8 ranks with '/' between them, but '1/1/1/1/1/1/1/1/1' has 9",
        ),
        ("K3/kx2 r - 0", "'x' on rank 1 is not one of X, ?, KGMRNCP, kgmrncp or 1 to 4"),
        ("K3/k1 r - 0", "rank 1 must have 4 squares, but 'k1' has 2"),
        ("K4/k1 r - 0", "rank 2 must have 1 to 4 squares, but 'K4' has 5"),
        ("K3 w - 0", "the side to move is r, b, or - before the first flip, not 'w'"),
        (
            "K3 r x 0",
            "the covered pieces are letters of KGMRNCP and kgmrncp, or - for none, not 'x'",
        ),
        (
            "K3 r - x",
            "the plies since the last capture or flip are a number from 0 to 65534, not 'x'",
        ),
        (
            "XX - Kk 0 first=b",
            "'first=b' is no side that moved first; accepted are first=r and first=b, once the side to move is r or b",
        ),
        (
            "XX r K 0",
            "'XX r K 0' breaks the rules: 2 squares are covered, but 1 covered pieces are named",
        ),
        ("4 r - 0", "'4 r - 0' breaks the rules: there is no piece"),
        (
            "K?? r kk 0",
            "'K?? r kk 0' breaks the rules: 2 pieces are being turned up, at most one may",
        ),
        (
            "KX - k 0",
            "'KX - k 0' breaks the rules: before the first flip nothing is face up; name the side to move",
        ),
        (
            "K? r K 0",
            "'K? r K 0' breaks the rules: a colour has no piece left, so the game is over and nothing is turned up",
        ),
        (
            "K? r k 4",
            "'K? r k 4' breaks the rules: 4 plies without a capture or a flip cannot be before or during a flip, the count must \
             be 0",
        ),
    ] {
        assert_eq!(error(text), message);
    }
    let start = Banqi::start();
    let refused = |text: &str| start.parse_move(text).expect_err("no move").to_string();
    assert_eq!(
        refused("a9"),
        "'a9' is not a move; accepted are two squares such as a1-b1, and the square of a flip such as a1"
    );
    assert!(refused("a1-a2").starts_with("'a1-a2' is not legal in 'XXXX/"));
    assert_eq!(start.parse_move("a1-a1"), start.parse_move("a1"), "as arenas write a flip");
    let event = start.parse_event("K").expect_err("nothing is turned up").to_string();
    assert!(event.starts_with("'K' cannot show, no piece is being turned up in 'XXXX/"), "{event}");
}

#[test]
fn flips_and_moves_keep_their_bits() {
    for bits in 0..1024 {
        let mv = Move::from_bits(bits);
        assert_eq!(mv.to_bits(), bits);
        assert_eq!(mv.is_flip(), mv.from() == mv.to());
    }
}
