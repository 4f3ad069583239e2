//! `monteverde network`.

use crate::failure::bad_input;
use crate::input::GameArg;
use crate::progress::note;
use anyhow::Context;
use monteverde_game::{Game, Rng};
use monteverde_lab::build::build;
use monteverde_network::{Isa, MOST_WIDTH, Network, Scratch, Shape, WIDTH_STEP, contents, pack};
use monteverde_players::arguments::{grouped, parse_seed};
use monteverde_players::{AnyFeatures, AnyGame, Games};
use serde_json::Value;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Shows, checks and makes learned networks
///
/// A player takes a network by its setting, such as best:network=FILE.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  monteverde network info chess              the network that chess brings
  monteverde network info chess.net
  monteverde network check chess.net
  monteverde network random --game loa --seed 1 --out random.net
  monteverde network pack random.net --out packed.net")]
pub(crate) struct Args {
    #[command(subcommand)]
    task: NetworkTask,
}

#[derive(clap::Subcommand)]
enum NetworkTask {
    /// Prints the model card of a network
    Info {
        /// The file, or a game for the network that it brings
        file: PathBuf,
        /// Prints one JSON document
        #[arg(long)]
        json: bool,
    },
    /// Checks that a file is complete, fits its game, and gives the same on every instruction set
    Check {
        /// The file, or a game for the network that it brings
        file: PathBuf,
    },
    /// Makes a network of random weights, to try things out
    Random(RandomArgs),
    /// Writes a network in about half the bytes, as the program brings them
    ///
    /// A packed file is read wherever a plain one is, and has the same digest.
    Pack {
        /// The file
        file: PathBuf,
        /// The file to write
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
    },
}

#[derive(clap::Args)]
struct RandomArgs {
    #[command(flatten)]
    game: GameArg,
    /// Where the random numbers start
    #[arg(long, value_name = "N", default_value = "1", value_parser = parse_seed)]
    seed: u64,
    /// How wide the value is, a multiple of 64; 0 for none
    #[arg(long, value_name = "W", default_value = "256", value_parser = parse_width)]
    value: usize,
    /// How wide the policy is, a multiple of 64; 0 for none
    #[arg(long, value_name = "W", default_value = "256", value_parser = parse_width)]
    policy: usize,
    /// Neurons between a second and a third layer of the value, up to 64; 0 for two layers
    #[arg(long, value_name = "N", default_value = "0")]
    middle: usize,
    /// The file to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

/// Does what is asked.
pub(crate) fn run(games: &Games, args: &Args, out: &mut dyn Write) -> anyhow::Result<()> {
    match &args.task {
        NetworkTask::Info { file, json } => info(&open(games, file)?, *json, out),
        NetworkTask::Check { file } => check(games, file, out),
        NetworkTask::Random(args) => random(games, args),
        NetworkTask::Pack { file, out } => pack_file(file, out),
    }
}

fn parse_width(text: &str) -> Result<usize, String> {
    let is_width = |&width: &usize| width.is_multiple_of(WIDTH_STEP) && width <= MOST_WIDTH;
    text.parse()
        .ok()
        .filter(is_width)
        .ok_or_else(|| format!("0 or a multiple of {WIDTH_STEP} up to {MOST_WIDTH} is accepted"))
}

fn open(games: &Games, file: &Path) -> anyhow::Result<Network> {
    let own = file.to_str().and_then(|name| games.game(name).ok()).and_then(AnyGame::network);
    if let Some(own) = own.filter(|_| !file.exists()) {
        return Ok(Network::clone(own.network()));
    }
    Network::open(file).map_err(|error| bad_input(&file.display().to_string(), error))
}

fn info(network: &Network, json: bool, out: &mut dyn Write) -> anyhow::Result<()> {
    let mut card = serde_json::to_value(network.card()).context("the card")?;
    card["digest"] = network.digest().into();
    if json {
        return Ok(writeln!(out, "{card:#}")?);
    }
    let Value::Object(card) = card else { unreachable!("a card is an object") };
    for (key, value) in card {
        let text = match value {
            Value::String(text) => text,
            Value::Object(parts) => {
                let part = |(key, value): (&String, &Value)| match value {
                    Value::String(text) => format!("{key} {text}"),
                    value => format!("{key} {value}"),
                };
                parts.iter().map(part).collect::<Vec<_>>().join(", ")
            }
            value => value.to_string(),
        };
        writeln!(out, "{key}: {text}")?;
    }
    Ok(())
}

/// How many states of a random game are looked at.
const STATES: usize = 200;

fn check(games: &Games, file: &Path, out: &mut dyn Write) -> anyhow::Result<()> {
    let network = open(games, file)?;
    let place = file.display().to_string();
    let game = games.game(&network.card().game).map_err(|error| bad_input(&place, error))?;
    let features = features(game).map_err(|error| bad_input(&place, error))?;
    let description = features.description();
    network.check(game.name(), description).map_err(|error| bad_input(&place, error))?;
    let sets: Vec<Network> =
        Isa::available().into_iter().map(|isa| network.clone().on(isa)).collect();
    let (mut rng, mut state) = (Rng::new(1), game.start());
    for _ in 0..STATES {
        while state.is_pending() {
            let event = state.sample_event(&mut rng);
            state.settle(event);
        }
        let Ok(mv) = state.sample(&mut rng) else {
            state = game.start();
            continue;
        };
        let (mut inputs, mut outputs) = (Vec::new(), Vec::new());
        features.write(&state, &mut inputs);
        features.write_moves(&state, &mut outputs);
        let said = |network: &Network| {
            let (mut scratch, mut priors) = (Scratch::default(), Vec::new());
            network.log_priors(&inputs, &outputs, &mut scratch, &mut priors);
            (network.outlook(&inputs, &mut scratch), priors)
        };
        let expected = said(&sets[0]);
        if sets.iter().any(|network| said(network) != expected) {
            anyhow::bail!("{place}: instruction sets differ at {}", state.state_text());
        }
        state.play(mv);
    }
    let names: Vec<&str> = Isa::available().into_iter().map(Isa::name).collect();
    writeln!(
        out,
        "{place} is whole and fits {} ({description}); {} say the same.",
        game.name(),
        names.join(", ")
    )?;
    Ok(())
}

fn pack_file(file: &Path, out: &Path) -> anyhow::Result<()> {
    let packed = contents(file).and_then(|bytes| Ok((pack(&bytes)?, bytes.len())));
    let (packed, before) = packed.map_err(|error| bad_input(&file.display().to_string(), error))?;
    let place = out.display();
    std::fs::write(out, &packed).with_context(|| format!("{place} cannot be written"))?;
    let [before, after] = [before, packed.len()].map(|bytes| grouped(bytes as u64));
    note(&format!("{place}: {after} bytes, {before} before"));
    Ok(())
}

fn features(game: AnyGame) -> Result<AnyFeatures, String> {
    game.features().ok_or_else(|| format!("{} has no networks", game.name()))
}

fn random(games: &Games, args: &RandomArgs) -> anyhow::Result<()> {
    let game = args.game.find(games)?;
    let features = features(game).map_err(|error| bad_input("--game", error))?.description();
    if args.middle > 0 && args.value == 0 {
        let problem = "it is for the value, which --value 0 leaves out; give one or the other";
        return Err(bad_input("--middle", problem));
    }
    let shape = |width: usize, middle: usize| {
        (width > 0).then_some(Shape { width, middle: (middle > 0).then_some(middle) })
    };
    let shapes = [shape(args.value, args.middle), shape(args.policy, 0)];
    let network = Network::random_of(game.name(), features, shapes, args.seed)
        .map_err(|error| bad_input("--value, --middle and --policy", error))?
        .built_by(build());
    let bytes = network.write();
    std::fs::write(&args.out, &bytes)
        .with_context(|| format!("{} cannot be written", args.out.display()))?;
    let size = grouped(bytes.len() as u64);
    note(&format!("{}: {size} bytes, digest {}", args.out.display(), network.digest()));
    Ok(())
}
