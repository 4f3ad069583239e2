//! The signature: a fingerprint of every named player and every technique of every game.
//!
//! A line of it is a game, a player's spec and the FNV-1a hash, 64 bits, of what fixed searches of that player with a
//! fixed seed on one thread have found: the best move, what is proven of the root, and of each root move its text, its
//! visits, mean, eval, prior, proof and bounds. Each search is followed by others after its best move, with what is
//! left of the tree; where chance is to decide, its first event comes about. A line is the same on every machine, and
//! another as soon as that player searches in another way: a change names its culprit.
//!
//! The lines of a game are declared in a file of their own. Nothing that lies on the machine changes them: of chess only
//! endgame tables of three pieces are asked, which the program makes itself, so specs of players that would ask for more
//! say `pieces=3`; the endgames of Chinese dark chess are never kept. All lines are kept in `signature.txt` beside this
//! crate's sources, see [`RECORDED`].

mod banqi;
mod chess;
mod loa;
mod small;

use crate::player::Player;
use crate::registry::{GAMES, Playable, UnknownGame, Visitor, visit};
use crate::spec::Spec;
use monteverde_game::Proof;
use monteverde_game::limit::{Limit, NoClock, Signal};
use monteverde_game::report::{Bounds, Control, Report};
use std::fmt;
use std::time::Duration;

/// The signature as it was when the program was last known to search as it should, a line each;
/// `monteverde bench --signature > crates/players/signature.txt` writes it anew.
pub const RECORDED: &str = include_str!("../signature.txt");

/// The fingerprint of a player. Its `Display` form is a line of the signature.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SignatureLine {
    /// The name of the game.
    pub game: &'static str,
    /// The player.
    pub spec: String,
    /// The hash of what its searches found.
    pub hash: u64,
}

impl fmt::Display for SignatureLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {:016x}", self.game, self.spec, self.hash)
    }
}

/// Computes the lines of a game, always in the same order.
pub fn lines(game: &str) -> Result<Vec<SignatureLine>, UnknownGame> {
    visit(game, Lines)
}

/// Computes the lines of all games, in the order of [`GAMES`].
pub fn all_lines() -> Vec<SignatureLine> {
    GAMES.iter().flat_map(|entry| lines(entry.name).expect("the game is one of them")).collect()
}

/// The hash of a text, which stands for all its lines at once.
pub fn hash(text: &str) -> u64 {
    let mut hash = Fnv::new();
    hash.add(text.as_bytes());
    hash.0
}

/// Players that are searched with from the same states, for as long.
struct Group {
    /// What the others differ from in a technique each.
    base: &'static str,
    /// What each line adds to the base; the empty text is the base itself.
    lines: &'static [&'static str],
    /// Where games begin.
    states: &'static [&'static str],
    /// Iterations of each search; nodes of an alpha-beta search.
    iterations: u64,
    /// Searches of each game, one after the other.
    searches: u32,
}

impl Group {
    /// Two searches in each game.
    const fn new(
        base: &'static str,
        iterations: u64,
        states: &'static [&'static str],
        lines: &'static [&'static str],
    ) -> Group {
        Group { base, lines, states, iterations, searches: 2 }
    }

    /// The named players themselves.
    const fn named(base: &'static str, iterations: u64, states: &'static [&'static str]) -> Group {
        Group::new(base, iterations, states, &[""])
    }

    fn spec(&self, line: &str) -> String {
        let sign = match (line, self.base.contains(':')) {
            ("", _) => "",
            (_, true) => ",",
            (_, false) => ":",
        };
        format!("{}{sign}{line}", self.base)
    }

    /// What the searches of a player find.
    fn hash<G: Playable>(&self, spec: &str) -> u64 {
        let spec = Spec::parse::<G>(spec)
            .unwrap_or_else(|error| panic!("'{spec}' of the signature: {error}"));
        let mut hash = Fnv::new();
        for text in self.states {
            let state = G::parse_state(text)
                .unwrap_or_else(|error| panic!("'{text}' of the signature: {error}"));
            self.add_game(&mut hash, &mut *spec.player(state));
        }
        hash.0
    }

    fn add_game<G: Playable>(&self, hash: &mut Fnv, player: &mut dyn Player<G>) {
        for _ in 0..self.searches {
            let control = Control {
                clock: &NoClock,
                signal: &Signal::default(),
                every: Duration::MAX,
                observe: &mut |_| {},
            };
            let report = player.think(&Limit::iterations(self.iterations), control);
            add_report(hash, player.state(), &report);
            let Some(best) = report.best else { break };
            player.play(best);
            let mut events = Vec::new();
            player.state().events(&mut events);
            if let Some(&(event, _)) = events.first() {
                player.settle(event);
            }
        }
    }
}

/// The groups of a game, by its name. Test games of one's own have none.
fn groups(game: &str) -> &'static [Group] {
    match game {
        "chess" => chess::GROUPS,
        "loa" => loa::GROUPS,
        "banqi" => banqi::GROUPS,
        "tic-tac-toe" => small::TIC_TAC_TOE,
        "dice-race" => small::DICE_RACE,
        _ => &[],
    }
}

struct Lines;

impl Visitor for Lines {
    type Output = Vec<SignatureLine>;

    fn visit<G: Playable>(self) -> Vec<SignatureLine> {
        let of_group = |group: &'static Group| {
            group.lines.iter().map(|line| {
                let spec = group.spec(line);
                SignatureLine { game: G::NAME, hash: group.hash::<G>(&spec), spec }
            })
        };
        groups(G::NAME).iter().flat_map(of_group).collect()
    }
}

fn add_report<G: Playable>(hash: &mut Fnv, state: &G, report: &Report<G>) {
    let best = report.best.map_or(String::new(), |best| state.move_text(best));
    hash.add_text(&best);
    hash.add(&report.figures.iterations.to_le_bytes());
    hash.add_real(report.mean);
    hash.add_proof(report.proof);
    hash.add_bounds(report.bounds);
    for entry in &report.moves {
        hash.add_text(&state.move_text(entry.mv));
        hash.add(&entry.visits.to_le_bytes());
        hash.add_real(entry.mean);
        hash.add_real(entry.eval.map_or(NONE, f64::from));
        hash.add_real(entry.prior.map_or(NONE, f64::from));
        hash.add_proof(entry.proof);
        hash.add_bounds(entry.bounds);
    }
}

/// What stands for a number that there is not.
const NONE: f64 = -1e12;

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

    fn add_text(&mut self, text: &str) {
        self.add(text.as_bytes());
        self.add(&[0]);
    }

    /// In millionths: sums may be made in another order.
    fn add_real(&mut self, value: f64) {
        self.add(&((value * 1e6).round() as i64).to_le_bytes());
    }

    fn add_proof(&mut self, proof: Proof) {
        let (kind, plies) = match proof {
            Proof::Open => (0, 0),
            Proof::Win(plies) => (1, plies),
            Proof::Draw => (2, 0),
            Proof::Loss(plies) => (3, plies),
        };
        self.add(&[kind]);
        self.add(&u64::from(plies).to_le_bytes());
    }

    fn add_bounds(&mut self, bounds: Option<Bounds>) {
        let (low, high) = bounds.map_or((NONE, NONE), |bounds| (bounds.low, bounds.high));
        self.add_real(low);
        self.add_real(high);
    }
}

#[cfg(test)]
mod tests;
