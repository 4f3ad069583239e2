//! `monteverde selfplay`.

use super::{ScorerArgs, WorkArgs, failure, produce};
use crate::failure::bad_input;
use crate::input::GameArg;
use crate::lab::adjudication::AdjudicationArgs;
use monteverde_lab::adjudication::{Adjudication, DrawRule, ResignRule, ResignSides};
use monteverde_lab::build::build;
use monteverde_players::Games;
use monteverde_players::arguments::parse_count;
use monteverde_training::opening::Openings;
use monteverde_training::remote::OwnPieces;
use monteverde_training::selfplay::{OwnGames, SelfPlay, players_of};
use monteverde_training::{Amount, Header};
use std::io::Write;
use std::ops::RangeInclusive;
use std::sync::Arc;

/// Plays games of a player against itself and keeps every state with the player's score
///
/// The games train networks. Each begins with random moves. The file depends on the arguments
/// alone, not on the number of threads. The same command goes on with a run that was killed, or
/// adds more games to a finished one; it never takes any away. Games that are clearly won or drawn
/// by the player's own scores, or very long, end early: --draw 80,6,0.02, --resign 3,0.98 and
/// --max-plies 400 hold, each unless it is given otherwise. Without --player the game's alpha-beta
/// player plays, or its strongest if it has none. With --nats workers on other machines play, and
/// the file is the same.
#[derive(clap::Args)]
#[command(mut_arg("tables", |arg| arg.hide(true)), after_help = "\
Examples:
  monteverde selfplay --player ab --nodes 1000 --positions 1M --out chess.mvd
  monteverde selfplay --nodes 1000 --games 20k --starts shuffled=0.2,odd=0.1 --seed 7 --out more.mvd
  monteverde selfplay --game loa --player mia --nodes 1000 --games 10k --out loa.mvd
  monteverde selfplay --game banqi --player best --iterations 800 --drawn-plies 10 --time 20m \\
    --games 10k --out banqi.mvd
  monteverde selfplay --nodes 1000 --positions 10M --out chess.mvd --nats nats://lab.example:4222")]
pub(crate) struct Args {
    #[command(flatten)]
    game: GameArg,
    #[command(flatten)]
    scorer: ScorerArgs,
    /// How many games
    #[arg(long, value_name = "N", value_parser = parse_count, allow_negative_numbers = true,
        required_unless_present = "positions", conflicts_with = "positions")]
    games: Option<u64>,
    /// How many positions with a score, instead of --games; with --shard, in each part
    #[arg(long, value_name = "N", value_parser = parse_count, allow_negative_numbers = true)]
    positions: Option<u64>,
    #[command(flatten)]
    work: WorkArgs,
    /// How many random moves games begin with: a number, or a range of equally likely ones
    #[arg(long, value_name = "A-B", default_value = "4-10", value_parser = parse_plies)]
    random_plies: RangeInclusive<u32>,
    /// Which share of the games begins from other starts, if the game has them:
    /// shuffled=0.2,odd=0.1
    #[arg(long, value_name = "KIND=SHARE,...", default_value = "")]
    starts: String,
    /// After the random moves, draws this many moves of each game by their visits instead of
    /// playing the best
    #[arg(long, value_name = "N", default_value = "0")]
    drawn_plies: u32,
    #[command(flatten)]
    adjudication: AdjudicationArgs,
    /// Plays every game to its end by the rules
    #[arg(long)]
    to_the_end: bool,
}

/// When a game is clear: both sides see the same for some moves in a row. Each rule holds unless
/// that very rule is given.
const CLEAR: Adjudication = Adjudication {
    draw: Some(DrawRule { from: 80, moves: 6, within: 0.02 }),
    resign: Some(ResignRule { moves: 3, beyond: 0.98, sides: ResignSides::Both }),
    length: Some(400),
    tables: None,
};

/// Plays and prints.
pub(crate) fn run(games: &Games, args: &Args, out: &mut dyn Write) -> anyhow::Result<()> {
    let game = args.game.find(games)?;
    let spec = args.scorer.read(game, out)?;
    let given = args.adjudication.read()?;
    if given.tables.is_some() {
        return Err(bad_input("--tables", "self-play asks no tables; leave it out"));
    }
    if args.to_the_end && given != Adjudication::default() {
        let accepted = "it excludes --draw, --resign and --max-plies; give one or the other";
        return Err(bad_input("--to-the-end", accepted));
    }
    let adjudication = match args.to_the_end {
        true => Adjudication::default(),
        false => Adjudication {
            draw: given.draw.or(CLEAR.draw),
            resign: given.resign.or(CLEAR.resign),
            length: given.length.or(CLEAR.length),
            tables: None,
        },
    };
    let plies = args.random_plies.clone();
    let starts = Openings::read_starts(game, &args.starts).map_err(failure)?;
    let how = Arc::new(SelfPlay {
        game,
        limit: args.scorer.limit(),
        seed: args.scorer.seed,
        openings: Openings { plies: plies.clone(), starts },
        adjudication,
        drawn_plies: args.drawn_plies,
        keeps_shares: args.scorer.keeps_shares(&spec),
    });
    let mut arguments = args.scorer.arguments();
    let plies = format!("{}-{}", plies.start(), plies.end());
    arguments.insert("random_plies".to_owned(), plies.into());
    arguments.insert("starts".to_owned(), args.starts.clone().into());
    arguments.insert("drawn_plies".to_owned(), args.drawn_plies.into());
    arguments.insert("adjudication".to_owned(), adjudication.text().into());
    let header = Header {
        game: game.name().to_owned(),
        made_by: "selfplay".to_owned(),
        build: build().to_owned(),
        player: spec.to_string(),
        seed: args.scorer.seed,
        arguments,
    };
    let amount = match (args.games, args.positions) {
        (Some(count), _) => Amount::Games(u32::try_from(count).unwrap_or(u32::MAX)),
        (None, count) => Amount::States(count.unwrap_or(0)),
    };
    let player = players_of(&spec);
    let make = OwnGames { how: &how, player: &player };
    let pieces = OwnPieces { how: how.clone(), player: spec.to_string().into() };
    produce((&make, &pieces), amount, &args.work, header, out)
}

/// More random moves than any game needs.
const MOST_RANDOM: u32 = 1000;

fn parse_plies(text: &str) -> Result<RangeInclusive<u32>, String> {
    let (least, most) = text.split_once('-').unwrap_or((text, text));
    let number = |text: &str| text.trim().parse().ok().filter(|&plies| plies <= MOST_RANDOM);
    match (number(least), number(most)) {
        (Some(least), Some(most)) if least <= most => Ok(least..=most),
        _ => Err(format!(
            "'{}' is neither; a number up to {MOST_RANDOM} or a range such as 4-10 is accepted",
            text.escape_debug()
        )),
    }
}
