//! Which program plays.

use std::sync::OnceLock;

/// The version of this program with the beginning of the hash of its executable file: two programs that
/// could play differently never have the same build. Without a file to read it is the version alone.
pub fn build() -> &'static str {
    static BUILD: OnceLock<String> = OnceLock::new();
    BUILD.get_or_init(|| {
        const DIGITS: usize = 12;
        let version = env!("CARGO_PKG_VERSION");
        match std::env::current_exe().and_then(std::fs::read) {
            Ok(bytes) => format!("{version}+{}", &blake3::hash(&bytes).to_hex()[..DIGITS]),
            Err(_) => version.to_owned(),
        }
    })
}
