//! Double steps that an enemy pawn can answer en passant.
//!
//! The position after such a step is not in the table: it is the one that is, with one move more.
//! These steps are few, so each is kept in a list with what the captures bring, and looked at ply
//! by ply.

use super::convert::{Conversions, Position};
use super::reach::{is_double, neighbours, square};
use super::{Half, STALEMATE, bits};
use crate::code::{MATED, better, is_loss, is_win};
use crate::layout::Layout;
use monteverde_chess::{Color, Piece};
use rayon::prelude::*;

/// The double steps of both sides.
pub(super) struct EnPassant {
    /// By [`Color::index`] of the side that steps.
    steps: [Vec<Step>; 2],
    /// The positions from which such a step leads to something that is not won, as words; none if
    /// the material has no pawns that could meet.
    holds: Vec<u64>,
}

/// A double step.
struct Step {
    /// The index of the position before it.
    from: usize,
    /// The index of the position after it, with the other side to move.
    to: usize,
    /// What the other side gets by capturing en passant, `None` if no capture is legal.
    reply: Option<u8>,
    /// Whether the other side has no other move.
    is_forced: bool,
}

impl EnPassant {
    /// Lists every legal double step that lands beside an enemy pawn.
    pub(super) fn new(
        layout: &Layout,
        conversions: &Conversions<'_>,
        halves: &[Half; 2],
    ) -> EnPassant {
        let can_meet =
            Color::ALL.into_iter().all(|color| layout.material.count(color, Piece::Pawn) > 0);
        if !can_meet {
            return EnPassant { steps: [Vec::new(), Vec::new()], holds: Vec::new() };
        }
        let steps = Color::ALL.map(|mover| {
            let after = &halves[mover.other().index()].open;
            let before = &halves[mover.index()].open;
            let words = (0..layout.words()).into_par_iter().with_min_len(super::CHUNK);
            words
                .flat_map_iter(|word| {
                    let place = layout.place(word);
                    bits(after[word]).flat_map(move |last| {
                        let position = Position::of(layout, &place, last as u8);
                        let steps = (0..layout.men().len()).filter_map(move |man| {
                            Step::new(layout, conversions, &position, (mover, man))
                        });
                        steps.map(move |step| Step { to: word * 64 + last, ..step })
                    })
                })
                .filter(|step| before[step.from / 64] >> (step.from % 64) & 1 != 0)
                .collect()
        });
        EnPassant { steps, holds: vec![0; layout.words()] }
    }

    /// The last ply at which a capture en passant counts.
    pub(super) fn horizon(&self) -> u8 {
        let replies = self.steps.iter().flatten().filter_map(|step| step.reply);
        replies.map(|reply| reply.saturating_sub(1)).max().unwrap_or(0)
    }

    /// Notes which positions leave nothing but the capture, once the mates and stalemates are
    /// known.
    pub(super) fn note_forced(&mut self, halves: &[Half; 2], entries: &[Vec<u8>; 2]) {
        for (mover, steps) in Color::ALL.into_iter().zip(&mut self.steps) {
            let other = mover.other().index();
            let half = &halves[other];
            for step in steps {
                let (word, bit) = (step.to / 64, step.to % 64);
                let has = |set: u64| set >> bit & 1 != 0;
                let state = &half.states[word];
                let is_stalemate =
                    has(state.escape & !state.pending) && entries[other][step.to] == STALEMATE;
                step.is_forced = has(half.lost[word]) || is_stalemate;
            }
        }
    }

    /// Finds what `turn` wins at that ply by such a step, and returns whether there was anything.
    pub(super) fn win(
        &self,
        ours: &mut Half,
        theirs: &Half,
        entries: &mut [u8],
        (turn, ply): (Color, u8),
    ) -> bool {
        let mut found = false;
        for step in &self.steps[turn.index()] {
            let is_lost = theirs.lost[step.to / 64] >> (step.to % 64) & 1 != 0;
            let wins = match step.reply {
                None => is_lost,
                Some(reply) => (is_lost || step.is_forced) && is_loss(reply) && reply <= ply,
            };
            let (word, bit) = (step.from / 64, 1 << (step.from % 64));
            if wins && ours.open[word] & !ours.lost[word] & bit != 0 {
                ours.open[word] &= !bit;
                ours.states[word].pending &= !bit;
                entries[step.from] = ply + MATED;
                found = true;
            }
        }
        found
    }

    /// The positions that are not lost for `turn` at that ply because of such a step.
    pub(super) fn hold(&mut self, theirs: &Half, (turn, ply): (Color, u8)) -> Option<&[u64]> {
        if self.holds.is_empty() {
            return None;
        }
        self.holds.fill(0);
        for step in &self.steps[turn.index()] {
            let is_won = theirs.open[step.to / 64] >> (step.to % 64) & 1 == 0;
            let captures = step.reply.is_some_and(|reply| is_win(reply) && reply <= ply);
            if !is_won && !captures {
                self.holds[step.from / 64] |= 1 << (step.from % 64);
            }
        }
        Some(&self.holds)
    }
}

impl Step {
    /// The double step with which the man may just have come to where it stands, if it can be
    /// answered.
    fn new(
        layout: &Layout,
        conversions: &Conversions<'_>,
        position: &Position,
        (mover, man): (Color, usize),
    ) -> Option<Step> {
        let men = layout.men();
        if men[man].color != mover || men[man].piece != Piece::Pawn {
            return None;
        }
        let to = position.squares[man];
        let from = match (mover, to / 8) {
            (Color::White, 3) => to - 16,
            (Color::Black, 4) => to + 16,
            _ => return None,
        };
        debug_assert!(is_double(square(from), square(to)));
        let occupied = position.occupied(layout);
        let path = 1u64 << from | 1 << ((from + to) / 2);
        let beside = neighbours(1 << to);
        let is_capturer = |&other: &usize| {
            let enemy = men[other].color != mover && men[other].piece == Piece::Pawn;
            enemy && beside >> position.squares[other] & 1 != 0
        };
        let mut capturers = (0..men.len()).filter(is_capturer).peekable();
        if occupied & path != 0 || capturers.peek().is_none() {
            return None;
        }
        let replies = capturers.filter_map(|other| conversions.en_passant(position, other, man));
        let reply = replies.reduce(better);
        let mut before = *position;
        before.squares[man] = from;
        let (word, bit) = before.place(layout)?;
        Some(Step { from: word * 64 + bit, to: 0, reply, is_forced: false })
    }
}
