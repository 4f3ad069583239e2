//! What a contest has come to, as tables and as JSON.

use super::sweep::terminal_table;
use crate::table::figures;
use monteverde_lab::calibration::Calibration;
use monteverde_lab::contest::ContestProgress;
use monteverde_lab::document::{met, ranking};
use monteverde_lab::standings::Standings;
use monteverde_statistics::{
    Decision, Estimate, Sample, Score, SequentialTest, Wdl, elo, los, normalised_elo, score,
};
use std::fmt::Write as _;

/// A share in 0..=1 in per cent.
pub(super) fn percent(share: f64) -> String {
    format!("{:.1}%", 100.0 * share)
}

/// An Elo difference to the whole point, which is more than most matches can tell.
pub(super) fn elo_text(estimate: Estimate) -> String {
    format!("{estimate:.0}")
}

/// A match, everything for its first player.
pub(super) fn match_text(standings: &Standings, test: Option<&SequentialTest>) -> String {
    let (games, sample) = (standings.between(0, 1), standings.sample(0, 1));
    let mut table = figures(["", ""], [1]);
    let [a, b] = [0, 1].map(|player| standings.names()[player].as_str());
    table.set_header([a, &format!("against {b}")]);
    table.add_row(["games".to_owned(), games.games().to_string()]);
    table.add_row(["won, drawn, lost".to_owned(), wdl_text(games)]);
    table.add_row(["score".to_owned(), sample_text(sample)]);
    table.add_row(["Elo".to_owned(), elo(sample).to_string()]);
    table.add_row(["normalised Elo".to_owned(), normalised_elo(sample).to_string()]);
    table.add_row(["likelihood of superiority".to_owned(), percent(los(sample))]);
    let draws = games.draws as f64 / games.games().max(1) as f64;
    table.add_row(["drawn games".to_owned(), percent(draws)]);
    table.add_row(["pairs of 0, ½, 1, 1½, 2 points".to_owned(), pairs_text(standings, 0, 1)]);
    if let Some(digest) = standings.digest(0, 1) {
        table.add_row(["digest of the games".to_owned(), digest.to_string()]);
    }
    if let Some(test) = test {
        let (low, high) = test.bounds();
        let pairs = standings.pairs(0, 1);
        let llr = format!("{:.2} in {low:.2} to {high:.2}", test.llr(pairs));
        table.add_row(["log-likelihood ratio".to_owned(), llr]);
        table.add_row(["sequential test".to_owned(), decision(test.decide(pairs)).to_owned()]);
    }
    format!("{table}\n{}", endings_text(standings))
}

/// Who met whom in each round of a format that has rounds, and by which score.
pub(super) fn rounds_text(progress: &ContestProgress) -> String {
    let standings = &progress.standings;
    let name = |player: usize| &standings.names()[player];
    let mut text = String::new();
    for (number, round) in (1..).zip(&progress.rounds) {
        text += &format!("round {number}\n");
        for &(one, two) in &round.meetings {
            let Wdl { wins, draws, losses } = standings.between(one, two);
            let points = |won: u64| won as f64 + draws as f64 / 2.0;
            let (ours, theirs) = (points(wins), points(losses));
            text += &format!("  {} {ours} : {theirs} {}\n", name(one), name(two));
        }
        for &player in &round.byes {
            text += &format!("  {} has no opponent\n", name(player));
        }
    }
    text
}

/// A tournament: ratings, then every pairing.
pub(super) fn tournament_text(standings: &Standings) -> String {
    let ratings = standings.ratings();
    let mut table = figures(
        ["rank", "player", "rating", "games", "won", "drawn", "lost", "score", "failed"],
        [0, 2, 3, 4, 5, 6, 7, 8],
    );
    for (rank, player) in ranking(standings).into_iter().enumerate() {
        let games = standings.total(player);
        let failed: u64 = standings.failures(player).iter().map(|(_, count)| count).sum();
        table.add_row([
            (rank + 1).to_string(),
            standings.names()[player].clone(),
            elo_text(ratings.elo(player)),
            games.games().to_string(),
            games.wins.to_string(),
            games.draws.to_string(),
            games.losses.to_string(),
            standings.total_score(player).map_or("?".to_owned(), score_text),
            failed.to_string(),
        ]);
    }
    let mut pairings = figures(
        ["player", "against", "won, drawn, lost", "score", "Elo", "superior", "pairs", "digest"],
        [2, 3, 4, 5, 6],
    );
    for (one, two) in met(standings) {
        let sample = standings.sample(one, two);
        pairings.add_row([
            standings.names()[one].clone(),
            standings.names()[two].clone(),
            wdl_text(standings.between(one, two)),
            sample_text(sample),
            elo_text(elo(sample)),
            percent(los(sample)),
            pairs_text(standings, one, two),
            standings.digest(one, two).map_or(String::new(), |digest| digest.to_string()),
        ]);
    }
    format!("{table}\n\n{pairings}\n{}", endings_text(standings))
}

/// What each player gets at equal time; nothing where that was not asked for.
pub(super) fn calibration_text(calibration: Option<&Calibration>) -> String {
    let Some(calibration) = calibration else { return String::new() };
    let table = terminal_table(&calibration.table());
    format!("{table}\n\n")
}

fn wdl_text(games: Wdl) -> String {
    format!("{}, {}, {}", games.wins, games.draws, games.losses)
}

fn sample_text(sample: Sample) -> String {
    score(sample).map_or("?".to_owned(), score_text)
}

/// A score in percent with its interval, whose ends are told where they are not equally far.
pub(super) fn score_text(score: Score) -> String {
    let [below, above] = [score.mean - score.low, score.high - score.mean];
    let [below, above] = [below, above].map(|error| format!("{:.1}", 100.0 * error));
    match below == above {
        true => format!("{} ± {above}", percent(score.mean)),
        false => {
            let [low, high] = [score.low, score.high].map(|end| 100.0 * end);
            format!("{} ({low:.1} to {high:.1})", percent(score.mean))
        }
    }
}

fn pairs_text(standings: &Standings, one: usize, two: usize) -> String {
    standings.pairs(one, two).0.map(|count| count.to_string()).join(", ")
}

fn decision(decision: Decision) -> &'static str {
    match decision {
        Decision::Continue => "undecided",
        Decision::AcceptH0 => "the lower difference is accepted",
        Decision::AcceptH1 => "the higher difference is accepted",
    }
}

/// What there is to say about void games, if there are any.
fn void_text(standings: &Standings) -> Option<String> {
    (standings.void() > 0).then(|| {
        format!(
            "{} more games count for nobody: a player did not start, crashed or hung; the same command plays them again",
            standings.void()
        )
    })
}

/// How games ended, who failed how often, and how many games are void.
fn endings_text(standings: &Standings) -> String {
    let counts = |(reason, count): (&String, &u64)| format!("{reason} {count}");
    let endings: Vec<_> = standings.reasons().iter().map(counts).collect();
    let mut text = format!("endings: {}\n", endings.join(", "));
    for (player, name) in standings.names().iter().enumerate() {
        let failures = standings.failures(player);
        if !failures.is_empty() {
            let counts =
                failures.iter().map(|(failure, count)| format!("{} {count}", failure.name()));
            let _ = writeln!(text, "{name} failed: {}", counts.collect::<Vec<_>>().join(", "));
        }
    }
    if let Some(void) = void_text(standings) {
        let _ = writeln!(text, "{void}");
    }
    text
}
