//! `doctor`.

use pretty_assertions::assert_eq;
use serde_json::json;

use super::place::{Place, Ran};

#[test]
fn all_is_well_and_a_root_folder_that_is_not_there_is_not_made() {
    let version = env!("CARGO_PKG_VERSION");
    let place = Place::new();
    assert_eq!(
        place.run(["doctor"]),
        Ran::done(&format!(
            "ok   version: {version}\n\
             ok   root folder: ROOT is not there yet; the first plan makes it\n\
             ok   locks: not tried: there is no root folder yet\n\
             ok   policy: read, or the default\n\
             ok   sessions: 0 with a plan file, all readable\n"
        ))
    );
    assert!(!place.root().exists());
    let place = place.active();
    let (exit, answer) = place.run(["doctor", "--json"]).json();
    assert_eq!((exit, &answer["ok"]), (0, &json!(true)));
    assert_eq!(
        answer["checks"][2],
        json!({"what": "locks", "ok": true, "found": "can be taken; plans can be written"})
    );
}

#[test]
fn what_is_wrong_is_named() {
    let place = Place::new().damaged();
    std::fs::write(place.root().join("policy.json"), "{").unwrap();
    let ran = place.run(["doctor"]);
    assert_eq!(ran.exit, 1);
    assert!(ran.out.contains("\nlook policy: ROOT/policy.json: "), "{}", ran.out);
    assert!(ran.out.contains("\nlook sessions: session a1: ROOT/session/.opencrabs_plan_a1.json is damaged"));
    let place = Place::new();
    std::fs::write(place.root(), "no folder").unwrap();
    let ran = place.run(["doctor"]);
    assert_eq!(ran.exit, 1);
    assert!(ran.out.contains("look root folder: ROOT is no folder"), "{ran:?}");
}
