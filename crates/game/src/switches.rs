//! Switches of rules as text, `repetition=2,plies=500`: for games that are played by different
//! rules in different places.

/// Why a text is no switches.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SwitchError {
    /// A part that is no switch.
    #[error("'{part}' is no rule; accepted are {accepted}")]
    Unknown {
        /// The part.
        part: String,
        /// What is accepted.
        accepted: &'static str,
    },
    /// A number of plies that is none.
    #[error("plies is a number from 1 to 65535, not '{0}'")]
    Plies(String),
    /// A switch that is given twice.
    #[error("the rule '{0}' is given twice")]
    Twice(String),
}

/// Reads switches with commas between them. `plies` is a number, which every game with switches
/// has; `set` puts any other in force, unless there is no such key and value. `accepted` stands in
/// the error then.
pub fn read<R>(
    text: &str,
    accepted: &'static str,
    rules: &mut R,
    plies: fn(&mut R) -> &mut u16,
    set: fn(&mut R, &str, &str) -> Option<()>,
) -> Result<(), SwitchError> {
    let mut known: Vec<&str> = Vec::new();
    for part in text.split(',') {
        let unknown = || SwitchError::Unknown { part: part.to_owned(), accepted };
        let (key, value) = part.split_once('=').ok_or_else(unknown)?;
        match key {
            "plies" => {
                let number = value.parse().ok().filter(|&number| number > 0);
                *plies(rules) = number.ok_or_else(|| SwitchError::Plies(value.to_owned()))?;
            }
            _ => set(rules, key, value).ok_or_else(unknown)?,
        }
        if known.contains(&key) {
            return Err(SwitchError::Twice(key.to_owned()));
        }
        known.push(key);
    }
    Ok(())
}
