//! `monteverde bench`.
//!
//! The **signature** is a fingerprint of the search: the same on every machine, and another as soon as a
//! search behaves in another way. It is the FNV-1a hash, 64 bits, of the root moves of fixed searches with
//! a fixed seed on one thread: for each search, for each root move in the order of the report, the move as
//! text and the 32 bits of its visits, little end first. Each search is followed by a second one after its
//! best move, with what is left of the tree; one has too little memory for its tree; one has chance nodes.

use monteverde_chess::Chess;
use monteverde_game::fixtures::{DiceRace, TicTacToe};
use monteverde_game::{Game, Rng};
use monteverde_mcts::{Control, Limit, NoClock, Report, Signal};
use monteverde_players::arguments::rate;
use monteverde_players::{AnyGame, Games, Playable, Player, Spec};
use serde_json::json;
use std::io::Write;
use std::time::{Duration, Instant};

/// Prints the signature of the search and the speeds
///
/// The signature is the same on every machine; it changes when the search behaves in another way.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  monteverde bench
  monteverde bench --signature")]
pub(crate) struct Args {
    /// Prints the signature alone
    #[arg(long)]
    signature: bool,
    /// Prints one JSON document
    #[arg(long)]
    json: bool,
}

/// Iterations of each search of the signature.
const ITERATIONS: u64 = 2_000;

/// States of every phase: openings, sharp middlegames, castling by both rules, promotions, endings near a
/// mate, near a draw by material and near the fifty-move rule; some with Black to move.
const STATES: [&str; 10] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "rn1qkbnr/ppp2p1p/3p2p1/4p3/2B1P1b1/2N2N2/PPPP1PPP/R1BQK2R w KQkq - 0 5",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "8/6p1/k1P2p1p/7K/8/8/8/8 w - - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    "8/5k2/8/8/3R4/8/2r5/4K3 b - - 90 120",
    "8/8/8/3k4/8/8/8/4K2R w K - 0 1",
];

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
    let signature = format!("{:016x}", signature());
    if args.signature {
        return Ok(writeln!(out, "{signature}")?);
    }
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

/// The fingerprint of the search.
fn signature() -> u64 {
    let mut hash = Fnv::new();
    for text in STATES {
        add_searches::<Chess>(&mut hash, "mcc:no-fresh,memory=64MiB", text);
    }
    add_searches::<Chess>(&mut hash, "mcc:no-fresh,memory=64KiB", STATES[0]);
    add_searches::<TicTacToe>(&mut hash, "uct:memory=64MiB", "... ... ...");
    add_searches::<DiceRace>(&mut hash, "uct:memory=64MiB", "0 0 first");
    hash.0
}

/// Adds a search from the state and one after its best move.
fn add_searches<G: Playable>(hash: &mut Fnv, spec: &str, state: &str) {
    let state = G::parse_state(state).expect("the states of the signature are well-formed");
    let mut player = player(spec, state);
    for _ in 0..2 {
        let report = think(&mut *player);
        for entry in &report.moves {
            hash.add(player.state().move_text(entry.mv).as_bytes());
            hash.add(&entry.visits.to_le_bytes());
        }
        if let Some(best) = report.best {
            player.play(best);
        }
    }
}

fn player<G: Playable>(spec: &str, state: G) -> Box<dyn Player<G>> {
    Spec::parse::<G>(spec).expect("the specs of the signature are well-formed").player(state)
}

fn think<G: Game>(player: &mut dyn Player<G>) -> Report<G> {
    let control = Control {
        clock: &NoClock,
        signal: &Signal::default(),
        every: Duration::MAX,
        observe: &mut |_| {},
    };
    player.think(&Limit::iterations(ITERATIONS), control)
}

/// The FNV-1a hash, 64 bits.
struct Fnv(u64);

impl Fnv {
    fn new() -> Self {
        Fnv(0xcbf2_9ce4_8422_2325)
    }

    fn add(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
}

/// Quantities a second, on one thread, from the start of a game.
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
        monteverde_players::arguments::per_second(self.count, self.time)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_is_fnv_1a() {
        // The published value of "foobar".
        let mut hash = Fnv::new();
        hash.add(b"foobar");
        assert_eq!(hash.0, 0x8594_4171_f739_67e8);
    }

    #[test]
    fn the_signature_repeats() {
        assert_eq!(signature(), signature());
    }
}
