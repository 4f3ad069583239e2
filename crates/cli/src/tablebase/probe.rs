//! `monteverde tablebase probe`.

use super::failure;
use crate::failure::bad_input;
use crate::table::figures;
use monteverde_chess::{Board, Move, fen, san, uci};
use monteverde_game::Proof;
use monteverde_tablebase::{Syzygy, Tables, Wdl};
use serde_json::{Value, json};
use std::io::Write;
use std::path::PathBuf;

/// Says what is certain about a position, and what its moves lead to
///
/// Outcomes are for the side to move: win, draw, loss, or unknown where no table has the position, which is so with
/// castling rights. Distances are plies to mate; the fifty-move rule is ignored.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  monteverde tablebase probe '8/8/8/1k6/8/8/K5P1/8 w - - 0 1'
  monteverde tablebase probe --dir tables '8/8/6R1/2K5/n7/8/8/3k4 w - - 0 1' --json")]
pub(super) struct Args {
    /// The folder of the tables; the built-in ones of three pieces if it is left out
    #[arg(long, value_name = "D")]
    dir: Option<PathBuf>,
    /// A folder of Syzygy files, asked for win, draw or loss where the tables do not know
    #[arg(long, value_name = "D")]
    syzygy: Option<PathBuf>,
    /// The position
    #[arg(value_name = "FEN")]
    fen: String,
    /// Prints one JSON document
    #[arg(long)]
    json: bool,
}

/// Asks and prints.
pub(super) fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<()> {
    let board = fen::parse(&args.fen).map_err(|error| bad_input("FEN", error))?;
    let tables = match &args.dir {
        Some(dir) => Tables::open(dir).map_err(|error| failure("--dir", error))?,
        None => Tables::three_pieces(Tables::cache_dir().as_deref()),
    };
    let syzygy = args.syzygy.as_deref().map(Syzygy::open).transpose();
    let sources = Sources { tables, syzygy: syzygy.map_err(|error| failure("--syzygy", error))? };
    let answer = sources.ask(&board)?;
    let moves = sources.ask_moves(&board)?;
    if args.json {
        let moves = moves.iter().map(|(mv, answer)| {
            let mut document = json!({ "move": uci::write(&board, *mv) });
            answer.add_to(&mut document);
            document
        });
        let mut document = json!({ "state": fen::write(&board) });
        answer.add_to(&mut document);
        document["moves"] = moves.collect();
        return Ok(writeln!(out, "{document:#}")?);
    }
    writeln!(out, "{} to move: {}", board.turn(), answer.sentence())?;
    if moves.is_empty() {
        return Ok(());
    }
    let mut table = figures(["move", "outcome", "plies"], [2]);
    for (mv, answer) in &moves {
        let plies = answer.plies.map_or(String::new(), |plies| plies.to_string());
        table.add_row([san::write(&board, *mv), answer.outcome.to_owned(), plies]);
    }
    Ok(writeln!(out, "{table}")?)
}

struct Sources {
    tables: Tables,
    syzygy: Option<Syzygy>,
}

/// What is known, for one side.
#[derive(Clone, Copy)]
struct Answer {
    outcome: &'static str,
    plies: Option<u16>,
    /// Larger is better for that side.
    rank: i32,
}

impl Sources {
    fn ask(&self, board: &Board) -> anyhow::Result<Answer> {
        let proof = self.tables.try_probe(board)?;
        let wdl = || self.syzygy.as_ref().and_then(|syzygy| syzygy.wdl(board));
        Ok(Answer::new(proof, if proof == Proof::Open { wdl() } else { None }))
    }

    /// Every legal move with what it leads to for the side that plays it, the best first.
    fn ask_moves(&self, board: &Board) -> anyhow::Result<Vec<(Move, Answer)>> {
        let mut moves = Vec::new();
        board.legal_moves(&mut moves);
        let mut answers = Vec::new();
        for mv in moves {
            let mut next = *board;
            next.play(mv);
            let proof = self.tables.try_probe(&next)?;
            let wdl = || self.syzygy.as_ref().and_then(|syzygy| syzygy.wdl(&next));
            let wdl = if proof == Proof::Open { wdl().map(reversed) } else { None };
            answers.push((mv, Answer::new(proof.before(), wdl)));
        }
        answers.sort_by_key(|(_, answer)| -answer.rank);
        Ok(answers)
    }
}

impl Answer {
    fn new(proof: Proof, wdl: Option<Wdl>) -> Answer {
        /// Beyond every distance.
        const FAR: i32 = 1 << 16;
        let (outcome, plies, rank) = match (proof, wdl) {
            (Proof::Win(plies), _) => ("win", Some(plies), 2 * FAR - i32::from(plies)),
            (Proof::Draw, _) => ("draw", None, 0),
            (Proof::Loss(plies), _) => ("loss", Some(plies), i32::from(plies) - 2 * FAR),
            (Proof::Open, Some(wdl)) => match wdl.sign() {
                1 => ("win", None, FAR),
                -1 => ("loss", None, -FAR),
                _ => ("draw", None, 0),
            },
            (Proof::Open, None) => ("unknown", None, -1),
        };
        Answer { outcome, plies, rank }
    }

    fn add_to(&self, document: &mut Value) {
        document["outcome"] = self.outcome.into();
        document["plies"] = self.plies.into();
    }

    fn sentence(&self) -> String {
        match (self.outcome, self.plies) {
            ("loss", Some(0)) => "loss, mated".to_owned(),
            ("win", Some(plies)) => format!("win, mates in {} ({plies} plies)", plies.div_ceil(2)),
            ("loss", Some(plies)) => format!("loss, mated in {} ({plies} plies)", plies / 2),
            (outcome, _) => outcome.to_owned(),
        }
    }
}

fn reversed(wdl: Wdl) -> Wdl {
    match wdl {
        Wdl::Loss => Wdl::Win,
        Wdl::BlessedLoss => Wdl::CursedWin,
        Wdl::Draw => Wdl::Draw,
        Wdl::CursedWin => Wdl::BlessedLoss,
        Wdl::Win => Wdl::Loss,
    }
}
