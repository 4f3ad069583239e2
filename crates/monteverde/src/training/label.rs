//! `monteverde label`.

use super::{ScorerArgs, WorkArgs, failure, produce};
use crate::failure::bad_input;
use crate::input::GameArg;
use monteverde_lab::build::build;
use monteverde_players::{AnyGame, Games, text_file};
use monteverde_training::label::{Labels, Unlabelled};
use monteverde_training::remote::LabelPieces;
use monteverde_training::selfplay::players_of;
use monteverde_training::{Amount, DataFile, Header};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Lets a player score the states of games that others have played, or of a file of states
///
/// Games come from a file that 'monteverde selfplay' has made (--data) or in the game's own format,
/// such as PGN (--records); states come one on each line (--states). Every state of a game is
/// scored, with the moves before it known to the player. A state alone gets its best move and no
/// result. Without --player the game's alpha-beta player scores, or its strongest if it has none.
/// With --nats workers on other machines score, and the file is the same.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  monteverde label --data chess.mvd --player best --iterations 800 --out labelled.mvd
  monteverde label --records games.pgn --player ab --nodes 1000 --out masters.mvd
  monteverde label --game loa --states positions.txt --player mia --nodes 10k --out states.mvd")]
pub(crate) struct Args {
    #[command(flatten)]
    game: GameArg,
    /// A file of training games
    #[arg(long, value_name = "FILE", required_unless_present_any = ["records", "states"],
        conflicts_with_all = ["records", "states"])]
    data: Option<PathBuf>,
    /// A file of games in the game's own format
    #[arg(long, value_name = "FILE", conflicts_with = "states")]
    records: Option<PathBuf>,
    /// A file of states, one a line
    #[arg(long, value_name = "FILE")]
    states: Option<PathBuf>,
    #[command(flatten)]
    scorer: ScorerArgs,
    #[command(flatten)]
    work: WorkArgs,
}

impl Args {
    /// What is labelled: the option and its file.
    fn source(&self) -> (&'static str, &Path) {
        let sources =
            [("--data", &self.data), ("--records", &self.records), ("--states", &self.states)];
        let given = sources.into_iter().find_map(|(name, file)| Some((name, file.as_deref()?)));
        given.expect("one of the three is given")
    }
}

/// Scores and prints.
pub(crate) fn run(games: &Games, args: &Args, out: &mut dyn Write) -> anyhow::Result<()> {
    let game = args.game.find(games)?;
    let spec = args.scorer.read(game, out)?;
    let unlabelled = read(game, args)?;
    let count = u32::try_from(unlabelled.games.len()).unwrap_or(u32::MAX);
    if count == 0 {
        let place = unlabelled.path.display();
        return Err(bad_input(args.source().0, format!("{place} holds no games and no states")));
    }
    let mut arguments = args.scorer.arguments();
    arguments.extend(unlabelled.arguments());
    let header = Header {
        game: game.name().to_owned(),
        made_by: "label".to_owned(),
        build: build().to_owned(),
        player: spec.to_string(),
        seed: args.scorer.seed,
        arguments,
    };
    let player = players_of(&spec);
    let labels = Labels {
        of: &unlabelled,
        player: &player,
        limit: args.scorer.limit(),
        seed: args.scorer.seed,
        keeps_shares: args.scorer.keeps_shares(&spec),
    };
    let player = spec.to_string();
    let pieces = LabelPieces {
        of: &unlabelled,
        player: &player,
        limit: args.scorer.limit(),
        seed: args.scorer.seed,
        keeps_shares: args.scorer.keeps_shares(&spec),
    };
    produce((&labels, &pieces), Amount::Games(count), &args.work, header, out)
}

fn read(game: AnyGame, args: &Args) -> anyhow::Result<Unlabelled> {
    let (option, path) = args.source();
    if args.data.is_some() {
        let file = DataFile::read(path).map_err(|error| bad_input("--data", error))?;
        super::info::note_damage(&file);
        let of = &file.header().game;
        if of != game.name() {
            let problem = format!("{} holds games of {of}, not of {}", path.display(), game.name());
            return Err(bad_input("--data", format!("{problem}; --game {of} is accepted")));
        }
        return Ok(Unlabelled::of_data(game, &file));
    }
    let text = text_file::read(path, text_file::DATA)
        .map_err(|error| bad_input(option, format!("{}: {error}", path.display())))?;
    if args.records.is_some() {
        let records = game.read_records(&text);
        let records = records.map_err(|error| bad_input("--records", error))?;
        return Unlabelled::of_records(game, path.to_owned(), &records).map_err(failure);
    }
    let lines = text.lines().map(str::trim).enumerate().filter(|(_, line)| !line.is_empty());
    let state = |(number, line): (usize, &str)| {
        let wrong = |problem: String| {
            bad_input("--states", format!("{}, line {}: {problem}", path.display(), number + 1))
        };
        let puzzle = game.read_line(line).map_err(wrong)?;
        game.read_state(&puzzle.state).map_err(|error| wrong(error.to_string()))?;
        Ok(puzzle.state)
    };
    let states: anyhow::Result<Vec<String>> = lines.map(state).collect();
    Ok(Unlabelled::of_states(game, path.to_owned(), states?))
}
