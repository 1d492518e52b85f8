//! Which session a command is for: an option, a variable, the agent's own, the folder's live plan, a mark, the folder.
// spec: LIFE-12

use pretty_assertions::assert_eq;
use serde_json::{Value, json};

use super::page::column;
use super::place::{INIT_CHECKLIST, Place, Ran};

fn found(answer: Ran) -> (Value, Value) {
    let status = answer.json().1;
    (status["session"].clone(), status["why"].clone())
}

#[test]
fn the_option_then_the_variable_then_the_agents_own() {
    let place = Place::new();
    let call = || place.call(["status", "--json"]).env("CODEX_THREAD_ID", "codex");
    assert_eq!(found(call().run()), (json!("codex"), json!("named by CODEX_THREAD_ID")));
    assert_eq!(
        found(call().env("PLANGATE_SESSION", "mine").run()),
        (json!("mine"), json!("named by PLANGATE_SESSION"))
    );
    let mut all = call().env("PLANGATE_SESSION", "mine");
    all.command.args(["--session", "said"]);
    assert_eq!(found(all.run()), (json!("said"), json!("named by --session")));
    assert_eq!(found(call().env("PLANGATE_SESSION", "").run()).0, json!("codex"), "an empty variable says nothing");
    for name in column("sessions") {
        let answer = place.call(["status", "--json"]).env(&name, "its-own").run();
        assert_eq!(found(answer), (json!("its-own"), json!(format!("named by {name}"))));
    }
}

#[test]
fn an_id_that_is_none_is_refused_before_any_file_is_touched() {
    let place = Place::new();
    let answer = place.run(["enter", "--session", "../x"]);
    assert_eq!((answer.exit, answer.out.as_str()), (2, ""));
    assert!(answer.err.starts_with("plangate: named by --session: "), "{}", answer.err);
    let answer = place.call(["status"]).env("PLANGATE_SESSION", "a/b").run();
    assert!(answer.exit == 2 && answer.err.contains("PLANGATE_SESSION"), "{}", answer.err);
    assert_eq!(place.files(), []);
}

#[test]
fn the_one_live_plan_of_the_folder() {
    let place = Place::new().active();
    assert_eq!(found(place.run(["status", "--json"])), (json!("a1"), json!("it has the live plan of this folder")));
    let text = place.run(["status"]).out;
    assert!(text.starts_with("session a1 (it has the live plan of this folder)\nSwap the cache — Active\n"), "{text}");
    let other = place.path("other");
    std::fs::create_dir(&other).unwrap();
    let elsewhere = found(place.call(["status", "--json"]).within(&other).run());
    assert_eq!(elsewhere, (json!("UUID"), json!("no agent was seen in this folder")));
}

#[cfg(unix)]
#[test]
fn a_folder_is_the_same_by_every_name() {
    let place = Place::new().active();
    let link = place.path("link");
    std::os::unix::fs::symlink(place.project(), &link).unwrap();
    assert_eq!(found(place.call(["status", "--json"]).within(&link).run()).0, json!("a1"));
}

#[test]
fn the_session_whose_agent_was_seen_here() {
    let place = Place::new();
    place.session_called("seen").mark_present("claude").wait().unwrap();
    assert_eq!(
        found(place.run(["status", "--json"])),
        (json!("seen"), json!("its agent, claude, works in this folder"))
    );
    assert_eq!(place.run(["enter"]).exit, 0, "a person enters for the agent that is here");
    assert_eq!(place.session_called("seen").view().wait().unwrap().state_name().as_str(), "PreInit");
    // A live plan says more than a mark.
    place.session_called("other").mark_present("codex").wait().unwrap();
    assert_eq!(found(place.run(["status", "--json"])).0, json!("seen"));
}

#[test]
fn several_are_listed_and_one_has_to_be_named() {
    let place = Place::new();
    for id in ["one", "two"] {
        assert_eq!(place.run(["tool", INIT_CHECKLIST, "--session", id]).exit, 0);
    }
    let text = "several sessions belong to this folder: name one with --session";
    for command in ["status", "show", "check", "enter", "approve", "discard"] {
        assert_eq!(
            place.run([command]),
            Ran::failed(
                5,
                &format!(
                    "plangate: {text}\n  one  (it has the live plan of this folder)\n  two  (it has the live plan of this folder)\n"
                )
            ),
            "{command}"
        );
    }
    assert_eq!(
        place.run(["status", "--json"]).json(),
        (
            5,
            json!({"error": {"code": "several-sessions", "message": text, "choices":
                ["one  (it has the live plan of this folder)", "two  (it has the live plan of this folder)"]}})
        )
    );
    assert_eq!(found(place.run(["status", "--json", "--session", "two"])).0, json!("two"));
    let marks = Place::new();
    for id in ["one", "two"] {
        marks.session_called(id).mark_present("claude").wait().unwrap();
    }
    assert_eq!(marks.run(["status"]).exit, 5);
}

// spec: DISK-12
#[test]
fn a_plan_that_cannot_be_read_is_never_passed_over_in_silence() {
    let place = Place::new().damaged();
    let answer = place.run(["status"]);
    assert_eq!(
        answer,
        Ran::done(
            "session UUID (no agent was seen in this folder;\n\
             1 plan cannot be read and may belong here: see `plangate list`)\nNo plan\nEnter plan mode with `plangate enter`.\n"
        )
    );
}

#[test]
fn a_named_session_needs_no_look_at_the_others() {
    let place = Place::new().active();
    // A look at all sessions fails on this.
    std::fs::write(place.root().join("projects"), "no folder").unwrap();
    assert_eq!(place.run(["status"]).exit, 1);
    for reading in [["status", "--json"], ["show", "--json"]] {
        assert_eq!(place.a1(reading).exit, 0, "{reading:?}");
    }
    assert_eq!(place.a1(["gate", r#"{"tool": "read"}"#]).exit, 0);
    assert_eq!(place.a1(["tool", r#"{"operation": "start"}"#]).exit, 0);
}
