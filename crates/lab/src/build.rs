//! Which program plays. It is recorded beside what it finds; keys hold its
//! [behaviour](crate::behaviour).

use std::fs::File;
use std::path::PathBuf;
use std::sync::OnceLock;

/// The file that holds the program, where it is not the executable.
static LIBRARY: OnceLock<PathBuf> = OnceLock::new();

/// Says that this program is a library which another executable has loaded from that file. Only the
/// first word counts, and only if it comes before the build is asked for.
pub fn loaded_from(library: PathBuf) {
    let _ = LIBRARY.set(library);
}

/// The version of this program with the beginning of the hash of its executable file: two programs
/// that could play differently never have the same build. Without a file to read it is the version
/// alone.
pub fn build() -> &'static str {
    static BUILD: OnceLock<String> = OnceLock::new();
    BUILD.get_or_init(|| {
        const DIGITS: usize = 12;
        let version = env!("CARGO_PKG_VERSION");
        match executable_hash() {
            Ok(hash) => format!("{version}+{}", &hash.to_hex()[..DIGITS]),
            Err(_) => version.to_owned(),
        }
    })
}

fn executable_hash() -> std::io::Result<blake3::Hash> {
    let path = LIBRARY.get().cloned().map_or_else(std::env::current_exe, Ok)?;
    let file = File::open(path)?;
    Ok(blake3::Hasher::new().update_reader(file)?.finalize())
}
