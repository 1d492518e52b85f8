//! This test program, started again as a process of its own: a child does what the variable says.

#![allow(dead_code, reason = "each test uses its part")]

use std::env;
use std::ffi::OsString;
use std::io::Write as _;
use std::process::{Command, Stdio};

const JOB: &str = "PLANGATE_TEST_JOB";

/// What this process is to do, if it is a child.
pub(crate) fn job() -> Option<String> {
    env::var(JOB).ok()
}

/// The arguments that make this program run one test alone.
fn arguments(test: &str) -> Vec<OsString> {
    let mut arguments = vec![env::current_exe().unwrap().into_os_string()];
    arguments.extend([test, "--exact", "--nocapture", "--quiet", "--test-threads=1"].map(OsString::from));
    arguments
}

/// A child that does `job`: the test of that name finds it by [`job`].
pub(crate) fn child(test: &str, job: &str) -> Command {
    under(&[], test, job)
}

/// A child that does `job` under another program, which takes the child's command line as its last arguments.
pub(crate) fn under(program: &[&str], test: &str, job: &str) -> Command {
    let line: Vec<_> = program.iter().map(OsString::from).chain(arguments(test)).collect();
    let mut command = Command::new(&line[0]);
    command.args(&line[1..]).env(JOB, job).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// Says why a test, or a part of it, was not run. The harness captures what the printing macros print, and this is to be
/// seen.
pub(crate) fn skipped(what: &str, why: &str) {
    let mut terminal = std::io::stderr();
    writeln!(terminal, "SKIPPED {what}: {why}").unwrap();
}

/// Whether system calls of a child can be tampered with.
pub(crate) fn can_trace() -> Result<(), String> {
    let probe = ["-f", "-o", "/dev/null", "-e", "trace=flock", "-e", "inject=flock:retval=0", "true"];
    match Command::new("strace").args(probe).output() {
        Err(error) => Err(format!("strace cannot be started ({error}); install it")),
        Ok(output) if output.status.success() => Ok(()),
        Ok(output) => Err(format!("strace may not trace: {}", String::from_utf8_lossy(&output.stderr).trim())),
    }
}
