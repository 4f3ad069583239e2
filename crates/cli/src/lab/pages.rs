//! Files that reports are written into.

use crate::progress::note;
use anyhow::Context;
use monteverde_lab::report::{ReportData, html, markdown};
use std::fs;
use std::path::Path;

/// Writes a report as `report.html` and `report.md` into a folder, which is made if it is not there.
pub(super) fn write_report(folder: &Path, report: &ReportData) -> anyhow::Result<()> {
    write(folder, "report.html", &html(report))?;
    write(folder, "report.md", &markdown(report))
}

/// Writes a file into a folder, which is made if it is not there.
pub(super) fn write(folder: &Path, name: &str, text: &str) -> anyhow::Result<()> {
    let path = folder.join(name);
    let failed = || format!("'{}' cannot be written", path.display());
    fs::create_dir_all(folder).with_context(failed)?;
    fs::write(&path, text).with_context(failed)?;
    note(&format!("wrote {}", path.display()));
    Ok(())
}
