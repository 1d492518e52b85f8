//! A terminal with a person at it: the program runs on one side, the test reads and types on the other.

use std::ffi::OsString;
use std::fs::File;
use std::io::{Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, ExitStatus};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Termios, Winsize, tcgetattr, tcsetwinsize};

use super::place::Call;

/// For what must come, however busy the machine is.
pub(crate) const SOON: Duration = Duration::from_secs(20);

pub(crate) struct Terminal {
    child: Child,
    master: File,
    output: Receiver<Vec<u8>>,
    /// All that the program has written so far.
    seen: Vec<u8>,
    /// Up to where the test has looked.
    looked: usize,
    before: Termios,
}

/// How a program on a terminal has ended.
pub(crate) struct Ended {
    pub(crate) exit: Option<i32>,
    pub(crate) signal: Option<i32>,
    /// All that it has written.
    pub(crate) bytes: Vec<u8>,
    /// Whether the terminal's settings are as they were.
    pub(crate) restored: bool,
}

impl Terminal {
    /// Runs the program on a terminal of 80 x 24. `None`, with the reason on the standard error, where that is not possible.
    pub(crate) fn run(call: Call<'_>) -> Option<Self> {
        if Command::new("setsid").arg("--version").output().is_err() {
            eprintln!("SKIPPED: setsid is not installed, and without it a program cannot be given a terminal");
            return None;
        }
        let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        grantpt(&master).unwrap();
        unlockpt(&master).unwrap();
        let name = ptsname(&master, Vec::new()).unwrap();
        tcsetwinsize(&master, Winsize { ws_row: 24, ws_col: 80, ws_xpixel: 0, ws_ypixel: 0 }).unwrap();
        let slave = File::options().read(true).write(true).open(name.to_str().unwrap()).unwrap();
        let before = tcgetattr(&slave).unwrap();

        let mut command = Command::new("setsid");
        command.arg("--ctty").arg(call.command.get_program()).args(call.command.get_args());
        command.env_clear().envs(call.command.get_envs().filter_map(|(name, value)| Some((name, value?))));
        command.env("TERM", "xterm-256color");
        if !call.command.get_envs().any(|(name, _)| name == "PATH") {
            command.env("PATH", std::env::var_os("PATH").unwrap_or_else(|| OsString::from("/usr/bin:/bin")));
        }
        command.current_dir(call.command.get_current_dir().unwrap());
        command.stdin(slave.try_clone().unwrap()).stdout(slave.try_clone().unwrap()).stderr(slave);
        let child = command.spawn().unwrap();
        // The command holds the other ends of the terminal, which is gone only once they are.
        drop(command);

        let master = File::from(master);
        let (sender, output) = channel();
        let mut reader = master.try_clone().unwrap();
        std::thread::spawn(move || {
            let mut buffer = [0; 4096];
            // The other side is gone when this fails.
            while let Ok(length @ 1..) = reader.read(&mut buffer) {
                if sender.send(buffer[..length].to_vec()).is_err() {
                    break;
                }
            }
        });
        Some(Self { child, master, output, seen: Vec::new(), looked: 0, before })
    }

    /// Waits until the program has written this, and gives all up to there since the last look.
    #[track_caller]
    pub(crate) fn until(&mut self, text: &str) -> String {
        self.until_within(text, SOON).unwrap_or_else(|| panic!("{text:?} did not come: {}", self.unseen()))
    }

    /// The same; `None` if it does not come in that time.
    pub(crate) fn until_within(&mut self, text: &str, patience: Duration) -> Option<String> {
        let deadline = Instant::now() + patience;
        loop {
            let new = &self.seen[self.looked..];
            if let Some(at) = new.windows(text.len()).position(|window| window == text.as_bytes()) {
                let found = String::from_utf8_lossy(&new[..at + text.len()]).into_owned();
                self.looked += at + text.len();
                return Some(found);
            }
            match self.output.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(bytes) => self.seen.extend(bytes),
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => return None,
            }
        }
    }

    fn unseen(&self) -> String {
        String::from_utf8_lossy(&self.seen[self.looked..]).into_owned()
    }

    pub(crate) fn type_in(&mut self, text: &str) {
        self.master.write_all(text.as_bytes()).unwrap();
    }

    pub(crate) fn resize(&self, rows: u16, columns: u16) {
        tcsetwinsize(&self.master, Winsize { ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 }).unwrap();
    }

    pub(crate) fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).unwrap();
    }

    /// Waits for the end.
    #[track_caller]
    pub(crate) fn end(mut self) -> Ended {
        let deadline = Instant::now() + SOON;
        let status: ExitStatus = loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                break status;
            }
            if Instant::now() > deadline {
                self.child.kill().unwrap();
                panic!("the program does not end: {}", self.unseen());
            }
            std::thread::sleep(Duration::from_millis(5));
        };
        while let Ok(bytes) = self.output.recv_timeout(SOON) {
            self.seen.extend(bytes);
        }
        let now = tcgetattr(&self.master);
        let restored = now.is_ok_and(|now| {
            (now.local_modes, now.input_modes, now.output_modes)
                == (self.before.local_modes, self.before.input_modes, self.before.output_modes)
        });
        Ended { exit: status.code(), signal: status.signal(), bytes: self.seen, restored }
    }
}

impl Ended {
    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.bytes).into_owned()
    }
}
