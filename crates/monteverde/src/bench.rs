//! `monteverde bench`: the signature of every player and the speeds of this machine.

use monteverde_game::{Game, Rng};
use monteverde_mcts::{Control, Limit, NoClock, Report, Signal};
use monteverde_players::arguments::{per_second, rate};
use monteverde_players::{AnyGame, AnyState, Games, Player, Spec, signature};
use serde_json::json;
use std::io::Write;
use std::time::{Duration, Instant};

/// Prints the signature of the players and the speeds
///
/// The signature has a line for each named player and each technique: the game, the player's spec
/// and a hash of what its searches find. It is the same on every machine; a line changes when its
/// player searches in another way. Without
/// --signature one hash stands for all lines.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  monteverde bench
  monteverde bench --signature")]
pub(crate) struct Args {
    /// Prints the lines of the signature alone
    #[arg(long)]
    signature: bool,
    /// Prints one JSON document
    #[arg(long)]
    json: bool,
}

/// Iterations of each search whose speed is measured.
const ITERATIONS: u64 = 2_000;

/// The depth of the perft whose speed is measured, from the start.
const PERFT_DEPTH: u32 = 5;
/// Speeds are measured in turn, so many times, so that all see the same machine.
const ROUNDS: u32 = 4;
/// How long each speed is measured in a round, at least.
const ROUND: Duration = Duration::from_millis(300);
/// Playouts or iterations between two looks at the clock.
const BATCH: u64 = 100;

/// Measures and prints.
pub(crate) fn run(games: &Games, args: &Args, out: &mut dyn Write) -> anyhow::Result<()> {
    let lines: String =
        signature::all_lines(games).iter().map(|line| format!("{line}\n")).collect();
    if args.signature {
        return Ok(write!(out, "{lines}")?);
    }
    let signature = format!("{:016x}", signature::hash(&lines));
    let game = games.iter().next().expect("a program has games");
    let speeds = Speeds::measure(game);
    if args.json {
        let document = json!({
            "signature": signature,
            "perft_per_second": speeds.perft,
            "plies_per_second": speeds.plies,
            "playouts_per_second": speeds.playouts,
            "iterations_per_second": speeds.iterations,
            "iterations_to_playouts": speeds.iterations / speeds.playouts,
        });
        return Ok(writeln!(out, "{document:#}")?);
    }
    writeln!(out, "signature   {signature}")?;
    writeln!(out, "perft       {} nodes a second", rate(speeds.perft))?;
    writeln!(
        out,
        "playouts    {} plies a second, {} playouts a second",
        rate(speeds.plies),
        rate(speeds.playouts)
    )?;
    Ok(writeln!(
        out,
        "search      {} iterations a second ({}), {:.2} of the speed of its playouts alone",
        rate(speeds.iterations),
        game.default_player(),
        speeds.iterations / speeds.playouts
    )?)
}

fn think(player: &mut dyn Player<AnyState>) -> Report<AnyState> {
    let control = Control {
        clock: &NoClock,
        signal: &Signal::default(),
        every: Duration::MAX,
        observe: &mut |_| {},
    };
    player.think(&Limit::iterations(ITERATIONS), control)
}

/// Quantities a second, on one thread, from the start of the default game.
struct Speeds {
    perft: f64,
    plies: f64,
    playouts: f64,
    iterations: f64,
}

impl Speeds {
    fn measure(game: AnyGame) -> Self {
        let (mut perft, mut playouts, mut plies, mut iterations) =
            (Rate::default(), Rate::default(), Rate::default(), Rate::default());
        let mut rng = Rng::new(1);
        for _ in 0..ROUNDS {
            perft.measure(|| game.start().perft(PERFT_DEPTH));
            let mut played = 0;
            let before = playouts.time;
            playouts.measure(|| {
                for _ in 0..BATCH {
                    played += u64::from(game.start().playout(&mut rng).plies);
                }
                BATCH
            });
            plies.count += played;
            plies.time += playouts.time - before;
            let spec = Spec::read(game, game.default_player()).expect("the player is there");
            let mut player = spec.make(&game.start());
            iterations.measure(|| think(&mut *player).figures.iterations);
        }
        Speeds {
            perft: perft.per_second(),
            plies: plies.per_second(),
            playouts: playouts.per_second(),
            iterations: iterations.per_second(),
        }
    }
}

#[derive(Default)]
struct Rate {
    count: u64,
    time: Duration,
}

impl Rate {
    /// Repeats the work, which tells how much it did, for a round.
    fn measure(&mut self, mut work: impl FnMut() -> u64) {
        let start = Instant::now();
        while start.elapsed() < ROUND {
            self.count += std::hint::black_box(work());
        }
        self.time += start.elapsed();
    }

    fn per_second(&self) -> f64 {
        per_second(self.count, self.time)
    }
}
