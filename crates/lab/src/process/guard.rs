//! Ends the programs that we have started if we end without having ended them.
//!
//! Nothing that we do ourselves outlives a `kill -9`, and not every program ends with its input. So
//! a shell waits at the other end of a pipe. It is told which process groups have begun and which
//! have ended; when the pipe closes we are gone, however that came about, and it kills what is
//! left. Asking the kernel for a signal at the parent's death would not reach what a script has
//! started.

use std::io::Write;
use std::os::unix::process::CommandExt;
use std::process::{ChildStdin, Command, Stdio};
use std::sync::{Mutex, PoisonError};

/// Signals are for those who have a terminal; this one ends when its input does.
const SCRIPT: &str = r#"
trap '' HUP INT QUIT TERM
groups=
while read -r event group; do
    case $event in
        began) groups="$groups $group" ;;
        ended)
            left=
            for one in $groups; do
                [ "$one" = "$group" ] || left="$left $one"
            done
            groups=$left ;;
    esac
done
for one in $groups; do
    kill -s KILL -- "-$one" 2>/dev/null
    kill -s KILL "$one" 2>/dev/null
done
"#;

/// The shell's input, once there is one. It is closed by the system when this process ends.
static SHELL: Mutex<Option<ChildStdin>> = Mutex::new(None);

/// A program was started that leads the process group of its number.
pub(super) fn began(group: u32) {
    tell("began", group);
}

/// A program is no more. To be said before it is waited for, since its number may then belong to
/// another.
pub(super) fn ended(group: u32) {
    tell("ended", group);
}

/// Where there is no shell, or it has been killed, programs are left to end with their input.
fn tell(event: &str, group: u32) {
    let mut shell = SHELL.lock().unwrap_or_else(PoisonError::into_inner);
    if shell.is_none() {
        *shell = start();
    }
    let line = format!("{event} {group}\n");
    if shell.as_mut().is_some_and(|input| input.write_all(line.as_bytes()).is_err()) {
        *shell = None;
    }
}

fn start() -> Option<ChildStdin> {
    let mut command = Command::new("/bin/sh");
    command.args(["-c", SCRIPT]).process_group(0);
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().ok()?.stdin.take()
}
