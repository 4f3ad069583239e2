//! Settings as text: what one is called, what it means, what it accepts, and how it is read and
//! written.
//!
//! A kind of player has one table of [`Setting`]s, an entry each; reading a spec, printing it, the
//! help and the list of players are all made from that table. `S` is the typed form that the table
//! describes. An entry names its setting, what it accepts and where it is kept:
//!
//! ```
//! use monteverde_players::setting::Setting;
//! use monteverde_players::{Settings, field};
//!
//! const SEED: Setting<Settings> = Setting::<Settings>::whole("seed", 0..=u64::MAX, field!(config.seed))
//!     .means("Where the random numbers start.");
//! # assert_eq!(SEED.value(&Settings::default()).as_deref(), Some("1"));
//! ```

mod declare;

pub use declare::{among, by};

use crate::network_file::{self, NetworkFile};
use crate::spec::SpecError;
use crate::text::{self, nearest};
use std::ops::RangeInclusive;

/// One setting of the typed form `S`.
#[derive(Clone)]
pub struct Setting<S: 'static> {
    /// Its name in a spec.
    pub name: &'static str,
    /// What it means, in one sentence.
    pub meaning: &'static str,
    /// Another setting, as written in a spec, without which this one means nothing.
    pub needs: Option<&'static str>,
    /// The setting that all players have behind which one of a game's own stands in a spec;
    /// without one it comes last.
    pub after: Option<&'static str>,
    /// What it accepts, and where it is kept.
    pub kind: SettingKind<S>,
}

/// The typed form of the settings of a kind of player.
pub trait Checked: Clone + PartialEq + 'static {
    /// What is wrong with the settings taken together.
    fn check(&self) -> Result<(), SpecError> {
        Ok(())
    }
}

/// What a setting accepts, and where it is kept.
#[derive(Clone)]
#[expect(
    missing_docs,
    reason = "the fields are the same everywhere: what is accepted, and where it is kept"
)]
pub enum SettingKind<S: 'static> {
    /// One of some words.
    Word { words: &'static [&'static str], access: Access<S, &'static str> },
    /// A real number in a range.
    Real { range: RangeInclusive<f64>, access: Access<S, f64> },
    /// A whole number in a range.
    Whole { range: RangeInclusive<u64>, access: Access<S, u64> },
    /// A real number in a range, or `off`.
    RealOrOff { range: RangeInclusive<f64>, access: Access<S, f64, Option<f64>> },
    /// A real number in a range, or one of some words.
    RealOrWord {
        range: RangeInclusive<f64>,
        words: &'static [&'static str],
        access: Access<S, RealOrWord>,
    },
    /// A whole number in a range, or `off`.
    WholeOrOff { range: RangeInclusive<u64>, access: Access<S, u64, Option<u64>> },
    /// A number of bytes in a range, written as a whole number of KiB, MiB, GiB or single bytes.
    Bytes { range: RangeInclusive<u64>, access: Access<S, u64> },
    /// On or off: written as the bare name, or `no-` before it.
    Flag { access: Access<S, Switch> },
    /// The path of a network of the game, or `none`. The file is read with the spec.
    Network {
        open: fn(&str) -> Result<NetworkFile, String>,
        access: Access<S, NetworkFile, Option<NetworkFile>>,
    },
}

/// Where a setting is kept.
#[derive(Clone)]
pub struct Access<S, V, W = V> {
    /// The value in force; `None` where the setting means nothing, or is off.
    pub read: fn(&S) -> Option<V>,
    /// Puts a value in force, which is one that the setting accepts.
    pub write: fn(&mut S, W),
}

/// Some words, and where the one in force is kept.
pub struct Words<S> {
    /// The words.
    pub words: &'static [&'static str],
    /// Where the one in force is kept.
    pub access: Access<S, &'static str>,
}

/// The value of a setting that takes numbers and words.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum RealOrWord {
    /// A number.
    Real(f64),
    /// A word.
    Word(&'static str),
}

/// The position of a flag.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Switch {
    /// The flag is set.
    On,
    /// It is not.
    Off,
}

impl From<bool> for Switch {
    fn from(is_on: bool) -> Switch {
        if is_on { Switch::On } else { Switch::Off }
    }
}

/// The settings that all players have, with those of a game where they stand in a spec.
///
/// # Panics
/// If one of the game's has a name that is taken, or stands behind one that there is not.
pub(crate) fn merged<S: Clone>(shared: Vec<Setting<S>>, own: &[Setting<S>]) -> Vec<Setting<S>> {
    let is_shared = |name: &str| shared.iter().any(|setting| setting.name == name);
    for (index, setting) in own.iter().enumerate() {
        let name = setting.name;
        let is_taken = is_shared(name) || own[..index].iter().any(|other| other.name == name);
        assert!(!is_taken, "there are two settings '{name}'");
        let after = setting.after.filter(|after| !is_shared(after));
        assert!(
            after.is_none(),
            "'{name}' stands behind '{}', which is no setting",
            after.unwrap_or("")
        );
    }
    let mut all = Vec::with_capacity(shared.len() + own.len());
    for setting in shared {
        let name = setting.name;
        all.push(setting);
        all.extend(own.iter().filter(|setting| setting.after == Some(name)).cloned());
    }
    all.extend(own.iter().filter(|setting| setting.after.is_none()).cloned());
    all
}

/// What is written where a setting that need not have a number has none.
const OFF: &str = "off";

/// Writes the settings of `text`, which is `key=value,flag,...`, into `settings`. The order of the
/// text does not matter.
pub fn parse<S>(
    table: &'static [Setting<S>],
    text: &str,
    settings: &mut S,
) -> Result<(), SpecError> {
    let mut given = Vec::new();
    for item in text.split(',') {
        let (index, value) = split(table, item.trim())?;
        if given.iter().any(|&(before, _)| before == index) {
            return Err(SpecError::Duplicate { key: table[index].name });
        }
        given.push((index, value));
    }
    // The table lists what others need first.
    given.sort_by_key(|&(index, _)| index);
    given.into_iter().try_for_each(|(index, value)| table[index].write(settings, value))
}

/// Writes one setting that has a value.
pub fn set<S>(
    table: &'static [Setting<S>],
    key: &str,
    value: &str,
    settings: &mut S,
) -> Result<(), SpecError> {
    parse(table, &format!("{key}={value}"), settings)
}

/// The setting that a text would read a file for, if there is one: not everybody who may name
/// settings may name files.
pub fn file_named<S>(table: &'static [Setting<S>], text: &str) -> Option<&'static str> {
    text.split(',').find_map(|item| {
        let (index, given) = split(table, item.trim()).ok()?;
        let is_file = matches!(table[index].kind, SettingKind::Network { .. })
            && !matches!(given, Given::Value(network_file::NONE | network_file::OWN));
        is_file.then_some(table[index].name)
    })
}

/// The shortest text from which [`parse`] makes `settings` out of `base`, in the order of the
/// table.
pub fn print<S: Clone>(table: &'static [Setting<S>], base: &S, settings: &S) -> String {
    let mut reached = base.clone();
    let mut items = Vec::new();
    for setting in table {
        let wanted = setting.item(settings);
        if let Some(item) = wanted.filter(|_| setting.item(&reached) != setting.item(settings)) {
            match &setting.kind {
                // The file may have changed or gone meanwhile, so it is not read again.
                SettingKind::Network { access, .. } => {
                    (access.write)(&mut reached, (access.read)(settings));
                }
                _ => {
                    parse(table, &item, &mut reached).expect("a setting reads what it has written")
                }
            }
            items.push(item);
        }
    }
    items.join(",")
}

/// The setting that an item of a spec names, and what it gives it.
fn split<'a, S>(
    table: &'static [Setting<S>],
    item: &'a str,
) -> Result<(usize, Given<'a>), SpecError> {
    if item.is_empty() {
        return Err(SpecError::EmptySetting);
    }
    let (key, value) = match item.split_once('=') {
        Some((key, value)) => (key.trim(), Some(value.trim())),
        None => (item, None),
    };
    let find = |name: &str| table.iter().position(|setting| setting.name == name);
    let flag = |index: usize| matches!(table[index].kind, SettingKind::Flag { .. });
    let index = match find(key) {
        Some(index) => index,
        None => match key.strip_prefix("no-").and_then(find).filter(|&index| flag(index)) {
            Some(index) if value.is_none() => return Ok((index, Given::Switch(Switch::Off))),
            Some(index) => index,
            None => {
                let known: Vec<_> = table.iter().map(|setting| setting.name).collect();
                let nearest = nearest(key, &known);
                let (key, owners) = (key.to_owned(), Vec::new());
                return Err(SpecError::UnknownKey { key, nearest, owners, known });
            }
        },
    };
    let name = table[index].name;
    match (flag(index), value) {
        (true, None) => Ok((index, Given::Switch(Switch::On))),
        (true, Some(value)) => Err(SpecError::ValueForFlag { key: name, value: value.to_owned() }),
        (false, Some(value)) => Ok((index, Given::Value(value))),
        (false, None) => {
            Err(SpecError::MissingValue { key: name, accepted: table[index].accepted() })
        }
    }
}

/// What an item of a spec gives its setting.
#[derive(Clone, Copy)]
enum Given<'a> {
    Value(&'a str),
    Switch(Switch),
}

impl<S> Setting<S> {
    /// What it accepts, as a phrase.
    pub fn accepted(&self) -> String {
        match &self.kind {
            SettingKind::Word { words, .. } => words.join(", "),
            SettingKind::Real { range, .. } => number("a number", range),
            SettingKind::Whole { range, .. } => number("a whole number", range),
            SettingKind::RealOrOff { range, .. } => number("a number", range) + ", or off",
            SettingKind::RealOrWord { range, words, .. } => {
                format!("{}, or {}", number("a number", range), words.join(" or "))
            }
            SettingKind::WholeOrOff { range, .. } => number("a whole number", range) + ", or off",
            SettingKind::Bytes { range, .. } => format!(
                "a whole number of bytes, KiB, MiB or GiB from {} to {}, such as 256MiB",
                text::bytes(*range.start()),
                text::bytes(*range.end())
            ),
            SettingKind::Flag { .. } => format!("no value: '{0}' or 'no-{0}'", self.name),
            SettingKind::Network { .. } => {
                format!(
                    "the path of a network's file without a comma, {} for the one that the game brings, or {}",
                    network_file::OWN,
                    network_file::NONE
                )
            }
        }
    }

    /// Its value as text; `on` or `off` for a flag, `None` where it means nothing.
    pub fn value(&self, settings: &S) -> Option<String> {
        match &self.kind {
            SettingKind::Word { access, .. } => (access.read)(settings).map(str::to_owned),
            SettingKind::Real { access, .. } => (access.read)(settings).map(|it| it.to_string()),
            SettingKind::Whole { access, .. } => (access.read)(settings).map(|it| it.to_string()),
            SettingKind::RealOrOff { access, .. } => Some(or_off((access.read)(settings))),
            SettingKind::RealOrWord { access, .. } => {
                (access.read)(settings).map(|value| match value {
                    RealOrWord::Real(value) => value.to_string(),
                    RealOrWord::Word(word) => word.to_owned(),
                })
            }
            SettingKind::WholeOrOff { access, .. } => Some(or_off((access.read)(settings))),
            SettingKind::Bytes { access, .. } => (access.read)(settings).map(text::bytes),
            SettingKind::Flag { access } => (access.read)(settings).map(|switch| match switch {
                Switch::On => "on".to_owned(),
                Switch::Off => "off".to_owned(),
            }),
            SettingKind::Network { access, .. } => {
                let network = (access.read)(settings);
                Some(network.map_or(network_file::NONE.to_owned(), |file| file.to_string()))
            }
        }
    }

    /// Its default; where it means nothing without another, that other is given first.
    pub fn default(&self, table: &'static [Setting<S>]) -> Option<String>
    where
        S: Default,
    {
        let mut settings = S::default();
        if let Some(needs) = self.needs {
            parse(table, needs, &mut settings).ok()?;
        }
        self.value(&settings)
    }

    /// Its value in `settings` as an item of a spec, `None` where it means nothing.
    fn item(&self, settings: &S) -> Option<String> {
        let value = self.value(settings)?;
        Some(match (&self.kind, value.as_str()) {
            (SettingKind::Flag { .. }, "on") => self.name.to_owned(),
            (SettingKind::Flag { .. }, _) => format!("no-{}", self.name),
            _ => format!("{}={value}", self.name),
        })
    }

    fn write(&self, settings: &mut S, given: Given<'_>) -> Result<(), SpecError> {
        if let Some(needs) = self.needs.filter(|_| self.value(settings).is_none()) {
            return Err(SpecError::Needs { key: self.name, needs });
        }
        match given {
            Given::Switch(switch) => {
                if let SettingKind::Flag { access } = &self.kind {
                    (access.write)(settings, switch);
                }
                Ok(())
            }
            Given::Value(value) => {
                if let SettingKind::Network { open, access } = &self.kind {
                    let network =
                        if value == network_file::NONE { None } else { Some(open(value)) };
                    let network = network.transpose().map_err(|problem| SpecError::BadNetwork {
                        key: self.name,
                        value: value.to_owned(),
                        problem,
                        accepted: self.accepted(),
                    })?;
                    (access.write)(settings, network);
                    return Ok(());
                }
                self.write_value(settings, value).ok_or_else(|| SpecError::BadValue {
                    key: self.name,
                    value: value.to_owned(),
                    accepted: self.accepted(),
                })
            }
        }
    }

    /// `None` where the value is not accepted.
    fn write_value(&self, settings: &mut S, value: &str) -> Option<()> {
        let known = |words: &'static [&'static str]| words.iter().find(|&&word| word == value);
        match &self.kind {
            SettingKind::Word { words, access } => (access.write)(settings, known(words)?),
            SettingKind::Real { range, access } => {
                (access.write)(settings, parse_real(value, range)?);
            }
            SettingKind::Whole { range, access } => {
                (access.write)(settings, parse_whole(value, range)?);
            }
            SettingKind::RealOrOff { access, .. } if value == OFF => (access.write)(settings, None),
            SettingKind::RealOrOff { range, access } => {
                (access.write)(settings, Some(parse_real(value, range)?));
            }
            SettingKind::RealOrWord { range, words, access } => {
                let value = match known(words) {
                    Some(word) => RealOrWord::Word(word),
                    None => RealOrWord::Real(parse_real(value, range)?),
                };
                (access.write)(settings, value);
            }
            SettingKind::WholeOrOff { access, .. } if value == OFF => {
                (access.write)(settings, None);
            }
            SettingKind::WholeOrOff { range, access } => {
                (access.write)(settings, Some(parse_whole(value, range)?));
            }
            SettingKind::Bytes { range, access } => {
                let number = text::parse_bytes(value)?;
                (access.write)(settings, Some(number).filter(|number| range.contains(number))?);
            }
            SettingKind::Flag { .. } | SettingKind::Network { .. } => return None,
        }
        Some(())
    }
}

fn number<N: std::fmt::Display>(what: &str, range: &RangeInclusive<N>) -> String {
    format!("{what} from {} to {}", range.start(), range.end())
}

fn or_off(number: Option<impl ToString>) -> String {
    number.map_or(OFF.to_owned(), |number| number.to_string())
}

/// A real number in the range. Adding zero makes minus zero plain zero, which is printed without a
/// sign.
fn parse_real(text: &str, range: &RangeInclusive<f64>) -> Option<f64> {
    let number = text.parse::<f64>().ok()? + 0.0;
    range.contains(&number).then_some(number)
}

fn parse_whole(text: &str, range: &RangeInclusive<u64>) -> Option<u64> {
    text::parse_whole(text).filter(|number| range.contains(number))
}

#[cfg(test)]
mod tests;
