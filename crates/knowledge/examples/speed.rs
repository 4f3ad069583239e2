//! How fast the evaluation is: positions of random games, and all successors of them.
#![allow(clippy::print_stdout)] // It is a program.

use monteverde_chess::Board;
use monteverde_game::Rng;
use monteverde_knowledge::chess::{TUNED, eval, for_each_successor};
use std::time::{Duration, Instant};

fn main() {
    let boards = boards(2_000);
    let moves: usize = boards.iter().map(|board| legal_moves(board).len()).sum();
    for _ in 0..ROUNDS {
        let (sum, single) = timed(|| boards.iter().map(|board| i64::from(eval(board))).sum());
        let (total, all) = timed(|| {
            let (mut sum, mut buffer) = (0, Vec::new());
            for board in &boards {
                for_each_successor(&TUNED, board, &mut buffer, |_, value| sum += i64::from(value));
            }
            sum
        });
        println!(
            "{:.2} million boards a second (sum {sum}), {:.2} million successors a second (sum {total})",
            rate(boards.len(), single),
            rate(moves, all)
        );
    }
}

const ROUNDS: usize = 5;
const REPEATS: usize = 50;

/// The result of doing it once, and the time of doing it [`REPEATS`] times.
fn timed(work: impl Fn() -> i64) -> (i64, Duration) {
    let start = Instant::now();
    let results: Vec<i64> = (0..REPEATS).map(|_| std::hint::black_box(work())).collect();
    (results[0], start.elapsed())
}

fn rate(count: usize, time: Duration) -> f64 {
    (count * REPEATS) as f64 / time.as_secs_f64() / 1e6
}

/// Positions of random games, at most 80 plies from the start, so that many pieces are left.
fn boards(count: usize) -> Vec<Board> {
    let mut rng = Rng::new(1);
    let mut boards = Vec::new();
    while boards.len() < count {
        let mut board = Board::start();
        for _ in 0..80 {
            let moves = legal_moves(&board);
            let Some(last) = moves.len().checked_sub(1) else { break };
            board.play(moves[rng.below(last as u32 + 1) as usize]);
            boards.push(board);
        }
    }
    boards
}

fn legal_moves(board: &Board) -> Vec<monteverde_chess::Move> {
    let mut moves = Vec::new();
    board.legal_moves(&mut moves);
    moves
}
