//! Files that come or go in the embedded folders make the crate be built anew.

use std::fs;

fn main() {
    for folder in ["page", "docs"] {
        // In the repository `docs` is a link, and cargo is to watch what it leads to.
        let folder = fs::canonicalize(folder).unwrap_or_else(|_| folder.into());
        // The build script's own channel to cargo, not output of the program.
        #[allow(clippy::print_stdout)]
        {
            println!("cargo:rerun-if-changed={}", folder.display());
        }
    }
}
