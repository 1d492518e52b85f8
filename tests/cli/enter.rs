//! `enter`.

use pretty_assertions::assert_eq;
use serde_json::json;

use super::place::{INIT_CHECKLIST, INIT_DESIGN, Place, Ran};

const DESIGN: &str = "The agent looks around and calls init. The design will be in\n";

// spec: LIFE-6, LIFE-7, LIFE-3
#[test]
fn enters_once_and_is_refused_beside_a_plan() {
    let md = "ROOT/session/.opencrabs_plan_a1.md";
    for (state, place) in Place::each_state() {
        let before = place.files();
        let expected = match state {
            "NoPlan" => Ran::done(&format!("Plan mode is on for session a1 (named by --session).\n{DESIGN}{md}\n")),
            "PreInit" => {
                Ran::done(&format!("Plan mode was on already for session a1 (named by --session).\n{DESIGN}{md}\n"))
            }
            "Editing" | "Editing, complete" => Ran::failed(
                3,
                &format!(
                    "plangate: Plan mode is on already and the design is being written. Go on with the outline in {md}.\n"
                ),
            ),
            "Active" | "Active, no tasks" => Ran::failed(
                3,
                "plangate: A checklist is live, so plan mode cannot be entered. Finish it, or let a person discard it.\n",
            ),
            _ => Ran { exit: 4, ..place.a1(["enter"]) },
        };
        assert_eq!(place.a1(["enter"]), expected, "{state}");
        if state != "NoPlan" {
            assert!(place.files() == before, "{state}: nothing has changed");
        }
    }
}

#[test]
fn the_json_says_whether_it_was_entered_now() {
    let place = Place::new();
    let (exit, first) = place.a1(["enter", "--json"]).json();
    assert_eq!(
        (exit, first),
        (
            0,
            json!({
                "why": "named by --session",
                "entered": true,
                "session": "a1",
                "state": "PreInit",
                "md": "ROOT/session/.opencrabs_plan_a1.md",
                "json": "ROOT/session/.opencrabs_plan_a1.json",
                "revision": "DIGEST",
                "project_dir": "PROJECT",
                "origin": "interactive",
                "asked": "person",
            })
        )
    );
    assert_eq!(place.a1(["enter", "--json"]).json().1["entered"], false);
    let refused = Place::new().active().a1(["enter", "--json"]).json();
    assert_eq!((refused.0, &refused.1["error"]["code"]), (3, &json!("plan-is-live")));
}

// spec: INIT-10
#[test]
fn an_agent_that_enters_is_no_person() {
    let place = Place::new();
    let entered = place.call(["enter", "--json"]).env("CLAUDE_CODE_SESSION_ID", "c1").run().json().1;
    assert_eq!((&entered["session"], &entered["asked"]), (&json!("c1"), &json!("nobody")));
}

/// A person does not know the agent's session: the folder is armed, and the first session that calls takes it over.
// spec: LIFE-6, LIFE-12
#[test]
fn without_a_session_the_folder_is_armed_and_the_first_call_claims_it() {
    let place = Place::new();
    let answer = format!(
        "Plan mode is on for session UUID (entered for\n\
         this folder; the first session that makes a call here takes it over).\n{DESIGN}ROOT/session/.opencrabs_plan_UUID.md\n"
    );
    assert_eq!(place.run(["enter"]), Ran::done(&answer));
    let status = place.run(["status", "--json"]).json().1;
    assert_eq!(
        (&status["state"], &status["session"], &status["why"]),
        (
            &json!("PreInit"),
            &json!("UUID"),
            &json!("entered for this folder; the first session that makes a call here takes it over")
        )
    );

    // From another folder nothing is claimed.
    let other = place.path("other");
    std::fs::create_dir(&other).unwrap();
    let elsewhere = place.call(["tool", r#"{"operation": "status"}"#, "--session", "b2"]).within(&other).run();
    assert_eq!(elsewhere, Ran::done("There is no plan. Call init first.\n"));

    assert_eq!(place.a1(["tool", INIT_DESIGN]).exit, 0);
    let status = place.run(["status", "--json"]).json().1;
    assert_eq!(
        (&status["state"], &status["session"], &status["why"]),
        (&json!("Editing"), &json!("a1"), &json!("it has the live plan of this folder"))
    );
    let second = place.call(["tool", r#"{"operation": "status"}"#, "--session", "b2"]).run();
    assert_eq!(second, Ran::done("There is no plan. Call init first.\n"), "the first one has it");
}

// spec: INIT-10, LIFE-6
#[test]
fn what_was_claimed_is_still_what_a_person_entered() {
    let place = Place::new();
    assert_eq!(place.run(["enter"]).exit, 0);
    let answer = place.a1(["tool", INIT_CHECKLIST, "--asked", "nobody", "--json"]).json();
    assert_eq!((answer.0, &answer.1["code"]), (3, &json!("nobody-asked")));
    assert_eq!(place.a1(["status", "--json"]).json().1["state"], "PreInit");
}

#[test]
fn a_session_with_a_plan_of_its_own_claims_nothing_and_the_terminal_says_so() {
    let place = Place::new();
    // An id that comes after every UUID in the list.
    assert_eq!(place.run(["tool", INIT_CHECKLIST, "--session", "z9"]).exit, 0);
    let folder = plangate::Engine::at(place.root()).build().unwrap().folder_session(&place.project());
    drop(folder.load().wait().unwrap().enter().wait().unwrap());
    assert_eq!(place.run(["tool", r#"{"operation": "start"}"#, "--session", "z9"]).exit, 0);
    assert_eq!(
        place.run(["status"]),
        Ran::failed(
            5,
            "plangate: several sessions belong to this folder: name one with --session\n  UUID  (entered for this folder; the first session that makes a call here takes it over)\n  z9  (it has the live plan of this folder)\n"
        )
    );
}
