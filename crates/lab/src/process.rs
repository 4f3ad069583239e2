//! A program that runs beside ours and is spoken to line by line.
//!
//! Nothing here waits without a limit: lines are read and written by two threads, and whoever talks
//! to the program waits for their messages only as long as it likes.

#[cfg(unix)]
mod guard;

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

/// A running program. Dropping it ends it, and everything it has started; so does the end of this
/// process, however it comes about (on Unix).
#[derive(Debug)]
pub struct Process {
    child: Child,
    /// Whether it has ended and been waited for, so that its number may belong to another.
    is_reaped: bool,
    /// `None` once it is to end.
    input: Option<Sender<String>>,
    output: Receiver<OutputLine>,
    /// Whether what it tells of its thoughts is thrown away.
    is_unheard: Arc<AtomicBool>,
}

/// A line that the program wrote.
#[derive(Debug)]
pub struct OutputLine {
    /// The line, without its end. Bytes that are no UTF-8 are replaced.
    pub text: String,
    /// When it was read.
    pub at: Instant,
}

/// Why there is no line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Silence {
    /// Not in that time.
    Late,
    /// There will never be another.
    Closed,
}

/// What becomes of what a program tells of its thoughts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Hearing {
    /// It is read as all else.
    Heard,
    /// It is thrown away.
    Skipped,
}

/// A longer line is cut into pieces.
const LONGEST_LINE: u64 = 1 << 16;

/// So many lines wait for us before the program has to wait.
const LINES_AHEAD: usize = 256;

/// How long a program may take to end by itself when it is told to.
const FAREWELL: Duration = Duration::from_millis(500);

impl Process {
    /// Starts a program. What it writes to its error output is thrown away.
    pub fn start(command: &mut Command) -> std::io::Result<Process> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(command, 0);
        let mut child = command.spawn()?;
        #[cfg(unix)]
        guard::began(child.id());
        let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
        let (input, lines_in) = channel();
        let (lines_out, output) = sync_channel(LINES_AHEAD);
        let is_unheard = Arc::new(AtomicBool::new(false));
        if let Some(stdin) = stdin {
            thread::spawn(move || write_lines(stdin, &lines_in));
        }
        if let Some(stdout) = stdout {
            let is_unheard = is_unheard.clone();
            thread::spawn(move || read_lines(stdout, &lines_out, &is_unheard));
        }
        Ok(Process { child, is_reaped: false, input: Some(input), output, is_unheard })
    }

    /// From now on lines that begin with `info` are thrown away, or are heard again. Nobody reads
    /// what a program tells while its opponent is asked, and it should not have to wait for that.
    pub fn hear_thoughts(&mut self, hearing: Hearing) {
        self.is_unheard.store(hearing == Hearing::Skipped, Ordering::Relaxed);
    }

    /// Sends a line. If the program is gone, the line is lost; [`Process::line`] will tell.
    pub fn send(&mut self, line: &str) {
        if let Some(input) = &self.input {
            let _ = input.send(format!("{line}\n"));
        }
    }

    /// The next line, waiting for it until then. Once that time is past there is none, even if the
    /// program has written some: one that never stops writing would hold us for ever.
    pub fn line(&mut self, until: Instant) -> Result<OutputLine, Silence> {
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(Silence::Late);
        }
        self.output.recv_timeout(left).map_err(|error| match error {
            RecvTimeoutError::Timeout => Silence::Late,
            RecvTimeoutError::Disconnected => Silence::Closed,
        })
    }

    /// A line that is there already.
    pub fn line_at_hand(&mut self) -> Option<OutputLine> {
        self.output.try_recv().ok()
    }

    /// How the program ended, if it ends within a moment.
    pub fn exit_status(&mut self) -> Option<ExitStatus> {
        let until = Instant::now() + FAREWELL;
        while !self.is_reaped && !has_ended(&mut self.child) {
            if Instant::now() >= until {
                return None;
            }
            thread::sleep(Duration::from_millis(2));
        }
        self.reap()
    }

    /// Ends it with all that it has started, and waits for it.
    fn reap(&mut self) -> Option<ExitStatus> {
        if !self.is_reaped {
            kill_group(&self.child);
            // It fails only if the program has ended already.
            let _ = self.child.kill();
            #[cfg(unix)]
            guard::ended(self.child.id());
            self.is_reaped = true;
        }
        self.child.wait().ok()
    }

    /// Tells the program to end by `farewell` and waits a moment for it.
    pub fn quit(mut self, farewell: &str) {
        self.send(farewell);
        self.input = None;
        self.exit_status();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.reap();
    }
}

/// Whether the program has ended. It is not waited for, so that its number stays its own.
#[cfg(unix)]
fn has_ended(child: &mut Child) -> bool {
    use rustix::process::{WaitId, WaitIdOptions, waitid};
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    // Who has been waited for is not there any more.
    number(child).is_none_or(|pid| !matches!(waitid(WaitId::Pid(pid), options), Ok(None)))
}

#[cfg(not(unix))]
fn has_ended(child: &mut Child) -> bool {
    !matches!(child.try_wait(), Ok(None))
}

/// Ends all that the program has started: a shell script's own programs would live on and keep the
/// pipes open.
#[cfg(unix)]
fn kill_group(child: &Child) {
    use rustix::process::{Signal, kill_process_group};
    if let Some(pid) = number(child) {
        let _ = kill_process_group(pid, Signal::KILL);
    }
}

#[cfg(not(unix))]
fn kill_group(_: &Child) {}

#[cfg(unix)]
fn number(child: &Child) -> Option<rustix::process::Pid> {
    i32::try_from(child.id()).ok().and_then(rustix::process::Pid::from_raw)
}

fn write_lines(mut stdin: ChildStdin, lines: &Receiver<String>) {
    for line in lines {
        if stdin.write_all(line.as_bytes()).and_then(|()| stdin.flush()).is_err() {
            return;
        }
    }
}

fn read_lines(stdout: ChildStdout, lines: &SyncSender<OutputLine>, is_unheard: &AtomicBool) {
    let mut reader = BufReader::new(stdout);
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        let read = reader.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut bytes);
        if !matches!(read, Ok(1..)) {
            return;
        }
        if is_unheard.load(Ordering::Relaxed) && bytes.starts_with(b"info ") {
            continue;
        }
        let text = String::from_utf8_lossy(&bytes).trim_end_matches(['\r', '\n']).to_owned();
        if lines.send(OutputLine { text, at: Instant::now() }).is_err() {
            return;
        }
    }
}
