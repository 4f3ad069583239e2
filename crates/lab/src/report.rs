//! What the lab knows, as the data of reports: stores, standings and calibrations.

use crate::calibration::{Calibrated, Calibration};
use crate::contestant::{Contestant, ContestantKind, EngineIdentity};
use crate::standings::Standings;
use crate::store::{Store, StoreError, left_out};
use monteverde_report::{
    Column, Counts, DigestCell, FailureCount, GamesCell, Interval, PairCell, Part, ReportData,
    ReportTable, Reproduce, Section, count_text, interval_text,
};

/// The report of a store: a section for each game that was played, with everyone who played it.
pub fn of_store(store: &Store) -> Result<ReportData, StoreError> {
    let (mut sections, mut damaged) = (Vec::new(), Vec::new());
    let (mut games, mut void) = (0, 0);
    for game in store.games()? {
        let (standings, unread) = Standings::from_store(store, &game)?;
        damaged.extend(unread);
        games += standings.games();
        void += standings.void();
        sections.push(section(store, &game, &standings)?);
    }
    let file = store.path().file_name().unwrap_or_default().to_string_lossy().into_owned();
    let summary = match games + void {
        0 => "The store holds no games yet.".to_owned(),
        _ => format!("{} games of {file}.", count_text(games)),
    };
    let failed = (void > 0).then(|| {
        format!(
            "Another {} failed: a player did not start, crashed or hung. They count for nobody.",
            count_text(void)
        )
    });
    let warnings =
        failed.into_iter().chain(warning(builds(store)?.len())).chain(left_out(&damaged));
    let summary = [summary].into_iter().chain(warnings).collect();
    Ok(ReportData { title: "Results".to_owned(), summary, sections })
}

/// Games of several builds may repeat each other: a rebuilt program plays a stored contest anew.
fn warning(builds: usize) -> Option<String> {
    (builds > 1).then(|| {
        format!(
            "Beware: {builds} builds of the program wrote into this store. A game that two of them played from \
             the same seed counts twice, so that intervals may be too narrow."
        )
    })
}

/// The builds that wrote into the store, the first first.
fn builds(store: &Store) -> Result<Vec<String>, StoreError> {
    let mut builds: Vec<String> = Vec::new();
    for run in store.runs()? {
        if !builds.contains(&run.build) {
            builds.push(run.build);
        }
    }
    Ok(builds)
}

fn section(store: &Store, game: &str, standings: &Standings) -> Result<Section, StoreError> {
    let counts = Counts::from(standings);
    let players = players(store, game)?;
    let mut contest = counts.contest();
    let paces: Vec<&str> = players.iter().map(|player| player.pace.as_str()).collect();
    let common = paces.first().filter(|first| paces.iter().all(|pace| pace == *first));
    contest.facts = vec![
        ("Game".to_owned(), game.to_owned()),
        ("Games".to_owned(), count_text(standings.games())),
        ("Players".to_owned(), count_text(players.len() as u64)),
    ];
    let void = standings.void();
    contest.facts.extend((void > 0).then(|| ("Failed games".to_owned(), count_text(void))));
    contest.facts.extend(common.map(|pace| ("Pace".to_owned(), (*pace).to_owned())));
    for contender in &mut contest.players {
        let number = counts.names.iter().position(|name| *name == contender.name);
        if let Some(player) = number.and_then(|number| players.get(number)) {
            contender.spec = match common {
                Some(_) => player.what.clone(),
                None => format!("{} at {}", player.what, player.pace),
            };
        }
    }
    Ok(Section {
        title: game.to_owned(),
        parts: vec![Part::Contest(contest)],
        reproduce: Some(reproduce(store)?),
        ..Section::default()
    })
}

/// What a contestant is made of, in words.
struct Player {
    what: String,
    pace: String,
}

/// The contestants of a game in the order in which [`Standings::from_store`] numbers them.
fn players(store: &Store, game: &str) -> Result<Vec<Player>, StoreError> {
    Ok(store.entrants_of(game)?.iter().map(|entrant| player(&entrant.text)).collect())
}

fn player(text: &str) -> Player {
    match serde_json::from_str::<Contestant>(text) {
        Ok(contestant) => Player {
            what: match contestant.kind {
                ContestantKind::Spec(spec) => spec,
                ContestantKind::Engine(engine) => match &engine.identity {
                    Some(EngineIdentity { name, digest }) => {
                        let name = if name.is_empty() { "no name" } else { name };
                        format!("{} ({name}, {digest})", engine.command_words())
                    }
                    None => engine.command_words(),
                },
            },
            pace: contestant.pace.to_string(),
        },
        Err(_) => Player { what: text.to_owned(), pace: String::new() },
    }
}

fn reproduce(store: &Store) -> Result<Reproduce, StoreError> {
    let mut commands: Vec<String> = Vec::new();
    for run in store.runs()? {
        if !commands.contains(&run.command) {
            commands.push(run.command);
        }
    }
    Ok(Reproduce { facts: vec![("Build".to_owned(), builds(store)?.join(", "))], commands })
}

impl From<&Standings> for Counts {
    fn from(standings: &Standings) -> Counts {
        let names = standings.names().to_vec();
        let all = || 0..names.len();
        let two = |player| all().map(move |opponent| (player, opponent));
        let games = all().flat_map(two).filter_map(|(first, second)| {
            let games = standings.as_first(first, second);
            (games.games() > 0).then_some(GamesCell { first, second, games })
        });
        let pairs = all().flat_map(two).filter(|(player, opponent)| player < opponent);
        let pairs = pairs.filter_map(|(player, opponent)| {
            let counts = standings.pairs(player, opponent);
            (counts.pairs() > 0).then_some(PairCell { player, opponent, counts })
        });
        let met = all().flat_map(two).filter(|(player, opponent)| player < opponent);
        let digests = met.filter_map(|(player, opponent)| {
            let digest = standings.digest(player, opponent)?.to_string();
            Some(DigestCell { player, opponent, digest })
        });
        let digests = digests.collect();
        let mut failures = Vec::new();
        for (player, name) in names.iter().enumerate() {
            for (failure, games) in standings.failures(player) {
                let (reason, void) = (failure.name().to_owned(), failure.voids());
                failures.push(FailureCount { player: name.clone(), reason, games, void });
            }
        }
        Counts {
            games: games.collect(),
            pairs: pairs.collect(),
            endings: standings.reasons().clone(),
            failures,
            digests,
            reached: None,
            names: names.clone(),
        }
    }
}

impl Calibration {
    /// The speeds and what they come to.
    pub fn table(&self) -> ReportTable {
        let row = |player: &Calibrated| {
            vec![
                player.name.clone(),
                interval_text(Interval::exact(player.per_second), 0),
                count_text(player.iterations),
            ]
        };
        ReportTable {
            caption: format!(
                "Equal time: what {} iterations of {} take",
                self.iterations, self.reference
            ),
            columns: vec![
                Column::Text("player".to_owned()),
                Column::Number("iterations a second".to_owned()),
                Column::Number("iterations a move".to_owned()),
            ],
            rows: self.players.iter().map(row).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contest::{ContestPlan, Format, Openings};
    use crate::store::RunNote;
    use crate::testing::game;
    use monteverde_report::{html, markdown};

    #[test]
    fn games_of_several_builds_are_warned_of() {
        let mut store = Store::memory().unwrap();
        for (build, warned) in [("1+a", false), ("1+a", false), ("1+b", true), ("1+a", true)] {
            let command = format!("monteverde match {build} {warned}");
            store.note_run(&RunNote { command, build: build.to_owned() }).unwrap();
            let summary = of_store(&store).unwrap().summary.join(" ");
            assert_eq!(summary.contains("2 builds"), warned, "{summary}");
        }
        assert_eq!(builds(&store).unwrap(), ["1+a", "1+b"]);
    }

    #[test]
    fn a_store_becomes_a_report() {
        let mut store = Store::memory().unwrap();
        let contestant = |spec, pace: &str| Contestant::spec(spec, pace.parse().unwrap());
        let plan = ContestPlan {
            game: game("tic-tac-toe"),
            contestants: vec![
                contestant("uct", "iterations=40"),
                contestant("uct:c=0.5", "iterations=10"),
                contestant("uct", "iterations=4"),
            ],
            format: Format::RoundRobin,
            games: 8,
            openings: Openings::Random { plies: 1, balance: None },
            seed: 3,
            adjudication: Default::default(),
            test: None,
            equal_time: None,
            build: "test".to_owned(),
        };
        plan.hold(&mut store, 2, &mut |_, _| ()).unwrap();
        let command = "monteverde tournament three.toml".to_owned();
        store.note_run(&RunNote { command, build: "test".to_owned() }).unwrap();
        let report = of_store(&store).unwrap();
        let text = markdown(&report);
        for part in [
            "24 games",
            "uct at iterations=40",
            "uct:c=0.5 at iterations=10",
            "**Cross table**",
            "monteverde tournament three.toml",
        ] {
            assert!(text.contains(part), "no {part} in {text}");
        }
        assert!(html(&report).contains("<table>"));
        let empty = markdown(&of_store(&Store::memory().unwrap()).unwrap());
        assert!(empty.contains("no games yet"));
    }
}
