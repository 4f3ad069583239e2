//! How settings are declared: what they accept, and where they are kept, in a line or two.

use super::{Access, Setting, SettingKind, Switch, Words};
use crate::network_file::NetworkFile;
use std::ops::RangeInclusive;

impl<S> Setting<S> {
    /// One of some words.
    pub const fn word(name: &'static str, words: Words<S>) -> Self {
        let Words { words, access } = words;
        Setting::new(name, SettingKind::Word { words, access })
    }

    /// A real number.
    pub const fn real(
        name: &'static str,
        range: RangeInclusive<f64>,
        access: Access<S, f64>,
    ) -> Self {
        Setting::new(name, SettingKind::Real { range, access })
    }

    /// A real number, or none.
    pub const fn real_or_off(
        name: &'static str,
        range: RangeInclusive<f64>,
        access: Access<S, f64, Option<f64>>,
    ) -> Self {
        Setting::new(name, SettingKind::RealOrOff { range, access })
    }

    /// A whole number.
    pub const fn whole(
        name: &'static str,
        range: RangeInclusive<u64>,
        access: Access<S, u64>,
    ) -> Self {
        Setting::new(name, SettingKind::Whole { range, access })
    }

    /// A whole number, or none.
    pub const fn whole_or_off(
        name: &'static str,
        range: RangeInclusive<u64>,
        access: Access<S, u64, Option<u64>>,
    ) -> Self {
        Setting::new(name, SettingKind::WholeOrOff { range, access })
    }

    /// A number of bytes.
    pub const fn bytes(
        name: &'static str,
        range: RangeInclusive<u64>,
        access: Access<S, u64>,
    ) -> Self {
        Setting::new(name, SettingKind::Bytes { range, access })
    }

    /// On or off.
    pub const fn flag(name: &'static str, access: Access<S, Switch>) -> Self {
        Setting::new(name, SettingKind::Flag { access })
    }

    /// A network of the game, or none.
    pub const fn network(
        name: &'static str,
        open: fn(&str) -> Result<NetworkFile, String>,
        access: Access<S, NetworkFile, Option<NetworkFile>>,
    ) -> Self {
        Setting::new(name, SettingKind::Network { open, access })
    }

    /// Anything that a setting may accept.
    pub const fn new(name: &'static str, kind: SettingKind<S>) -> Self {
        Setting { name, meaning: "", needs: None, after: None, kind }
    }

    /// What it means, in one sentence.
    pub const fn means(mut self, meaning: &'static str) -> Self {
        self.meaning = meaning;
        self
    }

    /// Another setting, as written in a spec, without which it means nothing.
    pub const fn needs(mut self, needs: &'static str) -> Self {
        self.needs = Some(needs);
        self
    }

    /// The setting that all players have behind which it stands in a spec.
    pub const fn after(mut self, after: &'static str) -> Self {
        self.after = Some(after);
        self
    }
}

/// Where a number is kept that is a field: of the settings, `field!(config.seed)`; of a part that
/// is not always there, without which the setting means nothing, `field!(config.widen?.first)`; or
/// of a game's own, `field!(Rules: size)`.
#[macro_export]
macro_rules! field {
    ($own:ty: $($path:ident).+) => {
        $crate::setting::Access {
            read: |settings| Some(settings.own::<$own>().$($path).+ as _),
            write: |settings, value| settings.own_mut::<$own>().$($path).+ = value as _,
        }
    };
    ($($path:ident).+ ? . $field:ident) => {
        $crate::setting::Access {
            read: |settings| Some(settings.$($path).+.as_ref()?.$field as _),
            write: |settings, value| {
                if let Some(part) = &mut settings.$($path).+ {
                    part.$field = value as _;
                }
            },
        }
    };
    ($($path:ident).+) => {
        $crate::setting::Access {
            read: |settings| Some(settings.$($path).+ as _),
            write: |settings, value| settings.$($path).+ = value as _,
        }
    };
}

/// Where a number or `off` is kept that is an optional field: `field_or_off!(config.draw_weight)`.
#[macro_export]
macro_rules! field_or_off {
    ($($path:ident).+) => {
        $crate::setting::Access {
            read: |settings| settings.$($path).+.map(|value| value as _),
            write: |settings, value| settings.$($path).+ = value.map(|value| value as _),
        }
    };
}

/// Words that stand for the values of a field: `words!(config.order { "moves" => Order::Generation,
/// ... })`. Fields are as in [`field!`].
#[macro_export]
macro_rules! words {
    ($own:ty: $($path:ident).+ { $($word:literal => $value:expr),+ $(,)? }) => {
        $crate::words!(@
            [$($word => $value),+]
            |settings| Some(settings.own::<$own>().$($path).+),
            |settings, value| settings.own_mut::<$own>().$($path).+ = value
        )
    };
    ($($path:ident).+ ? . $field:ident { $($word:literal => $value:expr),+ $(,)? }) => {
        $crate::words!(@
            [$($word => $value),+]
            |settings| settings.$($path).+.as_ref().map(|part| part.$field),
            |settings, value| if let Some(part) = &mut settings.$($path).+ {
                part.$field = value;
            }
        )
    };
    ($($path:ident).+ { $($word:literal => $value:expr),+ $(,)? }) => {
        $crate::words!(@
            [$($word => $value),+]
            |settings| Some(settings.$($path).+),
            |settings, value| settings.$($path).+ = value
        )
    };
    (@
        [$($known:literal => $value:expr),+]
        |$read:ident| $field:expr,
        |$write:ident, $new:ident| $set:expr
    ) => {
        $crate::setting::Words {
            words: &[$($known),+],
            access: $crate::setting::Access {
                read: |$read| {
                    let now = $field?;
                    $(if now == $value { return Some($known); })+
                    None
                },
                write: |$write, word| {
                    let $new = match word { $($known => $value,)+ _ => return };
                    $set;
                },
            },
        }
    };
}

/// Where a flag is kept that is a field of two values: `switch!(reuse: Reuse::Forget,
/// Reuse::Keep)`, the first is on; a field that is true or false, `switch!(config.pvs)`; or one
/// that is there or not, where switching it on puts a value there, `switch!(config.null = NULL)`,
/// or keeps the one that is there, `switch!(config.sl or SL)`. Fields are as in [`field!`].
#[macro_export]
macro_rules! switch {
    ($($path:ident).+ ? . $field:ident: $on:expr, $off:expr) => {
        $crate::setting::Access {
            read: |settings| Some((settings.$($path).+.as_ref()?.$field == $on).into()),
            write: |settings, switch| {
                if let Some(part) = &mut settings.$($path).+ {
                    part.$field =
                        if switch == $crate::setting::Switch::On { $on } else { $off };
                }
            },
        }
    };
    ($($path:ident).+ : $on:expr, $off:expr) => {
        $crate::setting::Access {
            read: |settings| Some((settings.$($path).+ == $on).into()),
            write: |settings, switch| {
                settings.$($path).+ = if switch == $crate::setting::Switch::On { $on } else { $off };
            },
        }
    };
    ($($path:ident).+ = $on:expr) => {
        $crate::setting::Access {
            read: |settings| Some(settings.$($path).+.is_some().into()),
            write: |settings, switch| {
                settings.$($path).+ = (switch == $crate::setting::Switch::On).then(|| $on);
            },
        }
    };
    ($($path:ident).+ or $on:expr) => {
        $crate::setting::Access {
            read: |settings| Some(settings.$($path).+.is_some().into()),
            write: |settings, switch| {
                let now = settings.$($path).+.unwrap_or($on);
                settings.$($path).+ = (switch == $crate::setting::Switch::On).then_some(now);
            },
        }
    };
    ($($path:ident).+) => { $crate::switch!($($path).+ : true, false) };
}

/// A setting that is kept in a way of its own.
pub const fn by<S, V, W>(read: fn(&S) -> Option<V>, write: fn(&mut S, W)) -> Access<S, V, W> {
    Access { read, write }
}

/// Words that are kept in a way of their own.
pub const fn among<S>(
    words: &'static [&'static str],
    read: fn(&S) -> Option<&'static str>,
    write: fn(&mut S, &'static str),
) -> Words<S> {
    Words { words, access: Access { read, write } }
}
