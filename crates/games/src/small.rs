//! The two tiny games that tests and tutorials use.

mod face;
mod signature;

use monteverde_game::fixtures::{DiceRace, TicTacToe};
use monteverde_players::chinese::LANGUAGE;
use monteverde_players::face::{BoardView, PieceColour, SideView};
use monteverde_players::presentation::{Subject, Translation};
use monteverde_players::{Entry, Presentation, SignatureCase};

/// Tic-tac-toe.
#[derive(Clone, Copy, Debug)]
pub struct TicTacToeEntry;

impl Entry for TicTacToeEntry {
    type Game = TicTacToe;
    fn title(&self) -> &'static str {
        "Tic-tac-toe"
    }
    fn about(&self) -> &'static str {
        "tic-tac-toe"
    }
    fn sides(&self, _: &TicTacToe) -> [SideView; 2] {
        [("X", PieceColour::Blue), ("O", PieceColour::Red)]
            .map(|(name, colour)| SideView { name: name.into(), colour: Some(colour) })
    }
    fn ending_words(&self, ending: &str) -> Option<&'static str> {
        Some(match ending {
            "line" => "three in a line",
            "full board" => "the board is full",
            _ => return None,
        })
    }
    fn recorded_signature(&self) -> &'static str {
        crate::SIGNATURE
    }
    fn signature(&self) -> &'static [SignatureCase] {
        signature::TIC_TAC_TOE
    }
    fn board(&self, state: &TicTacToe) -> Option<BoardView> {
        Some(face::board(state))
    }
    fn presentation(&self) -> Presentation {
        const CHINESE: &[(&str, &str)] = &[
            ("Tic-tac-toe", "井字棋"),
            ("tic-tac-toe", "井字棋"),
            ("cross", "叉"),
            ("nought", "圈"),
            ("three in a line", "三子連線"),
            ("the board is full", "棋盤已滿"),
        ];
        let words = &[Translation { language: LANGUAGE, subject: Subject::Words, words: CHINESE }];
        Presentation { words, ..Presentation::default() }
    }
}

/// A race with a die.
#[derive(Clone, Copy, Debug)]
pub struct DiceRaceEntry;

impl Entry for DiceRaceEntry {
    type Game = DiceRace;
    fn about(&self) -> &'static str {
        "a race of two pieces with a loaded die"
    }
    fn presentation(&self) -> Presentation {
        const CHINESE: &[(&str, &str)] = &[
            ("dice-race", "骰子競走"),
            ("a race of two pieces with a loaded die", "兩子以灌鉛骰子競走"),
            ("First", "先手"),
            ("Second", "後手"),
        ];
        let words = &[Translation { language: LANGUAGE, subject: Subject::Words, words: CHINESE }];
        Presentation { words, ..Presentation::default() }
    }
    fn recorded_signature(&self) -> &'static str {
        crate::SIGNATURE
    }
    fn signature(&self) -> &'static [SignatureCase] {
        signature::DICE_RACE
    }
}
