//! A board of the king-and-rook study's program with all that it knows of the game: a game of its
//! own, in which one side mates within a hundred plies and the other prevents it.

use super::history::History;
use monteverde_chess::{Board, Chess, Color, Move, Setup};
use monteverde_game::{Game, Never, Outcome, Rng, Side};
use monteverde_knowledge::chess::lone_king::{Escape, LoneKing};

/// From so many plies on the game is too long.
const LONGEST: u32 = 100;

/// Whether the board at which the game began counts as having come up once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Start {
    /// In the game.
    Counted,
    /// In the tree.
    Forgotten,
}

/// A board with its past. It is over, for a search, as soon as its [`Label`] is another than
/// normal: the side that has officers has won by mate, and lost by anything else.
#[derive(Clone, Debug)]
pub(crate) struct Study {
    board: LoneKing,
    strong: Side,
    turn: Side,
    plies: u32,
    history: History,
    escape: Escape,
    label: Label,
}

/// What a board is for a search: the first that holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Label {
    /// The lone king is attacked and cannot go anywhere.
    Mate,
    /// It is not attacked and cannot go anywhere, *whoever is to move*.
    Stalemate,
    /// It is to move and can take an officer.
    Hanging,
    /// A hundred plies have been played.
    Long,
    /// A placement has come up for the third time.
    Repetition,
    /// None of these: the game goes on.
    Normal,
}

impl Study {
    /// A game that begins here; `None` where no side has a lone king, or the other cannot mate it.
    pub(super) fn new(board: &Board, start: Start) -> Option<Study> {
        let (lone, strong) = LoneKing::of(board)?;
        let counted = (start == Start::Counted).then(|| lone.placement());
        let mut study = Study {
            board: lone,
            strong: side(strong),
            turn: side(board.turn()),
            plies: 0,
            history: History::new(counted),
            escape: Escape::default(),
            label: Label::Normal,
        };
        study.look();
        Some(study)
    }

    /// How a real game has ended: a hanging officer does not end it, and its length goes before
    /// all.
    pub(super) fn game_outcome(&self) -> Option<Outcome> {
        let is_over = self.plies >= LONGEST
            || matches!(self.label, Label::Mate | Label::Stalemate)
            || self.history.is_drawn();
        let is_mate = self.label == Label::Mate && self.plies < LONGEST;
        is_over.then(|| self.won(is_mate))
    }

    /// A move by the rules of thumb, whether the game is over or not; `None` where there is none.
    #[inline(always)]
    pub(super) fn draw(&self, rng: &mut Rng) -> Option<Move> {
        match self.turn == self.strong {
            true => self.board.sample_attack(self.history.recent(), rng),
            false => self.board.sample_defence(self.escape, rng),
        }
    }

    /// The same as a state of chess, without its past.
    pub(super) fn chess(&self) -> Chess {
        let mut setup = Setup::empty();
        setup.turn = color(self.turn);
        for (index, (piece, square)) in self.board.pieces().enumerate() {
            let owner = if index == 0 { self.strong.other() } else { self.strong };
            setup.pieces[square.index()] = Some((color(owner), piece));
        }
        Chess::new(Board::from_setup(&setup).expect("legal moves lead to legal boards"))
    }

    #[cfg(test)]
    pub(super) fn label(&self) -> Label {
        self.label
    }

    fn won(&self, is_mate: bool) -> Outcome {
        Outcome::Win(if is_mate { self.strong } else { self.strong.other() })
    }

    /// Sees what the board is.
    #[inline(always)]
    fn look(&mut self) {
        self.escape = self.board.escape();
        let Escape { targets, captures, is_attacked } = self.escape;
        self.label = match () {
            () if targets == 0 && is_attacked => Label::Mate,
            () if targets == 0 => Label::Stalemate,
            () if captures != 0 && self.turn != self.strong => Label::Hanging,
            () if self.plies >= LONGEST => Label::Long,
            () if self.history.is_drawn() => Label::Repetition,
            () => Label::Normal,
        };
    }
}

impl Game for Study {
    type Move = Move;
    type Event = Never;
    const NAME: &'static str = "king-and-rook study";

    fn turn(&self) -> Side {
        self.turn
    }

    #[inline(always)]
    fn outcome(&self) -> Option<Outcome> {
        (self.label != Label::Normal).then(|| self.won(self.label == Label::Mate))
    }

    fn ending(&self) -> Option<&'static str> {
        Some(match self.label {
            Label::Mate => "checkmate",
            Label::Stalemate => "stalemate",
            Label::Hanging => "hanging",
            Label::Long => "hundred-plies",
            Label::Repetition => "repetition",
            Label::Normal => return None,
        })
    }

    fn moves(&self, buffer: &mut Vec<Move>) {
        match self.turn == self.strong {
            true => self.board.for_each_attack(|mv| buffer.push(mv)),
            false => buffer.extend(self.board.defences(self.escape.targets)),
        }
    }

    #[inline(always)]
    fn play(&mut self, mv: Move) {
        self.board.play(mv);
        self.turn = self.turn.other();
        self.plies += 1;
        self.history.push(self.board.placement());
        self.look();
    }

    fn key(&self) -> u64 {
        let turn = u64::from(self.turn == Side::Second) << 32;
        let mixed = (turn | u64::from(self.board.placement())).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        mixed ^ mixed >> 32
    }

    fn recomputed_key(&self) -> u64 {
        self.key()
    }

    fn plies_left(&self) -> u32 {
        LONGEST.saturating_sub(self.plies)
    }
}

fn side(color: Color) -> Side {
    if color == Color::White { Side::First } else { Side::Second }
}

fn color(side: Side) -> Color {
    if side == Side::First { Color::White } else { Color::Black }
}
