//! A part of an experiment by itself: a meeting of a tournament, a cell of a grid, a player or a position of a list.
//!
//! Its seeds are those that it has in the whole, so that it comes out the same.

use super::endings::Endings;
use super::file::Kind;
use super::mating::Mating;
use super::playouts::Playouts;
use super::suites::Suites;
use super::until::Until;
use super::{Experiment, ExperimentError, Scale, nearest_of};
use monteverde_lab::calibration::Calibration;
use monteverde_lab::contest::{Format, Plan};
use monteverde_lab::keys::FileError;
use monteverde_lab::pace::Pace;
use monteverde_lab::sweep::Sweep;

impl Experiment {
    /// The names of its parts at a scale; none where it can only be measured as a whole.
    pub fn cells(&self, scale: Scale) -> Result<Vec<String>, ExperimentError> {
        let table = self.work(scale)?;
        let named =
            |names: Result<Vec<String>, FileError>| names.map_err(|error| self.error(error));
        match self.kind {
            Kind::Playouts => named(Playouts::read(table).map(|work| work.names())),
            Kind::Until => named(Until::read(table).map(|work| work.names())),
            Kind::Mating => named(Mating::read(table).map(|work| work.names())),
            Kind::Endings => named(Endings::read(table).map(|work| work.names())),
            Kind::Suite => named(Suites::read(table, &self.folder).map(|work| work.names())),
            Kind::Sweep => Ok(Sweep::from_table(table, &self.folder, "")?.names()),
            Kind::Tournament => {
                let plan = self.tournament(table, "")?.plan;
                Ok(plan.pairings().iter().map(|&two| meeting(&plan, two)).collect())
            }
            Kind::Shape | Kind::Prediction => Ok(Vec::new()),
        }
    }

    /// The same experiment with nothing but the part of that name to be measured at that scale.
    pub fn only(mut self, scale: Scale, cell: &str) -> Result<Experiment, ExperimentError> {
        let known = self.cells(scale)?;
        match known.iter().position(|name| name == cell) {
            Some(number) => self.cell = Some(number),
            None => {
                let (id, cell) = (self.id, cell.to_owned());
                let nearest = nearest_of(&cell, &known);
                return Err(ExperimentError::NoCell { id, cell, nearest, known });
            }
        }
        Ok(self)
    }

    /// The work, or the part of it that is to be done.
    pub(super) fn narrowed<W>(
        &self,
        work: Result<W, FileError>,
        only: fn(&mut W, usize),
    ) -> Result<W, ExperimentError> {
        let mut work = work.map_err(|error| self.error(error))?;
        if let Some(cell) = self.cell {
            only(&mut work, cell);
        }
        Ok(work)
    }

    /// The contest, or the meeting of it that is to be held. Two that think equally long get the iterations that they
    /// had, where results of the same work say it.
    pub(super) fn narrowed_plan(&self, scale: Scale, plan: Plan) -> Result<Plan, ExperimentError> {
        let Some(cell) = self.cell else { return Ok(plan) };
        let results = self.results(scale)?.filter(|results| self.is_current(results));
        let calibration = results.and_then(|results| results.calibration);
        Ok(only_meeting(plan, cell, calibration.as_ref()))
    }
}

/// What a meeting is called.
pub(super) fn meeting(plan: &Plan, (one, two): (usize, usize)) -> String {
    format!("{} against {}", plan.contestants[one].name, plan.contestants[two].name)
}

fn only_meeting(mut plan: Plan, cell: usize, calibration: Option<&Calibration>) -> Plan {
    let (one, two) = plan.pairings()[cell];
    if let Some(mut equal) = plan.equal_time.take() {
        match calibration {
            Some(calibration) => {
                for (&taker, player) in equal.takers.iter().zip(&calibration.players) {
                    plan.contestants[taker].pace = Pace::Iterations(player.iterations);
                }
            }
            None => {
                let place = |taker: &usize| [one, two].iter().position(|number| number == taker);
                equal.takers = equal.takers.iter().filter_map(place).collect();
                plan.equal_time = Some(equal);
            }
        }
    }
    plan.contestants = vec![plan.contestants[one].clone(), plan.contestants[two].clone()];
    plan.format = Format::RoundRobin;
    plan
}
