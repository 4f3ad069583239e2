//! `monteverde solve`.

use super::shard::{Keeping, OutArg, ShardArgs, ShardText};
use super::sweep::terminal_table;
use super::work::WorkView;
use crate::failure::bad_input;
use crate::input::{GameArg, read_player};
use crate::nats::CrewArgs;
use monteverde_lab::build::build;
use monteverde_lab::suite::{Answer, Mark, Solver, Spend, Suite, SuiteError, SuiteResult};
use monteverde_players::arguments::{PlayerArg, parse_count, parse_seed, parse_threads};
use monteverde_players::{Aim, Games, Overrides, Puzzle};
use serde_json::{Value, json};
use std::io::Write;
use std::path::PathBuf;

/// Searches every position of a file until it is proven, or the move is found
///
/// A line of EPD asks for a mate (bm #3, dm 3; negative if the side to move is mated), for a move
/// (bm Nf3), for any move but some (am Nf3), or otherwise for any proof. A mate is solved when it
/// is proven; the output also says whether the proven length is the stated one. Files of other
/// games have one state on each line or, if their name ends in .jsonl, one object: {"id": 7,
/// "state": "...", "win_in_plies": 9}. There an exact search checks each win that a player claims,
/// and the win counts only if it is confirmed. Without --player the game's first player searches.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  monteverde solve --suite mates.epd --player mcc-solver --nodes 100k --limit 200 --sample 1
  monteverde solve --suite wac.epd --nodes 10k --json
  monteverde solve --game loa --suite wins.jsonl --player uct:solver=wins --nodes 50k
  monteverde solve --suite wac.epd --nodes 10M --shard 2/4 --out part2.mvs")]
pub(crate) struct Args {
    #[command(flatten)]
    game: GameArg,
    #[command(flatten)]
    player: PlayerArg,
    /// The file of positions
    #[arg(long, value_name = "FILE")]
    suite: PathBuf,
    /// The most nodes that a position gets: iterations, and moves of new leaves that are looked at
    /// for a win
    #[arg(long, value_name = "N", default_value = "100k", value_parser = parse_count, allow_negative_numbers = true)]
    nodes: u64,
    /// Only this many positions of the file, the first ones
    #[arg(long, value_name = "K", value_parser = parse_count, allow_negative_numbers = true)]
    limit: Option<u64>,
    /// Draws the positions of --limit with this seed, instead of taking the first ones
    #[arg(long, value_name = "X", requires = "limit", value_parser = parse_seed, allow_negative_numbers = true)]
    sample: Option<u64>,
    /// Where the random numbers of the searches start, overriding the player's spec
    #[arg(long, value_name = "X", value_parser = parse_seed, allow_negative_numbers = true)]
    seed: Option<u64>,
    /// How many positions at once; by default one for each core
    #[arg(long, value_name = "K", value_parser = parse_threads, allow_negative_numbers = true)]
    concurrency: Option<usize>,
    /// The file that keeps every answer, so that a run that was stopped goes on; none if it is
    /// left out
    #[arg(long, value_name = "FILE")]
    store: Option<PathBuf>,
    #[command(flatten)]
    shard: ShardArgs,
    #[command(flatten)]
    out: OutArg,
    /// Prints one JSON document
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    crew: CrewArgs,
}

/// Solves and prints.
pub(crate) fn run(games: &Games, args: &Args, out: &mut dyn Write) -> anyhow::Result<()> {
    let overrides = Overrides { seed: args.seed, ..Overrides::default() };
    let game = args.game.find(games)?;
    let player = read_player(&args.player, game, &overrides, out)?.to_string();
    let suite = Suite::read(game, &args.suite).map_err(failure)?;
    let limit = args.limit.map_or(usize::MAX, |limit| limit as usize);
    let suite = suite.sample(limit, args.sample);
    let concurrency = args.concurrency.unwrap_or_else(super::cores);
    let (file, store) = (args.out.out.as_deref(), args.store.as_deref());
    let mut keeping = args.shard.keeping(file, store, (Some(&args.crew), concurrency))?;
    let mut view = WorkView::new("positions", "suites");
    let solver = Solver { player, most: Spend::Nodes(args.nodes), build: build().to_owned() };
    let Keeping { store, workforce } = &mut keeping;
    let answers =
        solver.solve(&suite, store, &workforce.hands, &mut |progress| view.show(progress));
    view.finish();
    if let Err(SuiteError::Shard(_)) = answers {
        return ShardText::of(&keeping)?.write(args.json, out);
    }
    let answers = answers.map_err(failure)?;
    keeping.workforce.finish();
    let result = SuiteResult::new(&suite, &answers);
    if args.json {
        let document = document(args, &solver, (&suite, &answers), &result);
        return Ok(writeln!(out, "{document:#}")?);
    }
    let caption = format!("{} by {}", args.suite.display(), solver.player);
    writeln!(out, "{caption}, at most {} nodes each", args.nodes)?;
    writeln!(out, "{}", terminal_table(&result.table(&caption)))?;
    for (question, answer) in suite.questions.iter().zip(&answers) {
        if Mark::of(question, answer) == Mark::Wrong {
            writeln!(out, "contradicted: {}", contradiction(question, answer))?;
        }
    }
    Ok(())
}

fn contradiction(question: &Puzzle, answer: &Answer) -> String {
    let stated = match question.aim {
        Aim::Mate(moves) => format!(", stated #{moves}"),
        Aim::Win(plies) => format!(" by {}, stated a win in {plies} plies", answer.best),
        Aim::Best(_) | Aim::Avoid(_) | Aim::Proof => String::new(),
    };
    let plies = answer.plies.map_or(String::new(), |plies| format!(" in {plies} plies"));
    let (id, state, proof) = (&question.id, &question.state, &answer.proof);
    format!("{id} {state}: the player claims {proof}{plies}{stated}, which contradicts it")
}

fn stated(aim: &Aim) -> Option<i32> {
    match aim {
        Aim::Mate(moves) => Some(*moves),
        Aim::Win(_) | Aim::Best(_) | Aim::Avoid(_) | Aim::Proof => None,
    }
}

fn stated_plies(aim: &Aim) -> Option<u16> {
    if let Aim::Win(plies) = aim { Some(*plies) } else { None }
}

fn document(
    args: &Args,
    solver: &Solver,
    (suite, answers): (&Suite, &[Answer]),
    result: &SuiteResult,
) -> Value {
    let item = |(question, answer): (&Puzzle, &Answer)| {
        json!({
            "id": question.id,
            "state": question.state,
            "stated": stated(&question.aim),
            "stated_plies": stated_plies(&question.aim),
            "proof": answer.proof,
            "plies": answer.plies,
            "best": answer.best,
            "answer": Mark::of(question, answer).name(),
            "check": answer.check,
            "iterations": answer.iterations,
            "nodes": answer.nodes,
            "seconds": answer.micros as f64 / 1e6,
        })
    };
    let items: Vec<Value> = suite.questions.iter().zip(answers).map(item).collect();
    json!({
        "game": suite.game.name(),
        "suite": args.suite.display().to_string(),
        "player": solver.player,
        "nodes": args.nodes,
        "positions": result.positions(),
        "solved": result.solved(),
        "contradicted": result.wrong,
        "lengths": result.rows,
        "items": items,
    })
}

/// A suite or a player that is wrong is bad input; a store that fails is a failure.
pub(super) fn failure(error: SuiteError) -> anyhow::Error {
    match error {
        SuiteError::Store(error) => super::store_failure(error),
        SuiteError::Crew(error) => error.into(),
        error => bad_input("--suite", error),
    }
}
