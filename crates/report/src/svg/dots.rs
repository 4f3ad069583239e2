//! A paper's numbers and ours with their errors, a line each.

use super::{CHARACTER, EDGE, LINE, Legend, RIGHT, WIDTH, marker};
use crate::data::{Compared, Comparison};
use crate::plot::{self, Series};
use crate::{escape, number};
use monteverde_statistics::Interval;
use std::fmt::Write;

/// The height of a line.
const ROW: f64 = 36.0;
/// How far from the middle of its line the paper's number stands, and ours.
const APART: f64 = 7.0;
/// What the names may take of the width.
const MOST_NAME: f64 = 230.0;
/// What the verdicts take.
const VERDICTS: f64 = 84.0;
/// The looks of the paper's numbers and of ours.
const LOOKS: [usize; 2] = [1, 0];

/// The figure. `id` makes the names inside it unique on the page.
pub(crate) fn dots(comparison: &Comparison, caption: &str, id: usize) -> String {
    let top = 2.0 * LINE;
    let bottom = top + ROW * comparison.rows.len() as f64;
    let height = bottom + 2.0 * LINE + 8.0;
    let frame = Frame::of(comparison);
    let mut svg = format!(
        "<svg class=\"plot\" viewBox=\"0 0 {WIDTH} {height:.0}\" role=\"img\" \
         aria-labelledby=\"t{id} d{id}\">\n<title id=\"t{id}\">{}</title>\n<desc id=\"d{id}\">The paper's \
         numbers and ours with their 95% intervals; they stand in the table too.</desc>\n",
        escape::html(caption),
    );
    draw_legend(&mut svg);
    for tick in plot::ticks((frame.low, frame.high), 6) {
        let x = frame.x(tick);
        let _ = writeln!(
            svg,
            "<path class=\"grid\" d=\"M{x:.1} {top:.1}V{bottom:.1}\"/><text class=\"middle\" x=\"{x:.1}\" \
             y=\"{:.1}\">{}</text>",
            bottom + 18.0,
            plot::plain(tick)
        );
    }
    let _ = writeln!(
        svg,
        "<text class=\"label middle\" x=\"{:.1}\" y=\"{:.1}\">{}</text>",
        (frame.left + frame.right) / 2.0,
        bottom + 2.0 * LINE,
        escape::html(&comparison.quantity)
    );
    for (index, row) in comparison.rows.iter().enumerate() {
        let middle = top + ROW * (index as f64 + 0.5);
        draw_row(&frame, row, comparison.decimals, middle, &mut svg);
    }
    svg.push_str("</svg>\n");
    svg
}

fn draw_legend(svg: &mut String) {
    let named = |name: &str| Series { name: name.to_owned(), points: Vec::new() };
    // The legend numbers its looks from 0, which is ours.
    Legend::of(&[named("ours (95%)"), named("paper")]).draw(svg);
}

fn draw_row(frame: &Frame, row: &Compared, decimals: usize, middle: f64, svg: &mut String) {
    let _ = writeln!(
        svg,
        "<text x=\"{EDGE}\" y=\"{0:.1}\">{1}</text><text class=\"end said-{2}\" x=\"{3:.1}\" \
         y=\"{0:.1}\">{4}</text><path class=\"row\" d=\"M{EDGE} {5:.1}H{3:.1}\"/>",
        middle + 5.0,
        escape::html(&shortened(&row.name)),
        row.verdict.class(),
        WIDTH - EDGE,
        if row.is_measured() { row.verdict.name() } else { "not measured" },
        middle + ROW / 2.0,
    );
    for (look, value, y) in
        [(LOOKS[0], row.paper, middle - APART), (LOOKS[1], row.ours, middle + APART)]
    {
        draw_value(frame, value, (look, y), &told(row, value, look, decimals), svg);
    }
}

fn told(row: &Compared, value: Interval, look: usize, decimals: usize) -> String {
    let whose = if look == LOOKS[0] { "paper" } else { "ours" };
    format!("{}, {whose}: {}", row.name, number::interval(value, decimals))
}

fn draw_value(
    frame: &Frame,
    value: Interval,
    (look, y): (usize, f64),
    told: &str,
    svg: &mut String,
) {
    let _ = write!(svg, "<g class=\"s{look}\">");
    // An end that is not known is as far away as the figure goes.
    if value.low.is_some() || value.high.is_some() {
        let from = frame.x(value.low.unwrap_or(frame.low));
        let to = frame.x(value.high.unwrap_or(frame.high));
        let _ = write!(svg, "<path class=\"whisker\" d=\"M{from:.1} {y:.1}H{to:.1}");
        for (end, x) in [(value.low, from), (value.high, to)] {
            if end.is_some() {
                let _ = write!(svg, "M{x:.1} {:.1}v8", y - 4.0);
            }
        }
        svg.push_str("\"/>");
    }
    if let Some(value) = value.value {
        svg.push_str(&marker(look, frame.x(value), y, told));
    }
    svg.push_str("</g>\n");
}

/// The field and its scale.
struct Frame {
    left: f64,
    right: f64,
    low: f64,
    high: f64,
}

impl Frame {
    fn of(comparison: &Comparison) -> Frame {
        let longest = comparison.rows.iter().map(|row| row.name.chars().count()).max().unwrap_or(0);
        let names = (longest as f64 * CHARACTER).min(MOST_NAME);
        let values = comparison.rows.iter().flat_map(|row| [row.paper, row.ours]);
        let ends = values.flat_map(|value| [value.low, value.value, value.high]).flatten();
        let (low, high) = plot::span(ends);
        // A little more than is shown, so that no marker sits on the edge.
        let room = (high - low) * 0.04;
        Frame {
            left: EDGE + names + 18.0,
            right: WIDTH - RIGHT - VERDICTS,
            low: low - room,
            high: high + room,
        }
    }

    fn x(&self, value: f64) -> f64 {
        self.left + (value - self.low) / (self.high - self.low) * (self.right - self.left)
    }
}

/// As much of a name as there is room for.
fn shortened(name: &str) -> String {
    let most = (MOST_NAME / CHARACTER) as usize;
    match name.chars().count() <= most {
        true => name.to_owned(),
        false => name.chars().take(most - 1).chain(['\u{2026}']).collect(),
    }
}
