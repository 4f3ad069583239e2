//! Blocks as one HTML page.

use super::blocks::{Block, Cell, ColumnKind, Drawing, Figure, Grid, Head, Heading};
use super::data::{Commands, Rank, Reproduce, Standing};
use super::{escape, svg};
use std::fmt::Write;

/// The whole page.
pub(super) fn page(title: &str, blocks: &[Block]) -> String {
    let title = escape::html(title);
    // The policy lets a browser fetch and run nothing, whatever a name in the data may contain.
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src \
         'unsafe-inline'\">\n<title>{title}</title>\n<style>\n{}{STYLE}</style>\n</head>\n<body>\n\
         <main>\n<h1>{title}</h1>\n",
        svg::STYLE
    );
    let headings: Vec<&Heading> = headings(blocks).collect();
    add_contents(&headings, &mut page);
    // Sections stand under chapters, where there are any.
    let level = if headings.iter().any(|one| one.rank == Rank::Chapter) { 3 } else { 2 };
    let (mut passed, mut figures) = (0, 0);
    for block in blocks {
        match block {
            Block::Heading(heading) => {
                passed += 1;
                let level = if heading.rank == Rank::Chapter { 2 } else { level };
                let (id, text) = (anchor(heading, passed), escape::html(&heading.text));
                let _ = writeln!(page, "<h{level} id=\"{id}\">{text}</h{level}>");
            }
            Block::Findings(findings) => {
                page.push_str("<div class=\"findings\">\n");
                for found in findings {
                    let _ = writeln!(page, "<p>{}</p>", escape::html(found));
                }
                page.push_str("</div>\n");
            }
            Block::Notes(notes) => {
                page.push_str("<ul>\n");
                for note in notes {
                    let _ = writeln!(page, "<li>{}</li>", escape::html(note));
                }
                page.push_str("</ul>\n");
            }
            Block::Paragraph(text) => {
                let _ = writeln!(page, "<p>{}</p>", escape::html(text));
            }
            Block::Facts(facts) => add_facts(facts, &mut page),
            Block::Grid(grid) => add_grid(grid, &mut page),
            Block::Figure(figure) => {
                figures += 1;
                add_figure(figure, figures, &mut page);
            }
            Block::Commands(commands) => add_commands(commands, &mut page),
            Block::Reproduce(reproduce) => add_reproduce(reproduce, level + 1, &mut page),
        }
    }
    page.push_str("</main>\n</body>\n</html>\n");
    page
}

const STYLE: &str = include_str!("style.css");

fn headings(blocks: &[Block]) -> impl Iterator<Item = &Heading> {
    blocks.iter().filter_map(|block| match block {
        Block::Heading(heading) => Some(heading),
        _ => None,
    })
}

/// What links to the heading of that number, from 1, lead to.
fn anchor(heading: &Heading, number: usize) -> String {
    match heading.id.as_str() {
        "" => format!("s{number}"),
        id => escape::html(id),
    }
}

/// A list of the sections, where there are several, those of a chapter under it.
fn add_contents(headings: &[&Heading], page: &mut String) {
    if headings.len() < 3 {
        return;
    }
    page.push_str("<nav aria-label=\"Contents\">\n<ol>\n");
    let mut inside = false;
    for (index, heading) in headings.iter().enumerate() {
        let (id, text) = (anchor(heading, index + 1), escape::html(&heading.text));
        let link = format!("<li><a href=\"#{id}\">{text}</a>");
        let next = headings.get(index + 1).map(|next| next.rank);
        if heading.rank == Rank::Chapter && next == Some(Rank::Section) {
            let _ = writeln!(page, "{link}\n<ol>");
            inside = true;
        } else {
            let _ = writeln!(page, "{link}</li>");
            if inside && next != Some(Rank::Section) {
                page.push_str("</ol>\n</li>\n");
                inside = false;
            }
        }
    }
    page.push_str("</ol>\n</nav>\n");
}

fn add_figure(figure: &Figure, number: usize, page: &mut String) {
    let caption = escape::html(&figure.caption);
    let drawn = match &figure.drawing {
        Drawing::Plot(plot) => svg::plot(plot, number),
        Drawing::Dots(comparison) => svg::dots(comparison, &figure.caption, number),
    };
    let _ = write!(
        page,
        "<figure>\n<figcaption>{caption}</figcaption>\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" \
         aria-label=\"{caption}\">\n{drawn}</div>\n<p class=\"note\">Bands and bars are 95% intervals.</p>\n"
    );
    if let Some(numbers) = &figure.numbers {
        page.push_str("<details>\n<summary>The numbers</summary>\n");
        add_grid(numbers, page);
        page.push_str("</details>\n");
    }
    page.push_str("</figure>\n");
}

fn add_commands(commands: &Commands, page: &mut String) {
    let _ = writeln!(
        page,
        "<details>\n<summary>{}</summary>\n<pre tabindex=\"0\"><code>{}</code></pre>\n</details>",
        escape::html(&commands.caption),
        escape::html(&commands.lines.join("\n"))
    );
}

fn add_facts(facts: &[(String, String)], page: &mut String) {
    if facts.is_empty() {
        return;
    }
    page.push_str("<dl>\n");
    for (name, value) in facts {
        let (name, value) = (escape::html(name), escape::html(value));
        let _ = writeln!(page, "<div><dt>{name}</dt><dd>{value}</dd></div>");
    }
    page.push_str("</dl>\n");
}

fn add_grid(grid: &Grid, page: &mut String) {
    let caption = escape::html(&grid.caption);
    let _ = write!(
        page,
        "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{caption}\">\n<table>\n\
         <caption>{caption}</caption>\n<thead>\n<tr>"
    );
    let is_shown = |head: &&Head| head.kind != ColumnKind::Claim;
    let columns = grid.head.iter().filter(is_shown).count();
    for head in grid.head.iter().filter(is_shown) {
        add_head(head, page);
    }
    page.push_str("</tr>\n</thead>\n<tbody>\n");
    for row in &grid.rows {
        for (cell, head) in row.iter().zip(&grid.head) {
            if let (Cell::Text(claim), ColumnKind::Claim) = (cell, head.kind)
                && !claim.is_empty()
            {
                let claim = escape::html(claim);
                let _ = writeln!(
                    page,
                    "<tr><th scope=\"rowgroup\" class=\"claim\" colspan=\"{columns}\">{claim}</th></tr>"
                );
            }
        }
        page.push_str("<tr>");
        for (cell, head) in row.iter().zip(&grid.head).filter(|(_, head)| is_shown(head)) {
            add_cell(cell, head, page);
        }
        page.push_str("</tr>\n");
    }
    page.push_str("</tbody>\n</table>\n</div>\n");
    if !grid.note.is_empty() {
        let _ = writeln!(page, "<p class=\"note\">{}</p>", escape::html(&grid.note));
    }
}

fn add_head(head: &Head, page: &mut String) {
    let title = escape::html(&head.title);
    let _ = match head.kind {
        ColumnKind::Bars(low, high) => write!(
            page,
            "<th scope=\"col\" class=\"bars\"><span class=\"hidden\">{title}</span>{}</th>",
            svg::bar_axis((low, high))
        ),
        kind => write!(page, "<th scope=\"col\"{}>{title}</th>", class(kind)),
    };
}

fn add_cell(cell: &Cell, head: &Head, page: &mut String) {
    let class = class(head.kind);
    let _ = match cell {
        Cell::Name(text) => write!(page, "<th scope=\"row\">{}</th>", escape::html(text)),
        Cell::Text(text) => write!(page, "<td{class}>{}</td>", escape::html(text)),
        Cell::Double(text, small) => write!(
            page,
            "<td{class}>{} <small>{}</small></td>",
            escape::html(text),
            escape::html(small)
        ),
        Cell::Heat(text, share) => {
            let step = (share * HEAT_STEPS).round().clamp(0.0, HEAT_STEPS);
            write!(page, "<td class=\"matrix heat h{step:.0}\">{}</td>", escape::html(text))
        }
        Cell::Bar(interval) => match head.kind {
            ColumnKind::Bars(low, high) => {
                write!(page, "<td class=\"bars\">{}</td>", svg::bar(*interval, (low, high)))
            }
            _ => write!(page, "<td></td>"),
        },
        Cell::Verdict(verdict) | Cell::Standing(Standing::Measured(verdict)) => {
            let (class, name) = (verdict.class(), verdict.name());
            write!(page, "<td><span class=\"verdict {class}\">{name}</span></td>")
        }
        Cell::Standing(standing) => {
            write!(page, "<td><span class=\"verdict open\">{}</span></td>", standing.name())
        }
        Cell::Link(id) => {
            let id = escape::html(id);
            write!(page, "<td><a href=\"#{id}\">{id}</a></td>")
        }
        Cell::Diagonal => write!(page, "<td class=\"matrix diagonal\" aria-label=\"itself\"></td>"),
    };
}

/// The style sheet's classes of heat are h0 to h10.
const HEAT_STEPS: f64 = 10.0;

fn class(kind: ColumnKind) -> &'static str {
    match kind {
        ColumnKind::Text | ColumnKind::Claim => "",
        ColumnKind::Number => " class=\"number\"",
        ColumnKind::Matrix => " class=\"matrix\"",
        ColumnKind::Bars(..) => " class=\"bars\"",
    }
}

fn add_reproduce(reproduce: &Reproduce, level: usize, page: &mut String) {
    let _ = writeln!(page, "<section class=\"reproduce\">\n<h{level}>To reproduce</h{level}>");
    add_facts(&reproduce.facts, page);
    if !reproduce.commands.is_empty() {
        let _ = writeln!(
            page,
            "<pre tabindex=\"0\"><code>{}</code></pre>",
            escape::html(&reproduce.commands.join("\n"))
        );
    }
    page.push_str("</section>\n");
}
