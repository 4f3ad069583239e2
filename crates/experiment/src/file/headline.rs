//! The numbers of an experiment that the index of pages shows, each under a question of its own;
//! and those among them that a read-me shows.

use super::Compare;
use monteverde_lab::keys::{FileError, only, optional, required};
use toml::Table;

/// A number with the question that it answers.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Headline {
    /// The question, with the unit of the number.
    pub(crate) question: String,
    /// The question as a read-me asks it, where it stands without the others.
    pub(crate) front: Option<String>,
    /// Which comparison has it.
    pub(crate) compare: usize,
    /// Which of its values it is.
    pub(crate) value: usize,
}

/// Reads the list; each entry names a value, and the measure where several comparisons have one of
/// that name.
pub(super) fn read_all(
    place: &str,
    table: &Table,
    compares: &[Compare],
) -> Result<Vec<Headline>, FileError> {
    let all: Vec<Table> = optional(place, table, "headline")?.unwrap_or_default();
    all.iter().map(|table| read(table, compares)).collect()
}

fn read(table: &Table, compares: &[Compare]) -> Result<Headline, FileError> {
    const PLACE: &str = "a headline";
    only(PLACE, table, &["question", "front", "name", "measure", "base"])?;
    let name: String = required(PLACE, table, "name")?;
    let measure: Option<String> = optional(PLACE, table, "measure")?;
    let base: Option<String> = optional(PLACE, table, "base")?;
    let is_meant = |compare: &Compare| {
        measure.as_ref().is_none_or(|measure| *measure == compare.measure)
            && (base.is_none() || base == compare.base)
    };
    let mut found = compares.iter().enumerate().filter_map(|(number, compare)| {
        let value = compare.values.iter().position(|value| value.name == name)?;
        is_meant(compare).then_some((number, value))
    });
    let Some((compare, value)) = found.next() else {
        let known = compares.iter().flat_map(|compare| &compare.values);
        let known: Vec<&str> = known.map(|value| value.name.as_str()).collect();
        return Err(FileError::Value {
            place: format!("the key 'name' of {PLACE}"),
            problem: format!(
                "'{}' is no value of such a comparison; values: {}",
                name.escape_debug(),
                known.join(", ")
            ),
        });
    };
    Ok(Headline {
        question: required(PLACE, table, "question")?,
        front: optional(PLACE, table, "front")?,
        compare,
        value,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_is_not_compared_is_refused() {
        let table: Table = "headline = [{ question = 'Is it?', name = 'it' }]".parse().unwrap();
        let error = read_all("a test", &table, &[]).unwrap_err().to_string();
        assert!(error.contains("'it' is no value"), "{error}");
        assert_eq!(read_all("a test", &Table::new(), &[]), Ok(Vec::new()));
    }
}
