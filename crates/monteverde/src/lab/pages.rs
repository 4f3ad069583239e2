//! Files that reports are written into.

use crate::failure::bad_input;
use crate::progress::note;
use anyhow::Context;
use monteverde_players::text_file;
use monteverde_report::{ReportData, html, markdown};
use std::fs;
use std::path::{Component, Path};

/// Writes a report as `report.html` and `report.md` into a folder, which is made if it is not
/// there.
pub(super) fn write_report(folder: &Path, report: &ReportData) -> anyhow::Result<()> {
    write(folder, "report.html", &html(report))?;
    write(folder, "report.md", &markdown(report))
}

/// Makes the folder of a report and sees whether files in it can be written, before the work that
/// the report is about.
pub(super) fn check_out(folder: &Path) -> anyhow::Result<()> {
    let writable = fs::create_dir_all(folder)
        .and_then(|()| text_file::check_writable(&folder.join("report.html")));
    writable.map_err(|error| {
        let reason = format!("no report can be written into '{}': {error}", folder.display());
        bad_input("--out", reason)
    })
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

/// Writes files of those names into a folder, and takes figures away that an earlier run has
/// written beside them.
pub(super) fn write_all(folder: &Path, files: &[(String, String)]) -> anyhow::Result<()> {
    for (name, text) in files {
        let path = folder.join(name);
        let failed = || format!("'{}' cannot be written", path.display());
        fs::create_dir_all(path.parent().unwrap_or(folder)).with_context(failed)?;
        fs::write(&path, text).with_context(failed)?;
    }
    note(&format!("wrote {} files into {}", files.len(), folder.display()));
    let mut inside: Vec<&str> =
        files.iter().filter_map(|(name, _)| Some(name.split_once('/')?.0)).collect();
    inside.dedup();
    for inside in inside {
        for entry in folder.join(inside).read_dir().into_iter().flatten().flatten() {
            let name = format!("{inside}/{}", entry.file_name().to_string_lossy());
            if name.ends_with(".svg") && files.iter().all(|(written, _)| *written != name) {
                let failed = || format!("'{}' cannot be taken away", entry.path().display());
                fs::remove_file(entry.path()).with_context(failed)?;
                note(&format!("took away {}", entry.path().display()));
            }
        }
    }
    Ok(())
}

/// The way from a folder to a file or folder, as links write it.
pub(super) fn relative(from: &Path, to: &Path) -> anyhow::Result<String> {
    let whole = |path: &Path| {
        let here = if path.as_os_str().is_empty() { Path::new(".") } else { path };
        std::path::absolute(here).with_context(|| format!("'{}' has no place", path.display()))
    };
    let (from, to) = (resolved(&whole(from)?), resolved(&whole(to)?));
    let common = from.iter().zip(&to).take_while(|(one, two)| one == two).count();
    let up = from[common..].iter().map(|_| "..");
    let way: Vec<&str> = up.chain(to[common..].iter().map(String::as_str)).collect();
    Ok(way.join("/"))
}

/// The parts of an absolute path, without those that lead back.
fn resolved(path: &Path) -> Vec<String> {
    let mut parts = Vec::new();
    for part in path.components() {
        match part {
            Component::ParentDir => drop(parts.pop()),
            Component::Normal(name) => parts.push(name.to_string_lossy().into_owned()),
            _ => {}
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ways_are_found() {
        let way = |from: &str, to: &str| relative(Path::new(from), Path::new(to)).unwrap();
        assert_eq!(way("", "docs/papers"), "docs/papers");
        assert_eq!(way("docs/papers", "experiments/report.html"), "../../experiments/report.html");
        assert_eq!(way("/a/b", "/a/../a/c"), "../c");
        assert_eq!(way("/a", "/a/b"), "b");
    }
}
