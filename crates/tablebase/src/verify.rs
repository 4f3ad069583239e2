//! Checks what tables say: against the rules, against Syzygy files, and against published counts.

mod reference;

pub use reference::{Reference, ReferenceError};

use crate::error::TableError;
use crate::layout::{Layout, Place, Squares};
use crate::symmetry::{AXES, IMAGE};
use crate::syzygy::{Syzygy, Wdl};
use crate::tables::Tables;
use crate::{Material, build, code};
use monteverde_chess::{Bitboard, Board, Color, Piece, Setup, fen};
use monteverde_game::Proof;
use rayon::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering};

/// What a table has been found to hold.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Findings {
    /// The positions up to symmetry with White to move, then with Black to move; equal men count
    /// as different ones.
    pub counts: [Counts; 2],
    /// How many positions were checked.
    pub checked: u64,
    /// How many positions say something else than their moves say.
    pub inconsistent: u64,
    /// How many positions say something else than the Syzygy files.
    pub against_syzygy: u64,
    /// How many positions the Syzygy files were asked about.
    pub with_syzygy: u64,
    /// The first fault that was met, as a sentence.
    pub example: Option<String>,
}

/// Positions up to symmetry with one side to move, for that side.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Won positions.
    pub wins: u64,
    /// Drawn positions.
    pub draws: u64,
    /// Lost positions.
    pub losses: u64,
    /// Plies of the longest mate that the side to move gives, 0 if it gives none.
    pub longest_win: u16,
    /// Plies of the longest mate that the side to move suffers.
    pub longest_loss: u16,
}

/// How a table is checked.
#[derive(Debug)]
pub struct Check<'a> {
    /// Files to compare with.
    pub syzygy: Option<&'a Syzygy>,
    /// Only the positions of one in so many words of 64 entries are checked; all are counted.
    ///
    /// The first word is always among them; 0 is read as 1.
    pub one_in: usize,
    /// How many threads work; 0 for one a core.
    pub threads: usize,
    /// Raised by the words that are finished, up to [`words`].
    pub done: AtomicU64,
}

impl Default for Check<'_> {
    /// Everything, against the rules alone.
    fn default() -> Self {
        Check { syzygy: None, one_in: 1, threads: 0, done: AtomicU64::new(0) }
    }
}

/// Counts every position of a table and checks it: what it says must follow from what the tables
/// say after each of its legal moves, which, with mates and stalemates, leaves only one possibility
/// for the whole table; and it must agree with the Syzygy files where there are any.
///
/// Positions are set up and moves are made by the rules, not by the code that builds tables.
pub fn verify(
    tables: &Tables,
    material: Material,
    check: &Check<'_>,
) -> Result<Findings, TableError> {
    let table = tables.table(material).ok_or(TableError::Missing(material))?;
    let layout = &table.layout;
    let check_word = |word: usize| {
        let mut findings = Findings::default();
        let place = layout.place(word);
        let is_checked = word.is_multiple_of(check.one_in.max(1));
        for turn in Color::ALL {
            // Where moves are checked, the rules say too which positions are legal.
            let candidates =
                if is_checked { place.valid } else { build::legal(layout, &place, turn) };
            for last in Bitboard(candidates).map(|square| square.index() as u8) {
                let squares = place.with_last(layout, last);
                let proof = code::proof(table.get(turn, place.kings, &squares)?);
                if is_checked {
                    let Some(board) = set_up(layout, place.kings, &squares, turn) else { continue };
                    if layout.is_sorted(&squares) {
                        check_position(tables, &board, proof, check.syzygy, &mut findings)?;
                    }
                }
                if is_counted(layout, &place, &squares) {
                    findings.counts[turn.index()].add(proof);
                }
            }
        }
        check.done.fetch_add(1, Ordering::Relaxed);
        Ok(findings)
    };
    let words = (0..layout.words()).into_par_iter().with_min_len(16);
    let threads = check.threads;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.map_err(|error| TableError::Threads { threads, reason: error.to_string() })?;
    pool.install(|| words.map(check_word).try_reduce(Findings::default, |a, b| Ok(a.and(b))))
}

/// How many words of 64 entries a table has for one side to move.
pub fn words(material: Material) -> u64 {
    Layout::new(material).words() as u64
}

fn check_position(
    tables: &Tables,
    board: &Board,
    proof: Proof,
    syzygy: Option<&Syzygy>,
    findings: &mut Findings,
) -> Result<(), TableError> {
    findings.checked += 1;
    let expected = by_moves(tables, board)?;
    if proof != expected || tables.try_probe(board)? != expected {
        findings.inconsistent += 1;
        findings.example.get_or_insert_with(|| {
            format!("{}: the table says {proof:?}, its moves say {expected:?}", fen::write(board))
        });
    }
    if let Some(theirs) = syzygy.and_then(|syzygy| syzygy.wdl(board)) {
        findings.with_syzygy += 1;
        if Wdl::of(proof).map(Wdl::sign) != Some(theirs.sign()) {
            findings.against_syzygy += 1;
            findings.example.get_or_insert_with(|| {
                format!("{}: the table says {proof:?}, Syzygy says {theirs:?}", fen::write(board))
            });
        }
    }
    Ok(())
}

/// What the tables say one move on, seen from here.
fn by_moves(tables: &Tables, board: &Board) -> Result<Proof, TableError> {
    if board.is_insufficient_material() {
        return Ok(Proof::Draw);
    }
    let mut best: Option<u8> = None;
    let mut failure = Ok(());
    let mut is_open = false;
    board.for_each_move(|mv| {
        let mut next = *board;
        next.play(mv);
        match tables.try_probe(&next).map(|proof| code::of(proof.before())) {
            Ok(Some(found)) => best = Some(best.map_or(found, |best| code::better(best, found))),
            Ok(None) => is_open = true,
            Err(error) => failure = Err(error),
        }
    });
    failure?;
    Ok(match best {
        _ if is_open => Proof::Open,
        Some(best) => code::proof(best),
        None if board.in_check() => Proof::Loss(0),
        None => Proof::Draw,
    })
}

/// The position by the rules, if it is legal.
fn set_up(layout: &Layout, kings: [u8; 2], squares: &Squares, turn: Color) -> Option<Board> {
    let mut setup = Setup { turn, ..Setup::empty() };
    for (color, king) in Color::ALL.into_iter().zip(kings) {
        setup.pieces[usize::from(king)] = Some((color, Piece::King));
    }
    for (man, &square) in layout.men().iter().zip(squares) {
        setup.pieces[usize::from(square)] = Some((man.color, man.piece));
    }
    Board::from_setup(&setup).ok()
}

/// Whether the position is the one that is counted of those that are equal up to symmetry. The
/// layout leaves one doubt: with both kings on the long diagonal, a position and its mirror image
/// both have an index. Equal men count as different ones, as in published counts.
fn is_counted(layout: &Layout, place: &Place, squares: &Squares) -> bool {
    let on_diagonal = |&king: &u8| king / 8 == king % 8;
    if layout.material.has_pawns() || !place.kings.iter().all(on_diagonal) {
        return true;
    }
    let men = layout.men().len();
    let mirrored = squares.map(|square| IMAGE[AXES][usize::from(square)]);
    squares[..men] <= mirrored[..men]
}

impl Findings {
    /// Whether every position was found to be right.
    pub fn are_good(&self) -> bool {
        self.inconsistent == 0 && self.against_syzygy == 0
    }

    fn and(mut self, other: Findings) -> Findings {
        for (ours, theirs) in self.counts.iter_mut().zip(other.counts) {
            ours.wins += theirs.wins;
            ours.draws += theirs.draws;
            ours.losses += theirs.losses;
            ours.longest_win = ours.longest_win.max(theirs.longest_win);
            ours.longest_loss = ours.longest_loss.max(theirs.longest_loss);
        }
        self.checked += other.checked;
        self.inconsistent += other.inconsistent;
        self.against_syzygy += other.against_syzygy;
        self.with_syzygy += other.with_syzygy;
        self.example = self.example.or(other.example);
        self
    }
}

impl Counts {
    fn add(&mut self, proof: Proof) {
        match proof {
            Proof::Win(plies) => {
                self.wins += 1;
                self.longest_win = self.longest_win.max(plies);
            }
            Proof::Loss(plies) => {
                self.losses += 1;
                self.longest_loss = self.longest_loss.max(plies);
            }
            Proof::Draw => self.draws += 1,
            Proof::Open => {}
        }
    }

    /// The longest mate that the side to move gives, in moves of its own.
    pub fn longest_win_moves(&self) -> u16 {
        self.longest_win.div_ceil(2)
    }
}
