//! The game as the arena tells it: where it began and what was played since.

use super::command::{Layout, Repeating};
use monteverde_banqi::{
    Banqi, Board, Colour, Colours, Face, Move, Piece, Repetition, Rules, Setup, SetupError, Square,
};
use monteverde_game::{Game, Notation, NotationError};

/// A game in progress.
#[derive(Clone)]
pub(super) struct ArenaGame {
    start: Setup,
    /// What the arena's repetitions mean, once they draw.
    repetition: Repetition,
    mover: Mover,
    steps: Vec<(Move, Option<Piece>)>,
    state: Banqi,
    /// Changes whenever the game does not just go on.
    edition: u64,
}

/// Whether it is known who is to move.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mover {
    Known,
    /// A board was given without a word about it.
    Guessed,
}

/// Why something cannot be done.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(super) enum ArenaGameError {
    /// The other colour is to move.
    #[error("{} is to move, not {}", name(*.0), name(.0.other()))]
    Colour(Colour),
    /// It must be said who is to move.
    #[error("the colours are known; 'genmove red' and 'genmove black' are accepted")]
    Unknown,
    /// A move is none, or is not legal.
    #[error(transparent)]
    Move(#[from] NotationError),
    /// A board cannot be.
    #[error("the board breaks the rules: {0}")]
    Setup(#[from] SetupError),
}

fn name(colour: Colour) -> &'static str {
    match colour {
        Colour::Red => "red",
        Colour::Black => "black",
    }
}

impl ArenaGame {
    /// The start of a game by these rules.
    pub(super) fn new(rules: Rules) -> ArenaGame {
        let start = Setup { rules, ..Setup::start() };
        let state = Banqi::new(Board::new(&start).expect("the start of the game is a board"));
        let repetition = match rules.repetition {
            Repetition::Off => Repetition::Third,
            rule => rule,
        };
        ArenaGame { start, repetition, mover: Mover::Known, steps: Vec::new(), state, edition: 0 }
    }

    /// The state that was reached.
    pub(super) fn state(&self) -> &Banqi {
        &self.state
    }

    /// What was played since the start.
    pub(super) fn steps(&self) -> &[(Move, Option<Piece>)] {
        &self.steps
    }

    /// A number that stays the same as long as the game just goes on.
    pub(super) fn edition(&self) -> u64 {
        self.edition
    }

    /// Begins a new game by the same rules.
    pub(super) fn reset(&mut self) {
        let edition = self.edition + 1;
        let repetition = self.repetition;
        *self = ArenaGame { edition, repetition, ..ArenaGame::new(self.start.rules) };
    }

    /// Begins a new game from a board. Where it is not the usual start, it is not known who is to
    /// move.
    pub(super) fn lay(&mut self, layout: &Layout) -> Result<(), ArenaGameError> {
        let mut new = self.clone();
        new.reset();
        let &Layout { faces, covered } = layout;
        let is_start = faces.iter().all(|&face| face == Face::Covered);
        let colours = Colours { first: Colour::Red, mover: Colour::Red };
        new.mover = if is_start { Mover::Known } else { Mover::Guessed };
        new.start.faces = faces;
        new.start.covered = covered;
        new.start.colours = (!is_start).then_some(colours);
        new.state = Banqi::new(Board::new(&new.start)?);
        *self = new;
        Ok(())
    }

    /// Says whether repetition draws.
    pub(super) fn set_repeating(&mut self, repeating: Repeating) {
        self.start.rules.repetition = match repeating {
            Repeating::Draws => self.repetition,
            Repeating::Ignored => Repetition::Off,
        };
        self.replay();
    }

    /// Says after how many quiet plies the game is drawn.
    pub(super) fn set_plies(&mut self, plies: u16) {
        self.start.rules.plies = plies;
        self.replay();
    }

    /// A colour is said to be to move; `None` says that the colours are not known.
    pub(super) fn set_mover(&mut self, said: Option<Colour>) -> Result<(), ArenaGameError> {
        let Some(colours) = self.state.board().colours() else { return Ok(()) };
        let Some(said) = said else { return Err(ArenaGameError::Unknown) };
        if said != colours.mover {
            if self.mover == Mover::Known {
                return Err(ArenaGameError::Colour(colours.mover));
            }
            // Only flips can have been played since, and those are open to both colours.
            let other = self.start.colours.map(|colours| colours.mover.other());
            self.start.colours = other.map(|mover| Colours { first: mover, mover });
            self.replay();
        }
        self.mover = Mover::Known;
        Ok(())
    }

    /// A piece moved.
    pub(super) fn play(&mut self, from: Square, to: Square) -> Result<(), ArenaGameError> {
        let mut new = self.clone();
        if let (Mover::Guessed, Some(piece)) = (self.mover, self.state.board().piece(from)) {
            new.set_mover(Some(piece.colour()))?;
        }
        let mv = new.state.parse_move(&Move::new(from, to).to_string())?;
        new.step(mv, None);
        *self = new;
        Ok(())
    }

    /// A piece was turned up.
    pub(super) fn flip(&mut self, square: Square, piece: Piece) -> Result<(), ArenaGameError> {
        let mv = self.state.parse_move(&Move::flip(square).to_string())?;
        let mut turning = self.state.clone();
        turning.play(mv);
        turning.parse_event(&piece.letter().to_string())?;
        self.step(mv, Some(piece));
        Ok(())
    }

    fn step(&mut self, mv: Move, event: Option<Piece>) {
        self.state.play(mv);
        event.into_iter().for_each(|piece| self.state.settle(piece));
        self.steps.push((mv, event));
    }

    /// Plays the game anew from a start that has changed in what no move depends on.
    fn replay(&mut self) {
        let board = Board::new(&self.start).expect("rules and sides do not spoil a board");
        self.state = Banqi::new(board);
        self.edition += 1;
        for (mv, event) in std::mem::take(&mut self.steps) {
            self.step(mv, event);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Square {
        text.parse().expect("a square of the test")
    }

    fn piece(letter: char) -> Piece {
        Piece::from_letter(letter).expect("a piece of the test")
    }

    fn layout(squares: &[(&str, Face)], covered: &[(char, u8)]) -> Layout {
        let mut layout = Layout { faces: [Face::Empty; 32], covered: [0; 16] };
        for &(square, face) in squares {
            layout.faces[at(square).index()] = face;
        }
        for &(letter, count) in covered {
            layout.covered[piece(letter).index()] = count;
        }
        layout
    }

    #[test]
    fn a_flip_and_a_move_are_checked_and_played() {
        let mut game = ArenaGame::new(Rules::ARENA);
        assert!(game.set_mover(Some(Colour::Black)).is_ok(), "nobody has a colour yet");
        game.flip(at("a1"), piece('K')).expect("the first flip");
        assert_eq!(game.set_mover(Some(Colour::Red)), Err(ArenaGameError::Colour(Colour::Black)));
        assert_eq!(game.set_mover(None), Err(ArenaGameError::Unknown));
        let before = game.state().state_text();
        assert!(game.flip(at("a1"), piece('k')).is_err(), "it is face up");
        assert!(game.flip(at("a2"), piece('K')).is_err(), "there is one king");
        assert!(game.play(at("a1"), at("b1")).is_err(), "it is Black's turn, and b1 is covered");
        assert_eq!(game.state().state_text(), before);
        assert_eq!(game.edition(), 0);
    }

    #[test]
    fn the_first_word_about_a_board_says_who_is_to_move() {
        let faces =
            [("a1", Face::Up(piece('K'))), ("d8", Face::Up(piece('g'))), ("d4", Face::Covered)];
        let board = layout(&faces, &[('P', 1)]);
        let mut game = ArenaGame::new(Rules::ARENA);
        game.lay(&board).expect("a board");
        let mut moved = game.clone();
        moved.play(at("d8"), at("c8")).expect("Black begins");
        assert_eq!(moved.set_mover(Some(Colour::Black)), Err(ArenaGameError::Colour(Colour::Red)));
        // A flip does not tell: Black to move after it means that Red flipped.
        game.flip(at("d4"), piece('P')).expect("a flip");
        game.set_mover(Some(Colour::Red)).expect("Black has flipped");
        assert_eq!(game.set_mover(Some(Colour::Black)), Err(ArenaGameError::Colour(Colour::Red)));
        assert_eq!(game.steps().len(), 1);
        game.play(at("d4"), at("d5")).expect("Red moves");
        let error = game.lay(&layout(&faces, &[('P', 2)])).expect_err("two are named");
        assert!(error.to_string().contains("1 squares are covered, but 2"), "{error}");
        assert_eq!(game.steps().len(), 2, "a refused board changes nothing");
    }

    #[test]
    fn rules_may_change_within_a_game() {
        let mut game = ArenaGame::new(Rules::ARENA);
        let pieces = [("a1", Face::Up(piece('K'))), ("d8", Face::Up(piece('g')))];
        game.lay(&layout(&pieces, &[])).expect("a board");
        for (from, to) in [("a1", "a2"), ("d8", "d7"), ("a2", "a1"), ("d7", "d8")] {
            game.play(at(from), at(to)).expect("a legal move");
        }
        assert_eq!(game.state().outcome(), None);
        game.set_plies(4);
        assert!(game.state().ending().is_some());
        game.set_plies(100);
        game.set_repeating(Repeating::Ignored);
        assert_eq!(game.state().board().rules(), Rules { plies: 100, repetition: Repetition::Off });
        game.set_repeating(Repeating::Draws);
        game.reset();
        assert_eq!(game.state().board().rules(), Rules { plies: 100, ..Rules::ARENA });
    }
}
