//! Which program plays.

use std::fs::File;
use std::sync::OnceLock;

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
    let file = File::open(std::env::current_exe()?)?;
    Ok(blake3::Hasher::new().update_reader(file)?.finalize())
}
