//! The named players of Lines of Action.

use super::{NETWORK, settings};
use monteverde_game::Ties;
use monteverde_knowledge::Leaf;
use monteverde_knowledge::loa::{LoaFeatures, LoaKnowledge, LoaTactics, Pieces, UNIT, Unit};
use monteverde_loa::Loa;
use monteverde_mcts::playout::{
    self, Cutoff, Greedy, Mixed, Playouts, Strategy, Then, TreeMoves, Truncate,
};
use monteverde_mcts::{Bias, Choose, Config, Count, Fpu, Solver, Threshold, Uct, Untried};
use monteverde_minimax::config::{ASPIRATION, ETC_DEPTH, QUIESCENCE};
use monteverde_minimax::{self as minimax, History, MultiCut, Null, Realization};
use monteverde_network::LearnedEval;
use monteverde_players::alphabeta::{AlphaBeta, AlphaBetaPlayer, AlphaBetaPlayers, Eval};
use monteverde_players::own::OwnSettings;
use monteverde_players::{NetworkFile, Preset, Settings, presets};

/// Those that search by Monte-Carlo tree search; the first is the default.
pub(super) const PLAYERS: &[Preset] =
    &[MC_LOA_2008, MC_LOA_2008_NOSOLVER, MC_LOA, MC_LOA_AB, BEST_LOA, presets::UCT];

/// Those that search by alpha-beta.
pub(super) const ALPHA_BETA: AlphaBetaPlayers<Loa> = AlphaBetaPlayers {
    presets: &[MIA],
    settings: settings::ALPHA_BETA,
    player: |settings, state| match (&settings.network, settings.eval) {
        (Some(file), _) => {
            let network = file.network().clone();
            let eval = LearnedEval { features: LoaFeatures, network, unit: UNIT as f32 };
            Box::new(AlphaBetaPlayer::new(settings, state, LoaTactics(eval)))
        }
        (None, Eval::Tuned) => {
            let known = settings.own::<LoaKnowledge>();
            Box::new(AlphaBetaPlayer::new(settings, state, LoaTactics(known)))
        }
        (None, Eval::Material) => {
            Box::new(AlphaBetaPlayer::new(settings, state, LoaTactics(Pieces)))
        }
    },
};

/// The player of *Monte-Carlo Tree Search Solver* (2008).
const MC_LOA_2008: Preset = Preset {
    name: "mc-loa-2008",
    about: "The player of Monte-Carlo Tree Search Solver (2008): v + sqrt(c ln n / n_i) with c=0.2 (ours: the paper \
            prints none), progressive bias of 100 times the move's category by visits plus one, threshold=50; \
            playouts by category, won or lost beyond 1,000 points at every third ply, drawn after 200; the \
            solver with leaf check; the secure child by its lower bound, a=-1 (printed: +1).",
    settings: || in_points(mc_loa_2008()),
};

/// The same without its solver, the paper's other player.
const MC_LOA_2008_NOSOLVER: Preset = Preset {
    name: "mc-loa-2008-nosolver",
    about: "mc-loa-2008 without the solver. It plays the move of the highest value (section 3); the secure child \
            belongs to the solver (section 4.3).",
    settings: || {
        let config = Config { solver: None, choose: Choose::Mean, ..mc_loa_2008() };
        in_points(config)
    },
};

/// The base player of *αβ-based Play-outs in Monte-Carlo Tree Search* (2011), section III.
const MC_LOA: Preset = Preset {
    name: "mc-loa",
    about: "The base player of the alpha-beta playouts paper (2011): progressive bias of 10 times the move's category \
            by the root of losses plus one, threshold=5; playouts whose first move is corrective and the others the \
            best by evaluation of the 7 likeliest (ours: the paper prints no number), won or lost beyond 700 \
            points; the solver with leaf check; the most visited move (ours: the paper does not say).",
    settings: || in_points(mc_loa()),
};

/// The new player of that paper, section IV.
const MC_LOA_AB: Preset = Preset {
    name: "mc-loa-ab",
    about: "The player with alpha-beta playouts (2011): mc-loa whose playouts search two plies on each turn, 7 moves and \
            5 replies wide, with killers and a window of 600 points, which also end them; moves below the \
            threshold are corrective.",
    settings: || {
        let mut config = mc_loa();
        config.playout.strategy = Strategy::Mixed(Mixed {
            corrective: 0,
            tree: TreeMoves::Corrective,
            least_weight: LEAST_WEIGHT,
            spread: None,
            noise: Some(NOISE),
            then: Then::AlphaBeta(playout::AlphaBeta::default()),
        });
        config.playout.cutoff =
            Some(Cutoff { threshold: AB_CUTOFF, every: 1, ..Cutoff::default() });
        in_points(config)
    },
};

/// Our strongest player of Lines of Action.
const BEST_LOA: Preset = Preset {
    name: "best",
    about: "Our strongest: no playouts but what a learned network expects, exploration by what it says of each move, the \
            solver with draws and leaf check, and a tree that is kept from move to move. With network=none our \
            evaluation after captures that make or break connections takes its place, and for moves their category and \
            the evaluation after them (foresight=2).",
    settings: || {
        let config = Config {
            uct: Uct::Puct { c: BEST_C, temperature: BEST_TEMPERATURE },
            fpu: Some(Fpu::Reduced(BEST_URGENCY)),
            solver: Some(Solver::FULL),
            playout: Playouts { truncate: Some(Truncate { plies: 0 }), ..Playouts::default() },
            ..Config::default()
        };
        let known =
            LoaKnowledge { leaf: Leaf::Quiet, foresight: BEST_FORESIGHT, ..Default::default() };
        let network = Some(NetworkFile::from(&NETWORK));
        Settings { config, network, own: OwnSettings::new(known), ..Settings::default() }
    },
};

/// The alpha-beta program MIA, as far as the papers describe it (2011, section V-A).
const MIA: Preset<AlphaBeta> = Preset {
    name: "mia",
    about: "The alpha-beta program MIA as the papers describe it: realization probabilities by category, transposition \
            table with its cutoffs, adaptive null move, multi-cut, killers, captures towards the middle, relative history, \
            quiescence over captures that make or break connections, a little noise in the evaluation; \
            evaluator=2006, 2002 or 2000.",
    settings: || AlphaBeta {
        config: minimax::Config {
            deepening: true,
            table: Some(MIA_TABLE),
            pvs: true,
            aspiration: Some(ASPIRATION),
            gains: true,
            killers: true,
            history: Some(History::Relative),
            null: Some(Null::default()),
            realization: Some(Realization::default()),
            multicut: Some(MultiCut::default()),
            etc: Some(ETC_DEPTH),
            quiescence: Some(QUIESCENCE),
            noise: Some(NOISE),
            ..minimax::Config::PLAIN
        },
        ..AlphaBeta::default()
    },
};

/// "C is a coefficient, which has to be tuned experimentally": no paper prints it. Ours, for means
/// in -1..1: 0.2 scored 62.5% +- 7 against 0.6 in `mc-loa` at 2,500 iterations and 65% +- 10 in
/// `mc-loa-2008` at 1,000; from 0.05 to 0.35 there is no difference that 160 games show.
const C: f64 = 0.2;
/// T and W of *Monte-Carlo Tree Search Solver*, section 3.1.
const THRESHOLD_2008: Threshold = Threshold { visits: 50, untried: Untried::Selected };
const BIAS_2008: Bias = Bias { weight: 100.0, count: Count::VisitsPlusOne };
/// T and W of the alpha-beta playouts paper, section III-B.
const THRESHOLD: Threshold = Threshold { visits: 5, untried: Untried::Selected };
const BIAS: Bias = Bias { weight: 10.0, count: Count::RootLossesPlusOne };
/// "The simulated game is stopped after 200 moves and scored as a draw" (2008, section 3.1).
const MOST_PLIES: u32 = 200;
/// "A = 1" in `v + A / sqrt n` (2008, section 4.3). The printed sign makes the player choose moves
/// that it has hardly looked at; a secure child is one with a high lower bound. See
/// `docs/techniques/secure.md` for what both measure.
const SECURE: Choose = Choose::Secure { a: -1.0 };
/// "700 points" and "-600 and 600" (2011, sections III-B and IV).
const CUTOFF: f32 = 700.0;
const AB_CUTOFF: f32 = 600.0;
/// "Only the k-best moves according to their transition probabilities are fully evaluated": as many
/// as the later player searches.
const CONSIDERED: u32 = 7;
/// "A preset minimum value (close to zero)": that of the rarest category.
const LEAST_WEIGHT: f32 = monteverde_knowledge::loa::LEAST_PROBABILITY;
/// "A small random factor in the evaluation function" of all programs (2011, section V-B): how
/// small is not printed. A hundredth of what wins.
const NOISE: u32 = 7;
/// The papers do not say how large MIA's table was.
const MIA_TABLE: usize = 64 << 20;

/// The constants of `best`: 59.4% +- 7.5 against c=1 and temperature=1 at 10,000 iterations, 96
/// games; at 2,000 those are as good. Implicit minimax backups do not help it: `imb=0.15` 51.6% +-
/// 7.6, `imb=0.4` 36.5% +- 8.8.
const BEST_C: f64 = 1.5;
const BEST_TEMPERATURE: f64 = 2.0;
const BEST_URGENCY: f64 = 0.05;
/// With `leaf=quiet` 57.0% +- 4.8 against neither at equal time, 300 games:
/// `docs/evaluation-loa.md`.
const BEST_FORESIGHT: f32 = 2.0;

/// What our evaluation is multiplied with where the papers print points: 1000, 700 and 600 are in
/// MIA's, and the papers call them the best of those tried. So the unit is right where they are, by
/// self-play alone and before MIA is met: `experiments/loa-unit.toml`, where 1 is the worst of
/// those tried; between 2 and 2.8 a few hundred games at a fifth of the paper's iterations do not
/// decide. `unit=1` is our own unit.
const POINTS: Unit = Unit(2.0);

/// A player of the papers, whose cutoffs are in MIA's points.
fn in_points(config: Config) -> Settings {
    let known = LoaKnowledge { unit: POINTS, ..LoaKnowledge::default() };
    Settings { config, own: OwnSettings::new(known), ..Settings::default() }
}

fn mc_loa_2008() -> Config {
    Config {
        uct: Uct::Signed { c: C },
        bias: Some(BIAS_2008),
        threshold: Some(THRESHOLD_2008),
        solver: Some(Solver::WINANDS),
        choose: SECURE,
        playout: Playouts {
            strategy: Strategy::Categories,
            // 1,000 points at every third ply.
            cutoff: Some(Cutoff::default()),
            most_plies: Some(MOST_PLIES),
            ..Playouts::default()
        },
        ..Config::default()
    }
}

fn mc_loa() -> Config {
    let greedy = Greedy { considered: Some(CONSIDERED), ties: Ties::First };
    Config {
        bias: Some(BIAS),
        threshold: Some(THRESHOLD),
        playout: Playouts {
            strategy: mixed(Then::Greedy(greedy)),
            cutoff: Some(Cutoff { threshold: CUTOFF, every: 1, ..Cutoff::default() }),
            most_plies: Some(MOST_PLIES),
            ..Playouts::default()
        },
        // The paper does not say how the move is chosen.
        choose: Choose::Visits,
        ..mc_loa_2008()
    }
}

/// One corrective move, by category alone, and then those.
fn mixed(then: Then) -> Strategy {
    Strategy::Mixed(Mixed {
        corrective: 1,
        tree: TreeMoves::AsFirstPly,
        least_weight: LEAST_WEIGHT,
        spread: None,
        noise: Some(NOISE),
        then,
    })
}
