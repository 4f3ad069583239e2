//! Which cores the games of a run are played on.

/// Which cores a game may use.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Affinity {
    /// Any: the system decides.
    #[default]
    Free,
    /// Games that are played at once have cores of their own, equally many each. The players of a
    /// game share them, and so do the engines that it starts.
    Pinned,
}

/// Games cannot be given cores of their own.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum AffinityError {
    /// There are too few.
    #[error(
        "{games} games at once cannot have cores of their own: {cores} are there; accepted are up to {cores}"
    )]
    TooFew {
        /// The games at once.
        games: usize,
        /// The cores that the program may use.
        cores: usize,
    },
    /// The system has no such thing, or refuses it.
    #[error("this system does not let a program choose its cores{}; leave out --affinity", reason(.0))]
    Unsupported(Option<String>),
}

fn reason(text: &Option<String>) -> String {
    text.as_ref().map_or(String::new(), |text| format!(" ({text})"))
}

/// The cores of each of so many games at once.
pub fn shares(games: usize) -> Result<Vec<Vec<usize>>, AffinityError> {
    divide(&allowed()?, games)
}

fn divide(cores: &[usize], games: usize) -> Result<Vec<Vec<usize>>, AffinityError> {
    let each = cores.len() / games.max(1);
    if each == 0 {
        return Err(AffinityError::TooFew { games, cores: cores.len() });
    }
    Ok(cores.chunks(each).take(games).map(<[usize]>::to_vec).collect())
}

/// The cores that this thread may use.
#[cfg(target_os = "linux")]
fn allowed() -> Result<Vec<usize>, AffinityError> {
    use rustix::thread::{CpuSet, sched_getaffinity};
    let set = sched_getaffinity(None)
        .map_err(|error| AffinityError::Unsupported(Some(error.to_string())))?;
    Ok((0..CpuSet::MAX_CPU).filter(|&core| set.is_set(core)).collect())
}

#[cfg(not(target_os = "linux"))]
fn allowed() -> Result<Vec<usize>, AffinityError> {
    Err(AffinityError::Unsupported(None))
}

/// Keeps this thread, and the processes that it starts from here on, on these cores.
#[cfg(target_os = "linux")]
pub fn pin(cores: &[usize]) -> Result<(), AffinityError> {
    use rustix::thread::{CpuSet, sched_setaffinity};
    let mut set = CpuSet::new();
    cores.iter().for_each(|&core| set.set(core));
    sched_setaffinity(None, &set)
        .map_err(|error| AffinityError::Unsupported(Some(error.to_string())))
}

/// Keeps this thread, and the processes that it starts from here on, on these cores.
#[cfg(not(target_os = "linux"))]
pub fn pin(_: &[usize]) -> Result<(), AffinityError> {
    Err(AffinityError::Unsupported(None))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_have_cores_of_their_own() {
        assert_eq!(divide(&[0, 1, 4, 5, 6], 2).unwrap(), [vec![0, 1], vec![4, 5]]);
        assert_eq!(divide(&[3], 1).unwrap(), [vec![3]]);
        let error = divide(&[0, 1], 3).unwrap_err();
        assert_eq!(error, AffinityError::TooFew { games: 3, cores: 2 });
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_pinned_thread_and_its_children_have_its_cores() {
        let core = allowed().unwrap()[0];
        let seen = std::thread::spawn(move || {
            pin(&[core]).unwrap();
            let status = std::process::Command::new("cat").arg("/proc/self/status").output();
            String::from_utf8(status.unwrap().stdout).unwrap()
        });
        let status = seen.join().unwrap();
        let line = status.lines().find(|line| line.starts_with("Cpus_allowed_list:")).unwrap();
        assert_eq!(line.split_whitespace().nth(1), Some(core.to_string().as_str()));
        assert!(allowed().unwrap().contains(&core), "this thread is as free as before");
    }
}
