//! Parts of a measurement: ranges of its units, each under a key of its own.
//!
//! Units have random numbers of their own and findings are whole numbers or lists, so that the
//! findings of all parts make up those of the whole, digit for digit. How a measurement is cut
//! follows from the measurement alone: whoever makes parts of it makes the same ones.

use super::{Findings, MeasureError, Probe, ProbeKind, Ranks, Run};
use crate::task::Key;
use std::ops::Range;

/// Some units of a measurement, or all of them.
#[derive(Clone, Debug)]
pub struct ProbePart<'p> {
    /// The measurement.
    pub probe: &'p Probe,
    /// The numbers of the units.
    pub units: Range<u64>,
}

/// A measurement has at most so many parts: enough to share a single one evenly among dozens of
/// machines, few enough that the parts of a large grid stay a small file.
const MOST_PARTS: u64 = 240;

/// A part has at least so many playouts, which take a fraction of a second.
const LEAST_PLAYOUTS: u64 = 4096;

impl Probe {
    /// Its parts, in the order of their units.
    pub fn parts(&self) -> Vec<ProbePart<'_>> {
        let units = self.units();
        let least = match self.kind {
            ProbeKind::Playouts { .. } => LEAST_PLAYOUTS,
            _ => 1,
        };
        let size = units.div_ceil((units / least).clamp(1, MOST_PARTS)).max(1);
        let part = |first: u64| ProbePart { probe: self, units: first..units.min(first + size) };
        (0..units.div_ceil(size)).map(|number| part(number * size)).collect()
    }

    /// All of it as one part.
    pub fn whole(&self) -> ProbePart<'_> {
        ProbePart { probe: self, units: 0..self.units() }
    }
}

impl ProbePart<'_> {
    /// What tells it from other parts; that of the measurement if it is all of it.
    pub fn key(&self) -> Key {
        self.key_in(&self.probe.key())
    }

    /// The same where the key of the measurement is known.
    pub(super) fn key_in(&self, probe: &Key) -> Key {
        let Range { start, end } = self.units;
        match self.is_whole() {
            true => *probe,
            false => {
                let text = format!("part\n{start}\n{end}\n{probe}");
                Key(*blake3::hash(text.as_bytes()).as_bytes())
            }
        }
    }

    /// What is kept beside its findings to say what they are of.
    pub fn text(&self) -> String {
        let text = self.probe.text();
        let Range { start, end } = self.units;
        match self.is_whole() {
            true => text,
            false => serde_json::json!({ "part": [start, end], "probe": self.probe }).to_string(),
        }
    }

    /// Whether it is all of the measurement.
    pub fn is_whole(&self) -> bool {
        self.units == (0..self.probe.units())
    }

    /// How many units it consists of.
    pub fn count(&self) -> u64 {
        self.units.end - self.units.start
    }

    /// Makes it on so many threads. `progress` is told each time how many units were added.
    pub fn run(
        &self,
        threads: usize,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Findings, MeasureError> {
        self.probe.check()?;
        let run = Run { probe: self.probe, units: self.units.clone(), threads, progress };
        run.make(&self.probe.state()?)
    }
}

impl Findings {
    /// The findings of a whole from those of its parts, in their order.
    ///
    /// # Panics
    /// If there are none.
    pub fn merged(parts: impl IntoIterator<Item = Findings>) -> Result<Findings, MeasureError> {
        let mut parts = parts.into_iter();
        let mut all = parts.next().expect("a measurement has a part");
        for part in parts {
            all.merge(part)?;
        }
        Ok(all)
    }

    fn merge(&mut self, part: Findings) -> Result<(), MeasureError> {
        match (self, part) {
            (Findings::Playouts(all), Findings::Playouts(part)) => all.merge(part),
            (Findings::Searches(all), Findings::Searches(part)) => all.merge(part),
            (Findings::Until(all), Findings::Until(part)) => all.hits.extend(part.hits),
            (Findings::Mating(all), Findings::Mating(part)) => all.extend(part),
            (Findings::Endings(all), Findings::Endings(part)) => all.extend(part),
            (Findings::Shape(all), Findings::Shape(part)) => all.merge(part),
            (Findings::Prediction(all), Findings::Prediction(part)) => Ranks::merge_all(all, part),
            (_, other) => {
                let problem = format!("a part is of another kind: {}", other.text());
                return Err(MeasureError::Damaged(problem));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
