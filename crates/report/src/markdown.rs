//! Blocks as Markdown.

use super::blocks::{Block, Cell, ColumnKind, Drawing, Figure, Grid, Head, Heading};
use super::data::{Commands, Rank, Reproduce};
use super::{escape, svg};
use std::fmt::Write;

/// The whole text. A figure becomes the table of its numbers.
pub(super) fn text(title: &str, blocks: &[Block]) -> String {
    write(title, blocks, &mut |figure, text| {
        if let Some(numbers) = &figure.numbers {
            add_grid(numbers, text);
        }
    })
}

/// The whole text, with figures in files of their own in a folder beside it: each has a name and
/// its content. They are named by the section that they stand in.
pub(super) fn pages(
    title: &str,
    blocks: &[Block],
    folder: &str,
) -> (String, Vec<(String, String)>) {
    let mut files: Vec<(String, String)> = Vec::new();
    let mut sections = blocks.iter().scan(String::new(), |id, block| {
        if let Block::Heading(heading) = block {
            id.clone_from(&heading.id);
        }
        Some((matches!(block, Block::Figure(_)), id.clone()))
    });
    let text = write(title, blocks, &mut |figure, text| {
        let section = sections.find_map(|(is_figure, id)| is_figure.then_some(id));
        let name = file_name(&section.unwrap_or_default(), &files);
        let drawn = match &figure.drawing {
            Drawing::Plot(plot) => svg::plot(plot, 1),
            Drawing::Dots(comparison) => svg::dots(comparison, &figure.caption, 1),
        };
        let _ = writeln!(text, "![{}]({folder}/{name})", escape::markdown(&figure.caption));
        if let Some(numbers) = &figure.numbers {
            text.push_str("\n<details>\n<summary>The numbers</summary>\n\n");
            add_grid(numbers, text);
            text.push_str("\n</details>\n");
        }
        files.push((name, svg::alone(&drawn)));
    });
    (text, files)
}

/// The name of the next figure of a section: the section's, with a number from the second on.
fn file_name(section: &str, files: &[(String, String)]) -> String {
    let section = if section.is_empty() { "figure" } else { section };
    let named = |number: usize| match number {
        1 => format!("{section}.svg"),
        _ => format!("{section}-{number}.svg"),
    };
    let free = (1..).map(named).find(|name| files.iter().all(|(other, _)| other != name));
    free.expect("there are more numbers than files")
}

fn write(
    title: &str,
    blocks: &[Block],
    add_figure: &mut dyn FnMut(&Figure, &mut String),
) -> String {
    let mut text = format!("# {}\n", escape::markdown(title));
    // Sections stand under chapters, where there are any.
    let is_chapter =
        |block: &Block| matches!(block, Block::Heading(heading) if heading.rank == Rank::Chapter);
    let marks = if blocks.iter().any(is_chapter) { "###" } else { "##" };
    for block in blocks {
        text.push('\n');
        match block {
            Block::Heading(heading) => {
                let marks = if heading.rank == Rank::Chapter { "##" } else { marks };
                add_heading(heading, marks, &mut text);
            }
            Block::Findings(findings) => {
                let lines = findings
                    .iter()
                    .map(|found| format!("> **Found:** {}\n", escape::markdown(found)));
                text.push_str(&lines.collect::<Vec<_>>().join(">\n"));
            }
            Block::Notes(notes) => {
                for note in notes {
                    let _ = writeln!(text, "- {}", escape::markdown_line(note));
                }
            }
            Block::Commands(commands) => add_commands(commands, &mut text),
            Block::Paragraph(paragraph) => {
                let _ = writeln!(text, "{}", escape::markdown_line(paragraph));
            }
            Block::Facts(facts) => add_facts(facts, &mut text),
            Block::Grid(grid) => add_grid(grid, &mut text),
            Block::Figure(figure) => add_figure(figure, &mut text),
            Block::Reproduce(reproduce) => add_reproduce(reproduce, &mut text),
        }
    }
    text
}

/// Links lead to the id, not to what a reader's program makes of the heading.
fn add_heading(heading: &Heading, marks: &str, text: &mut String) {
    if !heading.id.is_empty() {
        let _ = writeln!(text, "<a id=\"{}\"></a>\n", escape::html(&heading.id));
    }
    let _ = writeln!(text, "{marks} {}", escape::markdown(&heading.text));
}

fn add_commands(commands: &Commands, text: &mut String) {
    let _ = writeln!(text, "<details>\n<summary>{}</summary>\n", escape::html(&commands.caption));
    add_code(&commands.lines, text);
    text.push_str("\n</details>\n");
}

fn add_facts(facts: &[(String, String)], text: &mut String) {
    for (name, value) in facts {
        let _ = writeln!(text, "- {}: {}", escape::markdown_line(name), escape::markdown(value));
    }
}

fn add_grid(grid: &Grid, text: &mut String) {
    if !grid.caption.is_empty() {
        let _ = writeln!(text, "**{}**\n", escape::markdown(&grid.caption));
    }
    let shown: Vec<(usize, &Head)> = grid
        .head
        .iter()
        .enumerate()
        .filter(|(_, head)| !matches!(head.kind, ColumnKind::Bars(..)))
        .collect();
    let titles = shown.iter().map(|(_, head)| escape::markdown(&head.title));
    add_row(titles, text);
    let rule = |(_, head): &(usize, &Head)| match head.kind {
        ColumnKind::Number => "---:",
        ColumnKind::Matrix => ":---:",
        ColumnKind::Text | ColumnKind::Claim | ColumnKind::Bars(..) => "---",
    };
    let _ = writeln!(text, "|{}|", shown.iter().map(rule).collect::<Vec<_>>().join("|"));
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
        Cell::Standing(standing) => standing.name().to_owned(),
        Cell::Link(id) => format!("[{}](#{id})", escape::markdown(id)),
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
        text.push('\n');
        add_code(&reproduce.commands, text);
    }
}

fn add_code(lines: &[String], text: &mut String) {
    let code = lines.join("\n");
    let fence = "`".repeat(longest_run(&code, '`').max(2) + 1);
    let _ = writeln!(text, "{fence}sh\n{code}\n{fence}");
}

/// The length of the longest run of a character.
fn longest_run(text: &str, character: char) -> usize {
    text.split(|other| other != character).map(str::len).max().unwrap_or(0)
}
