//! Files of text that people give: read whole, up to a size; and whether one can be written.

use crate::text;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

/// The largest file of settings, plans and pages, in bytes: the longest of ours has 50 kB.
pub const SETTINGS: u64 = 4 << 20;

/// The largest file of games, states and results, in bytes: a million games of chess have 700 MB,
/// and a book that takes as much memory several times over is a mistake.
pub const DATA: u64 = 256 << 20;

/// The text of a file that has at most so many bytes. A larger one is an error that says so, and of
/// a file without an end no more than that is read.
pub fn read(path: &Path, most: u64) -> io::Result<String> {
    let file = File::open(path)?;
    let too_large = || {
        let message = format!("the file is too large: at most {} are read", text::bytes(most));
        io::Error::new(io::ErrorKind::FileTooLarge, message)
    };
    if file.metadata()?.len() > most {
        return Err(too_large());
    }
    let mut bytes = Vec::new();
    file.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(too_large());
    }
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let message = format!("the file is no text in UTF-8: byte {at} begins no character");
        io::Error::new(io::ErrorKind::InvalidData, message)
    })
}

/// Whether a file can be written, before the work that fills it: it is left as it is, or not there.
pub fn check_writable(path: &Path) -> io::Result<()> {
    match path.metadata() {
        // A pipe would be closed by a look at it.
        Ok(found) if !found.is_file() && !found.is_dir() => Ok(()),
        Ok(_) => File::options().append(true).open(path).map(drop),
        Err(_) => {
            File::create_new(path)?;
            fs::remove_file(path)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_look_at_whether_a_file_can_be_written_changes_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        check_writable(&path).unwrap();
        assert!(!path.exists());
        fs::write(&path, "text").unwrap();
        check_writable(&path).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"text");
        check_writable(folder.path()).unwrap_err();
        check_writable(&folder.path().join("nowhere/a.txt")).unwrap_err();
    }

    #[test]
    fn a_file_that_is_too_large_or_no_text_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        let text = "Läufer ".repeat(128);
        std::fs::write(&path, &text).unwrap();
        assert_eq!(read(&path, 1024).unwrap(), text);
        std::fs::write(&path, text + "x").unwrap();
        let error = read(&path, 1024).unwrap_err().to_string();
        assert_eq!(error, "the file is too large: at most 1KiB are read");
        std::fs::write(&path, b"ein L\xe4ufer").unwrap();
        let error = read(&path, 11).unwrap_err().to_string();
        assert_eq!(error, "the file is no text in UTF-8: byte 5 begins no character");
        assert_eq!(read(&folder.path().join("b"), 9).unwrap_err().kind(), io::ErrorKind::NotFound);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn of_a_file_without_an_end_no_more_is_read() {
        let error = read(Path::new("/dev/zero"), 1 << 20).unwrap_err().to_string();
        assert_eq!(error, "the file is too large: at most 1MiB are read");
    }
}
