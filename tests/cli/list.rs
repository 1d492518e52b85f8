//! `list`.

use pretty_assertions::assert_eq;
use serde_json::json;

use super::place::{INIT_DESIGN, Place, Ran};

#[test]
fn lists_every_session_that_has_a_plan_and_those_that_cannot_be_read() {
    assert_eq!(Place::new().run(["list"]), Ran::done("No session has a live plan.\n"));
    let place = Place::new().active();
    assert_eq!(place.run(["tool", INIT_DESIGN, "--session", "longer-id"]).exit, 0);
    assert_eq!(place.run(["enter", "--session", "b"]).exit, 0);
    std::fs::write(place.root().join("session/.opencrabs_plan_broken.json"), "{").unwrap();
    assert_eq!(
        place.run(["list"]),
        Ran::done(
            "a1  Active  Swap the cache  PROJECT\n\
             b  PreInit  (no title yet)  PROJECT\n\
             broken  ROOT/session/.opencrabs_plan_broken.json is damaged: line 1, column 2: the file is cut off here; a plan is one whole JSON object. It was left as it is. Ask a person to discard it, which moves it to the archive.\n\
             longer-id  Editing  Swap the cache  PROJECT\n"
        )
    );
    let (exit, list) = place.run(["list", "--json"]).json();
    assert_eq!(exit, 0);
    let sessions = list["sessions"].as_array().unwrap();
    assert_eq!(
        sessions.iter().map(|row| (&row["session"], &row["state"])).collect::<Vec<_>>(),
        [
            (&json!("a1"), &json!("Active")),
            (&json!("b"), &json!("PreInit")),
            (&json!("broken"), &json!(null)),
            (&json!("longer-id"), &json!("Editing")),
        ]
    );
    assert_eq!(sessions[2]["error"]["code"], "damaged");
}
