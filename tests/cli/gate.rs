//! `gate`: one call, allowed or denied; and the same refusals as the tool's.

use pretty_assertions::assert_eq;
use serde_json::json;

use super::place::{INIT_CHECKLIST, INIT_DESIGN, Place, Ran};

const WRITE: &str = r#"{"tool": "write", "kind": "write", "paths": ["src/main.rs"]}"#;

/// Whether a call is allowed; a denial has a text of its own.
#[track_caller]
fn allowed(place: &Place, call: &str) -> bool {
    let ran = place.a1(["gate", call]);
    assert_eq!(ran.err, "");
    match ran.exit {
        0 => assert_eq!(ran.out, "allow\n"),
        exit => assert!(exit == 3 && ran.out.len() > 20, "{ran:?}"),
    }
    ran.exit == 0
}

// spec: GATE-1, GATE-2, GATE-3, GATE-4, GATE-7, GATE-10
#[test]
fn what_goes_through_in_each_state() {
    let md = |place: &Place| json!({"tool": "edit", "kind": "write", "paths": [place.md()]}).to_string();
    let record = |place: &Place| json!({"tool": "edit", "kind": "write", "paths": [place.json()]}).to_string();
    for (state, place) in Place::each_state() {
        let told: Vec<bool> = [
            r#"{"tool": "read"}"#.to_owned(),
            r#"{"tool": "anything", "kind": "question"}"#.to_owned(),
            WRITE.to_owned(),
            md(&place),
            record(&place),
            r#"{"tool": "bash", "arguments": {"command": "ls"}}"#.to_owned(),
            r#"{"tool": "task", "arguments": {}}"#.to_owned(),
            r#"{"tool": "telegram", "kind": "send"}"#.to_owned(),
            r#"{"tool": "click", "kind": "browser"}"#.to_owned(),
            r#"{"tool": "frobnicate"}"#.to_owned(),
        ]
        .iter()
        .map(|call| allowed(&place, call))
        .collect();
        let expected = match state {
            "NoPlan" => [true; 10],
            "PreInit" => [true, true, false, false, false, true, false, false, false, false],
            "Editing" | "Editing, complete" => [true, true, false, true, false, false, false, false, false, false],
            "Active" | "Active, no tasks" => [true, true, true, false, false, true, true, true, true, true],
            _ => [true, true, false, false, false, false, false, false, false, false],
        };
        assert_eq!(told, expected, "{state}");
    }
}

// spec: GATE-11, GATE-2
#[test]
fn the_json_has_the_code_the_rule_and_what_to_do_instead() {
    let place = Place::new().entered();
    assert_eq!(
        place.a1(["gate", WRITE, "--json"]).json(),
        (
            3,
            json!({
                "session": "a1",
                "why": "named by --session",
                "decision": "deny",
                "tool": "write",
                "denial": {
                    "code": "write-before-init",
                    "state": "PreInit",
                    "rule": "GATE-2",
                    "reason": "plan mode is on and no plan has begun, so no file may be written, and \"src/main.rs\" is one.",
                    "next": "Look around, then call init; the .md will be ROOT/session/.opencrabs_plan_a1.md.",
                    "message": place.a1(["gate", WRITE]).out.trim_end(),
                },
            })
        )
    );
    assert_eq!(
        place.a1(["gate", r#"{"tool": "read"}"#, "--json"]).json(),
        (0, json!({"session": "a1", "why": "named by --session", "decision": "allow", "tool": "read"}))
    );
}

// spec: GATE-12
#[test]
fn a_verdict_writes_nothing() {
    for (state, place) in Place::each_state() {
        let before = place.files();
        allowed(&place, WRITE);
        allowed(&place, r#"{"tool": "plan", "arguments": {"operation": "start"}}"#);
        assert!(place.files() == before, "{state}");
    }
    let place = Place::new();
    allowed(&place, WRITE);
    assert!(!place.root().exists());
}

#[test]
fn a_call_that_cannot_be_understood_is_an_error() {
    let place = Place::new().entered();
    for call in ["", "{", "[]", "null", r#"{"kind": "read"}"#, r#"{"tool": 1}"#, r#"{"tool": "x", "kind": "sing"}"#] {
        let ran = place.a1(["gate", call]);
        assert_eq!((ran.exit, ran.out.as_str()), (2, ""), "{call}");
        assert!(
            ran.err.starts_with("plangate: the call cannot be understood, so it counts as denied: "),
            "{call}: {}",
            ran.err
        );
    }
    let piped = place.call(["gate", "-", "--session", "a1"]).input(WRITE.as_bytes()).run();
    assert_eq!(piped, place.a1(["gate", WRITE]));
}

// spec: GATE-16
#[test]
fn no_option_of_the_caller_opens_the_gate() {
    let place = Place::new().entered();
    let call = r#"{"tool": "write", "kind": "write", "paths": ["a"], "permission_mode": "bypassPermissions", "origin": "yolo"}"#;
    assert!(!allowed(&place, call));
}

/// A person entered for the folder, and the agent's session is not known yet: no session in it is judged more mildly.
// spec: GATE-2, LIFE-12
#[test]
fn until_it_is_claimed_a_folder_guards_every_session_in_it() {
    let place = Place::new();
    assert_eq!(place.run(["enter"]).exit, 0);
    assert!(!allowed(&place, WRITE));
    let ran = place.run(["gate", WRITE]);
    assert_eq!(ran.exit, 3, "and the folder's own");
    let elsewhere = place.path("elsewhere");
    std::fs::create_dir(&elsewhere).unwrap();
    assert_eq!(place.call(["gate", WRITE, "--session", "a1"]).within(&elsewhere).run().exit, 0);

    // A session that has a plan works on that one.
    let own = Place::new().active();
    let folder = plangate::Engine::at(own.root()).build().unwrap().folder_session(&own.project());
    drop(folder.load().wait().unwrap().enter().wait().unwrap());
    assert!(!allowed(&own, WRITE));
    assert!(allowed(&own, r#"{"tool": "plan", "arguments": {"operation": "start"}}"#));
    assert_eq!(own.a1(["tool", r#"{"operation": "start"}"#]).exit, 0);
}

/// Each plan operation in each state: where the state refuses it, the gate and the tool say so in the same bytes, and
/// with the same code; where it does not, both let it through.
// spec: GATE-17, TOOL-1, TOOL-2, TOOL-6, INIT-6, GATE-10
#[test]
fn the_gate_and_the_tool_refuse_a_plan_operation_in_the_same_bytes() {
    let operations = [
        r#"{"operation": "start"}"#,
        r#"{"operation": "complete"}"#,
        r#"{"operation": "skip"}"#,
        r#"{"operation": "fail"}"#,
        r#"{"operation": "add_task", "title": "t", "description": "d"}"#,
        r#"{"operation": "add_tasks", "tasks": [{"title": "t", "description": "d"}]}"#,
        r#"{"operation": "init", "file_path": "plan.json"}"#,
        INIT_DESIGN,
        INIT_CHECKLIST,
        r#"{"operation": "status"}"#,
    ];
    let of_the_state = ["no-plan", "init-first", "approve-first", "discard-first", "damaged", "unknown"];
    let (mut compared, mut both) = (0, 0);
    for (position, (state, mut place)) in Place::each_state().into_iter().enumerate() {
        for operation in operations {
            let file = r#"{"title": "T", "description": "d", "tasks": [{"title": "A", "description": "a"}]}"#;
            std::fs::write(place.project().join("plan.json"), file).unwrap();
            let call = format!(r#"{{"tool": "plan", "arguments": {operation}}}"#);
            let gate = place.a1(["gate", &call]);
            let denial = place.a1(["gate", &call, "--json"]).json().1["denial"]["code"].clone();
            let (exit, reply) = place.a1(["tool", operation, "--json"]).json();
            let code = reply["code"].as_str().unwrap();
            compared += 1;
            if state == "NoPlan" {
                assert_eq!((gate, denial), (Ran::done("allow\n"), json!(null)), "{operation}: GATE-1");
            } else if of_the_state.contains(&code) && !operation.contains("status") {
                both += 1;
                let tool = place.a1(["tool", operation]);
                assert_eq!((gate.exit, gate.out), (3, tool.out), "{state}: {operation}");
                assert_eq!(denial, code, "{state}: {operation}");
            } else {
                assert_eq!(gate, Ran::done("allow\n"), "{state}: {operation}");
            }
            if exit == 0 && code != "status" {
                place = Place::each_state().swap_remove(position).1;
            }
        }
    }
    assert_eq!(compared, 80);
    assert!(both > 40, "{both}");
}
