//! `tool`: the `plan` tool at a prompt, clause by clause.

use pretty_assertions::assert_eq;
use serde_json::{Value, json};

use super::place::{INIT_CHECKLIST, INIT_DESIGN, Place, Ran};

const START: &str = r#"{"operation": "start"}"#;
const COMPLETE: &str = r#"{"operation": "complete"}"#;
/// A plan to import.
const FILE: &str = r#"{"title": "T", "description": "d", "tasks": [{"title": "A", "description": "a"}]}"#;

const ONE: &str = r#"{"operation": "init", "title": "T", "tasks": [{"title": "A", "description": "a"}]}"#;

/// The calls one after another: each with its exit code and its text.
#[track_caller]
fn told(place: &Place, calls: &[(&str, i32, &str)]) {
    for (arguments, exit, text) in calls {
        assert_eq!(place.a1(["tool", arguments]), Ran::told(*exit, &format!("{text}\n")), "{arguments}");
    }
}

/// The code of a refusal, which has to have changed nothing.
#[track_caller]
fn refused(place: &Place, call: &[&str]) -> String {
    let before = place.files();
    let (exit, reply) = place.a1(["tool"].into_iter().chain(call.iter().copied()).chain(["--json"])).json();
    assert_eq!((exit, &reply["ok"]), (3, &json!(false)), "{call:?}: {reply}");
    // A lock file may be there now.
    let plans = |files: Vec<(camino::Utf8PathBuf, Vec<u8>)>| {
        files.into_iter().filter(|(path, _)| path.extension() != Some("lock")).collect::<Vec<_>>()
    };
    assert!(plans(place.files()) == plans(before), "{call:?}: nothing has changed");
    reply["code"].as_str().unwrap().to_owned()
}

#[test]
fn takes_its_arguments_from_the_command_line_or_the_standard_input() {
    let place = Place::new();
    let answer = Ran::done("There is no plan. Call init first.\n");
    assert_eq!(place.a1(["tool", r#"{"operation": "status"}"#]), answer);
    let call = place.call(["tool", "-", "--session", "a1"]);
    assert_eq!(call.input(b"{\"operation\":\n \"status\"}\n").run(), answer);
    let nothing = place.call(["tool", "-", "--session", "a1"]).input(b"").run();
    assert_eq!(nothing.exit, 3);
    assert!(nothing.out.starts_with("The arguments are not one JSON object"), "{nothing:?}");
    let huge = vec![b' '; 16 * 1024 * 1024 + 1];
    let huge = place.call(["tool", "-", "--session", "a1"]).input(&huge).run();
    assert_eq!(huge, Ran::failed(2, "plangate: the standard input is larger than 16777216 bytes: send less\n"));
    let not_text = place.call(["tool", "-", "--session", "a1"]).input(b"{\"operation\": \"\xff\"}").run();
    assert_eq!((not_text.exit, not_text.err.as_str()), (3, ""));
}

// spec: TOOL-1, TOOL-2, INIT-1, INIT-7, INIT-8, TASK-7
#[test]
fn the_json_holds_the_same_as_data() {
    let place = Place::new();
    let (exit, reply) = place.a1(["tool", ONE, "--json"]).json();
    assert_eq!(exit, 0);
    assert_eq!(
        reply,
        json!({
            "ok": true,
            "code": "checklist-started",
            "message": "The plan \"T\" is Active with 1 task. Call start now.",
            "plan": {
                "session": "a1",
                "state": "Active",
                "title": "T",
                "md": "ROOT/session/.opencrabs_plan_a1.md",
                "json": "ROOT/session/.opencrabs_plan_a1.json",
                "revision": "DIGEST",
                "project_dir": "PROJECT",
                "origin": "interactive",
                "asked": "person",
                "progress": {"total": 1, "pending": 1, "in_progress": 0, "failed": 0, "blocked": 0, "completed": 0, "skipped": 0},
                "next": {"number": 1, "id": "UUID", "title": "A", "status": "Pending"},
                "tasks": {"page": 1, "pages": 1, "items": [{"number": 1, "id": "UUID", "title": "A", "status": "Pending"}]},
            },
        })
    );
    assert_eq!(
        place.a1(["tool", ONE, "--json"]).json(),
        (
            3,
            json!({
                "ok": false,
                "code": "discard-first",
                "message": "There is a live plan already, so init checklist is refused. Discard first: a person can discard the plan.",
            })
        )
    );
    assert_eq!(place.a1(["tool", START]).exit, 0);
    let (_, last) = place.a1(["tool", COMPLETE, "--json"]).json();
    assert_eq!(last["code"], "plan-archived");
    assert_eq!(last["archive"], "ROOT/session/archive/opencrabs_plan_a1-STAMP.json");
    assert_eq!(last["plan"]["state"], "NoPlan");
}

// spec: INIT-1, INIT-2, INIT-3, INIT-4, INIT-7, TOOL-2, LIFE-6
#[test]
fn the_forms_of_init() {
    let place = Place::new();
    let md = "ROOT/session/.opencrabs_plan_a1.md";
    let design = format!(
        "The plan \"Swap the cache\" is in Editing. Edit {md}: it needs {}. Then wait for a person to approve it.",
        plangate::outline::REQUIRED_PARTS
    );
    let with_tasks = |more: &str| {
        format!(r#"{{"operation": "init", "title": "T", {more} "tasks": [{{"title": "A", "description": "a"}}]}}"#)
    };
    told(
        &place,
        &[
            (
                &with_tasks(r#""mode": "design","#),
                3,
                "mode=design takes no tasks: a design is approved first. Leave tasks out, or use mode=checklist.",
            ),
            (
                r#"{"operation": "init", "title": "T", "mode": "checklist"}"#,
                3,
                "tasks must hold at least one task, each with a title and a description. Add one, or use init without tasks for a design.",
            ),
            (
                r#"{"operation": "init", "title": "T", "file_path": "plan.json"}"#,
                3,
                "file_path imports a whole plan, so title must not stand beside it. Leave title out.",
            ),
            (INIT_DESIGN, 0, &design),
            (
                INIT_DESIGN,
                3,
                "There is a live plan already, so init design is refused. Discard first: a person can discard the plan.",
            ),
        ],
    );
    assert!(std::fs::read_to_string(place.md()).unwrap().contains("# Swap the cache"));
    told(
        &Place::new(),
        &[(&with_tasks(r#""mode": "checklist","#), 0, "The plan \"T\" is Active with 1 task. Call start now.")],
    );
    told(&Place::new(), &[(&with_tasks(""), 0, "The plan \"T\" is Active with 1 task. Call start now.")]);
}

// spec: INIT-4, INIT-5, INIT-9
#[test]
fn an_import_is_taken_whole_or_not_at_all() {
    for place in [Place::new(), Place::new().entered()] {
        let state = place.a1(["status", "--json"]).json().1["state"].clone();
        for (content, code) in [
            ("", "import-malformed"),
            ("[]", "import-malformed"),
            (r#"{"title": "T", "description": "d", "tasks": []}"#, "import-empty"),
            (
                r#"{"title": "T", "description": "d", "tasks": [{"title": "A", "description": "a", "dependencies": [7]}]}"#,
                "unknown-dependency",
            ),
            (
                r#"{"title": "T", "description": "d", "tasks": [{"title": "A", "description": "a", "dependencies": [2]},
                    {"title": "B", "description": "b", "dependencies": [1]}]}"#,
                "dependency-cycle",
            ),
        ] {
            std::fs::write(place.project().join("plan.json"), content).unwrap();
            let call = r#"{"operation": "init", "file_path": "plan.json", "mode": "design"}"#;
            assert_eq!(refused(&place, &[call]), code, "{content}");
        }
        assert_eq!(refused(&place, &[r#"{"operation": "init", "file_path": "absent.json"}"#]), "import-unreadable");
        assert_eq!(place.a1(["status", "--json"]).json().1["state"], state, "it stays as it was");
        std::fs::write(place.project().join("plan.json"), FILE).unwrap();
        told(
            &place,
            &[(
                r#"{"operation": "init", "file_path": "plan.json"}"#,
                0,
                "The plan \"T\" is imported and Active with 1 task. Call start now.",
            )],
        );
        assert!(place.a1(["status", "--json"]).json().1.get("approved_at").is_none(), "nobody has approved it");
    }
}

// spec: INIT-5, LIFE-3
#[test]
fn a_plan_mode_that_was_entered_becomes_the_plan() {
    let place = Place::new().entered();
    let id = |place: &Place| -> Value {
        let record: Value = serde_json::from_slice(&std::fs::read(place.json()).unwrap()).unwrap();
        record["id"].clone()
    };
    let entered = id(&place);
    let place = place.editing();
    assert_eq!(id(&place), entered, "the design goes on in the same record");
    let place = Place::new().entered();
    let entered = id(&place);
    let place = place.active();
    assert!(id(&place) != entered);
}

// spec: LIFE-10, INIT-10, INIT-8
#[test]
fn where_nobody_is_there_a_design_is_refused_and_a_checklist_is_not() {
    for origin in ["yolo", "cron", "run", "a2a"] {
        let place = Place::new();
        let text = format!(
            "A design needs a person who approves it, and this session is {origin}. Use init with mode=checklist and tasks, or with file_path.\n"
        );
        assert_eq!(place.a1(["tool", INIT_DESIGN, "--origin", origin]), Ran::told(3, &text));
        assert_eq!(refused(&place, &[INIT_DESIGN, "--origin", origin]), "headless-design");
        let reply = place.a1(["tool", INIT_CHECKLIST, "--origin", origin, "--json"]).json().1;
        assert_eq!(
            (&reply["plan"]["state"], &reply["plan"]["origin"], &reply["plan"]["asked"]),
            (&json!("Active"), &json!(origin), &json!("nobody"))
        );

        // A person entered: their design may go on, and nothing opens the gate past them.
        let place = Place::new().entered();
        assert_eq!(refused(&place, &[INIT_CHECKLIST, "--origin", origin]), "nobody-asked");
        std::fs::write(place.project().join("plan.json"), FILE).unwrap();
        let import = r#"{"operation": "init", "file_path": "plan.json"}"#;
        assert_eq!(refused(&place, &[import, "--origin", origin]), "nobody-asked");
        assert_eq!(place.a1(["tool", INIT_DESIGN, "--origin", origin]).exit, 0);
    }
    let place = Place::new();
    assert_eq!(refused(&place, &[INIT_CHECKLIST, "--origin", "subagent"]), "subagent");
    assert_eq!(refused(&place, &[INIT_DESIGN, "--origin", "subagent"]), "subagent");

    let place = Place::new().entered();
    assert_eq!(refused(&place, &[INIT_CHECKLIST, "--asked", "nobody"]), "nobody-asked");
    assert_eq!(place.a1(["tool", INIT_CHECKLIST, "--asked", "person"]).exit, 0);
    // Under an agent nobody was asked, unless the host says so.
    let place = Place::new().entered();
    let call = ["tool", INIT_CHECKLIST, "--session", "a1", "--json"];
    assert_eq!(place.call(call).env("CLAUDECODE", "1").run().json().1["code"], "nobody-asked");
    let asked = place.call(call.into_iter().chain(["--asked", "person"])).env("CLAUDECODE", "1").run();
    assert_eq!(asked.json().1["plan"]["asked"], "person");
}

#[test]
fn an_origin_that_is_none_is_refused_with_those_that_are() {
    let place = Place::new();
    assert_eq!(
        place.a1(["tool", START, "--origin", "cronn"]),
        Ran::failed(2, "plangate: --origin \"cronn\": use one of interactive, yolo, cron, run, a2a, subagent\n")
    );
    assert_eq!(
        place.a1(["tool", START, "--asked", "me"]),
        Ran::failed(2, "plangate: --asked \"me\": use one of person, nobody\n")
    );
}

// spec: TASK-1, TASK-2, TASK-3, TASK-4, TASK-5, TOOL-3
#[test]
fn tasks_are_added_all_or_none() {
    let place = Place::new().active();
    let batch = |tasks: Value| json!({"operation": "add_tasks", "tasks": tasks}).to_string();
    for (call, code) in [
        (batch(json!([])), "no-tasks-given"),
        (batch(json!([{"title": " ", "description": "d"}])), "invalid-argument"),
        (batch(json!([{"title": "t"}])), "missing-argument"),
        (batch(json!([{"title": "t", "description": "d"}, {"title": "u", "description": ""}])), "invalid-argument"),
        (batch(json!([{"title": "t", "description": "d", "dependencies": [9]}])), "unknown-dependency"),
        (batch(json!([{"title": "t", "description": "d", "dependencies": [4]}])), "self-dependency"),
        (
            batch(json!([{"title": "t", "description": "d", "dependencies": [5]},
                         {"title": "u", "description": "d", "dependencies": [4]}])),
            "dependency-cycle",
        ),
        (json!({"operation": "add_task", "title": "t"}).to_string(), "missing-argument"),
    ] {
        assert_eq!(refused(&place, &[&call]), code, "{call}");
    }
    told(
        &place,
        &[
            (
                &batch(
                    json!([{"title": "t", "description": "d", "dependencies": [5]}, {"title": "u", "description": "d"}]),
                ),
                0,
                "Added 2 tasks; the plan is Active with 5 tasks. Call start: next is task 1 (Look).",
            ),
            (
                r#"{"operation": "add_task", "title": "v", "description": "d", "dependencies": [4]}"#,
                0,
                "Added 1 task; the plan is Active with 6 tasks. Call start: next is task 1 (Look).",
            ),
        ],
    );
}

// spec: TASK-6, TASK-7, TASK-8, TASK-9, TASK-10, LIFE-6
#[test]
fn a_checklist_is_worked_off() {
    let place = Place::new().active();
    told(
        &place,
        &[
            (COMPLETE, 3, "No task is in progress. Start one, or name the task."),
            (
                r#"{"operation": "start", "task": 2}"#,
                3,
                "Task 2 (Swap, pending) waits for task 1 (Look, pending). Complete or skip those first.",
            ),
            (r#"{"operation": "complete", "task": 1}"#, 3, "Task 1 (Look, pending) is not started. Start it first."),
            (
                r#"{"operation": "start", "task": 4}"#,
                3,
                "There is no task 4: the checklist has tasks 1 to 3. Name one of those.",
            ),
            (START, 0, "Started task 1 (Look). Call complete when it is done."),
            (
                r#"{"operation": "fail", "output": "hangs"}"#,
                0,
                "Task 1 (Look) has failed and stays open. Start it again by its number, or skip it.",
            ),
            (r#"{"operation": "start", "task_order": 1}"#, 0, "Started task 1 (Look). Call complete when it is done."),
            (COMPLETE, 0, "Completed task 1 (Look). Call start: next is task 2 (Swap)."),
            (
                r#"{"operation": "start", "task": 1}"#,
                3,
                "Task 1 (Look, completed) has ended already. Go on with another task.",
            ),
            (
                r#"{"operation": "skip", "task": 2, "reason": "r"}"#,
                0,
                "Skipped task 2 (Swap). Call start: next is task 3 (Measure).",
            ),
            (START, 0, "Started task 3 (Measure). Call complete when it is done."),
            (
                r#"{"operation": "complete", "action": "success", "output": "fine"}"#,
                0,
                "That was the last task: the plan is complete and archived as ROOT/session/archive/opencrabs_plan_a1-STAMP.json. Report to the user.",
            ),
            (START, 3, "There is no plan, so there is nothing to start. Call init first."),
        ],
    );
    assert!(!place.json().exists());
}

// spec: TOOL-4, TOOL-1
#[test]
fn a_wrong_argument_is_named_with_what_is_allowed() {
    let place = Place::new().active();
    for (call, code) in [
        ("{", "bad-arguments"),
        ("[]", "bad-arguments"),
        ("null", "bad-arguments"),
        (r#"{"operation": "begin"}"#, "unknown-operation"),
        (r#"{"operation": "approve"}"#, "unknown-operation"),
        (r#"{"operation": "start", "titel": 1}"#, "unknown-argument"),
        (r#"{"operation": "start", "task": {}}"#, "invalid-argument"),
        (r#"{"operation": "start", "task": 1, "task_order": 1}"#, "task-twice"),
        (r#"{}"#, "missing-argument"),
    ] {
        assert_eq!(refused(&place, &[call]), code, "{call}");
        assert_eq!(place.a1(["tool", call]), place.a1(["tool", call]), "the same bytes");
    }
}

// spec: TOOL-6, TASK-1, TASK-7
#[test]
fn a_checklist_operation_says_why_the_state_refuses_it() {
    let add = r#"{"operation": "add_task", "title": "t", "description": "d"}"#;
    let md = "ROOT/session/.opencrabs_plan_a1.md";
    let init_first = format!(
        "Plan mode is on and there is no plan yet, so there is nothing to start. Call init first; the .md will be {md}."
    );
    let blocked = |what: &str| {
        format!(
            "The plan is in Editing: its design is not approved, so {what} is blocked. Complete the outline in {md} and wait for a person to approve it."
        )
    };
    told(
        &Place::new(),
        &[
            (START, 3, "There is no plan, so there is nothing to start. Call init first."),
            (add, 3, "There is no plan, so there is nothing to add tasks to. Call init first."),
        ],
    );
    told(&Place::new().entered(), &[(START, 3, &init_first)]);
    told(&Place::new().editing(), &[(START, 3, &blocked("start")), (add, 3, &blocked("add_tasks"))]);
    told(
        &Place::new().approved(),
        &[
            (
                START,
                3,
                &format!(
                    "The checklist has no tasks yet. Read the steps in {md}, add them with one add_tasks call, then call start."
                ),
            ),
            (add, 0, "Added 1 task; the plan is Active with 1 task. Call start: next is task 1 (t)."),
        ],
    );
}
