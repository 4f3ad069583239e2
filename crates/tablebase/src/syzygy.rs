//! Syzygy files of a user's own: win, draw or loss without a distance, and at the root the moves
//! that keep it.

use crate::error::TableError;
use monteverde_chess::{Bitboard, Board, Chess, Color, Move, Piece, Square, attacks};
use monteverde_game::{Game, Proof};
use pyrrhic_rs::{DtzProbeValue, EngineAdapter, TBError, TableBases, WdlProbeResult};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, Weak};

/// What is certain about a position for the side to move, without a distance. Cursed wins and
/// blessed losses are draws by the fifty-move rule, and wins and losses without it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Wdl {
    /// The side to move loses.
    Loss,
    /// It would lose but for the fifty-move rule.
    BlessedLoss,
    /// The game is drawn.
    Draw,
    /// It would win but for the fifty-move rule.
    CursedWin,
    /// The side to move wins.
    Win,
}

impl Wdl {
    /// 1 for a win, 0 for a draw, -1 for a loss, as if there were no fifty-move rule.
    pub fn sign(self) -> i32 {
        match self {
            Wdl::Loss | Wdl::BlessedLoss => -1,
            Wdl::Draw => 0,
            Wdl::CursedWin | Wdl::Win => 1,
        }
    }

    /// The same for the other side.
    pub fn reversed(self) -> Wdl {
        match self {
            Wdl::Loss => Wdl::Win,
            Wdl::BlessedLoss => Wdl::CursedWin,
            Wdl::Draw => Wdl::Draw,
            Wdl::CursedWin => Wdl::BlessedLoss,
            Wdl::Win => Wdl::Loss,
        }
    }

    /// What a proof says, its distance left out; `None` if it is open.
    pub fn of(proof: Proof) -> Option<Wdl> {
        match proof {
            Proof::Open => None,
            Proof::Win(_) => Some(Wdl::Win),
            Proof::Draw => Some(Wdl::Draw),
            Proof::Loss(_) => Some(Wdl::Loss),
        }
    }
}

/// A move at the root, for the side that plays it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RootMove {
    /// The move.
    pub mv: Move,
    /// What it leads to, the fifty-move counter of the board included.
    pub wdl: Wdl,
    /// Plies to the next capture or pawn move of a winning line, or of a losing one; 0 for a draw.
    pub dtz: u16,
}

/// The Syzygy files of a folder.
///
/// The library that reads them keeps them in a place of which a process has one, so only one folder
/// can be open at a time; opening the same one again shares it. Its files carry no checksums that
/// it looks at.
#[derive(Clone)]
pub struct Syzygy(Arc<Files>);

struct Files {
    dir: PathBuf,
    tables: TableBases<Adapter>,
    /// Probing the root is not made for several threads at once.
    root: Mutex<()>,
}

/// The folder that is open.
static OPEN: Mutex<Weak<Files>> = Mutex::new(Weak::new());

impl Syzygy {
    /// Opens the files of a folder; those with win, draw and loss end in `.rtbw`, those for the
    /// root in `.rtbz`.
    pub fn open(dir: &Path) -> Result<Syzygy, TableError> {
        let text = Syzygy::check(dir)?;
        let refused = |reason| TableError::Syzygy { path: dir.to_owned(), reason };
        let mut open = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(files) = open.upgrade() {
            return match files.dir == dir {
                true => Ok(Syzygy(files)),
                false => Err(refused("Syzygy files of another folder are in use")),
            };
        }
        let tables = TableBases::new(text).map_err(|error| match error {
            TBError::AlreadyInitialized => refused("Syzygy files of another folder are in use"),
            _ => refused("its Syzygy files cannot be read"),
        })?;
        let files = Arc::new(Files { dir: dir.to_owned(), tables, root: Mutex::new(()) });
        *open = Arc::downgrade(&files);
        Ok(Syzygy(files))
    }

    /// Checks that there is such a folder with such files, without opening them; its path as text.
    pub fn check(dir: &Path) -> Result<&str, TableError> {
        let refused = |reason| TableError::Syzygy { path: dir.to_owned(), reason };
        if !dir.is_dir() {
            return Err(refused("there is no such folder"));
        }
        let files = dir.read_dir().map_err(TableError::io(dir, "list it"))?;
        let is_table =
            |path: PathBuf| path.extension().is_some_and(|extension| extension == "rtbw");
        if !files.flatten().any(|entry| is_table(entry.path())) {
            return Err(refused("there are no Syzygy files in it (such as KQvK.rtbw)"));
        }
        let text = dir.to_str().filter(|text| !text.contains([':', '\0']));
        text.ok_or(refused("the path must be UTF-8 without a colon"))
    }

    /// The pieces of the largest table.
    pub fn pieces(&self) -> u32 {
        self.0.tables.max_pieces()
    }

    /// What is certain about the position if its fifty-move counter were 0; `None` with castling
    /// rights, too many pieces, or without the file.
    pub fn wdl(&self, board: &Board) -> Option<Wdl> {
        if !self.covers(board) {
            return None;
        }
        let [white, black] = Color::ALL.map(|color| board.color(color).0);
        let [pawns, knights, bishops, rooks, queens, kings] =
            Piece::ALL.map(|piece| board.pieces(piece).0);
        let en_passant = board.en_passant().map_or(0, |square| square.index() as u32);
        let is_white = board.turn() == Color::White;
        let found = self.0.tables.probe_wdl(
            white, black, kings, queens, rooks, bishops, knights, pawns, en_passant, is_white,
        );
        found.ok().map(wdl)
    }

    /// Every legal move with what it leads to, by the distance to the next capture or pawn move;
    /// `None` where the files do not know, or no move is left.
    pub fn root(&self, board: &Board) -> Option<Vec<RootMove>> {
        if !self.covers(board) {
            return None;
        }
        let [white, black] = Color::ALL.map(|color| board.color(color).0);
        let [pawns, knights, bishops, rooks, queens, kings] =
            Piece::ALL.map(|piece| board.pieces(piece).0);
        let en_passant = board.en_passant().map_or(0, |square| square.index() as u32);
        let halfmoves = u32::from(board.halfmoves().min(u16::from(u8::MAX)));
        let is_white = board.turn() == Color::White;
        let found = {
            let _alone = self.0.root.lock().unwrap_or_else(PoisonError::into_inner);
            self.0.tables.probe_root(
                white, black, kings, queens, rooks, bishops, knights, pawns, halfmoves, en_passant,
                is_white,
            )
        };
        let found = found.ok()?;
        let mut legal = Vec::new();
        board.legal_moves(&mut legal);
        let moves = found.moves[..found.num_moves].iter().filter_map(|value| {
            let DtzProbeValue::DtzResult(result) = value else { return None };
            let promotion = match result.promotion {
                pyrrhic_rs::Piece::Queen => Some(Piece::Queen),
                pyrrhic_rs::Piece::Rook => Some(Piece::Rook),
                pyrrhic_rs::Piece::Bishop => Some(Piece::Bishop),
                pyrrhic_rs::Piece::Knight => Some(Piece::Knight),
                _ => None,
            };
            let squares = (usize::from(result.from_square), usize::from(result.to_square));
            let is_same = |mv: &&Move| {
                (mv.from().index(), mv.to().index()) == squares && mv.promotion() == promotion
            };
            let mv = *legal.iter().find(is_same)?;
            Some(RootMove { mv, wdl: wdl(result.wdl), dtz: result.dtz })
        });
        let moves: Vec<_> = moves.collect();
        (!moves.is_empty() && moves.len() == legal.len()).then_some(moves)
    }

    /// The moves that keep the best result that can be had: of winning ones those with the least
    /// plies to the next capture or pawn move, so that the win comes nearer, and of losing ones
    /// those with the most. A move that repeats a position for the third time draws, and so does a
    /// win that lets the opponent do so. Without files for the root, all that keep the result; then
    /// nothing sees to it that a win comes nearer. `None` where the files do not know.
    pub fn best_moves(&self, state: &Chess) -> Option<Vec<Move>> {
        let board = state.board();
        let mut moves = self.root(board).or_else(|| self.root_by_wdl(board))?;
        for found in &mut moves {
            if draws_by_repetition(state, found) {
                (found.wdl, found.dtz) = (Wdl::Draw, 0);
            }
        }
        // Larger is better.
        let worth = |found: &RootMove| {
            let plies = i32::from(found.dtz);
            (found.wdl, if found.wdl > Wdl::Draw { -plies } else { plies })
        };
        let best = moves.iter().map(worth).max()?;
        Some(moves.iter().filter(|found| worth(found) == best).map(|found| found.mv).collect())
    }

    /// Every legal move with what it leads to by the files without distance, as if its plies
    /// without capture or pawn move did not count.
    fn root_by_wdl(&self, board: &Board) -> Option<Vec<RootMove>> {
        if !self.covers(board) {
            return None;
        }
        let mut legal = Vec::new();
        board.legal_moves(&mut legal);
        let after = |&mv: &Move| {
            let mut next = *board;
            next.play(mv);
            Some(RootMove { mv, wdl: self.wdl(&next)?.reversed(), dtz: 0 })
        };
        legal.iter().map(after).collect()
    }

    fn covers(&self, board: &Board) -> bool {
        board.castling_rooks().is_empty() && board.occupied().count() <= self.pieces()
    }
}

impl fmt::Debug for Syzygy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Syzygy({})", self.0.dir.display())
    }
}

/// Whether a position occurs for the third time after the move or, where it would win, may do so
/// after a reply.
fn draws_by_repetition(state: &Chess, found: &RootMove) -> bool {
    if !state.has_repeated() {
        return false;
    }
    let is_drawn = |state: &Chess| state.occurrences() >= 3;
    let mut after = state.clone();
    after.play(found.mv);
    let mut replies = Vec::new();
    if found.wdl > Wdl::Draw {
        after.moves(&mut replies);
    }
    let allows = |&reply: &Move| {
        let mut next = after.clone();
        next.play(reply);
        is_drawn(&next)
    };
    is_drawn(&after) || replies.iter().any(allows)
}

fn wdl(found: WdlProbeResult) -> Wdl {
    match found {
        WdlProbeResult::Loss => Wdl::Loss,
        WdlProbeResult::BlessedLoss => Wdl::BlessedLoss,
        WdlProbeResult::Draw => Wdl::Draw,
        WdlProbeResult::CursedWin => Wdl::CursedWin,
        WdlProbeResult::Win => Wdl::Win,
    }
}

/// Lends the library our attacks.
#[derive(Clone)]
struct Adapter;

impl EngineAdapter for Adapter {
    fn pawn_attacks(color: pyrrhic_rs::Color, square: u64) -> u64 {
        let color = match color {
            pyrrhic_rs::Color::White => Color::White,
            pyrrhic_rs::Color::Black => Color::Black,
        };
        attacks::pawn(color, at(square)).0
    }

    fn knight_attacks(square: u64) -> u64 {
        attacks::knight(at(square)).0
    }

    fn bishop_attacks(square: u64, occupied: u64) -> u64 {
        attacks::bishop(at(square), Bitboard(occupied)).0
    }

    fn rook_attacks(square: u64, occupied: u64) -> u64 {
        attacks::rook(at(square), Bitboard(occupied)).0
    }

    fn queen_attacks(square: u64, occupied: u64) -> u64 {
        attacks::of(Piece::Queen, Color::White, at(square), Bitboard(occupied)).0
    }

    fn king_attacks(square: u64) -> u64 {
        attacks::king(at(square)).0
    }
}

fn at(square: u64) -> Square {
    Square::new(square as u8 & 63)
}
