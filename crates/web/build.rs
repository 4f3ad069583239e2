//! Files that come or go in the embedded folders make the crate be built anew.

fn main() {
    for folder in ["page", "../../docs"] {
        // The build script's own channel to cargo, not output of the program.
        #[allow(clippy::print_stdout)]
        {
            println!("cargo:rerun-if-changed={folder}");
        }
    }
}
