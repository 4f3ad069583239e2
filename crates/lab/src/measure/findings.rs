//! What measurements find.

use super::{Choices, Hunt, Mate, MeasureError, Ranks, Shape, Tally, Waits};
use serde::{Deserialize, Serialize};

/// What was found.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Findings {
    /// Of playouts.
    Playouts(Tally),
    /// Of searches.
    Searches(Choices),
    /// Of searches for a move.
    Until(Waits),
    /// Of games against a perfect defence.
    Mating(Vec<Hunt>),
    /// Of games from random starts.
    Endings(Vec<Mate>),
    /// Of games by ply.
    Shape(Shape),
    /// Of predictions, for each player.
    Prediction(Vec<Ranks>),
}

impl Findings {
    pub(super) fn text(&self) -> String {
        serde_json::to_string(self).expect("findings are plain data")
    }
}

/// What was asked for, out of what was found. A store whose findings are of another kind than their
/// key says is damaged.
macro_rules! out_of_findings {
    ($($kind:ident($found:ty)),* $(,)?) => {$(
        impl TryFrom<Findings> for $found {
            type Error = MeasureError;

            fn try_from(findings: Findings) -> Result<$found, MeasureError> {
                match findings {
                    Findings::$kind(found) => Ok(found),
                    other => Err(MeasureError::Damaged(format!(
                        "they are no {}: {}", stringify!($kind), other.text()
                    ))),
                }
            }
        }
    )*};
}

out_of_findings! {
    Playouts(Tally),
    Searches(Choices),
    Until(Waits),
    Mating(Vec<Hunt>),
    Endings(Vec<Mate>),
    Shape(Shape),
    Prediction(Vec<Ranks>),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn findings_of_another_kind_are_damaged() {
        let found = Findings::Endings(Vec::new());
        assert!(Vec::<Mate>::try_from(found.clone()).is_ok_and(|mates| mates.is_empty()));
        let error = Tally::try_from(found).unwrap_err().to_string();
        assert!(error.contains("they are no Playouts"), "{error}");
    }
}
