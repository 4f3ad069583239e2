//! Speeds that were measured on one machine and are used on others, so that all of them give a
//! player the same iterations.

use super::CalibrationError;
use crate::store::Store;

/// Where speeds come from: a store, in which they may be missing.
pub enum Speeds<'s> {
    /// Those that are missing are measured, and kept there.
    Measured(&'s mut Store),
    /// Those that are missing are an error: they have to be the same elsewhere.
    Known(&'s Store),
}

impl<'s> From<&'s mut Store> for Speeds<'s> {
    fn from(store: &'s mut Store) -> Speeds<'s> {
        Speeds::Measured(store)
    }
}

impl Speeds<'_> {
    pub(super) fn store(&self) -> &Store {
        match self {
            Speeds::Measured(store) => store,
            Speeds::Known(store) => store,
        }
    }
}

/// Copies every speed that a store keeps into another, and gives their number. A player that has
/// another speed there is an error: its games were played with that one.
pub fn take_speeds(store: &mut Store, from: &Store) -> Result<u64, CalibrationError> {
    let mut count = 0;
    for (key, probe, findings) in from.all_findings("calibration")? {
        let read: serde_json::Value = serde_json::from_str(&probe).unwrap_or_default();
        // Other measurements may mention the word, in the name of a player for one.
        let Some(player) = read.get("calibration").and_then(|player| player.as_str()) else {
            continue;
        };
        let given: Option<serde_json::Value> = serde_json::from_str(&findings).ok();
        match store.findings(&key)? {
            known @ Some(_) if known != given => {
                return Err(CalibrationError::OtherSpeed {
                    player: player.to_owned(),
                    path: store.path().to_owned(),
                });
            }
            Some(_) => {}
            None => store.keep_findings(&key, &probe, &findings)?,
        }
        count += 1;
    }
    Ok(count)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::tests::key;

    #[test]
    fn speeds_travel_alone_and_are_not_mixed() {
        let mut from = Store::memory().unwrap();
        from.keep_findings(&key(1), r#"{"calibration":"mcc"}"#, r#"{"per_second":1.0}"#).unwrap();
        from.keep_findings(&key(2), r#"{"suite":"calibration"}"#, "7").unwrap();
        let mut store = Store::memory().unwrap();
        assert_eq!(take_speeds(&mut store, &from).unwrap(), 1);
        assert_eq!(take_speeds(&mut store, &from).unwrap(), 1);
        assert!(store.findings::<serde_json::Value>(&key(1)).unwrap().is_some());
        assert!(store.findings::<serde_json::Value>(&key(2)).unwrap().is_none());
        from.keep_findings(&key(1), r#"{"calibration":"mcc"}"#, r#"{"per_second":2.0}"#).unwrap();
        let error = take_speeds(&mut store, &from).unwrap_err().to_string();
        assert!(error.contains("another speed of 'mcc'"), "{error}");
    }
}
