//! Endgames with all pieces face up, solved for the whole board of 4 by 8 by retrograde analysis,
//! as an [`Oracle`].
//!
//! Play without end is a draw. So a draw of the tables is one under any rules of
//! [`Rules`](crate::Rules) as well; a win or a loss that takes longer than the quiet plies that are
//! left is not certain, and the oracle does not claim it.

use crate::attacks::{NEIGHBOURS, jumps};
use crate::{Banqi, Board, Colour, KINDS, Kind, Piece, SQUARES, Square, bits};
use monteverde_game::{Game, Oracle, Proof};
use std::collections::HashMap;
use std::fmt;
use std::str::FromStr;

/// The most pieces of an endgame: with four a table takes 2 MiB, and each piece more takes 32 times
/// that.
pub const MOST_PIECES: usize = 4;

/// Which pieces are on the board, by colour and kind. As text, letters such as `KGkg`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Material([[u8; KINDS]; 2]);

/// Why a text is no material of an endgame.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum MaterialError {
    /// A letter that is no piece.
    #[error("'{0}' is no piece; pieces are KGMRNCP and kgmrncp")]
    Letter(char),
    /// Too many pieces, or a colour has none.
    #[error(
        "an endgame has at least one piece of each colour and at most {MOST_PIECES} in all, not '{0}'"
    )]
    Count(String),
}

impl FromStr for Material {
    type Err = MaterialError;

    fn from_str(text: &str) -> Result<Material, MaterialError> {
        let mut material = Material([[0; KINDS]; 2]);
        let count = || MaterialError::Count(text.to_owned());
        if text.chars().count() > MOST_PIECES {
            return Err(count());
        }
        for letter in text.chars() {
            let piece = Piece::from_letter(letter).ok_or(MaterialError::Letter(letter))?;
            material.0[piece.colour() as usize][piece.kind() as usize] += 1;
        }
        if material.is_decided() { Err(count()) } else { Ok(material) }
    }
}

impl fmt::Display for Material {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.pieces().iter().try_for_each(|piece| write!(f, "{}", piece.letter()))
    }
}

impl Material {
    /// The material of a board, covered pieces included.
    pub fn of(board: &Board) -> Material {
        let count = |colour, kind| board.material()[Piece::new(colour, kind).index()];
        Material(Colour::ALL.map(|colour| Kind::ALL.map(|kind| count(colour, kind))))
    }

    /// The pieces, red ones first, each colour from the king to the pawn.
    fn pieces(&self) -> Vec<Piece> {
        let count = |piece: Piece| self.0[piece.colour() as usize][piece.kind() as usize];
        Piece::all().flat_map(|piece| (0..count(piece)).map(move |_| piece)).collect()
    }

    /// Whether a colour has no piece.
    fn is_decided(&self) -> bool {
        self.0.iter().any(|kinds| kinds.iter().all(|&count| count == 0))
    }

    fn without(mut self, piece: Piece) -> Material {
        self.0[piece.colour() as usize][piece.kind() as usize] -= 1;
        self
    }

    fn swapped(self) -> Material {
        Material([self.0[1], self.0[0]])
    }
}

/// Solved endgames.
#[derive(Clone, Debug, Default)]
pub struct Endgames {
    tables: HashMap<Material, Table>,
}

/// How many placements of an endgame, its pieces told apart, are what for Red to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Wins.
    pub wins: u64,
    /// Draws.
    pub draws: u64,
    /// Losses.
    pub losses: u64,
}

impl Endgames {
    /// Solves an endgame and all those that captures lead to, if they are not there yet.
    pub fn add(&mut self, material: Material) {
        if self.knows(material) {
            return;
        }
        for piece in material.pieces() {
            self.add(material.without(piece));
        }
        let table = Builder::new(material, self).solve();
        self.tables.insert(material, table);
    }

    /// Whether an endgame was added, or nothing is to be solved since a colour has no piece.
    pub fn knows(&self, material: Material) -> bool {
        let known = |material| self.tables.contains_key(&material);
        material.is_decided() || known(material) || known(material.swapped())
    }

    /// The counts of an endgame that was added.
    pub fn counts(&self, material: Material) -> Option<Counts> {
        let (table, turn) = self.table(material, Colour::Red)?;
        let mut counts = Counts::default();
        for &entry in &table.plies[turn as usize] {
            match proof(entry) {
                Some(Proof::Win(_)) => counts.wins += 1,
                Some(Proof::Loss(_)) => counts.losses += 1,
                Some(_) => counts.draws += 1,
                None => {}
            }
        }
        Some(counts)
    }

    /// What a board is worth to the side to move where no rule draws; [`Proof::Open`] if its
    /// endgame is not there, the board is not the whole one, or a piece is covered.
    pub fn probe_board(&self, board: &Board) -> Proof {
        let Some(colours) = board.colours() else { return Proof::Open };
        if board.covered() != 0 || board.squares() != u32::MAX {
            return Proof::Open;
        }
        let material = Material::of(board);
        if material.is_decided() {
            return if board.left(colours.mover) == 0 { Proof::Loss(0) } else { Proof::Win(0) };
        }
        let Some((table, turn)) = self.table(material, colours.mover) else { return Proof::Open };
        let swap = turn != colours.mover;
        let mut free = board.face_up();
        let mut index = 0;
        for (number, piece) in table.pieces.iter().enumerate() {
            let colour = if swap { piece.colour().other() } else { piece.colour() };
            let of_piece = board.of_piece(Piece::new(colour, piece.kind())) & free;
            free &= !(of_piece & of_piece.wrapping_neg());
            index |= (of_piece.trailing_zeros() as usize) << (BITS * number);
        }
        proof(table.plies[turn as usize][index]).unwrap_or(Proof::Open)
    }

    /// The table of an endgame, and which colour is to move in it: a table serves with colours
    /// swapped too.
    fn table(&self, material: Material, mover: Colour) -> Option<(&Table, Colour)> {
        match self.tables.get(&material) {
            Some(table) => Some((table, mover)),
            None => Some((self.tables.get(&material.swapped())?, mover.other())),
        }
    }
}

impl Oracle<Banqi> for Endgames {
    fn probe(&self, state: &Banqi) -> Proof {
        match self.probe_board(state.board()) {
            Proof::Win(plies) | Proof::Loss(plies) if u32::from(plies) > state.plies_left() => {
                Proof::Open
            }
            proof => proof,
        }
    }

    /// Along a win the distance falls with every ply, so that every later state occurs once more at
    /// most: that draws only where one has occurred twice already. Whether the way leads there is
    /// not asked.
    fn prove(&self, state: &Banqi) -> Proof {
        match self.probe(state) {
            Proof::Win(_) | Proof::Loss(_) if state.has_repeated() => Proof::Open,
            proof => proof,
        }
    }
}

/// The placements of an endgame: by the colour to move, then by the squares of its pieces, five
/// bits each.
#[derive(Clone, Debug)]
struct Table {
    pieces: Vec<Piece>,
    /// Plies to the end: even for a loss of the side to move, odd for a win.
    plies: [Vec<u8>; 2],
}

const BITS: usize = SQUARES.ilog2() as usize;

/// Entries that are no number of plies.
const DRAW: u8 = u8::MAX;
const NO_PLACEMENT: u8 = u8::MAX - 1;

fn proof(entry: u8) -> Option<Proof> {
    match entry {
        NO_PLACEMENT => None,
        DRAW => Some(Proof::Draw),
        plies if plies % 2 == 0 => Some(Proof::Loss(u16::from(plies))),
        plies => Some(Proof::Win(u16::from(plies))),
    }
}

/// Solves one endgame, from the decided placements backwards, in the order of their distance from
/// the end.
struct Builder<'a> {
    table: Table,
    /// By captured piece, the endgame that is left; `None` where that decides the game.
    after: Vec<Option<After<'a>>>,
    /// Of each placement: how many moves are not known to lose.
    open: [Vec<u8>; 2],
    /// Of each placement: the longest loss that a capture leads to.
    longest: [Vec<u8>; 2],
    /// Placements by the number of plies that they may turn out to take.
    waiting: Vec<Vec<(Colour, usize)>>,
}

/// More open moves than any placement has: one that can do better than to lose does not run out of
/// them.
const NEVER_LOST: u8 = 128;

impl<'a> Builder<'a> {
    fn new(material: Material, known: &'a Endgames) -> Builder<'a> {
        let pieces = material.pieces();
        let size = 1 << (BITS * pieces.len());
        let after = |captured| After::new(material, captured, known);
        let after = (0..pieces.len()).map(after).collect();
        let plies = [vec![NO_PLACEMENT; size], vec![NO_PLACEMENT; size]];
        Builder {
            table: Table { pieces, plies },
            after,
            open: [vec![0; size], vec![0; size]],
            longest: [vec![0; size], vec![0; size]],
            waiting: Vec::new(),
        }
    }

    fn solve(mut self) -> Table {
        for turn in Colour::ALL {
            for index in 0..self.table.plies[0].len() {
                if let Some(placement) = self.placement(index) {
                    self.begin(turn, index, &placement);
                }
            }
        }
        let mut plies = 0;
        while plies < self.waiting.len() {
            for (turn, index) in std::mem::take(&mut self.waiting[plies]) {
                let entry = &mut self.table.plies[turn as usize][index];
                if *entry == DRAW {
                    *entry = u8::try_from(plies).expect("an endgame of so few pieces is short");
                    self.spread(turn, index, plies);
                }
            }
            plies += 1;
        }
        self.table
    }

    /// Looks at the moves of a placement: captures lead to what is known.
    fn begin(&mut self, turn: Colour, index: usize, placement: &Placement) {
        let (mut open, mut longest, mut shortest) = (0, 0, None::<u8>);
        for (number, &piece) in self.table.pieces.iter().enumerate() {
            if piece.colour() != turn {
                continue;
            }
            let from = placement.squares[number];
            let near = NEIGHBOURS[from.index()];
            open += (near & !placement.occupied).count_ones() as u8;
            let jumped =
                if piece.kind() == Kind::Cannon { jumps(from, placement.occupied) } else { 0 };
            for (prey, &captured) in self.table.pieces.iter().enumerate() {
                let to = placement.squares[prey].bit();
                let steps = near & to != 0 && piece.kind().takes(captured.kind());
                if captured.colour() == turn || !(steps || jumped & to != 0) {
                    continue;
                }
                let after = self.after[prey].as_ref();
                let reply = after.map_or(0, |after| after.entry(placement, number, prey));
                match reply {
                    DRAW => open |= NEVER_LOST,
                    lost if lost % 2 == 0 => {
                        open |= NEVER_LOST;
                        shortest = Some(shortest.map_or(lost + 1, |plies| plies.min(lost + 1)));
                    }
                    won => longest = longest.max(won + 1),
                }
            }
        }
        let side = turn as usize;
        self.table.plies[side][index] = DRAW;
        self.open[side][index] = open;
        self.longest[side][index] = longest;
        if let Some(plies) = shortest {
            self.wait(turn, index, usize::from(plies));
        } else if open == 0 {
            self.wait(turn, index, usize::from(longest));
        }
    }

    /// Tells the placements that a quiet move leads from to this one.
    fn spread(&mut self, turn: Colour, index: usize, plies: usize) {
        let Some(placement) = self.placement(index) else { return };
        let before = turn.other();
        for number in 0..self.table.pieces.len() {
            if self.table.pieces[number].colour() != before {
                continue;
            }
            let at = placement.squares[number];
            for from in bits(NEIGHBOURS[at.index()] & !placement.occupied) {
                let previous = index ^ ((at.index() ^ from.index()) << (BITS * number));
                if self.table.plies[before as usize][previous] != DRAW {
                    continue;
                }
                if plies.is_multiple_of(2) {
                    self.wait(before, previous, plies + 1);
                    continue;
                }
                let open = &mut self.open[before as usize][previous];
                *open -= 1;
                if *open == 0 {
                    let longest = usize::from(self.longest[before as usize][previous]);
                    self.wait(before, previous, longest.max(plies + 1));
                }
            }
        }
    }

    fn wait(&mut self, turn: Colour, index: usize, plies: usize) {
        if self.waiting.len() <= plies {
            self.waiting.resize(plies + 1, Vec::new());
        }
        self.waiting[plies].push((turn, index));
    }

    fn placement(&self, index: usize) -> Option<Placement> {
        let mut placement = Placement { squares: [Square::wrap(0); MOST_PIECES], occupied: 0 };
        for number in 0..self.table.pieces.len() {
            let square = Square::wrap((index >> (BITS * number)) as u32);
            if placement.occupied & square.bit() != 0 {
                return None;
            }
            placement.squares[number] = square;
            placement.occupied |= square.bit();
        }
        Some(placement)
    }
}

/// The endgame that a capture leads to.
struct After<'a> {
    table: &'a Table,
    turn: Colour,
    /// The numbers that the table's pieces have before the capture.
    numbers: Vec<usize>,
}

impl<'a> After<'a> {
    /// `None` where the capture of that piece decides the game.
    fn new(material: Material, captured: usize, known: &'a Endgames) -> Option<After<'a>> {
        let pieces = material.pieces();
        // Whose piece was captured is to move.
        let mover = pieces[captured].colour();
        let (table, turn) = known.table(material.without(pieces[captured]), mover)?;
        let mut numbers: Vec<usize> =
            (0..pieces.len()).filter(|&number| number != captured).collect();
        if turn != mover {
            // The colours are swapped there, so that black pieces come first.
            numbers.sort_by_key(|&number| pieces[number].colour() == Colour::Red);
        }
        Some(After { table, turn, numbers })
    }

    /// The entry of the placement after a capture.
    fn entry(&self, placement: &Placement, hunter: usize, prey: usize) -> u8 {
        let mut index = 0;
        for (place, &number) in self.numbers.iter().enumerate() {
            let square = placement.squares[if number == hunter { prey } else { number }];
            index |= square.index() << (BITS * place);
        }
        self.table.plies[self.turn as usize][index]
    }
}

struct Placement {
    squares: [Square; MOST_PIECES],
    occupied: u32,
}
