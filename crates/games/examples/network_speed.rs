//! How fast players search with a network of random weights, and without: `network_speed GAME
//! [WIDTH] [MIDDLE] [SPEC]`, 256, 0 and `best` if they are left out. `NETWORK` in the spec
//! stands for the file.

#![allow(clippy::print_stdout)] // Its whole purpose.

use monteverde_game::limit::{Limit, NoClock, Signal};
use monteverde_game::report::Control;
use monteverde_game::{Game, Rng};
use monteverde_games::games;
use monteverde_network::{Isa, Network, Scratch, Shape};
use monteverde_players::{AnyState, Spec};
use std::env;
use std::error::Error;
use std::time::{Duration, Instant};

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = env::args().skip(1).collect();
    let game = games().game(args.first().map_or("chess", String::as_str))?;
    let width = args.get(1).map_or(Ok(256), |text| text.parse())?;
    let features = game.features().ok_or("the game has no networks")?;
    // The middle of the value, if it is to have three layers.
    let middle = args.get(2).map(|text| text.parse()).transpose()?.filter(|&middle| middle > 0);
    let shapes = [Some(Shape { width, middle }), Some(Shape { width, middle: None })];
    let network = Network::random_of(game.name(), features.description(), shapes, 1)?;
    let states = states(game.start());
    let (mut inputs, mut outputs) = (Vec::new(), Vec::new());
    println!(
        "features: {:.0} ns, outputs: {:.0} ns a state",
        timed(&states, |state| {
            inputs.clear();
            features.write(state, &mut inputs);
        }),
        timed(&states, |state| {
            outputs.clear();
            features.write_moves(state, &mut outputs);
        })
    );
    for isa in Isa::available() {
        let network = network.clone().on(isa);
        let seen: Vec<_> = states
            .iter()
            .map(|state| {
                let (mut inputs, mut outputs) = (Vec::new(), Vec::new());
                features.write(state, &mut inputs);
                features.write_moves(state, &mut outputs);
                (inputs, outputs)
            })
            .collect();
        let (mut sum, mut scratch) = (0.0, Scratch::default());
        let value = timed(&seen, |(inputs, _)| {
            sum += network.outlook(inputs, &mut scratch).map_or(0.0, |outlook| outlook.win);
        });
        let mut priors = Vec::new();
        let policy = timed(&seen, |(inputs, outputs)| {
            priors.clear();
            network.log_priors(inputs, outputs, &mut scratch, &mut priors);
        });
        println!("{}: value {value:.0} ns, policy {policy:.0} ns a state ({sum})", isa.name());
    }
    let file = env::temp_dir().join(format!("network-speed-{}.net", std::process::id()));
    std::fs::write(&file, network.write())?;
    let path = file.display().to_string();
    let specs = match args.get(3) {
        Some(spec) => vec![spec.replace("NETWORK", &path)],
        None => vec!["best".to_owned(), format!("best:network={path}")],
    };
    for text in specs {
        let spec = Spec::read(game, &text)?;
        for state in [&states[0], &states[states.len() / 2]] {
            let mut player = spec.make(state);
            let limit = Limit::iterations(ITERATIONS);
            let signal = Signal::default();
            let control = Control {
                clock: &NoClock,
                signal: &signal,
                every: Duration::MAX,
                observe: &mut |_| {},
            };
            let (start, started) = (Instant::now(), processor_time());
            let report = player.think(&limit, control);
            let rate = |seconds: f64| report.figures.iterations as f64 / seconds;
            let by_processor = processor_time().zip(started).map_or(0.0, |(now, then)| now - then);
            println!(
                "{text}: {:.0} iterations a second, {:.0} of processor time",
                rate(start.elapsed().as_secs_f64()),
                rate(by_processor),
            );
        }
    }
    std::fs::remove_file(file)?;
    Ok(())
}

const ITERATIONS: u64 = 400_000;

/// Seconds that the main thread has run, where the system tells: on a busy machine the clock says
/// little.
fn processor_time() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/self/schedstat").ok()?;
    Some(text.split(' ').next()?.parse::<f64>().ok()? / 1e9)
}

/// The states of a random game that are not pending.
fn states(mut state: AnyState) -> Vec<AnyState> {
    let mut rng = Rng::new(1);
    let mut states = Vec::new();
    while states.len() < 60 {
        if state.is_pending() {
            let event = state.sample_event(&mut rng);
            state.settle(event);
            continue;
        }
        let Ok(mv) = state.sample(&mut rng) else { break };
        states.push(state.clone());
        state.play(mv);
    }
    states
}

/// Nanoseconds a state.
fn timed<T>(states: &[T], mut work: impl FnMut(&T)) -> f64 {
    const ROUNDS: usize = 300;
    let mut best = Duration::MAX;
    for _ in 0..5 {
        let start = Instant::now();
        for _ in 0..ROUNDS {
            states.iter().for_each(&mut work);
        }
        best = best.min(start.elapsed());
    }
    best.as_secs_f64() * 1e9 / (ROUNDS * states.len()) as f64
}
