//! Where the program of an engine is.

use crate::contestant::EngineSpec;
use std::env;
use std::path::{Path, PathBuf};

/// Where Debian puts its engines; it is often not on the search path.
const GAMES: &str = "/usr/games";

/// Engines that Debian has, each in a package of its own name.
const PACKAGES: [&str; 12] = [
    "crafty",
    "ethereal-chess",
    "fairy-stockfish",
    "fairymax",
    "fruit",
    "glaurung",
    "gnuchess",
    "hoichess",
    "phalanx",
    "sjeng",
    "stockfish",
    "toga2",
];

/// The program of an engine, if it is there. A path starts where we are, and not in the directory
/// that the engine runs in; a bare name is looked for on the search path and in Debian's folder of
/// games.
pub(crate) fn program(spec: &EngineSpec) -> Option<PathBuf> {
    let path = Path::new(&spec.command);
    if spec.command.contains(std::path::is_separator) {
        let path = std::path::absolute(path).unwrap_or(path.to_owned());
        return path.exists().then_some(path);
    }
    let folders = env::var_os("PATH").unwrap_or_default();
    let folders = env::split_paths(&folders).chain([PathBuf::from(GAMES)]);
    let file = format!("{}{}", spec.command, env::consts::EXE_SUFFIX);
    folders.map(|folder| folder.join(&file)).find(|path| path.is_file())
}

/// What can be done about an engine that is not there.
pub(crate) fn advice(command: &str) -> String {
    let file = command.rsplit(['/', '\\']).next().unwrap_or_default();
    match PACKAGES.contains(&file) {
        true => format!("Debian has it in the package '{file}'"),
        false => "give a path, or a name that is on the search path".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_found_by_name_and_by_path() {
        let shell = program(&EngineSpec::new("sh")).unwrap();
        assert!(shell.is_absolute() && shell.ends_with("sh"), "{}", shell.display());
        assert_eq!(program(&EngineSpec::new("/bin/sh")), Some(PathBuf::from("/bin/sh")));
        assert_eq!(program(&EngineSpec::new("no-such-engine")), None);
        assert_eq!(program(&EngineSpec::new("/nowhere/engine")), None);
        assert!(advice("/opt/toga2").contains("the package 'toga2'"));
        assert!(advice("mine").contains("a path"));
    }
}
