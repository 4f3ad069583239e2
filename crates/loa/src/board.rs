//! The board: pieces, the configuration of every line, whose turn it is, and the rules.

use crate::ending::Ending;
use crate::lines::{self, LINES};
use crate::{Move, NoMove, Rules, Simultaneous, connection, generate};
use monteverde_game::{Outcome, Side};
use std::fmt;

/// A board: everything about a state of the game but the positions before it. Some 130 bytes, cheap
/// to copy.
///
/// Each side has 1 to 12 pieces.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Board {
    /// By side.
    pieces: [u64; 2],
    /// See [`lines`].
    lines: [u16; LINES],
    /// Plies since the board was set up, not more than the rules allow in a game.
    plies: u16,
    turn: Side,
    connected: Connected,
    rules: Rules,
}

/// Which sides are connected.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Connected {
    Nobody,
    One(Side),
    Both,
}

/// Why pieces are no board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SetupError {
    /// Two pieces on one square.
    #[error("a square cannot hold a black and a white piece at once")]
    Shared,
    /// Too few or too many pieces.
    #[error("{} must have 1 to 12 pieces, not {found}", name(*.side))]
    Pieces {
        /// Whose.
        side: Side,
        /// How many.
        found: u32,
    },
}

impl Board {
    /// The most pieces that a side has.
    pub const MOST_PIECES: u32 = 12;

    /// The start of the game: Black on the lower and upper edge, White on the left and right one,
    /// corners empty.
    pub fn start() -> Board {
        const BLACK: u64 = 0x7e00_0000_0000_007e;
        const WHITE: u64 = 0x0081_8181_8181_8100;
        Board::filled([BLACK, WHITE], Side::First, Rules::default())
    }

    /// The board with black and white pieces on these squares. The game may be over on it.
    pub fn new(pieces: [u64; 2], turn: Side, rules: Rules) -> Result<Board, SetupError> {
        if pieces[0] & pieces[1] != 0 {
            return Err(SetupError::Shared);
        }
        for side in [Side::First, Side::Second] {
            let found = pieces[side as usize].count_ones();
            if !(1..=Board::MOST_PIECES).contains(&found) {
                return Err(SetupError::Pieces { side, found });
            }
        }
        Ok(Board::filled(pieces, turn, rules))
    }

    /// The same for pieces that are known to be in order.
    pub(crate) fn filled(pieces: [u64; 2], turn: Side, rules: Rules) -> Board {
        let mut board = Board {
            pieces,
            lines: [0; LINES],
            plies: 0,
            turn,
            connected: Connected::of(pieces.map(connection::is_connected)),
            rules,
        };
        for side in [Side::First, Side::Second] {
            for square in crate::bits(pieces[side as usize]) {
                board.change_lines(square, digit(side));
            }
        }
        board
    }

    /// The squares of a side's pieces.
    #[inline(always)]
    pub fn pieces(&self, side: Side) -> u64 {
        self.pieces[side as usize]
    }

    /// The squares of all pieces.
    #[inline(always)]
    pub fn occupied(&self) -> u64 {
        self.pieces[0] | self.pieces[1]
    }

    /// How many pieces a side has, 1 to 12.
    #[inline(always)]
    pub fn count(&self, side: Side) -> u32 {
        self.pieces(side).count_ones()
    }

    /// The configuration of a line, see [`lines`].
    ///
    /// # Panics
    /// If there is no line of that number.
    #[inline(always)]
    pub fn line(&self, line: usize) -> u16 {
        self.lines[line]
    }

    /// The configurations of all lines, see [`lines`].
    #[inline(always)]
    pub fn lines(&self) -> &[u16; LINES] {
        &self.lines
    }

    /// The side to move.
    #[inline(always)]
    pub fn turn(&self) -> Side {
        self.turn
    }

    /// The rules.
    #[inline(always)]
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// Plies since the board was set up.
    #[inline(always)]
    pub fn plies(&self) -> u16 {
        self.plies
    }

    /// The same board under other rules, with its plies counted from here.
    pub fn with_rules(&self, rules: Rules) -> Board {
        Board { rules, plies: 0, ..*self }
    }

    /// Whether the pieces of a side are connected.
    #[inline(always)]
    pub fn is_connected(&self, side: Side) -> bool {
        self.connected == Connected::One(side) || self.connected == Connected::Both
    }

    /// Whether a move of the side to move takes a piece.
    #[inline(always)]
    pub fn is_capture(&self, mv: Move) -> bool {
        !mv.is_pass() && self.pieces(self.turn.other()) & mv.to().bit() != 0
    }

    /// How many moves the side would have if it were to move; 0 where it would pass, and no matter
    /// whether the game is over.
    #[inline]
    pub fn mobility(&self, side: Side) -> u32 {
        generate::count(self, side)
    }

    /// Plays a legal move. A pass is also played where there are moves, as a null move is; it is
    /// legal only where there are none.
    ///
    /// # Panics
    /// May panic, or leave a meaningless board, if the move is not legal here.
    #[inline(always)]
    pub fn play(&mut self, mv: Move) {
        let side = self.turn;
        self.turn = side.other();
        self.plies = self.plies.saturating_add(1);
        if mv.is_pass() {
            return;
        }
        let (from, to) = (mv.from(), mv.to());
        let captured = self.pieces[side.other() as usize] & to.bit();
        self.change_lines(from, digit(side).wrapping_neg());
        let victim = if captured == 0 { 0 } else { digit(side.other()) };
        self.change_lines(to, digit(side).wrapping_sub(victim));
        self.pieces[side as usize] ^= from.bit() | to.bit();
        self.pieces[side.other() as usize] ^= captured;
        let mover = connection::is_connected(self.pieces[side as usize]);
        // Nobody was connected before, and the enemy's pieces have changed only by a capture.
        let enemy = captured != 0 && connection::is_connected(self.pieces[side.other() as usize]);
        self.connected = match (mover, enemy) {
            (false, false) => Connected::Nobody,
            (true, false) => Connected::One(side),
            (false, true) => Connected::One(side.other()),
            (true, true) => Connected::Both,
        };
    }

    /// Adds to the digits of a square on its four lines.
    #[inline(always)]
    fn change_lines(&mut self, square: crate::Square, difference: u16) {
        for place in lines::lines_of(square) {
            let line = &mut self.lines[place.line as usize];
            *line = line.wrapping_add(place.weight.wrapping_mul(difference));
        }
    }

    /// Whether the game is over by a connection.
    #[inline(always)]
    pub(crate) fn connection(&self) -> Option<Ending> {
        match self.connected {
            Connected::Nobody => None,
            Connected::One(side) => Some(Ending::Connection(side)),
            Connected::Both => Some(Ending::BothConnected(match self.rules.simultaneous {
                Simultaneous::Draw => Outcome::Draw,
                Simultaneous::Mover => Outcome::Win(self.turn.other()),
            })),
        }
    }

    /// Why the game is over by what the board shows: repetitions are left out.
    #[inline(always)]
    pub(crate) fn ending(&self) -> Option<Ending> {
        let connection = self.connection();
        if connection.is_some() {
            return connection;
        }
        if self.rules.no_move == NoMove::Loss && self.mobility(self.turn) == 0 {
            return Some(Ending::NoMove(self.turn));
        }
        self.is_longest().then_some(Ending::Length)
    }

    /// Whether the game is as long as the rules allow.
    #[inline(always)]
    pub(crate) fn is_longest(&self) -> bool {
        self.plies >= self.rules.plies
    }

    /// The board after so many plies more with these pieces.
    pub(crate) fn after(&self, pieces: [u64; 2], turn: Side, plies: u32) -> Board {
        let mut board = Board::filled(pieces, turn, self.rules);
        board.plies = self.plies.saturating_add(u16::try_from(plies).unwrap_or(u16::MAX));
        board
    }
}

impl Connected {
    fn of(connected: [bool; 2]) -> Connected {
        match connected {
            [false, false] => Connected::Nobody,
            [true, false] => Connected::One(Side::First),
            [false, true] => Connected::One(Side::Second),
            [true, true] => Connected::Both,
        }
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&crate::state::write(self))
    }
}

/// `Black` or `White`.
pub(crate) fn name(side: Side) -> &'static str {
    match side {
        Side::First => "Black",
        Side::Second => "White",
    }
}

/// The digit of a side's pieces in the configuration of a line.
#[inline(always)]
const fn digit(side: Side) -> u16 {
    side as u16 + 1
}
