//! `monteverde tablebase probe`.

use super::failure;
use monteverde_chess::{Board, Move, fen, san, uci};
use monteverde_game::Proof;
use monteverde_players::command::Figures;
use monteverde_players::{CommandFailure, Console};
use monteverde_tablebase::{Syzygy, Tables, Wdl};
use serde_json::{Value, json};
use std::io::{self, BufRead, BufWriter, Write};
use std::path::PathBuf;

/// Says what is certain about a position, and what its moves lead to
///
/// Outcomes are for the side to move: win, draw, loss, or unknown where no table has the position,
/// which is so with castling rights. Distances are plies to mate; the fifty-move rule is ignored.
/// With --lines many positions are read from standard input, and each gets one line of answer: its
/// outcome and, if there is a distance, a tab and the plies.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  monteverde tablebase probe '8/8/8/1k6/8/8/K5P1/8 w - - 0 1'
  monteverde tablebase probe --dir tables '8/8/6R1/2K5/n7/8/8/3k4 w - - 0 1' --json
  monteverde tablebase probe --dir tables --lines < positions.txt")]
pub(super) struct Args {
    /// The folder of the tables; by default the built-in ones of three pieces
    #[arg(long, value_name = "D")]
    dir: Option<PathBuf>,
    /// A folder of Syzygy files, asked for win, draw or loss where the tables do not know
    #[arg(long, value_name = "D")]
    syzygy: Option<PathBuf>,
    /// The position
    #[arg(value_name = "FEN", required_unless_present = "lines")]
    fen: Option<String>,
    /// Reads positions from standard input, one a line
    #[arg(long, conflicts_with = "fen")]
    lines: bool,
    /// Prints one JSON document
    #[arg(long, conflicts_with = "lines")]
    json: bool,
}

/// Asks and prints.
pub(super) fn run(args: &Args, console: &mut dyn Console) -> Result<(), CommandFailure> {
    let parse =
        |text: &str| fen::parse(text).map_err(|error| CommandFailure::bad_input("FEN", error));
    let board = args.fen.as_deref().map(parse).transpose()?;
    let tables = match &args.dir {
        Some(dir) => Tables::open(dir).map_err(|error| failure("--dir", error))?,
        None => Tables::three_pieces(Tables::cache_dir().as_deref()),
    };
    let syzygy = args.syzygy.as_deref().map(Syzygy::open).transpose();
    let sources = Sources { tables, syzygy: syzygy.map_err(|error| failure("--syzygy", error))? };
    let form = if args.json { Form::Json } else { Form::Table };
    match board {
        Some(board) => sources.answer(&board, form, console),
        None => sources.answer_lines(io::stdin().lock(), console.out()),
    }
}

/// How an answer is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Json,
    Table,
}

struct Sources {
    tables: Tables,
    syzygy: Option<Syzygy>,
}

/// What is known, for one side.
#[derive(Clone, Copy)]
struct TableAnswer {
    outcome: &'static str,
    plies: Option<u16>,
    /// Larger is better for that side.
    rank: i32,
}

impl Sources {
    /// Answers for a position and its moves.
    fn answer(
        &self,
        board: &Board,
        form: Form,
        console: &mut dyn Console,
    ) -> Result<(), CommandFailure> {
        let answer = self.ask(board)?;
        let moves = self.ask_moves(board)?;
        if form == Form::Json {
            let moves = moves.iter().map(|(mv, answer)| {
                let mut document = json!({ "move": uci::write(board, *mv) });
                answer.add_to(&mut document);
                document
            });
            let mut document = json!({ "state": fen::write(board) });
            answer.add_to(&mut document);
            document["moves"] = moves.collect();
            return Ok(writeln!(console.out(), "{document:#}")?);
        }
        writeln!(console.out(), "{} to move: {}", board.turn(), answer.sentence())?;
        if moves.is_empty() {
            return Ok(());
        }
        let mut table = Figures::new(&["move", "outcome", "plies"], [2]);
        for (mv, answer) in &moves {
            let plies = answer.plies.map_or(String::new(), |plies| plies.to_string());
            table.add_row([san::write(board, *mv), answer.outcome.to_owned(), plies]);
        }
        let table = console.table(&table);
        Ok(writeln!(console.out(), "{table}")?)
    }

    /// Answers for many positions.
    fn answer_lines(&self, input: impl BufRead, out: &mut dyn Write) -> Result<(), CommandFailure> {
        let mut out = BufWriter::new(out);
        for (number, line) in (1..).zip(input.lines()) {
            let line = line.map_err(|error| format!("standard input cannot be read: {error}"))?;
            let parsed = fen::parse(line.trim());
            let board = parsed
                .map_err(|error| CommandFailure::bad_input(&format!("line {number}"), error))?;
            let answer = self.ask(&board)?;
            match answer.plies {
                Some(plies) => writeln!(out, "{}\t{plies}", answer.outcome)?,
                None => writeln!(out, "{}", answer.outcome)?,
            }
        }
        Ok(out.flush()?)
    }

    fn ask(&self, board: &Board) -> Result<TableAnswer, CommandFailure> {
        let proof = self.tables.try_probe(board)?;
        let wdl = || self.syzygy.as_ref().and_then(|syzygy| syzygy.wdl(board));
        Ok(TableAnswer::new(proof, if proof == Proof::Open { wdl() } else { None }))
    }

    /// Every legal move with what it leads to for the side that plays it, the best first.
    fn ask_moves(&self, board: &Board) -> Result<Vec<(Move, TableAnswer)>, CommandFailure> {
        let mut moves = Vec::new();
        board.legal_moves(&mut moves);
        let mut answers = Vec::new();
        for mv in moves {
            let mut next = *board;
            next.play(mv);
            let proof = self.tables.try_probe(&next)?;
            let wdl = || self.syzygy.as_ref().and_then(|syzygy| syzygy.wdl(&next));
            let wdl = if proof == Proof::Open { wdl().map(Wdl::reversed) } else { None };
            answers.push((mv, TableAnswer::new(proof.before(), wdl)));
        }
        answers.sort_by_key(|(_, answer)| -answer.rank);
        Ok(answers)
    }
}

impl TableAnswer {
    fn new(proof: Proof, wdl: Option<Wdl>) -> TableAnswer {
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
        TableAnswer { outcome, plies, rank }
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
