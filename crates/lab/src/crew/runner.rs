//! Does pieces: what a thread of a run does and what a worker does are the same.

use super::allowed::AllowedEngines;
use super::piece::{Piece, PieceWork, Product};
use crate::build::build;
use crate::measure::ProbePart;
use crate::run::Engines;
use crate::seat::panic_text;
use monteverde_game::limit::Signal;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// Does one piece after the other for a worker; its engines wait for their next game.
#[derive(Debug)]
pub struct PieceRunner {
    engines: Engines,
}

impl PieceRunner {
    /// One that may start these engines.
    pub fn new(allowed: Arc<AllowedEngines>) -> PieceRunner {
        PieceRunner { engines: Engines::allowing(allowed) }
    }

    /// Does a piece; a measurement on so many threads. When it is stopped, what comes out is not
    /// the product. The sentence of an error is for people: a failure of the lab or a piece that
    /// cannot be done, never one of a player, which is a product.
    pub fn run(
        &mut self,
        piece: &Piece,
        threads: usize,
        stop: &Arc<Signal>,
    ) -> Result<Product, String> {
        let done = catch_unwind(AssertUnwindSafe(|| self.make(piece, threads, stop)));
        done.unwrap_or_else(|panic| Err(format!("the lab failed: {}", panic_text(&*panic))))
    }

    fn make(
        &mut self,
        piece: &Piece,
        threads: usize,
        stop: &Arc<Signal>,
    ) -> Result<Product, String> {
        match &piece.work {
            PieceWork::Game(game, task) => {
                let played = crate::run::play((*game, task, stop), &mut self.engines);
                let mut record = played.map_err(|error| error.to_string())?;
                // Whoever plays is recorded, not whoever asked for it.
                record.build = build().to_owned();
                Ok(Product::Game(Box::new(record)))
            }
            PieceWork::Question(question) => {
                question.answer().map(Product::Answer).map_err(|error| error.to_string())
            }
            PieceWork::Probe { probe, units } => {
                let part = ProbePart { probe, units: units.clone() };
                let found = part.run(threads.max(1), &|_| ());
                found.map(Product::Findings).map_err(|error| error.to_string())
            }
            PieceWork::Custom(custom) => custom.work.make(stop).map(Product::Custom),
        }
    }

    /// Ends the engines that wait.
    pub fn quit(self) {
        self.engines.quit();
    }
}
