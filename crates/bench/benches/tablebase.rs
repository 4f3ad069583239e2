//! Endgame tables: building them, and asking them about random positions.

#![allow(clippy::print_stdout)] // Printing tables is what this program is for.

use monteverde_bench::{Rate, per_second, table};
use monteverde_chess::{Board, Color, Piece, Setup};
use monteverde_game::{Proof, Rng};
use monteverde_tablebase::create::{build_tables, plan};
use monteverde_tablebase::{Material, Tables};
use std::hint::black_box;
use std::path::Path;

const ROUNDS: usize = 15;
const POSITIONS: usize = 200_000;

/// Builds all tables of three pieces and some of four in a folder of its own, or takes the folder
/// that the variable `TABLES` names.
fn main() {
    let made = std::env::temp_dir().join(format!("monteverde-bench-{}", std::process::id()));
    let given = std::env::var_os("TABLES");
    let dir = given.as_ref().map_or(made.as_path(), Path::new);
    if given.is_none() {
        build(dir);
    }
    probe(dir);
    if given.is_none() {
        let _ = std::fs::remove_dir_all(&made);
    }
}

fn build(dir: &Path) {
    let wanted = ["KRKN", "KQKP", "KPKP"].map(|name| name.parse().expect("a name"));
    let order = plan(dir, &wanted).expect("a new folder");
    let mut rates = Vec::new();
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let on_built = |built: monteverde_tablebase::create::Built| {
        let names = wanted.iter().zip(["KRKN", "KQKP", "KPKP"]);
        let entries = monteverde_tablebase::verify::words(built.material) * 64 * 2;
        rates.extend(
            names
                .filter(|(material, _)| **material == built.material)
                .map(|(_, name)| Rate { name, rate: entries as f64 / built.time.as_secs_f64() }),
        );
    };
    build_tables(dir, &order, threads, |_| (), on_built).expect("a folder that can be written");
    table(&format!("building on {threads} threads"), "entries a second", &rates);
}

fn probe(dir: &Path) {
    let tables = Tables::open(dir).expect("the tables are whole");
    let [three, four] = [3, 4].map(|pieces| {
        let materials: Vec<_> =
            tables.materials().filter(|material| material.pieces() == pieces).collect();
        positions(&materials)
    });
    let ask = |boards: &[Board]| {
        let known = boards.iter().filter(|board| tables.probe(black_box(board)) != Proof::Open);
        let known = known.count();
        assert_eq!(known, boards.len(), "every position is in a table");
        known as u64
    };
    // The first round decodes; the median does not see it.
    let rates = per_second(ROUNDS, &mut [&mut || ask(&four), &mut || ask(&three)]);
    let names = ["four pieces", "three pieces"];
    let rates: Vec<_> =
        names.into_iter().zip(rates).map(|(name, rate)| Rate { name, rate }).collect();
    table("probing random positions", "probes a second", &rates);
    for Rate { name, rate } in &rates {
        println!("  {name:<24} {:>11.1} ns", 1e9 / rate);
    }
}

/// Random legal positions of random materials, in random order and of either colour.
fn positions(materials: &[Material]) -> Vec<Board> {
    let mut rng = Rng::new(4);
    let mut boards = Vec::with_capacity(POSITIONS);
    while boards.len() < POSITIONS {
        let material = materials[rng.below(materials.len() as u32) as usize];
        let mut setup = Setup::empty();
        setup.turn = Color::ALL[rng.below(2) as usize];
        let swap = rng.below(2) == 1;
        for color in Color::ALL {
            let side = if swap { color.other() } else { color };
            for piece in Piece::ALL {
                for _ in 0..material.count(color, piece) {
                    setup.pieces[rng.below(64) as usize] = Some((side, piece));
                }
            }
        }
        if let Ok(board) = Board::from_setup(&setup)
            && board.occupied().count() as usize == material.pieces()
        {
            boards.push(board);
        }
    }
    boards
}
