//! The players that search by alpha-beta: their settings, the table that describes them, the named ones, and the
//! player itself.

use crate::player::Player;
use crate::presets::{self, Preset};
use crate::setting::{Described, Kind, Setting, Switch};
use crate::settings::{FRACTION, evaluator};
use monteverde_chess::Chess;
use monteverde_game::limit::Limit;
use monteverde_game::report::{Control, Report};
use monteverde_game::{Game, Knowledge, Never, Ties};
use monteverde_knowledge::chess::{ChessKnowledge, ChessTactics, Material};
use monteverde_knowledge::loa::{Evaluator, LoaKnowledge, LoaTactics, Pieces};
use monteverde_loa::Loa;
use monteverde_minimax::config::{ASPIRATION, ETC_DEPTH, QUIESCENCE, TABLE};
use monteverde_minimax::search::MOST_DEPTH;
use monteverde_minimax::{
    Config, History, MultiCut, Null, Realization, Reductions, Search, Tactics,
};

/// What a player that searches by alpha-beta is made of.
#[derive(Clone, PartialEq, Debug)]
pub struct AlphaBeta {
    /// The search.
    pub config: Config,
    /// What values states at the horizon.
    pub eval: Eval,
    /// The tuned evaluation of Lines of Action.
    pub evaluator: Evaluator,
    /// A move gets one part in so many of the remaining clock time, see [`crate::Budget`].
    pub fraction: u32,
}

/// What values states at the horizon.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Eval {
    /// The tuned evaluation of the game.
    Tuned,
    /// The count of material.
    Material,
}

impl Default for AlphaBeta {
    fn default() -> Self {
        let (eval, evaluator) = (Eval::Tuned, Evaluator::default());
        AlphaBeta { config: Config::default(), eval, evaluator, fraction: FRACTION }
    }
}

/// The alpha-beta players of a game.
pub struct AlphaBetaPlayers<G: Game> {
    /// The named ones.
    pub presets: &'static [Preset<AlphaBeta>],
    /// Makes a player with settings, at a state.
    pub player: fn(&AlphaBeta, G) -> Box<dyn Player<G>>,
}

/// Those of chess.
pub const CHESS: AlphaBetaPlayers<Chess> = AlphaBetaPlayers {
    presets: &[AB, GREEDY],
    player: |settings, state| match settings.eval {
        Eval::Tuned => {
            Box::new(AlphaBetaPlayer::new(settings, state, ChessTactics(ChessKnowledge::default())))
        }
        Eval::Material => Box::new(AlphaBetaPlayer::new(settings, state, ChessTactics(Material))),
    },
};

/// Those of Lines of Action.
pub const LOA: AlphaBetaPlayers<Loa> = AlphaBetaPlayers {
    presets: &[presets::MIA],
    player: |settings, state| match settings.eval {
        Eval::Tuned => {
            let known = LoaKnowledge { evaluator: settings.evaluator, ..LoaKnowledge::default() };
            Box::new(AlphaBetaPlayer::new(settings, state, LoaTactics(known)))
        }
        Eval::Material => Box::new(AlphaBetaPlayer::new(settings, state, LoaTactics(Pieces))),
    },
};

/// The strongest one.
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
        config: Config { depth: Some(1), ties: Ties::Random, ..Config::PLAIN },
        eval: Eval::Material,
        ..AlphaBeta::default()
    },
};

/// A player that searches by alpha-beta.
pub struct AlphaBetaPlayer<G: Game, T> {
    search: Search<G, T>,
    state: G,
}

impl<G: Game<Event = Never>, T: Tactics<G>> AlphaBetaPlayer<G, T> {
    /// A player with settings and tactics, at a state.
    pub fn new(settings: &AlphaBeta, state: G, tactics: T) -> Self {
        AlphaBetaPlayer { search: Search::new(settings.config.clone(), tactics), state }
    }
}

impl<G: Game<Event = Never>, T: Tactics<G> + Knowledge<G>> Player<G> for AlphaBetaPlayer<G, T> {
    fn begin(&mut self, state: &G) {
        self.search.restart();
        self.state.clone_from(state);
    }
    fn jump(&mut self, state: &G) {
        self.search.forget();
        self.state.clone_from(state);
    }
    fn play(&mut self, mv: G::Move) {
        self.state.play(mv);
    }
    fn settle(&mut self, event: Never) {
        match event {}
    }
    fn think(&mut self, limit: &Limit<G::Move>, control: Control<'_, G>) -> Report<G> {
        self.search.watch(&self.state, limit, control)
    }
    fn state(&self) -> &G {
        &self.state
    }
}

/// A part of the search as a flag of its own.
macro_rules! part {
    ($name:literal, $meaning:literal, $field:ident) => {
        Setting {
            name: $name,
            meaning: $meaning,
            needs: None,
            kind: Kind::Flag {
                read: |settings| Some(switch(settings.config.$field)),
                write: |settings, switch| settings.config.$field = switch == Switch::On,
            },
        }
    };
    ($name:literal, $meaning:literal, $field:ident, $on:expr) => {
        Setting {
            name: $name,
            meaning: $meaning,
            needs: None,
            kind: Kind::Flag {
                read: |settings| Some(switch(settings.config.$field.is_some())),
                write: |settings, switch| {
                    settings.config.$field = (switch == Switch::On).then_some($on);
                },
            },
        }
    };
}

impl Described for AlphaBeta {
    const TABLE: &'static [Setting<AlphaBeta>] = ALPHA_BETA;
}

/// Every setting of these players, those that others need first.
pub const ALPHA_BETA: &[Setting<AlphaBeta>] = &[
    Setting {
        name: "depth",
        meaning: "The most plies that it looks ahead, quiescence and extensions aside.",
        needs: None,
        kind: Kind::Whole {
            range: 1..=MOST_DEPTH as u64,
            read: |settings| Some(u64::from(settings.config.depth.unwrap_or(MOST_DEPTH))),
            write: |settings, depth| {
                settings.config.depth = Some(depth as u32).filter(|&depth| depth < MOST_DEPTH);
            },
        },
    },
    Setting {
        name: "eval",
        meaning: "What values states at the horizon: the tuned evaluation or material alone.",
        needs: None,
        kind: Kind::Word {
            words: &["tuned", "material"],
            read: |settings| match settings.eval {
                Eval::Tuned => "tuned",
                Eval::Material => "material",
            },
            write: |settings, word| {
                settings.eval = if word == "tuned" { Eval::Tuned } else { Eval::Material };
            },
        },
    },
    evaluator!(),
    part!(
        "deepening",
        "Searches to depth 1, 2, 3 and so on instead of at once to its depth.",
        deepening
    ),
    part!("table", "Remembers states in a transposition table.", table, TABLE),
    Setting {
        name: "memory",
        meaning: "The bytes of the transposition table.",
        needs: Some("table"),
        kind: Kind::Bytes {
            range: LEAST_TABLE..=MOST_TABLE,
            read: |settings| settings.config.table.map(|bytes| bytes as u64),
            write: |settings, bytes| settings.config.table = Some(bytes as usize),
        },
    },
    part!("pvs", "Searches every move but the first with an empty window at first.", pvs),
    part!(
        "aspiration",
        "Starts with a window of half a pawn around the last value.",
        aspiration,
        ASPIRATION
    ),
    part!(
        "gains",
        "Tries moves in the groups that the game ranks them in: captures of chess by what they win.",
        gains
    ),
    part!("killers", "Tries moves early that were good elsewhere at the same ply.", killers),
    Setting {
        name: "history",
        meaning: "Orders quiet moves by how well they did elsewhere: plain counts, or relative to how \
                  often they were tried.",
        needs: None,
        kind: Kind::Word {
            words: &["off", "plain", "relative"],
            read: |settings| match settings.config.history {
                None => "off",
                Some(History::Plain) => "plain",
                Some(History::Relative) => "relative",
            },
            write: |settings, word| {
                settings.config.history = match word {
                    "plain" => Some(History::Plain),
                    "relative" => Some(History::Relative),
                    _ => None,
                };
            },
        },
    },
    part!("null", "Takes a state for good enough if even passing is.", null, Null::default()),
    part!(
        "lmr",
        "Searches late quiet moves less deep at first.",
        reductions,
        Reductions::default()
    ),
    part!(
        "realization",
        "Lets a move cost as much depth as it is unlikely to be played.",
        realization,
        Realization::default()
    ),
    Setting {
        name: "bits",
        meaning: "A move costs one ply whose probability is one half to the power of this.",
        needs: Some("realization"),
        kind: Kind::Real {
            range: LEAST_BITS..=MOST_BITS,
            read: |settings| settings.config.realization.map(|likely| f64::from(likely.bits)),
            write: |settings, bits| {
                let likely = settings.config.realization.get_or_insert_default();
                likely.bits = bits as f32;
            },
        },
    },
    Setting {
        name: "full",
        meaning: "So many moves of a state cost at most one ply.",
        needs: Some("realization"),
        kind: Kind::Whole {
            range: 0..=MOST_MOVES,
            read: |settings| settings.config.realization.map(|likely| likely.full as u64),
            write: |settings, full| {
                settings.config.realization.get_or_insert_default().full = full as usize;
            },
        },
    },
    part!(
        "multicut",
        "Takes a state for good enough if three of ten moves are by a shallow search.",
        multicut,
        MultiCut::default()
    ),
    part!("etc", "Looks in the table for a move that is known to refute.", etc, ETC_DEPTH),
    part!(
        "quiescence",
        "Goes on with captures, or other moves that the game calls loud, at the horizon.",
        quiescence,
        QUIESCENCE
    ),
    part!("extension", "Looks a ply further after a check.", extension),
    Setting {
        name: "ties",
        meaning: "Which of equally good moves is played.",
        needs: None,
        kind: Kind::Word {
            words: &["first", "random"],
            read: |settings| match settings.config.ties {
                Ties::First => "first",
                Ties::Random => "random",
            },
            write: |settings, word| {
                settings.config.ties = if word == "first" { Ties::First } else { Ties::Random };
            },
        },
    },
    Setting {
        name: "noise",
        meaning: "Adds a number of at most this size to every eval, drawn for each state by the seed.",
        needs: None,
        kind: Kind::WholeOrOff {
            range: 1..=MOST_NOISE,
            read: |settings| settings.config.noise.map(u64::from),
            write: |settings, noise| settings.config.noise = noise.map(|noise| noise as u32),
        },
    },
    Setting {
        name: "seed",
        meaning: "Where the random numbers start.",
        needs: None,
        kind: Kind::Whole {
            range: 0..=u64::MAX,
            read: |settings| Some(settings.config.seed),
            write: |settings, seed| settings.config.seed = seed,
        },
    },
    Setting {
        name: "fraction",
        meaning: "A move gets one part in so many of the remaining clock time.",
        needs: None,
        kind: Kind::Whole {
            range: 1..=1000,
            read: |settings| Some(u64::from(settings.fraction)),
            write: |settings, fraction| settings.fraction = fraction as u32,
        },
    },
];

/// A table of any use has some thousand entries.
const LEAST_TABLE: u64 = 64 << 10;
/// As for the tree of the other players.
const MOST_TABLE: u64 = 64 << 30;

/// A hundredth of a bit is as good as nothing, and a probability of 2^-20 as good as none.
const LEAST_BITS: f64 = 0.01;
const MOST_BITS: f64 = 20.0;
/// No state of our games has more moves.
const MOST_MOVES: u64 = 1000;
/// More than any eval.
const MOST_NOISE: u64 = 100_000;

fn switch(is_on: bool) -> Switch {
    if is_on { Switch::On } else { Switch::Off }
}
