//! The named players of chess.

use super::NETWORK;
use super::settings::{self, OwnChess};
use super::study::Rules;
use monteverde_chess::Chess;
use monteverde_game::{Greed, Measure, Ties};
use monteverde_knowledge::Leaf;
use monteverde_knowledge::chess::{ChessFeatures, ChessKnowledge, ChessTactics, Material};
use monteverde_mcts::playout::{Decisive, Heavy, Playouts, Strategy, Tables, Truncate};
use monteverde_mcts::solver::InTree;
use monteverde_mcts::{
    Bias, Config, Count, Deviation, EmptyRoot, Fpu, Solver, Threshold, TreeTies, Uct, Untried, Walk,
};
use monteverde_minimax as minimax;
use monteverde_network::LearnedEval;
use monteverde_players::alphabeta::{AlphaBeta, AlphaBetaPlayer, AlphaBetaPlayers, Eval};
use monteverde_players::own::OwnSettings;
use monteverde_players::settings::playouts::{EVAL_EPSILON, SEE_EPSILON};
use monteverde_players::settings::{AfterProof, Reuse, Settings, USUAL_DEVIATION};
use monteverde_players::{NetworkFile, Preset};

/// Those that search by Monte-Carlo tree search; the first is the default.
pub(super) const PLAYERS: &[Preset] = &[
    MCC,
    MCC_HP_EVAL,
    MCC_HP_SEE,
    MCC_DECISIVE,
    MCC_BIAS,
    MCC_REDRAW,
    MCC_GTB,
    MCC_COMBINED,
    BEST,
    MCC_SOLVER,
    KRK,
];

/// Those that search by alpha-beta.
pub(super) const ALPHA_BETA: AlphaBetaPlayers<Chess> = AlphaBetaPlayers {
    presets: &[AB, GREEDY],
    settings: settings::ALPHA_BETA,
    player: |settings, state| match (&settings.network, settings.eval) {
        (Some(file), _) => {
            let network = file.network().clone();
            let eval = LearnedEval { features: ChessFeatures, network, unit: CENTIPAWNS };
            Box::new(AlphaBetaPlayer::new(settings, state, ChessTactics(eval)))
        }
        (None, Eval::Tuned) => {
            Box::new(AlphaBetaPlayer::new(settings, state, ChessTactics(ChessKnowledge::default())))
        }
        (None, Eval::Material) => {
            Box::new(AlphaBetaPlayer::new(settings, state, ChessTactics(Material)))
        }
    },
};

/// So many centipawns more make the odds `e` to 1: between the middlegame and the ending of the
/// curve that was fitted to our evaluation.
const CENTIPAWNS: f32 = 240.0;

/// The base player of *Monte Carlo Chess* (2012), section 4.1 and algorithms 7.1 to 7.5.
const MCC: Preset = Preset {
    name: "mcc",
    about: "The base player of Monte Carlo Chess (2012): UCB1 with factor 2 and c=1, one new edge an \
            iteration in generation order, uniform playouts to the end of the game, the most visited \
            move, a fixed fraction of the remaining clock time, an empty tree at every move (no-fresh \
            keeps what is known).",
    settings: mcc,
};

/// Heavy playouts by evaluation (*Monte Carlo Chess*, section 4.2.1).
const MCC_HP_EVAL: Preset = Preset {
    name: "mcc-hp-eval",
    about: "mcc with heavy playouts: the move whose state has the best evaluation, or a random one with \
            probability epsilon=0.6, the best of the thesis's Table 1. The evaluation is our own.",
    settings: || mcc_with(|config| config.playout.strategy = heavy(Measure::Eval, EVAL_EPSILON)),
};

/// Heavy playouts by exchange evaluation (*Monte Carlo Chess*, section 4.2.1).
const MCC_HP_SEE: Preset = Preset {
    name: "mcc-hp-see",
    about: "mcc with heavy playouts: the move with the best static exchange evaluation, or a random one with \
            probability epsilon=0.4, which the thesis takes from its Table 3.",
    settings: || mcc_with(|config| config.playout.strategy = heavy(Measure::Gain, SEE_EPSILON)),
};

/// Decisive moves (*Monte Carlo Chess*, section 4.2.1).
const MCC_DECISIVE: Preset = Preset {
    name: "mcc-decisive",
    about: "mcc whose playouts mate where they can, and play a random move where they cannot.",
    settings: || mcc_with(|config| config.playout.decisive = Decisive::Wins),
};

/// The thesis's Monte-Carlo Solver (*Monte Carlo Chess*, section 4.2.2, algorithm 4.1).
const MCC_SOLVER: Preset = Preset {
    name: "mcc-solver",
    about: "mcc with the thesis's Monte-Carlo Solver: wins and losses are proven in the tree with their \
            distance, a proven root ends the search, the soonest proven win is played, a proven loss only \
            where there is nothing else, and then the latest.",
    settings: || mcc_with(|config| config.solver = Some(Solver::THESIS)),
};

/// Repeated draws (*Monte Carlo Chess*, section 5.1.1).
const MCC_REDRAW: Preset = Preset {
    name: "mcc-redraw",
    about: "mcc that discards drawn playouts: only if six in a row are drawn does a draw count.",
    settings: || mcc_with(|config| config.playout.redraw = Some(REDRAW)),
};

/// Progressive bias (*Monte Carlo Chess*, sections 2.2.3 and 5.3).
const MCC_BIAS: Preset = Preset {
    name: "mcc-bias",
    about: "mcc with progressive bias: 0.001 of the evaluation of a move in centipawns, divided by its \
            visits, is added to its bound. The evaluation is our own.",
    settings: || mcc_with(|config| config.bias = Some(BIAS)),
};

/// "k_bias = 0.001" (*Monte Carlo Chess*, section 5.3), for an evaluation in centipawns.
const BIAS: Bias = Bias { weight: 0.001, count: Count::Visits };

/// "Only if after six simulations no win for either side was found" (*Monte Carlo Chess*, section
/// 5.1.1).
const REDRAW: u32 = 6;

/// Endgame tables in playouts (*Monte Carlo Chess*, sections 4.2.1 and 5.2.2).
const MCC_GTB: Preset = Preset {
    name: "mcc-gtb",
    about: "mcc whose playouts end where the endgame tables of up to pieces=4 know the result; they are \
            ignored while the root has fewer than eight pieces.",
    settings: || {
        let mut settings = mcc_with(|config| config.playout.tables = Tables::Probe);
        (settings.pieces, settings.tables_root) = (GTB_PIECES, GTB_ROOT);
        settings
    },
};

/// The better of the two variants of *Monte Carlo Chess*, Table 5.
const GTB_PIECES: u32 = 4;

/// "Both variants completely ignore the tablebase if the position corresponding to the root node
/// has less than eight pieces" (*Monte Carlo Chess*, section 5.2.2).
const GTB_ROOT: u32 = 8;

/// Everything at once (*Monte Carlo Chess*, section 5.3).
const MCC_COMBINED: Preset = Preset {
    name: "mcc-combined",
    about: "The thesis's combination: mcc with playouts by exchanges (epsilon=0.4), decisive moves, \
            progressive bias of 0.001, the solver, and the endgame tables of four pieces in playouts and \
            tree, whatever the root has.",
    settings: || {
        let mut settings = mcc_with(|config| {
            config.playout.strategy = heavy(Measure::Gain, SEE_EPSILON);
            config.playout.decisive = Decisive::Wins;
            config.playout.tables = Tables::Probe;
            config.bias = Some(BIAS);
            config.solver = Some(Solver { oracle: InTree::Asked, ..Solver::THESIS });
        });
        settings.pieces = GTB_PIECES;
        settings
    },
};

/// Our strongest player, found step by step in matches; see `experiments/best-chess-*`.
const BEST: Preset = Preset {
    name: "best",
    about: "Our strongest: no playouts but what a learned network expects, exploration by what it says of each \
            move, the solver with draws and leaf check, endgame tables of four pieces in the tree, and a tree that \
            is kept from move to move. With network=none our evaluation after captures takes its place, and for \
            moves what the evaluation and exchanges say of them.",
    settings: || {
        let config = Config {
            uct: Uct::Puct { c: BEST_C, temperature: BEST_TEMPERATURE },
            c_deviation: Some(Deviation { weight: BEST_DEVIATION, usual: USUAL_DEVIATION }),
            fpu: Some(Fpu::Reduced(BEST_URGENCY)),
            solver: Some(Solver { oracle: InTree::Asked, ..Solver::FULL }),
            soft_stop: Some(BEST_SOFT_STOP),
            playout: Playouts { truncate: Some(Truncate { plies: 0 }), ..Playouts::default() },
            ..Config::default()
        };
        let knowledge = ChessKnowledge { leaf: Leaf::Quiet };
        let own = OwnSettings::new(OwnChess { knowledge, ..OwnChess::default() });
        let after_proof = AfterProof::Shorten;
        let network = Some(NetworkFile::from(&NETWORK));
        Settings {
            config,
            fraction: BEST_FRACTION,
            network,
            after_proof,
            pieces: GTB_PIECES,
            own,
            ..Settings::default()
        }
    },
};

/// The exploration constant of `best`.
const BEST_C: f64 = 1.0;
/// The temperature of `best`: what the network says of moves is a little too sure of itself
/// (`experiments/best-chess-100ms-temperature*`).
const BEST_TEMPERATURE: f64 = 1.4;
/// How much of the exploration of `best` goes by how much the rewards of a state differ
/// (`experiments/best-chess-100ms-deviation`).
const BEST_DEVIATION: f64 = 0.5;
/// How much worse than its node an untried move of `best` is taken to be.
const BEST_URGENCY: f64 = 0.05;
/// On a clock a search of `best` ends when no other move can catch up. What that saves is spent by
/// a larger part of the clock for each move (`experiments/best-chess-soft-stop*`).
const BEST_SOFT_STOP: f64 = 1.0;
const BEST_FRACTION: u32 = 18;

/// The program of the king-and-rook study, sections 3.2 and 3.3, as it was published.
const KRK: Preset = Preset {
    name: "krk",
    about: "The published program of the king-and-rook study, rule by rule: m/n + c sqrt(ln N / n) with m the \
            mates in n visits, c=5 and threshold=30, its best at 3,000 iterations; moves below the threshold and \
            in playouts by its rules of thumb for mating a lone king; lines end by its own rules; the tree is \
            kept between moves. Without a lone king it searches chess.",
    settings: krk,
};

/// The best constants of the king-and-rook study at 3,000 iterations a move, Figures 4.7 and 4.8.
const KRK_C: f64 = 5.0;
const KRK_THRESHOLD: u32 = 30;

/// A game of the study makes a tree of less; ours.
const KRK_MEMORY: usize = 128 << 20;

fn krk() -> Settings {
    let mut settings = Settings::default();
    let config = &mut settings.config;
    config.uct = Uct::Ratio { c: KRK_C };
    config.threshold = Some(Threshold { visits: KRK_THRESHOLD, untried: Untried::Ignored });
    config.walk = Walk::Restarts;
    config.empty_root = EmptyRoot::Visited;
    config.ties = TreeTies::Random;
    config.playout.strategy = Strategy::Filtered;
    config.memory = KRK_MEMORY;
    settings.own = OwnSettings::new(OwnChess { rules: Rules::Study, ..OwnChess::default() });
    settings
}

fn mcc() -> Settings {
    Settings { reuse: Reuse::Forget, ..Settings::default() }
}

/// The base player with a change to its search.
fn mcc_with(change: impl FnOnce(&mut Config)) -> Settings {
    let mut settings = mcc();
    change(&mut settings.config);
    settings
}

/// Of equally good moves the first: with epsilon 0 the thesis's playouts are deterministic.
fn heavy(measure: Measure, epsilon: f64) -> Strategy {
    Strategy::Greedy(Heavy { greed: Greed { measure, ties: Ties::First }, epsilon })
}

/// The strongest one that searches by alpha-beta.
const AB: Preset<AlphaBeta> = Preset {
    name: "ab",
    about: "Alpha-beta with the tuned evaluation: iterative deepening and every part that pays.",
    settings: AlphaBeta::default,
};

/// The plainest opponent.
const GREEDY: Preset<AlphaBeta> = Preset {
    name: "greedy",
    about: "Plays a move that leaves it the most material, one of equals at random, and mates where it can; \
            looks no further.",
    settings: || AlphaBeta {
        config: minimax::Config { depth: Some(1), ties: Ties::Random, ..minimax::Config::PLAIN },
        eval: Eval::Material,
        ..AlphaBeta::default()
    },
};
