//! `check`.
// spec: LIFE-11, MIRROR-6

use pretty_assertions::assert_eq;
use serde_json::json;

use super::place::{Place, Ran, WHOLE};

#[test]
fn names_what_is_missing_with_its_line() {
    let place = Place::new().editing();
    assert_eq!(
        place.a1(["check"]),
        Ran::told(
            3,
            "ROOT/session/.opencrabs_plan_a1.md:5: `**Problem:**` is blank\n\
             ROOT/session/.opencrabs_plan_a1.md:6: `**Target state:**` is blank\n\
             ROOT/session/.opencrabs_plan_a1.md:7: `**Intent:**` is blank\n\
             ROOT/session/.opencrabs_plan_a1.md:11: `## Implementation steps` has no numbered step\n\
             Fill that in, then check again.\n"
        )
    );
    std::fs::write(place.md(), WHOLE).unwrap();
    assert_eq!(place.a1(["check"]), Ran::done("The outline is complete: 2 steps. Next: `plangate approve`.\n"));
    let (exit, answer) = place.a1(["check", "--json"]).json();
    assert_eq!(
        (exit, &answer["complete"], &answer["missing"], &answer["steps"]),
        (0, &json!(true), &json!([]), &json!(2))
    );
}

// spec: LIFE-4, LIFE-11
#[test]
fn a_text_that_is_missing_or_unusable_is_not_complete() {
    let place = Place::new().designed();
    std::fs::remove_file(place.md()).unwrap();
    let missing = place.a1(["check"]);
    assert_eq!(
        missing,
        Ran::told(3, "the .md is missing: write ROOT/session/.opencrabs_plan_a1.md\nFill that in, then check again.\n")
    );
    assert_eq!(place.a1(["check", "--json"]).json().1["complete"], false);
    std::fs::write(place.md(), b"# T\n\xff\n").unwrap();
    let not_text = place.a1(["check"]);
    assert!(not_text.exit == 3 && not_text.out.contains("UTF-8"), "{not_text:?}");
    std::fs::write(place.md(), "").unwrap();
    let empty = place.a1(["check"]);
    assert!(empty.exit == 3 && !empty.out.contains("complete"), "{empty:?}");
}

#[test]
fn in_another_state_there_is_no_design_to_check() {
    for (state, place) in Place::each_state() {
        let (exit, text) = match state {
            "NoPlan" => (3, "There is no plan, so there is nothing to approve. Call init first."),
            "PreInit" => (3, "Plan mode is on and there is no plan yet"),
            "Active" | "Active, no tasks" => (3, "The plan is Active already"),
            "damaged" => (4, "is damaged"),
            "unknown" => (4, "is a folder"),
            _ => continue,
        };
        let ran = place.a1(["check"]);
        assert!(ran.exit == exit && ran.out.is_empty() && ran.err.contains(text), "{state}: {ran:?}");
    }
}
