//! Tables. They look the same wherever they go, so that outputs can be compared.

use comfy_table::{Cell, CellAlignment, ContentArrangement, Table, presets};

/// Tables of sentences are made for this many columns.
const WIDTH: u16 = 80;

/// A table of figures, in which the columns of those numbers keep to the right.
pub(crate) fn figures(
    header: impl IntoIterator<Item = impl Into<Cell>>,
    right: impl IntoIterator<Item = usize>,
) -> Table {
    let mut table = Table::new();
    table.load_style(presets::UTF8_FULL_CONDENSED).set_header(header);
    for column in right {
        let column = table.column_mut(column).expect("the header has that column");
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}

/// A table of sentences, with lines between its rows.
pub(crate) fn sentences(header: impl IntoIterator<Item = &'static str>) -> Table {
    let mut table = Table::new();
    table.load_style(presets::UTF8_FULL).set_header(header);
    table.set_content_arrangement(ContentArrangement::Dynamic).set_width(WIDTH);
    table
}

/// A table without any lines, for lists with an entry a line, however wide.
pub(crate) fn lines(header: impl IntoIterator<Item = &'static str>) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_header(header);
    table
}
