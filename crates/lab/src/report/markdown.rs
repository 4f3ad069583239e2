//! Blocks as Markdown.

use super::blocks::{Block, Cell, Grid, Head, Kind};
use super::data::Reproduce;
use super::escape;
use std::fmt::Write;

/// The whole text.
pub(super) fn text(title: &str, blocks: &[Block]) -> String {
    let mut text = format!("# {}\n", escape::markdown(title));
    for block in blocks {
        text.push('\n');
        match block {
            Block::Heading(heading) => {
                let _ = writeln!(text, "## {}", escape::markdown(heading));
            }
            Block::Paragraph(paragraph) => {
                let _ = writeln!(text, "{}", escape::markdown_line(paragraph));
            }
            Block::Facts(facts) => add_facts(facts, &mut text),
            Block::Grid(grid) => add_grid(grid, &mut text),
            Block::Figure(figure) => add_grid(&figure.numbers, &mut text),
            Block::Reproduce(reproduce) => add_reproduce(reproduce, &mut text),
        }
    }
    text
}

fn add_facts(facts: &[(String, String)], text: &mut String) {
    for (name, value) in facts {
        let _ = writeln!(text, "- {}: {}", escape::markdown_line(name), escape::markdown(value));
    }
}

fn add_grid(grid: &Grid, text: &mut String) {
    let _ = writeln!(text, "**{}**\n", escape::markdown(&grid.caption));
    let shown: Vec<(usize, &Head)> = grid
        .head
        .iter()
        .enumerate()
        .filter(|(_, head)| !matches!(head.kind, Kind::Bars(..)))
        .collect();
    let titles = shown.iter().map(|(_, head)| escape::markdown(&head.title));
    add_row(titles, text);
    let rules = shown.iter().map(|(_, head)| {
        match head.kind {
            Kind::Number => "---:",
            Kind::Matrix => ":---:",
            Kind::Text | Kind::Bars(..) => "---",
        }
        .to_owned()
    });
    add_row(rules, text);
    for row in &grid.rows {
        add_row(shown.iter().filter_map(|&(index, _)| row.get(index)).map(cell), text);
    }
    if !grid.note.is_empty() {
        let _ = writeln!(text, "\n{}", escape::markdown_line(&grid.note));
    }
}

fn add_row(cells: impl Iterator<Item = String>, text: &mut String) {
    let cells: Vec<String> = cells.collect();
    let _ = writeln!(text, "| {} |", cells.join(" | "));
}

fn cell(cell: &Cell) -> String {
    match cell {
        Cell::Name(text) | Cell::Text(text) | Cell::Heat(text, _) => escape::markdown(text),
        Cell::Double(text, small) => {
            format!("{} ({})", escape::markdown(text), escape::markdown(small))
        }
        Cell::Verdict(verdict) => verdict.name().to_owned(),
        Cell::Bar(_) => String::new(),
        Cell::Diagonal => "·".to_owned(),
    }
}

fn add_reproduce(reproduce: &Reproduce, text: &mut String) {
    text.push_str("To reproduce:\n");
    if !reproduce.facts.is_empty() {
        text.push('\n');
        add_facts(&reproduce.facts, text);
    }
    if !reproduce.commands.is_empty() {
        let code = reproduce.commands.join("\n");
        let fence = "`".repeat(longest_run(&code, '`').max(2) + 1);
        let _ = writeln!(text, "\n{fence}sh\n{code}\n{fence}");
    }
}

/// The length of the longest run of a character.
fn longest_run(text: &str, character: char) -> usize {
    text.split(|other| other != character).map(str::len).max().unwrap_or(0)
}
