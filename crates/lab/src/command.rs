//! Command lines that play again what a contest has played.
//!
//! The seeds of a contest's games depend on its seed and the number of the pair alone, and its
//! openings likewise: so every meeting of a tournament is a match, and the same games come out of
//! both.

use crate::adjudication::{Adjudication, DrawRule, ResignRule, ResignSides};
use crate::calibration::Calibration;
use crate::contest::{ContestPlan, Openings};
use crate::contestant::{Contestant, ContestantKind, EngineSpec, OPTION, Ponder, Protocol};
use crate::opening::Balance;
use crate::pace::Pace;
use monteverde_statistics::{EloScale, SequentialTest};

/// How long the search of a match looks that judges whether an opening is balanced.
pub const BALANCE_ITERATIONS: u64 = 500;

/// The words of the command that plays the meeting of two contestants of a plan, the one with the
/// smaller number first. Where they think equally long, their speeds are those of a calibration.
/// `None` where a match cannot say what the plan says: the directory of an engine, for one.
///
/// # Panics
/// If there is no contestant of that number.
pub fn match_words(
    plan: &ContestPlan,
    (one, two): (usize, usize),
    calibration: Option<&Calibration>,
) -> Option<Vec<String>> {
    let [a, b] = [one, two].map(|number| &plan.contestants[number]);
    let mut words = vec!["match".to_owned(), player(a)?, player(b)?];
    let mut say = |option: &str, value: String| words.extend([format!("--{option}"), value]);
    say("game", plan.game.name().to_owned());
    say("games", plan.games_of((one, two)).to_string());
    let paces = [pace(plan, one, calibration)?, pace(plan, two, calibration)?];
    match paces {
        [Pace::Iterations(a), Pace::Iterations(b)] if a == b => say("iterations", a.to_string()),
        [a, b] if a == b => say("pace", a.to_string()),
        [a, b] => {
            say("pace-a", a.to_string());
            say("pace-b", b.to_string());
        }
    }
    match (a.margin, b.margin) {
        (a, b) if a != b => return None,
        (Contestant::MARGIN, _) => {}
        (margin, _) => say("margin", margin.to_string()),
    }
    for (option, value) in openings(&plan.openings)?.into_iter().chain(ends(&plan.adjudication)) {
        say(option, value);
    }
    say("seed", plan.seed.to_string());
    if let Some(test) = &plan.test {
        say("sprt", bounds(test));
        if test.scale() == EloScale::Normalised {
            words.push("--normalised".to_owned());
        }
    }
    match (a.ponder, b.ponder) {
        (Ponder::Off, Ponder::Off) => {}
        (Ponder::On, Ponder::On) => words.push("--ponder".to_owned()),
        (Ponder::On, Ponder::Off) => words.push("--ponder=a".to_owned()),
        (Ponder::Off, Ponder::On) => words.push("--ponder=b".to_owned()),
    }
    Some(words)
}

/// A command line of this program as a shell reads it, from its words.
pub fn line(words: impl IntoIterator<Item = impl AsRef<str>>) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=,+@%".contains(c);
    let mut line = "monteverde".to_owned();
    for word in words {
        let word = word.as_ref();
        line.push(' ');
        match !word.is_empty() && word.chars().all(plain) {
            true => line.push_str(word),
            false => line.push_str(&format!("'{}'", word.replace('\'', r"'\''"))),
        }
    }
    line
}

/// A contestant as a match names it; `None` for engines that need more than a command and options.
fn player(contestant: &Contestant) -> Option<String> {
    match &contestant.kind {
        ContestantKind::Spec(spec) => Some(spec.clone()),
        ContestantKind::Engine(engine) => {
            let plain = EngineSpec {
                args: engine.args.clone(),
                options: engine.options.clone(),
                protocol: engine.protocol,
                identity: engine.identity.clone(),
                ..EngineSpec::new(&engine.command)
            };
            let protocol = match engine.protocol {
                Protocol::Uci => "uci",
                Protocol::Xboard => "xboard",
            };
            let is_taken = engine.args.iter().any(|word| word.starts_with(OPTION));
            (*engine == plain && !is_taken)
                .then(|| format!("{protocol}:{}", engine.command_words()))
        }
    }
}

/// What a contestant gets: its own pace, or what the calibration gives it.
fn pace(plan: &ContestPlan, number: usize, calibration: Option<&Calibration>) -> Option<Pace> {
    let takes = plan.equal_time.as_ref().is_some_and(|equal| equal.takers.contains(&number));
    if !takes {
        return Some(plan.contestants[number].pace);
    }
    // The calibration lists those who take, in the order of their numbers.
    let place = plan.equal_time.as_ref()?.takers.iter().position(|&taker| taker == number)?;
    Some(Pace::Iterations(calibration?.players.get(place)?.iterations))
}

fn openings(openings: &Openings) -> Option<Vec<(&'static str, String)>> {
    Some(match openings {
        Openings::Start => Vec::new(),
        Openings::File { path, plies } => {
            let file = ("openings", path.display().to_string());
            let plies = plies.map(|plies| ("opening-plies", plies.to_string()));
            [file].into_iter().chain(plies).collect()
        }
        Openings::Random { plies, balance } => {
            let random = ("random-plies", plies.to_string());
            let balance = match balance {
                None => None,
                Some(Balance { within, iterations: BALANCE_ITERATIONS }) => {
                    Some(("balance", within.to_string()))
                }
                Some(_) => return None,
            };
            [random].into_iter().chain(balance).collect()
        }
        Openings::Every { plies } => vec![("every", plies.to_string())],
    })
}

/// What ends games early.
fn ends(rules: &Adjudication) -> Vec<(&'static str, String)> {
    let Adjudication { draw, resign, length, tables } = rules;
    let draw = draw.map(|DrawRule { from, moves, within }| format!("{from},{moves},{within}"));
    let resign = resign.map(|ResignRule { moves, beyond, sides }| match sides {
        ResignSides::Both => format!("{moves},{beyond}"),
        ResignSides::Loser => format!("{moves},{beyond},loser"),
    });
    let all = [
        ("max-plies", length.map(|length| length.to_string())),
        ("draw", draw),
        ("resign", resign),
        ("tables", tables.map(|pieces| pieces.to_string())),
    ];
    all.into_iter().filter_map(|(option, value)| Some((option, value?))).collect()
}

fn bounds(test: &SequentialTest) -> String {
    let ([low, high], [alpha, beta]) = (test.hypotheses(), test.rates());
    format!("{low},{high},{alpha},{beta}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::calibration::SpeedSource;
    use crate::tournament::Tournament;
    use monteverde_games::games;
    use std::path::Path;

    const TOURNAMENT: &str = "
game = 'chess'
format = 'round-robin'
games = 10
seed = 7
equal-time = { reference = 'mcc', iterations = 100 }
openings = { random = 4, balance = { within = 0.2, iterations = 500 } }
adjudication = { draw = { from = 80, moves = 8, within = 0.02 }, length = 400, tables = 3 }
player = [
  { name = 'own', spec = 'mcc', pace = 'time=100ms' },
  { name = 'one', spec = 'mcc:c=0.5' },
  { name = 'two', spec = 'mcc:c=2' },
  { command = 'gnuchess', args = ['--uci'], pace = 'depth=1' },
  { name = 'set', command = 'toga2', options = { Hash = 16 }, pace = 'depth=1' },
  { name = 'there', command = 'toga2', dir = '/tmp', pace = 'depth=1' },
]
";

    #[test]
    fn a_meeting_is_a_match() {
        let plan = Tournament::parse(&games(), TOURNAMENT, Path::new(""), "test").unwrap().plan;
        let calibrated = |name: &str, iterations| crate::calibration::Calibrated {
            name: name.to_owned(),
            spec: String::new(),
            per_second: 1.0,
            rounds: Vec::new(),
            iterations,
        };
        let calibration = Calibration {
            reference: "mcc".to_owned(),
            iterations: 100,
            source: SpeedSource::Measured,
            players: vec![calibrated("one", 100), calibrated("two", 60)],
        };
        let command = |two| match_words(&plan, two, Some(&calibration)).map(line);
        let rest =
            "--random-plies 4 --balance 0.2 --max-plies 400 --draw 80,8,0.02 --tables 3 --seed 7";
        let said = command((1, 2)).unwrap();
        assert_eq!(
            said,
            format!(
                "monteverde match mcc:c=0.5 mcc:c=2 --game chess --games 10 --pace-a iterations=100 \
                 --pace-b iterations=60 {rest}"
            )
        );
        let said = command((0, 3)).unwrap();
        assert_eq!(
            said,
            format!(
                "monteverde match mcc 'uci:gnuchess --uci' --game chess --games 10 --pace-a time=100ms \
                 --pace-b depth=1 {rest}"
            )
        );
        let said = command((0, 4)).unwrap();
        assert!(said.starts_with("monteverde match mcc 'uci:toga2 option.Hash=16' "), "{said}");
        assert_eq!(command((0, 5)), None, "a match cannot say where an engine runs");
        assert_eq!(match_words(&plan, (1, 2), None), None, "speeds are not known");
    }

    #[test]
    fn a_match_has_the_games_of_its_meeting() {
        let listed = "format = 'meetings'\nmeeting = [{ players = ['set', 'own'], games = 4 }]";
        let text = TOURNAMENT.replace("format = 'round-robin'", listed);
        let plan = Tournament::parse(&games(), &text, Path::new(""), "test").unwrap().plan;
        let said = match_words(&plan, plan.pairings()[0], None).map(line).unwrap();
        assert!(said.contains(" --game chess --games 4 "), "{said}");
    }

    #[test]
    fn words_are_quoted() {
        assert_eq!(line(["a", "b c", "it's", ""]), r"monteverde a 'b c' 'it'\''s' ''");
    }
}
