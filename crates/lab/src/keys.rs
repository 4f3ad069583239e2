//! Keys of files in TOML: one that nobody knows is refused, and the nearest known one is named.

use monteverde_players::UnknownGame;
use monteverde_players::text::nearest;
use serde::de::DeserializeOwned;
use toml::Table;

/// What is wrong with a file in TOML.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum FileError {
    /// It is no TOML.
    #[error("it is no TOML: {0}")]
    Toml(String),
    /// There is no such game.
    #[error(transparent)]
    Game(#[from] UnknownGame),
    /// A key that nobody knows.
    #[error(
        "{place} has no key '{}'{}; keys: {}", key.escape_debug(),
        nearest.map_or(String::new(), |name| format!(" (perhaps '{name}'?)")), known.join(", ")
    )]
    UnknownKey {
        /// Where it stands.
        place: String,
        /// What was given.
        key: String,
        /// The key most like it.
        nearest: Option<&'static str>,
        /// What is accepted.
        known: Vec<&'static str>,
    },
    /// A key is missing.
    #[error("{place} needs the key '{key}'")]
    Missing {
        /// Where it is missing.
        place: String,
        /// The key.
        key: &'static str,
    },
    /// A value is of the wrong type or out of range.
    #[error("{place}: {problem}")]
    Value {
        /// Where it stands.
        place: String,
        /// What is wrong with it.
        problem: String,
    },
}

/// Reads a file.
pub fn parse(text: &str) -> Result<Table, FileError> {
    text.parse()
        .map_err(|error: toml::de::Error| FileError::Toml(error.to_string().trim().to_owned()))
}

/// Refuses keys that are not known.
pub fn only(place: &str, table: &Table, known: &[&'static str]) -> Result<(), FileError> {
    match table.keys().find(|key| !known.contains(&key.as_str())) {
        None => Ok(()),
        Some(key) => Err(FileError::UnknownKey {
            place: place.to_owned(),
            key: key.clone(),
            nearest: nearest(key, known),
            known: known.to_vec(),
        }),
    }
}

/// The value of a key, if it is there.
pub fn optional<T: DeserializeOwned>(
    place: &str,
    table: &Table,
    key: &str,
) -> Result<Option<T>, FileError> {
    let Some(value) = table.get(key) else { return Ok(None) };
    let read = value.clone().try_into().map_err(|error: toml::de::Error| FileError::Value {
        place: format!("the key '{key}' of {place}"),
        problem: error.message().to_owned(),
    });
    read.map(Some)
}

/// The value of a key that must be there.
pub fn required<T: DeserializeOwned>(
    place: &str,
    table: &Table,
    key: &'static str,
) -> Result<T, FileError> {
    optional(place, table, key)?.ok_or_else(|| FileError::Missing { place: place.to_owned(), key })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_say_what_is_wrong() {
        let table = parse("games = 'many'\ntitel = 'x'").unwrap();
        let unknown = only("a sweep", &table, &["title", "games"]).unwrap_err().to_string();
        assert_eq!(unknown, "a sweep has no key 'titel' (perhaps 'title'?); keys: title, games");
        let wrong = required::<u64>("a sweep", &table, "games").unwrap_err().to_string();
        assert!(wrong.starts_with("the key 'games' of a sweep: "), "{wrong}");
        let missing = required::<u64>("a sweep", &table, "seed").unwrap_err().to_string();
        assert_eq!(missing, "a sweep needs the key 'seed'");
        assert!(parse("a = ").unwrap_err().to_string().starts_with("it is no TOML: "));
    }
}
