//! Retrograde analysis: how a table is made.
//!
//! Ply by ply, the sets of positions that are won and lost in so many plies grow from the mates
//! backwards, all positions of a table at once: the positions that differ only in the last man's
//! square are the bits of one word, and a word's moves are a few shifts and look-ups ([`reach`]). A
//! position is won in an odd number of plies if a move leads to a lost one, and lost in an even
//! number if every move leads to a won one. Captures and promotions are looked up once, before the
//! first ply, in the tables they lead to ([`convert`]), and count from their ply on. [`en_passant`]
//! sees to double steps that can be answered en passant.

mod convert;
mod en_passant;
mod reach;

use crate::Material;
use crate::code::{self, MATED, is_loss, is_win};
use crate::flat::Flat;
use crate::layout::{Layout, Place};
use convert::Conversions;
use en_passant::EnPassant;
use monteverde_chess::Color;
use rayon::prelude::*;
use reach::{attacked, reach};
use std::sync::Arc;

/// Makes a table on the threads of the present pool. `table` gives the tables that captures and
/// promotions lead to, and `at_ply` hears of every ply.
pub(crate) fn build<E>(
    material: Material,
    table: impl FnMut(Material) -> Result<Arc<Flat>, E>,
    mut at_ply: impl FnMut(u32),
) -> Result<Flat, E> {
    let mut flat = Flat::new(material);
    let Flat { layout, entries } = &mut flat;
    let conversions = Conversions::new(layout, table)?;
    let mut work = Work::new(layout, entries, &conversions);
    for ply in 0.. {
        at_ply(ply);
        if !work.advance(ply as u8) {
            break;
        }
    }
    work.finish();
    Ok(flat)
}

/// Words that one thread takes at a time.
const CHUNK: usize = 1024;

/// Marks a stalemate in the entries until the table is finished: such a position is never lost,
/// unless it is not one because of a capture en passant.
const STALEMATE: u8 = u8::MAX;

/// A table in the making.
struct Work<'a> {
    layout: &'a Layout,
    entries: &'a mut [Vec<u8>; 2],
    /// By [`Color::index`] of the side to move.
    halves: [Half; 2],
    en_passant: EnPassant,
    /// The last ply at which a conversion counts.
    horizon: u8,
    /// The last ply at which anything was found.
    last_found: u8,
}

/// The positions with one side to move, as sets.
struct Half {
    /// Legal and not known to be won.
    open: Vec<u64>,
    /// Known to be lost.
    lost: Vec<u64>,
    states: Vec<State>,
}

/// What else is known about the positions of a word.
#[derive(Clone, Copy, Default)]
struct State {
    /// Not lost, because of a conversion that does better so far, or by stalemate.
    escape: u64,
    /// A conversion wins, or loses, at the ply that the entry tells.
    pending: u64,
    /// The least entry of those pending.
    due: u8,
}

impl<'a> Work<'a> {
    /// Finds the legal positions and what conversions do in them.
    fn new(
        layout: &'a Layout,
        entries: &'a mut [Vec<u8>; 2],
        conversions: &Conversions<'_>,
    ) -> Work<'a> {
        let mut horizon = 0;
        let halves = Color::ALL.map(|turn| {
            let words = layout.words();
            let mut half = Half {
                open: vec![0; words],
                lost: vec![0; words],
                states: vec![State::default(); words],
            };
            let latest = half
                .open
                .par_iter_mut()
                .zip(&mut half.states)
                .zip(entries[turn.index()].par_chunks_exact_mut(64))
                .enumerate()
                .with_min_len(CHUNK)
                .map(|(word, ((open, state), entries))| {
                    let place = layout.place(word);
                    *open = legal(layout, &place, turn);
                    let entries: &mut [u8; 64] = entries.try_into().expect("64 entries a word");
                    let any = conversions.best(&place, turn, *open, entries);
                    state.schedule(any, entries)
                });
            horizon = horizon.max(latest.max().unwrap_or(0));
            half
        });
        let en_passant = EnPassant::new(layout, conversions, &halves);
        let horizon = horizon.max(en_passant.horizon());
        Work { layout, entries, halves, en_passant, horizon, last_found: 0 }
    }

    /// Finds what is lost in that many plies, if the number is even, or won, if it is odd. Returns
    /// whether there can be more.
    fn advance(&mut self, ply: u8) -> bool {
        let mut found = false;
        for turn in Color::ALL {
            let [white, black] = &mut self.halves;
            let (ours, theirs) = match turn {
                Color::White => (white, &*black),
                Color::Black => (black, &*white),
            };
            let layout = self.layout;
            let entries = &mut self.entries[turn.index()];
            let step = Step { layout, turn, ply, theirs };
            if ply % 2 == 1 {
                found |= step.for_each_word(ours, entries, |word| step.wins(word));
                found |= self.en_passant.win(ours, theirs, entries, (turn, ply));
            } else {
                let holds = self.en_passant.hold(theirs, (turn, ply));
                found |= step.for_each_word(ours, entries, |word| step.losses(word, holds));
            }
        }
        if ply == 0 {
            self.en_passant.note_forced(&self.halves, self.entries);
        }
        if found {
            self.last_found = ply;
        }
        // A ply with nothing new may be followed by conversions that count later, or, since wins
        // and losses take turns, by what follows from the ply before.
        ply < u8::MAX - 1 && (ply <= self.horizon || ply < self.last_found + 2)
    }

    /// What is neither won nor lost is drawn. Entries without a position, and those with equal men
    /// in another order, take the entry before them, since they are never asked for and repetitions
    /// compress well.
    fn finish(self) {
        let Work { layout, entries, halves, .. } = self;
        for ((turn, half), entries) in Color::ALL.into_iter().zip(halves).zip(entries) {
            entries.par_chunks_exact_mut(64).enumerate().with_min_len(CHUNK).for_each(
                |(word, entries)| {
                    let place = layout.place(word);
                    let legal = legal(layout, &place, turn);
                    let drawn = half.open[word] & !half.lost[word];
                    let mut latest = code::DRAW;
                    for (bit, entry) in entries.iter_mut().enumerate() {
                        if drawn >> bit & 1 != 0 {
                            *entry = code::DRAW;
                        }
                        if legal >> bit & 1 != 0
                            && layout.is_sorted(&place.with_last(layout, bit as u8))
                        {
                            latest = *entry;
                        } else {
                            *entry = latest;
                        }
                    }
                },
            );
        }
    }
}

/// For which squares of the last man the position is legal with that side to move.
pub(crate) fn legal(layout: &Layout, place: &Place, turn: Color) -> u64 {
    match place.valid {
        0 => 0,
        valid => valid & !attacked(layout, place, turn.other()),
    }
}

impl State {
    /// Takes in what conversions do, and returns the last ply at which one counts.
    fn schedule(&mut self, any: u64, entries: &[u8; 64]) -> u8 {
        let mut latest = 0;
        self.escape = any;
        for bit in bits(any) {
            let entry = entries[bit];
            if entry != code::DRAW {
                self.pending |= 1 << bit;
                latest = latest.max(entry - 1);
            }
        }
        self.plan(entries);
        latest
    }

    /// Finds the least entry of those pending.
    fn plan(&mut self, entries: &[u8]) {
        self.due = bits(self.pending).map(|bit| entries[bit]).min().unwrap_or(u8::MAX);
    }
}

/// One ply of one side to move.
struct Step<'a> {
    layout: &'a Layout,
    turn: Color,
    ply: u8,
    theirs: &'a Half,
}

/// A word in the work of a step.
struct Word<'a> {
    number: usize,
    open: &'a mut u64,
    lost: &'a mut u64,
    state: &'a mut State,
    entries: &'a mut [u8],
}

impl Step<'_> {
    /// Works on every word, on many threads, and returns whether anything was found in any.
    fn for_each_word(
        &self,
        ours: &mut Half,
        entries: &mut [u8],
        work: impl Fn(Word<'_>) -> bool + Sync,
    ) -> bool {
        let halves = ours.open.par_iter_mut().zip(&mut ours.lost).zip(&mut ours.states);
        let words = halves.zip(entries.par_chunks_exact_mut(64)).enumerate().with_min_len(CHUNK);
        words
            .map(|(number, (((open, lost), state), entries))| {
                work(Word { number, open, lost, state, entries })
            })
            .reduce(|| false, |a, b| a | b)
    }

    /// Finds what is won in so many plies: by a quiet move into a lost position, or by a
    /// conversion.
    fn wins(&self, mut word: Word<'_>) -> bool {
        let candidates = *word.open & !*word.lost;
        if candidates == 0 {
            return false;
        }
        let mut won = 0;
        if word.state.due == self.ply + 1 {
            won = word.due(self.ply) & candidates;
        }
        let place = self.layout.place(word.number);
        won |= reach(self.layout, &place, self.turn, &self.theirs.lost, candidates & !won);
        *word.open &= !won;
        word.state.pending &= !won;
        for bit in bits(won) {
            word.entries[bit] = self.ply + 1;
        }
        won != 0
    }

    /// Finds what is lost in so many plies: where no move leads to a position that is not won.
    fn losses(&self, mut word: Word<'_>, holds: Option<&[u64]>) -> bool {
        if word.state.due == self.ply + 1 {
            let due = word.due(self.ply);
            word.state.escape &= !due;
        }
        let holds = holds.map_or(0, |holds| holds[word.number]);
        let mut lost = *word.open & !*word.lost & !word.state.escape & !holds;
        if lost == 0 {
            return false;
        }
        let place = self.layout.place(word.number);
        lost &= !reach(self.layout, &place, self.turn, &self.theirs.open, lost);
        if self.ply == 0 {
            // Nothing is won yet, so these have no move at all.
            let stalemates = lost & !attacked(self.layout, &place, self.turn);
            lost &= !stalemates;
            word.state.escape |= stalemates;
            for bit in bits(stalemates) {
                word.entries[bit] = STALEMATE;
            }
        }
        *word.lost |= lost;
        word.state.pending &= !lost;
        for bit in bits(lost) {
            word.entries[bit] = self.ply + MATED;
        }
        lost != 0
    }
}

impl Word<'_> {
    /// Takes those whose conversion counts at that ply out of those pending.
    fn due(&mut self, ply: u8) -> u64 {
        let is_due = |&bit: &usize| self.entries[bit] == ply + 1;
        let due = bits(self.state.pending).filter(is_due).fold(0, |set, bit| set | 1 << bit);
        debug_assert!(bits(due).all(|bit| {
            if ply % 2 == 1 { is_win(self.entries[bit]) } else { is_loss(self.entries[bit]) }
        }));
        self.state.pending &= !due;
        self.state.plan(self.entries);
        due
    }
}

/// The numbers of the bits that are set.
fn bits(set: u64) -> impl Iterator<Item = usize> {
    monteverde_chess::Bitboard(set).map(|square| square.index())
}
