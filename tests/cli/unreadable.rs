//! A plan that is damaged or cannot be read: every command says which file, exits with 4 and leaves the bytes alone.
// spec: DISK-12, GATE-10

use pretty_assertions::assert_eq;
use serde_json::json;

use super::place::{INIT_CHECKLIST, INIT_DESIGN, Place};

#[test]
fn every_command_names_the_file_and_changes_nothing() {
    for (state, place) in [("damaged", Place::new().damaged()), ("unknown", Place::new().unknown())] {
        let before = place.files();
        for command in [
            &["status"][..],
            &["show"],
            &["check"],
            &["enter"],
            &["approve"],
            &["tool", r#"{"operation": "status"}"#],
            &["tool", r#"{"operation": "start"}"#],
            &["tool", INIT_DESIGN],
            &["tool", INIT_CHECKLIST],
        ] {
            let ran = place.a1(command.iter().copied());
            assert_eq!(ran.exit, 4, "{state}: {command:?}: {ran:?}");
            assert!(
                ran.out.clone() + &ran.err != ""
                    && (ran.out + &ran.err).contains("ROOT/session/.opencrabs_plan_a1.json")
            );
            let (exit, answer) = place.a1(command.iter().copied().chain(["--json"])).json();
            let code = if command[0] == "tool" { &answer["code"] } else { &answer["error"]["code"] };
            assert_eq!((exit, code), (4, &json!(state)), "{command:?}");
        }
        let after = place.files().into_iter().filter(|(path, _)| path.extension() != Some("lock")).collect::<Vec<_>>();
        let before = before.into_iter().filter(|(path, _)| path.extension() != Some("lock")).collect::<Vec<_>>();
        assert!(after == before, "{state}");
    }
}

/// Nobody knows whether plan mode was entered for the folder: nothing goes past that.
#[test]
fn a_folder_whose_record_is_damaged_lets_no_plan_begin() {
    let place = Place::new();
    assert_eq!(place.run(["enter"]).exit, 0);
    let folder = plangate::Engine::at(place.root()).build().unwrap().folder_session(&place.project());
    std::fs::write(folder.paths().wait().unwrap().json, "{").unwrap();
    let tool = place.a1(["tool", INIT_CHECKLIST]);
    assert_eq!(tool.exit, 4);
    let gate = place.a1(["gate", &format!(r#"{{"tool": "plan", "arguments": {INIT_CHECKLIST}}}"#)]);
    assert_eq!((gate.exit, gate.out), (3, tool.out));
    assert_eq!(place.session().view().wait().unwrap().state_name().as_str(), "NoPlan");
}
