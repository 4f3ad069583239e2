//! What the interface may set.

use monteverde_players::{
    AnyGame, Overrides, Spec, SpecError, Strength, StrengthScale, UciReading, UciWords,
};
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;

/// Every option with its present value.
#[derive(Clone, PartialEq, Debug)]
pub struct Options {
    game: AnyGame,
    player: Spec,
    /// Whether the text of the player said how much memory it takes.
    player_has_memory: bool,
    overrides: Overrides,
    /// Whether play is weaker than it could be.
    limit_strength: bool,
    /// The rating that limited play comes to.
    elo: u32,
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

/// The tree of the players has at most this much memory unless Hash or the player's spec says more,
/// in MiB.
const DEFAULT_HASH: u64 = 256;
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
    /// Whether play is limited.
    LimitStrength,
    /// The rating of limited play.
    Elo,
    /// Forgets the tree.
    ClearHash,
    /// The file of a learned network.
    Network,
}

/// What values an option has.
enum OptionKind {
    Spin { default: u64, range: RangeInclusive<u64> },
    Check,
    Text { default: &'static str },
    Button,
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
            player_has_memory: false,
            overrides: Overrides::default(),
            limit_strength: false,
            elo: game.strength().map_or(0, |scale| *scale.range().end()),
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
            let kind = match option.kind(self.game) {
                OptionKind::Spin { default, range } => {
                    format!("spin default {default} min {} max {}", range.start(), range.end())
                }
                OptionKind::Check => "check default false".to_owned(),
                OptionKind::Text { default } => format!("string default {default}"),
                OptionKind::Button => "button".to_owned(),
            };
            format!("option name {} type {kind}", option.text())
        };
        self.names().map(declaration).collect()
    }

    /// Sets an option of the game. Names do not mind upper and lower case. A mistake changes
    /// nothing.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), OptionError> {
        let is_meant = |option: &OptionName| option.is(name);
        let Some(option) = self.names().find(is_meant) else {
            let known = self.names().map(OptionName::text).collect();
            return Err(OptionError::Name { name: name.to_owned(), known });
        };
        let spin = || option.spin(value, self.game);
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
            OptionName::Player => {
                new.player = Spec::read(self.game, value)?;
                new.player_has_memory = names_memory(value);
            }
            OptionName::LimitStrength => new.limit_strength = option.check(value)?,
            OptionName::Elo => new.elo = spin()? as u32,
            // What is forgotten is the engine's business.
            OptionName::ClearHash => {}
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

    /// The player with the memory, threads and seed that were set; where play is limited, the one
    /// that comes to the wanted rating.
    pub fn spec(&self) -> Result<Spec, SpecError> {
        let player = match self.strength() {
            Some(Strength { spec, .. }) => Spec::read(self.game, &spec)?,
            None => self.player.clone(),
        };
        let has_memory = self.player_has_memory && self.strength().is_none();
        let usual = player.memory().min(DEFAULT_HASH as usize * MIB);
        let default = Some(usual).filter(|&bytes| bytes > 0 && !has_memory);
        let memory = self.overrides.memory.or(default);
        player.with(&Overrides { memory, ..self.overrides.clone() })
    }

    /// How the wanted rating is played; `None` where play is not limited.
    pub fn strength(&self) -> Option<Strength> {
        let scale = self.game.strength().filter(|_| self.limit_strength)?;
        Some(scale.at(self.elo))
    }

    /// How states are to be read.
    pub fn reading(&self) -> UciReading {
        if self.chess960 { UciReading::Chess960 } else { UciReading::AsWritten }
    }

    /// The options of the game, in the order in which they are declared.
    fn names(&self) -> impl Iterator<Item = OptionName> + use<> {
        let UciWords { chess960, syzygy, .. } = words(self.game);
        let has_networks = self.game.features().is_some();
        let has_ratings = self.game.strength().is_some();
        OptionName::ALL.into_iter().filter(move |option| match option {
            OptionName::Chess960 => chess960,
            OptionName::SyzygyPath => syzygy,
            OptionName::LimitStrength | OptionName::Elo => has_ratings,
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

/// Whether the text of a spec says how much memory its player takes.
fn names_memory(spec: &str) -> bool {
    let settings = spec.split_once(':').map_or("", |(_, settings)| settings);
    let keys = settings.split(',').map(|item| item.split('=').next().unwrap_or_default().trim());
    keys.into_iter().any(|key| key == "memory")
}

/// The ratings that a game can be played at.
///
/// # Panics
/// If none were measured.
fn ratings(game: AnyGame) -> RangeInclusive<u64> {
    let scale: StrengthScale = game.strength().expect("only games with ratings have the option");
    let (least, most) = scale.range().into_inner();
    u64::from(least)..=u64::from(most)
}

impl OptionName {
    /// All of them, in the order in which they are declared.
    pub const ALL: [OptionName; 15] = [
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
        OptionName::LimitStrength,
        OptionName::Elo,
        OptionName::ClearHash,
        OptionName::Network,
    ];

    /// Whether an interface means it by that name.
    pub fn is(self, name: &str) -> bool {
        self.text().eq_ignore_ascii_case(name)
    }

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
            OptionName::LimitStrength => "UCI_LimitStrength",
            OptionName::Elo => "UCI_Elo",
            OptionName::ClearHash => "Clear Hash",
            OptionName::Network => "Network",
        }
    }

    fn kind(self, game: AnyGame) -> OptionKind {
        match self {
            OptionName::Hash => OptionKind::Spin { default: DEFAULT_HASH, range: 1..=65_536 },
            OptionName::Threads => OptionKind::Spin { default: 1, range: 1..=256 },
            OptionName::MultiPv => OptionKind::Spin { default: 1, range: 1..=MOST_LINES },
            OptionName::Ponder
            | OptionName::Chess960
            | OptionName::ShowWdl
            | OptionName::AnalyseMode
            | OptionName::LimitStrength => OptionKind::Check,
            OptionName::Elo => {
                OptionKind::Spin { default: *ratings(game).end(), range: ratings(game) }
            }
            OptionName::ClearHash => OptionKind::Button,
            OptionName::MoveOverhead => {
                OptionKind::Spin { default: DEFAULT_OVERHEAD, range: 0..=10_000 }
            }
            OptionName::Player => OptionKind::Text { default: words(game).player },
            // Seeds have 64 bits, more than interfaces can hold in a spin.
            OptionName::Seed => OptionKind::Text { default: "1" },
            OptionName::SyzygyPath | OptionName::Network => OptionKind::Text { default: EMPTY },
        }
    }

    fn spin(self, value: &str, game: AnyGame) -> Result<u64, OptionError> {
        let OptionKind::Spin { range, .. } = self.kind(game) else {
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
        assert_eq!((config_of(&spec).threads, spec.clock_use().fraction), (2, 40));
        options.set("Threads", "3").expect("an option");
        options.set("Player", "mcc:threads=5,seed=8").expect("an option");
        let config = config_of(&options.spec().expect("a spec"));
        assert_eq!((config.threads, config.seed), (3, 8));
    }

    #[test]
    fn a_tree_has_256_mib_unless_somebody_says_more() {
        let memory = |options: &Options| options.spec().expect("a spec").memory();
        assert_eq!(memory(&Options::new(chess())), 256 << 20);
        assert_eq!(memory(&set("Player", "mcc")), 256 << 20);
        assert_eq!(memory(&set("Player", "mcc:c=0.5, memory=1GiB")), 1 << 30);
        let mut options = set("Player", "mcc:memory=1GiB");
        options.set("Hash", "16").expect("an option");
        assert_eq!(memory(&options), 16 << 20);
    }

    #[test]
    fn a_rating_stands_for_a_player() {
        let mut options = set("UCI_LimitStrength", "true");
        options.set("Player", "mcc:memory=1GiB").expect("an option");
        options.set("Seed", "9").expect("an option");
        options.set("UCI_Elo", "1400").expect("an option");
        let spec = options.spec().expect("a spec");
        assert_eq!((spec.name(), spec.memory(), spec.seed()), ("best", 256 << 20, 9));
        assert!(config_of(&spec).choose_temperature.is_some());
        let iterations = |elo: &str| {
            let mut options = options.clone();
            options.set("UCI_Elo", elo).expect("an option");
            options.strength().expect("a limit").iterations
        };
        assert!(iterations("1400") < iterations("1800") && iterations("1800") < iterations("2000"));
        options.set("UCI_LimitStrength", "false").expect("an option");
        assert_eq!((options.spec().expect("a spec").name(), options.strength()), ("mcc", None));
    }

    #[test]
    fn defaults_are_as_declared() {
        let mut declared = Options::new(chess());
        for name in OptionName::ALL {
            let value = match name.kind(chess()) {
                OptionKind::Spin { default, .. } => default.to_string(),
                OptionKind::Check => "false".to_owned(),
                OptionKind::Text { default } => default.to_owned(),
                OptionKind::Button => String::new(),
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
             UCI_ShowWDL, UCI_AnalyseMode, Move Overhead, Player, Seed, SyzygyPath, UCI_LimitStrength, \
             UCI_Elo, Clear Hash, Network",
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
        assert_eq!(lines[0], "option name Hash type spin default 256 min 1 max 65536");
        assert_eq!(lines[3], "option name Ponder type check default false");
        assert_eq!(lines[7], "option name Move Overhead type spin default 10 min 0 max 10000");
        assert_eq!(lines[8], "option name Player type string default best");
        assert_eq!(lines[11], "option name UCI_LimitStrength type check default false");
        assert!(lines[12].starts_with("option name UCI_Elo type spin default "), "{}", lines[12]);
        assert_eq!(lines[13], "option name Clear Hash type button");
    }

    #[test]
    fn each_game_has_its_options() {
        let loa = games().game("loa").expect("a game of ours");
        let lines = Options::new(loa).declarations();
        assert_eq!(lines.len(), 11);
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
