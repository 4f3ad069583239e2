//! Games played again into rows, many at a time.

use super::{Batch, BatchOptions, DataSet};
use crate::data::{GameData, StepKind};
use crate::error::DataError;
use crate::reader::Unpacker;
use monteverde_game::Outcome;
use monteverde_players::{ReplayRows, ReplayStep};
use std::thread;

/// Rows of some games, in the order of these.
#[derive(Debug)]
struct Rows {
    seen: ReplayRows,
    score: Vec<f32>,
    result: Vec<f32>,
    /// The visits of all legal moves, and where those of each state begin; none where a state has
    /// none.
    shares: Vec<u8>,
    share_offsets: Vec<u32>,
}

/// Rows of a pool of games: several parts, each made by a thread.
#[derive(Debug)]
pub(super) struct Pool {
    parts: Vec<Rows>,
    /// The number of the first row of each part, and of all rows.
    starts: Vec<u32>,
    policy: bool,
}

/// Makes pools.
pub(super) struct Reader<'a> {
    data: &'a DataSet,
    options: &'a BatchOptions,
    /// States of a game, to know how many games a pool takes.
    mean: usize,
}

impl<'a> Reader<'a> {
    pub(super) fn new(data: &'a DataSet, options: &'a BatchOptions) -> Reader<'a> {
        let summary = data.summary();
        let mean = (summary.scored / summary.games.max(1)).max(1) as usize;
        Reader { data, options, mean }
    }

    /// Takes the first games from a list and makes a pool of them.
    pub(super) fn pool(&self, places: &mut &[(u32, u32)]) -> Result<Pool, DataError> {
        let count = (self.options.pool / self.mean).clamp(1, places.len());
        let (taken, rest) = places.split_at(count);
        *places = rest;
        let threads = self.options.threads.max(1);
        let parts: Result<Vec<Rows>, DataError> = thread::scope(|scope| {
            let slices = taken.chunks(count.div_ceil(threads));
            let spawned: Vec<_> =
                slices.map(|slice| scope.spawn(move || self.rows(slice))).collect();
            spawned.into_iter().map(|part| part.join().expect("no game makes it panic")).collect()
        });
        let parts = parts?;
        let mut starts = vec![0];
        for part in &parts {
            starts.push(starts[starts.len() - 1] + part.score.len() as u32);
        }
        Ok(Pool { parts, starts, policy: self.options.policy })
    }

    fn rows(&self, places: &[(u32, u32)]) -> Result<Rows, DataError> {
        let mut rows = Rows::new(self.options);
        let (mut unpacker, mut steps) = (Unpacker::default(), Vec::new());
        for &(file, place) in places {
            let file = &self.data.files()[file as usize];
            let game = file.game(place as usize, &mut unpacker);
            steps.clear();
            steps.extend(game.steps.iter().map(|step| ReplayStep {
                index: step.index,
                is_event: step.kind == StepKind::Event,
                wanted: step.score.map(|_| step.best.unwrap_or(step.index)),
            }));
            let from = rows.seen.steps.len();
            let start = Some(game.start.as_str()).filter(|start| !start.is_empty());
            let replayed = self.data.game().replay(start, &steps, &mut rows.seen);
            replayed.map_err(|error| DataError::BadGame {
                path: file.path().to_owned(),
                number: game.number,
                problem: error.to_string(),
            })?;
            rows.add_values(&game, from);
        }
        if self.options.quiet_only {
            rows.leave_out_loud(self.options);
        }
        Ok(rows)
    }
}

impl Rows {
    fn new(options: &BatchOptions) -> Rows {
        let (leaves_out_moves, wants_known) = (!options.policy, options.known);
        Rows {
            seen: ReplayRows { leaves_out_moves, wants_known, ..ReplayRows::default() },
            score: Vec::new(),
            result: Vec::new(),
            shares: Vec::new(),
            share_offsets: vec![0],
        }
    }

    /// Adds what the file says of the states that were seen last.
    fn add_values(&mut self, game: &GameData, from: usize) {
        for &step in &self.seen.steps[from..] {
            let step = &game.steps[step as usize];
            let score = step.expectation().expect("only scored states are wanted") as f32;
            let StepKind::Move(side) = step.kind else { unreachable!("events have no score") };
            self.score.push(score);
            self.result.push(match game.outcome {
                Some(Outcome::Draw) => 0.0,
                Some(Outcome::Win(winner)) => {
                    if winner == side {
                        1.0
                    } else {
                        -1.0
                    }
                }
                None => score,
            });
            self.shares.extend_from_slice(&step.shares);
            self.share_offsets.push(self.shares.len() as u32);
        }
    }

    /// Leaves out the states whose value hangs on what happens at once.
    fn leave_out_loud(&mut self, options: &BatchOptions) {
        let is_loud = std::mem::take(&mut self.seen.is_loud);
        let mut kept = Rows::new(options);
        for row in (0..is_loud.len()).filter(|&row| !is_loud[row]) {
            let batch = &mut kept.seen.features;
            batch.inputs.extend_from_slice(self.inputs(row));
            batch.offsets.push(batch.inputs.len() as u32);
            batch.legal.extend_from_slice(self.legal(row));
            batch.legal_offsets.push(batch.legal.len() as u32);
            kept.seen.steps.push(self.seen.steps[row]);
            kept.seen.best.push(self.seen.best[row]);
            kept.seen.is_loud.push(false);
            kept.seen.known.extend(self.seen.known.get(row));
            kept.score.push(self.score[row]);
            kept.result.push(self.result[row]);
            kept.shares.extend_from_slice(self.shares(row));
            kept.share_offsets.push(kept.shares.len() as u32);
        }
        *self = kept;
    }

    fn inputs(&self, row: usize) -> &[u16] {
        let offsets = &self.seen.features.offsets;
        &self.seen.features.inputs[offsets[row] as usize..offsets[row + 1] as usize]
    }

    fn legal(&self, row: usize) -> &[u16] {
        let offsets = &self.seen.features.legal_offsets;
        &self.seen.features.legal[offsets[row] as usize..offsets[row + 1] as usize]
    }

    fn shares(&self, row: usize) -> &[u8] {
        let offsets = &self.share_offsets;
        &self.shares[offsets[row] as usize..offsets[row + 1] as usize]
    }
}

impl Pool {
    /// How many rows.
    pub(super) fn len(&self) -> usize {
        self.starts[self.starts.len() - 1] as usize
    }

    /// Some rows as a batch.
    pub(super) fn gather(&self, rows: &[u32]) -> Batch {
        let mut batch = Batch { offsets: vec![0], legal_offsets: vec![0], ..Batch::default() };
        for &row in rows {
            let part = self.starts.partition_point(|&start| start <= row) - 1;
            self.append(&self.parts[part], (row - self.starts[part]) as usize, &mut batch);
        }
        batch
    }

    fn append(&self, rows: &Rows, row: usize, batch: &mut Batch) {
        batch.inputs.extend_from_slice(rows.inputs(row));
        batch.offsets.push(batch.inputs.len() as u32);
        batch.score.push(rows.score[row]);
        batch.result.push(rows.result[row]);
        batch.known.extend(rows.seen.known.get(row));
        let (legal, best) = (rows.legal(row), usize::from(rows.seen.best[row]));
        batch.best.push(if self.policy { legal[best] } else { 0 });
        batch.legal.extend_from_slice(legal);
        batch.legal_offsets.push(batch.legal.len() as u32);
        if self.policy {
            let shares = rows.shares(row);
            let sum: u32 = shares.iter().map(|&share| u32::from(share)).sum();
            if sum > 0 && shares.len() == legal.len() {
                batch.shares.extend(shares.iter().map(|&share| f32::from(share) / sum as f32));
            } else {
                let hot = |place| if place == best { 1.0 } else { 0.0 };
                batch.shares.extend((0..legal.len()).map(hot));
            }
        }
    }
}
