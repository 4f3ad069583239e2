//! Figures 4.2 to 4.8 of the king-and-rook study, from our games.

use super::{MatingCell, distinct, together};
use monteverde_report::{Axis, AxisScale, Interval, Plot, Point, Series};

const DIFFERENCE: &str = "DTM difference";

/// All figures, in the order of the study.
pub(crate) fn figures(cells: &[MatingCell]) -> Vec<Plot> {
    let iterations = distinct(cells, |cell| cell.iterations as f64);
    // The study takes its figures of the first move from the games with the fewer iterations.
    let fewest = iterations.first().copied().unwrap_or_default();
    let first: Vec<MatingCell> = of(cells, |cell| cell.iterations as f64 == fewest);
    let mut plots = vec![length_over_difference(cells)];
    plots.push(over_c(
        "4.3: standard deviation of visits at the first move",
        "visits",
        &first,
        |cell| cell.visits_deviation,
    ));
    plots.push(over_c(
        "4.4: standard deviation of mates at the first move",
        "mates",
        &first,
        |cell| cell.mates_deviation,
    ));
    plots.push(over_c(
        "4.5: mates in playouts over visits at the first move",
        "mates a visit",
        &first,
        |cell| cell.mates_share,
    ));
    for c in distinct(cells, |cell| cell.c) {
        plots.push(collapses_over_t(c, &of(cells, |cell| cell.c == c)));
    }
    plots.push(over_c("4.7: quality of play over C", DIFFERENCE, cells, |cell| cell.difference));
    for &number in &iterations {
        plots.push(difference_over_t(number, &of(cells, |cell| cell.iterations as f64 == number)));
    }
    plots
}

fn of(cells: &[MatingCell], keep: impl Fn(&MatingCell) -> bool) -> Vec<MatingCell> {
    cells.iter().filter(|cell| keep(cell)).cloned().collect()
}

/// Figure 4.2: the mean length of games over the mean difference, a point for each cell.
fn length_over_difference(cells: &[MatingCell]) -> Plot {
    let series = |iterations: f64| {
        let here = cells.iter().filter(|cell| cell.iterations as f64 == iterations);
        let point = |cell: &MatingCell| {
            Some(Point {
                x: cell.difference.value?,
                y: Interval { low: None, high: None, ..cell.length },
            })
        };
        let mut points: Vec<Point> = here.filter_map(point).collect();
        points.sort_by(|one, two| one.x.total_cmp(&two.x));
        Series { name: format!("{iterations} iterations"), points }
    };
    Plot {
        caption: "4.2: length of games over quality of play, a point for each cell".to_owned(),
        x: Axis { label: DIFFERENCE.to_owned(), scale: AxisScale::Linear },
        y: Axis { label: "moves of a game".to_owned(), scale: AxisScale::Linear },
        series: distinct(cells, |cell| cell.iterations as f64).into_iter().map(series).collect(),
        reference: None,
    }
}

/// A number over C, the mean of all thresholds, a line for each number of iterations.
fn over_c(
    caption: &str,
    label: &str,
    cells: &[MatingCell],
    number: fn(&MatingCell) -> Interval,
) -> Plot {
    let all = distinct(cells, |cell| cell.c);
    let (x, places) = axis("C", &all);
    let series = |iterations: f64| {
        let point = |(&c, &x): (&f64, &f64)| {
            let here =
                cells.iter().filter(|cell| cell.c == c && cell.iterations as f64 == iterations);
            Point { x, y: together(here, number) }
        };
        Series {
            name: format!("{iterations} iterations"),
            points: all.iter().zip(&places).map(point).collect(),
        }
    };
    Plot {
        caption: caption.to_owned(),
        x,
        y: Axis { label: label.to_owned(), scale: AxisScale::Linear },
        series: distinct(cells, |cell| cell.iterations as f64).into_iter().map(series).collect(),
        reference: None,
    }
}

/// Figure 4.6: for one C, difference and collapses over T, both brought to 0..1.
fn collapses_over_t(c: f64, cells: &[MatingCell]) -> Plot {
    let series = |name: &str, number: fn(&MatingCell) -> Interval| {
        let points = over_t(cells, number);
        let values: Vec<f64> = points.iter().filter_map(|point| point.y.value).collect();
        let low = values.iter().copied().fold(f64::INFINITY, f64::min);
        let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let unit = |value: f64| if high > low { (value - low) / (high - low) } else { 0.0 };
        let point = |point: &Point| Point {
            y: point.y.value.map_or(Interval::default(), |value| Interval::exact(unit(value))),
            ..*point
        };
        Series { name: name.to_owned(), points: points.iter().map(point).collect() }
    };
    Plot {
        caption: format!("4.6: quality of play and tree collapses over T, C = {c}"),
        x: t_axis(cells).0,
        y: Axis { label: "of the range, 0 to 1".to_owned(), scale: AxisScale::Linear },
        series: vec![
            series(DIFFERENCE, |cell| cell.difference),
            series("tree collapses", |cell| cell.collapses),
        ],
        reference: None,
    }
}

/// Figure 4.8: the difference over T, a line for each C.
fn difference_over_t(iterations: f64, cells: &[MatingCell]) -> Plot {
    let series = |c: f64| Series {
        name: format!("C = {c}"),
        points: over_t(&of(cells, |cell| cell.c == c), |cell| cell.difference),
    };
    Plot {
        caption: format!("4.8: quality of play over T, {iterations} iterations a move"),
        x: t_axis(cells).0,
        y: Axis { label: DIFFERENCE.to_owned(), scale: AxisScale::Linear },
        series: distinct(cells, |cell| cell.c).into_iter().map(series).collect(),
        reference: None,
    }
}

fn over_t(cells: &[MatingCell], number: fn(&MatingCell) -> Interval) -> Vec<Point> {
    let all = distinct(cells, |cell| cell.threshold as f64);
    let point = |(&t, &x): (&f64, &f64)| {
        let here = cells.iter().filter(|cell| cell.threshold as f64 == t);
        Point { x, y: together(here, number) }
    };
    all.iter().zip(&t_axis(cells).1).map(point).collect()
}

fn t_axis(cells: &[MatingCell]) -> (Axis, Vec<f64>) {
    axis("T", &distinct(cells, |cell| cell.threshold as f64))
}

fn axis(label: &str, values: &[f64]) -> (Axis, Vec<f64>) {
    let texts: Vec<String> = values.iter().map(f64::to_string).collect();
    Axis::fitting(label, &texts)
}
