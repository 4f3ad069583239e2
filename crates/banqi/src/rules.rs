//! When a game is drawn, on which tournaments differ.

use monteverde_game::switches::{self, SwitchError};
use std::fmt;
use std::str::FromStr;

/// When a game is drawn. The default are the rules of paper 004: 40 plies without a capture or a
/// flip, or the third occurrence of a position.
///
/// As text, `plies=60,repetition=cycle`; what is left out is as in the default.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Rules {
    /// After so many plies without a capture or a flip the game is drawn, at least 1.
    pub plies: u16,
    /// When a position that occurs again is a draw.
    pub repetition: Repetition,
}

/// When a position that occurs again is a draw. The side to move is part of a position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Repetition {
    /// At its third occurrence.
    Third,
    /// When the last 3k plies are one cycle of k plies, played three times.
    Cycle,
    /// Never.
    Off,
}

impl Rules {
    /// The rules of paper 004.
    pub const PAPER: Rules = Rules { plies: 40, repetition: Repetition::Third };

    /// The rules of the arena whose records are public.
    pub const ARENA: Rules = Rules { plies: 60, repetition: Repetition::Cycle };
}

impl Default for Rules {
    fn default() -> Rules {
        Rules::PAPER
    }
}

impl fmt::Display for Rules {
    /// What differs from the default; nothing for the default.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut switches = Vec::new();
        if self.plies != Rules::default().plies {
            switches.push(format!("plies={}", self.plies));
        }
        match self.repetition {
            Repetition::Third => {}
            Repetition::Cycle => switches.push("repetition=cycle".to_owned()),
            Repetition::Off => switches.push("repetition=off".to_owned()),
        }
        f.write_str(&switches.join(","))
    }
}

impl FromStr for Rules {
    type Err = SwitchError;

    fn from_str(text: &str) -> Result<Rules, SwitchError> {
        let mut rules = Rules::default();
        switches::read(text, ACCEPTED, &mut rules, |rules| &mut rules.plies, Rules::set)?;
        Ok(rules)
    }
}

const ACCEPTED: &str = "plies=N and repetition=3|cycle|off, with a comma between them";

impl Rules {
    fn set(&mut self, key: &str, value: &str) -> Option<()> {
        self.repetition = match (key, value) {
            ("repetition", "3") => Repetition::Third,
            ("repetition", "cycle") => Repetition::Cycle,
            ("repetition", "off") => Repetition::Off,
            _ => return None,
        };
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_written_and_read() {
        assert_eq!(Rules::PAPER.to_string(), "");
        assert_eq!(Rules::ARENA.to_string(), "plies=60,repetition=cycle");
        let long = Rules { plies: 180, repetition: Repetition::Off };
        for rules in [Rules::ARENA, long] {
            assert_eq!(rules.to_string().parse(), Ok(rules));
        }
        assert_eq!("plies=40,repetition=3".parse(), Ok(Rules::default()));
    }

    #[test]
    fn errors_say_what_is_accepted() {
        let error = |text: &str| text.parse::<Rules>().expect_err("no rules").to_string();
        assert_eq!(
            error("repetition=2"),
            "'repetition=2' is no rule; accepted are plies=N and repetition=3|cycle|off, with a \
             comma between them"
        );
        assert_eq!(error("plies=0"), "plies is a number from 1 to 65535, not '0'");
        assert_eq!(error("plies=1,plies=2"), "the rule 'plies' is given twice");
    }
}
