//! `approve`, `discard` and `archive restore` are a person's acts: without a terminal, and where an agent's variables are
//! set, they are refused and say how a person can do it.
// spec: LIFE-8, LIFE-9, LIFE-10

use std::process::Command;

use pretty_assertions::assert_eq;
use serde_json::json;

use super::page::column;
use super::place::{Call, PROGRAM, Place, Ran};

/// Who tests may sit at a terminal: the program is run in a session that has none.
fn without_a_terminal(mut call: Call<'_>) -> Option<Call<'_>> {
    let mut detached = Command::new("setsid");
    detached.arg("--wait").arg(PROGRAM).args(call.command.get_args()).env_clear();
    detached.envs(call.command.get_envs().filter_map(|(name, value)| Some((name, value?))));
    detached.env("PATH", std::env::var_os("PATH").unwrap_or_default());
    detached.current_dir(call.command.get_current_dir().unwrap());
    call.command = detached;
    if Command::new("setsid").arg("--version").output().is_err() {
        eprintln!("SKIPPED: setsid is not installed, and without it a terminal cannot be taken away");
        return None;
    }
    Some(call)
}

/// A discarded plan in the archive: its name.
fn archived(place: &Place) -> String {
    let plangate::AnyPlan::Active(plan) = place.session().load().wait().unwrap() else { panic!() };
    let (_, receipt) = plan.discard().wait().unwrap();
    receipt.archive.unwrap().to_string()
}

#[test]
fn without_a_terminal_nothing_is_done() {
    let refused = |act: &str| {
        let text = "and there is no terminal to ask on. Run it in a terminal.";
        Ran::failed(6, &format!("plangate: only a person may {act}, {text}\n"))
    };
    let place = Place::new().designed();
    let before = place.files();
    for (command, act) in [("approve", "approve this design"), ("discard", "discard this plan")] {
        let Some(call) = without_a_terminal(place.call([command, "--session", "a1"])) else { return };
        assert_eq!(call.run(), refused(act), "{command}");
        assert!(place.files() == before, "{command}");
    }
    let place = Place::new().active();
    let name = archived(&place);
    let before = place.files();
    let restore = place.call(["archive", "restore", &name, "--session", "a1"]);
    let Some(call) = without_a_terminal(restore) else { return };
    assert_eq!(call.run(), refused("bring this plan back"));
    assert!(place.files() == before);
    let damaged = Place::new().damaged();
    let Some(call) = without_a_terminal(damaged.call(["discard", "--session", "a1"])) else { return };
    assert_eq!(call.run(), refused("discard this damaged plan"));
}

#[test]
fn under_an_agent_nothing_is_done() {
    for name in [column("agents"), column("sessions")].concat() {
        let name = name.as_str();
        let place = Place::new().designed();
        let before = place.files();
        let approve = place.call(["approve", "--session", "a1"]).env(name, "1").run();
        let text = format!(
            "only a person may approve this design, and {name} says that an agent started this program. Open a terminal of your own and run it there."
        );
        assert_eq!(approve, Ran::failed(6, &format!("plangate: {text}\n")));
        let discard = place.call(["discard", "--session", "a1", "--json"]).env(name, "1").run().json();
        assert_eq!((discard.0, &discard.1["error"]["code"]), (6, &json!("not-confirmed")));
        assert!(place.files() == before, "{name}");
    }
}

// spec: LIFE-8, LIFE-9, LIFE-11
#[test]
fn what_the_state_refuses_is_refused_before_anybody_is_asked() {
    for (state, place) in Place::each_state() {
        let approve = match state {
            "NoPlan" => {
                Ran::failed(3, "plangate: There is no plan, so there is nothing to approve. Call init first.\n")
            }
            "PreInit" => Ran::failed(
                3,
                "plangate: Plan mode is on and there is no plan yet, so there is nothing to approve. Call init first; the .md will be ROOT/session/.opencrabs_plan_a1.md.\n",
            ),
            "Editing" => Ran::failed(
                3,
                "plangate: The outline in ROOT/session/.opencrabs_plan_a1.md is not complete: `**Problem:**` is blank (line 5); `**Target state:**` is blank (line 6); `**Intent:**` is blank (line 7); `## Implementation steps` has no numbered step (line 11). Fill that in.\n",
            ),
            "Active, no tasks" => Ran::failed(
                3,
                "plangate: The plan is Active already and has no tasks yet. Read the steps in ROOT/session/.opencrabs_plan_a1.md, add them with one add_tasks call, then call start.\n",
            ),
            "Active" => Ran::failed(3, "plangate: The plan is Active already. Work off the checklist.\n"),
            "damaged" | "unknown" => Ran { exit: 4, ..place.a1(["status"]) },
            _ => continue,
        };
        assert_eq!(place.a1(["approve"]), approve, "{state}");
    }
    let place = Place::new().designed();
    std::fs::remove_file(place.md()).unwrap();
    assert_eq!(
        place.a1(["approve"]),
        Ran::failed(3, "plangate: The .md is missing. Write the outline to ROOT/session/.opencrabs_plan_a1.md.\n")
    );
}

// spec: LIFE-9
#[test]
fn without_a_plan_there_is_nothing_to_discard_and_that_is_no_error() {
    let place = Place::new();
    let text = "Session a1 has no plan, so there is nothing to discard.\n";
    assert_eq!(place.a1(["discard"]), Ran::done(text));
    assert_eq!(
        place.a1(["discard", "--json"]).json(),
        (0, json!({"session": "a1", "why": "named by --session", "discarded": false}))
    );
    let unknown = Place::new().unknown();
    assert_eq!(unknown.a1(["discard"]).exit, 4, "what cannot be told cannot be discarded");
}
