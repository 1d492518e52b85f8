//! The `plan` tool: its arguments, its texts, and what it does, call by call.

use camino::Utf8PathBuf;
use plangate::tool::{Reply, Request, RequestError};
use plangate::{Engine, Session, SessionId};
use pretty_assertions::assert_eq;

struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    fn session(&self) -> Session {
        let root = Utf8PathBuf::from_path_buf(self.folder.path().to_owned()).unwrap();
        Engine::at(root).build().unwrap().session(SessionId::new("s1").unwrap())
    }

    fn call(&self, json: &str) -> Reply {
        match Request::parse(json.as_bytes()) {
            Ok(request) => self.session().answer(request).wait(),
            Err(error) => Reply::from(&error),
        }
    }

    fn text(&self, json: &str) -> String {
        self.call(json).message.replace(self.folder.path().to_str().unwrap(), "ROOT")
    }
}

fn error(json: &str) -> RequestError {
    Request::parse(json.as_bytes()).expect_err(json)
}

// spec: TOOL-2, INIT-1, INIT-7
#[test]
fn a_design_tells_where_to_write_and_what_to_wait_for() {
    let place = Place::new();
    assert_eq!(
        place.text(r#"{"operation": "init", "title": "Swap the cache"}"#),
        format!(
            "The plan \"Swap the cache\" is in Editing. Edit ROOT/session/.opencrabs_plan_s1.md: it needs {}. Then wait for a person to approve it.",
            plangate::outline::REQUIRED_PARTS
        )
    );
    let refused = place.call(r#"{"operation": "init", "title": "Again"}"#);
    assert_eq!((refused.ok, refused.code), (false, "discard-first"));
    assert!(refused.message.contains("Discard first"), "{}", refused.message);
    for operation in ["start", "complete", "skip", "fail"] {
        assert_eq!(place.call(&format!(r#"{{"operation": "{operation}"}}"#)).code, "approve-first");
    }
    assert_eq!(place.call(r#"{"operation": "add_task", "title": "t", "description": "d"}"#).code, "approve-first");
}

// spec: TOOL-2, TOOL-1, INIT-1, INIT-8, TASK-1, TASK-2, TASK-8
#[test]
fn a_checklist_is_worked_off_call_by_call() {
    let place = Place::new();
    let init = r#"{"operation": "init", "title": "T", "tasks": [{"title": "A", "description": "a"}]}"#;
    assert_eq!(place.text(init), "The plan \"T\" is Active with 1 task. Call start now.");
    let flat = r#"{"operation": "add_task", "title": "B", "description": "b", "dependencies": [1]}"#;
    assert_eq!(place.text(flat), "Added 1 task; the plan is Active with 2 tasks. Call start: next is task 1 (A).");
    assert_eq!(place.text(r#"{"operation": "start"}"#), "Started task 1 (A). Call complete when it is done.");
    assert_eq!(place.text(r#"{"operation": "start"}"#), "Started task 1 (A). Call complete when it is done.");
    assert_eq!(
        place.text(r#"{"operation": "start", "task": 2}"#),
        "Task 2 (B, pending) waits for task 1 (A, in progress). Complete or skip those first."
    );
    assert_eq!(place.text(r#"{"operation": "complete"}"#), "Completed task 1 (A). Call start: next is task 2 (B).");
    let last = place.call(r#"{"operation": "skip", "task_order": 2, "reason": "not needed"}"#);
    assert_eq!(last.code, "plan-archived");
    assert!(std::path::Path::new(&last.archive.unwrap()).exists());
    assert_eq!(place.text(r#"{"operation": "status"}"#), "There is no plan. Call init first.");
}

// spec: TOOL-6, TASK-7
#[test]
fn without_a_plan_the_answer_is_init_first() {
    let place = Place::new();
    let none = place.call(r#"{"operation": "start"}"#);
    assert_eq!(none.code, "no-plan");
    drop(place.session().load().wait().unwrap().enter().wait().unwrap());
    let entered = place.call(r#"{"operation": "start"}"#);
    assert_eq!(entered.code, "init-first");
    assert!(none.message != entered.message && none.message.contains("init"), "{}", none.message);
}

// spec: INIT-2, INIT-3, INIT-4, TOOL-2
#[test]
fn the_forms_of_init_are_told_apart() {
    let tasks = r#""tasks": [{"title": "A", "description": "a"}]"#;
    assert_eq!(
        error(&format!(r#"{{"operation": "init", "title": "T", "mode": "design", {tasks}}}"#)).code(),
        "design-with-tasks"
    );
    assert_eq!(
        error(r#"{"operation": "init", "title": "T", "mode": "checklist", "tasks": []}"#).code(),
        "no-tasks-given"
    );
    assert_eq!(error(r#"{"operation": "init", "title": "T", "mode": "checklist"}"#).code(), "no-tasks-given");
    for beside in [r#""title": "T""#, r#""description": "d""#, tasks] {
        assert_eq!(
            error(&format!(r#"{{"operation": "init", "file_path": "p", {beside}}}"#)).code(),
            "import-with-arguments"
        );
    }
    let import = Request::parse(br#"{"operation": "init", "file_path": "p", "mode": "design"}"#).unwrap();
    assert_eq!(import.operation(), plangate::plan::Operation::Import, "the mode is ignored");
    let empty = Request::parse(br#"{"operation": "init", "title": "T", "tasks": [ ]}"#).unwrap();
    assert_eq!(empty.operation(), plangate::plan::Operation::InitDesign);
}

// spec: TOOL-4
#[test]
fn an_error_names_the_argument_what_came_and_what_is_allowed() {
    for (json, text) in [
        (
            r#"{"operation": "strat"}"#,
            "There is no operation \"strat\". Did you mean start? Use one of: add_tasks, add_task, init, start, complete, skip, fail, status.",
        ),
        (
            r#"{"operation": "start", "taks": 1}"#,
            "There is no argument \"taks\" for start. Did you mean task? Use one of: task, task_order.",
        ),
        (
            r#"{"operation": "start", "output": "x"}"#,
            "There is no argument \"output\" for start. Use one of: task, task_order.",
        ),
        (r#"{}"#, "operation is missing: it must be the name of an operation. Send it."),
        (
            r#"{"operation": "start", "task": "one"}"#,
            "task: \"one\" is not allowed; it must be a UUID such as a0000001-1111-4111-8111-111111111111. Send it again, corrected.",
        ),
        (
            r#"{"operation": "start", "task": 0}"#,
            "task: the number 0 is out of range; it must be a task's number, from 1. Send it again, corrected.",
        ),
        (
            r#"{"operation": "start", "task": true}"#,
            "task: this is a boolean; it must be a task's number or its id. Send it again, corrected.",
        ),
        (
            r#"{"operation": "start", "task": 1, "task_order": 1}"#,
            "task and task_order both name a task. Send one of them.",
        ),
        (r#"{"operation": "status", "page": 0}"#, "page is 0: pages count from 1. Send it again, corrected."),
        (
            r#"{"operation": "complete", "action": "done"}"#,
            "action: \"done\" is not allowed; it must be success, fail or skip. Send it again, corrected.",
        ),
        (r#"{"operation": "init"}"#, "title is missing: it must be the plan's title. Send it."),
        (
            r#"{"operation": "init", "title": "a\nb"}"#,
            "title must be one line without control characters: '\\n' is not allowed. Send it again, corrected.",
        ),
        (
            r#"{"operation": "init", "title": "T", "mode": "desing"}"#,
            "mode: \"desing\" is not allowed; it must be design or checklist. Send it again, corrected.",
        ),
        (
            r#"{"operation": "add_tasks", "tasks": {}}"#,
            "tasks: this is an object; it must be an array of tasks. Send it again, corrected.",
        ),
        (
            r#"{"operation": "add_tasks", "tasks": [{"title": "A", "description": "a"}, {"title": "B"}]}"#,
            "tasks[1].description is missing: it must be what is to be done. Send it.",
        ),
        (
            r#"{"operation": "add_tasks", "tasks": [{"title": "A", "description": " "}]}"#,
            "tasks[0].description is required: it must not be blank. Send it again, corrected.",
        ),
        (
            r#"{"operation": "add_tasks", "tasks": [{"title": "A", "description": "a", "depends": [1]}]}"#,
            "There is no argument \"tasks[0].depends\" for add_tasks. Did you mean dependencies? Use one of: title, description, acceptance_criteria, dependencies, task_type, complexity, artifacts, context, risks, test_strategy, technical_stack.",
        ),
    ] {
        assert_eq!(error(json).to_string(), text, "{json}");
    }
    for json in
        ["", "[]", "null", "{", r#"{"operation": "start", "operation": "skip"}"#, "{\"operation\": \"\\ud800\"}"]
    {
        let text = error(json).to_string();
        assert!(!text.is_empty(), "{json}");
    }
}

// spec: TOOL-5, TASK-3
#[test]
fn what_is_not_asked_for_is_kept_all_the_same() {
    let place = Place::new();
    let reply = place.call(
        r#"{"operation": "init", "title": "T", "context": "c", "risks": ["r"], "test_strategy": "s", "technical_stack": ["rust"],
            "task_type": "edit", "complexity": 4, "artifacts": ["x"],
            "tasks": [{"title": "A", "description": "a", "task_type": "spelunk", "complexity": 9, "artifacts": ["f"],
                       "context": "tc", "risks": ["tr"], "test_strategy": "ts", "technical_stack": ["go"]}]}"#,
    );
    assert!(reply.ok, "{}", reply.message);
    let record: serde_json::Value =
        serde_json::from_slice(&std::fs::read(place.session().paths().wait().unwrap().json).unwrap()).unwrap();
    assert_eq!((&record["context"], &record["risks"][0], &record["complexity"]), (&"c".into(), &"r".into(), &4.into()));
    let task = &record["tasks"][0];
    assert_eq!(
        (&task["task_type"], &task["complexity"], &task["context"]),
        (&"spelunk".into(), &5.into(), &"tc".into())
    );
    assert_eq!((&task["artifacts"][0], &task["technical_stack"][0]), (&"f".into(), &"go".into()));
}
