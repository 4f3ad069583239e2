//! The tables of a contest.

use super::blocks::{Block, Cell, ColumnKind, Grid, Head};
use super::data::{Commands, ContestReport, Meeting};
use super::number;
use monteverde_statistics::Interval;
use monteverde_statistics::Wdl;

pub(super) fn add(contest: &ContestReport, blocks: &mut Vec<Block>) {
    if !contest.facts.is_empty() {
        blocks.push(Block::Facts(contest.facts.clone()));
    }
    blocks.push(Block::Grid(ratings(contest)));
    // Of two players the table of meetings says it all, and of very many nobody reads a matrix.
    if (3..=MOST_IN_MATRIX).contains(&contest.players.len()) {
        blocks.push(Block::Grid(cross_table(contest)));
        blocks.push(Block::Grid(superiority(contest)));
    }
    blocks.push(Block::Grid(meetings(contest)));
    if !contest.commands.is_empty() {
        blocks.push(Block::Commands(Commands {
            caption: "Play a meeting again, game by game the same".to_owned(),
            lines: contest.commands.clone(),
        }));
    }
    if contest.meetings.iter().any(|meeting| meeting.pairs.is_some()) {
        blocks.push(Block::Grid(pairs(contest)));
    }
    if !contest.endings.is_empty() {
        blocks.push(Block::Grid(endings(contest)));
    }
    blocks.push(match contest.failures.as_slice() {
        [] => Block::Paragraph("No player failed in any game.".to_owned()),
        _ => Block::Grid(failures(contest)),
    });
}

/// With more players than this there is no cross table and no matrix.
const MOST_IN_MATRIX: usize = 40;

fn ratings(contest: &ContestReport) -> Grid {
    let (low, high) = range(contest.players.iter().map(|player| player.rating));
    let with_specs =
        contest.players.iter().any(|player| !player.spec.is_empty() && player.spec != player.name);
    let mut head = vec![Head::new("#", ColumnKind::Number), Head::new("Player", ColumnKind::Text)];
    if with_specs {
        head.push(Head::new("Spec", ColumnKind::Text));
    }
    head.extend([
        Head::new("Elo", ColumnKind::Number),
        Head::new("95% interval", ColumnKind::Bars(low, high)),
        Head::new("Games", ColumnKind::Number),
        Head::new("Points", ColumnKind::Number),
        Head::new("Score", ColumnKind::Number),
        Head::new("Draws", ColumnKind::Number),
    ]);
    let rows = contest.players.iter().enumerate().map(|(index, player)| {
        let games = player.games.games();
        let mut row =
            vec![Cell::Text(number::count(index as u64 + 1)), Cell::Name(player.name.clone())];
        if with_specs {
            row.push(Cell::Text(player.spec.clone()));
        }
        row.extend([
            Cell::Text(number::interval(player.rating, 0)),
            Cell::Bar(player.rating),
            Cell::Text(number::count(games)),
            Cell::Text(number::points(player.games.points())),
            Cell::Text(percent(player.games.points(), games)),
            Cell::Text(percent(player.games.draws as f64, games)),
        ]);
        row
    });
    Grid {
        caption: contest.caption.clone(),
        head,
        rows: rows.collect(),
        note: rating_note(contest),
    }
}

fn rating_note(contest: &ContestReport) -> String {
    let fitted = contest.parameters.map_or(String::new(), |[advantage, draw]| {
        let [advantage, draw] = [advantage, draw].map(|elo| number::decimal(elo, 0));
        format!(" These games show an advantage of the first move of {advantage} Elo and a margin of draws of {draw}.")
    });
    format!(
        "Elo by the model of BayesElo, relative to the mean of the players; the interval holds 95%.{fitted}"
    )
}

/// The span of a column of error bars: every interval, and 0.
fn range(intervals: impl Iterator<Item = Interval>) -> (f64, f64) {
    let ends = intervals.flat_map(|interval| [interval.low, interval.value, interval.high]);
    ends.flatten().fold((0.0, 0.0), |(low, high): (f64, f64), end| (low.min(end), high.max(end)))
}

fn cross_table(contest: &ContestReport) -> Grid {
    let rows = contest.results.iter().enumerate().map(|(index, results)| {
        let mut row = vec![
            Cell::Text(number::count(index as u64 + 1)),
            Cell::Name(contest.players[index].name.clone()),
        ];
        row.extend(results.iter().enumerate().map(|(opponent, games)| match games {
            _ if opponent == index => Cell::Diagonal,
            Some(games) => Cell::Double(points_of(*games), wdl(*games)),
            None => Cell::Text("\u{2013}".to_owned()),
        }));
        let total = contest.players[index].games;
        row.push(Cell::Double(points_of(total), wdl(total)));
        row
    });
    let mut head = vec![Head::new("#", ColumnKind::Number), Head::new("Player", ColumnKind::Text)];
    head.extend(numbered(contest.players.len()));
    head.push(Head::new("Total", ColumnKind::Matrix));
    Grid {
        caption: "Cross table".to_owned(),
        head,
        rows: rows.collect(),
        note: "Points of games, and wins, draws and losses, for the player of the row.".to_owned(),
    }
}

fn superiority(contest: &ContestReport) -> Grid {
    let rows = contest.los.iter().enumerate().map(|(index, chances)| {
        let mut row = vec![
            Cell::Text(number::count(index as u64 + 1)),
            Cell::Name(contest.players[index].name.clone()),
        ];
        row.extend(chances.iter().enumerate().map(|(opponent, chance)| match chance {
            _ if opponent == index => Cell::Diagonal,
            Some(los) => Cell::Heat(number::truncated_percent(*los), *los),
            None => Cell::Text("\u{2013}".to_owned()),
        }));
        row
    });
    let mut head = vec![Head::new("#", ColumnKind::Number), Head::new("Player", ColumnKind::Text)];
    head.extend(numbered(contest.players.len()));
    Grid {
        caption: "Likelihood of superiority".to_owned(),
        head,
        rows: rows.collect(),
        note:
            "How likely it is, in percent, that the player of the row is stronger than the player \
               of the column; decimals are cut off."
                .to_owned(),
    }
}

fn meetings(contest: &ContestReport) -> Grid {
    let known = contest.meetings.iter().any(|meeting| meeting.digest.is_some());
    let row = |meeting: &Meeting| {
        let digest = meeting.digest.clone().unwrap_or_default();
        let cells = vec![
            Cell::Name(name(contest, meeting.player)),
            Cell::Name(name(contest, meeting.opponent)),
            Cell::Double(number::count(meeting.games.games()), wdl(meeting.games)),
            Cell::Text(number::interval(meeting.score.times(100.0), 1)),
            Cell::Text(number::interval(meeting.elo, 1)),
            Cell::Text(number::interval(meeting.normalised_elo, 1)),
            Cell::Text(meeting.los.map_or("\u{2013}".to_owned(), number::truncated_percent)),
        ];
        cells.into_iter().chain(known.then_some(Cell::Text(digest))).collect()
    };
    let head = [
        ("Player", ColumnKind::Text),
        ("Opponent", ColumnKind::Text),
        ("Games", ColumnKind::Number),
        ("Score %", ColumnKind::Number),
        ("Elo", ColumnKind::Number),
        ("Normalised Elo", ColumnKind::Number),
        ("LOS %", ColumnKind::Number),
    ];
    let head = head.into_iter().chain(known.then_some(("Digest", ColumnKind::Text)));
    Grid {
        caption: "Meetings".to_owned(),
        head: head.map(|(title, kind)| Head::new(title, kind)).collect(),
        rows: contest.meetings.iter().map(row).collect(),
        note: format!(
            "All numbers are for the player named first, with 95% intervals; LOS is the likelihood of \
             superiority, its decimals cut off.{}",
            if known {
                " Meetings with the same digest are the same games, move by move."
            } else {
                ""
            }
        ),
    }
}

fn pairs(contest: &ContestReport) -> Grid {
    let rows = contest.meetings.iter().filter_map(|meeting| {
        let counts = meeting.pairs?;
        let mut row = vec![
            Cell::Name(name(contest, meeting.player)),
            Cell::Name(name(contest, meeting.opponent)),
        ];
        row.extend(counts.map(|pairs| Cell::Text(number::count(pairs))));
        Some(row)
    });
    let mut head =
        vec![Head::new("Player", ColumnKind::Text), Head::new("Opponent", ColumnKind::Text)];
    head.extend(["0", "½", "1", "1½", "2"].map(|points| Head::new(points, ColumnKind::Number)));
    Grid {
        caption: "Pairs of games by points".to_owned(),
        head,
        rows: rows.collect(),
        note:
            "Both games of a pair start from the same opening with sides swapped; points are for \
               the player named first."
                .to_owned(),
    }
}

fn endings(contest: &ContestReport) -> Grid {
    let games: u64 = contest.endings.iter().map(|(_, games)| games).sum();
    let rows = contest.endings.iter().map(|(name, count)| {
        vec![
            Cell::Name(name.clone()),
            Cell::Text(number::count(*count)),
            Cell::Text(percent(*count as f64, games)),
        ]
    });
    Grid {
        caption: "How games ended".to_owned(),
        head: vec![
            Head::new("Ending", ColumnKind::Text),
            Head::new("Games", ColumnKind::Number),
            Head::new("Share", ColumnKind::Number),
        ],
        rows: rows.collect(),
        note: String::new(),
    }
}

fn failures(contest: &ContestReport) -> Grid {
    let rows = contest.failures.iter().map(|failure| {
        vec![
            Cell::Name(failure.player.clone()),
            Cell::Text(failure.reason.clone()),
            Cell::Text(number::count(failure.games)),
            Cell::Text(if failure.void { "for nobody" } else { "as lost" }.to_owned()),
        ]
    });
    Grid {
        caption: "Failures".to_owned(),
        head: vec![
            Head::new("Player", ColumnKind::Text),
            Head::new("Failure", ColumnKind::Text),
            Head::new("Games", ColumnKind::Number),
            Head::new("Counted", ColumnKind::Text),
        ],
        rows: rows.collect(),
        note: "Who breaks the rules or comes too late has lost. A game in which a player did not start, \
               crashed or hung is in none of the other tables.".to_owned(),
    }
}

fn numbered(players: usize) -> impl Iterator<Item = Head> {
    (1..=players).map(|number| Head::new(number.to_string(), ColumnKind::Matrix))
}

fn name(contest: &ContestReport, player: usize) -> String {
    contest.players[player].name.clone()
}

fn points_of(games: Wdl) -> String {
    format!("{}/{}", number::points(games.points()), number::count(games.games()))
}

fn wdl(games: Wdl) -> String {
    let Wdl { wins, draws, losses } = games;
    format!("+{} ={} \u{2212}{}", number::count(wins), number::count(draws), number::count(losses))
}

fn percent(part: f64, whole: u64) -> String {
    match whole {
        0 => "\u{2013}".to_owned(),
        _ => format!("{}%", number::decimal(100.0 * part / whole as f64, 1)),
    }
}
