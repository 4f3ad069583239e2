//! What players claim in endgames of three pieces after games in which positions have repeated and
//! quiet plies have been counted, against an exact search that knows the past.
//!
//! `CLAIMS=1000 cargo test --release -p monteverde-games --test all history` looks at so many games.
#![allow(clippy::print_stdout)] // A run by hand wants the figures.

use monteverde_chess::{Board, Chess, Color, Piece, Setup};
use monteverde_game::limit::{Limit, NoClock, Signal};
use monteverde_game::report::{Control, Report};
use monteverde_game::{Game, Notation, Outcome, Proof, Rng, Side};
use monteverde_games::games;
use monteverde_players::{AnyState, Spec};
use monteverde_tablebase::Tables;
use std::collections::HashMap;
use std::sync::LazyLock;
use std::time::Duration;

static TABLES: LazyLock<Tables> = LazyLock::new(|| Tables::three_pieces(None));

/// Whether the attacker wins within so many plies, with the past that `state` has.
///
/// A state that occurred twice before is drawn wherever it comes up again. Other repetitions need
/// no heed: whoever wins soonest, with those states drawn, comes nearer with every ply and repeats
/// nothing; and what wins though repetitions draw wins as soon if they do not. So the value of a
/// state does not depend on the way from the root, and can be remembered. The tables, which know no
/// past, only say where the attacker cannot be in time, and which move to try first.
struct Exact {
    attacker: Side,
    /// By key, quiet plies and the plies that are left.
    known: HashMap<(u64, u16, u32), bool>,
    /// How often each position occurred up to the root.
    occurred: HashMap<u64, u32>,
}

impl Exact {
    fn wins(&mut self, board: &Board, plies: u32) -> bool {
        let mover = Chess::new(*board).turn();
        let nearest = match TABLES.probe(board) {
            Proof::Win(nearest) if mover == self.attacker => nearest,
            Proof::Loss(nearest) if mover != self.attacker => nearest,
            _ => return false,
        };
        if u32::from(nearest) > plies {
            return false;
        }
        if nearest == 0 {
            return true;
        }
        if board.halfmoves() >= 100 {
            return false;
        }
        let key = (board.key(), board.halfmoves(), plies);
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let mut after: Vec<Board> = Vec::new();
        board.for_each_move(|mv| {
            let mut next = *board;
            next.play(mv);
            after.push(next);
        });
        after.sort_by_key(|next| TABLES.probe(next).plies());
        let is_drawn = |key: u64, exact: &Exact| exact.occurred.get(&key).is_some_and(|&n| n >= 2);
        let follows = |next: &Board, exact: &mut Exact| {
            !is_drawn(next.key(), exact) && exact.wins(next, plies - 1)
        };
        let wins = match mover == self.attacker {
            true => after.iter().any(|next| follows(next, self)),
            false => after.iter().all(|next| follows(next, self)),
        };
        self.known.insert(key, wins);
        wins
    }
}

/// A game: where it began, and what was played.
struct Played {
    start: Chess,
    state: Chess,
    moves: Vec<String>,
    occurred: HashMap<u64, u32>,
}

impl Played {
    fn new(start: Chess) -> Played {
        let occurred = HashMap::from([(start.key(), 1)]);
        Played { state: start.clone(), start, moves: Vec::new(), occurred }
    }

    fn parse(fen: &str, moves: &str) -> Played {
        let mut played = Played::new(Chess::parse_state(fen).expect("a FEN of the test"));
        for text in moves.split_whitespace() {
            let mv = played.state.parse_move(text).expect("a move of the test");
            played.play(mv);
        }
        played
    }

    fn play(&mut self, mv: monteverde_chess::Move) {
        self.moves.push(self.state.move_text(mv));
        self.state.play(mv);
        *self.occurred.entry(self.state.key()).or_insert(0) += 1;
    }

    fn text(&self) -> String {
        format!("{} moves {}", self.start.state_text(), self.moves.join(" "))
    }

    /// What a player says of it.
    fn report(&self, spec: &Spec, iterations: u64) -> Report<AnyState> {
        let game = games().game("chess").expect("a game of ours");
        let mut state = game.parse_state(&self.start.state_text()).expect("its own text");
        for text in &self.moves {
            state.play(state.parse_move(text).expect("its own text"));
        }
        let control = Control {
            clock: &NoClock,
            signal: &Signal::default(),
            every: Duration::MAX,
            observe: &mut |_| {},
        };
        spec.make(&state).think(&Limit::iterations(iterations), control)
    }

    /// Whether `attacker` wins within so many plies from `board`, which comes next.
    fn wins(&self, attacker: Side, board: &Board, plies: u32) -> bool {
        let known = HashMap::new();
        Exact { attacker, known, occurred: self.occurred.clone() }.wins(board, plies)
    }

    /// Whether nobody can win before fifty moves are over; a pawn would start the count anew.
    fn is_drawn(&self) -> bool {
        let (turn, board) = (self.state.turn(), self.state.board());
        let winner = match TABLES.probe(board) {
            Proof::Win(_) => turn,
            Proof::Loss(_) => turn.other(),
            Proof::Draw | Proof::Open => return true,
        };
        assert!(board.pieces(Piece::Pawn).is_empty(), "{}", self.text());
        !self.wins(winner, board, self.state.plies_left())
    }

    /// Checks what a player claims, and that it plays a move that keeps it. Says whether it claims
    /// a win.
    fn check(&self, spec: &Spec, iterations: u64) -> bool {
        let report = self.report(spec, iterations);
        let (turn, board) = (self.state.turn(), self.state.board());
        match report.proof {
            Proof::Open => return false,
            Proof::Draw => assert!(self.is_drawn(), "no draw: {}", self.text()),
            Proof::Loss(plies) => {
                let is_lost = self.wins(turn.other(), board, u32::from(plies));
                assert!(is_lost, "no loss in {plies}: {}", self.text());
            }
            Proof::Win(plies) => {
                let is_won = self.wins(turn, board, u32::from(plies));
                assert!(is_won, "no win in {plies}: {}", self.text());
            }
        }
        let best = report.best.expect("a move").to_string_in(&self.state);
        let mut after = self.state.clone();
        after.play(self.state.parse_move(&best).expect("a legal move"));
        if let Proof::Win(plies) = report.proof {
            let keeps = match after.outcome() {
                Some(outcome) => outcome == Outcome::Win(turn),
                None => self.wins(turn, after.board(), u32::from(plies) - 1),
            };
            assert!(keeps, "{best} does not win in {plies}: {}", self.text());
            return true;
        }
        false
    }
}

/// The text of an erased step.
trait StepText {
    fn to_string_in(self, state: &Chess) -> String;
}

impl StepText for monteverde_players::AnyStep {
    fn to_string_in(self, state: &Chess) -> String {
        use monteverde_game::Step;
        state.move_text(monteverde_chess::Move::from_bits(self.to_bits()))
    }
}

fn spec(text: &str) -> Spec {
    let game = games().game("chess").expect("a game of ours");
    Spec::read(game, text).expect("a spec of the test")
}

/// The queen has gone to and fro: 1.Qf4 would let the king go back to e7 for the third time.
#[test]
fn a_table_win_through_a_third_occurrence_is_not_claimed() {
    let fen = "2K5/4k3/8/8/5Q2/8/8/8 w - - 0 1";
    let played = Played::parse(fen, "f4d2 e7e6 d2f4 e6e7 f4d2 e7e6");
    for player in ["best:pieces=3", "mcc-combined:pieces=3"] {
        played.check(&spec(player), 3_000);
        let report = played.report(&spec(player), 3_000);
        assert_ne!(report.best.expect("a move").to_string_in(&played.state), "d2f4", "{player}");
    }
    // There is a way round, and it is found.
    assert!(played.check(&spec("best:pieces=3"), 3_000));
    // Before the repetitions the tables are believed.
    assert!(Played::parse(fen, "f4d2 e7e6").check(&spec("best:pieces=3"), 3_000));
}

#[test]
fn a_table_win_that_fifty_moves_forestall_is_not_claimed() {
    let claims = |clock: u32| {
        let fen = format!("8/8/8/4k3/8/8/8/KQ6 w - - {clock} 90");
        Played::parse(&fen, "").check(&spec("best:pieces=3"), 500)
    };
    let state = Chess::parse_state("8/8/8/4k3/8/8/8/KQ6 w - - 0 1").expect("a state");
    let Proof::Win(plies) = TABLES.probe(state.board()) else { panic!("a win") };
    assert!(claims(100 - u32::from(plies)));
    assert!(!claims(101 - u32::from(plies)));
}

/// A random position of a king, another king and one piece.
fn scattered(rng: &mut Rng) -> Option<Chess> {
    let mut setup = Setup::empty();
    let piece = [Piece::Queen, Piece::Queen, Piece::Rook, Piece::Pawn][rng.below(4) as usize];
    let strong = Color::ALL[rng.below(2) as usize];
    for man in [(Color::White, Piece::King), (Color::Black, Piece::King), (strong, piece)] {
        let place = &mut setup.pieces[rng.below(64) as usize];
        if place.is_some() {
            return None;
        }
        *place = Some(man);
    }
    setup.turn = Color::ALL[rng.below(2) as usize];
    // Half of the games begin with many quiet plies behind them.
    setup.halfmoves = if rng.below(2) == 0 { 0 } else { rng.below(90) as u16 };
    let state = Chess::new(Board::from_setup(&setup).ok()?);
    (state.outcome().is_none() && TABLES.probe(state.board()) != Proof::Draw).then_some(state)
}

/// A random game from there, which likes to go back to where it was, and is not over.
fn wander(rng: &mut Rng) -> Option<Played> {
    let mut played = Played::new(scattered(rng)?);
    for _ in 0..4 + rng.below(24) {
        let mut moves = Vec::new();
        played.state.moves(&mut moves);
        let seen = |mv: &monteverde_chess::Move| {
            let mut after = played.state.clone();
            after.play(*mv);
            played.occurred.get(&after.key()) == Some(&1)
        };
        let back: Vec<_> = moves.iter().copied().filter(seen).collect();
        let list = if !back.is_empty() && rng.below(4) > 0 { &back } else { &moves };
        let mv = list[rng.below(list.len() as u32) as usize];
        let mut after = played.state.clone();
        after.play(mv);
        if after.outcome().is_none() {
            played.play(mv);
        }
    }
    let is_won = TABLES.probe(played.state.board()) != Proof::Draw;
    (is_won && played.occurred.values().any(|&n| n == 2)).then_some(played)
}

/// How many games are looked at.
fn count() -> usize {
    let asked = std::env::var("CLAIMS").ok().map(|text| text.parse().expect("a number"));
    asked.unwrap_or(60)
}

/// Checks games that are at most so many plies from the mate, and counts the wins that are claimed.
fn check_random_games(spec: &Spec, iterations: u64, most_plies: u16) -> usize {
    let mut rng = Rng::new(7);
    let is_near = |played: &Played| {
        TABLES.probe(played.state.board()).plies().is_some_and(|plies| plies <= most_plies)
    };
    let games = std::iter::repeat_with(|| wander(&mut rng)).flatten().filter(is_near).take(count());
    games.filter(|played| played.check(spec, iterations)).count()
}

#[test]
fn no_claim_about_a_game_with_a_past_is_refuted() {
    let claims = check_random_games(&spec("best:pieces=3"), 300, u16::MAX);
    println!("{claims} wins claimed in {} games", count());
    assert!(claims * 5 > count(), "only {claims}");
}

#[test]
fn nor_is_one_of_alpha_beta() {
    let claims = check_random_games(&spec("ab"), 20_000, 7);
    println!("{claims} wins claimed in {} games", count());
    assert!(claims > 0);
}
