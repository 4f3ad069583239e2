//! What a contest has come to, as documents for scripts.

use crate::contest::ContestProgress;
use crate::standings::Standings;
use monteverde_statistics::{SequentialTest, elo, los, normalised_elo, score};
use serde_json::{Value, json};

/// A match for scripts, everything for its first player.
pub fn match_document(
    progress: &ContestProgress,
    names: [&str; 2],
    test: Option<&SequentialTest>,
) -> Value {
    let standings = &progress.standings;
    let (games, sample) = (standings.between(0, 1), standings.sample(0, 1));
    let score = score(sample);
    let elo = elo(sample);
    let pairs = standings.pairs(0, 1);
    let mut document = json!({
        "a": names[0],
        "b": names[1],
        "games": games.games(),
        "wins": games.wins,
        "draws": games.draws,
        "losses": games.losses,
        "score": score.map(|score| score.mean),
        "score_ci95": score.map(|score| [score.low, score.high]),
        "elo": elo.value(),
        "elo_ci95": [elo.low(), elo.high()],
        "normalised_elo": normalised_elo(sample).value(),
        "los": los(sample),
        "pairs": pairs.0,
        "digest": standings.digest(0, 1).map(|digest| digest.to_string()),
        "endings": standings.reasons(),
        "failures": [failures_document(standings, 0), failures_document(standings, 1)],
        "void": standings.void(),
    });
    if let Some(test) = test {
        let (low, high) = test.bounds();
        document["sprt"] = json!({
            "llr": test.llr(pairs), "low": low, "high": high, "decision": test.decide(pairs),
        });
    }
    add_calibration(&mut document, progress);
    document
}

/// A tournament for scripts.
pub fn tournament_document(progress: &ContestProgress) -> Value {
    let standings = &progress.standings;
    let ratings = standings.ratings();
    let player = |player: usize| {
        let (games, rating) = (standings.total(player), ratings.elo(player));
        json!({
            "name": standings.names()[player],
            "rating": rating.value(),
            "rating_ci95": [rating.low(), rating.high()],
            "games": games.games(),
            "wins": games.wins,
            "draws": games.draws,
            "losses": games.losses,
            "failures": failures_document(standings, player),
        })
    };
    let pairing = |(one, two): (usize, usize)| {
        let (games, sample) = (standings.between(one, two), standings.sample(one, two));
        json!({
            "a": standings.names()[one],
            "b": standings.names()[two],
            "games": games.games(),
            "wins": games.wins,
            "draws": games.draws,
            "losses": games.losses,
            "elo": elo(sample).value(),
            "elo_ci95": [elo(sample).low(), elo(sample).high()],
            "los": los(sample),
            "pairs": standings.pairs(one, two).0,
            "digest": standings.digest(one, two).map(|digest| digest.to_string()),
        })
    };
    let mut document = json!({
        "players": ranking(standings).into_iter().map(player).collect::<Vec<_>>(),
        "pairings": met(standings).into_iter().map(pairing).collect::<Vec<_>>(),
        "endings": standings.reasons(),
        "void": standings.void(),
    });
    add_calibration(&mut document, progress);
    document
}

fn add_calibration(document: &mut Value, progress: &ContestProgress) {
    if let Some(calibration) = &progress.calibration {
        document["calibration"] = json!(calibration);
    }
}

/// The players, the highest rated first.
pub fn ranking(standings: &Standings) -> Vec<usize> {
    let ratings = standings.ratings();
    let rating = |player: usize| ratings.elo(player).value().unwrap_or(f64::NEG_INFINITY);
    let mut players: Vec<usize> = (0..standings.names().len()).collect();
    players.sort_by(|&one, &two| rating(two).total_cmp(&rating(one)));
    players
}

/// Who has met whom.
pub fn met(standings: &Standings) -> Vec<(usize, usize)> {
    let count = standings.names().len();
    let pairings = (0..count).flat_map(|one| (one + 1..count).map(move |two| (one, two)));
    pairings.filter(|&(one, two)| standings.between(one, two).games() > 0).collect()
}

fn failures_document(standings: &Standings, player: usize) -> Value {
    let failures = standings.failures(player).into_iter();
    let counts = failures.map(|(failure, count)| (failure.name().to_owned(), count.into()));
    Value::Object(counts.collect())
}
