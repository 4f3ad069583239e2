//! A part of an experiment by itself: a meeting of a tournament, a cell of a grid, a player or a
//! position of a list.
//!
//! Its seeds are those that it has in the whole, so that it comes out the same.

use crate::experiment::nearest_of;
use crate::{Experiment, ExperimentError, Scale};

impl Experiment {
    /// The names of its parts at a scale; none where it can only be measured as a whole.
    pub fn parts(&self, scale: Scale) -> Result<Vec<String>, ExperimentError> {
        Ok(self.read(self.work(scale)?, "")?.parts())
    }

    /// The same experiment with nothing but the part of that name to be measured at that scale.
    pub fn only(mut self, scale: Scale, part: &str) -> Result<Experiment, ExperimentError> {
        let known = self.parts(scale)?;
        match known.iter().position(|name| name == part) {
            Some(number) => self.part = Some(number),
            None => {
                let (id, part) = (self.id, part.to_owned());
                let nearest = nearest_of(&part, &known);
                return Err(ExperimentError::NoPart { id, part, nearest, known });
            }
        }
        Ok(self)
    }
}
