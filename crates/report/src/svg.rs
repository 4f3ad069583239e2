//! Figures as inline SVG, coloured by the page's style sheet so that they follow light and dark.

mod dots;

pub(super) use dots::dots;

use super::escape;
use super::number;
use super::plot::{self, AxisScale, Plot, Point, Series};
use monteverde_statistics::Interval;
use std::fmt::Write;

/// The colours and lines of figures, of a page or of a file of its own.
pub(super) const STYLE: &str = include_str!("figure.css");

/// How many series differ in colour, marker and dash before they repeat.
const LOOKS: usize = 6;

const WIDTH: f64 = 720.0;
const LEFT: f64 = 62.0;
const RIGHT: f64 = 18.0;
const LINE: f64 = 22.0;
/// What is free beside labels that begin at the left.
const EDGE: f64 = 4.0;
const FIELD: f64 = 300.0;
/// The mean width of a character of the labels, to lay out the legend.
const CHARACTER: f64 = 7.6;

/// A line plot. `id` makes the names inside it unique on the page.
pub(super) fn plot(plot: &Plot, id: usize) -> String {
    let legend = Legend::of(&plot.series);
    let frame = Frame::of(plot, LINE * (legend.rows as f64 + 1.0) + 14.0);
    let height = frame.bottom + 2.0 * LINE + 8.0;
    let mut svg = String::new();
    let _ = write!(
        svg,
        "<svg class=\"plot\" viewBox=\"0 0 {WIDTH} {height:.0}\" role=\"img\" \
         aria-labelledby=\"t{id} d{id}\">\n<title id=\"t{id}\">{}</title>\n<desc id=\"d{id}\">{} \
         over {}; the numbers follow as a table.</desc>\n",
        escape::html(&plot.caption),
        escape::html(&plot.y.label),
        escape::html(&plot.x.label),
    );
    legend.draw(&mut svg);
    frame.draw_axes(plot, &mut svg);
    if !matches!(plot.x.scale, AxisScale::Names(_)) {
        for (index, series) in plot.series.iter().enumerate() {
            draw_band(&frame, series, index, &mut svg);
        }
    }
    for index in 0..plot.series.len() {
        draw_series(&frame, plot, index, &mut svg);
    }
    svg.push_str("</svg>\n");
    svg
}

/// A figure as a file of its own, with its style and a ground, so that it can be read on any page.
pub(super) fn alone(figure: &str) -> String {
    const FONT: &str =
        "svg { font-family: system-ui, \"Segoe UI\", Roboto, \"Liberation Sans\", sans-serif; }";
    let (start, rest) = figure.split_once(">\n").expect("a figure begins with its element");
    let size = start.split_once("viewBox=\"0 0 ").and_then(|(_, rest)| rest.split_once('"'));
    let (width, height) =
        size.and_then(|(size, _)| size.split_once(' ')).expect("a figure has a size");
    let start = start.replacen("<svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"", 1);
    format!(
        "{start} width=\"{width}\" height=\"{height}\">\n<style>\n{STYLE}{FONT}\n\
         .ground {{ fill: var(--paper); }}\n</style>\n\
         <rect class=\"ground\" width=\"{width}\" height=\"{height}\"/>\n{rest}"
    )
}

/// An error bar on a common scale from `low` to `high`, with a mark at 0.
pub(super) fn bar(interval: Interval, (low, high): (f64, f64)) -> String {
    let place = bar_scale(low, high);
    let mut svg = format!(
        "<svg class=\"bar\" viewBox=\"0 0 {BAR} 20\" aria-hidden=\"true\">\
         <path class=\"zero\" d=\"M{0:.1} 0V20\"/>",
        place(0.0)
    );
    let from = interval.low.unwrap_or(low);
    let to = interval.high.unwrap_or(high);
    if interval.low.is_some() || interval.high.is_some() {
        let _ = write!(svg, "<path class=\"whisker\" d=\"M{:.1} 10H{:.1}", place(from), place(to));
        for end in [interval.low, interval.high].into_iter().flatten() {
            let _ = write!(svg, "M{:.1} 6V14", place(end));
        }
        svg.push_str("\"/>");
    }
    if let Some(value) = interval.value {
        let _ = write!(svg, "<circle class=\"dot\" cx=\"{:.1}\" cy=\"10\" r=\"4\"/>", place(value));
    }
    svg.push_str("</svg>");
    svg
}

/// The scale over a column of error bars.
pub(super) fn bar_axis((low, high): (f64, f64)) -> String {
    let place = bar_scale(low, high);
    let mut svg = format!("<svg class=\"bar\" viewBox=\"0 0 {BAR} 20\" aria-hidden=\"true\">");
    let span = if high > low { (low, high) } else { (low - 1.0, low + 1.0) };
    for tick in plot::ticks(span, 3) {
        let _ = write!(
            svg,
            "<text x=\"{:.1}\" y=\"11\" text-anchor=\"middle\">{}</text><path class=\"tick\" \
             d=\"M{0:.1} 15V20\"/>",
            place(tick),
            plot::plain(tick)
        );
    }
    svg.push_str("</svg>");
    svg
}

const BAR: f64 = 220.0;
const BAR_EDGE: f64 = 18.0;

fn bar_scale(low: f64, high: f64) -> impl Fn(f64) -> f64 {
    let span = if high > low { high - low } else { 1.0 };
    move |value: f64| BAR_EDGE + (value - low) / span * (BAR - 2.0 * BAR_EDGE)
}

/// Where each series' name stands.
struct Legend<'a> {
    places: Vec<(f64, f64, &'a str)>,
    rows: usize,
}

impl Legend<'_> {
    fn of(series: &[Series]) -> Legend<'_> {
        let (mut x, mut row) = (0.0, 0);
        let mut places = Vec::new();
        for line in series {
            let width = 44.0 + CHARACTER * line.name.chars().count() as f64;
            if x > 0.0 && x + width > WIDTH {
                (x, row) = (0.0, row + 1);
            }
            places.push((x + EDGE, LINE * row as f64 + 14.0, line.name.as_str()));
            x += width + 14.0;
        }
        Legend { places, rows: row + 1 }
    }

    fn draw(&self, svg: &mut String) {
        for (index, (x, y, name)) in self.places.iter().enumerate() {
            let look = index % LOOKS;
            let _ = writeln!(
                svg,
                "<g class=\"s{look}\"><path class=\"line\" d=\"M{x:.1} {y:.1}h30\"/>{}</g>\
                 <text x=\"{:.1}\" y=\"{:.1}\">{}</text>",
                marker(look, x + 15.0, *y, ""),
                x + 38.0,
                y + 5.0,
                escape::html(name)
            );
        }
    }
}

/// The field of the plot and its scales.
struct Frame {
    top: f64,
    bottom: f64,
    x: (f64, f64),
    y: (f64, f64),
    x_is_log: bool,
    y_is_log: bool,
}

impl Frame {
    fn of(plot: &Plot, top: f64) -> Frame {
        let (x, y) = (plot::x_range(plot), plot::y_range(plot));
        let x_is_log = plot.x.scale == AxisScale::Log && x.0 > 0.0;
        let y_is_log = plot.y.scale == AxisScale::Log && y.0 > 0.0;
        // The field goes a little beyond what is shown, so that no marker sits on its edge.
        let room = (y.1 - y.0) * 0.04;
        let y = if y_is_log { y } else { (y.0 - room, y.1 + room) };
        Frame { top, bottom: top + FIELD, x, y, x_is_log, y_is_log }
    }

    fn x(&self, x: f64) -> f64 {
        LEFT + 14.0 + share(x, self.x, self.x_is_log) * (WIDTH - LEFT - RIGHT - 28.0)
    }

    fn y(&self, y: f64) -> f64 {
        self.bottom - share(y, self.y, self.y_is_log) * (self.bottom - self.top)
    }

    fn draw_axes(&self, plot: &Plot, svg: &mut String) {
        let right = WIDTH - RIGHT;
        let _ = writeln!(
            svg,
            "<text class=\"label\" x=\"{EDGE}\" y=\"{:.1}\">{}</text>",
            self.top - 14.0,
            escape::html(&plot.y.label)
        );
        for tick in if self.y_is_log { plot::log_ticks(self.y) } else { plot::ticks(self.y, 5) } {
            let y = self.y(tick);
            let _ = writeln!(
                svg,
                "<path class=\"grid\" d=\"M{LEFT} {y:.1}H{right}\"/><text class=\"end\" x=\"{:.1}\" \
                 y=\"{:.1}\">{}</text>",
                LEFT - 8.0,
                y + 5.0,
                plot::plain(tick)
            );
        }
        let bottom = self.bottom;
        let _ = writeln!(svg, "<path class=\"axis\" d=\"M{LEFT} {bottom:.1}H{right}\"/>");
        for (x, label) in self.x_ticks(plot) {
            let _ = writeln!(
                svg,
                "<path class=\"axis\" d=\"M{x:.1} {bottom:.1}v5\"/><text class=\"middle\" \
                 x=\"{x:.1}\" y=\"{:.1}\">{}</text>",
                bottom + 20.0,
                escape::html(&label)
            );
        }
        let _ = writeln!(
            svg,
            "<text class=\"label middle\" x=\"{:.1}\" y=\"{:.1}\">{}</text>",
            (LEFT + right) / 2.0,
            bottom + 2.0 * LINE,
            escape::html(&plot.x.label)
        );
        if let Some(reference) = &plot.reference {
            let y = self.y(reference.y);
            let _ = writeln!(
                svg,
                "<path class=\"reference\" d=\"M{LEFT} {y:.1}H{right}\"/><text class=\"end\" \
                 x=\"{right}\" y=\"{:.1}\">{}</text>",
                y - 6.0,
                escape::html(&reference.label)
            );
        }
    }

    /// Positions and texts under the axis; of labels that would run into each other, every second,
    /// third and so on is shown.
    fn x_ticks(&self, plot: &Plot) -> Vec<(f64, String)> {
        let all: Vec<(f64, String)> = match &plot.x.scale {
            AxisScale::Even(labels) | AxisScale::Names(labels) => {
                let placed =
                    |(index, label): (usize, &String)| (self.x(index as f64), label.clone());
                labels.iter().enumerate().map(placed).collect()
            }
            _ => {
                let ticks =
                    if self.x_is_log { plot::log_ticks(self.x) } else { plot::ticks(self.x, 7) };
                ticks.into_iter().map(|tick| (self.x(tick), plot::plain(tick))).collect()
            }
        };
        let widest = all.iter().map(|(_, label)| label.chars().count()).max().unwrap_or(0);
        let needed = (widest as f64 + 1.5) * CHARACTER * all.len() as f64;
        let every = (needed / (WIDTH - LEFT - RIGHT)).ceil().max(1.0) as usize;
        all.into_iter().step_by(every).collect()
    }
}

/// How far a value lies between two ends, 0 at the first and 1 at the second.
fn share(value: f64, (low, high): (f64, f64), is_log: bool) -> f64 {
    if is_log {
        let (low, high) = (libm::log10(low), libm::log10(high));
        (libm::log10(value) - low) / (high - low)
    } else {
        (value - low) / (high - low)
    }
}

/// The band of each unbroken run of points that have both ends of their interval.
fn draw_band(frame: &Frame, series: &Series, index: usize, svg: &mut String) {
    let bounds = |point: &Point| Some((point.x, point.y.low?, point.y.high?));
    for run in series.points.split(|point| bounds(point).is_none()).filter(|run| run.len() > 1) {
        let ends: Vec<(f64, f64, f64)> = run.iter().filter_map(bounds).collect();
        let upper = ends.iter().map(|&(x, _, high)| (x, high));
        let lower = ends.iter().rev().map(|&(x, low, _)| (x, low));
        let corners =
            upper.chain(lower).map(|(x, y)| format!("{:.1} {:.1}", frame.x(x), frame.y(y)));
        let path: Vec<String> = corners.collect();
        let _ =
            writeln!(svg, "<path class=\"band s{}\" d=\"M{}Z\"/>", index % LOOKS, path.join("L"));
    }
}

fn draw_series(frame: &Frame, plot: &Plot, index: usize, svg: &mut String) {
    let (series, look) = (&plot.series[index], index % LOOKS);
    let points: Vec<(Point, f64)> =
        series.points.iter().filter_map(|point| Some((*point, point.y.value?))).collect();
    // Names side by side: the series stand a little apart, so that their whiskers do not overlap.
    let named = matches!(plot.x.scale, AxisScale::Names(_));
    let aside = match named {
        true => 12.0 * (index as f64 - (plot.series.len() as f64 - 1.0) / 2.0),
        false => 0.0,
    };
    let _ = write!(svg, "<g class=\"s{look}\">");
    if !named && points.len() > 1 {
        let places =
            points.iter().map(|(point, y)| format!("{:.1} {:.1}", frame.x(point.x), frame.y(*y)));
        let _ =
            write!(svg, "<path class=\"line\" d=\"M{}\"/>", places.collect::<Vec<_>>().join("L"));
    }
    for (point, y) in &points {
        let x = frame.x(point.x) + aside;
        if let (Some(low), Some(high), true) =
            (point.y.low, point.y.high, named || points.len() == 1)
        {
            let (low, high) = (frame.y(low), frame.y(high));
            let _ = write!(
                svg,
                "<path class=\"whisker\" d=\"M{x:.1} {low:.1}V{high:.1}M{:.1} {low:.1}h8M{0:.1} \
                 {high:.1}h8\"/>",
                x - 4.0
            );
        }
        let told = format!(
            "{}, {}: {}",
            series.name,
            plot::x_text(&plot.x, point.x),
            number::interval(point.y, plot::decimals(plot))
        );
        svg.push_str(&marker(look, x, frame.y(*y), &told));
    }
    svg.push_str("</g>\n");
}

/// The mark of a point: each series has a shape of its own, so that colour is never needed.
fn marker(look: usize, x: f64, y: f64, title: &str) -> String {
    let shape = match look {
        0 => "m-4.5 0a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0-9 0z",
        1 => "m-4-4h8v8h-8z",
        2 => "m0-5.5l5 9h-10z",
        3 => "m0-6l6 6l-6 6l-6-6z",
        4 => "m0 5.5l-5-9h10z",
        _ => "m-5-2h3v-3h4v3h3v4h-3v3h-4v-3h-3z",
    };
    let title = match title {
        "" => String::new(),
        told => format!("<title>{}</title>", escape::html(told)),
    };
    format!("<path class=\"mark\" d=\"M{x:.1} {y:.1}{shape}\">{title}</path>")
}
