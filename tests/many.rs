//! Two agents that call the tool, a person's commands and a watch at once on one session: nothing is lost, nothing is read
//! torn, and the watch sees every change in time.
//!
//! Ten seconds; with `PLANGATE_LONG=1` a minute.
// spec: DISK-11, MIRROR-3, TASK-1, TASK-4, LIFE-12
#![cfg(all(feature = "cli", unix))]

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

/// What MIRROR-3 allows.
const DUE: Duration = Duration::from_millis(500);

/// The time between two calls of one loop, so that the checklist stays as small as real ones are.
const PAUSE: Duration = Duration::from_millis(20);

struct Place(tempfile::TempDir);

impl Place {
    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_plangate"));
        command.args(arguments).args(["--session", "a1", "--json"]).current_dir(self.0.path()).env_clear();
        command.env("PLANGATE_ROOT", self.0.path().join("root"));
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// One whole answer.
    #[track_caller]
    fn run(&self, arguments: &[&str]) -> Value {
        let output = self.command(arguments).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success() && output.stderr.is_empty(), "{arguments:?}: {:?} {text}", output.status);
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{arguments:?}: {error}: {text}"))
    }

    #[track_caller]
    fn tool(&self, arguments: Value) -> Value {
        self.run(&["tool", &arguments.to_string()])
    }
}

/// How far a checklist has come: every call of the loops adds one, so that this puts all its states in an order.
fn progress(plan: &Value) -> u64 {
    let count = |name: &str| plan["progress"][name].as_u64().unwrap();
    count("pending") + 2 * count("in_progress") + 3 * (count("completed") + count("skipped"))
}

/// What one loop has done: how far the checklist was after each call, and when the call had ended.
type Calls = Vec<(u64, Instant)>;

/// Adds a task, starts it and ends it, again and again.
fn work(place: &Place, name: &str, end: &str, until: Instant) -> (Calls, usize) {
    let (mut calls, mut tasks) = (Calls::new(), 0);
    while Instant::now() < until {
        let title = format!("{name} {tasks}");
        let added = place.tool(json!({"operation": "add_task", "title": title, "description": "d"}));
        let number = added["plan"]["progress"]["total"].clone();
        let mut done = vec![(added, Instant::now())];
        for operation in ["start", end] {
            thread::sleep(PAUSE);
            done.push((place.tool(json!({"operation": operation, "task": number})), Instant::now()));
        }
        calls.extend(done.iter().map(|(reply, at)| (progress(&reply["plan"]), *at)));
        tasks += 1;
        thread::sleep(PAUSE);
    }
    (calls, tasks)
}

/// How late this machine wakes a thread up, at worst: nobody is seen sooner than that.
fn lateness(stop: &AtomicBool) -> Duration {
    let nap = Duration::from_millis(10);
    let mut worst = Duration::ZERO;
    while !stop.load(Ordering::Relaxed) {
        let began = Instant::now();
        thread::sleep(nap);
        worst = worst.max(began.elapsed().saturating_sub(nap));
    }
    worst
}

#[test]
fn nothing_is_lost_and_nothing_is_torn_and_all_is_seen_in_time() {
    let long = std::env::var_os("PLANGATE_LONG").is_some();
    let time = Duration::from_secs(if long { 60 } else { 10 });
    let place = Arc::new(Place(tempfile::tempdir().unwrap()));
    let keeper = json!([{"title": "stays open", "description": "d"}]);
    place.tool(json!({"operation": "init", "title": "Many", "tasks": keeper}));

    let mut watch = place.command(&["watch"]).spawn().unwrap();
    let lines = BufReader::new(watch.stdout.take().unwrap()).lines();
    let seen: Arc<Mutex<Calls>> = Arc::default();
    let (told, told_first) = std::sync::mpsc::channel();
    let reader = {
        let seen = Arc::clone(&seen);
        thread::spawn(move || {
            for line in lines {
                let plan: Value = serde_json::from_str(&line.unwrap()).unwrap();
                assert_eq!(plan["state"], "Active", "{plan}");
                seen.lock().unwrap().push((progress(&plan), Instant::now()));
                let _ = told.send(());
            }
        })
    };
    // It watches once it has told how things are.
    told_first.recv_timeout(Duration::from_secs(20)).unwrap();

    let until = Instant::now() + time;
    let stop = Arc::new(AtomicBool::new(false));
    let lateness = {
        let stop = Arc::clone(&stop);
        thread::spawn(move || lateness(&stop))
    };
    let loops = [("one", "complete"), ("two", "skip")].map(|(name, end)| {
        let place = Arc::clone(&place);
        thread::spawn(move || work(&place, name, end, until))
    });
    // A person who looks on: what is shown is whole, and never older than what was shown before.
    let (mut last, mut looks) = (0, 0);
    while Instant::now() < until {
        for command in [&["status"][..], &["show"], &["gate", r#"{"tool": "read"}"#], &["list"]] {
            let answer = place.run(command);
            let plan = if command[0] == "list" { &answer["sessions"][0] } else { &answer };
            if command[0] != "gate" {
                assert!(progress(plan) >= last, "{command:?}: {answer}");
                last = progress(plan);
            }
            looks += 1;
        }
        thread::sleep(PAUSE);
    }
    let done = loops.map(|loops| loops.join().unwrap());
    // The last change has to be seen too.
    thread::sleep(DUE);
    stop.store(true, Ordering::Relaxed);
    let lateness = lateness.join().unwrap();
    kill_process(Pid::from_child(&watch), Signal::TERM).unwrap();
    assert!(watch.wait().unwrap().success());
    reader.join().unwrap();

    // Nothing is lost: every task that either loop has added is there, ended as the loop has ended it.
    let record: Value =
        serde_json::from_slice(&std::fs::read(place.0.path().join("root/session/.opencrabs_plan_a1.json")).unwrap())
            .unwrap();
    let tasks = record["tasks"].as_array().unwrap();
    for (name, status, (_, count)) in [("one", "Completed", &done[0]), ("two", "Skipped", &done[1])] {
        assert!(*count > 2, "{name} has added {count}");
        for number in 0..*count {
            let title = format!("{name} {number}");
            let found: Vec<_> = tasks.iter().filter(|task| task["title"] == title).collect();
            assert_eq!(found.len(), 1, "{title}");
            assert_eq!(found[0]["status"], status, "{title}");
        }
    }
    assert_eq!(tasks.len(), 1 + done[0].1 + done[1].1);

    // No two calls have left the same state: each has built on the one before it.
    let mut calls: Calls = done.into_iter().flat_map(|(calls, _)| calls).collect();
    calls.sort_unstable();
    assert!(calls.windows(2).all(|pair| pair[0].0 < pair[1].0), "two calls have built on the same state");
    assert_eq!(calls.last().unwrap().0, 1 + calls.len() as u64);

    // All is seen in time, as far as the machine lets anybody see anything.
    let seen = seen.lock().unwrap();
    let mut worst = Duration::ZERO;
    for (call, at) in &calls {
        let first = seen.iter().find(|(state, _)| state >= call);
        let (_, when) = first.unwrap_or_else(|| panic!("the change to {call} was never seen"));
        worst = worst.max(when.saturating_duration_since(*at));
    }
    println!("{} calls, {looks} looks, {} events, the latest {worst:?} after its change", calls.len(), seen.len());
    assert!(worst <= DUE + 4 * lateness, "seen after {worst:?}; the machine itself is late by {lateness:?}");
}
