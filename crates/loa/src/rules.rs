//! The rules that differ between books, tournaments and programs.

use monteverde_game::switches::{self, SwitchError};
use std::fmt;
use std::str::FromStr;

/// How a game is played where opinions differ. The default are the rules of the Computer Olympiads:
/// simultaneous connection is a draw, the third occurrence is a draw, a side that cannot move
/// passes.
///
/// As text, `simultaneous=mover,repetition=2,nomove=loss,plies=500`; what is left out is as in the
/// default.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Rules {
    /// What a move means that connects both sides.
    pub simultaneous: Simultaneous,
    /// When a position that occurs again is a draw.
    pub repetition: Repetition,
    /// What happens to a side that cannot move.
    pub no_move: NoMove,
    /// A game of so many plies that nobody has won is drawn, at least 1. No rule of the Olympiads,
    /// but without one a random game might go on for ever; it counts from the state that was set
    /// up.
    pub plies: u16,
}

/// What a move means that connects both sides.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Simultaneous {
    /// A draw.
    Draw,
    /// The side that moved wins.
    Mover,
}

/// When a position that occurs again is a draw.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Repetition {
    /// At its third occurrence with the same side to move.
    Third,
    /// At the second occurrence of the board, whoever is to move.
    Second,
    /// Never.
    Off,
}

/// What happens to a side that cannot move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum NoMove {
    /// It passes.
    Pass,
    /// It loses.
    Loss,
}

impl Rules {
    /// The rules of the Computer Olympiads. The longest game, 1,000 plies, is OpenSpiel's.
    pub const OLYMPIAD: Rules = Rules {
        simultaneous: Simultaneous::Draw,
        repetition: Repetition::Third,
        no_move: NoMove::Pass,
        plies: 1000,
    };

    /// The rules of OpenSpiel's `lines_of_action`, but for one thing: there a move that wins as the
    /// 1,000th is a draw.
    pub const OPEN_SPIEL: Rules = Rules {
        simultaneous: Simultaneous::Mover,
        repetition: Repetition::Second,
        no_move: NoMove::Loss,
        ..Rules::OLYMPIAD
    };

    /// The rules of Ludii's Lines of Action.
    pub const LUDII: Rules = Rules { repetition: Repetition::Off, ..Rules::OLYMPIAD };
}

impl Default for Rules {
    fn default() -> Rules {
        Rules::OLYMPIAD
    }
}

impl fmt::Display for Rules {
    /// What differs from the default; nothing for the default.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let usual = Rules::default();
        let mut switches = Vec::new();
        if self.simultaneous != usual.simultaneous {
            switches.push("simultaneous=mover".to_owned());
        }
        match self.repetition {
            Repetition::Third => {}
            Repetition::Second => switches.push("repetition=2".to_owned()),
            Repetition::Off => switches.push("repetition=off".to_owned()),
        }
        if self.no_move != usual.no_move {
            switches.push("nomove=loss".to_owned());
        }
        if self.plies != usual.plies {
            switches.push(format!("plies={}", self.plies));
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

const ACCEPTED: &str = "simultaneous=draw|mover, repetition=3|2|off, nomove=pass|loss and plies=N, with commas between them";

impl Rules {
    fn set(&mut self, key: &str, value: &str) -> Option<()> {
        match (key, value) {
            ("simultaneous", "draw") => self.simultaneous = Simultaneous::Draw,
            ("simultaneous", "mover") => self.simultaneous = Simultaneous::Mover,
            ("repetition", "3") => self.repetition = Repetition::Third,
            ("repetition", "2") => self.repetition = Repetition::Second,
            ("repetition", "off") => self.repetition = Repetition::Off,
            ("nomove", "pass") => self.no_move = NoMove::Pass,
            ("nomove", "loss") => self.no_move = NoMove::Loss,
            _ => return None,
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_written_and_read() {
        assert_eq!(Rules::OLYMPIAD.to_string(), "");
        assert_eq!(Rules::OPEN_SPIEL.to_string(), "simultaneous=mover,repetition=2,nomove=loss");
        assert_eq!(Rules::LUDII.to_string(), "repetition=off");
        let short = Rules { plies: 200, ..Rules::LUDII };
        for rules in [Rules::OPEN_SPIEL, Rules::LUDII, short] {
            assert_eq!(rules.to_string().parse(), Ok(rules));
        }
        let usual = "simultaneous=draw,repetition=3,nomove=pass,plies=1000";
        assert_eq!(usual.parse(), Ok(Rules::default()));
    }

    #[test]
    fn errors_say_what_is_accepted() {
        let error = |text: &str| text.parse::<Rules>().expect_err("no rules").to_string();
        assert_eq!(
            error("repetition=4"),
            "'repetition=4' is no rule; accepted are simultaneous=draw|mover, repetition=3|2|off, \
             nomove=pass|loss and plies=N, with commas between them"
        );
        assert_eq!(error("plies=0"), "plies is a number from 1 to 65535, not '0'");
        assert_eq!(error("nomove=loss,nomove=pass"), "the rule 'nomove' is given twice");
        assert!(error("").starts_with("'' is no rule"));
    }
}
