//! Settings as text: what one is called, what it means, what it accepts, and how it is read and written.
//!
//! A kind of player has one table of [`Setting`]s, one entry each; reading a spec, printing it, the help
//! and the list of players are all made from that table. `S` is the typed form that the table describes.

use crate::spec::SpecError;
use crate::text::{self, nearest};
use std::ops::RangeInclusive;

/// One setting of the typed form `S`.
pub struct Setting<S: 'static> {
    /// Its name in a spec.
    pub name: &'static str,
    /// What it means, in one sentence.
    pub meaning: &'static str,
    /// Another setting, as written in a spec, without which this one means nothing.
    pub needs: Option<&'static str>,
    /// What it accepts, and where it is kept. A `read` gives `None` where the setting means nothing.
    pub kind: Kind<S>,
}

/// The typed form of the settings of a kind of player.
pub trait Described: Clone + PartialEq + 'static {
    /// Every setting.
    const TABLE: &'static [Setting<Self>];

    /// What is wrong with the settings taken together.
    fn check(&self) -> Result<(), SpecError> {
        Ok(())
    }
}

/// What a setting accepts, and where it is kept.
pub enum Kind<S: 'static> {
    /// One of some words.
    Word {
        /// The words.
        words: &'static [&'static str],
        /// The word in force.
        read: fn(&S) -> &'static str,
        /// Puts a word in force, which is one of `words`.
        write: fn(&mut S, &str),
    },
    /// One of some words, where they mean anything.
    Choice {
        /// The words.
        words: &'static [&'static str],
        /// The word in force.
        read: fn(&S) -> Option<&'static str>,
        /// Puts a word in force, which is one of `words`.
        write: fn(&mut S, &str),
    },
    /// A real number in a range.
    Real {
        /// The range.
        range: RangeInclusive<f64>,
        /// The number in force.
        read: fn(&S) -> Option<f64>,
        /// Puts a number in force.
        write: fn(&mut S, f64),
    },
    /// A whole number in a range.
    Whole {
        /// The range.
        range: RangeInclusive<u64>,
        /// The number in force.
        read: fn(&S) -> Option<u64>,
        /// Puts a number in force.
        write: fn(&mut S, u64),
    },
    /// A real number in a range, or `off`.
    RealOrOff {
        /// The range.
        range: RangeInclusive<f64>,
        /// The number in force.
        read: fn(&S) -> Option<f64>,
        /// Puts a number in force, or none.
        write: fn(&mut S, Option<f64>),
    },
    /// A real number in a range, or one of some words.
    RealOrWord {
        /// The range.
        range: RangeInclusive<f64>,
        /// The words.
        words: &'static [&'static str],
        /// What is in force.
        read: fn(&S) -> RealOrWord,
        /// Puts a number in force, or a word, which is one of `words`.
        write: fn(&mut S, RealOrWord),
    },
    /// A whole number in a range, or `off`.
    WholeOrOff {
        /// The range.
        range: RangeInclusive<u64>,
        /// The number in force.
        read: fn(&S) -> Option<u64>,
        /// Puts a number in force, or none.
        write: fn(&mut S, Option<u64>),
    },
    /// A number of bytes in a range, written as a whole number of KiB, MiB, GiB or single bytes.
    Bytes {
        /// The range.
        range: RangeInclusive<u64>,
        /// The number in force.
        read: fn(&S) -> Option<u64>,
        /// Puts a number in force.
        write: fn(&mut S, u64),
    },
    /// On or off: written as the bare name, or `no-` before it.
    Flag {
        /// The position in force.
        read: fn(&S) -> Option<Switch>,
        /// Puts a position in force.
        write: fn(&mut S, Switch),
    },
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

/// What is written where a setting that need not have a number has none.
const OFF: &str = "off";

/// Writes the settings of `text`, which is `key=value,flag,...`, into `settings`. The order of the text
/// does not matter.
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

/// The shortest text from which [`parse`] makes `settings` out of `base`, in the order of the table.
pub fn print<S: Clone>(table: &'static [Setting<S>], base: &S, settings: &S) -> String {
    let mut reached = base.clone();
    let mut items = Vec::new();
    for setting in table {
        let wanted = setting.item(settings);
        if let Some(item) = wanted.filter(|_| setting.item(&reached) != setting.item(settings)) {
            parse(table, &item, &mut reached).expect("a setting reads what it has written");
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
    let flag = |index: usize| matches!(table[index].kind, Kind::Flag { .. });
    let index = match find(key) {
        Some(index) => index,
        None => match key.strip_prefix("no-").and_then(find).filter(|&index| flag(index)) {
            Some(index) if value.is_none() => return Ok((index, Given::Switch(Switch::Off))),
            Some(index) => index,
            None => {
                let known: Vec<_> = table.iter().map(|setting| setting.name).collect();
                let nearest = nearest(key, &known);
                return Err(SpecError::UnknownKey { key: key.to_owned(), nearest, known });
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
            Kind::Word { words, .. } | Kind::Choice { words, .. } => words.join(", "),
            Kind::Real { range, .. } => {
                format!("a number from {} to {}", range.start(), range.end())
            }
            Kind::Whole { range, .. } => {
                format!("a whole number from {} to {}", range.start(), range.end())
            }
            Kind::RealOrOff { range, .. } => {
                format!("a number from {} to {}, or off", range.start(), range.end())
            }
            Kind::RealOrWord { range, words, .. } => {
                let words = words.join(" or ");
                format!("a number from {} to {}, or {words}", range.start(), range.end())
            }
            Kind::WholeOrOff { range, .. } => {
                format!("a whole number from {} to {}, or off", range.start(), range.end())
            }
            Kind::Bytes { range, .. } => format!(
                "a whole number of bytes, KiB, MiB or GiB from {} to {}, such as 256MiB",
                text::bytes(*range.start()),
                text::bytes(*range.end())
            ),
            Kind::Flag { .. } => format!("no value: '{0}' or 'no-{0}'", self.name),
        }
    }

    /// Its value as text; `on` or `off` for a flag, `None` where it means nothing.
    pub fn value(&self, settings: &S) -> Option<String> {
        match &self.kind {
            Kind::Word { read, .. } => Some(read(settings).to_owned()),
            Kind::Choice { read, .. } => read(settings).map(str::to_owned),
            Kind::Real { read, .. } => read(settings).map(|value| value.to_string()),
            Kind::Whole { read, .. } => read(settings).map(|value| value.to_string()),
            Kind::RealOrOff { read, .. } => Some(or_off(read(settings))),
            Kind::RealOrWord { read, .. } => Some(match read(settings) {
                RealOrWord::Real(value) => value.to_string(),
                RealOrWord::Word(word) => word.to_owned(),
            }),
            Kind::WholeOrOff { read, .. } => Some(or_off(read(settings))),
            Kind::Bytes { read, .. } => read(settings).map(text::bytes),
            Kind::Flag { read, .. } => read(settings).map(|switch| match switch {
                Switch::On => "on".to_owned(),
                Switch::Off => "off".to_owned(),
            }),
        }
    }

    /// Its value in `settings` as an item of a spec, `None` where it means nothing.
    fn item(&self, settings: &S) -> Option<String> {
        match &self.kind {
            Kind::Flag { read, .. } => read(settings).map(|switch| match switch {
                Switch::On => self.name.to_owned(),
                Switch::Off => format!("no-{}", self.name),
            }),
            _ => self.value(settings).map(|value| format!("{}={value}", self.name)),
        }
    }

    fn write(&self, settings: &mut S, given: Given<'_>) -> Result<(), SpecError> {
        if let Some(needs) = self.needs.filter(|_| self.value(settings).is_none()) {
            return Err(SpecError::Needs { key: self.name, needs });
        }
        match given {
            Given::Switch(switch) => {
                if let Kind::Flag { write, .. } = &self.kind {
                    write(settings, switch);
                }
                Ok(())
            }
            Given::Value(value) => {
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
        match &self.kind {
            Kind::Word { words, write, .. } | Kind::Choice { words, write, .. } => {
                write(settings, words.iter().find(|&&word| word == value)?);
            }
            Kind::Real { range, write, .. } => write(settings, parse_real(value, range)?),
            Kind::Whole { range, write, .. } => write(settings, parse_whole(value, range)?),
            Kind::RealOrOff { write, .. } if value == OFF => write(settings, None),
            Kind::RealOrOff { range, write, .. } => {
                write(settings, Some(parse_real(value, range)?));
            }
            Kind::RealOrWord { range, words, write, .. } => {
                write(
                    settings,
                    match words.iter().find(|&&word| word == value) {
                        Some(word) => RealOrWord::Word(word),
                        None => RealOrWord::Real(parse_real(value, range)?),
                    },
                );
            }
            Kind::WholeOrOff { write, .. } if value == OFF => write(settings, None),
            Kind::WholeOrOff { range, write, .. } => {
                write(settings, Some(parse_whole(value, range)?));
            }
            Kind::Bytes { range, write, .. } => {
                let number = text::parse_bytes(value)?;
                write(settings, Some(number).filter(|number| range.contains(number))?);
            }
            Kind::Flag { .. } => return None,
        }
        Some(())
    }
}

fn or_off(number: Option<impl ToString>) -> String {
    number.map_or(OFF.to_owned(), |number| number.to_string())
}

/// A real number in the range. Adding zero makes minus zero plain zero, which is printed without a sign.
fn parse_real(text: &str, range: &RangeInclusive<f64>) -> Option<f64> {
    let number = text.parse::<f64>().ok()? + 0.0;
    range.contains(&number).then_some(number)
}

fn parse_whole(text: &str, range: &RangeInclusive<u64>) -> Option<u64> {
    text::parse_whole(text).filter(|number| range.contains(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, PartialEq, Debug)]
    struct Lamp {
        lit: Switch,
        colour: &'static str,
        watts: u64,
        dim: Option<f64>,
        timer: Option<u64>,
    }

    const BASE: Lamp = Lamp { lit: Switch::On, colour: "white", watts: 40, dim: None, timer: None };

    const TABLE: &[Setting<Lamp>] = &[
        Setting {
            name: "lit",
            meaning: "Whether it shines.",
            needs: None,
            kind: Kind::Flag {
                read: |lamp| Some(lamp.lit),
                write: |lamp, switch| lamp.lit = switch,
            },
        },
        Setting {
            name: "colour",
            meaning: "Its colour.",
            needs: None,
            kind: Kind::Word {
                words: &["white", "red"],
                read: |lamp| lamp.colour,
                write: |lamp, word| {
                    lamp.colour = if word == "red" { "red" } else { "white" };
                    lamp.dim = (word == "red").then(|| lamp.dim.unwrap_or(0.5));
                },
            },
        },
        Setting {
            name: "watts",
            meaning: "Its power.",
            needs: None,
            kind: Kind::Whole {
                range: 1..=100,
                read: |lamp| Some(lamp.watts),
                write: |lamp, watts| lamp.watts = watts,
            },
        },
        Setting {
            name: "dim",
            meaning: "How much of it is let through.",
            needs: Some("colour=red"),
            kind: Kind::Real {
                range: 0.0..=1.0,
                read: |lamp| lamp.dim,
                write: |lamp, dim| lamp.dim = Some(dim),
            },
        },
        Setting {
            name: "timer",
            meaning: "When it goes out.",
            needs: None,
            kind: Kind::WholeOrOff {
                range: 0..=60,
                read: |lamp| lamp.timer,
                write: |lamp, minutes| lamp.timer = minutes,
            },
        },
    ];

    fn check(text: &str) -> Result<String, SpecError> {
        let mut lamp = BASE;
        parse(TABLE, text, &mut lamp)?;
        let printed = print(TABLE, &BASE, &lamp);
        let mut again = BASE;
        if !printed.is_empty() {
            parse(TABLE, &printed, &mut again)?;
        }
        assert_eq!(again, lamp, "'{text}' is printed as '{printed}'");
        Ok(printed)
    }

    #[test]
    fn what_is_printed_is_what_differs_in_the_order_of_the_table() {
        for (text, printed) in [
            ("lit", ""),
            ("no-lit", "no-lit"),
            ("watts=40", ""),
            ("watts=060", "watts=60"),
            ("dim=0.25,watts=60,no-lit,colour=red", "no-lit,colour=red,watts=60,dim=0.25"),
            (" colour = red , dim = 5e-1 ", "colour=red"),
            ("colour=red,dim=-0", "colour=red,dim=0"),
            ("timer=off", ""),
            ("timer=0", "timer=0"),
        ] {
            assert_eq!(check(text).as_deref(), Ok(printed), "{text}");
        }
    }

    #[test]
    fn each_mistake_has_its_error() {
        let known = vec!["lit", "colour", "watts", "dim", "timer"];
        for (text, error) in [
            ("", SpecError::EmptySetting),
            ("lit,,no-lit", SpecError::EmptySetting),
            ("lit,no-lit", SpecError::Duplicate { key: "lit" }),
            ("watts=1,watts=1", SpecError::Duplicate { key: "watts" }),
            ("lit=yes", SpecError::ValueForFlag { key: "lit", value: "yes".to_owned() }),
            ("no-lit=", SpecError::ValueForFlag { key: "lit", value: String::new() }),
            ("dim=0.5", SpecError::Needs { key: "dim", needs: "colour=red" }),
            (
                "color=red",
                SpecError::UnknownKey {
                    key: "color".to_owned(),
                    nearest: Some("colour"),
                    known: known.clone(),
                },
            ),
            (
                "no-watts",
                SpecError::UnknownKey { key: "no-watts".to_owned(), nearest: Some("watts"), known },
            ),
            (
                "colour",
                SpecError::MissingValue { key: "colour", accepted: "white, red".to_owned() },
            ),
            (
                "watts=101",
                SpecError::BadValue {
                    key: "watts",
                    value: "101".to_owned(),
                    accepted: "a whole number from 1 to 100".to_owned(),
                },
            ),
            (
                "timer=61",
                SpecError::BadValue {
                    key: "timer",
                    value: "61".to_owned(),
                    accepted: "a whole number from 0 to 60, or off".to_owned(),
                },
            ),
            (
                "colour=red,dim=NaN",
                SpecError::BadValue {
                    key: "dim",
                    value: "NaN".to_owned(),
                    accepted: "a number from 0 to 1".to_owned(),
                },
            ),
        ] {
            assert_eq!(check(text), Err(error), "{text}");
        }
    }
}
