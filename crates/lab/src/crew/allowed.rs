//! The engines that a worker may start. A task names an engine; what is started is the worker's own
//! command of that name, and nothing else.

use crate::contestant::{EngineIdentity, EngineSpec};
use crate::engine::Identities;
use crate::words::{self, WordsError};
use std::sync::{Mutex, PoisonError};

/// The engines that a worker may start, by name; none at first.
#[derive(Debug, Default)]
pub struct AllowedEngines {
    engines: Vec<(String, EngineSpec)>,
    /// What their programs are; each is asked once.
    identities: Mutex<Identities>,
}

/// Why a text allows no engine.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum AllowedEnginesError {
    /// It has another form.
    #[error(
        "'{}' names no engine; accepted are NAME=COMMAND with its arguments, such as \
         'gnuchess=/usr/games/gnuchess --uci', or a command alone", .0.escape_debug()
    )]
    Form(String),
    /// The command cannot be read.
    #[error(transparent)]
    Words(#[from] WordsError),
    /// A name is given twice.
    #[error("the engine '{0}' is named twice")]
    Twice(String),
}

impl AllowedEngines {
    /// Allows the engines of these texts, `NAME=COMMAND ARGS` or `COMMAND ARGS`.
    pub fn parse<'t>(
        texts: impl IntoIterator<Item = &'t str>,
    ) -> Result<AllowedEngines, AllowedEnginesError> {
        let mut allowed = AllowedEngines::default();
        for text in texts {
            let (name, line) = match text.split_once('=') {
                Some((name, line)) if !name.contains([' ', '"', '\'', '/']) => (Some(name), line),
                _ => (None, text),
            };
            let mut words = words::split(line)?.into_iter();
            let command = words.next().unwrap_or_default();
            let name = name.unwrap_or(file_name(&command)).trim().to_owned();
            if command.is_empty() || name.is_empty() {
                return Err(AllowedEnginesError::Form(text.to_owned()));
            }
            if allowed.engines.iter().any(|(known, _)| *known == name) {
                return Err(AllowedEnginesError::Twice(name));
            }
            let spec = EngineSpec { args: words.collect(), ..EngineSpec::new(&command) };
            allowed.engines.push((name, spec));
        }
        Ok(allowed)
    }

    /// Their names.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.engines.iter().map(|(name, _)| name.as_str())
    }

    /// What is started here for an engine that a task names: the worker's own command, if it is the
    /// same program with the same arguments. Options and patience are the task's.
    pub fn stand_in(&self, wanted: &EngineSpec) -> Result<EngineSpec, String> {
        let name = file_name(&wanted.command);
        let Some((_, own)) = self.engines.iter().find(|(known, _)| known == name) else {
            let names: Vec<&str> = self.names().collect();
            let named = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
            return Err(format!(
                "the engine '{}' is not one that this worker may start; --engines names {named}",
                name.escape_debug()
            ));
        };
        if own.args != wanted.args || wanted.dir.is_some() {
            return Err(format!(
                "the engine '{name}' of the run is started as '{}'{}, that of this worker as '{}'; --engines takes \
                 '{name}=COMMAND ARGUMENTS'",
                wanted.command_words(),
                if wanted.dir.is_some() { " in a folder of its own" } else { "" },
                own.command_words(),
            ));
        }
        let spec = EngineSpec {
            command: own.command.clone(),
            dir: None,
            identity: None,
            ..wanted.clone()
        };
        let found = self.identity(&spec);
        match (&found, &wanted.identity) {
            (Some(found), Some(wanted)) if found == wanted => Ok(spec),
            (None, _) => Err(format!("the engine '{name}' is not there: '{}'", own.command)),
            (Some(found), wanted) => {
                let text = |one: &EngineIdentity| format!("{} {}", one.name, one.digest);
                Err(format!(
                    "the engine '{name}' is another program here: {}, that of the run is {}",
                    text(found),
                    wanted.as_ref().map_or("unknown".to_owned(), text),
                ))
            }
        }
    }

    fn identity(&self, spec: &EngineSpec) -> Option<EngineIdentity> {
        self.identities.lock().unwrap_or_else(PoisonError::into_inner).of(spec)
    }
}

/// The name of an engine: that of its program's file.
fn file_name(command: &str) -> &str {
    command.rsplit(['/', '\\']).next().unwrap_or_default()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn only_named_engines_are_started_and_only_as_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("engine");
        std::fs::write(&path, "#!/bin/sh\nexit 1\n").unwrap();
        std::fs::set_permissions(&path, PermissionsExt::from_mode(0o755)).unwrap();
        let text = format!("sf={} --net big", path.display());
        let allowed = AllowedEngines::parse([text.as_str()]).unwrap();
        let wanted = |command: &str, args: &[&str]| {
            let args = args.iter().map(|&word| word.to_owned()).collect();
            let own = EngineSpec { args, ..EngineSpec::new(path.to_str().unwrap()) };
            let identity = Identities::default().of(&own);
            EngineSpec { command: command.to_owned(), identity, ..own }
        };
        let refusal = |spec: &EngineSpec| allowed.stand_in(spec).unwrap_err();
        let same = wanted("/opt/bin/sf", &["--net", "big"]);
        let started = allowed.stand_in(&same).unwrap();
        assert_eq!(started.command, path.to_str().unwrap());
        assert!(refusal(&wanted("/bin/rm", &[])).contains("may start; --engines names sf"));
        assert!(refusal(&wanted("sf", &["--net", "small"])).contains("is started as"));
        let dir = Some("/".to_owned());
        assert!(refusal(&EngineSpec { dir, ..same.clone() }).contains("a folder of its own"));
        let other = EngineIdentity { name: String::new(), digest: "0".to_owned() };
        let other = EngineSpec { identity: Some(other), ..same.clone() };
        assert!(refusal(&other).contains("another program here"));
        assert!(refusal(&EngineSpec { identity: None, ..same }).contains("another program here"));
    }

    #[test]
    fn texts_that_name_no_engine_are_refused() {
        for text in ["", "sf=", "=x", "  "] {
            let error = AllowedEngines::parse([text]).unwrap_err();
            assert!(matches!(error, AllowedEnginesError::Form(_)), "{text}: {error}");
        }
        let twice = AllowedEngines::parse(["a=b", "/x/a"]).unwrap_err();
        assert_eq!(twice, AllowedEnginesError::Twice("a".to_owned()));
        let plain = AllowedEngines::parse(["gnuchess --uci"]).unwrap();
        assert_eq!(plain.names().collect::<Vec<_>>(), ["gnuchess"]);
    }
}
