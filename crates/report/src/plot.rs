//! Line plots with 95% bands: what they show, and their scales.

use super::blocks::{Cell, ColumnKind, Drawing, Figure, Grid, Head};
use super::number;
use monteverde_statistics::Interval;
use serde::Serialize;

/// A quantity over another, a line for each series.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Plot {
    /// The caption.
    pub caption: String,
    /// The axis to the right.
    pub x: Axis,
    /// The axis upwards. Only [`AxisScale::Linear`] and [`AxisScale::Log`] are drawn as such
    /// upwards; the others are taken for linear.
    pub y: Axis,
    /// The lines.
    pub series: Vec<Series>,
    /// A height to compare with, such as a score of one half.
    pub reference: Option<Reference>,
}

/// An axis.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Axis {
    /// What it shows, with its unit.
    pub label: String,
    /// How values become distances.
    pub scale: AxisScale,
}

/// How values become distances.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum AxisScale {
    /// In proportion.
    Linear,
    /// In proportion to the logarithm; taken for linear if a value is not positive.
    Log,
    /// The values 0, 1, 2 and so on stand for these numbers, at even distances: for grids that are
    /// neither linear nor logarithmic.
    Even(Vec<String>),
    /// The values 0, 1, 2 and so on stand for these names. Nothing lies between names, so no line
    /// is drawn.
    Names(Vec<String>),
}

/// A line.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Series {
    /// The name in the legend.
    pub name: String,
    /// The points from left to right.
    pub points: Vec<Point>,
}

/// A measured point.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Point {
    /// Where it stands.
    pub x: f64,
    /// What was measured there; a point without a value is left out.
    pub y: Interval,
}

/// A height to compare with.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Reference {
    /// The height.
    pub y: f64,
    /// What it stands for.
    pub label: String,
}

impl Axis {
    /// The axis that suits numbers given as texts: logarithmic where they are positive and span a
    /// factor of 30 or more, linear where they span less, even steps where a logarithm would need a
    /// positive number, and names if they are not numbers. Values come back as positions on the
    /// axis.
    pub fn fitting(label: impl Into<String>, texts: &[String]) -> (Axis, Vec<f64>) {
        let numbers: Option<Vec<f64>> = texts
            .iter()
            .map(|text| text.parse().ok().filter(|number: &f64| number.is_finite()))
            .collect();
        let places = || (0..texts.len()).map(|index| index as f64).collect();
        let (scale, positions) = match numbers {
            None => (AxisScale::Names(texts.to_vec()), places()),
            Some(numbers) => {
                let smallest =
                    numbers.iter().copied().filter(|&n| n > 0.0).fold(f64::MAX, f64::min);
                let largest = numbers.iter().copied().fold(0.0, f64::max);
                if largest < WIDE * smallest {
                    (AxisScale::Linear, numbers)
                } else if numbers.iter().all(|&number| number > 0.0) {
                    (AxisScale::Log, numbers)
                } else {
                    (AxisScale::Even(texts.to_vec()), places())
                }
            }
        };
        (Axis { label: label.into(), scale }, positions)
    }
}

/// From this factor between the largest and the smallest value on, a linear axis hides the small
/// ones.
const WIDE: f64 = 30.0;

/// The figure of a plot, with the table of its numbers.
pub(super) fn figure(plot: &Plot) -> Figure {
    let rows = plot.series.iter().flat_map(|series| {
        series.points.iter().map(|point| {
            vec![
                Cell::Name(series.name.clone()),
                Cell::Text(x_text(&plot.x, point.x)),
                Cell::Text(number::interval(point.y, decimals(plot))),
            ]
        })
    });
    let numbers = Grid {
        caption: plot.caption.clone(),
        head: vec![
            Head::new("Series", ColumnKind::Text),
            Head::new(&plot.x.label, ColumnKind::Number),
            Head::new(format!("{} (95%)", plot.y.label), ColumnKind::Number),
        ],
        rows: rows.collect(),
        note: plot.reference.as_ref().map_or(String::new(), |reference| {
            format!("For comparison: {} {}.", reference.label, plain(reference.y))
        }),
    };
    let drawing = Drawing::Plot(plot.clone());
    Figure { caption: plot.caption.clone(), drawing, numbers: Some(numbers) }
}

/// A position on the horizontal axis as text.
pub(super) fn x_text(axis: &Axis, x: f64) -> String {
    match &axis.scale {
        AxisScale::Even(labels) | AxisScale::Names(labels) => {
            labels.get(x as usize).cloned().unwrap_or_default()
        }
        AxisScale::Linear | AxisScale::Log => plain(x),
    }
}

/// The shortest text of a number.
pub(super) fn plain(value: f64) -> String {
    let decimals = format!("{value}").split_once('.').map_or(0, |(_, digits)| digits.len());
    number::decimal(value, decimals.min(6))
}

/// How many decimals tell the points of a plot apart: two more than the span of the values needs.
pub(super) fn decimals(plot: &Plot) -> usize {
    let (low, high) = y_range(plot);
    let digits = 2.0 - libm::floor(libm::log10((high - low).max(1e-9)));
    digits.clamp(0.0, 6.0) as usize
}

/// The span of the heights: every interval and the reference; never empty.
pub(super) fn y_range(plot: &Plot) -> (f64, f64) {
    let points = plot.series.iter().flat_map(|series| &series.points);
    let ends = points.flat_map(|point| [point.y.low, point.y.value, point.y.high]).flatten();
    span(ends.chain(plot.reference.iter().map(|reference| reference.y)))
}

/// The span of the positions; never empty.
pub(super) fn x_range(plot: &Plot) -> (f64, f64) {
    match &plot.x.scale {
        AxisScale::Even(labels) | AxisScale::Names(labels) => {
            (-0.5, labels.len().max(1) as f64 - 0.5)
        }
        AxisScale::Linear | AxisScale::Log => {
            let points = plot.series.iter().flat_map(|series| &series.points);
            span(points.map(|point| point.x))
        }
    }
}

pub(super) fn span(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let finite = values.filter(|value| value.is_finite());
    match finite.fold(None, |span: Option<(f64, f64)>, value| match span {
        None => Some((value, value)),
        Some((low, high)) => Some((low.min(value), high.max(value))),
    }) {
        None => (0.0, 1.0),
        Some((low, high)) if low == high => {
            let room = if low == 0.0 { 1.0 } else { low.abs() * 0.1 };
            (low - room, high + room)
        }
        Some(span) => span,
    }
}

/// Round numbers in a span, about `wanted` of them, in steps of 1, 2 or 5 times a power of ten.
pub(super) fn ticks((low, high): (f64, f64), wanted: usize) -> Vec<f64> {
    let rough = (high - low) / wanted as f64;
    let power = 10f64.powi(libm::floor(libm::log10(rough)) as i32);
    let step =
        [1.0, 2.0, 5.0, 10.0].map(|unit| unit * power).into_iter().find(|&s| s >= rough * 0.999);
    let step = step.unwrap_or(rough);
    let first = (low / step - 1e-9).ceil() as i64;
    let last = (high / step + 1e-9).floor() as i64;
    // Rounded to the step's own decimals, so that three steps of 0.1 are 0.3.
    let digits = (1.0 - libm::floor(libm::log10(step))).clamp(0.0, 12.0) as usize;
    let rounded = |value: f64| format!("{value:.digits$}").parse().unwrap_or(value);
    (first..=last).map(|index| rounded(index as f64 * step)).collect()
}

/// Round numbers in a span of positive numbers: powers of ten, with 2 and 5 times them if there are
/// few.
pub(super) fn log_ticks((low, high): (f64, f64)) -> Vec<f64> {
    let first = libm::floor(libm::log10(low)) as i32;
    let last = libm::ceil(libm::log10(high)) as i32;
    let units: &[f64] = if last - first <= 3 { &[1.0, 2.0, 5.0] } else { &[1.0] };
    let power = |exponent: i32| format!("1e{exponent}").parse::<f64>().unwrap_or(1.0);
    let all = (first..=last).flat_map(|exponent| {
        units.iter().map(move |unit| match exponent {
            ..0 => unit / power(-exponent),
            _ => unit * power(exponent),
        })
    });
    all.filter(|&tick| low * 0.999 <= tick && tick <= high * 1.001).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round() {
        assert_eq!(ticks((0.0, 1.0), 5), [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]);
        assert_eq!(ticks((-37.0, 81.0), 5), [0.0, 50.0]);
        assert_eq!(ticks((0.48, 0.53), 5), [0.48, 0.49, 0.5, 0.51, 0.52, 0.53]);
        assert_eq!(log_ticks((0.1, 20.0)), [0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0]);
        assert_eq!(log_ticks((1.0, 1e6)), [1.0, 10.0, 100.0, 1e3, 1e4, 1e5, 1e6]);
    }

    #[test]
    fn the_axis_suits_the_values() {
        let of = |texts: &[&str]| {
            let texts: Vec<String> = texts.iter().map(|&text| text.to_owned()).collect();
            Axis::fitting("x", &texts)
        };
        assert_eq!(of(&["0", "0.5", "1"]).0.scale, AxisScale::Linear);
        assert_eq!(of(&["100", "1000", "10000"]).0.scale, AxisScale::Log);
        assert!(matches!(of(&["0", "0.12", "500"]).0.scale, AxisScale::Even(_)));
        assert_eq!(of(&["0", "0.12", "500"]).1, [0.0, 1.0, 2.0]);
        assert!(matches!(of(&["mean", "visits"]).0.scale, AxisScale::Names(_)));
        assert!(matches!(of(&["1", "NaN"]).0.scale, AxisScale::Names(_)));
    }
}
