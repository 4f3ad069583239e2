//! The cells of a grid.

use toml::{Table, Value};

/// The most cells that a grid may have.
pub const MOST_CELLS: usize = 10_000;

/// Why a grid cannot be used.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum GridError {
    /// There is no key.
    #[error(
        "the grid is empty: give at least one key with a list of values, such as c = [0.5, 1, 2]"
    )]
    Empty,
    /// A key without values.
    #[error("the grid's key '{0}' has no values; give at least one")]
    NoValues(String),
    /// A key with something else than a list.
    #[error("the grid's key '{0}' needs a list of numbers, texts or true and false")]
    NotValues(String),
    /// A value is given twice.
    #[error("the grid's key '{key}' has the value {value} twice")]
    Twice {
        /// The key.
        key: String,
        /// The value.
        value: String,
    },
    /// Too many cells.
    #[error("the grid has {0} cells; at most {MOST_CELLS} are accepted")]
    TooLarge(u128),
}

/// The values of one cell, by the keys of the grid.
pub(super) type Values = Vec<(String, Value)>;

/// Every cell, the last key changing fastest.
pub(super) fn cells(grid: &Table) -> Result<Vec<Values>, GridError> {
    if grid.is_empty() {
        return Err(GridError::Empty);
    }
    let mut count: u128 = 1;
    for (key, values) in grid {
        let values = values.as_array().ok_or_else(|| GridError::NotValues(key.clone()))?;
        check_values(key, values)?;
        count = count.saturating_mul(values.len() as u128);
    }
    if count > MOST_CELLS as u128 {
        return Err(GridError::TooLarge(count));
    }
    let mut cells: Vec<Values> = vec![Vec::new()];
    for (key, values) in grid {
        let values = values.as_array().into_iter().flatten();
        let longer = |cell: &Values| {
            let value = |value: &Value| [cell.as_slice(), &[(key.clone(), value.clone())]].concat();
            values.clone().map(value).collect::<Vec<_>>()
        };
        cells = cells.iter().flat_map(longer).collect();
    }
    Ok(cells)
}

fn check_values(key: &str, values: &[Value]) -> Result<(), GridError> {
    if values.is_empty() {
        return Err(GridError::NoValues(key.to_owned()));
    }
    if values.iter().any(|value| text(value).is_none()) {
        return Err(GridError::NotValues(key.to_owned()));
    }
    let mut texts: Vec<String> = values.iter().filter_map(text).collect();
    texts.sort();
    match texts.windows(2).find(|two| two[0] == two[1]) {
        Some(two) => Err(GridError::Twice { key: key.to_owned(), value: two[0].clone() }),
        None => Ok(()),
    }
}

/// A single value as it stands in tables; `None` for lists, tables and dates.
pub(super) fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Integer(number) => Some(number.to_string()),
        Value::Float(number) => Some(number.to_string()),
        Value::Boolean(flag) => Some(flag.to_string()),
        _ => None,
    }
}
