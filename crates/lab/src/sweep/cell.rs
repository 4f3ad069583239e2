//! The file of a sweep, and what is done in each cell.

use super::grid::{self, GridError, Values};
use super::result::{ALL_MEASURES, measures};
use super::{PlotChoice, PlotError, Sweep, SweepError};
use crate::adjudication::Adjudication;
use crate::contest::{Contest, ContestPlan, Format, Openings};
use crate::contestant::Contestant;
use crate::keys::{FileError, only, optional, required};
use crate::measure::{MeasureError, Probe, ProbeKind};
use crate::pace::Pace;
use crate::tournament;
use monteverde_players::text::nearest;
use monteverde_players::{AnyGame, Games};
use std::path::Path;
use toml::{Table, Value};

/// What is measured in each cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum CellKind {
    /// A player against an opponent.
    Match,
    /// A player against itself.
    SelfPlay,
    /// Random games from a state.
    Playouts,
    /// What a player chooses in a state.
    Search,
}

/// One cell.
#[derive(Clone, Debug)]
pub(super) struct SweepCell {
    /// The grid's keys with this cell's values.
    pub(super) labels: Vec<(String, String)>,
    pub(super) work: CellWork,
    /// The move that searches are to find; empty for other kinds.
    pub(super) answer: String,
}

/// What is to be done for a cell.
#[derive(Clone, Debug)]
pub(super) enum CellWork {
    Contest(ContestPlan),
    Probe(Probe),
}

const PLACE: &str = "a sweep";

impl CellKind {
    const ALL: [CellKind; 4] =
        [CellKind::Match, CellKind::SelfPlay, CellKind::Playouts, CellKind::Search];

    pub(super) fn name(self) -> &'static str {
        match self {
            CellKind::Match => "match",
            CellKind::SelfPlay => "self-play",
            CellKind::Playouts => "playouts",
            CellKind::Search => "search",
        }
    }

    /// What its sample counts.
    pub(super) fn unit(self) -> &'static str {
        match self {
            CellKind::Match | CellKind::SelfPlay => "games",
            CellKind::Playouts => "playouts",
            CellKind::Search => "searches",
        }
    }

    /// The keys that a cell of this kind takes, from the file or from the grid.
    fn keys(self) -> &'static [&'static str] {
        match self {
            CellKind::Match => {
                &["seed", "player", "opponent", "pace", "opponent-pace", "games", "openings"]
            }
            CellKind::SelfPlay => &["seed", "player", "pace", "games", "openings"],
            CellKind::Playouts => &["seed", "player", "state", "moves", "count"],
            CellKind::Search => &["seed", "player", "pace", "state", "moves", "count", "move"],
        }
    }

    fn read(table: &Table) -> Result<CellKind, FileError> {
        let name: String = required(PLACE, table, "kind")?;
        let found = CellKind::ALL.into_iter().find(|kind| kind.name() == name);
        found.ok_or_else(|| {
            let names = CellKind::ALL.map(CellKind::name);
            let perhaps = nearest(&name, &names);
            FileError::Value {
                place: format!("the key 'kind' of {PLACE}"),
                problem: format!(
                    "there is no kind '{}'{}; kinds: {}",
                    name.escape_debug(),
                    perhaps.map_or(String::new(), |name| format!(" (perhaps '{name}'?)")),
                    names.join(", ")
                ),
            }
        })
    }
}

/// The names of what the cells of a sweep measure; those of every kind where its table names none.
pub fn measures_of(table: &Table) -> &'static [&'static str] {
    CellKind::read(table).map_or(ALL_MEASURES, measures)
}

/// Reads the file. Players, states and openings are looked at later.
pub(super) fn read(
    games: &Games,
    table: &Table,
    folder: &Path,
    build: &str,
) -> Result<Sweep, SweepError> {
    let kind = CellKind::read(table)?;
    let known = [&["title", "game", "kind", "grid", "plot"], kind.keys()].concat();
    only(PLACE, table, &known)?;
    let title = required(PLACE, table, "title")?;
    let game = games.game(&required::<String>(PLACE, table, "game")?)?;
    let grid: Table = required(PLACE, table, "grid")?;
    check_grid_keys(game, kind, &grid)?;
    let reader = Reader { table, kind, game, folder, build };
    let cells: Result<Vec<SweepCell>, SweepError> =
        grid::cells(&grid)?.into_iter().map(|values| reader.cell(values)).collect();
    let (cells, plot) = (cells?, plot(table, &grid, kind)?);
    Ok(Sweep { title, kind, cells, plot, game })
}

/// A key of the grid is a key of the file, a setting of the player, or `opponent.` and a setting.
fn check_grid_keys(game: AnyGame, kind: CellKind, grid: &Table) -> Result<(), SweepError> {
    let has_player = kind.keys().contains(&"player");
    let mut settings: Vec<&'static str> = Vec::new();
    if has_player {
        let own = game.settings();
        settings.extend(own.iter().map(|setting| setting.name));
        // Which of them the player at hand has, its spec will tell.
        let others = game.alphabeta_settings().iter().map(|setting| setting.name);
        settings.extend(others.filter(|name| own.iter().all(|setting| setting.name != *name)));
    }
    let known = [kind.keys(), &settings].concat();
    for key in grid.keys() {
        let setting = match key.strip_prefix("opponent.") {
            Some(setting) if kind == CellKind::Match => setting,
            _ => key,
        };
        let accepted = if setting == key { &known } else { &settings };
        if !accepted.contains(&setting) {
            return Err(SweepError::File(FileError::UnknownKey {
                place: format!("the grid of a sweep of kind {}", kind.name()),
                key: key.clone(),
                nearest: nearest(setting, accepted),
                known: accepted.clone(),
            }));
        }
    }
    Ok(())
}

fn plot(table: &Table, grid: &Table, kind: CellKind) -> Result<PlotChoice, SweepError> {
    const PLOT: &str = "the plot of a sweep";
    let plot: Table = optional(PLACE, table, "plot")?.unwrap_or_default();
    only(PLOT, &plot, &["x", "y"])?;
    let first = grid.keys().next().ok_or(GridError::Empty)?;
    let x = optional(PLOT, &plot, "x")?.unwrap_or_else(|| first.clone());
    if !grid.contains_key(&x) {
        return Err(PlotError::X { x, known: grid.keys().cloned().collect() }.into());
    }
    let known = measures(kind);
    let y = optional(PLOT, &plot, "y")?.unwrap_or_else(|| known[0].to_owned());
    if !known.contains(&y.as_str()) {
        return Err(PlotError::Y { y, known: known.to_vec() }.into());
    }
    Ok(PlotChoice { x, y })
}

impl SweepCell {
    /// How many games, playouts or searches it takes.
    pub(super) fn units(&self) -> u64 {
        match &self.work {
            CellWork::Contest(plan) => plan.total(),
            CellWork::Probe(probe) => probe.units(),
        }
    }

    /// Checks that it can be measured, and writes the move that searches are to find as they do.
    pub(super) fn check(&mut self) -> Result<(), SweepError> {
        match &self.work {
            CellWork::Contest(plan) => drop(Contest::new(plan.clone())?),
            CellWork::Probe(probe) => {
                probe.check()?;
                if let ProbeKind::Searches { .. } = probe.kind {
                    let state = probe.state()?;
                    let answer = state.parse_move(&self.answer).map_err(MeasureError::from)?;
                    self.answer = state.move_text(answer);
                }
            }
        }
        Ok(())
    }

    /// Its values by the grid's keys.
    pub(super) fn name(&self) -> String {
        name(&self.labels)
    }

    /// An error in this cell.
    pub(super) fn error(&self, error: SweepError) -> SweepError {
        in_cell(&self.labels, error)
    }
}

fn in_cell(labels: &[(String, String)], error: SweepError) -> SweepError {
    SweepError::Cell { cell: name(labels), error: Box::new(error) }
}

fn name(labels: &[(String, String)]) -> String {
    let values: Vec<String> = labels.iter().map(|(key, value)| format!("{key}={value}")).collect();
    values.join(", ")
}

struct Reader<'a> {
    table: &'a Table,
    kind: CellKind,
    game: AnyGame,
    folder: &'a Path,
    build: &'a str,
}

impl Reader<'_> {
    fn cell(&self, values: Values) -> Result<SweepCell, SweepError> {
        let label = |(key, value): &(String, Value)| {
            (key.clone(), grid::text(value).expect("the grid holds single values"))
        };
        let labels: Vec<(String, String)> = values.iter().map(label).collect();
        let mut table = self.table.clone();
        for (key, value) in values {
            if self.kind.keys().contains(&key.as_str()) {
                table.insert(key, value);
            } else {
                let (whose, setting): (&'static str, &str) = match key.strip_prefix("opponent.") {
                    Some(setting) => ("opponent", setting),
                    None => ("player", key.as_str()),
                };
                let spec: String = required(PLACE, &table, whose)?;
                table.insert(whose.to_owned(), Value::String(with_setting(&spec, setting, &value)));
            }
        }
        let answer = optional(PLACE, &table, "move")?.unwrap_or_default();
        match self.work(&table) {
            Ok(work) => Ok(SweepCell { labels, work, answer }),
            Err(error) => Err(in_cell(&labels, error.into())),
        }
    }

    fn work(&self, table: &Table) -> Result<CellWork, FileError> {
        match self.kind {
            CellKind::Match | CellKind::SelfPlay => self.plan(table).map(CellWork::Contest),
            CellKind::Playouts => {
                let kind = ProbeKind::Playouts {
                    count: required(PLACE, table, "count")?,
                    player: optional(PLACE, table, "player")?,
                };
                self.probe(table, kind).map(CellWork::Probe)
            }
            CellKind::Search => {
                let kind = ProbeKind::Searches {
                    player: required(PLACE, table, "player")?,
                    pace: required(PLACE, table, "pace")?,
                    count: required(PLACE, table, "count")?,
                };
                required::<String>(PLACE, table, "move")?;
                self.probe(table, kind).map(CellWork::Probe)
            }
        }
    }

    fn plan(&self, table: &Table) -> Result<ContestPlan, FileError> {
        let player: String = required(PLACE, table, "player")?;
        let pace: Pace = required(PLACE, table, "pace")?;
        let opponent = match self.kind {
            CellKind::Match => required(PLACE, table, "opponent")?,
            _ => player.clone(),
        };
        // The same pace for both is what most questions mean.
        let opponent_pace = optional(PLACE, table, "opponent-pace")?.unwrap_or(pace);
        let contestant = |key: &str, text: &str, pace| {
            Contestant::from_words(text, pace).map_err(|error| FileError::Value {
                place: format!("the key '{key}' of {PLACE}"),
                problem: error.to_string(),
            })
        };
        Ok(ContestPlan {
            game: self.game,
            contestants: vec![
                contestant("player", &player, pace)?,
                contestant("opponent", &opponent, opponent_pace)?,
            ],
            format: Format::RoundRobin,
            games: required(PLACE, table, "games")?,
            openings: match optional(PLACE, table, "openings")? {
                Some(openings) => tournament::openings(&openings, self.folder)?,
                None => Openings::Start,
            },
            seed: seed(table)?,
            adjudication: Adjudication::default(),
            test: None,
            equal_time: None,
            build: self.build.to_owned(),
        })
    }

    fn probe(&self, table: &Table, kind: ProbeKind) -> Result<Probe, FileError> {
        Ok(Probe {
            game: self.game,
            state: optional(PLACE, table, "state")?.unwrap_or_else(|| "startpos".to_owned()),
            moves: optional(PLACE, table, "moves")?.unwrap_or_default(),
            kind,
            seed: seed(table)?,
            build: self.build.to_owned(),
        })
    }
}

/// The seed where the file gives none.
const SEED: u64 = 1;

fn seed(table: &Table) -> Result<u64, FileError> {
    Ok(optional(PLACE, table, "seed")?.unwrap_or(SEED))
}

/// A spec with one more setting; true and false switch a flag.
fn with_setting(spec: &str, key: &str, value: &Value) -> String {
    let setting = match value {
        Value::Boolean(true) => key.to_owned(),
        Value::Boolean(false) => format!("no-{key}"),
        other => format!("{key}={}", grid::text(other).unwrap_or_default()),
    };
    let joint = if spec.contains(':') { ',' } else { ':' };
    format!("{spec}{joint}{setting}")
}
