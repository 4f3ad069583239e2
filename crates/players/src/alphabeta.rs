//! The players that search by alpha-beta: their settings, the table that describes them, and the
//! player itself.

use crate::network_file::NetworkFile;
use crate::own::{Own, OwnSettings};
use crate::player::Player;
use crate::presets::Preset;
use crate::setting::{Checked, Setting, by};
use crate::settings::FRACTION;
use crate::spec::SpecError;
use crate::{field, field_or_off, switch, words};
use monteverde_game::limit::Limit;
use monteverde_game::report::{Control, Report};
use monteverde_game::{Game, Knowledge, Never, Ties};
use monteverde_minimax::config::{ASPIRATION, ETC_DEPTH, QUIESCENCE, TABLE as TABLE_BYTES};
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
    /// What values them in its place, where the game has networks.
    pub network: Option<NetworkFile>,
    /// A move gets one part in so many of the remaining clock time, see [`crate::Budget`].
    pub fraction: u32,
    /// What the game has of its own.
    pub own: OwnSettings,
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
        let (eval, own) = (Eval::Tuned, OwnSettings::default());
        AlphaBeta { config: Config::default(), eval, network: None, fraction: FRACTION, own }
    }
}

impl AlphaBeta {
    /// The game's own settings.
    pub fn own<T: Own>(&self) -> T {
        self.own.get()
    }

    /// The game's own settings, to be changed.
    pub fn own_mut<T: Own>(&mut self) -> &mut T {
        self.own.get_mut()
    }
}

/// The alpha-beta players of a game.
pub struct AlphaBetaPlayers<G: Game> {
    /// The named ones.
    pub presets: &'static [Preset<AlphaBeta>],
    /// The settings that they have beside those of all such players.
    pub settings: &'static [Setting<AlphaBeta>],
    /// Makes a player with settings, at a state.
    pub player: fn(&AlphaBeta, G) -> Box<dyn Player<G>>,
}

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

impl Checked for AlphaBeta {
    fn check(&self) -> Result<(), SpecError> {
        match &self.network {
            Some(file) if !file.network().has_value() => Err(SpecError::BadNetwork {
                key: "network",
                value: file.to_string(),
                problem: "it has no value, and alpha-beta asks for nothing else".to_owned(),
                accepted: "a network with a value".to_owned(),
            }),
            _ => Ok(()),
        }
    }
}

type S = Setting<AlphaBeta>;

/// Every setting that all these players have, those that others need first.
pub(crate) const TABLE: &[S] = &[
    S::whole(
        "depth",
        1..=MOST_DEPTH as u64,
        by(
            |settings| Some(u64::from(settings.config.depth.unwrap_or(MOST_DEPTH))),
            |settings, depth| {
                settings.config.depth = Some(depth as u32).filter(|&depth| depth < MOST_DEPTH);
            },
        ),
    )
    .means("The most plies that it looks ahead, quiescence and extensions aside."),
    S::word("eval", words!(eval { "tuned" => Eval::Tuned, "material" => Eval::Material }))
        .means("What values states at the horizon: the tuned evaluation or material alone."),
    S::flag("deepening", switch!(config.deepening))
        .means("Searches to depth 1, 2, 3 and so on instead of at once to its depth."),
    S::flag("table", switch!(config.table = TABLE_BYTES))
        .means("Remembers states in a transposition table."),
    S::bytes(
        "memory",
        LEAST_TABLE..=MOST_TABLE,
        by(
            |settings| settings.config.table.map(|bytes| bytes as u64),
            |settings, bytes| settings.config.table = Some(bytes as usize),
        ),
    )
    .needs("table")
    .means("The bytes of the transposition table."),
    S::flag("pvs", switch!(config.pvs))
        .means("Searches every move but the first with an empty window at first."),
    S::flag("aspiration", switch!(config.aspiration = ASPIRATION))
        .means("Starts with a window of half a pawn around the last value."),
    S::flag("gains", switch!(config.gains)).means(
        "Tries moves in the groups that the game ranks them in: captures of chess by what they win.",
    ),
    S::flag("killers", switch!(config.killers))
        .means("Tries moves early that were good elsewhere at the same ply."),
    S::word(
        "history",
        words!(config.history {
            "off" => None,
            "plain" => Some(History::Plain),
            "relative" => Some(History::Relative),
        }),
    )
    .means(
        "Orders quiet moves by how well they did elsewhere: plain counts, or relative to how \
         often they were tried.",
    ),
    S::flag("null", switch!(config.null = Null::default()))
        .means("Takes a state for good enough if even passing is."),
    S::flag("lmr", switch!(config.reductions = Reductions::default()))
        .means("Searches late quiet moves less deep at first."),
    S::flag("realization", switch!(config.realization = Realization::default()))
        .means("Lets a move cost as much depth as it is unlikely to be played."),
    S::real("bits", LEAST_BITS..=MOST_BITS, field!(config.realization?.bits))
        .needs("realization")
        .means("A move costs one ply whose probability is one half to the power of this."),
    S::whole("full", 0..=MOST_MOVES, field!(config.realization?.full))
        .needs("realization")
        .means("So many moves of a state cost at most one ply."),
    S::flag("multicut", switch!(config.multicut = MultiCut::default()))
        .means("Takes a state for good enough if three of ten moves are by a shallow search."),
    S::flag("etc", switch!(config.etc = ETC_DEPTH))
        .means("Looks in the table for a move that is known to refute."),
    S::flag("quiescence", switch!(config.quiescence = QUIESCENCE)).means(
        "Goes on with captures, or other moves that the game calls loud, at the horizon.",
    ),
    S::flag("extension", switch!(config.extension)).means("Looks a ply further after a check."),
    S::word(
        "ties",
        words!(config.ties {
            "first" => Ties::First,
            "last" => Ties::Last,
            "random" => Ties::Random,
        }),
    )
        .means("Which of equally good moves is played."),
    S::whole_or_off("noise", 1..=MOST_NOISE, field_or_off!(config.noise)).means(
        "Adds a number of at most this size to every eval, drawn for each state by the seed.",
    ),
    S::whole("seed", 0..=u64::MAX, field!(config.seed)).means("Where the random numbers start."),
    S::whole("fraction", 1..=1000, field!(fraction))
        .means("A move gets one part in so many of the remaining clock time."),
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
