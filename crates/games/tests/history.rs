//! What players claim in endgames of three pieces, and where a mate is near, after games in which
//! positions have repeated and quiet plies have been counted, against an exact search that knows
//! the past.
//!
//! `CLAIMS=1000 cargo test --release -p monteverde-games --test all history -- --nocapture` looks
//! at so many games of each kind.
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
/// past, only say where the attacker cannot be in time, and which move to try first; where they
/// know nothing, every move is tried.
struct Exact {
    attacker: Side,
    /// So many nodes more, and the search is given up.
    nodes: u64,
    /// By key, quiet plies and the plies that are left.
    known: HashMap<(u64, u16, u32), bool>,
    /// How often each position occurred up to the root.
    occurred: HashMap<u64, u32>,
}

impl Exact {
    /// `None` where the search is given up.
    fn wins(&mut self, board: &Board, plies: u32) -> Option<bool> {
        let mover = Chess::new(*board).turn();
        let nearest = match TABLES.probe(board) {
            Proof::Win(nearest) if mover == self.attacker => nearest,
            Proof::Loss(nearest) if mover != self.attacker => nearest,
            Proof::Open if !board.has_legal_moves() => {
                return Some(mover != self.attacker && board.in_check());
            }
            Proof::Open => 1,
            _ => return Some(false),
        };
        if u32::from(nearest) > plies {
            return Some(false);
        }
        if nearest == 0 {
            return Some(true);
        }
        if board.halfmoves() >= 100 {
            return Some(false);
        }
        let key = (board.key(), board.halfmoves(), plies);
        if let Some(&known) = self.known.get(&key) {
            return Some(known);
        }
        self.nodes = self.nodes.checked_sub(1)?;
        let mut after: Vec<Board> = Vec::new();
        board.for_each_move(|mv| {
            let mut next = *board;
            next.play(mv);
            after.push(next);
        });
        after.sort_by_key(|next| TABLES.probe(next).plies());
        let is_drawn = |key: u64, exact: &Exact| exact.occurred.get(&key).is_some_and(|&n| n >= 2);
        // One that wins settles it for the attacker, one that does not for the other.
        let wanted = mover == self.attacker;
        let mut wins = !wanted;
        for next in &after {
            let follows = !is_drawn(next.key(), self) && self.wins(next, plies - 1)?;
            if follows == wanted {
                wins = wanted;
                break;
            }
        }
        self.known.insert(key, wins);
        Some(wins)
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

    /// Whether `attacker` wins within so many plies from `board`, which comes next; `None` if that
    /// takes too long to find out.
    fn wins(&self, attacker: Side, board: &Board, plies: u32) -> Option<bool> {
        let (known, occurred) = (HashMap::new(), self.occurred.clone());
        Exact { attacker, nodes: MOST_NODES, known, occurred }.wins(board, plies)
    }

    /// Whether nobody can win before fifty moves are over; a pawn would start the count anew. Where
    /// the tables know nothing, whether nobody wins soon.
    fn is_drawn(&self) -> Option<bool> {
        let (turn, board) = (self.state.turn(), self.state.board());
        let winner = match TABLES.probe(board) {
            Proof::Win(_) => turn,
            Proof::Loss(_) => turn.other(),
            Proof::Draw => return Some(true),
            Proof::Open => {
                let soon = |side| self.wins(side, board, SOON);
                return Some(!soon(turn)? && !soon(turn.other())?);
            }
        };
        assert!(board.pieces(Piece::Pawn).is_empty(), "{}", self.text());
        Some(!self.wins(winner, board, self.state.plies_left())?)
    }

    /// Checks what a player claims, and that it plays a move that keeps it. Says whether it claims
    /// a win.
    fn check(&self, spec: &Spec, iterations: u64) -> bool {
        self.judge(spec, iterations) == Claim::Win
    }

    /// Says what a player claims, and panics if that is refuted.
    fn judge(&self, spec: &Spec, iterations: u64) -> Claim {
        let report = self.report(spec, iterations);
        let (turn, board) = (self.state.turn(), self.state.board());
        let (claim, holds) = match report.proof {
            Proof::Open => return Claim::Nothing,
            Proof::Draw => (Claim::Draw, self.is_drawn()),
            Proof::Loss(plies) => (Claim::Loss, self.wins(turn.other(), board, u32::from(plies))),
            Proof::Win(plies) => {
                let best = report.best.expect("a move").to_string_in(&self.state);
                let mut after = self.state.clone();
                after.play(self.state.parse_move(&best).expect("a legal move"));
                let keeps = match after.outcome() {
                    Some(outcome) => Some(outcome == Outcome::Win(turn)),
                    None => self.wins(turn, after.board(), u32::from(plies) - 1),
                };
                assert_ne!(keeps, Some(false), "{best} does not win in {plies}: {}", self.text());
                (Claim::Win, keeps)
            }
        };
        assert_ne!(holds, Some(false), "no {:?}: {}", report.proof, self.text());
        if holds.is_some() { claim } else { Claim::Unchecked }
    }
}

/// The exact search gives up after so many nodes.
const MOST_NODES: u64 = 300_000;
/// A draw that the tables know nothing about is refuted by a win within so many plies.
const SOON: u32 = 5;

/// What a player claims, after it was checked.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Claim {
    Nothing,
    Win,
    Draw,
    Loss,
    /// Anything whose check was given up.
    Unchecked,
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

/// Problems of our own games: four fields of a FEN, and `dm n;`.
const PROBLEMS: &str = include_str!("../../../data/chess/mates-of-best.epd");

/// A random move, as its text.
fn any_move(state: &Chess, rng: &mut Rng) -> String {
    let mut moves = Vec::new();
    state.moves(&mut moves);
    state.move_text(moves[rng.below(moves.len() as u32) as usize])
}

/// A game that goes round in a circle of four plies and comes to a problem for the second time;
/// `None` if the moves that are drawn at random cannot be taken back.
///
/// Every second circle begins behind its first move, which then would repeat a state for the third
/// time; with luck it is the one that mates. Every second game has so many quiet plies behind it
/// that the fiftieth move is near the mate.
fn circled(problem: &str, rng: &mut Rng) -> Option<Played> {
    let (fields, operations) = problem.split_at(problem.match_indices(' ').nth(3)?.0);
    let operation = |name| operations.split(';').find_map(|part| part.trim().strip_prefix(name));
    let moves: i32 = operation("dm ")?.parse().expect("a distance");
    let start = Chess::parse_state(&format!("{fields} 0 1")).expect("a state of ours");

    let solution = operation("bm ").and_then(|san| start.parse_move(san).ok());
    let own = match solution {
        Some(mv) if rng.below(2) == 0 => start.move_text(mv),
        _ => any_move(&start, rng),
    };
    let mut behind = start.clone();
    behind.play(behind.parse_move(&own).ok()?);
    if behind.outcome().is_some() {
        return None;
    }
    let other = any_move(&behind, rng);
    let back = |text: &str| (text.len() == 4).then(|| format!("{}{}", &text[2..], &text[..2]));
    let circle = [own.clone(), other.clone(), back(&own)?, back(&other)?];

    let (first, begins, plies) = if rng.below(2) == 0 { (0, &start, 4) } else { (1, &behind, 7) };
    let near = rng.below(2 * moves.unsigned_abs() + 4);
    let quiet_plies = if rng.below(2) == 0 { 0 } else { 100 - plies - near };
    let text = begins.state_text();
    let fields: Vec<&str> = text.split(' ').take(4).collect();
    let fen = format!("{} {quiet_plies} 90", fields.join(" "));
    let mut played = Played::new(Chess::parse_state(&fen).ok()?);
    for at in first..first + plies as usize {
        let mv = played.state.parse_move(&circle[at % 4]).ok()?;
        played.play(mv);
        if played.state.outcome().is_some() {
            return None;
        }
    }
    (played.occurred[&played.state.key()] == 2).then_some(played)
}

#[test]
fn no_mate_that_a_past_forestalls_is_claimed() {
    let mut rng = Rng::new(11);
    let problems: Vec<&str> = PROBLEMS.lines().collect();
    let any = |rng: &mut Rng| problems[rng.below(problems.len() as u32) as usize];
    let games = std::iter::repeat_with(|| circled(any(&mut rng), &mut rng)).flatten().take(count());
    let mut claims: HashMap<Claim, usize> = HashMap::new();
    for played in games {
        *claims.entry(played.judge(&spec("best:pieces=3"), 2_000)).or_default() += 1;
    }
    println!("{claims:?} in {} games", count());
    assert!(claims[&Claim::Win] * 5 > count(), "{claims:?}");
}
