//! What the interface may set.

use monteverde_players::{AnyGame, Overrides, Spec, SpecError, UciReading, UciWords};
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;

/// Every option with its present value.
#[derive(Clone, PartialEq, Debug)]
pub struct Options {
    game: AnyGame,
    player: Spec,
    overrides: Overrides,
    /// How many of the best moves are reported.
    pub multi_pv: usize,
    /// Whether the interface lets the engine ponder. It says so with each `go`, so this changes
    /// nothing.
    pub ponder: bool,
    /// Whether states are read and moves written by the conventions of Chess960.
    pub chess960: bool,
    /// Whether scores come with shares of wins, draws and losses.
    pub show_wdl: bool,
    /// Whether the interface analyses rather than plays: then a forced move is thought about too.
    pub analyse: bool,
    /// What is lost between the engine and the clock with each move.
    pub overhead: Duration,
}

/// What was wrong with a setting, and what is accepted.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum OptionError {
    /// There is no such option.
    #[error("no option is called '{name}'; there are {}", known.join(", "))]
    Name {
        /// The name.
        name: String,
        /// The names that there are.
        known: Vec<&'static str>,
    },
    /// The option cannot have that value.
    #[error("'{value}' is no value for the option {name}; accepted is {accepted}")]
    Value {
        /// The option.
        name: &'static str,
        /// The value.
        value: String,
        /// What would be.
        accepted: String,
    },
    /// The value is no spec of a player.
    #[error(transparent)]
    Player(#[from] SpecError),
    /// There are no Syzygy files.
    #[error("SyzygyPath: {0}; accepted is one folder of Syzygy files, or {EMPTY} for none")]
    Syzygy(String),
    /// The system does not have so much memory.
    #[error("the system does not give the tree {mib} MiB; accepted is what it has")]
    Memory {
        /// What was asked for.
        mib: usize,
    },
}

/// The tree of the players has this much memory unless Hash is set, in MiB.
const DEFAULT_HASH: u64 = 1024;
const MIB: usize = 1 << 20;
/// How interfaces write an empty text.
const EMPTY: &str = "<empty>";
/// Time for pipes and scheduling on one machine, in milliseconds.
const DEFAULT_OVERHEAD: u64 = 10;
/// No state has more moves than the 218 of chess, so that more lines than this cannot be filled.
const MOST_LINES: u64 = 256;

/// The options of all games; a game's words say which of them it has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OptionName {
    /// The memory of the tree.
    Hash,
    /// The threads of a search.
    Threads,
    /// How many of the best moves are reported.
    MultiPv,
    /// Whether the engine may ponder.
    Ponder,
    /// Whether states and moves are as in Chess960.
    Chess960,
    /// Whether scores come with shares of wins, draws and losses.
    ShowWdl,
    /// Whether the interface analyses.
    AnalyseMode,
    /// What is lost with each move.
    MoveOverhead,
    /// The spec of the player.
    Player,
    /// Where random numbers start.
    Seed,
    /// The folder of Syzygy files.
    SyzygyPath,
    /// The file of a learned network.
    Network,
}

/// What values an option has.
enum OptionKind {
    Spin { default: u64, range: RangeInclusive<u64> },
    Check,
    Text { default: &'static str },
}

impl Options {
    /// The options of a game at their defaults.
    ///
    /// # Panics
    /// If the game has no words in this protocol.
    pub fn new(game: AnyGame) -> Options {
        Options {
            game,
            player: Spec::read(game, words(game).player).expect("the default player exists"),
            overrides: Overrides::default(),
            multi_pv: 1,
            ponder: false,
            chess960: false,
            show_wdl: false,
            analyse: false,
            overhead: Duration::from_millis(DEFAULT_OVERHEAD),
        }
    }

    /// The lines that declare every option, as `uci` is answered.
    pub fn declarations(&self) -> Vec<String> {
        let declaration = |option: OptionName| {
            let kind = match option.kind(words(self.game)) {
                OptionKind::Spin { default, range } => {
                    format!("spin default {default} min {} max {}", range.start(), range.end())
                }
                OptionKind::Check => "check default false".to_owned(),
                OptionKind::Text { default } => format!("string default {default}"),
            };
            format!("option name {} type {kind}", option.text())
        };
        self.names().map(declaration).collect()
    }

    /// Sets an option of the game. Names do not mind upper and lower case. A mistake changes
    /// nothing.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), OptionError> {
        let is_meant = |option: &OptionName| option.text().eq_ignore_ascii_case(name);
        let Some(option) = self.names().find(is_meant) else {
            let known = self.names().map(OptionName::text).collect();
            return Err(OptionError::Name { name: name.to_owned(), known });
        };
        let spin = || option.spin(value, words(self.game));
        let mut new = self.clone();
        match option {
            OptionName::Hash => new.overrides.memory = Some(spin()? as usize * MIB),
            OptionName::Threads => new.overrides.threads = Some(spin()? as usize),
            OptionName::MultiPv => new.multi_pv = spin()? as usize,
            OptionName::Ponder => new.ponder = option.check(value)?,
            OptionName::Chess960 => new.chess960 = option.check(value)?,
            OptionName::ShowWdl => new.show_wdl = option.check(value)?,
            OptionName::AnalyseMode => new.analyse = option.check(value)?,
            OptionName::MoveOverhead => new.overhead = Duration::from_millis(spin()?),
            OptionName::Player => new.player = Spec::read(self.game, value)?,
            OptionName::Seed => {
                let accepted = || format!("a whole number from 0 to {}", u64::MAX);
                let seed = value.parse().map_err(|_| option.refuse(value, accepted()))?;
                new.overrides.seed = Some(seed);
            }
            OptionName::SyzygyPath => {
                let dir = (!["", EMPTY].contains(&value)).then(|| PathBuf::from(value));
                let check = |dir: &PathBuf| self.game.check_syzygy(dir);
                dir.as_ref().map_or(Ok(()), check).map_err(OptionError::Syzygy)?;
                new.overrides.syzygy = dir;
            }
            OptionName::Network => {
                new.overrides.network = (!["", EMPTY].contains(&value)).then(|| value.to_owned());
            }
        }
        let spec = new.spec()?;
        if !spec.fits_in_memory() {
            return Err(OptionError::Memory { mib: spec.memory() / MIB });
        }
        *self = new;
        Ok(())
    }

    /// The player with the memory, threads and seed that were set.
    pub fn spec(&self) -> Result<Spec, SpecError> {
        self.player.clone().with(&self.overrides)
    }

    /// How states are to be read.
    pub fn reading(&self) -> UciReading {
        if self.chess960 { UciReading::Chess960 } else { UciReading::AsWritten }
    }

    /// The options of the game, in the order in which they are declared.
    fn names(&self) -> impl Iterator<Item = OptionName> + use<> {
        let UciWords { chess960, syzygy, .. } = words(self.game);
        let has_networks = self.game.features().is_some();
        OptionName::ALL.into_iter().filter(move |option| match option {
            OptionName::Chess960 => chess960,
            OptionName::SyzygyPath => syzygy,
            OptionName::Network => has_networks,
            _ => true,
        })
    }
}

/// # Panics
/// If the game has no words in this protocol.
fn words(game: AnyGame) -> UciWords {
    game.uci().expect("only games with words in this protocol are played by it")
}

impl OptionName {
    /// All of them, in the order in which they are declared.
    pub const ALL: [OptionName; 12] = [
        OptionName::Hash,
        OptionName::Threads,
        OptionName::MultiPv,
        OptionName::Ponder,
        OptionName::Chess960,
        OptionName::ShowWdl,
        OptionName::AnalyseMode,
        OptionName::MoveOverhead,
        OptionName::Player,
        OptionName::Seed,
        OptionName::SyzygyPath,
        OptionName::Network,
    ];

    /// What it is called in the protocol.
    pub fn text(self) -> &'static str {
        match self {
            OptionName::Hash => "Hash",
            OptionName::Threads => "Threads",
            OptionName::MultiPv => "MultiPV",
            OptionName::Ponder => "Ponder",
            OptionName::Chess960 => "UCI_Chess960",
            OptionName::ShowWdl => "UCI_ShowWDL",
            OptionName::AnalyseMode => "UCI_AnalyseMode",
            OptionName::MoveOverhead => "Move Overhead",
            OptionName::Player => "Player",
            OptionName::Seed => "Seed",
            OptionName::SyzygyPath => "SyzygyPath",
            OptionName::Network => "Network",
        }
    }

    fn kind(self, words: UciWords) -> OptionKind {
        match self {
            OptionName::Hash => OptionKind::Spin { default: DEFAULT_HASH, range: 1..=65_536 },
            OptionName::Threads => OptionKind::Spin { default: 1, range: 1..=256 },
            OptionName::MultiPv => OptionKind::Spin { default: 1, range: 1..=MOST_LINES },
            OptionName::Ponder
            | OptionName::Chess960
            | OptionName::ShowWdl
            | OptionName::AnalyseMode => OptionKind::Check,
            OptionName::MoveOverhead => {
                OptionKind::Spin { default: DEFAULT_OVERHEAD, range: 0..=10_000 }
            }
            OptionName::Player => OptionKind::Text { default: words.player },
            // Seeds have 64 bits, more than interfaces can hold in a spin.
            OptionName::Seed => OptionKind::Text { default: "1" },
            OptionName::SyzygyPath | OptionName::Network => OptionKind::Text { default: EMPTY },
        }
    }

    fn spin(self, value: &str, words: UciWords) -> Result<u64, OptionError> {
        let OptionKind::Spin { range, .. } = self.kind(words) else {
            unreachable!("{self:?} is a spin")
        };
        let number = value.parse().ok().filter(|number| range.contains(number));
        number.ok_or_else(|| {
            let accepted = format!("a whole number from {} to {}", range.start(), range.end());
            self.refuse(value, accepted)
        })
    }

    fn check(self, value: &str) -> Result<bool, OptionError> {
        let is = |word: &str| value.eq_ignore_ascii_case(word);
        match (is("true"), is("false")) {
            (true, _) => Ok(true),
            (_, true) => Ok(false),
            _ => Err(self.refuse(value, "true or false".to_owned())),
        }
    }

    fn refuse(self, value: &str, accepted: String) -> OptionError {
        OptionError::Value { name: self.text(), value: value.to_owned(), accepted }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use monteverde_games::games;
    use monteverde_network::Network;

    fn chess() -> AnyGame {
        games().game("chess").expect("a game of ours")
    }

    fn set(name: &str, value: &str) -> Options {
        let mut options = Options::new(chess());
        options.set(name, value).expect("an option of the test");
        options
    }

    fn config_of(spec: &Spec) -> monteverde_mcts::Config {
        spec.settings().expect("a player with a tree").config.clone()
    }

    fn check_error(name: &str, value: &str, expected: &str) {
        let mut options = Options::new(chess());
        let error = options.set(name, value).expect_err("a mistake of the test");
        assert_eq!(error.to_string(), expected);
        assert_eq!(options, Options::new(chess()));
    }

    #[test]
    fn every_option_can_be_set_in_any_case() {
        let config = |name, value| config_of(&set(name, value).spec().expect("a spec"));
        assert_eq!(config("Hash", "16").memory, 16 << 20);
        assert_eq!(config("hash", "1").memory, 1 << 20);
        assert_eq!(config("THREADS", "4").threads, 4);
        assert_eq!(set("multipv", "3").multi_pv, 3);
        assert!(set("Ponder", "true").ponder);
        assert!(set("uci_chess960", "True").chess960);
        assert!(set("UCI_ShowWDL", "true").show_wdl);
        assert!(set("UCI_AnalyseMode", "true").analyse);
        assert!(!set("UCI_AnalyseMode", "false").analyse);
        assert_eq!(set("move overhead", "250").overhead, Duration::from_millis(250));
        assert_eq!(config("Seed", "18446744073709551615").seed, u64::MAX);
    }

    #[test]
    fn a_network_is_set_by_its_file_and_refused_where_there_is_none() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.net");
        let features = chess().features().expect("it has networks").description();
        let network = Network::random("chess", features, [64, 64], 1).expect("a network");
        std::fs::write(&path, network.write()).expect("it can be written");
        let mut options = set("Network", &path.display().to_string());
        let spec = options.spec().expect("a spec");
        let digest = spec.network().expect("it has one").network().digest().to_owned();
        assert_eq!(digest, network.digest());
        let error = options.set("network", "nowhere/at-all.net").expect_err("no file").to_string();
        assert!(error.contains("it cannot be read"), "{error}");
        assert_eq!(options.spec(), Ok(spec), "a mistake changes nothing");
        options.set("Network", EMPTY).expect("none");
        assert_eq!(options, Options::new(chess()));
    }

    #[test]
    fn options_go_before_the_spec() {
        let mut options = set("Player", "mcc:threads=2,seed=7,fraction=40");
        let spec = options.spec().expect("a spec");
        assert_eq!((config_of(&spec).threads, spec.fraction()), (2, 40));
        options.set("Threads", "3").expect("an option");
        options.set("Player", "mcc:threads=5,seed=8").expect("an option");
        let config = config_of(&options.spec().expect("a spec"));
        assert_eq!((config.threads, config.seed), (3, 8));
    }

    #[test]
    fn defaults_are_as_declared() {
        let mut declared = Options::new(chess());
        for name in OptionName::ALL {
            let value = match name.kind(words(chess())) {
                OptionKind::Spin { default, .. } => default.to_string(),
                OptionKind::Check => "false".to_owned(),
                OptionKind::Text { default } => default.to_owned(),
            };
            declared.set(name.text(), &value).expect("a default");
        }
        assert_eq!(declared.spec(), Options::new(chess()).spec());
        assert_eq!(Options { overrides: Overrides::default(), ..declared }, Options::new(chess()));
    }

    #[test]
    fn mistakes_are_named_and_change_nothing() {
        check_error(
            "Hesh",
            "1",
            "no option is called 'Hesh'; there are Hash, Threads, MultiPV, Ponder, UCI_Chess960, \
             UCI_ShowWDL, UCI_AnalyseMode, Move Overhead, Player, Seed, SyzygyPath, Network",
        );
        let spin = "is no value for the option Hash; accepted is a whole number from 1 to 65536";
        for value in ["", "0", "-1", "65537", "lots", "1.5", "99999999999999999999999"] {
            check_error("Hash", value, &format!("'{value}' {spin}"));
        }
        let player = Spec::read(chess(), "deep-thought").expect_err("no such player");
        check_error("Player", "deep-thought", &player.to_string());
        check_error(
            "Ponder",
            "yes",
            "'yes' is no value for the option Ponder; accepted is true or false",
        );
        check_error(
            "Seed",
            "-1",
            "'-1' is no value for the option Seed; \
             accepted is a whole number from 0 to 18446744073709551615",
        );
    }

    #[test]
    fn declarations_name_kind_default_and_range() {
        let lines = Options::new(chess()).declarations();
        assert_eq!(lines.len(), OptionName::ALL.len());
        assert_eq!(lines[0], "option name Hash type spin default 1024 min 1 max 65536");
        assert_eq!(lines[3], "option name Ponder type check default false");
        assert_eq!(lines[7], "option name Move Overhead type spin default 10 min 0 max 10000");
        assert_eq!(lines[8], "option name Player type string default best");
    }

    #[test]
    fn each_game_has_its_options() {
        let loa = games().game("loa").expect("a game of ours");
        let lines = Options::new(loa).declarations();
        assert_eq!(lines.len(), 10);
        assert!(lines.iter().all(|line| !line.contains("Chess960")), "{lines:?}");
        let mut options = Options::new(loa);
        let error = options.set("UCI_Chess960", "true").expect_err("chess has it").to_string();
        assert!(
            error.starts_with("no option is called 'UCI_Chess960'; there are Hash, "),
            "{error}"
        );
        let error = options.set("Player", "mcc").expect_err("a player of chess").to_string();
        assert!(error.starts_with("loa has no player 'mcc'"), "{error}");
    }
}
