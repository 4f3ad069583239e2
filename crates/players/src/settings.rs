//! The settings of the players that search, in their typed form and as the one table that describes
//! them.

pub mod playouts;
mod quality;
mod select;

use crate::network_file::NetworkFile;
use crate::own::{Own, OwnSettings};
use crate::setting::{Checked, Setting, Switch, among, by};
use crate::spec::SpecError;
use crate::{field, field_or_off, switch};
use monteverde_mcts::playout::Tables;
use monteverde_mcts::solver::{Draws, InTree, LeafCheck, Solver};
use monteverde_mcts::{Choose, Config, Uct, Walk};
use std::path::PathBuf;

pub use select::USUAL_DEVIATION;

/// What a player that searches is made of.
#[derive(Clone, PartialEq, Debug)]
pub struct Settings {
    /// The search.
    pub config: Config,
    /// A move gets one part in so many of the remaining clock time, see [`crate::Budget`].
    pub fraction: u32,
    /// What becomes of the tree between two moves.
    pub reuse: Reuse,
    /// What becomes of the limit after a proof.
    pub after_proof: AfterProof,
    /// Endgame tables are asked about states with at most so many pieces.
    pub pieces: u32,
    /// Playouts ignore the tables while the root has fewer pieces than this.
    pub tables_root: u32,
    /// A folder of Syzygy files to ask where the tables do not know. It belongs to a machine
    /// rather than to a player, so a front end sets it ([`crate::Overrides`]) and no spec
    /// does.
    pub syzygy: Option<PathBuf>,
    /// What expects results and knows moves in advance in place of the game's own knowledge, where
    /// the game has networks.
    pub network: Option<NetworkFile>,
    /// How much of the game's own log priors is added to the network's.
    pub network_prior: f64,
    /// The network's value is taken after captures of so many plies at the most.
    pub network_captures: u32,
    /// What the game has of its own.
    pub own: OwnSettings,
}

/// What becomes of the limit after a proof.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AfterProof {
    /// A proof ends the search, as in the papers.
    Stop,
    /// What is left of the limit is spent on the shortest way, see [`crate::shorten`].
    Shorten,
}

/// What becomes of the tree between two moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reuse {
    /// What is known of the state reached is kept.
    Keep,
    /// Every move starts with an empty tree.
    Forget,
}

impl Settings {
    /// Whether the player's tree asks its oracle.
    pub fn in_tree(&self) -> InTree {
        self.config.solver.map_or(InTree::Ignored, |solver| solver.oracle)
    }

    /// Whether the player asks endgame tables, in its tree or in playouts.
    pub fn asks_tables(&self) -> bool {
        self.in_tree() == InTree::Asked || self.config.playout.tables == Tables::Probe
    }
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            config: Config::default(),
            fraction: FRACTION,
            reuse: Reuse::Keep,
            after_proof: AfterProof::Stop,
            pieces: PIECES,
            tables_root: 0,
            syzygy: None,
            network: None,
            network_prior: 0.0,
            network_captures: 0,
            own: OwnSettings::default(),
        }
    }
}

impl Settings {
    /// The game's own settings.
    pub fn own<T: Own>(&self) -> T {
        self.own.get()
    }

    /// The game's own settings, to be changed.
    pub fn own_mut<T: Own>(&mut self) -> &mut T {
        self.own.get_mut()
    }
}

/// *Monte Carlo Chess* gives each move "a fixed fraction of the remaining clock time" (section 4.1)
/// and does not print which. A thirtieth is our choice: it leaves time for games of well over a
/// hundred moves.
pub(crate) const FRACTION: u32 = 30;

/// The tables of three pieces are always there.
const PIECES: u32 = 3;

/// The constant A of *Monte-Carlo Tree Search Solver*, section 4.3.
const SECURE_A: f64 = 1.0;

/// Below this a chess tree has hardly room for two plies.
const LEAST_MEMORY: u64 = 64 << 10;

/// The tree's links have 32 bits, which is good for some 112 GiB; this is the whole power of two
/// below.
const MOST_MEMORY: u64 = 64 << 30;

impl Checked for Settings {
    fn check(&self) -> Result<(), SpecError> {
        if self.config.solver.is_some() && self.config.graph.is_some() {
            return Err(SpecError::Conflict {
                one: "solver",
                other: "transpositions",
                reason: "a proof holds on the path that led to a state, and transpositions share states \
                         between paths",
                remedy: "'solver=off' or 'no-transpositions'",
            });
        }
        if self.config.walk == Walk::Restarts && self.config.graph.is_some() {
            return Err(SpecError::Conflict {
                one: "walk=restarts",
                other: "transpositions",
                reason: "an iteration that goes back would have to leave shared states as they were",
                remedy: "'walk=ends' or 'no-transpositions'",
            });
        }
        if self.config.soft_stop.is_some() && self.config.choose != Choose::Visits {
            return Err(SpecError::Needs { key: "soft-stop", needs: "choose=visits" });
        }
        let is_puct = matches!(self.config.uct, Uct::Puct { .. });
        let asks_knowledge = is_puct || self.config.playout.truncate.is_some();
        if self.network.is_some() && !asks_knowledge {
            return Err(SpecError::Needs { key: "network", needs: "uct=puct" });
        }
        Ok(())
    }
}

/// Every setting that all players have, those that others need first. A technique adds its entry to
/// one of these tables.
pub(crate) fn shared() -> Vec<Setting<Settings>> {
    [select::TABLE, playouts::TABLE, quality::TABLE, TABLE].concat()
}

type S = Setting<Settings>;

/// What is left: the solver, the choice of a move, memory and time.
const TABLE: &[S] = &[
    S::word(
        "solver",
        among(
            &["off", "wins", "draws"],
            |settings| {
                Some(match settings.config.solver {
                    None => "off",
                    Some(Solver { draws: Draws::Open, .. }) => "wins",
                    Some(Solver { draws: Draws::Proven, .. }) => "draws",
                })
            },
            |settings, word| {
                let solver = settings.config.solver.unwrap_or(Solver::THESIS);
                settings.config.solver = match word {
                    "wins" => Some(Solver { draws: Draws::Open, ..solver }),
                    "draws" => Some(Solver { draws: Draws::Proven, ..solver }),
                    _ => None,
                };
            },
        ),
    )
    .means(
        "What is proven in the tree: nothing (off), wins and losses with their distance (wins), \
         draws too (draws). It cannot be had together with transpositions.",
    ),
    S::flag("leaf-check", switch!(config.solver?.leaf: LeafCheck::On, LeafCheck::Off))
        .needs("solver=wins")
        .means("A new leaf is searched for a move that wins at once."),
    S::word(
        "choose",
        among(
            &["visits", "mean", "secure"],
            |settings| {
                Some(match settings.config.choose {
                    Choose::Visits => "visits",
                    Choose::Mean => "mean",
                    Choose::Secure { .. } => "secure",
                })
            },
            |settings, word| {
                let a = secure(&settings.config).unwrap_or(SECURE_A);
                settings.config.choose = match word {
                    "mean" => Choose::Mean,
                    "secure" => Choose::Secure { a },
                    _ => Choose::Visits,
                };
            },
        ),
    )
    .means(
        "How the final move is chosen: the most visits, the highest mean, or the highest \
         mean + a / sqrt(visits).",
    ),
    S::real(
        "a",
        -100.0..=100.0,
        by(
            |settings| secure(&settings.config),
            |settings, a| settings.config.choose = Choose::Secure { a },
        ),
    )
    .needs("choose=secure")
    .means(
        "The constant of choose=secure: below 0 a bound that little visited moves fall short of, above 0 one \
         that they gain by.",
    ),
    S::real_or_off("choose-temperature", 0.01..=100.0, field_or_off!(config.choose_temperature)).means(
        "For weaker play: the final move is drawn by visits^(1/temperature), so 1 plays a move with half the visits \
         half as often, and more plays more at random; proven wins are played all the same.",
    ),
    S::bytes(
        "memory",
        LEAST_MEMORY..=MOST_MEMORY,
        by(
            |settings| Some(settings.config.memory as u64),
            |settings, bytes| {
                settings.config.memory = usize::try_from(bytes).unwrap_or(usize::MAX);
            },
        ),
    )
    .means("The most memory that the tree may take; it is claimed only as the tree grows."),
    S::whole("threads", 1..=1024, field!(config.threads)).means(
        "How many threads search the one tree; with one, results depend on the seed alone.",
    ),
    S::whole("seed", 0..=u64::MAX, field!(config.seed)).means("Where the random numbers start."),
    S::whole("fraction", 1..=1000, field!(fraction)).means(
        "A move gets one part in so many of the remaining clock time; the thesis that does \
         so does not print its own value.",
    ),
    S::real_or_off("soft-stop", 0.05..=1.0, field_or_off!(config.soft_stop)).means(
        "On a game clock a search ends when the most visited move leads by more than this part of the visits \
         that the rest of its time allows; with 1 no other move could still catch up. The time is saved for later moves.",
    ),
    S::real_or_off("clock-share", 1.0..=10.0, field_or_off!(config.clock_share)).means(
        "On a game clock a move takes up to so many times its usual time while the chosen move has few of the visits, \
         and as much less when it has nearly all of them.",
    ),
    S::flag("fresh", switch!(reuse: Reuse::Forget, Reuse::Keep)).means(
        "Every move starts with an empty tree, as in the thesis; without it what is known \
         of the state reached is kept.",
    ),
    S::flag(
        "shorten",
        by(
            |settings| {
                settings.config.solver?;
                Some((settings.after_proof == AfterProof::Shorten).into())
            },
            |settings, switch| {
                let shortens = switch == Switch::On;
                settings.after_proof =
                    if shortens { AfterProof::Shorten } else { AfterProof::Stop };
            },
        ),
    )
    .needs("solver=wins")
    .means(
        "After a proof an exact search spends what is left of the limit on the shortest win or loss; without \
             it a proof ends the search, as in the papers.",
        ),
];

fn secure(config: &Config) -> Option<f64> {
    match config.choose {
        Choose::Secure { a } => Some(a),
        Choose::Visits | Choose::Mean => None,
    }
}
