//! The list of a tournament that says who meets whom, by name.

use super::PLACE;
use crate::contest::{Meeting, check_meetings};
use crate::keys::{FileError, only, optional, required};
use toml::Table;

/// Reads the list of meetings of players of these names.
pub(super) fn read(table: &Table, names: &[&str]) -> Result<Vec<Meeting>, FileError> {
    let Some(listed) = optional::<Vec<Table>>(PLACE, table, "meeting")? else {
        let place = "a tournament with the format 'meetings'".to_owned();
        return Err(FileError::Missing { place, key: "meeting" });
    };
    let meetings: Result<Vec<_>, _> = listed.iter().map(|one| meeting(one, names)).collect();
    let meetings = meetings?;
    check_meetings(&meetings, names).map_err(|error| wrong(error.to_string()))?;
    Ok(meetings)
}

fn meeting(table: &Table, names: &[&str]) -> Result<Meeting, FileError> {
    const PLACE: &str = "a meeting";
    only(PLACE, table, &["players", "games"])?;
    let players: Vec<String> = required(PLACE, table, "players")?;
    let [one, two] = players.as_slice() else {
        return Err(FileError::Value {
            place: format!("the key 'players' of {PLACE}"),
            problem: format!("it names {}; accepted are the names of two", players.len()),
        });
    };
    Ok(Meeting {
        players: (number(one, names)?, number(two, names)?),
        games: optional(PLACE, table, "games")?,
    })
}

/// The number of the only player of that name.
fn number(wanted: &str, names: &[&str]) -> Result<usize, FileError> {
    let found: Vec<usize> = (0..names.len()).filter(|&number| names[number] == wanted).collect();
    let shown = wanted.escape_debug();
    match found.as_slice() {
        [number] => Ok(*number),
        [] => Err(wrong(format!("there is no player '{shown}'; players: {}", names.join(", ")))),
        several => Err(wrong(format!(
            "{} players are called '{shown}', and a meeting cannot tell them apart; give each a \
             'name' of its own",
            several.len()
        ))),
    }
}

fn wrong(problem: String) -> FileError {
    FileError::Value { place: format!("the key 'meeting' of {PLACE}"), problem }
}
