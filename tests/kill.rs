//! Real processes, killed at every system call of every transition that changes something or takes a lock.
// spec: DISK-10, DISK-11
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod child;
#[path = "../src/session/proof/table/mod.rs"]
mod table;

use std::collections::{BTreeMap, HashSet};
use std::fs::{self, File};
use std::io::Write as _;
use std::os::unix::process::ExitStatusExt as _;
use std::process;
use std::sync::Mutex;
use std::thread;

use table::{Answer, Entry, Proof, SCENARIOS, Ticks, named, scratch, tree};

const TEST: &str = "a_process_that_is_killed_anywhere_leaves_a_row_of_the_crash_table";

/// The calls that change something on disk, and those that open and lock.
const CALLS: [&str; 11] = [
    "openat",
    "mkdirat",
    "write",
    "fsync",
    "fdatasync",
    "rename",
    "renameat",
    "renameat2",
    "linkat",
    "unlinkat",
    "flock",
];

/// No such file: opening it marks the beginning in the trace.
const BEGIN: &str = "/the-transition-begins-here";

/// How often the child opens and writes before it begins. The tracer counts per thread, and kills when any thread comes to
/// the number: this one has to be ahead of the one that started it.
const WARM_UP: usize = 150;

/// Runs a scenario in this process.
fn run(job: &str) -> ! {
    let (name, root) = job.split_once('\n').unwrap();
    let scenario = named(name);
    let ground = scenario.ground(root);
    let mut null = File::options().write(true).open("/dev/null").unwrap();
    for _ in 0..WARM_UP {
        drop(File::open("/dev/null"));
        null.write_all(b"x").unwrap();
    }
    drop(File::open(BEGIN));
    match scenario.run(&ground.session(&Ticks::at(10)), &ground, Entry::Load) {
        Ok(_) => process::exit(0),
        Err(_) => process::exit(2),
    }
}

/// Runs a scenario in a child under the tracer.
fn traced(proof: &Proof, root: &str, options: &[&str]) -> process::ExitStatus {
    let job = format!("{}\n{root}", proof.scenario.name);
    let tracer = ["strace", "-f", "-q"];
    let line: Vec<&str> = tracer.iter().chain(options).copied().collect();
    child::under(&line, TEST, &job).status().unwrap()
}

/// Of each call, how many the thread makes before it begins, and how many in all.
fn count(proof: &Proof) -> Result<BTreeMap<&'static str, (usize, usize)>, String> {
    let (folder, log) = (scratch(), scratch().keep().join("trace"));
    proof.lay(folder.path());
    let calls = format!("trace={}", CALLS.map(|call| format!("?{call}")).join(","));
    let status = traced(proof, folder.path().to_str().unwrap(), &["-o", log.to_str().unwrap(), "-e", &calls]);
    let text = fs::read_to_string(&log).unwrap();
    fs::remove_dir_all(log.parent().unwrap()).unwrap();
    if !status.success() {
        return Err(format!("without a kill: {status}"));
    }
    // A line is `1234 openat(AT_FDCWD, ...`; a call that was interrupted by another thread's has a second line.
    let lines: Vec<(&str, &str)> = text.lines().filter_map(|line| line.split_once(' ')).collect();
    let begin = lines.iter().position(|(_, call)| call.contains(BEGIN)).ok_or("the trace has no beginning")?;
    let thread = lines[begin].0;
    let mut counts = BTreeMap::new();
    for call in CALLS {
        let is_call =
            |line: &&(&str, &str)| line.1.trim_start().strip_prefix(call).is_some_and(|rest| rest.starts_with('('));
        let of = |lines: &[(&str, &str)]| lines.iter().filter(is_call).filter(|(by, _)| *by == thread).count();
        let others = lines.iter().filter(is_call).filter(|(by, _)| *by != thread).count();
        let before = of(&lines[..=begin]);
        if others > before {
            return Err(format!("{others} calls of {call} by other threads: warm up longer"));
        }
        counts.insert(call, (before, of(&lines)));
    }
    Ok(counts)
}

/// Kills the process at every call, and counts the kills.
fn kill_everywhere(proof: &Proof) -> Result<usize, String> {
    let (mut kills, mut known) = (0, HashSet::new());
    for (call, (before, all)) in count(proof)? {
        for when in before + 1..=all {
            let folder = scratch();
            let ground = proof.lay(folder.path());
            let (trace, inject) = (format!("trace={call}"), format!("inject={call}:signal=KILL:when={when}"));
            let options = ["-o", "/dev/null", "-e", &trace, "-e", &inject];
            let status = traced(proof, ground.root().as_str(), &options);
            let at = |error: String| format!("killed at {call} {} of {}: {error}", when - before, all - before);
            if status.signal() != Some(9) {
                return Err(at(format!("it was not killed: {status}")));
            }
            kills += 1;
            if known.insert(tree(ground.root())) {
                proof.check(&ground, Answer::None).map_err(at)?;
            }
        }
    }
    if known.len() < 2 {
        return Err("every kill left the same: that proves nothing".into());
    }
    Ok(kills)
}

#[test]
fn a_process_that_is_killed_anywhere_leaves_a_row_of_the_crash_table() {
    if let Some(job) = child::job() {
        run(&job);
    }
    if let Err(why) = child::can_trace() {
        return child::skipped("the kills at every system call", &why);
    }
    let (next, found) = (Mutex::new(SCENARIOS.iter()), Mutex::new((0, String::new())));
    let work = || {
        while let Some(scenario) = { next.lock().unwrap().next() } {
            let result = Proof::of(scenario).and_then(|proof| kill_everywhere(&proof));
            let (kills, violations) = &mut *found.lock().unwrap();
            match result {
                Ok(count) => *kills += count,
                Err(violation) => violations.push_str(&format!("\n{}: {violation}", scenario.name)),
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(work);
        }
    });
    let (kills, violations) = found.into_inner().unwrap();
    assert!(violations.is_empty(), "{violations}");
    println!("{kills} kills in {} transitions", SCENARIOS.len());
}
