//! Tournaments written down in TOML.
//!
//! ```toml
//! game = "chess"
//! format = "gauntlet"            # the first player against each of the others; or "round-robin",
//!                                # or "knockout", or "swiss" with rounds = 5, or "meetings" of a
//!                                # list, see below
//! games = 10                     # of each meeting
//! seed = 7
//! pace = "iterations=200"        # of every player that has none of its own
//! concurrency = 2                # all cores if it is left out
//! ponder = false                 # true: players think in their opponents' time, too
//!
//! [openings]                     # the initial state if it is left out
//! random = 4                     # or file = "book.pgn" and plies = 8, or every = 3
//! balance = { within = 0.2, iterations = 500 }
//!
//! [adjudication]                 # none if it is left out
//! draw = { from = 80, moves = 8, within = 0.02 }
//! resign = { moves = 4, beyond = 0.95 } # or score = 600, in hundredths of a pawn, as in draw;
//!                                # sides = "loser": the one that loses need only see it itself
//! length = 400
//! tables = 4                     # what endgame tables of up to so many pieces know is not played out
//!
//! # In place of a pace: each player with a spec and no pace of its own gets iterations in proportion to its
//! # speed, which is measured first, or given here once and for all: speeds = { mcc = 40_000 }.
//! # equal-time = { reference = "mcc", iterations = 2000 }
//! # Two players may be tested: no game is begun once one of the Elo differences is accepted.
//! # test = { elo0 = 0, elo1 = 10, alpha = 0.05, beta = 0.05, scale = "logistic" }
//!
//! [[player]]
//! spec = "mcc"
//!
//! [[player]]
//! name = "gnu"
//! command = "gnuchess"
//! args = ["--uci"]
//! options = { Hash = 16 }
//! pace = "time=100ms"
//! margin = "200ms"
//! patience = "5s"
//! protocol = "uci"               # or "xboard"
//!
//! # With the format "meetings" only those play each other that are listed, by their names, or by
//! # their specs where they have none. A meeting may have its own number of games.
//! # [[meeting]]
//! # players = ["mcc", "gnu"]
//! # games = 4
//! ```

mod meetings;
mod rules;

pub use rules::table_pieces;

use crate::adjudication::Adjudication;
use crate::contest::{ContestPlan, Format, Openings};
use crate::contestant::{Contestant, EngineSpec};
use crate::duration_text::DurationText;
use crate::keys::{FileError, only, optional, parse, required};
use crate::opening::Balance;
use crate::pace::Pace;
use monteverde_players::Games;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use toml::{Table, Value};

/// A tournament as its file has it.
#[derive(Clone, PartialEq, Debug)]
pub struct Tournament {
    /// What is played.
    pub plan: ContestPlan,
    /// How many games at once, if the file says so.
    pub concurrency: Option<usize>,
}

/// What errors call a tournament.
pub const PLACE: &str = "a tournament";
const PLAYER: &str = "a player";

impl Tournament {
    /// The keys of a tournament.
    pub const KEYS: [&'static str; 14] = [
        "game",
        "format",
        "rounds",
        "games",
        "seed",
        "pace",
        "ponder",
        "equal-time",
        "test",
        "concurrency",
        "openings",
        "adjudication",
        "player",
        "meeting",
    ];

    /// Reads the text of a file that stands in `folder`: relative paths start there. `build` is the
    /// program that will play.
    pub fn parse(
        games: &Games,
        text: &str,
        folder: &Path,
        build: &str,
    ) -> Result<Tournament, FileError> {
        Tournament::from_table(games, &parse(text)?, folder, build)
    }

    /// As [`Tournament::parse`], from a file that is read already.
    pub fn from_table(
        games: &Games,
        table: &Table,
        folder: &Path,
        build: &str,
    ) -> Result<Tournament, FileError> {
        only(PLACE, table, &Tournament::KEYS)?;
        let players: Vec<Table> = required(PLACE, table, "player")?;
        let equal_time = match optional::<Table>(PLACE, table, "equal-time")? {
            Some(equal) => Some(rules::equal_time(&equal, &players)?),
            None => None,
        };
        let common = optional::<Pace>(PLACE, table, "pace")?;
        if common.is_some() && equal_time.is_some() {
            return Err(wrong("pace", "'equal-time' is in place of it; leave one out"));
        }
        let concurrency = optional(PLACE, table, "concurrency")?;
        if concurrency == Some(0) {
            return Err(wrong("concurrency", "0 is not accepted; whole numbers from 1 are"));
        }
        let ponder = optional::<bool>(PLACE, table, "ponder")?.unwrap_or(false);
        let contestant = |(number, player): (usize, &Table)| {
            // Until speeds are known, everyone who follows the reference has its iterations.
            let taken = equal_time.as_ref().filter(|equal| equal.takers.contains(&number));
            let taken = taken.map(|equal| Pace::Iterations(equal.iterations));
            let mut one = contestant(player, folder, taken.or(common))?;
            one.ponder = optional(PLAYER, player, "ponder")?.unwrap_or(ponder).into();
            Ok::<_, FileError>(one)
        };
        let contestants: Result<Vec<_>, _> = players.iter().enumerate().map(contestant).collect();
        let contestants = contestants?;
        let plan = ContestPlan {
            game: games.game(&required::<String>(PLACE, table, "game")?)?,
            format: format(table, &contestants)?,
            contestants,
            games: required(PLACE, table, "games")?,
            openings: match optional(PLACE, table, "openings")? {
                Some(openings) => self::openings(&openings, folder)?,
                None => Openings::Start,
            },
            seed: optional(PLACE, table, "seed")?.unwrap_or(1),
            adjudication: match optional(PLACE, table, "adjudication")? {
                Some(rules) => rules::adjudication(&rules)?,
                None => Adjudication::default(),
            },
            test: match optional(PLACE, table, "test")? {
                Some(test) => Some(rules::test(&test)?),
                None => None,
            },
            equal_time,
            build: build.to_owned(),
        };
        Ok(Tournament { plan, concurrency })
    }
}

fn wrong(key: &str, problem: impl Into<String>) -> FileError {
    FileError::Value { place: format!("the key '{key}' of {PLACE}"), problem: problem.into() }
}

fn format(table: &Table, contestants: &[Contestant]) -> Result<Format, FileError> {
    let rounds: Option<u32> = optional(PLACE, table, "rounds")?;
    let name = required::<String>(PLACE, table, "format")?;
    let format = match (name.as_str(), rounds) {
        ("round-robin", None) => Format::RoundRobin,
        ("gauntlet", None) => Format::Gauntlet,
        ("knockout", None) => Format::Knockout,
        ("swiss", Some(rounds)) => Format::Swiss { rounds },
        ("swiss", None) => {
            return Err(FileError::Missing { place: PLACE.to_owned(), key: "rounds" });
        }
        ("meetings", None) => {
            let names: Vec<&str> = contestants.iter().map(|one| one.name.as_str()).collect();
            return Ok(Format::Meetings(meetings::read(table, &names)?));
        }
        ("round-robin" | "gauntlet" | "knockout" | "meetings", Some(_)) => {
            let problem = format!("'{name}' has none; only 'swiss' is held in so many rounds");
            return Err(wrong("rounds", problem));
        }
        (other, _) => {
            return Err(wrong(
                "format",
                format!(
                    "'{other}' is no format; accepted are round-robin, gauntlet, knockout, swiss \
                     and meetings"
                ),
            ));
        }
    };
    if table.contains_key("meeting") {
        let problem = format!("'{name}' has none; only the format 'meetings' lists who meets whom");
        return Err(wrong("meeting", problem));
    }
    Ok(format)
}

fn contestant(table: &Table, folder: &Path, common: Option<Pace>) -> Result<Contestant, FileError> {
    const SPEC_KEYS: [&str; 5] = ["spec", "name", "pace", "ponder", "margin"];
    const ENGINE_KEYS: [&str; 10] = [
        "command", "args", "dir", "options", "patience", "protocol", "name", "pace", "ponder",
        "margin",
    ];
    let is_spec = table.contains_key("spec");
    let place = if is_spec { "a player with a spec" } else { "a player with a command" };
    only(place, table, if is_spec { &SPEC_KEYS } else { &ENGINE_KEYS })?;
    let Some(pace) = optional(place, table, "pace")?.or(common) else {
        return Err(FileError::Missing { place: place.to_owned(), key: "pace" });
    };
    let mut contestant = if is_spec {
        Contestant::spec(&required::<String>(place, table, "spec")?, pace)
    } else {
        Contestant::engine(engine(place, table, folder)?, pace)
    };
    if let Some(name) = optional(place, table, "name")? {
        contestant.name = name;
    }
    if let Some(margin) = optional(place, table, "margin")? {
        contestant.margin = margin;
    }
    Ok(contestant)
}

fn engine(place: &str, table: &Table, folder: &Path) -> Result<EngineSpec, FileError> {
    let options: BTreeMap<String, Value> = optional(place, table, "options")?.unwrap_or_default();
    let text = |value: Value| match value {
        Value::String(text) => text,
        other => other.to_string(),
    };
    let command: String = required(place, table, "command")?;
    // A bare name is looked up by the system; a path starts where the file is.
    let is_path = command.contains(std::path::is_separator);
    Ok(EngineSpec {
        command: if is_path { below(folder, &command) } else { command },
        args: optional(place, table, "args")?.unwrap_or_default(),
        dir: optional::<String>(place, table, "dir")?.map(|dir| below(folder, &dir)),
        options: options.into_iter().map(|(name, value)| (name, text(value))).collect(),
        patience: optional::<DurationText>(place, table, "patience")?
            .unwrap_or(EngineSpec::PATIENCE),
        protocol: optional(place, table, "protocol")?.unwrap_or_default(),
        identity: None,
    })
}

fn below(folder: &Path, path: &str) -> String {
    folder.join(path).to_string_lossy().into_owned()
}

/// Reads the table that says where games begin.
pub(crate) fn openings(table: &Table, folder: &Path) -> Result<Openings, FileError> {
    const PLACE: &str = "the table 'openings'";
    only(PLACE, table, &["file", "plies", "random", "balance", "every"])?;
    let file: Option<PathBuf> = optional(PLACE, table, "file")?;
    let random: Option<u32> = optional(PLACE, table, "random")?;
    let every: Option<u32> = optional(PLACE, table, "every")?;
    let needs = |key: &str, other: &str| FileError::Value {
        place: PLACE.to_owned(),
        problem: format!("the key '{key}' means nothing without '{other}'"),
    };
    if table.contains_key("plies") && file.is_none() {
        return Err(needs("plies", "file"));
    }
    if table.contains_key("balance") && random.is_none() {
        return Err(needs("balance", "random"));
    }
    match (file, random, every) {
        (Some(file), None, None) => {
            let plies = optional(PLACE, table, "plies")?;
            Ok(Openings::File { path: folder.join(file), plies })
        }
        (None, Some(plies), None) => {
            let balance = match optional::<Table>(PLACE, table, "balance")? {
                Some(table) => Some(balance(&table)?),
                None => None,
            };
            Ok(Openings::Random { plies, balance })
        }
        (None, None, Some(plies)) => Ok(Openings::Every { plies }),
        _ => Err(FileError::Value {
            place: PLACE.to_owned(),
            problem: "exactly one of 'file', 'random' and 'every' is needed".to_owned(),
        }),
    }
}

fn balance(table: &Table) -> Result<Balance, FileError> {
    const PLACE: &str = "the table 'balance'";
    only(PLACE, table, &["within", "iterations"])?;
    Ok(Balance {
        within: rules::share(PLACE, table, "within")?,
        iterations: required(PLACE, table, "iterations")?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contest::Meeting;
    use crate::contestant::ContestantKind;
    use monteverde_games::games;

    const PLAYERS: &str = "[[player]]\nspec = 'mcc'\n[[player]]\nspec = 'mcc:c=0.5'\n";

    fn read(text: &str) -> Result<Tournament, String> {
        let parsed = Tournament::parse(&games(), text, Path::new("/folder"), "test");
        parsed.map_err(|error| error.to_string())
    }

    #[test]
    fn the_example_is_read() {
        let source = include_str!("tournament.rs");
        let lines = source.lines().map_while(|line| line.strip_prefix("//!"));
        let lines = lines.map(|line| line.strip_prefix(' ').unwrap_or(line));
        let example: Vec<_> = lines
            .skip_while(|line| *line != "```toml")
            .skip(1)
            .take_while(|line| *line != "```")
            .collect();
        let Tournament { plan, concurrency } = read(&example.join("\n")).unwrap();
        assert_eq!((plan.format, plan.games, plan.seed), (Format::Gauntlet, 10, 7));
        assert_eq!(concurrency, Some(2));
        assert!(matches!(plan.openings, Openings::Random { plies: 4, balance: Some(_) }));
        assert_eq!((plan.adjudication.length, plan.adjudication.tables), (Some(400), Some(4)));
        let ContestantKind::Engine(gnu) = &plan.contestants[1].kind else { panic!("an engine") };
        assert_eq!((gnu.command.as_str(), gnu.options["Hash"].as_str()), ("gnuchess", "16"));
        assert_eq!(plan.contestants[1].pace, "time=100ms".parse().unwrap());
        assert_eq!(plan.contestants[1].margin, DurationText::ms(200));
    }

    /// The example of a list stands in comments, since the example as a whole has another format.
    #[test]
    fn the_example_of_a_list_is_read() {
        let source = include_str!("tournament.rs");
        let lines = source.lines().map_while(|line| line.strip_prefix("//!"));
        let lines = lines.skip_while(|line| *line != " # [[meeting]]");
        let list: Vec<_> = lines.map_while(|line| line.strip_prefix(" # ")).collect();
        assert_eq!(list.len(), 3);
        let text = "game = 'chess'\nformat = 'meetings'\ngames = 10\npace = 'depth=1'\n\
                    [[player]]\nspec = 'mcc'\n[[player]]\nname = 'gnu'\ncommand = 'gnuchess'\n";
        let plan = read(&format!("{text}{}", list.join("\n"))).unwrap().plan;
        let listed = Meeting { players: (0, 1), games: Some(4) };
        assert_eq!((plan.total(), plan.format), (4, Format::Meetings(vec![listed])));
    }

    #[test]
    fn meetings_are_read_with_their_games() {
        let text = "game = 'chess'\nformat = 'meetings'\ngames = 10\npace = 'nodes=1'\n\
                    player = [{ name = 'a', spec = 'mcc' }, { spec = 'mcc:c=0.5' },\n\
                    { command = '/bin/engine' }, { name = 'b', spec = 'mcc' }]\n";
        let inline = "meeting = [{ players = ['engine', 'a'], games = 3 },\n\
                      { players = ['a', 'mcc:c=0.5'] }]\n";
        let tables = "[[meeting]]\nplayers = ['engine', 'a']\ngames = 3\n\
                      [[meeting]]\nplayers = ['a', 'mcc:c=0.5']\n";
        let plan = read(&format!("{text}{inline}")).unwrap().plan;
        assert_eq!(read(&format!("{text}{tables}")).unwrap().plan, plan);
        let listed = [((2, 0), Some(3)), ((0, 1), None)];
        let listed = listed.map(|(players, games)| Meeting { players, games });
        assert_eq!(plan.format, Format::Meetings(listed.to_vec()));
        assert_eq!(plan.pairings(), [(0, 2), (0, 1)], "in the order of the players");
        assert_eq!([(0, 2), (2, 0), (0, 1), (1, 3)].map(|two| plan.games_of(two)), [3, 3, 10, 10]);
        assert_eq!(plan.total(), 13);
    }

    #[test]
    fn errors_of_meetings_say_what_is_wrong() {
        let head = "game = 'chess'\nformat = 'meetings'\ngames = 2\npace = 'nodes=1'\n\
                    player = [{ name = 'a', spec = 'mcc' }, { name = 'b', spec = 'mcc' },\n\
                    { spec = 'mcc' }, { spec = 'mcc' }]\n";
        let good = format!("{head}meeting = [{{ players = ['a', 'b'] }}]");
        assert!(read(&good).is_ok(), "two of one name may stand on the list that meet nobody");
        let list = |meetings: &str| format!("{head}meeting = [{meetings}]");
        const KEY: &str = "the key 'meeting' of a tournament: ";
        for (text, error) in [
            (
                head.to_owned(),
                "a tournament with the format 'meetings' needs the key 'meeting'".to_owned(),
            ),
            (list(""), format!("{KEY}the list of meetings is empty; at least one is needed")),
            (
                list("{ players = ['a', 'B'] }"),
                format!("{KEY}there is no player 'B'; players: a, b, mcc, mcc"),
            ),
            (
                list("{ players = ['a', 'mcc'] }"),
                format!(
                    "{KEY}2 players are called 'mcc', and a meeting cannot tell them apart; give each \
                     a 'name' of its own"
                ),
            ),
            (
                list("{ players = ['b', 'b'] }"),
                format!("{KEY}'b' cannot meet itself; a meeting is of two different players"),
            ),
            (
                list("{ players = ['a', 'b'] }, { players = ['b', 'a'], games = 4 }"),
                format!("{KEY}'a' and 'b' are listed twice; list them once, with all their games"),
            ),
            (
                list("{ players = ['b', 'a'], games = 0 }"),
                format!("{KEY}'a' and 'b' have 0 games; whole numbers from 1 are accepted"),
            ),
            (
                list("{ players = ['a', 'b'], games = -1 }"),
                "the key 'games' of a meeting: ".to_owned(),
            ),
            (
                list("{ players = ['a'] }"),
                "the key 'players' of a meeting: it names 1; accepted are the names of two"
                    .to_owned(),
            ),
            (list("{ games = 2 }"), "a meeting needs the key 'players'".to_owned()),
            (
                list("{ players = ['a', 'b'], game = 2 }"),
                "a meeting has no key 'game' (perhaps 'games'?); keys: players, games".to_owned(),
            ),
            (
                good.replace("'meetings'", "'gauntlet'"),
                format!(
                    "{KEY}'gauntlet' has none; only the format 'meetings' lists who meets whom"
                ),
            ),
            (
                good.replace("'meetings'", "'swiss'\nrounds = 2"),
                format!("{KEY}'swiss' has none; only the format 'meetings' lists who meets whom"),
            ),
            (
                format!("rounds = 2\n{good}"),
                "the key 'rounds' of a tournament: 'meetings' has none".to_owned(),
            ),
        ] {
            let found = read(&text).unwrap_err();
            assert!(found.starts_with(&error), "{found}");
        }
    }

    #[test]
    fn paths_start_where_the_file_is() {
        let text = "game = 'chess'\nformat = 'round-robin'\ngames = 2\npace = 'nodes=1'\n\
                    [openings]\nfile = 'book.pgn'\nplies = 4\n\
                    [[player]]\ncommand = './engine'\ndir = 'home'\n[[player]]\ncommand = '/bin/e'\n";
        let plan = read(text).unwrap().plan;
        let path = PathBuf::from("/folder/book.pgn");
        assert_eq!(plan.openings, Openings::File { path, plies: Some(4) });
        let engine = |index: usize| match &plan.contestants[index].kind {
            ContestantKind::Engine(engine) => engine.clone(),
            ContestantKind::Spec(_) => panic!("an engine"),
        };
        assert_eq!(engine(0).command, "/folder/./engine");
        assert_eq!(engine(0).dir.as_deref(), Some("/folder/home"));
        assert_eq!(engine(1).command, "/bin/e");
    }

    #[test]
    fn errors_say_what_is_wrong() {
        let good =
            format!("game = 'chess'\nformat = 'gauntlet'\ngames = 2\npace = 'nodes=1'\n{PLAYERS}");
        assert!(read(&good).is_ok());
        for (text, error) in [
            ("game = ".to_owned(), "it is no TOML: "),
            (
                format!("gmaes = 2\n{good}"),
                "a tournament has no key 'gmaes' (perhaps 'games'?); keys: ",
            ),
            (good.replace("games = 2\n", ""), "a tournament needs the key 'games'"),
            (good.replace("games = 2", "games = -2"), "the key 'games' of a tournament: "),
            (
                good.replace("gauntlet", "swill"),
                "the key 'format' of a tournament: 'swill' is no format; accepted are round-robin, gauntlet, knockout",
            ),
            (good.replace("gauntlet", "swiss"), "a tournament needs the key 'rounds'"),
            (
                format!("rounds = 3\n{good}"),
                "the key 'rounds' of a tournament: 'gauntlet' has none",
            ),
            (
                good.replace("nodes=1", "node=1"),
                "the key 'pace' of a tournament: 'node' is no kind",
            ),
            (good.replace("pace = 'nodes=1'\n", ""), "a player with a spec needs the key 'pace'"),
            (
                format!("equal-time = {{ reference = 'mcc', iterations = 5 }}\n{good}"),
                "the key 'pace' of a tournament: 'equal-time' is in place of it",
            ),
            (format!("concurrency = 0\n{good}"), "the key 'concurrency' of a tournament: 0 is not"),
            (good.clone() + "[[player]]\nnaem = 'x'", "a player with a command has no key 'naem'"),
            (
                good.clone() + "[[player]]\nname = 'x'",
                "a player with a command needs the key 'command'",
            ),
            (
                good.clone() + "[openings]\nrandom = 2\nevery = 2",
                "the table 'openings': exactly one",
            ),
            (
                good.clone() + "[openings]\nevery = 2\nplies = 2",
                "the table 'openings': the key 'plies'",
            ),
            (
                good.clone() + "[adjudication]\ndraw = { from = 2 }",
                "the table 'draw' needs the key 'moves'",
            ),
        ] {
            let found = read(&text).unwrap_err();
            assert!(found.starts_with(error), "{found}");
        }
    }
    #[test]
    fn rules_that_would_end_every_game_at_once_are_refused() {
        let good =
            format!("game = 'chess'\nformat = 'gauntlet'\ngames = 2\npace = 'nodes=1'\n{PLAYERS}");
        for (rule, error) in [
            ("length = 0", "the key 'length' of the table 'adjudication': 0 is not"),
            ("tables = 6", "the key 'tables' of the table 'adjudication': 6 is not"),
            (
                "resign = { moves = 0, beyond = 0.9 }",
                "the key 'moves' of the table 'resign': 0 is not",
            ),
            (
                "resign = { moves = 4294967295, beyond = 0.9 }",
                "the key 'moves' of the table 'resign': 4294967295 is not",
            ),
            (
                "resign = { moves = 4, beyond = -0.9 }",
                "the key 'beyond' of the table 'resign': -0.9",
            ),
            (
                "draw = { from = 1, moves = 0, within = 0.1 }",
                "the key 'moves' of the table 'draw': 0",
            ),
            (
                "draw = { from = 1, moves = 2, within = nan }",
                "the key 'within' of the table 'draw': NaN",
            ),
        ] {
            let found = read(&format!("{good}[adjudication]\n{rule}\n")).unwrap_err();
            assert!(found.starts_with(error), "{found}");
        }
    }
}
