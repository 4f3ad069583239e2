//! Games that cannot be read: each costs itself, and is named.

use rusqlite::ErrorCode;
use std::fmt;

/// A game of a store that cannot be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Damage {
    /// Its key.
    pub key: String,
    /// What is wrong.
    pub problem: String,
}

impl Damage {
    /// What is wrong with one row; an error that is about more than the row is given back.
    pub(super) fn of_row(key: String, error: rusqlite::Error) -> Result<Damage, rusqlite::Error> {
        use rusqlite::Error::{
            FromSqlConversionFailure, IntegralValueOutOfRange, InvalidColumnType, Utf8Error,
        };
        let is_of_row = matches!(
            error,
            FromSqlConversionFailure(..)
                | IntegralValueOutOfRange(..)
                | InvalidColumnType(..)
                | Utf8Error(..)
        );
        match is_of_row || error.sqlite_error_code() == Some(ErrorCode::DatabaseCorrupt) {
            true => Ok(Damage { key, problem: error.to_string() }),
            false => Err(error),
        }
    }
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.key, self.problem)
    }
}

/// So many are named in a sentence.
const NAMED: usize = 5;

/// A sentence about games that were left out; none where none were.
pub fn left_out(damaged: &[Damage]) -> Option<String> {
    let named: Vec<_> = damaged.iter().take(NAMED).map(Damage::to_string).collect();
    let more = match damaged.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!("; and {more} more"),
    };
    let games = match damaged.len() {
        0 => return None,
        1 => "1 game is left out, since its record is damaged".to_owned(),
        many => format!("{many} games are left out, since their records are damaged"),
    };
    Some(format!("{games} ({}{more}).", named.join("; ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_out_is_named_up_to_a_few() {
        let damaged = |count: usize| {
            let one = |number| Damage { key: format!("k{number}"), problem: "torn".to_owned() };
            left_out(&(0..count).map(one).collect::<Vec<_>>())
        };
        assert_eq!(damaged(0), None);
        let one = "1 game is left out, since its record is damaged (k0: torn).";
        assert_eq!(damaged(1).as_deref(), Some(one));
        let many = damaged(7).unwrap();
        assert!(many.starts_with("7 games are") && many.ends_with("; k4: torn; and 2 more)."));
    }
}
