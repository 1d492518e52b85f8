//! How long `plangate status --json` takes, beside a program that does no more than read the same files: medians of the time
//! from the start of the process to its end.
//!
//! ```sh
//! cargo bench --bench status
//! ```

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const RUNS: usize = 400;

const OUTLINE: &str = "# Swap the cache\n\n## Context\n- **Problem:** LRU thrashes\n- **Target state:** ARC in place\n\
                       - **Intent:** latency\n\n## Implementation steps\n1. Look — read the callers\n";

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    if let [_, mode, files @ ..] = &arguments[..]
        && mode == "read"
    {
        return read(files);
    }
    println!("{:<24} {:>10} {:>10} {:>7}", "plan", "status", "reading", "ratio");
    for (name, calls) in [("none", vec![]), ("design", vec![design()]), ("30 tasks", vec![checklist(30)])] {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        for call in calls {
            assert!(plangate(root).args(["tool", &call]).status().unwrap().success());
        }
        let files = ["md", "json"].map(|kind| root.join("session/.opencrabs_plan_a1").with_extension(kind));
        if name == "design" {
            std::fs::write(&files[0], OUTLINE).unwrap();
        }
        let mut status = plangate(root);
        status.args(["status", "--json"]);
        let mut reading = Command::new(std::env::current_exe().unwrap());
        reading.arg("read").args(&files).env_clear().stdout(Stdio::null());
        let [status, reading] = medians([status, reading]);
        let ratio = status.as_secs_f64() / reading.as_secs_f64();
        println!("{name:<24} {:>7} µs {:>7} µs {ratio:>7.2}", status.as_micros(), reading.as_micros());
    }
}

fn plangate(root: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_plangate"));
    command
        .env_clear()
        .env("PLANGATE_ROOT", root)
        .env("PLANGATE_SESSION", "a1")
        .stdin(Stdio::null())
        .stdout(Stdio::null());
    command
}

fn design() -> String {
    r#"{"operation": "init", "title": "Swap the cache"}"#.to_owned()
}

fn checklist(count: usize) -> String {
    let tasks: Vec<String> =
        (0..count).map(|n| format!(r#"{{"title": "task {n}", "description": "what is to be done"}}"#)).collect();
    format!(r#"{{"operation": "init", "title": "Swap the cache", "tasks": [{}]}}"#, tasks.join(","))
}

/// The files' bytes to the standard output, as `status` answers there; one that is not there is no error.
fn read(files: &[String]) {
    let bytes: Vec<u8> = files.iter().filter_map(|file| std::fs::read(file).ok()).flatten().collect();
    std::io::stdout().lock().write_all(&bytes).unwrap();
}

/// The median of each, run in turns, so that whatever else the machine does slows both down.
fn medians<const N: usize>(mut commands: [Command; N]) -> [Duration; N] {
    let mut times = [const { Vec::new() }; N];
    for _ in 0..RUNS {
        for (command, times) in commands.iter_mut().zip(&mut times) {
            let began = Instant::now();
            assert!(command.status().unwrap().success());
            times.push(began.elapsed());
        }
    }
    times.map(|mut times| {
        times.sort_unstable();
        times[times.len() / 2]
    })
}
