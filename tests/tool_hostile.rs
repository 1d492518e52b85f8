//! The plan tool under calls that nobody makes by accident: no panic, no hang, bounded answers, and memory that stays flat.
// spec: TOOL-4, TOOL-1

mod support;

use std::collections::BTreeMap;
use std::sync::mpsc;
use std::time::Duration;

use plangate::tool::{Reply, Request};
use serde_json::{Value, json};
use support::World;

/// The longest answer as JSON, in characters.
const LONGEST: usize = 20_000;
/// The same where an older file has titles that no caller could give.
const LONGEST_OF_OLDER: usize = 25_000;

/// Numbers that look random and are the same in every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % sides
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.roll(from.len())]
    }
}

const ARGUMENTS: &[&str] = &[
    "operation",
    "title",
    "description",
    "mode",
    "tasks",
    "file_path",
    "acceptance_criteria",
    "dependencies",
    "task_type",
    "complexity",
    "artifacts",
    "context",
    "risks",
    "test_strategy",
    "technical_stack",
    "task",
    "task_order",
    "output",
    "reason",
    "action",
    "page",
];
const OPERATIONS: &[&str] = &["init", "add_tasks", "add_task", "start", "complete", "skip", "fail", "status"];
const WORDS: &[&str] = &[
    "a",
    "é",
    "中",
    "\\n",
    "\\u0000",
    "\\ud800",
    "\\u2028",
    "\\\"",
    "design",
    "checklist",
    "success",
    "fail",
    "skip",
    "Test",
    "../../etc",
    "/",
    " ",
    "a0000001-1111-4111-8111-111111111111",
    "strat",
    "𝕏",
    "## Context",
];
const NUMBERS: &[&str] = &["0", "1", "2", "3", "-1", "1.5", "1e400", "18446744073709551616", "007", "NaN"];

fn string(dice: &mut Dice) -> String {
    let mut text = String::from('"');
    for _ in 0..dice.roll(4) {
        text.push_str(dice.pick(WORDS));
    }
    if dice.roll(200) == 0 {
        text.push_str(&dice.pick(WORDS).repeat(dice.roll(12_000)));
    }
    text.push('"');
    text
}

fn value(dice: &mut Dice, depth: usize) -> String {
    match dice.roll(if depth == 0 { 6 } else { 9 }) {
        0..=2 => string(dice),
        3 | 4 => dice.pick(NUMBERS).to_owned(),
        5 => dice.pick(&["null", "true", "false", "[]", "{}", "[ ]"]).to_owned(),
        6 => format!("[{}]", (0..dice.roll(4)).map(|_| value(dice, depth - 1)).collect::<Vec<_>>().join(",")),
        7 => object(dice, depth - 1),
        _ => format!("[{}]", (0..dice.roll(3)).map(|_| object(dice, depth - 1)).collect::<Vec<_>>().join(", ")),
    }
}

fn object(dice: &mut Dice, depth: usize) -> String {
    let field = |dice: &mut Dice| {
        let name = if dice.roll(10) == 0 { string(dice) } else { format!("\"{}\"", dice.pick(ARGUMENTS)) };
        format!("{name}: {}", value(dice, depth))
    };
    format!("{{{}}}", (0..dice.roll(6)).map(|_| field(dice)).collect::<Vec<_>>().join(", "))
}

/// A task that a caller could send, with now and then something wrong.
fn task(dice: &mut Dice) -> String {
    let mut fields = vec![format!("\"title\": \"T{}\"", dice.roll(9)), "\"description\": \"d\"".to_owned()];
    if dice.roll(3) == 0 {
        fields.push(format!("\"dependencies\": [{}]", dice.pick(NUMBERS)));
    }
    if dice.roll(4) == 0 {
        fields.push(format!("\"{}\": {}", dice.pick(ARGUMENTS), value(dice, 1)));
    }
    fields.join(", ")
}

/// A call: nearly right, or made of the pieces of one, or bytes.
fn request(dice: &mut Dice) -> Vec<u8> {
    let operation = dice.pick(OPERATIONS);
    match dice.roll(8) {
        0..=2 => {
            let rest = match operation {
                "init" => match dice.roll(6) {
                    4 => {
                        format!("\"title\": \"D\", \"mode\": \"{}\", \"tasks\": [{{{}}}]", dice.pick(WORDS), task(dice))
                    }
                    5 => format!("\"file_path\": \"/p\", {}", task(dice)),
                    0 => "\"title\": \"D\"".to_owned(),
                    1 => format!("\"title\": \"L\", \"tasks\": [{{{}}}]", task(dice)),
                    2 => format!("\"file_path\": {}", string(dice)),
                    _ => format!("\"title\": {}, \"mode\": {}", string(dice), string(dice)),
                },
                "add_tasks" => format!("\"tasks\": [{{{}}}, {{{}}}]", task(dice), task(dice)),
                "add_task" => task(dice),
                "status" => format!("\"page\": {}", dice.pick(NUMBERS)),
                _ if dice.roll(20) == 0 => "\"task\": 1, \"task_order\": 1".to_owned(),
                _ if dice.roll(2) == 0 => format!("\"task\": {}", dice.pick(NUMBERS)),
                _ => "\"task\": null".to_owned(),
            };
            format!("{{\"operation\": \"{operation}\", {rest}}}").into_bytes()
        }
        3 => {
            let inner = object(dice, 3);
            let inner = inner.trim_start_matches('{');
            format!("{{\"operation\": \"{operation}\"{}{inner}", if inner == "}" { "" } else { ", " }).into_bytes()
        }
        4 => object(dice, 4).into_bytes(),
        5 => value(dice, 4).into_bytes(),
        6 => {
            let mut bytes = object(dice, 3).into_bytes();
            for _ in 0..=dice.roll(4) {
                let at = dice.roll(bytes.len());
                bytes[at] = dice.roll(256) as u8;
            }
            bytes
        }
        _ => {
            let open = dice.pick(&["[", "{\"tasks\":", "{\"operation\":[", "\"", "\\", "{\"a\":{"]);
            let most = if dice.roll(50) == 0 { 20_000 } else { 20 };
            open.repeat(dice.roll(most)).into_bytes()
        }
    }
}

/// Does `work` in a thread of its own, so that a hang is a failure. The stack is one that recursion would overflow.
fn bounded(work: impl FnOnce() + Send + 'static) {
    let (sender, receiver) = mpsc::channel();
    let thread = std::thread::Builder::new().stack_size(512 * 1024).spawn(move || {
        work();
        sender.send(()).unwrap();
    });
    match receiver.recv_timeout(Duration::from_secs(300)) {
        Err(mpsc::RecvTimeoutError::Timeout) => panic!("it hangs"),
        // A panic of the thread comes out of the join.
        Ok(()) | Err(mpsc::RecvTimeoutError::Disconnected) => thread.unwrap().join().unwrap(),
    }
}

/// The memory of this process, in KiB; `None` where the system does not tell.
fn resident() -> Option<usize> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    status.lines().find_map(|line| line.strip_prefix("VmRSS:")?.trim().strip_suffix(" kB")?.parse().ok())
}

fn assert_bounded(reply: &Reply, longest: usize) {
    assert!(!reply.message.is_empty());
    let length = serde_json::to_string(reply).unwrap().chars().count();
    assert!(length < longest, "{length} characters: {}", reply.message);
}

#[test]
fn a_hundred_thousand_calls_are_read_without_a_panic() {
    bounded(|| {
        let mut dice = Dice(4);
        let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
        let mut early = None;
        for number in 0..100_000 {
            let bytes = request(&mut dice);
            match Request::parse(&bytes) {
                Ok(request) => *seen.entry(request.operation().as_str()).or_default() += 1,
                Err(error) => {
                    *seen.entry(error.code()).or_default() += 1;
                    assert_bounded(&Reply::from(&error), LONGEST);
                }
            }
            if number == 20_000 {
                early = resident();
            }
        }
        // The calls are of every kind, and many of them are right.
        for kind in [
            "init design",
            "init checklist",
            "import",
            "add_tasks",
            "start",
            "complete",
            "skip",
            "fail",
            "view",
            "bad-arguments",
            "unknown-operation",
            "unknown-argument",
            "missing-argument",
            "invalid-argument",
            "design-with-tasks",
            "no-tasks-given",
            "import-with-arguments",
            "task-twice",
        ] {
            assert!(seen.get(kind).is_some_and(|count| *count > 5), "{kind}: {seen:?}");
        }
        match (early, resident()) {
            (Some(early), Some(late)) => assert!(late < early + 16 * 1024, "from {early} to {late} KiB"),
            _ => println!("SKIPPED: whether memory stays flat, for the system does not tell"),
        }
    });
}

#[test]
fn thousands_of_calls_of_one_session_are_answered_in_bounded_texts() {
    bounded(|| {
        let mut dice = Dice(5);
        let world = World::in_memory();
        let (mut codes, mut early) = (BTreeMap::new(), None);
        for number in 0..4_000 {
            // A person ends what would go on for ever.
            if number % 100 == 0 {
                drop(world.load().discard().wait().unwrap());
            } else if number % 100 == 50 && world.state() == "NoPlan" {
                drop(world.load().enter().wait().unwrap());
            }
            let reply = match Request::parse(&request(&mut dice)) {
                // Only files of this test are imported.
                Ok(Request::Import(_)) => continue,
                Ok(request) => world.session().answer(request).wait(),
                Err(error) => Reply::from(&error),
            };
            assert_bounded(&reply, LONGEST);
            *codes.entry(reply.code).or_insert(0_usize) += 1;
            if number == 1_000 {
                early = resident();
            }
        }
        assert!(codes.len() >= 18, "{codes:?}");
        match (early, resident()) {
            (Some(early), Some(late)) => assert!(late < early + 16 * 1024, "from {early} to {late} KiB"),
            _ => println!("SKIPPED: whether memory stays flat, for the system does not tell"),
        }
    });
}

#[test]
fn a_plan_of_any_size_is_answered_in_bounded_texts() {
    let long = "\"x".repeat(3_000);
    let task = |order: usize| {
        let status = match order % 4 {
            0 => json!("InProgress"),
            1 => json!("Failed"),
            2 => json!({"Blocked": long}),
            _ => json!("Pending"),
        };
        let title = if order < 60 { &long } else { "t" };
        json!({"order": order, "title": title, "description": "d", "status": status, "dependencies": [order % 50 + 1, 99999]})
    };
    let tasks: Vec<Value> = (1..=300).map(task).collect();
    let world = World::in_memory();
    let record = json!({"title": long, "status": "Active", "project_dir": long, "tasks": tasks});
    world.lay("session", "json", record.to_string());
    for call in [
        r#"{"operation": "status"}"#,
        r#"{"operation": "status", "page": 2}"#,
        r#"{"operation": "status", "page": 18446744073709551615}"#,
        r#"{"operation": "start", "task": 1}"#,
        r#"{"operation": "start", "task": 2}"#,
        r#"{"operation": "start"}"#,
        r#"{"operation": "complete"}"#,
        r#"{"operation": "complete", "task": 4}"#,
        r#"{"operation": "fail", "task": 8}"#,
        r#"{"operation": "skip", "task": 12}"#,
        r#"{"operation": "add_task", "title": "t", "description": "d", "dependencies": [1]}"#,
        r#"{"operation": "init", "title": "t"}"#,
    ] {
        let reply = world.session().answer(Request::parse(call.as_bytes()).unwrap()).wait();
        assert_bounded(&reply, LONGEST_OF_OLDER);
    }

    let other_world = World::in_memory();
    // A path of any length comes back in part.
    let call = |call: Value| other_world.session().answer(Request::parse(call.to_string().as_bytes()).unwrap()).wait();
    assert_bounded(&call(json!({"operation": "init", "file_path": "x".repeat(1_000_000)})), LONGEST);
    // So do the longest titles that a caller can give.
    let title = "\"".repeat(200);
    let tasks = vec![json!({"title": title, "description": "d"}); 60];
    assert_bounded(&call(json!({"operation": "init", "title": title, "tasks": tasks})), LONGEST);
    for task in 1..=6 {
        assert_bounded(&call(json!({"operation": "start", "task": task})), LONGEST);
    }
    assert_bounded(&call(json!({"operation": "complete"})), LONGEST);
    assert_bounded(&call(json!({"operation": "status"})), LONGEST);
}
