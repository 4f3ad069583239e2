//! What tells the program of an engine from another that is started by the same command.

use super::{Engine, program};
use crate::contestant::{EngineIdentity, EngineSpec};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

/// What the programs of some engines are; each is asked once.
#[derive(Debug, Default)]
pub(crate) struct Identities(Vec<(EngineSpec, EngineIdentity)>);

/// So many hexadecimal digits of a hash are kept.
const DIGITS: usize = 16;

/// A longer name is cut.
const LONGEST_NAME: usize = 100;

impl Identities {
    /// What the engine's program is now; `None` if it is not there. It is started to learn its
    /// name. One that does not start has none here; its first game will tell why.
    pub(crate) fn of(&mut self, spec: &EngineSpec) -> Option<EngineIdentity> {
        if let Some((_, known)) = self.0.iter().find(|(known, _)| known == spec) {
            return Some(known.clone());
        }
        let mut hasher = blake3::Hasher::new();
        hash_file(&mut hasher, &program(spec)?);
        if let Some(script) = script(spec) {
            hash_file(&mut hasher, &script);
        }
        let digest = hasher.finalize().to_hex()[..DIGITS].to_owned();
        let name = Engine::start(spec).map_or(String::new(), |engine| {
            let name = engine.name().chars().take(LONGEST_NAME).collect();
            engine.quit();
            name
        });
        let identity = EngineIdentity { name, digest };
        self.0.push((spec.clone(), identity.clone()));
        Some(identity)
    }
}

/// The first argument that is a file: where the program is an interpreter, the engine is a script.
fn script(spec: &EngineSpec) -> Option<PathBuf> {
    let folder = spec.dir.as_deref().map_or(PathBuf::new(), PathBuf::from);
    spec.args.iter().map(|word| folder.join(word)).find(|path| path.is_file())
}

/// Takes in the contents of a file. Of one that may be run and not be read, its size and time must
/// do.
fn hash_file(hasher: &mut blake3::Hasher, path: &Path) {
    let mut contents = blake3::Hasher::new();
    let read = File::open(path).and_then(|file| contents.update_reader(file).map(drop));
    if read.is_ok() {
        hasher.update(contents.finalize().as_bytes());
        return;
    }
    if let Ok(found) = fs::metadata(path) {
        let changed = found.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        hasher.update(format!("{} {changed:?}", found.len()).as_bytes());
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    fn identity(path: &Path) -> EngineIdentity {
        Identities::default().of(&EngineSpec::new(path.to_str().unwrap())).expect("it is there")
    }

    #[test]
    fn a_program_is_known_by_its_contents_and_its_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("my engine");
        let write = |name: &str, comment: &str| {
            let answer = format!(
                "while read -r word; do case $word in uci) echo 'id name {name}'; \
                 echo uciok;; isready) echo readyok;; quit) exit;; esac; done"
            );
            fs::write(&path, format!("#!/bin/sh\n# {comment}\n{answer}\n")).unwrap();
            fs::set_permissions(&path, PermissionsExt::from_mode(0o755)).unwrap();
        };
        write("One 1.0", "first");
        let first = identity(&path);
        assert_eq!((first.name.as_str(), first.digest.len()), ("One 1.0", DIGITS));
        write("One 1.0", "first");
        assert_eq!(identity(&path), first, "a file that was written again is the same");
        write("One 1.0", "other");
        let other = identity(&path);
        assert_eq!(other.name, first.name);
        assert_ne!(other.digest, first.digest);
        // What an interpreter runs counts as well, and one that does not start has no name.
        let runs = |text: &str| {
            fs::write(folder.path().join("script"), text).unwrap();
            let dir = Some(folder.path().to_str().unwrap().to_owned());
            let args = vec!["script".to_owned()];
            let spec = EngineSpec { args, dir, ..EngineSpec::new("/bin/sh") };
            Identities::default().of(&spec).unwrap()
        };
        let (one, two) = (runs("exit 1"), runs("exit 2"));
        assert_eq!((one.name.as_str(), two.name.as_str()), ("", ""));
        assert_ne!(one.digest, two.digest);
        assert_eq!(Identities::default().of(&EngineSpec::new("/nowhere/engine")), None);
    }
}
