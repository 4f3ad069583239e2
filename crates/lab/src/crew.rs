//! Workers on other machines. What they are given, and what they give back, travels as text.
//!
//! A *piece* of work is whatever the store keeps under a key of its own: a game, a question of a
//! suite, a measurement; or something that another crate brings ([`CustomWork`]). A crew hands
//! pieces out and brings their products; how, is its own business (`monteverde-cluster` does it
//! over NATS). Products come from outside, so each is checked against its piece before it is kept.
//! The store is the truth: a piece that is lost or done twice costs time, nothing else.

mod allowed;
mod check;
mod custom;
mod needs;
mod piece;
mod result;
mod runner;

pub use allowed::{AllowedEngines, AllowedEnginesError};
pub use custom::{CustomKind, CustomPiece, CustomWork, ReadWork};
pub use needs::{Lack, Needs};
pub use piece::{Piece, PieceError, PieceWork, Product};
pub use result::{ResultText, shown};
pub use runner::PieceRunner;

use crate::task::Key;
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// Workers on other machines.
pub trait Crew: fmt::Debug + Send + Sync {
    /// How many pieces may be out at a time, at least 1.
    fn room(&self) -> usize;

    /// Hands out a piece, which it brings the product of sooner or later.
    fn send(&self, piece: &Arc<Piece>) -> Result<(), CrewError>;

    /// The next product of a piece that is out; `None` if none comes for so long.
    fn receive(&self, wait: Duration) -> Result<Option<Delivery>, CrewError>;

    /// Says what became of a delivery. A piece whose product was kept is no longer out; one whose
    /// product was refused is handed out again.
    fn settle(&self, delivery: &Delivery, settled: Settled<'_>);

    /// Takes back all pieces that are out: nobody waits for them any more.
    fn recall(&self);
}

/// What a worker came to.
#[derive(Clone, PartialEq, Debug)]
pub struct Delivery {
    /// The key of the piece, which is out.
    pub key: Key,
    /// The product, or a sentence that says why there is none.
    pub product: Result<Product, String>,
    /// The worker, as it calls itself.
    pub worker: String,
    /// By which the crew knows the delivery again.
    pub receipt: u64,
}

/// What became of a delivery.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Settled<'a> {
    /// Its product is in the store.
    Kept,
    /// It is no product of the piece, for this reason.
    Refused(&'a str),
}

/// Why a crew cannot go on.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct CrewError(pub String);

/// Pieces that are out, each with what waits for its product.
#[derive(Debug)]
pub struct Outstanding<'c, J> {
    crew: &'c dyn Crew,
    pieces: HashMap<Key, Waiting<J>>,
    count: usize,
}

/// A piece, and everything that waits for it: a run may ask for the same twice.
#[derive(Debug)]
struct Waiting<J> {
    piece: Arc<Piece>,
    jobs: Vec<J>,
}

/// A product that fits its piece.
#[derive(Debug)]
pub struct Arrival<J> {
    /// The piece.
    pub piece: Arc<Piece>,
    /// What has waited for it.
    pub jobs: Vec<J>,
    /// The product, or the sentence of a worker that cannot make it.
    pub delivery: Delivery,
}

impl<'c, J> Outstanding<'c, J> {
    /// None yet.
    pub fn new(crew: &'c dyn Crew) -> Self {
        Outstanding { crew, pieces: HashMap::new(), count: 0 }
    }

    /// Whether no more may be out.
    pub fn is_full(&self) -> bool {
        self.count >= self.crew.room()
    }

    /// Whether none is out.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Hands out a piece, unless it is out already.
    pub fn send(&mut self, piece: Piece, job: J) -> Result<(), CrewError> {
        self.count += 1;
        if let Some(waiting) = self.pieces.get_mut(&piece.key) {
            waiting.jobs.push(job);
            return Ok(());
        }
        let piece = Arc::new(piece);
        self.crew.send(&piece)?;
        self.pieces.insert(piece.key, Waiting { piece, jobs: vec![job] });
        Ok(())
    }

    /// The next product that fits its piece, or the word of a worker that there is none; `None` if
    /// none comes for so long. The piece is no longer out, but has to be settled.
    pub fn next(&mut self, wait: Duration) -> Result<Option<Arrival<J>>, CrewError> {
        loop {
            let Some(delivery) = self.crew.receive(wait)? else { return Ok(None) };
            let Some(waiting) = self.pieces.get(&delivery.key) else {
                self.crew.settle(&delivery, Settled::Refused("nobody waits for that piece"));
                continue;
            };
            if let Ok(product) = &delivery.product
                && let Err(problem) = waiting.piece.check(product)
            {
                self.crew.settle(&delivery, Settled::Refused(&problem));
                continue;
            }
            let Some(Waiting { piece, jobs }) = self.pieces.remove(&delivery.key) else { continue };
            self.count -= jobs.len();
            return Ok(Some(Arrival { piece, jobs, delivery }));
        }
    }

    /// The product of an arrival is in the store.
    pub fn kept(&self, delivery: &Delivery) {
        self.crew.settle(delivery, Settled::Kept);
    }

    /// Takes back everything that is out.
    pub fn recall(&mut self) {
        self.crew.recall();
        self.pieces.clear();
        self.count = 0;
    }
}

/// Has some pieces done, in any order, each with what waits for it, and shows their products to
/// `take`, which keeps them. Where a worker says that a piece cannot be done, `take` gets that
/// sentence.
pub(crate) fn do_all<J, E: From<CrewError>>(
    crew: &dyn Crew,
    pieces: impl IntoIterator<Item = (Piece, J)>,
    mut take: impl FnMut(&Piece, J, Result<&Product, &str>) -> Result<(), E>,
) -> Result<(), E> {
    let mut out = Outstanding::new(crew);
    let mut pieces = pieces.into_iter();
    let mut done = || loop {
        while !out.is_full()
            && let Some((piece, job)) = pieces.next()
        {
            out.send(piece, job)?;
        }
        if out.is_empty() {
            return Ok(());
        }
        let Some(Arrival { piece, jobs, delivery }) = out.next(WAIT)? else { continue };
        for job in jobs {
            take(&piece, job, delivery.product.as_ref().map_err(String::as_str))?;
        }
        out.kept(&delivery);
    };
    let done = done();
    if !out.is_empty() {
        out.recall();
    }
    done
}

/// How long is waited for a product before it is asked again.
const WAIT: Duration = Duration::from_secs(1);
