//! The board: what lies where, what is covered, who plays which colour, and the plies since
//! something happened.

use crate::combination::{self, STRIDES};
use crate::ending::Ending;
use crate::scene::Layout;
use crate::{
    Colour, Colours, FILES, Face, Move, PIECES, Piece, RANKS, Rules, SQUARES, Setup, SetupError,
    Square, bits, zobrist,
};
use monteverde_game::Side;

/// A board. It knows all rules but those that need the past.
#[derive(Clone, Copy, Debug)]
pub struct Board {
    /// The face-up pieces, by colour and kind; the last entry of a colour holds all of them.
    pieces: [[u32; 8]; 2],
    /// The piece on each square that holds one face up; anything elsewhere.
    at: [Piece; SQUARES],
    /// How many of each piece are covered.
    pool: [u8; PIECES],
    /// How many of each piece are in the game, covered or not.
    material: [u8; PIECES],
    /// The number of that material, where it has one.
    combination: Option<u32>,
    /// How many pieces of each colour are in the game.
    left: [u8; 2],
    /// The squares that the board has.
    squares: u32,
    covered: u32,
    quiet: u16,
    rules: Rules,
    /// Red, without a meaning, before the first flip: nothing is face up then.
    mover: Colour,
    /// The colour of the side that moved first, once a flip has decided it.
    first: Option<Colour>,
    /// The square that is being turned up.
    pending: Option<Square>,
    key: u64,
}

/// The index of all face-up pieces of a colour.
pub(crate) const ALL: usize = 7;

impl Board {
    /// The board of a setup.
    pub fn new(setup: &Setup) -> Result<Board, SetupError> {
        let &Setup { files, ranks, ref faces, covered: pool, colours, quiet, rules } = setup;
        if !(1..=FILES).contains(&files) || !(1..=RANKS).contains(&ranks) {
            return Err(SetupError::Size { files, ranks });
        }
        let mut board = Board {
            pieces: [[0; 8]; 2],
            at: [Piece::wrap(0); SQUARES],
            pool,
            material: pool,
            combination: None,
            left: [0; 2],
            squares: 0,
            covered: 0,
            quiet,
            rules,
            mover: colours.map_or(Colour::Red, |colours| colours.mover),
            first: colours.map(|colours| colours.first),
            pending: None,
            key: 0,
        };
        let mut turning = 0;
        for square in bits(u32::MAX).filter(|at| at.file() < files && at.rank() < ranks) {
            board.squares |= square.bit();
            match faces[square.index()] {
                Face::Empty => {}
                Face::Covered => board.covered |= square.bit(),
                Face::Turning => {
                    board.covered |= square.bit();
                    board.pending = Some(square);
                    turning += 1;
                }
                Face::Up(piece) => {
                    board.put(square, piece);
                    board.material[piece.index()] += 1;
                }
            }
        }
        for piece in Piece::all() {
            board.left[piece.colour() as usize] += board.material[piece.index()];
        }
        board.combination = combination::number(&board.material);
        board.check(turning)?;
        board.key = zobrist::key(&board);
        Ok(board)
    }

    fn check(&self, turning: usize) -> Result<(), SetupError> {
        let (squares, pieces) = (self.covered.count_ones(), self.pool.map(u32::from).iter().sum());
        if squares != pieces {
            return Err(SetupError::Covered { squares, pieces });
        }
        if self.left == [0, 0] {
            return Err(SetupError::NoPiece);
        }
        if turning > 1 {
            return Err(SetupError::Turning(turning));
        }
        if self.quiet > 0 && (self.pending.is_some() || self.first.is_none()) {
            return Err(SetupError::Quiet(self.quiet));
        }
        if self.first.is_none() && self.face_up() != 0 {
            return Err(SetupError::FaceUp);
        }
        if self.pending.is_some() && self.first.is_some() && self.left.contains(&0) {
            return Err(SetupError::Over);
        }
        Ok(())
    }

    /// The side to move; while a piece is being turned up, the side that does it.
    #[inline(always)]
    pub fn turn(&self) -> Side {
        match self.first {
            Some(first) if first != self.mover => Side::Second,
            _ => Side::First,
        }
    }

    /// The colours, `None` before the first flip.
    #[inline(always)]
    pub fn colours(&self) -> Option<Colours> {
        self.first.map(|first| Colours { first, mover: self.mover })
    }

    /// The colour to move; red, without a meaning, before the first flip.
    #[inline(always)]
    pub(crate) fn mover(&self) -> Colour {
        self.mover
    }

    /// The side that plays a colour, `None` before the first flip.
    #[inline(always)]
    pub fn side(&self, colour: Colour) -> Option<Side> {
        self.first.map(|first| if first == colour { Side::First } else { Side::Second })
    }

    /// The squares of the board.
    #[inline(always)]
    pub fn squares(&self) -> u32 {
        self.squares
    }

    /// The squares with a covered piece, one that is being turned up included.
    #[inline(always)]
    pub fn covered(&self) -> u32 {
        self.covered
    }

    /// The squares with a piece that is face up.
    #[inline(always)]
    pub fn face_up(&self) -> u32 {
        self.pieces[0][ALL] | self.pieces[1][ALL]
    }

    /// The squares without a piece.
    #[inline(always)]
    pub fn empty(&self) -> u32 {
        self.squares & !self.covered & !self.face_up()
    }

    /// The squares with a face-up piece of that colour.
    #[inline(always)]
    pub fn of(&self, colour: Colour) -> u32 {
        self.pieces[colour as usize][ALL]
    }

    /// The squares where that piece lies face up.
    #[inline(always)]
    pub fn of_piece(&self, piece: Piece) -> u32 {
        self.pieces[piece.colour() as usize][piece.row()]
    }

    /// The face-up pieces of a colour by kind, and all of them last.
    #[inline(always)]
    pub(crate) fn sets(&self, colour: Colour) -> &[u32; 8] {
        &self.pieces[colour as usize]
    }

    /// The piece on a square, if one lies there face up.
    #[inline(always)]
    pub fn piece(&self, square: Square) -> Option<Piece> {
        (self.face_up() & square.bit() != 0).then(|| self.at[square.index()])
    }

    /// The piece on a square where one lies face up; anything elsewhere.
    #[inline(always)]
    pub(crate) fn piece_unchecked(&self, square: Square) -> Piece {
        self.at[square.index()]
    }

    /// How many of that piece are covered.
    #[inline(always)]
    pub fn pool(&self, piece: Piece) -> u8 {
        self.pool[piece.index()]
    }

    /// How many of each kind are covered, a byte each from the lowest on, red and black; the last
    /// byte of each is 0.
    #[inline(always)]
    pub(crate) fn pools(&self) -> [u64; 2] {
        let [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p] = self.pool;
        let (red, black) = ([a, b, c, d, e, f, g, h], [i, j, k, l, m, n, o, p]);
        [u64::from_le_bytes(red), u64::from_le_bytes(black)]
    }

    /// The piece on each square where one lies face up; anything elsewhere.
    #[inline(always)]
    pub(crate) fn faces(&self) -> &[Piece; SQUARES] {
        &self.at
    }

    /// How many of each piece are in the game, covered or not, by the number of the piece.
    #[inline(always)]
    pub fn material(&self) -> &[u8; PIECES] {
        &self.material
    }

    /// The number of what is in the game, see [`combination::number`]. `None` also where a side
    /// once had more of a kind than a game has.
    #[inline(always)]
    pub fn combination(&self) -> Option<u32> {
        self.combination
    }

    /// How many pieces of that colour are in the game, covered or not.
    #[inline(always)]
    pub fn left(&self, colour: Colour) -> u8 {
        self.left[colour as usize]
    }

    /// Plies since the last capture or flip.
    #[inline(always)]
    pub fn quiet(&self) -> u16 {
        self.quiet
    }

    /// When the game is drawn.
    #[inline(always)]
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// The same board with other rules.
    pub fn with_rules(self, rules: Rules) -> Board {
        Board { rules, ..self }
    }

    /// The square that is being turned up.
    #[inline(always)]
    pub fn pending(&self) -> Option<Square> {
        self.pending
    }

    /// The Zobrist key, of everything but the plies since the last capture or flip.
    #[inline(always)]
    pub fn key(&self) -> u64 {
        self.key
    }

    /// Whether a legal move captures.
    #[inline(always)]
    pub fn is_capture(&self, mv: Move) -> bool {
        self.of(self.mover.other()) & mv.to().bit() != 0
    }

    /// How the game has ended by the rules that need no past. No move left goes before too many
    /// quiet plies.
    pub(crate) fn ending(&self) -> Option<Ending> {
        if self.pending.is_some() {
            return None;
        }
        if let Some(loser) = self.loser() {
            return Some(Ending::Captured(loser));
        }
        if !self.can_move() {
            return Some(Ending::NoMove(self.turn()));
        }
        self.is_quiet_draw().then_some(Ending::Quiet)
    }

    /// Whether so many quiet plies draw.
    #[inline(always)]
    pub(crate) fn is_quiet_draw(&self) -> bool {
        self.quiet >= self.rules.plies
    }

    /// The side that has lost all its pieces.
    #[inline(always)]
    pub(crate) fn loser(&self) -> Option<Side> {
        let gone = Colour::ALL.into_iter().find(|&colour| self.left(colour) == 0)?;
        self.side(gone)
    }

    /// Plays a legal move. A flip leaves the board pending.
    #[inline(always)]
    pub(crate) fn play(&mut self, mv: Move) {
        if mv.is_flip() {
            self.flip(mv.from());
        } else if self.is_capture(mv) {
            self.capture(mv);
        } else {
            self.step(mv);
        }
    }

    /// Begins to turn up a covered piece.
    #[inline(always)]
    pub(crate) fn flip(&mut self, square: Square) {
        self.quiet = 0;
        self.pending = Some(square);
        self.key ^= zobrist::pending(square);
    }

    /// Plays a move that captures.
    #[inline(always)]
    pub(crate) fn capture(&mut self, mv: Move) {
        let (to, enemy) = (mv.to(), self.mover.other());
        let piece = self.at[to.index()];
        let sets = &mut self.pieces[enemy as usize];
        sets[piece.row()] ^= to.bit();
        sets[ALL] ^= to.bit();
        self.material[piece.index()] -= 1;
        if let Some(combination) = &mut self.combination {
            *combination -= STRIDES[piece.index()];
        }
        self.left[enemy as usize] -= 1;
        self.key ^= zobrist::piece(piece, to);
        self.step(mv);
        self.quiet = 0;
    }

    /// Plays a move to an empty square.
    #[inline(always)]
    pub(crate) fn step(&mut self, mv: Move) {
        let (from, to) = (mv.from(), mv.to());
        let piece = self.at[from.index()];
        let both = from.bit() | to.bit();
        let sets = &mut self.pieces[self.mover as usize];
        sets[piece.row()] ^= both;
        sets[ALL] ^= both;
        self.at[to.index()] = piece;
        self.mover = self.mover.other();
        self.quiet += 1;
        self.key ^= zobrist::step(piece, from, to);
    }

    /// Turns up the pending square, which shows a covered piece. The first flip decides the
    /// colours.
    ///
    /// # Panics
    /// If nothing is pending or no such piece is covered.
    #[inline(always)]
    pub(crate) fn settle(&mut self, piece: Piece) {
        let square = self.pending.take().expect("a piece is being turned up");
        let count = self.pool[piece.index()];
        assert!(count > 0, "no {piece:?} is covered");
        self.key ^= zobrist::pending(square) ^ zobrist::turned_up(piece, square, count);
        if self.first.is_none() {
            self.mover = piece.colour();
            self.first = Some(self.mover);
            self.key ^= zobrist::decided(self.mover);
        }
        self.mover = self.mover.other();
        self.pool[piece.index()] = count - 1;
        self.covered ^= square.bit();
        self.put(square, piece);
    }

    /// Sets up what a game of this board, where the colours are decided and nothing is pending, has
    /// come to, by captures and flips that took nothing else away.
    pub(crate) fn set_up(&mut self, layout: &Layout<'_>) {
        let &Layout { face_up, at, covered, pool: [red, black], mover, quiet } = layout;
        self.pieces = [[0; 8]; 2];
        self.pool[..PIECES / 2].copy_from_slice(&red.to_le_bytes());
        self.pool[PIECES / 2..].copy_from_slice(&black.to_le_bytes());
        self.material = self.pool;
        for square in bits(face_up) {
            let piece = at[square.index()];
            self.put(square, piece);
            self.material[piece.index()] += 1;
        }
        let [red, black] = self.pieces.map(|sets| sets[ALL].count_ones() as u8);
        let covered_of = |pool: &[u8]| pool.iter().sum::<u8>();
        self.left = [
            red + covered_of(&self.pool[..PIECES / 2]),
            black + covered_of(&self.pool[PIECES / 2..]),
        ];
        self.combination = self.combination.and_then(|_| combination::number(&self.material));
        (self.covered, self.mover, self.quiet) = (covered, mover, quiet);
        self.key = zobrist::key(self);
    }

    #[inline(always)]
    fn put(&mut self, square: Square, piece: Piece) {
        let sets = &mut self.pieces[piece.colour() as usize];
        sets[piece.row()] |= square.bit();
        sets[ALL] |= square.bit();
        self.at[square.index()] = piece;
    }

    /// How many files the board has.
    pub fn files(&self) -> u8 {
        // All boards have the first rank.
        (self.squares & 0xf).count_ones() as u8
    }

    /// How many ranks the board has.
    pub fn ranks(&self) -> u8 {
        (self.squares & 0x1111_1111).count_ones() as u8
    }
}
