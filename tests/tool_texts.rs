//! Every answer of the plan tool, whole: each operation in each state, done and refused, against `tests/fixtures/tool-texts.txt`.
//!
//! `PLANGATE_BLESS=1` writes that file anew. A session's texts are those of a root folder called `ROOT`.

mod support;

use std::fmt::Write as _;
use std::time::Duration;

use camino::{Utf8Path, Utf8PathBuf};
use plangate::Engine;
use plangate::model::{Asked, Caller, Origin};
use plangate::tool::{Reply, Request};
use pretty_assertions::assert_eq;
use serde_json::{Value, json};
use support::{SESSION, World};

/// One answer, under the name of what led to it.
struct Answer {
    name: String,
    reply: Reply,
}

/// The answers of one run.
#[derive(Default)]
struct Texts(Vec<(Answer, String)>);

impl Texts {
    fn add(&mut self, world: &World, name: impl Into<String>, reply: Reply) {
        let fixtures = Utf8Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
        let text = reply.message.replace(world.root().as_str(), "ROOT").replace(fixtures.as_str(), "FIXTURES");
        self.0.push((Answer { name: name.into(), reply }, text));
    }

    /// All of them, as the file has them.
    fn whole(&self) -> String {
        let mut whole = String::new();
        for (Answer { name, reply }, text) in &self.0 {
            let mark = if reply.ok { "" } else { " (refused)" };
            let _ = write!(whole, "== {name}\n{}{mark}\n{text}\n\n", reply.code);
        }
        whole
    }
}

fn ask(world: &World, call: &Value) -> Reply {
    ask_as(world, Caller::INTERACTIVE, call)
}

fn ask_as(world: &World, caller: Caller, call: &Value) -> Reply {
    match Request::parse(call.to_string().as_bytes()) {
        Ok(request) => world.session().with_caller(caller).answer(request).wait(),
        Err(error) => Reply::from(&error),
    }
}

fn fixture(name: &str) -> Utf8PathBuf {
    Utf8Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/imports").join(name)
}

fn design() -> Value {
    json!({"operation": "init", "title": "Swap the cache"})
}

fn task(title: &str, dependencies: &[u64]) -> Value {
    json!({"title": title, "description": "d", "dependencies": dependencies})
}

fn checklist() -> Value {
    json!({"operation": "init", "title": "Swap the cache", "tasks": [task("Measure", &[]), task("Swap", &[1]), task("Announce", &[])]})
}

fn import(name: &str) -> Value {
    json!({"operation": "init", "file_path": fixture(name)})
}

/// Every operation once, as a call that each state can answer.
fn operations() -> Vec<(&'static str, Value)> {
    vec![
        ("init design", design()),
        ("init checklist", checklist()),
        ("init import", import("outline.md")),
        ("add_tasks", json!({"operation": "add_tasks", "tasks": [task("New", &[])]})),
        ("add_task", json!({"operation": "add_task", "title": "New", "description": "d"})),
        ("start", json!({"operation": "start"})),
        ("complete", json!({"operation": "complete"})),
        ("skip", json!({"operation": "skip"})),
        ("fail", json!({"operation": "fail"})),
        ("status", json!({"operation": "status"})),
    ]
}

/// A world in a state.
type State = (&'static str, fn() -> World);

fn worlds() -> Vec<State> {
    fn world(make: impl FnOnce(&World)) -> World {
        let world = World::in_memory();
        make(&world);
        world
    }
    vec![
        ("NoPlan", || world(|_| ())),
        ("PreInit", || world(|world| drop(world.pre_init()))),
        ("Editing, a fresh outline", || world(|world| drop(world.editing()))),
        ("Editing, complete", || world(|world| drop(world.designed()))),
        ("Editing, no .md", || {
            world(|world| {
                drop(world.editing());
                std::fs::remove_file(world.live("md")).unwrap();
            })
        }),
        ("Editing, the .md is not UTF-8", || {
            world(|world| {
                drop(world.editing());
                std::fs::write(world.live("md"), b"# a\xff").unwrap();
            })
        }),
        ("Active, approved, no tasks", || world(|world| drop(world.approved()))),
        ("Active, nothing started", || world(|world| drop(ask(world, &checklist())))),
        ("Active, one started", || {
            world(|world| {
                ask(world, &checklist());
                ask(world, &json!({"operation": "start"}));
            })
        }),
        ("Active, two started", || {
            world(|world| {
                ask(world, &checklist());
                ask(world, &json!({"operation": "start", "task": 1}));
                ask(world, &json!({"operation": "start", "task": 3}));
            })
        }),
        ("Active, one failed and nothing ready", || {
            world(|world| {
                ask(world, &checklist());
                ask(world, &json!({"operation": "skip", "task": 3}));
                ask(world, &json!({"operation": "start"}));
                ask(world, &json!({"operation": "fail"}));
            })
        }),
        ("Active, the last one started", || {
            world(|world| {
                ask(world, &json!({"operation": "init", "title": "T", "tasks": [task("Only", &[])]}));
                ask(world, &json!({"operation": "start"}));
            })
        }),
        ("Active, all ended in an older file", || {
            world(|world| {
                let tasks = json!([{"title": "Only", "description": "d", "status": "Completed"}]);
                world.lay("session", "json", json!({"title": "T", "status": "Active", "tasks": tasks}).to_string());
            })
        }),
        ("Active, nobody asked", || {
            world(|world| drop(ask_as(world, Caller::unasked(Origin::Interactive), &checklist())))
        }),
        ("damaged", || world(|world| drop(world.lay("session", "json", "{\"status\": \"Paused\"}")))),
        ("unknown", || world(|world| std::fs::create_dir_all(world.live("json")).unwrap())),
    ]
}

fn in_each_state(texts: &mut Texts) {
    for (state, make) in worlds() {
        for (operation, call) in operations() {
            let world = make();
            let reply = ask(&world, &call);
            texts.add(&world, format!("{operation} in {state}"), reply);
        }
    }
}

/// What an Active plan answers about its tasks.
fn about_tasks(texts: &mut Texts) {
    let calls = [
        ("start of a task by its number", json!({"operation": "start", "task": 3})),
        ("start of a task by the other name", json!({"operation": "start", "task_order": 3})),
        ("start of a task that waits", json!({"operation": "start", "task": 2})),
        ("start of an unknown number", json!({"operation": "start", "task": 9})),
        ("start of an unknown id", json!({"operation": "start", "task": "c0000001-1111-4111-8111-111111111111"})),
        ("complete of a task that is not started", json!({"operation": "complete", "task": 1})),
        ("complete as failed, by an older caller", json!({"operation": "complete", "action": "fail"})),
        ("fail of a task that is not started", json!({"operation": "fail", "task": 1})),
        ("skip of a task by its number", json!({"operation": "skip", "task": 1})),
        ("skip of an unknown number", json!({"operation": "skip", "task": 9})),
        ("add_tasks of two", json!({"operation": "add_tasks", "tasks": [task("New", &[1]), task("Newer", &[4])]})),
        ("add_tasks with an unknown dependency", json!({"operation": "add_tasks", "tasks": [task("New", &[9])]})),
        ("add_tasks with itself as dependency", json!({"operation": "add_tasks", "tasks": [task("New", &[4])]})),
        ("add_tasks in a circle", json!({"operation": "add_tasks", "tasks": [task("New", &[5]), task("Newer", &[4])]})),
        ("status of a page", json!({"operation": "status", "page": 7})),
    ];
    for (name, call) in calls {
        let world = World::in_memory();
        ask(&world, &checklist());
        let reply = ask(&world, &call);
        texts.add(&world, name, reply);
    }
    let world = World::in_memory();
    ask(&world, &checklist());
    ask(&world, &json!({"operation": "skip", "task": 3}));
    for (name, call) in [
        ("start of a skipped task", json!({"operation": "start", "task": 3})),
        ("complete of a skipped task", json!({"operation": "complete", "task": 3})),
        ("fail of a skipped task", json!({"operation": "fail", "task": 3})),
        ("skip of a skipped task", json!({"operation": "skip", "task": 3})),
        ("start of a task", json!({"operation": "start"})),
        ("start of a task that is started", json!({"operation": "start"})),
        ("complete with another one ready", json!({"operation": "complete", "output": "read"})),
        ("start of the last task", json!({"operation": "start"})),
        ("fail of the last task", json!({"operation": "fail", "output": "no"})),
        ("start of a failed task", json!({"operation": "start", "task": 2})),
        ("complete of the last task", json!({"operation": "complete"})),
        ("start after the end", json!({"operation": "start"})),
    ] {
        let reply = ask(&world, &call);
        texts.add(&world, name, reply);
    }
    let world = World::in_memory();
    ask(&world, &json!({"operation": "init", "title": "T", "tasks": [task("Only", &[])]}));
    let reply = ask(&world, &json!({"operation": "skip", "task": 1}));
    texts.add(&world, "skip of the last task", reply);
    // More tasks than a text names.
    let mut many: Vec<Value> = (1..=30).map(|number| task(&format!("T{number}"), &[])).collect();
    many.push(json!({"title": "Last", "description": "d", "dependencies": (1..=30).collect::<Vec<_>>()}));
    ask(&world, &json!({"operation": "init", "title": "Many", "tasks": many}));
    let reply = ask(&world, &json!({"operation": "start", "task": 31}));
    texts.add(&world, "start of a task that waits for thirty", reply);
    let reply = ask(&world, &json!({"operation": "status", "page": 2}));
    texts.add(&world, "status of the second page", reply);
}

/// What depends on who calls.
fn about_callers(texts: &mut Texts) {
    for origin in Origin::ALL {
        for (state, enter) in [("NoPlan", false), ("PreInit", true)] {
            for (form, call) in [("design", design()), ("checklist", checklist()), ("import", import("outline.md"))] {
                let world = World::in_memory();
                if enter {
                    drop(world.pre_init());
                }
                let reply = ask_as(&world, Caller::unasked(origin), &call);
                if !reply.ok {
                    texts.add(&world, format!("init {form} in {state}, {origin}, nobody asked"), reply);
                }
            }
        }
    }
    let world = World::in_memory();
    let reply = ask_as(&world, Caller { origin: Origin::Yolo, asked: Asked::Person }, &design());
    texts.add(&world, "init design, yolo, and a person was asked", reply);
}

fn about_imports(texts: &mut Texts) {
    let mut names: Vec<String> =
        fixture("").read_dir_utf8().unwrap().map(|entry| entry.unwrap().file_name().to_owned()).collect();
    names.retain(|name| name != "README.md");
    names.extend(["there-is-none.json".to_owned(), String::new()]);
    names.sort();
    for name in names {
        let world = World::in_memory();
        let reply = ask(&world, &import(&name));
        texts.add(&world, format!("init import of {}", if name.is_empty() { "a folder" } else { &name }), reply);
    }
}

fn about_arguments(texts: &mut Texts) {
    let world = World::in_memory();
    for (name, json) in [
        ("nothing", ""),
        ("an array", "[]"),
        ("half an object", "{\"operation\": "),
        ("no JSON", "{operation: start}"),
        ("a key twice", r#"{"operation": "start", "operation": "skip"}"#),
        ("no operation", "{}"),
        ("an operation that is a number", r#"{"operation": 1}"#),
        ("an unknown operation", r#"{"operation": "strat"}"#),
        ("a person's operation", r#"{"operation": "approve"}"#),
        ("an unknown argument", r#"{"operation": "start", "taks": 1}"#),
        ("another operation's argument", r#"{"operation": "start", "output": "x"}"#),
        ("init without a title", r#"{"operation": "init"}"#),
        ("init with a title of two lines", r#"{"operation": "init", "title": "a\nb"}"#),
        ("init with a blank title", r#"{"operation": "init", "title": " "}"#),
        ("init with a title that is an array", r#"{"operation": "init", "title": []}"#),
        ("init with an unknown mode", r#"{"operation": "init", "title": "T", "mode": "desing"}"#),
        ("init of a design with tasks", r#"{"operation": "init", "title": "T", "mode": "design", "tasks": [{}]}"#),
        ("init of a checklist without tasks", r#"{"operation": "init", "title": "T", "mode": "checklist"}"#),
        ("init of an import with a title", r#"{"operation": "init", "title": "T", "file_path": "p"}"#),
        ("init of an import without a path", r#"{"operation": "init", "file_path": " "}"#),
        ("add_tasks without tasks", r#"{"operation": "add_tasks"}"#),
        ("add_tasks with an empty list", r#"{"operation": "add_tasks", "tasks": []}"#),
        ("add_tasks with an object", r#"{"operation": "add_tasks", "tasks": {}}"#),
        ("add_tasks with a string in the list", r#"{"operation": "add_tasks", "tasks": ["a"]}"#),
        ("a task without a title", r#"{"operation": "add_tasks", "tasks": [{"description": "d"}]}"#),
        ("a task without a description", r#"{"operation": "add_tasks", "tasks": [{"title": "t"}]}"#),
        ("a task with a blank description", r#"{"operation": "add_task", "title": "t", "description": ""}"#),
        ("a task with an unknown argument", r#"{"operation": "add_tasks", "tasks": [{"title": "t", "depends": 1}]}"#),
        (
            "a dependency that is no number",
            r#"{"operation": "add_task", "title": "t", "description": "d", "dependencies": ["x"]}"#,
        ),
        (
            "a dependency out of range",
            r#"{"operation": "add_task", "title": "t", "description": "d", "dependencies": [0]}"#,
        ),
        ("a task named twice", r#"{"operation": "start", "task": 1, "task_order": 1}"#),
        ("a task that is a boolean", r#"{"operation": "start", "task": true}"#),
        ("a page that is none", r#"{"operation": "status", "page": 0}"#),
        ("a page that is a string", r#"{"operation": "status", "page": "1"}"#),
        ("an unknown action", r#"{"operation": "complete", "action": "done"}"#),
        ("a reason of complete", r#"{"operation": "complete", "reason": "r"}"#),
    ] {
        let error = Request::parse(json.as_bytes()).expect_err(name);
        texts.add(&world, name, Reply::from(&error));
    }
    let long = json!({"operation": "skip", "reason": "x".repeat(5001)});
    let reply = ask(&world, &long);
    texts.add(&world, "a reason that is too long", reply);
}

/// What the disk and other processes answer.
fn about_the_disk(texts: &mut Texts) {
    let world = World::with(|builder| builder.patience(Duration::ZERO));
    ask(&world, &checklist());
    let other: Engine = world.another_engine();
    let held = other.session(world.session().id().clone()).exclusive().wait().unwrap();
    let reply = ask(&world, &json!({"operation": "start"}));
    drop(held);
    texts.add(&world, "start while another process has the lock", reply);
    let world = World::new();
    std::fs::write(world.root().join("session"), "").unwrap();
    for (operation, call) in [("init", design()), ("status", json!({"operation": "status"}))] {
        let reply = ask(&world, &call);
        texts.add(&world, format!("{operation} with a file in the place of the folder"), reply);
    }
    let world = World::new();
    std::fs::create_dir_all(world.root().join(format!("session/.opencrabs_plan_{SESSION}.md"))).unwrap();
    let reply = ask(&world, &design());
    texts.add(&world, "init with a folder in the place of the .md", reply);
}

fn all() -> Texts {
    let mut texts = Texts::default();
    in_each_state(&mut texts);
    about_tasks(&mut texts);
    about_callers(&mut texts);
    about_imports(&mut texts);
    about_arguments(&mut texts);
    about_the_disk(&mut texts);
    texts
}

/// What a step begins with.
const VERBS: &[&str] = &[
    "add", "ask", "call", "complete", "correct", "discard", "edit", "fill", "go", "leave", "load", "look", "name",
    "put", "read", "report", "save", "send", "shorten", "skip", "start", "tell", "use", "wait", "write",
];

fn begins_with_a_verb(text: &str) -> bool {
    let word = text.split(|character: char| !character.is_alphabetic()).next().unwrap_or_default().to_lowercase();
    VERBS.contains(&word.as_str())
}

/// What is wrong with the next step of a text; nothing, if its last sentence says what to do and no other begins so.
///
/// A sentence says what to do if it begins with a verb of the list, or goes on so after a colon or semicolon, or says there
/// what a person can do. "Then" goes on with the step before it.
fn fault(text: &str) -> Option<String> {
    let sentences: Vec<&str> =
        text.split(['\n']).flat_map(|line| line.split(". ")).flat_map(|part| part.split("? ")).collect();
    let (last, before) = sentences.split_last().unwrap();
    let goes_on = last.strip_prefix("Then ");
    let directs = |part: &str| begins_with_a_verb(part.strip_prefix("a person can ").unwrap_or(part));
    let after_mark = |mark| last.split(mark).skip(1).any(directs);
    if !begins_with_a_verb(goes_on.unwrap_or(last)) && !after_mark(": ") && !after_mark("; ") {
        return Some(format!("its last sentence is no step: {last}"));
    }
    let steps = before.iter().filter(|sentence| begins_with_a_verb(sentence)).count();
    let allowed = usize::from(goes_on.is_some());
    (steps > allowed).then(|| format!("it has {} steps", steps + 1))
}

fn agreed() -> Utf8PathBuf {
    Utf8Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/tool-texts.txt")
}

// spec: TOOL-1, TOOL-2, TOOL-4, TOOL-6, TASK-6, TASK-9, TASK-10, INIT-2, INIT-3, INIT-6, INIT-10, LIFE-10, REM-6
#[test]
fn every_text_is_the_one_that_was_agreed_on_and_says_what_to_do() {
    let texts = all();
    let whole = texts.whole();
    for (answer, text) in &texts.0 {
        if let Some(fault) = fault(text) {
            panic!("{}: {fault}\n{text}", answer.name);
        }
    }
    // The same mistake in the same state, in another folder: the same bytes.
    assert_eq!(all().whole(), whole);
    if std::env::var_os("PLANGATE_BLESS").is_some() {
        std::fs::write(agreed(), &whole).unwrap();
        return;
    }
    let agreed = std::fs::read_to_string(agreed()).unwrap_or_default();
    assert_eq!(whole, agreed, "PLANGATE_BLESS=1 writes the file anew; look at what has changed");
}

#[test]
fn a_text_without_one_step_is_found() {
    for text in [
        "Done. Call start.",
        "No task is ready: start one.",
        "Look around. It is there. Then wait.",
        "It is missing; write it.",
    ] {
        assert_eq!(fault(text), None, "{text}");
    }
    for text in
        ["Done.", "Call start. Call complete.", "Call start. Done.", "Then it ends.", "Call a. Call b. Then call c."]
    {
        assert!(fault(text).is_some(), "{text}");
    }
}
