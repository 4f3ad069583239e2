//! The signature: a fingerprint of every named player and every technique of every game.
//!
//! A line of it is a game, a player's spec and the FNV-1a hash, 64 bits, of what fixed searches of
//! that player with a fixed seed on one thread have found: the best move, what is proven of the
//! root, and of each root move its text, its visits, mean, eval, prior, proof and bounds. Each
//! search is followed by others after its best move, with what is left of the tree; where chance is
//! to decide, its first event comes about. A line is the same on every machine, and another as soon
//! as that player searches in another way: a change names its culprit.
//!
//! A game declares its lines as [`SignatureCase`]s. Nothing that lies on the machine may change
//! them: where a player would ask endgame tables that not every machine has, its spec says so that
//! it does not.

use crate::erased::{AnyGame, AnyState};
use crate::games::Games;
use crate::player::Player;
use crate::spec::Spec;
use monteverde_game::limit::{Limit, NoClock, Signal};
use monteverde_game::report::{Bounds, Control, Report};
use monteverde_game::{Game, Proof};
use std::fmt;
use std::time::Duration;

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

/// The player's spec in a line as text.
pub fn spec_of(line: &str) -> Option<&str> {
    let (_game, rest) = line.split_once(' ')?;
    rest.rsplit_once(' ').map(|(spec, _hash)| spec)
}

/// The hash in a line as text.
pub fn hash_of(line: &str) -> Option<&str> {
    line.rsplit_once(' ').map(|(_rest, hash)| hash)
}

/// Computes the lines of a game, always in the same order.
pub fn lines(game: AnyGame) -> Vec<SignatureLine> {
    let of_case = |case: &'static SignatureCase| {
        case.specs().map(move |spec| SignatureLine {
            game: game.name(),
            hash: case.hash(game, &spec),
            spec,
        })
    };
    match game.signature() {
        [] => plain_lines(game),
        cases => cases.iter().flat_map(of_case).collect(),
    }
}

/// The lines of a game that declares none: its named players, each from the start.
fn plain_lines(game: AnyGame) -> Vec<SignatureLine> {
    /// Little: whoever asks waits for it.
    const ITERATIONS: u64 = 200;
    let line = |name: &'static str| {
        let case = SignatureCase::named(name, ITERATIONS, &["startpos"]);
        SignatureLine { game: game.name(), spec: name.to_owned(), hash: case.hash(game, name) }
    };
    game.player_names().into_iter().map(line).collect()
}

/// Computes the lines of all games, in their order.
pub fn all_lines(games: &Games) -> Vec<SignatureLine> {
    games.iter().flat_map(lines).collect()
}

/// The hash of a text, which stands for all its lines at once.
pub fn hash(text: &str) -> u64 {
    let mut hash = Fnv::new();
    hash.add(text.as_bytes());
    hash.0
}

/// Players that are searched with from the same states, for as long.
pub struct SignatureCase {
    /// What the others differ from in a technique each.
    pub base: &'static str,
    /// What each line adds to the base; the empty text is the base itself.
    pub lines: &'static [&'static str],
    /// Where games begin.
    pub states: &'static [&'static str],
    /// Iterations of each search; nodes of an alpha-beta search.
    pub iterations: u64,
    /// Searches of each game, one after the other.
    pub searches: u32,
}

impl SignatureCase {
    /// Two searches in each game.
    pub const fn new(
        base: &'static str,
        iterations: u64,
        states: &'static [&'static str],
        lines: &'static [&'static str],
    ) -> SignatureCase {
        SignatureCase { base, lines, states, iterations, searches: 2 }
    }

    /// The named players themselves.
    pub const fn named(
        base: &'static str,
        iterations: u64,
        states: &'static [&'static str],
    ) -> SignatureCase {
        SignatureCase::new(base, iterations, states, &[""])
    }

    /// The specs of its lines.
    pub fn specs(&self) -> impl Iterator<Item = String> + '_ {
        self.lines.iter().map(|line| self.spec(line))
    }

    /// The spec of the base and what a line adds to it.
    pub fn spec(&self, line: &str) -> String {
        let sign = match (line, self.base.contains(':')) {
            ("", _) => "",
            (_, true) => ",",
            (_, false) => ":",
        };
        format!("{}{sign}{line}", self.base)
    }

    /// What the searches of a player find.
    ///
    /// # Panics
    /// If the game knows no such player, or cannot read a state.
    pub fn hash(&self, game: AnyGame, spec: &str) -> u64 {
        let spec = Spec::read(game, spec)
            .unwrap_or_else(|error| panic!("'{spec}' of the signature: {error}"));
        let mut hash = Fnv::new();
        for text in self.states {
            let state = game
                .read_state(text)
                .unwrap_or_else(|error| panic!("'{text}' of the signature: {error}"));
            self.add_game(&mut hash, &mut *spec.make(&state));
        }
        hash.0
    }

    fn add_game(&self, hash: &mut Fnv, player: &mut dyn Player<AnyState>) {
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

fn add_report(hash: &mut Fnv, state: &AnyState, report: &Report<AnyState>) {
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
mod tests {
    use super::*;

    #[test]
    fn a_line_as_text_names_its_player() {
        let line = SignatureLine { game: "chess", spec: "mcc:c=0.3".to_owned(), hash: 7 };
        assert_eq!(spec_of(&line.to_string()), Some("mcc:c=0.3"));
        assert_eq!(spec_of("chess mcc"), None);
    }

    #[test]
    fn the_hash_is_fnv_1a() {
        // The published value.
        assert_eq!(hash("foobar"), 0x8594_4171_f739_67e8);
    }
}
