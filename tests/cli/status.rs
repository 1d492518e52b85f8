//! `status`, and what `status --json` holds of a plan.
// spec: LIFE-12, LEG-7, INIT-10

use pretty_assertions::assert_eq;
use serde_json::json;

use super::place::{Place, Ran};

// spec: LIFE-1, LIFE-12, DISK-12
#[test]
fn tells_the_state_and_the_next_step() {
    let expected = [
        Ran::done("No plan\nEnter plan mode with `plangate enter`.\n"),
        Ran::done(
            "Plan mode is on — PreInit\nThe agent looks around and calls init. The design will be in\nROOT/session/.opencrabs_plan_a1.md\n",
        ),
        Ran::done(
            "Swap the cache — Editing\nThe design is in ROOT/session/.opencrabs_plan_a1.md\nThe outline is not complete. See `plangate check`.\n",
        ),
        Ran::done(
            "Swap the cache — Editing\nThe design is in ROOT/session/.opencrabs_plan_a1.md\nThe outline is complete. Read it with `plangate show`, then `plangate approve`.\n",
        ),
        Ran::done(
            "Swap the cache — Active\nApproved by ada through test at TIME.\nThe checklist has no tasks yet: the agent adds the steps of the design.\n",
        ),
        Ran::done("Swap the cache — Active\n0 of 3 tasks have ended.\nNext: 1. Look\n"),
        Ran::failed(
            4,
            "plangate: ROOT/session/.opencrabs_plan_a1.json is damaged: line 6, column 13, status: the status \"Acitve\" is not known; known are Editing, Active, Draft, PendingApproval, Rejected, Approved, InProgress, Completed, Cancelled. It was left as it is. Ask a person to discard it, which moves it to the archive.\n",
        ),
        Ran::failed(
            4,
            "plangate: The state of this session is unknown: `ROOT/session/.opencrabs_plan_a1.json` is a folder, not a regular file; look at who put it there and move it away.\n",
        ),
    ];
    for ((state, place), mut expected) in Place::each_state().into_iter().zip(expected) {
        if expected.exit == 0 {
            expected.out.insert_str(0, "session a1 (named by --session)\n");
        }
        let before = place.files();
        assert_eq!(place.a1(["status"]), expected, "{state}");
        assert!(place.files() == before, "{state}: `status` writes nothing");
    }
}

#[test]
fn the_json_says_what_there_is() {
    let place = Place::new();
    assert_eq!(
        place.a1(["status", "--json"]).json(),
        (
            0,
            json!({
                "why": "named by --session",
                "session": "a1",
                "state": "NoPlan",
                "md": "ROOT/session/.opencrabs_plan_a1.md",
                "json": "ROOT/session/.opencrabs_plan_a1.json",
            })
        )
    );
    let place = Place::new().editing();
    assert_eq!(
        place.a1(["status", "--json"]).json().1,
        json!({
            "why": "named by --session",
            "session": "a1",
            "state": "Editing",
            "title": "Swap the cache",
            "md": "ROOT/session/.opencrabs_plan_a1.md",
            "json": "ROOT/session/.opencrabs_plan_a1.json",
            "revision": "DIGEST",
            "md_digest": "DIGEST",
            "project_dir": "PROJECT",
            "origin": "interactive",
            "asked": "person",
            "missing": [
                {"what": "`**Problem:**` is blank (line 5)", "line": 5},
                {"what": "`**Target state:**` is blank (line 6)", "line": 6},
                {"what": "`**Intent:**` is blank (line 7)", "line": 7},
                {"what": "`## Implementation steps` has no numbered step (line 11)", "line": 11},
            ],
            "steps": 0,
            "warnings": [
                "`**Problem:**` is blank (line 5)",
                "`**Target state:**` is blank (line 6)",
                "`**Intent:**` is blank (line 7)",
                "`## Implementation steps` has no numbered step (line 11)",
            ],
        })
    );
    let place = Place::new().approved();
    let approved = place.a1(["status", "--json"]).json().1;
    assert_eq!(
        approved["approval"],
        json!({"by": "ada", "via": "test", "at": "TIME", "digest": "DIGEST", "guarded": true})
    );
    assert_eq!((&approved["state"], &approved["approved_at"]), (&json!("Active"), &json!("TIME")));
    assert_eq!(approved["progress"]["total"], 0);
}

#[test]
fn the_json_of_a_checklist_is_bounded_and_paged() {
    let place = Place::new().active();
    assert_eq!(place.a1(["tool", r#"{"operation": "start"}"#]).exit, 0);
    let look = json!({"number": 1, "id": "UUID", "title": "Look", "status": "InProgress"});
    let swap =
        json!({"number": 2, "id": "UUID", "title": "Swap", "status": "Pending", "waits_for": [1], "criteria": 1});
    let measure = json!({"number": 3, "id": "UUID", "title": "Measure", "status": "Pending", "waits_for": [2]});
    assert_eq!(
        place.a1(["status", "--json"]).json().1,
        json!({
            "why": "named by --session",
            "session": "a1",
            "state": "Active",
            "title": "Swap the cache",
            "md": "ROOT/session/.opencrabs_plan_a1.md",
            "json": "ROOT/session/.opencrabs_plan_a1.json",
            "revision": "DIGEST",
            "project_dir": "PROJECT",
            "origin": "interactive",
            "asked": "person",
            "progress":
                {"total": 3, "pending": 2, "in_progress": 1, "failed": 0, "blocked": 0, "completed": 0, "skipped": 0},
            "current": [look],
            "tasks": {"page": 1, "pages": 1, "items": [look, swap, measure]},
        })
    );
    let tasks: Vec<_> = (0..30).map(|n| json!({"title": format!("t{n}"), "description": "d"})).collect();
    assert_eq!(place.a1(["tool", &json!({"operation": "add_tasks", "tasks": tasks}).to_string()]).exit, 0);
    let page = |number: &str| {
        let status = place.a1(["status", "--json", "--page", number]).json().1;
        (status["tasks"]["page"].clone(), status["tasks"]["pages"].clone(), status["tasks"]["items"].clone())
    };
    let (number, pages, items) = page("2");
    assert_eq!((number, pages, items.as_array().unwrap().len()), (json!(2), json!(2), 13));
    assert_eq!(page("99").0, json!(2), "the last page there is");
}

// spec: DISK-12
#[test]
fn an_error_is_one_json_value_too() {
    let place = Place::new().damaged();
    let (exit, error) = place.a1(["status", "--json"]).json();
    assert_eq!((exit, &error["error"]["code"]), (4, &json!("damaged")));
    assert!(error["error"]["message"].as_str().unwrap().contains("ROOT/session/.opencrabs_plan_a1.json"), "{error}");
}

// spec: INIT-10
#[test]
fn a_plan_that_nobody_was_asked_about_says_so() {
    let place = Place::new();
    let init = ["tool", super::place::INIT_CHECKLIST, "--asked", "nobody"];
    assert_eq!(place.a1(init).exit, 0);
    assert_eq!(place.a1(["status", "--json"]).json().1["asked"], "nobody");
    let told = place.a1(["status"]).out;
    assert!(told.contains("Nobody was asked when this plan began.\n"), "{told}");
}
