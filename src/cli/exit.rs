//! The exit codes, all of them: `docs/cli.md` and `--help` have the same list.

use std::process::ExitCode;

/// Why the program ended as it did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Done; for `gate`: allowed; for `check`: complete.
    Done = 0,
    /// The disk refused, or something is broken that is nobody's mistake.
    Failed = 1,
    /// The command line is wrong. clap uses the same number.
    Usage = 2,
    /// The lifecycle refuses it; for `gate`: denied; for `check`: something is missing.
    Refused = 3,
    /// The plan's state cannot be told: its file is damaged or unreadable.
    Unreadable = 4,
    /// No session, or more than one, is meant.
    WhichSession = 5,
    /// Only a person may do this, and none has confirmed it.
    NotConfirmed = 6,
    /// Another process was faster or holds the lock: try again.
    TryAgain = 7,
}

/// The list as `--help` shows it.
pub(crate) const HELP: &str = "\
Exit codes:
  0  done; for `gate` allowed, for `check` complete
  1  the disk refused, or something is broken
  2  the command line is wrong
  3  the lifecycle refuses it; for `gate` denied, for `check` something is missing
  4  the plan's file is damaged or cannot be read
  5  no session, or more than one, is meant
  6  only a person may do this, and none has confirmed it
  7  another process was faster, or holds the lock: try again";

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}
