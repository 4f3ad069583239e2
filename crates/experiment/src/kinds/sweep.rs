//! Experiments that measure every cell of a grid.

use crate::ExperimentError;
use crate::file::Compare;
use crate::result::{Measured, ResultData};
use crate::work::{Earlier, Measurement, PartKind, Session, Work, WorkKind, WorkResult};
use monteverde_lab::contest::ContestPlan;
use monteverde_lab::sweep::{CellResult, Sweep, SweepResult, measures_of};
use monteverde_report::{DotPlot, Plot, ReportTable};

/// What the cells measure depends on what they are.
pub(crate) const KIND: WorkKind = WorkKind {
    name: "sweep",
    unit: "units",
    read: |table, source| {
        Ok(Box::new(Sweep::from_table(source.games, table, source.folder, source.build)?))
    },
    measures: |table| measures_of(table),
    dots: DotPlot::Drawn,
    parts: PartKind::Piece,
};

impl Work for Sweep {
    /// Every cell was checked when it was read.
    fn check(&self) -> Result<(), ExperimentError> {
        Ok(())
    }

    fn parts(&self) -> Vec<String> {
        self.names()
    }

    fn only(&mut self, number: usize, _: &Earlier<'_>) -> Result<(), ExperimentError> {
        Sweep::only(self, number);
        Ok(())
    }

    fn run(&self, session: &mut Session<'_, '_>) -> Result<WorkResult, ExperimentError> {
        let result = Sweep::run(self, session.store, session.machine.hands, session.observe)?;
        Ok(ResultData::Sweep(result).into())
    }

    fn matches(&self) -> Vec<(usize, &ContestPlan, (usize, usize))> {
        self.plans().map(|(number, plan)| (number, plan, (0, 1))).collect()
    }
}

impl Measurement for SweepResult {
    fn unit(&self) -> &str {
        &self.sample
    }

    fn sample(&self) -> u64 {
        self.cells.iter().map(|cell| cell.sample).sum()
    }

    fn measured(&self, compare: &Compare) -> Vec<Measured> {
        let one = |cell: &CellResult| Measured {
            name: cell.name(),
            value: cell.measure(&compare.measure),
            sample: cell.sample,
        };
        self.cells.iter().map(one).collect()
    }

    fn range(&self, compare: &Compare) -> Option<[f64; 2]> {
        (!["elo", "plies"].contains(&compare.measure.as_str())).then_some([0.0, 1.0])
    }

    fn tables(&self) -> Vec<ReportTable> {
        vec![self.table()]
    }

    fn figures(&self) -> Vec<Plot> {
        vec![self.plot()]
    }
}
